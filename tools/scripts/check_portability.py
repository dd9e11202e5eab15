#!/usr/bin/env python3
"""Checks that public headers contain nothing that only g++ and clang read: attributes, builtins,
128-bit integers, inline assembly, pragmas. Allowed are such things between an #if of COMPILERS and
its #endif, since other compilers skip them. (The tests compile the headers with -Wpedantic, which
finds extensions of the language.)

Checks also that only core/internal/instruction_sets.h asks for which processor it is compiled, so that
a portable build leaves out all code for certain instruction sets.

Usage: tools/scripts/check_portability.py    (exit code 1 and a line for each such thing)
"""

import pathlib
import re
import sys

from modules import OTHERS, ROOT, read_modules, sources_of


# Names of the standard, and those that only an #if asks for.
ALLOWED = {"__cplusplus", "__FILE__", "__LINE__", "__VA_ARGS__", "__VA_OPT__", "__SIZEOF_POINTER__",
           "__SIZEOF_INT128__", "__wasm__"}
COMPILERS = re.compile(
    r"^#if[^\n]*(?:_WIN32|__GNUC__|__clang__|__SIZEOF_INT128__|__FILE_NAME__)[^\n]*\n.*?^#endif",
    re.MULTILINE | re.DOTALL)
NAME = re.compile(r"\b__\w+|\b(?:asm|typeof)\b|\bu?int128_t\b|\[\[(?:gnu|clang)::|^\s*#\s*pragma\s+(?!once)\w+",
                  re.MULTILINE)
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

PROCESSOR = re.compile(r"\b(?:__(?:SSE|AVX|BMI|x86_64|amd64|i386|aarch64|AARCH64|arm|ARM)\w*|_M_(?:X64|ARM64)\b)")
INSTRUCTION_SETS = ROOT / "core" / "internal" / "instruction_sets.h"


def blanked(match):
    return re.sub(r"[^\n]", " ", match[0])


def public_headers():
    """Yields the headers that are installed."""
    modules = read_modules()
    for module in modules:
        if module.is_installed:
            yield from (ROOT / path for path in sources_of(module, modules, (".h",)) if "internal" not in path.parts)
    yield ROOT / "query" / "explain" / "debug_draw.h"
    yield from sorted(ROOT.glob("*.h"))


def sources():
    """Yields all headers and sources of the modules and their tests."""
    modules = read_modules()
    for module in modules:
        yield from (ROOT / path for path in sources_of(module, modules))
    for folder in OTHERS:
        yield from sorted(path for suffix in ("h", "cc") for path in (ROOT / folder).rglob(f"*.{suffix}"))


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


def main():
    wrong, count = [], 0
    for path in public_headers():
        count += 1
        text = COMPILERS.sub(blanked, COMMENT_OR_STRING.sub(blanked, path.read_text()))
        for match in NAME.finditer(text):
            if match[0] not in ALLOWED:
                wrong.append(f"{path.relative_to(ROOT)}:{line_of(text, match)}: '{match[0].strip()}' is not for every compiler; put an #if around it")
    for path in sources():
        text = path.read_text()
        for match in PROCESSOR.finditer(text):
            if path != INSTRUCTION_SETS:
                wrong.append(f"{path.relative_to(ROOT)}:{line_of(text, match)}: '{match[0]}'; use a macro of core/internal/instruction_sets.h")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    print(f"{count} public headers, {len(wrong)} things that only some compilers or processors read")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
