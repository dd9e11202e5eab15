# SPDX-License-Identifier: Apache-2.0
"""Calls functions of the library: results become exceptions, and exceptions of callbacks pass."""

from __future__ import annotations

import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


#: The functions of Python that the library may call, by the contexts with which it calls them.
registered: "weakref.WeakValueDictionary[int, Any]" = weakref.WeakValueDictionary()

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


@contextmanager
def _interrupts_end_calls() -> Iterator[None]:
    """Makes Ctrl-C end the running call, where Python would raise it too early and lose it: at the
    entry of a callback, before anything can catch it."""
    is_main = threading.current_thread() is threading.main_thread()
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not (is_main and is_default):
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: fail_running_calls(KeyboardInterrupt()))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def result_with_callbacks(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function that may run callbacks, and returns its result.

    Raises the first exception of a callback, whatever the result.
    """
    running = _Running()
    outer = getattr(_of_thread, "call", None)
    _of_thread.call = running
    _running.append(running)
    try:
        if registered:
            with _interrupts_end_calls():
                result = function(*arguments)
        else:
            result = function(*arguments)
    finally:
        _running.remove(running)
        _of_thread.call = outer
        if outer is None:
            _destroy_refused()
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


# The objects that were collected in a callback in which the library refused to destroy them.
_refused: list[tuple[Callable[..., int], int]] = []


def _destroy(destroy: Callable[..., int], pointer: int) -> None:
    if destroy(pointer) != OK:
        _refused.append((destroy, pointer))


def _destroy_refused() -> None:
    refused = [_refused.pop() for _ in range(len(_refused))]
    for destroy, pointer in refused:
        _destroy(destroy, pointer)


class Owned:
    """Owns an object of the library, and destroys it when it is closed or collected.

    A context manager: `with` closes it at the end of the block.
    """

    def __init__(self, pointer: int, destroy: Callable[..., int]) -> None:
        self._pointer: int | None = pointer
        self._destroy = destroy
        self._finalizer = weakref.finalize(self, _destroy, destroy, pointer)

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
