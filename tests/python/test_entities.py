# SPDX-License-Identifier: Apache-2.0
"""Entities, bindings, rules and searches for entities."""

from __future__ import annotations

import fractalray as fr
import numpy as np
import pytest


@pytest.fixture
def crowd() -> fr.World:
    """Returns three chunks of air with ten spheres in a row, 4 blocks apart."""
    world = fr.World()
    for x in range(3):
        world.load_uniform_chunk(0, (x, 0, 0), fr.AIR)
    positions = np.array([(4 * i + 2, 8, 8) for i in range(10)], np.float32)
    defs = fr.entity_defs(range(10), positions, radii=0.5, categories=[1, 2] * 5)
    world.entities.add_many(defs)
    return world


LINE = fr.Line.segment((0, 8, 8), (47, 8, 8))


def ids(hits) -> list[int]:
    return [hit.id for hit in hits]


def test_entities_are_hit_with_all_their_members(crowd: fr.World) -> None:
    hit = crowd.closest_hit(LINE).hit
    assert hit.is_entity and not hit.is_box
    assert (hit.id, hit.categories, hit.entity_class) == (0, 1, 0)
    assert hit.face is None and hit.distance == pytest.approx(1.5)
    assert hit.point == pytest.approx((1.5, 8, 8))
    assert hit.entity == crowd.entities.find(0)
    assert ids(crowd.shoot(LINE)) == list(range(10))


def test_categories_and_ignored_ids_restrict_a_query(crowd: fr.World) -> None:
    assert ids(crowd.shoot(LINE, options=fr.Options(categories=2))) == [1, 3, 5, 7, 9]
    assert ids(crowd.shoot(LINE, options=fr.Options(ignore=[0, 1]))) == list(range(2, 10))
    assert ids(crowd.shoot(LINE, options=fr.Options(categories=0))) == []
    options = fr.Options(entity_filter=lambda hit: hit.id > 7)
    assert ids(crowd.shoot(LINE, options=options)) == [8, 9]


def test_entities_without_categories_are_never_hit(crowd: fr.World) -> None:
    entity = crowd.entities.add(99, fr.Sphere(0.5), (30, 8, 8), categories=0)
    assert crowd.entities.info(entity).categories == 0
    assert 99 not in ids(crowd.shoot(LINE))


def test_entities_block_lines_of_sight_on_request(crowd: fr.World) -> None:
    assert crowd.occluded(LINE) == fr.Occlusion.CLEAR
    assert crowd.occluded(LINE, options=fr.Options(entities_block=True)) == fr.Occlusion.BLOCKED


def test_entities_move_and_are_removed(crowd: fr.World) -> None:
    first, second = crowd.entities.find(0), crowd.entities.find(1)
    crowd.entities.move(first, (2, 1, 1))
    assert crowd.entities.info(first).position == (2, 1, 1)
    crowd.entities.remove(second)
    assert ids(crowd.shoot(LINE))[0] == 2
    with pytest.raises(fr.NotFoundError):
        crowd.entities.move(second, (1, 1, 1))
    assert len(crowd.entities) == 9


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_many_entities_move_to_arrays_of_any_layout(crowd: fr.World, dtype) -> None:
    handles = crowd.entities.all()
    columns = np.zeros((4, len(handles)), dtype)
    columns[0] = np.arange(len(handles))
    columns[1:3] = 8
    crowd.entities.move_many(handles, columns[:3].T)
    found = {crowd.entities.info(handle).position for handle in handles}
    assert found == {(float(x), 8, 8) for x in range(10)}


def test_edits_of_many_are_all_or_none(crowd: fr.World) -> None:
    handles = crowd.entities.all()
    positions = np.full((10, 3), 5.0)
    positions[9, 0] = np.nan
    with pytest.raises(fr.InvalidArgumentError, match="(?i)nan"):
        crowd.entities.move_many(handles, positions)
    assert ids(crowd.shoot(LINE)) == list(range(10))
    with pytest.raises(fr.AlreadyExistsError):
        crowd.entities.add_many(fr.entity_defs([50, 3], np.ones((2, 3)), radii=1))
    with pytest.raises(fr.NotFoundError):
        crowd.entities.find(50)


def test_members_are_updated(crowd: fr.World) -> None:
    entity = crowd.entities.find(4)
    defs = fr.entity_defs([0], [(1, 2, 3)], half_extents=[(1, 0.5, 2)], categories=8, classes=6)
    crowd.entities.update([entity], defs, "categories", "shape", "entity_class")
    info = crowd.entities.info(entity)
    assert (info.id, info.categories, info.entity_class) == (4, 8, 6)
    assert info.shape == fr.Box((1, 0.5, 2))
    assert info.position == (18, 8, 8)
    with pytest.raises(fr.InvalidArgumentError, match="speed"):
        crowd.entities.update([entity], defs, "speed")


def test_callbacks_are_registered_by_class(crowd: fr.World) -> None:
    crowd.entities.add(20, fr.Box((0.5, 0.5, 0.5)), (8, 8, 8), entity_class=3)
    seen = []
    crowd.on_entity_hit(3, lambda hit: seen.append(("box", hit.id)))
    crowd.on_any_entity_hit(lambda hit: seen.append(("any", hit.id)))
    crowd.shoot(LINE, options=fr.Options(max_hits=4))
    assert seen == [("any", 0), ("any", 1), ("box", 20), ("any", 2)]


