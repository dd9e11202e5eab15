// SPDX-License-Identifier: Apache-2.0
// Arrays of block ids of any layout, copied to the memory of the module for the library to read.

import * as layout from "./layout.js";
import { blockType, integer, members } from "./arguments.js";
import { FractalrayError, invalid, refuseType } from "./errors.js";
import { memory, module } from "./module.js";
import { create, filled, liveAt, ModuleArray } from "./owned.js";

const WIDTHS = new Set([1, 2, 4]);
const NAMES = { size: 0, strides: 0, offset: 0, types: 0, states: 0 };
const STATES = { values: 0, types: 0, bits: 0 };

// Ids in the memory of the module, until free(): the address of the first block, and a layout of C.
export class Ids {
  #freed = [];
  #layout = 0;

  // ids: a Uint8Array, Uint16Array or Uint32Array, one of signed integers, whose bits are read as
  //     unsigned, a ModuleArray of one of these, which is read in place, or a plain array of block types.
  // given: `strides`, in elements, from a block to the next along each axis; by default x changes fastest.
  //     `offset`, the element of the first block. `types`, the block type of each id. `states`, as
  //     checkedStates() describes.
  // size: the blocks along x, y and z.
  constructor(ids, given, size) {
    const { strides = [1, size[0], size[0] * size[1]], offset = 0, types, states } = members(given, NAMES, "the layout");
    const isPlain = Array.isArray(ids);
    const array = memory.lasting(isPlain ? Uint16Array.from(ids, (id, i) => blockType(id, `the ids[${i}]`)) : ids);
    this.bytes = bytesOf(array);
    this.size = size;
    this.strides = [0, 1, 2].map((axis) => integer(strides[axis], `strides[${axis}]`));
    const table = memory.lasting(types), checked = checkedStates(states, array.length);
    this.#checkReach(array.length, integer(offset, "offset", 0));
    filled(this, () => {
      const at = this.#copy(array);
      this.at = at + this.bytes * offset;
      this.#make(table, checked, at);
    });
  }
  get layout() {
    return this.#layout;
  }
  // Returns the address of block (x, y, z).
  addressOf(x, y, z) {
    return this.at + this.bytes * (x * this.strides[0] + y * this.strides[1] + z * this.strides[2]);
  }
  free() {
    if (this.#layout !== 0) module.c.frDestroyIdLayout(this.#layout);
    for (const at of this.#freed) memory.free(at);
    this.#layout = 0;
    this.#freed = [];
  }

  #checkReach(length, offset) {
    let first = offset, last = offset;
    for (let axis = 0; axis < 3; ++axis) {
      const reach = (this.size[axis] - 1) * this.strides[axis];
      first += Math.min(reach, 0);
      last += Math.max(reach, 0);
    }
    if (first < 0 || last >= length) {
      throw new FractalrayError("OUT_OF_RANGE", `the ids: the blocks are elements ${first} to ${last} of an array ` +
        `of ${length}; correct its length, the size, strides or offset`);
    }
  }
  #copy(array) {
    if (array instanceof ModuleArray) return array._live;
    const bytes = array.BYTES_PER_ELEMENT * array.length, at = this.#take(bytes);
    memory.u8.set(new Uint8Array(array.buffer, array.byteOffset, bytes), at);
    return at;
  }
  #take(bytes) {
    const at = memory.allocate(bytes);
    this.#freed.push(at);
    return at;
  }
  // at: the address of the whole array.
  #make(types, states, at) {
    const mark = memory.enter();
    try {
      const def = memory.pushSized(layout.IdLayoutDef);
      def.idBytes = this.bytes;
      // The stride of an axis of one block is never used, and may be any number.
      for (let axis = 0; axis < 3; ++axis) def.setStrides(axis, this.size[axis] > 1 ? this.strides[axis] * this.bytes : 0);
      if (types !== undefined && types !== null) {
        def.types = this.#table(types, "types");
        def.typeCount = types.length;
      }
      if (states !== null) this.#setStates(def, states, at);
      this.#layout = create((out) => module.c.frCreateIdLayout(def.at, out));
    } finally {
      memory.leave(mark);
    }
  }
  #table(types, name) {
    if (types === null || typeof types !== "object" || typeof types.length !== "number") {
      refuseType(types, name, "it must be an array: types[id] is the block type of an id");
    }
    const at = this.#take(2 * types.length);
    for (let i = 0; i < types.length; ++i) {
      const type = blockType(types[i], `${name}[${i}]`);
      memory.u16[(at >>> 1) + i] = type;
    }
    return at;
  }
  #setStates(def, { values, types, bits }, at) {
    const widened = this.#widen(values);
    const rows = new layout.IdStates(memory, this.#take(layout.IdStates.size * types.size));
    let i = 0;
    for (const [id, each] of types) {
      if (each?.length !== 2 ** bits) {
        invalid(`id ${id} has ${each?.length ?? "no"} types; give one for each of the ${2 ** bits} states`);
      }
      rows.move(i++).structSize = layout.IdStates.size;
      rows.id = integer(id, "an id of the states", 0, 2 ** 32 - 1);
      rows.types = this.#table(each, `the types of id ${id}`);
    }
    def.states = rows.begin;
    def.stateCount = types.size;
    def.stateOffset = widened - at;
    def.stateBits = bits;
  }
  // Copies states to the distances of the ids: the library reads both with the same strides.
  #widen(values) {
    const at = this.#take(this.bytes * values.length);
    for (let i = 0; i < values.length; ++i) memory.u8[at + this.bytes * i] = values[i];
    return at;
  }
}

// Returns the states of `count` blocks, checked; null without any. states: `values`, an array of as many bytes as there
// are ids, of which the lowest `bits` are the state; `types`, a Map from ids to an array with the block type in each state.
function checkedStates(states, count) {
  if (states === undefined || states === null) return null;
  const { values, types, bits = 8 } = members(states, STATES, "the states");
  if (!ArrayBuffer.isView(values) || values.BYTES_PER_ELEMENT !== 1 || values.length !== count) {
    refuseType(values, "the values of the states", `it must be a Uint8Array of ${count} elements, as are the ids`);
  }
  if (!(types instanceof Map)) refuseType(types, "the types of the states", "it must be a Map from ids to arrays");
  const tables = new Map(Array.from(types, ([id, each]) => [id, memory.lasting(each)]));
  return { values: memory.lasting(values), types: tables, bits: integer(bits, "the bits of a state", 1, 8) };
}

// Returns the bytes of an element.
function bytesOf(array) {
  const isOwn = array instanceof ModuleArray, Type = isOwn ? array.Type : array?.constructor;
  if (isOwn) liveAt(array, "the ModuleArray has");
  const bytes = Type?.BYTES_PER_ELEMENT;
  if (!WIDTHS.has(bytes) || /Float/.test(Type.name) || !(isOwn || ArrayBuffer.isView(array))) {
    refuseType(array, "the ids", "it must be a Uint8Array, Uint16Array or Uint32Array, as after Uint16Array.from(ids)");
  }
  return bytes;
}
