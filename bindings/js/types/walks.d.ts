// SPDX-License-Identifier: Apache-2.0
// Walks over the cells of a grid.
import type { Corner } from "./enums.js";
import type { Lines } from "./lines.js";
import type { Freeable } from "./memory.js";

export interface WalkCell {
  /** Two or three integers. */
  cell: number[];
  /** The time of entry, and the same exactly: numerator and denominator. */
  t: number;
  exact: [bigint, bigint];
  /** Through which it is entered; null for the first cell. */
  face: string | null;
}
/** Walks over the cells that a segment crosses, in order, in 2 or 3 dimensions. Needs no world. */
export class Walk implements Freeable {
  /** widths: of the cells, for all axes or for each; multiples of 1/65,536, 1 by default. */
  constructor(start: readonly number[], end: readonly number[], options?: { widths?: number | readonly number[]; corner?: Corner });
  readonly dimensions: 2 | 3;
  /** The number of planes between cells that the whole walk crosses. */
  readonly crossings: number;
  /** Returns the next cells, at most `most`; fewer only at the end. */
  take(most: number): WalkCell[];
  /** Iterates over the cells that are left. Frees the walk at the end of the loop. */
  [Symbol.iterator](): IterableIterator<WalkCell>;
  readonly isFree: boolean;
  free(): void;
  [Symbol.dispose](): void;
}
/** The cells of many lines; those of line i are numbers offsets[i] to offsets[i + 1] - 1. */
export interface Walks {
  offsets: Float64Array;
  /** Three numbers for each. */
  cells: Float64Array;
  /** The t at which each cell is entered. */
  times: Float64Array;
  /** 0 for each line without an error, else its number in the C interface: it has no cells. */
  results: Int32Array;
  errors: number;
  firstError: string;
}
/** Returns the cells that each line crosses, in order, as far as it reaches: at most 2^24 of a line. */
export function walkMany(lines: Lines, options?: { widths?: number | readonly number[]; corner?: Corner }): Walks;
/** Returns a point of 1 to 3 numbers in units, as queries round it. */
export function toUnits(point: readonly number[]): bigint[];
