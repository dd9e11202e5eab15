# SPDX-License-Identifier: Apache-2.0
"""The files of a bake: which are its own, full disks, parameters that are equal to Python alone."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest
from fractalray import bake
from fractalray.bake import files
from test_bake_support import HILLS, Tops

REGIONS = 9  # of the hills, 3 wide


def test_what_killed_writers_leave_is_removed_later(tmp_path: Path) -> None:
    bake.run(bake.MapTiles(reach=1), HILLS, tmp_path)
    left = []
    for name in ("x", "regions/x", "arrays/x", "tiles/map/0/0_0.png", "of a user/x"):
        for age in (0, 7200):
            path = files.temporary(tmp_path / name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"part of a file")
            os.utime(path, (time.time() - age,) * 2)
            if age == 0 or name == "of a user/x":
                left.append(path)
        kept = path.with_name("notes.tmp")
        kept.write_bytes(b"of a user")
        os.utime(kept, (time.time() - 7200,) * 2)
        left.append(kept)
    bake.collect(tmp_path)
    assert sorted(tmp_path.rglob("*" + files.TEMPORARY)) == sorted(left)


def test_writers_of_one_file_have_names_of_their_own(tmp_path: Path) -> None:
    names = {files.temporary(tmp_path / "x.bake") for _ in range(100)}
    assert len(names) == 100 and {path.parent for path in names} == {tmp_path}


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the system cannot take space")
def test_a_full_disk_is_an_error_before_the_arrays_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later, writing to the memory of a file would end the process."""
    bake.run(Tops(), HILLS, tmp_path)
    old = files.temporary(tmp_path / "arrays" / "height.npy")
    old.parent.mkdir()
    old.touch()
    os.utime(old, (time.time() - 7200,) * 2)

    def fail(file: int, begin: int, length: int) -> None:
        assert not old.exists(), "what is left over takes space"
        assert (begin, length) == (0, os.fstat(file).st_size) and length > 7 * 7 * 256 * 2
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", fail)
    with pytest.raises(OSError, match="No space left on device: .*arrays/height.npy"):
        bake.collect(tmp_path)
    assert not list((tmp_path / "arrays").iterdir())


def test_parameters_that_are_equal_to_python_are_others(tmp_path: Path) -> None:
    hashes = set()
    for most in (1, 1.0, True):
        job = Tops(most)  # type: ignore[arg-type]
        bake.run(job, HILLS, tmp_path / "fresh" / str(most), width=3)
        again = bake.run(job, HILLS, tmp_path / "again", width=3)
        assert again.baked == REGIONS
        assert again.replaced == ("parameters" if hashes else "")
        made = [bake.collect(tmp_path / name).hash for name in (f"fresh/{most}", "again")]
        assert made[0] == made[1]
        hashes.update(made)
    assert len(hashes) == 3
