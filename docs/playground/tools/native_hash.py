#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the hash of the page's 100,000 shots by the native library.

Usage: native_hash.py WORLD.json [--seed=N] [--how=TEXT --write=src/expected_hash.js]     (WORLD.json: tools/export_world.mjs)

Needs the Python package of this repository (PYTHONPATH, FRACTALRAY_LIBRARY: see docs/python.md). --how says which library
it was, such as "g++ 12.2 -O3". The world, the lines and the hash are those of src/page_world.js and src/many_shots.js.
"""

from __future__ import annotations

import argparse
import base64
import json
from pathlib import Path

import numpy as np

import fractalray as fr

COUNT, SEED, LOW, SIZE, FINEST = 100_000, 20201, (-272, -32, -112), 160, 16
KINDS = {"solid": fr.Kind.SOLID, "permeable": fr.Kind.PERMEABLE, "empty": fr.Kind.EMPTY}
PRIME = np.uint32(16777619)
FILE = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/native_hash.py, which shoots the lines of many_shots.js by the native library; empty until it has run.
// `how` says which library, compiled by which compiler, gave the hash.
export const EXPECTED = {{ hash: {}, how: {} }};
"""


def array_of(part: dict[str, object]) -> np.ndarray:
    """Returns ids as an array with the axes x, y, z."""
    x, y, z = part["size"]
    ids = np.frombuffer(base64.b64decode(part["ids"]), np.uint8)
    return np.ascontiguousarray(ids.reshape(z, y, x)).transpose(2, 1, 0)


def world_of(data: dict[str, object]) -> fr.World:
    """Returns the page's world. Channels but `default` play no part."""
    world = fr.World(levels=3)
    types = [fr.AIR]
    for each in data["types"][1:]:
        boxes = each.get("boxes", {}).get("default")
        shape = None if boxes is None else np.array(boxes, float).reshape(-1, 2, 3) / 65536
        types.append(world.block_types.add(each["name"], KINDS[each["kinds"]["default"]], boxes=shape))
    far_type, marble = world.block_types.add("far land"), world.block_types.add("marble")
    far = data["far"]
    first = np.array(far["low"]) // 16
    last = (np.array(far["low"]) + np.array(far["size"]) - 1) // 16
    for x in range(first[0], last[0] + 1):
        for y in range(first[1], last[1] + 1):
            for z in range(first[2], last[2] + 1):
                world.load_uniform_chunk(0, (x, y, z), fr.AIR)
    world.load_box(0, far["low"], array_of(far), types=[fr.AIR, far_type])
    nodes = data["nodes"]
    world.load_chunks(1, [part // 16 for part in nodes["low"]], array_of(nodes), types=types)
    for part in data["fine"]:
        world.set_block(1, part["at"], marble)
        world.load_chunks(2, part["at"], array_of(part), types=[fr.AIR, marble])
    for each in data["entities"]:
        if each.get("radius"):
            shape = fr.Sphere(each["radius"] * FINEST)
        else:
            shape = fr.Box([half * FINEST for half in each["halfExtents"]])
        position = [part * FINEST for part in each["position"]]
        world.entities.add(each["id"], shape, position, level=1, categories=each["category"])
    return world


def lines(seed: int) -> np.ndarray:
    """Returns the ends of the lines, (COUNT, 2, 3), in finest blocks."""
    out, x = np.empty(6 * COUNT), seed
    for i in range(6 * COUNT):
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        x ^= x << 5 & 0xFFFFFFFF
        out[i] = LOW[i % 3] * FINEST + x % (SIZE * FINEST * 256) / 256
    return out.reshape(COUNT, 2, 3)


def mix(hashes: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Returns the hashes after one more word each, as mix() of many_shots.js."""
    return (hashes ^ words.astype(np.int64).astype(np.uint32)) * PRIME


def answers(hits: np.ndarray, seed: int) -> np.ndarray:
    """Returns the hash of each answer."""
    halves = hits["t"].copy().view(np.uint32).reshape(-1, 2)
    hashes = none = mix(np.full(len(hits), seed, np.uint32), hits["kind"])
    for words in (hits["level"], hits["face_axis"], hits["face_sign"], halves[:, 0], halves[:, 1], hits["start_inside"] != 0):
        hashes = mix(hashes, words)
    entity = mix(hashes, hits["id"])
    for axis in range(3):
        hashes = mix(hashes, hits["cell"][:, axis])
    block = mix(hashes, hits["type"])
    return np.where(hits["kind"] == 0, none, np.where(hits["kind"] == 2, entity, block))


def fold(hashes: np.ndarray, seed: int) -> str:
    for each in hashes.tolist():
        seed = (seed ^ each) * 16777619 & 0xFFFFFFFF
    return f"{seed:08x}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("world", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--how", default="")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    world = world_of(json.loads(given.world.read_text()))
    ends = lines(given.seed)
    hits = world.closest_hits(fr.Lines.segments(ends[:, 0].copy(), ends[:, 1].copy())).hits
    low, high = (fold(answers(hits, seed), seed) for seed in (2166136261, 3141592653))
    print(f"hash {high}{low}, {int((hits['kind'] != 0).sum())} hits")
    if given.write and given.seed != SEED:
        parser.error(f"--write takes the hash of seed {SEED}")
    if given.write:
        given.write.write_text(FILE.format(json.dumps(high + low), json.dumps(given.how)))


if __name__ == "__main__":
    main()
