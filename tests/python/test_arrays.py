# SPDX-License-Identifier: Apache-2.0
"""Worlds from arrays of any layout, copied or borrowed."""

from __future__ import annotations

import gc
import weakref

import fractalray as fr
import numpy as np
import pytest
from conftest import interrupted

SIZE = 32


def engine_ids(rng: np.random.Generator) -> np.ndarray:
    """Returns ids below 100, most of them 0."""
    ids = rng.integers(0, 100, (SIZE, SIZE, SIZE))
    return np.where(rng.random(ids.shape) < 0.9, 0, ids)


def layouts(ids: np.ndarray) -> list[np.ndarray]:
    """Returns arrays of equal content and different dtypes and strides."""
    wide = np.zeros((SIZE, SIZE, 2 * SIZE), np.uint16)
    wide[:, :, ::2] = ids
    nodes = np.zeros(ids.shape, [("id", "<u2"), ("light", "u1"), ("param", "u1")])
    nodes["id"] = ids
    packed = np.zeros(ids.size, np.dtype([("flag", "u1"), ("id", "<u4")]))
    packed["id"] = ids.ravel()
    return [
        *(ids.astype(kind) for kind in ("u1", "i1", "u2", "i2", "u4", "i4")),
        np.asfortranarray(ids.astype(np.uint8)),
        ids.astype(np.uint16).transpose(2, 0, 1).copy().transpose(1, 2, 0),
        ids[::-1, :, ::-1].astype(np.uint32)[::-1, :, ::-1],
        wide[:, :, ::2],
        nodes["id"],
        packed["id"].reshape(ids.shape),  # not aligned
    ]


@pytest.fixture
def types() -> tuple[fr.World, np.ndarray]:
    """A world, and the block type of each of 100 ids."""
    world = fr.World()
    kinds = (fr.Kind.SOLID, fr.Kind.PERMEABLE, fr.Kind.EMPTY)
    made = [world.block_types.add(f"type {i}", kinds[i % 3]) for i in range(30)]
    return world, np.array([fr.AIR] + [made[i % 30] for i in range(1, 100)], np.uint16)


def lines(rng: np.random.Generator, count: int) -> fr.Lines:
    ends = rng.random((2, count, 3)) * SIZE
    return fr.Lines.segments(ends[0], ends[1])


@pytest.mark.parametrize("source", list(fr.Source))
def test_every_layout_answers_as_a_copy_of_block_types(types, source: fr.Source) -> None:
    plain, table = types
    rng = np.random.default_rng(1)
    ids = engine_ids(rng)
    plain.load_chunks(0, (0, 0, 0), table[ids])
    shots = lines(rng, 200)
    expected = plain.shoot_many(shots).hits()
    assert len(expected) > 100
    for array in layouts(ids):
        world = fr.World(block_types_of=plain)
        world.load_chunks(0, (0, 0, 0), array, types=table, source=source)
        assert np.array_equal(world.shoot_many(shots).hits(), expected), array.dtype
        assert world.chunk(0, (1, 1, 1)).is_borrowed == (source != fr.Source.COPY)


def test_a_box_of_any_size_is_copied(types) -> None:
    plain, table = types
    rng = np.random.default_rng(2)
    for array in layouts(engine_ids(rng)):
        world = fr.World(block_types_of=plain)
        part = array[3:24, 1:2, 5:]
        world.load_box(0, (-7, 20, 3), part, types=table)
        for x, y, z in rng.integers(0, part.shape, (50, 3)):
            assert world.block(0, (x - 7, y + 20, z + 3)) == table[part[x, y, z]]
        assert world.block(0, (-8, 20, 3)) == fr.AIR


NODE = [("param0", "<u2"), ("param1", "u1"), ("param2", "u1")]


def stairs_by_state(world: fr.World) -> tuple[list[int], list[int]]:
    """Returns the types of ids 0 and 1, and those of id 1 in each of 4 states."""
    turned = [world.block_types.add(f"stairs {i}", fr.Kind.SOLID) for i in range(4)]
    return [fr.AIR, turned[0]], turned


