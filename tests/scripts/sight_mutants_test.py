# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/scripts/sight_mutants.py, in a repository with one source, whose test and compiler are scripts."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = "int answer() { return 42; }\n"
# Refuses the word refused, as a compiler does an error.
CMAKE = """#!/bin/sh
! grep refused answer.cc
"""
TEST = """#!/bin/sh
case $1 in *None*) echo "[==========] Running 0 tests from 0 test suites."; exit 0 ;; esac
echo "[ RUN      ] Kinds/AnswerTest.Is42/3"
if grep -q ended answer.cc; then exit 6; fi
if grep -q endless answer.cc; then echo >begun; sleep 60; fi
if ! grep -q 42 answer.cc; then echo "[  FAILED  ] Kinds/AnswerTest.Is42/3, where GetParam() = 3 (0 ms)"; exit 1; fi
"""
TABLE = """
RUNS = [Run("answer_test", "*Answer*")]
MUTANTS = [Mutant("wrong", RUNS, [Edit("answer.cc", "42", "43")]),
           Mutant("right", RUNS, [Edit("answer.cc", "return 42", "return 42 + 0")]),
           Mutant("ended", RUNS, [Edit("answer.cc", "answer", "ended"), Edit("answer.cc", "ended()", "ended(int)")]),
           Mutant("endless", RUNS, [Edit("answer.cc", "return", "endless")]),
           Mutant("refused", RUNS, [Edit("answer.cc", "return", "refused")]),
           Mutant("absent", RUNS, [Edit("answer.cc", "44", "45")]),
           Mutant("twice", RUNS, [Edit("answer.cc", " {", ""), Edit("answer.cc", "n", "m")]),
           Mutant("moved", RUNS, [Edit("gone.cc", "44", "45")]),
           Mutant("untested", [Run("answer_test", "None*")], [Edit("answer.cc", "42", "43")])]
"""


class SightMutants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "repository"
        scripts = self.root / "tools/scripts"
        scripts.mkdir(parents=True)
        for name in ("modules.py", "sight_mutants.py", "sight_mutant_table.py"):
            shutil.copy(ROOT / "tools/scripts" / name, scripts)
        with open(scripts / "sight_mutant_table.py", "a", encoding="utf-8") as table:
            table.write(TABLE)
        self.source = self.root / "answer.cc"
        self.source.write_text(SOURCE)
        self.write_program(pathlib.Path(folder.name) / "bin/cmake", CMAKE)
        self.write_program(self.root / "build/checked/bin/answer_test", TEST)
        # Without the variables that git sets if this test runs in a hook of another repository.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self.environment["PATH"] = f"{folder.name}/bin:{os.environ['PATH']}"
        self.git("init", "-q")
        self.git("add", "answer.cc", "tools")
        self.git("-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-q", "-m", "test")

    @staticmethod
    def write_program(path, text):
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(0o755)

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.root, env=self.environment, check=True)

    def start(self, *arguments):
        command = [sys.executable, "-B", self.root / "tools/scripts/sight_mutants.py", *arguments]
        return subprocess.Popen(command, env=self.environment, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run_tool(self, *arguments):
        """Returns the exit status, the lines about mutants, and the errors; the source is as it was."""
        before = self.source.read_bytes()
        tool = self.start(*arguments)
        output, errors = tool.communicate()
        self.assertEqual(self.source.read_bytes(), before)
        return tool.returncode, [line for line in output.splitlines() if not line.startswith("passes ")], errors

    def test_a_mutant_is_caught_by_a_test_that_fails(self):
        self.assertEqual(self.run_tool("wrong"), (
            0, ["CAUGHT     wrong  by Kinds/AnswerTest.Is42/3", "1 mutants: 1 CAUGHT"], ""))

    def test_or_by_one_that_ends_the_program(self):
        self.assertEqual(self.run_tool("ended")[:2], (
            0, ["CAUGHT     ended  by Kinds/AnswerTest.Is42/3 (exit status 6)", "1 mutants: 1 CAUGHT"]))

    def test_a_mutant_that_no_test_notices_has_survived(self):
        self.assertEqual(self.run_tool("right", "wrong")[:2], (
            1, ["CAUGHT     wrong  by Kinds/AnswerTest.Is42/3", "SURVIVED   right", "2 mutants: 1 CAUGHT, 1 SURVIVED"]))

    def test_an_endless_test_is_ended(self):
        status, lines, _ = self.run_tool("--seconds", "0.5", "endless")
        self.assertEqual(status, 1)
        self.assertTrue(lines[0].startswith("TOO LONG   endless  answer_test *Answer* after "), lines)

    def test_what_the_compiler_refuses_is_in_the_log(self):
        self.assertEqual(self.run_tool("refused")[:2], (
            1, ["NOT BUILT  refused  answer_test: build/checked/mutants/refused.log", "1 mutants: 1 NOT BUILT"]))
        self.assertIn("refused 42", (self.root / "build/checked/mutants/refused.log").read_text())

    def test_a_text_that_is_not_there_once_is_reported_before_anything_is_tried(self):
        correct = "correct tools/scripts/sight_mutant_table.py"
        for name, message in (("absent", f"answer.cc has this 0 times instead of once; {correct}:\n44"),
                              ("twice", f"answer.cc has this 3 times instead of once; {correct}:\nn"),
                              ("moved", f"there is no gone.cc; {correct}")):
            self.assertEqual(self.run_tool("wrong", name), (2, [], f"sight_mutants.py: {name}: {message}\n"))

    def test_filters_must_have_tests_and_these_must_pass_without_a_mutant(self):
        self.assertEqual(self.run_tool("untested"), (2, [], (
            "sight_mutants.py: answer_test has no test 'None*'; correct tools/scripts/sight_mutant_table.py\n")))
        self.source.write_text(SOURCE.replace("42", "41"))
        self.git("-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-q", "-a", "-m", "wrong")
        self.assertEqual(self.run_tool("endless"), (2, [], (
            "sight_mutants.py: without a mutant answer_test --gtest_filter='*Answer*' fails: "
            "build/checked/mutants/without.log\n")))

    def test_a_tree_with_changes_is_refused(self):
        self.source.write_text(SOURCE + "// changed\n")
        self.assertEqual(self.run_tool("wrong"), (2, [], (
            "sight_mutants.py: the tree has changes; commit, stash or revert them first:\n M answer.cc\n")))

    def test_an_interrupted_mutant_is_reverted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            tool = self.start("endless")
            begun, latest = self.root / "begun", time.monotonic() + 60
            while not begun.exists() and time.monotonic() < latest:
                time.sleep(0.01)
            self.assertIn("endless", self.source.read_text())
            tool.send_signal(number)
            _, errors = tool.communicate()
            self.assertEqual((tool.returncode, self.source.read_text()), (130, SOURCE))
            self.assertIn("the sources are as they were", errors)
            begun.unlink()

    def test_names_may_be_patterns(self):
        self.assertEqual(self.run_tool("--list", "e*", "moved"),
                         (0, ["ended answer.cc", "endless answer.cc", "moved gone.cc"], ""))
        self.assertEqual(self.run_tool("none"), (2, [], (
            "sight_mutants.py: there is no mutant 'none'; ./dev mutants --list lists them\n")))


if __name__ == "__main__":
    unittest.main()
