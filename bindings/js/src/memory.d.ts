// SPDX-License-Identifier: Apache-2.0

/** Views of the module's memory. Growth makes new ones: keep the Memory, never a view. */
export interface Memory {
  readonly i8: Int8Array;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;
}
