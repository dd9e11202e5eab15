// SPDX-License-Identifier: Apache-2.0
// Made by tools/scripts/generate_bindings.py from bindings/c/fractalray_c.h, which documents it; do
// not edit.

import type { Wide } from "../types/common.js";
import type { Memory } from "./memory.js";

export const VERSION_MAJOR: 0;
export const VERSION_MINOR: 1;
export const VERSION_PATCH: 0;
export const VERSION: 1000;
export const OK: 0;
export const INVALID_ARGUMENT: 3;
/** a server has not answered in time */
export const DEADLINE_EXCEEDED: 4;
export const NOT_FOUND: 5;
export const ALREADY_EXISTS: 6;
/** by the system, of a file; by a server, of a token */
export const PERMISSION_DENIED: 7;
/** a limit that was set, or memory: frGetLastError() says which */
export const RESOURCE_EXHAUSTED: 8;
export const FAILED_PRECONDITION: 9;
/** a server does not have a version in time; try again */
export const ABORTED: 10;
/** beyond the frame of the world, or an array is too short */
export const OUT_OF_RANGE: 11;
/** a part that this library was built without */
export const UNIMPLEMENTED: 12;
/** a C++ exception of a callback or of the library */
export const INTERNAL: 13;
/** a file that stays locked, a server that is gone; try again */
export const UNAVAILABLE: 14;
/** a damaged or truncated file */
export const DATA_LOSS: 15;
export const MAX_LEVELS: 10;
export const MAX_BUDGETS: 8;
export const ALL_LEVELS: 1023;
export const UNITS_PER_BLOCK: 65536;
export const BLOCKS_PER_CHUNK: 4096;
export const AIR: 0;
/** in a table of ids: the caller does not use this id */
export const NO_BLOCK_TYPE: 65535;
/** kinds of blocks */
export const SOLID: 0;
/** kinds of blocks */
export const PERMEABLE: 1;
/** kinds of blocks */
export const EMPTY: 2;
export const CORNER_BOTH: 0;
export const CORNER_NEITHER: 1;
export const CORNER_STAIRCASE: 2;
/** responses to a hit */
export const CONTINUE: 0;
/** responses to a hit */
export const STOP: 1;
/** responses to a hit */
export const AGAIN: 2;
/** lines of sight */
export const CLEAR: 0;
/** lines of sight */
export const BLOCKED: 1;
/** lines of sight */
export const UNKNOWN: 2;
/** states of a chunk */
export const ABSENT: 0;
/** states of a chunk */
export const PROTO: 1;
/** states of a chunk */
export const LOADED: 2;
export const SPHERE: 0;
export const BOX: 1;
export const HIT_NONE: 0;
export const HIT_BLOCK: 1;
export const HIT_ENTITY: 2;
/** a shot of a batch */
export const DONE: 0;
/** a shot of a batch */
export const OUT_OF_STEPS: 1;
/** a shot of a batch */
export const NOT_STARTED: 2;
/** numbers of frVectors */
export const F64: 0;
/** numbers of frVectors */
export const F32: 1;
/** numbers of frVectors */
export const UNITS: 2;
/** all blocks are `uniform` */
export const CHUNK_UNIFORM: 0;
/** a copy of `ids` */
export const CHUNK_COPY: 1;
/** reads `ids`, which stay at their address while it is loaded */
export const CHUNK_BORROW: 2;
/** the same, and edits write to them */
export const CHUNK_BORROW_FOR_WRITING: 3;
/** unloads the chunk, if it is there */
export const CHUNK_UNLOAD: 4;
export const SET_LEVEL: 1;
export const SET_CATEGORIES: 2;
export const SET_POSITION: 4;
/** and its size */
export const SET_SHAPE: 8;
export const SET_CLASS: 16;
export const RULE_CONTINUE: 0;
export const RULE_STOP: 1;
export const RULE_COST: 2;
export const HIT_TERMINAL: 1;
export const HIT_START_INSIDE: 2;
export const SIGHT_HIDDEN: 0;
export const SIGHT_UNKNOWN: 1;
export const SIGHT_VISIBLE: 2;
export const SIGHT_UNDECIDED: 3;
/** of frWorld_VisibleBoxes alone: not asked */
export const SIGHT_SKIPPED: 4;
/** Unloaded space makes a box unknown, is air, or is solid. */
export const UNLOADED_REPORT: 0;
/** Unloaded space makes a box unknown, is air, or is solid. */
export const UNLOADED_TRANSPARENT: 1;
/** Unloaded space makes a box unknown, is air, or is solid. */
export const UNLOADED_OPAQUE: 2;
/** The answer of pairs that max_steps left undecided. */
export const UNDECIDED_REPORT: 0;
/** The answer of pairs that max_steps left undecided. */
export const UNDECIDED_VISIBLE: 1;
/** The answer of pairs that max_steps left undecided. */
export const UNDECIDED_HIDDEN: 2;
export const REPLAY_END: 0;
export const REPLAY_EQUAL: 1;
export const REPLAY_DIFFERENT: 2;
/** not run: by edits since the log began, or during the query */
export const REPLAY_WORLD_HAD_CHANGED: 3;
/** cannot be repeated, for a reason: frReplay_GetReason */
export const REPLAY_NOT_REPLAYABLE: 4;
export const VERB_SHOOT: 0;
export const VERB_CLOSEST_HIT: 1;
export const VERB_OCCLUDED: 2;
export const VERB_RESUME: 3;
export const VERB_VISIBLE: 4;
export const VERB_EXPOSURE: 5;
export const VERB_VISIBLE_BOXES: 6;
export const VERB_VISIBLE_BLOCKS: 7;
export const VERB_BLAST: 8;
/** the answer in the log, that of the replay */
export const RECORDED: 0;
/** the answer in the log, that of the replay */
export const REPLAYED: 1;
export const DESCEND: 1;
export const CLIMB: 2;
export const RECENTER: 3;
/**
 * Lists: all in sight, the least recently hit first; or the changes of the last tick, which have
 * the levels and indices of the frame of that tick.
 */
export const IN_SIGHT: 0;
/**
 * Lists: all in sight, the least recently hit first; or the changes of the last tick, which have
 * the levels and indices of the frame of that tick.
 */
export const CAME_INTO_SIGHT: 1;
/**
 * Lists: all in sight, the least recently hit first; or the changes of the last tick, which have
 * the levels and indices of the frame of that tick.
 */
export const WENT_OUT_OF_SIGHT: 2;

/**
 * A line in units: the points from + t (to - from). A ray ends at end_time * 2^-60; a line that was
 * reflected begins at the plane begin_plane, on the axes in begin_axes. Made by frMakeSegment,
 * frMakeRay and frWorld_Reflect; every query refuses a line of zeros.
 */
export class Line {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  from(i: number): number;
  setFrom(i: number, value: number): void;
  fromBig(i: number): bigint;
  setFromBig(i: number, value: bigint): void;
  to(i: number): number;
  setTo(i: number, value: number): void;
  toBig(i: number): bigint;
  setToBig(i: number, value: bigint): void;
  /** 1 to 2^60, which is the whole line */
  get endTime(): number;
  set endTime(value: number);
  get endTimeBig(): bigint;
  set endTimeBig(value: bigint);
  get beginPlane(): number;
  set beginPlane(value: number);
  get beginPlaneBig(): bigint;
  set beginPlaneBig(value: bigint);
  get beginAxes(): number;
  set beginAxes(value: number);
}

