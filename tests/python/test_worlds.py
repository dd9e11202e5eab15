# SPDX-License-Identifier: Apache-2.0
"""Worlds, block types, blocks and snapshots."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref
from pathlib import Path

import fractalray as fr
import numpy as np
import pytest


def test_block_types_have_names_and_kinds_by_channel(world: fr.World) -> None:
    types = world.block_types
    leaves = types.add("leaves", channels={"sight": fr.Kind.PERMEABLE, "body": fr.Kind.EMPTY})
    assert types["leaves"] == leaves
    assert types.name(leaves) == "leaves"
    assert list(types) == ["air", "stone", "glass", "leaves"]
    assert types.channels() == ["default", "sight", "body"]
    assert types.kind(leaves) == fr.Kind.SOLID
    assert types.kind(leaves, types.channel("body")) == fr.Kind.EMPTY
    assert "leaves" in types and "gravel" not in types


def test_names_are_unicode_of_any_length(world: fr.World) -> None:
    for name in ("käse 🧀", "x" * 5000):
        assert world.block_types.name(world.block_types.add(name)) == name


def test_a_name_in_use_is_refused(world: fr.World) -> None:
    with pytest.raises(fr.AlreadyExistsError, match="stone"):
        world.block_types.add("stone")
    with pytest.raises(fr.NotFoundError, match="gravel"):
        world.block_types["gravel"]


def test_worlds_can_share_block_types(world: fr.World) -> None:
    other = fr.World(block_types_of=world)
    assert other.block_types["stone"] == world.block_types["stone"]


def test_blocks_are_read_and_edited(scene) -> None:
    world, stone = scene.world, scene.stone
    assert world.block(0, (8, 1, 1)) == stone
    world.set_block(0, (8, 1, 1), fr.AIR)
    assert world.block(0, (8, 1, 1)) == fr.AIR
    world.fill_box(0, (0, 0, 0), (1, 1, 1), stone)
    assert world.block(0, (1, 1, 1)) == stone
    world.move_block(0, (1, 1, 1), (2, 2, 2))
    assert (world.block(0, (1, 1, 1)), world.block(0, (2, 2, 2))) == (fr.AIR, stone)
    with pytest.raises(fr.FractalrayError):
        world.block(0, (16, 0, 0))


def test_chunks_are_loaded_described_and_unloaded(scene) -> None:
    world = scene.world
    world.load_uniform_chunk(0, (1, 0, 0), scene.stone)
    world.load_proto_chunk(0, (-3, 0, 0))
    assert world.chunk(0, (1, 0, 0)).is_uniform
    assert world.chunk(0, (-3, 0, 0)).state == fr.ChunkState.PROTO
    assert world.loaded_chunks(0).tolist() == [[0, 0, 0], [1, 0, 0]]
    assert world.level(0) == fr.LevelInfo(2, 1, (0, 0, 0), (1, 0, 0))
    world.unload_chunk(0, (1, 0, 0))
    world.unload_chunk(0, (0, 0, 0))
    assert world.level(0) == fr.LevelInfo(0, 1, None, None)
    with pytest.raises(fr.NotFoundError):
        world.unload_chunk(0, (1, 0, 0))


def test_the_blocks_of_a_chunk_are_those_that_were_loaded() -> None:
    world = fr.World()
    stone = world.block_types.add("stone")
    ids = np.zeros((16, 16, 16), np.uint16)
    ids[1, 2, 3] = ids[15, 0, 7] = stone
    world.load_chunks(0, (-1, 0, 2), ids)
    blocks = world.chunk_blocks(0, (-1, 0, 2))
    assert blocks.dtype == np.uint16 and np.array_equal(blocks, ids)
    world.load_chunks(0, (0, 0, 2), blocks)
    assert world.block(0, (1, 2, 35)) == stone
    with pytest.raises(fr.NotFoundError, match=r"chunk \[5, 0, 0\] of level 0"):
        world.chunk_blocks(0, (5, 0, 0))


def test_many_chunks_are_listed() -> None:
    world = fr.World()
    for x in range(100):  # more than fit the first array
        world.load_uniform_chunk(0, (x, 0, 0), fr.AIR)
    assert world.loaded_chunks(0)[:, 0].tolist() == list(range(100))


def test_a_block_is_expanded_into_a_chunk_of_its_type() -> None:
    world = fr.World(levels=2)
    stone = world.block_types.add("stone")
    world.load_uniform_chunk(0, (0, 0, 0), stone)
    world.expand_block(0, (3, 2, 1))
    assert world.block(1, (48, 32, 16)) == stone


def test_a_snapshot_does_not_change(scene) -> None:
    world, line = scene.world, scene.line
    with world.snapshot() as frozen:
        assert frozen.versions == world.versions
        world.fill_box(0, (0, 0, 0), (15, 15, 15), fr.AIR)
        assert world.versions > frozen.versions
        assert world.closest_hit(line).hit is None
        hit = frozen.closest_hit(line).hit
        assert hit is not None and hit.block == (4, 2, 2)
    with pytest.raises(fr.FailedPreconditionError, match="closed"):
        frozen.closest_hit(line)


def test_a_snapshot_refuses_edits(scene) -> None:
    frozen = scene.world.snapshot()
    with pytest.raises(fr.FailedPreconditionError, match="snapshot"):
        frozen.block_types.add("gravel")
    with pytest.raises(fr.FailedPreconditionError, match="snapshot"):
        frozen.entities.add(1, fr.Sphere(1), (2, 2, 2))


def test_closing_twice_does_nothing(world: fr.World) -> None:
    world.close()
    world.close()
    with pytest.raises(fr.FailedPreconditionError, match="World is closed"):
        world.levels


def test_what_a_world_has_made_outlives_it(scene) -> None:
    cursor = scene.world.hits_along(scene.line)
    frozen = scene.world.snapshot()
    scene.world.close()
    assert [hit.block[0] for hit in cursor] == [4, 8]
    assert len(frozen.shoot(scene.line)) == 2


def test_versions_of_package_and_library() -> None:
    assert fr.library_version() == fr.__version__


def test_a_world_is_destroyed_with_its_last_name() -> None:
    gc.disable()
    try:
        world = fr.World(levels=2)
        stone = world.block_types.add("stone")
        world.load_uniform_chunk(1, (0, 0, 0), stone)
        world.entities.add(1, fr.Sphere(0.5), (4.5, 2.5, 2.5), level=1)
        assert world.window.anchor == ""
        assert world.closest_hit(fr.Line.segment((-1, 0.5, 0.5), (9, 0.5, 0.5))) is not None
        snapshot = world.snapshot()
        alive = [weakref.ref(world), weakref.ref(snapshot)]
        del world, snapshot
        assert [each() for each in alive] == [None, None]
    finally:
        gc.enable()


def test_worlds_are_not_destroyed_at_exit() -> None:
    """Daemon threads may query them while the process ends."""
    script = """
