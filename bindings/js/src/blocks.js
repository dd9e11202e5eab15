// SPDX-License-Identifier: Apache-2.0
// Reading blocks and chunks: methods that worlds and snapshots both have.

import * as layout from "./layout.js";
import { exact, level as levelNumber, pushIndex, readArray } from "./arguments.js";
import { memory, module } from "./module.js";
import { Handle } from "./owned.js";

// The blocks along each edge of a chunk.
export const CHUNK = 16;

// Names the argument of a call on one block that is no integer.
export function refuseBlock(level, x, y, z) {
  levelNumber(level);
  exact(x, "x");
  exact(y, "y");
  exact(z, "z");
}

// Calls call(level, min, max) with a level and the addresses of the corners of a box of chunks, both in it.
export function withChunkBox(level, first, last, call) {
  const mark = memory.enter();
  try {
    return call(levelNumber(level), pushIndex(first, "the first chunk"), pushIndex(last, "the last chunk"));
  } finally {
    memory.leave(mark);
  }
}

export class BlockReader extends Handle {
  // Returns the type of a block; undefined if its chunk is not loaded. Makes no garbage.
  getBlock(level, x, y, z) {
    if (!(Number.isSafeInteger(x) && Number.isSafeInteger(y) && Number.isSafeInteger(z) && (level | 0) === level)) {
      return this.#blockAt(level, [x, y, z]);
    }
    const type = module.hot.frjs_GetBlock(this.handle, level, x, y, z);
    if (type >= 0) return type;
    if (type !== -layout.NOT_FOUND) this.fail(-type);
    return undefined;
  }
  // The same for indices beyond 2^53, as BigInts; names an argument that is no integer.
  #blockAt(level, block) {
    refuseBlock(level, ...block);
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      const result = module.c.frWorld_GetBlock(this.handle, level, memory.pushIndex(...block), out);
      if (result === layout.NOT_FOUND) return undefined;
      this.check(result);
      return memory.u16[out >>> 1];
    } finally {
      memory.leave(mark);
    }
  }
  // Describes a chunk; one outside of the frame is absent.
  chunk(level, chunk) {
    const mark = memory.enter();
    try {
      const info = memory.pushStruct(layout.ChunkInfo);
      this.check(module.c.frWorld_GetChunk(this.handle, levelNumber(level), pushIndex(chunk, "the chunk"), info.at));
      return {
        state: info.state, bytes: info.bytes, isUniform: info.isUniform !== 0, isEmpty: info.isEmpty !== 0,
      };
    } finally {
      memory.leave(mark);
    }
  }
  // Copies the types of all blocks of a loaded chunk: that of block (x, y, z) is element x + 16 y + 256 z.
  chunkBlocks(level, chunk, types = new Uint16Array(layout.BLOCKS_PER_CHUNK)) {
    const mark = memory.enter();
    try {
      const at = memory.push(2 * layout.BLOCKS_PER_CHUNK);
      this.check(module.c.frWorld_GetChunkBlocks(this.handle, levelNumber(level), pushIndex(chunk, "the chunk"), at));
      types.set(memory.u16.subarray(at >>> 1, (at >>> 1) + layout.BLOCKS_PER_CHUNK));
      return types;
    } finally {
      memory.leave(mark);
    }
  }
  // Describes a level: its chunks, and the box of the loaded ones, `min` to `max`, null without any.
  level(level) {
    const mark = memory.enter();
    try {
      const info = memory.pushStruct(layout.LevelInfo);
      this.check(module.c.frWorld_GetLevel(this.handle, levelNumber(level), info.at));
      const { loadedChunks, protoChunks } = info, axes = [0, 1, 2];
      return {
        loadedChunks, protoChunks,
        min: loadedChunks > 0 ? axes.map((axis) => info.min(axis)) : null,
        max: loadedChunks > 0 ? axes.map((axis) => info.max(axis)) : null,
      };
    } finally {
      memory.leave(mark);
    }
  }
  // Returns a fingerprint, a BigInt, of the blocks of the chunks from `first` to `last`, which belongs to them.
  fingerprint(level, first, last) {
    return withChunkBox(level, first, last, (number, min, max) => {
      const out = memory.push(8);
      this.check(module.c.frWorld_Fingerprint(this.live, number, min, max, out, 0));
      return memory.u64[out >>> 3];
    });
  }
  // Returns that of each of these chunks, a BigUint64Array, x first.
  chunkFingerprints(level, first, last) {
    return withChunkBox(level, first, last, (...box) => readArray(8,
      (...to) => module.c.frWorld_FingerprintChunks(this.live, ...box, ...to),
      (at, count) => memory.u64.slice(at >>> 3, (at >>> 3) + count)));
  }
  // Returns the indices of the loaded chunks of a level, in their order, x first.
  loadedChunks(level) {
    const number = levelNumber(level);
    return readArray(24, (...to) => module.c.frWorld_GetLoadedChunks(this.live, number, ...to),
      (at, count) => Array.from({ length: count }, (_, i) => memory.readIndex(at + 24 * i)));
  }
}
