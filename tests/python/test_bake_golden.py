# SPDX-License-Identifier: Apache-2.0
"""Bakes of the questions of tests/golden: every executor has the answers that were recorded there.

test_bake_cluster.py has the executors of clusters.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from fractalray import bake
from golden_bake import FirstHits, GoldenShots, Worlds, golden_hash, recorded_hash

IS_LONG = "FRACTALRAY_LONG_TESTS" in os.environ


def bake_by(how: str, job: bake.Job, out: Path) -> bake.Collected:
    if how == "shares":
        for number in range(3):
            bake.run(job, Worlds(), out, width=1, share=bake.Share(number, 3))
    else:
        executor = bake.Loop() if how == "loop" else bake.Processes(2)
        bake.run(job, Worlds(), out, width=4, executor=executor)
    return bake.collect(out)


@pytest.mark.parametrize("how", ["loop", "processes", "shares"])
def test_every_executor_has_the_answers_of_tests_golden(how: str, tmp_path: Path) -> None:
    made = bake_by(how, GoldenShots(), tmp_path)
    assert golden_hash(made.arrays) == recorded_hash()


def test_first_hits_do_not_depend_on_the_executor(tmp_path: Path) -> None:
    job = FirstHits(25_000 if IS_LONG else 250)  # 10^6 lines, or 10^4
    loop = bake_by("loop", job, tmp_path / "loop")
    kinds = np.load(loop.arrays["hits"], mmap_mode="r")
    assert kinds.any(), "no line has hit anything"
    for how in ("processes", "shares"):
        assert bake_by(how, job, tmp_path / how).hash == loop.hash, how
