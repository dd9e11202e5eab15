# SPDX-License-Identifier: Apache-2.0
"""Arrays of block ids as the library reads them: any strides, in place."""

from __future__ import annotations

from ctypes import byref
from typing import Any

import numpy as np

from ._abi import FrIdLayoutDef
from ._arguments import integers
from ._calls import Owned, create, sized
from ._library import lib
from .errors import InvalidArgumentError

CHUNK = 16  #: the blocks along each edge of a chunk


def id_array(ids: Any, writable: bool) -> Any:
    """Returns an array of ids, checked. Its axes are x, y and z."""
    if not isinstance(ids, np.ndarray):
        raise TypeError(f"the ids are a {type(ids).__name__}; they must be a NumPy array")
    if ids.dtype.kind not in "ui" or ids.dtype.itemsize > 4 or not ids.dtype.isnative:
        remedy = "view(numpy.uint8)" if ids.dtype.kind == "b" else "astype(numpy.uint16)"
        raise TypeError(
            f"the ids have the dtype {ids.dtype}; it must be an integer of 1, 2 or 4 bytes in the "
            f"machine's byte order, as after ids.{remedy}"
        )
    if ids.ndim != 3 or ids.size == 0:
        raise InvalidArgumentError(
            f"the ids have the shape {ids.shape}; it must be (x, y, z), none of them 0"
        )
    if writable and not ids.flags.writeable:
        raise InvalidArgumentError("the array of ids is read-only; lend it by Source.BORROW")
    return ids


def type_table(types: Any) -> Any:
    """Returns the block types of ids, checked; None for None."""
    if types is None:
        return None
    table = integers(types, "types", np.uint16)
    if table.ndim != 1:
        raise InvalidArgumentError("types must be a list of block types, one for each id")
    return np.ascontiguousarray(table)


class IdLayout(Owned):
    """How an array stores ids; the library keeps a copy of the table."""

    def __init__(self, ids: Any, types: Any) -> None:
        definition = sized(FrIdLayoutDef)
        definition.id_bytes = ids.dtype.itemsize
        # The stride of an axis of one block is never used, and may be any number.
        strides = (s if n > 1 else 0 for s, n in zip(ids.strides, ids.shape))
        definition.strides[:] = tuple(strides)
        table = type_table(types)
        if table is not None:
            # An empty table has no ids; null would mean that ids are block types.
            kept = table if table.size else np.zeros(1, np.uint16)
            definition.types = kept.ctypes.data
            definition.type_count = table.size
        pointer = create(lib.frCreateIdLayout, byref(definition))
        super().__init__(pointer, lib.frDestroyIdLayout)
