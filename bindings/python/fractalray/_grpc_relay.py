# SPDX-License-Identifier: Apache-2.0
"""Calls the gRPC door of a server with the frames of the library, which connects to a socket here.

So lines, options and answers are written and read by the library, as for a plain door. Frames are in
frame.h of the C interface, messages in fractalray.proto of the server.
"""

from __future__ import annotations

import importlib
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from struct import Struct
from typing import Any, Union

from . import _abi
from .errors import UnimplementedError

Buffer = Union[bytes, bytearray, memoryview]

_HEAD = Struct("<IiIiQQ")  # magic, version, verb, result, number, bytes of the body
_ERROR = Struct("<QQ")  # microseconds to the next try, bytes of the text
_CALL = Struct("<QQ")  # what a call begins with: lines, deadline in microseconds
_TYPES = slice(16, 24)  # of the answer to a hello: the fingerprint of the block types
_MAGIC = 0x31445246
_HELLO = 1
_BATCHES = (2, 3, 4)  # the verbs whose bodies begin with _CALL
_MOST_TEXT = 4096
_CANCELLED = 1  # of gRPC, which no result is

# The door is to answer before the library gives up.
_SHARE_OF_TIME = 0.95
_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    # A server that has been started again is found soon.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
)


def import_grpc() -> Any:
    """Returns the package grpc, which the rest of fractalray does without."""
    try:
        return importlib.import_module("grpc")
    except ImportError:
        raise UnimplementedError(
            "gRPC needs the Python package grpcio; install it (on Debian python3-grpcio), or connect "
            "to a plain door of the server: unix:PATH or tcp:HOST:PORT"
        ) from None


def _varint(number: int) -> bytes:
    text = bytearray()
    while number > 127:
        text.append(number & 127 | 128)
        number >>= 7
    text.append(number)
    return bytes(text)


