# SPDX-License-Identifier: Apache-2.0
"""The plan of a bake, which is a file in its folder, and the task that bakes one region."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .._arguments import Array
from .._library import lib
from ..errors import DataLossError, FailedPreconditionError, InvalidArgumentError, NotFoundError
from . import files
from .job import Arrays, Job, canonical, differing, find, path_of
from .region import CHUNK, Region, regions
from .source import Source

NAME = "bake.json"
_FORMAT = 1


@dataclass(frozen=True)
class Plan:
    """What is baked, and where.

    job_path: the module and name of the job's class.
    box: the chunks that are baked, and width: of its regions.
    columns: x and z of the columns of chunks with something to bake: an array (n, 2), in order.
    world: the identity of the source. library: the version that bakes.
    out: the folder.
    """

    job: Job
    job_path: str
    box: Region
    width: int
    columns: Array
    world: str
    library: int
    out: Path

    @cached_property
    def regions(self) -> list[Region]:
        """All regions, in order."""
        return regions(self.box, self.width, self.columns)

    def task(self, source: Source) -> Task:
        """Returns what bakes a region, which any process may do."""
        return Task(self.job, source, self.world, self.library, self.out)

    def key(self, region: Region) -> dict[str, Any]:
        """Returns what the file of a region says that it is."""
        return _key(self.job, self.world, self.library, region)

    def save(self) -> str:
        """Writes the file. Returns how an earlier plan in the folder differs, or an empty text.

        FailedPreconditionError if the folder has the bake of another job.
        """
        path, described = self.out / NAME, self._described()
        earlier = _earlier(path)
        if earlier is not None and earlier.get("job", self.job.name) != self.job.name:
            raise FailedPreconditionError(
                f"{self.out} has the bake {earlier['job']!r}, not {self.job.name!r}; choose "
                "another folder, or delete this one"
            )
        others = differing(earlier or {}, described)
        if others:
            self.write(path)
        return "" if earlier is None else ", ".join(sorted(others))

    def write(self, path: Path) -> None:
        """Writes the plan to a file, with a hash of its own."""
        described = self._described()
        whole = {**described, "sha256": _hash(described)}
        files.write(path, canonical(whole).encode() + b"\n")

    def _described(self) -> dict[str, Any]:
        """Returns the members of the file as they are read again."""
        members = {
            "format": _FORMAT,
            "job": self.job.name,
            "class": self.job_path,
            "version": self.job.version,
            "parameters": self.job.parameters(),
            "box": [self.box.low, self.box.high],
            "width": self.width,
            "columns": _runs(self.columns),
            "world": self.world,
            "library": self.library,
        }
        return dict(json.loads(canonical(members)))


def _hash(described: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(described).encode()).hexdigest()


def _read(path: Path) -> dict[str, Any]:
    """Returns the members of a plan's file. FileNotFoundError; DataLossError if it is damaged."""
    data, reason = path.read_bytes(), "the file is damaged"
    try:
        read = json.loads(data)
        if isinstance(read, dict) and read.pop("sha256", "") == _hash(read):
            return read
    except ValueError as error:
        reason = str(error)
    raise DataLossError(f"{path}: {reason}; repeat the bake, which writes it again")


def _earlier(path: Path) -> dict[str, Any] | None:
    """Returns the plan that is there, without members if it is damaged; None without one."""
    try:
        return _read(path)
    except FileNotFoundError:
        return None
    except DataLossError:
        return {}


def make_plan(
    job: Job,
    source: Source,
    out: Path,
    box: Region | None,
    height: tuple[int, int] | None,
    width: int,
) -> Plan:
    """Returns the plan to bake what a source has.

    box: all that there is for None, or `height` of it.
    """
    if not isinstance(job, Job):
        raise TypeError(f"the job is {job!r}; it must be a bake.Job, such as bake.MapTiles()")
    if not isinstance(getattr(job, "name", None), str):
        raise TypeError(f'the job {job!r} has no name; give its class one, such as name = "caves"')
    if box is not None and height is not None:
        raise InvalidArgumentError(
            f"the height is {height}, and the box {box} has its own; give one of them"
        )
    world, extent = source.identity(), source.extent()
    check_unchanged(source, world)  # else the extent may be that of an earlier state
    columns = np.unique(np.asarray(extent.columns, np.int64).reshape(-1, 2), axis=0)
    if not len(columns):
        raise InvalidArgumentError(f"{source} has no chunks; nothing can be baked")
    (x0, z0), (x1, z1) = columns.min(axis=0).tolist(), columns.max(axis=0).tolist()
    y0, y1 = height if height is not None else extent.height
    if box is None:
        box = Region((x0, y0, z0), (x1, y1, z1))
    low, high = (box.low[0], box.low[2]), (box.high[0], box.high[2])
    inside = ((columns >= low) & (columns <= high)).all(axis=1)
    if not inside.any():
        raise InvalidArgumentError(
            f"the world has nothing in the box {box}; its chunks have x {x0} to {x1} and z {z0} to "
            f"{z1}"
        )
    return Plan(
        job=job,
        job_path=path_of(job),
        box=box,
        width=width,
        columns=columns[inside],
        world=world,
        library=int(lib.frGetVersion()),
        out=out,
    )


def check_unchanged(source: Source, world: str) -> None:
    """Refuses a source that has no longer the identity that it had when the bake began."""
    if source.identity() != world:
        raise FailedPreconditionError(
            f"{source} is not as it was when the bake began: it was written since, or this machine "
            "has another copy. Bake a copy that nobody writes"
        )