def test_states_decide_on_the_type_of_a_block() -> None:
    world = fr.World()
    types, turned = stairs_by_state(world)
    nodes = np.zeros((16, 16, 16), NODE)
    nodes[1, 2, 3] = (1, 0x77, 0xFE)  # the state is 2
    states = fr.States(nodes["param2"], {1: turned}, bits=2)
    source = fr.Source.BORROW_FOR_WRITING
    world.load_chunks(0, (0, 0, 0), nodes["param0"], types=types, states=states, source=source)
    assert world.block(0, (1, 2, 3)) == turned[2]
    world.set_block(0, (1, 2, 3), turned[1])
    assert tuple(nodes[1, 2, 3]) == (1, 0x77, 0xFD)
    nodes["param2"][1, 2, 3] = 3
    world.refresh_block(0, (1, 2, 3))
    assert world.block(0, (1, 2, 3)) == turned[3]
    world.load_chunks(0, (0, 0, 0), nodes["param0"], types=types)
    assert world.block(0, (1, 2, 3)) == turned[0]
    part = nodes[1:2, 2:3, 3:4]
    states = fr.States(part["param2"], {1: turned}, bits=2)
    world.load_box(0, (1, 2, 3), part["param0"], types=types, states=states)
    assert world.block(0, (1, 2, 3)) == turned[3]


def test_states_of_a_borrowed_chunk_live_as_long_as_it() -> None:
    world = fr.World()
    types, turned = stairs_by_state(world)
    nodes = np.zeros((16, 16, 16), NODE)
    states = fr.States(nodes["param2"], {1: turned}, bits=2)
    kept = weakref.ref(nodes)
    world.load_chunks(
        0, (0, 0, 0), nodes["param0"], types=types, states=states, source=fr.Source.BORROW
    )
    del nodes, states
    gc.collect()
    assert kept() is not None
    world.unload_chunk(0, (0, 0, 0))
    gc.collect()
    assert kept() is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"bits": 3}, "id 1 has 4 types"),
        ({"bits": 9}, "9 bits"),
        ({"types": {7: [0, 0, 0, 0]}}, "id 7 of the states"),
        ({"values": np.zeros((16, 16, 16), np.uint8)}, "strides"),
    ],
)
def test_unsuitable_states_are_refused(change, message: str) -> None:
    world = fr.World()
    types, turned = stairs_by_state(world)
    nodes = np.zeros((16, 16, 16), NODE)
    members = {"values": nodes["param2"], "types": {1: turned}, "bits": 2, **change}
    with pytest.raises(fr.InvalidArgumentError, match=message):
        world.load_chunks(
            0, (0, 0, 0), nodes["param0"], types=types, states=fr.States(**members)
        )


def test_a_borrowed_array_is_read_in_place(scene) -> None:
    world, ids, line = scene.world, scene.ids, scene.line
    world.load_chunks(0, (0, 0, 0), ids, source=fr.Source.BORROW)
    ids[6, 2, 2] = scene.stone
    world.refresh_block(0, (6, 2, 2))
    assert [hit.block[0] for hit in world.shoot(line)] == [4, 6]
    ids[5] = scene.glass
    world.refresh_box(0, (5, 0, 0), (5, 15, 15))
    assert [hit.block[0] for hit in world.shoot(line)] == [4, 5, 6]
    with pytest.raises(fr.FailedPreconditionError):
        world.set_block(0, (1, 1, 1), scene.stone)


def test_edits_write_to_an_array_that_is_borrowed_for_writing(scene) -> None:
    world, ids = scene.world, scene.ids
    world.load_chunks(0, (0, 0, 0), ids, source=fr.Source.BORROW_FOR_WRITING)
    world.set_block(0, (1, 2, 3), scene.stone)
    assert ids[1, 2, 3] == scene.stone
    assert np.count_nonzero(ids[1]) == 1


def test_a_copied_array_may_change_and_be_freed(scene) -> None:
    freed = weakref.ref(scene.ids)
    scene.ids[:] = 0
    del scene.ids
    gc.collect()
    assert freed() is None
    assert len(scene.world.shoot(scene.line)) == 2


