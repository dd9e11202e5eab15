# SPDX-License-Identifier: Apache-2.0
"""Query logs: queries are recorded, and answered equally by their replay."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import fractalray as fr
import numpy as np
import pytest
from conftest import Scene

if os.environ.get("FRACTALRAY_C_FORMATS") == "OFF":
    pytest.skip("the library was built without query logs", allow_module_level=True)


def record(scene: Scene, path: Path) -> fr.QueryLog:
    with scene.world.record(path) as log:
        scene.world.shoot(scene.line)
        scene.world.closest_hit(scene.line)
        assert scene.world.occluded(scene.line) == fr.Occlusion.BLOCKED
        log.flush()
    return log


def test_equal_world(scene: Scene, tmp_path: Path) -> None:
    log = record(scene, tmp_path / "log")
    assert log.queries == 3
    with fr.Replay(Scene().world, tmp_path / "log") as replay:
        replayed = list(replay)
    assert [each.outcome for each in replayed] == [fr.Outcome.EQUAL] * 3
    assert [each.verb for each in replayed] == [fr.Verb.SHOOT, fr.Verb.CLOSEST_HIT, fr.Verb.OCCLUDED]
    assert [each.number for each in replayed] == [1, 2, 3]
    assert replayed[0].offset < replayed[1].offset
    assert (replayed[0].reason, replayed[0].recorded, replayed[0].replayed) == ("", None, None)
    assert list(replayed[0].line._struct.to) == list(scene.line._struct.to)
    with pytest.raises(fr.FailedPreconditionError, match="closed"):
        next(replay)


def test_other_world(scene: Scene, tmp_path: Path) -> None:
    record(scene, tmp_path / "log")
    scene.world.set_block(0, (8, 2, 2), fr.AIR)
    with pytest.raises(fr.FailedPreconditionError, match="blocks are not the same"):
        fr.Replay(scene.world, tmp_path / "log")
    assert scene.world.levels == 1, "a world is not taken over after an error"
    first, second, third = fr.Replay(scene.world, tmp_path / "log", on_other_world=True)
    assert (first.outcome, second.outcome) == (fr.Outcome.DIFFERENT, fr.Outcome.EQUAL)
    assert isinstance(first.recorded, fr.Shot) and isinstance(first.replayed, fr.Shot)
    assert [hit.type for hit in first.recorded] == [scene.glass, scene.stone]
    assert [hit.type for hit in first.replayed] == [scene.glass]
    assert first.recorded.terminated and not first.replayed.terminated
    assert third.recorded == fr.Occlusion.BLOCKED
    assert third.replayed == fr.Occlusion.CLEAR
    with pytest.raises(fr.FailedPreconditionError, match="closed"):
        scene.world.levels


def test_sight(scene: Scene, tmp_path: Path) -> None:
    query = fr.SightQuery((0.5, 2.5, 2.5), (12, 2.25, 2.25), (13, 5, 2.75))
    flat = fr.SightQuery((0.5, 2.5, 2.5), (12, 2.25, 2.25), (12, 2.25, 5))
    scene.world.set_block(0, (8, 3, 2), fr.AIR)
    with scene.world.record(tmp_path / "log"):
        assert scene.world.visible(query) == fr.Sight.VISIBLE
        exposure = scene.world.exposure(query)
        with pytest.raises(fr.InvalidArgumentError):
            scene.world.visible(flat)
    scene.world.set_block(0, (8, 2, 2), fr.AIR)
    seen, share, refused = fr.Replay(scene.world, tmp_path / "log", on_other_world=True)
    assert (seen.verb, seen.outcome, seen.sight) == (fr.Verb.VISIBLE, fr.Outcome.EQUAL, query)
    assert seen.line is None
    assert (share.verb, share.outcome) == (fr.Verb.EXPOSURE, fr.Outcome.DIFFERENT)
    assert share.recorded == exposure
    assert isinstance(share.replayed, tuple) and share.replayed[0] > exposure[1]
    assert (refused.verb, refused.outcome) == (fr.Verb.VISIBLE, fr.Outcome.EQUAL)


def test_other_verbs_of_sight(scene: Scene, tmp_path: Path) -> None:
    eyes = np.array([[0.5, 2.5, 2.5], [9.5, 2.5, 2.5]])
    low, high = [[12, 2.25, 2.25]], [[13, 2.75, 2.75]]
    rays = np.zeros(1, fr.BLAST_RAY)
    rays["step"], rays["power"] = (32768, 0, 0), 1000
    resistances = [0, 100, 100]
    flat = np.array([[0, 0, 0]])
    with scene.world.record(tmp_path / "log") as log:
        sights = scene.world.visible_boxes(eyes, low, high)
        seen = scene.world.visible_blocks((0.5, 2.5, 2.5), 8)
        blast = scene.world.blast((7, 2.5, 2.5), 2, rays, resistances)
        with pytest.raises(fr.InvalidArgumentError):
            scene.world.visible_boxes(eyes, flat, flat)
    # The search was called again with more memory, since it sees more than 64 blocks.
    assert len(seen.visible) > 64 and log.queries == 5
    outcomes = [each.outcome for each in fr.Replay(Scene().world, tmp_path / "log")]
    assert outcomes == [fr.Outcome.EQUAL] * 5
    for y in range(16):
        for z in range(16):
            scene.world.set_block(0, (8, y, z), fr.AIR)
    answers = list(fr.Replay(scene.world, tmp_path / "log", on_other_world=True))
    many, around, crater, refused = answers[:2] + answers[3:]
    assert (many.verb, many.outcome) == (fr.Verb.VISIBLE_BOXES, fr.Outcome.DIFFERENT)
    assert (many.shape, many.line, many.sight) == ((2, 1), None, None)
    assert isinstance(many.recorded, np.ndarray) and isinstance(many.replayed, np.ndarray)
    assert (many.recorded == sights).all() and many.recorded.shape == (2, 1)
    assert (many.replayed == fr.Sight.VISIBLE).all()
    assert (around.verb, around.outcome) == (fr.Verb.VISIBLE_BLOCKS, fr.Outcome.DIFFERENT)
    assert (around.center, around.radius) == ((0.5, 2.5, 2.5), 8)
    assert isinstance(around.recorded, fr.VisibleBlocks)
    assert around.recorded.visible.tobytes() == seen.visible.tobytes()
    assert isinstance(around.replayed, fr.VisibleBlocks)
    assert set(around.replayed.visible["type"]) == {scene.glass}
    assert (crater.verb, crater.outcome) == (fr.Verb.BLAST, fr.Outcome.DIFFERENT)
    assert (crater.center, crater.radius) == ((7, 2.5, 2.5), 2)
    assert isinstance(crater.recorded, fr.Blast) and isinstance(crater.replayed, fr.Blast)
    assert crater.recorded.blocks.tobytes() == blast.blocks.tobytes() and len(blast.blocks) == 1
    assert len(crater.replayed.blocks) == 0
    assert (refused.outcome, refused.shape) == (fr.Outcome.EQUAL, (2, 1))


def test_many_hits(tmp_path: Path) -> None:
    """Answers with more hits than the first array has elements for."""

    def row() -> tuple[fr.World, int]:
        world = fr.World()
        glass = world.block_types.add("glass", fr.Kind.PERMEABLE)
        for x in range(10):
            world.load_chunks(0, (x, 0, 0), np.full((16, 16, 16), glass, np.uint16))
        return world, glass

    line = fr.Line.segment((0.5, 2.5, 2.5), (159.5, 2.5, 2.5))
    world, _ = row()
    with world.record(tmp_path / "log"):
        world.shoot(line)
    other, _ = row()
    other.set_block(0, (159, 2, 2), fr.AIR)
    (query,) = fr.Replay(other, tmp_path / "log", on_other_world=True)
    assert isinstance(query.recorded, fr.Shot) and isinstance(query.replayed, fr.Shot)
    assert (len(query.recorded), len(query.replayed)) == (160, 159)


def test_filters_are_not_replayed(scene: Scene, tmp_path: Path) -> None:
    with scene.world.record(tmp_path / "log", fingerprints=False):
        scene.world.closest_hit(scene.line, options=fr.Options(block_filter=lambda hit: True))
    (query,) = fr.Replay(fr.World(), tmp_path / "log")
    assert query.outcome == fr.Outcome.NOT_REPLAYABLE
    assert "filter" in query.reason


def test_errors(scene: Scene, tmp_path: Path) -> None:
    with pytest.raises(fr.NotFoundError):
        scene.world.record(tmp_path / "none" / "log")
    with scene.world.record(tmp_path / "log"):
        with pytest.raises(fr.FailedPreconditionError, match="frWorld_EndLog"):
            scene.world.record(tmp_path / "other")
    log = record(scene, tmp_path / "log")
    log.close()
    with pytest.raises(fr.FailedPreconditionError, match="closed"):
        log.flush()
    with pytest.raises(fr.NotFoundError):
        fr.Replay(scene.world, tmp_path / "none")
    with pytest.raises(TypeError):
        fr.Replay(scene, tmp_path / "log")  # type: ignore[arg-type]
    cursor = scene.world.hits_along(scene.line)
    with pytest.raises(fr.FailedPreconditionError, match="1 other objects"):
        fr.Replay(scene.world, tmp_path / "log")
    cursor.close()
    whole = (tmp_path / "log").read_bytes()
    (tmp_path / "log").write_bytes(whole[:-40])
    with pytest.raises(fr.DataLossError):
        list(fr.Replay(scene.world, tmp_path / "log"))


def log_in_a_process(path: Path, script: str) -> None:
    """Runs a process that exits while its world writes a log."""
    begin = """
