// SPDX-License-Identifier: Apache-2.0
// Hits, and the answers of shots and cursors.
import type * as layout from "../src/layout.js";
import type { Triple, Wide } from "./common.js";
import type { Corner, HitKind, Progress } from "./enums.js";
import type { Line } from "./lines.js";
import type { Freeable } from "./memory.js";

/** A hit as a plain object, to be kept. */
export interface HitCopy {
  kind: HitKind;
  level: number;
  /** The time of entry, and the last time in the closed block or shape. */
  t: number;
  tExit: number;
  distance: number;
  point: Triple;
  /** Outward, of length 1; null if the line starts inside. */
  normal: Triple | null;
  /** The face of entry, such as "-x"; null if the line starts inside, and for spheres. */
  face: string | null;
  startInside: boolean;
  terminal: boolean;
  /** The index of a block on its level, and its type. */
  block?: Triple;
  type?: number;
  /** The handle of an entity; the caller's number and the categories, beyond 2^53 as BigInts; and so on. */
  entity?: number;
  id?: Wide;
  categories?: Wide;
  entityClass?: number;
  isBox?: boolean;
}

/**
 * A hit in the memory of the module: in a callback good until it returns, of a world until its next query. Reading it
 * makes no garbage; copy() returns one to be kept.
 */
export class Hit {
  protected constructor();
  readonly kind: HitKind;
  readonly isBlock: boolean;
  readonly isEntity: boolean;
  readonly level: number;
  /** The time of entry; on a ray that ends early use `distance`. */
  readonly t: number;
  /** The last time in the closed block or shape. */
  readonly tExit: number;
  /** From the start of the line to the hit. */
  readonly distance: number;
  /** A component, 0 to 2, of the point of entry. */
  point(axis: number): number;
  /** A component of the outward normal, of length 1; 0 if the line starts inside. */
  normal(axis: number): number;
  /** The axis of the face, -1 without one; the sign of its outward normal. */
  readonly faceAxis: number;
  readonly faceSign: number;
  /** The face of entry, such as "-x"; null if the line starts inside, and for spheres. */
  readonly face: string | null;
  readonly startInside: boolean;
  /** True if the query ends here; in an effect, as far as is known before it responds. */
  readonly terminal: boolean;
  /** Returns a component of the index of a block on its level; of an entity, of its centre in units. */
  cell(axis: number): number;
  cellBig(axis: number): bigint;
  /** The number of the type of a block. */
  readonly type: number;
  /** The coordinate of a block's face on its axis, in 1/65,536 of the block's width. */
  readonly plane: number;
  /** The handle of an entity; 0 for a block. */
  readonly entity: number;
  /** The caller's number of an entity. */
  readonly id: number;
  readonly idBig: bigint;
  readonly categories: number;
  readonly categoriesBig: bigint;
  readonly entityClass: number;
  /** True if the shape of an entity is a box. */
  readonly isBox: boolean;
  /** Returns the hit as a plain object; "FAILED_PRECONDITION" after the callback whose hit it is. */
  copy(): HitCopy;
  /** Returns new Hits with this hit alone, with all of its bits: for `after`, and for reflect(). */
  clone(): Hits;
}

/** An array of hits, `length` of them: move(i), then read the members of hit i. */
export class Hits extends Hit implements Freeable {
  /** Makes memory for hits, 168 bytes each. */
  constructor(capacity?: number);
  readonly capacity: number;
  readonly length: number;
  /** Goes to hit i and returns this array; "OUT_OF_RANGE" if there is none. */
  move(i: number): this;
  /** Makes memory for more hits; keeps those that are there. */
  reserve(capacity: number): void;
  /** Iterates over copies of the hits. */
  [Symbol.iterator](): IterableIterator<HitCopy>;
  toArray(): HitCopy[];
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * Compares two hits of one line, exactly: negative if shots report `a` first, positive if they report `b` first, 0 for the
 * same block, or for entities of one id and level that are hit at one time. Makes no garbage.
 *
 * @param line the line of the queries that returned the hits: Shot.line.
 * @param a a hit; of two in one array clone() the other, as move() moves the whole array.
 * @param levels how many levels the worlds have; 1 by default.
 * @param corner the option of the queries.
 */
export function compareHits(line: Line, a: Hit, b: Hit, levels?: number, corner?: Corner): number;
/**
 * Returns the hits of a shot in a whole world, from those of the same shot in its parts: in order, up to the first
 * terminal hit; what several lists have, once, as the first of them has it. "INVALID_ARGUMENT", with the numbers of the
 * list and of the hit in it, for a hit that the line does not have, a list out of order, and a block or an entity that two
 * lists have differently.
 *
 * @param lists the hits of each part, such as Shots, in order, of the whole line: only a terminal hit may have ended the
 *     query. Block types have the same numbers in all parts.
 * @param hits takes the answer; may be one of the lists. New Hits by default. After an error it has those that it had.
 *     A Shot has the line then, `terminated` of its last hit, and nothing else of a query: resume() refuses it.
 */
export function mergeHits(line: Line, lists: Hits | readonly Hits[], levels?: number, corner?: Corner, hits?: Hits): Hits;

/** The work of a query, in steps; `chunks` and `direct` are no steps. */
export interface Stats {
  cells: number;
  chunks: number;
  indexCells: number;
  entitiesTested: number;
  skips: number;
  listed: number;
  ordered: number;
  direct: number;
}

/** An answer besides its hits. */
export interface Answer {
  /** The line, in integers. */
  readonly line: Line;
  /** True if the last hit was terminal. */
  readonly terminated: boolean;
  /** True if maxHits kept it from reporting more. */
  readonly truncated: boolean;
  /** The first time at which no level is loaded; null if there is none, or without reportUnknown. */
  readonly unknownFrom: number | null;
  /** The time at which a budget was used up, or null. */
  readonly stoppedAt: number | null;
  /** The amounts left of the eight budgets; null without rules. */
  readonly budgets: number[] | null;
  readonly stats: Stats;
  readonly progress: Progress;
  /** The versions of the blocks and of the entities when the query began. */
  readonly versions: [number, number];
  /** The whole struct. */
  readonly result: layout.QueryResult;
}

/** The answer of shoot(): the hits in the order of distance. Passed to shoot() again, its memory is used again. */
export class Shot extends Hits {
  /** Makes memory for hits; grows if there are more. */
  constructor(capacity?: number);
}
export interface Shot extends Answer {}

/**
 * The hits of a shot one by one; the world may change between two of them. Effects are not called: the loop replaces
 * them. An exception of a filter or a terminal test, which run ahead of the hits, ends the cursor.
 */
export class HitCursor implements Freeable {
  private constructor();
  /** Returns the next hit, good until the next call; null at the end. */
  next(hits?: Hits): Hits | null;
  /** Returns the next hits, at most `most`; fewer only at the end. If an error ends the call, `hits` has those before it. */
  take(most: number, hits?: Hits): Hits;
  /** The answer up to the last hit that was found. */
  readonly answer: Answer & Freeable;
  /** Iterates over the hits, each good until the next. Frees the cursor at the end of the loop. */
  [Symbol.iterator](): IterableIterator<Hits>;
  readonly isFree: boolean;
  free(): void;
  [Symbol.dispose](): void;
}
