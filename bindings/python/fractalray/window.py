# SPDX-License-Identifier: Apache-2.0
"""Moving the frame of a world through a tree of any depth; see docs/window.md."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_int32, c_int64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._abi import FrFrameMove, FrWindowMove
from ._arguments import Index, index3, level_number, read_array, read_text, text, triple
from ._calls import call, sized
from ._library import lib
from .enums import MoveKind

if TYPE_CHECKING:
    from .world import World

At = tuple[int, int, int]


@dataclass(frozen=True)
class WindowMove:
    """A move of the frame; converts indices and points from before the move to after it.

    dropped_chunks: the number of chunks that are no longer in the frame.
    evicted: the ids of entities that are no longer in the frame, ascending.
    """

    dropped_chunks: int
    evicted: list[int]
    _move: FrFrameMove

    @property
    def kind(self) -> MoveKind:
        return MoveKind(self._move.kind)

    def chunk(self, level: int, chunk: Index) -> tuple[int, At] | None:
        """Returns the level and the index of a chunk after the move; None if it is dropped."""
        return self._convert(lib.frFrameMove_Chunk, level, chunk)

    def block(self, level: int, block: Index) -> tuple[int, At] | None:
        """Returns the level and the index of a block after the move; None if it is dropped."""
        return self._convert(lib.frFrameMove_Block, level, block)

    def _convert(
        self, function: Callable[..., int], level: int, at: Index
    ) -> tuple[int, At] | None:
        level_after, after, is_kept = c_int32(), (c_int64 * 3)(), c_int32()
        arguments = (level_number(level), index3(at, "the index"))
        call(function, byref(self._move), *arguments, byref(level_after), after, byref(is_kept))
        return (level_after.value, triple(after)) if is_kept.value else None

    def point(self, units: Index) -> At | None:
        """Returns a point in units after the move; None if it is no longer in the frame."""
        after, is_kept = (c_int64 * 3)(), c_int32()
        at = index3(units, "the point")
        call(lib.frFrameMove_Point, byref(self._move), at, after, byref(is_kept))
        return triple(after) if is_kept.value else None


class Window:
    """The frame of a world: the few levels of a deep tree that are active."""

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def anchor(self) -> str:
        """The path of the level-0 chunk (0, 0, 0) from the root, such as "7a3_221"."""
        return read_text(lib.frWorld_GetAnchor, self._world._handle)

    def path(self, level: int, chunk: Index) -> str:
        """Returns the path of a chunk from the root, which no move changes."""
        at = index3(chunk, "the chunk")
        return read_text(lib.frWorld_GetPath, self._world._handle, level_number(level), at)

    def descend(self, chunk: Index) -> WindowMove:
        """Moves the frame into the level-1 chunk `chunk`, which becomes the level-0 (0, 0, 0)."""
        return self._move(lib.frWorld_Descend, index3(chunk, "the chunk"))

    def climb(self) -> WindowMove:
        """Moves the frame to the parent of the level-0 chunk (0, 0, 0), which takes its place."""
        return self._move(lib.frWorld_Climb)

    def recenter(self, chunk: Index) -> WindowMove:
        """Moves the frame to the level-0 chunk `chunk`, which becomes the level-0 (0, 0, 0)."""
        return self._move(lib.frWorld_Recenter, index3(chunk, "the chunk"))

    def _move(self, function: Callable[..., int], *chunk: Any) -> WindowMove:
        result = sized(FrWindowMove)
        with self._world._kept.moving():
            call(function, self._world._handle, *chunk, byref(result), None)
            evicted = read_array(lib.frWorld_GetEvicted, self._world._handle, dtype=np.uint64)
            frame_move = FrFrameMove.from_buffer_copy(result.frame_move)
            move = WindowMove(result.dropped_chunks, evicted.tolist(), frame_move)
            self._follow_arrays(move)
        return move

    def _follow_arrays(self, move: WindowMove) -> None:
        """Keeps borrowed arrays under the new names of their chunks, and lets go of the others."""
        kept = self._world._kept
        moved = {}
        for (level, *at), arrays in kept.arrays.items():
            after = move.chunk(level, at)
            if after is not None:
                moved[(after[0], *after[1])] = arrays
        kept.arrays = moved


def follow_path(path: str, ancestor: Index) -> tuple[At, int]:
    """Follows a path down from a chunk. Returns the chunk at its end, and how many levels down."""
    chunk, steps = (c_int64 * 3)(), c_int32()
    start = index3(ancestor, "the ancestor")
    call(lib.frFollowPath, text(path, "the path"), start, chunk, byref(steps))
    return triple(chunk), steps.value