def _number_field(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes_field(field: int, value: Buffer) -> bytes:
    return b"".join((_varint(field << 3 | 2), _varint(len(value)), value))


def _fixed64_field(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 1) + value


def _read_varint(message: memoryview, at: int) -> tuple[int, int]:
    """Returns a number and where the next thing begins."""
    number = shift = 0
    while True:
        byte = message[at]
        at += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, at


def _fields(message: bytes) -> Iterator[tuple[int, memoryview]]:
    """Yields the fields of a message of bytes and texts. ValueError or IndexError if it is another one."""
    view, at = memoryview(message), 0
    while at < len(view):
        tag, at = _read_varint(view, at)
        if tag & 7 != 2:
            raise ValueError(f"a field has the wire type {tag & 7}")
        size, at = _read_varint(view, at)
        if size > len(view) - at:
            raise ValueError("a field is longer than the message")
        yield tag >> 3, view[at : at + size]
        at += size


def _receive(connection: socket.socket, size: int) -> bytearray | None:
    """Returns that many bytes, None if the library has closed the connection."""
    data = bytearray(size)
    view, done = memoryview(data), 0
    while done < size:
        received = connection.recv_into(view[done:])
        if received == 0:
            return None
        done += received
    return data


def _padded(text: bytes) -> bytes:
    return text + bytes(-len(text) % 8)


def _error_body(text: str, retry_us: int) -> bytes:
    encoded = text.encode("utf-8", "replace")[:_MOST_TEXT]
    return _ERROR.pack(retry_us, len(encoded)) + _padded(encoded)


class GrpcRelay:
    """Takes the frames of one connection of the library at `address`, on a thread of its own.

    channel: of the package grpc; closed with this.
    timeout: the seconds of connecting, and of a call without a deadline.
    """

    def __init__(self, channel: Any, timeout: float) -> None:
        self._grpc = import_grpc()
        self._channel = channel
        self._timeout = timeout
        self._deadline: float | None = None
        self._describe = self._method("Describe")
        self._ask = self._method("Ask")
        self._token = b""
        self._world = b""
        self._types = bytes(8)
        self._connection: socket.socket | None = None
        self._is_closed = False
        # A folder that no other user may enter.
        self._folder = tempfile.TemporaryDirectory(prefix="fractalray")
        path = f"{self._folder.name}/s"
        self.address = f"unix:{path}"
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path)
        self._listener.listen(1)
        self._thread = threading.Thread(target=self._run, name="fractalray-grpc", daemon=True)
        self._thread.start()

    def set_deadline(self, deadline: float | None) -> None:
        """Sets the seconds after which the library gives up a call and connects again; None for `timeout`.

        The thread, which answers one call at a time, is free for the next one by then.
        """
        self._deadline = None if deadline is None else float(deadline)

    def close(self) -> None:
        """Ends the thread, with the call that runs. Closing twice does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        for each in (self._listener, self._connection):
            if each is not None:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
        self._channel.close()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._listener.close()
        self._folder.cleanup()

    def _seconds(self) -> float:
        """Returns the time of a call that does not say it."""
        return (self._timeout if self._deadline is None else self._deadline) * _SHARE_OF_TIME

    def _method(self, name: str) -> Any:
        return self._channel.unary_unary(
            f"/fractalray.v1.Queries/{name}",
            request_serializer=bytes,
            response_deserializer=bytes,
        )

    def _run(self) -> None:
        while not self._is_closed:
            try:
                self._connection, _ = self._listener.accept()
            except OSError:  # closed
                return
            with self._connection, suppress(OSError):
                self._serve(self._connection)

    def _serve(self, connection: socket.socket) -> None:
        while True:
            head = _receive(connection, _HEAD.size)
            if head is None:
                return
            _, version, verb, _, number, size = _HEAD.unpack(head)
            body = _receive(connection, size)
            if body is None:
                return
            result, answer = self._answer(version, verb, body)
            connection.sendall(_HEAD.pack(_MAGIC, version, verb, result, number, len(answer)))
            connection.sendall(answer)
            if result == _abi.FR_UNAVAILABLE:
                # The library connects again, and finds out if the server has another world then.
                return

    def _answer(self, version: int, verb: int, body: bytearray) -> tuple[int, Buffer]:
        """Returns the result and the body of an answer."""
        try:
            if verb == _HELLO:
                return _abi.FR_OK, self._hello(version, body)
            return _abi.FR_OK, self._call(version, verb, body)
        except self._grpc.RpcError as error:
            return self._error(error)
        except (ValueError, IndexError) as error:
            if self._is_closed:  # ValueError is that of a closed channel
                return _abi.FR_UNAVAILABLE, _error_body("the world is closed", 0)
            text = f"the server's answer is none of fractalray.proto: {error}"
            return _abi.FR_DATA_LOSS, _error_body(text, 0)

    def _hello(self, version: int, body: bytearray) -> Buffer:
        self._token = bytes(body).rstrip(b"\0")
        answer, self._world, self._types = b"", b"", bytes(8)
        message = self._describe(
            _number_field(1, version), timeout=self._seconds(), metadata=self._metadata()
        )
        for field, value in _fields(message):
            if field == 1:
                answer = bytes(value)
                self._types = answer[_TYPES].ljust(8, b"\0")
            elif field == 2:
                self._world = bytes(value)
        return answer

    def _call(self, version: int, verb: int, body: bytearray) -> Buffer:
        is_batch = verb in _BATCHES and len(body) >= _CALL.size
        deadline_us = _CALL.unpack_from(body)[1] if is_batch else 0
        timeout = deadline_us * _SHARE_OF_TIME / 1e6 if deadline_us else self._seconds()
        request = b"".join(
            (
                _number_field(1, version),
                _number_field(2, verb),
                _bytes_field(4, self._world),
                _fixed64_field(5, self._types),
                _bytes_field(3, body),
            )
        )
        message = self._ask(request, timeout=timeout, metadata=self._metadata())
        answer: Buffer = b""
        for field, value in _fields(message):
            if field == 1:
                answer = value
        return answer

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        if not self._token:
            return ()
        return (("authorization", f"Bearer {self._token.decode('ascii')}"),)

    def _error(self, error: Any) -> tuple[int, Buffer]:
        """Returns the frame of an error of gRPC, whose codes are the results of the library."""
        code = int(error.code().value[0])
        retry_us = 0
        for key, value in error.trailing_metadata() or ():
            if key == "fractalray-retry-us" and str(value).isdecimal():
                retry_us = min(int(value), 10**12)
        result = _abi.FR_UNAVAILABLE if code == _CANCELLED else code
        return result, _error_body(str(error.details() or error.code().name), retry_us)
