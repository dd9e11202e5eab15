// SPDX-License-Identifier: Apache-2.0
// The hits, and the chunks, of a line one by one, on request.

import * as layout from "./layout.js";
import { integer, levelMask } from "./arguments.js";
import { FractalrayError } from "./errors.js";
import { Hits, hitsAt } from "./hits.js";
import { memory, module } from "./module.js";
import { addUse, create, filled, Handle, refuseUsed } from "./owned.js";
import { OwnResult, QueryAnswer } from "./shots.js";

const MOST = 2 ** 20;

// Iterates over the hits of a shot; the world may change between two of them.
export class HitCursor extends Handle {
  #hasThrown = false;
  #hits = new Hits(1);

  constructor(world, line, options) {
    const { mask, at } = options;
    super(create((out) => module.c.frWorld_HitsAlong(world.live, line, mask, at, out), "frDestroyCursor"),
      "frDestroyCursor");
    // Callbacks, and what the world has registered, live as long as the cursor.
    this.kept = [world.kept, options.filterCallbacks];
  }
  // Returns the next hit, which is good until the next call; null at the end. An exception of a filter or a
  // terminal test, which run ahead of the hits, ends the cursor.
  next(hits = this.#hits) {
    return this.take(1, hits).length === 0 ? null : hits;
  }
  // Returns the next hits, at most `most` of them; fewer only at the end.
  take(most, hits = undefined) {
    const wanted = integer(most, "most", 1, MOST), handle = this.live;
    if (hits === undefined) return filled(new Hits(wanted), (made) => this.take(wanted, made));
    if (this.#hasThrown) {
      throw new FractalrayError("FAILED_PRECONDITION",
        "a callback of this cursor has thrown; make another one, with the last hit in the option `after`");
    }
    hitsAt(hits);
    refuseUsed(hits);
    hits._hold(0);  // none are kept
    hits.reserve(wanted);
    const mark = memory.enter(), count = memory.pushZeros(8);
    addUse(hits, 1);
    const result = module.c.frCursor_Next(handle, hits.begin, wanted, count);
    addUse(hits, -1);
    hits._hold(memory.u32[count >>> 2]);
    memory.leave(mark);
    if (result !== 0 || module.hasThrown) {
      this.#hasThrown = module.hasThrown;
      this.fail(result);
    }
    return hits;
  }
  // Returns the answer up to the last hit that was found: its line, budgets, stats and so on.
  get answer() {
    return filled(new OwnResult(), (result) => {
      this.check(module.c.frCursor_GetResult(this.handle, result.at));
      return new QueryAnswer(result);
    });
  }
  // Iterates over the hits, each good until the next. Frees the cursor at the end of the loop.
  *[Symbol.iterator]() {
    try {
      for (let hit; (hit = this.next()) !== null;) yield hit;
    } finally {
      this.free();
    }
  }
}

// The chunks on a line.
export class ChunkCursor extends Handle {
  constructor(world, line, levels, corner, loadedOnly) {
    const mask = levelMask(levels), isLoaded = loadedOnly ? 1 : 0;
    super(create((out) => module.c.frWorld_ChunksOn(world.live, line, mask, corner, isLoaded, out)),
      "frDestroyChunkCursor");
  }
  // Returns the next chunks as plain objects, at most `most` of them; fewer only at the end.
  take(most) {
    const mark = memory.enter(), at = memory.allocate(layout.LineChunk.size * most);
    try {
      const count = memory.pushZeros(8);
      this.check(module.c.frChunkCursor_Next(this.handle, at, most, count));
      const chunk = new layout.LineChunk(memory, at);
      return Array.from({ length: memory.u32[count >>> 2] }, (_, i) => {
        const { level, state, tEnter, tExit } = chunk.move(i);
        return { chunk: [chunk.chunk(0), chunk.chunk(1), chunk.chunk(2)], level, state, tEnter, tExit };
      });
    } finally {
      memory.free(at);
      memory.leave(mark);
    }
  }
}
