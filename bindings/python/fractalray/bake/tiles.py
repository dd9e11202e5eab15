# SPDX-License-Identifier: Apache-2.0
"""Cuts the pictures of a bake into tiles of 256 x 256 pixels, and halves them until few are left.

A pixel of step 0 is a column of blocks; one of step n is 2^n x 2^n of them. Columns of pixels are
x, and rows are -1 - z: north, +z, is up. Tile (i, k) of a step has pixels 256 i and 256 k onwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from .._arguments import Array
from ..errors import InvalidArgumentError
from . import files
from .job import Arrays
from .plan import Plan, check_name
from .png import png_of
from .region import CHUNK

SIDE = 256
_CHUNKS = SIDE // CHUNK


@dataclass
class Tiles:
    """What was written.

    layers: the names of the pictures. steps: for each step its tiles (i, k).
    """

    layers: list[str] = field(default_factory=list)
    steps: list[list[tuple[int, int]]] = field(default_factory=list)


def write_tiles(plan: Plan, arrays: Arrays) -> Tiles:
    """Writes the tiles of all pictures of a bake, to tiles/LAYER/STEP/I_K.png of its folder."""
    rows = -1 - plan.columns[:, 1]
    cells = np.unique(np.stack([plan.columns[:, 0] // _CHUNKS, rows // _CHUNKS], axis=1), axis=0)
    steps = [cells]
    while len(steps[-1]) > 4:
        steps.append(np.unique(steps[-1] // 2, axis=0))
    made = Tiles(steps=[[(int(i), int(k)) for i, k in step] for step in steps])
    writer = _Writer(plan, arrays, made)
    for i, k in made.steps[-1]:
        writer.make(len(steps) - 1, i, k)
    return made


class _Writer:
    """Makes tiles from those of the next finer step, so that few are in memory at once."""

    def __init__(self, plan: Plan, arrays: Arrays, made: Tiles) -> None:
        self._plan = plan
        self._arrays = arrays
        self._made = made
        self._there = [set(step) for step in made.steps]

    def make(self, step: int, i: int, k: int) -> Mapping[str, Array]:
        """Writes a tile of each layer, and all finer ones in it. Returns their pixels."""
        tiles = self._finest(i, k) if step == 0 else self._halved(step, i, k)
        for layer, pixels in tiles.items():
            files.write(tile_path(self._plan.out, layer, step, i, k), png_of(pixels))
        return tiles

    def _halved(self, step: int, i: int, k: int) -> Mapping[str, Array]:
        wholes: dict[str, Array] = {}
        for di, dk in ((0, 0), (1, 0), (0, 1), (1, 1)):
            if (2 * i + di, 2 * k + dk) not in self._there[step - 1]:
                continue
            for layer, pixels in self.make(step - 1, 2 * i + di, 2 * k + dk).items():
                whole = wholes.setdefault(layer, np.zeros((2 * SIDE, 2 * SIDE, 4), np.uint8))
                whole[dk * SIDE : (dk + 1) * SIDE, di * SIDE : (di + 1) * SIDE] = pixels
        return {layer: halved(whole) for layer, whole in wholes.items()}

    def _finest(self, i: int, k: int) -> Mapping[str, Array]:
        """Returns the tiles of the columns of blocks, transparent where the world has no chunks."""
        box = self._plan.box
        # The chunks of the tile that are in the box, from the box's first chunk: z runs upwards.
        first_z = -(k + 1) * _CHUNKS
        x0, x1 = (max(i * _CHUNKS, box.low[0]), min((i + 1) * _CHUNKS - 1, box.high[0]))
        z0, z1 = (max(first_z, box.low[2]), min(first_z + _CHUNKS - 1, box.high[2]))
        parts = {}
        for name, array in self._arrays.items():
            each = array.shape[0] // box.size[0]
            along_x = slice((x0 - box.low[0]) * each, (x1 + 1 - box.low[0]) * each)
            along_z = slice((z0 - box.low[2]) * each, (z1 + 1 - box.low[2]) * each)
            parts[name] = np.asarray(array[along_x, along_z])
        tiles = {}
        for layer, picture in self._plan.job.pictures(parts).items():
            pixels = np.zeros((SIDE, SIDE, 4), np.uint8)
            down = (first_z + _CHUNKS - 1 - z1) * CHUNK
            right = (x0 - i * _CHUNKS) * CHUNK
            drawn = _as_rows(layer, picture, x1 - x0 + 1, z1 - z0 + 1)
            pixels[down : down + drawn.shape[0], right : right + drawn.shape[1]] = drawn
            tiles[layer] = pixels
            if layer not in self._made.layers:
                self._made.layers.append(layer)
        return tiles


def _as_rows(layer: str, picture: Array, nx: int, nz: int) -> Array:
    """Returns a picture (x, z) of some chunks as rows of pixels, one for each column of blocks."""
    check_name(layer, "a picture")
    each = picture.shape[0] // nx
    is_right = picture.dtype == np.uint8 and picture.shape == (nx * each, nz * each, 4)
    if not is_right or each < 1 or CHUNK % each:
        raise InvalidArgumentError(
            f"picture {layer!r} is {picture.dtype} of the shape {picture.shape}; it must be uint8, "
            f"with 1, 2, 4, 8 or 16 pixels a chunk along x and z, and 4 values each"
        )
    wide = picture.repeat(CHUNK // each, axis=0).repeat(CHUNK // each, axis=1)
    return np.ascontiguousarray(wide.transpose(1, 0, 2)[::-1])


def halved(pixels: Array) -> Array:
    """Returns a picture of half the width and height: each pixel the mean of four, by their alpha,
    in integers."""
    rows, columns, _ = pixels.shape
    four = pixels.reshape(rows // 2, 2, columns // 2, 2, 4).astype(np.uint32)
    alpha = four[..., 3:]
    total = alpha.sum(axis=(1, 3))
    colors = (four[..., :3] * alpha).sum(axis=(1, 3)) // np.maximum(total, 1)
    mean: Array = np.concatenate([colors, total // 4], axis=2).astype(np.uint8)
    return mean


def tile_path(out: Path, layer: str, step: int, i: int, k: int) -> Path:
    """Returns the path of a tile."""
    return out / "tiles" / layer / str(step) / f"{i}_{k}.png"
