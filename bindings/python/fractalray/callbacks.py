# SPDX-License-Identifier: Apache-2.0
"""Python functions as callbacks of the library.

The library gets the same few C functions for all Python functions, and a number as their context.
So no C function is ever freed while it runs, however callbacks are replaced.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_int32, c_void_p, cast
from dataclasses import dataclass
from typing import Any, Optional

from ._abi import FrHit
from ._calls import fail_running_calls, has_failed, interruptible, registered
from .enums import Response
from .hit import Hit

#: Decides about a hit. Pure: may be called early, more than once and, in batches, on several
#: threads; must not change a world.
Predicate = Callable[[Hit], bool]
#: Responds to a hit, once and in order; may change the world, and shoot.
Effect = Callable[[Hit], Optional[Response]]

# No response: the library ends the query.
_FAILED = -1

_numbers = itertools.count(1)


@dataclass(eq=False)
class Functions:
    """The functions that share a context. The library may call them while this object lives."""

    is_terminal: Predicate | None = None
    effect: Effect | None = None
    block_filter: Predicate | None = None
    entity_filter: Predicate | None = None

    def __post_init__(self) -> None:
        self.context = next(_numbers)
        registered[self.context] = self

    def has_context(self, context: int) -> bool:
        """Returns True if these are the functions with that context."""
        return context == self.context


def _copied(hit: Any) -> Hit:
    return Hit(FrHit.from_buffer_copy(hit.contents))


def _decide(context: int, member: str, hit: Any) -> int:
    # After a failure everything is terminal and nothing is filtered, so that the query ends soon.
    try:
        with interruptible():
            if has_failed(context):
                return 1
            return 1 if getattr(registered[context], member)(_copied(hit)) else 0
    except BaseException as error:  # also KeyboardInterrupt: it is raised again after the query
        fail_running_calls(error, context)
        return 1


def _respond(context: int, hit: Any) -> int:
    try:
        with interruptible():
            if has_failed(context):
                return _FAILED
            effect = registered[context].effect
            assert effect is not None
            response = effect(_copied(hit))
        if response is None:
            return Response.CONTINUE
        if not isinstance(response, Response):
            raise TypeError(f"an effect returned {response!r}; it must be a Response, or None")
        return response
    except BaseException as error:
        fail_running_calls(error, context)
        return _FAILED


_HitFunction = CFUNCTYPE(c_int32, c_void_p, POINTER(FrHit))

_THUNKS = {
    "is_terminal": _HitFunction(lambda context, hit: _decide(context, "is_terminal", hit)),
    "block_filter": _HitFunction(lambda context, hit: _decide(context, "block_filter", hit)),
    "entity_filter": _HitFunction(lambda context, hit: _decide(context, "entity_filter", hit)),
    "effect": _HitFunction(_respond),
}
_ADDRESSES = {name: cast(thunk, c_void_p).value for name, thunk in _THUNKS.items()}


def address(functions: Functions | None, member: str) -> int | None:
    """Returns the C function for one of the functions, None if it is not there."""
    if functions is None or getattr(functions, member) is None:
        return None
    return _ADDRESSES[member]


def checked(function: Any, name: str) -> Any:
    """Returns a function, or None. TypeError for anything else."""
    if function is not None and not callable(function):
        raise TypeError(f"{name} is {function!r}; it must be a function, or None")
    return function
