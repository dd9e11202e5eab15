// SPDX-License-Identifier: Apache-2.0
// Many lines, in the memory of the module: what batches are asked.

import * as layout from "./layout.js";
import { instance, integer, members, number, wide } from "./arguments.js";
import { invalid, refuseType } from "./errors.js";
import { hitsOf } from "./hits.js";
import { Line, pushBounds } from "./lines.js";
import { memory } from "./module.js";
import { cancel, DISPOSE, filled, liveAt, ModuleArray, refuseFreed, refuseUsed, whenCollected } from "./owned.js";
import { setVectors } from "./vectors.js";

const MEMBERS = { levels: 0, ignore: 0, after: 0 };

// Returns how many vectors arrays have: one of one vector is for all, which may be none.
export function countOf(...arrays) {
  const lengths = arrays.map((each) => each?.length ?? 0);
  const others = lengths.filter((each) => each !== 3);
  return others.length === 0 ? 1 : Math.ceil(Math.max(...others) / 3);
}

function freeAll(blocks) {
  for (const at of blocks) memory.free(at);
  blocks.length = 0;
}

// Returns the members of lines, whose arrays growth of the memory leaves as they are.
function lastingMembers(given) {
  const { levels, ignore, after } = members(given, MEMBERS, "the lines");
  const ids = Array.isArray(ignore) ? ignore.map((each) => memory.lasting(each)) : memory.lasting(ignore);
  return { levels: memory.lasting(levels), ignore: ids, after };
}

// Made by segments(), rays(), units() and of(), which copy their arrays; a ModuleArray is read in place.
export class Lines {
  #blocks = [];
  // The ModuleArrays that are read in place, if there are any.
  _kept = null;
  _uses = 0;

  constructor() {
    const blocks = this.#blocks;
    whenCollected(this, () => freeAll(blocks), this);
    this.at = this._take(layout.Lines.size);
    memory.u8.fill(0, this.at, this.at + layout.Lines.size);
    this.struct = new layout.Lines(memory, this.at);
    this.struct.structSize = layout.Lines.size;
  }
  get length() {
    return this.at === 0 ? 0 : this.struct.count;
  }
  // Segments from starts to ends: arrays of three numbers for each, or one point for all.
  // given: for each line, `levels`, an array of masks of bits; `ignore`, an array of arrays of ids of entities;
  //     `after`, an array of Hits after which it resumes.
  static segments(starts, ends, given = {}) {
    const [from, to] = memory.lastingEach(starts, ends), own = lastingMembers(given);
    return filled(new Lines(), (lines) => lines._setPair(from, to, "starts", "ends")._setMembers(own));
  }
  // The same in units, 65,536 to a finest block: each a BigInt64Array.
  static units(starts, ends, given = {}) {
    for (const [name, each] of Object.entries({ starts, ends })) {
      if ((each?.Type ?? each?.constructor) !== BigInt64Array) refuseType(each, name, "it must be a BigInt64Array");
    }
    return Lines.segments(starts, ends, given);
  }
  // Rays; `maxDistances` is one number for all, an array, or undefined for infinite ones.
  static rays(origins, directions, maxDistances = undefined, bounds = undefined, given = {}) {
    const [from, to, distances] = memory.lastingEach(origins, directions, maxDistances), own = lastingMembers(given);
    return filled(new Lines(), (lines) => {
      const { struct } = lines._setPair(from, to, "origins", "directions");
      struct.isRays = 1;
      if (distances !== undefined && distances !== null) struct.maxDistances = lines.#distances(distances);
      lines.#setBounds(bounds);
      return lines._setMembers(own);
    });
  }
  // An array of Line.
  static of(list, given = {}) {
    const array = Array.from(list, (line, i) => instance(line, Line, `line ${i}`)._live), size = layout.Line.size;
    const own = lastingMembers(given);
    return filled(new Lines(), (lines) => {
      lines.struct.count = array.length;
      lines.struct.lines = lines._take(size * array.length);
      array.forEach((at, i) => memory.u8.copyWithin(lines.struct.lines + size * i, at, at + size));
      return lines._setMembers(own);
    });
  }
  // The address for a call. Throws once it is freed, or an array that it reads in place.
  get _live() {
    if (this.at === 0) refuseFreed("the Lines have");
    if (this._kept !== null) this.#checkKept();
    return this.at;
  }
  #checkKept() {
    for (let i = 0; i < this._kept.length; ++i) liveAt(this._kept[i], "a ModuleArray of the Lines has");
  }
  #keep(array) {
    this._kept ??= [];
    this._kept.push(array);
  }
  free() {
    refuseUsed(this);
    cancel(this);
    freeAll(this.#blocks);
    this.at = 0;
  }
  [DISPOSE]() {
    this.free();
  }

  _take(bytes) {
    const at = memory.allocate(bytes);
    this.#blocks.push(at);
    return at;
  }
  _setPair(first, second, firstName, secondName) {
    const count = countOf(first, second), struct = this.struct;
    struct.count = count;
    for (const [vectors, given, name] of [[struct.from, first, firstName], [struct.to, second, secondName]]) {
      const copy = setVectors(vectors, given, count, name, true);
      if (copy !== 0) this.#blocks.push(copy);
      else this.#keep(given);
    }
    return this;
  }
  #distances(given) {
    const isInModule = given instanceof ModuleArray, inPlace = isInModule ? given._live : 0;
    if (typeof given !== "number" && given.length !== this.length) {
      invalid(`there are ${given.length} maxDistances; give ${this.length}, or one number`);
    }
    if (isInModule && given.Type === Float64Array) {
      this.#keep(given);
      return inPlace;
    }
    const at = this._take(8 * this.length), array = isInModule ? given.view : given;
    for (let i = 0; i < this.length; ++i) {
      const distance = typeof array === "number" ? number(array, "maxDistances") : Number(array[i]);
      memory.f64[(at >>> 3) + i] = distance;
    }
    return at;
  }
  #setBounds(bounds) {
    const mark = memory.enter();
    try {
      const at = pushBounds(bounds);
      if (at === 0) return;
      this.struct.bounds = this._take(48);
      memory.u8.copyWithin(this.struct.bounds, at, at + 48);
    } finally {
      memory.leave(mark);
    }
  }
  // Takes what lastingMembers() returns.
  _setMembers({ levels, ignore, after }) {
    const struct = this.struct;
    if (levels !== undefined) {
      this.#checkCount(levels, "levels");
      struct.levels = this._take(4 * levels.length);
      for (let i = 0; i < levels.length; ++i) {
        const mask = integer(levels[i], `levels[${i}]`, 0, 2 ** 32 - 1);
        memory.u32[(struct.levels >>> 2) + i] = mask;
      }
    }
    if (ignore !== undefined) {
      this.#checkCount(ignore, "ignore");
      const isOne = (each) => typeof each === "number" || typeof each === "bigint";
      const ids = Array.from(ignore, (each) => (isOne(each) ? [each] : Array.from(each)));
      struct.ignoreEnds = this.#ends(ids.map((each) => each.length));
      const all = ids.flat();
      struct.ignore = this._take(8 * all.length);
      all.forEach((id, i) => {
        const bits = wide(id, "an ignored id");
        memory.u64[(struct.ignore >>> 3) + i] = bits;
      });
    }
    if (after !== undefined) {
      this.#checkCount(after, "after");
      const hits = Array.from(after, (each, i) => hitsOf(each, `after[${i}]`));
      struct.afterEnds = this.#ends(hits.map((each) => each.count));
      let to = struct.after = this._take(layout.Hit.size * hits.reduce((sum, each) => sum + each.count, 0));
      for (const each of hits) {
        each.write(to);
        to += layout.Hit.size * each.count;
      }
    }
    return this;
  }
  #checkCount(given, name) {
    if (given?.length !== this.length) {
      invalid(`${name} has ${given?.length ?? "no"} elements; it must have ${this.length}, one for each line`);
    }
  }
  #ends(lengths) {
    const at = this._take(8 * lengths.length);
    let sum = 0;
    lengths.forEach((length, i) => { memory.u64[(at >>> 3) + i] = BigInt(sum += length); });
    return at;
  }
}

