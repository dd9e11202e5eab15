# SPDX-License-Identifier: Apache-2.0
"""Blasts: which blocks break, and how much of each entity is reached? docs/queries/blast.md."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_size_t
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._abi import FrBlastQuery, FrBlastRay, FrBlastResult, FrBrokenBlock, FrExposedEntity
from ._arguments import Array, Levels, Point, integer, integers, level_mask, limit, number, point
from ._calls import OK, OUT_OF_RANGE, call, last_error, result_with_callbacks, sized
from ._library import lib
from .errors import InvalidArgumentError
from .handle import WorldHandle
from .options import Options, OptionsStruct
from .sight import SightInput, SightOptions

#: The elements of the rays of a blast: `step`, three integers in units, and `power`, an integer.
BLAST_RAY = np.dtype(FrBlastRay)
#: The elements of the blocks that a blast breaks.
BROKEN_BLOCK = np.dtype(FrBrokenBlock)
#: The elements of the entities that a blast reaches.
EXPOSED_ENTITY = np.dtype(FrExposedEntity)
#: The resistance of a block type that no power breaks.
UNBREAKABLE = (1 << 63) - 1

_LOW, _HIGH = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True)
class Blast:
    """The outcome of a blast.

    blocks: those that break, each once, with the dtype BROKEN_BLOCK: in the order of `steps` from
        the centre, then of rays, then the finer level first; `ray` is the first that breaks it.
    entities: those in reach, with the dtype EXPOSED_ENTITY: the nearest first, then by id; of its
        bounding box the centre sees a share that is at least `from_` and at most `to`.
    samples: of all rays.
    reaches_unknown: True if a ray with power was sampled where no level is loaded.
    """

    blocks: Array
    entities: Array
    samples: int
    reaches_unknown: bool


def cube_fan(n: int, step: float, power: int) -> Array:
    """Returns rays to all points of the surface of a cube of n x n x n points, an array with the
    dtype BLAST_RAY; `cube_fan(16, 0.3, power)` has 1,352.

    step: the length of their steps, in finest-block widths; they are rounded to 1/65,536 of it.
    power: of each; `rays["power"]` may be set afterwards.
    """
    arguments = (
        integer(n, "n", -(1 << 31), (1 << 31) - 1),
        number(step, "the step"),
        integer(power, "the power", _LOW, _HIGH),
    )
    count = c_size_t()
    call(lib.frMakeCubeFan, *arguments, None, 0, byref(count))
    rays = np.empty(count.value, BLAST_RAY)
    call(lib.frMakeCubeFan, *arguments, rays.ctypes.data, len(rays), byref(count))
    return rays


def _ray_array(rays: Any) -> Array:
    if not isinstance(rays, np.ndarray) or rays.dtype != BLAST_RAY or rays.ndim != 1:
        raise TypeError("the rays must be an array (n,) of BLAST_RAY, such as of cube_fan")
    return np.ascontiguousarray(rays)


def _resistance_array(resistances: Any) -> Array:
    array = integers(resistances, "the resistances", np.int64)
    if array.ndim != 1:
        raise InvalidArgumentError(
            f"the resistances have the shape {array.shape}; it must be (n,), one for each type"
        )
    return np.ascontiguousarray(array)


def read_blast(ask: Callable[..., int]) -> Blast:
    """Calls a function of the library with the arrays for a blast, and once more if its answer is
    longer than expected."""
    result = sized(FrBlastResult)
    blocks, entities = np.empty(1024, BROKEN_BLOCK), np.empty(64, EXPOSED_ENTITY)
    while True:
        number = ask(
            blocks.ctypes.data, len(blocks), entities.ctypes.data, len(entities), byref(result)
        )
        too_short = result.block_count > len(blocks) or result.entity_count > len(entities)
        if number != OUT_OF_RANGE or not too_short:
            break
        blocks = np.empty(max(len(blocks), result.block_count), BROKEN_BLOCK)
        entities = np.empty(max(len(entities), result.entity_count), EXPOSED_ENTITY)
    if number != OK:
        raise last_error(number)
    found = (blocks[: result.block_count], entities[: result.entity_count])
    return Blast(*found, result.samples, result.reaches_unknown == 1)


class Blasts(WorldHandle):
    """Blasts: methods that worlds and snapshots both have."""

    def blast(
        self,
        center: Point,
        radius: float,
        rays: Array,
        resistances: Any,
        falloff: int = 0,
        levels: Levels = None,
        options: Options | None = None,
        sight: SightOptions | None = None,
        *,
        max_samples: int | None = None,
    ) -> Blast:
        """Finds the blocks that an explosion breaks, and the entities that it reaches, on the
        threads of the world. Changes nothing.

        radius: no sample, and no entity, is farther away; at most 65,536.
        rays: an array with the dtype BLAST_RAY, such as of `cube_fan`.
        resistances: integers, the power that a ray loses at each sample in a block, by the number
            of its type; types beyond the end are UNBREAKABLE.
        falloff: the power that a ray loses after each sample, in air too.
        options: select the blocks that rays do not pass like air, and the entities to report.
        sight: selects what shields entities.
        max_samples: the most of all rays; beyond, ResourceExhaustedError.
        """
        rays, resistances = _ray_array(rays), _resistance_array(resistances)
        query = sized(FrBlastQuery)
        query.center[:] = point(center, "the center")
        query.radius = number(radius, "the radius")
        query.rays, query.ray_count = rays.ctypes.data, len(rays)
        query.resistances, query.resistance_count = resistances.ctypes.data, len(resistances)
        query.falloff = integer(falloff, "the falloff", _LOW, _HIGH)
        query.max_samples = limit(max_samples, "max_samples")
        return self._blast(query, level_mask(levels), OptionsStruct(options), SightInput(sight))

    def _blast(
        self, query: FrBlastQuery, levels: int, options: OptionsStruct, sight: SightInput
    ) -> Blast:
        filters = (each for each in (options.filters, sight.filters) if each is not None)
        owners = (self._kept, *filters)
        arguments = (byref(query), levels, options.address, sight.address)

        def ask(*out: Any) -> int:
            return result_with_callbacks(
                lib.frWorld_Blast, self._handle, *arguments, *out, owners=owners
            )

        return read_blast(ask)