/** A hit of a query, complete enough to resume after it. */
export class Hit {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** the time of entry */
  get t(): number;
  set t(value: number);
  /** the last time in the closed block or shape */
  get tExit(): number;
  set tExit(value: number);
  /** from the start of the line to the hit */
  get distance(): number;
  set distance(value: number);
  point(i: number): number;
  setPoint(i: number, value: number): void;
  /** outward, of length 1; zero if the start is inside */
  normal(i: number): number;
  setNormal(i: number, value: number): void;
  /** 0, 1, 2 for x, y, z; -1 if there is no face */
  get faceAxis(): number;
  set faceAxis(value: number);
  /** of the outward normal on that axis; 0 if there is no face */
  get faceSign(): number;
  set faceSign(value: number);
  /** 1 if the line starts in the block or shape */
  get startInside(): number;
  set startInside(value: number);
  /** FR_HIT_... */
  get kind(): number;
  set kind(value: number);
  /** 1 if the query ends here */
  get terminal(): number;
  set terminal(value: number);
  /**
   * of a block: its ordinal among the blocks of one corner crossing, 0 if its shape is hit later
   * than its cell is entered
   */
  get step(): number;
  set step(value: number);
  /** of a block */
  get type(): number;
  set type(value: number);
  get level(): number;
  set level(value: number);
  get entityClass(): number;
  set entityClass(value: number);
  /** of a block, its index on its level; of an entity, its centre in units */
  cell(i: number): number;
  setCell(i: number, value: number): void;
  cellBig(i: number): bigint;
  setCellBig(i: number, value: bigint): void;
  get entity(): number;
  set entity(value: number);
  get entityBig(): bigint;
  set entityBig(value: bigint);
  /** the caller's number of the entity */
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
  get categories(): number;
  set categories(value: number);
  get categoriesBig(): bigint;
  set categoriesBig(value: bigint);
  /** of an entity: FR_SPHERE or FR_BOX */
  get shape(): number;
  set shape(value: number);
  /**
   * of a block: the coordinate of the face on its axis, in 1/65536 of the block's width from its
   * lower corner; 0 or 65536 for a block that fills its cube
   */
  get plane(): number;
  set plane(value: number);
  /** of an entity, in units */
  halfExtents(i: number): number;
  setHalfExtents(i: number, value: number): void;
  halfExtentsBig(i: number): bigint;
  setHalfExtentsBig(i: number, value: bigint): void;
}

/** The work of a query, in steps; `chunks` and `direct` are not steps. See docs/cost.md. */
export class Stats {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get cells(): number;
  set cells(value: number);
  get cellsBig(): bigint;
  set cellsBig(value: bigint);
  get chunks(): number;
  set chunks(value: number);
  get chunksBig(): bigint;
  set chunksBig(value: bigint);
  get indexCells(): number;
  set indexCells(value: number);
  get indexCellsBig(): bigint;
  set indexCellsBig(value: bigint);
  get entitiesTested(): number;
  set entitiesTested(value: number);
  get entitiesTestedBig(): bigint;
  set entitiesTestedBig(value: bigint);
  get skips(): number;
  set skips(value: number);
  get skipsBig(): bigint;
  set skipsBig(value: bigint);
  get listed(): number;
  set listed(value: number);
  get listedBig(): bigint;
  set listedBig(value: bigint);
  get ordered(): number;
  set ordered(value: number);
  get orderedBig(): bigint;
  set orderedBig(value: bigint);
  get direct(): number;
  set direct(value: number);
  get directBig(): bigint;
  set directBig(value: bigint);
}

/**
 * Vectors in the caller's memory: component c of vector i is at data + i * vector_stride + c *
 * component_stride bytes, at any alignment. A component_stride of 0 is the width of a number; with
 * a vector_stride of 0 all vectors are the same one.
 */
export class Vectors {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get data(): number;
  set data(value: number);
  get vectorStride(): number;
  set vectorStride(value: number);
  get vectorStrideBig(): bigint;
  set vectorStrideBig(value: bigint);
  get componentStride(): number;
  set componentStride(value: number);
  get componentStrideBig(): bigint;
  set componentStrideBig(value: bigint);
  /** FR_F64; FR_F32; FR_UNITS for 64-bit integers, in units */
  get format(): number;
  set format(value: number);
}

export class WorldDef {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** FR_VERSION; required */
  get version(): number;
  set version(value: number);
  /** active levels, 1 to 10; 0 stands for 1 */
  get levels(): number;
  set levels(value: number);
  /** the path of level-0 chunk (0, 0, 0) from the root; null: the root */
  get anchor(): number;
  set anchor(value: number);
  /** a world whose block types this one shares; null for new ones */
  get blockTypesOf(): number;
  set blockTypesOf(value: number);
  /** for batches; null to run on the calling thread */
  get parallelFor(): number;
  set parallelFor(value: number);
  get parallelContext(): number;
  set parallelContext(value: number);
}

/**
 * Says what to read of a saved world. Limits of 0 stand for those of the library; docs/limits.md.
 */
export class OpenOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 1 to read the chunks of the box [min_chunk, max_chunk] alone */
  get hasBox(): number;
  set hasBox(value: number);
  /** in chunks of the finest level, inclusive */
  minChunk(i: number): number;
  setMinChunk(i: number, value: number): void;
  minChunkBig(i: number): bigint;
  setMinChunkBig(i: number, value: bigint): void;
  maxChunk(i: number): number;
  setMaxChunk(i: number, value: number): void;
  maxChunkBig(i: number): bigint;
  setMaxChunkBig(i: number, value: bigint): void;
  /**
   * JSON, a table from node names to kinds, such as {"default": "solid", "types": {"air": "empty"}}
   * (docs/luanti.md); null for the table in the library.
   */
  get nodeKinds(): number;
  set nodeKinds(value: number);
  /** the most chunks; more are FR_RESOURCE_EXHAUSTED */
  get mapblocks(): number;
  set mapblocks(value: number);
  get mapblocksBig(): bigint;
  set mapblocksBig(value: bigint);
  /** the most that a chunk unpacks to; one with more counts as damaged */
  get mapblockBytes(): number;
  set mapblockBytes(value: number);
  get mapblockBytesBig(): bigint;
  set mapblockBytesBig(value: bigint);
  /** the most of a file that is read whole, which a map is not */
  get fileBytes(): number;
  set fileBytes(value: number);
  get fileBytesBig(): bigint;
  set fileBytesBig(value: bigint);
  /** the most damaged chunks that are named; all are counted. 0: 20 */
  get namedDamages(): number;
  set namedDamages(value: number);
  get namedDamagesBig(): bigint;
  set namedDamagesBig(value: bigint);
  /**
   * The names of all block types, by number, "air" first: with them a type has the same number in
   * every process, whatever it reads. Those of a whole world's block types are right for its parts.
   * A type of the world that is not among them is FR_FAILED_PRECONDITION.
   */
  get blockTypes(): number;
  set blockTypes(value: number);
  /** 0 if types are added as they are found */
  get blockTypeCount(): number;
  set blockTypeCount(value: number);
}

export class LoadSummary {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** in the box: loaded, not generated, damaged or unsupported */
  get chunks(): number;
  set chunks(value: number);
  get chunksBig(): bigint;
  set chunksBig(value: bigint);
  get loaded(): number;
  set loaded(value: number);
  get loadedBig(): bigint;
  set loadedBig(value: bigint);
  /** absent from the world: its generator has not finished them */
  get notGenerated(): number;
  set notGenerated(value: number);
  get notGeneratedBig(): bigint;
  set notGeneratedBig(value: bigint);
  /** absent from the world: frLoadReport_GetDamage */
  get damaged(): number;
  set damaged(value: number);
  get damagedBig(): bigint;
  set damagedBig(value: bigint);
  /**
   * not among `chunks`: outside of the box, and skipped; 0 if the map's index has found those in
   * the box
   */
  get outside(): number;
  set outside(value: number);
  get outsideBig(): bigint;
  set outsideBig(value: bigint);
  /** of all chunks, as stored */
  get bytes(): number;
  set bytes(value: number);
  get bytesBig(): bigint;
  set bytesBig(value: bigint);
  get namedDamages(): number;
  set namedDamages(value: number);
  get namedDamagesBig(): bigint;
  set namedDamagesBig(value: bigint);
  get defaultedNames(): number;
  set defaultedNames(value: number);
  get defaultedNamesBig(): bigint;
  set defaultedNamesBig(value: bigint);
  /** absent from the world: in a version of the format that is not read */
  get unsupported(): number;
  set unsupported(value: number);
  get unsupportedBig(): bigint;
  set unsupportedBig(value: bigint);
}

