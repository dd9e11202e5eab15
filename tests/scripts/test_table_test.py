# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/scripts/test_table.py, on a repository of a few files."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/scripts"))

import test_table  # noqa: E402

FILES = {
    "cmake/modules.txt": "# module library may include\ncore fractalray\nbindings/c c core\ntools/program - core\n",
    "core/world.h": "class World {\n};\n",
    "core/world.cc": '#include "world.h"\n',
    "core/world_load.cc": '#include "world.h"\n#include "loader.h"\n',
    "core/edit.cc": '#include "fill.h"\nvoid World::edit() {\n}\n',  # a part of World by its members
    "core/fill.h": "void fill();\n",
    "core/loader.h": "struct Loader {\n};\n",
    "core/clock.h": "int now();\n",
    "bindings/c/chunks.cc": "frResult frLoadChunk(int) {\n}\n",
    "tools/program/main.cc": "int main() {\n}\n",
    "tests/core/world_test.cc": "TEST(World, Is) {\n}\n",
    "tests/core/world_model_test.cc": "TEST_F(World, Model) {\n}\n",
    "tests/core/fixture.h": '#include "../../core/clock.h"\n',
    "tests/core/any_test.cc": '#include "fixture.h"\nTEST(Any, Is) {\n}\n',
    "tests/core/helper.cc": '#include "../../core/loader.h"\n',
    "tests/c/loads.c": "  OK(frLoadChunk(1));\n",
}


class TheTable(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for path, text in FILES.items():
            self.write(path, text)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def run_main(self, *arguments):
        test_table.included.cache_clear()
        test_table.find_classes.cache_clear()
        errors = io.StringIO()
        with mock.patch.object(test_table, "ROOT", self.root), contextlib.redirect_stderr(errors):
            return test_table.main(list(arguments)), errors.getvalue()

    def rows(self):
        self.assertEqual(self.run_main(), (0, ""))
        page = (self.root / "tests/README.md").read_text()
        rows = (line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith(("| core", "| bindings")))
        return {source: tests for source, tests in rows}

    def test_tests_are_found_by_name_then_by_include_then_by_users(self):
        self.assertEqual(self.rows(), {
            "bindings/c/chunks": "c/loads.c",
            "core/clock": "core/any_test.cc",  # by a fixture
            "core/fill": "through core/world",
            "core/loader": "through core/world",  # helper.cc has no test
            "core/world": "core/world_model_test.cc, core/world_test.cc"})

    def test_the_longest_name_wins(self):
        self.write("core/world_model.h", "")
        self.assertEqual(self.rows()["core/world"], "core/world_test.cc")
        self.assertEqual(self.rows()["core/world_model"], "core/world_model_test.cc")

    def test_a_source_without_a_test_is_reported(self):
        self.write("core/lonely.h", '#include "world.h"\n')
        self.run_main()
        self.assertEqual(self.run_main("--check"),
                         (1, "core/lonely: has no test; write tests/core/lonely_test.cc\n"))

    def test_a_stale_table_is_reported(self):
        self.run_main()
        self.assertEqual(self.run_main("--check"), (0, ""))
        self.write("tests/core/clock_test.cc", "TEST(Clock, Ticks) {\n}\n")
        self.assertEqual(self.run_main("--check"),
                         (1, "tests/README.md is not what the sources say; run tools/scripts/test_table.py\n"))


if __name__ == "__main__":
    unittest.main()
