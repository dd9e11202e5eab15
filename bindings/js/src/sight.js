// SPDX-License-Identifier: Apache-2.0
// Sight of boxes: does an eye see any part of a box, and how much? Methods that worlds and snapshots both have.

import * as layout from "./layout.js";
import {
  blockType, channel, choice, elements, instance, levelMask, members, number, pushPoint, readArray, units, wide,
} from "./arguments.js";
import { BatchQueries } from "./batches.js";
import { DEFAULT_CHANNEL, Sight, Unloaded } from "./enums.js";
import { invalid, refuseType } from "./errors.js";
import { foundBlock } from "./found.js";
import { memory, module } from "./module.js";
import { optionsClass, setCategories, setIgnore, withOptions } from "./options.js";
import { DISPOSE, filled, liveAt, ownMemory, refuseFreed, releaseMemory } from "./owned.js";
import { plainSetters } from "./plain.js";

const LISTS = { [Sight.VISIBLE]: "visible", [Sight.UNKNOWN]: "unknown", [Sight.UNDECIDED]: "undecided" };
const DEFAULTS = Object.freeze({ at: 0, mask: layout.ALL_LEVELS });
const WHICH = { types: 0, targets: 0 };

// Writes boxes, arrays of two corners in units, to memory. Returns its address and how many they are.
export function writeBoxes(boxes, name, take) {
  if (!Array.isArray(boxes)) refuseType(boxes, name, "it must be an array of [min, max], in units");
  // Checked before any memory is replaced.
  const corners = Array.from(boxes, (box, i) => {
    if (box?.length !== 2) invalid(`${name}[${i}] must be two corners, [min, max]`);
    return [units(box[0], `${name}[${i}][0]`), units(box[1], `${name}[${i}][1]`)];
  });
  const at = take(layout.FixedBox.size * corners.length), to = new layout.FixedBox(memory, at);
  corners.forEach(([min, max], i) => {
    to.move(i);
    for (let axis = 0; axis < 3; ++axis) {
      to.setMinBig(axis, min[axis]);
      to.setMaxBig(axis, max[axis]);
    }
  });
  return [at, corners.length];
}

// Options of sight: they say what hides a box from an eye. Prepared once.
export class SightOptions extends optionsClass(layout.SightOptions, {
  ...plainSetters(layout.PLAIN.SightOptions),
  levels: (options, value) => { options.mask = levelMask(value); },
  unloaded: (options, value = Unloaded.REPORT) => { options.unloaded = choice(value, Unloaded, "unloaded"); },
  categories: setCategories,
  ignore: setIgnore,
  occluders: (options, value = []) => {
    [options.occluders, options.occluderCount] =
      writeBoxes(value, "occluders", (bytes) => options.kept.take("occluders", bytes));
  },
  blockFilter: null,
  entityFilter: null,
  channel: (options, value = DEFAULT_CHANNEL) => { options.channel = channel(value); },
  boxesBlock: (options, value) => { options.wantsBoxes = Boolean(value); },
}, "the options", (options) => {
  options.boxesBlock = options.wantsBoxes && !options.hasNoCategory ? 1 : 0;
}) {}

function prepared(given) {
  if (given === undefined || given === null) return DEFAULTS;
  const made = given instanceof SightOptions ? given : new SightOptions(given, true);
  if (made.at === 0) refuseFreed("the options have");
  return made;
}
// Returns run(prepared options of sight).
export function withSight(given, run) {
  return withOptions(given, run, SightOptions, prepared);
}

// Refuses other options that have levels of their own, of a query whose levels are those of the first.
export function refuseLevels({ mask }, others, what, where) {
  if (others.mask === layout.ALL_LEVELS || others.mask === mask) return;
  invalid(`${what} have levels of their own; give the levels of this query in ${where}`);
}

// An eye, and the box that it looks at, in integers; the box may be flat on one axis.
export class SightQuery extends layout.SightQuery {
  constructor() {
    super(memory, 0);
    this.at = this.begin = ownMemory(this, layout.SightQuery.size);
  }
  // All points are rounded to 1/65,536 of a finest block.
  static of(eye, min, max) {
    return filled(new SightQuery(), (made) => {
      const mark = memory.enter();
      try {
        module.check(module.c.frMakeSightQuery(pushPoint(eye, "the eye"), pushPoint(min, "the smaller corner"),
          pushPoint(max, "the larger corner"), made.at));
        return made;
      } finally {
        memory.leave(mark);
      }
    });
  }
  // Points in units, 65,536 to a finest block.
  static units(eye, min, max) {
    const from = units(eye, "the eye");
    const low = units(min, "the smaller corner"), high = units(max, "the larger corner");
    const made = new SightQuery(), box = made.box;
    for (let axis = 0; axis < 3; ++axis) {
      made.setEyeBig(axis, from[axis]);
      box.setMinBig(axis, low[axis]);
      box.setMaxBig(axis, high[axis]);
    }
    return made;
  }
  get eyeUnits() {
    queryAt(this);
    return [0, 1, 2].map((axis) => this.eyeBig(axis));
  }
  get boxUnits() {
    queryAt(this);
    const box = this.box;
    return [[0, 1, 2].map((axis) => box.minBig(axis)), [0, 1, 2].map((axis) => box.maxBig(axis))];
  }
  free() {
    if (this.at !== 0) releaseMemory(this, this.at);
    this.at = this.begin = 0;
  }
  [DISPOSE]() {
    this.free();
  }
}

