# SPDX-License-Identifier: Apache-2.0
"""Converts and checks arguments, before ctypes cuts them to the width of a C type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import Array as CArray
from ctypes import Structure, byref, c_double, c_int64, c_size_t, create_string_buffer
from dataclasses import fields
from functools import cache
from operator import index
from typing import Any, TypeVar, Union

import numpy as np

from ._abi import FR_MAX_LEVELS as MAX_LEVELS
from ._calls import OK, OUT_OF_RANGE, call, last_error, result_with_callbacks
from .errors import InvalidArgumentError, OutOfRangeError

#: An array of any shape and type.
Array = np.ndarray[Any, Any]
Point = Union[Sequence[float], Array]  #: three numbers, in finest-block widths
Index = Union[Sequence[int], Array]  #: three integers: of a block or a chunk
Levels = Union[Iterable[int], None]  #: the levels of a query; None for all

Object = TypeVar("Object")

ALL_LEVELS = (1 << MAX_LEVELS) - 1
MAX_COUNT = 1 << 40

_TRUTH = (bool, np.bool_)


def integer(value: int, name: str, low: int, high: int) -> int:
    """Returns an integer of a range. TypeError for anything else, truth values too."""
    try:
        if isinstance(value, _TRUTH):
            raise TypeError
        converted = index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it must be an integer") from None
    if not low <= converted <= high:
        raise OutOfRangeError(f"{name} is {converted}; it must be {low} to {high}")
    return converted


def instance(value: Any, kind: type[Object], name: str) -> Object:
    """Returns an object of a class. TypeError for anything else."""
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}; it must be a fractalray.{kind.__name__}")
    return value


def number(value: float, name: str) -> float:
    """Returns a number; whether it is finite is checked by the library."""
    try:
        if isinstance(value, (*_TRUTH, str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is {value!r}; it must be a number") from None


def unsigned(value: int, name: str, bits: int) -> int:
    """Returns an integer of that many bits."""
    return integer(value, name, 0, (1 << bits) - 1)


def integers(values: Any, name: str, dtype: Any) -> Array:
    """Returns integers as an array, to which NumPy alone would convert any numbers."""
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    array = np.asarray(values)
    if array.size == 0:
        return array.astype(dtype)
    if array.dtype.kind in "ui":
        for extreme in (array.min(), array.max()):
            integer(extreme, name if array.ndim == 0 else f"a number of {name}", low, high)
        return array.astype(dtype, copy=False)
    if array.ndim == 0:
        return np.array(integer(values, name, low, high), dtype)
    if isinstance(values, np.ndarray) or array.ndim > 1:
        raise TypeError(f"{name} has the dtype {array.dtype}; it must have integers")
    # Also a list of integers of which some are beyond 2^63: to NumPy these are floats.
    each = enumerate(values)
    return np.array([integer(value, f"{name}[{i}]", low, high) for i, value in each], dtype)


def numbers(values: Any, name: str) -> Array:
    """Returns a number or numbers as an array of 64-bit floats."""
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} is {values!r:.100}; it must be a number, or numbers")
    return array.astype(np.float64, copy=False)


def level_number(value: int) -> int:
    """Returns a level; the library knows which are active."""
    return integer(value, "level", -(1 << 31), (1 << 31) - 1)


def limit(value: int | None, name: str) -> int:
    """Returns a limit as the library takes it: 0 for None."""
    return 0 if value is None else integer(value, name, 1, (1 << 64) - 1)


def copy_members(
    values: Any, plain: type, struct: Structure, what: str = "", but: Sequence[str] = ()
) -> None:
    """Copies the plain members of `values` that differ from their defaults, which are zero in C.

    plain: the dataclass of _plain.py that has them. what: begins their names in errors. but: names
    of those that the caller copies.
    """
    for name, default, bits in _members(plain, type(struct)):
        value = getattr(values, name)
        if value is not default and name not in but:
            setattr(struct, name, _converted(value, what + name, default, bits))


@cache
def _members(plain: type, struct: type[Structure]) -> tuple[tuple[str, Any, int], ...]:
    """Returns the name, the default and the bits of each plain member."""
    bits = {name: 8 * getattr(struct, name).size for name, *_ in struct._fields_}
    return tuple((each.name, each.default, bits[each.name]) for each in fields(plain))


def _converted(value: Any, name: str, default: Any, bits: int) -> float:
    if default is None:
        return limit(value, name)
    if isinstance(default, bool):
        return bool(value)
    return number(value, name) if isinstance(default, float) else unsigned(value, name, bits)


def triple(values: Iterable[Any]) -> tuple[Any, Any, Any]:
    """Returns three numbers, of an array of ctypes, as a tuple."""
    x, y, z = values
    return x, y, z


def _three(value: Any, name: str, what: str) -> list[Any]:
    try:
        components = list(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; it must be three {what}") from None
    if len(components) != 3:
        raise InvalidArgumentError(f"{name} has {len(components)} components; it must have three")
    return components


def point(value: Point, name: str) -> CArray[c_double]:
    """Returns three doubles; whether they are finite is checked by the library."""
    return (c_double * 3)(*(number(c, name) for c in _three(value, name, "numbers")))


def index3(value: Index, name: str) -> CArray[c_int64]:
    """Returns three 64-bit integers."""
    low, high = -(1 << 63), (1 << 63) - 1
    return (c_int64 * 3)(*(integer(c, name, low, high) for c in _three(value, name, "integers")))


def chunk_box(chunks: tuple[Index, Index]) -> tuple[CArray[c_int64], CArray[c_int64]]:
    """Returns the first and the last chunk of a box."""
    try:
        least, most = chunks
    except (TypeError, ValueError):
        raise TypeError(
            f"chunks is {chunks!r}; it must be the first and the last chunk of a box"
        ) from None
    return index3(least, "the first chunk"), index3(most, "the last chunk")


def level_mask(levels: Levels) -> int:
    """Returns the mask of levels."""
    if levels is None:
        return ALL_LEVELS
    if not isinstance(levels, Iterable):
        raise TypeError(f"levels is {levels!r}; give a list of levels, such as [0]")
    mask = 0
    for level in levels:
        mask |= 1 << integer(level, "a level of the query", 0, MAX_LEVELS - 1)
    return mask


def text(value: str, name: str) -> bytes:
    """Returns a text as UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}; it must be a string")
    if "\0" in value:
        raise InvalidArgumentError(f"{name} is {value!r}; it must not contain a zero character")
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"{name} is {value!r}; it is no valid Unicode text") from None


def read_text(function: Callable[..., int], *arguments: Any) -> str:
    """Returns the text that a function copies to a buffer."""
    length = c_size_t()
    call(function, *arguments, None, 0, byref(length))
    buffer = create_string_buffer(length.value + 1)
    call(function, *arguments, buffer, len(buffer), byref(length))
    return buffer.value.decode("utf-8", "replace")


def read_array(
    function: Callable[..., int], *arguments: Any, dtype: Any, width: int = 1
) -> Array:
    """Returns the array that a function fills: `width` numbers for each element that it counts.

    The function is called again if the answer is longer than expected; it may run filters.
    """
    capacity = 64
    while True:
        array = np.empty((capacity, width) if width > 1 else capacity, dtype)
        count = c_size_t()
        result = result_with_callbacks(
            function, *arguments, array.ctypes.data, capacity, byref(count)
        )
        if result == OUT_OF_RANGE and count.value > capacity:
            capacity = count.value
            continue
        if result != OK:
            raise last_error(result)
        return array[: count.value]