export class BlockTypeDef {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** in every channel that is not listed; FR_SOLID by default */
  get kind(): number;
  set kind(value: number);
  /** UTF-8 without control characters; required, unique */
  get name(): number;
  set name(value: number);
  /** channels in which the kind or the shape is another one */
  get channels(): number;
  set channels(value: number);
  /** the kinds there, also where only the shape is another one */
  get channelKinds(): number;
  set channelKinds(value: number);
  get channelCount(): number;
  set channelCount(value: number);
  /** the shapes there, 0 for the whole cube; null for `shape` */
  get channelShapes(): number;
  set channelShapes(value: number);
  /** of frWorld_AddShape; 0 for a block that fills its cube */
  get shape(): number;
  set shape(value: number);
}

/** An id whose block type depends on the state of the block, such as the way it faces. */
export class IdStates {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  get id(): number;
  set id(value: number);
  /** the block type in each state, 2^state_bits of them */
  get types(): number;
  set types(value: number);
}

export class IdLayoutDef {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 1, 2 or 4 */
  get idBytes(): number;
  set idBytes(value: number);
  /** in bytes, at most 2^40 either way */
  strides(i: number): number;
  setStrides(i: number, value: number): void;
  stridesBig(i: number): bigint;
  setStridesBig(i: number, value: bigint): void;
  /** the block type of each id; null if ids are block types */
  get types(): number;
  set types(value: number);
  /** at most as many as there are ids of id_bytes bytes */
  get typeCount(): number;
  set typeCount(value: number);
  /** the ids with states, each at most once; the others have the type of `types` in every state */
  get states(): number;
  set states(value: number);
  get stateCount(): number;
  set stateCount(value: number);
  /** bytes from an id to the byte of the state, at most 2^40 either way */
  get stateOffset(): number;
  set stateOffset(value: number);
  get stateOffsetBig(): bigint;
  set stateOffsetBig(value: bigint);
  /** 1 to 8, the lowest bits of that byte; 0 without states */
  get stateBits(): number;
  set stateBits(value: number);
}

export class ChunkDef {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** FR_CHUNK_... */
  get source(): number;
  set source(value: number);
  /** its index on its level */
  chunk(i: number): number;
  setChunk(i: number, value: number): void;
  chunkBig(i: number): bigint;
  setChunkBig(i: number, value: bigint): void;
  /** of ids; null as above */
  get layout(): number;
  set layout(value: number);
  /** the id of its first block; only written to if borrowed for writing */
  get ids(): number;
  set ids(value: number);
  get uniform(): number;
  set uniform(value: number);
}

export class ChunkInfo {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** of the library's memory, without borrowed ids; 0 unless it is loaded */
  get bytes(): number;
  set bytes(value: number);
  get bytesBig(): bigint;
  set bytesBig(value: bigint);
  /** FR_ABSENT, FR_PROTO or FR_LOADED */
  get state(): number;
  set state(value: number);
  get isUniform(): number;
  set isUniform(value: number);
  get isBorrowed(): number;
  set isBorrowed(value: number);
  get isBorrowedForWriting(): number;
  set isBorrowedForWriting(value: number);
  /** 1 if all blocks are empty in every channel */
  get isEmpty(): number;
  set isEmpty(value: number);
}

export class LevelInfo {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get loadedChunks(): number;
  set loadedChunks(value: number);
  get loadedChunksBig(): bigint;
  set loadedChunksBig(value: bigint);
  get protoChunks(): number;
  set protoChunks(value: number);
  get protoChunksBig(): bigint;
  set protoChunksBig(value: bigint);
  /** the box of the loaded chunks, inclusive; min > max if there are none */
  min(i: number): number;
  setMin(i: number, value: number): void;
  minBig(i: number): bigint;
  setMinBig(i: number, value: bigint): void;
  max(i: number): number;
  setMax(i: number, value: number): void;
  maxBig(i: number): bigint;
  setMaxBig(i: number, value: bigint): void;
}

export class EngineChunksDef {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** blocks along each edge, 1 to 1024; 0 stands for 16 */
  get width(): number;
  set width(value: number);
  /** on which the blocks are loaded */
  get level(): number;
  set level(value: number);
  /** FR_CHUNK_COPY, FR_CHUNK_BORROW or FR_CHUNK_BORROW_FOR_WRITING */
  get source(): number;
  set source(value: number);
  /** of the blocks of a whole chunk of the caller's */
  get layout(): number;
  set layout(value: number);
  get find(): number;
  set find(value: number);
  /** must live as long as the frEngineChunks */
  get context(): number;
  set context(value: number);
}

export class EntityDef {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** hit by queries whose mask has this level */
  get level(): number;
  set level(value: number);
  /** the caller's number, unique among living entities; orders ties */
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
  /** hit by queries that share a bit; 0 stands for 1 */
  get categories(): number;
  set categories(value: number);
  get categoriesBig(): bigint;
  set categoriesBig(value: bigint);
  /** of the centre */
  position(i: number): number;
  setPosition(i: number, value: number): void;
  /** of a box; of a sphere the first is its radius */
  halfExtents(i: number): number;
  setHalfExtents(i: number, value: number): void;
  /** FR_SPHERE or FR_BOX */
  get shape(): number;
  set shape(value: number);
  /** by which callbacks are registered */
  get entityClass(): number;
  set entityClass(value: number);
}

/** An entity as the world has it, in units. */
export class EntityInfo {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
  get categories(): number;
  set categories(value: number);
  get categoriesBig(): bigint;
  set categoriesBig(value: bigint);
  position(i: number): number;
  setPosition(i: number, value: number): void;
  positionBig(i: number): bigint;
  setPositionBig(i: number, value: bigint): void;
  /** of a sphere its radius, three times */
  halfExtents(i: number): number;
  setHalfExtents(i: number, value: number): void;
  halfExtentsBig(i: number): bigint;
  setHalfExtentsBig(i: number, value: bigint): void;
  get level(): number;
  set level(value: number);
  /** the finest level whose chunks are wider than its radius */
  get indexLevel(): number;
  set indexLevel(value: number);
  get entityClass(): number;
  set entityClass(value: number);
  get shape(): number;
  set shape(value: number);
}

export class BlockOfLevel {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  block(i: number): number;
  setBlock(i: number, value: number): void;
  blockBig(i: number): bigint;
  setBlockBig(i: number, value: bigint): void;
  get level(): number;
  set level(value: number);
}

/**
 * Many lines, with what each of them needs, for batches. Each array that is not null has `count`
 * elements, except for `bounds` (six numbers for all rays), and for `ignore` and `after` (as many
 * as the last element of `ignore_ends` or `after_ends`).
 */
export class Lines {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 1 if `to` are directions of rays */
  get isRays(): number;
  set isRays(value: number);
  get count(): number;
  set count(value: number);
  /** starts */
  get from(): Vectors;
  /** ends or, of rays, directions, which cannot be in units */
  get to(): Vectors;
  /** of rays; null for infinite ones */
  get maxDistances(): number;
  set maxDistances(value: number);
  /** of all rays: six numbers, as for frMakeRay; or null */
  get bounds(): number;
  set bounds(value: number);
  /** lines in units, in place of all of the above; or null */
  get lines(): number;
  set lines(value: number);
  /** of each line, in place of the mask of the batch; or null */
  get levels(): number;
  set levels(value: number);
  /**
   * Entities that line i ignores besides those of the options: ignore[j] for j from ignore_ends[i -
   * 1] (0 for line 0) to ignore_ends[i] - 1; or null.
   */
  get ignore(): number;
  set ignore(value: number);
  get ignoreEnds(): number;
  set ignoreEnds(value: number);
  /**
   * Hits after which line i resumes: after[j] for j from after_ends[i - 1] (0 for line 0) to
   * after_ends[i] - 1; or null. A line without hits resumes after those of the options.
   */
  get after(): number;
  set after(value: number);
  get afterEnds(): number;
  set afterEnds(value: number);
}

