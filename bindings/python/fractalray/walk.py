# SPDX-License-Identifier: Apache-2.0
"""The cells of a grid that a segment crosses, in 2 or 3 dimensions; needs no world."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import byref, c_int64, c_size_t, c_uint64
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._abi import FrWalkCell
from ._arguments import Array, instance, integer
from ._calls import OK, OUT_OF_RANGE, Owned, call, create, last_error, last_message
from ._library import lib
from ._pieces import all_pieces, next_piece
from .enums import Corner
from .errors import InvalidArgumentError
from .line import UNITS_PER_BLOCK, Line, Lines

#: The elements of arrays of cells.
WALK_CELL = np.dtype(FrWalkCell)


def to_units(point: Sequence[float]) -> tuple[int, ...]:
    """Returns a point of 1 to 3 numbers in units, 65,536 to a finest block, as queries round it."""
    padded = (*point, 0.0, 0.0)[:3]
    return Line.segment(padded, padded).start_units[: len(point)]


def _integers(values: Sequence[int], name: str) -> Any:
    low, high = -(1 << 63), (1 << 63) - 1
    return (c_int64 * len(values))(*(integer(value, name, low, high) for value in values))


# The cells for which there is memory at first: it costs nothing until it is written.
_CELLS_A_LINE, _MOST_CELLS = 128, 1 << 23


def _widths(widths: "float | Sequence[float]", dimensions: int) -> Any:
    """Returns the widths in units. Refuses what would be rounded: its error would add up."""
    given: Any = widths
    each = [given] * dimensions if np.ndim(given) == 0 else list(given)
    if len(each) != dimensions:
        raise InvalidArgumentError(f"the widths are {len(each)} numbers; give {dimensions}, or one")
    units = to_units(each)
    for axis, (width, rounded) in enumerate(zip(map(float, each), units)):
        if width > 0 and width * UNITS_PER_BLOCK != rounded:
            name = "widths" if np.ndim(given) == 0 else f"widths[{axis}]"
            raise InvalidArgumentError(
                f"{name} is {width!r}, which is not a multiple of 1/{UNITS_PER_BLOCK}; divide the "
                f"coordinates by it and leave it out, or give {max(rounded, 1) / UNITS_PER_BLOCK!r}"
            )
    return _integers(units, "the widths")


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
        """start, end: two or three numbers each.

        widths: of the cells, for all axes or for each; multiples of 1/65,536.
        """
        dimensions = len(start)
        if len(end) != dimensions or dimensions not in (2, 3):
            raise InvalidArgumentError("the ends must have two or three numbers, the same for both")
        self.dimensions = dimensions
        pointer = create(
            lib.frCreateWalk,
            dimensions,
            _integers(to_units(start), "the start"),
            _integers(to_units(end), "the end"),
            _widths(widths, dimensions),
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


@dataclass(frozen=True)
class Walks:
    """The cells of many lines; those of line i are cells[offsets[i]:offsets[i + 1]].

    offsets: int64, one more than there are lines.
    cells: int64, of the shape (n, 3).
    times: the t at which each cell is entered; an empty array unless requested.
    results: 0 for each line without an error, else its number in the C interface.
    errors: lines with an error, which have no cells; `first_error` describes the first of them.
    """

    offsets: Array
    cells: Array
    times: Array
    results: Array
    errors: int
    first_error: str


def walk_many(
    lines: Lines,
    widths: "float | Sequence[float]" = 1.0,
    corner: Corner = Corner.BOTH,
    *,
    times: bool = False,
) -> Walks:
    """Returns the cells that each line crosses, in order, as far as the line reaches.

    widths: of the cells, for all axes or for each; multiples of 1/65,536. Cells of 0.05 are those
        of width 1 on lines through points / 0.05.
    times: returns the times of entry too, 8 bytes a cell. The cells have 24.

    Other threads of Python run meanwhile. Walks twice if there are very many cells.
    """
    size = len(instance(lines, Lines, "the lines"))
    offsets, results = np.zeros(size + 1, np.int64), np.empty(size, np.int32)
    each, count, errors = _widths(widths, 3), c_size_t(), c_size_t()

    def walk(capacity: int) -> tuple[Array, Array]:
        cells = np.empty((capacity, 3), np.int64)
        entered = np.empty(capacity if times else 0)
        result = lib.frWalkMany(
            byref(lines._struct),
            each,
            Corner(corner),
            offsets.ctypes.data + offsets.itemsize,
            cells.ctypes.data,
            entered.ctypes.data if times else None,
            capacity,
            byref(count),
            results.ctypes.data,
            byref(errors),
        )
        if result != OK and not (result == OUT_OF_RANGE and count.value > capacity):
            raise last_error(result)
        return cells, entered

    guess = min(_CELLS_A_LINE * size + 1, _MOST_CELLS)
    cells, entered = walk(guess)
    if count.value > guess:
        cells, entered = walk(count.value)
    message = last_message() if errors.value else ""
    cells, entered = cells[: count.value], entered[: count.value]
    return Walks(offsets, cells, entered, results, errors.value, message)
