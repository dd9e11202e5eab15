# SPDX-License-Identifier: Apache-2.0
"""The cells of a grid that a segment crosses, in 2 or 3 dimensions; needs no world."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref, c_int64, c_uint64
from typing import Any

import numpy as np

from ._abi import FrWalkCell
from ._arguments import Array, integer
from ._calls import Owned, call, create
from ._library import lib
from ._pieces import all_pieces, next_piece
from .enums import Corner
from .errors import InvalidArgumentError
from .line import Line

#: The elements of arrays of cells.
WALK_CELL = np.dtype(FrWalkCell)


def to_units(point: Sequence[float]) -> tuple[int, ...]:
    """Returns a point of 1 to 3 numbers in units, 65,536 to a finest block, as queries round it."""
    padded = (*point, 0.0, 0.0)[:3]
    return Line.segment(padded, padded).start_units[: len(point)]


def _integers(values: Sequence[int], name: str) -> Any:
    low, high = -(1 << 63), (1 << 63) - 1
    return (c_int64 * len(values))(*(integer(value, name, low, high) for value in values))


class Walk(Owned):
    """Walks over the cells that a segment crosses, in order.

    >>> Walk((0.5, 0.5), (2.5, 1.5)).cells()["cell"]
    """

    def __init__(
        self,
        start: Sequence[float],
        end: Sequence[float],
        widths: "float | Sequence[float]" = 1.0,
        corner: Corner = Corner.BOTH,
    ) -> None:
        """start, end: two or three numbers each. widths: of the cells, for all axes or for each."""
        dimensions = len(start)
        given: Any = widths
        each = [given] * dimensions if np.ndim(given) == 0 else list(given)
        if not len(end) == len(each) == dimensions or dimensions not in (2, 3):
            raise InvalidArgumentError("the ends and the widths must have two or three numbers")
        self.dimensions = dimensions
        pointer = create(
            lib.frCreateWalk,
            dimensions,
            _integers(to_units(start), "the start"),
            _integers(to_units(end), "the end"),
            _integers(to_units(each), "the widths"),
            Corner(corner),
        )
        super().__init__(pointer, lib.frDestroyWalk)

    @property
    def crossings(self) -> int:
        """The number of planes between cells that the whole walk crosses."""
        crossings = c_uint64()
        call(lib.frWalk_GetCrossings, self._handle, byref(crossings))
        return crossings.value

    def take(self, most: int) -> Array:
        """Returns the next cells, at most that many; fewer only at the end."""
        return next_piece(
            lib.frWalk_Next, self._handle, WALK_CELL, integer(most, "most", 1, 1 << 24)
        )

    def cells(self) -> Array:
        """Returns all cells that are left, with the dtype WALK_CELL."""
        return all_pieces(lib.frWalk_Next, self._handle, WALK_CELL)
