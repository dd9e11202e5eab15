# SPDX-License-Identifier: Apache-2.0
"""Joins the regions of a bake: to arrays, to pictures, and to one hash."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy as np

from .._arguments import Array
from ..errors import DataLossError
from . import files
from .errors import missing_regions
from .job import Arrays, Job, canonical
from .page import write_page
from .plan import NAME, Plan, elements_of, load_plan, path_of_region
from .region import Region
from .tiles import write_tiles


@dataclass(frozen=True)
class Collected:
    """A complete bake.

    hash: of the results, 64 hexadecimal digits, the same for any partition into regions.
    columns: of chunks, and regions: their number.
    arrays: the files of the joined arrays by name, which numpy.load reads; axes x and z from the
        first chunk of `plan.box`.
    page: the page that shows the pictures; None for a job without any.
    """

    plan: Plan
    hash: str
    columns: int
    regions: int
    arrays: Mapping[str, Path]
    page: Path | None


def collect(
    out: Union[str, Path], *, job: Job | None = None, arrays: bool = True, pictures: bool = True
) -> Collected:
    """Joins the regions of the bake in a folder. Run it when all processes of the bake have ended.

    job: needed if the job's class is not in a module that can be imported.
    arrays, pictures: False leaves these files out; pictures need the arrays.

    MissingRegionsError with the regions that are not there, damaged, or of something else.
    """
    plan = load_plan(Path(out), job)
    files.remove_temporary(plan.out)  # first, as their space may be needed
    faults = ((each, files.fault(_path(plan, each), plan.key(each))) for each in plan.regions)
    missing = [(region, reason) for region, reason in faults if reason]
    if missing:
        raise missing_regions(missing, len(plan.regions))
    joined = _Joined(plan, keeps=arrays)
    try:
        for region in plan.regions:
            joined.add(region, files.read(_path(plan, region), plan.key(region)))
        paths = joined.finish()
    finally:
        joined.discard()
    page = None
    if arrays and pictures and type(plan.job).pictures is not Job.pictures:
        made = {name: np.load(path, mmap_mode="r") for name, path in paths.items()}
        tiles = write_tiles(plan, made)
        page = write_page(plan, tiles, joined.hash()) if tiles.layers else None
    return Collected(plan, joined.hash(), len(plan.columns), len(plan.regions), paths, page)


def _path(plan: Plan, region: Region) -> Path:
    return path_of_region(plan.out, region)


def _key(x: Any, z: Any) -> Any:
    """Returns one number for a column, or for arrays of them, whose order is that of x, then z."""
    return x * (1 << 32) + z


def _allocate(path: Path) -> None:
    """Takes the space of a file that is mapped, since a full disk would end the process later."""
    if not hasattr(os, "posix_fallocate"):
        return
    with open(path, "r+b") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None


class _Joined:
    """The arrays of all regions, and the hash of each column of chunks.

    Only the plan's columns count: those that a region has besides, for its rectangle to be full,
    depend on the partition.
    """

    def __init__(self, plan: Plan, keeps: bool) -> None:
        self._plan = plan
        self._keeps = keeps
        self._folder = plan.out / "arrays"
        self._keys = _key(*plan.columns.T)  # in order, as the columns are
        self._digests = np.zeros((len(plan.columns), 32), np.uint8)
        self._layout: list[Any] | None = None
        self._maps: dict[str, Array] = {}
        self._temporary: dict[str, Path] = {}

    def add(self, region: Region, arrays: Arrays) -> None:
        names, (nx, _, _) = sorted(arrays), region.size
        layout = [
            [name, arrays[name].dtype.str, elements_of(arrays[name], nx), arrays[name].shape[2:]]
            for name in names
        ]
        if self._layout is None:
            self._layout = layout
            self._open()
        elif layout != self._layout:
            raise DataLossError(
                f"region {region} has the arrays {layout}, and the first one {self._layout}; a job "
                "must return the same names, types and further axes for all"
            )
        (x0, _, z0), (x1, _, z1) = region.low, region.high
        for x in range(x0, x1 + 1):
            first, end = np.searchsorted(self._keys, (_key(x, z0), _key(x, z1 + 1)))
            for row in range(first, end):
                z = int(self._plan.columns[row, 1])
                self._add_column(row, x, z, x - x0, z - z0, arrays)

    def _add_column(self, row: int, x: int, z: int, i: int, k: int, arrays: Arrays) -> None:
        digest = hashlib.sha256()
        for name, _, each, _ in self._layout or ():
            part = arrays[name][i * each : (i + 1) * each, k * each : (k + 1) * each]
            digest.update(part.tobytes())
            if self._keeps:
                left, near = x - self._plan.box.low[0], z - self._plan.box.low[2]
                whole = self._maps[name][left * each : (left + 1) * each]
                whole[:, near * each : (near + 1) * each] = part
        self._digests[row] = np.frombuffer(digest.digest(), np.uint8)

    def _open(self) -> None:
        if not self._keeps:
            return
        nx, _, nz = self._plan.box.size
        self._folder.mkdir(exist_ok=True)
        for name, dtype, each, tail in self._layout or ():
            path = self._temporary[name] = files.temporary(self._folder / f"{name}.npy")
            made = np.lib.format.open_memmap(  # type: ignore[no-untyped-call]
                path, "w+", dtype, (nx * each, nz * each, *tail)
            )
            _allocate(path)
            if name in self._plan.job.fills:
                made[:] = self._plan.job.fills[name]
            self._maps[name] = made

    def finish(self) -> dict[str, Path]:
        """Gives the arrays their names, and puts the plan next to them. Returns their paths."""
        paths = {name: self._folder / f"{name}.npy" for name in self._temporary}
        if not paths:
            return paths
        self._maps = {}  # unmapped
        plan = self._folder / NAME
        plan.unlink(missing_ok=True)  # until all arrays are of one plan
        for name, path in paths.items():
            os.replace(self._temporary.pop(name), path)
        self._plan.write(plan)
        return paths

    def discard(self) -> None:
        """Removes the arrays that have not got their names."""
        self._maps = {}
        for path in self._temporary.values():
            path.unlink(missing_ok=True)

    def hash(self) -> str:
        """Returns the hash of the job, its parameters, and all columns in their order."""
        job, box = self._plan.job, self._plan.box
        header = {
            "job": job.name,
            "version": job.version,
            "parameters": job.parameters(),
            "height": [box.low[1], box.high[1]],
            "arrays": self._layout,
        }
        rows = np.zeros(len(self._digests), [("column", "<i8", 2), ("digest", "u1", 32)])
        rows["column"], rows["digest"] = self._plan.columns, self._digests
        total = hashlib.sha256(canonical(header).encode() + b"\n")
        total.update(rows.tobytes())
        return total.hexdigest()
