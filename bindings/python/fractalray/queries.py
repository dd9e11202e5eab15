# SPDX-License-Identifier: Apache-2.0
"""Queries along one line; docs/queries has a page for each."""

from __future__ import annotations

import math
from ctypes import byref, c_int32
from typing import Any

import numpy as np

from ._abi import FrHit, FrLevelPart, FrLine, FrLineChunk, FrQueryOptions, FrQueryResult, FrStats
from ._arguments import Array, Levels, instance, level_mask, read_array
from ._calls import (
    OK,
    Owned,
    call,
    call_with_callbacks,
    create,
    last_error,
    result_with_callbacks,
    sized,
)
from ._library import lib
from ._pieces import all_pieces
from .batches import BatchQueries
from .callbacks import Effect
from .cursor import HitCursor
from .enums import Corner, HitKind, Occlusion
from .errors import FractalrayError, InvalidArgumentError
from .hit import HIT, Hit
from .line import Line
from .options import Options, OptionsStruct
from .shot import Closest, Shot

#: The elements of the parts of a line in the box of each level.
LEVEL_PART = np.dtype(FrLevelPart)
#: The elements of arrays of chunks on a line.
LINE_CHUNK = np.dtype(FrLineChunk)

# A shot with effects gets its hits in pieces of at most so many; others have memory for so many.
_PIECE = 4096
_NO_STEPS = ("chunks", "direct")  # of the stats
_DEFAULTS = Options()
# A hit without its members, of which NumPy makes copies forty times as fast.
_BYTES = np.dtype((np.void, HIT.itemsize))


def _address(line: Line) -> Any:
    return byref(instance(line, Line, "the line")._struct)


def _append(function: tuple[Any, ...], shot: Shot, most: int) -> Shot:
    """Calls a function that appends hits to a shot. Returns the longer shot.

    most: the hits that there is memory for. If there are more, the function is called again.
    """
    while True:
        hits = np.empty(len(shot) + most, _BYTES)
        hits[: len(shot)] = shot.array.view(_BYTES)
        result = FrQueryResult.from_buffer_copy(shot._result)
        number = result_with_callbacks(*function, hits.ctypes.data, len(hits), byref(result))
        if result.hit_count <= len(hits):
            break
        most = result.hit_count - len(shot)
    longer = Shot(result, hits[: result.hit_count].copy().view(HIT))
    if number == OK:
        return longer
    error = last_error(number)
    error.shot = longer if result.line.end_time else None  # the result may not have been written
    raise error


def _append_in_pieces(
    first: tuple[Any, ...], later: tuple[Any, ...], shot: Shot, options: FrQueryOptions
) -> Shot:
    """Appends hits to a shot whose effects must be called once: by `first`, and by `later` for those
    after each _PIECE hits. The pieces share max_steps, and the stats are those of all of them."""
    limit = len(shot) + options.max_hits if options.max_hits else math.inf
    max_steps, function, stats = options.max_steps, first, FrStats()
    while True:
        options.max_hits = int(min(limit - len(shot), _PIECE))
        if max_steps:
            options.max_steps = max(max_steps - _steps(stats), 1)
        try:
            shot = _append(function, shot, options.max_hits)
        except FractalrayError as error:
            if error.shot is not None:
                _add(stats, error.shot._result.stats)
            raise
        _add(stats, shot._result.stats)
        if not shot.truncated or len(shot) >= limit:
            return shot
        function = later


def _add(stats: FrStats, more: FrStats) -> None:
    """Adds to stats, and makes the result the stats of both."""
    for name, _ in FrStats._fields_:
        setattr(stats, name, getattr(stats, name) + getattr(more, name))
        setattr(more, name, getattr(stats, name))


def _steps(stats: FrStats) -> int:
    return sum(int(getattr(stats, name)) for name, _ in FrStats._fields_ if name not in _NO_STEPS)


