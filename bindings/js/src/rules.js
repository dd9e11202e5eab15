// SPDX-License-Identifier: Apache-2.0
// Terminal rules: where a shot ends and what each hit costs it, as data in place of callbacks.

import * as layout from "./layout.js";
import { blockType, integer, levelMask, members, number, wide } from "./arguments.js";
import { memory, module } from "./module.js";
import { create, Handle } from "./owned.js";
import { setPlain } from "./plain.js";

// The members of a rule: flags and numbers, of which those but the budget are costs, and the kind.
const { budget: _, ...COSTS } = layout.PLAIN.Rule;
const MEMBERS = { kind: "word", ...layout.PLAIN.Rule };

// Makes the effects of a hit on the shot, for Rules.
export const Rule = Object.freeze({
  // The shot continues.
  proceed: () => ({ kind: layout.RULE_CONTINUE }),
  // The hit is terminal.
  stop: () => ({ kind: layout.RULE_STOP }),
  // The hit charges a budget; it is terminal if not enough is left.
  cost: (budget, costs = {}) => ({ kind: layout.RULE_COST, budget, ...members(costs, COSTS, "the rule") }),
});

// A table of rules by block type, entity category and level.
export class Rules extends Handle {
  constructor() {
    super(create((out) => module.c.frCreateRules(out)), "frDestroyRules");
  }
  // Adds a budget with which each shot starts. Returns its number.
  addBudget(amount) {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.check(module.c.frRules_AddBudget(this.handle, number(amount, "the amount"), out));
      return memory.u8[out];
    } finally {
      memory.leave(mark);
    }
  }
  setBlock(type, rule, levels = undefined) {
    this.#set(rule, (at) => module.c.frRules_SetBlock(this.handle, blockType(type), at, levelMask(levels)));
  }
  setEntities(categories, rule, levels = undefined) {
    const bits = wide(categories, "the categories");
    this.#set(rule, (at) => module.c.frRules_SetEntities(this.handle, bits, at, levelMask(levels)));
  }
  #set(rule, call) {
    const { kind, ...plain } = members(rule, MEMBERS, "the rule");
    const mark = memory.enter();
    try {
      const struct = memory.pushStruct(layout.Rule);
      struct.kind = integer(kind, "the rule's kind", layout.RULE_CONTINUE, layout.RULE_COST);
      for (const [name, value] of Object.entries(plain)) {
        setPlain(struct, layout.PLAIN.Rule, name, value, `the rule's ${name}`);
      }
      this.check(call(struct.at));
    } finally {
      memory.leave(mark);
    }
  }
}
