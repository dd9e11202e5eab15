# SPDX-License-Identifier: Apache-2.0
"""Hits of one line in several worlds: resumed elsewhere, compared and merged."""

from __future__ import annotations

import math

import fractalray as fr
import numpy as np
import pytest

#: The whole world, in blocks; its four regions meet at x = 32 and z = 32.
WIDTH, HEIGHT, MIDDLE = 64, 32, 32
REGIONS = [(x, z) for x in (0, MIDDLE) for z in (0, MIDDLE)]
LINES = 500


def row_of_spheres(numbers) -> fr.World:
    """Returns a world with spheres at x = 5, 10 and so on, added in that order."""
    world = fr.World()
    for number in numbers:
        world.entities.add(number, fr.Sphere(1), (5 * number, 2.5, 2.5))
    return world


def ids(hits) -> list[int]:
    return [hit.id for hit in hits]


def test_a_shot_resumes_in_a_world_with_other_handles() -> None:
    here, there = row_of_spheres([1, 2, 3, 4]), row_of_spheres([4, 3, 2, 1])
    line = fr.Line.segment((0.5, 2.5, 2.5), (60, 2.5, 2.5))
    first = here.shoot(line, options=fr.Options(max_hits=1)).hits
    assert ids(first) == [1]
    assert ids(there.shoot(line, options=fr.Options(after=first, after_by_id=True))) == [2, 3, 4]
    assert ids(there.shoot(line, options=fr.Options(after=first))) == [2, 3]
    lines = fr.Lines.of([line], after=[first])
    found = there.closest_hits(lines, options=fr.Options(after_by_id=True)).hits
    assert found["id"].tolist() == [2]


def some_blocks(rng) -> np.ndarray:
    blocks = np.zeros((WIDTH, HEIGHT, WIDTH), np.uint16)
    blocks[rng.random(blocks.shape) < 0.02] = 2  # glass
    blocks[rng.random(blocks.shape) < 0.004] = 1  # stone
    for at in (MIDDLE - 1, MIDDLE):  # many next to the borders
        blocks[at][rng.random((HEIGHT, WIDTH)) < 0.25] = 2
        blocks[:, :, at][rng.random((WIDTH, HEIGHT)) < 0.25] = 2
    return blocks


def some_entities(rng) -> list[tuple]:
    """Returns entities at halves of blocks, many of them on a border or touching one."""
    entities = []
    for number in range(1, 151):
        radius = float(rng.choice([0.5, 1.0, 1.5, 3.25]))
        at = rng.integers(0, 2 * WIDTH, 3) / 2 * [1, HEIGHT / WIDTH, 1]
        at[rng.integers(0, 3, 1)] = MIDDLE - rng.choice([0, radius])
        shape = fr.Box((radius,) * 3) if number % 3 == 0 else fr.Sphere(radius)
        entities.append((number, shape, tuple(at), radius))
    return entities


