# SPDX-License-Identifier: Apache-2.0
"""The files of regions: whole or not there, and each with the hash of its content.

A file is three parts, one after another:

    fractalray bake 1 <SHA-256 of all that follows, in hexadecimal>\\n
    {"arrays": [[name, dtype, shape], ...], "key": {...}}\\n
    the elements of the arrays, little-endian, the last axis fastest

The key says of what the content is: the job, its parameters, the region, the world.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._arguments import Array
from ..errors import DataLossError
from .job import Arrays, canonical, differing

FORMAT = 1
TEMPORARY = ".tmp"
_IS_TEMPORARY = re.compile(rf"\.[0-9a-f]{{32}}{re.escape(TEMPORARY)}$")  # no file of a user
_OLD = 3600.0  # seconds: nobody takes as long to write a file
_MAGIC = b"fractalray bake "
#: What a file is of whose key has another such member.
_OTHERS = {
    "job": "another job",
    "version": "another version of the job",
    "parameters": "other parameters",
    "region": "another region",
    "world": "another world, or another state of it",
    "library": "another version of the library",
}


def packed(key: Mapping[str, Any], arrays: Arrays) -> bytes:
    """Returns the content of a file."""
    names = sorted(arrays)
    kept = {name: _little_endian(arrays[name]) for name in names}
    described = [[name, kept[name].dtype.str, list(kept[name].shape)] for name in names]
    header = canonical({"arrays": described, "key": key}).encode()
    body = header + b"\n" + b"".join(kept[name].tobytes() for name in names)
    digest = hashlib.sha256(body).hexdigest().encode()
    return b"%s%d %s\n" % (_MAGIC, FORMAT, digest) + body


def _little_endian(array: Array) -> Array:
    return np.ascontiguousarray(array, np.asarray(array).dtype.newbyteorder("<"))


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """Returns the key and the arrays of a file's content. DataLossError if a bit is not as it was
    written."""
    first, _, body = data.partition(b"\n")
    expected = b"%s%d %s" % (_MAGIC, FORMAT, hashlib.sha256(body).hexdigest().encode())
    if not first.startswith(_MAGIC):
        raise DataLossError("not a region of a bake")
    if first != expected:
        raise DataLossError("damaged, or of another version of the format")
    header, _, elements = body.partition(b"\n")
    described = json.loads(header)
    arrays, begin = {}, 0
    for name, dtype, shape in described["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(elements, dtype, count, begin).reshape(shape)
        begin += arrays[name].nbytes
    return described["key"], arrays


def read(path: Path, key: Mapping[str, Any]) -> dict[str, Array]:
    """Returns the arrays of a region. DataLossError says what is wrong with its file, also if there
    is none."""
    try:
        found, arrays = unpacked(path.read_bytes())
    except FileNotFoundError:
        raise DataLossError("not baked") from None
    others = differing(found, key)
    if others:
        raise DataLossError("of " + ", ".join(_OTHERS.get(name, name) for name in others))
    return arrays


def fault(path: Path, key: Mapping[str, Any]) -> str:
    """Returns what is wrong with a region's file; an empty text if it is as it should be."""
    try:
        read(path, key)
    except DataLossError as error:
        return str(error)
    return ""


def temporary(path: Path) -> Path:
    """Returns a name next to a path that no process of any machine has taken."""
    return path.with_name(f"{path.name}.{uuid.uuid4().hex}{TEMPORARY}")


def write(path: Path, data: bytes) -> None:
    """Writes a file by renaming: a process that dies leaves no part of it under this name.

    Any number of processes may write the same content at once.
    """
    written = temporary(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        written.write_bytes(data)
        os.replace(written, path)
    except BaseException:
        with contextlib.suppress(OSError):
            written.unlink()
        raise


def remove_temporary(out: Path) -> None:
    """Removes from a bake's folder what processes have left that were killed over an hour ago."""
    for pattern in ("*", "regions/*", "arrays/*", "tiles/**/*"):
        for path in out.glob(pattern + TEMPORARY):
            if not _IS_TEMPORARY.search(path.name):
                continue
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _OLD:
                    path.unlink()
