# SPDX-License-Identifier: Apache-2.0
"""Moves of the frame, paths, and the walk over cells."""

from __future__ import annotations

import fractalray as fr
import numpy as np
import pytest


def test_a_descent_keeps_what_is_below() -> None:
    world = fr.World(levels=2, anchor="7a3")
    stone = world.block_types.add("stone")
    world.load_uniform_chunk(0, (0, 0, 0), fr.AIR)
    world.load_uniform_chunk(1, (3, 4, 5), stone)
    world.entities.add(9, fr.Sphere(1), (1, 1, 1), level=0)
    move = world.window.descend((3, 4, 5))
    assert (move.kind, move.dropped_chunks, move.evicted) == (fr.MoveKind.DESCEND, 1, [9])
    assert world.window.anchor == "7a3_345"
    assert move.chunk(1, (3, 4, 5)) == (0, (0, 0, 0))
    assert move.chunk(0, (0, 0, 0)) is None
    assert move.block(1, (48, 64, 80)) == (0, (0, 0, 0))
    assert move.point((48 * 65536, 64 * 65536, 80 * 65536)) == (0, 0, 0)
    assert world.block(0, (0, 0, 0)) == stone
    assert world.window.climb().kind == fr.MoveKind.CLIMB
    assert world.window.anchor == "7a3"
    assert world.window.recenter((1, 0, 0)).chunk(0, (1, 0, 0)) == (0, (0, 0, 0))
    assert world.window.anchor == "8a3"


def test_a_climb_at_the_root_is_refused() -> None:
    world = fr.World(levels=2)
    with pytest.raises(fr.FailedPreconditionError, match="root"):
        world.window.climb()


def test_paths_name_chunks() -> None:
    world = fr.World(levels=2, anchor="7a3")
    assert world.window.path(1, (1, 2, 3)) == "7a3_123"
    assert fr.follow_path("123_456", (0, 0, 0)) == ((16 + 4, 32 + 5, 48 + 6), 2)
    for wrong in ("xyz", "12", "123_"):
        with pytest.raises(fr.InvalidArgumentError):
            fr.follow_path(wrong, (0, 0, 0))
        with pytest.raises(fr.InvalidArgumentError):
            fr.World(anchor=wrong)


def test_bindings_follow_moves() -> None:
    world = fr.World(levels=2, anchor="7a3")
    world.load_uniform_chunk(1, (0, 0, 0), fr.AIR)
    lamp = world.entities.add(1, fr.Sphere(0.2), (8.5, 2.5, 2.5), level=1)
    bindings = fr.Bindings(world)
    bindings.bind(lamp, 1, (8, 2, 2))
    assert bindings.follow(world.window.descend((0, 0, 0))).tolist() == []
    assert bindings.block(lamp) == (0, (8, 2, 2))


def test_a_walk_visits_cells_in_order() -> None:
    with fr.Walk((0.5, 0.5), (2.5, 1.5)) as walk:
        assert walk.crossings == 3
        cells = walk.cells()
    assert cells["cell"][:, :2].tolist() == [[0, 0], [1, 0], [1, 1], [2, 1]]
    assert cells["t"].tolist() == [0, 0.25, 0.5, 0.75]
    with pytest.raises(fr.FailedPreconditionError):
        walk.cells()


def test_a_walk_is_taken_in_pieces() -> None:
    def walk() -> fr.Walk:
        return fr.Walk((0, 0, 0), (3000, 100.5, 7), (1, 2, 0.5), fr.Corner.STAIRCASE)

    cells = walk().cells()
    assert len(cells) == walk().crossings + 1 > 2048
    pieces = walk()
    assert pieces.take(10)["cell"].tolist() == cells[:10]["cell"].tolist()
    assert pieces.cells()["cell"].tolist() == cells[10:]["cell"].tolist()


@pytest.mark.parametrize(
    "arguments",
    [((0, 0), (1, 1, 1)), ((0,), (1,)), ((0, 0), (1, 1), (1, 2, 3)), ((0, 0), (1, 1), 0),
     ((0, 0), (1, 1), -1), ((0, 0), (float("nan"), 1)), ((0, 0), (1, 1), 1, 7)],
)
def test_unsuitable_walks_are_refused(arguments) -> None:
    with pytest.raises(ValueError):
        fr.Walk(*arguments)


@pytest.mark.parametrize(
    "arguments",
    [((0, 0), (1, 1), 0.05), ((0, 0), (1, 1), (1, 0.1)), ((0, 0, 0), (1, 1, 1), np.float32(0.05)),
     ((0, 0), (1, 1), 1e-9)],
)
def test_widths_that_would_be_rounded_are_refused(arguments) -> None:
    with pytest.raises(fr.InvalidArgumentError, match="not a multiple of 1/65536; divide the"):
        fr.Walk(*arguments)
    if len(arguments[0]) == 3:
        with pytest.raises(fr.InvalidArgumentError, match="not a multiple of 1/65536; divide the"):
            fr.walk_many(fr.Lines.segments(*arguments[:2]), arguments[2])


@pytest.mark.parametrize("width", [0.05, 0.1, 0.0625, 0.3, 3.0, 1 / 65536, 7 / 65536, 0.5])
def test_the_cell_of_a_point_is_its_floor_or_an_error(width: float) -> None:
    points = np.random.default_rng(11).integers(-(1 << 24), 1 << 24, (2000, 3)) / 65536
    lines = fr.Lines.segments(points, points)
    try:
        walks = fr.walk_many(lines, width)
    except fr.InvalidArgumentError as error:
        assert width * 65536 != round(width * 65536)
        exact = float(str(error).split()[-1])
        assert abs(exact - width) <= 0.5 / 65536
        fr.walk_many(lines, exact)
        return
    numerator = np.floor(points * 65536).astype(np.int64)
    assert np.array_equal(walks.cells, numerator // round(width * 65536))