import fractalray as fr
from fractalray._library import lib

destroy = lib.frDestroyWorld
lib.frDestroyWorld = lambda pointer: print("destroyed", flush=True) or destroy(pointer)
kept, dropped = fr.World(executor=fr.Executor(2)), fr.World()
frozen = kept.snapshot()
del dropped
print("end", flush=True)
"""
    package = str(Path(fr.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "destroyed\nend\n", "")


def test_the_parts_of_a_world_keep_it() -> None:
    entities = fr.World().entities
    entities.add(1, fr.Sphere(0.5), (4.5, 2.5, 2.5))
    assert len(entities) == 1


def test_fingerprints_show_where_worlds_differ() -> None:
    worlds = []
    for order in (1, -1):
        world = fr.World(levels=2)
        stone = world.block_types.add("stone")
        for x in list(range(4))[::order]:
            world.load_uniform_chunk(1, (x, 0, 0), stone if x % 2 else fr.AIR)
        for id in (5, 6)[::order]:
            world.entities.add(id, fr.Sphere(0.5), (id, 1, 1), level=1)
        worlds.append(world)
    one, other = worlds
    box = ((0, 0, 0), (3, 0, 0))
    assert one.fingerprint(1, box) == other.fingerprint(1, box) != 0
    assert one.entities.fingerprint(1, box) == other.entities.fingerprint(1, box) != 0
    assert one.block_types.fingerprint() == other.block_types.fingerprint()
    assert one.fingerprint(1, ((9, 0, 0), (9, 0, 0))) == 0
    other.set_block(1, (40, 3, 3), 1)
    assert one.fingerprint(1, box) != other.fingerprint(1, box)
    chunks = [each.chunk_fingerprints(1, box) for each in worlds]
    assert chunks[0].shape == (4, 1, 1) and chunks[0].dtype == np.uint64
    assert np.argwhere(chunks[0] != chunks[1]).tolist() == [[2, 0, 0]]
    assert sum(map(int, chunks[0].flat)) % 2**64 == one.fingerprint(1, box)
    with one.snapshot() as snapshot:
        assert snapshot.fingerprint(1, box) == one.fingerprint(1, box)
    other.entities.remove(other.entities.find(5))
    assert one.entities.fingerprint(1, box) != other.entities.fingerprint(1, box)
    with pytest.raises(fr.InvalidArgumentError, match="more than max"):
        one.fingerprint(1, box[::-1])
    with pytest.raises(fr.InvalidArgumentError, match="level"):
        one.chunk_fingerprints(2, box)
    with pytest.raises(TypeError, match="chunks"):
        one.fingerprint(1, 3)  # type: ignore[arg-type]
