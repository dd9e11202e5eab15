#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows what the program says of a map of an old version of Luanti: lets Luanti turn it into one
that is read.

Usage: old_map_test.py PROGRAM    PROGRAM is fractalray

Exit code 0 if the map is read in the end, 1 if not, 77 if the server is not installed.
"""

import os
import pathlib
import re
import shlex
import sqlite3
import struct
import subprocess
import sys
import tempfile
import zlib

import server

VERSIONS = (25, 26, 27)


def mapblock(version):
    """Returns a mapblock of air with one node of stone, as these versions write it."""
    ids = [0] * 4096
    ids[5] = 1
    names = {0: b"air", 1: b"default:stone"}
    return b"".join([
        bytes([version, 0]),
        b"\xff\xff" if version >= 27 else b"",
        bytes([2, 2]),
        zlib.compress(struct.pack(">4096H", *ids) + bytes(2 * 4096)),
        zlib.compress(b"\0"),  # no metadata
        struct.pack(">BHI", 0, 0, 0xFFFFFFFF),  # no objects; the time stamp
        struct.pack(">BH", 0, len(names)),
        *(struct.pack(">HH", number, len(name)) + name for number, name in names.items()),
        struct.pack(">BH", 10, 0),  # no timers
    ])


def write_world(folder):
    (folder / "world.mt").write_text("gameid = minetest\nbackend = sqlite3\n")
    with sqlite3.connect(folder / "map.sqlite") as database:
        database.execute("CREATE TABLE blocks (pos INT PRIMARY KEY, data BLOB)")
        for x, version in enumerate(VERSIONS):
            database.execute("INSERT INTO blocks VALUES (?, ?)", (x, mapblock(version)))
    database.close()


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if server.find() is None:
        print("NOT RUN: minetest-server is not installed (./dev test installs it)")
        return server.NOT_RUN
    with tempfile.TemporaryDirectory() as temporary:
        world = pathlib.Path(temporary) / "world"
        world.mkdir()
        write_world(world)
        environment = {**os.environ, "HOME": temporary, "PATH": f"{os.environ['PATH']}:/usr/games"}
        info = [pathlib.Path(sys.argv[1]).resolve(), "info", "--world", world]

        def run(command):
            return subprocess.run(command, cwd=temporary, env=environment, text=True, timeout=60,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

        before = run(info)
        remedy = re.search(r"version 25, 26, 27; .* older ones into 29: (.*)$", before.stdout,
                           re.MULTILINE)
        if before.returncode != 1 or not remedy:
            print(f"no remedy in what info says:\n{before.stdout}")
            return 1
        recompressed = run(shlex.split(remedy[1].replace("FOLDER", str(world))))
        after = run(info)
        if after.returncode != 0 or "3 loaded, 0 not generated, 0 damaged" not in after.stdout:
            print(f"{recompressed.stdout}\n{after.stdout}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
