# SPDX-License-Identifier: Apache-2.0
"""Tests that each mutant of tools/scripts/sight_mutant_table.py can be tried, without a build."""

import fnmatch
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/scripts"))

import sight_mutant_table  # noqa: E402
import sight_mutants  # noqa: E402

TEST = re.compile(r"^TEST(?:_F)?\((\w+),\s*(\w+)\)", re.MULTILINE)
PARAMETRIZED = re.compile(r"^TEST_P\((\w+),\s*(\w+)\)", re.MULTILINE)
INSTANTIATED = re.compile(r"^INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+)", re.MULTILINE)


def tests_of(folder):
    """Returns the names of the tests of a folder, as filters see them."""
    names = set()
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "tests" / folder).rglob("*_test.cc")]
    prefixes = {(suite, prefix) for text in texts for prefix, suite in INSTANTIATED.findall(text)}
    for text in texts:
        names |= {f"{suite}.{name}" for suite, name in TEST.findall(text)}
        names |= {f"{prefix}/{suite}.{name}/0" for suite, name in PARAMETRIZED.findall(text)
                  for of, prefix in prefixes if of == suite}
    return names


class TheTable(unittest.TestCase):
    def test_each_text_is_in_its_source_exactly_once(self):
        for mutant in sight_mutant_table.MUTANTS:
            with self.subTest(mutant.name):
                try:
                    texts = sight_mutants.mutate(mutant)
                except sight_mutants.CannotTry as error:
                    self.fail(error)
                for path, text in texts.items():
                    self.assertNotEqual(text, path.read_text(encoding="utf-8"))

    def test_names_differ(self):
        names = [mutant.name for mutant in sight_mutant_table.MUTANTS]
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_each_filter_has_tests(self):
        folders = {"core_test": "core", "query_test": "query", "batch_test": "query"}
        for run in {run for mutant in sight_mutant_table.MUTANTS for run in mutant.runs}:
            names = tests_of(folders[run.program])
            for pattern in run.tests.split(":"):
                with self.subTest(program=run.program, pattern=pattern):
                    self.assertTrue(any(fnmatch.fnmatchcase(name, pattern) for name in names))


if __name__ == "__main__":
    unittest.main()
