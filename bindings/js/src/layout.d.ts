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
export const NOT_FOUND: 5;
export const ALREADY_EXISTS: 6;
/** by the system, of a file */
export const PERMISSION_DENIED: 7;
/** a limit that was set, or memory: frGetLastError() says which */
export const RESOURCE_EXHAUSTED: 8;
export const FAILED_PRECONDITION: 9;
/** beyond the frame of the world, or an array is too short */
export const OUT_OF_RANGE: 11;
/** a part that this library was built without */
export const UNIMPLEMENTED: 12;
/** a C++ exception of a callback or of the library */
export const INTERNAL: 13;
/** a file that stays locked; try again */
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
/** responses to a hit */
export const CONTINUE: 0;
/** responses to a hit */
export const STOP: 1;
/** responses to a hit */
export const AGAIN: 2;
/** lines of sight */
/** lines of sight */
export const CLEAR: 0;
/** lines of sight */
export const BLOCKED: 1;
/** lines of sight */
export const UNKNOWN: 2;
/** states of a chunk */
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
/** a shot of a batch */
export const DONE: 0;
/** a shot of a batch */
export const OUT_OF_STEPS: 1;
/** a shot of a batch */
export const NOT_STARTED: 2;
/** numbers of frVectors */
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
export const UNLOADED_TRANSPARENT: 1;
export const UNLOADED_OPAQUE: 2;
/** The answer of pairs that max_steps left undecided. */
export const UNDECIDED_REPORT: 0;
export const UNDECIDED_VISIBLE: 1;
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
/** the answer in the log, that of the replay */
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
export const CAME_INTO_SIGHT: 1;
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
  /** not among `chunks`: outside of the box */
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
  /** of FR_VERB_VISIBLE and FR_VERB_EXPOSURE, which have no line */
  get sight(): SightQuery;
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

/**
 * The functions of the module. Pointers are addresses in its memory; those from 2^31 on are
 * negative.
 */
