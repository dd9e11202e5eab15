# SPDX-License-Identifier: Apache-2.0
"""The answers of single queries."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from ._abi import FrHit, FrLine, FrQueryResult
from .enums import HitKind, Progress
from .hit import Hit, Stats, hits_from_array
from .line import Line


def _time(value: float) -> float | None:
    return None if math.isnan(value) else value


class Answer:
    """The parts of an answer besides its hits, the same for every query."""

    def __init__(self, result: FrQueryResult) -> None:
        self._result = result

    @property
    def line(self) -> Line:
        """The line, in integers."""
        return Line(FrLine.from_buffer_copy(self._result.line))

    @property
    def unknown_from(self) -> float | None:
        """The first time at which no level is loaded; None if there is none, or if it was not
        requested."""
        return _time(self._result.unknown_from)

    @property
    def stats(self) -> Stats:
        return Stats(self._result.stats)

    @property
    def versions(self) -> tuple[int, int]:
        """The versions of the blocks and of the entities when the query began."""
        return self._result.blocks_version, self._result.entities_version


class Closest(Answer):
    """The answer of `closest_hit`."""

    def __init__(self, result: FrQueryResult, hit: FrHit) -> None:
        super().__init__(result)
        self.hit: Hit | None = None if hit.kind == HitKind.NONE else Hit(hit)

    def __repr__(self) -> str:
        return f"Closest({self.hit!r})"


#: How many of its hits the text of a shot shows.
_SHOWN_HITS = 4


class Shot(Answer):
    """The answer of `shoot`: hits in the order of distance. Iterates over them."""

    def __init__(self, result: FrQueryResult, array: Any) -> None:
        super().__init__(result)
        self.array = array  #: the hits with the dtype HIT

    @cached_property
    def hits(self) -> list[Hit]:
        """The hits, one by one."""
        return hits_from_array(self.array)

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Any:
        return iter(self.hits)

    @property
    def terminated(self) -> bool:
        """True if the last hit was terminal."""
        return bool(self._result.terminated)

    @property
    def truncated(self) -> bool:
        """True if max_hits kept it from reporting more."""
        return bool(self._result.truncated)

    @property
    def progress(self) -> Progress:
        """How far a shot of a batch is."""
        return Progress(self._result.progress)

    @property
    def stopped_at(self) -> float | None:
        """The time at which a budget was used up, or None."""
        return _time(self._result.stopped_at)

    @property
    def budgets(self) -> list[float] | None:
        """The amounts left of the eight budgets; None without rules."""
        return list(self._result.budgets) if self._result.has_budgets else None

    def __repr__(self) -> str:
        shown = [repr(hit) for hit in hits_from_array(self.array[:_SHOWN_HITS])]
        if len(self) > _SHOWN_HITS:
            shown.append(f"... {len(self) - _SHOWN_HITS} more")
        return f"Shot([{', '.join(shown)}], terminated={self.terminated})"
