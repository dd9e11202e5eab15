# SPDX-License-Identifier: Apache-2.0
"""The hits of a line one by one, on request."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any

import numpy as np

from ._abi import FrHit, FrQueryResult
from ._arguments import Array, integer
from ._calls import OK, Owned, call, call_with_callbacks, last_error, result_with_callbacks, sized
from ._library import lib
from .errors import FailedPreconditionError
from .handle import WorldHandle
from .hit import HIT, Hit, hits_from_array
from .options import OptionsStruct
from .shot import Shot

_NO_HITS = np.empty(0, HIT)


class HitCursor(Owned):
    """Iterates over the hits of a shot; the world may change between two of them.

    Effects are not called: the loop replaces them. Made by `hits_along`.

    No hit is lost if an error ends a call: the next one returns the hits that were found before the
    error. If a filter or a terminal test has raised, which both run ahead of the hits, the cursor
    ends with these hits, and then with a FailedPreconditionError.
    """

    def __init__(self, world: WorldHandle, line: Any, levels: int, options: OptionsStruct) -> None:
        self._kept = (world._kept, options)
        self._found: Array = _NO_HITS  # by calls that an error has ended
        self._has_raised = False
        pointer = c_void_p()
        handle, address = world._handle, byref(line._struct)
        arguments = (handle, address, levels, options.address, byref(pointer))
        call_with_callbacks(lib.frWorld_HitsAlong, *arguments)
        assert pointer.value is not None
        super().__init__(pointer.value, lib.frDestroyCursor)
        self._finalizer.atexit = True  # for its shot to be in the log of the world

    def __iter__(self) -> HitCursor:
        return self

    def __next__(self) -> Hit:
        if len(self._found) > 0:
            return hits_from_array(self.take(1))[0]
        hit, count = FrHit(), c_size_t()
        self._call(byref(hit), 1, count)
        if count.value == 0:
            raise StopIteration
        return Hit(hit)

    def take(self, most: int) -> Array:
        """Returns the next hits, at most that many, as an array with the dtype HIT."""
        most = integer(most, "most", 1, 1 << 24)
        missing = most - len(self._found)
        if missing > 0:
            self._find(missing)
        taken, self._found = self._found[:most], self._found[most:]
        return taken

    def _find(self, most: int) -> None:
        """Appends the next hits, at most that many, to those that have been found."""
        hits, found = np.empty(most, HIT), 0
        try:
            # Of a call whose callback raises it is not known which hits it should have found.
            at_once = 1 if self._has_callbacks() else most
            while found < most:
                count = c_size_t()
                try:
                    self._call(hits[found:].ctypes.data, min(at_once, most - found), count)
                finally:
                    found += count.value
                if count.value < at_once:
                    break
        finally:
            earlier = self._found
            self._found = np.concatenate([earlier, hits[:found]]) if len(earlier) else hits[:found]

    def _has_callbacks(self) -> bool:
        world, options = self._kept
        return bool(world.callbacks) or options.filters is not None

    def _call(self, hits: Any, capacity: int, count: c_size_t) -> None:
        """Finds hits; counts those that were found before an error, too."""
        if self._has_raised:
            raise FailedPreconditionError(
                "a callback of this cursor has raised; make another one, which resumes after the "
                "last hit if it is in the option `after`"
            )
        try:
            result = result_with_callbacks(
                lib.frCursor_Next, self._handle, hits, capacity, byref(count)
            )
        except BaseException:
            if self._has_callbacks():
                count.value, self._has_raised = 0, True
            raise
        if result != OK:
            raise last_error(result)

    @property
    def shot(self) -> Shot:
        """The shot up to the last hit that was found, without its hits: `resume` refuses it."""
        result = sized(FrQueryResult)
        call(lib.frCursor_GetResult, self._handle, byref(result))
        return Shot(result, _NO_HITS)
