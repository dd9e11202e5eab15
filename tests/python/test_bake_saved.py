# SPDX-License-Identifier: Apache-2.0
"""Bakes of saved worlds: nodes that connect, and worlds that are written during a bake."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import fractalray as fr
import numpy as np
import pytest
from fractalray import bake
from test_saved_worlds import mapblock, write_map

NODES = 3  # the level
SIDES = ("right", "left", "top", "bottom", "back", "front")

fixed = [-0.125, -0.5, -0.125, 0.125, 0.5, 0.125]
BOX = {"type": "connected", "fixed": fixed, **{f"connect_{side}": [fixed] for side in SIDES}}
FENCE = {
    "name": "a:fence",
    "drawtype": "nodebox",
    "connects_to": ["a:fence"],
    "node_box": BOX,
    "selection_box": BOX,
}


@dataclass(frozen=True)
class Connections(bake.Job):
    """The sum of the sides on which the fences of each column of chunks connect."""

    name = "connections"

    def run(self, world: fr.WorldView, region: bake.Region) -> dict[str, np.ndarray]:
        sides = np.zeros((region.size[0], region.size[2]), np.uint16)
        names = list(world.block_types)
        for chunk in world.loaded_chunks(NODES):
            if chunk in region:
                blocks = world.chunk_blocks(NODES, chunk)
                found = [names[type] for type in np.unique(blocks) if names[type].endswith("]")]
                i, _, k = chunk - region.low
                sides[i, k] += sum(int(name.rpartition(", ")[2][:-1]) for name in found)
        return {"sides": sides}


@pytest.fixture
def fences(tmp_path: Path) -> Path:
    """A world of three chunks along each axis from (0, 0, 0), with a fence on each side of the
    borders between them, next to each other."""
    blocks = {}
    for axis in range(3):
        for step in range(3):
            ids = np.zeros((16, 16, 16), np.uint16)
            for end in (0, 15):
                at = [8, 8, 8]
                at[axis] = end
                ids[tuple(at)] = 1
            chunk = [0, 0, 0]
            chunk[axis] = step
            blocks[tuple(chunk)] = ids | blocks.get(tuple(chunk), 0)
    packed = {chunk: mapblock({0: "air", 1: "a:fence"}, ids) for chunk, ids in blocks.items()}
    (tmp_path / "w").mkdir()
    write_map(tmp_path / "w", packed)
    (tmp_path / "w" / "nodedefs.jsonl").write_text(json.dumps(FENCE) + "\n")
    return tmp_path / "w"


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_fences_at_the_sides_of_a_region_are_connected(
    fences: Path, axis: int, tmp_path: Path
) -> None:
    made = []
    high = [0, 0, 0]
    high[axis] = 1  # connected to what is beyond the box, too
    for whole in (True, False):
        for width in (1, 8):
            out = tmp_path / f"{whole}{width}"
            source = bake.SavedWorld(str(fences), whole=whole)
            bake.run(Connections(), source, out, box=((0, 0, 0), tuple(high)), width=width)
            made.append(np.load(bake.collect(out).arrays["sides"]).tolist())
    assert made == made[:1] * 4 and np.sum(made[0]) > 0


@pytest.mark.parametrize("state", [None, "a backup"])
def test_a_world_that_is_written_after_the_last_region_was_read_is_refused(
    fences: Path, state: Optional[str], tmp_path: Path
) -> None:
    """Workers that have opened it after the write do not notice, if the state has a name."""

    def write(outcome: bake.Outcome, done: int, total: int) -> None:
        if done == total:
            os.utime(fences / "map.sqlite", ns=(1, 1))
            (fences / "nodedefs.jsonl").write_text(json.dumps({"name": "a:fence"}) + "\n")

    source = bake.SavedWorld(str(fences), state=state)
    with pytest.raises(fr.FailedPreconditionError, match="[Bb]ake a copy that nobody writes"):
        bake.run(Connections(), source, tmp_path / "out", width=1, progress=write)
