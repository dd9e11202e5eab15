#!/usr/bin/env python3
"""Checks the packaging that no build reads: that the Debian package, the vcpkg port and the Conan
recipe have the version of core/version.h, that Debian's packages are named after the SONAME and have
every shared library, that the recipes parse, and that the Conan recipe exports every folder that a
build of the libraries reads.

Usage: tools/scripts/check_packaging.py    (exit code 1 and a line for each mistake)
"""

import ast
import json
import pathlib
import re
import sys

from modules import ROOT, read_modules


def read(path):
    return (ROOT / path).read_text()


def mistakes():
    parts = re.findall(r"^#define FRACTALRAY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", read("core/version.h"), re.MULTILINE)
    version = ".".join(parts)
    if len(parts) != 3:
        yield f"core/version.h: defines {len(parts)} parts of the version; 3 are needed"

    debian = re.match(r"fractalray \(([^)]*)\)", read("packaging/debian/changelog"))
    if not debian or debian[1] != version:
        yield f"packaging/debian/changelog: its first entry is not for fractalray ({version})"
    soname = ".".join(parts[:2]) if parts[0] == "0" else parts[0]  # as in cmake/install.cmake
    packages = re.findall(r"^Package: (.*)$", read("packaging/debian/control"), re.MULTILINE)
    for package in packages:
        if not package.endswith(("-dev", soname)):
            yield f"packaging/debian/control: {package} has no {soname} at its end, the version in the SONAME"
        if not package.endswith("-dev") and not (ROOT / "packaging/debian" / f"{package}.install").exists():
            yield f"debian: there is no {package}.install"
    lists = "".join(path.read_text() for path in (ROOT / "packaging/debian").glob("*.install"))
    installed = re.findall(r"^\s*(?:fractalray_install_library\(|install\(TARGETS )(fractalray\w*)",
                           read("cmake/install.cmake") + read("cmake/install_c.cmake"), re.MULTILINE)
    for library in installed:
        if not library.endswith(("_app", "_static")) and f"/lib{library}.so.*\n" not in lists:
            yield f"debian: no package has lib{library}.so"

    try:
        port = json.loads(read("packaging/vcpkg/fractalray/vcpkg.json"))
        if port.get("version") != version:
            yield f"packaging/vcpkg/fractalray/vcpkg.json: its version is {port.get('version')}, not {version}"
    except json.JSONDecodeError as error:
        yield f"packaging/vcpkg/fractalray/vcpkg.json: {error}"
    recipe = "packaging/conan/conanfile.py"
    try:
        exported = exported_folders(ast.parse(read(recipe), recipe))
        yield from (f"{recipe}: SOURCES has no {folder}/*" for folder in sorted(library_folders() - exported))
    except SyntaxError as error:
        yield f"{recipe}: {error}"


def exported_folders(recipe):
    """Returns the folders in the constant SOURCES of the parsed Conan recipe."""
    for statement in recipe.body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "SOURCES":
            return {name.removesuffix("/*") for name in ast.literal_eval(statement.value) if name.endswith("/*")}
    return set()


def library_folders():
    """Returns the folders that the build of a library reads: modules, what the C library installs, CMake's."""
    return {module.folder for module in read_modules() if module.is_installed} | {
        "cmake", "query/explain", "bindings/luajit", "bindings/luanti"}


def main():
    wrong = list(mistakes())
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
