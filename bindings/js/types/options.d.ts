// SPDX-License-Identifier: Apache-2.0
// Options, callbacks and rules of queries.
import type { Wide, WideVector } from "./common.js";
import type { Corner, Response, Unloaded } from "./enums.js";
import type { Hit, Hits } from "./hits.js";
import type { PlainQueryOptions, PlainRule, PlainSightOptions } from "../src/layout.js";
import type { Freeable } from "./memory.js";

/** Decides about a hit. Pure: may be called early and more than once, and must not change a world. */
export type Predicate = (hit: Hit) => unknown;
/** Responds to a hit, once and in order; may change the world, and shoot. An exception ends the query, which throws it. */
export type Effect = (hit: Hit) => Response | void;

/** The things that a query considers, and its end. A query ignores the options without meaning for it; undefined stands
 * for a default. */
export interface OptionsInit extends Omit<PlainQueryOptions, "corner" | "categories"> {
  /** The levels of the query; all by default. */
  levels?: Iterable<number> | null;
  /** Which cells a line visits where it crosses an edge or a corner; Corner.BOTH by default. */
  corner?: Corner;
  /** 64 bits: entities that are hit share one; all by default. */
  categories?: Wide | null;
  /** Ids of entities that are not hit. */
  ignore?: Iterable<Wide>;
  /** Hits of the same line: the query resumes after the last, and hits no entity among them again. */
  after?: Hits | readonly Hits[];
  rules?: Rules | null;
  /** Amounts in place of those of the rules' budgets. */
  budgets?: ArrayLike<number> | null;
  /** Blocks for which it returns something false are not there. */
  blockFilter?: Predicate | null;
  entityFilter?: Predicate | null;
  /** Called for each hit of a shot, before registered effects. */
  onHit?: Effect | null;
}

/** Options prepared once: a query with them makes no garbage. One with a plain object prepares it each time, for some 1 us. */
export class Options implements Freeable {
  constructor(init?: OptionsInit);
  /** Changes the options that are named, all or none. "FAILED_PRECONDITION" in a callback of a query with them. */
  set(init: OptionsInit): this;
  free(): void;
  [Symbol.dispose](): void;
}

/** The things that hide a box from an eye. */
export interface SightOptionsInit extends Omit<PlainSightOptions, "unloaded" | "categories"> {
  levels?: Iterable<number> | null;
  /** The meaning of space where nothing is loaded; Unloaded.REPORT by default. */
  unloaded?: Unloaded;
  /** 64 bits: entities that hide share one; all by default. */
  categories?: Wide | null;
  /** Ids of entities that do not hide. */
  ignore?: Iterable<Wide>;
  /** Further solid boxes, [min, max] in units. */
  occluders?: readonly (readonly [WideVector, WideVector])[];
  blockFilter?: Predicate | null;
  entityFilter?: Predicate | null;
}
/** Options of sight, prepared once. */
export class SightOptions implements Freeable {
  constructor(init?: SightOptionsInit);
  set(init: SightOptionsInit): this;
  free(): void;
  [Symbol.dispose](): void;
}

/** The effect of a hit on a shot; made by Rule. */
export interface RuleInit extends PlainRule {
  kind: number;
}
/** What a hit costs; 0 and false by default. */
export type Costs = Omit<PlainRule, "kind" | "budget">;
export const Rule: {
  /** Returns the rule that does nothing: the shot continues. */
  proceed(): RuleInit;
  /** Returns the rule that makes a hit terminal. */
  stop(): RuleInit;
  /** Returns the rule that charges a budget; the hit is terminal if not enough is left. */
  cost(budget: number, costs?: Costs): RuleInit;
};
/** A table of terminal rules by block type, entity category and level: data in place of callbacks. */
export class Rules implements Freeable {
  constructor();
  /** Adds a budget with which each shot starts, at most eight. Returns its number. */
  addBudget(amount: number): number;
  /** Sets the rule of a block type, on these levels; all by default. */
  setBlock(type: number, rule: RuleInit, levels?: Iterable<number>): void;
  /** Sets the rule of entities that share a category. If several match an entity, the one set first applies. */
  setEntities(categories: Wide, rule: RuleInit, levels?: Iterable<number>): void;
  readonly isFree: boolean;
  free(): void;
  [Symbol.dispose](): void;
}
