# SPDX-License-Identifier: Apache-2.0
"""The command line of bakes, and saved worlds, in processes that are stopped and started again."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Optional

import fractalray as fr
import numpy as np
import pytest
from fractalray import bake
from fractalray.bake.command import main
from fractalray.bake.plan import load_plan
from test_bake_support import HILLS, PAUSE, Tops

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "worlds" / "w1"
TOPS = ("test_bake_support:Tops", "--source", "test_bake_support:HILLS", "--region", "1")
REGIONS = 48

needs_readers = pytest.mark.skipif(
    os.environ.get("FRACTALRAY_C_FORMATS") == "OFF",
    reason="the library was built without the readers",
)


def command(*arguments: object, pause: float = 0) -> "subprocess.Popen[str]":
    """Starts a command in a process group of its own."""
    paths = [str(ROOT / "bindings" / "python"), str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), PAUSE: str(pause)}
    return subprocess.Popen(
        [sys.executable, "-m", "fractalray.bake", *map(str, arguments)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finished(*arguments: object) -> tuple[str, str]:
    """Runs a command that succeeds. Returns what it prints and reports."""
    process = command(*arguments)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out, err


def wait_for_regions(out: Path, count: int) -> None:
    end = time.monotonic() + 300
    while len(list(out.glob("regions/*.bake"))) < count:
        assert time.monotonic() < end, "no regions are baked"
        time.sleep(0.02)


def members(group: int) -> list[int]:
    """Returns the processes of a process group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, of_group = stat.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(of_group) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("expected")
    bake.run(Tops(), HILLS, out, width=3)
    return bake.collect(out).hash


def test_a_command_bakes_and_collects(expected: str, tmp_path: Path) -> None:
    out, err = finished(*TOPS, "--out", tmp_path / "loop")
    assert f"hash {expected}\n" in out and "48 regions, 48 columns" in out
    assert re.search(r"^tops: 48 of 48 regions, 0:\d\d$", err, re.MULTILINE)
    out, err = finished(*TOPS, "--out", tmp_path / "loop", "--processes", 2)
    assert f"hash {expected}\n" in out and "48 of 48 regions, 48 kept" in err
    for share in ("0/2", "1/2"):
        out, err = finished(*TOPS, "--out", tmp_path / "shares", "--share", share)
        assert "hash" not in out and f"tops, share {share}: 24 of 24" in err
    out, _ = finished("collect", "--out", tmp_path / "shares", "--hash-only")
    assert f"hash {expected}\n" in out
    assert not (tmp_path / "shares" / "arrays").exists()


def test_tasks_of_a_slurm_array_take_their_shares(
    expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("MIN", 1), ("MAX", 2), ("COUNT", 2), ("STEP", 1)):
        monkeypatch.setenv("SLURM_ARRAY_TASK_" + name, str(value))
    for number in ("1", "2"):
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", number)
        _, err = finished(*TOPS, "--out", tmp_path)
        assert "of SLURM_ARRAY_TASK_ID: 24 of 24 regions" in err
    assert bake.collect(tmp_path).hash == expected


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", ["kill", "kill the first", "interrupt"])
def test_a_stopped_bake_continues(how: str, expected: str, tmp_path: Path) -> None:
    process = command(*TOPS, "--out", tmp_path, "--processes", 2, pause=0.2)
    wait_for_regions(tmp_path, 3)
    if how == "kill":
        os.killpg(process.pid, signal.SIGKILL)
    elif how == "kill the first":  # its workers notice that it is gone
        process.kill()
    else:  # Ctrl+C, which all processes get
        os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=300)
    if how == "interrupt":
        assert process.returncode == 130 and out == ""
        assert "interrupted; finished regions are kept. Repeat the command" in err
        assert "Traceback" not in err
    end = time.monotonic() + 100
    while members(process.pid):
        assert time.monotonic() < end, "workers outlive the bake"
        time.sleep(0.05)
    done = len(list(tmp_path.glob("regions/*.bake")))
    assert 3 <= done < REGIONS
    out, err = finished(*TOPS, "--out", tmp_path)
    assert f"48 of 48 regions, {done} kept" in err and f"hash {expected}\n" in out


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert "mpirun" in text and "sbatch" in text and "--dask tcp://" in text
    for job in ("map", "light", "sight"):
        with pytest.raises(SystemExit):
            main([job, "--help"])
        assert "--region N" in capsys.readouterr().out


