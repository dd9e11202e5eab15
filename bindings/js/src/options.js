// SPDX-License-Identifier: Apache-2.0
// The options of queries and searches, prepared once: a query reads them in place.

import * as layout from "./layout.js";
import { callback, channel, choice, instance, levelMask, members, number, wide } from "./arguments.js";
import { Callbacks } from "./callbacks.js";
import { Corner, DEFAULT_CHANNEL } from "./enums.js";
import { refuseType } from "./errors.js";
import { hitsOf } from "./hits.js";
import { memory, module } from "./module.js";
import { addUse, cancel, DISPOSE, filled, refuseFreed, refuseUsed, whenCollected } from "./owned.js";
import { plainSetters } from "./plain.js";
import { Rules } from "./rules.js";

// Memory that belongs to options, by the member that points to it.
class Kept {
  #blocks = new Map();
  constructor(owner) {
    const blocks = this.#blocks;
    whenCollected(owner, () => freeAll(blocks), this);
  }
  // Returns memory for a member; 0 for no bytes. In change() the earlier memory of that member is freed at the end.
  take(name, bytes) {
    const at = bytes === 0 ? 0 : memory.allocate(bytes);
    this.#blocks.set(name, at);
    return at;
  }
  // Calls call(), which takes memory in place of earlier memory, or, if it throws, not.
  change(call) {
    const blocks = this.#blocks, before = new Map(blocks);
    try {
      call();
    } catch (error) {
      freeOthers(blocks, before);
      blocks.clear();
      for (const [name, at] of before) blocks.set(name, at);
      throw error;
    }
    freeOthers(before, blocks);
  }
  free() {
    cancel(this);
    freeAll(this.#blocks);
  }
}
// Frees memory that others do not have.
function freeOthers(blocks, others) {
  for (const [name, at] of blocks) if (at !== 0 && others.get(name) !== at) memory.free(at);
}
function freeAll(blocks) {
  freeOthers(blocks, new Map());
  blocks.clear();
}

// Sets the ids of entities that a query leaves out.
export function setIgnore(options, ids = []) {
  if (ids === null || typeof ids[Symbol.iterator] !== "function") {
    refuseType(ids, "ignore", "it must be an array of ids of entities");
  }
  const list = Array.from(ids, (id) => wide(id, "an ignored id"));
  const at = options.kept.take("ignore", 8 * list.length);
  list.forEach((id, i) => { memory.u64[(at >>> 3) + i] = id; });
  options.ignore = at;
  options.ignoreCount = list.length;
}
// Sets the categories of entities; 0 is no category at all, which the library reads as all of them.
export function setCategories(options, value) {
  const bits = value === undefined || value === null ? undefined : wide(value, "categories");
  options.categoriesBig = bits ?? 0n;
  options.hasNoCategory = bits === 0n;
}
// Sets filters. Those that are not given are as they were.
export function setFilters(options, given) {
  const filters = { ...options.filters };
  for (const name of ["blockFilter", "entityFilter"]) {
    if (name in given) filters[name] = callback(given[name], name);
  }
  options.filters = filters;
  const { blockFilter, entityFilter } = filters;
  const filter = (hit) => (hit.kind === layout.HIT_BLOCK ? blockFilter : entityFilter)(hit);
  options.filterCallbacks =
    blockFilter || entityFilter ? new Callbacks(filter, undefined, "the filter", options.isBrief) : null;
  options.blockFilter = blockFilter ? module.callbacks.predicate : 0;
  options.entityFilter = entityFilter ? module.callbacks.predicate : 0;
  options.filterContext = options.filterCallbacks?.number ?? 0;
}

// How options are set: as their kinds say, but for those that JavaScript has in another form. undefined stands for the
// default.
const SETTERS = {
  ...plainSetters(layout.PLAIN.QueryOptions),
  levels: (options, value) => { options.mask = levelMask(value); },
  corner: (options, value = Corner.BOTH) => { options.corner = choice(value, Corner, "corner"); },
  channel: (options, value = DEFAULT_CHANNEL) => { options.channel = channel(value); },
  categories: setCategories,
  ignore: setIgnore,
  after: (options, value = []) => {
    const hits = hitsOf(value, "after"), at = options.kept.take("after", layout.Hit.size * hits.count);
    hits.write(at);
    options.after = at;
    options.afterCount = hits.count;
  },
  rules: (options, value) => {
    const rules = value === undefined || value === null ? null : instance(value, Rules, "rules");
    options.rules = rules === null ? 0 : rules.live;
    options.keptRules = rules;
  },
  budgets: (options, value) => {
    if (value === undefined || value === null) {
      options.budgets = 0;
      return;
    }
    if (!(value.length <= layout.MAX_BUDGETS)) {
      refuseType(value, "budgets", `it must be an array of at most ${layout.MAX_BUDGETS} numbers`);
    }
    const amounts = Array.from({ length: layout.MAX_BUDGETS },
      (_, i) => (i < value.length ? number(value[i], `budgets[${i}]`) : 0));
    const at = options.kept.take("budgets", 8 * layout.MAX_BUDGETS);
    memory.f64.set(amounts, at >>> 3);
    options.budgets = at;
  },
  blockFilter: null,
  entityFilter: null,
  onHit: (options, value) => {
    const effect = callback(value, "onHit");
    options.effects = effect ? new Callbacks(undefined, effect, "onHit", options.isBrief) : null;
    options.onHit = effect ? module.callbacks.effect : 0;
    options.hitContext = options.effects?.number ?? 0;
  },
  noEntities: (options, value) => { options.wantsNoEntities = Boolean(value); },
};

// Makes a class of options of a struct of C that begins with its size.
export function optionsClass(Struct, setters, what, finish) {
  return class extends Struct {
    mask = layout.ALL_LEVELS;
    _uses = 0;
    filters = {};
    filterCallbacks = null;
    effects = null;
    keptRules = null;
    hasNoCategory = false;
    wantsNoEntities = false;
    wantsBoxes = false;

    // isBrief: free() ends the callbacks, too; else they live as long as something refers to them, as a cursor does.
    constructor(given = {}, isBrief = false) {
      super(memory, 0);
      this.isBrief = isBrief;
      const lasting = memory.lastingMembers(given);
      this.kept = new Kept(this);
      this.at = this.begin = this.kept.take("struct", Struct.size);
      memory.u8.fill(0, this.at, this.at + Struct.size);
      this.structSize = Struct.size;
      filled(this, () => this._apply(lasting));
    }
    // Changes the options that are named, all or none. "FAILED_PRECONDITION" during a query with them.
    set(given) {
      if (this.at === 0) refuseFreed(`${what} have`);
      refuseUsed(this);
      const before = { ...this }, bytes = memory.u8.slice(this.at, this.at + Struct.size);
      const lasting = memory.lastingMembers(given);
      this.kept.change(() => {
        try {
          this._apply(lasting);
        } catch (error) {
          memory.u8.set(bytes, this.at);
          Object.assign(this, before);
          throw error;
        }
      });
      return this;
    }
    _apply(given) {
      members(given, setters, what);
      for (const [name, value] of Object.entries(given)) setters[name]?.(this, value);
      if ("blockFilter" in given || "entityFilter" in given) setFilters(this, given);
      finish(this);
    }
    free() {
      refuseUsed(this);
      if (this.isBrief && this.at !== 0) {
        this.filterCallbacks?.free();
        this.effects?.free();
      }
      this.kept.free();
      this.at = this.begin = 0;
      this.mask = 0;  // refused by every query: 0 as the address would stand for the defaults
    }
    [DISPOSE]() {
      this.free();
    }
  };
}

export class Options extends optionsClass(layout.QueryOptions, SETTERS, "the options", (options) => {
  options.noEntities = options.wantsNoEntities || options.hasNoCategory ? 1 : 0;
}) {}

// The defaults. A null pointer stands for them.
const DEFAULTS = Object.freeze({ at: 0, mask: layout.ALL_LEVELS, effects: null, filterCallbacks: null });

// Returns prepared options: those given, or of a plain object, or the defaults. isBrief: those of a plain object are
// for one call, which frees them.
export function optionsOf(given, isBrief = true) {
  if (given === undefined || given === null) return DEFAULTS;
  if (!(given instanceof Options)) return new Options(given, isBrief);
  if (given.at === 0) refuseFreed("the options have");
  if (given.keptRules !== null && given.keptRules.isFree) refuseFreed("the rules of the options have");
  return given;
}
export { DEFAULTS };

// Returns run(prepared options); frees them at the end if they were made for this call.
export function withOptions(given, run, Class = Options, prepare = optionsOf) {
  const options = prepare(given);
  addUse(options, 1);
  try {
    return run(options);
  } finally {
    endUse(options, given, Class);
  }
}
// Ends the use of options; frees them if they were made for this call.
export function endUse(options, given, Class = Options) {
  addUse(options, -1);
  if (options !== given && options instanceof Class) options.free();
}
// The same for a call that keeps the callbacks of the filters.
export function withKeptFilters(given, run) {
  return withOptions(given, run, Options, (each) => optionsOf(each, false));
}