def borrowed(scene, at: tuple[int, int, int] = (0, 0, 0)) -> weakref.ref:
    """Lends an array with a wall to the world and to nobody else."""
    array = wall(scene)
    scene.world.load_chunks(0, at, array, source=fr.Source.BORROW)
    return weakref.ref(array)


def wall(scene) -> np.ndarray:
    array = np.zeros((16, 16, 16), np.uint8)
    array[9] = scene.stone
    return array


def test_a_borrowed_array_lives_as_long_as_its_chunk(scene) -> None:
    array = borrowed(scene)
    gc.collect()
    np.full((16, 16, 16), 255, np.uint8)  # would reuse freed memory
    assert [hit.block[0] for hit in scene.world.shoot(scene.line)] == [9]
    scene.world.unload_chunk(0, (0, 0, 0))
    gc.collect()
    assert array() is None


@pytest.mark.parametrize(
    "replace",
    [
        lambda scene: scene.world.load_uniform_chunk(0, (0, 0, 0), fr.AIR),
        lambda scene: scene.world.load_chunks(0, (0, 0, 0), scene.ids),
        lambda scene: scene.world.close(),
        lambda scene: borrowed(scene),
    ],
)
def test_a_borrowed_array_is_freed_when_its_chunk_is_replaced(scene, replace) -> None:
    array = borrowed(scene)
    replace(scene)
    gc.collect()
    assert array() is None


def test_a_chunk_that_is_refused_borrows_nothing(scene) -> None:
    wrong = np.full((16, 16, 16), 77, np.uint8)
    freed = weakref.ref(wrong)
    kept = borrowed(scene)
    with pytest.raises(fr.InvalidArgumentError, match="77"):
        scene.world.load_chunks(0, (0, 0, 0), wrong, source=fr.Source.BORROW)
    del wrong
    gc.collect()
    assert freed() is None and kept() is not None


def test_an_interrupt_after_a_load_frees_no_array(scene, monkeypatch) -> None:
    with interrupted(monkeypatch, "frWorld_LoadChunks"), pytest.raises(KeyboardInterrupt):
        scene.world.load_chunks(0, (0, 0, 0), lent := wall(scene), source=fr.Source.BORROW)
    first = weakref.ref(lent)
    del lent
    gc.collect()
    assert first() is not None
    assert [hit.block[0] for hit in scene.world.shoot(scene.line)] == [9]
    second = borrowed(scene)
    gc.collect()
    assert first() is None and second() is not None
    with interrupted(monkeypatch, "frWorld_UnloadChunk"), pytest.raises(KeyboardInterrupt):
        scene.world.unload_chunk(0, (0, 0, 0))
    scene.world.load_chunks(0, (0, 0, 0), scene.ids)
    gc.collect()
    assert second() is None


def test_an_interrupt_after_a_move_frees_no_array(monkeypatch) -> None:
    world = fr.World(anchor="888_888")
    arrays = [np.zeros((16, 16, 16), np.uint8) for _ in range(2)]
    alive = [weakref.ref(array) for array in arrays]
    for x, array in enumerate(arrays):
        world.load_chunks(0, (x, 0, 0), array, source=fr.Source.BORROW)
    del array
    arrays.clear()
    with interrupted(monkeypatch, "frWorld_Recenter"), pytest.raises(KeyboardInterrupt):
        world.window.recenter((1, 0, 0))
    world.load_uniform_chunk(0, (1, 0, 0), fr.AIR)  # under the old name of the second chunk
    gc.collect()
    assert all(array() is not None for array in alive)
    with pytest.raises(fr.FractalrayError):
        world.window.recenter((1 << 40, 0, 0))
    assert len(world._kept._before_moves) == 1


def test_a_cursor_keeps_the_arrays_of_a_closed_world(scene) -> None:
    array = borrowed(scene)
    cursor = scene.world.hits_along(scene.line)
    scene.world.close()
    gc.collect()
    assert array() is not None
    assert [hit.block[0] for hit in cursor] == [9]
    del cursor
    scene.world = None
    gc.collect()
    assert array() is None


