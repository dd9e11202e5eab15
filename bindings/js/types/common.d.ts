// SPDX-License-Identifier: Apache-2.0
// Loading the module, its errors, and types that many calls take.
import type { Shot } from "./hits.js";

export type Vector = ArrayLike<number>;
/** An integer of 64 bits: a number up to 2^53, or a BigInt. */
export type Wide = number | bigint;
/** Three integers: of a block or a chunk. */
export type Index = ArrayLike<Wide>;
/** Three numbers; indices among them are exact within +-2^53. */
export type Triple = [number, number, number];
/** Two corners, the smaller and the larger one. */
export type Corners = readonly [Vector, Vector];
/** A corner of a box in units. */
export type WideVector = ArrayLike<Wide>;

/** The source of a module; a Response of fetch() has arrayBuffer(). */
export type ModuleSource = URL | string | BufferSource | WebAssembly.Module | { arrayBuffer(): Promise<ArrayBuffer> };

/**
 * Loads the WebAssembly module: await it once before anything else; later calls wait for the first.
 *
 * @param source a URL, a Response or a promise of one, the bytes, or a WebAssembly.Module; by default the file
 *     fractalray.wasm in the package. After a failure another call tries again.
 */
export function init(source?: ModuleSource | Promise<ModuleSource>): Promise<void>;
/** Returns the version of the module, such as "0.1.0". */
export function version(): string;

export type Code = "INVALID_ARGUMENT" | "DEADLINE_EXCEEDED" | "NOT_FOUND" | "ALREADY_EXISTS" | "PERMISSION_DENIED" |
  "RESOURCE_EXHAUSTED" | "FAILED_PRECONDITION" | "ABORTED" | "OUT_OF_RANGE" | "UNIMPLEMENTED" | "INTERNAL" | "UNAVAILABLE" | "DATA_LOSS";

/** Anything that the library refuses. Its message names the wrong value, and what to do. */
export class FractalrayError extends Error {
  constructor(code: Code, message: string, shot?: Shot);
  /** The name of the result in the C interface. */
  readonly code: Code;
  /** After a shot that has begun, such as one that ran out of steps: the hits so far. */
  readonly shot: Shot | undefined;
}
