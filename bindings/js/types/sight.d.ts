// SPDX-License-Identifier: Apache-2.0
// Queries of sight of boxes.
import type { Vector, WideVector } from "./common.js";
import type { Freeable, Numbers, Units } from "./memory.js";

/** An eye, and the box that it looks at, in integers; the box may be flat on one axis. */
export class SightQuery implements Freeable {
  private constructor();
  /** Returns a query of points, which are rounded to 1/65,536 of a finest block. */
  static of(eye: Vector, min: Vector, max: Vector): SightQuery;
  /** Returns a query of points in units. */
  static units(eye: WideVector, min: WideVector, max: WideVector): SightQuery;
  readonly eyeUnits: [bigint, bigint, bigint];
  readonly boxUnits: [[bigint, bigint, bigint], [bigint, bigint, bigint]];
  free(): void;
  [Symbol.dispose](): void;
}
/**
 * The answers of the last visibleBoxes() that was given it, each with a proof, which the next one tries first: its
 * answers are those of a call without a history. Keep viewers and boxes in one order from call to call; another order
 * costs time alone. Takes some 100 bytes a pair.
 */
export class SightHistory implements Freeable {
  constructor();
  /** How the last call answered: all but the first add up to `pairs`. */
  readonly last: { pairs: number; unchanged: number; byRay: number; byProof: number; searched: number };
  free(): void;
  [Symbol.dispose](): void;
}

/** Queries of many eyes and boxes: three numbers for each; one point stands for all. */
export class SightQueries implements Freeable {
  constructor(eyes: Numbers | Units, mins: Numbers | Units, maxs: Numbers | Units);
  readonly length: number;
  free(): void;
  [Symbol.dispose](): void;
}
/** A line from the eye along `delta`, in units, that enters the box and touches nothing solid before. */
export interface Witness {
  delta: [bigint, bigint, bigint];
  /** True if eye + delta is a point of the box. */
  isUnit: boolean;
}
export type WideBox = [[bigint, bigint, bigint], [bigint, bigint, bigint]];
/** Returns true if boxes, [min, max] in units, hide the box of a query from its eye: a certificate, which the eye and the
 * box may have moved since. Does not look at a world. With a margin, in units: true only if they still hide it wherever
 * eye and box move, by no more than that together on each axis. */
export function hides(boxes: readonly (readonly [WideVector, WideVector])[], query: SightQuery,
                      margin?: number | bigint): boolean;
