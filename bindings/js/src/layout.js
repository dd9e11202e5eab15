// SPDX-License-Identifier: Apache-2.0
// Made by tools/scripts/generate_bindings.py from bindings/c/fractalray_c.h, which documents it; do
// not edit.
//
// A class for each struct of the C interface reads and writes a struct in the module's memory, at
// the address `at`. move(i) goes to element i of the array that begins at `begin`. Nothing here
// makes garbage except for structs within structs and ...Big. Integers of 64 bits are numbers,
// exact within +-2^53; the accessors ...Big have all of their bits, as BigInts.

export const VERSION_MAJOR = 0;
export const VERSION_MINOR = 1;
export const VERSION_PATCH = 0;
export const VERSION = 1000;
export const MAX_LEVELS = 10;
export const MAX_BUDGETS = 8;
export const ALL_LEVELS = 1023;
export const UNITS_PER_BLOCK = 65536;
export const BLOCKS_PER_CHUNK = 4096;
export const AIR = 0;
export const NO_BLOCK_TYPE = 65535;
export const OK = 0;
export const INVALID_ARGUMENT = 3;
export const DEADLINE_EXCEEDED = 4;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const PERMISSION_DENIED = 7;
export const RESOURCE_EXHAUSTED = 8;
export const FAILED_PRECONDITION = 9;
export const ABORTED = 10;
export const OUT_OF_RANGE = 11;
export const UNIMPLEMENTED = 12;
export const INTERNAL = 13;
export const UNAVAILABLE = 14;
export const DATA_LOSS = 15;
export const SOLID = 0;
export const PERMEABLE = 1;
export const EMPTY = 2;
export const CORNER_BOTH = 0;
export const CORNER_NEITHER = 1;
export const CORNER_STAIRCASE = 2;
export const CONTINUE = 0;
export const STOP = 1;
export const AGAIN = 2;
export const CLEAR = 0;
export const BLOCKED = 1;
export const UNKNOWN = 2;
export const ABSENT = 0;
export const PROTO = 1;
export const LOADED = 2;
export const SPHERE = 0;
export const BOX = 1;
export const HIT_NONE = 0;
export const HIT_BLOCK = 1;
export const HIT_ENTITY = 2;
export const DONE = 0;
export const OUT_OF_STEPS = 1;
export const NOT_STARTED = 2;
export const F64 = 0;
export const F32 = 1;
export const UNITS = 2;
export const CHUNK_UNIFORM = 0;
export const CHUNK_COPY = 1;
export const CHUNK_BORROW = 2;
export const CHUNK_BORROW_FOR_WRITING = 3;
export const CHUNK_UNLOAD = 4;
export const SET_LEVEL = 1;
export const SET_CATEGORIES = 2;
export const SET_POSITION = 4;
export const SET_SHAPE = 8;
export const SET_CLASS = 16;
export const RULE_CONTINUE = 0;
export const RULE_STOP = 1;
export const RULE_COST = 2;
export const HIT_TERMINAL = 1;
export const HIT_START_INSIDE = 2;
export const SIGHT_HIDDEN = 0;
export const SIGHT_UNKNOWN = 1;
export const SIGHT_VISIBLE = 2;
export const SIGHT_UNDECIDED = 3;
export const SIGHT_SKIPPED = 4;
export const UNLOADED_REPORT = 0;
export const UNLOADED_TRANSPARENT = 1;
export const UNLOADED_OPAQUE = 2;
export const UNDECIDED_REPORT = 0;
export const UNDECIDED_VISIBLE = 1;
export const UNDECIDED_HIDDEN = 2;
export const REPLAY_END = 0;
export const REPLAY_EQUAL = 1;
export const REPLAY_DIFFERENT = 2;
export const REPLAY_WORLD_HAD_CHANGED = 3;
export const REPLAY_NOT_REPLAYABLE = 4;
export const VERB_SHOOT = 0;
export const VERB_CLOSEST_HIT = 1;
export const VERB_OCCLUDED = 2;
export const VERB_RESUME = 3;
export const VERB_VISIBLE = 4;
export const VERB_EXPOSURE = 5;
export const VERB_VISIBLE_BOXES = 6;
export const VERB_VISIBLE_BLOCKS = 7;
export const VERB_BLAST = 8;
export const RECORDED = 0;
export const REPLAYED = 1;
export const DESCEND = 1;
export const CLIMB = 2;
export const RECENTER = 3;
export const IN_SIGHT = 0;
export const CAME_INTO_SIGHT = 1;
export const WENT_OUT_OF_SIGHT = 2;

