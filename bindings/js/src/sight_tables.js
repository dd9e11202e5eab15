// SPDX-License-Identifier: Apache-2.0
// Many questions of sight at once: who sees whom? Methods that worlds and snapshots both have.

import * as layout from "./layout.js";
import { choice, integer, limit, members } from "./arguments.js";
import { Sight } from "./enums.js";
import { invalid, refuseType } from "./errors.js";
import { countOf } from "./line_arrays.js";
import { memory, module } from "./module.js";
import { create, DISPOSE, filled, Handle, liveAt, ownMemory, releaseMemory, whileUsed } from "./owned.js";
import { BoxSight, withSight } from "./sight.js";
import { setVectors, withVectors } from "./vectors.js";

const { UNDECIDED, VISIBLE, HIDDEN } = Sight;
const IF_UNDECIDED = {
  [UNDECIDED]: layout.UNDECIDED_REPORT, [VISIBLE]: layout.UNDECIDED_VISIBLE, [HIDDEN]: layout.UNDECIDED_HIDDEN,
};
const TABLE = { eyeCounts: 0, maxDistance: 0, leftOut: 0, ifUndecided: 0, history: 0 };

// Queries of many eyes and boxes, in the memory of the module.
export class SightQueries {
  // eyes, mins, maxs: arrays of three numbers for each; one point stands for all. Float64Array or Float32Array;
  // in units, BigInt64Array.
  constructor(eyes, mins, maxs) {
    const arrays = memory.lastingEach(eyes, mins, maxs);
    this.length = countOf(...arrays);
    this._uses = 0;
    this.at = ownMemory(this, layout.SightQuery.size * this.length);
    filled(this, () => this.#make(...arrays));
  }
  #make(eyes, mins, maxs) {
    const mark = memory.enter(), copies = [];
    try {
      const [eye, min, max] = [[eyes, "eyes"], [mins, "mins"], [maxs, "maxs"]].map(([given, name]) => {
        const vectors = memory.pushStruct(layout.Vectors);
        copies.push(setVectors(vectors, given, this.length, name, true));
        return vectors.at;
      });
      module.check(module.c.frMakeSightQueries(eye, min, max, this.length, this.at));
    } finally {
      for (const at of copies) if (at !== 0) memory.free(at);
      memory.leave(mark);
    }
  }
  free() {
    if (this.at !== 0) releaseMemory(this, this.at);
    this.at = this.length = 0;
  }
  [DISPOSE]() {
    this.free();
  }
}

// The answers of the last visibleBoxes() that was given it, each with a proof, which the next one tries first: its
// answers are those of a call without a history. Some 100 bytes a pair.
export class SightHistory extends Handle {
  // How the last call answered: all but the first add up to `pairs`.
  last = { pairs: 0, unchanged: 0, byRay: 0, byProof: 0, searched: 0 };

  constructor() {
    super(create((out) => module.c.frCreateSightHistory(out)), "frDestroySightHistory");
  }
  keep({ pairs, unchanged, byRay, byProof, searched }) {
    this.last = { pairs, unchanged, byRay, byProof, searched };
  }
}

function checked(queries) {
  if (!(queries instanceof SightQueries)) refuseType(queries, "the queries", "it must be SightQueries");
  liveAt(queries, "the SightQueries have");
  return queries;
}

function liveHistory(history) {
  if (!(history instanceof SightHistory)) refuseType(history, "history", "it must be a SightHistory");
  return history.live;
}

