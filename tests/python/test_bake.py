# SPDX-License-Identifier: Apache-2.0
"""Bakes: one hash for any partition, executor and history; regions are whole or not there."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import fractalray as fr
import numpy as np
import pytest
from fractalray import bake
from fractalray.bake import files
from fractalray.bake.colors import palette
from fractalray.bake.plan import load_plan, path_of_region
from test_bake_support import HILLS, KILL, KILL_ALWAYS, KILL_AT, Broken, Hills, Marked, Tops

REGIONS = 9  # of the hills, 3 wide
OTHER_WORLD = "of another world, or another state of it"
JOBS = [bake.MapTiles(reach=30), bake.SkyLight(reach=20), bake.ChunkSight(radius=1)]


def bake_tops(out: Path, **options: object) -> bake.Summary:
    """Bakes the hills in regions 3 wide."""
    options.setdefault("width", 3)
    return bake.run(options.pop("job", Tops()), HILLS, out, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The hash of a bake by the plain loop in four regions, which all begin at 0."""
    out = tmp_path_factory.mktemp("expected")
    bake_tops(out, width=100)
    return bake.collect(out).hash


def region_paths(out: Path) -> list[Path]:
    plan = load_plan(out)
    return [path_of_region(out, region) for region in plan.regions]


def test_regions_cover_a_box_once() -> None:
    box = ((-5, -2, -3), (6, 4, 3))
    for width in (1, 2, 3, 8, 100):
        cells = [
            (x, z)
            for region in bake.regions(box, width)
            for x in range(region.low[0], region.high[0] + 1)
            for z in range(region.low[2], region.high[2] + 1)
        ]
        assert sorted(cells) == [(x, z) for x in range(-5, 7) for z in range(-3, 4)]
        assert all((each.low[1], each.high[1]) == (-2, 4) for each in bake.regions(box, width))
    grown = bake.regions(((-5, -2, -3), (9, 4, 9)), 4)
    inner = [each for each in bake.regions(box, 4) if each.high[0] < 6]
    assert len(inner) == 6 and set(inner) < set(grown)
    assert bake.regions(box, 3, [(0, 0), (1, 1), (99, 0)]) == [bake.Region((0, -2, 0), (2, 4, 2))]
    with pytest.raises(fr.InvalidArgumentError, match="first chunk"):
        bake.regions(((0, 0, 0), (1, -1, 0)), 3)
    with pytest.raises(fr.OutOfRangeError, match="width is 0"):
        bake.regions(box, 0)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_the_hash_and_the_files_do_not_depend_on_the_partition(
    job: bake.Job, tmp_path: Path
) -> None:
    results = set()
    for width in (2, 3, 100):
        for whole in (True, False):  # regions alone have what lies outside of the halo unloaded
            out = tmp_path / f"{width}{whole}"
            bake.run(job, Hills(whole=whole), out, width=width)
            made = bake.collect(out)
            joined = [path.read_bytes() for path in made.arrays.values()]
            pictures = out.rglob("tiles/**/*.png")
            tiles = {str(path.relative_to(out)): path.read_bytes() for path in pictures}
            assert len(joined) >= 2 and len(tiles) >= 1
            results.add((made.hash, *joined, *sorted(tiles.items())))
    assert len(results) == 1


def test_the_hash_depends_on_parameters_and_on_the_world(expected: str, tmp_path: Path) -> None:
    bake_tops(tmp_path / "most", job=Tops(most=20))
    bake.run(Tops(), Hills(seed=2), tmp_path / "seed")
    bake_tops(tmp_path / "height", height=(0, 1))
    hashes = {bake.collect(tmp_path / name).hash for name in ("most", "seed", "height")}
    assert len(hashes | {expected}) == 4


def test_the_hash_depends_on_each_column_and_array_and_on_their_positions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashes = []

    def add(box: tuple[tuple[int, int, int], tuple[int, int, int]]) -> None:
        out = tmp_path / str(len(hashes))
        bake_tops(out, job=Marked(), box=box, width=2)
        hashes.append(bake.collect(out).hash)

    for one in ((1, -1, 1), (2, -1, 1), (1, -1, 2)):  # one column of zeros
        add((one, one))
    for mark in (None, ("a", 1, 1), ("a", 3, 2), ("b", 3, 2), ("b", 2, 1)):
        monkeypatch.setattr(Marked, "mark", mark)
        add(((1, -1, 1), (3, 1, 2)))
    assert len(set(hashes)) == len(hashes)


