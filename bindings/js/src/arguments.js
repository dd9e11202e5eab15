// SPDX-License-Identifier: Apache-2.0
// Checks of arguments, before the border cuts them to the types of C: a wrong type is a TypeError, a
// value that cannot be a FractalrayError, and both name the argument and what to give.

import { ALL_LEVELS, MAX_LEVELS } from "./layout.js";
import { FractalrayError, invalid, refuse, refuseType } from "./errors.js";
import { memory, module } from "./module.js";

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

// Returns a number that is not NaN; the library checks whether it may be infinite.
export function number(value, name) {
  if (typeof value !== "number") refuseType(value, name, "it must be a number");
  if (value !== value) refuse(value, name, "it must be a number that is not NaN");
  return value;
}

// The arguments of calls of numbers: of two points, and of a ray.
export const POINTS = ["x0", "y0", "z0", "x1", "y1", "z1"];
export const RAY = ["x", "y", "z", "dx", "dy", "dz", "maxDistance"];

// Names the first of these arguments that is no number, if there is one.
export function refuseNumbers(names, ...values) {
  names.forEach((name, i) => {
    if (typeof values[i] !== "number") refuseType(values[i], name, "it must be a number; others take points");
    number(values[i], name);
  });
}

// Returns an integer of a range as a number. A BigInt does too.
export function integer(value, name, low = Number.MIN_SAFE_INTEGER, high = Number.MAX_SAFE_INTEGER) {
  const given = typeof value === "bigint" ? Number(value) : value;
  if (typeof given !== "number") refuseType(value, name, "it must be an integer");
  if (!Number.isInteger(given)) refuse(value, name, "it must be an integer");
  if (!(given >= low && given <= high)) refuse(value, name, `it must be ${low} to ${high}`, "OUT_OF_RANGE");
  return given;
}

// Returns an integer of 64 bits as a BigInt; a number does if it is exact.
export function wide(value, name, isSigned = false) {
  if (typeof value !== "bigint") {
    if (typeof value !== "number") refuseType(value, name, "it must be an integer, as a number or a BigInt");
    if (!Number.isSafeInteger(value)) refuse(value, name, "it must be an integer; beyond 2^53 give a BigInt");
  }
  const given = BigInt(value);
  const low = isSigned ? -(2n ** 63n) : 0n, high = isSigned ? 2n ** 63n - 1n : 2n ** 64n - 1n;
  if (given < low || given > high) {
    refuse(value, name, `it must be ${isSigned ? "-2^63 to 2^63 - 1" : "0 to 2^64 - 1"}`, "OUT_OF_RANGE");
  }
  return given;
}

// Returns an integer of 64 bits as it is given: a number within +-2^53, or a BigInt.
export function exact(value, name) {
  return typeof value === "bigint" ? wide(value, name, true) : integer(value, name);
}

// Returns an unsigned integer of 64 bits as a number if that is exact, else as the BigInt.
export function exactNumber(big) {
  return big <= MAX_SAFE ? Number(big) : big;
}

// Returns a limit as the library takes it: 0 for undefined, null and Infinity.
export function limit(value, name) {
  if (value === undefined || value === null || value === Infinity) return 0;
  return integer(value, name, 1);
}
// Returns a limit of which 0 stands for the default: 0 for undefined and null, the largest one for Infinity.
export function limitOrDefault(value, name) {
  return value === Infinity ? Number.MAX_SAFE_INTEGER : limit(value, name);
}

export function level(value) {
  return integer(value, "the level", -(2 ** 31), 2 ** 31 - 1);
}
export function blockType(value, name = "the block type") {
  return integer(value, name, 0, 0xffff);
}
export function channel(value) {
  return integer(value, "the channel", 0, 0xffff);
}

// Returns something with three elements.
function triple(value, name, what) {
  if (value === null || typeof value !== "object" || typeof value.length !== "number") {
    refuseType(value, name, `it must be an array of three ${what}`);
  }
  if (value.length !== 3) {
    invalid(`${name} has ${value.length} elements; it must have three`);
  }
  return value;
}

// Pushes a point: three numbers, in finest-block widths. Returns its address.
export function pushPoint(value, name) {
  return memory.pushVector(...point(value, name));
}

// Pushes the index of a block or a chunk: three integers. Returns its address.
export function pushIndex(value, name) {
  return memory.pushIndex(...index(value, name));
}

