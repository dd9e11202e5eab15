# SPDX-License-Identifier: Apache-2.0
"""Query logs: a file with every query of a world and its answer, to be run again later."""

from __future__ import annotations

from ctypes import byref, c_double, c_int32, c_uint64
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from ._abi import FrLine, FrQueryResult, FrReplayOptions, FrReplayed
from ._arguments import instance, read_text
from ._calls import OUT_OF_RANGE, Owned, call, create, last_error, sized
from ._library import lib
from .enums import Occlusion, Outcome, Sight, Verb
from .errors import FailedPreconditionError, FractalrayError
from .handle import Kept, WorldHandle
from .hit import HIT
from .line import Line
from .saved_world import Path, encoded_path
from .shot import Shot
from .sight import SightQuery

_RECORDED, _REPLAYED = 0, 1
_USUAL_HITS = 64


class QueryLog:
    """The log that a world writes; `with` ends it. Made by `World.record`.

    A file that cannot be written ends the log and no query: `flush` and `close` raise its error.

    queries: how many queries are in the log; known once it is closed.
    """

    def __init__(self, world: WorldHandle, path: Path, fingerprints: bool) -> None:
        without = int(not fingerprints)
        call(lib.frWorld_BeginLog, world._handle, encoded_path(path), without)
        self._world: WorldHandle | None = world
        self.queries: int | None = None

    def flush(self) -> None:
        """Hands the logged queries to the system: what is written survives a crash."""
        if self._world is None:
            raise FailedPreconditionError("this QueryLog is closed; World.record begins another")
        call(lib.frWorld_FlushLog, self._world._handle)

    def close(self) -> None:
        """Ends the log and marks it as complete; closing twice does nothing."""
        if self._world is None:
            return
        queries = c_uint64()
        handle, self._world = self._world._handle, None
        try:
            call(lib.frWorld_EndLog, handle, byref(queries))
        finally:
            self.queries = queries.value

    def __enter__(self) -> QueryLog:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


#: An answer in a log, or of its replay: an Occlusion for Verb.OCCLUDED, a Sight for Verb.VISIBLE, two
#: numbers for Verb.EXPOSURE, the error of a query of sight that had one, else a Shot.
ReplayedAnswer = Union[Shot, Occlusion, Sight, tuple[float, float], FractalrayError]
_SIGHTS = (Verb.VISIBLE, Verb.EXPOSURE)


@dataclass(frozen=True)
class Replayed:
    """A query of a log, and how the replay has answered it.

    number: in the log, from 1.
    offset: of its record in the file, in bytes.
    line, levels, verb: the query; levels as a mask. `line` is None for a query of sight.
    sight: the eye and the box of Verb.VISIBLE and Verb.EXPOSURE, else None.
    outcome: whether it was answered as recorded.
    reason: why it cannot be repeated, for Outcome.NOT_REPLAYABLE, else "".
    recorded, replayed: both answers, if it was answered differently, else None. Their hits have no
        categories.
    """

    number: int
    offset: int
    line: Line | None
    sight: SightQuery | None
    levels: int
    verb: Verb
    outcome: Outcome
    reason: str
    recorded: ReplayedAnswer | None
    replayed: ReplayedAnswer | None


def _sight_query(found: Any) -> SightQuery:
    return SightQuery.units(tuple(found.eye), tuple(found.box.min), tuple(found.box.max))


class Replay(Owned):
    """Runs the queries of a log again: iterates over all of them, as Replayed.

    A DataLossError where the log is damaged or cut off; nothing follows it.
    """

    def __init__(
        self, world: WorldHandle, path: Path, *, all: bool = False, on_other_world: bool = False
    ) -> None:
        """Opens a log and takes over the world: it is closed, unless there is an error.

        world: with blocks and entities as those of the log were when it began. Nothing else may use
            it, such as cursors and streamers. Callbacks need not be registered.
        all: also runs queries that were logged after the world had changed.
        on_other_world: accepts a world other than the logged one was.

        FailedPreconditionError for another world, NotFoundError if there is no such file,
        InvalidArgumentError for one that is no log, DataLossError for a damaged one.
        """
        options = sized(FrReplayOptions)
        options.all = int(all)
        options.on_other_world = int(on_other_world)
        handle = instance(world, WorldHandle, "the world")._handle
        pointer = create(lib.frCreateReplay, handle, encoded_path(path), byref(options))
        super().__init__(pointer, lib.frDestroyReplay)
        self._kept = world._kept  # borrowed arrays
        world._disown()

    def close(self) -> None:
        super().close()
        self._kept = Kept()

    def __iter__(self) -> Replay:
        return self

    def __next__(self) -> Replayed:
        found = sized(FrReplayed)
        call(lib.frReplay_Next, self._handle, byref(found))
        outcome = Outcome(found.outcome)
        if outcome == Outcome.END:
            raise StopIteration
        differs = outcome == Outcome.DIFFERENT
        verb = Verb(found.verb)
        return Replayed(
            number=found.number,
            offset=found.offset,
            line=None if verb in _SIGHTS else Line(FrLine.from_buffer_copy(found.line)),
            sight=_sight_query(found.sight) if verb in _SIGHTS else None,
            levels=found.levels,
            verb=verb,
            outcome=outcome,
            reason=self._reason() if outcome == Outcome.NOT_REPLAYABLE else "",
            recorded=self._answer(_RECORDED, verb) if differs else None,
            replayed=self._answer(_REPLAYED, verb) if differs else None,
        )

    def _reason(self) -> str:
        return read_text(lib.frReplay_GetReason, self._handle)

    def _sight(self, which: int, verb: Verb) -> ReplayedAnswer:
        sight, low, high = c_int32(), c_double(), c_double()
        code = lib.frReplay_GetSight(self._handle, which, byref(sight), byref(low), byref(high))
        if code != 0:
            return last_error(code)
        return Sight(sight.value) if verb == Verb.VISIBLE else (low.value, high.value)

    def _answer(self, which: int, verb: Verb) -> ReplayedAnswer:
        if verb in _SIGHTS:
            return self._sight(which, verb)
        occlusion, result = c_int32(), sized(FrQueryResult)
        hits: Any = np.empty(_USUAL_HITS, HIT)
        while True:
            code = lib.frReplay_GetAnswer(
                self._handle, which, byref(occlusion), hits.ctypes.data, len(hits), byref(result)
            )
            if code != OUT_OF_RANGE or result.hit_count <= len(hits):
                break
            hits = np.empty(result.hit_count, HIT)
        if code != 0:
            raise last_error(code)
        if verb == Verb.OCCLUDED:
            return Occlusion(occlusion.value)
        return Shot(result, hits[: result.hit_count])
