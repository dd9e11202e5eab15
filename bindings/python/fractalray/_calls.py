# SPDX-License-Identifier: Apache-2.0
"""Calls functions of the library: results become exceptions, and exceptions of callbacks pass."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from ctypes import byref, c_void_p
from typing import Any, TypeVar

from ._library import lib
from .errors import FailedPreconditionError, FractalrayError, error_class

OK = 0
OUT_OF_RANGE = 11

Self = TypeVar("Self", bound="Owned")


def last_error(result: int) -> FractalrayError:
    """Returns the exception for the call of this thread that has just failed."""
    message = lib.frGetLastError().decode("utf-8", "replace")
    return error_class(result)(message)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function that runs no callbacks. Raises what it refuses."""
    result = function(*arguments)
    if result != OK:
        raise last_error(result)


class _Running:
    """A call that may run callbacks; keeps the first exception of one."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def fail(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error


_of_thread = threading.local()
_running: list[_Running] = []


def running_calls() -> list[_Running]:
    """Returns the calls to which an exception of a callback on this thread belongs.

    On a thread of an Executor these are all that are running: which of them has started the task is
    not known.
    """
    own = getattr(_of_thread, "call", None)
    return _running if own is None else [own]


def fail_running_calls(error: BaseException) -> None:
    """Makes the running calls raise an exception when they return."""
    for running in list(running_calls()):
        running.fail(error)


def has_failed() -> bool:
    """Returns True if a callback of the running call has raised: it is to end soon."""
    return any(running.error is not None for running in running_calls())


def result_with_callbacks(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function that may run callbacks, and returns its result.

    Raises the first exception of a callback, whatever the result.
    """
    running = _Running()
    outer = getattr(_of_thread, "call", None)
    _of_thread.call = running
    _running.append(running)
    try:
        result = function(*arguments)
    finally:
        _running.remove(running)
        _of_thread.call = outer
    if running.error is not None:
        raise running.error
    return result


def call_with_callbacks(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function that may run callbacks. Raises what they raise, or what it refuses."""
    result = result_with_callbacks(function, *arguments)
    if result != OK:
        raise last_error(result)


def create(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function whose last parameter takes a new object. Returns the object's address."""
    pointer = c_void_p()
    call(function, *arguments, byref(pointer))
    assert pointer.value is not None
    return pointer.value


class Owned:
    """Owns an object of the library, and destroys it when it is closed or collected.

    A context manager: `with` closes it at the end of the block.
    """

    def __init__(self, pointer: int, destroy: Callable[..., int]) -> None:
        self._pointer: int | None = pointer
        self._destroy = destroy
        self._finalizer = weakref.finalize(self, destroy, pointer)

    @property
    def _handle(self) -> int:
        if self._pointer is None:
            raise FailedPreconditionError(
                f"this {type(self).__name__} is closed; make another, or close it later"
            )
        return self._pointer

    def close(self) -> None:
        """Destroys the object; every later use of it is a FailedPreconditionError.

        Closing twice does nothing. To close it in a callback of its own is a
        FailedPreconditionError, and leaves it open.
        """
        if self._pointer is None:
            return
        call(self._destroy, self._pointer)
        self._finalizer.detach()
        self._pointer = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
