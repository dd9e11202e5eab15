# SPDX-License-Identifier: Apache-2.0
"""Queries along one line: shots, picking, lines of sight, cursors, resume and reflection."""

from __future__ import annotations

import math

import fractalray as fr
import numpy as np
import pytest


def blocks(hits) -> list[int]:
    return [hit.block[0] for hit in hits]


def test_a_shot_reports_hits_in_order_with_all_their_members(scene) -> None:
    shot = scene.world.shoot(scene.line)
    glass, stone = shot
    assert (len(shot), shot.terminated, shot.truncated) == (2, True, False)
    assert (glass.block, glass.type, glass.level) == ((4, 2, 2), scene.glass, 0)
    assert (glass.t, glass.t_exit) == pytest.approx((3.5 / 15, 4.5 / 15))
    assert glass.distance == 3.5
    assert (glass.face, glass.normal, glass.point) == ("-x", (-1, 0, 0), (4, 2.5, 2.5))
    assert (glass.terminal, stone.terminal, stone.is_block) == (False, True, True)
    assert shot.array["cell"][:, 0].tolist() == [4, 8]
    assert shot.line == scene.line
    assert shot.versions == scene.world.versions
    assert shot.stats.cells + shot.stats.direct + shot.stats.skips > 0


def test_the_text_of_a_shot_shows_its_first_hits(scene) -> None:
    glass, stone = shot = scene.world.shoot(scene.line)
    assert repr(shot) == f"Shot([{glass!r}, {stone!r}], terminated=True)"
    for x in range(1, 8):
        scene.world.set_block(0, (x, 2, 2), scene.glass)
    many = repr(scene.world.shoot(scene.line))
    assert many.count("Hit(") == 4
    assert many.endswith(", ... 4 more], terminated=True)")


def test_a_start_inside_has_no_face(scene) -> None:
    line = fr.Line.segment((8.5, 2.5, 2.5), (15, 2.5, 2.5))
    hit = scene.world.closest_hit(line).hit
    assert (hit.start_inside, hit.face, hit.normal, hit.t) == (True, None, None, 0)
    options = fr.Options(skip_start_inside=True)
    assert scene.world.closest_hit(line, options=options).hit is None


def test_levels_choose_what_is_hit() -> None:
    world = fr.World(levels=2)
    stone = world.block_types.add("stone")
    world.load_uniform_chunk(0, (0, 0, 0), stone)
    world.load_uniform_chunk(1, (0, 0, 0), fr.AIR)
    line = fr.Line.segment((1, 2.5, 2.5), (40, 2.5, 2.5))
    assert world.closest_hit(line, [0]).hit.distance == 0
    assert world.closest_hit(line).hit.distance == 15
    assert world.closest_hit(line, [1]).hit is None
    parts = world.level_parts(line)
    assert parts["level"].tolist() == [0, 1]
    assert parts["t1"][1] == pytest.approx(15 / 39)


def test_options_restrict_a_shot(scene) -> None:
    world, line = scene.world, scene.line
    sight = world.block_types.add_channel("sight")
    world.block_types.add("vine", fr.Kind.SOLID, {"sight": fr.Kind.EMPTY})
    world.set_block(0, (2, 2, 2), world.block_types["vine"])
    assert blocks(world.shoot(line)) == [2]
    assert blocks(world.shoot(line, options=fr.Options(channel=sight))) == [4, 8]
    shot = world.shoot(line, options=fr.Options(channel=sight, max_hits=1))
    assert (blocks(shot), shot.truncated) == ([4], True)
    assert blocks(world.shoot(line, options=fr.Options(channel=sight, solid_only=True))) == [8]
    assert blocks(world.shoot(line, options=fr.Options(no_blocks=True))) == []


def test_filters_remove_blocks(scene) -> None:
    options = fr.Options(block_filter=lambda hit: hit.type != scene.glass)
    assert blocks(scene.world.shoot(scene.line, options=options)) == [8]
    assert scene.world.closest_hit(scene.line, options=options).hit.type == scene.stone


def test_unknown_space_is_reported(scene) -> None:
    line = fr.Line.segment((0.5, 2.5, 2.5), (-15.5, 2.5, 2.5))
    assert scene.world.closest_hit(line).unknown_from is None
    options = fr.Options(report_unknown=True)
    assert scene.world.closest_hit(line, options=options).unknown_from == 0.5 / 16
    assert scene.world.shoot(line, options=options).unknown_from == 0.5 / 16
    stop = fr.Options(stop_at_unknown=True)
    assert scene.world.occluded(line, options=stop) == fr.Occlusion.UNKNOWN


