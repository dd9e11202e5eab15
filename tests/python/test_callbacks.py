# SPDX-License-Identifier: Apache-2.0
"""Callbacks: their order, what they may do, and what happens to their exceptions."""

from __future__ import annotations

import gc
import signal
import weakref

import fractalray as fr
import pytest
from conftest import interrupted
from fractalray import _calls
from fractalray._library import lib


class Oops(Exception):
    pass


def fail(hit: fr.Hit) -> None:
    raise Oops(str(hit.block))


def test_effects_are_called_in_order(scene) -> None:
    seen = []
    scene.world.on_any_block_hit(lambda hit: seen.append(("any", hit.block[0])))
    scene.world.on_block_hit(scene.stone, lambda hit: seen.append(("stone", hit.block[0])))
    scene.world.shoot(scene.line, on_hit=lambda hit: seen.append(("shot", hit.block[0])))
    assert seen == [("shot", 4), ("any", 4), ("shot", 8), ("stone", 8)]


def test_an_effect_stops_the_shot(scene) -> None:
    shot = scene.world.shoot(scene.line, on_hit=lambda hit: fr.Response.STOP)
    assert (len(shot), shot.terminated, shot.hits[0].terminal) == (1, True, True)


def test_a_predicate_ends_the_shot(scene) -> None:
    scene.world.on_block_hit(scene.glass, is_terminal=lambda hit: hit.block[1] == 2)
    assert len(scene.world.shoot(scene.line)) == 1


def test_an_effect_may_change_the_world_and_look_again(scene) -> None:
    world = scene.world

    def grow(hit: fr.Hit) -> fr.Response:
        if hit.type == scene.glass:
            world.set_block(0, (6, 2, 2), scene.stone)
        return fr.Response.AGAIN

    assert [hit.block[0] for hit in world.shoot(scene.line, on_hit=grow)] == [4, 6]


def test_an_effect_may_shoot(scene) -> None:
    inner = []

    def shoot(hit: fr.Hit) -> None:
        back = fr.Line.segment((hit.point[0] - 0.5, 2.5, 2.5), (0.5, 2.5, 2.5))
        inner.append(len(scene.world.shoot(back, on_hit=lambda hit: None)))

    scene.world.shoot(scene.line, on_hit=shoot)
    assert inner == [0, 1]


@pytest.mark.parametrize("error", [Oops, KeyboardInterrupt, SystemExit])
def test_an_exception_ends_the_shot_and_is_raised_again(scene, error) -> None:
    seen = []

    def effect(hit: fr.Hit) -> None:
        seen.append(hit.block[0])
        raise error("in an effect")

    with pytest.raises(error, match="in an effect") as caught:
        scene.world.shoot(scene.line, on_hit=effect)
    assert seen == [4]
    assert caught.value.__context__ is None
    assert any(entry.name == "effect" for entry in caught.traceback)
    assert len(scene.world.shoot(scene.line)) == 2  # the world is as before


def test_an_interrupt_ends_the_shot(scene) -> None:
    seen = []

    def interrupted(hit: fr.Hit) -> None:
        seen.append(hit)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        scene.world.shoot(scene.line, on_hit=interrupted)
    assert len(seen) == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_ends_a_running_callback(scene) -> None:
    seen = []

    def endless(hit: fr.Hit) -> None:
        signal.raise_signal(signal.SIGINT)
        for _ in range(1000):
            pass
        seen.append(hit)

    with pytest.raises(KeyboardInterrupt):
        scene.world.shoot(scene.line, on_hit=endless)
    with pytest.raises(KeyboardInterrupt):
        scene.world.shoot(scene.line, options=fr.Options(block_filter=endless))
    with pytest.raises(KeyboardInterrupt):
        scene.world.shoot(scene.line, on_hit=lambda hit: scene.world.shoot(scene.line, on_hit=endless))
    assert seen == []
    assert len(scene.world.shoot(scene.line)) == 2


def test_an_interrupt_after_a_registration_keeps_the_callback(scene, monkeypatch) -> None:
    seen = []
    scene.world.on_any_block_hit(lambda hit: seen.append("old"))
    with interrupted(monkeypatch, "frWorld_OnAnyBlockHit"):
        with pytest.raises(KeyboardInterrupt):
            scene.world.on_any_block_hit(lambda hit: seen.append("new"))
    gc.collect()
    scene.world.shoot(scene.line)
    assert seen == ["new", "new"]
    with pytest.raises(fr.FractalrayError):
        scene.world.on_block_hit(99, lambda hit: None)
    scene.world.shoot(scene.line)


def test_what_is_refused_is_destroyed_once_by_several_threads(monkeypatch) -> None:
    destroyed = []

    class ListOfAnotherThread(list):
        """A list that another thread empties after its length was read."""

        def __len__(self) -> int:
            return super().__len__() + 1

    def destroy(pointer: int) -> int:
        destroyed.append(pointer)
        return 0

    monkeypatch.setattr(_calls, "_refused", ListOfAnotherThread([(destroy, 1), (destroy, 2)]))
    _calls._destroy_refused()
    assert sorted(destroyed) == [1, 2]


def test_an_exception_keeps_its_cause(scene) -> None:
    def effect(hit: fr.Hit) -> None:
        raise Oops("outer") from ValueError("inner")

    with pytest.raises(Oops) as caught:
        scene.world.shoot(scene.line, on_hit=effect)
    assert isinstance(caught.value.__cause__, ValueError)


