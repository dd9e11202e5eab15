// SPDX-License-Identifier: Apache-2.0
// Moving the frame, and entities that belong to blocks.
import type { Index, Triple, Wide, WideVector } from "./common.js";
import type { MoveKind } from "./enums.js";
import type { Freeable } from "./memory.js";
import type { World } from "./worlds.js";

/** A move of the frame; converts indices and points from before the move to after it. */
export class WindowMove {
  private constructor();
  readonly kind: MoveKind;
  /** The number of chunks that are no longer in the frame. */
  readonly droppedChunks: number;
  /** The ids of entities that are no longer in the frame, ascending; those beyond 2^53 as BigInts. */
  readonly evicted: Wide[];
  /** Each returns where something is after the move; null if it is no longer in the frame. */
  chunk(level: number, chunk: Index): { level: number; chunk: Triple } | null;
  block(level: number, block: Index): { level: number; block: Triple } | null;
  /** The same of a point in units. */
  point(units: WideVector): [bigint, bigint, bigint] | null;
}
/** The frame of a world: the few levels of a deep tree that are active. */
export interface Window {
  /** The path of the level-0 chunk (0, 0, 0) from the root. */
  readonly anchor: string;
  /** Returns the path of a chunk from the root, which no move changes. */
  path(level: number, chunk: Index): string;
  /** Returns the chunk at the end of a path; "OUT_OF_RANGE" if it is not in the frame. */
  find(path: string): { level: number; chunk: Triple };
  /** Moves the frame into the level-1 chunk `chunk`, which becomes the level-0 chunk (0, 0, 0). */
  descend(chunk: Index): WindowMove;
  /** Moves the frame to the parent of the level-0 chunk (0, 0, 0), which becomes that chunk. */
  climb(): WindowMove;
  /** Moves the frame to the level-0 chunk `chunk`, which becomes the level-0 chunk (0, 0, 0). */
  recenter(chunk: Index): WindowMove;
}
/** Follows a path down from a chunk. Returns the chunk at its end, and how many levels down it is. */
export function followPath(path: string, ancestor: Index): { chunk: Triple; steps: number };

/** Entities that belong to blocks: they move with their block, and are removed with it, by the edits here alone. Call
 * follow() after every move of the window. */
export class Bindings implements Freeable {
  constructor(world: World);
  bind(entity: Wide, level: number, block: Index): void;
  unbind(entity: Wide): void;
  /** Unbinds all entities. */
  clear(): void;
  /** Returns the block of an entity; "NOT_FOUND" if it has none. */
  block(entity: Wide): { level: number; block: Triple };
  entities(level: number, block: Index): number[];
  entitiesInChunk(level: number, chunk: Index): number[];
  moveBlock(level: number, source: Index, target: Index): void;
  /** Sets a block to air, and removes its entities. */
  removeBlock(level: number, block: Index): void;
  /** Unloads a chunk, and removes the entities of its blocks. */
  unloadChunk(level: number, chunk: Index): void;
  /** Removes the entities of blocks whose chunks are no longer loaded. Returns how many. */
  removeUnloaded(): number;
  /** Applies a move of the frame. Returns the entities that are unbound, as their blocks' chunks were dropped. */
  follow(move: WindowMove): number[];
  readonly isFree: boolean;
  free(): void;
  [Symbol.dispose](): void;
}
