# SPDX-License-Identifier: Apache-2.0
"""Many queries at once, into arrays."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, sizeof
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._abi import FrBatchResult, FrQueryResult
from ._arguments import Array, Levels, instance, integer, level_mask
from ._calls import OK, Owned, call, call_with_callbacks, create, last_message, sized
from ._library import lib
from .callbacks import Effect, Functions
from .errors import InvalidArgumentError
from .handle import WorldHandle
from .hit import BLOCKER, COMPACT_HIT, HIT, Stats
from .line import Lines
from .options import Options, OptionsStruct
from .shot import Shot

#: The elements of the results of shots.
RESULT = np.dtype(FrQueryResult)

_PART = 4096  # results that are searched at once, for their memory


@dataclass(frozen=True)
class Summary:
    """The totals of a batch.

    completed: leading queries that are done: all, unless max_batch_steps ran out.
    errors: queries with an error; `first_error` describes the first of them, of shots that a
        callback has ended only by its name.
    hits: of all queries.
    """

    completed: int
    errors: int
    hits: int
    stats: Stats
    first_error: str


def _summary(result: FrBatchResult, message: str) -> Summary:
    """Returns totals; the message counts if there are errors."""
    first_error = message if result.errors else ""
    return Summary(result.completed, result.errors, result.hits, Stats(result.stats), first_error)


@dataclass(frozen=True)
class ClosestHits:
    """The first hit of each line.

    hits: an array with the dtype HIT. A line without a hit, or with an error, has the kind
        HitKind.NONE, and 0 as its distance and t.
    unknown_from: the time at which each line first enters unloaded space, NaN for none; an empty
        array if the option report_unknown is not set.
    results: 0 for each query without an error, else its number in the C interface.
    version, tick: those of a server's world and of its entities; "" and 0 for a world of this
        process.
    """

    hits: Array
    unknown_from: Array
    results: Array
    summary: Summary
    version: str = ""
    tick: int = 0


@dataclass(frozen=True)
class CompactHits:
    """The first hit of each line in brief: less than half the memory.

    hits: an array with the dtype COMPACT_HIT. A line without a hit, or with an error, has the kind
        HitKind.NONE. Flags are 1 for a terminal hit, 2 for a start inside.
    unknown_from, results, summary, version, tick: as in ClosestHits.
    """

    hits: Array
    unknown_from: Array
    results: Array
    summary: Summary
    version: str = ""
    tick: int = 0


@dataclass(frozen=True)
class Occlusions:
    """The lines of sight of a batch.

    answers: the number of an Occlusion for each line, an array of uint8.
    blockers: what blocks each line, with the dtype BLOCKER; an empty array unless requested.
    results: 0 for each query without an error, else its number in the C interface.
    version, tick: as in ClosestHits.
    """

    answers: Array
    blockers: Array
    results: Array
    summary: Summary
    version: str = ""
    tick: int = 0


class ShotBatch(Owned):
    """The shots of a batch, and memory that is used again by the next one."""

    def __init__(self) -> None:
        super().__init__(create(lib.frCreateShotBatch), lib.frDestroyShotBatch)
        self._count = 0
        self._first_error = ""  # of a shot, if any has one

    def __len__(self) -> int:
        return self._count

    @property
    def summary(self) -> Summary:
        """All shots together."""
        totals = self._totals()
        if totals.errors and not self._first_error:
            self._first_error = self._find_first_error()
        return _summary(totals, self._first_error)

    def _filled(self, count: int) -> None:
        """Notes what a call has just filled, before another call of this thread fails."""
        self._first_error, self._count = last_message(), count

    def _recount(self, most: int) -> None:
        """Counts the shots again, at most that many, after an error of a call that fills them."""
        self._count = 0
        results, step = sized(FrQueryResult), 1 << most.bit_length()
        while step:
            # To copy none from there on is refused beyond the last.
            first = self._count + step
            if lib.frShotBatch_GetResults(self._handle, first, 0, byref(results)) == OK:
                self._count = first
            step >>= 1
        self._first_error = ""  # lost, as the last message is that of the call

    def _find_first_error(self) -> str:
        """Returns the number of the first shot with an error, and its name in place of a text."""
        for first in range(0, len(self), _PART):
            codes = self.results(first, min(_PART, len(self) - first))["result"]
            for number in np.flatnonzero(codes)[:1]:
                name = lib.frGetResultName(int(codes[number])).decode("ascii")
                return f"line {first + number}: {name}"
        return ""

    def _totals(self) -> FrBatchResult:
        totals = sized(FrBatchResult)
        call(lib.frShotBatch_GetSummary, self._handle, byref(totals))
        return totals

    def results(self, first: int = 0, count: int | None = None) -> Array:
        """Returns the results of shots, by default of all, with the dtype RESULT."""
        first, count = self._range(first, count, len(self))
        results = np.zeros(count, RESULT)
        results["struct_size"] = sizeof(FrQueryResult)
        call(lib.frShotBatch_GetResults, self._handle, first, count, results.ctypes.data)
        return results

    def hits(self, first: int = 0, count: int | None = None) -> Array:
        """Returns `count` hits from number `first` on, by default those of all shots: dtype HIT."""
        first, count = self._range(first, count, self._totals().hits)
        hits = np.empty(count, HIT)
        call(lib.frShotBatch_GetHits, self._handle, first, count, hits.ctypes.data)
        return hits

    def __getitem__(self, number: int) -> Shot:
        """Returns one of the shots."""
        if not 0 <= number < len(self):
            raise IndexError(f"there is no shot {number} in a batch of {len(self)}")
        result = FrQueryResult.from_buffer_copy(self.results(number, 1).tobytes())
        return Shot(result, self.hits(result.hits_begin, result.hit_count))

    def __iter__(self) -> Iterator[Shot]:
        return (self[number] for number in range(len(self)))

    @staticmethod
    def _range(first: int, count: int | None, size: int) -> tuple[int, int]:
        first = integer(first, "first", 0, size)
        return first, integer(size - first if count is None else count, "count", 0, size - first)


def _address(lines: Any) -> Any:
    return byref(instance(lines, Lines, "the lines")._struct)


def _reused(array: Any, count: int) -> Any:
    """Returns the array of hits to fill."""
    if array is None:
        return np.empty(count, HIT)
    if not isinstance(array, np.ndarray) or array.dtype != HIT:
        kind = getattr(getattr(array, "dtype", None), "name", type(array).__name__)
        raise TypeError(f"out is of {kind}; it must be numpy.empty({count}, fractalray.HIT)")
    if array.shape != (count,):
        raise InvalidArgumentError(
            f"out has the shape {array.shape}; it must have ({count},), as "
            f"numpy.empty({count}, fractalray.HIT) or out[:{count}]"
        )
    if not array.flags.c_contiguous:
        raise InvalidArgumentError("out has gaps between its elements; give a contiguous array")
    if not array.flags.writeable:
        raise InvalidArgumentError("out is a read-only array; give one that can be written")
    return array


class LineBatches(Owned):
    """Batches of first hits and lines of sight: methods that worlds, snapshots and worlds of a
    server have."""

    # What begins the names of the functions of C.
    _PREFIX = "frWorld"

    def _owners(self, filters: Functions | None) -> tuple[Any, ...]:
        """Returns what has callbacks that run on other threads."""
        return ()

    def closest_hits(
        self,
        lines: Lines,
        levels: Levels = None,
        options: Options | None = None,
        *,
        out: Any = None,
    ) -> ClosestHits:
        """Finds the first hit of each line.

        out: an array with the dtype HIT to fill in place of a new one.
        """
        instance(lines, Lines, "the lines")
        hits = _reused(out, len(lines))
        return ClosestHits(hits, *self._first_hits("ClosestHits", hits, lines, levels, options))

    def compact_hits(
        self, lines: Lines, levels: Levels = None, options: Options | None = None
    ) -> CompactHits:
        """Finds the first hit of each line, in brief."""
        instance(lines, Lines, "the lines")
        hits = np.empty(len(lines), COMPACT_HIT)
        return CompactHits(hits, *self._first_hits("CompactHits", hits, lines, levels, options))

    def _first_hits(
        self, verb: str, hits: Array, lines: Lines, levels: Levels, options: Options | None
    ) -> tuple[Array, Array, Summary]:
        """Fills an array of hits. Returns the other members of the answer."""
        struct, totals = OptionsStruct(options), sized(FrBatchResult)
        asks = options is not None and (options.report_unknown or options.stop_at_unknown)
        unknown_from = np.empty(len(lines) if asks else 0)
        results = np.empty(len(lines), np.int32)
        call_with_callbacks(
            getattr(lib, f"{self._PREFIX}_{verb}"),
            self._handle,
            _address(lines),
            level_mask(levels),
            struct.address,
            hits.ctypes.data,
            unknown_from.ctypes.data if asks else None,
            results.ctypes.data,
            byref(totals),
            owners=self._owners(struct.filters),
        )
        return unknown_from, results, _summary(totals, last_message())

    def occluded_many(
        self,
        lines: Lines,
        levels: Levels = None,
        options: Options | None = None,
        *,
        blockers: bool = False,
    ) -> Occlusions:
        """Finds out for each line if a solid block is in the way, and which one with `blockers`."""
        instance(lines, Lines, "the lines")
        struct, totals = OptionsStruct(options), sized(FrBatchResult)
        answers = np.empty(len(lines), np.uint8)
        found = np.empty(len(lines) if blockers else 0, BLOCKER)
        results = np.empty(len(lines), np.int32)
        call_with_callbacks(
            getattr(lib, f"{self._PREFIX}_OccludedMany"),
            self._handle,
            _address(lines),
            level_mask(levels),
            struct.address,
            answers.ctypes.data,
            found.ctypes.data if blockers else None,
            results.ctypes.data,
            byref(totals),
            owners=self._owners(struct.filters),
        )
        return Occlusions(answers, found, results, _summary(totals, last_message()))


class BatchQueries(WorldHandle, LineBatches):
    """Batches of queries: methods that worlds and snapshots both have."""

    def shoot_many(
        self,
        lines: Lines,
        levels: Levels = None,
        options: Options | None = None,
        *,
        on_hit: Effect | None = None,
        batch: ShotBatch | None = None,
    ) -> ShotBatch:
        """Shoots many lines; callbacks run as if the lines were shot one after another.

        batch: one whose memory is used again, in place of a new one.
        """
        filled = ShotBatch() if batch is None else batch
        return self._fill(lib.frWorld_ShootMany, lines, levels, options, on_hit, filled)

    def resume_many(
        self,
        lines: Lines,
        batch: ShotBatch,
        levels: Levels = None,
        options: Options | None = None,
        *,
        on_hit: Effect | None = None,
    ) -> ShotBatch:
        """Continues a batch whose max_batch_steps ran out, with the same lines and options."""
        return self._fill(lib.frWorld_ResumeMany, lines, levels, options, on_hit, batch)

    def _fill(
        self,
        function: Any,
        lines: Lines,
        levels: Levels,
        options: Options | None,
        on_hit: Effect | None,
        batch: ShotBatch,
    ) -> ShotBatch:
        instance(lines, Lines, "the lines")
        struct = OptionsStruct(options, on_hit)
        arguments = (self._handle, _address(lines), level_mask(levels), struct.address)
        pointer = instance(batch, ShotBatch, "the batch")._handle
        try:
            call_with_callbacks(function, *arguments, pointer, owners=self._owners(struct.filters))
        except BaseException:
            batch._recount(max(len(batch), len(lines)))
            raise
        batch._filled(len(lines))
        return batch
