// SPDX-License-Identifier: Apache-2.0
// Worlds, snapshots and their queries.
import type { Blast, BlastInit, FoundBlock, FoundEntity } from "./areas.js";
import type { CompactHits, LinesInit, Occlusions, ShotBatch } from "./batches.js";
import type { Index, Triple, Vector, Wide } from "./common.js";
import type { BlockTypes, Entities } from "./contents.js";
import type { ChunkState, Corner, Occlusion, Sight } from "./enums.js";
import type { Hit, HitCursor, Hits, Shot } from "./hits.js";
import type { Line } from "./lines.js";
import type { Freeable, ModuleArray, Numbers, Units } from "./memory.js";
import type { Effect, Options, OptionsInit, Predicate, SightOptions, SightOptionsInit } from "./options.js";
import type { SightHistory, SightQueries, SightQuery, WideBox, Witness } from "./sight.js";
import type { Window } from "./window.js";

export type IdArray = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array |
  ModuleArray<Uint8Array> | ModuleArray<Uint16Array> | ModuleArray<Uint32Array>;
export interface IdLayout {
  /** The blocks along x, y and z. */
  size: Vector;
  /** In elements, from a block to the next along each axis; by default [1, size[0], size[0] * size[1]]. */
  strides?: Vector;
  /** The element of the first block. */
  offset?: number;
  /** The block type of each id; without it ids are block types. */
  types?: ArrayLike<number>;
  /** The ids whose type depends on a state, such as the way a block faces: `values`, a byte for each element of the ids;
   * `types`, by id the block type in each state; `bits`, the lowest bits of a byte that are the state, 8 by default. */
  states?: { values: Uint8Array; types: Map<number, ArrayLike<number>>; bits?: number };
}
export interface ChunkInfo {
  state: ChunkState;
  /** The library's memory for it. */
  bytes: number;
  isUniform: boolean;
  /** True if all blocks are empty in every channel. */
  isEmpty: boolean;
}
export interface LevelInfo {
  loadedChunks: number;
  protoChunks: number;
  /** The box of the loaded chunks, both ends in it; null without any. */
  min: Triple | null;
  max: Triple | null;
}

/** The common part of worlds and snapshots: everything that only reads. */
export abstract class WorldView implements Freeable {
  /** The number of the world in the C interface; 0 once it is freed. */
  readonly handle: number;
  readonly blockTypes: BlockTypes;
  readonly entities: Entities;
  /** The hit of closestHit() and the like by default, good until the next of them. */
  readonly hit: Hits;
  /** The number of active levels; level 0 is the coarsest. */
  readonly levels: number;
  /** The versions of the blocks and of the entities, which grow with every change. */
  readonly versions: [number, number];
  readonly isFree: boolean;

  // Queries along a line. Those of numbers make no garbage with prepared Options, or without.
  /** Finds the first hit between two points; null if there is none. Calls no callbacks but filters. */
  closestHit(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number,
    options?: Options | OptionsInit, hit?: Hits): Hits | null;
  /** Finds the first hit of a ray: a point, a direction of any length but 0, a distance. */
  closestHitOfRay(x: number, y: number, z: number, dx: number, dy: number, dz: number, maxDistance?: number,
    options?: Options | OptionsInit, hit?: Hits): Hits | null;
  /** Finds out if a solid block, or an entity with entitiesBlock, is between two points. */
  occluded(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, options?: Options | OptionsInit): Occlusion;
  closestHitOn(line: Line, options?: Options | OptionsInit, hit?: Hits): Hits | null;
  occludedOn(line: Line, options?: Options | OptionsInit): Occlusion;
  /** Returns the answer of occludedOn(); `hit` is then one of those that block the line, or of the kind NONE. */
  findBlocker(line: Line, options?: Options | OptionsInit, hit?: Hits): Occlusion;
  /**
   * Shoots: calls back for each hit, in order, until one is terminal. Returns `shot` with the hits, or a new one.
   * With effects, hits are searched 4,096 at a time: later ones are those of the world as the effects have left it.
   * Throws "RESOURCE_EXHAUSTED" beyond maxSteps; the error's `shot` has the hits so far, and can be resumed. After other
   * errors a `shot` that was passed may have lost its hits.
   */
  shoot(line: Line, options?: Options | OptionsInit, shot?: Shot): Shot;
  /** Continues a shot after its last hit in the world as it is now. Appends the hits, and returns it. */
  resume(shot: Shot, options?: Options | OptionsInit): Shot;
  /** Returns a cursor over the hits of a shot: `for (const hit of world.hitsAlong(line))`. */
  hitsAlong(line: Line, options?: Options | OptionsInit): HitCursor;
  /** Returns the mirror image of a line in the face of a hit of it, from that time on. */
  reflect(line: Line, hit: Hit, image?: Line): Line;
  /** Returns the parts of a line inside a hit of it, pairs of times: several for a shape with gaps. `options` are those of
   * the query, whose corner policy and channel decide. */
  hitSpans(line: Line, hit: Hit, options?: Options | OptionsInit): [number, number][];
  /** Returns the part of a line in the box of the loaded chunks of each level, the coarsest first. */
  levelParts(line: Line, options?: Options | OptionsInit): { level: number; t0: number; t1: number }[];
  /** Returns the chunks that a line crosses, the finest level first: those that a shot needs loaded. */
  chunksOn(line: Line, options?: { levels?: Iterable<number>; corner?: Corner; loadedOnly?: boolean }):
    { chunk: Triple; level: number; state: ChunkState; tEnter: number; tExit: number }[];