export interface Functions {
  readonly memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  free(address: number): void;
  /** Returns FR_VERSION of the library. */
  frGetVersion(): number;
  /** Returns the name of a result, such as "OUT_OF_RANGE"; "UNKNOWN" for other numbers. */
  frGetResultName(result: number): number;
  /**
   * Returns what the last call of this thread that failed reported, at most 1023 bytes of UTF-8 in
   * which control characters are escaped; "" if none has failed. Valid until the next call that
   * fails on this thread.
   */
  frGetLastError(): number;
  /** Makes an empty world. */
  frCreateWorld(def: number, world: number): number;
  /**
   * Destroys a world or a snapshot. Its snapshots live on, and so do the objects that were made of
   * it: frCursor, frChunkCursor, frEngineChunks, frBindings, frStreamer and frVisibility. Until the
   * last of all these is destroyed, the contexts of registered callbacks and of parallel_for are in
   * use; until the last of the objects that were made of the world itself, not of a snapshot, is
   * destroyed, so are the ids that its chunks borrow.
   */
  frDestroyWorld(world: number): number;
  /**
   * Makes an immutable world with the blocks, entities and callbacks of this one as they are now.
   * Functions that would change it are FR_FAILED_PRECONDITION, as is a snapshot of it. Ids borrowed
   * from the caller are copied.
   */
  frWorld_Snapshot(world: number, snapshot: number): number;
  frWorld_GetLevels(world: number, levels: number): number;
  /**
   * Returns the versions of the content, which grow with every change. Equal versions of one world
   * and its snapshots mean equal content. Both pointers may be null.
   */
  frWorld_GetVersions(world: number, blocks: number, entities: number): number;
  /** Replaces the threads of frWorldDef. */
  frWorld_SetParallelFor(world: number, parallelFor: number, context: number): number;
  /**
   * Starts threads for callers without a job system. `threads`, at most 1024, is their number with
   * the calling thread, which works too; 0 stands for as many as the machine runs at once. Pass
   * frExecutor_Run as parallel_for, with the executor as its context. Worlds do not keep it: once
   * it is destroyed, their batches run on the calling thread alone.
   */
  frCreateExecutor(threads: number, executor: number): number;
  frDestroyExecutor(executor: number): number;
  frExecutor_GetThreads(executor: number, threads: number): number;
  /**
   * An frParallelForFcn. Runs no task if `executor` is none, or no longer, or if `task` is null.
   */
  frExecutor_Run(executor: number, tasks: number, task: number, taskContext: number): void;
  /**
   * Reads a saved world: a Luanti world, by its folder or its map.sqlite. It has 4 levels, of which
   * nodes are the finest: node (x, y, z) is block (x, y, z) of level 3, from x to x + 1. Its block
   * types are named as the nodes. The coarser levels summarize it. Writes nothing; `path` is UTF-8.
   * def->levels is 0 or 4. `options` and `report` may be null. Damaged chunks are no error: they
   * are in the report. FR_NOT_FOUND, FR_PERMISSION_DENIED, FR_UNAVAILABLE and FR_DATA_LOSS are
   * about the file, and FR_UNIMPLEMENTED is the answer of a library that was built without
   * FRACTALRAY_C_FORMATS. Adds the types of the nodes to those of def->block_types_of, also if an
   * error ends it: no other thread may use that world, or one that shares its block types,
   * meanwhile. Snapshots have types of their own. Cost: about 20 us and 9 KB a chunk.
   */
  frOpenWorld(def: number, path: number, options: number, world: number, report: number): number;
  frDestroyLoadReport(report: number): number;
  frLoadReport_GetSummary(report: number, summary: number): number;
  /**
   * Each of these copies a text as frWorld_GetBlockTypeName copies a name: the name of the format,
   * such as "Luanti"; the position of a damaged chunk with the reason, such as "(2, 0, 0): the zstd
   * data is cut off", and last, if chunks are unsupported, why; and the name of a node that the
   * table of kinds does not list, so that its default holds for it. FR_OUT_OF_RANGE for an index
   * beyond the last.
   */
  frLoadReport_GetFormat(report: number, format: number, capacity: number, length: number): number;
  frLoadReport_GetDamage(report: number, index: number, damage: number, capacity: number, length: number): number;
  frLoadReport_GetDefaultedName(report: number, index: number, name: number, capacity: number, length: number): number;
  /**
   * Adds a shape of blocks that do not fill their cube, or finds it: the union of boxes inside the
   * cube. `boxes` has six numbers for each, min x, y, z and max x, y, z, in fractions of the
   * block's width, which are rounded to 1/65536, halves up. Types with a shape without boxes are
   * empty. FR_INVALID_ARGUMENT for more than 255 boxes, and for one that is flat or not inside the
   * cube.
   */
  frWorld_AddShape(world: number, boxes: number, count: number, shape: number): number;
  /**
   * Returns the number of boxes of the shape of a type in a channel, and writes as many as fit, in
   * the shape's own order; one for a type that fills its cube. `count` may be null.
   */
  frWorld_GetShape(world: number, type: number, channel: number, boxes: number, capacity: number, count: number): number;
  /** Adds a block type; FR_ALREADY_EXISTS for a name in use. */
  frWorld_AddBlockType(world: number, def: number, type: number): number;
  /** Returns the channel of that name, added if it is new. */
  frWorld_AddChannel(world: number, name: number, channel: number): number;
  frWorld_FindBlockType(world: number, name: number, type: number): number;
  frWorld_FindChannel(world: number, name: number, channel: number): number;
  /** Returns the number of block types and of channels. Both pointers may be null. */
  frWorld_CountBlockTypes(world: number, types: number, channels: number): number;
  /**
   * Each of these copies a name, ended by a zero byte. *length (may be null) does not count that
   * byte. If the name does not fit, only its length is written and the result is FR_OUT_OF_RANGE;
   * with a capacity of 0 it is FR_OK.
   */
  frWorld_GetBlockTypeName(world: number, type: number, name: number, capacity: number, length: number): number;
  frWorld_GetChannelName(world: number, channel: number, name: number, capacity: number, length: number): number;
  /** Returns the kind of a block type in a channel. */
  frWorld_GetBlockKind(world: number, type: number, channel: number, kind: number): number;
  /**
   * Makes a layout, with a copy of the table. In place of a layout, null stands for ids that are
   * block types themselves, of 2 bytes, with the strides 2, 32 and 512.
   */
  frCreateIdLayout(def: number, layout: number): number;
  frDestroyIdLayout(layout: number): number;
  /**
   * Loads, replaces and unloads chunks of a level: all of them or none. After writing to borrowed
   * ids, call frWorld_RefreshBlock or frWorld_RefreshBox. FR_INVALID_ARGUMENT, with the block, for
   * an id without a block type. Element i of the array is i * chunks->struct_size bytes after the
   * first.
   */
  frWorld_LoadChunks(world: number, level: number, chunks: number, count: number): number;
  /** Adds a placeholder for a chunk that is not loaded yet. FR_ALREADY_EXISTS if it is loaded. */
  frWorld_LoadProtoChunk(world: number, level: number, chunk: number): number;
  /** Removes a chunk or a placeholder; FR_NOT_FOUND if there is none. */
  frWorld_UnloadChunk(world: number, level: number, chunk: number): number;
  /** Loads the chunk of the next finer level that a block expands into, filled with its type. */
  frWorld_ExpandBlock(world: number, level: number, block: number): number;
  /**
   * Each of these loads the blocks of a box [min, max] (inclusive), for chunks of any size.
   * frWorld_LoadBox asks `block_type` once for each block; frWorld_LoadBoxIds reads ids, of which
   * the first is that of block `min`. Chunks that the box covers in part keep their other blocks.
   * At most 2^20 chunks.
   */
  frWorld_LoadBox(world: number, level: number, min: number, max: number, blockType: number, context: number): number;
  frWorld_LoadBoxIds(world: number, level: number, min: number, max: number, layout: number, ids: number): number;
  /**
   * Each of these reads borrowed ids again after the caller has written to them: the id of a block,
   * or those of a box [min, max] (inclusive). FR_FAILED_PRECONDITION for a chunk that does not
   * borrow.
   */
  frWorld_RefreshBlock(world: number, level: number, block: number): number;
  frWorld_RefreshBox(world: number, level: number, min: number, max: number): number;
  /**
   * frWorld_GetBlock returns a block of a loaded chunk, frWorld_SetBlock sets one, frWorld_FillBox
   * sets those of a box [min, max] (inclusive). To change a block of a chunk that is borrowed only
   * for reading is FR_FAILED_PRECONDITION.
   */
  frWorld_GetBlock(world: number, level: number, block: number, type: number): number;
  frWorld_SetBlock(world: number, level: number, block: number, type: number): number;
  frWorld_FillBox(world: number, level: number, min: number, max: number, type: number): number;
  /** Sets the block at `to` to the type of the block at `from`, and the block at `from` to air. */
  frWorld_MoveBlock(world: number, level: number, from: number, to: number): number;
  /** Describes a chunk; one outside of the frame is absent. */
  frWorld_GetChunk(world: number, level: number, chunk: number, info: number): number;
  /**
   * Copies the types of all blocks of a loaded chunk to an array of FR_BLOCKS_PER_CHUNK elements:
   * that of its block (x, y, z), 0 to 15 each, is element x + 16 y + 256 z, as in the ids that
   * frWorld_LoadChunks takes without a layout. FR_NOT_FOUND for a chunk that is not loaded.
   */
  frWorld_GetChunkBlocks(world: number, level: number, chunk: number, types: number): number;
  frWorld_GetLevel(world: number, level: number, info: number): number;
  /**
   * Returns the loaded chunks of a level in the order of their indices, x first: three numbers
   * each. `capacity` and `count` are in chunks.
   */
  frWorld_GetLoadedChunks(world: number, level: number, chunks: number, capacity: number, count: number): number;
  /**
   * Keeps a level of a world in step with the caller's chunks. Borrowing needs a width that is a
   * multiple of 16.
   */
  frCreateEngineChunks(world: number, def: number, chunks: number): number;
  frDestroyEngineChunks(chunks: number): number;
  /** Loads, reloads or unloads one of the caller's chunks, as `find` answers. */
  frEngineChunks_Sync(chunks: number, chunk: number): number;
  /**
   * Each of these takes over what the caller has written: to a block, or to a box [min, max]
   * (inclusive).
   */
  frEngineChunks_RefreshBlock(chunks: number, block: number): number;
  frEngineChunks_RefreshBox(chunks: number, min: number, max: number): number;
  /**
   * Each of these edits many entities: all or none; the error names the first that is refused.
   * Element i of an array of frEntityDef is i * defs->struct_size bytes after the first.
   */
  frWorld_AddEntities(world: number, defs: number, count: number, entities: number): number;
  /** Moves entities to positions of the format FR_F64 or FR_F32. */
  frWorld_MoveEntities(world: number, entities: number, positions: number, count: number): number;
  frWorld_RemoveEntities(world: number, entities: number, count: number): number;
  /**
   * Changes the members of entities that `members` names, FR_SET_..., to those of `defs`; an entity
   * keeps its id. Categories of 0 are set as they are.
   */
  frWorld_UpdateEntities(world: number, entities: number, defs: number, members: number, count: number): number;
  frWorld_GetEntity(world: number, entity: bigint, info: number): number;
  /** Returns the living entity with an id. On a snapshot its cost grows with the entities. */
  frWorld_FindEntity(world: number, id: bigint, entity: number): number;
  frWorld_GetEntities(world: number, entities: number, capacity: number, count: number): number;
  /**
   * Returns the chunks of its index level that an entity touches, three numbers each, at most 27.
   */
  frWorld_GetEntityChunks(world: number, entity: bigint, chunks: number, capacity: number, count: number): number;
  /**
   * Moves up to `most` entities that frWorld_Descend has left in coarser chunks into finer ones; no
   * answer depends on it. *is_done (or null) is 1 if none are left.
   */
  frWorld_RefineEntities(world: number, most: number, isDone: number): number;
  /**
   * Binds entities of a world to blocks: they move with their block, and are removed with it or
   * with its chunk, by the functions below. Direct edits of the world change no binding.
   */
  frCreateBindings(world: number, bindings: number): number;
  frDestroyBindings(bindings: number): number;
  frBindings_Bind(bindings: number, entity: bigint, level: number, block: number): number;
  frBindings_Unbind(bindings: number, entity: bigint): number;
  frBindings_Clear(bindings: number): number;
  /** Returns the block of an entity; FR_NOT_FOUND if it is not bound. */
  frBindings_GetBlock(bindings: number, entity: bigint, block: number): number;
  frBindings_GetEntities(bindings: number, level: number, block: number, entities: number, capacity: number, count: number): number;
  frBindings_GetEntitiesInChunk(bindings: number, level: number, chunk: number, entities: number, capacity: number, count: number): number;
  /**
   * frBindings_MoveBlock moves a block together with the entities bound to it.
   * frBindings_RemoveBlock sets a block to air, frBindings_UnloadChunk unloads a chunk; both remove
   * the entities that are bound there.
   */
  frBindings_MoveBlock(bindings: number, level: number, from: number, to: number): number;
  frBindings_RemoveBlock(bindings: number, level: number, block: number): number;
  frBindings_UnloadChunk(bindings: number, level: number, chunk: number): number;
  /**
   * Removes the entities bound to blocks whose chunks are no longer loaded; *removed may be null.
   */
  frBindings_RemoveUnloaded(bindings: number, removed: number): number;
  /**
   * Makes the line from one point to another, rounded to units. After an error `line` is all zero,
   * so that a query refuses it: an engine may check the query alone.
   */
  frMakeSegment(from: number, to: number, line: number): number;
  /**
   * Makes the line of a ray, of any direction but zero, up to max_distance (which may be infinite)
   * and no farther than the box `bounds` (min x, y, z, max x, y, z; or null). The line keeps its
   * direction whatever its length; see docs/queries/rays.md. Errors as for frMakeSegment.
   */
  frMakeRay(origin: number, direction: number, maxDistance: number, bounds: number, line: number): number;
  /**
   * frLine_GetPoint returns the point at a finite time t; frLine_GetLength returns the length of
   * the whole line, from t = 0 to 1, in finest-block widths.
   */
  frLine_GetPoint(line: number, t: number, point: number): number;
  frLine_GetLength(line: number, length: number): number;
  /** Makes terminal rules without any rule: data in place of callbacks. */
  frCreateRules(rules: number): number;
  frDestroyRules(rules: number): number;
  /** Adds a budget of that amount for each shot, at most FR_MAX_BUDGETS. */
  frRules_AddBudget(rules: number, amount: number, budget: number): number;
  /**
   * frRules_SetBlock sets the rule of a block type on `levels`; frRules_SetEntities sets the rule
   * of the entities of these levels that share a category. A running shot keeps the rules with
   * which it began.
   */
  frRules_SetBlock(rules: number, type: number, rule: number, levels: number): number;
  frRules_SetEntities(rules: number, categories: bigint, rule: number, levels: number): number;
  /**
   * Each of these registers callbacks, for hits of a block type or of an entity class, in place of
   * earlier ones: a test that decides which hits are terminal, and an effect. Either may be null;
   * if both are null, the callbacks are removed. A solid block ends the shot whatever its effect
   * returns.
   */
  frWorld_OnBlockHit(world: number, type: number, isTerminal: number, effect: number, context: number): number;
  frWorld_OnEntityHit(world: number, entityClass: number, isTerminal: number, effect: number, context: number): number;
  /**
   * Each of these registers the effect of all block types, or of all entity classes, that have no
   * callbacks of their own; null removes it.
   */
  frWorld_OnAnyBlockHit(world: number, effect: number, context: number): number;
  frWorld_OnAnyEntityHit(world: number, effect: number, context: number): number;
  /**
   * Shoots: calls back for each hit in the order of distance until one is terminal, and reports the
   * hits. If the array is too short, all callbacks have been called; set max_hits to end earlier.
   * The hits so far are also reported with FR_RESOURCE_EXHAUSTED past max_steps, and with
   * FR_FAILED_PRECONDITION if a callback has moved the frame. They are not if memory runs out or a
   * response is invalid, although the callbacks of these hits have been called: a result that was
   * zero before then has line.end_time 0.
   */
  frWorld_Shoot(world: number, line: number, levels: number, options: number, hits: number, capacity: number, result: number): number;
  /**
   * Resumes a whole shot after its last hit in the world as it is now. `result` is that of the
   * shot, with result->hit_count hits in `hits`; the new hits are appended.
   */
  frWorld_Resume(world: number, levels: number, options: number, hits: number, capacity: number, result: number): number;
  /**
   * Finds the first hit (picking); its kind is FR_HIT_NONE if there is none. Calls no callbacks but
   * filters.
   */
  frWorld_ClosestHit(world: number, line: number, levels: number, options: number, hit: number, result: number): number;
  /**
   * Finds out if a solid block (or an entity, with entities_block) is in the way: FR_CLEAR,
   * FR_BLOCKED or FR_UNKNOWN. `blocker` (or null) is then any of those that block, or of the kind
   * FR_HIT_NONE.
   */
  frWorld_Occluded(world: number, line: number, levels: number, options: number, occlusion: number, blocker: number, result: number): number;
  /**
   * Makes a cursor, which returns the hits of frWorld_Shoot one by one, on request. The caller acts
   * between two hits, in place of callbacks, and may change the world there.
   */
  frWorld_HitsAlong(world: number, line: number, levels: number, options: number, cursor: number): number;
  /**
   * Returns the next hits, at most `capacity` of them; fewer only at the end. If an error ends the
   * call, `hits` and `count` have those that were found before it. Memory that runs out, and an
   * exception of a callback, end the cursor: FR_FAILED_PRECONDITION from then on.
   */
  frCursor_Next(cursor: number, hits: number, capacity: number, count: number): number;
  /** Returns the shot up to the last hit that was requested. */
  frCursor_GetResult(cursor: number, result: number): number;
  frDestroyCursor(cursor: number): number;
  /** Returns the mirror image of a line in the face of a hit of it, from the time of the hit on. */
  frWorld_Reflect(world: number, line: number, hit: number, image: number): number;
  /**
   * Returns the part of a line in the box of the loaded chunks of each level, the coarsest first;
   * levels that the line misses are left out. At most FR_MAX_LEVELS.
   */
  frWorld_GetLevelParts(world: number, line: number, levels: number, parts: number, capacity: number, count: number): number;
  /**
   * Finds the first hit of each line. Every array has an element for each line. `unknown_from` (NaN
   * for none), `results` and `batch` may be null.
   */
  frWorld_ClosestHits(world: number, lines: number, levels: number, options: number, hits: number, unknownFrom: number, results: number, batch: number): number;
  /**
   * Finds the first hit of each line, as frWorld_ClosestHits does, in less than half the memory.
   */
  frWorld_CompactHits(world: number, lines: number, levels: number, options: number, hits: number, unknownFrom: number, results: number, batch: number): number;
  /**
   * Computes the full hit of a line. That of a block depends on the line alone; that of an entity
   * is computed from the entity as it is now: FR_NOT_FOUND if it is gone, FR_FAILED_PRECONDITION if
   * the line no longer hits it at that time.
   */
  frWorld_GetFullHit(world: number, line: number, compact: number, hit: number): number;
  /**
   * Writes the parts of a line inside a hit, as pairs of times [t0, t1], in order: several for a
   * shape with gaps, one for every other hit. `line` and `options` (may be null) are those of the
   * query that hit it. FR_OUT_OF_RANGE, and *count alone is written, if `capacity` pairs do not
   * suffice; with a capacity of 0 it is FR_OK.
   */
  frWorld_GetHitSpans(world: number, line: number, options: number, hit: number, spans: number, capacity: number, count: number): number;
  /**
   * Finds out for each line if it is blocked: `answers` gets FR_CLEAR, FR_BLOCKED or FR_UNKNOWN.
   * `blockers`, `results` and `batch` may be null.
   */
  frWorld_OccludedMany(world: number, lines: number, levels: number, options: number, answers: number, blockers: number, results: number, batch: number): number;
  /**
   * Shoots many lines. `batch` takes the answers, and memory that is used again by the next batch.
   */
  frCreateShotBatch(batch: number): number;
  frDestroyShotBatch(batch: number): number;
  frWorld_ShootMany(world: number, lines: number, levels: number, options: number, batch: number): number;
  /** Continues a batch whose steps ran out, with the same lines and options. */
  frWorld_ResumeMany(world: number, lines: number, levels: number, options: number, batch: number): number;
  frShotBatch_GetSummary(batch: number, summary: number): number;
  /**
   * frShotBatch_GetResults copies the results of shots `first` to first + count - 1.
   * frShotBatch_GetHits copies hits by their numbers among those of all shots
   * (frQueryResult::hits_begin). FR_OUT_OF_RANGE beyond the last. Element i of `results` is
   * results->struct_size bytes after the first, whose struct_size is set.
   */
  frShotBatch_GetResults(batch: number, first: number, count: number, results: number): number;
  frShotBatch_GetHits(batch: number, first: number, count: number, hits: number): number;
  /**
   * Rounds an eye and a box to units. After an error the query is one of zeros, which every
   * function refuses.
   */
  frMakeSightQuery(eye: number, min: number, max: number, query: number): number;
  /**
   * Makes `count` queries of the eyes and the corners of boxes in the caller's arrays, each in any
   * format. Nothing is written after an error, which names the query.
   */
  frMakeSightQueries(eyes: number, mins: number, maxs: number, count: number, queries: number): number;
  /**
   * Finds out if the eye sees any part of the box: FR_SIGHT_HIDDEN, FR_SIGHT_UNKNOWN or
   * FR_SIGHT_VISIBLE. `answer` may be null.
   */
  frWorld_Visible(world: number, query: number, levels: number, options: number, sight: number, answer: number): number;
  /**
   * Finds solid boxes that hide a hidden box by themselves, as long as they stay solid; none for a
   * box that is not hidden.
   */
  frWorld_FindCertificate(world: number, query: number, levels: number, options: number, boxes: number, capacity: number, count: number): number;
  /**
   * Finds out if boxes hide the box of a query, which may have moved since: 1 or 0. Does not look
   * at a world.
   */
  frHides(boxes: number, count: number, query: number, hidden: number): number;
  /**
   * Computes the share of the box that the eye sees, by volume, or by area if it is flat: at least
   * `from`, at most `to`. They differ by less than a millionth, unless the box is thinner than
   * 1/1,024 of its distance, and by the directions through unloaded space, which count in `to`
   * only. `stats` may be null.
   */
  frWorld_Exposure(world: number, query: number, levels: number, options: number, from: number, to: number, stats: number): number;
  /**
   * Each answers many queries, on the threads of the world's parallel_for. Every array has an
   * element for each query; `results` may be null. An error of one query stops no other one: the
   * call is FR_OK, frGetLastError() describes the first of them, and the answer is
   * FR_SIGHT_UNDECIDED, or from 0 to 1.
   */
  frWorld_VisibleMany(world: number, queries: number, count: number, levels: number, options: number, answers: number, results: number): number;
  frWorld_Exposures(world: number, queries: number, count: number, levels: number, options: number, from: number, to: number, results: number): number;
  /**
   * Keeps the answers of the last call of frWorld_VisibleBoxes that was given the history, with a
   * proof of each. The next one tries the proofs on the world, eyes and boxes as they are then, and
   * searches where they fail: the answers are those of a call without a history. Pairs are known by
   * the indices of viewer, eye and box; a change of order costs time alone. Takes some 100 bytes a
   * pair. One call uses a history at a time.
   */
  frCreateSightHistory(history: number): number;
  frDestroySightHistory(history: number): number;
  /**
   * Answers, for each viewer and each box, what frWorld_Visible does for them: FR_SIGHT_..., in
   * answers[viewer * box_count + box]. Viewer i has eye_counts[i] eyes, which follow those of the
   * viewers before it, and sees what one of them sees; one each if eye_counts is null. Boxes are
   * given by their corners; all points in any format. Runs on the threads of the world's
   * parallel_for. `options` and `stats` may be null. After an error nothing is written; it names
   * the viewer and eye, or the box.
   */
  frWorld_VisibleBoxes(world: number, eyes: number, eyeCounts: number, viewerCount: number, mins: number, maxs: number, boxCount: number, levels: number, options: number, answers: number, stats: number): number;
  /**
   * frWorld_EntitiesInSphere finds the entities whose closed shape touches a closed ball, in the
   * order of distance, then id. frWorld_EntitiesInBox finds those that touch a closed box, in the
   * order of id. frWorld_NearestEntities finds the nearest to a point, at most `capacity` of them.
   */
  frWorld_EntitiesInSphere(world: number, center: number, radius: number, levels: number, options: number, found: number, capacity: number, count: number): number;
  frWorld_EntitiesInBox(world: number, min: number, max: number, levels: number, options: number, found: number, capacity: number, count: number): number;
  frWorld_NearestEntities(world: number, point: number, maxDistance: number, levels: number, options: number, found: number, capacity: number, count: number): number;
  /**
   * Each of these finds the blocks that are not empty and touch a closed ball, in the order of
   * distance, then the finer level, then index; or a closed box, in the order of level and index.
   */
  frWorld_BlocksInSphere(world: number, center: number, radius: number, levels: number, options: number, found: number, capacity: number, count: number): number;
  frWorld_BlocksInBox(world: number, min: number, max: number, levels: number, options: number, found: number, capacity: number, count: number): number;
  /**
   * Finds the blocks around an eye of which it sees any part: of those that frWorld_BlocksInSphere
   * finds with the options `targets`, and that have one of some types (all if type_count is 0),
   * those whose cube is visible or unknown to frWorld_Visible with `options`. First all that are
   * FR_SIGHT_VISIBLE, the nearest first, then all that are FR_SIGHT_UNKNOWN, then those that are
   * FR_SIGHT_UNDECIDED since options->max_steps, which are for the whole query, ran out: that is no
   * error.
   */
  frWorld_VisibleBlocks(world: number, eye: number, radius: number, levels: number, types: number, typeCount: number, targets: number, options: number, found: number, capacity: number, count: number): number;
  /**
   * Makes rays of equal power to all points of the surface of a cube that is divided into a lattice
   * of n x n x n points: n^3 - (n - 2)^3 rays, with steps of the length `step`, in finest-block
   * widths, rounded to units. `n` is 2 to 256, `step` 2^-10 to 2^10.
   */
  frMakeCubeFan(n: number, step: number, power: bigint, rays: number, capacity: number, count: number): number;
  /**
   * Finds the blocks that a blast breaks, each once, in the order of steps, then of rays, then the
   * finer level first; and the entities within the radius, the nearest first, then by id, each with
   * its exposure before any block breaks. Changes nothing. Runs on the threads of the world's
   * parallel_for. `options` select the blocks that have to do with the blast (`channel`, no_blocks,
   * solid_only, block_filter; rays pass all others like air) and the entities to report; `sight`
   * selects what shields them. Both may be null. The counts are in `result`; if an array is too
   * short, the other one is complete.
   */
  frWorld_Blast(world: number, query: number, levels: number, options: number, sight: number, blocks: number, blockCapacity: number, entities: number, entityCapacity: number, result: number): number;
  /**
   * Begins a log at a path, and replaces the file if it exists: of all later queries of this world,
   * or snapshot, and of the moves of its frame. Unless without_fingerprints is set, all blocks and
   * entities are read now, so that a replay on another world is refused. FR_FAILED_PRECONDITION in
   * a callback of the world, and if it writes a log already.
   */
  frWorld_BeginLog(world: number, path: number, withoutFingerprints: number): number;
  /**
   * Hands the logged queries to the system: call it once a tick if the program may crash. Returns
   * the first error of the file, at which the log ends; no query fails because of it.
   */
  frWorld_FlushLog(world: number): number;
  /**
   * Ends the log, as does the end of the world, and marks it as complete. Returns the first error
   * of the file; the log has ended nevertheless. `queries`, how many are in the log, may be null.
   */
  frWorld_EndLog(world: number, queries: number): number;
  /**
   * Opens a log and takes over the world to run it on: `world` is destroyed, as by frDestroyWorld,
   * unless there is an error. Blocks and entities must be as those of the log were when it began;
   * callbacks need not be registered: the log has where they ended shots. FR_FAILED_PRECONDITION
   * for another world, for a snapshot, and for one that other objects use. Other errors are about
   * the file: FR_NOT_FOUND, FR_INVALID_ARGUMENT for one that is no log, FR_DATA_LOSS.
   */
  frCreateReplay(world: number, path: number, options: number, replay: number): number;
  frDestroyReplay(replay: number): number;
  /**
   * Runs the next query again. FR_DATA_LOSS where the log is damaged or cut off, with the byte and
   * the record. An error ends the replay.
   */
  frReplay_Next(replay: number, replayed: number): number;
  /**
   * Returns why the last query cannot be repeated, if that is FR_REPLAY_NOT_REPLAYABLE; else "".
   */
  frReplay_GetReason(replay: number, reason: number, capacity: number, length: number): number;
  /**
   * Returns an answer to the last query: `which` is FR_RECORDED or FR_REPLAYED. `occlusion` is
   * written for FR_VERB_OCCLUDED; it and `result`, whose `result` is that of the query, may be
   * null. Hits have no categories, and those of spheres no normal; a type that the world lacks is
   * FR_AIR. FR_FAILED_PRECONDITION if the query was not repeated, or its answer is in the log as a
   * hash.
   */
  frReplay_GetAnswer(replay: number, which: number, occlusion: number, hits: number, capacity: number, result: number): number;
  /**
   * Returns an answer to the last query, if that is one of sight: of FR_VERB_VISIBLE `sight` is
   * written, of FR_VERB_EXPOSURE `from` and `to`; each may be null. Errors: that of the answer, and
   * those of frReplay_GetAnswer; FR_INVALID_ARGUMENT for a query along a line.
   */
  frReplay_GetSight(replay: number, which: number, sight: number, from: number, to: number): number;
  /** Returns the level parts of such an answer, if the query reported them. */
  frReplay_GetLevelParts(replay: number, which: number, parts: number, capacity: number, count: number): number;
  /**
   * Makes a cursor of the chunks that a line crosses, the finest level first: those that a shot
   * needs loaded. With loaded_only, chunks that are not loaded are left out.
   */
  frWorld_ChunksOn(world: number, line: number, levels: number, corner: number, loadedOnly: number, cursor: number): number;
  /** Returns the next chunks, at most `capacity` of them; fewer only at the end. */
  frChunkCursor_Next(cursor: number, chunks: number, capacity: number, count: number): number;
  frDestroyChunkCursor(cursor: number): number;
  /**
   * Walks over the cells of a grid, `widths` units wide, that a segment crosses; ends are in units,
   * at most 2^61. In 2 dimensions the third components are not read, and the cell's is 0.
   */
  frCreateWalk(dimensions: number, from: number, to: number, widths: number, corner: number, walk: number): number;
  /** Returns the number of planes between cells that the whole walk crosses. */
  frWalk_GetCrossings(walk: number, crossings: number): number;
  /** Returns the next cells, at most `capacity` of them; fewer only at the end. */
  frWalk_Next(walk: number, cells: number, capacity: number, count: number): number;
  frDestroyWalk(walk: number): number;
  /**
   * Walks over the cells, `widths` units wide, of many lines, up to the end of each: of a ray those
   * that are entered no later than it ends. The cells of line i are number ends[i - 1] (0 for line
   * 0) to ends[i] - 1; each has three numbers in `cells` and its time of entry in `times`, which
   * may be null. `capacity` and `count` are in cells. Levels, `ignore` and `after` of the lines are
   * not used. A line with an error has no cells, its number in `results`, which may be null, is not
   * FR_OK, and the others are walked: `errors`, which may be null, counts such lines, and
   * frGetLastError is about the first. FR_RESOURCE_EXHAUSTED for a line of more than 2^24 cells.
   */
  frWalkMany(lines: number, widths: number, corner: number, ends: number, cells: number, times: number, capacity: number, count: number, results: number, errors: number): number;
  /**
   * Each of these moves the frame, so that another chunk becomes the level-0 chunk (0, 0, 0):
   * frWorld_Descend the level-1 chunk `chunk`, frWorld_Climb the parent of the present one,
   * frWorld_Recenter the level-0 chunk `chunk`. `move` may be null. `left_over` takes the memory of
   * dropped chunks, to be freed on any thread; if it is null, the call frees it.
   */
  frWorld_Descend(world: number, chunk: number, move: number, leftOver: number): number;
  frWorld_Climb(world: number, move: number, leftOver: number): number;
  frWorld_Recenter(world: number, chunk: number, move: number, leftOver: number): number;
  frDestroyLeftOver(leftOver: number): number;
  /** Returns the ids of the entities that the last move evicted, ascending. */
  frWorld_GetEvicted(world: number, ids: number, capacity: number, count: number): number;
  /**
   * Applies a move to bindings, which must follow every move of their world. Returns the entities
   * that are now unbound, because the chunk of their block was dropped. If the array is too short,
   * the bindings have followed nevertheless.
   */
  frBindings_Follow(bindings: number, move: number, unbound: number, capacity: number, count: number): number;
  /**
   * Each of these converts an index, or a point, of the frame before a move to that of the frame
   * after it. If the chunk, block or point is no longer in the frame, *is_kept is 0 and the rest is
   * not written.
   */
  frFrameMove_Chunk(move: number, level: number, chunk: number, levelAfter: number, chunkAfter: number, isKept: number): number;
  frFrameMove_Block(move: number, level: number, block: number, levelAfter: number, blockAfter: number, isKept: number): number;
  /** Converts a point in units. */
  frFrameMove_Point(move: number, units: number, unitsAfter: number, isKept: number): number;
  /**
   * frWorld_GetAnchor copies the path of the level-0 chunk (0, 0, 0) from the root, frWorld_GetPath
   * that of any chunk: text such as "7a3_221", copied as frWorld_GetBlockTypeName copies a name.
   */
  frWorld_GetAnchor(world: number, path: number, capacity: number, length: number): number;
  frWorld_GetPath(world: number, level: number, chunk: number, path: number, capacity: number, length: number): number;
  /**
   * Follows a path down from the chunk `ancestor` of any level. Returns the index of the chunk at
   * its end in `chunk`, and in *steps how many levels below `ancestor` that chunk is.
   */
  frFollowPath(path: number, ancestor: number, chunk: number, steps: number): number;
  /**
   * Returns the chunk at the end of a path from the root, the inverse of frWorld_GetPath;
   * FR_OUT_OF_RANGE if it is not in the frame.
   */
  frWorld_FindPath(world: number, path: number, level: number, chunk: number): number;
  /**
   * Makes a streamer of a world. `source` and `options` may be null; everything that `options`
   * points to is copied, except for what fertile_context points to.
   */
  frCreateStreamer(world: number, source: number, options: number, streamer: number): number;
  /** Cancels the requests; chunks stay as they are, and keep borrowing the ids of their answers. */
  frDestroyStreamer(streamer: number): number;
  /** Replaces the options from the next tick on. */
  frStreamer_SetOptions(streamer: number, options: number): number;
  /**
   * Does the work of a tick: loads what has been answered, unloads what is out of reach of all
   * `count` viewers, and requests what is needed. Failures of the source are no errors here.
   * FR_FAILED_PRECONDITION in a callback of a query; FR_OUT_OF_RANGE for a viewer outside of the
   * frame. If memory runs out, the chunks that frStreamer_GetLoaded and frStreamer_GetUnloaded list
   * are loaded and unloaded, and the next tick continues; after other errors nothing has changed.
   */
  frStreamer_Tick(streamer: number, viewers: number, count: number): number;
  /**
   * Copies the numbers of the next requests, in the order of need: those that have not been copied
   * yet. At most `capacity` of them; fewer only if there are no more.
   */
  frStreamer_TakeRequests(streamer: number, requests: number, capacity: number, count: number): number;
  /**
   * These three may be called by any thread, also in frRequestFcn and during ticks, until
   * frDestroyStreamer is called: end, or wait for, the threads that answer before. They are
   * FR_NOT_FOUND for a request that has been answered or is no longer wanted: there is nothing left
   * to do for it. frStreamer_GetRequestPath copies the path of the requested chunk, as
   * frWorld_GetBlockTypeName copies a name; frWorld_FindPath then finds its index.
   * frStreamer_IsWanted is FR_OK if an answer is still wanted.
   */
  frStreamer_GetRequestPath(streamer: number, request: bigint, path: number, capacity: number, length: number): number;
  frStreamer_IsWanted(streamer: number, request: bigint): number;
  /**
   * Answers a request: with FR_OK and a chunk (chunk->chunk is not read), which a later tick loads;
   * with FR_NOT_FOUND if there is no such chunk and never will be; with any other error to be asked
   * again after growing delays. `chunk` is null unless the answer is FR_OK. A bad chunk is
   * FR_INVALID_ARGUMENT, and the request stays open. No thread may add block types meanwhile.
   */
  frStreamer_Answer(streamer: number, request: bigint, answer: number, chunk: number): number;
  /**
   * Names the missing chunks on a line, at most `limit` of them, the nearest to its start first:
   * the next ticks load them before all others. An effect may call it. `named` gets the chunks, and
   * may be null with a capacity of 0; if it is too short, they are all named nevertheless. If
   * memory runs out, the first of them may have been named.
   */
  frStreamer_Want(streamer: number, line: number, levels: number, limit: number, named: number, capacity: number, count: number): number;
  /**
   * Names single chunks; of a chunk whose ancestors are not loaded, the coarsest of those. *named
   * (or null) is their number, without those that are loaded or do not exist. If memory runs out,
   * the first of them may have been named.
   */
  frStreamer_WantChunks(streamer: number, chunks: number, count: number, named: number): number;
  /**
   * Changes blocks, all or none of them: at once in chunks that are loaded, and in all others
   * whenever the streamer loads them. With a changes_path they are in that file when this returns,
   * and streamers of later programs find them there; if it cannot be written, nothing has changed:
   * FR_RESOURCE_EXHAUSTED for a full disk, FR_PERMISSION_DENIED. FR_FAILED_PRECONDITION without
   * keeps_changes, and for a chunk that the caller itself has loaded.
   */
  frStreamer_SetBlocks(streamer: number, changes: number, count: number): number;
  /**
   * Reverts at most `limit` changes whose time is at or before `now`. If *reverted (or null) is the
   * limit, there may be more.
   */
  frStreamer_RevertChanges(streamer: number, now: bigint, limit: number, reverted: number): number;
  /**
   * Copies the log of a file of changes into the file itself, and waits for the disk, for
   * milliseconds: call it between two ticks, once a second or so. All changes before it then
   * survive a power failure. Without a changes_path it does nothing.
   */
  frStreamer_MaintainChanges(streamer: number): number;
  /**
   * Returns the last failure of a chunk that is needed and not loaded: what the source has
   * answered, FR_RESOURCE_EXHAUSTED if memory ran out, FR_INTERNAL if there was no answer in time;
   * FR_OK if there is none. The text is copied as frWorld_GetBlockTypeName copies a name.
   */
  frStreamer_GetError(streamer: number, level: number, chunk: number, error: number, text: number, capacity: number, length: number): number;
  /** Each of these returns chunks in the order in which the last tick loaded, or unloaded, them. */
  frStreamer_GetLoaded(streamer: number, chunks: number, capacity: number, count: number): number;
  frStreamer_GetUnloaded(streamer: number, chunks: number, capacity: number, count: number): number;
  /**
   * Copies the path of one of the chunks that the last tick has dropped: frDroppedFcn says which
   * these are, and a source with that function has none here. The text is copied as
   * frWorld_GetBlockTypeName copies a name. FR_NOT_FOUND for an index beyond the last.
   */
  frStreamer_GetDropped(streamer: number, index: number, path: number, capacity: number, length: number): number;
  frStreamer_GetStats(streamer: number, stats: number): number;
  /** Makes the view of one viewer of a world, which follows the moves of its frame. */
  frCreateVisibility(world: number, options: number, visibility: number): number;
  frDestroyVisibility(visibility: number): number;
  /**
   * Shoots the rays of a tick in `world`, which is the world of the view or a snapshot of it since
   * the last move of its frame; on the threads of that world.
   */
  frVisibility_Tick(visibility: number, world: number, view: number): number;
  /** Forgets everything, for a viewer that has jumped. */
  frVisibility_Clear(visibility: number): number;
  frVisibility_GetTicks(visibility: number, ticks: number): number;
  /** `which` is FR_IN_SIGHT, FR_CAME_INTO_SIGHT or FR_WENT_OUT_OF_SIGHT. */
  frVisibility_GetBlocks(visibility: number, which: number, blocks: number, capacity: number, count: number): number;
  frVisibility_GetChunks(visibility: number, which: number, chunks: number, capacity: number, count: number): number;
  /** Each of these returns a block, or a chunk, in sight; FR_NOT_FOUND if it is not. */
  frVisibility_FindBlock(visibility: number, level: number, block: number, seen: number): number;
  frVisibility_FindChunk(visibility: number, level: number, chunk: number, seen: number): number;
  /**
   * Returns the unknown chunks that rays of the last tick would have entered, those of most rays
   * first: chunks for frStreamer_WantChunks.
   */
  frVisibility_GetUnknown(visibility: number, chunks: number, capacity: number, count: number): number;
  /**
   * Returns loaded chunks that rays of the last tick have entered, those of most rays first. Given
   * to frStreamer_WantChunks in every tick, they stay loaded as long as they are in sight, or in
   * the way of what is.
   */
  frVisibility_GetEntered(visibility: number, chunks: number, capacity: number, count: number): number;
  frjs_Predicate(): number;
  frjs_Effect(): number;
  frjs_Block(): number;
}
