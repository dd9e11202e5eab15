# SPDX-License-Identifier: Apache-2.0
"""Blasts: the blocks that break, the entities that are reached, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import fractalray as fr
import numpy as np
import pytest

UNIT = fr.UNITS_PER_BLOCK
CENTER = (0.5, 0.5, 0.5)
AHEAD = np.array([((UNIT // 2, 0, 0), 30)], fr.BLAST_RAY)
RESISTANCES = [0, 10, 3]


@pytest.fixture
def world() -> fr.World:
    """Stone at x = 2, water at x = 3, and a wall of stone at x = 8."""
    world = fr.World()
    stone = world.block_types.add("stone")
    water = world.block_types.add("water", fr.Kind.PERMEABLE)
    ids = np.zeros((16, 16, 16), np.uint16)
    ids[8] = stone
    ids[2, 0, 0] = stone
    ids[3, 0, 0] = water
    world.load_chunks(0, (0, 0, 0), ids)
    return world


def test_a_fan_has_the_surface_of_a_cube() -> None:
    rays = fr.cube_fan(16, 0.3, 7)
    assert (rays.dtype, rays.shape) == (fr.BLAST_RAY, (1352,))
    assert rays["step"][0].tolist() == [-11351, -11351, -11351]
    assert (rays["power"] == 7).all()
    lengths = np.sqrt((rays["step"].astype(float) ** 2).sum(axis=1))
    assert np.abs(lengths - 0.3 * UNIT).max() < 1
    assert (np.sort(rays["step"], axis=0) == np.sort(-rays["step"], axis=0)).all()
    for n, step in ((1, 1.0), (257, 1.0), (4, 0.0), (4, math.nan), (4, 1e9)):
        with pytest.raises(fr.InvalidArgumentError):
            fr.cube_fan(n, step, 1)
    with pytest.raises(fr.OutOfRangeError, match="the power is 9223372036854775808"):
        fr.cube_fan(4, 1, 1 << 63)
    with pytest.raises(TypeError):
        fr.cube_fan(4, 1, 1.5)  # type: ignore[arg-type]


def test_a_ray_loses_power_at_each_sample(world: fr.World) -> None:
    blast = world.blast(CENTER, 6, AHEAD, RESISTANCES, 1)
    assert blast.blocks.dtype == fr.BROKEN_BLOCK
    assert blast.blocks["block"].tolist() == [[2, 0, 0], [3, 0, 0]]
    assert blast.blocks["type"].tolist() == [1, 2]
    assert blast.blocks["steps"].tolist() == [3, 5]
    assert blast.blocks["power"].tolist() == [17, 2]
    assert blast.samples == 7
    assert not blast.reaches_unknown
    assert world.blast((-0.5, 0.5, 0.5), 6, AHEAD, RESISTANCES).reaches_unknown
    with world.snapshot() as frozen:
        world.set_block(0, (2, 0, 0), fr.AIR)
        assert len(world.blast(CENTER, 6, AHEAD, RESISTANCES, 1).blocks) == 1
        assert len(frozen.blast(CENTER, 6, AHEAD, RESISTANCES, 1).blocks) == 2


def sampled(
    ids: Any, center: Any, radius: float, rays: Any, resistances: Any, falloff: int
) -> dict[tuple[int, int, int], tuple[int, int, int]]:
    """Returns the blocks that break, with their steps, ray and power, by one look-up a sample."""
    broken: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    start = [round(each * UNIT) for each in center]
    for number, ray in enumerate(rays):
        step, power, steps = ray["step"].tolist(), int(ray["power"]), 0
        while power > 0 and steps**2 * sum(each**2 for each in step) <= (radius * UNIT) ** 2:
            at = [(a + steps * b) // UNIT for a, b in zip(start, step)]
            if all(0 <= each < len(ids) for each in at) and ids[tuple(at)]:
                power -= resistances[ids[tuple(at)]]
                if power > 0:
                    x, y, z = at
                    key, found = (x, y, z), (steps, number, power)
                    broken[key] = min(broken.get(key, found), found)
            power -= falloff
            steps += 1
    return broken


@pytest.mark.parametrize("threads", [0, 3])
def test_random_blasts_are_those_of_one_look_up_a_sample(threads: int) -> None:
    random = np.random.default_rng(7)
    executor = fr.Executor(threads) if threads else None
    world = fr.World(executor=executor)
    for name in ("stone", "water"):
        world.block_types.add(name)
    total = 0
    for _ in range(12):
        ids = random.choice([0, 0, 0, 1, 2], (32, 32, 32)).astype(np.uint16)
        world.load_chunks(0, (0, 0, 0), ids)
        rays = fr.cube_fan(7, 0.4, 0)
        rays["power"] = random.integers(-5, 120, len(rays))
        center = random.integers(0, 320, 3) / 10
        resistances = [0, int(random.integers(0, 30)), int(random.integers(0, 5))]
        blast = world.blast(center, 9, rays, resistances, 2)
        expected = sampled(ids, center, 9, rays, resistances, 2)
        blocks = blast.blocks
        keys = [tuple(each) for each in blocks["block"].tolist()]
        values = zip(blocks["steps"].tolist(), blocks["ray"].tolist(), blocks["power"].tolist())
        assert dict(zip(keys, values)) == expected
        order = list(zip(blocks["steps"].tolist(), blocks["ray"].tolist()))
        assert order == sorted(order)
        total += len(keys)
    assert total > 1000


def test_an_answer_may_be_long() -> None:
    world = fr.World()
    stone = world.block_types.add("stone")
    world.load_chunks(0, (0, 0, 0), np.full((32, 32, 32), stone, np.uint16))
    for entity in range(100):
        world.entities.add(entity + 1, fr.Sphere(0.1), (entity % 10 + 10, entity // 10 + 10, 16))
    blast = world.blast((16, 16, 16), 12, fr.cube_fan(30, 0.5, 100), [0, 1])
    assert len(blast.blocks) > 1024
    assert len(blast.entities) == 100
    assert len(np.unique(blast.blocks["block"], axis=0)) == len(blast.blocks)


def test_entities_have_their_exposure(world: fr.World) -> None:
    world.entities.add(7, fr.Sphere(0.5), (0.5, 4, 0.5))
    world.entities.add(8, fr.Box((0.5, 0.5, 0.5)), (10, 0.5, 0.5))
    rays = np.empty(0, fr.BLAST_RAY)
    found = world.blast(CENTER, 12, rays, []).entities
    assert found.dtype == fr.EXPOSED_ENTITY
    assert found["id"].tolist() == [7, 8]
    assert found["distance"].tolist() == [3, 9]
    assert found["from_"].tolist() == [1, 0]
    assert found["to"].tolist() == [1, 0]
    alone = world.exposure(fr.SightQuery(CENTER, (9.5, 0, 0), (10.5, 1, 1)))
    assert alone == (found["from_"][1], found["to"][1])
    options, sight = fr.Options(ignore=[7]), fr.SightOptions(no_blocks=True)
    found = world.blast(CENTER, 12, rays, [], options=options, sight=sight).entities
    assert (found["id"].tolist(), found["from_"].tolist()) == ([8], [1])


def test_options_select_the_blocks(world: fr.World) -> None:
    def broken(**options: Any) -> list[int]:
        made = fr.Options(**options)
        return world.blast(CENTER, 6, AHEAD, RESISTANCES, 1, [0], made).blocks["type"].tolist()

    assert broken(solid_only=True) == [1]
    assert broken(no_blocks=True) == []
    assert broken(block_filter=lambda hit: hit.type != 1) == [2]


@pytest.mark.parametrize("threads", [0, 3])
def test_an_exception_of_a_filter_passes(threads: int) -> None:
    """Also on the threads of an Executor, from filters of blocks and of sight."""
    world = fr.World(executor=fr.Executor(threads) if threads else None)
    stone = world.block_types.add("stone")
    world.load_chunks(0, (0, 0, 0), np.full((16, 16, 16), stone, np.uint16))
    for entity in range(200):
        world.entities.add(entity + 1, fr.Sphere(0.25), (12, 12, 2 + entity / 20))

    def fail(hit: fr.Hit) -> bool:
        raise KeyError("x")

    rays = fr.cube_fan(8, 0.5, 100)
    with pytest.raises(KeyError):
        world.blast((8, 8, 8), 9, rays, [0, 1], options=fr.Options(block_filter=fail))
    with pytest.raises(KeyError):
        world.blast((8, 8, 8), 9, rays, [0, 1], sight=fr.SightOptions(block_filter=fail))


def test_no_power_is_too_large(world: fr.World) -> None:
    strong = np.array([((UNIT, 0, 0), fr.UNBREAKABLE)], fr.BLAST_RAY)
    assert len(world.blast(CENTER, 6, strong, RESISTANCES).blocks) == 2
    assert len(world.blast(CENTER, 6, strong, [0, fr.UNBREAKABLE, 0]).blocks) == 0
    assert len(world.blast(CENTER, 6, strong, [0]).blocks) == 0


def test_wrong_arguments_are_refused(world: fr.World) -> None:
    def refuses(error: type[Exception], message: str, *arguments: Any, **more: Any) -> None:
        with pytest.raises(error, match=message):
            world.blast(*arguments, **more)

    invalid, out_of_range = fr.InvalidArgumentError, fr.OutOfRangeError
    refuses(invalid, "centre", (0, math.nan, 0), 6, AHEAD, RESISTANCES)
    refuses(out_of_range, "centre", (0, 1e300, 0), 6, AHEAD, RESISTANCES)
    refuses(invalid, "radius", CENTER, -1, AHEAD, RESISTANCES)
    refuses(out_of_range, "radius", CENTER, 65537, AHEAD, RESISTANCES)
    refuses(invalid, "falloff is -1", CENTER, 6, AHEAD, RESISTANCES, -1)
    refuses(out_of_range, "the falloff is", CENTER, 6, AHEAD, RESISTANCES, 1 << 63)
    refuses(invalid, "block type 1 is -2", CENTER, 6, AHEAD, [0, -2])
    refuses(out_of_range, "resistances", CENTER, 6, AHEAD, [0, 1 << 63])
    refuses(TypeError, "resistances", CENTER, 6, AHEAD, [0, 1.5])
    refuses(invalid, "shape", CENTER, 6, AHEAD, [[1, 2]])
    refuses(invalid, "resistance_count is 65537", CENTER, 6, AHEAD, np.zeros(65537, int))
    refuses(TypeError, "BLAST_RAY", CENTER, 6, [((1, 0, 0), 5)], RESISTANCES)
    refuses(TypeError, "BLAST_RAY", CENTER, 6, np.zeros((2, 4), np.int64), RESISTANCES)
    refuses(invalid, "ray 0 is zero", CENTER, 6, np.zeros(1, fr.BLAST_RAY), RESISTANCES)
    refuses(invalid, "level", CENTER, 6, AHEAD, RESISTANCES, levels=[])
    exhausted = fr.ResourceExhaustedError
    refuses(exhausted, "max_samples, 6", CENTER, 6, AHEAD, RESISTANCES, max_samples=6)
    refuses(TypeError, "options", CENTER, 6, AHEAD, RESISTANCES, options=fr.SightOptions())
    refuses(TypeError, "options", CENTER, 6, AHEAD, RESISTANCES, sight=fr.Options())
