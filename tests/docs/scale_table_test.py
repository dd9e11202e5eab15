#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tools/scripts/scale_table.py on small results of a benchmark."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/scripts" / "scale_table.py"
BEGIN = "<!-- figures: begin (tools/scripts/scale_table.py) -->"
END = "<!-- figures: end -->"


def target(what, value, must, at_least):
    return {"what": what, "value": value, "must": must, "at_least": at_least}


class ScaleTableTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.md"
        self.page.write_text(f"# Page\n\n{BEGIN}\nold\n{END}\n\nThe end.\n")

    def run_script(self, results):
        path = self.folder / "results.json"
        path.write_text(json.dumps(results))
        return subprocess.run([sys.executable, "-B", SCRIPT, "--page", self.page, path], capture_output=True, text=True)

    def test_writes_a_row_for_each_target_and_names_missed_ones(self):
        done = self.run_script({"machine": "a machine", "quick": True, "targets": [
            target("a door", 1.349, 1.35, False), target("a cache", 0.93, 0.95, True),
            target("the load", 0.9, 0.9, True)]})
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = self.page.read_text().splitlines()
        self.assertEqual(lines[:3] + lines[-3:], ["# Page", "", BEGIN, END, "", "The end."])
        self.assertEqual(lines[3:-3], ["A quick run on a machine.", "", "| ratio | is | must be |", "|---|---|---|",
                                       "| a door | 1.35 | <= 1.35 |", "| a cache | 0.93 (missed) | >= 0.95 |",
                                       "| the load | 0.90 | >= 0.9 |"])

    def test_bad_results_leave_the_page(self):
        before = self.page.read_text()
        for results in ({}, {"targets": [{"what": "a door"}]}, {"targets": [target("a door", True, 1, False)]}):
            done = self.run_script(results)
            self.assertEqual(done.returncode, 2, results)
            self.assertIn("results.json", done.stderr)
        self.assertEqual(self.page.read_text(), before)


if __name__ == "__main__":
    unittest.main()