def test_processes_and_shares_give_the_hash_of_the_loop(expected: str, tmp_path: Path) -> None:
    summary = bake_tops(tmp_path / "two", executor=bake.Processes(2))
    assert (summary.regions, summary.baked) == (REGIONS, REGIONS)
    assert bake.collect(tmp_path / "two").hash == expected
    out = tmp_path / "shares"
    assert bake_tops(out, share=bake.Share(0, 2)).regions == 5
    with pytest.raises(bake.MissingRegionsError, match="4 of 9 regions are missing") as raised:
        bake.collect(out)
    listed = [region for region, _ in raised.value.missing]
    assert listed == load_plan(out).regions[1::2]
    assert all(f"  {region}: not baked" in str(raised.value) for region in listed)
    assert bake_tops(out, share=bake.Share(1, 2)).baked == 4
    assert bake.collect(out).hash == expected


def test_a_killed_worker_loses_nothing(
    expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KILL, str(tmp_path))
    monkeypatch.setenv(KILL_AT, str(bake.regions(((-3, -1, -4), (3, 1, 2)), 3)[4]))
    out = tmp_path / "out"
    bake_tops(out, executor=bake.Processes(2))
    killed = int((tmp_path / "killed").read_text())
    assert killed != os.getpid()
    assert bake.collect(out).hash == expected
    assert not multiprocessing.active_children()


def test_workers_that_always_die_end_the_bake(
    expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    region = str(bake.regions(((-3, -1, -4), (3, 1, 2)), 3)[0])
    for name, value in ((KILL, str(tmp_path)), (KILL_AT, region), (KILL_ALWAYS, "1")):
        monkeypatch.setenv(name, value)
    out = tmp_path / "out"
    with pytest.raises(bake.RegionError, match="died 3 times") as raised:
        bake_tops(out, executor=bake.Processes(1))
    assert region in str(raised.value)
    for name in (KILL, KILL_AT, KILL_ALWAYS):
        monkeypatch.delenv(name)
    bake_tops(out)
    assert bake.collect(out).hash == expected


def test_finished_regions_are_kept(expected: str, tmp_path: Path) -> None:
    bake_tops(tmp_path, share=bake.Share(0, 3))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "regions").iterdir()}
    outcomes = []
    summary = bake_tops(tmp_path, progress=lambda *arguments: outcomes.append(arguments))
    assert (len(before), summary.baked, summary.reasons) == (3, 6, {"not baked": 6})
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    assert [(done, total) for _, done, total in outcomes] == [(i, 9) for i in range(1, 10)]
    assert sum(outcome.reason == "" for outcome, _, _ in outcomes) == 3
    assert bake.collect(tmp_path).hash == expected


def test_other_parameters_worlds_and_jobs_are_baked_again(expected: str, tmp_path: Path) -> None:
    bake_tops(tmp_path, job=Tops(most=20))
    summary = bake_tops(tmp_path)
    assert summary.reasons == {"of other parameters": REGIONS}
    assert summary.replaced == "parameters"
    assert bake.collect(tmp_path).hash == expected
    # A stale process of the earlier bake writes one more of its regions.
    bake_tops(tmp_path / "stale", job=Tops(most=20))
    path = region_paths(tmp_path)[3]
    path.write_bytes((tmp_path / "stale" / "regions" / path.name).read_bytes())
    with pytest.raises(bake.MissingRegionsError, match="of other parameters"):
        bake.collect(tmp_path)
    # A file under another region's name.
    path.write_bytes(region_paths(tmp_path)[4].read_bytes())
    assert bake_tops(tmp_path).reasons == {"of another region": 1}
    assert bake.run(Tops(), Hills(seed=2), tmp_path, width=3).reasons == {OTHER_WORLD: REGIONS}
    with pytest.raises(fr.FailedPreconditionError, match="has the bake 'tops', not 'broken'"):
        bake_tops(tmp_path, job=Broken())


def test_a_flipped_bit_is_found_and_done_again(expected: str, tmp_path: Path) -> None:
    bake_tops(tmp_path)
    path = region_paths(tmp_path)[2]
    whole = path.read_bytes()
    damaged = bytearray(whole)
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(bake.MissingRegionsError, match="1 of 9 .*(\n.*)*damaged"):
        bake.collect(tmp_path)
    assert sum(bake_tops(tmp_path).reasons.values()) == 1
    assert path.read_bytes() == whole
    assert bake.collect(tmp_path).hash == expected


