# SPDX-License-Identifier: Apache-2.0
"""Searches for entities and blocks in a sphere or a box."""

from __future__ import annotations

import math
from ctypes import byref, c_size_t
from typing import Any

import numpy as np

from ._abi import FrFoundBlock, FrFoundEntity
from ._arguments import Array, Levels, Point, integer, level_mask, number, point, read_array
from ._calls import call_with_callbacks
from ._library import lib
from .handle import WorldHandle
from .options import Options, OptionsStruct

#: The elements of what searches find.
FOUND_ENTITY = np.dtype(FrFoundEntity)
FOUND_BLOCK = np.dtype(FrFoundBlock)


class Searches(WorldHandle):
    """Searches in an area: methods that worlds and snapshots both have."""

    def entities_in_sphere(
        self, center: Point, radius: float, levels: Levels = None, options: Options | None = None
    ) -> Array:
        """Returns the entities whose closed shape touches a closed ball, by distance, then id."""
        area = (point(center, "the center"), number(radius, "the radius"))
        return self._search(lib.frWorld_EntitiesInSphere, area, levels, options, FOUND_ENTITY)

    def entities_in_box(
        self, low: Point, high: Point, levels: Levels = None, options: Options | None = None
    ) -> Array:
        """Returns the entities whose closed shape touches a closed box, by id."""
        area = (point(low, "the smaller corner"), point(high, "the larger corner"))
        return self._search(lib.frWorld_EntitiesInBox, area, levels, options, FOUND_ENTITY)

    def nearest_entities(
        self,
        position: Point,
        count: int,
        max_distance: float = math.inf,
        levels: Levels = None,
        options: Options | None = None,
    ) -> Array:
        """Returns the entities nearest to a point, at most `count` of them."""
        found = np.empty(integer(count, "count", 1, 1 << 24), FOUND_ENTITY)
        struct, size = OptionsStruct(options), c_size_t()
        call_with_callbacks(
            lib.frWorld_NearestEntities,
            self._handle,
            point(position, "the position"),
            number(max_distance, "max_distance"),
            level_mask(levels),
            struct.address,
            found.ctypes.data,
            len(found),
            byref(size),
        )
        return found[: size.value]

    def blocks_in_sphere(
        self, center: Point, radius: float, levels: Levels = None, options: Options | None = None
    ) -> Array:
        """Returns the blocks, not empty ones, that touch a closed ball, by distance."""
        area = (point(center, "the center"), number(radius, "the radius"))
        return self._search(lib.frWorld_BlocksInSphere, area, levels, options, FOUND_BLOCK)

    def blocks_in_box(
        self, low: Point, high: Point, levels: Levels = None, options: Options | None = None
    ) -> Array:
        """Returns the blocks, not empty ones, that touch a closed box, by level and index."""
        area = (point(low, "the smaller corner"), point(high, "the larger corner"))
        return self._search(lib.frWorld_BlocksInBox, area, levels, options, FOUND_BLOCK)

    def _search(
        self, function: Any, area: Any, levels: Levels, options: Options | None, dtype: Any
    ) -> Array:
        struct = OptionsStruct(options)
        arguments = (self._handle, *area, level_mask(levels), struct.address)
        return read_array(function, *arguments, dtype=dtype)
