# SPDX-License-Identifier: Apache-2.0
"""The common parts of worlds: the handle, and the objects that the library points to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ._arguments import triple
from ._calls import Owned, running_calls
from .callbacks import Functions
from .errors import FractalrayError

ChunkKey = tuple[int, int, int, int]  # level, x, y, z


class Kept:
    """The objects that must live as long as the library may use them.

    A world shares them with its cursors, which may outlive it; a snapshot has the callbacks and the
    threads of its moment.
    """

    def __init__(self, executor: Any = None, callbacks: dict[Any, Functions] | None = None) -> None:
        self.executor = executor
        self.callbacks: dict[Any, Functions] = dict(callbacks or {})
        self.arrays: dict[ChunkKey, tuple[Any, ...]] = {}
        self._replaced: list[Functions] = []
        self._before_moves: list[Any] = []

    @contextmanager
    def lending(self, level: int, chunks: Iterable[Iterable[int]], array: Any) -> Iterator[None]:
        """Keeps the array from which chunks are borrowed, or None, in place of earlier ones.

        The body loads the chunks. As an interrupt may end it, or follow it at once, both the array
        and the earlier ones are kept from before until the library has answered.
        """
        earlier = {key: self.arrays.get(key, ()) for key in _keys(level, chunks)}
        lent = () if array is None else (array,)
        self._keep({key: (*arrays, *lent) for key, arrays in earlier.items()})
        try:
            yield
        except FractalrayError:
            self._keep(earlier)
            raise
        self._keep(dict.fromkeys(earlier, lent))

    def _keep(self, arrays: dict[ChunkKey, tuple[Any, ...]]) -> None:
        self.arrays.update(arrays)
        for key in [key for key, each in arrays.items() if not each]:
            del self.arrays[key]

    @contextmanager
    def moving(self) -> Iterator[None]:
        """Keeps all arrays during a move of the frame, until `arrays` has their chunks' new names;
        for good if an interrupt prevents that."""
        self._before_moves.append(dict(self.arrays))
        try:
            yield
        except FractalrayError:
            self._before_moves.pop()
            raise
        self._before_moves.pop()

    @contextmanager
    def registering(self, key: Any, functions: Functions) -> Iterator[None]:
        """Keeps callbacks in place of earlier ones, which calls that are running may still call.

        The body registers them.
        """
        if not running_calls():
            self._replaced.clear()
        earlier = self.callbacks.get(key)
        if earlier is not None:
            self._replaced.append(earlier)
        self.callbacks[key] = functions
        try:
            yield
        except FractalrayError:
            del self.callbacks[key]
            if earlier is not None:
                self.callbacks[key] = earlier
            raise

    def has_effects(self) -> bool:
        """Returns True if an effect is registered."""
        return any(functions.effect is not None for functions in self.callbacks.values())

    def has_context(self, context: int) -> bool:
        """Returns True if these callbacks are registered with that context, or were."""
        known = (*self.callbacks.values(), *self._replaced)
        return any(functions.context == context for functions in known)

    def snapshot(self) -> Kept:
        """Returns what a snapshot needs, which has copies of borrowed ids."""
        return Kept(self.executor, self.callbacks)


def _keys(level: int, chunks: Iterable[Iterable[int]]) -> list[ChunkKey]:
    return [(level, *triple(chunk)) for chunk in chunks]


class WorldHandle(Owned):
    """A world or a snapshot of the library."""

    _kept: Kept

    def close(self) -> None:
        super().close()
        self._kept = Kept()

    def _disown(self) -> None:
        """Closes a world that another object of the library has taken over."""
        self._finalizer.detach()
        self._pointer = None
        self._kept = Kept()

    def _owners(self, filters: Functions | None) -> tuple[Any, ...]:
        """Returns what has the callbacks that many queries may run on threads of an Executor."""
        return (self._kept,) if filters is None else (self._kept, filters)
