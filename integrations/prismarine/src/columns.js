// SPDX-License-Identifier: Apache-2.0
// Keeps the blocks of a fractalray world in step with the columns of a prismarine-world. A section is read when a line
// first comes near it: a bot that looks at what is within its reach reads one or two of the 24 sections of a column.

import { AIR } from "fractalray";
import { Vec3 } from "./results.js";
import { readSection } from "./sections.js";

const SECTION = 16;
const LEVEL = 0;
const SIDE = 2 ** 26;  // chunks: more than any world of Minecraft has in one direction
// How far beyond a line sections are read: more than rounding to 1/65,536 may move the line.
const MARGIN = 1 / 16;
// From as many chunks on, the loaded columns are searched for those on the line.
const MANY_CHUNKS = 256;
// The part of a line that is searched first for what is not loaded, in blocks; then parts of four times the length.
const FIRST_PART = 1024;

function keyOf(chunkX, chunkZ) {
  return (chunkX + SIDE / 2) * SIDE + (chunkZ + SIDE / 2);
}

// Returns the lowest y of a column, and how many sections it has.
function boundsOf(column) {
  const lowest = column.minY ?? 0;
  const height = column.worldHeight ?? SECTION * (column.sections?.length ?? 16);
  return { lowest, count: Math.ceil(height / SECTION) };
}

function chunkOf(coordinate) {
  return Math.floor(coordinate / SECTION);
}

// Returns the times between `t0` and `t1` at which a + t d is in a chunk, or near it; null if it is not.
function clipToChunk(a, d, chunk, t0, t1) {
  const low = SECTION * chunk - MARGIN, high = SECTION * (chunk + 1) + MARGIN;
  if (d === 0) return a >= low && a <= high ? [t0, t1] : null;
  const first = (low - a) / d, last = (high - a) / d;
  const from = Math.max(t0, Math.min(first, last)), to = Math.min(t1, Math.max(first, last));
  return from <= to ? [from, to] : null;
}

export class Columns {
  #world;
  #source;
  #types;
  #columns = new Map();
  #lowest = -Infinity;  // of the world, as far as columns have been seen
  #end = Infinity;
  #buffer = new Uint16Array(SECTION ** 3);

  // source: { getColumn(chunkX, chunkZ), getColumns() } of a prismarine-world that is loaded.
  constructor(world, source, types) {
    this.#world = world;
    this.#source = source;
    this.#types = types;
  }

  // ---- Changes of the prismarine-world ----

