#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tools/scripts/map_to_postgres.py on maps of both forms that Luanti has written."""
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/scripts/map_to_postgres.py"
ROWS = {(0, 0, 0): b"\x01\x00\n", (-1, 2047, -2048): b"\\", (5, -7, 9): b"\t", (2047, -2048, 1): b""}


class MapToPostgresTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, table, row, rows):
        database = sqlite3.connect(self.folder / "map.sqlite")
        database.execute(f"CREATE TABLE blocks ({table})")
        database.executemany(f"INSERT INTO blocks VALUES ({row})", rows)
        database.commit()
        database.close()

    def run_script(self):
        return subprocess.run([sys.executable, "-B", SCRIPT, self.folder], capture_output=True, text=True)

    def copied(self):
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        begin, end = next(i for i, line in enumerate(lines) if line.startswith("COPY")), lines.index("\\.")
        made = {}
        for line in lines[begin + 1 : end]:
            x, y, z, data = line.split("\t")
            self.assertTrue(data.startswith("\\\\x"), data)
            made[int(x), int(y), int(z)] = bytes.fromhex(data[3:])
        return made

    def test_a_map_with_keys(self):
        self.write("pos INT, data BLOB", "?, ?", [(x + 4096 * (y + 4096 * z), data) for (x, y, z), data in ROWS.items()])
        self.assertEqual(self.copied(), ROWS)

    def test_a_map_with_columns(self):
        self.write("x INT, y INT, z INT, data BLOB", "?, ?, ?, ?", [(*at, data) for at, data in ROWS.items()])
        self.assertEqual(self.copied(), ROWS)

    def test_a_folder_without_a_map_is_an_error(self):
        done = self.run_script()
        self.assertEqual(done.returncode, 1)
        self.assertIn("map.sqlite", done.stderr)


if __name__ == "__main__":
    unittest.main()
