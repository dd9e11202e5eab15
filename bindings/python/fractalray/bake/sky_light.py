# SPDX-License-Identifier: Apache-2.0
"""The bake of light: how much of the sky does each column's surface see, and how open is it?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._abi import FR_UNITS_PER_BLOCK as UNITS
from .._arguments import Array, integer
from ..world import WorldView
from .job import Arrays, Job, option
from .region import Region
from .surface import NOTHING, count_clear, find_surface, halo_of

#: The height of eyes over the surface, in units: 1/32 block.
ABOVE = UNITS // 32


@dataclass(frozen=True)
class SkyLight(Job):
    """Sky light and ambient occlusion of the highest solid block of each column.

    Arrays of one element a column:

    height: int16, y of the block; -32768 where there is none.
    sky: uint8, the share of the sky that the middle of its upper face sees, of 255: rays of `reach`
        blocks, spread evenly over the upper half of the sphere.
    ambient: uint8, the share of the light from all sides that arrives: rays of `near` blocks, more
        of them upwards, by the cosine.
    """

    rays: int = option(48, "rays to the sky, for each column")
    reach: int = option(47, "their length, in blocks")
    near_rays: int = option(32, "rays for ambient occlusion")
    near: int = option(6, "their length, in blocks")
    channel: str = option("default", "what blocks light: the solid blocks of this channel")

    name = "light"
    fills: ClassVar[Mapping[str, int]] = {"height": NOTHING}

    def __post_init__(self) -> None:
        for each in ("rays", "near_rays"):
            integer(getattr(self, each), each, 1, 4096)
        for each in ("reach", "near"):
            integer(getattr(self, each), each, 1, 4096)

    @property
    def halo(self) -> int:
        return halo_of(max(self.reach, self.near))

    def run(self, world: WorldView, region: Region) -> Arrays:
        channel = world.block_types.channel(self.channel)
        surface = find_surface(world, region, solid_only=True, channel=channel)
        points, found = surface.points(ABOVE), surface.found
        sky, ambient = (np.zeros(found.shape, np.uint8) for _ in range(2))
        for share, rays in (
            (sky, directions(self.rays, self.reach)),
            (ambient, directions(self.near_rays, self.near, by_cosine=True)),
        ):
            share[found] = count_clear(world, points, rays, channel) * 255 // len(rays)
        return {"height": surface.heights(), "sky": sky, "ambient": ambient}

    def pictures(self, arrays: Arrays) -> Arrays:
        alpha = np.where(arrays["height"] > NOTHING, 255, 0).astype(np.uint8)
        return {
            name: np.stack([arrays[name]] * 3 + [alpha], axis=-1) for name in ("sky", "ambient")
        }


def directions(count: int, length: int, *, by_cosine: bool = False) -> Array:
    """Returns vectors over the upper half of the sphere, in units, of `length` blocks: (n, 3).

    Even by solid angle, or by its projection on the ground with `by_cosine`. They are the same on
    every machine: sums, products and square roots of doubles are exactly defined, unlike sines, and
    a unit is coarse.
    """
    made = []
    # The golden angle as a rotation, not by sine and cosine.
    turn_x, turn_z = -0.7373688780783197, 0.6754902942615238
    x, z = 1.0, 0.0
    for number in range(count):
        part = (number + 0.5) / count
        y = math.sqrt(1 - part) if by_cosine else 1 - part
        flat = math.sqrt(1 - y * y)
        made.append([math.floor(each * length * UNITS) for each in (flat * x, y, flat * z)])
        x, z = x * turn_x - z * turn_z, x * turn_z + z * turn_x
    return np.array(made, np.int64)
