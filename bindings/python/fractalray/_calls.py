# SPDX-License-Identifier: Apache-2.0
"""Calls functions of the library: results become exceptions, and exceptions of callbacks pass."""

from __future__ import annotations

import signal
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import Structure, byref, c_void_p, sizeof
from typing import Any, NoReturn, TypeVar

from ._abi import FR_OK, FR_OUT_OF_RANGE
from ._library import lib
from .errors import FailedPreconditionError, FractalrayError, error_class

OK, OUT_OF_RANGE = FR_OK, FR_OUT_OF_RANGE

AnyStruct = TypeVar("AnyStruct", bound=Structure)
Self = TypeVar("Self", bound="Owned")


def sized(struct: type[AnyStruct]) -> AnyStruct:
    """Returns a struct of zeros with its struct_size."""
    made = struct()
    made.struct_size = sizeof(struct)
    return made


def last_message() -> str:
    """Returns what the call of this thread that has just failed reports, without the function of C,
    whose name callers of the package do not know."""
    message: str = lib.frGetLastError().decode("utf-8", "replace")
    function, separator, text = message.partition(": ")
    return text if separator and function.startswith("fr") else message


def last_error(result: int) -> FractalrayError:
    """Returns the exception for the call of this thread that has just failed."""
    return error_class(result)(last_message())


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function that runs no callbacks. Raises what it refuses."""
    result = function(*arguments)
    if result != OK:
        raise last_error(result)


class _Running:
    """A call that may run callbacks; keeps the first exception of one.

    owners: have the callbacks that it may run on threads of an Executor: `has_context` says if
        a callback is one of theirs.
    is_interruptible: True while Python code of a callback runs on the thread of the call, where an
        interrupt is raised, as everything that is raised there is kept.
    """

    def __init__(self, owners: tuple[Any, ...] = ()) -> None:
        self.error: BaseException | None = None
        self.owners = owners
        self.is_interruptible = False

    def fail(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error


#: The functions of Python that the library may call, by the contexts with which it calls them.
registered: "weakref.WeakValueDictionary[int, Any]" = weakref.WeakValueDictionary()

_of_thread = threading.local()
_running: list[_Running] = []


def running_calls(context: int | None = None) -> list[_Running]:
    """Returns the calls to which the callback with a context belongs, which runs on this thread.

    On a thread of an Executor these are the batches that may run that callback, usually one: which
    of them has started the task is not known. Without a context, returns all that are running.
    """
    own = getattr(_of_thread, "call", None)
    if own is not None:
        return [own]
    calls = list(_running)
    if context is None:
        return calls
    return [call for call in calls if any(each.has_context(context) for each in call.owners)]


def fail_running_calls(error: BaseException, context: int | None = None) -> None:
    """Makes the calls that run a callback raise an exception when they return."""
    for running in running_calls(context):
        running.fail(error)


def has_failed(context: int) -> bool:
    """Returns True if a call that runs the callback with a context has failed, and is to end soon:
    of several such calls on threads of an Executor, if all have."""
    calls = running_calls(context)
    return bool(calls) and all(running.error is not None for running in calls)


@contextmanager
def interruptible() -> Iterator[None]:
    """Makes Ctrl-C raise KeyboardInterrupt in the body: code of a callback on this thread."""
    own = getattr(_of_thread, "call", None)
    if own is None:
        yield
        return
    own.is_interruptible = True
    try:
        yield
    finally:
        own.is_interruptible = False


def _interrupt(number: int, frame: Any) -> None:
    own = getattr(_of_thread, "call", None)
    if own is not None and own.is_interruptible:
        raise KeyboardInterrupt
    fail_running_calls(KeyboardInterrupt())


@contextmanager
def _interrupts_end_calls() -> Iterator[None]:
    """Makes Ctrl-C end the running call and its callback. Python alone would also raise it at the
    entry of a callback, before anything can catch it, and lose it."""
    is_main = threading.current_thread() is threading.main_thread()
    is_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not (is_main and is_default):
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def result_with_callbacks(
    function: Callable[..., int], *arguments: Any, owners: tuple[Any, ...] = ()
) -> int:
    """Calls a function that may run callbacks, and returns its result.

    owners: as in _Running, of a function that runs on the threads of an Executor.

    Raises the first exception of a callback, whatever the result.
    """
    running = _Running(owners)
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


def call_with_callbacks(
    function: Callable[..., int], *arguments: Any, owners: tuple[Any, ...] = ()
) -> None:
    """Calls a function that may run callbacks. Raises what they raise, or what it refuses."""
    result = result_with_callbacks(function, *arguments, owners=owners)
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
    for _ in range(len(_refused)):  # those that are refused again are left for the next time
        try:
            destroy, pointer = _refused.pop(0)
        except IndexError:  # another thread has taken the last ones
            return
        _destroy(destroy, pointer)


class Owned:
    """Owns an object of the library, and destroys it when it is closed or collected.

    A context manager: `with` closes it at the end of the block. Both are edits: no other thread may
    use the object meanwhile.
    """

    def __init__(self, pointer: int, destroy: Callable[..., int]) -> None:
        self._pointer: int | None = pointer
        self._destroy = destroy
        self._finalizer = weakref.finalize(self, _destroy, destroy, pointer)
        # Leaves it at exit: a daemon thread may still use it, and the system frees its memory.
        self._finalizer.atexit = False

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

    def __reduce__(self) -> NoReturn:
        """Refuses copies, which would use the object after it is destroyed."""
        raise TypeError(
            f"a {type(self).__name__} can be neither copied nor pickled; make another one, also in "
            "another process"
        )

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
