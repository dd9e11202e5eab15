// SPDX-License-Identifier: Apache-2.0
// Finds the blocks in sight of a viewer by many rays in each tick: a sample, not a proof.

import * as layout from "./layout.js";
import {
  instance, level as levelNumber, limitOrDefault, members, number, point, pushIndex, readStructs,
} from "./arguments.js";
import { invalid, refuse } from "./errors.js";
import { memory, module } from "./module.js";
import { withKeptFilters } from "./options.js";
import { create, Handle, whileUsed } from "./owned.js";
import { chunkOfLevel } from "./streaming.js";
import { WorldView } from "./world.js";

const NAMES = { rays: 0, distance: 0, forgetTicks: 0, filter: 0, entitiesHide: 0 };
const VIEW = { from: 0, direction: 0, cosHalfAngle: 0 };
const LISTS = { all: layout.IN_SIGHT, came: layout.CAME_INTO_SIGHT, went: layout.WENT_OUT_OF_SIGHT };

const seenBlock = (seen) => ({
  level: seen.level, block: [seen.block(0), seen.block(1), seen.block(2)], type: seen.type, since: seen.since,
  last: seen.last,
});
const seenChunk = (seen) => ({
  level: seen.level, chunk: [seen.chunk(0), seen.chunk(1), seen.chunk(2)], since: seen.since, last: seen.last,
});

export class Visibility extends Handle {
  // rays: of a tick, 2,048 by default. distance: the length of a ray, 256 by default. forgetTicks: without a hit, after
  //     which a block goes out of sight, 32 by default. filter: Options that say what can be seen, and what hides.
  //     entitiesHide: true if entities hide what is farther.
  constructor(world, given = {}) {
    const { rays, distance, forgetTicks, filter, entitiesHide = false } = members(given, NAMES, "the options");
    const mark = memory.enter();
    try {
      const options = memory.pushSized(layout.VisibilityOptions);
      options.rays = limitOrDefault(rays, "rays");
      // 0 stands for the default.
      if (distance === 0) refuse(distance, "distance", "it must be more than 0", "OUT_OF_RANGE");
      options.distance = distance === undefined ? 0 : number(distance, "distance");
      options.forgetTicks = limitOrDefault(forgetTicks, "forgetTicks");
      const [handle, kept] = withKeptFilters(filter, (o) => {
        options.levels = o.mask;
        options.filter = o.at;
        options.entitiesHide = entitiesHide && !o.hasNoCategory ? 1 : 0;
        return [create((out) => module.c.frCreateVisibility(world.live, options.at, out)), o.filterCallbacks];
      });
      super(handle, "frDestroyVisibility");
      this.kept = kept;  // called as long as this object
    } finally {
      memory.leave(mark);
    }
  }
  // Shoots the rays of a tick in a world, or in a snapshot of it. view: `from`, the `direction` of its axis, and
  // `cosHalfAngle`, from -1, for all directions, to 1.
  tick(world, view) {
    const { from, direction, cosHalfAngle } = members(view, VIEW, "the view"), mark = memory.enter();
    try {
      const cone = memory.pushStruct(layout.ViewCone);
      point(from, "from").forEach((each, axis) => cone.setFrom(axis, each));
      point(direction, "direction").forEach((each, axis) => cone.setDirection(axis, each));
      cone.cosHalfAngle = number(cosHalfAngle, "cosHalfAngle");
      const { live } = instance(world, WorldView, "the world");
      this.check(whileUsed([this], () => module.c.frVisibility_Tick(this.handle, live, cone.at)));
    } finally {
      memory.leave(mark);
    }
  }
  // Forgets everything, for a viewer that has jumped.
  clear() {
    this.check(module.c.frVisibility_Clear(this.handle));
  }
  get ticks() {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.check(module.c.frVisibility_GetTicks(this.handle, out));
      return memory.readU64(out);
    } finally {
      memory.leave(mark);
    }
  }
  // Each returns a list: "all" in sight, the least recently hit first, or those that "came" into sight, or "went" out
  // of it, in the last tick.
  blocks(which = "all") {
    return this.#list(layout.SeenBlock, module.c.frVisibility_GetBlocks, which, seenBlock);
  }
  chunks(which = "all") {
    return this.#list(layout.SeenChunk, module.c.frVisibility_GetChunks, which, seenChunk);
  }
  #list(Struct, call, which, read) {
    const list = LISTS[which];
    if (!Object.hasOwn(LISTS, which)) {
      invalid(`the list is ${String(which)}; it must be one of ${Object.keys(LISTS).join(", ")}`);
    }
    return readStructs(Struct, (...to) => call(this.live, list, ...to), read);
  }
  // Each returns a block, or a chunk, in sight; null if it is not.
  findBlock(level, block) {
    return this.#find(layout.SeenBlock, module.c.frVisibility_FindBlock, level, block, "the block", seenBlock);
  }
  findChunk(level, chunk) {
    return this.#find(layout.SeenChunk, module.c.frVisibility_FindChunk, level, chunk, "the chunk", seenChunk);
  }
  #find(Struct, call, level, at, name, read) {
    const mark = memory.enter();
    try {
      const seen = memory.pushStruct(Struct);
      const result = call(this.handle, levelNumber(level), pushIndex(at, name), seen.at);
      if (result === layout.NOT_FOUND) return null;
      this.check(result);
      return read(seen);
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the unknown chunks that rays of the last tick would have entered, those of most rays first.
  unknown() {
    return this.#ofRays(module.c.frVisibility_GetUnknown);
  }
  // Returns loaded chunks that rays of the last tick have entered: for Streamer.wantChunks(), to keep them.
  entered() {
    return this.#ofRays(module.c.frVisibility_GetEntered);
  }
  #ofRays(call) {
    return readStructs(layout.ChunkOfLevel, (...to) => call(this.live, ...to), chunkOfLevel);
  }
}
