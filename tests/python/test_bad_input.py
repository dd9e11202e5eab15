# SPDX-License-Identifier: Apache-2.0
"""Bad input of every kind is an exception that names the value, and never ends the process."""

from __future__ import annotations

import copy
import math
import pickle
import random

import fractalray as fr
import numpy as np
import pytest

NAN, INF = math.nan, math.inf
ONE_BUDGET = fr.Rules()
ONE_BUDGET.add_budget(1)
REFUSED = (fr.FractalrayError, TypeError, ValueError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: fr.World(0), "levels is 0"),
        (lambda w: fr.World(11), "levels is 11"),
        (lambda w: fr.World(1.5), "levels is 1.5"),
        (lambda w: fr.Line.segment((NAN, 0, 0), (1, 1, 1)), "nan"),
        (lambda w: fr.Line.segment((1e300, 0, 0), (1, 1, 1)), "1e"),
        (lambda w: fr.Line.segment((0, 0), (1, 1, 1)), "start has 2 components"),
        (lambda w: fr.Line.segment(5, (1, 1, 1)), "start is 5"),
        (lambda w: fr.Line.segment("abc", (1, 1, 1)), "start is 'a'"),
        (lambda w: fr.Line.ray((0, 0, 0), (0, 0, 0)), "direction"),
        (lambda w: fr.Line.ray((0, 0, 0), (1, 0, 0), -1), "-1"),
        (lambda w: fr.Line.ray((0, 0, 0), (1, 0, 0), NAN), "nan"),
        (lambda w: fr.Line.ray((0, 0, 0), (1, 0, 0), 5, ((0, 0, 0),)), "bounds"),
        (
            lambda w: w.closest_hits(
                fr.Lines.rays((0, 0, 0), (1, 0, 0), 5), options=fr.Options(corner="both")
            ),
            "'both' is no Corner; it must be one of Corner.BOTH, Corner.NEITHER",
        ),
        (lambda w: w.block_types.add("x", "solid"), "'solid' is no Kind; it must be one of Kind.SOLID"),
        (lambda w: w.closest_hits(fr.Line.ray((0, 0, 0), (1, 0, 0))), "it must be a fractalray.Lines"),
        (lambda w: w.occluded_many(fr.Line.ray((0, 0, 0), (1, 0, 0))), "it must be a fractalray.Lines"),
        (lambda w: w.shoot_many(5), "the lines is 5; it must be a fractalray.Lines"),
        (lambda w: w.block(0, (0, 0, 1 << 70)), str(1 << 70)),
        (lambda w: w.block(0, (0.5, 0, 0)), "0.5"),
        (lambda w: w.block(1 << 40, (0, 0, 0)), str(1 << 40)),
        (lambda w: w.block(5, (0, 0, 0)), "5"),
        (lambda w: w.block(-1, (0, 0, 0)), "-1"),
        (lambda w: w.set_block(0, (0, 0, 0), 70000), "70000"),
        (lambda w: w.set_block(0, (0, 0, 0), 99), "99"),
        (lambda w: w.set_block(0, (0, 0, 0), "stone"), "stone"),
        (lambda w: w.fill_box(0, (5, 0, 0), (1, 0, 0), 0), "5"),
        (lambda w: w.block_types.add(""), "name"),
        (lambda w: w.block_types.add("a\0b"), "zero character"),
        (lambda w: w.block_types.add("\ud800"), "Unicode"),
        (lambda w: w.block_types.add(7), "7"),
        (lambda w: w.block_types.add("x", 7), "7"),
        (
            lambda w: w.block_types.add("x", boxes=[[[0, 0.5, 0], [1, 0.5, 1]]]),
            "'x': boxes.0.: .* flat on axis y",
        ),
        (
            lambda w: w.block_types.add("x", boxes=[[[0, 0, 1], [1, 1, 0]]]),
            "flat on axis z, from 1 to 0",
        ),
        (
            lambda w: w.block_types.add("x", boxes=[[[0, 0, 0], [1, 1e9, 1]]]),
            "not inside on axis y",
        ),
        (lambda w: w.block_types.add("x", boxes=[[[0, 0, 0], [NAN, 1, 1]]]), "from 0 to nan"),
        (
            lambda w: w.block_types.add("x", boxes=np.ones((256, 2, 3))),
            "256 boxes; it may have 255",
        ),
        (
            lambda w: w.block_types.add("x", boxes=np.ones((2, 3))),
            "'x': the boxes have the shape .2, 3.",
        ),
        (lambda w: w.block_types.add("x", boxes="slab"), "'x': the boxes"),
        (
            lambda w: w.block_types.add("x", channel_boxes={"pick": [[[0, 0, 0], [2, 1, 1]]]}),
            "'x', channel 'pick': boxes.0.",
        ),
        (lambda w: w.block_types.name(99), "99"),
        (lambda w: w.block_types.kind(1, 99), "99"),
        (lambda w: w.entities.add(1, fr.Sphere(NAN), (1, 1, 1)), "nan"),
        (lambda w: w.entities.add(1, fr.Sphere(-1), (1, 1, 1)), "-1"),
        (lambda w: w.entities.add(1, fr.Sphere(1e6), (1, 1, 1)), "too large"),
        (lambda w: w.entities.add(1, fr.Box((1, 1)), (1, 1, 1)), "2 components"),
        (lambda w: w.entities.add(1, "sphere", (1, 1, 1)), "sphere"),
        (lambda w: w.entities.add(-1, fr.Sphere(1), (1, 1, 1)), "-1"),
        (lambda w: w.entities.add(1, fr.Sphere(1), (1, 1, 1), level=3), "3"),
        (lambda w: w.entities.info(12345), "12345|alive|entity"),
        (lambda w: w.entities.info(1 << 64), str(1 << 64)),
        (lambda w: w.entities.remove_many([-5]), "handles"),
        (lambda w: w.entities.remove_many([[1]]), "handles"),
        (lambda w: w.entities.add_many(np.zeros(3)), "ENTITY_DEF"),
        (lambda w: fr.entity_defs([1], [(0, 0, 0)]), "radii"),
        (lambda w: w.on_block_hit(99, lambda hit: None), "99"),
        (lambda w: w.refresh_block(0, (0, 0, 0)), "borrow"),
        (lambda w: w.nearest_entities((0, 0, 0), 0), "count is 0"),
        (lambda w: w.entities_in_sphere((0, 0, 0), NAN), "nan"),
        (lambda w: w.entities_in_sphere((0, 0, 0), -1), "-1"),
        (lambda w: w.window.descend((16, 0, 0)), "path"),
    ],
)
def test_a_wrong_value_is_named(world: fr.World, call, message) -> None:
    before = world.versions
    with pytest.raises(REFUSED, match=f"(?i){message}"):
        call(world)
    assert world.versions == before