def make_world(blocks, entities, region=None) -> fr.World:
    """Returns the whole, or the blocks of a region with all entities that touch it, which have the
    handles of another order."""
    world = fr.World()
    world.block_types.add("stone")
    world.block_types.add("glass", fr.Kind.PERMEABLE)
    if region is None:
        world.load_chunks(0, (0, 0, 0), blocks)
        mine = entities
    else:
        x, z = region
        part = np.ascontiguousarray(blocks[x : x + MIDDLE, :, z : z + MIDDLE])
        world.load_chunks(0, (x // 16, 0, z // 16), part)

        def touches(at, radius) -> bool:
            return all(
                low - radius <= at[axis] <= low + MIDDLE + radius for axis, low in ((0, x), (2, z))
            )

        mine = [each for each in reversed(entities) if touches(each[2], each[3])]
    for number, shape, at, _ in mine:
        world.entities.add(number, shape, at)
    return world


def some_lines(rng) -> tuple[np.ndarray, np.ndarray]:
    """Returns starts and ends in half blocks: through the edge of the regions, in the planes of
    borders, along diagonals, and any."""
    size = np.array([2 * WIDTH, 2 * HEIGHT, 2 * WIDTH])
    start, end = rng.integers(0, size, (LINES, 3)), rng.integers(0, size, (LINES, 3))
    for i in range(0, LINES, 4):  # through the edge where all four meet
        away = rng.choice([-1, 1], 3) * rng.integers(1, 30)
        middle = np.array([2 * MIDDLE, start[i, 1], 2 * MIDDLE])
        start[i], end[i] = middle - away, middle + away
    start[1::8, 0] = end[1::8, 0] = 2 * MIDDLE
    start[2::8, 2] = end[2::8, 2] = 2 * MIDDLE
    for i in range(3, LINES, 4):
        end[i] = start[i] + rng.choice([-1, 0, 1], 3) * rng.integers(8, 64)
    return start / 2, end / 2


def same(merged, whole) -> bool:
    """Returns True if hits are equal but for the handles, which each world has of its own."""
    names = [name for name in whole.dtype.names if name not in ("entity", "reserved")]
    return len(merged) == len(whole) and all(
        np.array_equal(merged[name], whole[name]) for name in names
    )


@pytest.mark.parametrize("corner", list(fr.Corner))
def test_merged_answers_of_regions_are_that_of_the_whole(corner) -> None:
    rng = np.random.default_rng(7)
    blocks, entities = some_blocks(rng), some_entities(rng)
    whole = make_world(blocks, entities)
    parts = [make_world(blocks, entities, region) for region in REGIONS]
    options = fr.Options(corner=corner)
    ties = several = 0
    for start, end in zip(*some_lines(rng)):
        line = fr.Line.segment(start, end)
        expected = whole.shoot(line, options=options).array
        lists = [part.shoot(line, options=options).array for part in parts]
        assert same(fr.merge_hits(line, lists, corner=corner), expected)
        ties += int(np.count_nonzero(np.diff(expected["t"]) == 0))
        several += sum(len(hits) > 0 for hits in lists) > 1
    assert ties > 20
    assert several > 20


def test_comparisons_are_those_of_the_answer() -> None:
    rng = np.random.default_rng(8)
    world = make_world(some_blocks(rng), some_entities(rng))
    compared = 0
    for start, end in zip(*some_lines(rng)):
        direction = end - start
        if not direction.any():
            continue
        line = fr.Line.ray(start, direction, 40)
        hits = world.shoot(line).hits
        for a in range(len(hits)):
            b = int(rng.integers(0, len(hits)))
            assert fr.compare_hits(line, hits[a], hits[b]) == (a > b) - (a < b)
            compared += 1
    assert compared > LINES


def test_a_merge_takes_lists_and_arrays(scene) -> None:
    shot = scene.world.shoot(scene.line)
    merged = fr.merge_hits(scene.line, [shot.hits, [], shot.array[1:], shot])
    assert merged.tobytes() == shot.array.tobytes()
    assert len(fr.merge_hits(scene.line, [])) == 0
    assert merged.dtype == fr.HIT


@pytest.mark.parametrize("member", ["t", "cell", "step", "plane"])
def test_hits_of_other_lines_are_named(scene, member) -> None:
    hits = scene.world.shoot(scene.line).array
    wrong = hits.copy()
    wrong[member][1] = math.nan if member == "t" else 3
    with pytest.raises(fr.InvalidArgumentError, match=r"list 1, hit 1: the hit of block \["):
        fr.merge_hits(scene.line, [hits, wrong])
    other = fr.Hit.from_record(wrong[1])
    with pytest.raises(fr.InvalidArgumentError, match="hit b: the hit of block"):
        fr.compare_hits(scene.line, fr.Hit.from_record(hits[0]), other)


def test_wrong_lists_and_arguments_are_refused(scene) -> None:
    shot = scene.world.shoot(scene.line)
    glass, stone = shot.hits
    with pytest.raises(fr.InvalidArgumentError, match="list 0, hit 1: .*does not come after"):
        fr.merge_hits(scene.line, [[stone, glass]])
    changed = shot.array.copy()
    changed["type"][0] = scene.stone
    with pytest.raises(fr.InvalidArgumentError, match="list 1, hit 0: .*differently in list 0"):
        fr.merge_hits(scene.line, [shot.array, changed])
    with pytest.raises(fr.InvalidArgumentError, match="levels are 0 to 0"):
        changed["level"] = 1
        fr.merge_hits(scene.line, [changed])
    with pytest.raises(fr.OutOfRangeError, match="levels is 11"):
        fr.compare_hits(scene.line, glass, stone, levels=11)
    with pytest.raises(fr.InvalidArgumentError, match="hit a: "):
        fr.compare_hits(scene.line, glass, stone, levels=2)
    for wrong in (None, 5, shot):
        with pytest.raises(TypeError, match="the line is"):
            fr.merge_hits(wrong, [shot.array])
        with pytest.raises(TypeError, match="hit b is"):
            fr.compare_hits(scene.line, glass, wrong)
    with pytest.raises(TypeError):
        fr.merge_hits(scene.line, [[5]])
