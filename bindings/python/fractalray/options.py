# SPDX-License-Identifier: Apache-2.0
"""The options of all queries and searches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._abi import FR_MAX_BUDGETS as MAX_BUDGETS
from ._abi import FrQueryOptions
from ._arguments import copy_members, instance, numbers
from ._filter import FilterStruct, copy_iterators
from ._plain import PlainOptions
from .callbacks import Effect, Functions, Predicate, address, checked
from .enums import Corner
from .errors import InvalidArgumentError
from .hit import Hits, hits_to_array
from .rules import Rules


@dataclass(frozen=True)
class Options(PlainOptions):
    """What a query considers and where it ends. A query ignores the options without meaning for it.

    corner: which cells a line visits where it crosses an edge or a corner.
    ignore: ids of entities that are not hit.
    after: hits of the same line: the query resumes after the last of them, and hits no entity among
        them again.
    rules, budgets: terminal rules, and amounts in place of those of the rules' budgets.
    block_filter, entity_filter: functions of a hit; if one returns False, the block or entity is
        treated as if it were not there.
    Flags and numbers are in PlainOptions.
    """

    corner: Corner = Corner.BOTH
    ignore: Iterable[int] = ()
    after: Hits = ()
    rules: Rules | None = None
    budgets: Sequence[float] | None = None
    block_filter: Predicate | None = None
    entity_filter: Predicate | None = None

    def __post_init__(self) -> None:
        copy_iterators(self, "ignore", "after", "budgets")


class OptionsStruct(FilterStruct):
    """Options of queries and searches, and the effect of a shot."""

    def __init__(self, options: Options | None, on_hit: Effect | None = None) -> None:
        super().__init__()
        if options is None and on_hit is None:
            return
        self._make(FrQueryOptions)
        if options is not None:
            self._set_values(instance(options, Options, "the options"))
            self._set_lists(options)
        self._set_effect(on_hit)

    def _set_values(self, options: Options) -> None:
        struct = self.struct
        copy_members(options, PlainOptions, struct, but=("corner", "categories"))
        struct.corner = Corner(options.corner)
        struct.no_entities |= int(self._set_filter(options))

    def _set_lists(self, options: Options) -> None:
        struct = self.struct
        after = hits_to_array(options.after)
        struct.after, struct.after_count = self._keep(after)
        if options.rules is not None:
            self.kept.append(options.rules)
            struct.rules = instance(options.rules, Rules, "rules")._handle
        if options.budgets is not None:
            struct.budgets, _ = self._keep(_eight(options.budgets))

    def _set_effect(self, on_hit: Effect | None) -> None:
        if checked(on_hit, "on_hit") is None:
            return
        functions = Functions(effect=on_hit)
        self.kept.append(functions)
        self.struct.on_hit = address(functions, "effect")
        self.struct.hit_context = functions.context


def _eight(budgets: Sequence[float]) -> Any:
    amounts = numbers(budgets, "budgets")
    if amounts.ndim != 1 or len(amounts) > MAX_BUDGETS:
        raise InvalidArgumentError(
            f"budgets has the shape {amounts.shape}; it must be at most {MAX_BUDGETS} numbers"
        )
    return np.concatenate([amounts, np.zeros(MAX_BUDGETS - len(amounts))])