def test_exceptions_pass_from_every_kind_of_callback(scene) -> None:
    world, line = scene.world, scene.line
    filters = fr.Options(block_filter=fail)
    lines = fr.Lines.of([line] * 5)
    queries = [
        lambda: world.shoot(line, options=filters),
        lambda: world.closest_hit(line, options=filters),
        lambda: world.occluded(line, options=filters),
        lambda: list(world.hits_along(line, options=filters)),
        lambda: world.closest_hits(lines, options=filters),
        lambda: world.occluded_many(lines, options=filters),
        lambda: world.shoot_many(lines, options=filters),
        lambda: world.shoot_many(lines, on_hit=fail),
        lambda: world.blocks_in_sphere((8, 2, 2), 2, options=filters),
    ]
    for query in queries:
        with pytest.raises(Oops):
            query()
    world.on_block_hit(scene.glass, fail)
    with pytest.raises(Oops):
        world.shoot(line)
    world.on_block_hit(scene.glass, is_terminal=fail)
    with pytest.raises(Oops):
        world.shoot(line)
    world.on_block_hit(scene.glass)
    assert len(world.shoot(line)) == 2


def test_exceptions_pass_through_nested_shots(scene) -> None:
    outer = []

    def shoot_inside(hit: fr.Hit) -> None:
        try:
            scene.world.shoot(scene.line, on_hit=fail)
        except Oops:
            outer.append("inner")
        if len(outer) == 2:
            raise Oops("outer")

    with pytest.raises(Oops, match="outer"):
        scene.world.shoot(scene.line, on_hit=shoot_inside)
    assert outer == ["inner", "inner"]


def test_no_callback_runs_after_an_exception(scene) -> None:
    calls = []

    def count(hit: fr.Hit) -> bool:
        calls.append(hit)
        raise Oops

    with pytest.raises(Oops):
        scene.world.shoot(scene.line, options=fr.Options(block_filter=count), on_hit=calls.append)
    assert len(calls) == 1


@pytest.mark.parametrize("response", [1, True, "stop", 7])
def test_only_responses_are_responses(scene, response) -> None:
    with pytest.raises(TypeError, match="Response"):
        scene.world.shoot(scene.line, on_hit=lambda hit: response)


def test_pure_callbacks_cannot_change_the_world(scene) -> None:
    def edit(hit: fr.Hit) -> bool:
        scene.world.set_block(0, (1, 1, 1), scene.stone)
        return True

    with pytest.raises(fr.FailedPreconditionError, match="pure"):
        scene.world.shoot(scene.line, options=fr.Options(block_filter=edit))
    assert scene.world.block(0, (1, 1, 1)) == fr.AIR


def test_a_world_is_not_closed_by_its_own_callback(scene) -> None:
    with pytest.raises(fr.FailedPreconditionError):
        scene.world.shoot(scene.line, on_hit=lambda hit: scene.world.close())
    assert len(scene.world.shoot(scene.line)) == 2


def test_what_is_collected_in_a_callback_is_destroyed(scene, monkeypatch) -> None:
    destroy, results = lib.frDestroyWorld, []

    def destroy_and_note(pointer: int) -> int:
        results.append(destroy(pointer))
        return results[-1]

    monkeypatch.setattr(lib, "frDestroyWorld", destroy_and_note)
    others = [fr.World(), fr.World()]

    def collect(hit: fr.Hit) -> bool:
        others.clear()
        gc.collect()
        return True

    scene.world.closest_hit(scene.line, options=fr.Options(block_filter=collect))
    assert results.count(0) == 2


def test_a_callback_may_replace_itself(scene) -> None:
    world, seen = scene.world, []

    def first(hit: fr.Hit) -> None:
        world.on_any_block_hit(lambda hit: seen.append("second"))
        gc.collect()
        seen.append("first")

    world.on_any_block_hit(first)
    del first
    world.shoot(scene.line)
    world.shoot(scene.line)
    assert seen[0] == "first" and seen[-2:] == ["second", "second"]


def test_callbacks_are_freed_with_the_world_and_kept_by_its_snapshots(scene) -> None:
    seen = []

    def effect(hit: fr.Hit) -> None:
        seen.append(hit.block[0])

    alive = weakref.ref(effect)
    scene.world.on_any_block_hit(effect)
    del effect
    frozen = scene.world.snapshot()
    scene.world.close()
    scene.world = None
    gc.collect()
    frozen.shoot(scene.line)
    assert seen == [4, 8]
    del frozen
    gc.collect()
    assert alive() is None


def test_hits_outlive_their_callback(scene) -> None:
    hits = []
    scene.world.shoot(scene.line, on_hit=hits.append)
    assert [hit.type for hit in hits] == [scene.glass, scene.stone]


@pytest.mark.parametrize("wrong", [3, "effect", [fail]])
def test_only_functions_are_callbacks(scene, wrong) -> None:
    with pytest.raises(TypeError, match="function"):
        scene.world.shoot(scene.line, on_hit=wrong)
    with pytest.raises(TypeError, match="function"):
        scene.world.on_any_block_hit(wrong)
    with pytest.raises(TypeError, match="function"):
        scene.world.shoot(scene.line, options=fr.Options(entity_filter=wrong))
