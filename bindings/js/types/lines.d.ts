// SPDX-License-Identifier: Apache-2.0
// Lines of queries, one by one and many at once.
import type { Corners, Triple, Vector, Wide, WideVector } from "./common.js";
import type { Hits } from "./hits.js";
import type { Freeable, ModuleArray, Numbers, Units } from "./memory.js";

/** A line in integers: the points from start + t (end - start). Made once, passed to any query. */
export class Line implements Freeable {
  /** Makes a line of zeros, for setSegment() or setRay(): every query refuses it. */
  constructor();
  /** Returns the line between two points, which are rounded to 1/65,536 of a finest block. */
  static segment(start: Vector, end: Vector): Line;
  /** Returns the line of a ray of any direction but zero, no farther than a distance and a box `bounds`. */
  static ray(origin: Vector, direction: Vector, maxDistance?: number, bounds?: Corners): Line;
  /** Returns the line between two points in units. */
  static units(start: WideVector, end: WideVector): Line;
  /** Sets the line between two points. Makes no garbage. After an error the line is one of zeros. */
  setSegment(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): this;
  /** Sets the line of a ray. Makes no garbage. After an error the line is one of zeros. */
  setRay(x: number, y: number, z: number, dx: number, dy: number, dz: number, maxDistance?: number): this;
  readonly start: Triple;
  /** The point at t = 1; a ray may end before it, at `lastTime`. */
  readonly end: Triple;
  readonly startUnits: [bigint, bigint, bigint];
  readonly endUnits: [bigint, bigint, bigint];
  /** The time at which the line ends: 1, or less for a ray. */
  readonly lastTime: number;
  /** The length from t = 0 to t = 1. */
  readonly length: number;
  /** Returns the point at a time. */
  pointAt(t: number): Triple;
  free(): void;
  [Symbol.dispose](): void;
}

export interface LineMembers {
  /** For each line its levels as a mask of bits, in place of the batch's. */
  levels?: ArrayLike<number>;
  /** For each line the ids of entities that it ignores. */
  ignore?: ArrayLike<Wide | readonly Wide[]>;
  /** For each line the hits after which it resumes. */
  after?: ArrayLike<Hits | readonly Hits[]>;
}

/** Many lines, for batches. Arrays are copied once, when it is made; a ModuleArray is read in place: free it after them. */
export class Lines implements Freeable {
  private constructor();
  /** Returns segments: three numbers for each start and end, or one point for all. */
  static segments(starts: Numbers | Units, ends: Numbers | Units, members?: LineMembers): Lines;
  /** Returns segments given in units. */
  static units(starts: Units, ends: Units, members?: LineMembers): Lines;
  /** Returns rays; `maxDistances` is one number for all, one for each, or undefined for infinite ones. */
  static rays(origins: Numbers, directions: Numbers, maxDistances?: number | ArrayLike<number> | ModuleArray<Float64Array>,
    bounds?: Corners, members?: LineMembers): Lines;
  static of(lines: Iterable<Line>, members?: LineMembers): Lines;
  readonly length: number;
  free(): void;
  [Symbol.dispose](): void;
}
