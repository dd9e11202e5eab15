# SPDX-License-Identifier: Apache-2.0
"""The bake of maps: the world from above, with shadows and slopes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .._abi import FR_UNITS_PER_BLOCK as UNITS
from .._arguments import Array, index3, integer, triple
from ..errors import InvalidArgumentError
from ..world import WorldView
from .colors import palette, read_colors
from .job import Arrays, Job, option
from .region import Region
from .sky_light import ABOVE
from .surface import NOTHING, Surface, count_clear, find_surface, halo_of

#: The light of a column is in 1/256.
_FULL = 256
_SHADOW = 132  #: what is left of it in the shadow
_SLOPE = 14  #: for each block by which a neighbour towards the sun is lower or higher
_STEEPEST = 4  #: blocks
#: The sun is a disc: rays to four points of it, in 1/16 of its direction, soften the shadows.
_SUN_POINTS = ((1, 0, 0), (-1, 0, 0), (0, 0, 1), (0, 0, -1))


@dataclass(frozen=True)
class MapTiles(Job):
    """A picture from above, with shadows from the sun, and the heights.

    Arrays of one element a column, for the first thing from above, water and plants included:

    color: uint8, red, green, blue and alpha; alpha is 0 where there is nothing.
    height: int16, y of the block; -32768 where there is nothing.
    """

    sun: tuple[int, int, int] = option((-3, 4, 2), "the direction of the sun, X,Y,Z")
    reach: int = option(47, "the longest shadow, in blocks along x, y or z")
    sea: int = option(1, "y of the sea, for the colours of the heights")
    channel: str = option("default", "what casts shadows: the solid blocks of this channel")
    colors: tuple[tuple[str, str], ...] = option(
        (), "a file of colours, as the colors.txt of minetestmapper", read_colors
    )

    name = "map"
    fills: ClassVar[Mapping[str, int]] = {"height": NOTHING}

    def __post_init__(self) -> None:
        integer(self.reach, "reach", 1, 4096)
        object.__setattr__(self, "sun", triple(index3(self.sun, "the sun")))
        if self.sun[1] <= 0 or _largest(self.sun) > 1000:
            raise InvalidArgumentError(
                f"the sun is {self.sun}; it must be three integers up to 1,000, of which y, the "
                "second, is positive"
            )

    @property
    def halo(self) -> int:
        return halo_of(self.reach)

    def run(self, world: WorldView, region: Region) -> Arrays:
        channel = world.block_types.channel(self.channel)
        margin = 1  # neighbours, for the slopes
        top = find_surface(world, region, margin=margin, channel=channel)
        ground = find_surface(world, region, margin=margin, channel=channel, solid_only=True)
        inner = slice(margin, -margin)
        clear = np.zeros(top.found.shape, np.int64)
        clear[top.found] = count_clear(world, top.points(ABOVE), self._to_sun(), channel)
        light = _SHADOW + (_FULL - _SHADOW) * clear[inner, inner] // len(_SUN_POINTS)
        light += self._slopes(top)
        table = palette(world.block_types, self.colors)
        color = _mixed(top, ground, table)[inner, inner] * light[..., None] // _FULL
        found = top.found[inner, inner]
        rgba = np.zeros((*found.shape, 4), np.uint8)
        rgba[..., :3] = color.clip(0, 255)
        rgba[..., 3] = 255
        rgba[~found] = 0
        return {"color": rgba, "height": top.heights()[inner, inner]}

    def _to_sun(self) -> Array:
        """Returns the lines to the sun, in units."""
        points = [[16 * s + p for s, p in zip(self.sun, point)] for point in _SUN_POINTS]
        return np.array(
            [[c * self.reach * UNITS // _largest(point) for c in point] for point in points],
            np.int64,
        )

    def _slopes(self, top: Surface) -> Array:
        """Returns the light that a slope towards the sun has more, and one away from it less."""
        height = np.where(top.found, top.block, 0)
        more = np.zeros(height[1:-1, 1:-1].shape, np.int64)
        for axis, towards in ((0, self.sun[0]), (1, self.sun[2])):
            if towards:
                is_known = top.found & np.roll(top.found, np.sign(-towards), axis)
                rise = np.where(is_known, height - np.roll(height, np.sign(-towards), axis), 0)
                more += rise[1:-1, 1:-1].clip(-_STEEPEST, _STEEPEST)
        slopes: Array = _SLOPE * more.clip(-_STEEPEST, _STEEPEST)
        return slopes

    def pictures(self, arrays: Arrays) -> Arrays:
        return {"map": arrays["color"], "height": _height_colors(arrays["height"], self.sea)}


def _largest(vector: Iterable[int]) -> int:
    return max(abs(component) for component in vector)


def _mixed(top: Surface, ground: Surface, table: Array) -> Array:
    """Returns the colours of surfaces: what is permeable shows the ground, the less of it the
    deeper it is."""
    over, under = table[top.type], table[ground.type]
    depth = np.where(ground.found, top.block - ground.block, 0)
    share = np.where(depth > 0, (9 + depth).clip(0, 15), 16)[..., None]  # of 16
    mixed: Array = (over * share + under * (16 - share)) // 16
    return mixed


#: Heights over the sea, and their colours.
_RAMP = (
    (-64, (16, 32, 84)),
    (-1, (70, 130, 190)),
    (0, (60, 120, 60)),
    (40, (150, 170, 90)),
    (90, (150, 110, 70)),
    (160, (235, 235, 235)),
)


def _height_colors(height: Array, sea: int) -> Array:
    """Returns colours by height, in integers."""
    over = height.astype(np.int64) - sea
    color = np.empty((*over.shape, 3), np.int64)
    color[:] = _RAMP[0][1]
    for (low, first), (high, last) in zip(_RAMP, _RAMP[1:]):
        part = over.clip(low, high)[..., None] - low
        mixed = np.array(first) + (np.array(last) - np.array(first)) * part // (high - low)
        color = np.where((over >= low)[..., None], mixed, color)
    alpha = np.where(height > NOTHING, 255, 0)[..., None]
    rgba: Array = np.concatenate([color, alpha], axis=-1).astype(np.uint8)
    return rgba
