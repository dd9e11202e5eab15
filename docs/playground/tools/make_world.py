#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the nodes of a saved Luanti world into one file for the page.

Usage: make_world.py WORLD OUT [--chunks=X,Y,Z..X,Y,Z]     (first and last mapblock; default: all)

Needs the Python package of this repository (PYTHONPATH, FRACTALRAY_LIBRARY: see docs/python.md).
The file is gzipped, the same bytes on every run:

    "FRW2", the length of a JSON text (32 bits), that text, then the chunks of its list, one by one.

The text has `types`, an array of {name, kinds, boxes}, and `chunks`, an array of [x, y, z]. `kinds` and
`boxes` have a member for each channel of CHANNELS; `boxes` only those of types that do not fill their cube,
in 1/65536 of a node. A chunk is the number of its types minus 1 (a byte), its types (16 bits each), and runs
over x + 16 y + 256 z: an index into its types (a byte), the length (7 bits a byte, the lowest first).
All integers are little-endian.
"""

from __future__ import annotations

import argparse
import gzip
import json
import struct
from pathlib import Path

import fractalray as fr

CHANNELS = ("default", "visible", "physical")
KINDS = {fr.Kind.SOLID: "solid", fr.Kind.PERMEABLE: "permeable", fr.Kind.EMPTY: "empty"}
NODES = 3  # the level of nodes in an opened Luanti world
WHOLE = [[0, 0, 0, 65536, 65536, 65536]]


def runs(blocks: list[int]) -> bytes:
    """Returns a chunk as bytes."""
    types = sorted(set(blocks))
    index = {each: i for i, each in enumerate(types)}
    out = bytearray(struct.pack(f"<B{len(types)}H", len(types) - 1, *types))
    at = 0
    while at < len(blocks):
        end = at
        while end < len(blocks) and blocks[end] == blocks[at]:
            end += 1
        out.append(index[blocks[at]])
        length = end - at
        while length >= 128:
            out.append(length & 127 | 128)
            length >>= 7
        out.append(length)
        at = end
    return bytes(out)


def type_of(world: fr.World, number: int) -> dict[str, object]:
    """Returns a block type as the page reads it."""
    made: dict[str, object] = {"name": world.block_types.name(number)}
    kinds, shapes = {}, {}
    for name in CHANNELS:
        channel = world.block_types.channel(name)
        kinds[name] = KINDS[world.block_types.kind(number, channel)]
        boxes = world.block_types.boxes(number, channel)
        flat = [[round(float(part) * 65536) for corner in box for part in corner] for box in boxes]
        if flat != WHOLE:
            shapes[name] = flat
    made["kinds"] = kinds
    if shapes:
        made["boxes"] = shapes
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("world", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--chunks", help="X,Y,Z..X,Y,Z: the first and the last mapblock")
    given = parser.parse_args()
    part = None
    if given.chunks:
        part = tuple(tuple(int(n) for n in corner.split(",")) for corner in given.chunks.split(".."))
    world = fr.World.open(given.world, chunks=part)
    chunks = [[int(n) for n in chunk] for chunk in world.loaded_chunks(NODES)]
    blocks = [world.chunk_blocks(NODES, chunk).transpose(2, 1, 0).reshape(-1).tolist() for chunk in chunks]
    used = sorted({each for ids in blocks for each in ids} | {fr.AIR})  # air first, which is 0
    number = {each: i for i, each in enumerate(used)}
    body = b"".join(runs([number[each] for each in ids]) for ids in blocks)
    head = {"types": [type_of(world, each) for each in used], "chunks": chunks}
    text = json.dumps(head, separators=(",", ":")).encode()
    packed = gzip.compress(b"FRW2" + struct.pack("<I", len(text)) + text + body, 9, mtime=0)
    given.out.write_bytes(packed)
    print(f"{len(chunks)} chunks, {len(used)} types, {8192 * len(chunks)} bytes of ids -> {len(packed)}")


if __name__ == "__main__":
    main()
