# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the shared library of the C interface.

It is searched, in this order: in the folder of this package, as wheels have it; at the path in the
environment variable FRACTALRAY_LIBRARY; in the folders of the system's loader.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from ctypes import CDLL, c_int32
from pathlib import Path

from ._abi import FR_VERSION_MAJOR, FR_VERSION_MINOR, FR_VERSION_PATCH, PARAMETERS, RESULTS
from .errors import LibraryNotFoundError

# The version of the header that the package is written for: major, minor, patch.
VERSION = (FR_VERSION_MAJOR, FR_VERSION_MINOR, FR_VERSION_PATCH)
VARIABLE = "FRACTALRAY_LIBRARY"

if sys.platform == "win32":
    FILE_NAMES: tuple[str, ...] = ("fractalray_c.dll", "libfractalray_c.dll")
elif sys.platform == "darwin":
    FILE_NAMES = ("libfractalray_c.dylib",)
else:
    FILE_NAMES = (f"libfractalray_c.so.{VERSION[0]}.{VERSION[1]}", "libfractalray_c.so")


def version_number() -> int:
    """Returns FR_VERSION of the header that the package is written for."""
    return VERSION[0] * 1_000_000 + VERSION[1] * 1_000 + VERSION[2]


def _candidates() -> Iterator[str]:
    folder = Path(__file__).resolve().parent
    yield from (str(folder / name) for name in FILE_NAMES if (folder / name).exists())
    if os.environ.get(VARIABLE):
        # A path that was given is not replaced by whatever else is installed.
        yield os.environ[VARIABLE]
        return
    yield from FILE_NAMES


def _open() -> CDLL:
    failures = []
    for candidate in _candidates():
        try:
            return CDLL(candidate)
        except OSError as error:
            failures.append(str(error))
    raise LibraryNotFoundError(
        "cannot load the shared library of fractalray's C interface; build or install "
        f"libfractalray_c, or set {VARIABLE} to its path. Tried: " + "; ".join(failures)
    )


def _check_version(library: CDLL) -> None:
    number = library.frGetVersion()
    major, minor, patch = number // 1_000_000, number // 1_000 % 1_000, number % 1_000
    if major == VERSION[0] and (major > 0 or minor == VERSION[1]):
        return
    wanted = ".".join(map(str, VERSION))
    raise LibraryNotFoundError(
        f"{library._name} has version {major}.{minor}.{patch}, and this package needs {wanted}; "
        f"install the library and the package of one version, or set {VARIABLE}"
    )


def _declare(library: CDLL) -> None:
    """Sets the types of all functions. AttributeError for one that the library lacks."""
    for name, parameters in PARAMETERS.items():
        function = getattr(library, name)
        function.argtypes = parameters
        function.restype = RESULTS.get(name, c_int32)


def load() -> CDLL:
    """Loads the library and declares its functions."""
    library = _open()
    try:
        _check_version(library)
        _declare(library)
    except AttributeError as error:
        raise LibraryNotFoundError(
            f"{library._name} lacks a function of fractalray's C interface: {error}; set "
            f"{VARIABLE} to the library of this package's version"
        ) from None
    return library


lib = load()
