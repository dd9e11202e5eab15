# SPDX-License-Identifier: Apache-2.0
"""Cursors: hits on request, of which no error loses any."""

from __future__ import annotations

import fractalray as fr
import numpy as np
import pytest
from fractalray._library import lib


class Oops(Exception):
    pass


@pytest.fixture
def panes(scene) -> fr.World:
    """Twelve panes of glass, at x = 1, 2, ... on the line of the scene."""
    ids = np.zeros((16, 16, 16), np.uint16)
    ids[1:13] = scene.glass
    scene.world.load_chunks(0, (0, 0, 0), ids)
    return scene.world


def columns(hits) -> list[int]:
    """Returns the x of the blocks of an array of hits."""
    return hits["cell"][:, 0].tolist()


def test_take_and_iteration_share_a_position(scene, panes) -> None:
    cursor = panes.hits_along(scene.line)
    assert columns(cursor.take(2)) == [1, 2]
    assert next(cursor).block[0] == 3
    assert columns(cursor.take(100)) == list(range(4, 13))
    assert len(cursor.take(5)) == 0
    with pytest.raises(StopIteration):
        next(cursor)


def test_hits_that_an_error_cuts_off_come_with_the_next_call(scene, panes) -> None:
    whole = len(panes.shoot(scene.line))
    interrupted = 0
    for max_steps in range(5, 60):
        options = fr.Options(max_steps=max_steps)
        try:
            cursor = panes.hits_along(scene.line, options=options)
        except fr.ResourceExhaustedError:
            continue
        one_by_one = panes.hits_along(scene.line, options=options)
        expected = []
        with pytest.raises((fr.ResourceExhaustedError, StopIteration)):
            while True:
                expected.append(next(one_by_one).block[0])
        if len(expected) == whole:
            break
        with pytest.raises(fr.ResourceExhaustedError):
            cursor.take(100)
        half = len(expected) // 2
        assert columns(cursor.take(half or 1)) == expected[: half or 1]
        rest = [next(cursor).block[0] for _ in expected[half or 1 :]]
        assert rest == expected[half or 1 :]
        for _ in range(2):
            with pytest.raises(fr.ResourceExhaustedError):
                cursor.take(1)
        interrupted += 1
    assert interrupted > 3


def test_hits_before_an_interrupt_come_with_the_next_call(scene, panes, monkeypatch) -> None:
    following = lib.frCursor_Next

    def interrupted(*arguments: object) -> int:
        following(*arguments)
        raise KeyboardInterrupt

    cursor = panes.hits_along(scene.line)
    monkeypatch.setattr(lib, "frCursor_Next", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cursor.take(5)
    with pytest.raises(KeyboardInterrupt):
        cursor.take(7)
    monkeypatch.setattr(lib, "frCursor_Next", following)
    assert columns(cursor.take(100)) == list(range(1, 13))


@pytest.fixture
def long_panes(scene) -> fr.Line:
    """A pane at each x from 1 to 63; returns a line through all of them."""
    ids = np.full((64, 16, 16), scene.glass, np.uint16)
    ids[0] = fr.AIR
    scene.world.load_chunks(0, (0, 0, 0), ids)
    return fr.Line.segment((0.5, 2.5, 2.5), (63.5, 2.5, 2.5))


def taken_after_a_failure(cursor: fr.HitCursor) -> list[int]:
    """Returns the columns that a cursor returns after a callback has raised."""
    with pytest.raises(Oops):
        cursor.take(100)
    rest = []
    with pytest.raises(fr.FailedPreconditionError, match="has raised; .*after"):
        while True:
            rest.append(next(cursor).block[0])
    with pytest.raises(fr.FailedPreconditionError):
        cursor.take(1)
    return rest


def test_a_filter_that_raises_loses_no_hits_before(scene, long_panes) -> None:
    def fails_at_sixty(hit: fr.Hit) -> bool:
        if hit.block[0] == 60:
            raise Oops
        return hit.block[0] % 3 != 0

    options = fr.Options(block_filter=fails_at_sixty)
    cursor = scene.world.hits_along(long_panes, options=options)
    first = next(cursor).block[0]
    found = [first, *taken_after_a_failure(cursor)]
    assert found == [x for x in range(1, 60) if x % 3 != 0][: len(found)]
    assert len(found) >= 5  # how many depends on how far ahead blocks are filtered


def test_a_terminal_test_that_raises_loses_no_hits_before(scene, long_panes) -> None:
    def fails_at_sixty(hit: fr.Hit) -> bool:
        if hit.block[0] == 60:
            raise Oops
        return False

    scene.world.on_block_hit(scene.glass, is_terminal=fails_at_sixty)
    found = taken_after_a_failure(scene.world.hits_along(long_panes))
    assert found == list(range(1, len(found) + 1)) and len(found) >= 5


def test_a_cursor_with_filters_takes_many(scene, panes) -> None:
    even = fr.Options(block_filter=lambda hit: hit.block[0] % 2 == 0)
    cursor = panes.hits_along(scene.line, options=even)
    assert columns(cursor.take(4)) == [2, 4, 6, 8]
    assert columns(cursor.take(4)) == [10, 12]
