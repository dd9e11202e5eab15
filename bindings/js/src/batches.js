// SPDX-License-Identifier: Apache-2.0
// Many queries at once: methods that worlds and snapshots both have.

import * as layout from "./layout.js";
import { instance, integer } from "./arguments.js";
import { FractalrayError, invalid } from "./errors.js";
import { faceName, Hits, hitsAt, statsOf } from "./hits.js";
import { withLines } from "./line_arrays.js";
import { memory, module } from "./module.js";
import {
  addUse, create, DISPOSE, filled, Handle, ownMemory, refuseFreed, refuseUsed, releaseMemory, whileUsed,
} from "./owned.js";
import { Options, optionsOf, withOptions } from "./options.js";
import { lineAt, LineQueries } from "./queries.js";
import { OwnResult, QueryAnswer } from "./shots.js";

const MOST = 2 ** 32 - 1;

// Returns the totals of a batch as a plain object.
function summaryOf(batch) {
  const { completed, errors, hits, blocksVersion, entitiesVersion } = batch;
  return { completed, errors, hits, versions: [blocksVersion, entitiesVersion], stats: statsOf(batch.stats) };
}

// Adds to a class of structs: one for each line of a batch, with the line's result, in one piece of memory.
const BatchArray = (Struct, extra) => class extends Struct {
  constructor(capacity) {
    super(memory, 0);
    this.capacity = integer(capacity, "the capacity", 0, 2 ** 24);
    this.length = this._asked = this._uses = 0;
    // The structs, other numbers of 8 bytes for each, the results of 4 bytes, the totals.
    const others = Struct.size * this.capacity, results = others + extra * this.capacity;
    const totals = 8 * Math.ceil((results + 4 * this.capacity) / 8);
    this.at = this.begin = ownMemory(this, totals + layout.BatchResult.size);
    this._others = this.begin + others;
    this._results = this.begin + results;
    this._totals = new layout.BatchResult(memory, this.begin + totals);
    // The text of the first error, "" without one.
    this.firstError = "";
  }
  // Goes to the answer of line i and returns this array, whose members are then those of that answer.
  move(i) {
    if (!Number.isInteger(i) || i < 0 || i >= this.length) this._refuse(i);
    return super.move(i);
  }
  _refuse(i) {
    this._check();
    integer(i, "the answer");
    throw new FractalrayError("OUT_OF_RANGE", `there is no answer ${i} in an array of ${this.length}`);
  }
  _check() {
    if (this.begin === 0) refuseFreed("the answers have");
  }
  // The index of the present answer.
  get index() {
    return (this.at - this.begin) / Struct.size;
  }
  // The number of the error of the present line in the C interface, 0 without one.
  get result() {
    this._check();
    return memory.i32[(this._results >>> 2) + this.index];
  }
  // How many lines have an error.
  get errors() {
    return this._batch.errors;
  }
  get summary() {
    return summaryOf(this._batch);
  }
  get _batch() {
    this._check();
    return this._totals;
  }
  // Prepares for `count` lines. Throws unless there is memory for their answers.
  _begin(count) {
    this._check();
    if (count > this.capacity) {
      invalid(`there are ${count} lines, and memory for ${this.capacity} answers; make more`);
    }
    this._asked = count;
    this._totals.structSize = layout.BatchResult.size;
  }
  // Ends a call that has answered them.
  _end() {
    this.at = this.begin;
    this.length = this._asked;
    this.firstError = this._totals.errors > 0 ? module.lastError() : "";
  }
  free() {
    if (this.begin !== 0) releaseMemory(this, this.begin);
    this.at = this.begin = this.capacity = this.length = 0;
  }
  [DISPOSE]() {
    this.free();
  }
};

