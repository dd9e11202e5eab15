// SPDX-License-Identifier: Apache-2.0
// Hits in the memory of the module: one in a callback, an array of a query, hits in brief of a batch.

import * as layout from "./layout.js";
import { FractalrayError, refuseType } from "./errors.js";
import { exactNumber, integer } from "./arguments.js";
import { memory } from "./module.js";
import { DISPOSE, ownMemory, replaceMemory, releaseMemory } from "./owned.js";

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
    const made = new Hits(1);
    memory.u8.copyWithin(made.at, this.at, this.at + layout.Hit.size);
    made.length = 1;
    return made;
  }
}

// An array of hits; `length` of them are there.
export class Hits extends Hit {
  constructor(capacity = 1) {
    super(memory, 0);
    this.capacity = integer(capacity, "the capacity", 1, 2 ** 24);
    this.length = 0;
    this.at = this.begin = ownMemory(this, layout.Hit.size * this.capacity);
  }
  // Goes to hit i and returns this array, whose members are then those of that hit.
  move(i) {
    if (!(i >= 0 && i < this.capacity)) {
      throw new FractalrayError("OUT_OF_RANGE", `there is no hit ${i} in an array of ${this.capacity}`);
    }
    return super.move(i);
  }
  // Iterates over copies of the hits.
  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; ++i) yield this.move(i).copy();
  }
  toArray() {
    return [...this];
  }
  // Makes memory for more hits; keeps those that are there.
  reserve(capacity) {
    if (capacity <= this.capacity) return;
    const bytes = layout.Hit.size * this.length, begin = this.begin;
    const more = memory.allocateZeros(layout.Hit.size * capacity);
    memory.u8.copyWithin(more, begin, begin + bytes);
    replaceMemory(this, begin, more);
    this.at = this.begin = more;
    this.capacity = capacity;
  }
  free() {
    if (this.begin !== 0) releaseMemory(this, this.begin);
    this.at = this.begin = this.capacity = this.length = 0;
  }
  [DISPOSE]() {
    this.free();
  }
}

// Copies hits of the option `after`, or of lines of a batch: Hits, or an array of Hits. Returns how many
// they are, and write(address), which copies them.
export function hitsOf(given, name) {
  const list = given instanceof Hit ? [given] : given;
  if (!Array.isArray(list) || !list.every((each) => each instanceof Hits)) {
    refuseType(given, name, "it must be Hits, such as hit.clone(), or an array of them");
  }
  return {
    count: list.reduce((sum, each) => sum + each.length, 0),
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
