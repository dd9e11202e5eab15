// SPDX-License-Identifier: Apache-2.0
// Moving the frame of a world through a tree of any depth.

import * as layout from "./layout.js";
import { exactNumber, level as levelNumber, pushIndex, pushText, readArray, readText, units } from "./arguments.js";
import { memory, module } from "./module.js";

// Returns an array of ids; those beyond 2^53 are BigInts.
function readIds(at, count) {
  return Array.from({ length: count }, (_, i) => exactNumber(memory.u64[(at >>> 3) + i]));
}

// A move of the frame; converts indices and points from before the move to after it.
export class WindowMove {
  #bytes;
  constructor(move, evicted) {
    const { frameMove } = move;
    this.kind = frameMove.kind;
    // The number of chunks that are no longer in the frame, and the ids of such entities, ascending.
    this.droppedChunks = move.droppedChunks;
    this.evicted = evicted;
    this.#bytes = memory.u8.slice(frameMove.at, frameMove.at + layout.FrameMove.size);
  }
  // Calls call(address) with the move in the memory of the module.
  _with(call) {
    const mark = memory.enter();
    try {
      const at = memory.push(layout.FrameMove.size);
      memory.u8.set(this.#bytes, at);
      return call(at);
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the level and the index of a chunk after the move; null if it is dropped.
  chunk(level, chunk) {
    return this.#convert(module.c.frFrameMove_Chunk, level, chunk, "chunk");
  }
  // The same of a block.
  block(level, block) {
    return this.#convert(module.c.frFrameMove_Block, level, block, "block");
  }
  #convert(call, level, at, name) {
    return this._with((move) => {
      const out = memory.pushZeros(40);
      module.check(call(move, levelNumber(level), pushIndex(at, `the ${name}`), out + 24, out, out + 32));
      if (memory.i32[(out + 32) >>> 2] === 0) return null;
      return { level: memory.i32[(out + 24) >>> 2], [name]: memory.readIndex(out) };
    });
  }
  // Returns a point in units, three BigInts, after the move; null if it is no longer in the frame.
  point(at) {
    return this._with((move) => {
      const given = memory.push(24), out = memory.pushZeros(32);
      units(at, "the point").forEach((each, axis) => { memory.i64[(given >>> 3) + axis] = each; });
      module.check(module.c.frFrameMove_Point(move, given, out, out + 24));
      if (memory.i32[(out + 24) >>> 2] === 0) return null;
      return [0, 1, 2].map((axis) => memory.i64[(out >>> 3) + axis]);
    });
  }
}

// The frame of a world: the few levels of a deep tree that are active.
export class Window {
  #world;
  constructor(world) {
    this.#world = world;
  }
  // The path of the level-0 chunk (0, 0, 0) from the root, such as "7a3_221".
  get anchor() {
    return readText((...to) => module.c.frWorld_GetAnchor(this.#world.live, ...to));
  }
  // Returns the path of a chunk from the root, which no move changes.
  path(level, chunk) {
    const mark = memory.enter();
    try {
      const at = pushIndex(chunk, "the chunk");
      return readText((...to) => module.c.frWorld_GetPath(this.#world.live, levelNumber(level), at, ...to));
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the level and the index of the chunk at the end of a path; "OUT_OF_RANGE" if it is not in the frame.
  find(path) {
    const mark = memory.enter();
    try {
      const out = memory.pushZeros(32);
      this.#world.check(module.c.frWorld_FindPath(this.#world.live, pushText(path, "the path"), out + 24, out));
      return { level: memory.i32[(out + 24) >>> 2], chunk: memory.readIndex(out) };
    } finally {
      memory.leave(mark);
    }
  }
  // Moves the frame into the level-1 chunk `chunk`, which becomes the level-0 chunk (0, 0, 0).
  descend(chunk) {
    return this.#move((out) => module.c.frWorld_Descend(this.#world.live, pushIndex(chunk, "the chunk"), out, 0));
  }
  // Moves the frame to the parent of the level-0 chunk (0, 0, 0), which becomes that chunk.
  climb() {
    return this.#move((out) => module.c.frWorld_Climb(this.#world.live, out, 0));
  }
  // Moves the frame to the level-0 chunk `chunk`, which becomes the level-0 chunk (0, 0, 0).
  recenter(chunk) {
    return this.#move((out) => module.c.frWorld_Recenter(this.#world.live, pushIndex(chunk, "the chunk"), out, 0));
  }
  #move(call) {
    const mark = memory.enter();
    try {
      const move = memory.pushSized(layout.WindowMove);
      this.#world.check(call(move.at));
      const evicted = readArray(8, (...to) => module.c.frWorld_GetEvicted(this.#world.live, ...to), readIds);
      return new WindowMove(move, evicted);
    } finally {
      memory.leave(mark);
    }
  }
}

// Follows a path down from a chunk. Returns the chunk at its end, and how many levels down it is.
export function followPath(path, ancestor) {
  const mark = memory.enter();
  try {
    const out = memory.pushZeros(32);
    const text = pushText(path, "the path"), from = pushIndex(ancestor, "the ancestor");
    module.check(module.c.frFollowPath(text, from, out, out + 24));
    return { chunk: memory.readIndex(out), steps: memory.i32[(out + 24) >>> 2] };
  } finally {
    memory.leave(mark);
  }
}
