# SPDX-License-Identifier: Apache-2.0
"""The entities of a world: moving spheres and boxes."""

from __future__ import annotations

from ctypes import byref, c_int32, c_size_t, c_uint64, sizeof
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _abi
from ._abi import FR_UNITS_PER_BLOCK as UNITS_PER_BLOCK
from ._abi import FrEntityDef, FrEntityInfo
from ._arguments import MAX_COUNT, Array, Index, Point, chunk_box, integer, integers, level_number
from ._arguments import number, numbers, point, read_array, triple, unsigned
from ._calls import call
from ._library import lib
from .errors import InvalidArgumentError
from .line import vectors

if TYPE_CHECKING:
    from .world import WorldView

#: The elements of arrays that define entities; see `Entities.add_many`.
ENTITY_DEF = np.dtype(FrEntityDef)

_SET = {
    "level": _abi.FR_SET_LEVEL,
    "categories": _abi.FR_SET_CATEGORIES,
    "position": _abi.FR_SET_POSITION,
    "shape": _abi.FR_SET_SHAPE,
    "entity_class": _abi.FR_SET_CLASS,
}


@dataclass(frozen=True)
class Sphere:
    """A closed ball; the radius is in finest-block widths."""

    radius: float


@dataclass(frozen=True)
class Box:
    """A closed box, parallel to the axes."""

    half_extents: Point


Shape = Union[Sphere, Box]


@dataclass(frozen=True)
class EntityInfo:
    """An entity as the world has it, with positions and sizes in finest-block widths."""

    id: int
    level: int
    shape: Shape
    position: tuple[float, float, float]
    categories: int
    entity_class: int
    index_level: int  #: the level of the chunks in which it is found


def _blocks(units: Any) -> tuple[float, float, float]:
    return triple(number / UNITS_PER_BLOCK for number in units)


def _write_shape(shape: Shape, to: Any) -> None:
    if isinstance(shape, Sphere):
        to["shape"] = _abi.FR_SPHERE
        to["half_extents"] = (number(shape.radius, "the radius"), 0, 0)
    elif isinstance(shape, Box):
        to["shape"] = _abi.FR_BOX
        to["half_extents"] = point(shape.half_extents, "half_extents")
    else:
        raise TypeError(f"the shape is {shape!r}; it must be a Sphere or a Box")


def handles(entities: Any) -> Any:
    """Returns entities as an array of handles."""
    array = integers(entities, "the handles", np.uint64)
    if array.ndim != 1:
        raise TypeError("entities must be a list or an array of handles")
    return np.ascontiguousarray(array)


def _fill(array: Array, member: str, values: Array, name: str) -> None:
    """Sets a member of entities: each to one of the values, or all to the same."""
    try:
        array[member] = values
    except ValueError:
        raise InvalidArgumentError(
            f"{name} has the shape {values.shape}; there are {len(array)} positions"
        ) from None


def entity_defs(
    ids: Any,
    positions: Any,
    *,
    radii: Any = None,
    half_extents: Any = None,
    levels: Any = 0,
    categories: Any = 1,
    classes: Any = 0,
) -> Array:
    """Returns an array of entities for `Entities.add_many`, from arrays or numbers for all.

    `positions` has the shape (n, 3); either `radii` of spheres or `half_extents` of boxes is given.
    """
    if (radii is None) == (half_extents is None):
        raise InvalidArgumentError("give either radii, of spheres, or half_extents, of boxes")
    centers = numbers(positions, "positions")
    if centers.ndim != 2 or centers.shape[1] != 3:
        raise InvalidArgumentError(f"positions has the shape {centers.shape}; it must be (n, 3)")
    array: Array = np.zeros(len(centers), ENTITY_DEF)
    array["struct_size"] = sizeof(FrEntityDef)
    array["position"] = centers
    _fill(array, "id", integers(ids, "ids", np.uint64), "ids")
    _fill(array, "level", integers(levels, "levels", np.int32), "levels")
    _fill(array, "categories", integers(categories, "categories", np.uint64), "categories")
    _fill(array, "entity_class", integers(classes, "classes", np.uint32), "classes")
    if radii is None:
        array["shape"] = _abi.FR_BOX
        _fill(array, "half_extents", numbers(half_extents, "half_extents"), "half_extents")
    else:
        sizes = np.zeros((len(array), 3))
        each = numbers(radii, "radii")
        if each.shape not in ((), (len(array),)):
            raise InvalidArgumentError(
                f"radii has the shape {each.shape}; there are {len(array)} positions"
            )
        sizes[:, 0] = each
        array["half_extents"] = sizes
    return array


def _definitions(definitions: Any) -> Any:
    if not isinstance(definitions, np.ndarray) or definitions.dtype != ENTITY_DEF:
        raise TypeError("the definitions must be an array with the dtype fractalray.ENTITY_DEF")
    if definitions.ndim != 1:
        raise InvalidArgumentError(f"the definitions have the shape {definitions.shape}; not (n,)")
    array = np.array(definitions)  # a copy, as struct_size is set
    array["struct_size"] = sizeof(FrEntityDef)
    return array


