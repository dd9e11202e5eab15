# SPDX-License-Identifier: Apache-2.0
"""Worlds of another process by gRPC; docs/serve.md."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ._grpc_relay import _OPTIONS, GrpcRelay, import_grpc
from .batches import Occlusions
from .errors import FractalrayError, InvalidArgumentError, NotFoundError, PermissionDeniedError
from .remote import RemoteWorld

_PLAIN, _SECURE, _UNIX = "grpc://", "grpcs://", "grpc+unix:"


def is_grpc(address: object) -> bool:
    """Returns True for the addresses of gRPC doors."""
    return isinstance(address, str) and address.startswith((_PLAIN, _SECURE, _UNIX))


class GrpcWorld(RemoteWorld):
    """A RemoteWorld that is reached by gRPC. Its errors have the address that the caller knows."""

    def __init__(
        self, relay: GrpcRelay, address: str, deadline: float | None, connect: Callable[[str], int]
    ) -> None:
        self._relay = relay
        self._address = address
        try:
            with self._named():
                super().__init__(connect(relay.address))
        except BaseException:
            relay.close()
            raise
        relay.set_deadline(deadline)  # of calls: to connect has the time-out
        self._end_relay = weakref.finalize(self, relay.close)

    def close(self) -> None:
        super().close()
        self._end_relay()

    def set_deadline(self, deadline: float | None) -> None:
        super().set_deadline(deadline)
        self._relay.set_deadline(deadline)

    def _first_hits(self, *arguments: Any, **keywords: Any) -> Any:
        with self._named():
            return super()._first_hits(*arguments, **keywords)

    def occluded_many(self, *arguments: Any, **keywords: Any) -> Occlusions:
        with self._named():
            return super().occluded_many(*arguments, **keywords)

    def feed_tick(self, *arguments: Any, **keywords: Any) -> None:
        with self._named():
            super().feed_tick(*arguments, **keywords)

    def block_type_names(self) -> list[str]:
        with self._named():
            return super().block_type_names()

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except FractalrayError as error:
            text = str(error).replace(self._relay.address, self._address)
            if text == str(error):
                raise
            raise type(error)(text) from None


def make_relay(
    address: str,
    token: str | None,
    timeout: float,
    ca: str | Path | None,
    certificate: str | Path | None,
    key: str | Path | None,
) -> GrpcRelay:
    """Returns the relay to a door; nothing is connected yet. Errors: `connect`."""
    if token is not None and not (token.isascii() and token.isprintable()):
        raise InvalidArgumentError("a token that is sent by gRPC has printable ASCII characters only")
    if (certificate is None) != (key is None):
        raise InvalidArgumentError("a certificate needs its key; give both certificate and key")
    grpc = import_grpc()
    target = _target(address)
    if not address.startswith(_SECURE):
        if ca is not None or certificate is not None:
            raise InvalidArgumentError(f"{address} is not encrypted; certificates are for {_SECURE}")
        return GrpcRelay(grpc.insecure_channel(target, options=_OPTIONS), timeout)
    credentials = grpc.ssl_channel_credentials(_read(ca), _read(key), _read(certificate))
    return GrpcRelay(grpc.secure_channel(target, credentials, options=_OPTIONS), timeout)


def _target(address: str) -> str:
    """Returns an address as gRPC writes it."""
    if address.startswith(_UNIX):
        target = address.removeprefix("grpc+")
        is_right = len(target) > len("unix:")
    else:
        target = address.partition("://")[2]
        host, _, port = target.rpartition(":")
        is_right = bool(host) and port.isdecimal()
    if is_right:
        return target
    raise InvalidArgumentError(
        f"{address!r} is no address of gRPC; give grpc://HOST:PORT, grpcs://HOST:PORT or grpc+unix:PATH"
    )


def _read(path: str | Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise NotFoundError(f"{path}: {error.strerror}") from None
    except PermissionError as error:
        raise PermissionDeniedError(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise InvalidArgumentError(f"{path}: {error.strerror}") from None