export class Line {
  static size = 72;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 72 * i; return this; }
  from(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setFrom(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  fromBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setFromBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  to(i) { const m = this.memory, p = (this.at + 24 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setTo(i, value) { const m = this.memory, p = (this.at + 24 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  toBig(i) { return this.memory.i64[(this.at + 24 >>> 3) + i]; }
  setToBig(i, value) { this.memory.i64[(this.at + 24 >>> 3) + i] = value; }
  get endTime() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set endTime(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get endTimeBig() { return this.memory.i64[this.at + 48 >>> 3]; }
  set endTimeBig(value) { this.memory.i64[this.at + 48 >>> 3] = value; }
  get beginPlane() { const m = this.memory, p = this.at + 56 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set beginPlane(value) { const m = this.memory, p = this.at + 56 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get beginPlaneBig() { return this.memory.i64[this.at + 56 >>> 3]; }
  set beginPlaneBig(value) { this.memory.i64[this.at + 56 >>> 3] = value; }
  get beginAxes() { return this.memory.u8[this.at + 64]; }
  set beginAxes(value) { this.memory.u8[this.at + 64] = value; }
}

export class Hit {
  static size = 168;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 168 * i; return this; }
  get t() { return this.memory.f64[this.at >>> 3]; }
  set t(value) { this.memory.f64[this.at >>> 3] = value; }
  get tExit() { return this.memory.f64[this.at + 8 >>> 3]; }
  set tExit(value) { this.memory.f64[this.at + 8 >>> 3] = value; }
  get distance() { return this.memory.f64[this.at + 16 >>> 3]; }
  set distance(value) { this.memory.f64[this.at + 16 >>> 3] = value; }
  point(i) { return this.memory.f64[(this.at + 24 >>> 3) + i]; }
  setPoint(i, value) { this.memory.f64[(this.at + 24 >>> 3) + i] = value; }
  normal(i) { return this.memory.f64[(this.at + 48 >>> 3) + i]; }
  setNormal(i, value) { this.memory.f64[(this.at + 48 >>> 3) + i] = value; }
  get faceAxis() { return this.memory.i8[this.at + 72]; }
  set faceAxis(value) { this.memory.i8[this.at + 72] = value; }
  get faceSign() { return this.memory.i8[this.at + 73]; }
  set faceSign(value) { this.memory.i8[this.at + 73] = value; }
  get startInside() { return this.memory.u8[this.at + 74]; }
  set startInside(value) { this.memory.u8[this.at + 74] = value; }
  get kind() { return this.memory.u8[this.at + 75]; }
  set kind(value) { this.memory.u8[this.at + 75] = value; }
  get terminal() { return this.memory.u8[this.at + 76]; }
  set terminal(value) { this.memory.u8[this.at + 76] = value; }
  get step() { return this.memory.u8[this.at + 77]; }
  set step(value) { this.memory.u8[this.at + 77] = value; }
  get type() { return this.memory.u16[this.at + 78 >>> 1]; }
  set type(value) { this.memory.u16[this.at + 78 >>> 1] = value; }
  get level() { return this.memory.i32[this.at + 80 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 80 >>> 2] = value; }
  get entityClass() { return this.memory.u32[this.at + 84 >>> 2]; }
  set entityClass(value) { this.memory.u32[this.at + 84 >>> 2] = value; }
  cell(i) { const m = this.memory, p = (this.at + 88 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setCell(i, value) { const m = this.memory, p = (this.at + 88 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  cellBig(i) { return this.memory.i64[(this.at + 88 >>> 3) + i]; }
  setCellBig(i, value) { this.memory.i64[(this.at + 88 >>> 3) + i] = value; }
  get entity() { const m = this.memory, p = this.at + 112 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entity(value) { const m = this.memory, p = this.at + 112 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entityBig() { return this.memory.u64[this.at + 112 >>> 3]; }
  set entityBig(value) { this.memory.u64[this.at + 112 >>> 3] = value; }
  get id() { const m = this.memory, p = this.at + 120 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at + 120 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at + 120 >>> 3]; }
  set idBig(value) { this.memory.u64[this.at + 120 >>> 3] = value; }
  get categories() { const m = this.memory, p = this.at + 128 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set categories(value) { const m = this.memory, p = this.at + 128 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get categoriesBig() { return this.memory.u64[this.at + 128 >>> 3]; }
  set categoriesBig(value) { this.memory.u64[this.at + 128 >>> 3] = value; }
  get shape() { return this.memory.u8[this.at + 136]; }
  set shape(value) { this.memory.u8[this.at + 136] = value; }
  get plane() { return this.memory.u32[this.at + 140 >>> 2]; }
  set plane(value) { this.memory.u32[this.at + 140 >>> 2] = value; }
  halfExtents(i) { const m = this.memory, p = (this.at + 144 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setHalfExtents(i, value) { const m = this.memory, p = (this.at + 144 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  halfExtentsBig(i) { return this.memory.i64[(this.at + 144 >>> 3) + i]; }
  setHalfExtentsBig(i, value) { this.memory.i64[(this.at + 144 >>> 3) + i] = value; }
}

export class Stats {
  static size = 64;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 64 * i; return this; }
  get cells() { const m = this.memory, p = this.at >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set cells(value) { const m = this.memory, p = this.at >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get cellsBig() { return this.memory.u64[this.at >>> 3]; }
  set cellsBig(value) { this.memory.u64[this.at >>> 3] = value; }
  get chunks() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set chunks(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get chunksBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set chunksBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get indexCells() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set indexCells(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get indexCellsBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set indexCellsBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get entitiesTested() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entitiesTested(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entitiesTestedBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set entitiesTestedBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get skips() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set skips(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get skipsBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set skipsBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get listed() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set listed(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get listedBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set listedBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get ordered() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set ordered(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get orderedBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set orderedBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
  get direct() { const m = this.memory, p = this.at + 56 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set direct(value) { const m = this.memory, p = this.at + 56 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get directBig() { return this.memory.u64[this.at + 56 >>> 3]; }
  set directBig(value) { this.memory.u64[this.at + 56 >>> 3] = value; }
}

export class Vectors {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  get data() { return this.memory.u32[this.at >>> 2]; }
  set data(value) { this.memory.u32[this.at >>> 2] = value; }
  get vectorStride() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set vectorStride(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get vectorStrideBig() { return this.memory.i64[this.at + 8 >>> 3]; }
  set vectorStrideBig(value) { this.memory.i64[this.at + 8 >>> 3] = value; }
  get componentStride() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set componentStride(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get componentStrideBig() { return this.memory.i64[this.at + 16 >>> 3]; }
  set componentStrideBig(value) { this.memory.i64[this.at + 16 >>> 3] = value; }
  get format() { return this.memory.i32[this.at + 24 >>> 2]; }
  set format(value) { this.memory.i32[this.at + 24 >>> 2] = value; }
}

export class WorldDef {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get version() { return this.memory.i32[this.at + 4 >>> 2]; }
  set version(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get levels() { return this.memory.i32[this.at + 8 >>> 2]; }
  set levels(value) { this.memory.i32[this.at + 8 >>> 2] = value; }
  get anchor() { return this.memory.u32[this.at + 16 >>> 2]; }
  set anchor(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get blockTypesOf() { return this.memory.u32[this.at + 20 >>> 2]; }
  set blockTypesOf(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get parallelFor() { return this.memory.u32[this.at + 24 >>> 2]; }
  set parallelFor(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
  get parallelContext() { return this.memory.u32[this.at + 28 >>> 2]; }
  set parallelContext(value) { this.memory.u32[this.at + 28 >>> 2] = value; }
}

export class OpenOptions {
  static size = 104;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 104 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get hasBox() { return this.memory.u8[this.at + 4]; }
  set hasBox(value) { this.memory.u8[this.at + 4] = value; }
  minChunk(i) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setMinChunk(i, value) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  minChunkBig(i) { return this.memory.i64[(this.at + 8 >>> 3) + i]; }
  setMinChunkBig(i, value) { this.memory.i64[(this.at + 8 >>> 3) + i] = value; }
  maxChunk(i) { const m = this.memory, p = (this.at + 32 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setMaxChunk(i, value) { const m = this.memory, p = (this.at + 32 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  maxChunkBig(i) { return this.memory.i64[(this.at + 32 >>> 3) + i]; }
  setMaxChunkBig(i, value) { this.memory.i64[(this.at + 32 >>> 3) + i] = value; }
  get nodeKinds() { return this.memory.u32[this.at + 56 >>> 2]; }
  set nodeKinds(value) { this.memory.u32[this.at + 56 >>> 2] = value; }
  get mapblocks() { const m = this.memory, p = this.at + 64 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set mapblocks(value) { const m = this.memory, p = this.at + 64 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get mapblocksBig() { return this.memory.u64[this.at + 64 >>> 3]; }
  set mapblocksBig(value) { this.memory.u64[this.at + 64 >>> 3] = value; }
  get mapblockBytes() { const m = this.memory, p = this.at + 72 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set mapblockBytes(value) { const m = this.memory, p = this.at + 72 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get mapblockBytesBig() { return this.memory.u64[this.at + 72 >>> 3]; }
  set mapblockBytesBig(value) { this.memory.u64[this.at + 72 >>> 3] = value; }
  get fileBytes() { const m = this.memory, p = this.at + 80 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set fileBytes(value) { const m = this.memory, p = this.at + 80 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get fileBytesBig() { return this.memory.u64[this.at + 80 >>> 3]; }
  set fileBytesBig(value) { this.memory.u64[this.at + 80 >>> 3] = value; }
  get namedDamages() { const m = this.memory, p = this.at + 88 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set namedDamages(value) { const m = this.memory, p = this.at + 88 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get namedDamagesBig() { return this.memory.u64[this.at + 88 >>> 3]; }
  set namedDamagesBig(value) { this.memory.u64[this.at + 88 >>> 3] = value; }
  get blockTypes() { return this.memory.u32[this.at + 96 >>> 2]; }
  set blockTypes(value) { this.memory.u32[this.at + 96 >>> 2] = value; }
  get blockTypeCount() { return this.memory.u32[this.at + 100 >>> 2]; }
  set blockTypeCount(value) { this.memory.u32[this.at + 100 >>> 2] = value; }
}

export class LoadSummary {
  static size = 80;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 80 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get chunks() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set chunks(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get chunksBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set chunksBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get loaded() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set loaded(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get loadedBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set loadedBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get notGenerated() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set notGenerated(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get notGeneratedBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set notGeneratedBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get damaged() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set damaged(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get damagedBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set damagedBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get outside() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set outside(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get outsideBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set outsideBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get bytes() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set bytes(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get bytesBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set bytesBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
  get namedDamages() { const m = this.memory, p = this.at + 56 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set namedDamages(value) { const m = this.memory, p = this.at + 56 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get namedDamagesBig() { return this.memory.u64[this.at + 56 >>> 3]; }
  set namedDamagesBig(value) { this.memory.u64[this.at + 56 >>> 3] = value; }
  get defaultedNames() { const m = this.memory, p = this.at + 64 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set defaultedNames(value) { const m = this.memory, p = this.at + 64 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get defaultedNamesBig() { return this.memory.u64[this.at + 64 >>> 3]; }
  set defaultedNamesBig(value) { this.memory.u64[this.at + 64 >>> 3] = value; }
  get unsupported() { const m = this.memory, p = this.at + 72 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set unsupported(value) { const m = this.memory, p = this.at + 72 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get unsupportedBig() { return this.memory.u64[this.at + 72 >>> 3]; }
  set unsupportedBig(value) { this.memory.u64[this.at + 72 >>> 3] = value; }
}

export class BlockTypeDef {
  static size = 36;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 36 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get kind() { return this.memory.i32[this.at + 4 >>> 2]; }
  set kind(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get name() { return this.memory.u32[this.at + 8 >>> 2]; }
  set name(value) { this.memory.u32[this.at + 8 >>> 2] = value; }
  get channels() { return this.memory.u32[this.at + 12 >>> 2]; }
  set channels(value) { this.memory.u32[this.at + 12 >>> 2] = value; }
  get channelKinds() { return this.memory.u32[this.at + 16 >>> 2]; }
  set channelKinds(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get channelCount() { return this.memory.u32[this.at + 20 >>> 2]; }
  set channelCount(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get channelShapes() { return this.memory.u32[this.at + 24 >>> 2]; }
  set channelShapes(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
  get shape() { return this.memory.u16[this.at + 28 >>> 1]; }
  set shape(value) { this.memory.u16[this.at + 28 >>> 1] = value; }
}

export class IdStates {
  static size = 12;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 12 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get id() { return this.memory.u32[this.at + 4 >>> 2]; }
  set id(value) { this.memory.u32[this.at + 4 >>> 2] = value; }
  get types() { return this.memory.u32[this.at + 8 >>> 2]; }
  set types(value) { this.memory.u32[this.at + 8 >>> 2] = value; }
}

export class IdLayoutDef {
  static size = 64;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 64 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get idBytes() { return this.memory.i32[this.at + 4 >>> 2]; }
  set idBytes(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  strides(i) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setStrides(i, value) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  stridesBig(i) { return this.memory.i64[(this.at + 8 >>> 3) + i]; }
  setStridesBig(i, value) { this.memory.i64[(this.at + 8 >>> 3) + i] = value; }
  get types() { return this.memory.u32[this.at + 32 >>> 2]; }
  set types(value) { this.memory.u32[this.at + 32 >>> 2] = value; }
  get typeCount() { return this.memory.u32[this.at + 36 >>> 2]; }
  set typeCount(value) { this.memory.u32[this.at + 36 >>> 2] = value; }
  get states() { return this.memory.u32[this.at + 40 >>> 2]; }
  set states(value) { this.memory.u32[this.at + 40 >>> 2] = value; }
  get stateCount() { return this.memory.u32[this.at + 44 >>> 2]; }
  set stateCount(value) { this.memory.u32[this.at + 44 >>> 2] = value; }
  get stateOffset() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set stateOffset(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get stateOffsetBig() { return this.memory.i64[this.at + 48 >>> 3]; }
  set stateOffsetBig(value) { this.memory.i64[this.at + 48 >>> 3] = value; }
  get stateBits() { return this.memory.i32[this.at + 56 >>> 2]; }
  set stateBits(value) { this.memory.i32[this.at + 56 >>> 2] = value; }
}

export class ChunkDef {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get source() { return this.memory.i32[this.at + 4 >>> 2]; }
  set source(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  chunk(i) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setChunk(i, value) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  chunkBig(i) { return this.memory.i64[(this.at + 8 >>> 3) + i]; }
  setChunkBig(i, value) { this.memory.i64[(this.at + 8 >>> 3) + i] = value; }
  get layout() { return this.memory.u32[this.at + 32 >>> 2]; }
  set layout(value) { this.memory.u32[this.at + 32 >>> 2] = value; }
  get ids() { return this.memory.u32[this.at + 36 >>> 2]; }
  set ids(value) { this.memory.u32[this.at + 36 >>> 2] = value; }
  get uniform() { return this.memory.u16[this.at + 40 >>> 1]; }
  set uniform(value) { this.memory.u16[this.at + 40 >>> 1] = value; }
}

export class ChunkInfo {
  static size = 16;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 16 * i; return this; }
  get bytes() { const m = this.memory, p = this.at >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set bytes(value) { const m = this.memory, p = this.at >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get bytesBig() { return this.memory.u64[this.at >>> 3]; }
  set bytesBig(value) { this.memory.u64[this.at >>> 3] = value; }
  get state() { return this.memory.i32[this.at + 8 >>> 2]; }
  set state(value) { this.memory.i32[this.at + 8 >>> 2] = value; }
  get isUniform() { return this.memory.u8[this.at + 12]; }
  set isUniform(value) { this.memory.u8[this.at + 12] = value; }
  get isBorrowed() { return this.memory.u8[this.at + 13]; }
  set isBorrowed(value) { this.memory.u8[this.at + 13] = value; }
  get isBorrowedForWriting() { return this.memory.u8[this.at + 14]; }
  set isBorrowedForWriting(value) { this.memory.u8[this.at + 14] = value; }
  get isEmpty() { return this.memory.u8[this.at + 15]; }
  set isEmpty(value) { this.memory.u8[this.at + 15] = value; }
}

export class LevelInfo {
  static size = 64;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 64 * i; return this; }
  get loadedChunks() { const m = this.memory, p = this.at >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set loadedChunks(value) { const m = this.memory, p = this.at >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get loadedChunksBig() { return this.memory.u64[this.at >>> 3]; }
  set loadedChunksBig(value) { this.memory.u64[this.at >>> 3] = value; }
  get protoChunks() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set protoChunks(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get protoChunksBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set protoChunksBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  min(i) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setMin(i, value) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  minBig(i) { return this.memory.i64[(this.at + 16 >>> 3) + i]; }
  setMinBig(i, value) { this.memory.i64[(this.at + 16 >>> 3) + i] = value; }
  max(i) { const m = this.memory, p = (this.at + 40 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setMax(i, value) { const m = this.memory, p = (this.at + 40 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  maxBig(i) { return this.memory.i64[(this.at + 40 >>> 3) + i]; }
  setMaxBig(i, value) { this.memory.i64[(this.at + 40 >>> 3) + i] = value; }
}

export class EngineChunksDef {
  static size = 28;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 28 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get width() { return this.memory.i32[this.at + 4 >>> 2]; }
  set width(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get level() { return this.memory.i32[this.at + 8 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 8 >>> 2] = value; }
  get source() { return this.memory.i32[this.at + 12 >>> 2]; }
  set source(value) { this.memory.i32[this.at + 12 >>> 2] = value; }
  get layout() { return this.memory.u32[this.at + 16 >>> 2]; }
  set layout(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get find() { return this.memory.u32[this.at + 20 >>> 2]; }
  set find(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get context() { return this.memory.u32[this.at + 24 >>> 2]; }
  set context(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
}

export class EntityDef {
  static size = 80;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 80 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get level() { return this.memory.i32[this.at + 4 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get id() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set idBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get categories() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set categories(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get categoriesBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set categoriesBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  position(i) { return this.memory.f64[(this.at + 24 >>> 3) + i]; }
  setPosition(i, value) { this.memory.f64[(this.at + 24 >>> 3) + i] = value; }
  halfExtents(i) { return this.memory.f64[(this.at + 48 >>> 3) + i]; }
  setHalfExtents(i, value) { this.memory.f64[(this.at + 48 >>> 3) + i] = value; }
  get shape() { return this.memory.i32[this.at + 72 >>> 2]; }
  set shape(value) { this.memory.i32[this.at + 72 >>> 2] = value; }
  get entityClass() { return this.memory.u32[this.at + 76 >>> 2]; }
  set entityClass(value) { this.memory.u32[this.at + 76 >>> 2] = value; }
}

export class EntityInfo {
  static size = 80;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 80 * i; return this; }
  get id() { const m = this.memory, p = this.at >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at >>> 3]; }
  set idBig(value) { this.memory.u64[this.at >>> 3] = value; }
  get categories() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set categories(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get categoriesBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set categoriesBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  position(i) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setPosition(i, value) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  positionBig(i) { return this.memory.i64[(this.at + 16 >>> 3) + i]; }
  setPositionBig(i, value) { this.memory.i64[(this.at + 16 >>> 3) + i] = value; }
  halfExtents(i) { const m = this.memory, p = (this.at + 40 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setHalfExtents(i, value) { const m = this.memory, p = (this.at + 40 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  halfExtentsBig(i) { return this.memory.i64[(this.at + 40 >>> 3) + i]; }
  setHalfExtentsBig(i, value) { this.memory.i64[(this.at + 40 >>> 3) + i] = value; }
  get level() { return this.memory.i32[this.at + 64 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 64 >>> 2] = value; }
  get indexLevel() { return this.memory.i32[this.at + 68 >>> 2]; }
  set indexLevel(value) { this.memory.i32[this.at + 68 >>> 2] = value; }
  get entityClass() { return this.memory.u32[this.at + 72 >>> 2]; }
  set entityClass(value) { this.memory.u32[this.at + 72 >>> 2] = value; }
  get shape() { return this.memory.i32[this.at + 76 >>> 2]; }
  set shape(value) { this.memory.i32[this.at + 76 >>> 2] = value; }
}

export class BlockOfLevel {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  block(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setBlock(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  blockBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setBlockBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get level() { return this.memory.i32[this.at + 24 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 24 >>> 2] = value; }
}

export class Lines {
  static size = 112;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 112 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get isRays() { return this.memory.i32[this.at + 4 >>> 2]; }
  set isRays(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get count() { return this.memory.u32[this.at + 8 >>> 2]; }
  set count(value) { this.memory.u32[this.at + 8 >>> 2] = value; }
  get from() { return new Vectors(this.memory, this.at + 16); }
  get to() { return new Vectors(this.memory, this.at + 48); }
  get maxDistances() { return this.memory.u32[this.at + 80 >>> 2]; }
  set maxDistances(value) { this.memory.u32[this.at + 80 >>> 2] = value; }
  get bounds() { return this.memory.u32[this.at + 84 >>> 2]; }
  set bounds(value) { this.memory.u32[this.at + 84 >>> 2] = value; }
  get lines() { return this.memory.u32[this.at + 88 >>> 2]; }
  set lines(value) { this.memory.u32[this.at + 88 >>> 2] = value; }
  get levels() { return this.memory.u32[this.at + 92 >>> 2]; }
  set levels(value) { this.memory.u32[this.at + 92 >>> 2] = value; }
  get ignore() { return this.memory.u32[this.at + 96 >>> 2]; }
  set ignore(value) { this.memory.u32[this.at + 96 >>> 2] = value; }
  get ignoreEnds() { return this.memory.u32[this.at + 100 >>> 2]; }
  set ignoreEnds(value) { this.memory.u32[this.at + 100 >>> 2] = value; }
  get after() { return this.memory.u32[this.at + 104 >>> 2]; }
  set after(value) { this.memory.u32[this.at + 104 >>> 2] = value; }
  get afterEnds() { return this.memory.u32[this.at + 108 >>> 2]; }
  set afterEnds(value) { this.memory.u32[this.at + 108 >>> 2] = value; }
}

export class Rule {
  static size = 24;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 24 * i; return this; }
  get perHit() { return this.memory.f64[this.at >>> 3]; }
  set perHit(value) { this.memory.f64[this.at >>> 3] = value; }
  get perBlock() { return this.memory.f64[this.at + 8 >>> 3]; }
  set perBlock(value) { this.memory.f64[this.at + 8 >>> 3] = value; }
  get kind() { return this.memory.i32[this.at + 16 >>> 2]; }
  set kind(value) { this.memory.i32[this.at + 16 >>> 2] = value; }
  get budget() { return this.memory.u8[this.at + 20]; }
  set budget(value) { this.memory.u8[this.at + 20] = value; }
  get touchCosts() { return this.memory.u8[this.at + 21]; }
  set touchCosts(value) { this.memory.u8[this.at + 21] = value; }
  get perPane() { return this.memory.u8[this.at + 22]; }
  set perPane(value) { this.memory.u8[this.at + 22] = value; }
}

export class QueryOptions {
  static size = 104;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 104 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get corner() { return this.memory.i32[this.at + 4 >>> 2]; }
  set corner(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get categories() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set categories(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get categoriesBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set categoriesBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get ignore() { return this.memory.u32[this.at + 16 >>> 2]; }
  set ignore(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get ignoreCount() { return this.memory.u32[this.at + 20 >>> 2]; }
  set ignoreCount(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get after() { return this.memory.u32[this.at + 24 >>> 2]; }
  set after(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
  get afterCount() { return this.memory.u32[this.at + 28 >>> 2]; }
  set afterCount(value) { this.memory.u32[this.at + 28 >>> 2] = value; }
  get rules() { return this.memory.u32[this.at + 32 >>> 2]; }
  set rules(value) { this.memory.u32[this.at + 32 >>> 2] = value; }
  get budgets() { return this.memory.u32[this.at + 36 >>> 2]; }
  set budgets(value) { this.memory.u32[this.at + 36 >>> 2] = value; }
  get blockFilter() { return this.memory.u32[this.at + 40 >>> 2]; }
  set blockFilter(value) { this.memory.u32[this.at + 40 >>> 2] = value; }
  get entityFilter() { return this.memory.u32[this.at + 44 >>> 2]; }
  set entityFilter(value) { this.memory.u32[this.at + 44 >>> 2] = value; }
  get filterContext() { return this.memory.u32[this.at + 48 >>> 2]; }
  set filterContext(value) { this.memory.u32[this.at + 48 >>> 2] = value; }
  get onHit() { return this.memory.u32[this.at + 52 >>> 2]; }
  set onHit(value) { this.memory.u32[this.at + 52 >>> 2] = value; }
  get hitContext() { return this.memory.u32[this.at + 56 >>> 2]; }
  set hitContext(value) { this.memory.u32[this.at + 56 >>> 2] = value; }
  get maxHits() { const m = this.memory, p = this.at + 64 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxHits(value) { const m = this.memory, p = this.at + 64 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxHitsBig() { return this.memory.u64[this.at + 64 >>> 3]; }
  set maxHitsBig(value) { this.memory.u64[this.at + 64 >>> 3] = value; }
  get maxSteps() { const m = this.memory, p = this.at + 72 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxSteps(value) { const m = this.memory, p = this.at + 72 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxStepsBig() { return this.memory.u64[this.at + 72 >>> 3]; }
  set maxStepsBig(value) { this.memory.u64[this.at + 72 >>> 3] = value; }
  get maxBatchSteps() { const m = this.memory, p = this.at + 80 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxBatchSteps(value) { const m = this.memory, p = this.at + 80 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxBatchStepsBig() { return this.memory.u64[this.at + 80 >>> 3]; }
  set maxBatchStepsBig(value) { this.memory.u64[this.at + 80 >>> 3] = value; }
  get channel() { return this.memory.u16[this.at + 88 >>> 1]; }
  set channel(value) { this.memory.u16[this.at + 88 >>> 1] = value; }
  get noBlocks() { return this.memory.u8[this.at + 90]; }
  set noBlocks(value) { this.memory.u8[this.at + 90] = value; }
  get noEntities() { return this.memory.u8[this.at + 91]; }
  set noEntities(value) { this.memory.u8[this.at + 91] = value; }
  get solidOnly() { return this.memory.u8[this.at + 92]; }
  set solidOnly(value) { this.memory.u8[this.at + 92] = value; }
  get skipStartInside() { return this.memory.u8[this.at + 93]; }
  set skipStartInside(value) { this.memory.u8[this.at + 93] = value; }
  get reportUnknown() { return this.memory.u8[this.at + 94]; }
  set reportUnknown(value) { this.memory.u8[this.at + 94] = value; }
  get stopAtUnknown() { return this.memory.u8[this.at + 95]; }
  set stopAtUnknown(value) { this.memory.u8[this.at + 95] = value; }
  get entitiesBlock() { return this.memory.u8[this.at + 96]; }
  set entitiesBlock(value) { this.memory.u8[this.at + 96] = value; }
  get afterById() { return this.memory.u8[this.at + 97]; }
  set afterById(value) { this.memory.u8[this.at + 97] = value; }
}

export class QueryResult {
  static size = 392;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 392 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get result() { return this.memory.i32[this.at + 4 >>> 2]; }
  set result(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get blocksVersion() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set blocksVersion(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get blocksVersionBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set blocksVersionBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get entitiesVersion() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entitiesVersion(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entitiesVersionBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set entitiesVersionBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get line() { return new Line(this.memory, this.at + 24); }
  get hitsBegin() { const m = this.memory, p = this.at + 96 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set hitsBegin(value) { const m = this.memory, p = this.at + 96 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get hitsBeginBig() { return this.memory.u64[this.at + 96 >>> 3]; }
  set hitsBeginBig(value) { this.memory.u64[this.at + 96 >>> 3] = value; }
  get hitCount() { const m = this.memory, p = this.at + 104 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set hitCount(value) { const m = this.memory, p = this.at + 104 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get hitCountBig() { return this.memory.u64[this.at + 104 >>> 3]; }
  set hitCountBig(value) { this.memory.u64[this.at + 104 >>> 3] = value; }
  get unknownFrom() { return this.memory.f64[this.at + 112 >>> 3]; }
  set unknownFrom(value) { this.memory.f64[this.at + 112 >>> 3] = value; }
  get stoppedAt() { return this.memory.f64[this.at + 120 >>> 3]; }
  set stoppedAt(value) { this.memory.f64[this.at + 120 >>> 3] = value; }
  get stats() { return new Stats(this.memory, this.at + 128); }
  budgets(i) { return this.memory.f64[(this.at + 192 >>> 3) + i]; }
  setBudgets(i, value) { this.memory.f64[(this.at + 192 >>> 3) + i] = value; }
  budgetsAtStart(i) { return this.memory.f64[(this.at + 256 >>> 3) + i]; }
  setBudgetsAtStart(i, value) { this.memory.f64[(this.at + 256 >>> 3) + i] = value; }
  overdrawn(i) { return this.memory.f64[(this.at + 320 >>> 3) + i]; }
  setOverdrawn(i, value) { this.memory.f64[(this.at + 320 >>> 3) + i] = value; }
  get terminated() { return this.memory.u8[this.at + 384]; }
  set terminated(value) { this.memory.u8[this.at + 384] = value; }
  get truncated() { return this.memory.u8[this.at + 385]; }
  set truncated(value) { this.memory.u8[this.at + 385] = value; }
  get hasBudgets() { return this.memory.u8[this.at + 386]; }
  set hasBudgets(value) { this.memory.u8[this.at + 386] = value; }
  get progress() { return this.memory.u8[this.at + 387]; }
  set progress(value) { this.memory.u8[this.at + 387] = value; }
}

export class LevelPart {
  static size = 24;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 24 * i; return this; }
  get t0() { return this.memory.f64[this.at >>> 3]; }
  set t0(value) { this.memory.f64[this.at >>> 3] = value; }
  get t1() { return this.memory.f64[this.at + 8 >>> 3]; }
  set t1(value) { this.memory.f64[this.at + 8 >>> 3] = value; }
  get level() { return this.memory.i32[this.at + 16 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 16 >>> 2] = value; }
}

export class BatchResult {
  static size = 112;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 112 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get blocksVersion() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set blocksVersion(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get blocksVersionBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set blocksVersionBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get entitiesVersion() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entitiesVersion(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entitiesVersionBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set entitiesVersionBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get completed() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set completed(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get completedBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set completedBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get errors() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set errors(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get errorsBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set errorsBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get hits() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set hits(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get hitsBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set hitsBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get stats() { return new Stats(this.memory, this.at + 48); }
}

export class CompactHit {
  static size = 64;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 64 * i; return this; }
  get t() { return this.memory.f64[this.at >>> 3]; }
  set t(value) { this.memory.f64[this.at >>> 3] = value; }
  get tExit() { return this.memory.f64[this.at + 8 >>> 3]; }
  set tExit(value) { this.memory.f64[this.at + 8 >>> 3] = value; }
  block(i) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setBlock(i, value) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  blockBig(i) { return this.memory.i64[(this.at + 16 >>> 3) + i]; }
  setBlockBig(i, value) { this.memory.i64[(this.at + 16 >>> 3) + i] = value; }
  get entity() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entity(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entityBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set entityBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get id() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set idBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
  get type() { return this.memory.u16[this.at + 56 >>> 1]; }
  set type(value) { this.memory.u16[this.at + 56 >>> 1] = value; }
  get kind() { return this.memory.u8[this.at + 58]; }
  set kind(value) { this.memory.u8[this.at + 58] = value; }
  get level() { return this.memory.i8[this.at + 59]; }
  set level(value) { this.memory.i8[this.at + 59] = value; }
  get faceAxis() { return this.memory.i8[this.at + 60]; }
  set faceAxis(value) { this.memory.i8[this.at + 60] = value; }
  get faceSign() { return this.memory.i8[this.at + 61]; }
  set faceSign(value) { this.memory.i8[this.at + 61] = value; }
  get step() { return this.memory.u8[this.at + 62]; }
  set step(value) { this.memory.u8[this.at + 62] = value; }
  get flags() { return this.memory.u8[this.at + 63]; }
  set flags(value) { this.memory.u8[this.at + 63] = value; }
}

export class Blocker {
  static size = 56;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 56 * i; return this; }
  get t() { return this.memory.f64[this.at >>> 3]; }
  set t(value) { this.memory.f64[this.at >>> 3] = value; }
  block(i) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setBlock(i, value) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  blockBig(i) { return this.memory.i64[(this.at + 8 >>> 3) + i]; }
  setBlockBig(i, value) { this.memory.i64[(this.at + 8 >>> 3) + i] = value; }
  get entity() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entity(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entityBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set entityBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get id() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set idBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get level() { return this.memory.i32[this.at + 48 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 48 >>> 2] = value; }
  get type() { return this.memory.u16[this.at + 52 >>> 1]; }
  set type(value) { this.memory.u16[this.at + 52 >>> 1] = value; }
  get kind() { return this.memory.u8[this.at + 54]; }
  set kind(value) { this.memory.u8[this.at + 54] = value; }
}

export class ConnectOptions {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get token() { return this.memory.u32[this.at + 8 >>> 2]; }
  set token(value) { this.memory.u32[this.at + 8 >>> 2] = value; }
  get deadlineUs() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set deadlineUs(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get deadlineUsBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set deadlineUsBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get timeoutUs() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set timeoutUs(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get timeoutUsBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set timeoutUsBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get world() { return this.memory.u32[this.at + 32 >>> 2]; }
  set world(value) { this.memory.u32[this.at + 32 >>> 2] = value; }
  get blockTypes() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set blockTypes(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get blockTypesBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set blockTypesBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
}

export class RemoteInfo {
  static size = 56;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 56 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get batchLines() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set batchLines(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get batchLinesBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set batchLinesBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get frameBytes() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set frameBytes(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get frameBytesBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set frameBytesBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get connects() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set connects(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get connectsBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set connectsBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get retryUs() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set retryUs(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get retryUsBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set retryUsBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get blockTypes() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set blockTypes(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get blockTypesBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set blockTypesBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get tick() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set tick(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get tickBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set tickBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
}

export class FedEntity {
  static size = 80;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 80 * i; return this; }
  get id() { const m = this.memory, p = this.at >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at >>> 3]; }
  set idBig(value) { this.memory.u64[this.at >>> 3] = value; }
  get categories() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set categories(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get categoriesBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set categoriesBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  position(i) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setPosition(i, value) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  positionBig(i) { return this.memory.i64[(this.at + 16 >>> 3) + i]; }
  setPositionBig(i, value) { this.memory.i64[(this.at + 16 >>> 3) + i] = value; }
  halfExtents(i) { const m = this.memory, p = (this.at + 40 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setHalfExtents(i, value) { const m = this.memory, p = (this.at + 40 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  halfExtentsBig(i) { return this.memory.i64[(this.at + 40 >>> 3) + i]; }
  setHalfExtentsBig(i, value) { this.memory.i64[(this.at + 40 >>> 3) + i] = value; }
  get level() { return this.memory.i32[this.at + 64 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 64 >>> 2] = value; }
  get shape() { return this.memory.i32[this.at + 68 >>> 2]; }
  set shape(value) { this.memory.i32[this.at + 68 >>> 2] = value; }
  get entityClass() { return this.memory.u32[this.at + 72 >>> 2]; }
  set entityClass(value) { this.memory.u32[this.at + 72 >>> 2] = value; }
}

export class FedMove {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  get id() { const m = this.memory, p = this.at >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at >>> 3]; }
  set idBig(value) { this.memory.u64[this.at >>> 3] = value; }
  position(i) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setPosition(i, value) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  positionBig(i) { return this.memory.i64[(this.at + 8 >>> 3) + i]; }
  setPositionBig(i, value) { this.memory.i64[(this.at + 8 >>> 3) + i] = value; }
}

export class EntityTick {
  static size = 40;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 40 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get isWhole() { return this.memory.i32[this.at + 4 >>> 2]; }
  set isWhole(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get tick() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set tick(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get tickBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set tickBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get added() { return this.memory.u32[this.at + 16 >>> 2]; }
  set added(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get addedCount() { return this.memory.u32[this.at + 20 >>> 2]; }
  set addedCount(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get moved() { return this.memory.u32[this.at + 24 >>> 2]; }
  set moved(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
  get movedCount() { return this.memory.u32[this.at + 28 >>> 2]; }
  set movedCount(value) { this.memory.u32[this.at + 28 >>> 2] = value; }
  get removed() { return this.memory.u32[this.at + 32 >>> 2]; }
  set removed(value) { this.memory.u32[this.at + 32 >>> 2] = value; }
  get removedCount() { return this.memory.u32[this.at + 36 >>> 2]; }
  set removedCount(value) { this.memory.u32[this.at + 36 >>> 2] = value; }
}

export class FixedBox {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  min(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setMin(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  minBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setMinBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  max(i) { const m = this.memory, p = (this.at + 24 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setMax(i, value) { const m = this.memory, p = (this.at + 24 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  maxBig(i) { return this.memory.i64[(this.at + 24 >>> 3) + i]; }
  setMaxBig(i, value) { this.memory.i64[(this.at + 24 >>> 3) + i] = value; }
}

export class SightQuery {
  static size = 72;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 72 * i; return this; }
  eye(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setEye(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  eyeBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setEyeBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get box() { return new FixedBox(this.memory, this.at + 24); }
}

export class SightOptions {
  static size = 72;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 72 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get unloaded() { return this.memory.i32[this.at + 4 >>> 2]; }
  set unloaded(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get categories() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set categories(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get categoriesBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set categoriesBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get ignore() { return this.memory.u32[this.at + 16 >>> 2]; }
  set ignore(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get ignoreCount() { return this.memory.u32[this.at + 20 >>> 2]; }
  set ignoreCount(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get occluders() { return this.memory.u32[this.at + 24 >>> 2]; }
  set occluders(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
  get occluderCount() { return this.memory.u32[this.at + 28 >>> 2]; }
  set occluderCount(value) { this.memory.u32[this.at + 28 >>> 2] = value; }
  get blockFilter() { return this.memory.u32[this.at + 32 >>> 2]; }
  set blockFilter(value) { this.memory.u32[this.at + 32 >>> 2] = value; }
  get entityFilter() { return this.memory.u32[this.at + 36 >>> 2]; }
  set entityFilter(value) { this.memory.u32[this.at + 36 >>> 2] = value; }
  get filterContext() { return this.memory.u32[this.at + 40 >>> 2]; }
  set filterContext(value) { this.memory.u32[this.at + 40 >>> 2] = value; }
  get maxSteps() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxSteps(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxStepsBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set maxStepsBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
  get through() { const m = this.memory, p = this.at + 56 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set through(value) { const m = this.memory, p = this.at + 56 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get throughBig() { return this.memory.u64[this.at + 56 >>> 3]; }
  set throughBig(value) { this.memory.u64[this.at + 56 >>> 3] = value; }
  get channel() { return this.memory.u16[this.at + 64 >>> 1]; }
  set channel(value) { this.memory.u16[this.at + 64 >>> 1] = value; }
  get noBlocks() { return this.memory.u8[this.at + 66]; }
  set noBlocks(value) { this.memory.u8[this.at + 66] = value; }
  get skipStartInside() { return this.memory.u8[this.at + 67]; }
  set skipStartInside(value) { this.memory.u8[this.at + 67] = value; }
  get boxesBlock() { return this.memory.u8[this.at + 68]; }
  set boxesBlock(value) { this.memory.u8[this.at + 68] = value; }
}

export class SightStats {
  static size = 80;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 80 * i; return this; }
  get lines() { return new Stats(this.memory, this.at); }
  get rays() { const m = this.memory, p = this.at + 64 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set rays(value) { const m = this.memory, p = this.at + 64 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get raysBig() { return this.memory.u64[this.at + 64 >>> 3]; }
  set raysBig(value) { this.memory.u64[this.at + 64 >>> 3] = value; }
  get cuts() { const m = this.memory, p = this.at + 72 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set cuts(value) { const m = this.memory, p = this.at + 72 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get cutsBig() { return this.memory.u64[this.at + 72 >>> 3]; }
  set cutsBig(value) { this.memory.u64[this.at + 72 >>> 3] = value; }
}

export class SightAnswer {
  static size = 160;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 160 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get sight() { return this.memory.i32[this.at + 4 >>> 2]; }
  set sight(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get blocksVersion() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set blocksVersion(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get blocksVersionBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set blocksVersionBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get entitiesVersion() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entitiesVersion(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entitiesVersionBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set entitiesVersionBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  delta(i) { const m = this.memory, p = (this.at + 24 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setDelta(i, value) { const m = this.memory, p = (this.at + 24 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  deltaBig(i) { return this.memory.i64[(this.at + 24 >>> 3) + i]; }
  setDeltaBig(i, value) { this.memory.i64[(this.at + 24 >>> 3) + i] = value; }
  deltaHigh(i) { const m = this.memory, p = (this.at + 48 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setDeltaHigh(i, value) { const m = this.memory, p = (this.at + 48 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  deltaHighBig(i) { return this.memory.i64[(this.at + 48 >>> 3) + i]; }
  setDeltaHighBig(i, value) { this.memory.i64[(this.at + 48 >>> 3) + i] = value; }
  get isWide() { return this.memory.u8[this.at + 72]; }
  set isWide(value) { this.memory.u8[this.at + 72] = value; }
  get isUnit() { return this.memory.u8[this.at + 73]; }
  set isUnit(value) { this.memory.u8[this.at + 73] = value; }
  get stats() { return new SightStats(this.memory, this.at + 80); }
}

export class SightTableOptions {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get ifUndecided() { return this.memory.i32[this.at + 4 >>> 2]; }
  set ifUndecided(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get each() { return this.memory.u32[this.at + 8 >>> 2]; }
  set each(value) { this.memory.u32[this.at + 8 >>> 2] = value; }
  get leftOut() { return this.memory.u32[this.at + 12 >>> 2]; }
  set leftOut(value) { this.memory.u32[this.at + 12 >>> 2] = value; }
  get maxDistance() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set maxDistance(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxDistanceBig() { return this.memory.i64[this.at + 16 >>> 3]; }
  set maxDistanceBig(value) { this.memory.i64[this.at + 16 >>> 3] = value; }
  get history() { return this.memory.u32[this.at + 24 >>> 2]; }
  set history(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
}

export class SightTableStats {
  static size = 128;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 128 * i; return this; }
  get sight() { return new SightStats(this.memory, this.at); }
  get pairs() { const m = this.memory, p = this.at + 80 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set pairs(value) { const m = this.memory, p = this.at + 80 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get pairsBig() { return this.memory.u64[this.at + 80 >>> 3]; }
  set pairsBig(value) { this.memory.u64[this.at + 80 >>> 3] = value; }
  get unchanged() { const m = this.memory, p = this.at + 88 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set unchanged(value) { const m = this.memory, p = this.at + 88 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get unchangedBig() { return this.memory.u64[this.at + 88 >>> 3]; }
  set unchangedBig(value) { this.memory.u64[this.at + 88 >>> 3] = value; }
  get byRay() { const m = this.memory, p = this.at + 96 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set byRay(value) { const m = this.memory, p = this.at + 96 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get byRayBig() { return this.memory.u64[this.at + 96 >>> 3]; }
  set byRayBig(value) { this.memory.u64[this.at + 96 >>> 3] = value; }
  get byProof() { const m = this.memory, p = this.at + 104 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set byProof(value) { const m = this.memory, p = this.at + 104 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get byProofBig() { return this.memory.u64[this.at + 104 >>> 3]; }
  set byProofBig(value) { this.memory.u64[this.at + 104 >>> 3] = value; }
  get searched() { const m = this.memory, p = this.at + 112 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set searched(value) { const m = this.memory, p = this.at + 112 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get searchedBig() { return this.memory.u64[this.at + 112 >>> 3]; }
  set searchedBig(value) { this.memory.u64[this.at + 112 >>> 3] = value; }
  get undecided() { const m = this.memory, p = this.at + 120 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set undecided(value) { const m = this.memory, p = this.at + 120 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get undecidedBig() { return this.memory.u64[this.at + 120 >>> 3]; }
  set undecidedBig(value) { this.memory.u64[this.at + 120 >>> 3] = value; }
}

export class FoundEntity {
  static size = 24;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 24 * i; return this; }
  get distance() { return this.memory.f64[this.at >>> 3]; }
  set distance(value) { this.memory.f64[this.at >>> 3] = value; }
  get entity() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entity(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entityBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set entityBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get id() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set idBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
}

export class FoundBlock {
  static size = 40;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 40 * i; return this; }
  get distance() { return this.memory.f64[this.at >>> 3]; }
  set distance(value) { this.memory.f64[this.at >>> 3] = value; }
  block(i) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setBlock(i, value) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  blockBig(i) { return this.memory.i64[(this.at + 8 >>> 3) + i]; }
  setBlockBig(i, value) { this.memory.i64[(this.at + 8 >>> 3) + i] = value; }
  get level() { return this.memory.i32[this.at + 32 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 32 >>> 2] = value; }
  get type() { return this.memory.u16[this.at + 36 >>> 1]; }
  set type(value) { this.memory.u16[this.at + 36 >>> 1] = value; }
  get kind() { return this.memory.u8[this.at + 38]; }
  set kind(value) { this.memory.u8[this.at + 38] = value; }
  get sight() { return this.memory.u8[this.at + 39]; }
  set sight(value) { this.memory.u8[this.at + 39] = value; }
}

export class BlastRay {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  step(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setStep(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  stepBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setStepBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get power() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set power(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get powerBig() { return this.memory.i64[this.at + 24 >>> 3]; }
  set powerBig(value) { this.memory.i64[this.at + 24 >>> 3] = value; }
}

export class BlastQuery {
  static size = 72;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 72 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  center(i) { return this.memory.f64[(this.at + 8 >>> 3) + i]; }
  setCenter(i, value) { this.memory.f64[(this.at + 8 >>> 3) + i] = value; }
  get radius() { return this.memory.f64[this.at + 32 >>> 3]; }
  set radius(value) { this.memory.f64[this.at + 32 >>> 3] = value; }
  get rays() { return this.memory.u32[this.at + 40 >>> 2]; }
  set rays(value) { this.memory.u32[this.at + 40 >>> 2] = value; }
  get rayCount() { return this.memory.u32[this.at + 44 >>> 2]; }
  set rayCount(value) { this.memory.u32[this.at + 44 >>> 2] = value; }
  get resistances() { return this.memory.u32[this.at + 48 >>> 2]; }
  set resistances(value) { this.memory.u32[this.at + 48 >>> 2] = value; }
  get resistanceCount() { return this.memory.u32[this.at + 52 >>> 2]; }
  set resistanceCount(value) { this.memory.u32[this.at + 52 >>> 2] = value; }
  get falloff() { const m = this.memory, p = this.at + 56 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set falloff(value) { const m = this.memory, p = this.at + 56 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get falloffBig() { return this.memory.i64[this.at + 56 >>> 3]; }
  set falloffBig(value) { this.memory.i64[this.at + 56 >>> 3] = value; }
  get maxSamples() { const m = this.memory, p = this.at + 64 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxSamples(value) { const m = this.memory, p = this.at + 64 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxSamplesBig() { return this.memory.u64[this.at + 64 >>> 3]; }
  set maxSamplesBig(value) { this.memory.u64[this.at + 64 >>> 3] = value; }
}

export class BrokenBlock {
  static size = 56;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 56 * i; return this; }
  block(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setBlock(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  blockBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setBlockBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get steps() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set steps(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get stepsBig() { return this.memory.i64[this.at + 24 >>> 3]; }
  set stepsBig(value) { this.memory.i64[this.at + 24 >>> 3] = value; }
  get power() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set power(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get powerBig() { return this.memory.i64[this.at + 32 >>> 3]; }
  set powerBig(value) { this.memory.i64[this.at + 32 >>> 3] = value; }
  get level() { return this.memory.i32[this.at + 40 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 40 >>> 2] = value; }
  get ray() { return this.memory.u32[this.at + 44 >>> 2]; }
  set ray(value) { this.memory.u32[this.at + 44 >>> 2] = value; }
  get type() { return this.memory.u16[this.at + 48 >>> 1]; }
  set type(value) { this.memory.u16[this.at + 48 >>> 1] = value; }
}

export class ExposedEntity {
  static size = 40;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 40 * i; return this; }
  get distance() { return this.memory.f64[this.at >>> 3]; }
  set distance(value) { this.memory.f64[this.at >>> 3] = value; }
  get from() { return this.memory.f64[this.at + 8 >>> 3]; }
  set from(value) { this.memory.f64[this.at + 8 >>> 3] = value; }
  get to() { return this.memory.f64[this.at + 16 >>> 3]; }
  set to(value) { this.memory.f64[this.at + 16 >>> 3] = value; }
  get entity() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entity(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entityBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set entityBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get id() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set id(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get idBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set idBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
}

export class BlastResult {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get reachesUnknown() { return this.memory.u8[this.at + 4]; }
  set reachesUnknown(value) { this.memory.u8[this.at + 4] = value; }
  get blocksVersion() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set blocksVersion(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get blocksVersionBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set blocksVersionBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get entitiesVersion() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entitiesVersion(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entitiesVersionBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set entitiesVersionBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get samples() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set samples(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get samplesBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set samplesBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get blockCount() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set blockCount(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get blockCountBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set blockCountBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get entityCount() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set entityCount(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get entityCountBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set entityCountBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
}

export class ReplayOptions {
  static size = 16;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 16 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get all() { return this.memory.i32[this.at + 4 >>> 2]; }
  set all(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get onOtherWorld() { return this.memory.i32[this.at + 8 >>> 2]; }
  set onOtherWorld(value) { this.memory.i32[this.at + 8 >>> 2] = value; }
}

export class Replayed {
  static size = 224;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 224 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get outcome() { return this.memory.i32[this.at + 4 >>> 2]; }
  set outcome(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get number() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set number(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get numberBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set numberBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get offset() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set offset(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get offsetBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set offsetBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get line() { return new Line(this.memory, this.at + 24); }
  get levels() { return this.memory.u32[this.at + 96 >>> 2]; }
  set levels(value) { this.memory.u32[this.at + 96 >>> 2] = value; }
  get verb() { return this.memory.i32[this.at + 100 >>> 2]; }
  set verb(value) { this.memory.i32[this.at + 100 >>> 2] = value; }
  get sight() { return new SightQuery(this.memory, this.at + 104); }
  get viewerCount() { const m = this.memory, p = this.at + 176 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set viewerCount(value) { const m = this.memory, p = this.at + 176 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get viewerCountBig() { return this.memory.u64[this.at + 176 >>> 3]; }
  set viewerCountBig(value) { this.memory.u64[this.at + 176 >>> 3] = value; }
  get boxCount() { const m = this.memory, p = this.at + 184 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set boxCount(value) { const m = this.memory, p = this.at + 184 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get boxCountBig() { return this.memory.u64[this.at + 184 >>> 3]; }
  set boxCountBig(value) { this.memory.u64[this.at + 184 >>> 3] = value; }
  center(i) { return this.memory.f64[(this.at + 192 >>> 3) + i]; }
  setCenter(i, value) { this.memory.f64[(this.at + 192 >>> 3) + i] = value; }
  get radius() { return this.memory.f64[this.at + 216 >>> 3]; }
  set radius(value) { this.memory.f64[this.at + 216 >>> 3] = value; }
}

export class LineChunk {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  get tEnter() { return this.memory.f64[this.at >>> 3]; }
  set tEnter(value) { this.memory.f64[this.at >>> 3] = value; }
  get tExit() { return this.memory.f64[this.at + 8 >>> 3]; }
  set tExit(value) { this.memory.f64[this.at + 8 >>> 3] = value; }
  chunk(i) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setChunk(i, value) { const m = this.memory, p = (this.at + 16 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  chunkBig(i) { return this.memory.i64[(this.at + 16 >>> 3) + i]; }
  setChunkBig(i, value) { this.memory.i64[(this.at + 16 >>> 3) + i] = value; }
  get level() { return this.memory.i32[this.at + 40 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 40 >>> 2] = value; }
  get state() { return this.memory.i32[this.at + 44 >>> 2]; }
  set state(value) { this.memory.i32[this.at + 44 >>> 2] = value; }
}

export class WalkCell {
  static size = 56;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 56 * i; return this; }
  cell(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setCell(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  cellBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setCellBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get tNumerator() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set tNumerator(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get tNumeratorBig() { return this.memory.i64[this.at + 24 >>> 3]; }
  set tNumeratorBig(value) { this.memory.i64[this.at + 24 >>> 3] = value; }
  get tDenominator() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set tDenominator(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get tDenominatorBig() { return this.memory.i64[this.at + 32 >>> 3]; }
  set tDenominatorBig(value) { this.memory.i64[this.at + 32 >>> 3] = value; }
  get t() { return this.memory.f64[this.at + 40 >>> 3]; }
  set t(value) { this.memory.f64[this.at + 40 >>> 3] = value; }
  get faceAxis() { return this.memory.i8[this.at + 48]; }
  set faceAxis(value) { this.memory.i8[this.at + 48] = value; }
  get faceSign() { return this.memory.i8[this.at + 49]; }
  set faceSign(value) { this.memory.i8[this.at + 49] = value; }
}

export class FrameMove {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  chunk(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setChunk(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  chunkBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setChunkBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get kind() { return this.memory.i32[this.at + 24 >>> 2]; }
  set kind(value) { this.memory.i32[this.at + 24 >>> 2] = value; }
  get levels() { return this.memory.i32[this.at + 28 >>> 2]; }
  set levels(value) { this.memory.i32[this.at + 28 >>> 2] = value; }
}

export class WindowMove {
  static size = 56;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 56 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get frameMove() { return new FrameMove(this.memory, this.at + 8); }
  get droppedChunks() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set droppedChunks(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get droppedChunksBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set droppedChunksBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get evicted() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set evicted(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get evictedBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set evictedBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
}

export class ChunkOfLevel {
  static size = 32;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 32 * i; return this; }
  chunk(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setChunk(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  chunkBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setChunkBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get level() { return this.memory.i32[this.at + 24 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 24 >>> 2] = value; }
}

export class ChunkSource {
  static size = 36;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 36 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get keepsChanges() { return this.memory.i32[this.at + 4 >>> 2]; }
  set keepsChanges(value) { this.memory.i32[this.at + 4 >>> 2] = value; }
  get request() { return this.memory.u32[this.at + 8 >>> 2]; }
  set request(value) { this.memory.u32[this.at + 8 >>> 2] = value; }
  get unloading() { return this.memory.u32[this.at + 12 >>> 2]; }
  set unloading(value) { this.memory.u32[this.at + 12 >>> 2] = value; }
  get dropped() { return this.memory.u32[this.at + 16 >>> 2]; }
  set dropped(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get context() { return this.memory.u32[this.at + 20 >>> 2]; }
  set context(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get changesPath() { return this.memory.u32[this.at + 24 >>> 2]; }
  set changesPath(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
  get syncsChanges() { return this.memory.i32[this.at + 28 >>> 2]; }
  set syncsChanges(value) { this.memory.i32[this.at + 28 >>> 2] = value; }
}

export class StreamRadii {
  static size = 16;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 16 * i; return this; }
  get load() { return this.memory.f64[this.at >>> 3]; }
  set load(value) { this.memory.f64[this.at >>> 3] = value; }
  get keep() { return this.memory.f64[this.at + 8 >>> 3]; }
  set keep(value) { this.memory.f64[this.at + 8 >>> 3] = value; }
}

export class StreamOptions {
  static size = 96;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 96 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get radii() { return this.memory.u32[this.at + 8 >>> 2]; }
  set radii(value) { this.memory.u32[this.at + 8 >>> 2] = value; }
  get radiusCount() { return this.memory.u32[this.at + 12 >>> 2]; }
  set radiusCount(value) { this.memory.u32[this.at + 12 >>> 2] = value; }
  get isFertile() { return this.memory.u32[this.at + 16 >>> 2]; }
  set isFertile(value) { this.memory.u32[this.at + 16 >>> 2] = value; }
  get fertileContext() { return this.memory.u32[this.at + 20 >>> 2]; }
  set fertileContext(value) { this.memory.u32[this.at + 20 >>> 2] = value; }
  get fertile() { return this.memory.u32[this.at + 24 >>> 2]; }
  set fertile(value) { this.memory.u32[this.at + 24 >>> 2] = value; }
  get fertileCount() { return this.memory.u32[this.at + 28 >>> 2]; }
  set fertileCount(value) { this.memory.u32[this.at + 28 >>> 2] = value; }
  get chunksPerTick() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set chunksPerTick(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get chunksPerTickBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set chunksPerTickBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get bytesPerTick() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set bytesPerTick(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get bytesPerTickBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set bytesPerTickBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get maxBytes() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxBytes(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxBytesBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set maxBytesBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
  get maxPending() { const m = this.memory, p = this.at + 56 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxPending(value) { const m = this.memory, p = this.at + 56 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxPendingBig() { return this.memory.u64[this.at + 56 >>> 3]; }
  set maxPendingBig(value) { this.memory.u64[this.at + 56 >>> 3] = value; }
  get answerTicks() { const m = this.memory, p = this.at + 64 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set answerTicks(value) { const m = this.memory, p = this.at + 64 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get answerTicksBig() { return this.memory.u64[this.at + 64 >>> 3]; }
  set answerTicksBig(value) { this.memory.u64[this.at + 64 >>> 3] = value; }
  get retryTicks() { const m = this.memory, p = this.at + 72 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set retryTicks(value) { const m = this.memory, p = this.at + 72 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get retryTicksBig() { return this.memory.u64[this.at + 72 >>> 3]; }
  set retryTicksBig(value) { this.memory.u64[this.at + 72 >>> 3] = value; }
  get maxRetryTicks() { const m = this.memory, p = this.at + 80 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set maxRetryTicks(value) { const m = this.memory, p = this.at + 80 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get maxRetryTicksBig() { return this.memory.u64[this.at + 80 >>> 3]; }
  set maxRetryTicksBig(value) { this.memory.u64[this.at + 80 >>> 3] = value; }
  get wantTicks() { const m = this.memory, p = this.at + 88 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set wantTicks(value) { const m = this.memory, p = this.at + 88 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get wantTicksBig() { return this.memory.u64[this.at + 88 >>> 3]; }
  set wantTicksBig(value) { this.memory.u64[this.at + 88 >>> 3] = value; }
}

export class BlockChange {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  get path() { return this.memory.u32[this.at >>> 2]; }
  set path(value) { this.memory.u32[this.at >>> 2] = value; }
  block(i) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setBlock(i, value) { const m = this.memory, p = (this.at + 8 >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  blockBig(i) { return this.memory.i64[(this.at + 8 >>> 3) + i]; }
  setBlockBig(i, value) { this.memory.i64[(this.at + 8 >>> 3) + i] = value; }
  get revertsAt() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  set revertsAt(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get revertsAtBig() { return this.memory.i64[this.at + 32 >>> 3]; }
  set revertsAtBig(value) { this.memory.i64[this.at + 32 >>> 3] = value; }
  get level() { return this.memory.i32[this.at + 40 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 40 >>> 2] = value; }
  get type() { return this.memory.u16[this.at + 44 >>> 1]; }
  set type(value) { this.memory.u16[this.at + 44 >>> 1] = value; }
  get isRemoved() { return this.memory.u8[this.at + 46]; }
  set isRemoved(value) { this.memory.u8[this.at + 46] = value; }
  get reverts() { return this.memory.u8[this.at + 47]; }
  set reverts(value) { this.memory.u8[this.at + 47] = value; }
}

export class StreamStats {
  static size = 104;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 104 * i; return this; }
  get ticks() { const m = this.memory, p = this.at >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set ticks(value) { const m = this.memory, p = this.at >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get ticksBig() { return this.memory.u64[this.at >>> 3]; }
  set ticksBig(value) { this.memory.u64[this.at >>> 3] = value; }
  get requested() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set requested(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get requestedBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set requestedBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get loaded() { const m = this.memory, p = this.at + 16 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set loaded(value) { const m = this.memory, p = this.at + 16 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get loadedBig() { return this.memory.u64[this.at + 16 >>> 3]; }
  set loadedBig(value) { this.memory.u64[this.at + 16 >>> 3] = value; }
  get unloaded() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set unloaded(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get unloadedBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set unloadedBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get evicted() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set evicted(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get evictedBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set evictedBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get nonexistent() { const m = this.memory, p = this.at + 40 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set nonexistent(value) { const m = this.memory, p = this.at + 40 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get nonexistentBig() { return this.memory.u64[this.at + 40 >>> 3]; }
  set nonexistentBig(value) { this.memory.u64[this.at + 40 >>> 3] = value; }
  get failed() { const m = this.memory, p = this.at + 48 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set failed(value) { const m = this.memory, p = this.at + 48 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get failedBig() { return this.memory.u64[this.at + 48 >>> 3]; }
  set failedBig(value) { this.memory.u64[this.at + 48 >>> 3] = value; }
  get timedOut() { const m = this.memory, p = this.at + 56 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set timedOut(value) { const m = this.memory, p = this.at + 56 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get timedOutBig() { return this.memory.u64[this.at + 56 >>> 3]; }
  set timedOutBig(value) { this.memory.u64[this.at + 56 >>> 3] = value; }
  get cancelled() { const m = this.memory, p = this.at + 64 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set cancelled(value) { const m = this.memory, p = this.at + 64 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get cancelledBig() { return this.memory.u64[this.at + 64 >>> 3]; }
  set cancelledBig(value) { this.memory.u64[this.at + 64 >>> 3] = value; }
  get pending() { const m = this.memory, p = this.at + 72 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set pending(value) { const m = this.memory, p = this.at + 72 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get pendingBig() { return this.memory.u64[this.at + 72 >>> 3]; }
  set pendingBig(value) { this.memory.u64[this.at + 72 >>> 3] = value; }
  get failing() { const m = this.memory, p = this.at + 80 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set failing(value) { const m = this.memory, p = this.at + 80 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get failingBig() { return this.memory.u64[this.at + 80 >>> 3]; }
  set failingBig(value) { this.memory.u64[this.at + 80 >>> 3] = value; }
  get chunks() { const m = this.memory, p = this.at + 88 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set chunks(value) { const m = this.memory, p = this.at + 88 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get chunksBig() { return this.memory.u64[this.at + 88 >>> 3]; }
  set chunksBig(value) { this.memory.u64[this.at + 88 >>> 3] = value; }
  get bytes() { const m = this.memory, p = this.at + 96 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set bytes(value) { const m = this.memory, p = this.at + 96 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get bytesBig() { return this.memory.u64[this.at + 96 >>> 3]; }
  set bytesBig(value) { this.memory.u64[this.at + 96 >>> 3] = value; }
}

export class VisibilityOptions {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  get structSize() { return this.memory.u32[this.at >>> 2]; }
  set structSize(value) { this.memory.u32[this.at >>> 2] = value; }
  get levels() { return this.memory.u32[this.at + 4 >>> 2]; }
  set levels(value) { this.memory.u32[this.at + 4 >>> 2] = value; }
  get rays() { const m = this.memory, p = this.at + 8 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set rays(value) { const m = this.memory, p = this.at + 8 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get raysBig() { return this.memory.u64[this.at + 8 >>> 3]; }
  set raysBig(value) { this.memory.u64[this.at + 8 >>> 3] = value; }
  get distance() { return this.memory.f64[this.at + 16 >>> 3]; }
  set distance(value) { this.memory.f64[this.at + 16 >>> 3] = value; }
  get forgetTicks() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set forgetTicks(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get forgetTicksBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set forgetTicksBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get filter() { return this.memory.u32[this.at + 32 >>> 2]; }
  set filter(value) { this.memory.u32[this.at + 32 >>> 2] = value; }
  get entitiesHide() { return this.memory.i32[this.at + 36 >>> 2]; }
  set entitiesHide(value) { this.memory.i32[this.at + 36 >>> 2] = value; }
}

export class ViewCone {
  static size = 56;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 56 * i; return this; }
  from(i) { return this.memory.f64[(this.at >>> 3) + i]; }
  setFrom(i, value) { this.memory.f64[(this.at >>> 3) + i] = value; }
  direction(i) { return this.memory.f64[(this.at + 24 >>> 3) + i]; }
  setDirection(i, value) { this.memory.f64[(this.at + 24 >>> 3) + i] = value; }
  get cosHalfAngle() { return this.memory.f64[this.at + 48 >>> 3]; }
  set cosHalfAngle(value) { this.memory.f64[this.at + 48 >>> 3] = value; }
}

export class SeenBlock {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  block(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setBlock(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  blockBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setBlockBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get since() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set since(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get sinceBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set sinceBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get last() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set last(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get lastBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set lastBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get level() { return this.memory.i32[this.at + 40 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 40 >>> 2] = value; }
  get type() { return this.memory.u16[this.at + 44 >>> 1]; }
  set type(value) { this.memory.u16[this.at + 44 >>> 1] = value; }
}

export class SeenChunk {
  static size = 48;
  constructor(memory, at) { this.memory = memory; this.at = this.begin = at; }
  move(i) { this.at = this.begin + 48 * i; return this; }
  chunk(i) { const m = this.memory, p = (this.at >>> 2) + 2 * i; return m.u32[p] + m.i32[p + 1] * 4294967296; }
  setChunk(i, value) { const m = this.memory, p = (this.at >>> 2) + 2 * i; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  chunkBig(i) { return this.memory.i64[(this.at >>> 3) + i]; }
  setChunkBig(i, value) { this.memory.i64[(this.at >>> 3) + i] = value; }
  get since() { const m = this.memory, p = this.at + 24 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set since(value) { const m = this.memory, p = this.at + 24 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get sinceBig() { return this.memory.u64[this.at + 24 >>> 3]; }
  set sinceBig(value) { this.memory.u64[this.at + 24 >>> 3] = value; }
  get last() { const m = this.memory, p = this.at + 32 >>> 2; return m.u32[p] + m.u32[p + 1] * 4294967296; }
  set last(value) { const m = this.memory, p = this.at + 32 >>> 2; m.u32[p] = value; m.u32[p + 1] = Math.floor(value / 4294967296); }
  get lastBig() { return this.memory.u64[this.at + 32 >>> 3]; }
  set lastBig(value) { this.memory.u64[this.at + 32 >>> 3] = value; }
  get level() { return this.memory.i32[this.at + 40 >>> 2]; }
  set level(value) { this.memory.i32[this.at + 40 >>> 2] = value; }
}

// The flags and numbers among the members of options and rules, by what they are. Of limits 0 stands for none.
export const PLAIN = {
  QueryOptions: {
    categories: "limit",
    maxHits: "limit",
    maxSteps: "limit",
    maxBatchSteps: "limit",
    channel: "u16",
    noBlocks: "flag",
    noEntities: "flag",
    solidOnly: "flag",
    skipStartInside: "flag",
    reportUnknown: "flag",
    stopAtUnknown: "flag",
    entitiesBlock: "flag",
    afterById: "flag",
  },
  SightOptions: {
    categories: "limit",
    maxSteps: "limit",
    through: "u64",
    channel: "u16",
    noBlocks: "flag",
    skipStartInside: "flag",
    boxesBlock: "flag",
  },
  Rule: {
    perHit: "number",
    perBlock: "number",
    budget: "u8",
    touchCosts: "flag",
    perPane: "flag",
  },
};
