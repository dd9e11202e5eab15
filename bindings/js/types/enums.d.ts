// SPDX-License-Identifier: Apache-2.0
// The enumerations and constants.

/** The nature of a block type, in a channel. */
export const Kind: {
  /** Reported, and ends the shot. */ readonly SOLID: 0;
  /** Reported; a callback or a rule decides. */ readonly PERMEABLE: 1;
  /** Never reported. */ readonly EMPTY: 2;
};
export type Kind = 0 | 1 | 2;

/** Which cells a line visits where it crosses planes of several axes at once. */
export const Corner: {
  /** All of them: nothing slips between blocks that touch at an edge. */ readonly BOTH: 0;
  /** Only the diagonal one. */ readonly NEITHER: 1;
  /** One for each plane. */ readonly STAIRCASE: 2;
};
export type Corner = 0 | 1 | 2;

/** The answer of an effect to a hit; undefined stands for CONTINUE. */
export const Response: {
  readonly CONTINUE: 0;
  /** Ends the shot. */ readonly STOP: 1;
  /** Continues, and searches again in the world as it is now. */ readonly AGAIN: 2;
};
export type Response = 0 | 1 | 2;

/** The answer about a line of sight; CLEAR is the only one that is falsy. */
export const Occlusion: {
  readonly CLEAR: 0;
  readonly BLOCKED: 1;
  /** Nothing known blocks it, but a part of it is in unloaded space. */ readonly UNKNOWN: 2;
};
export type Occlusion = 0 | 1 | 2;

/** The answer of an eye that looks at a box; HIDDEN is the only one that is falsy. */
export const Sight: {
  readonly HIDDEN: 0;
  /** Hidden, unless what is not loaded is air. */ readonly UNKNOWN: 1;
  readonly VISIBLE: 2;
  /** Of many queries: an error of this one, or maxSteps ran out. */ readonly UNDECIDED: 3;
  /** Not asked, by visibleBoxes() alone. */ readonly SKIPPED: 4;
};
export type Sight = 0 | 1 | 2 | 3 | 4;

/** The meaning to an eye of space where nothing is loaded. */
export const Unloaded: {
  /** A box that is seen only through it is UNKNOWN. */ readonly REPORT: 0;
  /** Air. */ readonly TRANSPARENT: 1;
  /** Solid. */ readonly OPAQUE: 2;
};
export type Unloaded = 0 | 1 | 2;

export const ChunkState: { readonly ABSENT: 0; /** A placeholder. */ readonly PROTO: 1; readonly LOADED: 2 };
export type ChunkState = 0 | 1 | 2;
/** The member `kind` of hits. */
export const HitKind: { readonly NONE: 0; readonly BLOCK: 1; readonly ENTITY: 2 };
export type HitKind = 0 | 1 | 2;
/** How far one shot of a batch is. */
export const Progress: { readonly DONE: 0; readonly OUT_OF_STEPS: 1; readonly NOT_STARTED: 2 };
export type Progress = 0 | 1 | 2;
/** A move of the frame. */
export const MoveKind: { readonly DESCEND: 1; readonly CLIMB: 2; readonly RECENTER: 3 };
export type MoveKind = 1 | 2 | 3;

/** The number of the block type that every world has, "air", empty in every channel. */
export const AIR: 0;
/** In a table of types of ids: this id is not used. */
export const NO_BLOCK_TYPE: 0xffff;
export const DEFAULT_CHANNEL: 0;
export const UNITS_PER_BLOCK: 65536;
export const MAX_LEVELS: 10;
export const MAX_BUDGETS: 8;
/** The resistance to blasts of a block type that no power breaks. */
export const UNBREAKABLE: bigint;
