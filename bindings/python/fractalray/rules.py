# SPDX-License-Identifier: Apache-2.0
"""Terminal rules: where a shot ends and what each hit costs it, as data in place of callbacks."""

from __future__ import annotations

from ctypes import byref, c_uint8

from ._abi import FR_RULE_CONTINUE, FR_RULE_COST, FR_RULE_STOP, FrRule
from ._arguments import Levels, copy_members, instance, integer, level_mask, number, unsigned
from ._calls import Owned, call, create
from ._library import lib
from ._plain import PlainRule


class Rule(PlainRule):
    """The effect of a hit on the shot; made by `proceed`, `stop` and `cost`."""

    @classmethod
    def proceed(cls) -> Rule:
        """Returns the rule that does nothing: the shot continues."""
        return cls()

    @classmethod
    def stop(cls) -> Rule:
        """Returns the rule that makes a hit terminal."""
        return cls(kind=FR_RULE_STOP)

    def _struct(self) -> FrRule:
        struct = FrRule(kind=integer(self.kind, "the rule's kind", FR_RULE_CONTINUE, FR_RULE_COST))
        copy_members(self, PlainRule, struct, "the rule's ", but=("kind",))
        return struct


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
