# SPDX-License-Identifier: Apache-2.0
"""Arrays of block ids as the library reads them: any strides, in place."""

from __future__ import annotations

from ctypes import addressof, byref, sizeof
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._abi import FrIdLayoutDef, FrIdStates
from ._arguments import integers, unsigned
from ._calls import Owned, create, sized
from ._library import lib
from .errors import InvalidArgumentError

CHUNK = 16  #: the blocks along each edge of a chunk

# How other arrays become ids, by the kind of their dtype.
_TO_IDS = "ids.astype(numpy.uint16)"
_REMEDIES = {
    "b": "ids.view(numpy.uint8)",
    "f": f"{_TO_IDS}; for probabilities (ids > 0.5).view(numpy.uint8)",
}


def id_array(ids: Any, writable: bool) -> Any:
    """Returns an array of ids, checked. Its axes are x, y and z."""
    if not isinstance(ids, np.ndarray):
        raise TypeError(f"the ids are a {type(ids).__name__}; they must be a NumPy array")
    if ids.dtype.kind not in "ui" or ids.dtype.itemsize > 4 or not ids.dtype.isnative:
        remedy = _REMEDIES.get(ids.dtype.kind, _TO_IDS)
        raise TypeError(
            f"the ids have the dtype {ids.dtype}; it must be an integer of 1, 2 or 4 bytes in the "
            f"machine's byte order, as after {remedy}"
        )
    if ids.ndim != 3 or ids.size == 0:
        remedy = ", as after ids[:, :, None]" if ids.ndim == 2 else ""
        raise InvalidArgumentError(
            f"the ids have the shape {ids.shape}; it must be (x, y, z), none of them 0{remedy}"
        )
    if writable and not ids.flags.writeable:
        raise InvalidArgumentError("the array of ids is read-only; lend it by Source.BORROW")
    return ids


def type_table(types: Any) -> Any:
    """Returns the block types of ids, checked; None for None."""
    if types is None:
        return None
    if isinstance(types, Mapping):
        raise TypeError("types is a mapping; it must be a list: types[id] is the type of an id")
    table = integers(types, "types", np.uint16)
    if table.ndim != 1:
        raise InvalidArgumentError("types must be a list of block types, one for each id")
    return np.ascontiguousarray(table)


@dataclass(frozen=True)
class States:
    """The states of blocks, such as the way they face, and the ids whose type depends on them.

    `values` is an array of bytes with the shape and the strides of the ids, as is another field of
    the same structs: nodes["param2"] beside nodes["param0"]. The lowest `bits` of a byte are the
    state. `types` has, by id, the block type in each state; other ids have one type.
    """

    values: Any
    types: Mapping[int, Any]
    bits: int = 8


def _set_states(definition: FrIdLayoutDef, ids: Any, states: States) -> list[Any]:
    """Sets the states of a layout, and returns what has to be kept until it is made."""
    values = states.values
    if not isinstance(values, np.ndarray) or values.dtype.itemsize != 1:
        raise TypeError("the values of states must be a NumPy array of bytes, such as uint8")
    if values.shape != ids.shape or values.strides != ids.strides:
        raise InvalidArgumentError(
            f"the states have the shape {values.shape} and the strides {values.strides}, the ids "
            f"{ids.shape} and {ids.strides}; they must be fields of the same structs"
        )
    if states.bits not in range(1, 9):
        raise InvalidArgumentError(f"a state has {states.bits} bits; give 1 to 8")
    tables = {id: type_table(types) for id, types in states.types.items()}
    rows = (FrIdStates * len(tables))()
    for row, (id, table) in zip(rows, tables.items()):
        if table is None or table.size != 1 << states.bits:
            raise InvalidArgumentError(
                f"id {id} has {0 if table is None else table.size} types; give one for each of the "
                f"{1 << states.bits} states"
            )
        row.struct_size = sizeof(FrIdStates)
        row.id = unsigned(id, "an id of the states", 32)
        row.types = table.ctypes.data
    definition.states = addressof(rows) if tables else None
    definition.state_count = len(tables)
    definition.state_offset = values.ctypes.data - ids.ctypes.data
    definition.state_bits = states.bits
    return [rows, tables]


class IdLayout(Owned):
    """How an array stores ids; the library keeps a copy of the tables."""

    def __init__(self, ids: Any, types: Any, states: States | None = None) -> None:
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
        kept_states = _set_states(definition, ids, states) if states is not None else None
        pointer = create(lib.frCreateIdLayout, byref(definition))
        del kept_states
        super().__init__(pointer, lib.frDestroyIdLayout)