function queryAt(query) {
  return liveAt(instance(query, SightQuery, "the query"), "the SightQuery has");
}

// Returns true if boxes, a certificate, hide the box of a query. Does not look at a world. margin: in units; true only
// if they still hide it wherever eye and box move, by no more than that together on each axis.
export function hides(boxes, query, margin = 0) {
  const within = wide(margin, "the margin", true);
  let at = 0;
  const mark = memory.enter();
  try {
    const [begin, count] = writeBoxes(boxes, "the boxes", (bytes) => (at = memory.allocate(bytes)));
    const out = memory.push(8);
    module.check(module.c.frHidesWithin(begin, count, queryAt(query), within, out));
    return memory.i32[out >>> 2] !== 0;
  } finally {
    if (at !== 0) memory.free(at);
    memory.leave(mark);
  }
}

export class BoxSight extends BatchQueries {
  // Finds out if the eye sees any part of the box, exactly: a Sight, of which HIDDEN alone is 0.
  visible(query, options = undefined) {
    return this.#see(query, options, () => undefined)[0];
  }
  // Returns the answer of visible(), and of a visible box a line that sees it, else null: `delta` in units, of
  // three BigInts, from the eye on; `isUnit`, true if eye + delta is a point of the box.
  findWitness(query, options = undefined) {
    const [sight, witness] = this.#see(query, options, (answer) => ({
      delta: [0, 1, 2].map((axis) => (answer.deltaHighBig(axis) << 64n) + BigInt.asUintN(64, answer.deltaBig(axis))),
      isUnit: answer.isUnit !== 0,
    }));
    return { sight, witness: sight === Sight.VISIBLE ? witness : null };
  }
  #see(query, options, read) {
    return withSight(options, (o) => {
      const mark = memory.enter();
      try {
        const out = memory.push(8), answer = memory.pushSized(layout.SightAnswer);
        this.check(module.c.frWorld_Visible(this.handle, queryAt(query), o.mask, o.at, out, answer.at));
        return [memory.i32[out >>> 2], read(answer)];
      } finally {
        memory.leave(mark);
      }
    });
  }
  // Returns solid boxes that hide a hidden box by themselves, [min, max] in units; none for a box that is not hidden.
  findCertificate(query, options = undefined) {
    return withSight(options, (o) => readArray(layout.FixedBox.size,
      (...to) => module.c.frWorld_FindCertificate(this.live, queryAt(query), o.mask, o.at, ...to),
      (at, count) => {
        const box = new layout.FixedBox(memory, at);
        return Array.from({ length: count }, (_, i) => {
          box.move(i);
          return [[0, 1, 2].map((axis) => box.minBig(axis)), [0, 1, 2].map((axis) => box.maxBig(axis))];
        });
      }));
  }
  // Returns [from, to], the least and the greatest that the share of the box that the eye sees may be.
  exposure(query, options = undefined) {
    return withSight(options, (o) => {
      const mark = memory.enter();
      try {
        const out = memory.push(16);
        this.check(module.c.frWorld_Exposure(this.handle, queryAt(query), o.mask, o.at, out, out + 8, 0));
        return [memory.f64[out >>> 3], memory.f64[(out >>> 3) + 1]];
      } finally {
        memory.leave(mark);
      }
    });
  }
  // Finds the blocks within a radius of an eye of which it sees any part: `visible` ones, those that are `unknown`,
  // and those that are `undecided` since maxSteps ran out, each the nearest first.
  // which: `types`, an array of block types, all of them by default; `targets`, the options of blocksInSphere(), without
  //     `levels`, which those of sight have.
  visibleBlocks(eye, radius, options = undefined, which = {}) {
    const { types = [], targets } = members(which, WHICH, "the blocks");
    const numbers = elements(types, "types", "block types").map((type, i) => blockType(type, `types[${i}]`));
    const mark = memory.enter(), list = memory.allocate(2 * numbers.length);
    try {
      memory.u16.set(numbers, list >>> 1);
      const at = pushPoint(eye, "the eye"), reach = number(radius, "the radius");
      const { length } = numbers;
      return withSight(options, (o) => withOptions(targets, (t) => {
        refuseLevels(o, t, "the targets", "the options of sight");
        return readArray(layout.FoundBlock.size,
          (...to) => module.c.frWorld_VisibleBlocks(this.live, at, reach, o.mask, list, length, t.at, o.at, ...to),
          (begin, count) => {
            const found = new layout.FoundBlock(memory, begin);
            const lists = { visible: [], unknown: [], undecided: [] };
            for (let i = 0; i < count; ++i) lists[LISTS[found.move(i).sight]].push(foundBlock(found));
            return lists;
          });
      }));
    } finally {
      memory.free(list);
      memory.leave(mark);
    }
  }
}
