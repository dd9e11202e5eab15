#!/usr/bin/env python3
"""Checks how the files of the repository include each other.

Usage: tools/scripts/check_includes.py    (exit code 1 and a line for each include that breaks a rule)

- Modules include along the arrows of cmake/modules.txt. Tests and benchmarks may include any module except
  apps, which only the program's own tests may include.
- Code in the repository includes by relative path, and every such path resolves in a bare checkout.
  Examples and the tests that stand for users write "fractalray/module/header.h".
- Headers below a folder internal/ are private: public headers of what is installed, the program, the
  examples and users' tests do not include them.
- A source includes its own header first, which shows that the header includes what it needs.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
# Code that reads as a user's, with the library installed or a checkout below the include path.
USERS = ("examples/", "tests/header_only/", "tests/package/", "tests/readme/")
# Headers of other projects that are written with quotes.
FOREIGN = ("absl/", "boost/", "gtest/", "gmock/", "CLI/", "nlohmann/", "Bullet")


def read_modules():
    """Maps each module to the set of modules that it may include; returns those installed too."""
    modules, installed = {}, set()
    for line in (ROOT / "cmake/modules.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, library, *allowed = line.split()
            modules[name] = {name, *allowed}
            if library != "-":
                installed.add(name)
    return modules, installed


def sources(modules):
    yield from sorted(ROOT.glob("*.h"))
    for folder in [*modules, "tests", "bench", "examples"]:
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


def is_public(name, installed):
    return name.endswith(".h") and "/internal/" not in name and name.split("/")[0] in installed


def complaint(path, quote, included, modules, installed):
    """Returns what is wrong with one include, or None."""
    name = path.relative_to(ROOT).as_posix()
    if quote == "<" and not included.startswith("fractalray/") or included.startswith(FOREIGN):
        return None
    target = resolve(path, name, included)
    if target is None:
        return "names no file of the checkout; a header of another project is included with <...>"
    folder, module = name.split("/")[0], target.split("/")[0]
    is_outside = name.startswith(USERS) or folder == "apps" or is_public(name, installed)
    if "/internal/" in target and is_outside:
        return "is private to the library"
    if folder in modules and module in modules and module not in modules[folder]:
        return f"goes against cmake/modules.txt: {folder} may not include {module}"
    if folder not in modules and module == "apps" and not name.startswith("tests/program/"):
        return "belongs to the program"
    return None


def includes_own_header_first(path, included):
    header = path.with_suffix(".h")
    return path.suffix != ".cc" or not header.exists() or included[:1] == [header.name]


def main():
    modules, installed = read_modules()
    wrong = []
    for path in sources(modules):
        name = path.relative_to(ROOT)
        includes = INCLUDE.findall(path.read_text())
        for quote, included in includes:
            why = complaint(path, quote, included, modules, installed)
            if why:
                wrong.append(f"{name}: {quote}{included} {why}")
        if not includes_own_header_first(path, [included for _, included in includes]):
            wrong.append(f"{name}: does not include its own header first")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