def test_occlusion_is_true_unless_the_line_is_clear(scene) -> None:
    world, line = scene.world, scene.line
    assert world.occluded(line) == fr.Occlusion.BLOCKED
    occlusion, blocker = world.find_blocker(line)
    assert occlusion and blocker.type == scene.stone
    world.fill_box(0, (8, 0, 0), (8, 15, 15), fr.AIR)
    assert not world.occluded(line)  # glass is permeable
    assert world.find_blocker(line) == (fr.Occlusion.CLEAR, None)


def test_a_cursor_sees_what_the_loop_changes(scene) -> None:
    world = scene.world
    seen = []
    for hit in world.hits_along(scene.line):
        seen.append(hit.block[0])
        if hit.type == scene.stone and len(seen) < 4:
            world.set_block(0, hit.block, fr.AIR)
            world.set_block(0, (hit.block[0] + 2, 2, 2), scene.stone)
    assert seen == [4, 8, 10, 12]


def test_a_cursor_returns_hits_in_arrays(scene) -> None:
    with scene.world.hits_along(scene.line) as cursor:
        hits = cursor.take(10)
        assert hits["cell"][:, 0].tolist() == [4, 8]
        assert cursor.shot.terminated
        assert len(cursor.take(1)) == 0
    with pytest.raises(fr.FailedPreconditionError):
        cursor.take(1)


def test_after_resumes_a_query_past_a_hit(scene) -> None:
    world, line = scene.world, scene.line
    first = world.closest_hit(line).hit
    options = fr.Options(after=[first])
    assert world.closest_hit(line, options=options).hit.type == scene.stone
    assert blocks(world.shoot(line, options=options)) == [8]
    assert blocks(world.shoot(line, options=fr.Options(after=world.shoot(line).array[:1]))) == [8]


def test_a_shot_is_resumed_in_the_changed_world(scene) -> None:
    world = scene.world
    shot = world.shoot(scene.line)
    world.set_block(0, (12, 2, 2), scene.stone)
    resumed = world.resume(shot)
    assert blocks(resumed) == [4, 8, 12]
    assert (len(shot), resumed.terminated) == (2, True)


