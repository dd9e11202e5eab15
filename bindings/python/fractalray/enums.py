# SPDX-License-Identifier: Apache-2.0
"""The enumerations of the interface, with the numbers of the C header."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NoReturn

from . import _abi
from .errors import InvalidArgumentError


class _Choice(IntEnum):
    """An enumeration whose errors name the values that it has."""

    @classmethod
    def _missing_(cls, value: Any) -> NoReturn:
        names = ", ".join(f"{cls.__name__}.{each.name}" for each in cls)
        raise InvalidArgumentError(f"{value!r} is no {cls.__name__}; it must be one of {names}")


class Kind(_Choice):
    """The nature of a block type, in a channel."""

    SOLID = _abi.FR_SOLID  #: reported, and ends the shot
    PERMEABLE = _abi.FR_PERMEABLE  #: reported; a callback or a rule decides
    EMPTY = _abi.FR_EMPTY  #: never reported


class Corner(_Choice):
    """Which cells a line visits where it crosses planes of several axes at once."""

    BOTH = _abi.FR_CORNER_BOTH  #: all of them: nothing slips between blocks that touch at an edge
    NEITHER = _abi.FR_CORNER_NEITHER  #: only the diagonal one
    STAIRCASE = _abi.FR_CORNER_STAIRCASE  #: one for each plane


class Response(_Choice):
    """The answer of an effect to a hit; None stands for CONTINUE."""

    CONTINUE = _abi.FR_CONTINUE
    STOP = _abi.FR_STOP  #: ends the shot
    AGAIN = _abi.FR_AGAIN  #: continues, and searches again in the world as it is now


class Occlusion(_Choice):
    """The answer about a line of sight; CLEAR is the only one that is false."""

    CLEAR = _abi.FR_CLEAR
    BLOCKED = _abi.FR_BLOCKED
    UNKNOWN = _abi.FR_UNKNOWN  #: nothing known blocks it, but a part of it is in unloaded space


class Sight(_Choice):
    """The answer of an eye that looks at a box; HIDDEN is the only one that is false."""

    HIDDEN = _abi.FR_SIGHT_HIDDEN
    UNKNOWN = _abi.FR_SIGHT_UNKNOWN  #: hidden, unless what is not loaded is air
    VISIBLE = _abi.FR_SIGHT_VISIBLE
    UNDECIDED = _abi.FR_SIGHT_UNDECIDED  #: an error, of one query of many
    SKIPPED = _abi.FR_SIGHT_SKIPPED  #: not asked, by `visible_boxes` alone


class Unloaded(_Choice):
    """What space is to an eye where nothing is loaded."""

    REPORT = _abi.FR_UNLOADED_REPORT  #: a box that is seen only through it is UNKNOWN
    TRANSPARENT = _abi.FR_UNLOADED_TRANSPARENT  #: air
    OPAQUE = _abi.FR_UNLOADED_OPAQUE  #: solid


class Verb(_Choice):
    """The kind of a query in a log."""

    SHOOT = _abi.FR_VERB_SHOOT
    CLOSEST_HIT = _abi.FR_VERB_CLOSEST_HIT
    OCCLUDED = _abi.FR_VERB_OCCLUDED
    RESUME = _abi.FR_VERB_RESUME
    VISIBLE = _abi.FR_VERB_VISIBLE
    EXPOSURE = _abi.FR_VERB_EXPOSURE
    VISIBLE_BOXES = _abi.FR_VERB_VISIBLE_BOXES
    VISIBLE_BLOCKS = _abi.FR_VERB_VISIBLE_BLOCKS
    BLAST = _abi.FR_VERB_BLAST


class Outcome(_Choice):
    """How the replay of a log has answered a query."""

    END = _abi.FR_REPLAY_END  #: the end of the log: no query
    EQUAL = _abi.FR_REPLAY_EQUAL
    DIFFERENT = _abi.FR_REPLAY_DIFFERENT
    #: not run: the world was edited since the log began, or meanwhile
    WORLD_HAD_CHANGED = _abi.FR_REPLAY_WORLD_HAD_CHANGED
    NOT_REPLAYABLE = _abi.FR_REPLAY_NOT_REPLAYABLE  #: cannot be repeated, for a reason


class ChunkState(_Choice):
    """The state of a chunk."""

    ABSENT = _abi.FR_ABSENT
    PROTO = _abi.FR_PROTO  #: a placeholder
    LOADED = _abi.FR_LOADED


class Source(_Choice):
    """The owner of the ids of a chunk that is loaded from an array."""

    COPY = _abi.FR_CHUNK_COPY  #: the library, which copies them
    BORROW = _abi.FR_CHUNK_BORROW  #: the array, which is only read
    #: the array; edits of the world write to it
    BORROW_FOR_WRITING = _abi.FR_CHUNK_BORROW_FOR_WRITING


class HitKind(_Choice):
    """The member `kind` of hits."""

    NONE = _abi.FR_HIT_NONE
    BLOCK = _abi.FR_HIT_BLOCK
    ENTITY = _abi.FR_HIT_ENTITY


class Progress(_Choice):
    """How far one shot of a batch is."""

    DONE = _abi.FR_DONE
    OUT_OF_STEPS = _abi.FR_OUT_OF_STEPS
    NOT_STARTED = _abi.FR_NOT_STARTED


class MoveKind(_Choice):
    """A move of the frame."""

    DESCEND = _abi.FR_DESCEND
    CLIMB = _abi.FR_CLIMB
    RECENTER = _abi.FR_RECENTER