export class SightTables extends BoxSight {
  // Answers many queries: `answers`, a Uint8Array of the numbers of Sight, UNDECIDED with an error; `results`, an
  // Int32Array, 0 for each without an error; how many `errors`; the text of the first, `firstError`.
  visibleMany(queries, options = undefined) {
    const { length, at } = checked(queries);
    return this.#ask(queries, length, options, (o, out, results) =>
      module.c.frWorld_VisibleMany(this.handle, at, length, o.mask, o.at, out, results),
    (out) => ({ answers: memory.u8.slice(out, out + length) }));
  }
  // Computes many exposures: `from` and `to`, Float64Arrays, and `results`, `errors`, `firstError` as above.
  exposures(queries, options = undefined) {
    const { length, at } = checked(queries), bytes = 8 * length;
    return this.#ask(queries, 2 * bytes, options, (o, out, results) =>
      module.c.frWorld_Exposures(this.handle, at, length, o.mask, o.at, out, out + bytes, results),
    (out) => ({
      from: memory.f64.slice(out >>> 3, (out >>> 3) + length),
      to: memory.f64.slice((out + bytes) >>> 3, ((out + bytes) >>> 3) + length),
    }));
  }
  #ask(queries, bytes, options, call, read) {
    const { length } = queries;
    return withSight(options, (o) => whileUsed([queries], () => {
      const skip = 8 * Math.ceil(bytes / 8), out = memory.allocate(skip + 4 * length);
      try {
        this.check(call(o, out, out + skip));
        const results = memory.i32.slice((out + skip) >>> 2, ((out + skip) >>> 2) + length);
        const errors = results.reduce((sum, each) => sum + (each === 0 ? 0 : 1), 0);
        return { ...read(out), results, errors, firstError: errors > 0 ? module.lastError() : "" };
      } finally {
        memory.free(out);
      }
    }));
  }
  // Finds out who sees whom: a Uint8Array with the number of a Sight for each viewer and box, answers[viewer *
  // boxes + box]. eyes, mins, maxs: three numbers for each, as for SightQueries.
  // table: `eyeCounts`, how many of the eyes, which follow one another, each viewer has, one by default; a viewer
  //     sees what one of its eyes sees. `maxDistance`, in units; eyes farther from a box do not count. `leftOut`, a
  //     Uint8Array with 1 for each pair that is not asked. `ifUndecided`, what pairs beyond maxSteps are: a Sight.
  //     `history`, a SightHistory, which keeps the answers for the next call.
  visibleBoxes(eyes, mins, maxs, options = undefined, table = {}) {
    const { maxDistance, ifUndecided = Sight.UNDECIDED, history } = members(table, TABLE, "the table");
    const [eyeCounts, leftOut] = memory.lastingEach(table.eyeCounts, table.leftOut);
    [eyes, mins, maxs] = memory.lastingEach(eyes, mins, maxs);
    const eyeCount = Math.floor(eyes.length / 3), boxes = Math.floor(mins.length / 3);
    const viewers = eyeCounts === undefined ? eyeCount : eyeCounts.length, pairs = viewers * boxes;
    return withSight(options, (o) => withVectors(eyes, eyeCount, "eyes", (eye) =>
      withVectors(mins, boxes, "mins", (min) => withVectors(maxs, boxes, "maxs", (max) => {
        const mark = memory.enter(), counts = 4 * Math.ceil(pairs / 2);
        const at = memory.allocateZeros(counts + 4 * viewers);
        try {
          const struct = memory.pushSized(layout.SightTableOptions);
          struct.each = o.at;
          struct.ifUndecided = IF_UNDECIDED[choice(ifUndecided, { UNDECIDED, VISIBLE, HIDDEN }, "ifUndecided")];
          struct.maxDistance = limit(maxDistance, "maxDistance");
          if (history !== undefined) struct.history = liveHistory(history);
          const stats = memory.pushStruct(layout.SightTableStats);
          if (leftOut !== undefined) {
            if (leftOut.length !== pairs) invalid(`leftOut has ${leftOut.length} elements; it must have ${pairs}`);
            memory.u8.set(leftOut, at + pairs);
            struct.leftOut = at + pairs;
          }
          if (eyeCounts !== undefined) this.#setCounts(eyeCounts, eyeCount, at + counts);
          const eyesOf = eyeCounts === undefined ? 0 : at + counts;
          this.check(whileUsed([eyes, mins, maxs], () => module.c.frWorld_VisibleBoxes(this.handle, eye, eyesOf,
            viewers, min, max, boxes, o.mask, struct.at, at, stats.at)));
          history?.keep(stats);
          return memory.u8.slice(at, at + pairs);
        } finally {
          memory.free(at);
          memory.leave(mark);
        }
      }))));
  }
  #setCounts(counts, eyes, at) {
    let sum = 0;
    for (let i = 0; i < counts.length; ++i) {
      const count = integer(counts[i], `eyeCounts[${i}]`, 0, 2 ** 32 - 1);
      memory.u32[(at >>> 2) + i] = count;
      sum += count;
    }
    if (sum !== eyes) invalid(`the eyeCounts add up to ${sum}; there are ${eyes} eyes`);
  }
}
