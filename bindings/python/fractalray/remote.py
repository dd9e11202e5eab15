# SPDX-License-Identifier: Apache-2.0
"""Worlds of another process, which `fractalray serve` has; docs/serve.md."""

from __future__ import annotations

from ctypes import byref
from math import isfinite

from ._abi import FrConnectOptions, FrRemoteInfo
from ._arguments import number, read_text, text
from ._calls import call, create, sized
from ._library import lib
from .batches import LineBatches
from .errors import InvalidArgumentError

_MOST_SECONDS = 1e6  # of a deadline, 11 days


class RemoteWorld(LineBatches):
    """A world of a server: the batches of a World, with the same arrays and exceptions.

    Made by `connect`. Belongs to one thread at a time. Filters, rules, budgets and callbacks are an
    InvalidArgumentError, as they cannot be sent. Entities of hits are those of the server's process:
    only `id` names them here.

    ResourceExhaustedError if the server is busy (see `retry_after`), and for larger calls than it
    takes; UnavailableError if the connection breaks, where the next call connects again;
    DeadlineExceededError if the deadline passes before any line is answered.
    """

    _PREFIX = "frRemote"

    def __init__(self, pointer: int) -> None:
        super().__init__(pointer, lib.frDestroyRemote)

    @property
    def version(self) -> str:
        """The version of the last answer: equal versions mean equal worlds."""
        return read_text(lib.frRemote_GetVersion, self._handle)

    @property
    def batch_lines(self) -> int:
        """The most lines of a call."""
        return int(self._info().batch_lines)

    @property
    def retry_after(self) -> float:
        """The seconds after which to call again if the server was busy in the last call; else 0."""
        return float(self._info().retry_us) / 1e6

    def set_deadline(self, deadline: float | None) -> None:
        """Sets the seconds that each later call may take, or None.

        The leading lines are answered for which there is time: `summary.completed` of them.
        """
        call(lib.frRemote_SetDeadline, self._handle, _microseconds(deadline, "deadline"))

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
) -> RemoteWorld:
    """Connects to a server: `with fr.connect("unix:/run/fr.sock") as world`.

    address: "unix:PATH" or "tcp:HOST:PORT".
    token: one that the server accepts.
    deadline: the seconds of each call, as in `set_deadline`.
    timeout: the seconds that connecting, and a call without a deadline, may take; 60 by default.

    UnavailableError if there is no server, PermissionDeniedError if it refuses the token.
    """
    options = sized(FrConnectOptions)
    options.token = None if token is None else text(token, "token")
    options.deadline_us = _microseconds(deadline, "deadline")
    options.timeout_us = _microseconds(timeout, "timeout")
    return RemoteWorld(create(lib.frConnect, text(address, "address"), byref(options)))


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
