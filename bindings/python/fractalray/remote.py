# SPDX-License-Identifier: Apache-2.0
"""Worlds of another process, which `fractalray serve` has; docs/serve.md."""

from __future__ import annotations

from ctypes import byref, c_size_t
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ._abi import FrConnectOptions, FrEntityTick, FrFedEntity, FrFedMove, FrRemoteInfo
from ._arguments import Array, Levels, integer, integers, number, read_text, text
from ._calls import call, create, sized
from ._library import lib
from .batches import ClosestHits, CompactHits, LineBatches, Occlusions
from .errors import InvalidArgumentError
from .line import Lines
from .options import Options

#: Entities of a feed, and their moves.
FED_ENTITY = np.dtype(FrFedEntity)
FED_MOVE = np.dtype(FrFedMove)

_MOST_SECONDS = 1e6  # of a deadline, 11 days
_TIMEOUT = 60.0  # seconds, by default


class RemoteWorld(LineBatches):
    """A world of a server: the batches of a World, with the same arrays and exceptions.

    Made by `connect`. Belongs to one thread at a time. Filters, rules, budgets and callbacks are an
    InvalidArgumentError, as they cannot be sent. Entities of hits are those of the server's process:
    only `id` names them here.

    Answers have the `version` of the server's world. With `at_least`, the version of an earlier
    answer or of a writer, the answer's version includes that one.

    ResourceExhaustedError if the server is busy (see `retry_after`), and for larger calls than it
    takes; UnavailableError if the connection breaks, where the next call connects again, and if the
    server's store does not answer; AbortedError if the server does not have `at_least` in time;
    FailedPreconditionError if that is a version of another world; DeadlineExceededError if the
    deadline passes before any line is answered.
    """

    _PREFIX = "frRemote"

    def __init__(self, pointer: int) -> None:
        super().__init__(pointer, lib.frDestroyRemote)

    def closest_hits(
        self,
        lines: Lines,
        levels: Levels = None,
        options: Options | None = None,
        *,
        out: Any = None,
        at_least: str | None = None,
    ) -> ClosestHits:
        """Finds the first hit of each line; see World.closest_hits."""
        self._set_at_least(at_least)
        answer = super().closest_hits(lines, levels, options, out=out)
        return replace(answer, version=self.version, tick=self.tick)

    def compact_hits(
        self,
        lines: Lines,
        levels: Levels = None,
        options: Options | None = None,
        *,
        at_least: str | None = None,
    ) -> CompactHits:
        """Finds the first hit of each line, in brief."""
        self._set_at_least(at_least)
        answer = super().compact_hits(lines, levels, options)
        return replace(answer, version=self.version, tick=self.tick)

    def occluded_many(
        self,
        lines: Lines,
        levels: Levels = None,
        options: Options | None = None,
        *,
        blockers: bool = False,
        at_least: str | None = None,
    ) -> Occlusions:
        """Finds out for each line if a solid block is in the way; see World.occluded_many."""
        self._set_at_least(at_least)
        answer = super().occluded_many(lines, levels, options, blockers=blockers)
        return replace(answer, version=self.version, tick=self.tick)

    @property
    def version(self) -> str:
        """The version of the last answer: equal versions mean equal worlds."""
        return read_text(lib.frRemote_GetVersion, self._handle)

    @property
    def tick(self) -> int:
        """The tick that the entities of the last answer are of; 0 if nobody feeds them."""
        return int(self._info().tick)

    def feed_tick(
        self,
        tick: int,
        *,
        added: Any = None,
        moved: Any = None,
        removed: Any = None,
        whole: bool = False,
    ) -> None:
        """Gives the server the entities of a tick: all of it or, after an error, none.

        tick: its number, one more than that of the tick before unless it is whole. The first is whole.
        added: an array with the dtype FED_ENTITY: a sphere's radius is the first of half_extents.
        moved: one with the dtype FED_MOVE. Positions and sizes are in units of 1/65536 block.
        removed: ids, a list, an array (n,), or one id.
        whole: the added ones are all entities, and whatever was there is removed.

        PermissionDeniedError unless the token of the connection may feed; FailedPreconditionError
        for a gap: then, and if an error says so, the next tick is to be whole.
        """
        arrays = (
            _fed(added, FED_ENTITY, "added"),
            _fed(moved, FED_MOVE, "moved"),
            _ids(removed, "removed"),
        )
        struct = sized(FrEntityTick)
        struct.tick = integer(tick, "tick", 0, 2**64 - 1)
        struct.is_whole = 1 if whole else 0
        for name, array in zip(("added", "moved", "removed"), arrays):
            setattr(struct, name, array.ctypes.data if len(array) else None)
            setattr(struct, f"{name}_count", len(array))
        call(lib.frRemote_FeedTick, self._handle, byref(struct))

    @property
    def batch_lines(self) -> int:
        """The most lines of a call."""
        return int(self._info().batch_lines)

    @property
    def block_types(self) -> int:
        """The `block_types.fingerprint()` of the server's table, which numbers of types are of.

        0 if the table may change.
        """
        return int(self._info().block_types)

    def block_type_names(self) -> list[str]:
        """Returns the names of the server's block types, by number.

        FailedPreconditionError if its table may change.
        """
        count = c_size_t()
        call(lib.frRemote_CountBlockTypes, self._handle, byref(count))
        name = lib.frRemote_GetBlockTypeName
        return [read_text(name, self._handle, number) for number in range(count.value)]

    @property
    def retry_after(self) -> float:
        """The seconds after which to call again, if the last call was refused for a time; else 0."""
        return float(self._info().retry_us) / 1e6

    def set_deadline(self, deadline: float | None) -> None:
        """Sets the seconds that each later call may take, or None.

        The leading lines are answered for which there is time: `summary.completed` of them.
        """
        call(lib.frRemote_SetDeadline, self._handle, _microseconds(deadline, "deadline"))

    def _set_at_least(self, version: str | None) -> None:
        given = None if version is None else text(version, "at_least")
        call(lib.frRemote_SetAtLeast, self._handle, given)

    def _info(self) -> FrRemoteInfo:
        info = sized(FrRemoteInfo)
        call(lib.frRemote_GetInfo, self._handle, byref(info))
        return info


