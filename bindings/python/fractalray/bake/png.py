# SPDX-License-Identifier: Apache-2.0
"""Writes pictures as PNG, with the standard library's zlib alone."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from .._arguments import Array

_RGBA = 6  # the colour type
_UP = 2  # the filter: each byte is the difference from the one above


def png_of(pixels: Array) -> bytes:
    """Returns the file of a picture: uint8 with the axes row, column, and the four of a colour."""
    rows, columns, _ = pixels.shape
    lines = pixels.reshape(rows, columns * 4)
    above = np.zeros_like(lines)
    above[1:] = lines[:-1]
    filtered = np.empty((rows, 1 + columns * 4), np.uint8)
    filtered[:, 0] = _UP
    np.subtract(lines, above, out=filtered[:, 1:])  # modulo 256, as the format wants it
    header = struct.pack(">IIBBBBB", columns, rows, 8, _RGBA, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(filtered.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(name, data) for name, data in parts)


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
