# SPDX-License-Identifier: Apache-2.0
"""Saved worlds are read from files: the example world of Luanti, and small ones made here."""

from __future__ import annotations

import os
import re
import sqlite3
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

import fractalray as fr
import numpy as np
import pytest

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "worlds" / "w1"
NODES = 3  # the level

if os.environ.get("FRACTALRAY_C_FORMATS") == "OFF":
    pytest.skip("the library was built without the readers", allow_module_level=True)

Index = "tuple[int, int, int]"


def mapblock(names: Mapping[int, str], ids: np.ndarray) -> bytes:
    """Returns a mapblock of version 28, the axes of whose ids are x, y and z."""
    nodes = ids.transpose(2, 1, 0).astype(">u2").tobytes() + bytes(2 * 4096)
    mapping = b"".join(
        struct.pack(">HH", number, len(name)) + name.encode() for number, name in names.items()
    )
    return b"".join(
        [
            struct.pack(">BBHBB", 28, 0, 0xFFFF, 2, 2),
            zlib.compress(nodes),
            zlib.compress(b"\0"),  # no metadata
            struct.pack(">BHI", 0, 0, 0xFFFFFFFF),  # no objects; the time stamp
            struct.pack(">BH", 0, len(names)) + mapping,
            struct.pack(">BH", 10, 0),  # no timers
        ]
    )


def write_map(folder: Path, blocks: Mapping[Index, bytes]) -> Path:
    path = folder / "map.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)")
        for (x, y, z), data in blocks.items():
            key = z * 0x1000000 + y * 0x1000 + x
            database.execute("INSERT INTO blocks VALUES (?, ?)", (key, data))
    database.close()
    return path


def stone_with_a_hole() -> bytes:
    """A mapblock of stone with air at (3, 4, 5) and a node of its own at (6, 7, 8)."""
    ids = np.full((16, 16, 16), 2)
    ids[3, 4, 5] = 1
    ids[6, 7, 8] = 3
    return mapblock({1: "air", 2: "default:stone", 3: "mod:thing"}, ids)


def test_nodes_are_blocks_named_as_they_are(tmp_path: Path) -> None:
    write_map(tmp_path, {(-1, 0, 2): stone_with_a_hole()})
    with fr.World.open(tmp_path) as world:
        assert world.levels == 4
        types = world.block_types
        expected = {(3, 4, 5): "air", (6, 7, 8): "mod:thing", (4, 3, 5): "default:stone"}
        for (x, y, z), name in expected.items():
            assert types.name(world.block(NODES, (x - 16, y, z + 32))) == name
        assert types.kind(types["air"]) == fr.Kind.EMPTY
        assert types.kind(types["default:stone"]) == fr.Kind.SOLID
        assert world.load_report == fr.LoadReport(
            format="Luanti",
            chunks=1,
            loaded=1,
            not_generated=0,
            damaged=0,
            unsupported=0,
            outside=0,
            bytes=len(stone_with_a_hole()),
            damages=(),
            defaulted_names=("default:stone", "mod:thing"),
        )
        hit = world.closest_hit(fr.Line.segment((-20, 4.5, 37.5), (-1, 4.5, 37.5)), [NODES]).hit
        assert hit is not None and tuple(hit.block) == (-16, 4, 37)
        world.set_block(NODES, (-16, 4, 37), fr.AIR)  # it is a world like any other


def test_kinds_are_chosen_by_words_and_by_members(tmp_path: Path) -> None:
    path = write_map(tmp_path, {(0, 0, 0): stone_with_a_hole()})
    kinds = {
        "default": fr.Kind.PERMEABLE,
        "types": {"air": "empty", "mod:thing": {"default": fr.Kind.SOLID, "sight": "empty"}},
    }
    world = fr.World.open(path, kinds=kinds)
    types = world.block_types
    thing = types["mod:thing"]
    assert types.kind(types["default:stone"]) == fr.Kind.PERMEABLE
    assert types.kind(thing) == fr.Kind.SOLID
    assert types.kind(thing, types.channel("sight")) == fr.Kind.EMPTY
    assert world.load_report is not None
    assert world.load_report.defaulted_names == ("default:stone",)
    with pytest.raises(fr.InvalidArgumentError, match="hard"):
        fr.World.open(path, kinds={"default": "hard"})
    with pytest.raises(TypeError, match="kinds"):
        fr.World.open(path, kinds="solid")  # type: ignore[arg-type]


def test_block_types_are_shared(tmp_path: Path) -> None:
    write_map(tmp_path, {(0, 0, 0): stone_with_a_hole()})
    first = fr.World.open(tmp_path)
    second = fr.World.open(tmp_path, block_types_of=first)
    assert list(second.block_types) == list(first.block_types)
    second.block_types.add("gate")
    assert "gate" in list(first.block_types)


