# SPDX-License-Identifier: Apache-2.0
"""Worlds of a server by gRPC: processes on this machine, by the program that FRACTALRAY_PROGRAM names."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import fractalray as fr
import numpy as np
import pytest
from fractalray._grpc_relay import GrpcRelay
from fractalray.grpc_world import GrpcWorld

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "worlds" / "w1"
PROGRAM = os.environ.get("FRACTALRAY_PROGRAM", "")

grpc = pytest.importorskip("grpc")
if not PROGRAM or not (Path(PROGRAM).parent / "fractalray-grpc").exists():
    pytest.skip("fractalray-grpc is not built", allow_module_level=True)


class Server:
    """`fractalray serve --grpc` of the example world."""

    def __init__(self, *more: str, grpc: str = "tcp:127.0.0.1:0") -> None:
        words = [PROGRAM, "serve", "--world", str(EXAMPLE), "--grpc", grpc, *more]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("listening at grpc"):
                self.address = line.split()[-1]
                return
        raise AssertionError("the server has ended")

    @property
    def place(self) -> str:
        return self.address.partition("://")[2]

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        self.process.communicate(timeout=60)
        return self.process.returncode


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    if server.process.returncode is None:
        assert server.end() == 0


def some_lines(count: int = 3000) -> fr.Lines:
    random = np.random.default_rng(7)
    low, high = (-272, -32, -112), (-112, 128, 48)
    return fr.Lines.segments(random.uniform(low, high, (count, 3)), random.uniform(low, high, (count, 3)))


def check_answers(address: str, **options: object) -> None:
    lines, asked = some_lines(), fr.Options(report_unknown=True, corner=fr.Corner.STAIRCASE)
    with fr.World.open(EXAMPLE) as here, fr.connect(address, **options) as there:  # type: ignore[arg-type]
        assert isinstance(there, fr.RemoteWorld)
        for levels in (None, [3]):
            for verb in ("closest_hits", "compact_hits"):
                mine = getattr(here, verb)(lines, levels, asked)
                theirs = getattr(there, verb)(lines, levels, asked)
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


def test_answers_are_those_of_this_process(server: Server) -> None:
    check_answers(server.address)


def test_a_unix_socket_and_both_doors(tmp_path: Path) -> None:
    plain = f"unix:{tmp_path}/p"
    server = Server("--listen", plain, grpc=f"unix:{tmp_path}/g")
    assert server.address == f"grpc+unix:{tmp_path}/g"
    check_answers(server.address)
    check_answers(plain)
    assert server.end() == 0


def test_a_killed_server_is_unavailable_until_it_is_back(server: Server) -> None:
    lines = some_lines(10)
    with fr.connect(server.address) as world:
        world.closest_hits(lines)
        server.end(signal.SIGKILL)
        with pytest.raises(fr.UnavailableError):
            world.closest_hits(lines)
        with pytest.raises(fr.UnavailableError, match=server.address):
            world.closest_hits(lines)
        again = Server(grpc=f"tcp:{server.place}")
        for _ in range(100):
            try:
                assert len(world.closest_hits(lines).hits) == 10
                break
            except fr.UnavailableError:  # until the channel has tried again
                threading.Event().wait(0.1)
        else:
            raise AssertionError("the server was not found again")
        assert again.end() == 0


def test_another_world_is_refused(server: Server) -> None:
    with fr.connect(server.address) as world:
        world.closest_hits(some_lines(1))
        server.end()
        words = [PROGRAM, "serve", "--scenario", str(ROOT / "tests/scenarios/first-steps.json")]
        other = subprocess.Popen(
            [*words, "--grpc", f"tcp:{server.place}"], stdout=subprocess.PIPE, text=True
        )
        assert other.stdout
        next(line for line in other.stdout if line.startswith("listening at grpc"))
        errors = set()
        for _ in range(100):
            try:
                world.closest_hits(some_lines(1))
            except fr.FractalrayError as error:
                errors.add(error.code)
            if "FAILED_PRECONDITION" in errors:
                break
            threading.Event().wait(0.1)
        assert errors <= {"UNAVAILABLE", "FAILED_PRECONDITION"}
        assert "FAILED_PRECONDITION" in errors
        other.terminate()
        other.communicate(timeout=60)


def test_tokens(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("open sesame\n")
    server = Server("--tokens", str(tokens))
    for token in (None, "open"):
        with pytest.raises(fr.PermissionDeniedError, match="token"):
            fr.connect(server.address, token=token)
    with pytest.raises(fr.InvalidArgumentError, match="ASCII"):
        fr.connect(server.address, token="öpen")
    with fr.connect(server.address, token="open sesame") as world:
        assert world.closest_hits(some_lines(1)).summary.completed == 1
    assert server.end() == 0


def test_deadlines(server: Server) -> None:
    lines = some_lines(60_000)
    with fr.connect(server.address, deadline=1e-6) as world:
        with pytest.raises(fr.DeadlineExceededError):
            world.closest_hits(lines)
        world.set_deadline(60)
        assert world.compact_hits(lines).summary.completed == 60_000


def test_the_relay_gives_up_when_the_library_does(server: Server) -> None:
    with fr.connect(server.address, deadline=30) as world:
        assert isinstance(world, GrpcWorld)
        assert world._relay._seconds() == pytest.approx(0.95 * 30)
        world.set_deadline(None)
        assert world._relay._seconds() == pytest.approx(0.95 * 60)
    times: list[float] = []

    class Channel:
        def unary_unary(self, path: str, **_: object) -> Callable[..., bytes]:
            def ask(message: bytes, *, timeout: float, metadata: object) -> bytes:
                times.append(timeout)
                return b""

            return ask

        def close(self) -> None:
            pass

    relay = GrpcRelay(Channel(), 10)
    feed_tick = 6
    for deadline in (None, 0.05):
        relay.set_deadline(deadline)
        relay._hello(1, bytearray())
        relay._call(1, feed_tick, bytearray(64))
    relay.close()
    assert times == pytest.approx([9.5, 9.5, 0.0475, 0.0475])


def test_overload_is_refused_with_a_delay() -> None:
    server = Server("--queue-calls", "1", "--threads", "1")
    lines = some_lines(20_000)
    with fr.World.open(EXAMPLE) as here:
        expected = here.compact_hits(lines).hits.tobytes()
    outcomes: list[str] = []

    def ask() -> None:
        with fr.connect(server.address) as world:
            for _ in range(10):
                try:
                    hits = world.compact_hits(lines).hits
                    outcomes.append("right" if hits.tobytes() == expected else "wrong")
                except fr.ResourceExhaustedError as error:
                    is_busy = "queue full" in str(error) and world.retry_after > 0
                    outcomes.append("busy" if is_busy else str(error))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(outcomes) == 40
    assert set(outcomes) == {"right", "busy"}
    assert server.end() == 0


def test_functions_and_large_calls_are_refused(server: Server) -> None:
    with fr.connect(server.address, deadline=30) as world:
        with pytest.raises(fr.InvalidArgumentError, match="block_filter"):
            world.closest_hits(some_lines(1), None, fr.Options(block_filter=lambda hit: True))
        with pytest.raises(fr.ResourceExhaustedError, match="65536"):
            world.closest_hits(some_lines(65537))
        assert world.compact_hits(some_lines(2)).summary.completed == 2
    world.close()
    with pytest.raises(fr.FailedPreconditionError, match="closed"):
        world.closest_hits(some_lines(1))


def test_versions_and_types(server: Server) -> None:
    lines = some_lines(10)
    with fr.World.open(EXAMPLE) as here, fr.connect(server.address) as world:
        version = world.closest_hits(lines).version
        for verb in (world.closest_hits, world.compact_hits, world.occluded_many):
            assert verb(lines, at_least=version).version == version
            with pytest.raises(fr.FailedPreconditionError, match="elsewhere@1"):
                verb(lines, at_least="elsewhere@1")
        assert world.block_type_names() == list(here.block_types)
        name, types = version.rpartition("@")[0], world.block_types
    with fr.connect(server.address, world=name, block_types=types) as world:
        assert world.closest_hits(lines).summary.completed == 10
    with pytest.raises(fr.FailedPreconditionError, match="elsewhere"):
        fr.connect(server.address, world="elsewhere")


def test_entities_are_fed(tmp_path: Path) -> None:
    tokens = tmp_path / "feeders"
    tokens.write_text("the game\n")
    server = Server("--feed-tokens", str(tokens))
    added = np.zeros(1, fr.FED_ENTITY)
    added["id"], added["level"], added["half_extents"] = 7, 3, 65536
    added["position"] = np.array([5000, 5000, 5000]) * 65536
    line = fr.Lines.segments([[4990, 5000, 5000]], [[5020, 5000, 5000]])
    with fr.connect(server.address, token="the game") as game, fr.connect(server.address) as reader:
        game.feed_tick(1, added=added, whole=True)
        answer = reader.closest_hits(line)
        assert (answer.tick, answer.hits["id"][0]) == (1, 7)
        with pytest.raises(fr.FailedPreconditionError, match="tick is 1, and tick 3"):
            game.feed_tick(3, removed=[7])
        with pytest.raises(fr.PermissionDeniedError, match="feed"):
            reader.feed_tick(2)
    assert server.end() == 0


def test_health(server: Server) -> None:
    with grpc.insecure_channel(server.place) as channel:
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        assert check(b"", timeout=30) == b"\x08\x01"
        name = b"fractalray.v1.Queries"
        assert check(b"\x0a" + bytes([len(name)]) + name, timeout=30) == b"\x08\x01"


class Certificates:
    """An authority and what it has signed, and another one, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("ca", "other"):
            self._run("req", "-x509", *self._new(name), "-out", self.path(f"{name}.pem"), "-days", "2")

    def sign(self, name: str) -> None:
        """Makes a certificate for this machine."""
        self._run("req", *self._new(name), "-out", self.path("request"))
        (self.folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
        authority = ("-CA", self.path("ca.pem"), "-CAkey", self.path("ca.key"), "-CAcreateserial")
        self._run(
            *("x509", "-req", "-in", self.path("request"), *authority, "-days", "2"),
            *("-extfile", self.path("names"), "-out", self.path(f"{name}.pem")),
        )

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def _new(self, name: str) -> tuple[str, ...]:
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        return (*curve, "-keyout", self.path(f"{name}.key"), "-subj", f"/CN={name}")

    @staticmethod
    def _run(*words: str) -> None:
        subprocess.run(["openssl", *words], check=True, capture_output=True)


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    try:
        made = Certificates(tmp_path)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    made.sign("server")
    made.sign("client")
    return made


def test_tls(certificates: Certificates) -> None:
    path = certificates.path
    tls = ("--tls-certificate", path("server.pem"), "--tls-key", path("server.key"))
    server = Server(*tls)
    assert server.address.startswith("grpcs://127.0.0.1:")
    check_answers(server.address, ca=path("ca.pem"))
    with pytest.raises(fr.UnavailableError):
        fr.connect(server.address, ca=path("other.pem"), timeout=5)
    with pytest.raises(fr.UnavailableError):
        fr.connect(f"grpc://{server.place}", timeout=5)  # not encrypted
    assert server.end() == 0


def test_certificates_of_clients(certificates: Certificates) -> None:
    path = certificates.path
    tls = ("--tls-certificate", path("server.pem"), "--tls-key", path("server.key"))
    server = Server(*tls, "--tls-client-ca", path("ca.pem"))
    with pytest.raises(fr.UnavailableError):
        fr.connect(server.address, ca=path("ca.pem"), timeout=5)
    check_answers(
        server.address,
        ca=path("ca.pem"),
        certificate=path("client.pem"),
        key=path("client.key"),
    )
    assert server.end() == 0


def test_wrong_arguments(tmp_path: Path) -> None:
    for address in ("grpc://", "grpc://localhost", "grpcs://:x", "grpc+unix:"):
        with pytest.raises(fr.InvalidArgumentError, match="address"):
            fr.connect(address)
    with pytest.raises(fr.InvalidArgumentError, match="not encrypted"):
        fr.connect("grpc://localhost:1", ca=tmp_path / "ca.pem")
    with pytest.raises(fr.InvalidArgumentError, match="certificate"):
        fr.connect("grpcs://localhost:1", key=tmp_path / "key.pem")
    with pytest.raises(fr.NotFoundError, match="ca.pem"):
        fr.connect("grpcs://localhost:1", ca=tmp_path / "ca.pem")
    with pytest.raises(fr.UnavailableError, match="grpc://127.0.0.1:1"):
        fr.connect("grpc://127.0.0.1:1", timeout=5)
