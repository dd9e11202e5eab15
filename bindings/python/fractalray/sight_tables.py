# SPDX-License-Identifier: Apache-2.0
"""Who sees whom: sight of many boxes by many viewers. docs/queries/visible-boxes.md."""

from __future__ import annotations

from ctypes import byref
from typing import Any, NamedTuple

import numpy as np

from ._abi import (
    FR_UNDECIDED_HIDDEN,
    FR_UNDECIDED_REPORT,
    FR_UNDECIDED_VISIBLE,
    FrSightTableOptions,
    FrSightTableStats,
)
from ._arguments import Array, Levels, instance, integer, integers, level_mask
from ._calls import Owned, call_with_callbacks, create, sized
from ._library import lib
from .enums import Sight
from .errors import InvalidArgumentError
from .handle import WorldHandle
from .line import vectors
from .sight import SightInput, SightOptions


class TableAnswers(NamedTuple):
    """How the pairs of a call were answered; the sum of all but the first is `pairs`."""

    pairs: int  #: not skipped
    unchanged: int  #: nothing had changed
    by_ray: int  #: visible, by the line to the same point of the box
    by_proof: int  #: hidden, by the same occluders
    searched: int  #: as by `visible`


class SightHistory(Owned):
    """The answers of the last `visible_boxes` that was given it, each with a proof.

    The next call tries the proofs on the world, eyes and boxes as they are then, and searches where
    they fail: the answers are those of a call without a history. Keep viewers and boxes in one order
    from call to call; another order costs time alone. Takes some 100 bytes a pair.
    """

    def __init__(self) -> None:
        super().__init__(create(lib.frCreateSightHistory), lib.frDestroySightHistory)
        #: How the last call answered.
        self.last = TableAnswers(0, 0, 0, 0, 0)


_IF_UNDECIDED = {
    Sight.UNDECIDED: FR_UNDECIDED_REPORT,
    Sight.VISIBLE: FR_UNDECIDED_VISIBLE,
    Sight.HIDDEN: FR_UNDECIDED_HIDDEN,
}


def _eye_counts(counts: Any, eyes: int) -> Array | None:
    """Returns how many of the eyes each viewer has; None for one each."""
    if counts is None:
        return None
    made = np.ascontiguousarray(integers(counts, "eye_counts", np.uint32))
    total = int(made.sum(dtype=np.uint64))
    if made.ndim != 1 or total != eyes:
        raise InvalidArgumentError(f"eye_counts: they add up to {total}; there are {eyes} eyes")
    return made


class TableSight(WorldHandle):
    """Sight of many boxes by many viewers: a method that worlds and snapshots both have."""

    def visible_boxes(
        self,
        eyes: Any,
        lows: Any,
        highs: Any,
        levels: Levels = None,
        options: SightOptions | None = None,
        *,
        eye_counts: Any = None,
        max_distance: int | None = None,
        left_out: Any = None,
        if_undecided: Sight = Sight.UNDECIDED,
        history: SightHistory | None = None,
        units: bool = False,
    ) -> Array:
        """Finds out who sees whom, on the threads of the world: docs/queries/visible-boxes.md.

        eyes: an array (n, 3). lows, highs: the corners of the boxes, arrays (m, 3).
        eye_counts: how many of the eyes, which follow one another, each viewer has; one each
            without it. A viewer sees what one of its eyes sees.
        max_distance: in units, from 1; eyes farther from a box do not count.
        left_out: an array (viewers, m) of bool: pairs that are not asked.
        if_undecided: what pairs beyond options.max_steps are: Sight.HIDDEN, VISIBLE or UNDECIDED.
        history: keeps the answers for the next call; `history.last` then says how this one was
            answered.
        units: the arrays have int64 in units, 65,536 to a finest block.

        Returns an array (viewers, m) of uint8, the number of a Sight for each viewer and box.
        """
        eyes, lows, highs = np.atleast_2d(eyes), np.atleast_2d(lows), np.atleast_2d(highs)
        counts = _eye_counts(eye_counts, len(eyes))
        shape = (len(eyes) if counts is None else len(counts), len(lows))
        points = (
            vectors(eyes, "the eyes", len(eyes), units),
            vectors(lows, "the smaller corners", len(lows), units),
            vectors(highs, "the larger corners", len(lows), units),
        )
        described = [byref(struct) for struct, _ in points]
        each, table = SightInput(options), sized(FrSightTableOptions)
        table.each = each.address
        if if_undecided not in _IF_UNDECIDED:
            raise InvalidArgumentError(
                f"if_undecided is {if_undecided!r}; it must be Sight.HIDDEN, VISIBLE or UNDECIDED"
            )
        table.if_undecided = _IF_UNDECIDED[if_undecided]
        if max_distance is not None:
            table.max_distance = integer(max_distance, "max_distance", 1, 2**63 - 1)
        if left_out is not None:
            left_out = np.ascontiguousarray(left_out, bool)
            if left_out.shape != shape:
                raise InvalidArgumentError(f"left_out: the shape is {left_out.shape}, not {shape}")
            table.left_out = left_out.ctypes.data
        if history is not None:
            table.history = instance(history, SightHistory, "history")._handle
        answers, stats = np.empty(shape, np.uint8), FrSightTableStats()
        viewers = (None if counts is None else counts.ctypes.data, shape[0])
        boxes = (described[1], described[2], shape[1])
        arguments = (self._handle, described[0], *viewers, *boxes, level_mask(levels))
        out = (answers.ctypes.data, byref(stats))
        call_with_callbacks(
            lib.frWorld_VisibleBoxes,
            *arguments,
            byref(table),
            *out,
            owners=self._owners(each.filters),
        )
        if history is not None:
            history.last = TableAnswers(*(getattr(stats, name) for name in TableAnswers._fields))
        return answers
