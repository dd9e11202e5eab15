// SPDX-License-Identifier: Apache-2.0
// Arrays of vectors, three numbers each, as the library reads them.

import * as layout from "./layout.js";
import { number } from "./arguments.js";
import { invalid, refuseType } from "./errors.js";
import { memory } from "./module.js";
import { ModuleArray } from "./owned.js";

// The formats of vectors, by the class of their array.
const FORMATS = new Map([[Float64Array, layout.F64], [Float32Array, layout.F32], [BigInt64Array, layout.UNITS]]);

// Describes `count` vectors of an array, three numbers each, in a struct. The array of the caller is copied to
// memory that is freed by the caller of this function; its address is returned, 0 for none. One vector stands
// for all if `mayRepeat`.
export function setVectors(vectors, given, count, name, mayRepeat = false) {
  const toNumber = (each, i) => number(each, `${name}[${i}]`);
  const array = Array.isArray(given) ? Float64Array.from(given, toNumber) : memory.lasting(given);
  const isInModule = array instanceof ModuleArray, Type = isInModule ? array.Type : array?.constructor;
  const inPlace = isInModule ? array._live : 0;
  if (!FORMATS.has(Type)) {
    refuseType(given, name, "it must be a Float64Array or a Float32Array; in units, a BigInt64Array");
  }
  if (array.length !== 3 * count && !(mayRepeat && array.length === 3)) {
    invalid(`${name}: there are ${array.length} numbers; give ${3 * count}, three for each`);
  }
  const bytes = Type.BYTES_PER_ELEMENT, at = isInModule ? inPlace : memory.allocate(bytes * array.length);
  if (!isInModule) new Type(memory.u8.buffer, at, array.length).set(array);
  vectors.data = at;
  vectors.vectorStride = array.length === 3 && count !== 1 ? 0 : 3 * bytes;
  vectors.format = FORMATS.get(Type);
  return isInModule ? 0 : at;
}

// Calls call(address) with a description of vectors.
export function withVectors(given, count, name, call) {
  const mark = memory.enter();
  let copy = 0;
  try {
    const vectors = memory.pushStruct(layout.Vectors);
    copy = setVectors(vectors, given, count, name);
    return call(vectors.at);
  } finally {
    if (copy !== 0) memory.free(copy);
    memory.leave(mark);
  }
}
