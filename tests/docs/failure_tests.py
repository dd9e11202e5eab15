#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the tests which a page names are there: links such as [`Suite.Name`](../tests/file_test.cc).

Usage: failure_tests.py PAGE    exit code 1, and a line for each test that its file does not have
"""

import pathlib
import re
import sys

LINK = re.compile(r"\[`([\w.]+)`\]\(([^)#]+)\)")
CPP = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
PYTHON = re.compile(r"^def (test_\w+)\(", re.MULTILINE)


def tests_of(path):
    """Returns the names of the tests of a file."""
    text = path.read_text(encoding="utf-8")
    return set(PYTHON.findall(text)) if path.suffix == ".py" else {".".join(test) for test in CPP.findall(text)}


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    page = pathlib.Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    section = re.search(r"^## Failures\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)[1]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    faults = [f"no test: {row}" for row in rows if not LINK.search(row)]
    for name, link in LINK.findall(section):
        path = page.parent / link
        if not path.is_file() or name not in tests_of(path):
            faults.append(f"{link} has no test {name}")
    print("\n".join(faults) if faults else f"{len(rows)} failures have tests")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
