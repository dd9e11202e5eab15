# SPDX-License-Identifier: Apache-2.0
"""Runs tasks one after another, or in processes of this machine. dask_executor.py has Dask."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Protocol

from .._arguments import integer
from .errors import RegionError, failed
from .plan import Outcome
from .region import Region

RunTask = Callable[[Region], Outcome]
Outcomes = Generator[Outcome, None, None]


class BakeExecutor(Protocol):
    """Runs a task on regions, in any order and as often as it likes."""

    def outcomes(self, task: RunTask, regions: Sequence[Region]) -> Outcomes:
        """Yields the outcome of each region. RegionError for the first one that fails.

        A generator that is closed, or fails, ends what it has started.
        """


class Loop:
    """One region after another, in this process."""

    def outcomes(self, task: RunTask, regions: Sequence[Region]) -> Outcomes:
        for region in regions:
            yield outcome_of(partial(task, region), region)


def outcome_of(run: Callable[[], Outcome], region: Region) -> Outcome:
    """Returns what a function returns; what it raises names the region."""
    try:
        return run()
    except (BrokenProcessPool, RegionError):
        raise
    except (Exception, SystemExit) as error:  # sys.exit() must not end the bake as if it were done
        raise failed([region], error) from error


#: Processes that die one after another without finishing any region.
MOST_LOSSES = 3


@dataclass(frozen=True)
class Processes:
    """Processes of this machine. If one is killed, all are replaced, and begin their regions again.

    count: at least 1. They import the main module, which needs `if __name__ == "__main__":`.
    """

    count: int

    def __post_init__(self) -> None:
        integer(self.count, "processes", 1, 1024)

    def outcomes(self, task: RunTask, regions: Sequence[Region]) -> Outcomes:
        left = dict.fromkeys(regions)
        losses = 0
        while left:
            before = len(left)
            try:
                for outcome in self._in_pool(task, list(left)):
                    del left[outcome.region]
                    yield outcome
            except BrokenProcessPool:
                losses = losses + 1 if len(left) == before else 1
                if losses == MOST_LOSSES:
                    first = ", ".join(map(str, islice(left, self.count)))
                    raise RegionError(
                        f"processes died {losses} times without finishing any of the regions "
                        f"{first}, ...; if the system has killed them for their memory, take fewer "
                        "processes or smaller regions. Finished regions are kept"
                    ) from None

    def _in_pool(self, task: RunTask, regions: Sequence[Region]) -> Iterator[Outcome]:
        # Spawned, not forked: a fork would copy locks that threads of this process hold.
        context = multiprocessing.get_context("spawn")
        count = min(self.count, len(regions))
        pool = ProcessPoolExecutor(count, context, initializer=_begin_worker)
        # No method lists them, and not all children of this process are the pool's. The mapping
        # gets those that start later, too.
        workers = pool._processes
        try:
            yield from _bounded(pool, task, regions, 2 * count)
            pool.shutdown()
        except BaseException:
            manager = pool._executor_manager_thread
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in list(workers.values()):
                worker.terminate()  # at once: files are written by renaming
            # The pool's thread joins them. If two threads join a process, the one that comes second
            # can return while the other one has yet to note that the process has ended. With a
            # limit, as the thread waits forever for a task that no worker takes from a full pipe.
            if manager is not None:
                manager.join(5)
            raise


def _bounded(
    pool: ProcessPoolExecutor, task: RunTask, regions: Iterable[Region], most: int
) -> Iterator[Outcome]:
    """Yields outcomes in the order in which they are there; at most `most` tasks are handed out."""
    waiting = iter(regions)
    running: dict[Future[Outcome], Region] = {}
    while True:
        for region in islice(waiting, most - len(running)):
            # The worker makes the text of an error, as not every one can be pickled.
            running[pool.submit(outcome_of, partial(task, region), region)] = region
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield outcome_of(future.result, running.pop(future))


def _begin_worker() -> None:
    """Lets Ctrl+C end a worker without a word, and the end of its parent, however that came."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
