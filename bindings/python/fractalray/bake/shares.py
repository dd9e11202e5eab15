# SPDX-License-Identifier: Apache-2.0
"""Which share of the regions is for this process: of a Slurm array, of mpirun, or given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import InvalidArgumentError
from .region import Region

_ARRAY = "SLURM_ARRAY_TASK_"
#: The rank and the size as Open MPI, and as MPICH and Intel MPI name them.
_RANKS = (("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"))


@dataclass(frozen=True)
class Share:
    """Share `index`, from 0, of `count`."""

    index: int = 0
    count: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.index < self.count:
            raise InvalidArgumentError(
                f"the share is {self}; it must be I/N with 0 <= I < N, such as 0/4 to 3/4"
            )

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    def of(self, regions: Sequence[Region]) -> Sequence[Region]:
        """Returns its regions: each `count`th, so that shares have some of each part of a map."""
        return regions[self.index :: self.count]


def parse_share(text: str) -> Share:
    """Returns the share of a text such as "0/4"."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None:
        raise InvalidArgumentError(f"the share is {text!r}; it must be I/N, such as 0/4")
    return Share(int(match[1]), int(match[2]))


def share_of(environment: Mapping[str, str]) -> tuple[Share, str]:
    """Returns the share of a process with this environment, and the variables that say so.

    If each task of a Slurm array runs mpirun, ranks divide the share of their task.
    """
    share, names = _array_share(environment)
    for rank, size in _RANKS:
        if rank in environment and size in environment:
            ranks = _number(environment, size)
            index = share.index * ranks + _number(environment, rank)
            return Share(index, share.count * ranks), " ".join([*names, rank])
    return share, " ".join(names)


def _array_share(environment: Mapping[str, str]) -> tuple[Share, list[str]]:
    name = _ARRAY + "ID"
    if name not in environment:
        return Share(), []
    least, most = (_number(environment, _ARRAY + end) for end in ("MIN", "MAX"))
    step = _number(environment, _ARRAY + "STEP") if _ARRAY + "STEP" in environment else 1
    count, number = _number(environment, _ARRAY + "COUNT"), _number(environment, name)
    is_regular = step > 0 and (number - least) % step == 0 and (most - least) // step + 1 == count
    if not is_regular:
        raise InvalidArgumentError(
            f"{name} is {number}, of {count} tasks from {least} to {most}, which are not evenly "
            "spaced; use an array such as 0-7, or give --share I/N"
        )
    return Share((number - least) // step, count), [name]


def _number(environment: Mapping[str, str], name: str) -> int:
    text = environment.get(name, "")
    if not re.fullmatch(r"\d+", text):
        raise InvalidArgumentError(
            f"the environment variable {name} is {text!r}; it must be a number. Unset it, or give "
            "--share I/N"
        )
    return int(text)
