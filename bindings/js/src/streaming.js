// SPDX-License-Identifier: Apache-2.0
// Loads the chunks around viewers on demand: the caller takes requests, and answers them when it can.

import * as layout from "./layout.js";
import {
  blockType, elements, index, integer, level as levelNumber, limitOrDefault, members, number, readStructs, readText,
  text, wide,
} from "./arguments.js";
import { CHUNK } from "./blocks.js";
import { invalid, refuseType } from "./errors.js";
import { Ids } from "./ids.js";
import { lineAt } from "./queries.js";
import { memory, module } from "./module.js";
import { withOptions } from "./options.js";
import { create, Handle } from "./owned.js";
import { withVectors } from "./vectors.js";

const LIMITS = {
  chunksPerTick: 0, bytesPerTick: 0, maxBytes: 0, maxPending: 0, answerTicks: 0, retryTicks: 0, maxRetryTicks: 0,
  wantTicks: 0,
};
const NAMES = { radii: 0, fertile: 0, ...LIMITS };
const CHANGE = { path: 0, level: 0, block: 0, type: 0, revertsAt: 0 };
const { DATA_LOSS, INTERNAL, NOT_FOUND, PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAVAILABLE } = layout;
const RESULTS = { DATA_LOSS, INTERNAL, NOT_FOUND, PERMISSION_DENIED, RESOURCE_EXHAUSTED, UNAVAILABLE };
const STATS = [
  "ticks", "requested", "loaded", "unloaded", "evicted", "nonexistent", "failed", "timedOut", "cancelled", "pending",
  "failing", "chunks", "bytes",
];

// Returns a chunk of a level as a plain object.
export function chunkOfLevel(found) {
  return { level: found.level, chunk: [found.chunk(0), found.chunk(1), found.chunk(2)] };
}

// Calls call(address, count) with an array of chunks of levels.
function withChunks(chunks, call) {
  const list = elements(chunks, "the chunks", "objects with level and chunk");
  const at = memory.allocateZeros(layout.ChunkOfLevel.size * list.length);
  try {
    const struct = new layout.ChunkOfLevel(memory, at);
    list.forEach((each, i) => {
      const level = levelNumber(each?.level), chunk = index(each.chunk, `the chunk of element ${i}`);
      struct.move(i).level = level;
      chunk.forEach((component, axis) => struct.setChunkBig(axis, BigInt(component)));
    });
    return call(at, list.length);
  } finally {
    memory.free(at);
  }
}

