# SPDX-License-Identifier: Apache-2.0
"""Tests of tools/scripts/hooks/pre-commit, in a repository of its own."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD, BAD = "int answer() {\n  return 42;\n}\n", "int answer()  {return 42 ;}\n"


class PreCommit(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path in (".clang-format", "tools/scripts/hooks/pre-commit"):
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.root / path)
        self.git("init", "-q")
        self.git("config", "core.hooksPath", "tools/scripts/hooks")

    def git(self, *arguments, check=True):
        # Without the variables that git sets if this test runs in a hook of another repository.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        names = ("-c", "user.name=test", "-c", "user.email=test@example.org")
        return subprocess.run(["git", *names, *arguments], cwd=self.root, env=environment, check=check,
                              capture_output=True, text=True)

    def commit(self, staged, then=None):
        """Commits a source; `then` is what the file has once it is staged."""
        (self.root / "some file.cc").write_text(staged)
        self.git("add", ".")
        if then is not None:
            (self.root / "some file.cc").write_text(then)
        return self.git("commit", "-q", "-m", "test", check=False)

    def write_check(self, name, exit_code):
        path = self.root / "tools/scripts" / name
        path.write_text(f"#!/bin/sh\necho printed; echo reported >&2; exit {exit_code}\n")
        path.chmod(0o755)

    def test_formatted_sources_are_committed(self):
        result = self.commit(GOOD)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_others_are_named_and_refused(self):
        result = self.commit(BAD)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "some file.cc: clang-format would change it; run ./dev format and stage it\n")
        self.assertEqual(self.commit(GOOD).returncode, 0)

    def test_what_is_staged_counts_and_not_the_file(self):
        self.assertEqual(self.commit(BAD, then=GOOD).returncode, 1)
        self.assertEqual(self.commit(GOOD, then=BAD).returncode, 0)

    def test_a_check_that_fails_refuses_the_commit(self):
        self.write_check("check_one.py", 0)
        self.write_check("check_two.py", 1)
        result = self.commit(GOOD)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "reported\nreported\n")  # of both: the first failure is not the last word
        self.write_check("check_two.py", 0)
        self.assertEqual(self.commit(GOOD).returncode, 0)


if __name__ == "__main__":
    unittest.main()