def test_types_of_a_list_have_the_same_numbers_in_every_part() -> None:
    whole = fr.World.open(EXAMPLE)
    names = list(whole.block_types)
    box = ((-13, 0, -3), (-12, 1, -2))
    part = fr.World.open(EXAMPLE, chunks=box, types=names)
    assert list(part.block_types) == names
    assert part.block_types.fingerprint() == whole.block_types.fingerprint()
    for chunk in part.loaded_chunks(NODES):
        blocks = part.chunk_blocks(NODES, chunk)
        assert (blocks == whole.chunk_blocks(NODES, chunk)).all()
    other = fr.World.open(EXAMPLE, chunks=box)
    assert list(other.block_types) != names
    assert other.block_types.fingerprint() != whole.block_types.fingerprint()
    missing = part.block_types.name(int(blocks.max()))
    others = [name for name in names if name != missing]
    reason = re.escape(f'"{missing}" is not in the list')
    with pytest.raises(fr.FailedPreconditionError, match=reason):
        fr.World.open(EXAMPLE, chunks=(chunk, chunk), types=others)
    with pytest.raises(fr.InvalidArgumentError, match="name 1 of block types"):
        fr.World.open(EXAMPLE, types=["air", "air"])
    with pytest.raises(fr.InvalidArgumentError, match="empty"):
        fr.World.open(EXAMPLE, types=[])
    for wrong in ("air", 3, ["air", 3]):
        with pytest.raises(TypeError, match="types"):
            fr.World.open(EXAMPLE, types=wrong)  # type: ignore[arg-type]


def test_a_box_is_read_alone() -> None:
    least, most = np.array([-13, 0, -3]), (-12, 1, -2)
    world = fr.World.open(EXAMPLE, chunks=(least, most), mapblocks=8)
    report = world.load_report
    assert report is not None
    assert (report.chunks, report.loaded, report.outside) == (8, 8, 0)
    whole = fr.World.open(str(EXAMPLE / "map.sqlite"))
    assert whole.load_report is not None
    assert (whole.load_report.loaded, whole.load_report.not_generated) == (1000, 728)
    chunks = world.loaded_chunks(NODES)
    assert len(chunks) == 8 and (chunks.min(0) == least).all() and (chunks.max(0) == most).all()
    for x in range(-13 * 16, -11 * 16, 5):
        at = (x, 9, -37)
        names = [each.block_types.name(each.block(NODES, at)) for each in (world, whole)]
        assert names[0] == names[1]
    with pytest.raises(fr.ResourceExhaustedError, match="more than 7 mapblocks"):
        fr.World.open(EXAMPLE, chunks=(least, most), mapblocks=7)
    with pytest.raises(fr.InvalidArgumentError, match="on axis 0"):
        fr.World.open(EXAMPLE, chunks=(most, least))
    with pytest.raises(TypeError, match="chunks"):
        fr.World.open(EXAMPLE, chunks=3)  # type: ignore[arg-type]


def test_damaged_chunks_are_named(tmp_path: Path) -> None:
    blocks = {(i, 0, 0): stone_with_a_hole()[:20] for i in range(3)}
    path = write_map(tmp_path, {**blocks, (7, 0, 0): stone_with_a_hole()})
    report = fr.World.open(path, named_damages=2).load_report
    assert report is not None
    assert (report.chunks, report.loaded, report.damaged) == (4, 1, 3)
    assert len(report.damages) == 2
    assert report.damages[0].startswith("(0, 0, 0): ")
    small = fr.World.open(path, mapblock_bytes=1000).load_report
    assert small is not None and small.loaded == 0


def test_chunks_of_old_versions_are_unsupported(tmp_path: Path) -> None:
    old = bytes([25]) + stone_with_a_hole()[1:]
    path = write_map(tmp_path, {(0, 0, 0): old, (1, 0, 0): old, (7, 0, 0): stone_with_a_hole()})
    report = fr.World.open(path).load_report
    assert report is not None
    assert (report.chunks, report.loaded, report.damaged, report.unsupported) == (3, 1, 0, 2)
    (reason,) = report.damages
    assert reason.startswith("2 mapblocks are not loaded: serialization version 25; ")


def test_errors_are_exceptions(tmp_path: Path) -> None:
    with pytest.raises(fr.NotFoundError, match="nowhere"):
        fr.World.open(tmp_path / "nowhere")
    (tmp_path / "text").write_text("no map" * 100)
    with pytest.raises(fr.InvalidArgumentError, match="text"):
        fr.World.open(tmp_path / "text")
    path = write_map(tmp_path, {(i, 0, 0): bytes(9000) for i in range(20)})
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(fr.DataLossError) as lost:
        fr.World.open(path)
    assert lost.value.code == "DATA_LOSS"
    with pytest.raises(fr.InvalidArgumentError, match="zero character"):
        fr.World.open("a\0b")
    with pytest.raises(fr.OutOfRangeError, match="mapblocks"):
        fr.World.open(path, mapblocks=0)
    with pytest.raises(fr.InvalidArgumentError):
        fr.World.open(EXAMPLE, anchor="no path")


def test_a_world_that_was_not_opened_has_no_report() -> None:
    assert fr.World().load_report is None
