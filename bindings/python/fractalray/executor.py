# SPDX-License-Identifier: Apache-2.0
"""Threads for batches."""

from __future__ import annotations

import weakref
from ctypes import byref, c_int32, c_void_p, cast
from typing import Any

from ._arguments import integer
from ._calls import call, create
from ._library import lib


class Executor:
    """Threads on which the batches of any number of worlds run; freed with the last of them."""

    def __init__(self, threads: int = 0) -> None:
        """Starts threads - 1 of them, as the caller works too; 0 for as many as the machine has."""
        number = integer(threads, "threads", 0, 1024)
        self._pointer = create(lib.frCreateExecutor, number)
        finalizer = weakref.finalize(self, lib.frDestroyExecutor, self._pointer)
        finalizer.atexit = False  # as for Owned

    @property
    def threads(self) -> int:
        """The number of threads, the caller's included."""
        threads = c_int32()
        call(lib.frExecutor_GetThreads, self._pointer, byref(threads))
        return threads.value


def parallel_for(executor: Executor | None) -> tuple[Any, Any]:
    """Returns the function that runs tasks, and its context; null for no threads."""
    if executor is None:
        return None, None
    return cast(lib.frExecutor_Run, c_void_p).value, executor._pointer
