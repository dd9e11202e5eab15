# SPDX-License-Identifier: Apache-2.0
"""The hits of a line one by one, on request."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any

import numpy as np

from ._arguments import Array, integer
from ._calls import Owned, call, call_with_callbacks
from ._library import lib
from ._structs import FrHit, FrQueryResult, sized
from .handle import WorldHandle
from .hit import HIT, Hit
from .options import OptionsStruct
from .shot import Shot

_NO_HITS = np.empty(0, HIT)


class HitCursor(Owned):
    """Iterates over the hits of a shot; the world may change between two of them.

    Effects are not called: the loop replaces them. Made by `hits_along`.
    """

    def __init__(self, world: WorldHandle, line: Any, levels: int, options: OptionsStruct) -> None:
        self._kept = (world._kept, options)
        pointer = c_void_p()
        handle, address = world._handle, byref(line._struct)
        arguments = (handle, address, levels, options.address, byref(pointer))
        call_with_callbacks(lib.frWorld_HitsAlong, *arguments)
        assert pointer.value is not None
        super().__init__(pointer.value, lib.frDestroyCursor)

    def __iter__(self) -> HitCursor:
        return self

    def __next__(self) -> Hit:
        hit, count = FrHit(), c_size_t()
        call_with_callbacks(lib.frCursor_Next, self._handle, byref(hit), 1, byref(count))
        if count.value == 0:
            raise StopIteration
        return Hit(hit)

    def take(self, most: int) -> Array:
        """Returns the next hits, at most that many, as an array with the dtype HIT."""
        hits, count = np.empty(integer(most, "most", 1, 1 << 24), HIT), c_size_t()
        call_with_callbacks(
            lib.frCursor_Next, self._handle, hits.ctypes.data, len(hits), byref(count)
        )
        return hits[: count.value]

    @property
    def shot(self) -> Shot:
        """The shot up to the last hit that was requested, without its hits."""
        result = sized(FrQueryResult)
        call(lib.frCursor_GetResult, self._handle, byref(result))
        return Shot(result, _NO_HITS)
