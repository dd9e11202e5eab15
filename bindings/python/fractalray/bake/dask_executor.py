# SPDX-License-Identifier: Apache-2.0
"""Runs tasks on a Dask cluster. The package distributed is imported when it is first used."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
import time
import uuid
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ..errors import FailedPreconditionError, UnavailableError
from .errors import RegionError, failed
from .executors import Outcomes, RunTask, outcome_of
from .plan import Outcome
from .region import Region

#: Regions are handed out in groups that take about this long, in seconds: a task costs the scheduler
#: and the worker some 10 ms.
GROUP_SECONDS = 1.0
MOST_REGIONS = 256  #: of a group
#: Times that the scheduler may forget all tasks, one after another, without any that finishes.
MOST_LOSSES = 3

_log = logging.getLogger("fractalray.bake")

# What a lost connection raises: OSError is that of distributed's CommClosedError, too.
_LOSSES = (
    OSError,
    TimeoutError,
    asyncio.TimeoutError,
    asyncio.CancelledError,
    concurrent.futures.CancelledError,
)


class _Lost(Exception):
    """The scheduler has forgotten the tasks."""


class Dask:
    """The workers of a Dask cluster, which need the package and the paths of this process.

    A region whose worker dies is done by another one. If the scheduler is restarted, the bake
    connects again, and hands out what is not finished.
    """

    def __init__(self, client: Any, patience: float = 60.0) -> None:
        """client: a distributed.Client, or the address of a scheduler, such as
            "tcp://127.0.0.1:8786".
        patience: the seconds to wait for a scheduler, and for a first worker.
        """
        try:
            import distributed
        except ImportError as error:
            raise FailedPreconditionError(
                f"Dask needs the package distributed: {error}; install Debian's "
                "python3-distributed, or pip install distributed"
            ) from None
        self._module: Any = distributed
        self._given = None if isinstance(client, str) else client
        if self._given is not None and not isinstance(self._given, distributed.Client):
            raise TypeError(f"client is {client!r}; it must be a distributed.Client or an address")
        self._address = client if self._given is None else client.scheduler.address
        self._security = getattr(self._given, "security", None)
        self._patience = patience

    def outcomes(self, task: RunTask, regions: Sequence[Region]) -> Outcomes:
        left = dict.fromkeys(regions)
        client = self._given if self._given is not None else self._connected()
        losses = 0
        try:
            while left:
                before = len(left)
                try:
                    self._wait_for_worker(client)
                    for outcome in self._on(client, task, list(left)):
                        del left[outcome.region]
                        yield outcome
                except _Lost:
                    losses = losses + 1 if len(left) == before else 1
                    if losses == MOST_LOSSES:
                        raise UnavailableError(
                            f"the scheduler at {self._address} has forgotten its tasks {losses} "
                            "times, and finished none; see its log. Finished regions are kept"
                        ) from None
                    _log.warning("the scheduler at %s is gone; connecting again", self._address)
                    client = self._connected_again(client)
        finally:
            self._close(client)

    def _connected(self) -> Any:
        """Returns a client, as soon as there is a scheduler."""
        end = time.monotonic() + self._patience
        while True:
            left = end - time.monotonic()
            try:
                return self._module.Client(
                    self._address,
                    security=self._security,
                    timeout=max(left, 0.1),
                    set_as_default=False,
                )
            except _LOSSES as error:
                if left <= 0:
                    raise UnavailableError(
                        f"no scheduler answers at {self._address} within {self._patience:g} s: "
                        f"{error}; start dask-scheduler, or correct the address. Finished regions "
                        "are kept"
                    ) from None
            time.sleep(min(0.5, max(left, 0)))

    def _connected_again(self, client: Any) -> Any:
        """Returns the client when it has connected by itself, else another one."""
        end = time.monotonic() + self._patience
        while client.status == "connecting" and time.monotonic() < end:
            time.sleep(0.1)
        if client.status == "running":
            return client
        self._close(client)
        return self._connected()

    def _wait_for_worker(self, client: Any) -> None:
        end = time.monotonic() + self._patience
        while time.monotonic() < end:
            if client.status != "running":
                raise _Lost
            if _threads(client):
                return
            time.sleep(0.1)
        raise UnavailableError(
            f"the scheduler at {self._address} has no worker after {self._patience:g} s; start "
            f"one: dask-worker {self._address}. Finished regions are kept"
        )

    def _on(self, client: Any, task: RunTask, regions: Sequence[Region]) -> Iterator[Outcome]:
        groups = _Groups(client, task, regions)
        groups.submit()
        try:
            done = self._module.as_completed(list(groups.running), loop=client.loop)
            for future in done:
                outcomes = _outcomes_of(future, groups.running.pop(future))
                groups.learn(outcomes)
                for more in groups.submit():
                    done.add(more)
                yield from outcomes
        finally:
            if client.status == "running":
                with contextlib.suppress(*_LOSSES):
                    client.cancel(list(groups.running))

    def _close(self, client: Any) -> None:
        if client is not self._given:
            with contextlib.suppress(*_LOSSES):
                client.close(timeout=2)


class _Groups:
    """Hands out regions in groups, two for each thread of the cluster at a time."""

    def __init__(self, client: Any, task: RunTask, regions: Sequence[Region]) -> None:
        self.running: dict[Any, Sequence[Region]] = {}
        self._client = client
        self._task = task
        self._name = f"fractalray-bake-{uuid.uuid4().hex}"
        self._waiting = deque(regions)
        self._seconds, self._done = 0.0, 0

    def learn(self, outcomes: Sequence[Outcome]) -> None:
        """Counts how long regions take."""
        self._seconds += sum(outcome.seconds for outcome in outcomes)
        self._done += len(outcomes)

    def submit(self) -> list[Any]:
        """Hands out as many groups as there should be. Returns their futures."""
        most, made = 2 * max(_threads(self._client), 1), []
        while self._waiting and len(self.running) < most:
            # Fewer at the end, so that no thread has the last ones alone.
            size = self._size()
            count = min(size, max(-(-size // 4), len(self._waiting) // most), len(self._waiting))
            group = [self._waiting.popleft() for _ in range(count)]
            made.append(self._submitted(group))
            self.running[made[-1]] = group
        return made

    def _size(self) -> int:
        if not self._done:
            return 1
        each = max(self._seconds / self._done, GROUP_SECONDS / MOST_REGIONS)
        return max(1, int(GROUP_SECONDS / each))

    def _submitted(self, group: Sequence[Region]) -> Any:
        try:
            key = f"{self._name}-{group[0]}"
            return self._client.submit(_run_group, self._task, group, key=key, pure=False)
        except Exception as error:  # a client that is closed raises mere Exceptions
            if self._client.status != "running":
                raise _Lost from None
            raise failed(group, error) from error


def _threads(client: Any) -> int:
    """Returns the threads of a cluster, as the client last heard of them."""
    return sum(worker["nthreads"] for worker in client.scheduler_info()["workers"].values())


def _run_group(task: RunTask, group: Sequence[Region]) -> list[Outcome]:
    return [outcome_of(partial(task, region), region) for region in group]


def _outcomes_of(future: Any, group: Sequence[Region]) -> list[Outcome]:
    try:
        if future.status == "error":
            error = future.exception()
            raise error if isinstance(error, RegionError) else failed(group, error)
        if future.status != "finished":
            raise _Lost
        outcomes: list[Outcome] = future.result()
    except _LOSSES:
        raise _Lost from None
    return outcomes