def test_every_flipped_bit_and_every_end_of_a_file_is_found() -> None:
    arrays = {"b": np.arange(3, dtype=">i2").reshape(1, 3), "a": np.array([[0.5]])}
    data = files.packed({"job": "x"}, arrays)
    key, read = files.unpacked(data)
    assert key == {"job": "x"} and {name: each.tolist() for name, each in read.items()} == {
        "a": [[0.5]],
        "b": [[0, 1, 2]],
    }
    for bit in range(8 * len(data)):
        damaged = bytearray(data)
        damaged[bit // 8] ^= 1 << bit % 8
        with pytest.raises(fr.DataLossError):
            files.unpacked(bytes(damaged))
    for end in range(len(data)):
        with pytest.raises(fr.DataLossError):
            files.unpacked(data[:end])
    with pytest.raises(fr.DataLossError):
        files.unpacked(data + b"\0")


def test_regions_that_do_not_fit_leave_no_arrays(tmp_path: Path) -> None:
    bake_tops(tmp_path, job=Marked())
    plan = load_plan(tmp_path)
    region = plan.regions[-1]
    one = np.zeros(region.size[::2], np.uint8)
    files.write(path_of_region(tmp_path, region), files.packed(plan.key(region), {"a": one}))
    with pytest.raises(fr.DataLossError, match="the same names, types and further axes"):
        bake.collect(tmp_path)
    assert not list((tmp_path / "arrays").iterdir())


def test_every_flipped_bit_of_a_plan_is_found(tmp_path: Path) -> None:
    bake_tops(tmp_path, width=100)
    path = tmp_path / "bake.json"
    whole = path.read_bytes()
    for bit in range(8 * len(whole)):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        with pytest.raises(fr.DataLossError, match="repeat the bake"):
            load_plan(tmp_path)


def test_a_plan_of_a_class_that_has_changed_is_refused(tmp_path: Path) -> None:
    class Before(Tops):
        def parameters(self) -> dict[str, object]:
            return {"least": 3}

    Before.__module__, Before.__qualname__ = Tops.__module__, Tops.__qualname__
    bake_tops(tmp_path, job=Before())
    with pytest.raises(fr.FailedPreconditionError, match="least.*repeat the bake"):
        bake.collect(tmp_path)


def test_a_damaged_plan_is_written_again(expected: str, tmp_path: Path) -> None:
    bake_tops(tmp_path)
    (tmp_path / "bake.json").write_bytes(b'{"job"')
    with pytest.raises(fr.DataLossError, match="repeat the bake"):
        bake.collect(tmp_path)
    assert bake_tops(tmp_path).baked == 0
    assert bake.collect(tmp_path).hash == expected
    with pytest.raises(fr.NotFoundError, match="begin the bake"):
        bake.collect(tmp_path / "nothing")


def test_joined_arrays_have_every_column(tmp_path: Path) -> None:
    bake_tops(tmp_path, job=Tops(most=1000))
    made = bake.collect(tmp_path)
    height = np.load(made.arrays["height"])
    with HILLS.world(bake.Region((0, 0, 0), (0, 0, 0))) as world:
        region = bake.Region((-3, -1, -4), (3, 1, 2))
        surface = bake.find_surface(world, region)
        assert np.array_equal(height, np.where(surface.found, surface.block, bake.NOTHING))
        for i, k in ((0, 0), (50, 61), (111, 111)):
            column = [y for y in range(-16, 32) if solid(world, i - 48, y, k - 64)]
            assert height[i, k] == max(column)
    assert (height[48:64, 64:80] == bake.NOTHING).all()  # column (0, 0) has no chunks
    assert made.page is None and made.columns == 48


def test_a_world_that_is_written_while_it_is_planned_is_refused(tmp_path: Path) -> None:
    class Written(Hills):
        def extent(self) -> bake.Extent:
            extent = super().extent()
            object.__setattr__(self, "seed", 2)
            return extent

    with pytest.raises(fr.FailedPreconditionError, match="[Bb]ake a copy that nobody writes"):
        bake.run(Tops(), Written(), tmp_path)


def solid(world: fr.WorldView, x: int, y: int, z: int) -> bool:
    return bool(world.block(0, (x, y, z)))


@pytest.mark.parametrize("executor", [lambda: None, lambda: bake.Processes(1)])
def test_a_job_that_fails_names_the_region(
    executor: Callable[[], bake.BakeExecutor], tmp_path: Path
) -> None:
    with pytest.raises(bake.RegionError, match="ZeroDivisionError: no blocks at all") as raised:
        bake_tops(tmp_path, job=Broken(), executor=executor())
    assert "-3,-1,-4..-1,1,-4" in str(raised.value)
    assert not multiprocessing.active_children()


def test_results_of_wrong_shapes_are_refused(tmp_path: Path) -> None:
    for shape, word in (((16,), "must begin"), ((48, 16), "must begin"), ((0, 0), "must begin")):
        with pytest.raises(bake.RegionError, match=word):
            bake_tops(tmp_path / str(len(shape)), job=Broken(shape))
    one = (1, -1, 1)
    bake_tops(tmp_path / "right", job=Broken((2, 2, 5)), box=(one, one))
    out = bake.collect(tmp_path / "right").arrays["made"]
    assert np.load(out).shape == (2, 2, 5)


def test_arguments_are_checked(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="bake.Job"):
        bake.run("map", HILLS, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(fr.InvalidArgumentError, match="give one of them"):
        bake.run(Tops(), HILLS, tmp_path, box=((0, 0, 0), (1, 0, 0)), height=(0, 1))
    with pytest.raises(fr.InvalidArgumentError, match="nan.*finite"):
        bake.run(Tops(float("nan")), HILLS, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the sun is 0.5; it must be an integer"):
        bake.MapTiles(sun=(1, 0.5, 0))  # type: ignore[arg-type]
    with pytest.raises(fr.InvalidArgumentError, match="2 components"):
        bake.MapTiles(sun=(1, 1))  # type: ignore[arg-type]
    with pytest.raises(fr.InvalidArgumentError, match="x -3 to 3 and z -4 to 2"):
        bake.run(Tops(), HILLS, tmp_path, box=((100, 0, 0), (101, 0, 0)))
    with pytest.raises(fr.InvalidArgumentError, match="0 <= I < N"):
        bake.Share(2, 2)
    with pytest.raises(fr.OutOfRangeError, match="processes"):
        bake.Processes(0)
    with pytest.raises(fr.InvalidArgumentError, match="positive"):
        bake.MapTiles(sun=(1, 0, 0))
    with pytest.raises(fr.OutOfRangeError, match="radius"):
        bake.ChunkSight(radius=-1)
    with pytest.raises(fr.OutOfRangeError, match="radius is 20"):
        bake.ChunkSight(radius=20)
    with pytest.raises(fr.InvalidArgumentError, match="the colour is '61605'"):
        palette(fr.World().block_types, [("default:stone", "61605")])
    one = np.zeros((1, 1), np.int64)
    for y in (-32768, 32768):
        with pytest.raises(fr.OutOfRangeError, match="y of a block is"):
            bake.Surface(one, one, one == 0, one, one + y, one).heights()


def test_tasks_can_be_sent_to_other_processes() -> None:
    for job in (*JOBS, Tops()):
        assert pickle.loads(pickle.dumps(job)) == job
        assert type(job).of_parameters(job.parameters()) == job


def test_shares_come_from_the_environment() -> None:
    slurm = {"SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "7", "SLURM_ARRAY_TASK_STEP": "2"}
    task = {**slurm, "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_COUNT": "4"}
    rank = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "3"}
    assert bake.share_of({}) == (bake.Share(0, 1), "")
    assert bake.share_of(task) == (bake.Share(2, 4), "SLURM_ARRAY_TASK_ID")
    assert bake.share_of(rank) == (bake.Share(1, 3), "OMPI_COMM_WORLD_RANK")
    assert bake.share_of({"PMI_RANK": "0", "PMI_SIZE": "2"})[0] == bake.Share(0, 2)
    assert bake.share_of({**task, **rank})[0] == bake.Share(7, 12)
    whole = bake.regions(((0, 0, 0), (9, 0, 0)), 1)
    shares = [region for i in range(4) for region in bake.Share(i, 4).of(whole)]
    assert sorted(shares) == whole
    with pytest.raises(fr.InvalidArgumentError, match="evenly"):
        bake.share_of({**task, "SLURM_ARRAY_TASK_COUNT": "2"})
    with pytest.raises(fr.InvalidArgumentError, match="OMPI_COMM_WORLD_SIZE is 'x'"):
        bake.share_of({**rank, "OMPI_COMM_WORLD_SIZE": "x"})