def connect(
    address: str,
    *,
    token: str | None = None,
    deadline: float | None = None,
    timeout: float | None = None,
    world: str | None = None,
    block_types: int = 0,
    ca: str | Path | None = None,
    certificate: str | Path | None = None,
    key: str | Path | None = None,
) -> RemoteWorld:
    """Connects to a server: `with fr.connect("unix:/run/fr.sock") as world`.

    address: "unix:PATH" or "tcp:HOST:PORT"; for gRPC, which needs the package grpcio,
        "grpc://HOST:PORT", "grpc+unix:PATH", or "grpcs://HOST:PORT" with TLS.
    token: one that the server accepts.
    deadline: the seconds of each call, as in `set_deadline`.
    timeout: the seconds that connecting, and a call without a deadline, may take; 60 by default.
    world: the name of the world that the server is to have: what is before the last "@" of a version.
    block_types: the fingerprint of the table of block types that it is to have; 0 for any.
    ca: the file of the authorities that the server's certificate is from, in PEM format; those of
        gRPC by default. certificate, key: the files of the client's own, if the server asks for it.

    UnavailableError if there is no server, PermissionDeniedError if it refuses the token,
    FailedPreconditionError if it has another world, table or version of the library.
    """
    from . import grpc_world

    options = sized(FrConnectOptions)
    options.token = None if token is None else text(token, "token")
    options.deadline_us = _microseconds(deadline, "deadline")
    options.timeout_us = _microseconds(timeout, "timeout")
    options.world = None if world is None else text(world, "world")
    options.block_types = integer(block_types, "block_types", 0, 2**64 - 1)
    if grpc_world.is_grpc(address):
        seconds = _TIMEOUT if timeout is None else float(timeout)
        relay = grpc_world.make_relay(address, token, seconds, ca, certificate, key)
        return grpc_world.GrpcWorld(
            relay,
            address,
            deadline,
            lambda own: create(lib.frConnect, text(own, "address"), byref(options)),
        )
    if ca is not None or certificate is not None or key is not None:
        raise InvalidArgumentError(f"{address!r} takes no certificates; they are for grpcs://HOST:PORT")
    return RemoteWorld(create(lib.frConnect, text(address, "address"), byref(options)))


def _fed(array: Any, dtype: np.dtype[Any], name: str) -> Array:
    """Returns an array of a feed as the library reads it."""
    if array is None:
        return np.empty(0, dtype)
    if getattr(array, "dtype", None) != dtype or array.ndim != 1:
        raise InvalidArgumentError(
            f"{name} is {type(array).__name__}; it must be a one-dimensional array with the dtype "
            f"fractalray.{'FED_ENTITY' if dtype == FED_ENTITY else 'FED_MOVE'}"
        )
    return np.ascontiguousarray(array)


def _ids(ids: Any, name: str) -> Array:
    """Returns ids of a feed, of which a number is one, as the library reads them."""
    array = integers([] if ids is None else ids, name, np.uint64)
    if array.ndim > 1:
        raise TypeError(f"{name} has the shape {array.shape}; it must be a list of ids, or one id")
    return np.ascontiguousarray(array)  # (1,) for one id


def _microseconds(seconds: float | None, name: str) -> int:
    """Returns a time as the library takes it: 0 for None."""
    if seconds is None:
        return 0
    value = float(number(seconds, name))
    if not isfinite(value) or not 0 < value <= _MOST_SECONDS:
        raise InvalidArgumentError(
            f"{name} is {seconds!r}; it must be a number of seconds above 0, at most {_MOST_SECONDS:g}"
        )
    return max(1, round(value * 1e6))
