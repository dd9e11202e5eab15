# SPDX-License-Identifier: Apache-2.0
"""Boxes of chunks, and how one is cut into regions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from .._arguments import Array, Index, index3, integer, triple
from ..errors import InvalidArgumentError

CHUNK = 16  #: the width of a chunk, in blocks

Chunk = tuple[int, int, int]


@dataclass(frozen=True, order=True)
class Region:
    """A box of chunks of the finest level: the first and the last of them, both inside.

    A bake's region is a column: it is as high as the box that is baked.
    """

    low: Chunk
    high: Chunk

    def __post_init__(self) -> None:
        low, high = index3(self.low, "the first chunk"), index3(self.high, "the last chunk")
        object.__setattr__(self, "low", triple(low))
        object.__setattr__(self, "high", triple(high))
        if any(least > most for least, most in zip(self.low, self.high)):
            raise InvalidArgumentError(
                f"the box of chunks is {self}; its first chunk must not be after its last"
            )

    def __str__(self) -> str:
        return "..".join(",".join(map(str, chunk)) for chunk in (self.low, self.high))

    def __contains__(self, chunk: Index) -> bool:
        """Returns if a chunk is one of the box."""
        return all(least <= c <= most for least, c, most in zip(self.low, chunk, self.high))

    @property
    def size(self) -> Chunk:
        """How many chunks it has along x, y and z."""
        return triple(most - least + 1 for least, most in zip(self.low, self.high))

    @property
    def low_block(self) -> Chunk:
        """The first block."""
        return triple(CHUNK * least for least in self.low)

    @property
    def high_block(self) -> Chunk:
        """The last block."""
        return triple(CHUNK * most + CHUNK - 1 for most in self.high)

    def grown(self, chunks: int) -> Region:
        """Returns the box that has that many chunks more on each side."""
        low, high = (triple(c - chunks for c in self.low), triple(c + chunks for c in self.high))
        return Region(low, high)

    def columns(self, margin: int = 0) -> tuple[Array, Array]:
        """Returns x and z of each column of blocks, two arrays (nx, nz).

        margin: this many columns more on each side.
        """
        (x0, _, z0), (x1, _, z1) = self.low_block, self.high_block
        x = np.arange(x0 - margin, x1 + margin + 1, dtype=np.int64)
        z = np.arange(z0 - margin, z1 + margin + 1, dtype=np.int64)
        return tuple(np.meshgrid(x, z, indexing="ij"))  # type: ignore[return-value]


#: A box of chunks: a Region, or the first and the last chunk.
Box = Union[Region, tuple[Index, Index]]


def as_region(box: Any) -> Region:
    """Returns a box of chunks as a Region."""
    if isinstance(box, Region):
        return box
    try:
        low, high = box
    except (TypeError, ValueError):
        raise TypeError(
            f"the box is {box!r}; it must be the first and the last chunk, as in "
            "((-4, 0, -4), (3, 7, 3))"
        ) from None
    return Region(low, high)


def parse_box(text: str, height: tuple[int, int] | None = None) -> Region:
    """Returns the box of a text such as "-4,0,-4..3,7,3", or "-4,-4..3,3" for x and z alone.

    height: the first and the last chunk along y, for a text without them.
    """
    parts = [re.fullmatch(r"(-?\d+),(?:(-?\d+),)?(-?\d+)", part) for part in text.split("..")]
    corners = [[part[1], part[2], part[3]] for part in parts if part is not None]
    has_y = {corner[1] is not None for corner in corners}
    if len(parts) != 2 or len(corners) != 2 or len(has_y) != 1:
        raise InvalidArgumentError(
            f"the box is {text!r}; it must be X,Y,Z..X,Y,Z or X,Z..X,Z, in chunks, such as "
            "-4,0,-4..3,7,3"
        )
    if True not in has_y:
        for corner, y in zip(corners, height if height is not None else (0, 0)):
            corner[1] = str(y)
    low, high = (triple(int(number) for number in corner) for corner in corners)
    return Region(low, high)


def regions(box: Box, width: int, columns: Iterable[Index] | Array | None = None) -> list[Region]:
    """Cuts a box into regions `width` chunks wide along x and z, and as high as the box.

    Regions begin at multiples of the width, so that those of two boxes are the same where both are
    whole; those at the edges are cut off.

    columns: x and z of chunks; regions without any of them are left out.
    """
    whole = as_region(box)
    (x0, y0, z0), (x1, y1, z1) = whole.low, whole.high
    step = integer(width, "width", 1, 1 << 20)
    if columns is None:
        steps_x, steps_z = range(x0 // step, x1 // step + 1), range(z0 // step, z1 // step + 1)
        cells = [(i, k) for i in steps_x for k in steps_z]
    else:
        at = np.asarray(columns, np.int64).reshape(-1, 2)
        inside = (at >= (x0, z0)).all(axis=1) & (at <= (x1, z1)).all(axis=1)
        cells = [(int(i), int(k)) for i, k in np.unique(at[inside] // step, axis=0)]
    return [
        Region(
            (max(i * step, x0), y0, max(k * step, z0)),
            (min(i * step + step - 1, x1), y1, min(k * step + step - 1, z1)),
        )
        for i, k in cells
    ]