// Calls call(address, count) with lines: Lines, or an array of six numbers for each segment, of which a
// Float64Array is copied, and a ModuleArray is read in place. Makes no garbage.
export function withLines(given, call, self, options, out) {
  if (given instanceof Lines) return call(self, given._live, given.length, options, out);
  return withNumbers(given, call, self, options, out);
}
// The same of an array; apart, so that both are short enough for V8 to compile them into their callers.
function withNumbers(given, call, self, options, out) {
  const isInModule = given instanceof ModuleArray && given.Type === Float64Array;
  if (!isInModule && !(given instanceof Float64Array)) {
    refuseType(given, "the lines", "give Lines, a Float64Array of six numbers for each, or a ModuleArray of one");
  }
  const count = given.length / 6;
  if (!Number.isInteger(count)) {
    invalid(`the lines have ${given.length} numbers; give six for each`);
  }
  const mark = memory.enter(), numbers = memory.lasting(given);
  const at = isInModule ? given._live : memory.allocate(8 * numbers.length);
  try {
    if (!isInModule) memory.f64.set(numbers, at >>> 3);
    const struct = memory.pushZeros(layout.Lines.size);
    pairs.at = struct;
    pairs.structSize = layout.Lines.size;
    pairs.count = count;
    // The vectors of its starts and its ends.
    vectors.at = struct + FROM;
    vectors.data = at;
    vectors.vectorStride = 48;
    vectors.at = struct + TO;
    vectors.data = at + 24;
    vectors.vectorStride = 48;
    return call(self, struct, count, options, out);
  } finally {
    if (!isInModule) memory.free(at);
    memory.leave(mark);
  }
}
const pairs = new layout.Lines(memory, 0), vectors = new layout.Vectors(memory, 0);
const FROM = pairs.from.at, TO = pairs.to.at;
