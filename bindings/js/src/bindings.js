// SPDX-License-Identifier: Apache-2.0
// Entities that belong to blocks: they move with their block, and are removed with it.

import * as layout from "./layout.js";
import { instance, level as levelNumber, pushIndex, readArray, wide } from "./arguments.js";
import { readHandles } from "./entities.js";
import { memory, module } from "./module.js";
import { create, Handle } from "./owned.js";
import { WindowMove } from "./window.js";

// Direct edits of the world change no binding; the edits here do. Call follow() after every move of the window.
export class Bindings extends Handle {
  #world;
  constructor(world) {
    super(create((out) => module.c.frCreateBindings(world.live, out)), "frDestroyBindings");
    this.#world = world;
  }
  #call(call) {
    const mark = memory.enter();
    try {
      this.check(call());
    } finally {
      memory.leave(mark);
    }
  }
  bind(entity, level, block) {
    this.#call(() => module.c.frBindings_Bind(this.handle, wide(entity, "the entity"), levelNumber(level),
      pushIndex(block, "the block")));
  }
  unbind(entity) {
    this.check(module.c.frBindings_Unbind(this.handle, wide(entity, "the entity")));
  }
  // Unbinds all entities.
  clear() {
    this.check(module.c.frBindings_Clear(this.handle));
  }
  // Returns the level and the index of an entity's block; "NOT_FOUND" if it has none.
  block(entity) {
    const mark = memory.enter();
    try {
      const found = memory.pushStruct(layout.BlockOfLevel);
      this.check(module.c.frBindings_GetBlock(this.handle, wide(entity, "the entity"), found.at));
      return { level: found.level, block: [found.block(0), found.block(1), found.block(2)] };
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the entities of a block, and of all blocks of a chunk.
  entities(level, block) {
    return this.#entities(module.c.frBindings_GetEntities, level, block, "the block");
  }
  entitiesInChunk(level, chunk) {
    return this.#entities(module.c.frBindings_GetEntitiesInChunk, level, chunk, "the chunk");
  }
  #entities(call, level, at, name) {
    const mark = memory.enter();
    try {
      const pushed = pushIndex(at, name);
      return readArray(8, (...to) => call(this.live, levelNumber(level), pushed, ...to), readHandles);
    } finally {
      memory.leave(mark);
    }
  }
  // Moves a block with its entities.
  moveBlock(level, source, target) {
    this.#call(() => module.c.frBindings_MoveBlock(this.handle, levelNumber(level), pushIndex(source, "the source"),
      pushIndex(target, "the target")));
  }
  // Sets a block to air, and removes its entities.
  removeBlock(level, block) {
    this.#call(() =>
      module.c.frBindings_RemoveBlock(this.handle, levelNumber(level), pushIndex(block, "the block")));
  }
  // Unloads a chunk, and removes the entities of its blocks.
  unloadChunk(level, chunk) {
    this.#call(() =>
      module.c.frBindings_UnloadChunk(this.handle, levelNumber(level), pushIndex(chunk, "the chunk")));
  }
  // Removes the entities of blocks whose chunks are no longer loaded. Returns how many.
  removeUnloaded() {
    const mark = memory.enter();
    try {
      const out = memory.pushZeros(8);
      this.check(module.c.frBindings_RemoveUnloaded(this.handle, out));
      return memory.u32[out >>> 2];
    } finally {
      memory.leave(mark);
    }
  }
  // Applies a move of the frame. Returns the entities that are unbound, as their blocks' chunks were dropped.
  follow(move) {
    // The bindings follow once, whether or not the array is long enough.
    const capacity = this.#world.entities.length + instance(move, WindowMove, "the move").evicted.length;
    const mark = memory.enter(), at = memory.allocate(8 * capacity);
    try {
      const count = memory.pushZeros(8);
      this.check(move._with((moved) => module.c.frBindings_Follow(this.handle, moved, at, capacity, count)));
      return readHandles(at, memory.u32[count >>> 2]);
    } finally {
      memory.free(at);
      memory.leave(mark);
    }
  }
}
