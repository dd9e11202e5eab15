# SPDX-License-Identifier: Apache-2.0
"""Numbers of all kinds: what the types of C would cut or convert silently is refused by name."""

from __future__ import annotations

import math

import fractalray as fr
import numpy as np
import pytest
from fractalray.options import OptionsStruct

REFUSED = (TypeError, fr.InvalidArgumentError, fr.OutOfRangeError)
POINTS = np.zeros((2, 3))
ONE = [(1, 1, 1)]
LINE = fr.Line.segment((0, 0, 0), (1, 1, 1))
NO_INTEGERS = [1.5, 1.0, math.nan, math.inf, -math.inf, "1", b"1", None, True, np.True_,
               np.float64(1), np.array([1.5]), 1j, [1], {}]
NO_NUMBERS = ["1", b"1", None, True, np.True_, 1j, [], {}]

# The name of a parameter, integers that are beyond its range, and a call.
INTEGERS = [
    ("levels", [0, 11, 1 << 32], lambda w, n: fr.World(n)),
    ("level", [1 << 31, -1 << 40, 1 << 64], lambda w, n: w.block(n, (0, 0, 0))),
    ("block", [1 << 63, -(1 << 63) - 1], lambda w, n: w.block(0, (0, n, 0))),
    ("chunk", [1 << 63], lambda w, n: w.load_uniform_chunk(0, (0, 0, n), 0)),
    ("block type", [-1, 65536, 65537], lambda w, n: w.set_block(0, (0, 0, 0), n)),
    ("block type", [-1, 65536], lambda w, n: w.block_types.name(n)),
    ("channel", [-1, 65536], lambda w, n: w.block_types.channel_name(n)),
    ("a level of the query", [-1, 10, 1 << 32], lambda w, n: w.closest_hit(LINE, [0, n])),
    ("channel", [-1, 65536], lambda w, n: w.closest_hit(LINE, None, fr.Options(channel=n))),
    ("max_hits", [0, -1, 1 << 64],
     lambda w, n: OptionsStruct(fr.Options(max_hits=0 if n is None else n))),
    ("max_steps", [0, -1, 1 << 64],
     lambda w, n: OptionsStruct(fr.Options(max_steps=0 if n is None else n))),
    ("an ignored id", [-1, 1 << 64], lambda w, n: OptionsStruct(fr.Options(ignore=[n]))),
    ("entity's id", [-1, 1 << 64], lambda w, n: w.entities.add(n, fr.Sphere(1), (0, 0, 0))),
    ("entity", [-1, 1 << 64], lambda w, n: w.entities.info(n)),
    ("entity class", [-1, 1 << 32], lambda w, n: w.on_entity_hit(n, None)),
    ("rule's budget", [-1, 256, 259], lambda w, n: fr.Rules().set_block(1, fr.Rule.cost(n))),
    ("rule's kind", [-1, 3, (1 << 32) + 1], lambda w, n: fr.Rules().set_block(1, fr.Rule(n))),
    ("categories", [-1, 1 << 64], lambda w, n: fr.Rules().set_entities(n, fr.Rule.stop())),
    ("most", [0, -1, 1 << 40], lambda w, n: w.hits_along(LINE).take(n)),
    ("count", [0, -1, 1 << 40], lambda w, n: w.nearest_entities((0, 0, 0), n)),
    ("threads", [-1, 1025, 1 << 32], lambda w, n: fr.Executor(n)),
]


@pytest.mark.parametrize(("name", "beyond", "call"), INTEGERS)
def test_only_integers_of_the_range_are_integers(world: fr.World, name, beyond, call) -> None:
    before = world.versions
    for value in [*NO_INTEGERS, *beyond]:
        shown = str(value) if isinstance(value, int) else repr(value)
        with pytest.raises(REFUSED) as caught:
            call(world, value)
        assert name in str(caught.value)
        if value is not None:  # for some parameters None stands for no limit
            assert shown in str(caught.value) or str(value) in str(caught.value)
    assert world.versions == before