/**
 * The effect of a hit on the shot. With FR_RULE_COST the hit is terminal if it costs more than is
 * left of its budget: per_hit, plus per_block for each block width travelled inside.
 */
export class Rule {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** the cost of a hit */
  get perHit(): number;
  set perHit(value: number);
  /** the cost of each block width travelled inside */
  get perBlock(): number;
  set perBlock(value: number);
  /** FR_RULE_... */
  get kind(): number;
  set kind(value: number);
  /** the number of a budget */
  get budget(): number;
  set budget(value: number);
  /** 1 if a block costs even if the line only touches it */
  get touchCosts(): number;
  set touchCosts(value: number);
  /** 1 if a run of adjacent blocks of one type costs per_hit once */
  get perPane(): number;
  set perPane(value: number);
}

/**
 * The options of all queries and searches. Each kind of query ignores the options that have no
 * meaning for it. Everything that the options point to must stay unchanged until the query returns.
 * A cursor copies all of it, except for what the contexts of the callbacks point to, which must
 * live as long as the cursor.
 */
export class QueryOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** FR_CORNER_... */
  get corner(): number;
  set corner(value: number);
  /** of entities that are hit; 0 stands for all */
  get categories(): number;
  set categories(value: number);
  get categoriesBig(): bigint;
  set categoriesBig(value: bigint);
  /** ids of entities that are not hit */
  get ignore(): number;
  set ignore(value: number);
  get ignoreCount(): number;
  set ignoreCount(value: number);
  /** hits of this line: the query resumes after the last of them, */
  get after(): number;
  set after(value: number);
  /** and hits no entity among them again */
  get afterCount(): number;
  set afterCount(value: number);
  /** or null */
  get rules(): number;
  set rules(value: number);
  /** FR_MAX_BUDGETS amounts in place of those of the rules; or null */
  get budgets(): number;
  set budgets(value: number);
  /** blocks for which it returns 0 are not there; or null */
  get blockFilter(): number;
  set blockFilter(value: number);
  /** entities for which it returns 0 are not there; or null */
  get entityFilter(): number;
  set entityFilter(value: number);
  get filterContext(): number;
  set filterContext(value: number);
  /** called for each hit of a shot, before registered effects; or null */
  get onHit(): number;
  set onHit(value: number);
  get hitContext(): number;
  set hitContext(value: number);
  /** the most hits of a shot; 0 for no limit */
  get maxHits(): number;
  set maxHits(value: number);
  get maxHitsBig(): bigint;
  set maxHitsBig(value: bigint);
  /** the most steps; beyond, FR_RESOURCE_EXHAUSTED; 0 for no limit */
  get maxSteps(): number;
  set maxSteps(value: number);
  get maxStepsBig(): bigint;
  set maxStepsBig(value: bigint);
  /** of all queries of a batch together; 0 for no limit */
  get maxBatchSteps(): number;
  set maxBatchSteps(value: number);
  get maxBatchStepsBig(): bigint;
  set maxBatchStepsBig(value: bigint);
  /** the collision channel */
  get channel(): number;
  set channel(value: number);
  /** 1 to hit no blocks */
  get noBlocks(): number;
  set noBlocks(value: number);
  /** 1 to hit no entities */
  get noEntities(): number;
  set noEntities(value: number);
  /** 1 to hit no permeable blocks */
  get solidOnly(): number;
  set solidOnly(value: number);
  /** 1 to leave out things that contain the start */
  get skipStartInside(): number;
  set skipStartInside(value: number);
  /** 1 to find unknown_from */
  get reportUnknown(): number;
  set reportUnknown(value: number);
  /** 1 to end there as well */
  get stopAtUnknown(): number;
  set stopAtUnknown(value: number);
  /** 1 if entities block lines of sight */
  get entitiesBlock(): number;
  set entitiesBlock(value: number);
  /** 1 to recognize entities of `after` by id: hits of another process */
  get afterById(): number;
  set afterById(value: number);
}

/** The answer of a query besides its hits. */
export class QueryResult {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** of one shot of a batch */
  get result(): number;
  set result(value: number);
  /** when the query began */
  get blocksVersion(): number;
  set blocksVersion(value: number);
  get blocksVersionBig(): bigint;
  set blocksVersionBig(value: bigint);
  get entitiesVersion(): number;
  set entitiesVersion(value: number);
  get entitiesVersionBig(): bigint;
  set entitiesVersionBig(value: bigint);
  get line(): Line;
  /** of a batch: the number of its first hit among those of all shots */
  get hitsBegin(): number;
  set hitsBegin(value: number);
  get hitsBeginBig(): bigint;
  set hitsBeginBig(value: bigint);
  get hitCount(): number;
  set hitCount(value: number);
  get hitCountBig(): bigint;
  set hitCountBig(value: bigint);
  /** the first t at which no level is loaded; NaN if there is none, or if it was not requested */
  get unknownFrom(): number;
  set unknownFrom(value: number);
  /** the t at which a budget was used up; NaN if none was */
  get stoppedAt(): number;
  set stoppedAt(value: number);
  get stats(): Stats;
  /** what is left of them, if has_budgets */
  budgets(i: number): number;
  setBudgets(i: number, value: number): void;
  budgetsAtStart(i: number): number;
  setBudgetsAtStart(i: number, value: number): void;
  overdrawn(i: number): number;
  setOverdrawn(i: number, value: number): void;
  /** 1 if the last hit was terminal */
  get terminated(): number;
  set terminated(value: number);
  /** 1 if max_hits kept it from reporting more */
  get truncated(): number;
  set truncated(value: number);
  get hasBudgets(): number;
  set hasBudgets(value: number);
  /** of one shot of a batch: FR_DONE, FR_OUT_OF_STEPS or FR_NOT_STARTED */
  get progress(): number;
  set progress(value: number);
}

export class LevelPart {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get t0(): number;
  set t0(value: number);
  get t1(): number;
  set t1(value: number);
  get level(): number;
  set level(value: number);
}

export class BatchResult {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  get blocksVersion(): number;
  set blocksVersion(value: number);
  get blocksVersionBig(): bigint;
  set blocksVersionBig(value: bigint);
  get entitiesVersion(): number;
  set entitiesVersion(value: number);
  get entitiesVersionBig(): bigint;
  set entitiesVersionBig(value: bigint);
  /** leading queries that are done: all, unless max_batch_steps ran out */
  get completed(): number;
  set completed(value: number);
  get completedBig(): bigint;
  set completedBig(value: bigint);
  /** queries with an error */
  get errors(): number;
  set errors(value: number);
  get errorsBig(): bigint;
  set errorsBig(value: bigint);
  /** of all queries together */
  get hits(): number;
  set hits(value: number);
  get hitsBig(): bigint;
  set hitsBig(value: bigint);
  get stats(): Stats;
}

/** A first hit in 64 bytes: the members of frHit that most callers read, with the same values. */
export class CompactHit {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get t(): number;
  set t(value: number);
  get tExit(): number;
  set tExit(value: number);
  /** of a block: its index on its level */
  block(i: number): number;
  setBlock(i: number, value: number): void;
  blockBig(i: number): bigint;
  setBlockBig(i: number, value: bigint): void;
  /** of an entity, as is `id` */
  get entity(): number;
  set entity(value: number);
  get entityBig(): bigint;
  set entityBig(value: bigint);
  /** of a block: its `plane`, as in frHit */
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
  /** of a block */
  get type(): number;
  set type(value: number);
  /** FR_HIT_... */
  get kind(): number;
  set kind(value: number);
  get level(): number;
  set level(value: number);
  /** as in frHit */
  get faceAxis(): number;
  set faceAxis(value: number);
  get faceSign(): number;
  set faceSign(value: number);
  get step(): number;
  set step(value: number);
  /** FR_HIT_TERMINAL if the query ends here, FR_HIT_START_INSIDE */
  get flags(): number;
  set flags(value: number);
}