def long_shot(count: int) -> tuple[fr.World, fr.Line]:
    """Returns a world with that many panes on a line, 2 blocks apart."""
    world = fr.World()
    glass = world.block_types.add("glass", fr.Kind.PERMEABLE)
    ids = np.zeros((2 * count // 16 * 16 + 16, 16, 16), np.uint8)
    ids[1 : 2 * count : 2, 2, 2] = glass
    world.load_chunks(0, (0, 0, 0), ids)
    return world, fr.Line.segment((0.5, 2.5, 2.5), (len(ids) - 0.5, 2.5, 2.5))


def test_a_shot_has_any_number_of_hits() -> None:
    world, line = long_shot(5000)
    shot = world.shoot(line)
    assert len(shot) == 5000
    start = world.shoot(line, options=fr.Options(max_hits=10))
    resumed = world.resume(start)
    assert np.array_equal(resumed.array, shot.array) and not resumed.truncated
    some = world.resume(start, options=fr.Options(max_hits=4500))
    assert (len(some), some.truncated) == (4510, True)


def test_a_shot_that_runs_out_of_steps_has_its_hits() -> None:
    world, line = long_shot(100)
    with pytest.raises(fr.ResourceExhaustedError, match="max_steps") as caught:
        world.shoot(line, options=fr.Options(max_steps=50))
    shot = caught.value.shot
    assert len(shot) < 100
    assert np.array_equal(world.resume(shot).array, world.shoot(line).array)


def steps(stats: fr.Stats) -> int:
    return sum(getattr(stats, name) for name in stats.__slots__ if name not in ("chunks", "direct"))


def test_the_steps_of_a_shot_are_those_of_all_its_hits() -> None:
    world, line = long_shot(5000)
    shot = world.shoot(line)
    # With a limit a shot is searched in more pieces, which take a few steps more (docs/cost.md).
    most = fr.Options(max_steps=steps(shot.stats) * 51 // 50)
    assert len(world.shoot(line, options=most)) == 5000
    fewer = fr.Options(max_steps=steps(shot.stats) - 1)
    with pytest.raises(fr.ResourceExhaustedError) as caught:
        world.shoot(line, options=fewer)
    assert np.array_equal(world.resume(caught.value.shot).array, shot.array)
    # Effects are called once for each hit, so the hits are searched for in pieces.
    seen = []
    called = world.shoot(line, on_hit=seen.append)
    assert len(seen) == 5000 and np.array_equal(called.array, shot.array)
    assert steps(shot.stats) <= steps(called.stats) <= 1.1 * steps(shot.stats)
    with pytest.raises(fr.ResourceExhaustedError) as caught:
        world.shoot(line, options=fewer, on_hit=seen.append)
    assert 4096 < len(caught.value.shot) <= 5000
    all_steps = fr.Options(max_steps=steps(called.stats) * 51 // 50)
    assert len(world.shoot(line, options=all_steps, on_hit=seen.append)) == 5000


def test_a_shot_without_its_hits_is_not_resumed(scene) -> None:
    cursor = scene.world.hits_along(scene.line)
    next(cursor)
    with pytest.raises(fr.InvalidArgumentError, match="has 1 hits, but 0 in its array"):
        scene.world.resume(cursor.shot)


def test_iterators_are_options_of_many_queries(scene) -> None:
    world, line = scene.world, scene.line
    for i in range(2):
        world.entities.add(i, fr.Sphere(0.25), (2 + i, 2.5, 2.5))
    options = fr.Options(no_blocks=True, ignore=(i for i in [0]))
    assert [world.closest_hit(line, options=options).hit.id for _ in range(2)] == [1, 1]
    options = fr.Options(after=iter(world.shoot(line).hits[:2]))
    assert [len(world.shoot(line, options=options)) for _ in range(2)] == [2, 2]


def test_a_line_is_reflected_in_the_face_of_its_hit(scene) -> None:
    line = fr.Line.segment((0.5, 2.5, 2.5), (15.5, 7.5, 2.5))
    options = fr.Options(solid_only=True)
    hit = scene.world.closest_hit(line, options=options).hit
    image = scene.world.reflect(line, hit)
    assert image.point(1)[0] == pytest.approx(0.5)
    bounced = scene.world.closest_hit(image).hit
    assert bounced.type == scene.glass and bounced.face == "+x"


def test_rays_keep_their_direction_and_end(scene) -> None:
    world = scene.world
    ray = fr.Line.ray((0.5, 2.5, 2.5), (1, 0, 0))
    assert blocks(world.shoot(ray)) == [4, 8]
    assert world.shoot(ray).hits[1].distance == pytest.approx(7.5)
    short = fr.Line.ray((0.5, 2.5, 2.5), (1e-3, 0, 0), max_distance=5)
    assert blocks(world.shoot(short)) == [4]
    box = ((0, 0, 0), (4, 16, 16))
    bounded = fr.Line.ray((0.5, 2.5, 2.5), (1, 0, 0), math.inf, box)
    assert bounded.point(bounded.end_time)[0] == pytest.approx(4)


def test_lines_are_exact(scene) -> None:
    line = fr.Line.segment((0.5, 2.5, 2.5), (15.5, 2.5, 2.5))
    assert line == scene.line and hash(line) == hash(scene.line)
    assert line.start_units == (32768, 163840, 163840)
    assert (line.start, line.end, line.end_time) == ((0.5, 2.5, 2.5), (15.5, 2.5, 2.5), 1)
    assert (line.length, line.point(0.5)) == (15, (8, 2.5, 2.5))
    assert fr.Line.units(line.start_units, line.end_units) == line


def test_chunks_on_a_line_are_listed_whether_loaded_or_not(scene) -> None:
    line = fr.Line.segment((0.5, 2.5, 2.5), (40, 2.5, 2.5))
    chunks = scene.world.chunks_on(line)
    assert chunks["chunk"][:, 0].tolist() == [0, 1, 2]
    assert chunks["state"].tolist() == [fr.ChunkState.LOADED, 0, 0]
    assert len(scene.world.chunks_on(line, loaded_only=True)) == 1
    far = fr.Line.segment((0.5, 2.5, 2.5), (39999.5, 2.5, 2.5))
    assert len(scene.world.chunks_on(far)) == 2500  # in several pieces


def test_searches_find_blocks(scene) -> None:
    found = scene.world.blocks_in_sphere((7.5, 2.5, 2.5), 1.2)
    assert found["block"][0].tolist() == [8, 2, 2]
    assert found["distance"][0] == 0.5
    assert set(found["type"]) == {scene.stone}
    assert len(scene.world.blocks_in_box((8.2, 0.2, 0.2), (8.8, 15.8, 15.8))) == 256