class LineQueries(BatchQueries):
    """Queries along a line: methods that worlds and snapshots both have.

    All take a line, the levels of the query (None for all) and Options.
    """

    def shoot(
        self,
        line: Line,
        levels: Levels = None,
        options: Options | None = None,
        *,
        on_hit: Effect | None = None,
    ) -> Shot:
        """Shoots: calls back for each hit, in order, until one is terminal. Returns the hits.

        on_hit: called for each hit before registered effects; it may change the world, shoot, and
            return Response.STOP. An exception in a callback ends the shot and is raised again.

        ResourceExhaustedError beyond the option max_steps; its `shot` has the hits so far.

        If there are effects, hits are searched 4,096 at a time: those after the 4,096th (8,192nd,
        ...) are those of the world as the effects have left it, as after `resume`. That takes
        more steps than one search does; max_steps and the stats are about all of them.
        """
        struct = OptionsStruct(_DEFAULTS if options is None else options, on_hit)
        mask = level_mask(levels)
        line_address = _address(line)
        first = (lib.frWorld_Shoot, self._handle, line_address, mask, struct.address)
        later = (lib.frWorld_Resume, self._handle, mask, struct.address)
        shot = Shot(sized(FrQueryResult), np.empty(0, HIT))
        return self._shoot(first, later, shot, struct)

    def resume(
        self,
        shot: Shot,
        levels: Levels = None,
        options: Options | None = None,
        *,
        on_hit: Effect | None = None,
    ) -> Shot:
        """Continues a shot after its last hit in the world as it is now. Returns the whole shot."""
        struct = OptionsStruct(_DEFAULTS if options is None else options, on_hit)
        mask = level_mask(levels)
        function = (lib.frWorld_Resume, self._handle, mask, struct.address)
        if len(instance(shot, Shot, "the shot")) != shot._result.hit_count:
            raise InvalidArgumentError(
                f"the shot has {shot._result.hit_count} hits, but {len(shot)} in its array; resume "
                "what shoot has returned, or shoot with the hits of a cursor in the option `after`"
            )
        return self._shoot(function, function, shot, struct)

    def _shoot(
        self, first: tuple[Any, ...], later: tuple[Any, ...], shot: Shot, struct: OptionsStruct
    ) -> Shot:
        """Appends hits to a shot: all at once if no effect is called."""
        options = struct.struct
        if options.on_hit or self._kept.has_effects():
            return _append_in_pieces(first, later, shot, options)
        return _append(first, shot, min(options.max_hits or _PIECE, _PIECE))

    def closest_hit(
        self, line: Line, levels: Levels = None, options: Options | None = None
    ) -> Closest:
        """Finds the first hit: picking. Calls no callbacks but filters."""
        hit, result = FrHit(), sized(FrQueryResult)
        struct = OptionsStruct(options)
        arguments = (self._handle, _address(line), level_mask(levels))
        call_with_callbacks(
            lib.frWorld_ClosestHit, *arguments, struct.address, byref(hit), byref(result)
        )
        return Closest(result, hit)

    def occluded(
        self, line: Line, levels: Levels = None, options: Options | None = None
    ) -> Occlusion:
        """Finds out if a solid block (or an entity, with entities_block) is in the way."""
        return self._occlusion(line, levels, options, None)

    def find_blocker(
        self, line: Line, levels: Levels = None, options: Options | None = None
    ) -> tuple[Occlusion, Hit | None]:
        """Returns the answer of `occluded`, and one of the hits that block the line or None."""
        hit = FrHit()
        occlusion = self._occlusion(line, levels, options, byref(hit))
        return occlusion, None if hit.kind == HitKind.NONE else Hit(hit)

    def _occlusion(
        self, line: Line, levels: Levels, options: Options | None, blocker: Any
    ) -> Occlusion:
        occlusion, struct = c_int32(), OptionsStruct(options)
        arguments = (self._handle, _address(line), level_mask(levels))
        answers = (byref(occlusion), blocker, None)
        call_with_callbacks(lib.frWorld_Occluded, *arguments, struct.address, *answers)
        return Occlusion(occlusion.value)

    def hits_along(
        self, line: Line, levels: Levels = None, options: Options | None = None
    ) -> HitCursor:
        """Returns a cursor over the hits of a shot: `for hit in world.hits_along(line)`.

        The loop replaces effects, and may change the world.
        """
        struct = OptionsStruct(options)
        return HitCursor(self, instance(line, Line, "the line"), level_mask(levels), struct)

    def reflect(self, line: Line, hit: Hit) -> Line:
        """Returns the mirror image of a line in the face of a hit of it, from that time on."""
        image = FrLine()
        struct = instance(hit, Hit, "the hit")._struct
        call(lib.frWorld_Reflect, self._handle, _address(line), byref(struct), byref(image))
        return Line(image)

    def hit_spans(self, line: Line, hit: Hit, options: Options | None = None) -> Array:
        """Returns the parts of a line inside a hit of it, (n, 2): several for a shape with gaps.

        options: those of the query, whose corner policy and channel decide.
        """
        struct, of_line = OptionsStruct(options), instance(hit, Hit, "the hit")._struct
        arguments = (self._handle, _address(line), struct.address, byref(of_line))
        return read_array(lib.frWorld_GetHitSpans, *arguments, dtype=np.float64, width=2)

    def level_parts(self, line: Line, levels: Levels = None) -> Array:
        """Returns the part of a line in the box of the loaded chunks of each level, the coarsest
        first, with the dtype LEVEL_PART."""
        arguments = (self._handle, _address(line), level_mask(levels))
        return read_array(lib.frWorld_GetLevelParts, *arguments, dtype=LEVEL_PART)

    def chunks_on(
        self,
        line: Line,
        levels: Levels = None,
        *,
        corner: Corner = Corner.BOTH,
        loaded_only: bool = False,
    ) -> Array:
        """Returns the chunks that a line crosses, the finest level first: those that a shot needs
        loaded. An array with the dtype LINE_CHUNK."""
        arguments = (self._handle, _address(line), level_mask(levels))
        pointer = create(lib.frWorld_ChunksOn, *arguments, Corner(corner), bool(loaded_only))
        with Owned(pointer, lib.frDestroyChunkCursor):
            return all_pieces(lib.frChunkCursor_Next, pointer, LINE_CHUNK)
