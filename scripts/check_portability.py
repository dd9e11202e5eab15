#!/usr/bin/env python3
"""Checks that public headers contain nothing that only g++ and clang read: attributes, builtins,
128-bit integers, inline assembly, pragmas. Allowed are such things between an #if of COMPILERS and
its #endif, since other compilers skip them. (The tests compile the headers with -Wpedantic, which
finds extensions of the language.)

Usage: scripts/check_portability.py    (exit code 1 and a line for each such thing)
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Names of the standard, and those that only an #if asks for.
ALLOWED = {"__cplusplus", "__FILE__", "__LINE__", "__VA_ARGS__", "__VA_OPT__", "__SIZEOF_POINTER__",
           "__SIZEOF_INT128__"}
COMPILERS = re.compile(
    r"^#if[^\n]*(?:_WIN32|__GNUC__|__clang__|__SIZEOF_INT128__|__FILE_NAME__)[^\n]*\n.*?^#endif",
    re.MULTILINE | re.DOTALL)
NAME = re.compile(r"\b__\w+|\b(?:asm|typeof)\b|\bu?int128_t\b|\[\[(?:gnu|clang)::|^\s*#\s*pragma\s+(?!once)\w+",
                  re.MULTILINE)
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def blanked(match):
    return re.sub(r"[^\n]", " ", match[0])


def public_headers():
    """Yields the headers that are installed."""
    for line in (ROOT / "modules.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            module, library = line.split()[:2]
            if library != "-":
                yield from (path for path in sorted((ROOT / module).rglob("*.h")) if "internal" not in path.parts)
    yield ROOT / "explain" / "debug_draw.h"
    yield ROOT / "fractalray.h"


def main():
    wrong, count = [], 0
    for path in public_headers():
        count += 1
        text = COMPILERS.sub(blanked, COMMENT_OR_STRING.sub(blanked, path.read_text()))
        for match in NAME.finditer(text):
            if match[0] not in ALLOWED:
                line = text.count("\n", 0, match.start()) + 1
                wrong.append(f"{path.relative_to(ROOT)}:{line}: '{match[0].strip()}' is not for every compiler; put an #if around it")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    print(f"{count} public headers, {len(wrong)} things that only some compilers read")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
