# SPDX-License-Identifier: Apache-2.0
"""Batches: answers as of single queries, arrays of any layout, threads."""

from __future__ import annotations

import math
import os
import threading
import tracemalloc

import fractalray as fr
import numpy as np
import pytest
from fractalray._library import lib

COUNT = 500


@pytest.fixture
def terrain() -> fr.World:
    """Returns 64 x 64 x 64 blocks of hills, on threads."""
    world = fr.World(executor=fr.Executor(3))
    stone = world.block_types.add("stone")
    leaves = world.block_types.add("leaves", fr.Kind.PERMEABLE)
    x, z, y = np.meshgrid(*[np.arange(64)] * 3, indexing="ij")
    height = 12 + 6 * np.sin(x / 7) + 5 * np.cos(z / 5)
    ids = np.where(y < height, stone, np.where(y < height + 2, leaves, fr.AIR))
    world.load_chunks(0, (0, 0, 0), ids.transpose(0, 2, 1).astype(np.uint8))
    return world


def ends(count: int = COUNT) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    starts, targets = rng.random((2, count, 3)) * 64
    starts[:, 1] += 30
    return starts, targets


def test_batches_answer_as_single_queries(terrain: fr.World) -> None:
    starts, targets = ends()
    lines = fr.Lines.segments(starts, targets)
    options = fr.Options(report_unknown=True)
    closest = terrain.closest_hits(lines, options=options)
    sights = terrain.occluded_many(lines, blockers=True)
    shots = terrain.shoot_many(lines)
    assert len(shots) == len(lines) == COUNT
    for i, (start, target) in enumerate(zip(starts, targets)):
        line = fr.Line.segment(start, target)
        single = terrain.closest_hit(line, options=options)
        record = closest.hits[i]
        assert (fr.Hit.from_record(record) if record["kind"] else None) == single.hit
        unknown = closest.unknown_from[i]
        assert (None if np.isnan(unknown) else unknown) == single.unknown_from
        assert sights.answers[i] == terrain.occluded(line)
        assert (sights.blockers["kind"][i] != 0) == (sights.answers[i] == fr.Occlusion.BLOCKED)
        assert shots[i].hits == terrain.shoot(line).hits
    assert np.count_nonzero(closest.hits["kind"]) > COUNT / 5
    assert not closest.results.any() and not sights.results.any()
    assert shots.summary.hits == len(shots.hits()) == sum(map(len, shots))


def test_inputs_have_any_layout(terrain: fr.World) -> None:
    starts, targets = ends()
    starts, targets = starts.astype(np.float32), targets.astype(np.float32)
    expected = terrain.closest_hits(fr.Lines.segments(starts, targets)).hits
    table = np.zeros(COUNT, [("flag", "u1"), ("at", "<f4", 3), ("to", "<f8", 3)])
    table["at"], table["to"] = starts, targets
    sparse = np.zeros((3, 2 * COUNT))
    sparse[:, ::2] = starts.T
    units = [np.floor(each.astype(np.float64) * 65536 + 0.5).astype(np.int64)
             for each in (starts, targets)]
    for lines in (
        fr.Lines.segments(table["at"], table["to"]),
        fr.Lines.segments(np.asfortranarray(starts), targets.astype(np.float64)),
        fr.Lines.segments(sparse[:, ::2].T, targets[::-1][::-1]),
        fr.Lines.segments(starts.tolist(), targets.astype(">f8")),
        fr.Lines.units(*units),
        fr.Lines.of([fr.Line.segment(a, b) for a, b in zip(starts, targets)]),
    ):
        assert np.array_equal(terrain.closest_hits(lines).hits, expected)


def test_one_vector_stands_for_all(terrain: fr.World) -> None:
    _, targets = ends()
    eye = np.array([32.0, 50, 32])
    expected = terrain.closest_hits(fr.Lines.segments(np.tile(eye, (COUNT, 1)), targets)).hits
    for start in (eye, eye.tolist(), np.broadcast_to(eye, (COUNT, 3))):
        hits = terrain.closest_hits(fr.Lines.segments(start, targets)).hits
        assert np.array_equal(hits, expected)
    same = np.broadcast_to(np.float64(40), (COUNT, 3))  # a stride of 0 on both axes
    assert len(terrain.closest_hits(fr.Lines.segments(same, targets)).hits) == COUNT


def test_rays_have_distances_and_bounds(terrain: fr.World) -> None:
    starts, targets = ends()
    directions = targets - starts
    box = ((0, 0, 0), (64, 100, 64))
    reach = np.linspace(1, 100, COUNT)
    hits = terrain.closest_hits(fr.Lines.rays(starts, directions, reach, box)).hits
    for i in range(0, COUNT, 7):
        ray = fr.Line.ray(starts[i], directions[i], reach[i], box)
        assert (terrain.closest_hit(ray).hit is None) == (hits["kind"][i] == 0)
    assert (hits["distance"] <= reach + 1e-9).all()
    near = terrain.closest_hits(fr.Lines.rays(starts, directions, 40.0)).hits
    assert 0 < np.count_nonzero(near["kind"]) < np.count_nonzero(hits["kind"])


