// SPDX-License-Identifier: Apache-2.0
// Loading and editing blocks: methods that only worlds have.

import * as layout from "./layout.js";
import { blockType, callback, index, integer, level as levelNumber, pushIndex } from "./arguments.js";
import { CHUNK, refuseBlock } from "./blocks.js";
import { invalid, refuseType } from "./errors.js";
import { Ids } from "./ids.js";
import { memory, module } from "./module.js";

// A function that returns the type of a block, for C to call until free().
class BlockSource {
  constructor(typeOf) {
    this.typeOf = typeOf;
    this.number = module.addOwner(this, true);
  }
  free() {
    module.removeOwner(this.number);
  }
  block(at) {
    const begin = at >>> 0;
    return blockType(this.typeOf(memory.readI64(begin), memory.readI64(begin + 8), memory.readI64(begin + 16)),
      "the answer of the function");
  }
}

// Returns the blocks along each axis.
function sizeOf(size, name) {
  if (size === undefined) refuseType(size, name, "give the blocks along x, y and z, such as [16, 16, 16]");
  return index(size, name).map((each, axis) => integer(each, `${name}[${axis}]`, 1, 2 ** 24));
}

// Adds the edits to a class of worlds.
export const BlockEditor = (Base) => class extends Base {
  // Sets a block of a loaded chunk. Makes no garbage.
  setBlock(level, x, y, z, type) {
    if (!(Number.isSafeInteger(x) && Number.isSafeInteger(y) && Number.isSafeInteger(z) &&
          (level | 0) === level && (type & 0xffff) === type)) {
      refuseBlock(level, x, y, z);
      blockType(type);
      // Of indices beyond 2^53, as BigInts.
      this.#call((l) => module.c.frWorld_SetBlock(this.handle, l, memory.pushIndex(x, y, z), type), level);
      return;
    }
    const result = module.hot.frjs_SetBlock(this.handle, level, x, y, z, type);
    if (result !== 0) this.fail(result);
  }
  // Sets the blocks of a box of loaded chunks, from `first` to `last`, which belongs to it.
  fillBox(level, first, last, type) {
    this.#call((l) => module.c.frWorld_FillBox(this.handle, l, pushIndex(first, "the first block"),
      pushIndex(last, "the last block"), blockType(type)), level);
  }
  // Sets the block at `target` to the type of that at `source`, and `source` to air.
  moveBlock(level, source, target) {
    this.#call((l) => module.c.frWorld_MoveBlock(this.handle, l, pushIndex(source, "the source"),
      pushIndex(target, "the target")), level);
  }

  // Loads or replaces a chunk: `content` is the type of all blocks, or an array of 4,096 block types, of which
  // that of block (x, y, z) is element x + 16 y + 256 z.
  loadChunk(level, chunk, content = layout.AIR) {
    if (typeof content !== "number") {
      this.loadChunks(level, chunk, content, { size: [CHUNK, CHUNK, CHUNK] });
      return;
    }
    this.#call((l) => {
      const def = memory.pushSized(layout.ChunkDef);
      def.source = layout.CHUNK_UNIFORM;
      index(chunk, "the chunk").forEach((at, axis) => def.setChunkBig(axis, BigInt(at)));
      def.uniform = blockType(content);
      return module.c.frWorld_LoadChunks(this.handle, l, def.at, 1);
    }, level);
  }
  // Loads or replaces the chunks that an array covers, from `chunk` on: all of them or none. Each size is a
  // multiple of 16. A plain array of block types does too.
  loadChunks(level, chunk, ids, given = {}) {
    const size = sizeOf(given.size, "size"), first = index(chunk, "the chunk");
    size.forEach((each, axis) => {
      if (each % CHUNK !== 0) {
        invalid(`size[${axis}] is ${each}; it must be a multiple of ${CHUNK}; loadBox copies a box of any size`);
      }
    });
    const parts = size.map((each) => each / CHUNK), count = parts[0] * parts[1] * parts[2];
    this.#withIds(ids, given, size, level, (made, l) => {
      const defs = memory.allocateZeros(layout.ChunkDef.size * count), def = new layout.ChunkDef(memory, defs);
      try {
        for (let i = 0; i < count; ++i) {
          const at = [i % parts[0], Math.floor(i / parts[0]) % parts[1], Math.floor(i / (parts[0] * parts[1]))];
          def.move(i).structSize = layout.ChunkDef.size;
          def.source = layout.CHUNK_COPY;
          at.forEach((part, axis) => def.setChunkBig(axis, BigInt(first[axis]) + BigInt(part)));
          def.layout = made.layout;
          def.ids = made.addressOf(CHUNK * at[0], CHUNK * at[1], CHUNK * at[2]);
        }
        return module.c.frWorld_LoadChunks(this.handle, l, defs, count);
      } finally {
        memory.free(defs);
      }
    });
  }
  // Loads the blocks of a box of any size, whose smallest block is `first`, from an array. Chunks that it covers
  // in part keep their other blocks.
  loadBox(level, first, ids, given = {}) {
    const size = sizeOf(given.size, "size"), min = index(first, "the first block");
    const max = min.map((at, axis) => BigInt(at) + BigInt(size[axis] - 1));
    this.#withIds(ids, given, size, level, (made, l) => module.c.frWorld_LoadBoxIds(this.handle, l,
      memory.pushIndex(...min), memory.pushIndex(...max), made.layout, made.at));
  }
  // Loads the blocks of a box from `first` to `last`, which belongs to it, asking typeOf(x, y, z) for each.
  loadBoxOf(level, first, last, typeOf) {
    if (callback(typeOf, "typeOf") === undefined) refuseType(typeOf, "typeOf", "it must be a function");
    const source = new BlockSource(typeOf);
    try {
      this.#call((l) => module.c.frWorld_LoadBox(this.handle, l, pushIndex(first, "the first block"),
        pushIndex(last, "the last block"), module.callbacks.block, source.number), level);
    } finally {
      source.free();
    }
  }
  #withIds(ids, given, size, level, call) {
    const made = new Ids(ids, given, size);
    try {
      this.#call((l) => call(made, l), level);
    } finally {
      made.free();
    }
  }

  // Adds a placeholder for a chunk that is not loaded yet.
  loadProtoChunk(level, chunk) {
    this.#call((l) => module.c.frWorld_LoadProtoChunk(this.handle, l, pushIndex(chunk, "the chunk")), level);
  }
  // Removes a chunk or a placeholder; "NOT_FOUND" if there is none.
  unloadChunk(level, chunk) {
    this.#call((l) => module.c.frWorld_UnloadChunk(this.handle, l, pushIndex(chunk, "the chunk")), level);
  }
  // Loads the chunk of the next finer level that a block expands into, full of its type.
  expandBlock(level, block) {
    this.#call((l) => module.c.frWorld_ExpandBlock(this.handle, l, pushIndex(block, "the block")), level);
  }
  #call(call, level) {
    const mark = memory.enter();
    try {
      this.check(call(levelNumber(level)));
    } finally {
      memory.leave(mark);
    }
  }
};