// Returns three numbers as they are given, checked.
export function point(value, name) {
  const given = triple(value, name, "numbers");
  return [0, 1, 2].map((axis) => number(given[axis], `${name}[${axis}]`));
}
export function index(value, name) {
  const given = triple(value, name, "integers");
  return [0, 1, 2].map((axis) => exact(given[axis], `${name}[${axis}]`));
}

// Returns a point in units, 65,536 to a finest block, as three BigInts.
export function units(value, name) {
  const given = triple(value, name, "integers");
  return [0, 1, 2].map((axis) => wide(given[axis], `${name}[${axis}]`, true));
}

// Returns a member of an enumeration.
export function choice(value, choices, name) {
  for (const word in choices) if (choices[word] === value) return value;
  const listed = Object.keys(choices).map((word) => `${choices.name ?? ""}${word} (${choices[word]})`).join(", ");
  invalid(`${name} is ${String(value)}; it must be one of ${listed}`);
}

// Returns the mask of levels: of an iterable of their numbers, or all of them for undefined.
export function levelMask(levels) {
  if (levels === undefined || levels === null) return ALL_LEVELS;
  if (typeof levels !== "object" || typeof levels[Symbol.iterator] !== "function") {
    refuseType(levels, "levels", "give an array of levels, such as [0]");
  }
  let mask = 0;
  for (const each of levels) mask |= 1 << integer(each, "a level of the query", 0, MAX_LEVELS - 1);
  return mask;
}

// Returns a function, or undefined.
export function callback(value, name) {
  if (value !== undefined && value !== null && typeof value !== "function") {
    refuseType(value, name, "it must be a function");
  }
  return value ?? undefined;
}

// Returns an object of a class.
export function instance(value, Class, name) {
  if (!(value instanceof Class)) refuseType(value, name, `it must be a ${Class.name}`);
  return value;
}

// Returns the names and values of an object, each of which must be known.
export function members(given, known, what) {
  if (typeof given !== "object" || given === null) refuseType(given, what, "it must be an object");
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(known, name)) {
      invalid(`${what}: there is no ${name}; there are ${Object.keys(known).join(", ")}`);
    }
  }
  return given;
}

// Returns the elements of an array, also where it has holes: undefined.
export function elements(value, name, what) {
  if (value === null || typeof value !== "object" || typeof value.length !== "number") {
    refuseType(value, name, `it must be an array of ${what}`);
  }
  return Array.from(value);
}

// Returns a text that the library can read.
export function text(value, name) {
  if (typeof value !== "string") refuseType(value, name, "it must be a string");
  if (value.includes("\0")) refuse(value, name, "it must not contain a zero character");
  if (value.length > 8192) {
    invalid(`${name} has ${value.length} characters; it must have at most 8192`);
  }
  return value;
}
// Pushes a text. Returns its address.
export function pushText(value, name) {
  return memory.pushText(text(value, name));
}

// Returns the text that call(address, capacity, length) copies.
export function readText(call) {
  const mark = memory.enter();
  let at = 0;
  try {
    const length = memory.push(8);
    module.check(call(0, 0, length));
    const capacity = memory.u32[length >>> 2] + 1;
    at = memory.allocate(capacity);
    module.check(call(at, capacity, length));
    return memory.readText(at);
  } finally {
    if (at !== 0) memory.free(at);
    memory.leave(mark);
  }
}

// Calls call(address, capacity, count) with memory for `capacity` elements of `bytes` each, and again
// if there are more; then returns read(address, count). Filters may run again.
export function readArray(bytes, call, read, capacity = 64) {
  for (let most = capacity; ;) {
    const mark = memory.enter(), at = memory.allocate(bytes * most);
    try {
      const count = memory.pushZeros(8);
      const result = call(at, most, count), found = memory.u32[count >>> 2];
      module.rethrow();
      if (result === 0) return read(at, found);
      if (found <= most) module.fail(result);
      most = found;
    } finally {
      memory.free(at);
      memory.leave(mark);
    }
  }
}

// Returns read(struct) of each of an array of structs.
export function readStructs(Struct, call, read) {
  return readArray(Struct.size, call, (at, count) => {
    const struct = new Struct(memory, at);
    return Array.from({ length: count }, (_, i) => read(struct.move(i)));
  });
}