def test_inputs_are_not_copied() -> None:
    starts, targets = np.zeros((2, 100_000, 3))
    table = np.zeros((100_000, 8), np.float32)
    tracemalloc.start()
    lines = [fr.Lines.segments(starts, targets), fr.Lines.segments(table[:, :3], table[:, 4:7])]
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 50_000
    assert lines[0]._struct.from_.data == starts.ctypes.data


def test_large_batches_fill_arrays_of_the_caller(terrain: fr.World) -> None:
    # A million rays work the same; FRACTALRAY_LONG_TESTS shows it.
    count = 1_000_000 if os.environ.get("FRACTALRAY_LONG_TESTS") else 20_000
    lines = fr.Lines.segments(*ends(count))
    out = np.zeros(count, fr.HIT)
    closest = terrain.closest_hits(lines, out=out)
    assert closest.hits is out
    assert closest.summary.completed == count
    assert closest.summary.hits == np.count_nonzero(out["kind"])
    with pytest.raises(fr.InvalidArgumentError):
        terrain.closest_hits(lines, out=out[1:])
    with pytest.raises(fr.InvalidArgumentError):
        terrain.closest_hits(lines, out=np.zeros((count, 2), fr.HIT)[:, 0])
    out.flags.writeable = False
    with pytest.raises(fr.InvalidArgumentError, match="read-only"):
        terrain.closest_hits(lines, out=out)


def test_a_wrong_line_stops_no_other(terrain: fr.World) -> None:
    starts, targets = ends(10)
    starts[3, 1] = np.nan
    targets[7, 0] = 1e30
    closest = terrain.closest_hits(fr.Lines.segments(starts, targets))
    assert np.flatnonzero(closest.results).tolist() == [3, 7]
    assert closest.summary.errors == 2
    assert "nan" in closest.summary.first_error.lower()
    assert closest.hits["kind"][[3, 7]].tolist() == [0, 0]


def test_lines_have_levels_and_ignored_entities_of_their_own() -> None:
    world = fr.World(levels=2)
    for i in range(3):
        world.entities.add(i, fr.Sphere(0.5), (4 * i + 4, 2, 2), level=i % 2)
    line = fr.Line.segment((0, 2, 2), (15, 2, 2))
    own = fr.Lines.of([line] * 4, levels=[1, 2, 3, 3], ignore=[[], [], [0, 1], [0]])
    assert world.closest_hits(own).hits["id"].tolist() == [0, 1, 2, 1]
    shooters = fr.Lines.of([line] * 3, ignore=np.arange(3))
    assert world.closest_hits(shooters).hits["id"].tolist() == [1, 0, 0]
    after = [[], world.shoot(line).hits[:1], world.shoot(line).array[:2]]
    resumed = fr.Lines.of([line] * 3, after=after)
    assert world.closest_hits(resumed).hits["id"].tolist() == [0, 1, 2]


def test_effects_of_a_batch_run_in_order(terrain: fr.World) -> None:
    lines = fr.Lines.segments(*ends(50))
    seen = []
    batch = terrain.shoot_many(lines, on_hit=lambda hit: seen.append(hit))
    assert [(hit.block, hit.t) for hit in seen] == [
        (tuple(cell), t) for cell, t in zip(batch.hits()["cell"].tolist(), batch.hits()["t"])
    ]


def test_filters_on_threads_may_raise(terrain: fr.World) -> None:
    def fail(hit: fr.Hit) -> bool:
        raise LookupError("in a filter")

    with pytest.raises(LookupError, match="in a filter"):
        terrain.closest_hits(fr.Lines.segments(*ends()), options=fr.Options(block_filter=fail))
    assert terrain.closest_hits(fr.Lines.segments(*ends())).summary.errors == 0


def test_a_failure_on_a_thread_reaches_the_batches_of_its_callback_alone(terrain: fr.World) -> None:
    lines = fr.Lines.segments(*ends())
    other, answers = fr.World(), []
    stone = other.block_types.add("stone")
    other.load_uniform_chunk(0, (0, 0, 0), stone)

    def fail_in_another_batch(hit: fr.Hit) -> None:
        with pytest.raises(LookupError):
            terrain.closest_hits(lines, options=fr.Options(block_filter=fail))

    def fail(hit: fr.Hit) -> bool:
        raise LookupError

    def shoot() -> None:
        line = fr.Line.segment((2, 2, 2), (14, 2, 2))
        answers.append(len(other.shoot(line, on_hit=fail_in_another_batch)))

    for _ in range(5):
        thread = threading.Thread(target=shoot)
        thread.start()
        thread.join()
    assert answers == [1] * 5