def load_plan(out: Path, job: Job | None = None) -> Plan:
    """Returns the plan of a folder.

    job: in place of that whose class the plan names.
    """
    path = out / NAME
    try:
        read = _read(path)
    except FileNotFoundError:
        text = f"{path}: there is no such file; begin the bake in {out} first"
        raise NotFoundError(text) from None
    if read.get("format") != _FORMAT:
        raise DataLossError(f"{path}: format {read.get('format')!r}; this version reads {_FORMAT}")
    if job is None:
        job = _job_of(path, read["class"], read["parameters"])
    if (job.name, job.version) != (read["job"], read["version"]):
        raise FailedPreconditionError(
            f"{path} is of version {read['version']} of the job {read['job']!r}, and this is "
            f"version {job.version} of {job.name!r}; repeat the bake"
        )
    low, high = read["box"]
    return Plan(
        job=job,
        job_path=read["class"],
        box=Region(low, high),
        width=read["width"],
        columns=_of_runs(read["columns"]),
        world=read["world"],
        library=read["library"],
        out=out,
    )


def _job_of(path: Path, name: str, parameters: Mapping[str, Any]) -> Job:
    try:
        job: Job = find(name, Job).of_parameters(parameters)
    except TypeError as error:
        raise FailedPreconditionError(
            f"{path} has the parameters {parameters} of {name}, whose class is another one now: "
            f"{error}; repeat the bake"
        ) from None
    return job


def _runs(columns: Array) -> list[list[int]]:
    """Returns columns, in order, as runs along z: [x, first z, last z]."""
    x, z = columns[:, 0], columns[:, 1]
    begins = np.flatnonzero(np.r_[True, (np.diff(x) != 0) | (np.diff(z) != 1)])
    ends = np.r_[begins[1:], len(columns)] - 1
    return np.stack([x[begins], z[begins], z[ends]], axis=1).tolist()  # type: ignore[no-any-return]


def _of_runs(runs: list[list[int]]) -> Array:
    x, first, last = np.array(runs, np.int64).reshape(-1, 3).T
    length = last - first + 1
    begins = np.cumsum(length) - length
    z = np.arange(length.sum()) + np.repeat(first - begins, length)
    return np.stack([np.repeat(x, length), z], axis=1)


def _key(job: Job, world: str, library: int, region: Region) -> dict[str, Any]:
    return {
        "job": job.name,
        "version": job.version,
        "parameters": job.parameters(),
        "region": [list(region.low), list(region.high)],
        "world": world,
        "library": library,
    }


def path_of_region(out: Path, region: Region) -> Path:
    """Returns the path of the file of a region."""
    (x0, _, z0), (x1, _, z1) = region.low, region.high
    return out / "regions" / f"{x0}_{z0}_{x1}_{z1}.bake"


@dataclass(frozen=True)
class Outcome:
    """What a task has done.

    reason: why the region was baked, such as "not baked"; an empty text if a file of it was there,
        and was kept.
    seconds: of the process.
    """

    region: Region
    reason: str
    seconds: float


@dataclass(frozen=True)
class Task:
    """Bakes a region and writes its file, or keeps the one that is there, in any process."""

    job: Job
    source: Source
    world: str
    library: int
    out: Path

    def __call__(self, region: Region) -> Outcome:
        begin = time.perf_counter()
        path = path_of_region(self.out, region)
        key = _key(self.job, self.world, self.library, region)
        reason = files.fault(path, key)
        if reason:
            files.write(path, files.packed(key, self._bake(region)))
        return Outcome(region, reason, time.perf_counter() - begin)

    def _bake(self, region: Region) -> Arrays:
        self._check_world()
        halo = self.job.halo
        if not isinstance(halo, int) or halo < 0:
            raise InvalidArgumentError(f"{self.job.name}: halo is {halo!r}; it must be 0 or more")
        with self.source.world(region.grown(halo)) as world:
            arrays = self.job.run(world, region)
        self._check_world()
        _check_arrays(arrays, region)
        return arrays

    def _check_world(self) -> None:
        if lib.frGetVersion() != self.library:
            raise FailedPreconditionError(
                f"this process has version {lib.frGetVersion()} of the library, and the bake "
                f"{self.library}; install one version everywhere"
            )
        check_unchanged(self.source, self.world)


def _check_arrays(arrays: Arrays, region: Region) -> None:
    (nx, _, nz) = region.size
    if not isinstance(arrays, Mapping) or not arrays:
        raise TypeError(f"a job returned {arrays!r:.100}; it must be a dict of arrays")
    for name, array in arrays.items():
        check_name(name, "an array")
        dtype = getattr(array, "dtype", None)
        # A long double has bytes that no number determines.
        if getattr(dtype, "kind", "") not in ("b", "u", "i", "f") or array.dtype.itemsize > 8:
            raise TypeError(
                f"array {name!r} of a job is {array!r:.100}; it must be an array of numbers of up "
                "to 64 bits"
            )
        shape = array.shape[:2]
        each = elements_of(array, nx)
        if each < 1 or shape != (nx * each, nz * each):
            raise InvalidArgumentError(
                f"array {name!r} of a job has the shape {array.shape}; for {nx} x {nz} chunks it "
                f"must begin with {nx} n, {nz} n, such as ({nx * CHUNK}, {nz * CHUNK})"
            )


def check_name(name: Any, what: str) -> None:
    """Refuses a name that cannot be part of a path. what: for the error, such as "an array"."""
    if not isinstance(name, str) or not name.isidentifier():
        raise InvalidArgumentError(
            f"a job named {what} {name!r}; it must be of letters, digits and _, such as height"
        )


def elements_of(array: Array, chunks: int) -> int:
    """Returns how many elements an array has along x for each chunk."""
    return int(array.shape[0]) // chunks if array.ndim >= 2 else 0
