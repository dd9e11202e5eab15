// SPDX-License-Identifier: Apache-2.0
// The answers of shots: hits in the order of distance, and what belongs to them.

import * as layout from "./layout.js";
import { Hits, statsOf } from "./hits.js";
import { Line } from "./lines.js";
import { memory, module } from "./module.js";
import { addUse, DISPOSE, ownMemory, refuseFreed, refuseUsed, releaseMemory } from "./owned.js";

// The hits for which a shot has memory at first: without effects there will be more if need be.
const CAPACITY = 64;
// Hits that a shot with effects searches at a time: those after them are of the world as it is then.
const PIECE = 4096;
// The buffers of pieces that are kept: of that many shots within effects of one another.
const KEPT_BUFFERS = 4;
// Members of stats that are no steps.
const NO_STEPS = new Set(["chunks", "direct"]);

const time = (value) => (Number.isNaN(value) ? null : value);

// A result with memory of its own: that of the hits of a shot may grow.
export class OwnResult extends layout.QueryResult {
  constructor() {
    super(memory, 0);
    this.at = this.begin = ownMemory(this, layout.QueryResult.size);
    this._uses = 0;
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
  get #live() {
    if (this.result.at === 0) refuseFreed("the answer has");
    return this.result;
  }
  // The line, in integers.
  get line() { return new Line()._copy(this.#live.line.at); }
  // True if the last hit was terminal.
  get terminated() { return this.#live.terminated !== 0; }
  // True if maxHits kept it from reporting more.
  get truncated() { return this.#live.truncated !== 0; }
  // The first time at which no level is loaded; null if there is none, or if it was not requested.
  get unknownFrom() { return time(this.#live.unknownFrom); }
  // The time at which a budget was used up, or null.
  get stoppedAt() { return time(this.#live.stoppedAt); }
  // The amounts left of the eight budgets; null without rules.
  get budgets() { return this.#live.hasBudgets ? budgetsOf(this.result) : null; }
  get stats() { return statsOf(this.#live.stats); }
  get progress() { return this.#live.progress; }
  // The versions of the blocks and of the entities when the query began.
  get versions() { return [this.#live.blocksVersion, this.result.entitiesVersion]; }
  free() {
    this.result.free();
  }
  [DISPOSE]() {
    this.free();
  }
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
  // Throws for a shot that has been freed, or that a call uses.
  checkIdle() {
    if (this.begin === 0) refuseFreed("the Shot has");
    refuseUsed(this);
  }
  // Forgets what an earlier query has answered.
  reset() {
    this.checkIdle();
    this._hold(0);
    return this;
  }
  // Forgets the answer of a query, too: the hits are others now, and resume() refuses them.
  _hold(count) {
    super._hold(count);
    memory.u8.fill(0, this.result.at, this.result.at + layout.QueryResult.size);
    this.result.structSize = layout.QueryResult.size;
  }
  // Makes a line that of the hits.
  _setLine(line) {
    memory.u8.copyWithin(this.result.line.at, line, line + layout.Line.size);
    this.result.unknownFrom = this.result.stoppedAt = NaN;
    this.result.terminated = this.length > 0 && this.move(this.length - 1).terminal ? 1 : 0;
    this.at = this.begin;
  }
}

// Returns call(shot) of a new shot. If that throws, frees the shot unless the error has it.
export function withNewShot(call) {
  const shot = new Shot();
  try {
    return call(shot);
  } catch (error) {
    if (error?.shot !== shot) shot.free();
    throw error;
  }
}

// Appends hits to an array of those of a shot, which stays as it is meanwhile. line: that of a new shot; null to
// resume. Returns the result's code.
function append(world, line, options, maxHits, maxSteps, hits, shot) {
  addUse(shot, 1);
  addUse(shot.result, 1);
  try {
    return module.hot.frjs_Shoot(world.live, line === null ? 0 : line.at, options.mask, options.at, maxHits, maxSteps,
      hits.begin, hits.capacity, shot.result.at);
  } finally {
    addUse(shot, -1);
    addUse(shot.result, -1);
  }
}
// Ends a call that has returned a code. Throws its error with the hits so far.
function finish(code, shot) {
  if (code === 0 && !module.hasThrown) return;
  module.rethrow();
  const error = module.error(code);
  if (shot.result.line.endTime !== 0) error.shot = shot;
  throw error;
}
// Returns the limit of hits and that of steps of options; 0 stands for none, and for the default.
function limitsOf(options) {
  return options.at === 0 ? { maxHits: 0, maxSteps: 0 } : options;
}

// Appends all hits at once, and again with memory for all of them if there are more: nothing is called that may be
// called only once.
export function appendAll(world, line, options, shot) {
  const result = shot.result, size = layout.QueryResult.size, mark = memory.enter();
  const { maxHits, maxSteps } = limitsOf(options);
  let code;
  addUse(line, 1);
  try {
    const before = memory.push(size);
    memory.u8.copyWithin(before, result.at, result.at + size);
    for (;;) {
      code = append(world, line, options, maxHits, maxSteps, shot, shot);
      if (result.hitCount <= shot.capacity || module.hasThrown) break;
      const wanted = result.hitCount;
      memory.u8.copyWithin(result.at, before, before + size);
      shot.reserve(wanted);
    }
  } finally {
    addUse(line, -1);
    memory.leave(mark);
  }
  shot.at = shot.begin;
  // After some errors the result is not written.
  shot.length = Math.min(result.hitCount, shot.capacity);
  finish(code, shot);
}

// Hits to which pieces are written, for shots of any depth that run.
const buffers = [];

// Appends at most maxHits hits by one call, which writes all hits of the shot to a buffer.
function appendPiece(world, line, options, maxHits, maxSteps, shot, buffer) {
  const size = layout.Hit.size, before = shot.length;
  buffer.reserve(before + maxHits);
  if (before > 0) memory.u8.copyWithin(buffer.begin, shot.begin, shot.begin + size * before);
  const code = append(world, line, options, maxHits, maxSteps, buffer, shot);
  const count = Math.min(shot.result.hitCount, before + maxHits);
  shot.length = Math.min(before, count);
  shot.reserve(count);
  memory.u8.copyWithin(shot.begin + size * before, buffer.begin + size * before, buffer.begin + size * count);
  shot.at = shot.begin;
  shot.length = count;
  finish(code, shot);
}

// Appends hits of a shot whose effects are called once, piece by piece: each after the first resumes the shot. The
// pieces share maxSteps, and the stats are those of all of them.
export function appendInPieces(world, line, options, shot) {
  const { maxHits, maxSteps } = limitsOf(options), most = maxHits === 0 ? Infinity : shot.length + maxHits;
  const buffer = buffers.pop() ?? new Hits(PIECE);
  let before = null;  // the stats of earlier pieces
  try {
    for (let from = line; ; from = null) {
      const steps = maxSteps !== 0 && before !== null ? Math.max(maxSteps - stepsOf(before), 1) : maxSteps;
      try {
        appendPiece(world, from, options, Math.min(most - shot.length, PIECE), steps, shot, buffer);
      } finally {
        if (before !== null) addStats(shot.result.stats, before);
      }
      if (!shot.truncated || shot.length >= most) return;
      before = statsOf(shot.result.stats);
    }
  } finally {
    // Those of long shots are not kept.
    if (buffers.length < KEPT_BUFFERS && buffer.capacity <= 2 * PIECE) buffers.push(buffer);
    else buffer.free();
  }
}

// Makes the stats of a piece those of all pieces.
function addStats(stats, before) {
  for (const [name, value] of Object.entries(before)) stats[name] += value;
}
function stepsOf(sum) {
  return Object.entries(sum).reduce((total, [name, value]) => (NO_STEPS.has(name) ? total : total + value), 0);
}