@pytest.mark.parametrize(
    ("levels", "options", "message"),
    [
        ([], None, "level"),
        ([10], None, "10"),
        ([-1], None, "-1"),
        (0, None, r"such as \[0\]"),
        ([0.5], None, "0.5"),
        (None, {"channel": 77}, "77"),
        (None, {"channel": -1}, "-1"),
        (None, {"corner": 9}, "9"),
        (None, {"max_hits": 0}, "max_hits is 0"),
        (None, {"max_steps": 1.5}, "1.5"),
        (None, {"categories": 1 << 64}, str(1 << 64)),
        (None, {"ignore": [-3]}, "-3"),
        (None, {"after": np.zeros(2)}, "HIT"),
        (None, {"after": np.zeros(1, fr.HIT)}, "after|hit"),
        (None, {"budgets": [1] * 9}, "budgets"),
        (None, {"rules": ONE_BUDGET, "budgets": [NAN]}, "nan|budget"),
    ],
)
def test_wrong_levels_and_options_are_named(scene, levels, options, message) -> None:
    with pytest.raises(REFUSED, match=f"(?i){message}"):
        scene.world.shoot(scene.line, levels, fr.Options(**options) if options else None)


def test_only_lines_are_lines(scene) -> None:
    for wrong in (None, ((0, 0, 0), (1, 1, 1)), scene.world):
        with pytest.raises(TypeError, match="fractalray.Line"):
            scene.world.shoot(wrong)


@pytest.mark.parametrize(
    ("starts", "ends"),
    [
        (np.zeros((3, 2)), np.zeros((3, 3))),
        (np.zeros((3, 3)), np.zeros((4, 3))),
        (np.zeros((2, 3, 3)), np.zeros((2, 3, 3))),
        (np.zeros((3, 3), complex), np.zeros((3, 3))),
        (np.array([["a", "b", "c"]]), np.zeros((1, 3))),
        (3, np.zeros((1, 3))),
    ],
)
def test_wrong_arrays_of_lines_are_refused(starts, ends) -> None:
    with pytest.raises(REFUSED):
        fr.Lines.segments(starts, ends)


def test_wrong_arrays_of_rays_are_named_as_they_are() -> None:
    with pytest.raises(fr.InvalidArgumentError, match=r"^the directions: .* be \(n, 3\), or \(3,\) for"):
        fr.Lines.rays(np.zeros((3, 3)), np.zeros((3, 2)))
    with pytest.raises(TypeError, match="^the origins: the dtype is complex128"):
        fr.Lines.rays(np.zeros((3, 3), complex), np.zeros((3, 3)))


