# SPDX-License-Identifier: Apache-2.0
"""The positions of the mapblocks of a Luanti map, which are read without the mapblocks."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import numpy as np

from .._arguments import Array
from ..errors import DataLossError, FailedPreconditionError


def stored_chunks(path: str) -> tuple[Array, tuple[int, int]]:
    """Returns x and z of the columns with mapblocks, (n, 2) in order, and the lowest and highest y.

    Mapblocks that are stored, but not generated, count.
    """
    uri = Path(os.path.abspath(path)).as_uri() + "?mode=ro"
    try:
        database = sqlite3.connect(uri, uri=True)
        try:
            chunks = _positions(database)
        finally:
            database.close()
    except sqlite3.Error as error:
        raise DataLossError(f"{path}: {error}; give the map.sqlite of a Luanti world") from None
    if len(chunks) == 0:
        raise FailedPreconditionError(f"{path}: the map has no mapblocks; nothing can be baked")
    height = (int(chunks[:, 1].min()), int(chunks[:, 1].max()))
    return np.unique(chunks[:, [0, 2]], axis=0), height


def _positions(database: sqlite3.Connection) -> Array:
    names = {row[1] for row in database.execute("PRAGMA table_info(blocks)")}
    if not names:
        raise sqlite3.DatabaseError("there is no table `blocks`")
    if "pos" not in names:
        rows = database.execute("SELECT x, y, z FROM blocks").fetchall()
        return np.array(rows, np.int64).reshape(-1, 3)
    keys = np.fromiter((row[0] for row in database.execute("SELECT pos FROM blocks")), np.int64)
    parts = []
    for _ in range(3):  # key = x + 2^12 y + 2^24 z, each from -2^11
        part = ((keys + 2048) & 4095) - 2048
        parts.append(part)
        keys = (keys - part) >> 12
    return np.stack(parts, axis=1)