def test_a_batch_has_its_length_after_an_error(terrain: fr.World) -> None:
    def fail(hit: fr.Hit) -> None:
        raise LookupError

    batch = terrain.shoot_many(fr.Lines.segments(*ends(10)))
    for count in (50, 20):
        with pytest.raises(LookupError):
            terrain.shoot_many(fr.Lines.segments(*ends(count)), on_hit=fail, batch=batch)
        assert len(batch) == len(batch.results()) == len(list(batch)) <= count
        with pytest.raises(fr.OutOfRangeError):
            batch.results(0, len(batch) + 1)
        results = np.zeros(2, fr.RESULT)  # to the library, too, there is no other one
        results["struct_size"] = fr.RESULT.itemsize
        after = lib.frShotBatch_GetResults(batch._handle, len(batch), 1, results.ctypes.data)
        assert after == 11


def test_the_first_error_of_shots_is_not_that_of_a_later_call(terrain: fr.World) -> None:
    starts, targets = ends(20)
    starts[[7, 9], 1] = math.nan
    lines, options = fr.Lines.segments(starts, targets), fr.Options(max_batch_steps=100)

    def first_error(batch: fr.ShotBatch) -> str:
        with pytest.raises(fr.NotFoundError):
            terrain.block_types["gravel"]
        return batch.summary.first_error

    batch = terrain.shoot_many(lines)
    text = first_error(batch)
    assert text.startswith("line 7: ") and batch.summary.errors == 2
    resumed = terrain.shoot_many(lines, options=options)
    while resumed.summary.completed < len(lines):
        terrain.resume_many(lines, resumed, options=options)
    assert first_error(resumed) == text
    assert first_error(terrain.shoot_many(fr.Lines.segments(*ends(5)), batch=batch)) == ""


def test_the_first_error_of_shots_that_a_callback_ends_is_theirs(world: fr.World) -> None:
    starts = np.tile((0.5, 2.5, 2.5), (3, 1))
    starts[0, 1] = math.nan

    def fail(hit: fr.Hit) -> None:
        raise LookupError

    batch = fr.ShotBatch()
    with pytest.raises(LookupError):
        world.shoot_many(fr.Lines.segments(starts, (15.5, 2.5, 2.5)), on_hit=fail, batch=batch)
    assert batch.summary.errors == 1
    assert batch.summary.first_error == "line 0: INVALID_ARGUMENT"


def test_filters_on_threads_answer_as_on_one(terrain: fr.World) -> None:
    lines = fr.Lines.segments(*ends())
    leaves = terrain.block_types["leaves"]
    options = fr.Options(block_filter=lambda hit: hit.type != leaves)
    expected = terrain.closest_hits(lines, options=fr.Options(solid_only=True)).hits
    assert np.array_equal(terrain.closest_hits(lines, options=options).hits, expected)


def test_a_batch_is_continued_when_its_steps_ran_out(terrain: fr.World) -> None:
    lines = fr.Lines.segments(*ends())
    whole = terrain.shoot_many(lines)
    options = fr.Options(max_batch_steps=2000)
    batch = terrain.shoot_many(lines, options=options)
    assert batch.summary.completed < COUNT
    assert fr.Progress.NOT_STARTED in batch.results()["progress"]
    while batch.summary.completed < COUNT:
        terrain.resume_many(lines, batch, options=options)
    assert np.array_equal(batch.hits(), whole.hits())
    reused = terrain.shoot_many(lines, batch=batch)
    assert reused is batch and np.array_equal(batch.hits(), whole.hits())


def test_shots_of_a_batch_are_indexed(terrain: fr.World) -> None:
    batch = terrain.shoot_many(fr.Lines.segments(*ends(3)))
    assert len(list(batch)) == 3
    for number in (-1, 3):
        with pytest.raises(IndexError):
            batch[number]
    with pytest.raises(fr.OutOfRangeError):
        batch.hits(0, batch.summary.hits + 1)


def test_an_executor_has_threads() -> None:
    assert fr.Executor(3).threads == 3
    assert fr.Executor().threads >= 1
    for number in (-1, 1025):
        with pytest.raises(fr.OutOfRangeError):
            fr.Executor(number)


def test_the_dtypes_are_those_of_the_structs() -> None:
    assert (fr.HIT.itemsize, fr.LINE.itemsize, fr.RESULT.itemsize) == (168, 72, 392)
    assert fr.HIT["point"].shape == (3,)