def test_entities_touch_chunks(crowd: fr.World) -> None:
    corner = crowd.entities.add(30, fr.Sphere(1), (16, 16, 16))
    assert len(crowd.entities.chunks(corner)) == 8
    assert crowd.entities.chunks(crowd.entities.find(0)).tolist() == [[0, 0, 0]]
    assert crowd.entities.refine()


def test_crowds_are_put_in_order(crowd: fr.World) -> None:
    defs = fr.entity_defs(range(100, 140), [(8, 2 + i / 4, 8) for i in range(40)], radii=0.25)
    crowd.entities.add_many(defs)
    column = fr.Line.segment((8, 0, 8), (8, 16, 8))
    before = ids(crowd.shoot(column))
    assert crowd.entities.optimize() == 1
    assert crowd.entities.optimize() == 0
    assert ids(crowd.shoot(column)) == before == list(range(100, 140))


def test_searches_find_entities(crowd: fr.World) -> None:
    assert crowd.entities_in_sphere((2, 8, 8), 4)["id"].tolist() == [0, 1]
    assert crowd.entities_in_box((5, 0, 0), (15, 16, 16))["id"].tolist() == [1, 2, 3]
    nearest = crowd.nearest_entities((11, 8, 8), 2)
    assert nearest["id"].tolist() == [2, 3]
    assert nearest["distance"].tolist() == [0.5, 2.5]
    assert len(crowd.nearest_entities((11, 8, 8), 100)) == 10
    assert len(crowd.nearest_entities((11, 8, 8), 100, 1.0)) == 1
    options = fr.Options(categories=2)
    assert crowd.nearest_entities((11, 8, 8), 1, options=options)["id"].tolist() == [3]


def test_searches_find_more_than_fits_at_first() -> None:
    world = fr.World()
    world.entities.add_many(fr.entity_defs(range(1000), np.full((1000, 3), 8.0), radii=0.1))
    assert world.entities_in_sphere((8, 8, 8), 1)["id"].tolist() == list(range(1000))


def test_rules_stop_shots_and_charge_budgets(crowd: fr.World) -> None:
    with fr.Rules() as rules:
        armour = rules.add_budget(2.5)
        rules.set_entities(2, fr.Rule.cost(armour, per_hit=1))
        shot = crowd.shoot(LINE, options=fr.Options(rules=rules))
        assert ids(shot) == [0, 1, 2, 3, 4, 5]
        assert shot.terminated and shot.stopped_at is not None
        assert shot.budgets[armour] < 1
        shot = crowd.shoot(LINE, options=fr.Options(rules=rules, budgets=[1]))
        assert ids(shot) == [0, 1, 2, 3]
        rules.set_entities(1, fr.Rule.stop())
        assert ids(crowd.shoot(LINE, options=fr.Options(rules=rules))) == [0]
    assert crowd.shoot(LINE).budgets is None
    with pytest.raises(fr.FailedPreconditionError, match="closed"):
        crowd.shoot(LINE, options=fr.Options(rules=rules))


def test_rules_charge_blocks_by_their_length(scene) -> None:
    with fr.Rules() as rules:
        water = rules.add_budget(1)
        rules.set_block(scene.glass, fr.Rule.cost(water, per_block=1), [0])
        shot = scene.world.shoot(scene.line, options=fr.Options(rules=rules))
        assert (len(shot), shot.budgets[water]) == (2, pytest.approx(0, abs=1e-8))
    for wrong in (float("nan"), -1):
        with pytest.raises(fr.InvalidArgumentError):
            fr.Rules().add_budget(wrong)


def test_bound_entities_follow_their_blocks(scene) -> None:
    world = scene.world
    lamp = world.entities.add(1, fr.Sphere(0.2), (8.5, 2.5, 2.5))
    bindings = fr.Bindings(world)
    bindings.bind(lamp, 0, (8, 2, 2))
    assert bindings.block(lamp) == (0, (8, 2, 2))
    assert bindings.entities_in_chunk(0, (0, 0, 0)).tolist() == [lamp]
    bindings.move_block(0, (8, 2, 2), (10, 2, 2))
    assert world.entities.info(lamp).position == (10.5, 2.5, 2.5)
    assert bindings.entities(0, (10, 2, 2)).tolist() == [lamp]
    bindings.remove_block(0, (10, 2, 2))
    assert len(world.entities) == 0
    with pytest.raises(fr.NotFoundError):
        bindings.block(lamp)


def test_bound_entities_are_removed_with_their_chunk(scene) -> None:
    lamp = scene.world.entities.add(1, fr.Sphere(0.2), (8.5, 2.5, 2.5))
    with fr.Bindings(scene.world) as bindings:
        bindings.bind(lamp, 0, (8, 2, 2))
        bindings.unbind(lamp)
        bindings.bind(lamp, 0, (8, 2, 2))
        bindings.unload_chunk(0, (0, 0, 0))
        assert bindings.remove_unloaded() == 0
    assert len(scene.world.entities) == 0
