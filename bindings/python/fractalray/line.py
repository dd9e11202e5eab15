# SPDX-License-Identifier: Apache-2.0
"""Lines of queries: segments and rays, one by one and many at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from ctypes import byref, c_double
from typing import Any, Union

import numpy as np

from ._abi import FR_F32, FR_F64, FR_UNITS
from ._abi import FR_UNITS_PER_BLOCK as UNITS_PER_BLOCK
from ._abi import FrLine, FrLines, FrVectors
from ._arguments import Array, Index, Point
from ._arguments import index3, instance, integers, number, numbers, point, triple
from ._calls import call, sized
from ._library import lib
from .errors import InvalidArgumentError
from .hit import hits_to_array

#: The elements of arrays of lines, in units: 65,536 to a finest block.
LINE = np.dtype(FrLine)

Box = Sequence[Point]  #: two corners, the smaller and the larger one

_WHOLE = 1 << 60  # the end time of a whole line


def _bounds(box: Box | None) -> Any:
    if box is None:
        return None
    if len(box) != 2:
        raise InvalidArgumentError(f"the bounds have {len(box)} corners; they must have two")
    return (c_double * 6)(*point(box[0], "bounds[0]"), *point(box[1], "bounds[1]"))


class Line:
    """A line: the points from start + t (end - start), in integers. See `segment` and `ray`."""

    __slots__ = ("_struct",)

    def __init__(self, struct: FrLine) -> None:
        self._struct = struct

    @classmethod
    def segment(cls, start: Point, end: Point) -> Line:
        """Returns the line between two points, which are rounded to 1/65,536 of a finest block."""
        line = FrLine()
        call(lib.frMakeSegment, point(start, "start"), point(end, "end"), byref(line))
        return cls(line)

    @classmethod
    def ray(
        cls,
        origin: Point,
        direction: Point,
        max_distance: float = math.inf,
        bounds: Box | None = None,
    ) -> Line:
        """Returns the line of a ray of any direction but zero, no farther than a box `bounds`."""
        line = FrLine()
        call(
            lib.frMakeRay,
            point(origin, "origin"),
            point(direction, "direction"),
            number(max_distance, "max_distance"),
            _bounds(bounds),
            byref(line),
        )
        return cls(line)

    @classmethod
    def units(cls, start: Index, end: Index) -> Line:
        """Returns the line between two points in units, 65,536 to a finest block."""
        return cls(FrLine(index3(start, "start"), index3(end, "end"), _WHOLE))

    @property
    def start(self) -> tuple[float, float, float]:
        """The start, in finest-block widths."""
        return triple(units / UNITS_PER_BLOCK for units in self._struct.from_)

    @property
    def end(self) -> tuple[float, float, float]:
        """The point at t = 1; a ray may end before it, at `end_time`."""
        return triple(units / UNITS_PER_BLOCK for units in self._struct.to)

    @property
    def start_units(self) -> tuple[int, int, int]:
        """The start, exactly."""
        return triple(self._struct.from_)

    @property
    def end_units(self) -> tuple[int, int, int]:
        """The point at t = 1, exactly."""
        return triple(self._struct.to)

    @property
    def end_time(self) -> float:
        """The time at which the line ends: 1, or less for a ray."""
        return float(self._struct.end_time) / _WHOLE

    @property
    def length(self) -> float:
        """The length from t = 0 to t = 1, in finest-block widths."""
        length = c_double()
        call(lib.frLine_GetLength, byref(self._struct), byref(length))
        return length.value

    def point(self, t: float) -> tuple[float, float, float]:
        """Returns the point at a time."""
        at = (c_double * 3)()
        call(lib.frLine_GetPoint, byref(self._struct), number(t, "t"), at)
        return triple(at)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Line) and bytes(self._struct) == bytes(other._struct)

    def __hash__(self) -> int:
        return hash(bytes(self._struct))

    def __repr__(self) -> str:
        return f"Line({self.start} to {self.end}, end_time={self.end_time:g})"


def vectors(array: Any, name: str, count: int, units: bool = False) -> tuple[FrVectors, Any]:
    """Returns the description of `count` vectors, and the array that it reads.

    Arrays of 32-bit and 64-bit floats are read in place, whatever their strides; others are
    converted to 64-bit floats. One vector stands for all. In units, arrays of int64 are read.
    """
    array = np.asarray(array)
    if array.ndim not in (1, 2) or array.shape[-1] != 3:
        raise InvalidArgumentError(
            f"{name}: the shape is {array.shape}; it must be (n, 3), or (3,) for all"
        )
    if array.ndim == 2 and len(array) != count:
        raise InvalidArgumentError(
            f"{name}: there are {len(array)} vectors; give {count}, or one of shape (3,) for all"
        )
    array = _readable(array, name, units)
    stride = array.strides[0] if array.ndim == 2 else 0
    kind = FR_UNITS if units else FR_F32 if array.dtype == np.float32 else FR_F64
    return FrVectors(array.ctypes.data, stride, array.strides[-1], kind), array


def _readable(array: Any, name: str, units: bool) -> Any:
    if units:
        if array.dtype != np.int64:
            raise TypeError(f"{name}: the dtype is {array.dtype}; in units it must be int64")
        return array if array.strides[-1] else np.ascontiguousarray(array)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: the dtype is {array.dtype}; it must be one of numbers")
    # A component stride of zero has another meaning to the library.
    is_float = array.dtype in (np.float32, np.float64) and array.dtype.isnative
    return array if is_float and array.strides[-1] else np.array(array, np.float64)


def count_of(*arrays: Any) -> int:
    """Returns how many vectors arrays have: one array of one vector is for all."""
    shapes = [np.shape(array) for array in arrays]
    return max((shape[0] for shape in shapes if len(shape) == 2), default=1)


class Lines:
    """Many lines, in arrays that are read in place where they have one of the library's formats.

    The arrays must stay as they are while a batch runs. Made by `segments`, `rays`, `units` and
    `of`. The optional members of each of these:

    levels: for each line its levels as a mask of bits, in place of the batch's; an array of uint32.
    ignore: for each line the ids of entities that it ignores: an array of one id a line, or a list
        of lists.
    after: for each line the hits after which it resumes, a list of lists.
    """

    def __init__(self, struct: FrLines, kept: list[Any]) -> None:
        self._struct = struct
        self._kept = kept

    def __len__(self) -> int:
        return int(self._struct.count)

    @classmethod
    def segments(cls, starts: Any, ends: Any, **members: Any) -> Lines:
        """Returns the segments from `starts` to `ends`: arrays (n, 3), or one point for all."""
        return cls._of_pairs(starts, ends, ("the starts", "the ends"), False, members)

    @classmethod
    def units(cls, starts: Any, ends: Any, **members: Any) -> Lines:
        """Returns segments given in units, 65,536 to a finest block: arrays of int64."""
        return cls._of_pairs(starts, ends, ("the starts", "the ends"), True, members)

    @classmethod
    def rays(
        cls,
        origins: Any,
        directions: Any,
        max_distances: Any = None,
        bounds: Box | None = None,
        **members: Any,
    ) -> Lines:
        """Returns rays; `max_distances` is one number for all, an array, or None for infinity."""
        names = ("the origins", "the directions")
        lines = cls._of_pairs(origins, directions, names, False, members)
        lines._struct.is_rays = 1
        if max_distances is not None:
            array = numbers(max_distances, "max_distances")
            if array.ndim == 0 and not array >= 0:
                raise InvalidArgumentError(
                    f"max_distances is {max_distances}; it must be 0, positive or infinite"
                )
            if array.shape not in ((), (len(lines),)):
                raise InvalidArgumentError(
                    f"max_distances has the shape {array.shape}; it must be ({len(lines)},)"
                )
            each = np.ascontiguousarray(np.broadcast_to(array, (len(lines),)))
            lines._struct.max_distances = lines._keep(each)
        box = _bounds(bounds)
        if box is not None:
            lines._struct.bounds = lines._keep(np.array(box))
        return lines

    @classmethod
    def of(cls, lines: Union[Sequence[Line], Array], **members: Any) -> Lines:
        """Returns these lines: a sequence of Line, or an array with the dtype LINE."""
        if not isinstance(lines, np.ndarray):
            data = b"".join(bytes(instance(line, Line, "a line")._struct) for line in lines)
            lines = np.frombuffer(data, LINE)
        if lines.dtype != LINE:
            raise TypeError(f"the lines have the dtype {lines.dtype}; it must be fractalray.LINE")
        if lines.ndim != 1:
            raise InvalidArgumentError(f"the lines have the shape {lines.shape}; it must be (n,)")
        struct = sized(FrLines)
        struct.count = len(lines)
        made = cls(struct, [])
        struct.lines = made._keep(np.ascontiguousarray(lines))
        made._set_members(**members)
        return made

    @classmethod
    def _of_pairs(
        cls, first: Any, second: Any, names: tuple[str, str], units: bool, members: dict[str, Any]
    ) -> Lines:
        struct = sized(FrLines)
        struct.count = count_of(first, second)
        struct.from_, kept_first = vectors(first, names[0], struct.count, units)
        struct.to, kept_second = vectors(second, names[1], struct.count, units)
        made = cls(struct, [kept_first, kept_second])
        made._set_members(**members)
        return made

    def _keep(self, array: Any) -> int:
        self._kept.append(array)
        return int(array.ctypes.data)

    def _set_members(self, levels: Any = None, ignore: Any = None, after: Any = None) -> None:
        if levels is not None:
            self._struct.levels = self._keep(self._one_for_each(levels, np.uint32, "levels"))
        if isinstance(ignore, np.ndarray) and ignore.ndim == 1:
            ids = self._one_for_each(ignore, np.uint64, "ignore")
            self._struct.ignore = self._keep(ids)
            self._struct.ignore_ends = self._keep(np.arange(1, len(ids) + 1, dtype=np.uint64))
        elif ignore is not None:
            lists = [np.ascontiguousarray(integers(ids, "ignore", np.uint64)) for ids in ignore]
            self._struct.ignore, self._struct.ignore_ends = self._joined(lists, "ignore")
        if after is not None:
            arrays = [hits_to_array(hits) for hits in after]
            self._struct.after, self._struct.after_ends = self._joined(arrays, "after")

    def _one_for_each(self, values: Any, dtype: Any, name: str) -> Any:
        array = np.ascontiguousarray(integers(values, name, dtype))
        if array.shape != (len(self),):
            raise InvalidArgumentError(f"{name} has the shape {array.shape}; not ({len(self)},)")
        return array

    def _joined(self, arrays: list[Any], name: str) -> tuple[int, int]:
        if len(arrays) != len(self):
            raise InvalidArgumentError(f"{name} has {len(arrays)} lists; it must have {len(self)}")
        ends = np.cumsum([len(array) for array in arrays], dtype=np.uint64)
        # One element more, as an array without elements has no address.
        joined = np.concatenate([*arrays, np.zeros(1, arrays[0].dtype)]) if arrays else ends
        return self._keep(joined), self._keep(ends)
