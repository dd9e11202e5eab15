# SPDX-License-Identifier: Apache-2.0
"""Runs a bake: plans it, and bakes each region that is not there yet."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from .executors import BakeExecutor, Loop
from .job import Job
from .plan import Outcome, Plan, check_unchanged, make_plan
from .region import Box, as_region
from .shares import Share
from .source import Source

#: Called with the outcome of each region, how many are done, and how many there are.
Progress = Callable[[Outcome, int, int], None]


@dataclass(frozen=True)
class Summary:
    """What a run has done.

    regions: of the share. baked: those of them that were not there as they should be.
    reasons: how many of these were "not baked", and so on.
    replaced: the members of an earlier plan in the folder that differ; an empty text for none.
    seconds: of the whole run.
    """

    plan: Plan
    regions: int
    baked: int
    reasons: Mapping[str, int]
    replaced: str
    seconds: float


def run(
    job: Job,
    source: Source,
    out: Union[str, Path],
    *,
    box: Box | None = None,
    height: tuple[int, int] | None = None,
    width: int = 8,
    executor: BakeExecutor | None = None,
    share: Share | None = None,
    progress: Progress | None = None,
    begun: Callable[[str], None] | None = None,
) -> Summary:
    """Bakes all regions that are not in a folder yet, or are there damaged or of something else.

    box: the chunks to bake, the first and the last; None for all that the source has.
    height: the first and the last chunk along y, in place of a box.
    width: of regions, in chunks. Each also reads the job's halo: take several times as much.
    executor: Processes, Dask, or None for one region after another.
    share: for one of several processes on one folder, of which each is given another one.
    begun: called once with `Summary.replaced`.

    RegionError for the first region that fails; finished ones are kept. FailedPreconditionError if
    the world was written meanwhile.
    """
    begin = time.perf_counter()
    whole = None if box is None else as_region(box)
    # Absolute, as other processes may be in other folders.
    plan = make_plan(job, source, Path(out).absolute(), whole, height, width)
    mine = (share or Share()).of(plan.regions)
    replaced = plan.save()
    if begun is not None:
        begun(replaced)
    reasons: Counter[str] = Counter()
    with closing((executor or Loop()).outcomes(plan.task(source), mine)) as outcomes:
        for done, outcome in enumerate(outcomes, 1):
            if outcome.reason:
                reasons[outcome.reason] += 1
            if progress is not None:
                progress(outcome, done, len(mine))
    # Looks once more, here: a process that opens a world with a `state` after a write cannot notice it.
    check_unchanged(source, plan.world)
    baked = sum(reasons.values())
    return Summary(plan, len(mine), baked, reasons, replaced, time.perf_counter() - begin)
