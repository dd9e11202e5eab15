# SPDX-License-Identifier: Apache-2.0
"""Hits, one by one and as structured arrays."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import sizeof
from typing import Any, Union

import numpy as np

from ._abi import FrBlocker, FrCompactHit, FrHit, FrStats
from ._arguments import Array, triple
from .enums import HitKind
from .errors import InvalidArgumentError

#: The elements of arrays of hits; the names are those of `Hit` and of the C header.
HIT = np.dtype(FrHit)
#: The elements of arrays of hits in brief.
COMPACT_HIT = np.dtype(FrCompactHit)
#: The elements of arrays of what blocks lines of sight.
BLOCKER = np.dtype(FrBlocker)


class Hit:
    """A hit of a query, complete enough to resume after it.

    Distances and positions are in finest-block widths. Times run from 0 at the start to 1 at the
    end of a segment; on a ray to a smaller number, Line.end_time: use `distance`.
    """

    __slots__ = ("_struct",)

    def __init__(self, struct: FrHit) -> None:
        self._struct = struct

    @classmethod
    def from_record(cls, record: Any) -> Hit:
        """Returns the hit of an element of an array with the dtype HIT."""
        return cls(FrHit.from_buffer_copy(np.asarray(record, HIT).tobytes()))

    @property
    def t(self) -> float:
        """The time of entry."""
        return float(self._struct.t)

    @property
    def t_exit(self) -> float:
        """The last time in the closed block or shape."""
        return float(self._struct.t_exit)

    @property
    def distance(self) -> float:
        """From the start of the line to the hit."""
        return float(self._struct.distance)

    @property
    def point(self) -> tuple[float, float, float]:
        return triple(self._struct.point)

    @property
    def normal(self) -> tuple[float, float, float] | None:
        """Outward, of length 1; None if the line starts inside."""
        return None if self._struct.start_inside else triple(self._struct.normal)

    @property
    def face(self) -> str | None:
        """The face of entry, such as "-x"; None if the line starts inside, and for spheres."""
        axis = self._struct.face_axis
        if axis < 0:
            return None
        return ("+" if self._struct.face_sign > 0 else "-") + "xyz"[axis]

    @property
    def start_inside(self) -> bool:
        """True if the line starts in the block or shape."""
        return bool(self._struct.start_inside)

    @property
    def kind(self) -> HitKind:
        return HitKind(self._struct.kind)

    @property
    def is_block(self) -> bool:
        return bool(self._struct.kind == HitKind.BLOCK)

    @property
    def is_entity(self) -> bool:
        return bool(self._struct.kind == HitKind.ENTITY)

    @property
    def terminal(self) -> bool:
        """True if the query ends here; in an effect, as far as is known before it responds."""
        return bool(self._struct.terminal)

    @property
    def level(self) -> int:
        return int(self._struct.level)

    @property
    def block(self) -> tuple[int, int, int]:
        """The index of a block on its level."""
        return triple(self._struct.cell)

    @property
    def type(self) -> int:
        """The number of the type of a block."""
        return int(self._struct.type)

    @property
    def plane(self) -> int:
        """The coordinate of a block's face on its axis, in 1/65536 of the block's width."""
        return int(self._struct.plane)

    @property
    def entity(self) -> int:
        """The handle of an entity; 0 for a block."""
        return int(self._struct.entity)

    @property
    def id(self) -> int:
        """The caller's number of an entity."""
        return int(self._struct.id)

    @property
    def categories(self) -> int:
        """The 64 category bits of an entity."""
        return int(self._struct.categories)

    @property
    def entity_class(self) -> int:
        """The class of an entity, by which callbacks are registered."""
        return int(self._struct.entity_class)

    @property
    def is_box(self) -> bool:
        """True if the shape of an entity is a box, False if it is a sphere."""
        return bool(self._struct.shape == 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hit) and bytes(self._struct) == bytes(other._struct)

    def __hash__(self) -> int:
        return hash(bytes(self._struct))

    def __repr__(self) -> str:
        what = f"block={self.block}, type={self.type}" if self.is_block else f"id={self.id}"
        return f"Hit({what}, level={self.level}, distance={self.distance:g}, face={self.face!r})"


Hits = Union[Iterable[Hit], Array]


def hits_from_array(array: Array) -> list[Hit]:
    """Returns the hits of an array with the dtype HIT."""
    data, size = array.tobytes(), sizeof(FrHit)
    return [Hit(FrHit.from_buffer_copy(data, i * size)) for i in range(len(array))]


def hits_to_array(hits: Hits) -> Array:
    """Returns hits as a contiguous array with the dtype HIT."""
    if isinstance(hits, np.ndarray):
        if hits.dtype != HIT:
            raise TypeError(f"the hits have the dtype {hits.dtype}; it must be fractalray.HIT")
        if hits.ndim != 1:
            raise InvalidArgumentError(f"the hits have the shape {hits.shape}; it must be (n,)")
        return np.ascontiguousarray(hits)
    listed = list(hits)
    if not all(isinstance(hit, Hit) for hit in listed):
        raise TypeError("the hits must be a list of Hit, or an array with the dtype HIT")
    return np.frombuffer(b"".join(bytes(hit._struct) for hit in listed), HIT)


class Stats:
    """The work of a query, in steps; see docs/cost.md. `chunks` and `direct` are no steps."""

    __slots__ = tuple(name for name, _ in FrStats._fields_)

    def __init__(self, struct: FrStats) -> None:
        for name in self.__slots__:
            setattr(self, name, int(getattr(struct, name)))

    def __repr__(self) -> str:
        return "Stats(" + ", ".join(f"{n}={getattr(self, n)}" for n in self.__slots__) + ")"
