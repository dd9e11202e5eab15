#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the C++ samples of a page are parts of programs that the tests compile and run.

Usage: excerpts.py PAGE[#TITLE] SOURCE...    (exit code 1 and the sample for each that no source contains)

With a TITLE only the samples below that title are checked, up to the next one.
"""

import pathlib
import re
import sys
import textwrap


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    path, _, title = sys.argv[1].partition("#")
    page, *sources = (pathlib.Path(path).read_text() for path in (path, *sys.argv[2:]))
    if title:
        page = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", page, re.DOTALL | re.MULTILINE)[1]
    samples = re.findall(r"^```cpp\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    missing = [sample for sample in samples
               if not any(textwrap.indent(sample, " " * indent) in source
                          for source in sources for indent in (0, 2, 4))]
    for sample in missing:
        print(f"no part of {' or '.join(sys.argv[2:])}:\n{sample}")
    return 1 if missing or not samples else 0


if __name__ == "__main__":
    sys.exit(main())