  // Batches. The outcome, with all callbacks, is that of the queries one after another. An error of one line stops no
  // other one.
  /** Finds the first hit of each line. Makes no garbage with `hits` and prepared Options. */
  closestHits(lines: LinesInit, options?: Options | OptionsInit, hits?: CompactHits): CompactHits;
  /** Finds out for each line if it is blocked. Makes no garbage with `occlusions` and prepared Options. */
  occludedMany(lines: LinesInit, options?: Options | OptionsInit, occlusions?: Occlusions): Occlusions;
  shootMany(lines: LinesInit, options?: Options | OptionsInit, batch?: ShotBatch): ShotBatch;
  /** Continues a batch whose maxBatchSteps ran out, with the same lines and options. */
  resumeMany(lines: LinesInit, batch: ShotBatch, options?: Options | OptionsInit): ShotBatch;
  /** Computes the full hit of a line from one in brief: that of a block from the line alone, that of an entity as it is
   * now; "NOT_FOUND" if it is gone, "FAILED_PRECONDITION" if the line no longer hits it at that time. */
  fullHit(line: Line, compact: CompactHits, hit?: Hits): Hits;

  // Sight of boxes.
  /** Finds out if the eye sees any part of the box, exactly. */
  visible(query: SightQuery, options?: SightOptions | SightOptionsInit): Sight;
  /** Returns the answer of visible(), and a line that sees a visible box. */
  findWitness(query: SightQuery, options?: SightOptions | SightOptionsInit): { sight: Sight; witness: Witness | null };
  /** Returns solid boxes that hide a hidden box by themselves, as long as they stay solid; [] for one that is not hidden. */
  findCertificate(query: SightQuery, options?: SightOptions | SightOptionsInit): WideBox[];
  /** Returns the least and the greatest that the share of the box that the eye sees may be: they differ by less than a
   * millionth, unless the box is very thin, and by what is seen through unloaded space. */
  exposure(query: SightQuery, options?: SightOptions | SightOptionsInit): [number, number];
  /** Answers many queries; UNDECIDED for one with an error, whose number in the C interface is in `results`. */
  visibleMany(queries: SightQueries, options?: SightOptions | SightOptionsInit):
    { answers: Uint8Array; results: Int32Array; errors: number; firstError: string };
  /** Computes many exposures; 0 to 1 for one with an error. */
  exposures(queries: SightQueries, options?: SightOptions | SightOptionsInit):
    { from: Float64Array; to: Float64Array; results: Int32Array; errors: number; firstError: string };
  /**
   * Finds out who sees whom: returns a Sight for each viewer and box, in element viewer * boxes + box.
   *
   * @param eyes three numbers for each, as the corners of boxes.
   * @param table eyeCounts: how many of the eyes, which follow one another, each viewer has; one by default; a viewer sees
   *     what one of its eyes sees. maxDistance: in units; eyes farther from a box do not count, and a pair without others is
   *     SKIPPED. leftOut: 1 for each pair that is not asked. ifUndecided: what pairs beyond maxSteps are: Sight.HIDDEN,
   *     VISIBLE or UNDECIDED, the default. history: keeps the answers for the next call; history.last then says how this
   *     one was answered.
   */
  visibleBoxes(eyes: Numbers | Units, mins: Numbers | Units, maxs: Numbers | Units, options?: SightOptions | SightOptionsInit,
    table?: { eyeCounts?: ArrayLike<number>; maxDistance?: number; leftOut?: Uint8Array; ifUndecided?: Sight; history?: SightHistory }): Uint8Array;
  /** Finds the blocks within a radius of an eye of which it sees any part, each list with the nearest first; `undecided` are
   * those for which maxSteps, which is for the whole call, did not suffice. The levels are those of `options`. */
  visibleBlocks(eye: Vector, radius: number, options?: SightOptions | SightOptionsInit,
    which?: { types?: readonly number[]; targets?: Options | OptionsInit }):
    { visible: FoundBlock[]; unknown: FoundBlock[]; undecided: FoundBlock[] };

  // Blasts and searches.
  /** Finds the blocks that an explosion breaks, and the entities that it reaches. Changes nothing. The levels are those of
   * `options`. */
  blast(blast: BlastInit, options?: Options | OptionsInit, sight?: SightOptions | SightOptionsInit): Blast;
  /** Returns the entities whose closed shape touches a closed ball, by distance, then id. */
  entitiesInSphere(center: Vector, radius: number, options?: Options | OptionsInit): FoundEntity[];
  /** Returns the entities whose closed shape touches a closed box, by id. */
  entitiesInBox(min: Vector, max: Vector, options?: Options | OptionsInit): FoundEntity[];
  /** Returns the entities nearest to a point, at most `count`. */
  nearestEntities(position: Vector, count: number, maxDistance?: number, options?: Options | OptionsInit): FoundEntity[];
  /** Returns the blocks, not empty ones, that touch a closed ball, by distance, then the finer level, then index. */
  blocksInSphere(center: Vector, radius: number, options?: Options | OptionsInit): FoundBlock[];
  /** Returns the blocks, not empty ones, that touch a closed box, by level and index. */
  blocksInBox(min: Vector, max: Vector, options?: Options | OptionsInit): FoundBlock[];

