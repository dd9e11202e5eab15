// SPDX-License-Identifier: Apache-2.0
// The memory of the module as typed arrays, and the stack on which calls put their arguments.

import { FractalrayError } from "./errors.js";

const SCRATCH_BYTES = 1 << 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });  // a text may begin with U+FEFF

// Answers each use of the module before init().
export const NOT_LOADED = new Proxy({}, {
  get() {
    throw new FractalrayError("FAILED_PRECONDITION", "the module is not loaded; await init() first");
  },
});

// Keeps views of the module's memory. Growth makes new ones: keep the Memory, never a view.
export class Memory {
  #wasm = null;
  #functions = NOT_LOADED;
  #scratch = -Infinity;
  #top = 0;

  constructor() {
    this.#view(new ArrayBuffer(0));
  }
  // Takes the memory of a module. Its start function, which comes next, may need the views.
  adopt(functions) {
    this.#functions = functions;
    this.#wasm = functions.memory;
    this.refresh();
  }
  // Takes memory for arguments, once the module has started.
  start() {
    this.#scratch = this.#top = this.allocate(SCRATCH_BYTES);
  }
  // Makes new views, after the memory has grown.
  refresh() {
    this.#view(this.#wasm.buffer);
  }
  #view(buffer) {
    this.i8 = new Int8Array(buffer);
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
    this.i64 = new BigInt64Array(buffer);
    this.u64 = new BigUint64Array(buffer);
  }

  // ---- Memory that lives until it is freed. ----

  // Returns the address of memory, aligned to 8 bytes; "RESOURCE_EXHAUSTED" if there is none.
  allocate(bytes) {
    const at = bytes <= 0xffffffff ? this.#functions.malloc(Math.max(bytes, 1)) >>> 0 : 0;
    if (at === 0) throw new FractalrayError("RESOURCE_EXHAUSTED", `there is no memory for ${bytes} bytes`);
    return at;
  }
  allocateZeros(bytes) {
    const at = this.allocate(bytes);
    this.u8.fill(0, at, at + bytes);
    return at;
  }
  free(at) {
    this.#functions.free(at);
  }
  // Returns a typed array that growth leaves as it is: of a view of this memory a copy.
  lasting(array) {
    return array?.buffer === this.u8.buffer ? array.slice() : array;
  }
  // The same of many, before the first of them is copied to memory that is allocated for it.
  lastingEach(...arrays) {
    return arrays.map((each) => this.lasting(each));
  }
  // The same of the members of an object; returns anything else as it is.
  lastingMembers(given) {
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, this.lasting(value)]));
  }

  // ---- Memory for the arguments of one call. Calls in callbacks put theirs on top. ----

  // Returns what leave() takes, in the same function.
  enter() {
    return this.#top;
  }
  leave(mark) {
    this.#top = mark;
  }
  push(bytes) {
    const at = this.#top, end = at + bytes + 7;
    if (end > this.#scratch + SCRATCH_BYTES) {
      if (this.#functions === NOT_LOADED) this.#functions.malloc();
      throw new FractalrayError("RESOURCE_EXHAUSTED",
        "calls within callbacks are too deep, or an argument is too long");
    }
    this.#top = end - (end & 7);  // also where addresses have 32 bits
    return at;
  }
  pushZeros(bytes) {
    const at = this.push(bytes);
    this.u8.fill(0, at, at + bytes);
    return at;
  }
  // Returns a struct of zeros.
  pushStruct(Struct) {
    return new Struct(this, this.pushZeros(Struct.size));
  }
  // Returns a struct that begins with its size, all else zero.
  pushSized(Struct) {
    const made = this.pushStruct(Struct);
    made.structSize = Struct.size;
    return made;
  }
  pushVector(x, y, z) {
    const at = this.push(24), f64 = this.f64, i = at >>> 3;
    f64[i] = x; f64[i + 1] = y; f64[i + 2] = z;
    return at;
  }
  // Pushes three integers of 64 bits: numbers within +-2^53, or BigInts.
  pushIndex(x, y, z) {
    const at = this.push(24);
    this.writeI64(at, x);
    this.writeI64(at + 8, y);
    this.writeI64(at + 16, z);
    return at;
  }
  // Pushes a text, ended by a zero byte.
  pushText(text) {
    const bytes = encoder.encode(text);
    return this.#writeText(bytes, this.push(bytes.length + 1));
  }
  // The same in memory that lives until it is freed.
  allocateText(text) {
    const bytes = encoder.encode(text);
    return this.#writeText(bytes, this.allocate(bytes.length + 1));
  }
  #writeText(bytes, at) {
    this.u8.set(bytes, at);
    this.u8[at + bytes.length] = 0;
    return at;
  }

  // ---- Reading and writing ----

  writeI64(at, value) {
    if (typeof value === "bigint") {
      this.i64[at >>> 3] = value;
      return;
    }
    this.u32[at >>> 2] = value;  // the lower 32 bits
    this.u32[(at >>> 2) + 1] = Math.floor(value / 4294967296);
  }

  // Returns an unsigned integer of 64 bits, exact up to 2^53.
  readU64(at) {
    return this.u32[at >>> 2] + this.u32[(at >>> 2) + 1] * 4294967296;
  }
  readI64(at) {
    return this.u32[at >>> 2] + this.i32[(at >>> 2) + 1] * 4294967296;
  }
  readIndex(at) {
    return [this.readI64(at), this.readI64(at + 8), this.readI64(at + 16)];
  }
  readVector(at) {
    const f64 = this.f64, i = at >>> 3;
    return [f64[i], f64[i + 1], f64[i + 2]];
  }
  // Returns the text at an address, up to its zero byte.
  readText(at) {
    const u8 = this.u8, begin = at >>> 0;
    return decoder.decode(u8.subarray(begin, u8.indexOf(0, begin)));
  }
}