/** The hit that blocks a line of sight, in brief. */
export class Blocker {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get t(): number;
  set t(value: number);
  /** of a block, as is `type` */
  block(i: number): number;
  setBlock(i: number, value: number): void;
  blockBig(i: number): bigint;
  setBlockBig(i: number, value: bigint): void;
  /** of an entity, as is `id` */
  get entity(): number;
  set entity(value: number);
  get entityBig(): bigint;
  set entityBig(value: bigint);
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
  get level(): number;
  set level(value: number);
  get type(): number;
  set type(value: number);
  /** FR_HIT_NONE if nothing blocks the line */
  get kind(): number;
  set kind(value: number);
}

export class ConnectOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** what the server asks of its callers, at most 1024 bytes; or null */
  get token(): number;
  set token(value: number);
  /** of each call, in microseconds; 0 for none */
  get deadlineUs(): number;
  set deadlineUs(value: number);
  get deadlineUsBig(): bigint;
  set deadlineUsBig(value: bigint);
  /**
   * the most that a call without a deadline waits, and that connecting takes, in microseconds; 0
   * for 60 seconds
   */
  get timeoutUs(): number;
  set timeoutUs(value: number);
  get timeoutUsBig(): bigint;
  set timeoutUsBig(value: bigint);
  /**
   * the world that the server is to have: the part of a version before its last '@'; null for any
   */
  get world(): number;
  set world(value: number);
  /** the frWorld_FingerprintBlockTypes of its table of types; 0 for any */
  get blockTypes(): number;
  set blockTypes(value: number);
  get blockTypesBig(): bigint;
  set blockTypesBig(value: bigint);
}

export class RemoteInfo {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** the most lines of a call */
  get batchLines(): number;
  set batchLines(value: number);
  get batchLinesBig(): bigint;
  set batchLinesBig(value: bigint);
  /** the most bytes of a call: lines, options and lists */
  get frameBytes(): number;
  set frameBytes(value: number);
  get frameBytesBig(): bigint;
  set frameBytesBig(value: bigint);
  /** connections that were made, with the first */
  get connects(): number;
  set connects(value: number);
  get connectsBig(): bigint;
  set connectsBig(value: bigint);
  /**
   * if the last call was FR_RESOURCE_EXHAUSTED since the server is busy, or an error of its world
   * that may pass, when to call again, in microseconds; else 0
   */
  get retryUs(): number;
  set retryUs(value: number);
  get retryUsBig(): bigint;
  set retryUsBig(value: bigint);
  /**
   * the frWorld_FingerprintBlockTypes of the server's table of types, which the numbers in hits are
   * of; 0 if the table may change
   */
  get blockTypes(): number;
  set blockTypes(value: number);
  get blockTypesBig(): bigint;
  set blockTypesBig(value: bigint);
  /** the number of the tick that the entities of the last answer are of; 0 if nobody feeds them */
  get tick(): number;
  set tick(value: number);
  get tickBig(): bigint;
  set tickBig(value: bigint);
}

/**
 * Entities that a game feeds to servers, tick by tick: docs/serve.md. Numbers are in units of
 * 1/65536 block, within 2^53.
 */
export class FedEntity {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** the caller's number */
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
  /** as in frEntityDef */
  get categories(): number;
  set categories(value: number);
  get categoriesBig(): bigint;
  set categoriesBig(value: bigint);
  /** of the centre */
  position(i: number): number;
  setPosition(i: number, value: number): void;
  positionBig(i: number): bigint;
  setPositionBig(i: number, value: bigint): void;
  /** of a box; of a sphere the first is its radius */
  halfExtents(i: number): number;
  setHalfExtents(i: number, value: number): void;
  halfExtentsBig(i: number): bigint;
  setHalfExtentsBig(i: number, value: bigint): void;
  /** hit by queries whose mask has this level */
  get level(): number;
  set level(value: number);
  /** FR_SPHERE or FR_BOX */
  get shape(): number;
  set shape(value: number);
  get entityClass(): number;
  set entityClass(value: number);
}

export class FedMove {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
  position(i: number): number;
  setPosition(i: number, value: number): void;
  positionBig(i: number): bigint;
  setPositionBig(i: number, value: bigint): void;
}

/** A tick: entities that are removed, then those that are added, then those that move. */
export class EntityTick {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 1 if the added ones are all entities, and whatever was there is removed */
  get isWhole(): number;
  set isWhole(value: number);
  /** its number, from 1 on: one more than that of the tick before, unless it is whole */
  get tick(): number;
  set tick(value: number);
  get tickBig(): bigint;
  set tickBig(value: bigint);
  get added(): number;
  set added(value: number);
  get addedCount(): number;
  set addedCount(value: number);
  get moved(): number;
  set moved(value: number);
  get movedCount(): number;
  set movedCount(value: number);
  get removed(): number;
  set removed(value: number);
  get removedCount(): number;
  set removedCount(value: number);
}

/** A closed box in units. */
export class FixedBox {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  min(i: number): number;
  setMin(i: number, value: number): void;
  minBig(i: number): bigint;
  setMinBig(i: number, value: bigint): void;
  max(i: number): number;
  setMax(i: number, value: number): void;
  maxBig(i: number): bigint;
  setMaxBig(i: number, value: bigint): void;
}

/** An eye and the box that it looks at, in units. The box may be flat on one axis. */
export class SightQuery {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  eye(i: number): number;
  setEye(i: number, value: number): void;
  eyeBig(i: number): bigint;
  setEyeBig(i: number, value: bigint): void;
  get box(): FixedBox;
}

/** The options of queries of sight; as those of other queries where the names are the same. */
export class SightOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** FR_UNLOADED_... */
  get unloaded(): number;
  set unloaded(value: number);
  /** of entities that hide; 0 stands for all */
  get categories(): number;
  set categories(value: number);
  get categoriesBig(): bigint;
  set categoriesBig(value: bigint);
  /** ids of entities that do not hide */
  get ignore(): number;
  set ignore(value: number);
  get ignoreCount(): number;
  set ignoreCount(value: number);
  /** further solid boxes, of any position and size */
  get occluders(): number;
  set occluders(value: number);
  get occluderCount(): number;
  set occluderCount(value: number);
  /** blocks for which it returns 0 do not hide; or null */
  get blockFilter(): number;
  set blockFilter(value: number);
  /** entities for which it returns 0 do not hide; or null */
  get entityFilter(): number;
  set entityFilter(value: number);
  get filterContext(): number;
  set filterContext(value: number);
  /** the most steps; beyond, FR_RESOURCE_EXHAUSTED; 0 for no limit */
  get maxSteps(): number;
  set maxSteps(value: number);
  get maxStepsBig(): bigint;
  set maxStepsBig(value: bigint);
  /** the occluders that a direction may pass */
  get through(): number;
  set through(value: number);
  get throughBig(): bigint;
  set throughBig(value: bigint);
  /** the collision channel */
  get channel(): number;
  set channel(value: number);
  /** 1 to let no blocks hide */
  get noBlocks(): number;
  set noBlocks(value: number);
  /** 1 to leave out what has the eye in its interior */
  get skipStartInside(): number;
  set skipStartInside(value: number);
  /** 1 to let box entities hide */
  get boxesBlock(): number;
  set boxesBlock(value: number);
}

/** The work of a query of sight, in steps; `rays` is not a step. */
export class SightStats {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** of its rays */
  get lines(): Stats;
  get rays(): number;
  set rays(value: number);
  get raysBig(): bigint;
  set raysBig(value: bigint);
  /** occluders cut out of the directions left, and blocks examined for that */
  get cuts(): number;
  set cuts(value: number);
  get cutsBig(): bigint;
  set cutsBig(value: bigint);
}

/**
 * The answer of a query of sight. A visible box has a witness: a direction of a line from the eye
 * that enters the box and touches nothing solid before, except at the eye.
 */
