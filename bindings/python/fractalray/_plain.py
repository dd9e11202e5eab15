# Made by tools/scripts/generate_bindings.py from bindings/c/fractalray_c.h, which documents it; do not edit.
# SPDX-License-Identifier: Apache-2.0
"""The options and members of rules that are flags and numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

Made = TypeVar("Made", bound="PlainRule")


@dataclass(frozen=True)
class PlainOptions:
    """The plain members of frQueryOptions.

    categories: of entities that are hit; None stands for all.
    max_hits: the most hits of a shot; None for no limit.
    max_steps: the most steps; beyond, FR_RESOURCE_EXHAUSTED; None for no limit.
    max_batch_steps: of all queries of a batch together; None for no limit.
    channel: the collision channel.
    no_blocks: to hit no blocks.
    no_entities: to hit no entities.
    solid_only: to hit no permeable blocks.
    skip_start_inside: to leave out things that contain the start.
    report_unknown: to find unknown_from.
    stop_at_unknown: to end there as well.
    entities_block: if entities block lines of sight.
    after_by_id: to recognize entities of `after` by id: hits of another process.
    """

    corner: int = 0
    categories: int | None = None
    max_hits: int | None = None
    max_steps: int | None = None
    max_batch_steps: int | None = None
    channel: int = 0
    no_blocks: bool = False
    no_entities: bool = False
    solid_only: bool = False
    skip_start_inside: bool = False
    report_unknown: bool = False
    stop_at_unknown: bool = False
    entities_block: bool = False
    after_by_id: bool = False


@dataclass(frozen=True)
class PlainSightOptions:
    """The plain members of frSightOptions.

    categories: of entities that hide; None stands for all.
    max_steps: the most steps; beyond, FR_RESOURCE_EXHAUSTED; None for no limit.
    through: the occluders that a direction may pass.
    channel: the collision channel.
    no_blocks: to let no blocks hide.
    skip_start_inside: to leave out what has the eye in its interior.
    boxes_block: to let box entities hide.
    """

    unloaded: int = 0
    categories: int | None = None
    max_steps: int | None = None
    through: int = 0
    channel: int = 0
    no_blocks: bool = False
    skip_start_inside: bool = False
    boxes_block: bool = False


@dataclass(frozen=True)
class PlainRule:
    """The plain members of frRule.

    per_hit: the cost of a hit.
    per_block: the cost of each block width travelled inside.
    budget: the number of a budget.
    touch_costs: if a block costs even if the line only touches it.
    per_pane: if a run of adjacent blocks of one type costs per_hit once.
    """

    kind: int = 0
    per_hit: float = 0.0
    per_block: float = 0.0
    budget: int = 0
    touch_costs: bool = False
    per_pane: bool = False

    @classmethod
    def cost(
        cls: type[Made],
        budget: int,
        *,
        per_hit: float = 0.0,
        per_block: float = 0.0,
        touch_costs: bool = False,
        per_pane: bool = False,
    ) -> Made:
        """Returns the rule that charges a budget; the hit is terminal if not enough is left.

        per_hit: the cost of a hit.
        per_block: the cost of each block width travelled inside.
        touch_costs: if a block costs even if the line only touches it.
        per_pane: if a run of adjacent blocks of one type costs per_hit once.
        """
        return cls(
            kind=2,
            budget=budget,
            per_hit=per_hit,
            per_block=per_block,
            touch_costs=touch_costs,
            per_pane=per_pane,
        )
