# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the package. All derive from FractalrayError."""

from __future__ import annotations

from typing import Any

from . import _abi


class FractalrayError(Exception):
    """Anything that the library refuses. Its text names the wrong value, and what to do.

    Attributes:
        code: the name of the result in the C interface, such as "OUT_OF_RANGE".
        shot: after a shot that has begun, such as one that ran out of steps, the Shot with the
            hits so far; else None.
    """

    code = "UNKNOWN"
    shot: Any = None


class InvalidArgumentError(FractalrayError, ValueError):
    """An argument that no world could take."""

    code = "INVALID_ARGUMENT"


class DeadlineExceededError(FractalrayError, TimeoutError):
    """A server has not answered in time."""

    code = "DEADLINE_EXCEEDED"


class NotFoundError(FractalrayError, LookupError):
    """A name, a chunk or an entity that is not there; an entity that is no longer alive."""

    code = "NOT_FOUND"


class AlreadyExistsError(FractalrayError, ValueError):
    """A name or an id that is in use."""

    code = "ALREADY_EXISTS"


class PermissionDeniedError(FractalrayError, PermissionError):
    """A file that the system does not let this process read; a token that a server refuses."""

    code = "PERMISSION_DENIED"


class ResourceExhaustedError(FractalrayError, RuntimeError):
    """A limit that was set has been reached, or memory has run out."""

    code = "RESOURCE_EXHAUSTED"


class FailedPreconditionError(FractalrayError, RuntimeError):
    """A call that the object does not allow in its state, such as an edit of a snapshot."""

    code = "FAILED_PRECONDITION"


class AbortedError(FractalrayError, RuntimeError):
    """A server that does not have a version in time; try again."""

    code = "ABORTED"


class OutOfRangeError(FractalrayError, ValueError):
    """A position beyond the frame of the world."""

    code = "OUT_OF_RANGE"


class UnimplementedError(FractalrayError, NotImplementedError):
    """A part that the library was built without, such as the readers of saved worlds."""

    code = "UNIMPLEMENTED"


class InternalError(FractalrayError, RuntimeError):
    """An unexpected C++ exception in the library."""

    code = "INTERNAL"


class UnavailableError(FractalrayError, RuntimeError):
    """A file that stays locked, or a server that is gone; try again."""

    code = "UNAVAILABLE"


class DataLossError(FractalrayError, RuntimeError):
    """A damaged or truncated file."""

    code = "DATA_LOSS"


class LibraryNotFoundError(FractalrayError, ImportError):
    """The shared library of the C interface is missing, or has another version than the package."""

    code = "LIBRARY_NOT_FOUND"


_CLASSES: dict[int, type[FractalrayError]] = {
    _abi.FR_INVALID_ARGUMENT: InvalidArgumentError,
    _abi.FR_DEADLINE_EXCEEDED: DeadlineExceededError,
    _abi.FR_NOT_FOUND: NotFoundError,
    _abi.FR_ALREADY_EXISTS: AlreadyExistsError,
    _abi.FR_PERMISSION_DENIED: PermissionDeniedError,
    _abi.FR_RESOURCE_EXHAUSTED: ResourceExhaustedError,
    _abi.FR_FAILED_PRECONDITION: FailedPreconditionError,
    _abi.FR_ABORTED: AbortedError,
    _abi.FR_OUT_OF_RANGE: OutOfRangeError,
    _abi.FR_UNIMPLEMENTED: UnimplementedError,
    _abi.FR_INTERNAL: InternalError,
    _abi.FR_UNAVAILABLE: UnavailableError,
    _abi.FR_DATA_LOSS: DataLossError,
}


def error_class(result: int) -> type[FractalrayError]:
    """Returns the exception class of an frResult that is not FR_OK."""
    return _CLASSES.get(result, FractalrayError)
