# SPDX-License-Identifier: Apache-2.0
"""Arrays of all that a cursor of the library returns."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_size_t
from typing import Any

import numpy as np

from ._arguments import Array
from ._calls import call

_PIECE = 1024


def next_piece(function: Callable[..., int], cursor: int, dtype: Any, most: int) -> Array:
    """Returns the next elements of a cursor, at most that many; fewer only at the end."""
    piece, count = np.empty(most, dtype), c_size_t()
    call(function, cursor, piece.ctypes.data, most, byref(count))
    return piece[: count.value]


def all_pieces(function: Callable[..., int], cursor: int, dtype: Any) -> Array:
    """Returns all that is left of a cursor."""
    pieces = [next_piece(function, cursor, dtype, _PIECE)]
    while len(pieces[-1]) == _PIECE:
        pieces.append(next_piece(function, cursor, dtype, _PIECE))
    return np.concatenate(pieces)
