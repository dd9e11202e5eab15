# SPDX-License-Identifier: Apache-2.0
"""Sight of boxes: one and many, witnesses, certificates, exposures."""

from __future__ import annotations

import threading

import fractalray as fr
import numpy as np
import pytest

EYE = (2.5, 4.5, 4.5)
UNIT = fr.UNITS_PER_BLOCK


def with_wall(world: fr.World) -> fr.World:
    """Adds a wall at x = 8 with a hole, y = z = 4."""
    stone = world.block_types.add("stone")
    ids = np.zeros((16, 16, 16), np.uint16)
    ids[8] = stone
    ids[8, 4, 4] = fr.AIR
    world.load_chunks(0, (0, 0, 0), ids)
    return world


@pytest.fixture
def world() -> fr.World:
    return with_wall(fr.World())


def cube(x: float, y: float, z: float) -> fr.SightQuery:
    return fr.SightQuery(EYE, (x, y, z), (x + 1, y + 1, z + 1))


AHEAD, ASIDE, OUTSIDE = cube(12, 4, 4), cube(12, 9, 4), cube(20, 4, 4)


def test_queries_are_rounded_to_units() -> None:
    assert AHEAD.eye_units == (5 * UNIT // 2, 9 * UNIT // 2, 9 * UNIT // 2)
    assert AHEAD.box_units == ((12 * UNIT, 4 * UNIT, 4 * UNIT), (13 * UNIT, 5 * UNIT, 5 * UNIT))
    assert fr.SightQuery.units(AHEAD.eye_units, *AHEAD.box_units) == AHEAD
    assert eval(repr(AHEAD), {"SightQuery": fr.SightQuery}) == AHEAD
    assert len({AHEAD, ASIDE, cube(12, 4, 4)}) == 2


def test_an_eye_sees_through_a_hole(world: fr.World) -> None:
    assert world.visible(AHEAD) == fr.Sight.VISIBLE
    assert world.visible(ASIDE) == fr.Sight.HIDDEN
    assert not world.visible(ASIDE)
    assert world.visible(OUTSIDE) == fr.Sight.UNKNOWN
    with world.snapshot() as frozen:
        world.set_block(0, (8, 4, 4), world.block_types["stone"])
        assert world.visible(AHEAD) == fr.Sight.HIDDEN
        assert frozen.visible(AHEAD) == fr.Sight.VISIBLE


def test_options_change_what_hides(world: fr.World) -> None:
    def visible(query: fr.SightQuery, **options: object) -> fr.Sight:
        return world.visible(query, options=fr.SightOptions(**options))

    assert visible(OUTSIDE, unloaded=fr.Unloaded.TRANSPARENT) == fr.Sight.VISIBLE
    assert visible(OUTSIDE, unloaded=fr.Unloaded.OPAQUE) == fr.Sight.HIDDEN
    assert visible(ASIDE, through=0) == fr.Sight.HIDDEN
    assert visible(ASIDE, through=1) == fr.Sight.VISIBLE
    assert visible(ASIDE, no_blocks=True) == fr.Sight.VISIBLE
    assert visible(ASIDE, block_filter=lambda hit: False) == fr.Sight.VISIBLE
    sheet = [[[4 * UNIT, 0, 0], [4 * UNIT + 1, 16 * UNIT, 16 * UNIT]]]
    assert visible(AHEAD, occluders=sheet) == fr.Sight.HIDDEN
    once = fr.SightOptions(occluders=iter(sheet))
    assert [world.visible(AHEAD, options=once) for _ in range(2)] == [fr.Sight.HIDDEN] * 2
    assert visible(AHEAD, occluders=np.empty(0, fr.FIXED_BOX)) == fr.Sight.VISIBLE
    world.entities.add(5, fr.Box((0.1, 2, 2)), (5, 4.5, 4.5), categories=2)
    assert visible(AHEAD) == fr.Sight.VISIBLE
    assert visible(AHEAD, boxes_block=True) == fr.Sight.HIDDEN
    assert visible(AHEAD, boxes_block=True, ignore=iter([5])) == fr.Sight.VISIBLE
    assert visible(AHEAD, boxes_block=True, categories=2) == fr.Sight.HIDDEN
    assert visible(AHEAD, boxes_block=True, categories=0) == fr.Sight.VISIBLE
    rejecting = {"boxes_block": True, "entity_filter": lambda hit: hit.id != 5}
    assert visible(AHEAD, **rejecting) == fr.Sight.VISIBLE
    with pytest.raises(fr.ResourceExhaustedError):
        visible(ASIDE, max_steps=1)


def test_a_witness_is_a_clear_line_to_the_box(world: fr.World) -> None:
    sight, witness = world.find_witness(AHEAD)
    assert sight == fr.Sight.VISIBLE
    assert witness is not None
    assert witness.is_unit
    end = tuple(a + b for a, b in zip(AHEAD.eye_units, witness.delta))
    low, high = AHEAD.box_units
    assert all(a <= b <= c for a, b, c in zip(low, end, high))
    assert not world.occluded(fr.Line.units(AHEAD.eye_units, end))
    assert world.find_witness(ASIDE) == (fr.Sight.HIDDEN, None)


def test_a_crack_far_narrower_than_a_unit_is_seen_through() -> None:
    """Looks through a crack between the slopes p / q and r / s, which differ by 1 / (q s)."""
    far, q, p = 1 << 60, 1 << 58, (1 << 57) + 1
    s = -pow(p, -1, q) % q
    r = (1 + p * s) // q
    query = fr.SightQuery.units((0, 0, 0), (far, -far, -far), (far + 1, far, far))
    low = [[q, -far, -far], [q + 1, p, far]]
    high = [[s - 1, r, -far], [s, far, far]]

    def find(*boxes: object) -> tuple[fr.Sight, fr.Witness | None]:
        options = fr.SightOptions(occluders=list(boxes), unloaded=fr.Unloaded.TRANSPARENT)
        return fr.World().find_witness(query, options=options)

    sight, witness = find(low, high)
    assert sight == fr.Sight.VISIBLE
    assert witness is not None
    x, y, _ = witness.delta
    assert p * x < q * y
    assert s * y < r * x
    closed = [[q, p, -far], [q + 1, far, far]]
    assert find(low, closed) == (fr.Sight.HIDDEN, None)


def test_a_certificate_hides_by_itself(world: fr.World) -> None:
    boxes = world.find_certificate(ASIDE)
    assert len(boxes) >= 1
    assert boxes.dtype == fr.FIXED_BOX
    assert fr.hides(boxes, ASIDE)
    assert not fr.hides(boxes, AHEAD)
    assert not fr.hides([], ASIDE)
    assert fr.hides(boxes, ASIDE, margin=0) and not fr.hides(boxes, ASIDE, margin=100 << 16)
    assert fr.hides([[box["min"].tolist(), box["max"].tolist()] for box in boxes], ASIDE)
    assert len(world.find_certificate(AHEAD)) == 0


def test_exposures_are_shares(world: fr.World) -> None:
    assert world.exposure(AHEAD) == (1, 1)
    assert world.exposure(ASIDE) == (0, 0)
    assert world.exposure(OUTSIDE) == (0, 1)
    low, high = world.exposure(cube(12, 5, 4))
    assert 0 < low <= high < 1
    assert high - low <= 2**-20


def test_many_queries_are_answered_as_one_by_one(world: fr.World) -> None:
    lows = np.array([(9 + i % 7, i * 0.07, 4.0) for i in range(200)])
    queries = fr.sight_queries(EYE, lows, lows + 1)
    assert (queries.dtype, queries.shape) == (fr.SIGHT_QUERY, (200,))
    seen, exposures = world.visible_many(queries), world.exposures(queries)
    for many in (seen, exposures):
        assert not many.results.any()
        assert (many.errors, many.first_error) == (0, "")
    answers, shares = seen.answers, exposures.shares
    assert {fr.Sight.HIDDEN, fr.Sight.VISIBLE} <= set(answers.tolist())
    for i, low in enumerate(lows):
        query = fr.SightQuery(EYE, low, low + 1)
        assert world.visible(query) == answers[i]
        assert world.exposure(query) == tuple(shares[i])


def test_an_error_of_one_query_stops_no_other(world: fr.World) -> None:
    queries = fr.sight_queries(EYE, [(12, 4, 4), (12, 4, 4)], [(13, 5, 5), (12, 4, 5)])
    seen, exposures = world.visible_many(queries), world.exposures(queries)
    assert seen.answers.tolist() == [fr.Sight.VISIBLE, fr.Sight.UNDECIDED]
    assert exposures.shares.tolist() == [[1, 1], [0, 1]]
    for many in (seen, exposures):
        assert many.results[0] == 0
        assert many.results[1] != 0
        assert many.errors == 1
        assert many.first_error.startswith("query 1: ")


def test_many_queries_say_why_all_have_failed(world: fr.World) -> None:
    queries = fr.sight_queries(EYE, np.full((3, 3), 12.0), np.full((3, 3), 13.0))
    seen = world.visible_many(queries, levels=[])
    assert seen.errors == 3
    assert "level" in seen.first_error


def test_arrays_in_units_are_exact(world: fr.World) -> None:
    low, high = (np.array([each]) for each in AHEAD.box_units)
    queries = fr.sight_queries(np.array(AHEAD.eye_units), low, high, units=True)
    assert queries.tobytes() == bytes(AHEAD._struct)
    empty = np.empty((0, 3))
    none = world.visible_many(fr.sight_queries(EYE, empty, empty))
    assert len(none.answers) == len(none.results) == none.errors == 0


def test_viewers_see_boxes_as_their_eyes_do(world: fr.World) -> None:
    eyes = np.array([EYE, EYE, (12.5, 12, 4.5)])
    lows = np.array([(12, 4, 4), (12, 9, 4), (20, 4, 4)], float)
    alone = world.visible_boxes(eyes, lows, lows + 1)
    assert (alone.dtype, alone.shape) == (np.uint8, (3, 3))
    for eye, row in zip(eyes, alone):
        for low, answer in zip(lows, row):
            assert world.visible(fr.SightQuery(eye, low, low + 1)) == answer
    both = world.visible_boxes(eyes, lows, lows + 1, eye_counts=[1, 2, 0])
    hidden, unknown, seen = fr.Sight.HIDDEN, fr.Sight.UNKNOWN, fr.Sight.VISIBLE
    assert both.tolist() == [[seen, hidden, unknown], [seen, seen, unknown], [fr.Sight.SKIPPED] * 3]
    units = [np.round(array * 65536).astype(np.int64) for array in (eyes, lows, lows + 1)]
    assert (world.visible_boxes(*units, units=True) == alone).all()
    left_out = np.eye(3, dtype=bool)
    some = world.visible_boxes(eyes, lows, lows + 1, left_out=left_out)
    assert (some[left_out] == fr.Sight.SKIPPED).all()
    assert (some[~left_out] == alone[~left_out]).all()
    near = world.visible_boxes(EYE, lows, lows + 1, max_distance=10 * 65536)
    assert near.tolist() == [[seen, fr.Sight.SKIPPED, fr.Sight.SKIPPED]]
    few = fr.SightOptions(max_steps=1)
    for answer in (fr.Sight.UNDECIDED, hidden, seen):
        decided = world.visible_boxes(EYE, lows[1], lows[1] + 1, options=few, if_undecided=answer)
        assert decided.tolist() == [[answer]]
    assert world.visible_boxes(np.empty((0, 3)), lows, lows + 1).shape == (0, 3)


def test_a_history_answers_as_none_would(world: fr.World) -> None:
    eyes = np.array([EYE, EYE])
    lows = np.array([(12, 4, 4), (12, 9, 4), (20, 4, 4)], float)
    fresh = world.visible_boxes(eyes, lows, lows + 1)
    with fr.SightHistory() as history:
        assert (world.visible_boxes(eyes, lows, lows + 1, history=history) == fresh).all()
        assert history.last == fr.TableAnswers(6, 0, 0, 0, searched=6)
        assert (world.visible_boxes(eyes, lows, lows + 1, history=history) == fresh).all()
        assert history.last.pairs == sum(history.last[1:]) == 6
        assert history.last.unchanged > 0
        world.set_block(0, (8, 4, 4), world.block(0, (8, 3, 4)))
        kept = world.visible_boxes(eyes, lows, lows + 1, history=history)
        assert (kept == world.visible_boxes(eyes, lows, lows + 1)).all()
        assert kept[0, 0] == fr.Sight.HIDDEN
    with pytest.raises(fr.FailedPreconditionError, match="SightHistory is closed"):
        world.visible_boxes(eyes, lows, lows + 1, history=history)
    with pytest.raises(TypeError, match="history"):
        world.visible_boxes(eyes, lows, lows + 1, history=[])  # type: ignore[arg-type]


def test_wrong_viewers_and_boxes_are_refused(world: fr.World) -> None:
    lows = np.array([(12, 4, 4), (12, 9, 4)], float)
    with pytest.raises(fr.InvalidArgumentError, match=r"boxes\[0\]"):
        world.visible_boxes(EYE, lows + 1, lows)
    with pytest.raises(fr.InvalidArgumentError):
        world.visible_boxes(EYE, lows, (lows + 1)[:1])
    with pytest.raises(fr.InvalidArgumentError, match="add up to 2"):
        world.visible_boxes(EYE, lows, lows + 1, eye_counts=[2])
    with pytest.raises(fr.InvalidArgumentError, match="left_out"):
        world.visible_boxes(EYE, lows, lows + 1, left_out=[True])
    with pytest.raises(fr.InvalidArgumentError, match="if_undecided"):
        world.visible_boxes(EYE, lows, lows + 1, if_undecided=fr.Sight.UNKNOWN)
    with pytest.raises(fr.OutOfRangeError, match=r"viewers\[0\]"):
        world.visible_boxes((1e300, 0, 0), lows, lows + 1)


def test_wrong_arguments_are_refused(world: fr.World) -> None:
    with pytest.raises(fr.InvalidArgumentError):
        world.visible(fr.SightQuery(EYE, (12, 4, 4), (12, 4, 5)))
    with pytest.raises(fr.InvalidArgumentError):
        world.visible(AHEAD, [])
    with pytest.raises(fr.OutOfRangeError):
        fr.SightQuery(EYE, (12, 4, 4), (1e300, 4, 5))
    with pytest.raises(TypeError):
        world.visible(EYE)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        world.visible(AHEAD, options=fr.Options())  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        world.visible_many([AHEAD])  # type: ignore[arg-type]
    with pytest.raises(fr.InvalidArgumentError):
        world.visible(AHEAD, options=fr.SightOptions(unloaded=3))  # type: ignore[arg-type]
    with pytest.raises(fr.InvalidArgumentError):
        world.visible(AHEAD, options=fr.SightOptions(occluders=[[1, 2, 3]]))
    with pytest.raises(TypeError, match="occluders is None; it must be an array"):
        world.visible(AHEAD, options=fr.SightOptions(occluders=None))
    with pytest.raises(fr.InvalidArgumentError):
        fr.sight_queries(EYE, np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(fr.InvalidArgumentError, match=r"or \(3,\) for all$"):
        fr.sight_queries((2.5, 4.5), np.zeros((2, 3)), np.ones((2, 3)))


def test_an_exception_of_a_filter_passes(world: fr.World) -> None:
    def fail(hit: fr.Hit) -> bool:
        raise KeyError("x")

    for ask in (world.visible, world.exposure, world.find_certificate):
        with pytest.raises(KeyError):
            ask(ASIDE, options=fr.SightOptions(block_filter=fail))


def test_an_exception_of_a_filter_on_a_thread_passes() -> None:
    """The filter fails on threads of the executor alone, for which this one waits."""
    world = with_wall(fr.World(executor=fr.Executor(3)))
    queries = fr.sight_queries(np.tile(EYE, (640, 1)), (12, 9, 4), (13, 10, 5))
    here, has_failed = threading.get_ident(), threading.Event()

    def fail_elsewhere(hit: fr.Hit) -> bool:
        if threading.get_ident() == here:
            return has_failed.wait(20)
        has_failed.set()
        raise KeyError("x")

    options = fr.SightOptions(block_filter=fail_elsewhere)
    for ask in (world.visible_many, world.exposures):
        has_failed.clear()
        with pytest.raises(KeyError):
            ask(queries, options=options)


def indices(found: np.ndarray) -> list[tuple[int, int, int]]:
    return [tuple(block) for block in found["block"].tolist()]


def test_blocks_in_sight_are_those_that_say_visible(world: fr.World) -> None:
    gold = world.block_types.add("gold")
    for at in ((8, 3, 3), (9, 9, 9), (12, 4, 4), (14, 9, 4)):
        world.set_block(0, at, gold)
    seen = world.visible_blocks(EYE, 20, types=[gold])
    assert seen.visible.dtype == fr.FOUND_BLOCK
    assert indices(seen.visible) == [(8, 3, 3), (12, 4, 4)]
    assert not seen.unknown.size and not seen.undecided.size
    # All blocks of the wall, but for the hole, and the gold that shows in it.
    assert len(world.visible_blocks(EYE, 30).visible) == 15 * 16 + 15 + 1
    for name, at in (("visible", (8, 3, 3)), ("hidden", (9, 9, 9))):
        assert world.visible(cube(*at)) == fr.Sight[name.upper()]
    seen = world.visible_blocks(EYE, 20, [0], fr.SightOptions(through=1), types=iter([gold]))
    assert len(seen.visible) == 4
    few = fr.SightOptions(max_steps=1)
    assert indices(world.visible_blocks(EYE, 20, None, few, types=[gold]).undecided) == [
        (8, 3, 3),
        (9, 9, 9),
        (12, 4, 4),
        (14, 9, 4),
    ]
    near = fr.Options(block_filter=lambda hit: hit.block[0] < 10)
    assert indices(world.visible_blocks(EYE, 20, types=[gold], targets=near).visible) == [(8, 3, 3)]
    far = world.visible_blocks((-3, 4.5, 4.5), 20, types=[gold])
    assert indices(far.unknown) == [(8, 3, 3), (12, 4, 4)] and not far.visible.size
    with pytest.raises(fr.InvalidArgumentError, match="radius"):
        world.visible_blocks(EYE, -1)
    with pytest.raises(fr.InvalidArgumentError, match="777"):
        world.visible_blocks(EYE, 5, types=[777])
