# SPDX-License-Identifier: Apache-2.0
"""Sight of boxes: does an eye see any part of a box, and how much? docs/queries/visible.md."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_double, c_int32
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ._abi import (
    FrFixedBox,
    FrSightAnswer,
    FrSightOptions,
    FrSightQuery,
)
from ._arguments import (
    Array,
    Index,
    Levels,
    Point,
    copy_members,
    index3,
    instance,
    integer,
    integers,
    level_mask,
    number,
    point,
    read_array,
    triple,
    unsigned,
)
from ._calls import call, call_with_callbacks, last_message, sized
from ._filter import FilterStruct, copy_iterators
from ._library import lib
from ._plain import PlainSightOptions
from .callbacks import Predicate
from .enums import Sight, Unloaded
from .errors import InvalidArgumentError
from .handle import WorldHandle
from .line import count_of, vectors
from .options import Options, OptionsStruct
from .searches import FOUND_BLOCK

#: The elements of arrays of queries of sight, in units: `eye`, and `box` with `min` and `max`.
SIGHT_QUERY = np.dtype(FrSightQuery)
#: The elements of arrays of boxes in units: `min` and `max`.
FIXED_BOX = np.dtype(FrFixedBox)


class SightQuery:
    """An eye, and the box that it looks at, in integers; the box may be flat on one axis."""

    __slots__ = ("_struct",)

    def __init__(self, eye: Point, low: Point, high: Point) -> None:
        """low, high: the corners of the box; all points are rounded to 1/65,536 of a finest block."""
        self._struct = FrSightQuery()
        corners = (point(low, "the smaller corner"), point(high, "the larger corner"))
        call(lib.frMakeSightQuery, point(eye, "the eye"), *corners, byref(self._struct))

    @classmethod
    def units(cls, eye: Index, low: Index, high: Index) -> SightQuery:
        """Returns the query of points in units, 65,536 to a finest block."""
        made = cls.__new__(cls)
        box = FrFixedBox(index3(low, "the smaller corner"), index3(high, "the larger corner"))
        made._struct = FrSightQuery(index3(eye, "the eye"), box)
        return made

    @property
    def eye_units(self) -> tuple[int, int, int]:
        """The eye, exactly."""
        return triple(self._struct.eye)

    @property
    def box_units(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """The corners of the box, exactly."""
        return triple(self._struct.box.min), triple(self._struct.box.max)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SightQuery) and bytes(self._struct) == bytes(other._struct)

    def __hash__(self) -> int:
        return hash(bytes(self._struct))

    def __repr__(self) -> str:
        return f"SightQuery.units({self.eye_units}, {self.box_units[0]}, {self.box_units[1]})"


def sight_queries(eyes: Any, lows: Any, highs: Any, *, units: bool = False) -> Array:
    """Returns an array of queries, with the dtype SIGHT_QUERY, of arrays (n, 3) of eyes and of the
    corners of boxes; one point stands for all.

    units: the arrays have int64 in units, 65,536 to a finest block.
    """
    arrays = {"the eyes": eyes, "the smaller corners": lows, "the larger corners": highs}
    count = count_of(*arrays.values())
    made = [vectors(array, name, count, units) for name, array in arrays.items()]
    queries = np.empty(count, SIGHT_QUERY)
    described = [byref(struct) for struct, _ in made]
    call(lib.frMakeSightQueries, *described, count, queries.ctypes.data)
    return queries


@dataclass(frozen=True)
class SightOptions(PlainSightOptions):
    """What hides a box from an eye.

    unloaded: what space is where nothing is loaded.
    ignore: ids of entities that do not hide.
    occluders: further solid boxes, an array with the dtype FIXED_BOX, or (n, 2, 3) integers in
        units.
    block_filter, entity_filter: functions of a hit; what one returns False for does not hide.
    Flags and numbers are in PlainSightOptions.
    """

    unloaded: Unloaded = Unloaded.REPORT
    ignore: Iterable[int] = ()
    occluders: Any = ()
    block_filter: Predicate | None = None
    entity_filter: Predicate | None = None

    def __post_init__(self) -> None:
        copy_iterators(self, "ignore", "occluders")


@dataclass(frozen=True)
class Witness:
    """A line from the eye along `delta`, in units, that enters the box and touches nothing solid
    before, except at the eye; the eye is in the box if it is zero.

    is_unit: eye + delta is a point of the box.
    """

    delta: tuple[int, int, int]
    is_unit: bool


@dataclass(frozen=True)
class Sights:
    """The answers of many queries of sight.

    answers: the number of a Sight for each query, an array of uint8; Sight.UNDECIDED with an error.
    results: 0 for each query without an error, else its number in the C interface.
    errors: queries with an error; `first_error` describes the first of them.
    """

    answers: Array
    results: Array
    errors: int
    first_error: str


@dataclass(frozen=True)
class Exposures:
    """The exposures of the boxes of many queries.

    shares: an array (n, 2) of what `exposure` returns; from 0 to 1 with an error.
    results: 0 for each query without an error, else its number in the C interface.
    errors: queries with an error; `first_error` describes the first of them.
    """

    shares: Array
    results: Array
    errors: int
    first_error: str


class VisibleBlocks(NamedTuple):
    """The blocks around an eye that are not hidden: arrays with the dtype FOUND_BLOCK, each with the
    nearest first.

    visible: blocks of which the eye sees any part.
    unknown: blocks that are seen only through space where nothing is loaded.
    undecided: the farthest blocks, not decided since `max_steps` ran out.
    """

    visible: Array
    unknown: Array
    undecided: Array


def split_blocks(found: Array) -> VisibleBlocks:
    """Returns the lists of an array of the library, which has them one after another."""
    answers = (Sight.VISIBLE, Sight.UNKNOWN, Sight.UNDECIDED)
    return VisibleBlocks(*(found[found["sight"] == sight] for sight in answers))


class SightInput(FilterStruct):
    """Options of sight."""

    def __init__(self, options: SightOptions | None) -> None:
        super().__init__()
        if options is None:
            return
        instance(options, SightOptions, "the options")
        self._make(FrSightOptions)
        copy_members(options, PlainSightOptions, self.struct, but=("unloaded", "categories"))
        self.struct.unloaded = Unloaded(options.unloaded)
        if self._set_filter(options):
            self.struct.boxes_block = 0
        occluders = fixed_boxes(options.occluders, "occluders")
        self.struct.occluders, self.struct.occluder_count = self._keep(occluders)


def fixed_boxes(boxes: Any, name: str) -> Array:
    """Returns boxes as an array with the dtype FIXED_BOX."""
    if isinstance(boxes, np.ndarray) and boxes.dtype == FIXED_BOX:
        made = np.ascontiguousarray(boxes)
        if made.ndim == 1:
            return made
    if not hasattr(boxes, "__len__"):
        remedy = "an array with the dtype FIXED_BOX, or (n, 2, 3) integers"
        raise TypeError(f"{name} is {boxes!r:.100}; it must be {remedy}")
    corners = integers(boxes, name, np.int64)
    if len(boxes) == 0:
        return np.empty(0, FIXED_BOX)
    if corners.ndim != 3 or corners.shape[1:] != (2, 3):
        raise InvalidArgumentError(f"{name} has the shape {corners.shape}; it must be (n, 2, 3)")
    return np.ascontiguousarray(corners).reshape(-1, 6).view(FIXED_BOX).reshape(-1)


def hides(boxes: Any, query: SightQuery, margin: int = 0) -> bool:
    """Returns True if boxes hide the box of a query from its eye: a certificate, which the eye and
    the box may have moved since. Does not look at a world.

    boxes: as the option `occluders`.
    margin: in units; True only if they still hide it wherever eye and box move, by no more than
        that together on each axis.
    """
    array, hidden = fixed_boxes(boxes, "the boxes"), c_int32()
    struct = instance(query, SightQuery, "the query")._struct
    within = integer(margin, "margin", 0, 2**63 - 1)
    call(lib.frHidesWithin, array.ctypes.data, len(array), byref(struct), within, byref(hidden))
    return hidden.value == 1


def _query_array(queries: Any) -> Array:
    if not isinstance(queries, np.ndarray) or queries.dtype != SIGHT_QUERY or queries.ndim != 1:
        raise TypeError("the queries must be an array (n,) of SIGHT_QUERY; see sight_queries")
    return queries


class BoxSight(WorldHandle):
    """Sight of boxes: methods that worlds and snapshots both have.

    All take a query, the levels of the query (None for all) and SightOptions.
    """

    def visible(
        self, query: SightQuery, levels: Levels = None, options: SightOptions | None = None
    ) -> Sight:
        """Finds out if the eye sees any part of the box, exactly."""
        return self._see(query, levels, options)[0]

    def find_witness(
        self, query: SightQuery, levels: Levels = None, options: SightOptions | None = None
    ) -> tuple[Sight, Witness | None]:
        """Returns the answer of `visible`, and a line that sees a visible box, or None."""
        sight, answer = self._see(query, levels, options)
        if sight != Sight.VISIBLE:
            return sight, None
        parts = zip(answer.delta_high, answer.delta)
        delta = triple((high << 64) + low % (1 << 64) for high, low in parts)
        return sight, Witness(delta, answer.is_unit == 1)

    def find_certificate(
        self, query: SightQuery, levels: Levels = None, options: SightOptions | None = None
    ) -> Array:
        """Returns solid boxes that hide a hidden box by themselves, with the dtype FIXED_BOX; an
        empty array for a box that is not hidden."""
        settings, struct = SightInput(options), instance(query, SightQuery, "the query")._struct
        arguments = (self._handle, byref(struct), level_mask(levels), settings.address)
        return read_array(lib.frWorld_FindCertificate, *arguments, dtype=FIXED_BOX)

    def exposure(
        self, query: SightQuery, levels: Levels = None, options: SightOptions | None = None
    ) -> tuple[float, float]:
        """Returns the least and the greatest that the share of the box that the eye sees may be.

        They differ by less than a millionth, unless the box is thinner than 1/1,024 of its
        distance, and by what is seen through unloaded space.
        """
        low, high, settings = c_double(), c_double(), SightInput(options)
        struct = instance(query, SightQuery, "the query")._struct
        arguments = (self._handle, byref(struct), level_mask(levels), settings.address)
        call_with_callbacks(lib.frWorld_Exposure, *arguments, byref(low), byref(high), None)
        return low.value, high.value

    def visible_many(
        self, queries: Array, levels: Levels = None, options: SightOptions | None = None
    ) -> Sights:
        """Answers many queries at once, on the threads of the world.

        queries: made by `sight_queries`.
        """
        answers = np.empty(len(_query_array(queries)), np.uint8)
        out = (answers.ctypes.data,)
        return Sights(answers, *self._ask(lib.frWorld_VisibleMany, queries, levels, options, out))

    def exposures(
        self, queries: Array, levels: Levels = None, options: SightOptions | None = None
    ) -> Exposures:
        """Computes many exposures at once, on the threads of the world.

        queries: made by `sight_queries`.
        """
        shares = np.empty((2, len(_query_array(queries))))
        out = (shares[0].ctypes.data, shares[1].ctypes.data)
        return Exposures(shares.T, *self._ask(lib.frWorld_Exposures, queries, levels, options, out))

    def _ask(
        self,
        function: Any,
        queries: Array,
        levels: Levels,
        options: SightOptions | None,
        out: tuple[int, ...],
    ) -> tuple[Array, int, str]:
        """Calls a function that fills arrays with the answers of many queries. Returns the results,
        how many of them are errors, and what describes the first."""
        given, settings = np.ascontiguousarray(queries), SightInput(options)
        results = np.empty(len(given), np.int32)
        call_with_callbacks(
            function,
            self._handle,
            given.ctypes.data,
            len(given),
            level_mask(levels),
            settings.address,
            *out,
            results.ctypes.data,
            owners=self._owners(settings.filters),
        )
        errors = int(np.count_nonzero(results))
        return results, errors, last_message() if errors else ""

    def visible_blocks(
        self,
        eye: Point,
        radius: float,
        levels: Levels = None,
        options: SightOptions | None = None,
        *,
        types: Iterable[int] = (),
        targets: Options | None = None,
    ) -> VisibleBlocks:
        """Finds the blocks within a radius of an eye of which it sees any part, such as ores.

        options: what hides blocks; `max_steps` is for the whole call.
        types, targets: the blocks to find: their types, or no types for all, and options as for
            `blocks_in_sphere`.
        """
        settings, struct = SightInput(options), OptionsStruct(targets)
        wanted = np.array([unsigned(each, "a block type", 16) for each in types], np.uint16)
        found = read_array(
            lib.frWorld_VisibleBlocks,
            self._handle,
            point(eye, "the eye"),
            number(radius, "the radius"),
            level_mask(levels),
            wanted.ctypes.data,
            len(wanted),
            struct.address,
            settings.address,
            dtype=FOUND_BLOCK,
        )
        return split_blocks(found)

    def _see(
        self, query: SightQuery, levels: Levels, options: SightOptions | None
    ) -> tuple[Sight, FrSightAnswer]:
        sight, answer, settings = c_int32(), sized(FrSightAnswer), SightInput(options)
        struct = instance(query, SightQuery, "the query")._struct
        arguments = (self._handle, byref(struct), level_mask(levels), settings.address)
        call_with_callbacks(lib.frWorld_Visible, *arguments, byref(sight), byref(answer))
        return Sight(sight.value), answer
