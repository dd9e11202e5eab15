# SPDX-License-Identifier: Apache-2.0
"""The common parts of worlds: the handle, and the objects that the library points to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._arguments import triple
from ._calls import Owned, running_calls
from .callbacks import Functions

ChunkKey = tuple[int, int, int, int]  # level, x, y, z


class Kept:
    """The objects that must live as long as the library may use them.

    A world shares them with its cursors, which may outlive it; a snapshot has the callbacks and the
    threads of its moment.
    """

    def __init__(self, executor: Any = None, callbacks: dict[Any, Functions] | None = None) -> None:
        self.executor = executor
        self.callbacks: dict[Any, Functions] = dict(callbacks or {})
        self.arrays: dict[ChunkKey, Any] = {}
        self._replaced: list[Any] = []

    def lend(self, level: int, at: Iterable[int], array: Any) -> None:
        """Keeps the array from which a chunk is borrowed; None for a chunk that is not."""
        chunk = (level, *triple(at))
        if array is None:
            self.arrays.pop(chunk, None)
        else:
            self.arrays[chunk] = array

    def register(self, key: Any, functions: Functions) -> None:
        """Keeps callbacks in place of earlier ones, which calls that are running may still call."""
        if not running_calls():
            self._replaced.clear()
        self._replaced.append(self.callbacks.get(key))
        self.callbacks[key] = functions

    def snapshot(self) -> Kept:
        """Returns what a snapshot needs, which has copies of borrowed ids."""
        return Kept(self.executor, self.callbacks)


class WorldHandle(Owned):
    """A world or a snapshot of the library."""

    _kept: Kept

    def close(self) -> None:
        super().close()
        self._kept = Kept()
