# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/python.md make a wheel that has the package and the library, and works alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import fractalray as fr
import pytest
from fractalray import _library

pytest.importorskip("setuptools")
pytest.importorskip("wheel")

SOURCE = Path(fr.__file__).parents[3]
PROGRAM = "import fractalray as fr; print(fr.library_version(), fr._library.lib._name)"


def run_documented(part: str, folder: Path) -> str:
    """Runs the command of docs/python.md that has this part, and returns what it prints."""
    page = (SOURCE / "docs" / "python.md").read_text()
    (command,) = re.findall(rf"^.*{re.escape(part)}.*$", page, re.MULTILINE)
    search_path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": search_path}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel made in a clone whose build has the library of this test."""
    library = tmp_path / "build/release/bindings/c/libfractalray_c.so"
    library.parent.mkdir(parents=True)
    library.symlink_to(_library.lib._name)
    (tmp_path / "bindings").symlink_to(SOURCE / "bindings")
    printed = run_documented("build_wheel.py", tmp_path)
    (made,) = (tmp_path / "dist").glob("*.whl")
    assert printed.splitlines()[-1] == str(made)
    return made


def check_import(python: str, folder: Path, **variables: str) -> None:
    """Checks that this Python imports the package with its own library from below a folder."""
    kept = {n: v for n, v in os.environ.items() if n not in ("FRACTALRAY_LIBRARY", "PYTHONPATH")}
    used = subprocess.run(
        [python, "-c", PROGRAM], env={**kept, **variables}, capture_output=True, text=True
    )
    assert used.returncode == 0, used.stderr
    version, path = used.stdout.split()
    assert version == fr.__version__
    assert folder in Path(path).parents


def test_a_wheel_works_without_anything_else(tmp_path: Path, wheel: Path) -> None:
    assert wheel.name.startswith(f"fractalray-{fr.__version__}-py3-none-")
    assert not wheel.name.endswith("-any.whl")
    installed = tmp_path / "site"
    with zipfile.ZipFile(wheel) as content:
        files = {"fractalray/py.typed", "fractalray/world.py", "fractalray/bake/run.py"}
        assert files <= set(content.namelist())
        content.extractall(installed)
    check_import(sys.executable, installed, PYTHONPATH=str(installed))


def test_pip_installs_it_as_the_page_says(tmp_path: Path, wheel: Path) -> None:
    has_modules = ["/usr/bin/python3", "-c", "import ensurepip, numpy"]
    if not Path(has_modules[0]).exists() or subprocess.run(has_modules, check=False).returncode:
        pytest.skip("needs Debian's python3-venv and python3-numpy")
    run_documented("-m venv", tmp_path)
    check_import(str(tmp_path / "env/bin/python"), tmp_path / "env")
