// SPDX-License-Identifier: Apache-2.0
// Loading on demand, and the blocks that a viewer sees.
import type { Index, Triple, Vector, Wide } from "./common.js";
import type { Line } from "./lines.js";
import type { Freeable, Numbers } from "./memory.js";
import type { Options, OptionsInit } from "./options.js";
import type { IdArray, IdLayout, Snapshot, World } from "./worlds.js";

export interface ChunkOfLevel {
  level: number;
  chunk: Triple;
}
/** Options of a streamer; limits of undefined are the library's, Infinity is none. */
export interface StreamOptions {
  /** For each level [load, keep], the reach of a viewer in widths of its chunks, at most 64; a negative `load` stands for a
   * level that is not streamed. [2, 3] by default. */
  radii?: readonly (readonly [number, number])[];
  /** The block types that have a finer chunk to load; by default those that are not empty in every channel. */
  fertile?: readonly number[];
  /** Requested, loaded, and unloaded for being out of reach, in a tick; 64. */
  chunksPerTick?: number;
  /** Of chunks that are loaded in a tick; 4 MiB. */
  bytesPerTick?: number;
  /** Of chunks that are kept loaded; 1 GiB. */
  maxBytes?: number;
  /** Requests that are unanswered, or not loaded yet; 256. */
  maxPending?: number;
  /** Until a request has failed; 1024. */
  answerTicks?: number;
  /** From a failure to the next request, growing up to maxRetryTicks; 8 and 4096. */
  retryTicks?: number;
  maxRetryTicks?: number;
  /** For which want() holds; 256. */
  wantTicks?: number;
}
export interface BlockChange {
  /** The level of the block, with `block` its index over the frame; or `path`, that of its chunk from the root, with
   * `block` 0 to 15. */
  level?: number;
  path?: string;
  block: Index;
  /** undefined for the type that the source supplies. */
  type?: number;
  /** The time, in the caller's numbers, at which revertChanges() undoes it. */
  revertsAt?: Wide;
}
/** Loads the chunks around viewers on demand. */
export class Streamer implements Freeable {
  /** keepsChanges: true to allow setBlocks(); changes live as long as the streamer. */
  constructor(world: World, options?: StreamOptions & { keepsChanges?: boolean });
  /** Replaces the options from the next tick on. */
  setOptions(options: StreamOptions): void;
  /** Loads what has been answered, unloads what is out of reach of all viewers, three numbers each, and requests what is
   * needed. */
  tick(viewers: Numbers): void;
  /** Returns the next requests, in the order of need, with the paths of their chunks: Window.find() has the indices. */
  takeRequests(most?: number): { request: bigint; path: string }[];
  path(request: bigint): string;
  isWanted(request: bigint): boolean;
  /** Answers with a chunk: the type of all blocks, or ids of 16 x 16 x 16 blocks. Returns false if it is no longer wanted. */
  answer(request: bigint, content: number | IdArray | readonly number[], layout?: Omit<IdLayout, "size">): boolean;
  /** Answers that there is no chunk: "NOT_FOUND" for good, any other code to be asked again after growing delays; "UNAVAILABLE"
   * by default. Returns false if it is no longer wanted. */
  refuse(request: bigint, code?: "NOT_FOUND" | "PERMISSION_DENIED" | "RESOURCE_EXHAUSTED" | "INTERNAL" | "UNAVAILABLE" |
    "DATA_LOSS"): boolean;
  /** Names the missing chunks on a line, at most `most`, the nearest first: they are loaded before all others. */
  want(line: Line, most?: number, options?: Options | OptionsInit): ChunkOfLevel[];
  /** Names single chunks. Returns how many of them are missing. */
  wantChunks(chunks: readonly { level: number; chunk: Index }[]): number;
  /** Changes blocks, all or none: at once where chunks are loaded, elsewhere when they are. */
  setBlocks(changes: readonly BlockChange[]): void;
  /** Reverts at most `most` changes whose time is at or before `now`. Returns how many. */
  revertChanges(now: Wide, most?: number): number;
  /** Each returns chunks in the order in which the last tick loaded, or unloaded, them. */
  loaded(): ChunkOfLevel[];
  unloaded(): ChunkOfLevel[];
  /** Totals since the streamer was made; `pending`, `failing`, `chunks` and `bytes` are of now. */
  readonly stats: Record<"ticks" | "requested" | "loaded" | "unloaded" | "evicted" | "nonexistent" | "failed" | "timedOut" |
    "cancelled" | "pending" | "failing" | "chunks" | "bytes", number>;
  readonly isFree: boolean;
  free(): void;
  [Symbol.dispose](): void;
}

export interface Seen {
  level: number;
  /** The tick in which it came into sight, from 1, and that in which a ray hit it last. */
  since: number;
  last: number;
}
/** Finds the blocks in sight of a viewer by many rays in each tick: a sample, not a proof. */
export class Visibility implements Freeable {
  /**
   * @param options rays: of a tick; 2,048 by default. distance: the length of a ray; 256. forgetTicks: without a hit, after
   *     which a block goes out of sight; 32. filter: what can be seen, and what hides. entitiesHide: true if entities hide.
   */
  constructor(world: World, options?: { rays?: number; distance?: number; forgetTicks?: number; filter?: Options | OptionsInit;
    entitiesHide?: boolean });
  /** Shoots the rays of a tick in a world, or in a snapshot of it since the last move of its frame. */
  tick(world: World | Snapshot, view: { from: Vector; direction: Vector; /** -1 for all directions, to 1. */ cosHalfAngle: number }): void;
  /** Forgets everything, for a viewer that has jumped. */
  clear(): void;
  readonly ticks: number;
  /** Each returns "all" in sight, the least recently hit first; or those that "came" or "went" in the last tick. */
  blocks(which?: "all" | "came" | "went"): (Seen & { block: Triple; type: number })[];
  chunks(which?: "all" | "came" | "went"): (Seen & { chunk: Triple })[];
  findBlock(level: number, block: Index): (Seen & { block: Triple; type: number }) | null;
  findChunk(level: number, chunk: Index): (Seen & { chunk: Triple }) | null;
  /** Returns the unknown chunks that rays of the last tick would have entered, those of most rays first. */
  unknown(): ChunkOfLevel[];
  /** Returns loaded chunks that rays of the last tick have entered: for Streamer.wantChunks(), to keep them. */
  entered(): ChunkOfLevel[];
  readonly isFree: boolean;
  free(): void;
  [Symbol.dispose](): void;
}