export class Streamer extends Handle {
  // given: the options of setOptions(), and `keepsChanges`, true to allow setBlocks(): changes are kept in memory,
  //     as long as the streamer.
  constructor(world, { keepsChanges = false, ...options } = {}) {
    const mark = memory.enter();
    try {
      const source = memory.pushSized(layout.ChunkSource);
      source.keepsChanges = keepsChanges ? 1 : 0;
      const make = (at) => create((out) => module.c.frCreateStreamer(world.live, source.at, at, out));
      super(withStreamOptions(options, make), "frDestroyStreamer");
    } finally {
      memory.leave(mark);
    }
  }
  // Replaces the options from the next tick on.
  // radii: for each level [load, keep], the reach of a viewer in widths of a chunk of it; a negative `load` stands
  //     for a level that is not streamed.
  // fertile: the block types that have a finer chunk to load; by default all that are not empty in every channel.
  // chunksPerTick, bytesPerTick, maxBytes, maxPending, answerTicks, retryTicks, maxRetryTicks, wantTicks: limits.
  setOptions(options) {
    this.check(withStreamOptions(options, (at) => module.c.frStreamer_SetOptions(this.handle, at)));
  }
  // Does the work of a tick: loads what has been answered, unloads what is out of reach of all viewers, three numbers
  // each, and requests what is needed.
  tick(viewers) {
    const count = Math.ceil((viewers?.length ?? 0) / 3);
    this.check(withVectors(viewers, count, "viewers", (at) => module.c.frStreamer_Tick(this.handle, at, count)));
  }
  // Returns the next requests, in the order of need: `request`, a BigInt, and the `path` of the chunk from the root.
  takeRequests(most = 64) {
    const capacity = integer(most, "most", 1, 2 ** 20), mark = memory.enter(), at = memory.allocate(8 * capacity);
    try {
      const count = memory.pushZeros(8);
      this.check(module.c.frStreamer_TakeRequests(this.handle, at, capacity, count));
      const requests = Array.from({ length: memory.u32[count >>> 2] }, (_, i) => memory.u64[(at >>> 3) + i]);
      return requests.map((request) => ({ request, path: this.path(request) }));
    } finally {
      memory.free(at);
      memory.leave(mark);
    }
  }
  // Returns the path of a requested chunk; "NOT_FOUND" for a request that is answered or no longer wanted.
  path(request) {
    const number = wide(request, "the request");
    return readText((...to) => module.c.frStreamer_GetRequestPath(this.live, number, ...to));
  }
  isWanted(request) {
    const result = module.c.frStreamer_IsWanted(this.handle, wide(request, "the request"));
    if (result !== layout.NOT_FOUND) this.check(result);
    return result === 0;
  }
  // Answers a request with a chunk: the type of all its blocks, or an array of ids with its layout without a size, as for
  // World.loadChunks(). Returns false if it is no longer wanted.
  answer(request, content, given = {}) {
    const number = wide(request, "the request"), mark = memory.enter();
    let ids = null;
    try {
      const def = memory.pushSized(layout.ChunkDef);
      if (typeof content === "number") {
        def.source = layout.CHUNK_UNIFORM;
        def.uniform = blockType(content);
      } else {
        if (given?.size !== undefined) invalid("the layout has a size; leave it out: a chunk has 16 blocks along each axis");
        ids = new Ids(content, given, [CHUNK, CHUNK, CHUNK]);
        def.source = layout.CHUNK_COPY;
        def.layout = ids.layout;
        def.ids = ids.at;
      }
      return this.#answered(module.c.frStreamer_Answer(this.handle, number, layout.OK, def.at));
    } finally {
      ids?.free();
      memory.leave(mark);
    }
  }
  // Answers a request that has no chunk: "NOT_FOUND" if there never will be one, any other code to be asked again
  // after growing delays. Returns false if it is no longer wanted.
  refuse(request, code = "UNAVAILABLE") {
    const number = wide(request, "the request"), result = RESULTS[code];
    if (!Object.hasOwn(RESULTS, code)) {
      invalid(`the answer is ${String(code)}; it must be one of ${Object.keys(RESULTS).join(", ")}`);
    }
    return this.#answered(module.c.frStreamer_Answer(this.handle, number, result, 0));
  }
  #answered(result) {
    if (result !== layout.NOT_FOUND) this.check(result);
    return result === 0;
  }
  // Names the missing chunks on a line, at most `most` of them, the nearest first: the next ticks load them before
  // all others. Returns them.
  want(line, most = 16, options = undefined) {
    const capacity = integer(most, "most", 1, 2 ** 20), at = lineAt(line);
    return withOptions(options, (o) => readStructs(layout.ChunkOfLevel,
      (...to) => module.c.frStreamer_Want(this.live, at, o.mask, capacity, ...to), chunkOfLevel));
  }
  // Names single chunks, { level, chunk } each. Returns how many of them are missing.
  wantChunks(chunks) {
    const mark = memory.enter();
    try {
      const out = memory.pushZeros(8);
      this.check(withChunks(chunks, (at, count) => module.c.frStreamer_WantChunks(this.handle, at, count, out)));
      return memory.u32[out >>> 2];
    } finally {
      memory.leave(mark);
    }
  }
  // Changes blocks, all or none: at once where chunks are loaded, elsewhere when they are. Each change has `level` and
  // `block`, or the `path` of a chunk and the `block` in it; `type`, undefined for that of the source; and
  // `revertsAt`, a time for revertChanges(), if any.
  setBlocks(changes) {
    const list = elements(changes, "the changes", "objects with block and type");
    const Change = layout.BlockChange, blocks = [memory.allocateZeros(Change.size * list.length)];
    try {
      const struct = new Change(memory, blocks[0]);
      list.forEach((change, i) => writeChange(struct.move(i), change, i, blocks));
      this.check(module.c.frStreamer_SetBlocks(this.handle, blocks[0], list.length));
    } finally {
      for (const at of blocks) memory.free(at);
    }
  }
  // Reverts at most `most` changes whose time is at or before `now`. Returns how many.
  revertChanges(now, most = 2 ** 20) {
    const mark = memory.enter();
    try {
      const out = memory.pushZeros(8), time = wide(now, "now", true);
      this.check(module.c.frStreamer_RevertChanges(this.handle, time, integer(most, "most", 1, 2 ** 31), out));
      return memory.u32[out >>> 2];
    } finally {
      memory.leave(mark);
    }
  }
  // Each returns chunks, { level, chunk }, in the order in which the last tick loaded, or unloaded, them.
  loaded() {
    return this.#ofTick(module.c.frStreamer_GetLoaded);
  }
  unloaded() {
    return this.#ofTick(module.c.frStreamer_GetUnloaded);
  }
  #ofTick(call) {
    return readStructs(layout.ChunkOfLevel, (...to) => call(this.live, ...to), chunkOfLevel);
  }
  // Totals since the streamer was made, and numbers of now.
  get stats() {
    const mark = memory.enter();
    try {
      const stats = memory.pushStruct(layout.StreamStats);
      this.check(module.c.frStreamer_GetStats(this.handle, stats.at));
      return Object.fromEntries(STATS.map((name) => [name, stats[name]]));
    } finally {
      memory.leave(mark);
    }
  }
}

