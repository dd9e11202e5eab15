// SPDX-License-Identifier: Apache-2.0
// The answers of shots: hits in the order of distance, and what belongs to them.

import * as layout from "./layout.js";
import { FractalrayError } from "./errors.js";
import { Hits, statsOf } from "./hits.js";
import { Line } from "./lines.js";
import { memory, module } from "./module.js";
import { ownMemory, releaseMemory } from "./owned.js";

// The hits for which a shot has memory at first: without effects there will be more if need be.
const CAPACITY = 64;
// Hits that a shot with effects searches at a time: those after them are of the world as it is then.
const PIECE = 4096;
// Members of stats that are no steps.
const NO_STEPS = new Set(["chunks", "direct"]);

const time = (value) => (Number.isNaN(value) ? null : value);

// A result with memory of its own: that of the hits of a shot may grow.
export class OwnResult extends layout.QueryResult {
  constructor() {
    super(memory, 0);
    this.at = this.begin = ownMemory(this, layout.QueryResult.size);
    this.structSize = layout.QueryResult.size;
  }
  free() {
    if (this.at !== 0) releaseMemory(this, this.at);
    this.at = this.begin = 0;
  }
}

// Makes the members of an answer that are the same for shots and cursors.
export class QueryAnswer {
  constructor(result) {
    this.result = result;
  }
  // The line, in integers.
  get line() { return new Line()._copy(this.result.line.at); }
  // True if the last hit was terminal.
  get terminated() { return this.result.terminated !== 0; }
  // True if maxHits kept it from reporting more.
  get truncated() { return this.result.truncated !== 0; }
  // The first time at which no level is loaded; null if there is none, or if it was not requested.
  get unknownFrom() { return time(this.result.unknownFrom); }
  // The time at which a budget was used up, or null.
  get stoppedAt() { return time(this.result.stoppedAt); }
  // The amounts left of the eight budgets; null without rules.
  get budgets() { return this.result.hasBudgets ? budgetsOf(this.result) : null; }
  get stats() { return statsOf(this.result.stats); }
  get progress() { return this.result.progress; }
  // The versions of the blocks and of the entities when the query began.
  get versions() { return [this.result.blocksVersion, this.result.entitiesVersion]; }
}

function budgetsOf(result) {
  return Array.from({ length: layout.MAX_BUDGETS }, (_, i) => result.budgets(i));
}

// The answer of shoot() and resume(): Hits, with the members of QueryAnswer.
export class Shot extends Hits {
  #answer;
  constructor(capacity = CAPACITY) {
    super(capacity);
    this.result = new OwnResult();
    this.#answer = new QueryAnswer(this.result);
  }
  get line() { return this.#answer.line; }
  get terminated() { return this.#answer.terminated; }
  get truncated() { return this.#answer.truncated; }
  get unknownFrom() { return this.#answer.unknownFrom; }
  get stoppedAt() { return this.#answer.stoppedAt; }
  get budgets() { return this.#answer.budgets; }
  get stats() { return this.#answer.stats; }
  get progress() { return this.#answer.progress; }
  get versions() { return this.#answer.versions; }
  free() {
    super.free();
    this.result.free();
  }
  // Forgets what an earlier query has answered.
  reset() {
    if (this.begin === 0) throw new FractalrayError("FAILED_PRECONDITION", "the Shot has been freed");
    this.at = this.begin;
    this.length = 0;
    memory.u8.fill(0, this.result.at, this.result.at + layout.QueryResult.size);
    this.result.structSize = layout.QueryResult.size;
    return this;
  }
}

// Calls call(hits, capacity, result), which appends hits to a shot, and again with memory for all of them
// if there are more. Throws with the hits so far.
function append(call, shot) {
  const result = shot.result, size = layout.QueryResult.size, mark = memory.enter();
  let code;
  try {
    const before = memory.push(size);
    memory.u8.copyWithin(before, result.at, result.at + size);
    for (;;) {
      code = call(shot.begin, shot.capacity, result.at);
      if (result.hitCount <= shot.capacity || module.hasThrown) break;
      const wanted = result.hitCount;
      memory.u8.copyWithin(result.at, before, before + size);
      shot.reserve(wanted);
    }
  } finally {
    memory.leave(mark);
  }
  shot.at = shot.begin;
  // After some errors the result is not written.
  shot.length = Math.min(result.hitCount, shot.capacity);
  if (code === 0 && !module.hasThrown) return;
  module.rethrow();
  const error = module.error(code);
  if (result.line.endTime !== 0) error.shot = shot;
  throw error;
}

// Appends all hits at once: nothing is called that may be called only once.
export const appendAll = append;

// Appends hits of a shot whose effects are called once: by `first`, and by `later` for those after each
// piece. The pieces share maxSteps, and the stats are those of all of them. `options` is a copy.
export function appendInPieces(first, later, shot, options) {
  const most = options.maxHits === 0 ? Infinity : shot.length + options.maxHits;
  const maxSteps = options.maxSteps, sum = {};
  for (let call = first; ; call = later) {
    options.maxHits = Math.min(most - shot.length, PIECE);
    if (maxSteps !== 0) options.maxSteps = Math.max(maxSteps - stepsOf(sum), 1);
    shot.reserve(shot.length + options.maxHits);
    try {
      append(call, shot);
    } finally {
      addStats(sum, shot.result.stats);
    }
    if (!shot.truncated || shot.length >= most) return;
  }
}

// Adds to a sum, and makes the stats those of all pieces.
function addStats(sum, stats) {
  for (const [name, value] of Object.entries(statsOf(stats))) stats[name] = sum[name] = (sum[name] ?? 0) + value;
}
function stepsOf(sum) {
  return Object.entries(sum).reduce((total, [name, value]) => (NO_STEPS.has(name) ? total : total + value), 0);
}