// First hits in brief, 64 bytes each: move(i), then the members of the hit of line i.
export class CompactHits extends BatchArray(layout.CompactHit, 8) {
  get isBlock() { return this.kind === layout.HIT_BLOCK; }
  get isEntity() { return this.kind === layout.HIT_ENTITY; }
  get startInside() { return (this.flags & layout.HIT_START_INSIDE) !== 0; }
  get terminal() { return (this.flags & layout.HIT_TERMINAL) !== 0; }
  get face() { return faceName(this.faceAxis, this.faceSign); }
  // The time at which the present line first enters unloaded space; NaN if it does not, or without reportUnknown.
  get unknownFrom() {
    this._check();
    return memory.f64[(this._others >>> 3) + this.index];
  }
}

// Lines of sight: answer(i), or move(i) and what blocks line i.
export class Occlusions extends BatchArray(layout.Blocker, 8) {
  // Returns the Occlusion of line i.
  answer(i) {
    if (!Number.isInteger(i) || i < 0 || i >= this.length) this._refuse(i);
    return memory.u8[this._others + i];
  }
  // Returns a copy of all answers.
  toArray() {
    this._check();
    return memory.u8.slice(this._others, this._others + this.length);
  }
}

// The shots of a batch, and memory that is used again by the next one.
export class ShotBatch extends Handle {
  constructor() {
    super(create((out) => module.c.frCreateShotBatch(out)), "frDestroyShotBatch");
    this.length = this._asked = this._uses = 0;
    this.firstError = "";
  }
  get summary() {
    const mark = memory.enter();
    try {
      const batch = memory.pushSized(layout.BatchResult);
      this.check(module.c.frShotBatch_GetSummary(this.handle, batch.at));
      return summaryOf(batch);
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the answer of shot i, without its hits: `result.hitsBegin` and `result.hitCount` say which these are.
  answer(i) {
    return filled(new OwnResult(), (result) => {
      this.#read(i, result);
      return new QueryAnswer(result);
    });
  }
  // Reads the result of shot i to a struct.
  #read(i, result) {
    this.check(module.c.frShotBatch_GetResults(this.handle, integer(i, "the shot", 0, MOST), 1, result.at));
    return result;
  }
  // Returns hits by their numbers among those of all shots.
  hits(first, count, hits = undefined) {
    const begin = integer(first, "first", 0, MOST), size = integer(count, "count", 0, 2 ** 24);
    if (hits === undefined) return filled(new Hits(Math.max(size, 1)), (made) => this.hits(begin, size, made));
    hitsAt(hits);
    hits.reserve(size);
    this.check(module.c.frShotBatch_GetHits(this.handle, begin, size, hits.begin));
    hits._hold(size);
    return hits;
  }
  // Returns the hits of shot i.
  hitsOf(i, hits = undefined) {
    const mark = memory.enter();
    try {
      const { hitsBegin, hitCount } = this.#read(i, memory.pushSized(layout.QueryResult));
      return this.hits(hitsBegin, hitCount, hits);
    } finally {
      memory.leave(mark);
    }
  }
  // Counts the shots after a call that has failed. By halves: C says no more than whether there are as many.
  _recount() {
    const mark = memory.enter(), to = memory.push(8);
    let low = 0, high = Math.max(this.length, this._asked);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (module.c.frShotBatch_GetResults(this.handle, middle, 0, to) === 0) low = middle;
      else high = middle - 1;
    }
    memory.leave(mark);
    this.length = low;
  }
}

// The calls of batches, as functions that are made once.
function callClosest(world, lines, count, o, hits) {
  hits._begin(count);
  return module.c.frWorld_CompactHits(world.handle, lines, o.mask, o.at, hits.begin, hits._others, hits._results,
    hits._totals.at);
}
function callOccluded(world, lines, count, o, out) {
  out._begin(count);
  return module.c.frWorld_OccludedMany(world.handle, lines, o.mask, o.at, out._others, out.begin, out._results,
    out._totals.at);
}
function callShoot(world, lines, count, o, batch) {
  batch._asked = count;
  return module.c.frWorld_ShootMany(world.handle, lines, o.mask, o.at, batch.live);
}
function callResume(world, lines, count, o, batch) {
  batch._asked = count;
  return module.c.frWorld_ResumeMany(world.handle, lines, o.mask, o.at, batch.live);
}

