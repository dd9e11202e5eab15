# SPDX-License-Identifier: Apache-2.0
"""Processes of a bake that ends before they do, and the errors that they send."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fractalray import bake
from test_bake_support import HILLS, STUCK, Exiting, Stuck, Unreadable


@pytest.fixture
def stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a bake whose first region does not end before the test."""
    monkeypatch.setenv(STUCK, str(tmp_path))
    yield tmp_path / "out"
    (tmp_path / "end").touch()


def test_a_region_that_fails_ends_the_process_of_another_one(stuck: Path) -> None:
    with pytest.raises(bake.RegionError, match="ZeroDivisionError"):
        bake.run(Stuck(), HILLS, stuck, width=3, executor=bake.Processes(2))
    assert not multiprocessing.active_children()


def test_no_process_is_left_if_the_thread_of_the_pool_notes_their_end_late(
    stuck: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = os.waitpid

    def late(pid: int, flags: int) -> tuple[int, int]:
        is_main = threading.current_thread() is threading.main_thread()
        time.sleep(0.2 if is_main else 0)  # to come second
        result = wait(pid, flags)
        time.sleep(0 if is_main else 0.5)
        return result

    def begin_late(*_: object) -> None:
        monkeypatch.setattr(os, "waitpid", late)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        job, two = Stuck(fails=False), bake.Processes(2)
        bake.run(job, HILLS, stuck, width=3, executor=two, progress=begin_late)
    assert not multiprocessing.active_children()


def test_an_error_of_the_caller_ends_the_processes_of_the_bake_alone(stuck: Path) -> None:
    started = []

    def stop(*_: object) -> None:
        started.append(multiprocessing.get_context("spawn").Process(target=time.sleep, args=(300,)))
        started[0].start()
        raise KeyError("mine")

    try:
        with pytest.raises(KeyError, match="mine") as raised:
            job, two = Stuck(fails=False), bake.Processes(2)
            bake.run(job, HILLS, stuck, width=3, executor=two, progress=stop)
        assert multiprocessing.active_children() == started
        del raised  # until here it holds all that the bake had
    finally:
        for process in started:
            process.kill()
            process.join()


def test_an_error_that_cannot_be_pickled_names_the_region(tmp_path: Path) -> None:
    text = "region -3,-1,-4..-1,1,-4: TwoCauses: no blocks and no air"
    for executor in (bake.Loop(), bake.Processes(1)):
        with pytest.raises(bake.RegionError, match=text):
            bake.run(Unreadable(), HILLS, tmp_path, width=3, executor=executor)


def test_a_job_that_exits_fails_the_bake(tmp_path: Path) -> None:
    for executor in (bake.Loop(), bake.Processes(1)):
        with pytest.raises(bake.RegionError, match="region -3,-1,-4..-1,1,-4: SystemExit: no more"):
            bake.run(Exiting(), HILLS, tmp_path, width=3, executor=executor)