export class SightAnswer {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** FR_SIGHT_... */
  get sight(): number;
  set sight(value: number);
  /** when the query began */
  get blocksVersion(): number;
  set blocksVersion(value: number);
  get blocksVersionBig(): bigint;
  set blocksVersionBig(value: bigint);
  get entitiesVersion(): number;
  set entitiesVersion(value: number);
  get entitiesVersionBig(): bigint;
  set entitiesVersionBig(value: bigint);
  /** the witness in units: the lower 64 bits of each component */
  delta(i: number): number;
  setDelta(i: number, value: number): void;
  deltaBig(i: number): bigint;
  setDeltaBig(i: number, value: bigint): void;
  /** the upper 64 bits: the sign, 0 or -1, unless is_wide */
  deltaHigh(i: number): number;
  setDeltaHigh(i: number, value: number): void;
  deltaHighBig(i: number): bigint;
  setDeltaHighBig(i: number, value: bigint): void;
  /** 1 if a component needs more than 64 bits */
  get isWide(): number;
  set isWide(value: number);
  /** 1 if eye + delta is a point of the box */
  get isUnit(): number;
  set isUnit(value: number);
  get stats(): SightStats;
}

export class SightTableOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** FR_UNDECIDED_... */
  get ifUndecided(): number;
  set ifUndecided(value: number);
  /** of each eye and box; null for the defaults */
  get each(): number;
  set each(value: number);
  /** Viewer after viewer, each with all boxes: 1 for a pair that is not asked, else 0. Or null. */
  get leftOut(): number;
  set leftOut(value: number);
  /** in units: eyes farther from a box do not count; 0 for no limit */
  get maxDistance(): number;
  set maxDistance(value: number);
  get maxDistanceBig(): bigint;
  set maxDistanceBig(value: bigint);
  /** keeps answers for the next call; or null */
  get history(): number;
  set history(value: number);
}

/** The work, and how pairs were answered: the sum of the four after `pairs` is `pairs`. */
export class SightTableStats {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get sight(): SightStats;
  /** not skipped */
  get pairs(): number;
  set pairs(value: number);
  get pairsBig(): bigint;
  set pairsBig(value: bigint);
  /** as in the history: nothing had changed */
  get unchanged(): number;
  set unchanged(value: number);
  get unchangedBig(): bigint;
  set unchangedBig(value: bigint);
  /** visible, by the line to the same point of the box */
  get byRay(): number;
  set byRay(value: number);
  get byRayBig(): bigint;
  set byRayBig(value: bigint);
  /** hidden, by the same occluders */
  get byProof(): number;
  set byProof(value: number);
  get byProofBig(): bigint;
  set byProofBig(value: bigint);
  /** as by frWorld_Visible; all of them without a history */
  get searched(): number;
  set searched(value: number);
  get searchedBig(): bigint;
  set searchedBig(value: bigint);
  /** out of steps */
  get undecided(): number;
  set undecided(value: number);
  get undecidedBig(): bigint;
  set undecidedBig(value: bigint);
}

export class FoundEntity {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** of its closed shape; 0 if the point is in it */
  get distance(): number;
  set distance(value: number);
  get entity(): number;
  set entity(value: number);
  get entityBig(): bigint;
  set entityBig(value: bigint);
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
}

export class FoundBlock {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** of the closed block; 0 if the point is in it */
  get distance(): number;
  set distance(value: number);
  block(i: number): number;
  setBlock(i: number, value: number): void;
  blockBig(i: number): bigint;
  setBlockBig(i: number, value: bigint): void;
  get level(): number;
  set level(value: number);
  get type(): number;
  set type(value: number);
  /** FR_SOLID or FR_PERMEABLE */
  get kind(): number;
  set kind(value: number);
  /** FR_SIGHT_... from frWorld_VisibleBlocks, else 0 */
  get sight(): number;
  set sight(value: number);
}

/** A ray of a blast, sampled at the centre, at centre + step, centre + 2 step and so on. */
export class BlastRay {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** in units; not zero */
  step(i: number): number;
  setStep(i: number, value: number): void;
  stepBig(i: number): bigint;
  setStepBig(i: number, value: bigint): void;
  /** at the centre; without power a ray does nothing */
  get power(): number;
  set power(value: number);
  get powerBig(): bigint;
  set powerBig(value: bigint);
}

/** Amounts of power are whole numbers. */
export class BlastQuery {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  center(i: number): number;
  setCenter(i: number, value: number): void;
  /** no sample, and no entity, is farther from the centre; at most 65,536 */
  get radius(): number;
  set radius(value: number);
  get rays(): number;
  set rays(value: number);
  /** below 2^32 */
  get rayCount(): number;
  set rayCount(value: number);
  /**
   * The power that a ray loses at each sample in a block of type i, if i < resistance_count. For a
   * type that no power breaks it is INT64_MAX, as it is for types beyond the end.
   */
  get resistances(): number;
  set resistances(value: number);
  /** at most 65,536 */
  get resistanceCount(): number;
  set resistanceCount(value: number);
  /** the power that a ray loses after each sample, in air too */
  get falloff(): number;
  set falloff(value: number);
  get falloffBig(): bigint;
  set falloffBig(value: bigint);
  /** of all rays; beyond, FR_RESOURCE_EXHAUSTED; 0 for no limit */
  get maxSamples(): number;
  set maxSamples(value: number);
  get maxSamplesBig(): bigint;
  set maxSamplesBig(value: bigint);
}

/** A block that breaks, and the first ray that breaks it. */
export class BrokenBlock {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  block(i: number): number;
  setBlock(i: number, value: number): void;
  blockBig(i: number): bigint;
  setBlockBig(i: number, value: bigint): void;
  /** from the centre to the sample */
  get steps(): number;
  set steps(value: number);
  get stepsBig(): bigint;
  set stepsBig(value: bigint);
  /** left of the ray; above 0 */
  get power(): number;
  set power(value: number);
  get powerBig(): bigint;
  set powerBig(value: bigint);
  get level(): number;
  set level(value: number);
  /** its index */
  get ray(): number;
  set ray(value: number);
  get type(): number;
  set type(value: number);
}

/**
 * An entity in reach, and the share of its bounding box that the centre sees, as frWorld_Exposure
 * computes it; from 0 to 1 if max_steps of the options of sight was too small.
 */
export class ExposedEntity {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** of its shape from the centre, as in frFoundEntity */
  get distance(): number;
  set distance(value: number);
  get from(): number;
  set from(value: number);
  get to(): number;
  set to(value: number);
  get entity(): number;
  set entity(value: number);
  get entityBig(): bigint;
  set entityBig(value: bigint);
  get id(): number;
  set id(value: number);
  get idBig(): bigint;
  set idBig(value: bigint);
}

export class BlastResult {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 1 if a ray with power was sampled where no level is loaded */
  get reachesUnknown(): number;
  set reachesUnknown(value: number);
  /** when the query began */
  get blocksVersion(): number;
  set blocksVersion(value: number);
  get blocksVersionBig(): bigint;
  set blocksVersionBig(value: bigint);
  get entitiesVersion(): number;
  set entitiesVersion(value: number);
  get entitiesVersionBig(): bigint;
  set entitiesVersionBig(value: bigint);
  /** of all rays */
  get samples(): number;
  set samples(value: number);
  get samplesBig(): bigint;
  set samplesBig(value: bigint);
  get blockCount(): number;
  set blockCount(value: number);
  get blockCountBig(): bigint;
  set blockCountBig(value: bigint);
  get entityCount(): number;
  set entityCount(value: number);
  get entityCountBig(): bigint;
  set entityCountBig(value: bigint);
}

export class ReplayOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 1 to also run queries that were logged after the world had changed */
  get all(): number;
  set all(value: number);
  /** 1 to accept a world other than the logged one was */
  get onOtherWorld(): number;
  set onOtherWorld(value: number);
}

