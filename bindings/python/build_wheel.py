#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel that has the shared library inside.

    build_wheel.py build/release/bindings/c/libfractalray_c.so --out dist

Needs setuptools and wheel, no compiler and no network. The wheel is for the platform on which it is
built.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

try:
    import wheel  # noqa: F401  # setuptools needs it
    from setuptools import build_meta
except ImportError as error:
    raise SystemExit(
        f"{error}, for {sys.executable}: install setuptools and wheel for it, or use /usr/bin/python3 "
        "with Debian's python3-setuptools and python3-wheel"
    ) from None

SOURCE = Path(__file__).resolve().parent
FILES = ("pyproject.toml", "setup.py")


def build(library: Path, out: Path) -> Path:
    """Builds the wheel in a temporary folder, and returns its path in `out`."""
    out = out.resolve()  # before the change of folder below, which setuptools needs
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in FILES:
            shutil.copy(SOURCE / name, folder)
        package = Path(folder) / "fractalray"
        shutil.copytree(SOURCE / "fractalray", package, ignore=shutil.ignore_patterns("__pycache__"))
        suffix = ".so" if ".so" in library.name else library.suffix
        shutil.copy(library, package / f"libfractalray_c{suffix}")
        before = os.getcwd()
        os.chdir(folder)
        try:
            return out / build_meta.build_wheel(str(out))
        finally:
            os.chdir(before)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", type=Path, help="the shared library, libfractalray_c")
    parser.add_argument("--out", type=Path, default=Path("dist"), help="the folder of the wheel")
    arguments = parser.parse_args()
    print(build(arguments.library, arguments.out))


if __name__ == "__main__":
    main()
