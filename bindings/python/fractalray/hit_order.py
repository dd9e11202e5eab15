# SPDX-License-Identifier: Apache-2.0
"""The order of the hits of one line, also of hits in several worlds: parts of one."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_int32, c_size_t

import numpy as np

from ._abi import FR_MAX_LEVELS as MAX_LEVELS
from ._arguments import Array, instance, integer
from ._calls import call
from ._library import lib
from .enums import Corner
from .hit import HIT, Hit, Hits, hits_to_array
from .line import Line


def compare_hits(
    line: Line, a: Hit, b: Hit, *, levels: int = 1, corner: Corner = Corner.BOTH
) -> int:
    """Returns -1 if shots along a line report the hit `a` before `b`, 1 if after, exactly.

    0 for the same block, or for entities of one id and level that are hit at one time.

    line, levels, corner: the line, the levels of the world, and the option, of the queries that
        returned the hits; Shot.line is the line. InvalidArgumentError for a hit that such a line
        does not have.
    """
    order = c_int32()
    call(
        lib.frCompareHits,
        byref(instance(line, Line, "the line")._struct),
        integer(levels, "levels", 1, MAX_LEVELS),
        Corner(corner),
        byref(instance(a, Hit, "hit a")._struct),
        byref(instance(b, Hit, "hit b")._struct),
        byref(order),
    )
    return order.value


def merge_hits(
    line: Line, lists: Iterable[Hits], *, levels: int = 1, corner: Corner = Corner.BOTH
) -> Array:
    """Returns the hits of a shot in a whole world, from those of the same shot in its parts.

    They have the dtype HIT: all in order, up to the first terminal hit; what several lists have,
    once, as the first of them has it.

    line, levels, corner: as for compare_hits.
    lists: hits in their order, such as Shot.array, of the whole line: only a terminal hit may have
        ended the query. Block types have the same numbers in all worlds.

    InvalidArgumentError, with the numbers of the list and of the hit in it, for a hit that the line
    does not have, a list out of order, and a block or an entity that two lists have differently.
    docs/queries/shoot.md has what the parts of a world need.
    """
    arrays = [hits_to_array(hits) for hits in lists]
    hits = np.concatenate([np.empty(0, HIT), *arrays])
    ends = np.cumsum([len(array) for array in arrays], dtype=np.uint64)
    merged, count = np.empty(len(hits), HIT), c_size_t()
    call(
        lib.frMergeHits,
        byref(instance(line, Line, "the line")._struct),
        integer(levels, "levels", 1, MAX_LEVELS),
        Corner(corner),
        hits.ctypes.data,
        ends.ctypes.data,
        len(arrays),
        merged.ctypes.data,
        len(merged),
        byref(count),
    )
    return merged[: count.value]