/** A query of a log, and how the replay has answered it. */
export class Replayed {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** FR_REPLAY_...; at FR_REPLAY_END all else is 0 */
  get outcome(): number;
  set outcome(value: number);
  /** in the log, from 1 */
  get number(): number;
  set number(value: number);
  get numberBig(): bigint;
  set numberBig(value: bigint);
  /** of its record in the file, in bytes */
  get offset(): number;
  set offset(value: number);
  get offsetBig(): bigint;
  set offsetBig(value: bigint);
  get line(): Line;
  get levels(): number;
  set levels(value: number);
  /** FR_VERB_... */
  get verb(): number;
  set verb(value: number);
  /** of FR_VERB_VISIBLE and FR_VERB_EXPOSURE; verbs from there on have no line */
  get sight(): SightQuery;
  /** of FR_VERB_VISIBLE_BOXES */
  get viewerCount(): number;
  set viewerCount(value: number);
  get viewerCountBig(): bigint;
  set viewerCountBig(value: bigint);
  get boxCount(): number;
  set boxCount(value: number);
  get boxCountBig(): bigint;
  set boxCountBig(value: bigint);
  /** the eye of FR_VERB_VISIBLE_BLOCKS, the centre of FR_VERB_BLAST */
  center(i: number): number;
  setCenter(i: number, value: number): void;
  /** of these two */
  get radius(): number;
  set radius(value: number);
}

export class LineChunk {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get tEnter(): number;
  set tEnter(value: number);
  get tExit(): number;
  set tExit(value: number);
  chunk(i: number): number;
  setChunk(i: number, value: number): void;
  chunkBig(i: number): bigint;
  setChunkBig(i: number, value: bigint): void;
  get level(): number;
  set level(value: number);
  /** FR_ABSENT, FR_PROTO or FR_LOADED, at the time of the step */
  get state(): number;
  set state(value: number);
}

export class WalkCell {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  cell(i: number): number;
  setCell(i: number, value: number): void;
  cellBig(i: number): bigint;
  setCellBig(i: number, value: bigint): void;
  /** the time of entry, exactly */
  get tNumerator(): number;
  set tNumerator(value: number);
  get tNumeratorBig(): bigint;
  set tNumeratorBig(value: bigint);
  get tDenominator(): number;
  set tDenominator(value: number);
  get tDenominatorBig(): bigint;
  set tDenominatorBig(value: bigint);
  get t(): number;
  set t(value: number);
  /** of the face that is entered through; -1 for the first cell */
  get faceAxis(): number;
  set faceAxis(value: number);
  get faceSign(): number;
  set faceSign(value: number);
}

/** A move of the frame, as data. With it the caller converts its own coordinates. */
export class FrameMove {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  chunk(i: number): number;
  setChunk(i: number, value: number): void;
  chunkBig(i: number): bigint;
  setChunkBig(i: number, value: bigint): void;
  /** FR_DESCEND, FR_CLIMB or FR_RECENTER */
  get kind(): number;
  set kind(value: number);
  /** active levels */
  get levels(): number;
  set levels(value: number);
}

export class WindowMove {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  get frameMove(): FrameMove;
  get droppedChunks(): number;
  set droppedChunks(value: number);
  get droppedChunksBig(): bigint;
  set droppedChunksBig(value: bigint);
  /** entities whose handles are stale from now on: frWorld_GetEvicted */
  get evicted(): number;
  set evicted(value: number);
  get evictedBig(): bigint;
  set evictedBig(value: bigint);
}

export class ChunkOfLevel {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  chunk(i: number): number;
  setChunk(i: number, value: number): void;
  chunkBig(i: number): bigint;
  setChunkBig(i: number, value: bigint): void;
  get level(): number;
  set level(value: number);
}

/** The source of chunks. The contexts must live as long as the streamer. */
export class ChunkSource {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 1 to allow frStreamer_SetBlocks */
  get keepsChanges(): number;
  set keepsChanges(value: number);
  /** null to take requests by frStreamer_TakeRequests */
  get request(): number;
  set request(value: number);
  /**
   * or null: frStreamer_GetUnloaded lists the chunks after a tick, and frFrameMove_Chunk finds
   * those that a move has dropped
   */
  get unloading(): number;
  set unloading(value: number);
  /** or null: frStreamer_GetDropped lists the chunks after a tick */
  get dropped(): number;
  set dropped(value: number);
  get context(): number;
  set context(value: number);
  /**
   * The file that keeps the changes, which outlive the program, however that ends; it is made if
   * there is none. It has the names of block types, so that their numbers may differ next time.
   * FR_UNAVAILABLE if it is open already, FR_DATA_LOSS if it is damaged. Null to keep changes in
   * memory, as long as the streamer. Needs keeps_changes.
   */
  get changesPath(): number;
  set changesPath(value: number);
  /**
   * 1 if frStreamer_SetBlocks waits for the disk, for milliseconds: then its changes survive a
   * power failure too
   */
  get syncsChanges(): number;
  set syncsChanges(value: number);
}

/**
 * The reach of a viewer on a level, in widths of a chunk of that level, at most 64. Chunks within
 * `load` are loaded, and kept until they are farther than `keep`, which is not less. A negative
 * `load` stands for a level that is not streamed.
 */
export class StreamRadii {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get load(): number;
  set load(value: number);
  get keep(): number;
  set keep(value: number);
}

export class StreamOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** one for each level; null for load 2 and keep 3 on all of them */
  get radii(): number;
  set radii(value: number);
  /** the number of levels; 0 if `radii` is null */
  get radiusCount(): number;
  set radiusCount(value: number);
  /** the fertile types; or null */
  get isFertile(): number;
  set isFertile(value: number);
  /** must live as long as the streamer */
  get fertileContext(): number;
  set fertileContext(value: number);
  /**
   * In place of is_fertile: type i is fertile if i < fertile_count and fertile[i] is not 0. If this
   * is null too, all types are fertile but those that are empty in every channel.
   */
  get fertile(): number;
  set fertile(value: number);
  /** at most 65,536 */
  get fertileCount(): number;
  set fertileCount(value: number);
  /** requested, loaded, and unloaded for being out of reach; 64 */
  get chunksPerTick(): number;
  set chunksPerTick(value: number);
  get chunksPerTickBig(): bigint;
  set chunksPerTickBig(value: bigint);
  /** of chunks that are loaded; 4 MiB */
  get bytesPerTick(): number;
  set bytesPerTick(value: number);
  get bytesPerTickBig(): bigint;
  set bytesPerTickBig(value: bigint);
  /** of chunks that are kept loaded; 1 GiB */
  get maxBytes(): number;
  set maxBytes(value: number);
  get maxBytesBig(): bigint;
  set maxBytesBig(value: bigint);
  /** requests that are unanswered, or not loaded yet; 256 */
  get maxPending(): number;
  set maxPending(value: number);
  get maxPendingBig(): bigint;
  set maxPendingBig(value: bigint);
  /**
   * until a request has failed; doubled with each time-out, up to the larger of this and
   * max_retry_ticks; 1024
   */
  get answerTicks(): number;
  set answerTicks(value: number);
  get answerTicksBig(): bigint;
  set answerTicksBig(value: bigint);
  /** from a failure to the next request; doubled likewise; 8 */
  get retryTicks(): number;
  set retryTicks(value: number);
  get retryTicksBig(): bigint;
  set retryTicksBig(value: bigint);
  /** 4096 */
  get maxRetryTicks(): number;
  set maxRetryTicks(value: number);
  get maxRetryTicksBig(): bigint;
  set maxRetryTicksBig(value: bigint);
  /** for which frStreamer_Want holds; 256 */
  get wantTicks(): number;
  set wantTicks(value: number);
  get wantTicksBig(): bigint;
  set wantTicksBig(value: bigint);
}

/** A block that differs from what the source supplies. */
export class BlockChange {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  /** of its chunk, from the root; null if `block` is an index over the frame */
  get path(): number;
  set path(value: number);
  /** on `level`; with a path, the index in its chunk: 0 to 15 each */
  block(i: number): number;
  setBlock(i: number, value: number): void;
  blockBig(i: number): bigint;
  setBlockBig(i: number, value: bigint): void;
  /** in the caller's time, if `reverts` */
  get revertsAt(): number;
  set revertsAt(value: number);
  get revertsAtBig(): bigint;
  set revertsAtBig(value: bigint);
  /** not read if there is a path */
  get level(): number;
  set level(value: number);
  get type(): number;
  set type(value: number);
  /** 1 for the type that the source supplies, in place of `type` */
  get isRemoved(): number;
  set isRemoved(value: number);
  /** 1 to revert it by frStreamer_RevertChanges */
  get reverts(): number;
  set reverts(value: number);
}