  // Blocks.
  /** Returns the type of a block; undefined if its chunk is not loaded. Makes no garbage. */
  getBlock(level: number, x: Wide, y: Wide, z: Wide): number | undefined;
  /** Describes a chunk; one outside of the frame is absent. */
  chunk(level: number, chunk: Index): ChunkInfo;
  /** Copies the types of all blocks of a loaded chunk: that of block (x, y, z) is element x + 16 y + 256 z. */
  chunkBlocks(level: number, chunk: Index, types?: Uint16Array): Uint16Array;
  level(level: number): LevelInfo;
  /** Returns the indices of the loaded chunks of a level, in their order, x first. */
  loadedChunks(level: number): Triple[];
  /** Returns a fingerprint of the blocks of the chunks from `first` to `last`, which belongs to them: of the states of the
   * chunks and the numbers of their blocks' types, the same on every machine. Those of parts add up to that of the whole,
   * modulo 2^64; that of absent chunks is 0n. Compare the meaning of the numbers by blockTypes.fingerprint(). */
  fingerprint(level: number, first: Index, last: Index): bigint;
  /** Returns that of each of these chunks: x changes fastest, then y. */
  chunkFingerprints(level: number, first: Index, last: Index): BigUint64Array;

  free(): void;
  [Symbol.dispose](): void;
}

/** A world as it was at one moment, made by World.snapshot(). */
export class Snapshot extends WorldView {
  private constructor();
}

export interface WorldInit {
  /** Active levels, 1 to 10; 1 by default. */
  levels?: number;
  /** The path of the level-0 chunk (0, 0, 0) from the root, such as "7a3_221". */
  anchor?: string;
  /** A world whose block types this one shares. */
  blockTypesOf?: World | Snapshot;
}

/** A block world with entities, and the queries on it. */
export class World extends WorldView {
  constructor(init?: WorldInit);
  /** Moves the frame through a deep tree. */
  readonly window: Window;
  /** Returns an immutable copy of the world as it is now. */
  snapshot(): Snapshot;

  /** Sets a block of a loaded chunk; "NOT_FOUND" for another. Makes no garbage. */
  setBlock(level: number, x: Wide, y: Wide, z: Wide, type: number): void;
  /** Sets the blocks of a box of loaded chunks, from `first` to `last`, which belongs to it. */
  fillBox(level: number, first: Index, last: Index, type: number): void;
  /** Sets the block at `target` to the type of that at `source`, and `source` to air. */
  moveBlock(level: number, source: Index, target: Index): void;
  /** Loads or replaces a chunk: with blocks of one type, air by default, or of an array of 4,096 block types, of which that
   * of block (x, y, z) is element x + 16 y + 256 z. */
  loadChunk(level: number, chunk: Index, content?: number | IdArray | readonly number[]): void;
  /** Loads or replaces the chunks that an array covers, from `chunk` on, all or none. Copies the ids. */
  loadChunks(level: number, chunk: Index, ids: IdArray | readonly number[], layout: IdLayout): void;
  /** Loads the blocks of a box of any size, whose smallest block is `first`. Chunks that it covers in part keep their other
   * blocks. */
  loadBox(level: number, first: Index, ids: IdArray | readonly number[], layout: IdLayout): void;
  /** Loads the blocks of a box, asking for the type of each. An exception leaves the world as it was. */
  loadBoxOf(level: number, first: Index, last: Index, typeOf: (x: number, y: number, z: number) => number): void;
  /** Adds a placeholder for a chunk that is not loaded yet; "ALREADY_EXISTS" if it is loaded. */
  loadProtoChunk(level: number, chunk: Index): void;
  /** Removes a chunk or a placeholder; "NOT_FOUND" if there is none. */
  unloadChunk(level: number, chunk: Index): void;
  /** Loads the chunk of the next finer level that a block expands into, full of its type. */
  expandBlock(level: number, block: Index): void;

  /** Registers callbacks for hits of a block type, in place of earlier ones; without any, removes these. `isTerminal`
   * decides which hits end the shot; a solid block ends it anyway. */
  onBlockHit(type: number, effect?: Effect | null, tests?: { isTerminal?: Predicate }): void;
  onEntityHit(entityClass: number, effect?: Effect | null, tests?: { isTerminal?: Predicate }): void;
  /** Each registers the effect of all block types, or of all entity classes, without callbacks of their own. */
  onAnyBlockHit(effect: Effect | null | undefined): void;
  onAnyEntityHit(effect: Effect | null | undefined): void;
}
