// SPDX-License-Identifier: Apache-2.0
// Memory of the module.

declare global {
  interface SymbolConstructor {
    /** Is declared by the newest libraries of TypeScript alone. */
    readonly dispose: unique symbol;
  }
}

/** An object that free() and the end of `using` free. A call with a freed object throws "FAILED_PRECONDITION". */
export interface Freeable {
  /** Frees the memory; once it is free, does nothing. "FAILED_PRECONDITION" in a callback of a call that uses it. */
  free(): void;
  [Symbol.dispose](): void;
}

export type Numbers = Float64Array | Float32Array | readonly number[] | ModuleArray<Float64Array> | ModuleArray<Float32Array>;
export type Units = BigInt64Array | ModuleArray<BigInt64Array>;

/** Memory of the module with the elements of a typed array: batches read it in place, without a copy. */
export class ModuleArray<A = Float64Array> implements Freeable {
  constructor(Type: new (buffer: ArrayBuffer, at: number, length: number) => A, length: number);
  readonly length: number;
  /** The elements. Valid until the next call that may need memory, of any function: take it again after one. */
  readonly view: A;
  free(): void;
  [Symbol.dispose](): void;
}
