# SPDX-License-Identifier: Apache-2.0
"""Worlds and jobs of the tests of bakes, in a module that other processes can import."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Optional

import fractalray as fr
import numpy as np
from fractalray import bake

CHUNK = 16
WIDTH, HEIGHT = 7, 3  # chunks of the hills
FIRST = (-3, -1, -4)  # the first chunk


@lru_cache(maxsize=None)
def hills(seed: int) -> np.ndarray:
    """Returns solid hills with holes and towers: bools with the axes x, y and z."""
    rng = np.random.default_rng(seed)
    size = WIDTH * CHUNK
    coarse = rng.integers(4, 30, (WIDTH * 2 + 1, WIDTH * 2 + 1))
    ground = np.kron(coarse, np.ones((8, 8), int))[:size, :size]
    solid = np.arange(HEIGHT * CHUNK)[None, :, None] < ground[:, None, :]
    for x, z in rng.integers(0, size, (60, 2)):
        solid[x, : rng.integers(30, 46), z] = True
    solid[rng.random(solid.shape) < 0.02] = False
    return solid


@dataclass(frozen=True)
class Hills(bake.Source):
    """Hills of 7 x 3 x 7 chunks. Column (0, 0) has no chunks.

    whole: False loads what is asked for alone.
    outside: makes all solid that is farther than that many chunks from the chunks asked for.
    """

    seed: int = 1
    whole: bool = True

    def identity(self) -> str:
        return f"hills {self.seed}"

    def extent(self) -> bake.Extent:
        at = [(x, z) for x in range(WIDTH) for z in range(WIDTH)]
        columns = np.array([(x + FIRST[0], z + FIRST[2]) for x, z in at])
        return bake.Extent(columns[(columns != 0).any(axis=1)], (FIRST[1], FIRST[1] + HEIGHT - 1))

    @contextmanager
    def world(self, box: bake.Region) -> Iterator[fr.WorldView]:
        world = fr.World()
        stone = world.block_types.add("stone")
        world.block_types.add_channel("visible")
        solid = hills(self.seed)
        for index in np.ndindex(WIDTH, HEIGHT, WIDTH):
            chunk = tuple(int(i) + first for i, first in zip(index, FIRST))
            inside = all(a <= c <= b for a, c, b in zip(box.low, chunk, box.high))
            if (chunk[0], chunk[2]) == (0, 0) or not (self.whole or inside):
                continue
            x, y, z = (CHUNK * int(i) for i in index)
            part = solid[x : x + CHUNK, y : y + CHUNK, z : z + CHUNK]
            world.load_chunks(0, chunk, (part * stone).astype(np.uint16))
        yield world


HILLS = Hills()


#: The environment of `Tops`: seconds that each region takes; a folder, so that the first run of
#: region KILL_AT ends its process; "1", so that every run does.
PAUSE, KILL, KILL_AT, KILL_ALWAYS = "TOPS_PAUSE", "TOPS_KILL", "TOPS_KILL_AT", "TOPS_KILL_ALWAYS"


@dataclass(frozen=True)
class Tops(bake.Job):
    """The highest solid block of each column up to `most`, slowly, or not at all."""

    most: int = bake.option(40, "the highest block that counts")

    name = "tops"
    fills = {"height": bake.NOTHING}

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        if str(region) == os.environ.get(KILL_AT):
            marker = Path(os.environ[KILL]) / "killed"
            if KILL_ALWAYS in os.environ or not marker.exists():
                marker.write_text(str(os.getpid()))
                os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(float(os.environ.get(PAUSE, 0)))
        top = bake.find_surface(world, region)
        height = np.where(top.found, np.minimum(top.block, self.most), bake.NOTHING)
        return {"height": height.astype(np.int16)}


@dataclass(frozen=True)
class Broken(bake.Job):
    """Returns what its fields say, or raises."""

    shape: Optional[tuple[int, ...]] = None

    name = "broken"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        if self.shape is None:
            raise ZeroDivisionError("no blocks at all")
        return {"made": np.zeros(self.shape)}


@dataclass(frozen=True)
class Marked(bake.Job):
    """Zeros of two arrays, but for the one element that the class says: an array and a chunk."""

    mark: ClassVar[Optional[tuple[str, int, int]]] = None

    name = "marked"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        (nx, _, nz), (x0, _, z0) = region.size, region.low
        made = {"a": np.zeros((2 * nx, 2 * nz), np.uint8), "b": np.zeros((nx, nz, 3), np.int16)}
        if self.mark is not None and (self.mark[1], 0, self.mark[2]) in region:
            name, x, z = self.mark
            each = {"a": 2, "b": 1}[name]
            made[name][each * (x - x0 + 1) - 1, each * (z - z0 + 1) - 1] = 1
        return made


@dataclass(frozen=True)
class Needed(bake.Job):
    """A field without a default, and one whose help has a sign of formats."""

    depth: int
    part: float = bake.option(0.5, "a share, 50 % for instance")

    name = "needed"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        nx, _, nz = region.size
        return {"made": np.full((nx, nz), self.depth * self.part)}


@dataclass(frozen=True)
class Clash(bake.Job):
    """A field with the name of an option of all jobs."""

    box: int = 3

    name = "clash"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        return {}


class TwoCauses(Exception):
    """An error that pickle writes, and cannot read."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} and {second}")


@dataclass(frozen=True)
class Unreadable(bake.Job):
    """Raises an error that cannot be sent between processes."""

    name = "unreadable"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        raise TwoCauses("no blocks", "no air")


@dataclass(frozen=True)
class Exiting(bake.Job):
    """Ends its process."""

    name = "exiting"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        sys.exit("no more")


#: The environment of `Stuck`: a folder for its marks.
STUCK = "STUCK"


@dataclass(frozen=True)
class Stuck(bake.Job):
    """Its first region does not end until the folder has the file `end`; the others begin when it
    has begun, and fail, or do not."""

    fails: bool = True

    name = "stuck"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        folder = Path(os.environ[STUCK])
        is_first = region.low == FIRST
        if is_first:
            (folder / "begun").touch()
        wait_for(folder / ("end" if is_first else "begun"))
        if self.fails:
            raise ZeroDivisionError("no blocks at all")
        return {"made": np.zeros((region.size[0], region.size[2]))}


def wait_for(path: Path) -> None:
    end = time.monotonic() + 300
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.05)