def test_truth_values_are_ids_after_a_view(world: fr.World) -> None:
    is_solid = np.zeros((16, 16, 16), bool)
    with pytest.raises(TypeError, match=r"ids\.view\(numpy\.uint8\)$"):
        world.load_chunks(0, (0, 0, 0), is_solid)
    world.load_chunks(0, (0, 0, 0), is_solid.view(np.uint8))


@pytest.mark.parametrize(
    ("ids", "remedy"),
    [
        (np.full((16, 16, 16), 1.0), r"ids\.astype\(numpy\.uint16\); for .*"),
        (np.full((16, 16, 16), 0.75, np.float32), r".*; for probabilities \(ids > 0\.5\)\.view.*"),
        (np.full((16, 16, 16), 1, np.int64), r"ids\.astype\(numpy\.uint16\)"),
        (np.full((16, 16, 16), 1, ">u2"), r"ids\.astype\(numpy\.uint16\)"),
        (np.ones((16, 16), np.uint8), r"ids\[:, :, None\]"),
    ],
)
def test_the_remedy_for_other_ids_loads_what_they_mean(world: fr.World, ids, remedy) -> None:
    with pytest.raises((TypeError, fr.InvalidArgumentError), match=f"as after {remedy}$") as error:
        world.load_box(0, (0, 0, 0), ids)
    remedies = str(error.value).split("as after ")[1].split("; for probabilities ")
    chosen = remedies[-1 if np.any(ids < 1) else 0]
    remedied = eval(chosen, {"ids": ids, "numpy": np})
    world.load_box(0, (0, 0, 0), remedied)
    assert world.block(0, (5, 5, 0)) == world.block_types["stone"] == 1


def test_ids_without_a_type_are_named_with_the_remedy(world: fr.World) -> None:
    ids = np.zeros((16, 16, 16), np.uint16)
    ids[4, 5, 6] = 9
    for source in fr.Source:
        with pytest.raises(fr.InvalidArgumentError) as error:
            world.load_chunks(0, (0, 0, 0), ids, source=source)
        assert str(error.value).endswith(
            "block [4, 5, 6] of the chunk has type 9; the table ends at 2: add the type first, or "
            "give `types`, which say what the ids mean"
        )
    with pytest.raises(fr.InvalidArgumentError, match=r"block \[4, 5, 6\] of the chunk has id 9"):
        world.load_chunks(0, (0, 0, 0), ids, types=[0, 1])
    with pytest.raises(fr.InvalidArgumentError, match=r"block \[4, 5, 6\] of level 0 has .*9"):
        world.load_box(0, (0, 0, 0), ids)
    with pytest.raises(TypeError, match=r"it must be a list: types\[id\] is the type of an id"):
        world.load_chunks(0, (0, 0, 0), ids, types={0: 0, 9: 1})


def test_arrays_to_be_filled_are_described(world: fr.World) -> None:
    lines = fr.Lines.segments(np.zeros((7, 3)), (1, 1, 1))
    for out, message in (
        (np.empty(5, fr.HIT), r"shape \(5,\); it must have \(7,\)"),
        (np.empty(9, fr.HIT), r"numpy\.empty\(7, fractalray\.HIT\) or out\[:7\]"),
        (np.empty(7), r"float64; it must be numpy\.empty\(7, fractalray\.HIT\)"),
        ([None] * 7, r"list; it must be numpy\.empty\(7, fractalray\.HIT\)"),
    ):
        with pytest.raises(REFUSED, match=message):
            world.closest_hits(lines, out=out)


@pytest.mark.parametrize("distance", [-3.0, NAN, np.float32(-1), -INF])
def test_a_distance_of_all_rays_that_none_can_have_is_refused(distance) -> None:
    with pytest.raises(fr.InvalidArgumentError, match="^max_distances is .*; it must be 0, posit"):
        fr.Lines.rays((0, 0, 0), (1, 0, 0), distance)
    fr.Lines.rays((0, 0, 0), (1, 0, 0), INF)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_objects_of_the_library_are_not_copied(world: fr.World, copied) -> None:
    with world.snapshot() as frozen, fr.Walk((0, 0), (1, 1)) as walk:
        for owned in (world, frozen, walk, fr.Rules(), fr.ShotBatch()):
            with pytest.raises(TypeError, match=f"^a {type(owned).__name__} can be neither copied"):
                copied(owned)
    copied(fr.Line.segment((0, 0, 0), (1, 1, 1)))


def test_messages_do_not_begin_with_functions_of_c(world: fr.World) -> None:
    with pytest.raises(fr.InvalidArgumentError, match="^the segment's from.x is NaN"):
        world.shoot(fr.Line.segment((NAN, 0, 0), (1, 0, 0)))
    lines = fr.Lines.segments([(NAN, 0, 0)], (1, 0, 0))
    summary = world.closest_hits(lines).summary
    assert summary.first_error.startswith("line 0: the segment's from.x is NaN")
    assert fr.walk_many(lines).first_error == summary.first_error


