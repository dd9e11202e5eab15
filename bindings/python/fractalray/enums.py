# SPDX-License-Identifier: Apache-2.0
"""The enumerations of the interface, with the numbers of the C header."""

from enum import IntEnum


class Kind(IntEnum):
    """The nature of a block type, in a channel."""

    SOLID = 0  #: reported, and ends the shot
    PERMEABLE = 1  #: reported; a callback or a rule decides
    EMPTY = 2  #: never reported


class Corner(IntEnum):
    """Which cells a line visits where it crosses planes of several axes at once."""

    BOTH = 0  #: all of them: nothing slips between blocks that touch at an edge
    NEITHER = 1  #: only the diagonal one
    STAIRCASE = 2  #: one for each plane


class Response(IntEnum):
    """The answer of an effect to a hit; None stands for CONTINUE."""

    CONTINUE = 0
    STOP = 1  #: ends the shot
    AGAIN = 2  #: continues, and searches again in the world as it is now


class Occlusion(IntEnum):
    """The answer about a line of sight; CLEAR is the only one that is false."""

    CLEAR = 0
    BLOCKED = 1
    UNKNOWN = 2  #: nothing known blocks it, but a part of it is in unloaded space


class Verb(IntEnum):
    """The kind of a query in a log."""

    SHOOT = 0
    CLOSEST_HIT = 1
    OCCLUDED = 2
    RESUME = 3


class Outcome(IntEnum):
    """How the replay of a log has answered a query."""

    END = 0  #: the end of the log: no query
    EQUAL = 1
    DIFFERENT = 2
    WORLD_HAD_CHANGED = 3  #: not run: the world was edited since the log began, or meanwhile
    NOT_REPLAYABLE = 4  #: cannot be repeated, for a reason


class ChunkState(IntEnum):
    """The state of a chunk."""

    ABSENT = 0
    PROTO = 1  #: a placeholder
    LOADED = 2


class Source(IntEnum):
    """The owner of the ids of a chunk that is loaded from an array."""

    COPY = 1  #: the library, which copies them
    BORROW = 2  #: the array, which is only read
    BORROW_FOR_WRITING = 3  #: the array; edits of the world write to it


class HitKind(IntEnum):
    """The member `kind` of hits."""

    NONE = 0
    BLOCK = 1
    ENTITY = 2


class Progress(IntEnum):
    """How far one shot of a batch is."""

    DONE = 0
    OUT_OF_STEPS = 1
    NOT_STARTED = 2


class MoveKind(IntEnum):
    """A move of the frame."""

    DESCEND = 1
    CLIMB = 2
    RECENTER = 3
