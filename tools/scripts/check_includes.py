#!/usr/bin/env python3
"""Checks how the files of the repository include each other.

Usage: tools/scripts/check_includes.py    (exit code 1 and a line for each include that breaks a rule)

- Modules include along the arrows of cmake/modules.txt. Tests, benchmarks and examples may include any module
  except the programs, which only its own tests and examples/dive may include.
- A stage of queries includes no later one: search, shot, query/internal itself, batch.
- Code in the repository includes by relative path, and every such path resolves in a bare checkout.
  Examples and the tests that stand for users write "fractalray/module/header.h".
- Headers below a folder internal/ are private: public headers of what is installed, the programs, the
  examples and users' tests do not include them.
- A source includes its own header first, which shows that the header includes what it needs.
- A header may be included twice.
"""

import re
import sys

from modules import OTHERS, PROGRAMS, ROOT, module_of, read_modules, sources_of

GUARD = re.compile(r"^#pragma once$|^#ifndef (\w+)\n#define \1$", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
# Code that reads as a user's, with the library installed or a checkout below the include path.
USERS = ("examples/", "tests/header_only/", "tests/package/", "tests/readme/")
# The stages of a query, each a folder that includes none after it; the folder above them is one, too.
STAGES = ("query/internal/search", "query/internal/shot", "query/internal", "query/internal/batch")
# Headers of other projects that are written with quotes.
FOREIGN = ("absl/", "boost/", "gtest/", "gmock/", "CLI/", "nlohmann/", "Bullet")


def sources(modules):
    yield from sorted(ROOT.glob("*.h"))
    for module in modules:
        yield from (ROOT / path for path in sources_of(module, modules))
    for folder in OTHERS:
        yield from sorted(p for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cc"))


def resolve(path, name, included):
    """Returns the path of an included file of the repository, relative to its root, or None."""
    if (path.parent / included).is_file():
        target = (path.parent / included).resolve()
    elif name.startswith(USERS):
        target = ROOT / included.removeprefix("fractalray/")
    else:
        return None
    return target.relative_to(ROOT).as_posix() if target.is_file() else None


def is_public(name, module):
    return module is not None and module.is_installed and name.endswith(".h") and "/internal/" not in name


def complaint(path, quote, included, modules):
    """Returns what is wrong with one include, or None."""
    name = path.relative_to(ROOT).as_posix()
    if quote == "<" and not included.startswith("fractalray/") or included.startswith(FOREIGN):
        return None
    target = resolve(path, name, included)
    if target is None:
        return "names no file of the checkout; a header of another project is included with <...>"
    own, other = module_of(name, modules), module_of(target, modules)
    is_outside = name.startswith((*USERS, *(f"{program}/" for program in PROGRAMS))) or is_public(name, own)
    if "/internal/" in target and is_outside:
        return "is private to the library"
    if own and other and other.folder not in own.may_include:
        return f"is not allowed by cmake/modules.txt: {own.folder} may not include {other.folder}"
    if not own and other and other.folder in PROGRAMS and not name.startswith(("tests/program/", "examples/dive/")):
        return "belongs to a program"
    if runs_back(name, target):
        return "belongs to a later stage of queries"
    return None


def runs_back(name, target):
    """Returns whether a stage of queries includes a later one."""
    own, other = (path.rpartition("/")[0] for path in (name, target))
    return own in STAGES and other in STAGES and STAGES.index(own) < STAGES.index(other)


def includes_own_header_first(path, included):
    header = path.with_suffix(".h")
    return path.suffix != ".cc" or not header.exists() or included[:1] == [header.name]


def main():
    modules = read_modules()
    wrong = []
    for path in sources(modules):
        name = path.relative_to(ROOT)
        text = path.read_text()
        includes = INCLUDE.findall(text)
        for quote, included in includes:
            why = complaint(path, quote, included, modules)
            if why:
                wrong.append(f"{name}: {quote}{included} {why}")
        if not includes_own_header_first(path, [included for _, included in includes]):
            wrong.append(f"{name}: does not include its own header first")
        if path.suffix == ".h" and not GUARD.search(text):
            wrong.append(f"{name}: has no #pragma once")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
