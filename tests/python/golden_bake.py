# SPDX-License-Identifier: Apache-2.0
"""The questions of tests/golden as a bake: a column of chunks stands for each of its worlds. In a
module that other processes can import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import fractalray as fr
import numpy as np
from fractalray import bake

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "golden.txt"
SCENES = 40
SHOTS = 100  # at each of them, in tests/golden
WORDS = 1 << 16  # the most numbers of the answers at a scene
BITS = (1 << 64) - 1
FNV_BASIS, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3
CORNERS = (fr.Corner.NEITHER, fr.Corner.BOTH, fr.Corner.STAIRCASE)
#: The numbers of a hit, in the order in which tests/golden hashes them.
BEFORE = ("t", "t_exit", "face_axis", "face_sign", "normal", "start_inside", "point", "distance")


class Rng:
    """tests/oracle/rng.h."""

    def __init__(self, seed: "int | str") -> None:
        self.state = seed if isinstance(seed, int) else fnv(FNV_BASIS, seed.encode())

    def next(self) -> int:
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & BITS
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & BITS
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & BITS
        return z ^ (z >> 31)

    def within(self, least: int, most: int) -> int:
        return least + self.next() % (most - least + 1)

    def below(self, count: int) -> int:
        return self.next() % count

    def one_in(self, count: int) -> bool:
        return self.below(count) == 0

    def pick(self, values: Sequence[int]) -> int:
        return values[self.below(len(values))]


def fnv(state: int, data: bytes) -> int:
    for byte in data:
        state = ((state ^ byte) * FNV_PRIME) & BITS
    return state


@dataclass
class Scene:
    """A world of tests/golden, as it is drawn."""

    levels: int
    center: list[int]
    #: Level, index and ids of chunks, in the order in which they are loaded.
    chunks: "list[tuple[int, list[int], np.ndarray]]" = field(default_factory=list)
    #: Id, level, half extents (one of a sphere) and position of entities.
    entities: "list[tuple[int, int, list[float], list[float]]]" = field(default_factory=list)

    def shift(self, level: int) -> int:
        return 16 + 4 * (self.levels - 1 - level)

    def world(self) -> fr.World:
        world = fr.World(self.levels)
        assert world.block_types.add("water", fr.Kind.PERMEABLE) == 1
        assert world.block_types.add("stone") == 2
        for level, at, ids in self.chunks:
            world.load_chunks(level, at, ids)
        for number, level, extents, position in self.entities:
            shape = fr.Box(extents) if len(extents) == 3 else fr.Sphere(extents[0])
            world.entities.add(number, shape, position, level=level)
        return world

    def draw_line(self, rng: Rng) -> tuple[list[int], list[int]]:
        width = 1 << self.shift(rng.below(self.levels))
        lattice = rng.pick((width, width // 2, width // 16, 1))
        reach = 20 * (width // lattice)
        start, end = [0, 0, 0], [0, 0, 0]
        for axis in range(3):
            start[axis] = self.center[axis] + rng.within(-reach, reach) * lattice
            end[axis] = self.center[axis] + rng.within(-reach, reach) * lattice
            if rng.one_in(8):
                end[axis] = start[axis]
        return start, end


def draw_scene(rng: Rng) -> Scene:
    levels = rng.pick((1, 2, 3, 5, 10))
    far = 0 if rng.one_in(2) else 1 << 60
    scene = Scene(levels, [rng.pick((far, -far)) for _ in range(3)])
    for level in range(levels):
        for _ in range(rng.below(8) + 1):
            shift = scene.shift(level) + 4
            at = [(scene.center[axis] >> shift) - rng.within(0, 1) for axis in range(3)]
            ids = np.zeros((16, 16, 16), np.uint16)
            for _ in range(rng.below(500)):
                kind = 2 if rng.one_in(3) else 1
                index = rng.below(4096)
                ids[index & 15, index >> 4 & 15, index >> 8] = kind
            scene.chunks.append((level, at, ids))
    for number in range(1, 21):
        width = 2.0 ** (scene.shift(rng.below(levels)) - 16)
        level = rng.below(levels)
        extents = [width * rng.within(0, 32) / 8]
        if rng.one_in(2):
            extents = [width * rng.within(0, 32) / 8 for _ in range(3)]
        position = [each / 65536 + width * rng.within(-64, 64) / 4 for each in scene.center]
        scene.entities.append((number, level, extents, position))
    return scene


@dataclass(frozen=True)
class Question:
    line: tuple[list[int], list[int]]
    corner: fr.Corner
    report_unknown: bool


@lru_cache(maxsize=None)
def golden_scenes() -> "list[tuple[Scene, list[Question]]]":
    """Draws the scenes and the lines of tests/golden, each of which follows from the one before."""
    rng = Rng("golden shots")
    drawn = []
    for _ in range(SCENES):
        scene, questions = draw_scene(rng), []
        for _ in range(SHOTS):
            corner, report_unknown = CORNERS[rng.below(3)], rng.one_in(2)
            questions.append(Question(scene.draw_line(rng), corner, report_unknown))
        drawn.append((scene, questions))
    return drawn


def bits(values: Any) -> "list[int]":
    """Returns numbers as 64 bits: those of a double, or of an integer that is extended by its sign."""
    array = np.atleast_1d(np.asarray(values))
    kind = np.float64 if array.dtype.kind == "f" else np.int64
    if array.dtype == np.uint64:
        kind = np.uint64
    return array.astype(kind).view(np.uint64).ravel().tolist()


def words_of(world: fr.World, question: Question) -> "list[int]":
    """Returns what tests/golden hashes of a shot."""
    line = fr.Line.units(*question.line)
    options = fr.Options(corner=question.corner, report_unknown=question.report_unknown)
    shot = world.shoot(line, None, options)
    words = bits(question.line[0]) + bits(question.line[1])
    for hit in shot.array:
        for name in (*BEFORE, "terminal", "level"):
            words += bits(hit[name])
        is_block = hit["kind"] == fr.HitKind.BLOCK
        for name in ("cell", "type") if is_block else ("id", "entity_class"):
            words += bits(hit[name])
    words += bits(shot.terminated) + bits(shot.truncated)
    words += bits(-1.0 if shot.unknown_from is None else shot.unknown_from)
    for part in world.level_parts(line):
        words += bits(part["level"]) + bits(part["t0"]) + bits(part["t1"])
    return words


@dataclass(frozen=True)
class Worlds(bake.Source):
    """A column of chunks for each world; the jobs make them."""

    def identity(self) -> str:
        return "worlds of tests/golden"

    def extent(self) -> bake.Extent:
        return bake.Extent(np.array([(number, 0) for number in range(SCENES)]), (0, 0))

    @contextmanager
    def world(self, box: bake.Region) -> Iterator[fr.WorldView]:
        yield fr.World()


@dataclass(frozen=True)
class GoldenShots(bake.Job):
    """The answers of tests/golden: `words` has what it hashes, `count` how many there are."""

    name = "golden"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        columns = range(region.low[0], region.high[0] + 1)
        words = np.zeros((len(columns), 1, WORDS), np.uint64)
        count = np.zeros((len(columns), 1), np.int64)
        for i, number in enumerate(columns):
            scene, questions = golden_scenes()[number]
            made = scene.world()
            found = [word for question in questions for word in words_of(made, question)]
            count[i, 0] = len(found)
            words[i, 0, : len(found)] = np.array(found, np.uint64)
        return {"words": words, "count": count}


@dataclass(frozen=True)
class FirstHits(bake.Job):
    """The first hits of many random lines at each world, on all levels and with entities."""

    shots: int = bake.option(250, "lines at each world")

    name = "first_hits"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        columns = range(region.low[0], region.high[0] + 1)
        hits = np.zeros((len(columns), 1, self.shots, fr.COMPACT_HIT.itemsize), np.uint8)
        for i, number in enumerate(columns):
            rng = Rng(f"first hits {number}")
            scene = draw_scene(rng)
            lines = np.array([scene.draw_line(rng) for _ in range(self.shots)], np.int64)
            asked = fr.Lines.units(lines[:, 0], lines[:, 1])
            found = scene.world().compact_hits(asked).hits
            hits[i, 0] = found.view(np.uint8).reshape(self.shots, -1)
        return {"hits": hits}


def golden_hash(arrays: "dict[str, Path]") -> str:
    """Returns the hash of tests/golden of the arrays of GoldenShots."""
    words, count = (np.load(arrays[name], mmap_mode="r") for name in ("words", "count"))
    state = FNV_BASIS
    for number in range(SCENES):
        state = fnv(state, words[number, 0, : count[number, 0]].astype("<u8").tobytes())
    return f"{state:016x}"


def recorded_hash() -> str:
    """Returns the hash of shots in tests/golden."""
    recorded = dict(line.split() for line in GOLDEN.read_text().splitlines())
    return recorded["shots"]