def test_fields_without_a_default_are_needed_and_have_their_type(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    job = ["test_bake_support:Needed", "--source", "test_bake_support:HILLS", "--region", "9"]
    with pytest.raises(SystemExit):
        main([job[0], "--help"])
    assert "a share, 50 % for instance (0.5)" in capsys.readouterr().out
    assert main([*job, "--out", str(tmp_path / "o"), "--depth", "-5"]) == 0
    assert load_plan(tmp_path / "o").job.parameters() == {"depth": -5, "part": 0.5}
    for value, message in (("deep", "--depth is 'deep'; give a value such as 8"), ("", "required")):
        arguments = [*job, "--out", str(tmp_path / "p"), *(["--depth", value] if value else [])]
        assert main(arguments) == 1 and message in capsys.readouterr().err


def test_what_is_baked_again_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "with a blank"
    arguments = [*TOPS, "--region", "3", "--out", str(out)]
    assert main([*arguments, "--share", "0/1"]) == 0
    assert main([*arguments, "--share", "0/2", "--most", "20"]) == 0
    printed = capsys.readouterr()
    assert f"collect --out '{out}'\n" in printed.out
    assert printed.err.count("differs in parameters; what does not fit is baked again") == 1
    assert "was of other parameters" not in printed.err
    path = next((out / "regions").iterdir())
    path.write_bytes(b"")
    assert main([*arguments, "--most", "20"]) == 0
    assert "was not a region of a bake; baked again" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["paint"], "the job is 'paint'; it must be one of map, light, sight, collect"),
        (["map", "--out", "o"], "--world --source is required"),
        (["map", "--world", "w", "--out", "o", "--speed", "9"], "--speed 9; see .* map --help"),
        (["map", "--world", "/no/where", "--out", "o"], "/no/where: there is no such file"),
        (["nothing:Job", "--out", "o"], "No module named 'nothing'; set PYTHONPATH"),
        (["test_bake_support:Topz", "--out", "o"], "has no Topz"),
        (["test_bake_support:HILLS", "--out", "o"], "must be a bake.Job"),
        ([*TOPS, "--out", "o", "--most", "high"], "--most is 'high'; give a value such as 40"),
        ([*TOPS, "--out", "o", "--box", "1,2"], "the box is '1,2'; it must be X,Y,Z..X,Y,Z"),
        ([*TOPS, "--out", "o", "--box", "-9,-9..-8,-8"], "nothing in the box -9,-1,-9..-8,1,-8"),
        ([*TOPS, "--out", "o", "--share", "2/2"], "0 <= I < N"),
        ([*TOPS, "--out", "o", "--share", "half"], "the share is 'half'; it must be I/N"),
        ([*TOPS, "--out", "o", "--region", "0"], "width is 0; it must be 1 to"),
        ([*TOPS, "--out", "o", "--processes", "0"], "processes is 0"),
        ([*TOPS, "--out", "o", "--kinds", "k"], "--kinds is for --world"),
        ([*TOPS, "--out", "o", "--skip-damaged"], "--skip-damaged is for --world"),
        (["test_bake_support:Clash", *TOPS[1:], "--out", "o"], "field 'box' .*; rename it"),
        ([":Tops", *TOPS[1:], "--out", "o"], "':Tops' is no MODULE:NAME"),
        (["collect", "--out", "/no/where"], "begin the bake in /no/where first"),
    ],
)
def test_errors_name_the_value_and_the_remedy(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([str(tmp_path / "o") if each == "o" else each for each in arguments]) == 1
    text = capsys.readouterr().err
    assert text.startswith("fractalray.bake: ") and text.count("\n") == 1
    assert re.search(message, text), text
    assert not (tmp_path / "o").exists()


@needs_readers
def test_saved_worlds_are_read_whole_or_by_parts(tmp_path: Path) -> None:
    box = ["--box", "-13,-4..-10,-1", "--reach", "15", "--world", EXAMPLE]
    hashes = set()
    for name, width, how in (("a", 2, "whole"), ("b", 4, "parts"), ("c", 3, "parts")):
        arguments = ["map", *box, "--out", tmp_path / name, "--region", width, "--open", how]
        assert main(list(map(str, arguments))) == 0
        hashes.add(bake.collect(tmp_path / name).hash)
    assert len(hashes) == 1
    color = bake.collect(tmp_path / "a").arrays["color"]
    assert (tmp_path / "a" / "index.html").exists() and color.exists()


@needs_readers
def test_a_world_that_was_written_is_baked_again(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "w")
    source, copy = bake.SavedWorld(str(tmp_path / "w")), bake.SavedWorld(str(EXAMPLE))
    assert source.identity() == copy.identity() != bake.SavedWorld(copy.path, "{}").identity()
    extent = source.extent()
    assert len(extent.columns) == 144 and extent.height == (-3, 8)
    box, job = ((-13, 4, -3), (-12, 5, -2)), bake.MapTiles(reach=1)
    bake.run(job, source, tmp_path / "out", box=box, width=1)
    kept = bake.run(job, copy, tmp_path / "out", box=box, width=1)
    assert kept.baked == 0  # a copy of the world on another path is the same world
    definitions = tmp_path / "w" / "nodedefs.jsonl"
    definitions.write_text(definitions.read_text().replace("default:stone", "default:stona"))
    again = bake.run(job, source, tmp_path / "out", box=box, width=1)
    assert again.reasons == {"of another world, or another state of it": 4}


@needs_readers
@pytest.mark.parametrize("state", [None, "a backup"])
def test_a_world_that_is_written_during_the_bake_is_refused(
    state: Optional[str], tmp_path: Path
) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "w")

    def write(*_: object) -> None:
        os.utime(tmp_path / "w" / "map.sqlite", ns=(1, 1))
        with open(tmp_path / "w" / "map.sqlite", "ab") as file:
            file.write(b"more")

    box = ((-13, 4, -3), (-12, 5, -2))
    source = bake.SavedWorld(str(tmp_path / "w"), state=state)
    with pytest.raises(bake.RegionError, match="[Bb]ake a copy that nobody writes"):
        bake.run(bake.MapTiles(reach=1), source, tmp_path / "o", box=box, width=1, progress=write)


