// SPDX-License-Identifier: Apache-2.0
// Hits in the memory of the module: one in a callback, an array of a query, hits in brief of a batch.

import * as layout from "./layout.js";
import { FractalrayError, refuseType } from "./errors.js";
import { exactNumber, instance, integer } from "./arguments.js";
import { memory } from "./module.js";
import { DISPOSE, ownMemory, refuseFreed, refuseUsed, releaseMemory, replaceMemory } from "./owned.js";

const FACES = ["-x", "+x", "-y", "+y", "-z", "+z"];

// Returns the name of the face of an axis and a sign; null without one.
export function faceName(axis, sign) {
  return axis < 0 ? null : FACES[2 * axis + (sign > 0 ? 1 : 0)];
}

// Reads the hit at an address; of an array that at which move(i) was. Makes no garbage except for copy().
export class Hit extends layout.Hit {
  get isBlock() { return this.kind === layout.HIT_BLOCK; }
  get isEntity() { return this.kind === layout.HIT_ENTITY; }
  get isBox() { return this.shape === layout.BOX; }
  get startInside() { return super.startInside !== 0; }
  get terminal() { return super.terminal !== 0; }
  get face() { return faceName(this.faceAxis, this.faceSign); }
  // Returns the hit as a plain object, to be kept.
  copy() {
    hitAt(this);
    const isBlock = this.isBlock, made = {
      kind: this.kind, level: this.level, t: this.t, tExit: this.tExit, distance: this.distance,
      point: [this.point(0), this.point(1), this.point(2)],
      normal: this.startInside ? null : [this.normal(0), this.normal(1), this.normal(2)],
      face: this.face, startInside: this.startInside, terminal: this.terminal,
    };
    if (isBlock) return Object.assign(made, { block: [this.cell(0), this.cell(1), this.cell(2)], type: this.type });
    return Object.assign(made, {
      entity: this.entity, id: exactNumber(this.idBig), categories: exactNumber(this.categoriesBig),
      entityClass: this.entityClass, isBox: this.isBox,
    });
  }
  // Returns new Hits with this hit alone, with all of its bits: for the option `after` and for reflect().
  clone() {
    const at = hitAt(this), made = new Hits(1);
    memory.u8.copyWithin(made.at, at, at + layout.Hit.size);
    made._hold(1);
    return made;
  }
}

// An array of hits; `length` of them are there.
export class Hits extends Hit {
  constructor(capacity = 1) {
    super(memory, 0);
    this.capacity = integer(capacity, "the capacity", 1, 2 ** 24);
    this.length = this._uses = 0;
    this.at = this.begin = ownMemory(this, layout.Hit.size * this.capacity);
  }
  // Goes to hit i and returns this array, whose members are then those of that hit.
  move(i) {
    if (!Number.isInteger(i) || i < 0 || i >= this.length) this.#refuse(i);
    return super.move(i);
  }
  #refuse(i) {
    hitAt(this);
    integer(i, "the hit");
    throw new FractalrayError("OUT_OF_RANGE", `there is no hit ${i} in an array of ${this.length}`);
  }
  // Iterates over copies of the hits.
  *[Symbol.iterator]() {
    hitAt(this);
    for (let i = 0; i < this.length; ++i) yield this.move(i).copy();
  }
  toArray() {
    return [...this];
  }
  // Makes memory for more hits; keeps those that are there.
  reserve(capacity) {
    hitAt(this);
    const wanted = integer(capacity, "the capacity", 0), bytes = layout.Hit.size * this.length;
    if (wanted <= this.capacity) return;
    refuseUsed(this);
    const more = memory.allocateZeros(layout.Hit.size * wanted);
    memory.u8.copyWithin(more, this.begin, this.begin + bytes);
    replaceMemory(this, this.begin, more);
    this.at = this.begin = more;
    this.capacity = wanted;
  }
  // Says that a call has written hits to the memory, so many.
  _hold(count) {
    this.at = this.begin;
    this.length = count;
  }
  free() {
    if (this.begin !== 0) releaseMemory(this, this.begin);
    this.at = this.begin = this.capacity = this.length = 0;
  }
  [DISPOSE]() {
    this.free();
  }
}

// Returns the address of a hit.
export function hitAt(hit, Class = Hit, name = "the hit") {
  if (instance(hit, Class, name).at !== 0) return hit.at;
  if (hit instanceof Hits) refuseFreed(`${name} has`);
  throw new FractalrayError("FAILED_PRECONDITION", `${name} is one of a callback that has returned; keep hit.copy()`);
}
// Returns the address to which a query writes its hit, or its hits.
export function hitsAt(hits) {
  hitAt(hits, Hits);
  return hits.begin;
}

// Copies hits of the option `after`, of lines of a batch, or to be merged: Hits, or an array of Hits. Returns how many
// they are, also of each Hits, and write(address), which copies them.
export function hitsOf(given, name) {
  const list = given instanceof Hit ? [given] : Array.isArray(given) ? Array.from(given) : [null];
  if (!list.every((each) => each instanceof Hits)) {
    refuseType(given, name, "it must be Hits, such as hit.clone(), or an array of them");
  }
  for (const each of list) hitAt(each);
  const lengths = list.map((each) => each.length);
  return {
    count: lengths.reduce((sum, each) => sum + each, 0), lengths,
    write(to) {
      for (const each of list) {
        memory.u8.copyWithin(to, each.begin, each.begin + layout.Hit.size * each.length);
        to += layout.Hit.size * each.length;
      }
    },
  };
}

// Returns the work of a query, in steps, as a plain object.
export function statsOf(stats) {
  const { cells, chunks, indexCells, entitiesTested, skips, listed, ordered, direct } = stats;
  return { cells, chunks, indexCells, entitiesTested, skips, listed, ordered, direct };
}
