// SPDX-License-Identifier: Apache-2.0
// The results of searches, and blasts.
import type { Triple, Vector, Wide, WideVector } from "./common.js";
import type { Kind } from "./enums.js";
import type { Freeable } from "./memory.js";

export interface FoundEntity {
  entity: number;
  /** Beyond 2^53 a BigInt. */
  id: Wide;
  /** The distance of its closed shape; 0 if the point is in it. */
  distance: number;
}
export interface FoundBlock {
  block: Triple;
  level: number;
  type: number;
  kind: Kind;
  /** The distance of the closed block; 0 if the point is in it. */
  distance: number;
}

/** Rays of blasts, sampled at the centre, at centre + step, centre + 2 step and so on. */
export class BlastRays implements Freeable {
  constructor(length: number);
  /** Returns rays with steps in units and whole numbers of power. */
  static of(rays: readonly { step: WideVector; power: Wide }[]): BlastRays;
  /** Returns rays of equal power to all points of the surface of a cube of n x n x n points; n is 2 to 256. */
  static cubeFan(n: number, step: number, power: Wide): BlastRays;
  readonly length: number;
  /** Goes to ray i: then `power` and setStep() are its members. */
  move(i: number): this;
  get power(): number;
  set power(power: Wide);
  step(axis: number): number;
  setStep(axis: number, units: Wide): void;
  free(): void;
  [Symbol.dispose](): void;
}
export interface BlastInit {
  center: Vector;
  /** No sample, and no entity, is farther from the centre; at most 65,536. */
  radius: number;
  rays: BlastRays;
  /** By block type the power that a ray loses at each sample in it; UNBREAKABLE or Infinity for what no power breaks, as
   * are types beyond the end. */
  resistances?: ArrayLike<Wide>;
  /** The power that a ray loses after each sample, in air too. */
  falloff?: Wide;
  /** The most samples of all rays; beyond, "RESOURCE_EXHAUSTED". */
  maxSamples?: number | null;
}
export interface Blast {
  /** Each once: in the order of steps from the centre, then of rays, then the finer level first. */
  blocks: { block: Triple; level: number; type: number; steps: number; power: Wide; ray: number }[];
  /** The nearest first: the centre sees a share of its bounding box that is at least `from` and at most `to`. */
  entities: { entity: number; id: Wide; distance: number; from: number; to: number }[];
  samples: number;
  /** True if a ray with power was sampled where no level is loaded. */
  reachesUnknown: boolean;
}