@needs_readers
@pytest.mark.parametrize("whole", [True, False])
def test_chunks_that_cannot_be_read_are_refused_or_skipped(whole: bool, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "w")
    key = -13 + 4 * 0x1000 - 3 * 0x1000000
    with sqlite3.connect(tmp_path / "w" / "map.sqlite") as database:
        database.execute("UPDATE blocks SET data = substr(data, 1, 20) WHERE pos = ?", (key,))
        assert database.execute("SELECT changes()").fetchone() == (1,)
    database.close()
    box, job = ((-13, 4, -3), (-12, 5, -2)), bake.MapTiles(reach=1)
    source = bake.SavedWorld(str(tmp_path / "w"), whole=whole)
    text = r"1 of \d+ chunks cannot be read, such as \(-13, 4, -3\): .*--skip-damaged"
    with pytest.raises(bake.RegionError, match=text):
        bake.run(job, source, tmp_path / "out", box=box, width=1)
    skipping = bake.SavedWorld(source.path, whole=whole, skip_damaged=True)
    assert skipping.identity() != source.identity()
    assert bake.run(job, skipping, tmp_path / "out", box=box, width=1).baked == 4


@needs_readers
def test_the_bake_of_the_page_has_the_hash_of_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "bake.md").read_text()
    shown = re.search(r"^map: \d+ regions.*\nhash [0-9a-f]{64}$", page, re.MULTILINE)
    assert main(["map", "--world", str(EXAMPLE), "--out", str(tmp_path / "out")]) == 0
    assert shown is not None and shown.group() in capsys.readouterr().out


@needs_readers
def test_the_job_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs" / "bake.md").read_text()
    (sample,) = (
        part
        for part in re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
        if "class Ores" in part
    )
    (tmp_path / "ores_of_the_page.py").write_text(sample)
    monkeypatch.syspath_prepend(tmp_path)
    hashes = set()
    for how, width in (("whole", 4), ("parts", 8)):
        arguments = ["ores_of_the_page:Ores", "--world", EXAMPLE, "--out", tmp_path / how]
        more = ["--open", how, "--region", width, "--ore", "default:jungletree"]
        assert main(list(map(str, [*arguments, *more]))) == 0
        made = bake.collect(tmp_path / how)
        hashes.add(made.hash)
    count = np.load(made.arrays["count"])
    world = fr.World.open(EXAMPLE)
    trunk = world.block_types["default:jungletree"]
    chunks = [world.chunk_blocks(3, chunk) for chunk in world.loaded_chunks(3)]
    assert len(hashes) == 1 and count.sum() == sum((chunk == trunk).sum() for chunk in chunks) > 0


@needs_readers
def test_maps_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    (tmp_path / "map.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(fr.DataLossError, match="map.sqlite: file is not a database"):
        bake.SavedWorld(str(tmp_path)).extent()
    with pytest.raises(fr.NotFoundError, match="no such file"):
        bake.SavedWorld(str(tmp_path / "nothing"))
    table = tmp_path / "kinds.json"
    table.write_text("[]")
    arguments = ["map", "--world", EXAMPLE, "--out", tmp_path / "o", "--kinds", table]
    assert main(list(map(str, arguments))) == 1