import sys
import threading
from conftest import Scene, fr

scene = Scene()
log = scene.world.record(sys.argv[1])
scene.world.closest_hit(scene.line)
"""
    command = [sys.executable, "-c", begin + script, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    subprocess.run(command, env=environment, check=True)


def test_a_log_ends_with_the_process(scene: Scene, tmp_path: Path) -> None:
    log_in_a_process(
        tmp_path / "log",
        """
cursor = scene.world.hits_along(scene.line)
next(cursor)
""",
    )
    replayed = list(fr.Replay(scene.world, tmp_path / "log"))  # complete: no DataLossError
    assert [each.verb for each in replayed] == [fr.Verb.CLOSEST_HIT, fr.Verb.SHOOT]
    assert {each.outcome for each in replayed} == {fr.Outcome.EQUAL}


def test_a_log_that_a_callback_cannot_end_ends_with_the_process(
    scene: Scene, tmp_path: Path
) -> None:
    log_in_a_process(
        tmp_path / "log",
        """
def close(hit):
    try:
        log.close()
    except fr.FailedPreconditionError:
        print("refused", file=sys.stderr)


scene.world.shoot(scene.line, on_hit=close)
""",
    )
    (first, *_) = fr.Replay(scene.world, tmp_path / "log")  # complete: no DataLossError
    assert first.outcome == fr.Outcome.EQUAL


def test_a_log_is_flushed_if_a_query_runs_at_the_end_of_the_process(
    scene: Scene, tmp_path: Path
) -> None:
    log_in_a_process(
        tmp_path / "log",
        """
begun = threading.Event()


def wait(hit):
    begun.set()
    threading.Event().wait()


def ask():
    scene.world.closest_hit(scene.line, options=fr.Options(block_filter=wait))


threading.Thread(target=ask, daemon=True).start()
begun.wait()
""",
    )
    replay = fr.Replay(scene.world, tmp_path / "log")
    assert next(replay).outcome == fr.Outcome.EQUAL
    with pytest.raises(fr.DataLossError, match="was not closed"):
        next(replay)


def test_a_log_ends_with_its_world(scene: Scene, tmp_path: Path) -> None:
    scene.world.record(tmp_path / "log")
    scene.world.closest_hit(scene.line)
    del scene.world
    gc.collect()
    (query,) = fr.Replay(Scene().world, tmp_path / "log")
    assert query.outcome == fr.Outcome.EQUAL


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no file that is always full")
def test_a_full_disk_ends_no_query(scene: Scene) -> None:
    with pytest.raises(fr.ResourceExhaustedError):
        with scene.world.record("/dev/full"):
            assert scene.world.closest_hit(scene.line).hit is not None
    assert scene.world.closest_hit(scene.line).hit is not None