/** Totals since the streamer was made, and numbers of now. */
export class StreamStats {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get ticks(): number;
  set ticks(value: number);
  get ticksBig(): bigint;
  set ticksBig(value: bigint);
  get requested(): number;
  set requested(value: number);
  get requestedBig(): bigint;
  set requestedBig(value: bigint);
  get loaded(): number;
  set loaded(value: number);
  get loadedBig(): bigint;
  set loadedBig(value: bigint);
  /** for being out of reach */
  get unloaded(): number;
  set unloaded(value: number);
  get unloadedBig(): bigint;
  set unloadedBig(value: bigint);
  /** for lack of memory */
  get evicted(): number;
  set evicted(value: number);
  get evictedBig(): bigint;
  set evictedBig(value: bigint);
  /** answers FR_NOT_FOUND */
  get nonexistent(): number;
  set nonexistent(value: number);
  get nonexistentBig(): bigint;
  set nonexistentBig(value: bigint);
  /** all failures, also for lack of an answer */
  get failed(): number;
  set failed(value: number);
  get failedBig(): bigint;
  set failedBig(value: bigint);
  /** for lack of an answer */
  get timedOut(): number;
  set timedOut(value: number);
  get timedOutBig(): bigint;
  set timedOutBig(value: bigint);
  /** requests given up */
  get cancelled(): number;
  set cancelled(value: number);
  get cancelledBig(): bigint;
  set cancelledBig(value: bigint);
  /** now: requests that wait for answers, or to be loaded */
  get pending(): number;
  set pending(value: number);
  get pendingBig(): bigint;
  set pendingBig(value: bigint);
  /** now: chunks that have failed, until their next request */
  get failing(): number;
  set failing(value: number);
  get failingBig(): bigint;
  set failingBig(value: bigint);
  /** now: loaded chunks */
  get chunks(): number;
  set chunks(value: number);
  get chunksBig(): bigint;
  set chunksBig(value: bigint);
  /** now: their bytes, at the end of the last tick */
  get bytes(): number;
  set bytes(value: number);
  get bytesBig(): bigint;
  set bytesBig(value: bigint);
}

export class VisibilityOptions {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  get structSize(): number;
  set structSize(value: number);
  /** 0 for all */
  get levels(): number;
  set levels(value: number);
  /** of a tick, at most 1,048,576; 0 stands for 2048 */
  get rays(): number;
  set rays(value: number);
  get raysBig(): bigint;
  set raysBig(value: bigint);
  /** the length of a ray; 0 stands for 256 */
  get distance(): number;
  set distance(value: number);
  /** The ticks in a row without a hit after which a block goes out of sight; 0 stands for 32. */
  get forgetTicks(): number;
  set forgetTicks(value: number);
  get forgetTicksBig(): bigint;
  set forgetTicksBig(value: bigint);
  /**
   * Which blocks can be seen: `channel`, which the world must have, no_blocks, solid_only,
   * block_filter and skip_start_inside. Which entities hide blocks, with entities_hide: categories,
   * `ignore`, entity_filter and skip_start_inside. Other members have no meaning, no_entities among
   * them. All is copied, as by a cursor. Or null.
   */
  get filter(): number;
  set filter(value: number);
  /** 1 if entities hide what is farther; rays pass through them otherwise */
  get entitiesHide(): number;
  set entitiesHide(value: number);
}

/** The view of a tick: a cone of directions. */
export class ViewCone {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  from(i: number): number;
  setFrom(i: number, value: number): void;
  /** the axis, of any length but zero */
  direction(i: number): number;
  setDirection(i: number, value: number): void;
  /** -1 (all directions) to 1 (the axis alone) */
  get cosHalfAngle(): number;
  set cosHalfAngle(value: number);
}

export class SeenBlock {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  block(i: number): number;
  setBlock(i: number, value: number): void;
  blockBig(i: number): bigint;
  setBlockBig(i: number, value: bigint): void;
  /** the tick in which it came into sight, from 1 */
  get since(): number;
  set since(value: number);
  get sinceBig(): bigint;
  set sinceBig(value: bigint);
  /** the tick in which a ray hit it last */
  get last(): number;
  set last(value: number);
  get lastBig(): bigint;
  set lastBig(value: bigint);
  get level(): number;
  set level(value: number);
  /** when a ray hit it last */
  get type(): number;
  set type(value: number);
}

/** A chunk with a block in sight. */
export class SeenChunk {
  /** The bytes of one. */
  static readonly size: number;
  memory: Memory;
  at: number;
  begin: number;
  constructor(memory: Memory, at: number);
  move(i: number): this;
  chunk(i: number): number;
  setChunk(i: number, value: number): void;
  chunkBig(i: number): bigint;
  setChunkBig(i: number, value: bigint): void;
  get since(): number;
  set since(value: number);
  get sinceBig(): bigint;
  set sinceBig(value: bigint);
  get last(): number;
  set last(value: number);
  get lastBig(): bigint;
  set lastBig(value: bigint);
  get level(): number;
  set level(value: number);
}

export type PlainKind = "flag" | "limit" | "number" | "u8" | "u16" | "u64";
export const PLAIN: {
  readonly QueryOptions: { readonly [member: string]: PlainKind };
  readonly SightOptions: { readonly [member: string]: PlainKind };
  readonly Rule: { readonly [member: string]: PlainKind };
};

/** The plain members of frQueryOptions; all have a default. */
export interface PlainQueryOptions {
  /** FR_CORNER_... */
  corner?: number;
  /** of entities that are hit; null stands for all */
  categories?: number | null;
  /** the most hits of a shot; null for no limit */
  maxHits?: number | null;
  /** the most steps; beyond, FR_RESOURCE_EXHAUSTED; null for no limit */
  maxSteps?: number | null;
  /** of all queries of a batch together; null for no limit */
  maxBatchSteps?: number | null;
  /** the collision channel */
  channel?: number;
  /** to hit no blocks */
  noBlocks?: boolean;
  /** to hit no entities */
  noEntities?: boolean;
  /** to hit no permeable blocks */
  solidOnly?: boolean;
  /** to leave out things that contain the start */
  skipStartInside?: boolean;
  /** to find unknown_from */
  reportUnknown?: boolean;
  /** to end there as well */
  stopAtUnknown?: boolean;
  /** if entities block lines of sight */
  entitiesBlock?: boolean;
  /** to recognize entities of `after` by id: hits of another process */
  afterById?: boolean;
}

/** The plain members of frSightOptions; all have a default. */
export interface PlainSightOptions {
  /** FR_UNLOADED_... */
  unloaded?: number;
  /** of entities that hide; null stands for all */
  categories?: number | null;
  /** the most steps; beyond, FR_RESOURCE_EXHAUSTED; null for no limit */
  maxSteps?: number | null;
  /** the occluders that a direction may pass */
  through?: Wide;
  /** the collision channel */
  channel?: number;
  /** to let no blocks hide */
  noBlocks?: boolean;
  /** to leave out what has the eye in its interior */
  skipStartInside?: boolean;
  /** to let box entities hide */
  boxesBlock?: boolean;
}

/** The plain members of frRule; all have a default. */
export interface PlainRule {
  /** FR_RULE_... */
  kind?: number;
  /** the cost of a hit */
  perHit?: number;
  /** the cost of each block width travelled inside */
  perBlock?: number;
  /** the number of a budget */
  budget?: number;
  /** if a block costs even if the line only touches it */
  touchCosts?: boolean;
  /** if a run of adjacent blocks of one type costs per_hit once */
  perPane?: boolean;
}
