# SPDX-License-Identifier: Apache-2.0
"""Terminal rules: where a shot ends and what each hit costs it, as data in place of callbacks."""

from __future__ import annotations

from ctypes import byref, c_uint8
from dataclasses import dataclass

from ._abi import FR_RULE_CONTINUE, FR_RULE_COST, FR_RULE_STOP, FrRule
from ._arguments import Levels, instance, integer, level_mask, number, unsigned
from ._calls import Owned, call, create
from ._library import lib


@dataclass(frozen=True)
class Rule:
    """The effect of a hit on the shot; made by `proceed`, `stop` and `cost`."""

    kind: int = FR_RULE_CONTINUE
    budget: int = 0
    per_hit: float = 0.0
    per_block: float = 0.0
    touch_costs: bool = False
    per_pane: bool = False

    @classmethod
    def proceed(cls) -> Rule:
        """Returns the rule that does nothing: the shot continues."""
        return cls()

    @classmethod
    def stop(cls) -> Rule:
        """Returns the rule that makes a hit terminal."""
        return cls(kind=FR_RULE_STOP)

    @classmethod
    def cost(
        cls,
        budget: int,
        *,
        per_hit: float = 0.0,
        per_block: float = 0.0,
        touch_costs: bool = False,
        per_pane: bool = False,
    ) -> Rule:
        """Returns the rule that charges a budget; the hit is terminal if not enough is left.

        per_hit: for the hit. per_block: for each block width travelled inside. touch_costs: also
        for a block that the line only touches. per_pane: per_hit once for a run of adjacent blocks.
        """
        return cls(FR_RULE_COST, budget, per_hit, per_block, touch_costs, per_pane)

    def _struct(self) -> FrRule:
        return FrRule(
            number(self.per_hit, "per_hit"),
            number(self.per_block, "per_block"),
            integer(self.kind, "the rule's kind", FR_RULE_CONTINUE, FR_RULE_COST),
            unsigned(self.budget, "the rule's budget", 8),
            bool(self.touch_costs),
            bool(self.per_pane),
        )


class Rules(Owned):
    """A table of rules by block type, entity category and level; see docs/queries/rules.md."""

    def __init__(self) -> None:
        super().__init__(create(lib.frCreateRules), lib.frDestroyRules)

    def add_budget(self, amount: float) -> int:
        """Adds a budget with which each shot starts, at most eight. Returns its number."""
        budget = c_uint8()
        call(lib.frRules_AddBudget, self._handle, number(amount, "the amount"), byref(budget))
        return budget.value

    def set_block(self, block_type: int, rule: Rule, levels: Levels = None) -> None:
        """Sets the rule of a block type, on these levels."""
        at = unsigned(block_type, "the block type", 16)
        struct = instance(rule, Rule, "the rule")._struct()
        call(lib.frRules_SetBlock, self._handle, at, byref(struct), level_mask(levels))

    def set_entities(self, categories: int, rule: Rule, levels: Levels = None) -> None:
        """Sets the rule of entities of these levels that share a category. Of several rules that
        match an entity, the one that was set first applies."""
        bits = unsigned(categories, "categories", 64)
        struct = instance(rule, Rule, "the rule")._struct()
        call(lib.frRules_SetEntities, self._handle, bits, byref(struct), level_mask(levels))
