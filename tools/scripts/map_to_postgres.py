#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the map of a Luanti world as SQL: a map in PostgreSQL without a Luanti server.

usage: tools/scripts/map_to_postgres.py WORLD | psql -q -v ON_ERROR_STOP=1 URL

WORLD is a folder with map.sqlite. Mapblocks that the table has already are an error.
"""
import pathlib
import sqlite3
import sys

TABLE = """BEGIN;
CREATE TABLE IF NOT EXISTS blocks (
  posx int NOT NULL, posy int NOT NULL, posz int NOT NULL, data bytea,
  PRIMARY KEY (posx, posy, posz));
COPY blocks (posx, posy, posz, data) FROM STDIN;"""
END = "\\.\nCOMMIT;"


def position(key):
    """Returns the position of which Luanti makes the key x + 4096 (y + 4096 z)."""
    found = []
    for _ in range(3):
        found.append((key + 2048) % 4096 - 2048)
        key = (key - found[-1]) // 4096
    return found


def rows(world):
    """Yields the position and the data of each mapblock."""
    path = (pathlib.Path(world) / "map.sqlite").absolute()
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        columns = {column[1] for column in database.execute("PRAGMA table_info(blocks)")}
        if "pos" in columns:
            for key, data in database.execute("SELECT pos, data FROM blocks"):
                yield position(key), data
        else:
            for x, y, z, data in database.execute("SELECT x, y, z, data FROM blocks"):
                yield (x, y, z), data
    finally:
        database.close()


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        print(TABLE)
        for at, data in rows(sys.argv[1]):
            print(*at, f"\\\\x{data.hex()}", sep="\t")
        print(END)
    except sqlite3.Error as error:
        print(f"map_to_postgres.py: {sys.argv[1]}/map.sqlite: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
