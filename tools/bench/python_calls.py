#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures calls from Python by the kind of their lines: ns a line, the least of some runs.

Usage, with the package and a release library on their paths (docs/python.md):
    PYTHONPATH=bindings/python FRACTALRAY_LIBRARY=build/release/bindings/c/libfractalray_c.so \\
        tools/bench/python_calls.py [--json FILE]
"""

import argparse
import json
import time

import fractalray as fr
import numpy as np

LINES = 100_000
SINGLE = 5_000
RUNS = 7
REACHES = (6.0, 40.0, 120.0)


def hills() -> fr.World:
    """Returns hills of 256 x 64 x 256 blocks, as the tests of batches have them."""
    world = fr.World()
    stone = world.block_types.add("stone")
    x, z = np.meshgrid(np.arange(256), np.arange(256), indexing="ij")
    height = 20 + 8 * np.sin(x / 17) + 7 * np.cos(z / 13)
    ids = np.where(np.arange(64)[None, :, None] < height[:, None, :], stone, 0).astype(np.uint16)
    world.load_chunks(0, (0, 0, 0), ids)
    return world


def nanoseconds(call, lines: int) -> float:
    """Returns the CPU time a line of this thread, the least of some runs."""
    best = float("inf")
    for _ in range(RUNS):
        begin = time.thread_time_ns()
        call()
        best = min(best, time.thread_time_ns() - begin)
    return best / lines


def one_by_one(world: fr.World, lines: list) -> None:
    for line in lines:
        world.closest_hit(line)


def measure(world: fr.World, reach: float) -> dict:
    """Returns ns a line by the kind of call, for the same random lines from the air."""
    rng = np.random.default_rng(1)
    starts = rng.uniform((0, 36, 0), (256, 60, 256), (LINES, 3))
    directions = rng.normal(size=(LINES, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    ends = starts + reach * directions
    some = [fr.Line.segment(*pair) for pair in zip(starts[:SINGLE], ends[:SINGLE])]
    out = np.empty(LINES, fr.HIT)
    kinds = {
        "rays": fr.Lines.rays(starts, directions, reach),
        "segments": fr.Lines.segments(starts, ends),
        "units": fr.Lines.units(*(np.round(65536 * at).astype(np.int64) for at in (starts, ends))),
    }
    found = {}
    for kind, lines in kinds.items():
        found["closest_hits, " + kind] = nanoseconds(
            lambda lines=lines: world.closest_hits(lines, out=out), LINES
        )
    found["closest_hit, lines that exist"] = nanoseconds(lambda: one_by_one(world, some), SINGLE)
    walked = fr.walk_many(kinds["rays"])
    found["walk_many, rays"] = nanoseconds(lambda: fr.walk_many(kinds["rays"]), LINES)
    found["cells a ray"] = len(walked.cells) / LINES
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="also write the results to a file")
    arguments = parser.parse_args()
    world = hills()
    results = {reach: measure(world, reach) for reach in REACHES}
    for name in results[REACHES[0]]:
        row = "".join(f"{results[reach][name]:10.1f}" for reach in REACHES)
        print(f"{name:32}{row}")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({str(reach): found for reach, found in results.items()}, file, indent=2)


if __name__ == "__main__":
    main()
