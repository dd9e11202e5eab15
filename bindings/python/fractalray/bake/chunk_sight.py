# SPDX-License-Identifier: Apache-2.0
"""The bake of sight from chunk to chunk, and the reader of its table."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Union

import numpy as np

from .._abi import FR_UNITS_PER_BLOCK as UNITS
from .._arguments import Array, Index, index3, integer, triple
from ..enums import Sight, Unloaded
from ..errors import NotFoundError, UnavailableError
from ..sight import SightOptions
from ..world import WorldView
from .job import Arrays, Job, option
from .plan import NAME, load_plan
from .region import CHUNK, Region
from .surface import finest


@dataclass(frozen=True)
class ChunkSight(Job):
    """Which chunks do eyes in a chunk see? Exactly what `visible` answers, for the eyes below.

    A chunk sees another if one of its eyes sees any part of the other's cube. Its eyes are in the
    middles of `eyes`^3 blocks, evenly spaced; one in a solid block sees nothing. Other points of
    the chunk may see more. Space that is not loaded hides nothing; only loaded chunks see and are
    seen.

    Arrays of one element a chunk, with y as the third axis:

    seen: uint8, bits of the chunks from -radius to +radius on each axis; `SightTable` reads them.
    count: uint16, how many chunks are seen, itself included.
    """

    radius: int = option(3, "the chunks to each side that are asked about, 0 to 19")
    eyes: int = option(2, "eyes along each axis of a chunk, 1 to 16")
    channel: str = option("visible", "what hides: the solid blocks of this channel")

    name = "sight"
    version = 2  # 1 left out the chunks above and below the box

    def __post_init__(self) -> None:
        integer(self.radius, "radius", 0, 19)  # 39^3 chunks, as `count` has 16 bits
        integer(self.eyes, "eyes", 1, CHUNK)

    @property
    def halo(self) -> int:
        return self.radius

    def run(self, world: WorldView, region: Region) -> Arrays:
        nx, ny, nz = region.size
        width = 2 * self.radius + 1
        seen = np.zeros((nx, nz, ny, -(-(width**3) // 8)), np.uint8)
        count = np.zeros((nx, nz, ny), np.uint16)
        loaded = self._loaded(world, region)
        options = SightOptions(
            unloaded=Unloaded.TRANSPARENT, channel=world.block_types.channel(self.channel)
        )
        for i in range(nx):
            for k in range(nz):
                around = loaded[i : i + width, :, k : k + width]
                first = (region.low[0] + i, region.low[1], region.low[2] + k)
                bits = self._column(world, first, around, options)
                seen[i, k] = np.packbits(bits.reshape(ny, -1), axis=1, bitorder="little")
                count[i, k] = bits.sum(axis=(1, 2, 3))
        return {"seen": seen, "count": count}

    def _loaded(self, world: WorldView, region: Region) -> Array:
        """Returns which chunks of a region and its halo are loaded."""
        grown = region.grown(self.radius)
        shape = grown.size
        chunks = world.loaded_chunks(finest(world)[0]) - grown.low
        inside = ((chunks >= 0) & (chunks < shape)).all(axis=1)
        loaded = np.zeros(shape, bool)
        loaded[tuple(chunks[inside].T)] = True
        return loaded

    def _column(
        self, world: WorldView, first: Index, around: Array, options: SightOptions
    ) -> Array:
        """Returns what the chunks of a column see: bool with the axes y of the chunk, and x, y and
        z of the other one from -radius.

        around: which chunks of the column and its neighbours, from -radius, are loaded.
        """
        r = self.radius
        ny = around.shape[1] - 2 * r
        bits = np.zeros((ny, 2 * r + 1, 2 * r + 1, 2 * r + 1), bool)
        viewers, others = np.flatnonzero(around[r, r : r + ny, r]), np.argwhere(around)
        if not len(viewers):
            return bits
        away = others[None, :, 1] - r - viewers[:, None]  # along y
        eyes = self._eyes() + CHUNK * UNITS * self._chunks(first, viewers)[:, None]
        lows = CHUNK * UNITS * (np.array(first, np.int64) + others - r)
        sights = world.visible_boxes(
            eyes.reshape(-1, 3),
            lows,
            lows + CHUNK * UNITS,
            finest(world),
            options,
            eye_counts=np.full(len(viewers), self.eyes**3, np.uint32),
            left_out=abs(away) > r,
            units=True,
        )
        of, to = np.nonzero(sights == Sight.VISIBLE)
        bits[viewers[of], others[to, 0], away[of, to] + r, others[to, 2]] = True
        return bits

    def _chunks(self, first: Index, rows: Array) -> Array:
        at = np.tile(np.array(first, np.int64), (len(rows), 1))
        at[:, 1] += rows
        return at

    def _eyes(self) -> Array:
        """Returns the eyes of the chunk (0, 0, 0), in units."""
        line = (np.arange(self.eyes, dtype=np.int64) * 2 + 1) * CHUNK // (2 * self.eyes)
        grid = np.stack(np.meshgrid(line, line, line, indexing="ij"), axis=-1).reshape(-1, 3)
        eyes: Array = grid * UNITS + UNITS // 2
        return eyes

    def pictures(self, arrays: Arrays) -> Arrays:
        """One pixel a chunk: the most that a chunk of the column sees, of all that were asked."""
        most = arrays["count"].max(axis=2).astype(np.int64)
        share = most * 255 // (2 * self.radius + 1) ** 3
        rgba = np.stack([share, share * 3 // 4 + 30, 90 - share // 4, np.full_like(share, 255)], -1)
        rgba[most == 0] = 0
        return {"sight": rgba.clip(0, 255).astype(np.uint8)}


_TRIES = 5


def _plan_text(folder: Path) -> bytes:
    """Returns the file of a plan; no bytes if there is none."""
    try:
        return (folder / NAME).read_bytes()
    except FileNotFoundError:
        return b""


class SightTable:
    """The collected bake of a ChunkSight: which chunk sees which."""

    def __init__(self, out: Union[str, Path]) -> None:
        """out: the folder of the bake. The table is that of its last `collect`."""
        folder = Path(out) / "arrays"
        for _ in range(_TRIES):
            before = _plan_text(folder)
            if not before:
                raise NotFoundError(f"{out} has no collected bake; collect it first")
            plan = load_plan(folder)
            if not isinstance(plan.job, ChunkSight):
                raise NotFoundError(f"{out} has a bake of {plan.job.name}; give one of sight")
            self.radius = plan.job.radius
            self.box = plan.box
            self._seen = np.load(folder / "seen.npy", mmap_mode="r")
            if _plan_text(folder) == before:
                return
            time.sleep(0.1)  # a `collect` replaces the array and the plan
        raise UnavailableError(f"{out} is collected again and again; read it later")

    def seen_from(self, chunk: Index) -> Array:
        """Returns the chunks that a chunk sees, itself included, in order: (n, 3).

        NotFoundError for a chunk outside of the box that was baked.
        """
        at = triple(index3(chunk, "the chunk"))
        if at not in self.box:
            raise NotFoundError(f"the chunk {at} is outside of the box that was baked, {self.box}")
        x, y, z = (c - low for low, c in zip(self.box.low, at))
        width = 2 * self.radius + 1
        bits = np.unpackbits(self._seen[x, z, y], count=width**3, bitorder="little")
        seen: Array = np.argwhere(bits.reshape(width, width, width)) - self.radius + at
        return seen

    def sees(self, chunk: Index, other: Index) -> bool:
        """Returns if a chunk sees another one. False also beyond the radius."""
        at = triple(index3(other, "the other chunk"))
        return bool((self.seen_from(chunk) == at).all(axis=1).any())
