# SPDX-License-Identifier: Apache-2.0
"""The wheel has the package and the library, and works alone."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import fractalray as fr
import pytest
from fractalray import _library

pytest.importorskip("setuptools")
pytest.importorskip("wheel")

BUILD = Path(fr.__file__).parents[1] / "build_wheel.py"


def test_a_wheel_works_without_anything_else(tmp_path: Path) -> None:
    library, out, installed = _library.lib._name, tmp_path / "dist", tmp_path / "site"
    command = [sys.executable, BUILD, library, "--out", out]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = out.glob("*.whl")
    assert wheel.name.startswith(f"fractalray-{fr.__version__}-py3-none-")
    assert not wheel.name.endswith("-any.whl")
    with zipfile.ZipFile(wheel) as content:
        assert {"fractalray/py.typed", "fractalray/world.py"} <= set(content.namelist())
        content.extractall(installed)
    environment = {n: v for n, v in os.environ.items() if n != "FRACTALRAY_LIBRARY"}
    environment["PYTHONPATH"] = str(installed)
    program = "import fractalray as fr; print(fr.library_version(), fr._library.lib._name)"
    used = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    version, path = used.stdout.split()
    assert version == fr.__version__
    assert Path(path).parent == installed / "fractalray"
