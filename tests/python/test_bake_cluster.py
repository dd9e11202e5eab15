# SPDX-License-Identifier: Apache-2.0
"""Bakes on a Dask cluster and under mpirun, on loopback, whose processes are killed.

Skipped without Debian's python3-distributed and openmpi-bin.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import fractalray as fr
import pytest
from fractalray import bake
from golden_bake import FirstHits, GoldenShots, Worlds, golden_hash, recorded_hash
from test_bake_support import HILLS, PAUSE, Broken, Tops

ROOT = Path(__file__).resolve().parents[2]
REGIONS = 48

# Set where clusters are what is to be tested: tests that lack something fail then.
SKIPS = "FRACTALRAY_NEEDS_CLUSTERS" not in os.environ
needs_dask = pytest.mark.skipif(
    SKIPS and importlib.util.find_spec("distributed") is None,
    reason="needs the package distributed: apt install python3-distributed",
)
needs_mpirun = pytest.mark.skipif(
    SKIPS and shutil.which("mpirun") is None, reason="needs mpirun: apt install openmpi-bin"
)


def environment(pause: float, **variables: str) -> dict[str, str]:
    paths = [str(ROOT / "bindings" / "python"), str(Path(__file__).parent)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), PAUSE: str(pause), **variables}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hash of the plain loop."""
    out = tmp_path_factory.mktemp("expected")
    bake.run(Tops(), HILLS, out, width=3)
    return bake.collect(out).hash