def test_a_batch_of_no_lines_is_empty(terrain: fr.World) -> None:
    none = fr.Lines.segments(np.zeros((0, 3)), np.zeros((0, 3)))
    assert len(terrain.closest_hits(none).hits) == 0
    assert len(terrain.shoot_many(none)) == 0
    assert len(terrain.occluded_many(fr.Lines.of([])).answers) == 0


def _cells_of(line: fr.Line, most: float, widths) -> list:
    """Returns the cells that a single walk visits, up to a time."""
    with fr.Walk(line.start, line.end, widths) as walk:
        cells = walk.cells()
    return cells["cell"][cells["t"] <= most].tolist()


@pytest.mark.parametrize("widths", [1.0, (0.5, 2.0, 1.0)])
def test_walks_of_many_lines_have_the_cells_of_single_walks(widths) -> None:
    rng = np.random.default_rng(7)
    starts, ends = rng.uniform(-20, 20, (2, 200, 3))
    starts[:50] = np.round(starts[:50])  # through corners
    ends[:50] = np.round(ends[:50])
    walks = fr.walk_many(fr.Lines.segments(starts, ends), widths, times=True)
    assert walks.errors == 0 and walks.offsets[0] == 0 and walks.offsets[-1] == len(walks.cells)
    for i, line in enumerate(map(fr.Line.segment, starts, ends)):
        part = slice(walks.offsets[i], walks.offsets[i + 1])
        assert walks.cells[part].tolist() == _cells_of(line, 1, widths)
        assert walks.times[part][0] == 0 and np.all(np.diff(walks.times[part]) >= 0)


def test_walks_of_rays_end_at_their_distance() -> None:
    rng = np.random.default_rng(8)
    origins, directions = rng.uniform(-20, 20, (2, 50, 3))
    walks = fr.walk_many(fr.Lines.rays(origins, directions, 9.0), corner=fr.Corner.BOTH)
    assert len(walks.times) == 0
    for i, (origin, direction) in enumerate(zip(origins, directions)):
        line = fr.Line.ray(origin, direction, 9.0)
        with fr.Walk(line.start, line.end) as walk:
            cells = walk.take(64)
        expected = cells["cell"][cells["t"] <= line.end_time]
        assert walks.cells[walks.offsets[i] : walks.offsets[i + 1]].tolist() == expected.tolist()


def test_a_bad_line_among_walks_is_counted_and_has_no_cells() -> None:
    starts = np.full((3, 3), 0.5)
    starts[1, 2] = np.nan
    walks = fr.walk_many(fr.Lines.segments(starts, (2.5, 0.5, 0.5)))
    assert walks.offsets.tolist() == [0, 3, 3, 6] and walks.errors == 1
    assert walks.results.tolist() == [0, 3, 0] and "line 1" in walks.first_error
    endless = fr.walk_many(fr.Lines.rays((0, 0, 0), (1, 2, 3)))
    assert endless.errors == 1 and "shorter distance" in endless.first_error
    assert fr.walk_many(fr.Lines.segments(np.empty((0, 3)), (1, 1, 1))).offsets.tolist() == [0]


@pytest.mark.parametrize("arguments", [(0,), (-1.0,), ((1, 2),), (1, 9)])
def test_unsuitable_walks_of_lines_are_refused(arguments) -> None:
    lines = fr.Lines.segments((0, 0, 0), (1, 1, 1))
    with pytest.raises(ValueError):
        fr.walk_many(lines, *arguments)


def test_lines_without_a_hit_have_zeros(world: fr.World) -> None:
    starts = [(1, 2.5, 2.5), (1, 20, 2.5), (math.nan, 1, 1)]
    out = np.frombuffer(b"\x7f" * (3 * fr.HIT.itemsize), fr.HIT).copy()
    hits = world.closest_hits(fr.Lines.rays(np.array(starts), (1, 0, 0), 40.0), out=out).hits
    assert hits["kind"].tolist() == [fr.HitKind.BLOCK, fr.HitKind.NONE, fr.HitKind.NONE]
    for name in ("distance", "t", "point", "normal", "cell", "type", "id"):
        assert not hits[1:][name].any(), name
    seen = np.where(hits["kind"] == fr.HitKind.NONE, np.inf, hits["distance"])
    assert seen.tolist() == [3, np.inf, np.inf]


def test_walks_of_very_many_cells_are_complete() -> None:
    lines = fr.Lines.segments((0.5, 0.5, 0.5), np.array([[5000.0, 0.5, 0.5], [0.5, -700, 0.5]]))
    walks = fr.walk_many(lines, times=True)
    assert walks.offsets.tolist() == [0, 5001, 5702] and len(walks.times) == 5702
    assert walks.cells[5000].tolist() == [5000, 0, 0] and walks.cells[-1].tolist() == [0, -700, 0]
