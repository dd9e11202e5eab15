// SPDX-License-Identifier: Apache-2.0
// Objects of the library, and memory of the module, that are freed by free(), at the end of `using`, or
// at last with their JavaScript object.

import { FractalrayError } from "./errors.js";
import { memory, module } from "./module.js";

// The symbol of `using`, which Node 18 does not know.
export const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

const registry = new FinalizationRegistry((release) => release());

// Calls `release` when `object` is collected, unless cancel(token) comes first. `release` must not refer
// to the object. It never runs during a call of the library: collected objects are reported between jobs.
export function whenCollected(object, release, token) {
  registry.register(object, release, token);
}
export function cancel(token) {
  registry.unregister(token);
}

// ---- Objects in use ----
// Objects of which calls use the memory while they call back have `_uses`, the number of such calls that run, and
// `_kept`, the ModuleArrays that one of them reads in place, if there are any.

let calls = 0;

// Returns true if a call runs that may call registered callbacks.
export function isCalling() {
  return calls > 0;
}
// Begins, or ends by -1, a use of an object. Others have no memory of the module.
export function addUse(object, change) {
  calls += change;
  if (calls === 0) module.forgetOwner();
  if (object?._uses === undefined) return;
  object._uses += change;
  if (object._kept) for (const each of object._kept) each._uses += change;
}
// Returns call(); the memory of these objects stays as it is meanwhile.
export function whileUsed(objects, call) {
  for (const each of objects) addUse(each, 1);
  try {
    return call();
  } finally {
    for (const each of objects) addUse(each, -1);
  }
}
// Throws for an object in use: this is a callback of a call that uses it.
export function refuseUsed(object) {
  if (!(object._uses > 0)) return;
  throw new FractalrayError("FAILED_PRECONDITION",
    `the ${object.constructor.name} is in use by the call that calls back; change or free it after that call`);
}

// ---- Memory ----

// Throws the error of an object that has been freed. name: "the Line has", as the error begins.
export function refuseFreed(name) {
  throw new FractalrayError("FAILED_PRECONDITION", `${name} been freed`);
}
// Returns the address of an object. Throws once it is freed.
export function liveAt(object, name) {
  if (object.at === 0) refuseFreed(name);
  return object.at;
}
// Returns call(made). If that throws, frees the object, which is new: the caller does not get it.
export function filled(made, call) {
  try {
    return call(made);
  } catch (error) {
    made.free();
    throw error;
  }
}

// Returns the address of memory of zeros that lives as long as an object, or until it is released.
export function ownMemory(object, bytes) {
  const at = memory.allocateZeros(bytes);
  registry.register(object, () => memory.free(at), object);
  return at;
}
// Frees the memory of an object, which has other memory from now on.
export function replaceMemory(object, at, other) {
  registry.unregister(object);
  memory.free(at);
  registry.register(object, () => memory.free(other), object);
}
// Frees all memory of an object, at these addresses. Throws for an object in use.
export function releaseMemory(object, ...addresses) {
  refuseUsed(object);
  registry.unregister(object);
  for (const at of addresses) memory.free(at);
}

// An object of the C interface.
export class Handle {
  // The pointer of C; 0 once it is freed.
  handle = 0;
  #destroy;

  // destroy: the name of the function of C.
  constructor(handle, destroy) {
    this.handle = handle >>> 0;
    this.#destroy = destroy;
    const own = this.handle;
    registry.register(this, () => module.c[destroy](own), this);
  }
  get isFree() {
    return this.handle === 0;
  }
  // Frees the object; once it is free, does nothing. "FAILED_PRECONDITION" while it is in use, as in one of its
  // callbacks.
  free() {
    if (this.handle === 0) return;
    module.check(module.c[this.#destroy](this.handle));
    registry.unregister(this);
    this.handle = 0;
  }
  [DISPOSE]() {
    this.free();
  }
  // Throws the error of a call, or what a callback has thrown.
  fail(result) {
    if (this.handle === 0 && !module.hasThrown) {
      throw new FractalrayError("FAILED_PRECONDITION", `the ${this.constructor.name} has been freed`);
    }
    module.fail(result);
  }
  // Throws unless the result of a call is FR_OK.
  check(result) {
    if (result !== 0 || module.hasThrown) this.fail(result);
  }
  // Throws for an object that is free, where 0 would mean something else to the library.
  get live() {
    if (this.handle === 0) this.fail(0);
    return this.handle;
  }
}

// Returns the pointer that call(address) writes. If a callback throws meanwhile, the object is destroyed by the
// function of that name.
export function create(call, destroy = undefined) {
  const mark = memory.enter();
  try {
    const out = memory.pushZeros(8), result = call(out), made = memory.u32[out >>> 2];
    if (module.hasThrown && made !== 0 && destroy !== undefined) module.c[destroy](made);
    module.check(result);
    return made;
  } finally {
    memory.leave(mark);
  }
}

// Memory of the module with the elements of a typed array. Queries of many lines read it in place.
export class ModuleArray {
  // Type: the class of the typed array, such as Float64Array.
  constructor(Type, length) {
    if (typeof Type !== "function" || !(Type.BYTES_PER_ELEMENT > 0)) {
      throw new TypeError("the type of a ModuleArray must be a class such as Float64Array");
    }
    if (!Number.isSafeInteger(length) || length < 0) {
      throw new TypeError(`the length of a ModuleArray is ${String(length)}; it must be a positive integer, or 0`);
    }
    this.Type = Type;
    this.length = length;
    this._uses = 0;
    this.at = ownMemory(this, Type.BYTES_PER_ELEMENT * length);
  }
  // Returns a view of the elements. Valid until the next call that may need memory: take it again after one.
  get view() {
    return new this.Type(memory.u8.buffer, this._live, this.length);
  }
  get _live() {
    return liveAt(this, "the ModuleArray has");
  }
  free() {
    if (this.at !== 0) releaseMemory(this, this.at);
    this.at = this.length = 0;
  }
  [DISPOSE]() {
    this.free();
  }
}