// Writes change i of blocks to a struct of zeros. Appends the addresses of memory that it takes to a list.
function writeChange(struct, change, i, taken) {
  const { path, level = 0, block, type, revertsAt } = members(change, CHANGE, `change ${i}`);
  struct.level = levelNumber(level);
  if (path !== undefined) taken.push(struct.path = memory.allocateText(text(path, `the path of change ${i}`)));
  index(block, `the block of change ${i}`).forEach((each, axis) => struct.setBlockBig(axis, BigInt(each)));
  struct.isRemoved = type === undefined ? 1 : 0;
  struct.type = type === undefined ? 0 : blockType(type);
  struct.reverts = revertsAt === undefined ? 0 : 1;
  struct.revertsAtBig = revertsAt === undefined ? 0n : wide(revertsAt, `revertsAt of change ${i}`, true);
}

// Calls call(address) with options of C.
function withStreamOptions(given, call) {
  const { radii, fertile, ...limits } = members(given, NAMES, "the options"), mark = memory.enter();
  const taken = [];
  try {
    const options = memory.pushSized(layout.StreamOptions);
    if (radii !== undefined) setRadii(options, elements(radii, "radii", "[load, keep]"), taken);
    if (fertile !== undefined) {
      if (!Array.isArray(fertile)) refuseType(fertile, "fertile", "it must be an array of block types");
      setFertile(options, Array.from(fertile, (type) => blockType(type, "a fertile type")), taken);
    }
    for (const [name, value] of Object.entries(limits)) options[name] = limitOrDefault(value, name);
    return call(options.at);
  } finally {
    for (const at of taken) memory.free(at);
    memory.leave(mark);
  }
}
// Each sets members, and appends the address of memory that it takes to a list.
function setRadii(options, radii, taken) {
  const each = new layout.StreamRadii(memory, memory.allocateZeros(layout.StreamRadii.size * radii.length));
  taken.push(each.begin);
  radii.forEach((pair, i) => {
    const load = number(pair?.[0], `radii[${i}][0]`), keep = number(pair[1], `radii[${i}][1]`);
    each.move(i).load = load;
    each.keep = keep;
  });
  options.radii = each.begin;
  options.radiusCount = radii.length;
}
function setFertile(options, types, taken) {
  const count = types.reduce((most, type) => Math.max(most, type + 1), 1), table = memory.allocateZeros(count);
  taken.push(table);
  for (const type of types) memory.u8[table + type] = 1;
  options.fertile = table;
  options.fertileCount = count;
}
