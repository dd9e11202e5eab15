# SPDX-License-Identifier: Apache-2.0
"""Worlds of a server, by the program that FRACTALRAY_PROGRAM names."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fractalray as fr
import numpy as np
import pytest
from fractalray._library import lib

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "worlds" / "w1"
PROGRAM = os.environ.get("FRACTALRAY_PROGRAM")


def has_server() -> bool:
    if not PROGRAM or os.environ.get("FRACTALRAY_C_FORMATS") == "OFF":
        return False
    helped = subprocess.run([PROGRAM, "serve", "--help"], capture_output=True, check=False)
    return helped.returncode == 0


needs_server = pytest.mark.skipif(not has_server(), reason="there is no `fractalray serve`")


class Server:
    """`fractalray serve` of the example world."""

    def __init__(self, path: Path, *more: str) -> None:
        assert PROGRAM
        words = [PROGRAM, "serve", "--world", str(EXAMPLE), "--listen", f"unix:{path}", *more]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("listening at"):
                return
        raise AssertionError("the server has ended")

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        self.process.communicate(timeout=60)
        return self.process.returncode


@pytest.fixture
def path() -> Iterator[Path]:
    # Short, as the paths of sockets are.
    with tempfile.TemporaryDirectory(prefix="fr") as folder:
        yield Path(folder) / "s"


@pytest.fixture
def server(path: Path) -> Iterator[Server]:
    server = Server(path)
    yield server
    if server.process.returncode is None:
        assert server.end() == 0


def some_lines(count: int = 3000) -> fr.Lines:
    random = np.random.default_rng(7)
    low, high = (-272, -32, -112), (-112, 128, 48)
    return fr.Lines.segments(random.uniform(low, high, (count, 3)), random.uniform(low, high, (count, 3)))


@needs_server
def test_answers_are_those_of_this_process(server: Server, path: Path) -> None:
    lines, options = some_lines(), fr.Options(report_unknown=True, corner=fr.Corner.STAIRCASE)
    with fr.World.open(EXAMPLE) as here, fr.connect(f"unix:{path}") as there:
        for levels in (None, [3]):
            for verb in ("closest_hits", "compact_hits"):
                mine = getattr(here, verb)(lines, levels, options)
                theirs = getattr(there, verb)(lines, levels, options)
                assert theirs.hits.tobytes() == mine.hits.tobytes()
                assert theirs.unknown_from.tobytes() == mine.unknown_from.tobytes()
                assert (theirs.results == mine.results).all()
                assert theirs.summary.hits == mine.summary.hits > 0
            blocked = here.occluded_many(lines, levels, blockers=True)
            remote = there.occluded_many(lines, levels, blockers=True)
            assert (remote.answers == blocked.answers).all()
            assert remote.blockers.tobytes() == blocked.blockers.tobytes()
        assert "@" in there.version
        assert there.batch_lines == 65536
        assert there.retry_after == 0


@needs_server
def test_versions(server: Server, path: Path) -> None:
    lines, address = some_lines(10), f"unix:{path}"
    with fr.connect(address) as world:
        answer = world.closest_hits(lines)
        assert answer.version == world.version
        for verb in (world.closest_hits, world.compact_hits, world.occluded_many):
            assert verb(lines, at_least=answer.version).version == answer.version
            with pytest.raises(fr.FailedPreconditionError, match="elsewhere@1:1:"):
                verb(lines, at_least="elsewhere@1:1:")
        assert world.closest_hits(lines).version == answer.version
        name, types = answer.version.rpartition("@")[0], world.block_types
        assert types != 0
    with fr.World.open(EXAMPLE) as here:
        assert here.closest_hits(lines).version == ""
        assert here.block_types.fingerprint() == types
        names = list(here.block_types)
    with fr.connect(address, world=name, block_types=types) as world:
        assert world.block_type_names() == names
        assert world.closest_hits(lines).summary.completed == 10
    with pytest.raises(fr.FailedPreconditionError, match="elsewhere"):
        fr.connect(address, world="elsewhere")
    with pytest.raises(fr.FailedPreconditionError, match=f"{types:016x}"):
        fr.connect(address, block_types=types ^ 1)


@needs_server
def test_entities_are_fed(path: Path, tmp_path: Path) -> None:
    tokens = tmp_path / "feeders"
    tokens.write_text("the game\n")
    server = Server(path, "--feed-tokens", str(tokens))
    added = np.zeros(2, fr.FED_ENTITY)
    added["id"], added["level"] = [7, 8], 3
    added["position"] = np.array([[5000, 5000, 5000], [5010, 5000, 5000]]) * 65536 + 1
    added["half_extents"] = 65536
    line = fr.Lines.segments([[4990, 5000, 5000]], [[5020, 5000, 5000]])
    with fr.connect(f"unix:{path}", token="the game") as game, fr.connect(f"unix:{path}") as reader:
        game.feed_tick(1, added=added, whole=True)
        answer = reader.closest_hits(line)
        assert (answer.tick, answer.hits["id"][0]) == (1, 7)
        assert (answer.hits["cell"][0] == added["position"][0]).all()
        game.feed_tick(2, removed=[7])
        moved = np.zeros(1, fr.FED_MOVE)
        moved["id"], moved["position"] = 8, np.array([5015, 5000, 5000]) * 65536
        with pytest.raises(fr.FailedPreconditionError, match="tick is 2, and tick 4"):
            game.feed_tick(4, moved=moved)
        game.feed_tick(3, moved=moved)
        answer = reader.compact_hits(line)
        assert (answer.tick, answer.hits["id"][0]) == (3, 8)
        with pytest.raises(fr.PermissionDeniedError, match="feed"):
            reader.feed_tick(4)
        with pytest.raises(fr.InvalidArgumentError, match="FED_MOVE"):
            game.feed_tick(4, moved=[8])
    assert server.end() == 0


@needs_server
def test_a_killed_server_is_unavailable_until_it_is_back(server: Server, path: Path) -> None:
    lines = some_lines(10)
    with fr.connect(f"unix:{path}") as world:
        world.closest_hits(lines)
        server.end(signal.SIGKILL)
        with pytest.raises(fr.UnavailableError, match="unix:"):
            world.closest_hits(lines)
        again = Server(path)
        assert len(world.closest_hits(lines).hits) == 10
        assert again.end() == 0


@needs_server
def test_tokens(path: Path, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("open sesame\n")
    server = Server(path, "--tokens", str(tokens))
    with pytest.raises(fr.PermissionDeniedError, match="token"):
        fr.connect(f"unix:{path}", token="open")
    with fr.connect(f"unix:{path}", token="open sesame") as world:
        assert world.closest_hits(some_lines(1)).summary.completed == 1
    assert server.end() == 0


@needs_server
def test_functions_and_large_calls_are_refused(server: Server, path: Path) -> None:
    with fr.connect(f"unix:{path}", deadline=30) as world:
        with pytest.raises(fr.InvalidArgumentError, match="block_filter"):
            world.closest_hits(some_lines(1), None, fr.Options(block_filter=lambda hit: True))
        with pytest.raises(fr.InvalidArgumentError, match="rules"):
            world.closest_hits(some_lines(1), None, fr.Options(rules=fr.Rules()))
        with pytest.raises(fr.ResourceExhaustedError, match="65536"):
            world.closest_hits(some_lines(65537))
        world.set_deadline(None)
        assert world.compact_hits(some_lines(2)).summary.completed == 2


def test_ids_to_remove_are_sent_as_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []

    def feed(remote: object, given: Any) -> int:
        tick = given._obj
        ids = ctypes.cast(tick.removed, ctypes.POINTER(ctypes.c_uint64))
        sent.append(ids[: tick.removed_count])
        return 0

    monkeypatch.setattr(lib, "frRemote_FeedTick", feed)
    world = fr.RemoteWorld.__new__(fr.RemoteWorld)
    world._pointer = 1  # of no server
    ids = np.array([[7, 99, 8, 98]], np.uint64)
    some = ids[0, ::2]
    for removed in (some, some[::-1], some.astype(">u8"), [7, 8], 7, ids[0, 2], []):
        world.feed_tick(1, removed=removed)
    assert sent == [[7, 8], [8, 7], [7, 8], [7, 8], [7], [8], []]
    with pytest.raises(TypeError, match=r"removed has the shape \(1, 4\); .*a list of ids"):
        world.feed_tick(1, removed=ids)


def test_wrong_arguments() -> None:
    for address in ("udp:1", "unix:", "tcp:localhost"):
        with pytest.raises(fr.InvalidArgumentError):
            fr.connect(address)
    with pytest.raises(fr.UnavailableError):
        fr.connect("unix:/no such folder/fr.sock")
    for seconds in (0, -1, float("nan"), float("inf"), 1e9):
        with pytest.raises(fr.InvalidArgumentError, match="deadline"):
            fr.connect("unix:/x", deadline=seconds)
    with pytest.raises(TypeError):
        fr.connect(7)  # type: ignore[arg-type]


def test_certificates_are_for_grpc() -> None:
    with pytest.raises(fr.InvalidArgumentError, match="grpcs"):
        fr.connect("unix:/x", ca="ca.pem")


@needs_server
def test_grpc_is_another_program(tmp_path: Path) -> None:
    assert PROGRAM
    alone = shutil.copy(PROGRAM, tmp_path / "fractalray")
    words = [alone, "serve", "--world", str(EXAMPLE), "--grpc", "tcp:127.0.0.1:0"]
    ended = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, "PATH": str(tmp_path)}
    )
    assert ended.returncode == 1
    assert "fractalray-grpc" in ended.stderr
    assert "FRACTALRAY_BUILD_GRPC" in ended.stderr


def test_compact_hits_are_hits_in_brief(world: fr.World) -> None:
    lines = fr.Lines.segments([[0.5, 2.5, 2.5], [0.5, 2.5, 2.5]], [[15.5, 2.5, 2.5], [1, 2.5, 2.5]])
    full, brief = world.closest_hits(lines).hits, world.compact_hits(lines).hits
    assert brief.dtype == fr.COMPACT_HIT
    assert brief.dtype.itemsize == 64
    for name in ("t", "t_exit", "kind", "type", "level", "face_axis", "face_sign", "step"):
        assert (brief[name] == full[name]).all(), name
    assert (brief["block"] == full["cell"]).all()
    assert list(brief["kind"]) == [fr.HitKind.BLOCK, fr.HitKind.NONE]
