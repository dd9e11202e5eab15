#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests tools/scripts/performance_table.py on small results of a benchmark."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools/scripts" / "performance_table.py"
BEGIN = "<!-- figures: begin (tools/scripts/performance_table.py) -->"
END = "<!-- figures: end -->"


def row(scene, rays, work, system, ns, count=0, wrong=0):
    return {"scene": scene, "rays": rays, "work": work, "system": system, "count": count, "ns": ns, "wrong": wrong,
            "bytes": 0, "build_ms": 0}


class PerformanceTableTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.md"
        self.page.write_text(f"# Page\n\n{BEGIN}\nold figures\n{END}\n\nThe end.\n")

    def results(self, rows, name="results.json", **members):
        path = self.folder / name
        path.write_text(json.dumps({"machine": "a machine", "quick": True, "results": rows, "sets": [], **members}))
        return path

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, SCRIPT, "--page", self.page, *arguments], capture_output=True, text=True)

    def lines(self, *results):
        done = self.run_script(*results)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.page.read_text().splitlines()

    def test_writes_a_table_for_each_kind_of_work_and_leaves_the_page_around_it(self):
        lines = self.lines(self.results([
            row("terrain", "random", "first_hit", "openvdb", 1445.4, wrong=2),
            row("terrain", "random", "first_hit", "fractalray", 231.2),
            row("terrain", "random", "shoot", "fractalray", 238),
            row("water-row", "pull", "pull_4096", "fractalray", 351000),
            row("entities-uniform", "little", "entity_move", "bullet", 148, count=100000)]))
        self.assertEqual(lines[:2] + lines[-3:], ["# Page", "", END, "", "The end."])
        self.assertIn("A quick run on a machine.", lines)
        self.assertIn("| First hit, ns per segment | fractalray | openvdb |", lines)
        self.assertIn("| terrain, random | 231 | 1,445 (2) |", lines)
        self.assertIn("| terrain, random: shoot | 238 |", lines)
        self.assertIn("| A row of 4,096 hits, ns per line | water-row: all |", lines)
        self.assertIn("| 100,000 uniform, little: entity move | 148 |", lines)

    def test_says_from_how_many_segments_a_tick_each_system_wins(self):
        def tick(system, move, query):
            return [row("entities-clustered", "little", "entity_move", system, move, count=1000),
                    row("entities-clustered", "random", "entity_query", system, query, count=1000)]

        lines = self.lines(self.results(tick("grid", 10, 900) + tick("fractalray", 60, 500) + tick("bullet", 90, 600)
                                        + tick("fractalray-optimized", 100, 260) + tick("embree-rebuilt", 440, 250)))
        # 50 ns more for each of 1,000 entities, 400 ns less for a segment: 125 segments.
        self.assertIn("| 1,000 clustered, little | grid from 0, fractalray from 125, fractalray-optimized from 167, "
                      "embree-rebuilt from 34,000 |", lines)
        alone = self.lines(self.results(tick("grid", 10, 900)))
        self.assertFalse([line for line in alone if "grid from" in line])

    def test_ticks_have_a_table_of_their_own(self):
        lines = self.lines(self.results([row("entities-uniform", "little", "entity_tick", "grid", 990, count=1000)]))
        self.assertIn("| Ticks, ns for the move of an entity and a segment | grid |", lines)
        self.assertIn("| 1,000 uniform, little | 990 |", lines)

    def test_scenes_with_shapes_have_a_table_of_their_own(self):
        lines = self.lines(self.results([row("slabs", "random", "first_hit", "fractalray-cubes", 240),
                                         row("terrain", "random", "first_hit", "fractalray", 231),
                                         row("slabs", "random", "first_hit", "fractalray", 300),
                                         row("slabs", "camera", "camera_batch", "fractalray", 170)]))
        self.assertIn("| First hit, ns per segment | fractalray |", lines)
        self.assertIn("| Blocks with shapes, ns per segment | fractalray | fractalray-cubes |", lines)
        self.assertIn("| slabs, random: first hit | 300 | 240 |", lines)
        self.assertIn("| slabs, camera: camera batch | 170 | - |", lines)

    def test_loads_have_a_table_of_their_own(self):
        lines = self.lines(self.results([row("terrain", "explosion", "hit_groups", "fractalray", 50),
                                         row("terrain", "explosion", "hit_groups", "tinybvh", 70, wrong=3),
                                         row("terrain", "reach-6", "first_hit", "fractalray-ray", 90),
                                         row("terrain", "reach-6", "convert", "fractalray-ray", 9),
                                         row("slabs", "reach-40", "first_hit", "fractalray", 300)]))
        self.assertIn("| Loads of games, ns per line | fractalray | fractalray-ray | tinybvh |", lines)
        self.assertIn("| explosion | 50 | - | 70 (3) |", lines)
        self.assertIn("| reach-6 | - | 90 | - |", lines)
        self.assertIn("| terrain, reach-6: convert | 9 |", lines)
        self.assertIn("| slabs, reach-40: first hit | 300 |", lines)

    def test_several_machines_have_a_table_of_ratios_with_their_range(self):
        def rows(ours, loop, peer):
            return [row("terrain", "random", "first_hit", "fractalray", ours),
                    row("terrain", "random", "first_hit", "textbook-double", loop),
                    row("terrain", "random", "first_hit", "openvdb", peer),
                    row("terrain", "random", "first_hit", "embree", 10 * peer),
                    row("terrain", "random", "first_hit", "embree16", 1)]

        pick = [row("terrain", "reach-6", "first_hit", "fractalray", 1),
                row("terrain", "reach-6", "first_hit", "fractalray-ray", 80),
                row("terrain", "reach-6", "first_hit", "textbook-double", 100)]
        lines = self.lines(self.results(rows(100, 400, 200) + pick),
                           self.results(rows(100, 1000, 200), "b.json", machine="another", quick=False),
                           self.results(rows(120, 400, 100)[:1], "c.json", machine="another"))
        self.assertIn("A quick run on a machine (A). A full run on another (B). A quick run on another (B).", lines)
        self.assertIn("| Our time to that of a loop in doubles, of the fastest peer | A | B | range |", lines)
        self.assertIn("| terrain, random | 0.25, 0.50 | 0.12, 0.60 | 0.12 to 0.25, 0.50 to 0.60 |", lines)
        self.assertIn("| reach-6 | 0.80, - | -, - | 0.80, - |", lines)
        self.assertIn("| First hit, ns per segment, on A | fractalray | textbook-double | openvdb | embree | embree16 |", lines)
        self.assertIn("| terrain, random | 100 | 400 | 200 | 2,000 | 1 |", lines)

    def test_systems_and_works_that_it_does_not_know_have_a_column_and_a_line(self):
        lines = self.lines(self.results([row("terrain", "random", "shoot", "a-new-peer", 5),
                                         row("moon", "far", "dig_holes", "fractalray", 7),
                                         row("water-row", "stop", "shoot", "fractalray", 8)]))
        self.assertIn("| Other queries, ns per segment | fractalray | a-new-peer |", lines)
        self.assertIn("| terrain, random: shoot | - | 5 |", lines)
        self.assertIn("| moon, far: dig holes | 7 | - |", lines)
        self.assertIn("| water-row, stop: shoot | 8 | - |", lines)

    def test_a_later_file_replaces_rows_and_sweeps_have_no_line(self):
        lines = self.lines(self.results([row("terrain", "random", "first_hit", "fractalray", 1),
                                         row("density-0.1", "random", "first_hit", "fractalray", 2)]),
                           self.results([row("terrain", "random", "first_hit", "fractalray", 3)], "b.json", quick=False))
        self.assertIn("| terrain, random | 3 |", lines)
        self.assertIn("A quick run on a machine. A full run on a machine.", lines)
        self.assertFalse([line for line in lines if "density" in line])

    def test_check_finds_a_page_that_is_out_of_date_and_changes_nothing(self):
        results = self.results([row("terrain", "random", "first_hit", "fractalray", 1)])
        before = self.page.read_text()
        self.assertEqual(self.run_script("--check", results).returncode, 1)
        self.assertEqual(self.page.read_text(), before)
        self.lines(results)
        self.assertEqual(self.run_script("--check", results).returncode, 0)

    def test_refuses_what_is_no_result_and_changes_nothing(self):
        good = row("terrain", "random", "first_hit", "fractalray", 1)
        before = self.page.read_text()
        for bad in ({**good, "ns": "1"}, {**good, "ns": None}, {**good, "ns": float("nan")}, {**good, "count": -1},
                    {**good, "wrong": True}, {"scene": "terrain"}, 5):
            done = self.run_script(self.results([bad]))
            self.assertEqual((done.returncode, "Traceback" in done.stderr), (2, False), done.stderr)
            self.assertIn("results.json", done.stderr)
        for text in ("", "{", "[]", '{"results": 1}', '{"results": [], "machine": 5}'):
            path = self.folder / "broken.json"
            path.write_text(text)
            done = self.run_script(path)
            self.assertEqual((done.returncode, "Traceback" in done.stderr), (2, False), done.stderr)
            self.assertIn("broken.json", done.stderr)
        self.assertEqual(self.run_script(self.folder / "none.json").returncode, 2)
        self.assertEqual(self.page.read_text(), before)

    def test_refuses_a_page_without_its_markers(self):
        results = self.results([row("terrain", "random", "first_hit", "fractalray", 1)])
        for text in ("# Page\n", f"{BEGIN}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n"):
            self.page.write_text(text)
            self.assertEqual(self.run_script(results).returncode, 2)
            self.assertEqual(self.page.read_text(), text)


if __name__ == "__main__":
    unittest.main()
