# SPDX-License-Identifier: Apache-2.0
"""The highest thing in each column of blocks, for jobs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .._abi import FR_UNITS_PER_BLOCK as UNITS
from .._arguments import Array, integer
from ..enums import HitKind, Occlusion
from ..errors import FractalrayError
from ..line import Lines
from ..options import Options
from ..world import WorldView
from .region import CHUNK, Region

NOTHING = -32768  #: the height of columns in which there is nothing
_LINES = 1 << 15  # of a batch: enough to hide the call's cost, few enough for the cache


@dataclass(frozen=True)
class Surface:
    """What lines down the middles of columns hit first; arrays (nx, nz).

    found: if anything was hit. x, z: the columns. units: the height of the hit in units, exactly.
    block: y of the block. type: its block type. All but x and z are 0 where nothing was hit.
    """

    x: Array
    z: Array
    found: Array
    units: Array
    block: Array
    type: Array

    def heights(self) -> Array:
        """Returns `block` as int16, NOTHING where nothing was hit.

        OutOfRangeError for a block that is higher or lower than these can say.
        """
        for extreme in (self.block.min(), self.block.max()):
            integer(extreme, "y of a block", NOTHING + 1, -NOTHING - 1)
        heights: Array = np.where(self.found, self.block, NOTHING).astype(np.int16)
        return heights

    def points(self, above: int) -> Array:
        """Returns the points `above` units over the surface of the columns with one, (n, 3)."""
        x, z = (each[self.found] * UNITS + UNITS // 2 for each in (self.x, self.z))
        return np.stack([x, self.units[self.found] + above, z], axis=1)


def find_surface(
    world: WorldView,
    region: Region,
    *,
    margin: int = 0,
    solid_only: bool = False,
    channel: int = 0,
) -> Surface:
    """Finds the highest thing in each column of a region, between its lowest and highest block.

    margin: this many columns more on each side, which the halo must have.
    solid_only: passes what is permeable, such as water and plants.
    """
    x, z = region.columns(margin)
    top = (region.high_block[1] + 1) * UNITS - 1
    starts = np.stack([x * UNITS + UNITS // 2, np.full_like(x, top), z * UNITS + UNITS // 2], -1)
    starts = starts.reshape(-1, 3)
    ends = starts.copy()
    ends[:, 1] = region.low_block[1] * UNITS
    options = Options(solid_only=solid_only, no_entities=True, channel=channel)
    found = np.zeros(len(starts), bool)
    units, block, types = (np.zeros(len(starts), np.int64) for _ in range(3))
    for part in _parts(len(starts)):
        answers = world.closest_hits(Lines.units(starts[part], ends[part]), finest(world), options)
        check(answers.summary.errors, answers.summary.first_error)
        hits = answers.hits
        found[part] = hits["kind"] == HitKind.BLOCK
        # A hit on a vertical line is at a whole unit. `point` is that in doubles, off by less than
        # 2^-16 of a unit even at the edge of a map, so that rounding gives it on any machine.
        units[part] = np.rint(hits["point"][:, 1] * UNITS).astype(np.int64)
        block[part], types[part] = hits["cell"][:, 1], hits["type"]
    for array in (units, block, types):
        array[~found] = 0
    return Surface(x, z, *(each.reshape(x.shape) for each in (found, units, block, types)))


def count_clear(world: WorldView, points: Array, deltas: Array, channel: int = 0) -> Array:
    """Counts, for each point, the lines to point + delta that no solid block is on.

    points, deltas: in units, (n, 3) and (m, 3). Space that is not loaded is clear.
    """
    clear = np.zeros(len(points), np.int64)
    options = Options(no_entities=True, channel=channel)
    for part in _parts(len(points)):
        starts = points[part]
        # Lines of one direction are next to one another, from neighbours: a quarter faster than
        # those of one point, since they are parallel.
        for delta in deltas:
            lines = Lines.units(starts, starts + delta)
            sights = world.occluded_many(lines, finest(world), options)
            check(sights.summary.errors, sights.summary.first_error)
            clear[part] += sights.answers != Occlusion.BLOCKED
    return clear


def finest(world: WorldView) -> list[int]:
    """Returns the finest level, for queries.

    Coarser ones are summaries of all of a map: in a part of it they differ.
    """
    return [world.levels - 1]


def check(errors: int, first: str) -> None:
    """Raises an error if a batch has any."""
    if errors:
        raise FractalrayError(f"{errors} lines of a batch are refused: {first}")


def halo_of(reach: int) -> int:
    """Returns the halo, in chunks, of lines of `reach` blocks along each axis from the surface.

    A block more, for the surface to be above its block.
    """
    return -(-(reach + 1) // CHUNK)


def _parts(count: int) -> Iterator[slice]:
    return (slice(first, first + _LINES) for first in range(0, count, _LINES))