def test_integers_of_numpy_are_integers(scene) -> None:
    for kind in (np.int8, np.uint8, np.int32, np.uint64):
        scene.world.set_block(kind(0), np.array([1, 2, 3], kind), kind(scene.stone))
        assert scene.world.block(0, (1, 2, 3)) == scene.stone
        assert len(scene.world.shoot(scene.line, options=fr.Options(max_hits=kind(1)))) == 1
    assert fr.Walk((0, 0), (1, 1), np.int64(1)).crossings == 2


NUMBERS = [
    ("start", lambda w, x: fr.Line.segment((x, 0, 0), (1, 1, 1))),
    ("max_distance", lambda w, x: fr.Line.ray((0, 0, 0), (1, 0, 0), x)),
    ("radius", lambda w, x: w.entities_in_sphere((0, 0, 0), x)),
    ("radius", lambda w, x: w.entities.add(1, fr.Sphere(x), (0, 0, 0))),
    ("position", lambda w, x: w.entities.add(1, fr.Sphere(1), (0, x, 0))),
    ("t", lambda w, x: LINE.point(x)),
    ("amount", lambda w, x: fr.Rules().add_budget(x)),
    ("per_hit", lambda w, x: fr.Rules().set_block(1, fr.Rule.cost(0, per_hit=x))),
    ("max_distances", lambda w, x: fr.Lines.rays(POINTS, POINTS, [x, x])),
    ("budgets", lambda w, x: OptionsStruct(fr.Options(budgets=[x, x]))),
    ("radii", lambda w, x: fr.entity_defs([1], ONE, radii=[x])),
    ("positions", lambda w, x: fr.entity_defs([1], [(x, x, x)], radii=1)),
]


@pytest.mark.parametrize(("name", "call"), NUMBERS)
def test_only_numbers_are_numbers(world: fr.World, name, call) -> None:
    for value in NO_NUMBERS:
        with pytest.raises(REFUSED, match=name):
            call(world, value)


ARRAYS = [
    ("ids", np.uint64, lambda v: fr.entity_defs(v, POINTS, radii=1)["id"]),
    ("levels", np.int32, lambda v: fr.entity_defs([1, 2], POINTS, radii=1, levels=v)["level"]),
    ("categories", np.uint64,
     lambda v: fr.entity_defs([1, 2], POINTS, radii=1, categories=v)["categories"]),
    ("classes", np.uint32,
     lambda v: fr.entity_defs([1, 2], POINTS, radii=1, classes=v)["entity_class"]),
    ("types", np.uint16, fr.ids.type_table),
    ("handles", np.uint64, fr.entities.handles),
]


@pytest.mark.parametrize(("name", "dtype", "convert"), ARRAYS)
def test_arrays_of_integers_are_not_cut(name, dtype, convert) -> None:
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    for value in (low - 1, high + 1, 1.5, math.nan, "1", None, 1j):
        with pytest.raises(REFUSED, match=name):
            convert([value, 1])
        with pytest.raises(REFUSED, match=name):
            convert(np.array([value, value]))
    assert convert([low, high]).tolist() == [low, high]
    assert convert(np.array([1, 2], np.int16)).tolist() == [1, 2]


def test_arrays_of_another_length_are_named() -> None:
    for members in ({"radii": [1, 2, 3]}, {"radii": 1, "levels": [0, 0, 0]},
                    {"half_extents": [1, 2]}):
        with pytest.raises(fr.InvalidArgumentError, match=list(members)[-1]):
            fr.entity_defs([1, 2], POINTS, **members)
    with pytest.raises(fr.InvalidArgumentError, match="positions"):
        fr.entity_defs([1], 5, radii=1)
    with pytest.raises(fr.InvalidArgumentError, match="max_distances"):
        fr.Lines.rays(POINTS, POINTS, [1, 2, 3])


def test_levels_are_a_list(scene) -> None:
    for value in (1.5, 1, np.int64(1), True):
        with pytest.raises(TypeError, match="give a list of levels"):
            scene.world.shoot(scene.line, value)
