// SPDX-License-Identifier: Apache-2.0
// The enumerations of the interface, with the numbers of the C header. index.d.ts says what each means.

import * as layout from "./layout.js";

export const Kind = Object.freeze({ SOLID: layout.SOLID, PERMEABLE: layout.PERMEABLE, EMPTY: layout.EMPTY });
export const Corner = Object.freeze({
  BOTH: layout.CORNER_BOTH, NEITHER: layout.CORNER_NEITHER, STAIRCASE: layout.CORNER_STAIRCASE,
});
export const Response = Object.freeze({ CONTINUE: layout.CONTINUE, STOP: layout.STOP, AGAIN: layout.AGAIN });
export const Occlusion = Object.freeze({ CLEAR: layout.CLEAR, BLOCKED: layout.BLOCKED, UNKNOWN: layout.UNKNOWN });
export const Sight = Object.freeze({
  HIDDEN: layout.SIGHT_HIDDEN, UNKNOWN: layout.SIGHT_UNKNOWN, VISIBLE: layout.SIGHT_VISIBLE,
  UNDECIDED: layout.SIGHT_UNDECIDED, SKIPPED: layout.SIGHT_SKIPPED,
});
export const Unloaded = Object.freeze({
  REPORT: layout.UNLOADED_REPORT, TRANSPARENT: layout.UNLOADED_TRANSPARENT, OPAQUE: layout.UNLOADED_OPAQUE,
});
export const ChunkState = Object.freeze({ ABSENT: layout.ABSENT, PROTO: layout.PROTO, LOADED: layout.LOADED });
export const HitKind = Object.freeze({ NONE: layout.HIT_NONE, BLOCK: layout.HIT_BLOCK, ENTITY: layout.HIT_ENTITY });
export const Progress = Object.freeze({
  DONE: layout.DONE, OUT_OF_STEPS: layout.OUT_OF_STEPS, NOT_STARTED: layout.NOT_STARTED,
});
export const MoveKind = Object.freeze({ DESCEND: layout.DESCEND, CLIMB: layout.CLIMB, RECENTER: layout.RECENTER });

// The number of the block type that every world has, empty in every channel.
export const AIR = layout.AIR;
// In a table of ids: the caller does not use this id.
export const NO_BLOCK_TYPE = layout.NO_BLOCK_TYPE;
export const DEFAULT_CHANNEL = 0;
export const UNITS_PER_BLOCK = layout.UNITS_PER_BLOCK;
export const MAX_LEVELS = layout.MAX_LEVELS;
export const MAX_BUDGETS = layout.MAX_BUDGETS;
// The resistance of a block type that no power breaks.
export const UNBREAKABLE = 2n ** 63n - 1n;