class Entities:
    """The entities of a world, each known by its handle, an integer.

    >>> crate = world.entities.add(7, Box((0.5, 0.5, 0.5)), (4.5, 2.5, 2.5))
    """

    def __init__(self, world: WorldView) -> None:
        self._world = world

    def add(
        self,
        id: int,
        shape: Shape,
        position: Point,
        *,
        level: int = 0,
        categories: int = 1,
        entity_class: int = 0,
    ) -> int:
        """Adds an entity and returns its handle.

        id: the caller's number, different from those of all living entities.
        level: the entity is hit by queries whose levels have it.
        categories: 64 bits; it is hit by queries that share one.
        entity_class: by which callbacks are registered.
        """
        array = np.zeros(1, ENTITY_DEF)
        entity = array[0]
        entity["id"] = unsigned(id, "the entity's id", 64)
        entity["level"] = integer(level, "the entity's level", -(1 << 31), (1 << 31) - 1)
        entity["categories"] = unsigned(categories, "categories", 64)
        entity["entity_class"] = unsigned(entity_class, "the entity class", 32)
        entity["position"] = point(position, "the position")
        _write_shape(shape, entity)
        return int(self.add_many(array)[0])

    def add_many(self, definitions: Array) -> Array:
        """Adds many entities, all or none, as `entity_defs` returns them. Returns their handles."""
        array = _definitions(definitions)
        added = np.empty(len(array), np.uint64)
        world, count = self._world._handle, len(array)
        call(lib.frWorld_AddEntities, world, array.ctypes.data, count, added.ctypes.data)
        # To the library categories of 0 stand for 1 here.
        hidden = np.flatnonzero(array["categories"] == 0)
        if len(hidden):
            self.update(added[hidden], array[hidden], "categories")
        return added

    def move(self, entity: int, position: Point) -> None:
        """Moves an entity."""
        self.move_many([entity], np.array([point(position, "the position")]))

    def move_many(self, entities: Any, positions: Any) -> None:
        """Moves entities, all or none, to positions: an array (n, 3), read in place."""
        moved = handles(entities)
        described, kept = vectors(positions, "the positions", len(moved))
        call(
            lib.frWorld_MoveEntities,
            self._world._handle,
            moved.ctypes.data,
            byref(described),
            len(moved),
        )
        del kept

    def update(self, entities: Any, definitions: Array, *members: str) -> None:
        """Changes members of entities to those of `definitions`: all or none.

        `members` are "level", "categories", "position", "shape" (and size) and "entity_class".
        """
        changed, array = handles(entities), _definitions(definitions)
        if len(changed) != len(array):
            raise InvalidArgumentError(f"{len(changed)} entities and {len(array)} definitions")
        unknown = set(members) - set(_SET)
        if unknown:
            raise InvalidArgumentError(f"unknown members {sorted(unknown)}; there are {list(_SET)}")
        call(
            lib.frWorld_UpdateEntities,
            self._world._handle,
            changed.ctypes.data,
            array.ctypes.data,
            sum(_SET[member] for member in set(members)),
            len(changed),
        )

    def remove(self, entity: int) -> None:
        """Removes an entity; NotFoundError if it is not alive."""
        self.remove_many([entity])

    def remove_many(self, entities: Any) -> None:
        """Removes entities, all or none."""
        removed = handles(entities)
        call(
            lib.frWorld_RemoveEntities, self._world._handle, removed.ctypes.data, len(removed)
        )

    def info(self, entity: int) -> EntityInfo:
        """Describes an entity; NotFoundError if it is not alive."""
        info = FrEntityInfo()
        handle = unsigned(entity, "the entity", 64)
        call(lib.frWorld_GetEntity, self._world._handle, handle, byref(info))
        half = _blocks(info.half_extents)
        return EntityInfo(
            info.id,
            info.level,
            Sphere(half[0]) if info.shape == _abi.FR_SPHERE else Box(half),
            _blocks(info.position),
            info.categories,
            info.entity_class,
            info.index_level,
        )

    def find(self, id: int) -> int:
        """Returns the living entity with an id; NotFoundError if there is none."""
        entity = c_uint64()
        wanted = unsigned(id, "the id", 64)
        call(lib.frWorld_FindEntity, self._world._handle, wanted, byref(entity))
        return entity.value

    def all(self) -> Array:
        """Returns the handles of all entities."""
        return read_array(lib.frWorld_GetEntities, self._world._handle, dtype=np.uint64)

    def __len__(self) -> int:
        count = c_size_t()
        call(lib.frWorld_GetEntities, self._world._handle, None, 0, byref(count))
        return count.value

    def chunks(self, entity: int) -> Array:
        """Returns the chunks of its index level that an entity touches: an array (n, 3)."""
        handle = unsigned(entity, "the entity", 64)
        return read_array(
            lib.frWorld_GetEntityChunks, self._world._handle, handle, dtype=np.int64, width=3
        )

    def fingerprint(self, level: int, chunks: tuple[Index, Index]) -> int:
        """Returns a fingerprint of the entities of a level whose centres lie in a box of chunks.

        chunks: the first and the last chunk of the box, of that level.

        Of their ids and all else but their handles, it is the same on every machine. 0 without any.
        """
        fingerprint = c_uint64()
        box, number = chunk_box(chunks), level_number(level)
        handle = self._world._handle
        call(lib.frWorld_Fingerprint, handle, number, *box, None, byref(fingerprint))
        return fingerprint.value

    def refine(self, most: int = MAX_COUNT) -> bool:
        """Moves up to `most` entities that a descent has left in coarser chunks into finer ones.

        Returns True if none are left. No answer depends on it.
        """
        is_done = c_int32()
        limit = integer(most, "most", 0, MAX_COUNT)
        call(lib.frWorld_RefineEntities, self._world._handle, limit, byref(is_done))
        return bool(is_done.value)

    def optimize(self) -> int:
        """Puts crowds in order, after the moves of a tick: many queries of them then take less time.

        Returns the number of crowded chunks that have changed since the last call. No answer depends on it.
        """
        chunks = c_size_t()
        call(lib.frWorld_OptimizeEntities, self._world._handle, byref(chunks))
        return chunks.value