def wait_until(is_true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 300
    while not is_true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def wait_for_regions(out: Path, count: int) -> None:
    wait_until(lambda: len(list(out.glob("regions/*.bake"))) >= count, "no regions are baked")


class Cluster:
    """A scheduler and workers of one thread each, as processes on loopback."""

    def __init__(self, folder: Path, pause: float) -> None:
        self._folder = folder
        self._environment = environment(pause)
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self._port = found.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self.processes: "list[subprocess.Popen[bytes]]" = []
        self.scheduler = self.start_scheduler()

    def _start(self, module: str, *arguments: object) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, arguments)]
        process = subprocess.Popen(
            command,
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=(self._folder / f"{module}.log").open("ab"),
        )
        self.processes.append(process)
        return process

    def start_scheduler(self) -> "subprocess.Popen[bytes]":
        options = ("--host", "127.0.0.1", "--port", self._port, "--no-dashboard")
        process = self._start("dask_scheduler", *options)
        wait_until(self._answers, "the scheduler does not start")
        return process

    def _answers(self) -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self._port)) == 0

    def start_worker(self) -> "subprocess.Popen[bytes]":
        options = ("--nthreads", 1, "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        folder = ("--local-directory", self._folder)
        return self._start("dask_worker", self.address, *options, *folder)

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


@contextmanager
def cluster(folder: Path, pause: float = 0) -> Iterator[Cluster]:
    made = Cluster(folder, pause)
    try:
        yield made
    finally:
        made.end()


class Background(threading.Thread):
    """A bake in a thread of this process; `result` returns what it returned, or raises."""

    def __init__(self, out: Path, executor: bake.BakeExecutor) -> None:
        super().__init__(daemon=True)
        self._out = out
        self._executor = executor
        self._made: "bake.Summary | BaseException | None" = None
        self.start()

    def run(self) -> None:
        try:
            self._made = bake.run(Tops(), HILLS, self._out, width=1, executor=self._executor)
        except BaseException as error:
            self._made = error

    def result(self) -> bake.Summary:
        self.join(600)
        assert self._made is not None, "the bake does not end"
        if isinstance(self._made, BaseException):
            raise self._made
        return self._made


@needs_dask
def test_a_killed_worker_and_a_restarted_scheduler_lose_nothing(
    expected: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "out"
    with caplog.at_level(logging.WARNING), cluster(tmp_path, pause=0.2) as dask:
        first, _ = dask.start_worker(), dask.start_worker()
        running = Background(out, bake.Dask(dask.address, patience=300))
        wait_for_regions(out, 4)
        first.kill()
        before = len(list(out.glob("regions/*.bake")))
        wait_for_regions(out, before + 4)  # by the other one
        dask.scheduler.kill()
        dask.scheduler.wait()
        assert len(list(out.glob("regions/*.bake"))) < REGIONS
        dask.start_scheduler()
        dask.start_worker()  # the others end with their scheduler
        dask.start_worker()
        assert running.result().regions == REGIONS
    assert "the scheduler at " + dask.address in caplog.text
    assert bake.collect(out).hash == expected


@needs_dask
def test_a_client_is_used_and_left_open(
    expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import distributed

    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")  # the workers are in another folder
    with cluster(tmp_path) as dask:
        dask.start_worker()
        with distributed.Client(dask.address, timeout=300, set_as_default=False) as client:
            executor = bake.Dask(client, patience=300)
            for _ in range(2):
                summary = bake.run(Tops(), HILLS, "out", width=1, executor=executor)
            assert client.status == "running" and summary.baked == 0
            with pytest.raises(bake.RegionError, match="ZeroDivisionError: no blocks at all"):
                bake.run(Broken(), HILLS, tmp_path / "b", width=3, executor=executor)
    assert bake.collect(tmp_path / "here" / "out").hash == expected


@needs_dask
def test_a_cluster_has_the_answers_of_tests_golden(tmp_path: Path) -> None:
    with cluster(tmp_path) as dask:
        dask.start_worker()
        executor = bake.Dask(dask.address, patience=300)
        bake.run(GoldenShots(), Worlds(), tmp_path / "golden", width=4, executor=executor)
        bake.run(FirstHits(), Worlds(), tmp_path / "cluster", width=4, executor=executor)
    assert golden_hash(bake.collect(tmp_path / "golden").arrays) == recorded_hash()
    bake.run(FirstHits(), Worlds(), tmp_path / "loop", width=4)
    assert bake.collect(tmp_path / "cluster").hash == bake.collect(tmp_path / "loop").hash


@needs_dask
def test_clusters_that_are_not_there_are_named(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(fr.UnavailableError, match="start dask-scheduler"):
            bake.run(Tops(), HILLS, tmp_path / "o", executor=bake.Dask(address, patience=1))
    with cluster(tmp_path) as dask:
        import distributed

        with distributed.Client(dask.address, timeout=300, set_as_default=False) as client:
            with pytest.raises(fr.UnavailableError, match=f"dask-worker {dask.address}"):
                bake.run(Tops(), HILLS, tmp_path / "o", executor=bake.Dask(client, patience=1))
    with pytest.raises(TypeError, match="distributed.Client or an address"):
        bake.Dask(3)


def test_dask_without_its_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # type: ignore[misc]
    with pytest.raises(fr.FailedPreconditionError, match="python3-distributed"):
        bake.Dask("tcp://127.0.0.1:8786")


def ranks_of(mpirun: int) -> list[int]:
    """Returns the children of a process."""
    children = Path(f"/proc/{mpirun}/task/{mpirun}/children").read_text().split()
    return [int(child) for child in children]


@needs_mpirun
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_rank_is_killed_and_the_job_started_again(expected: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [
        *("mpirun", "--oversubscribe", "-n", "2", sys.executable, "-m", "fractalray.bake"),
        *("test_bake_support:Tops", "--source", "test_bake_support:HILLS", "--region", "1"),
        *("--out", str(out)),
    ]
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    loopback = {"OMPI_MCA_oob_tcp_if_include": "lo", "TMPDIR": str(tmp_path)}
    variables = environment(0.2, **allowed, **loopback)
    first = subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True)
    wait_for_regions(out, 4)
    ranks = ranks_of(first.pid)
    assert len(ranks) == 2
    os.kill(ranks[1], signal.SIGKILL)
    _, err = first.communicate(timeout=300)
    assert first.returncode != 0, err
    kept = len(list(out.glob("regions/*.bake")))
    with pytest.raises(bake.MissingRegionsError, match=f"{REGIONS - kept} of {REGIONS} regions"):
        bake.collect(out)
    again = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=600)
    assert again.returncode == 0, again.stderr
    counts = [line for line in again.stderr.splitlines() if "24 of 24 regions" in line]
    assert len(counts) == 2 and "share 0/2 of OMPI_COMM_WORLD_RANK" in again.stderr
    assert bake.collect(out).hash == expected
