# SPDX-License-Identifier: Apache-2.0
"""Query logs: a file with every query of a world and its answer, to be run again later."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from ctypes import byref, c_double, c_int32, c_uint64
from dataclasses import dataclass
from functools import partial
from typing import Any, Union

import numpy as np

from ._abi import FrLine, FrQueryResult, FrReplayOptions, FrReplayed
from ._arguments import Array, instance, read_array, read_text
from ._calls import OUT_OF_RANGE, Owned, call, create, last_error, running_calls, sized
from ._library import lib
from .blast import Blast, read_blast
from .enums import Occlusion, Outcome, Sight, Verb
from .errors import FailedPreconditionError, FractalrayError
from .handle import Kept, WorldHandle
from .hit import HIT
from .line import Line
from .saved_world import Path, encoded_path
from .searches import FOUND_BLOCK
from .shot import Shot
from .sight import SightQuery, VisibleBlocks, split_blocks

_RECORDED, _REPLAYED = 0, 1
_USUAL_HITS = 64


def _end_at_exit(world: int) -> None:
    """Ends the log of a world that is not destroyed then; if a daemon thread is in a query, which
    writes to it, only flushes it."""
    if running_calls():
        lib.frWorld_FlushLog(world)
    else:
        lib.frWorld_EndLog(world, None)


class QueryLog:
    """The log that a world writes; `with` ends it. Made by `World.record`.

    A file that cannot be written ends the log and no query: `flush` and `close` raise its error.

    queries: how many queries are in the log; known once it is closed.
    """

    def __init__(self, world: WorldHandle, path: Path, fingerprints: bool) -> None:
        without = int(not fingerprints)
        call(lib.frWorld_BeginLog, world._handle, encoded_path(path), without)
        self._finalizer = weakref.finalize(world, _end_at_exit, world._handle)
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
            self._finalizer.detach()  # a log that a callback cannot end ends at exit
        finally:
            self.queries = queries.value

    def __enter__(self) -> QueryLog:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


#: An answer in a log, or of its replay: an Occlusion for Verb.OCCLUDED, a Shot for the other verbs of
#: lines; for those of sight what the method of the world returns, a Sight for Verb.VISIBLE, two
#: numbers for Verb.EXPOSURE, an array, VisibleBlocks or a Blast without `samples`, or the error that
#: the query had.
ReplayedAnswer = Union[
    Shot, Occlusion, Sight, tuple[float, float], Array, VisibleBlocks, Blast, FractalrayError
]


@dataclass(frozen=True)
class Replayed:
    """A query of a log, and how the replay has answered it.

    number: in the log, from 1.
    offset: of its record in the file, in bytes.
    line, levels, verb: the query; levels as a mask. `line` is None for a query of sight.
    sight: the eye and the box of Verb.VISIBLE and Verb.EXPOSURE, else None.
    shape: the numbers of viewers and boxes of Verb.VISIBLE_BOXES, else None.
    center, radius: of Verb.VISIBLE_BLOCKS, whose centre is the eye, and Verb.BLAST, else None.
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
    shape: tuple[int, int] | None = None
    center: tuple[float, float, float] | None = None
    radius: float | None = None


def _sight_of(handle: Any, which: int) -> ReplayedAnswer:
    sight = c_int32()
    call(lib.frReplay_GetSight, handle, which, byref(sight), None, None)
    return Sight(sight.value)


def _exposure_of(handle: Any, which: int) -> ReplayedAnswer:
    low, high = c_double(), c_double()
    call(lib.frReplay_GetSight, handle, which, None, byref(low), byref(high))
    return low.value, high.value


def _sights_of(handle: Any, which: int) -> ReplayedAnswer:
    return read_array(lib.frReplay_GetSights, handle, which, dtype=np.uint8)


def _blocks_of(handle: Any, which: int) -> ReplayedAnswer:
    found = read_array(lib.frReplay_GetVisibleBlocks, handle, which, dtype=FOUND_BLOCK)
    return split_blocks(found)


def _blast_of(handle: Any, which: int) -> ReplayedAnswer:
    return read_blast(partial(lib.frReplay_GetBlast, handle, which))


#: How the answer of each verb of sight is read.
_OF_SIGHT: dict[Verb, Callable[[Any, int], ReplayedAnswer]] = {
    Verb.VISIBLE: _sight_of,
    Verb.EXPOSURE: _exposure_of,
    Verb.VISIBLE_BOXES: _sights_of,
    Verb.VISIBLE_BLOCKS: _blocks_of,
    Verb.BLAST: _blast_of,
}


def _question(verb: Verb, found: Any) -> dict[str, Any]:
    """Returns the members of Replayed that the question of a verb has."""
    if verb not in _OF_SIGHT:
        return {"line": Line(FrLine.from_buffer_copy(found.line)), "sight": None}
    question: dict[str, Any] = {"line": None, "sight": None}
    if verb in (Verb.VISIBLE, Verb.EXPOSURE):
        eye, box = found.sight.eye, found.sight.box
        question["sight"] = SightQuery.units(tuple(eye), tuple(box.min), tuple(box.max))
    elif verb == Verb.VISIBLE_BOXES:
        question["shape"] = (found.viewer_count, found.box_count)
    else:
        question.update(center=tuple(found.center), radius=found.radius)
    return question


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
        question = _question(verb, found)
        return Replayed(
            number=found.number,
            offset=found.offset,
            levels=found.levels,
            verb=verb,
            outcome=outcome,
            reason=self._reason() if outcome == Outcome.NOT_REPLAYABLE else "",
            recorded=self._answer(_RECORDED, verb, question) if differs else None,
            replayed=self._answer(_REPLAYED, verb, question) if differs else None,
            **question,
        )

    def _reason(self) -> str:
        return read_text(lib.frReplay_GetReason, self._handle)

    def _answer(self, which: int, verb: Verb, question: dict[str, Any]) -> ReplayedAnswer:
        if verb in _OF_SIGHT:
            try:
                answer: Any = _OF_SIGHT[verb](self._handle, which)
            except FractalrayError as error:
                return error
            shape = question.get("shape")
            return answer if shape is None else np.reshape(answer, shape)
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