export class BatchQueries extends LineQueries {
  // Finds the first hit of each line: Lines, or a Float64Array of six numbers for each segment. Returns `hits`,
  // or new CompactHits. An error of one line stops no other one. Makes no garbage with `hits` and prepared options.
  closestHits(lines, options = undefined, hits = undefined) {
    if (!isPrepared(options)) return this._again("closestHits", options, hits, lines);
    if (hits === undefined || hits === null) return this.#batchInto(callClosest, lines, options, CompactHits);
    return this.#batch(callClosest, lines, options, hits, CompactHits);
  }
  // Finds out for each line if it is blocked. Returns `occlusions`, or new ones.
  occludedMany(lines, options = undefined, occlusions = undefined) {
    if (!isPrepared(options)) return this._again("occludedMany", options, occlusions, lines);
    const isNew = occlusions === undefined || occlusions === null;
    if (isNew) return this.#batchInto(callOccluded, lines, options, Occlusions);
    return this.#batch(callOccluded, lines, options, occlusions, Occlusions);
  }
  // Returns new answers.
  #batchInto(call, lines, options, Class) {
    return filled(new Class(lengthOf(lines)), (out) => this.#batch(call, lines, options, out, Class));
  }
  #batch(call, lines, options, out, Class) {
    instance(out, Class, "the answers");
    const o = optionsOf(options), isPlain = o.filterCallbacks === null && out._uses === 0;
    const result = (isPlain ? withLines : withLinesInUse)(lines, call, this, o, out);
    if (result !== 0 || module.hasThrown) this.#fail(result, o);
    out._end();
    return out;
  }
  // Has the options as an argument, which keeps their callbacks alive.
  #fail(result, options) {
    if (options !== null) this.fail(result);
  }
  // Shoots many lines; callbacks run as if the lines were shot one after another.
  shootMany(lines, options = undefined, batch = undefined) {
    if (batch === undefined) return filled(new ShotBatch(), (made) => this.shootMany(lines, options, made));
    return this.#fill(callShoot, lines, options, batch);
  }
  // Continues a batch whose maxBatchSteps ran out, with the same lines and options.
  resumeMany(lines, batch, options = undefined) {
    return this.#fill(callResume, lines, options, batch);
  }
  #fill(call, lines, options, batch) {
    instance(batch, ShotBatch, "the batch");
    refuseUsed(batch);
    return withOptions(options, (o) => whileUsed([lines, batch], () => {
      try {
        this.check(withLines(lines, call, this, o, batch));
      } catch (error) {
        batch._recount();
        throw error;
      }
      batch.length = batch._asked;
      batch.firstError = batch.summary.errors > 0 ? module.lastError() : "";
      return batch;
    }));
  }
  // Computes the full hit of a line from one in brief. "NOT_FOUND" for an entity that is gone, "FAILED_PRECONDITION"
  // for one that the line no longer hits at that time.
  fullHit(line, compact, hit = undefined) {
    if (hit === undefined) return filled(new Hits(1), (made) => this.fullHit(line, compact, made));
    instance(compact, CompactHits, "the hit in brief")._check();
    this.check(module.c.frWorld_GetFullHit(this.handle, lineAt(line), compact.at, hitsAt(hit)));
    hit._hold(1);
    return hit;
  }
}

// The same as withLines(), with options that have filters: what the batch uses stays in memory meanwhile.
function withLinesInUse(lines, call, world, o, out) {
  refuseUsed(out);
  addUse(o, 1);
  addUse(out, 1);
  addUse(lines, 1);
  try {
    return withLines(lines, call, world, o, out);
  } finally {
    addUse(o, -1);
    addUse(out, -1);
    addUse(lines, -1);
  }
}
function isPrepared(options) {
  return options === undefined || options === null || options instanceof Options;
}
// Returns how many lines there are, if they are any.
function lengthOf(lines) {
  return ArrayBuffer.isView(lines) || lines?.Type !== undefined ? Math.ceil(lines.length / 6) : lines?.length ?? 0;
}