  // Forgets a column, which has been loaded, replaced or unloaded.
  changed(chunkX, chunkZ) {
    const key = keyOf(chunkX, chunkZ), state = this.#columns.get(key);
    if (state === undefined) return;
    this.#columns.delete(key);
    state.isRead.forEach((isRead, index) => {
      if (isRead) this.#world.unloadChunk(LEVEL, [chunkX, state.lowest / SECTION + index, chunkZ]);
    });
  }
  // Copies the block at a position from the column. Throws nothing, which would end the edit of theirs whose event this
  // is: a column whose block cannot be copied is read again by the next line near it, which throws what it meets.
  blockChanged({ x, y, z }) {
    const chunkX = chunkOf(x), chunkZ = chunkOf(z);
    const state = this.#columns.get(keyOf(chunkX, chunkZ)), index = state ? chunkOf(y - state.lowest) : -1;
    if (index < 0 || index >= state.count || !state.isRead[index]) return;
    try {
      this.#world.setBlock(LEVEL, Math.floor(x), Math.floor(y), Math.floor(z), this.#typeAt(state.column, x, y, z));
    } catch {
      this.changed(chunkX, chunkZ);
    }
  }
  #typeAt(column, x, y, z) {
    const position = new Vec3(Math.floor(x) & 15, Math.floor(y), Math.floor(z) & 15);
    return this.#types.typeOf(column.getBlockStateId(position), () => column.getBlock(position));
  }
  // Returns true if the type of a block is that of the column; else forgets the column, which has been edited
  // without an event.
  isCurrent(x, y, z, type) {
    const chunkX = chunkOf(x), chunkZ = chunkOf(z);
    const state = this.#columnAt(chunkX, chunkZ);
    if (state !== null && this.#typeAt(state.column, x, y, z) === type) return true;
    this.changed(chunkX, chunkZ);
    return false;
  }

  // ---- Reading ----

  // Reads the sections that the line between two points may cross.
  read(x0, y0, z0, x1, y1, z1) {
    const dx = x1 - x0, dy = y1 - y0, dz = z1 - z0;
    if (Math.abs(dx) + Math.abs(dz) > SECTION * MANY_CHUNKS) {
      this.#readFar(x0, y0, z0, dx, dy, dz);
      return;
    }
    const lastX = chunkOf(Math.max(x0, x1) + MARGIN);
    for (let chunkX = chunkOf(Math.min(x0, x1) - MARGIN); chunkX <= lastX; ++chunkX) {
      const inX = clipToChunk(x0, dx, chunkX, 0, 1);
      if (inX === null) continue;
      const z2 = z0 + inX[0] * dz, z3 = z0 + inX[1] * dz, lastZ = chunkOf(Math.max(z2, z3) + MARGIN);
      for (let chunkZ = chunkOf(Math.min(z2, z3) - MARGIN); chunkZ <= lastZ; ++chunkZ) {
        const part = clipToChunk(z0, dz, chunkZ, inX[0], inX[1]);
        if (part !== null) this.#readPart(chunkX, chunkZ, y0 + part[0] * dy, y0 + part[1] * dy);
      }
    }
  }
  // The same for a long line: tests the columns that are loaded, which are fewer.
  #readFar(x0, y0, z0, dx, dy, dz) {
    for (const { chunkX, chunkZ } of this.#source.getColumns()) {
      const inX = clipToChunk(x0, dx, Number(chunkX), 0, 1);
      const part = inX && clipToChunk(z0, dz, Number(chunkZ), inX[0], inX[1]);
      if (part !== null) this.#readPart(Number(chunkX), Number(chunkZ), y0 + part[0] * dy, y0 + part[1] * dy);
    }
  }
  // Reads the sections of a column between two heights.
  #readPart(chunkX, chunkZ, y0, y1) {
    const state = this.#columnAt(chunkX, chunkZ);
    if (state === null) return;
    const first = chunkOf(Math.min(y0, y1) - MARGIN - state.lowest), last = chunkOf(Math.max(y0, y1) + MARGIN - state.lowest);
    for (let index = Math.max(first, 0); index <= Math.min(last, state.count - 1); ++index) this.#readSection(state, index);
  }
  // Reads all sections of all columns.
  readAll() {
    for (const { chunkX, chunkZ } of this.#source.getColumns()) {
      const state = this.#columnAt(Number(chunkX), Number(chunkZ));
      for (let index = 0; state !== null && index < state.count; ++index) this.#readSection(state, index);
    }
  }
  // Returns what is known of a column; null if the source does not have it.
  #columnAt(chunkX, chunkZ) {
    const key = keyOf(chunkX, chunkZ), column = this.#source.getColumn(chunkX, chunkZ);
    let state = this.#columns.get(key);
    if (state !== undefined && state.column !== column) {
      this.changed(chunkX, chunkZ);
      state = undefined;
    }
    if (state !== undefined) return state;
    if (column === undefined || column === null) return null;
    const { lowest, count } = boundsOf(column);
    state = { column, chunkX, chunkZ, lowest, count, isRead: new Uint8Array(count) };
    this.#columns.set(key, state);
    this.#lowest = lowest;
    this.#end = lowest + SECTION * count;
    return state;
  }
  #readSection(state, index) {
    if (state.isRead[index]) return;
    const { column, chunkX, chunkZ, lowest } = state, at = [chunkX, lowest / SECTION + index, chunkZ];
    const typeOf = (stateId, position) => this.#types.typeOf(stateId, () => column.getBlock(position));
    const found = readSection(column, index, lowest + SECTION * index, typeOf, this.#buffer);
    if (found === null) this.#world.loadChunk(LEVEL, at, AIR);
    else if (found.single !== undefined) this.#world.loadChunk(LEVEL, at, found.single);
    else this.#world.loadChunks(LEVEL, at, this.#buffer, { size: [SECTION, SECTION, SECTION], strides: found.strides });
    state.isRead[index] = 1;
  }

  // ---- Columns that are not loaded ----

  // Returns the first time at which a line is in a column that is not loaded, above the world's lowest block and below
  // its highest one; null if it is not. makeLine(distance): returns the beginning of the line.
  firstUnloaded(makeLine, distance) {
    for (let part = FIRST_PART; ; part *= 4) {
      const line = makeLine(Math.min(part, distance)), chunks = this.#world.chunksOn(line);
      // A chunk that is only touched, at an edge or a corner, does not count.
      const found = chunks.find(({ chunk, tEnter, tExit }) => (tEnter < tExit || chunks.length === 1) &&
        this.#isUnloadedChunk(chunk));
      if (found !== undefined && (found.tEnter === 0 || found.tEnter < line.lastTime)) return found.tEnter;
      if (part >= distance) return null;
    }
  }
  // Returns true if the column of a position is not loaded, and it is not below or above the world.
  isUnloaded({ x, y, z }) {
    return this.#isUnloadedChunk([chunkOf(x), chunkOf(y), chunkOf(z)]);
  }
  #isUnloadedChunk([chunkX, chunkY, chunkZ]) {
    if (SECTION * (chunkY + 1) <= this.#lowest || SECTION * chunkY >= this.#end) return false;
    const column = this.#source.getColumn(chunkX, chunkZ);
    return column === undefined || column === null;
  }
}
