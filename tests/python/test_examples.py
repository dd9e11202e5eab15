# SPDX-License-Identifier: Apache-2.0
"""The programs of the documentation and the example run, and print what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "python.md"
EXAMPLE = ROOT / "bindings" / "python" / "examples" / "field_of_view.py"


def run(*command: object) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bindings" / "python")}
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=ROOT,  # the page opens examples/worlds/w1
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def fenced(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def test_the_first_program_of_the_page_prints_what_the_page_says() -> None:
    assert run("-c", fenced("python")[0]) == fenced("text")[0]


def test_the_other_parts_of_the_page_run_after_it() -> None:
    has_readers = os.environ.get("FRACTALRAY_C_FORMATS") != "OFF"
    needs_readers = re.compile(r"World\.open|\.record\(")
    parts = [part for part in fenced("python") if has_readers or not needs_readers.search(part)]
    run("-c", "\n".join(parts))


def test_the_free_cells_of_the_page_are_free() -> None:
    """The map of the page, on rays through lattice points, which enter solid cells at a tie."""
    recipe = next(part for part in fenced("python") if "free_cells" in part)
    check = """
import itertools
grid = np.zeros((64, 64, 64), np.uint8)
grid[tuple(np.random.default_rng(5).integers(16, 48, (3, 900)))] = 1
world = fr.World()
world.load_box(0, (0, 0, 0), grid * int(world.block_types.add("stone")))
directions = np.array(list(itertools.product((-2, -1, 1, 2), repeat=3)), float)
"""
    after = """
inside = free_cells[(free_cells >= 0).all(axis=1) & (free_cells < 64).all(axis=1)]
solid = (grid[tuple(inside.T)] > 0).sum()
whole = fr.walk_many(fr.Lines.rays((32, 32, 32), directions, 50.0), times=True)
passed = whole.cells[whole.times < np.repeat(until, np.diff(whole.offsets))]
print(solid, len(inside) > 300, np.array_equal(free_cells, np.unique(passed, axis=0)))
"""
    page = fenced("python")[0].split("world =")[0]  # its imports
    origin = recipe.replace("(30, 5.6, 20)", "(32, 32, 32)")
    assert run("-c", page + check + origin + after) == "0 True True\n"


def test_the_field_of_view_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "view.png"
    printed = run(EXAMPLE, "--out", picture, "--width", 160)
    seen, rays = (int(line.split()[0]) for line in printed.splitlines())
    assert 5_000 < seen < 40_000 and 4_000 < rays < 160 * 90
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 50_000
