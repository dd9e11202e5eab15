# SPDX-License-Identifier: Apache-2.0
"""Finding the shared library: next to the package, by FRACTALRAY_LIBRARY, by the system."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import fractalray as fr
import pytest
from fractalray import _library

PACKAGE = Path(fr.__file__).parent
LIBRARY = Path(_library.lib._name)
PRINT_NAME = "import fractalray; print(fractalray._library.lib._name)"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="builds libraries for Linux")


def run(package: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Imports the package in a process of its own, with these variables in place of ours."""
    kept = {n: v for n, v in os.environ.items() if n not in ("FRACTALRAY_LIBRARY", "PYTHONPATH")}
    environment = {**kept, "PYTHONPATH": str(package.parent), **variables}
    return subprocess.run(
        [sys.executable, "-c", PRINT_NAME], env=environment, capture_output=True, text=True
    )


def compiled(source: str, to: Path) -> Path:
    compiler = os.environ.get("FRACTALRAY_C_COMPILER", "cc")
    command = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", to]
    subprocess.run(command, input=source, text=True, check=True)
    return to


def test_the_variable_names_the_library(tmp_path: Path) -> None:
    copy = Path(shutil.copy(LIBRARY, tmp_path / "renamed.so"))
    done = run(PACKAGE, FRACTALRAY_LIBRARY=str(copy))
    assert done.stdout.strip() == str(copy), done.stderr


def test_the_library_next_to_the_package_comes_first(tmp_path: Path) -> None:
    package = tmp_path / "fractalray"
    shutil.copytree(PACKAGE, package)
    copy = shutil.copy(LIBRARY, package / "libfractalray_c.so.0.1")
    done = run(package, FRACTALRAY_LIBRARY="/nonexistent.so")
    assert done.stdout.strip() == str(copy), done.stderr


def test_the_system_is_asked_last(tmp_path: Path) -> None:
    shutil.copy(LIBRARY, tmp_path / "libfractalray_c.so.0.1")
    done = run(PACKAGE, LD_LIBRARY_PATH=str(tmp_path))
    assert done.stdout.strip() == "libfractalray_c.so.0.1", done.stderr


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("fractalray.errors.LibraryNotFoundError"), done.stderr
    return last


def test_a_missing_library_is_reported_with_the_remedy() -> None:
    reason = refusal(run(PACKAGE, FRACTALRAY_LIBRARY="/nonexistent.so"))
    assert "/nonexistent.so" in reason and "set FRACTALRAY_LIBRARY" in reason


def test_a_library_of_another_version_is_refused(tmp_path: Path) -> None:
    other = compiled("int frGetVersion(void) { return 9002003; }", tmp_path / "other.so")
    reason = refusal(run(PACKAGE, FRACTALRAY_LIBRARY=str(other)))
    assert "9.2.3" in reason and fr.__version__ in reason


def test_a_library_that_lacks_functions_is_refused(tmp_path: Path) -> None:
    number = _library.version_number()
    source = f"int frGetVersion(void) {{ return {number}; }}"
    for text in ("int unrelated;", source):
        other = compiled(text, tmp_path / "other.so")
        reason = refusal(run(PACKAGE, FRACTALRAY_LIBRARY=str(other)))
        assert "lacks a function" in reason
