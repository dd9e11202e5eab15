#!/usr/bin/env python3
"""Makes tests/README.md, the table of which tests cover which source, and reports sources without any.

Usage: tools/scripts/test_table.py            writes the file
       tools/scripts/test_table.py --check    writes nothing; exit code 1 if the file differs, or a source has no test

A unit is a header with its sources: world.h, world.cc and, as they have no header of their own, world_load.cc and
world_move.cc. Its tests are

1. those that are named after it: world_test.cc, world_model_test.cc (unless a unit world_model exists);
2. else those that include its header, perhaps by a fixture of the tests; of sources of bindings/c, those that call
   one of its functions;
3. else those of the nearest units that include its header, or whose members it defines.
"""

import collections
import functools
import itertools
import pathlib
import re
import sys

from modules import PROGRAMS, ROOT, module_of, read_modules, sources_of
PAGE = "tests/README.md"
SHOWN = 3  # tests of a unit that has none of its name
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(", re.MULTILINE)
CLASS = re.compile(r"^(?:class|struct) (\w+)[^;]*?\{", re.MULTILINE)
MEMBER = re.compile(r"^[^\s/#][^;{}=]*?\b(\w+)::~?\w+\(", re.MULTILINE)
C_FUNCTION = re.compile(r"^fr\w+ \*?(fr\w+)\(", re.MULTILINE)
C_INTERFACE = pathlib.Path("bindings/c")

INTRODUCTION = """\
# Which tests cover which source

Made by [tools/scripts/test_table.py](../tools/scripts/test_table.py), which says what counts; `./dev lint` reports a source without a test. Run it after you have
added a source or a test. A test of several sources is in the folder of the outermost one and named after what it does.
"""


def read(path):
    return path.read_text(encoding="utf-8")


@functools.cache
def included(path):
    """Returns the files of the repository that a file of it includes."""
    found = ((ROOT / path).parent.joinpath(name).resolve() for name in INCLUDE.findall(read(ROOT / path)))
    return {each.relative_to(ROOT) for each in found if each.is_file() and each.is_relative_to(ROOT)}


def modules():
    """Returns the modules but the programs, whose commands tests/program and tests/store run."""
    return [module for module in read_modules(ROOT) if module.folder not in PROGRAMS]


def folder_of(unit):
    """Returns the folder of the module of a unit."""
    return module_of(unit.as_posix(), read_modules(ROOT)).folder


def tests_of(unit):
    """Returns the folder below tests/ that the tests of a unit are in: the innermost of the names on its path that
    tests/ has."""
    return next((name for name in reversed(unit.parts[:-1]) if (ROOT / "tests" / name).is_dir()), unit.parts[-2])


def find_units():
    """Maps each unit, such as core/frame, to its files."""
    units = collections.defaultdict(list)
    for module in modules():
        files = sources_of(module, read_modules(ROOT), root=ROOT)
        headers = {p.with_suffix("") for p in files if p.suffix == ".h"}
        for path in sorted(files):
            units[unit_of(path, headers, find_classes(module.folder))].append(path)
    return dict(sorted(units.items()))


@functools.cache
def find_classes(folder):
    """Maps the classes of a module to their headers, without suffix."""
    return {name: path.relative_to(ROOT).with_suffix("") for path in sorted((ROOT / folder).rglob("*.h"))
            for name in CLASS.findall(read(path))}


def unit_of(path, headers, classes):
    """Returns the header, without suffix, that a source belongs to: its own; else the one with the longest name
    with which its name begins, that of the class whose members it defines, or the first of its folder that it
    includes."""
    stem, parts = path.with_suffix(""), path.stem.split("_")
    if stem in headers or path.parent == C_INTERFACE:
        return stem
    text = read(ROOT / path)
    prefixes = (stem.with_name("_".join(parts[:length])) for length in range(len(parts) - 1, 0, -1))
    of_class = (classes[name] for name in MEMBER.findall(text) if name in classes)
    in_folder = (stem.parent / name.removesuffix(".h") for name in INCLUDE.findall(text))
    found = (each for each in itertools.chain(prefixes, of_class, in_folder) if each in headers)
    return next(found, stem)


def find_tests():
    """Maps each file with tests to all that it includes, also by headers of tests/."""
    tests = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        is_test = path.suffix == ".cc" and TEST.search(read(path)) or path.suffix == ".c" and path.name != "layout.c"
        if is_test:
            tests[path.relative_to(ROOT)] = closure(path.relative_to(ROOT))
    return tests


def closure(path):
    reached, waiting = set(), [path]
    while waiting:
        for each in included(waiting.pop()) - reached:
            reached.add(each)
            if each.parts[0] == "tests":
                waiting.append(each)
    return reached


def named_after(units, tests):
    """Maps units to the tests of their names, each of the unit with the longest name that fits."""
    names = collections.defaultdict(list)  # the units of a module by name
    for unit, files in units.items():
        for stem in {unit.name, *(path.stem for path in files)}:
            names[tests_of(unit), stem].append(unit)
    named = collections.defaultdict(list)
    for test in tests:
        module, parts = test.parts[1], test.stem.removesuffix("_test").split("_")
        for length in range(len(parts), 0, -1):
            found = names.get((module, "_".join(parts[:length])), [])
            for unit in found:
                named[unit].append(test)
            if found:
                break
    return named


def callers(unit, files, tests):
    """Returns the tests that call a function of a source of bindings/c."""
    functions = {name for path in files for name in C_FUNCTION.findall(read(ROOT / path))}
    if not functions or not unit.is_relative_to(C_INTERFACE):
        return []
    return [test for test in tests if functions & set(re.findall(r"\bfr\w+", read(ROOT / test)))]


def find_coverage(units, tests):
    """Maps each unit to its tests, and each that has none of its own to the units that it is tested by."""
    named = named_after(units, tests)
    own = {}
    for unit, files in units.items():
        headers = {path for path in files if path.suffix == ".h"}
        own[unit] = named.get(unit) or [test for test, reached in tests.items() if headers & reached]
        own[unit] = own[unit] or callers(unit, files, tests)
    return named, own, {unit: nearest(unit, units, own) for unit in units if not own[unit]}


def nearest(unit, units, own):
    """Returns the units with tests that use a unit, or the nearest that use one of those that do."""
    reached, ring = {unit}, {unit}
    while ring:
        ring = {each for used in ring for each in users(used, units)} - reached
        covered = sorted(each for each in ring if own[each])
        if covered:
            return covered
        reached |= ring
    return []


def users(unit, units):
    """Returns the units that include a unit's header, and those whose members its sources define."""
    headers = {path for path in units[unit] if path.suffix == ".h"}
    classes = find_classes(folder_of(unit))
    defined = {classes[name] for path in units[unit] for name in MEMBER.findall(read(ROOT / path)) if name in classes}
    return defined | {each for each, files in units.items() if any(included(path) & headers for path in files)}


def row(unit, named, own, through):
    if own[unit]:
        names = [test.relative_to("tests").as_posix() for test in own[unit]]
        shown = names if named.get(unit) else names[:SHOWN]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        return f"| {unit} | {', '.join(shown)}{more} |"
    by = [each.as_posix() for each in through[unit]]
    return f"| {unit} | through {', '.join(by[:SHOWN])}{' and others' if len(by) > SHOWN else ''} |"


def make_page(units, named, own, through):
    lines = [INTRODUCTION]
    for module in modules():
        lines += [f"## {module.folder}", "", "| source | tests |", "|---|---|"]
        lines += [row(unit, named, own, through) for unit in units if folder_of(unit) == module.folder]
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    units = find_units()
    named, own, through = find_coverage(units, find_tests())
    page = make_page(units, named, own, through)
    if not arguments:
        (ROOT / PAGE).write_text(page, encoding="utf-8")
        return 0
    untested = [unit for unit in units if not own[unit] and not through[unit]]
    for unit in untested:
        print(f"{unit}: has no test; write tests/{tests_of(unit)}/{unit.name}_test.cc", file=sys.stderr)
    is_stale = not (ROOT / PAGE).is_file() or read(ROOT / PAGE) != page
    if is_stale:
        print(f"{PAGE} is not what the sources say; run tools/scripts/test_table.py", file=sys.stderr)
    return 1 if untested or is_stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