def test_bindings_keep_the_arrays_of_a_closed_world(scene) -> None:
    array = borrowed(scene)
    entity = scene.world.entities.add(7, fr.Sphere(0.5), (2.5, 2.5, 2.5))
    bindings = fr.Bindings(scene.world)
    scene.world.close()
    gc.collect()
    assert array() is not None
    bindings.bind(entity, 0, (9, 2, 2))
    del bindings
    scene.world = None
    gc.collect()
    assert array() is None


def test_a_snapshot_has_copies_of_borrowed_ids(scene) -> None:
    array = borrowed(scene)
    frozen = scene.world.snapshot()
    scene.world.close()
    gc.collect()
    assert array() is None
    assert [hit.block[0] for hit in frozen.shoot(scene.line)] == [9]


def test_arrays_follow_the_moves_of_the_frame() -> None:
    world = fr.World(levels=2, anchor="7a3")
    array = np.zeros((16, 16, 16), np.uint8)
    kept = weakref.ref(array)
    world.load_chunks(1, (3, 4, 5), array, source=fr.Source.BORROW)
    coarse = np.zeros((16, 16, 16), np.uint8)
    dropped = weakref.ref(coarse)
    world.load_chunks(0, (0, 0, 0), coarse, source=fr.Source.BORROW)
    del array, coarse
    world.window.descend((3, 4, 5))
    gc.collect()
    assert dropped() is None and kept() is not None
    assert world.chunk(0, (0, 0, 0)).is_borrowed
    world.unload_chunk(0, (0, 0, 0))
    gc.collect()
    assert kept() is None


@pytest.mark.parametrize(
    ("array", "error"),
    [
        (np.zeros((16, 16, 16)), TypeError),
        (np.zeros((16, 16, 16), np.int64), TypeError),
        (np.zeros((16, 16, 16), ">u2"), TypeError),
        (np.zeros((16, 16, 16), bool), TypeError),
        (np.zeros((16, 16), np.uint8), fr.InvalidArgumentError),
        (np.zeros((16, 16, 17), np.uint8), fr.InvalidArgumentError),
        (np.zeros((16, 16, 0), np.uint8), fr.InvalidArgumentError),
        (np.full((16, 16, 16), 3, np.uint8), fr.InvalidArgumentError),
        (np.full((16, 16, 16), -1, np.int8), fr.InvalidArgumentError),
        ([[[0] * 16] * 16] * 16, TypeError),
    ],
)
def test_unsuitable_arrays_are_refused(world: fr.World, array, error) -> None:
    before = world.versions
    for source in fr.Source:
        with pytest.raises(error):
            world.load_chunks(0, (0, 0, 0), array, source=source)
    assert world.versions == before


def test_a_read_only_array_is_not_borrowed_for_writing(world: fr.World) -> None:
    ids = np.zeros((16, 16, 16), np.uint8)
    ids.flags.writeable = False
    with pytest.raises(fr.InvalidArgumentError, match="read-only"):
        world.load_chunks(0, (0, 0, 0), ids, source=fr.Source.BORROW_FOR_WRITING)
    world.load_chunks(0, (0, 0, 0), ids, source=fr.Source.BORROW)


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ([-1], fr.OutOfRangeError),
        ([70000], fr.OutOfRangeError),
        ([0.5], TypeError),
        ([[0]], fr.InvalidArgumentError),
        (["stone"], TypeError),
    ],
)
def test_unsuitable_tables_are_refused(world: fr.World, table, error) -> None:
    with pytest.raises(error, match="types"):
        world.load_chunks(0, (0, 0, 0), np.zeros((16, 16, 16), np.uint8), types=table)


def test_an_empty_table_has_no_ids(world: fr.World) -> None:
    with pytest.raises(fr.InvalidArgumentError):
        world.load_chunks(0, (0, 0, 0), np.zeros((16, 16, 16), np.uint8), types=[])