def test_wrong_members_of_lines_are_refused() -> None:
    ends = np.zeros((2, 3))
    for members in ({"levels": [1]}, {"ignore": [[1]]}, {"after": [[]]}, {"ignore": np.zeros(5)}):
        with pytest.raises(REFUSED):
            fr.Lines.segments(ends, ends, **members)
    with pytest.raises(REFUSED):
        fr.Lines.units(ends, ends)
    with pytest.raises(REFUSED):
        fr.Lines.of(np.zeros(3))


@pytest.mark.parametrize(
    "members",
    [
        {"levels": [1.5, 1]},
        {"levels": np.array([-1, 1])},
        {"levels": np.array([1 << 32, 1])},
        {"ignore": np.array([7.5, 8])},
        {"ignore": np.array([-7, 8])},
        {"ignore": [[7.5], []]},
        {"ignore": [[], [-7]]},
        {"after": [np.zeros((1, 1), fr.HIT), []]},
    ],
)
def test_numbers_that_would_be_cut_are_refused(members) -> None:
    ends = np.zeros((2, 3))
    with pytest.raises(REFUSED, match=next(iter(members)) + "|shape"):
        fr.Lines.segments(ends, ends, **members)


def test_arrays_of_several_dimensions_are_refused(world: fr.World) -> None:
    with pytest.raises(fr.InvalidArgumentError, match=r"\(2, 3\)"):
        fr.Lines.of(np.zeros((2, 3), fr.LINE))
    with pytest.raises(fr.InvalidArgumentError, match=r"\(2, 3\)"):
        world.entities.add_many(np.zeros((2, 3), fr.ENTITY_DEF))


def test_a_line_of_zeros_is_refused(world: fr.World) -> None:
    closest = world.closest_hits(fr.Lines.of(np.zeros(2, fr.LINE)))
    assert closest.summary.errors == 2


def test_errors_have_one_base_and_the_pythonic_one() -> None:
    for error, base in (
        (fr.InvalidArgumentError, ValueError),
        (fr.NotFoundError, LookupError),
        (fr.OutOfRangeError, ValueError),
        (fr.FailedPreconditionError, RuntimeError),
        (fr.LibraryNotFoundError, ImportError),
    ):
        assert issubclass(error, fr.FractalrayError) and issubclass(error, base)


ODD = [0, 1, -1, 15, 16, 1 << 31, 1 << 40, -(1 << 63), 1 << 63, 1 << 64, 0.5, NAN, INF, -INF, 1e300,
       None, "", "stone", b"x", (), (1, 2, 3), (0.5, 2.5, 2.5), (NAN, 0, 0), [1], {}, object(),
       np.zeros(3), np.zeros((2, 3)), np.zeros((16, 16, 16), np.uint8), fr.Sphere(1), fr.Box((1,))]


def calls_of(scene) -> list:
    """Returns methods that change only what is theirs, each with its number of arguments."""
    world, entities, types = scene.world, scene.world.entities, scene.world.block_types
    return [
        (world.block, 2), (world.chunk, 2), (world.level, 1), (world.set_block, 3),
        (world.load_box, 3), (world.load_chunks, 3), (world.load_uniform_chunk, 3),
        (world.unload_chunk, 2), (world.refresh_box, 3), (world.expand_block, 2),
        (world.move_block, 3), (types.name, 1), (types.kind, 2), (types.channel, 1),
        (entities.add, 3), (entities.move, 2), (entities.remove, 1), (entities.info, 1),
        (entities.find, 1), (entities.move_many, 2), (entities.remove_many, 1),
        (world.shoot, 3), (world.resume, 1), (world.reflect, 2), (world.closest_hit, 2),
        (world.closest_hits, 2), (world.shoot_many, 3), (world.entities_in_sphere, 2),
        (world.blocks_in_sphere, 2), (world.nearest_entities, 2), (world.window.path, 2),
        (world.window.recenter, 1), (world.on_block_hit, 2), (fr.Line.segment, 2),
        (fr.Line.ray, 3), (fr.Line.units, 2), (fr.Lines.segments, 2), (fr.Lines.rays, 3),
        (fr.Lines.of, 1), (fr.Walk, 3), (fr.follow_path, 2), (fr.Executor, 1),
    ]


def test_random_calls_raise_or_succeed(scene) -> None:
    rng = random.Random(17)
    hit = scene.world.closest_hit(scene.line).hit
    odd = [*ODD, scene.line, scene.ids, scene.world, hit, fr.Lines.of([scene.line])]
    raised = 0
    for _ in range(5000):
        call, count = rng.choice(calls_of(scene))
        arguments = [rng.choice(odd) for _ in range(count)]
        try:
            call(*arguments)
        except REFUSED:
            raised += 1
    assert 2000 < raised < 5000
    assert scene.world.block_types["stone"] == scene.stone
