// SPDX-License-Identifier: Apache-2.0
// Reads the sections of prismarine-chunk, 16 x 16 x 16 blocks each, from their typed arrays.
//
// The layouts are those of Java 1.8, 1.9 to 1.15, 1.16 to 1.17 and 1.18 on, and of Bedrock 1.3 on. They are
// internal to prismarine-chunk, so each section that is read is compared at some blocks with the column's
// getBlockStateId(); a section that differs, and one of an unknown layout, is read block by block.

import { Vec3 } from "./results.js";

const VOLUME = 4096;
// From a block to the next along x, y and z, in elements.
const JAVA = Object.freeze([1, 256, 16]);
const BEDROCK = Object.freeze([256, 1, 16]);
// Blocks that are compared: the first, the last, and some between.
const SAMPLES = [0, 1, 15, 16, 255, 256, 1234, 2047, 2901, 3333, 4080, 4095];

// The values of the section that is read, and the types of its values, -1 for those that have not come yet; each call
// uses them again.
const values = new Uint16Array(VOLUME);
const typesOfValues = new Int32Array(65536).fill(-1);
// True while a section is read, also while typeOf() runs.
let isReading = false;

// Copies values of `bits` bits each, none of which spans two words of 64: the lower half of a word first.
function unpackWhole(words, bits) {
  const perWord = Math.floor(64 / bits), mask = 2 ** bits - 1;
  for (let i = 0, word = 0; i < VOLUME; word += 2) {
    const low = words[word], high = words[word + 1];
    for (let k = 0, shift = 0; k < perWord && i < VOLUME; ++k, shift += bits) {
      if (shift >= 32) values[i++] = (high >>> (shift - 32)) & mask;
      else if (shift + bits <= 32) values[i++] = (low >>> shift) & mask;
      else values[i++] = ((low >>> shift) | (high << (32 - shift))) & mask;
    }
  }
}

// Copies values that follow one another without gaps, in words of 32 bits.
function unpackSpanning(words, bits) {
  const mask = 2 ** bits - 1;
  for (let i = 0, bit = 0; i < VOLUME; ++i, bit += bits) {
    const word = bit >>> 5, shift = bit & 31;
    const low = words[word] >>> shift;
    values[i] = (shift + bits <= 32 ? low : low | (words[word + 1] << (32 - shift))) & mask;
  }
}

// Copies values of Bedrock, none of which spans two words of 32.
function unpackBedrock(words, bits) {
  const perWord = Math.floor(32 / bits), mask = 2 ** bits - 1;
  for (let i = 0, word = 0; i < VOLUME; ++word) {
    for (let k = 0, shift = 0; k < perWord && i < VOLUME; ++k, shift += bits) values[i++] = (words[word] >>> shift) & mask;
  }
}

// Returns true if an object is a BitArray of prismarine-chunk with a value for each block.
function isBitArray(array) {
  return array?.data?.length > 0 && array.capacity >= VOLUME && array.bitsPerValue >= 1 && array.bitsPerValue <= 16;
}
function unpackBitArray(array) {
  if (array.valuesPerLong > 0) unpackWhole(array.data, array.bitsPerValue);
  else unpackSpanning(array.data, array.bitsPerValue);
}

// Fills `values`. Returns the state ids by value, null where the values are the ids, and the strides of the
// blocks; or the id of all blocks as `single`; undefined for a layout that is not known.
function unpack(section) {
  const { data, palette } = section;
  if (ArrayBuffer.isView(data)) {  // Java 1.8
    if (data.byteLength < 2 * VOLUME || data.BYTES_PER_ELEMENT !== 1) return undefined;
    for (let i = 0; i < VOLUME; ++i) values[i] = data[2 * i] | (data[2 * i + 1] << 8);
    return { ids: null, strides: JAVA };
  }
  if (isBitArray(data)) {  // Java 1.9 to 1.17
    unpackBitArray(data);
    return { ids: palette ?? null, strides: JAVA };
  }
  if (isBitArray(data?.data)) {  // Java 1.18 on
    unpackBitArray(data.data);
    return { ids: data.palette ?? null, strides: JAVA };
  }
  if (typeof data?.value === "number") return { single: data.value };
  const storage = section.blocks?.[0];
  if (storage?.array?.length > 0 && storage.bitsPerBlock >= 1 && storage.bitsPerBlock <= 16 && Array.isArray(palette?.[0])) {
    unpackBedrock(storage.array, storage.bitsPerBlock);
    return { ids: palette[0].map((each) => each.stateId), strides: BEDROCK };
  }
  return undefined;
}

// Returns the position of a block in its column: from its element and the section's lowest y.
function positionOf(i, strides, lowest) {
  const at = (stride) => Math.floor(i / stride) & 15;
  return new Vec3(at(strides[0]), lowest + at(strides[1]), at(strides[2]));
}

// Returns true if the column agrees with what was read.
function agrees(column, found, lowest) {
  return SAMPLES.every((i) => {
    const id = found.single ?? (found.ids === null ? values[i] : found.ids[values[i]]);
    return id === column.getBlockStateId(positionOf(i, found.strides ?? JAVA, lowest));
  });
}

// Reads a section block by block.
function readSlowly(column, lowest) {
  const ids = [], numbers = new Map();
  for (let i = 0; i < VOLUME; ++i) {
    const id = column.getBlockStateId(positionOf(i, JAVA, lowest));
    if (!numbers.has(id)) numbers.set(id, ids.push(id) - 1);
    values[i] = numbers.get(id);
  }
  return { ids, strides: JAVA };
}

// Fills `types`, of 4,096 elements, with the block type of each block of a section of a column, in the order
// that `strides` says. Returns `strides`, or as `single` the type of all blocks, of which `types` has nothing;
// null if the column has nothing there: air.
//
// index: of the section in column.sections. lowest: its lowest y. typeOf(stateId, position): returns the type of
// a state, which the block at `position` in the column has; called once for each state of the section.
export function readSection(column, index, lowest, typeOf, types) {
  // Another section would take the place of the values that are read.
  if (isReading) throw new Error("shapeOf asks a sight, which must read a section while it reads another one; ask it elsewhere");
  isReading = true;
  try {
    return readTypes(column, index, lowest, typeOf, types);
  } finally {
    isReading = false;
  }
}
function readTypes(column, index, lowest, typeOf, types) {
  const section = column.sections?.[index];
  if (section === null || section === undefined) return null;
  let found = unpack(section);
  if (found === undefined || !agrees(column, found, lowest)) found = readSlowly(column, lowest);
  const { single, ids, strides } = found;
  if (single !== undefined) return { single: typeOf(single, positionOf(0, JAVA, lowest)), strides: JAVA };
  try {
    // A palette may list states that no block has.
    for (let i = 0; i < VOLUME; ++i) {
      const value = values[i];
      let type = typesOfValues[value];
      if (type < 0) type = typesOfValues[value] = typeOf(ids === null ? value : ids[value], positionOf(i, strides, lowest));
      types[i] = type;
    }
  } finally {
    for (let i = 0; i < VOLUME; ++i) typesOfValues[values[i]] = -1;
  }
  return { single: undefined, strides };
}
