// SPDX-License-Identifier: Apache-2.0
// The answers of many queries.
import type { HitKind, Occlusion } from "./enums.js";
import type { Answer, Hits, Stats } from "./hits.js";
import type { Lines } from "./lines.js";
import type { Freeable, ModuleArray } from "./memory.js";

export interface BatchSummary {
  /** Leading queries that are done: all, unless maxBatchSteps ran out. */
  completed: number;
  errors: number;
  hits: number;
  versions: [number, number];
  stats: Stats;
}
export interface BatchAnswers extends Freeable {
  readonly capacity: number;
  readonly length: number;
  /** Goes to the answer of line i and returns this array; "OUT_OF_RANGE" if there is none. */
  move(i: number): this;
  /** The index of the present answer. */
  readonly index: number;
  /** The number of the error of the present line in the C interface, 0 without one. */
  readonly result: number;
  /** How many lines have an error, and the text of the first. */
  readonly errors: number;
  readonly firstError: string;
  readonly summary: BatchSummary;
}

/** First hits in brief: move(i), then the members of the hit of line i; of the kind NONE if there is none. */
export class CompactHits {
  /** Makes memory for answers, 76 bytes each. */
  constructor(capacity: number);
  readonly kind: HitKind;
  readonly isBlock: boolean;
  readonly isEntity: boolean;
  readonly t: number;
  readonly tExit: number;
  readonly level: number;
  /** A component, 0 to 2, of the index of a block on its level. */
  block(axis: number): number;
  readonly type: number;
  readonly entity: number;
  /** The caller's number of an entity; of a block the `plane` of Hit. */
  readonly id: number;
  readonly idBig: bigint;
  readonly faceAxis: number;
  readonly faceSign: number;
  readonly face: string | null;
  readonly startInside: boolean;
  readonly terminal: boolean;
  /** The time at which the line first enters unloaded space; NaN if it does not, or without reportUnknown. */
  readonly unknownFrom: number;
}
export interface CompactHits extends BatchAnswers {}

/** Lines of sight: answer(i); or move(i), then what blocks line i. */
export class Occlusions {
  constructor(capacity: number);
  answer(i: number): Occlusion;
  /** Returns a copy of all answers. */
  toArray(): Uint8Array;
  /** The kind of what blocks the present line; NONE if nothing does. */
  readonly kind: HitKind;
  readonly t: number;
  readonly level: number;
  block(axis: number): number;
  readonly type: number;
  readonly entity: number;
  readonly id: number;
}
export interface Occlusions extends BatchAnswers {}

/** The shots of a batch, and memory that is used again by the next one. */
export class ShotBatch implements Freeable {
  constructor();
  readonly length: number;
  readonly summary: BatchSummary;
  readonly firstError: string;
  /** Returns the answer of shot i, without its hits. */
  answer(i: number): Answer & Freeable;
  /** Returns the hits of shot i. */
  hitsOf(i: number, hits?: Hits): Hits;
  /** Returns hits by their numbers among those of all shots: answer(i).result.hitsBegin is that of the first of shot i. */
  hits(first: number, count: number, hits?: Hits): Hits;
  readonly isFree: boolean;
  free(): void;
  [Symbol.dispose](): void;
}

/** Lines, or six numbers for each segment: a Float64Array is copied, a ModuleArray read in place. */
export type LinesInit = Lines | Float64Array | ModuleArray<Float64Array>;
