// SPDX-License-Identifier: Apache-2.0
// The cells of a grid that lines cross, in 2 or 3 dimensions; needs no world.

import * as layout from "./layout.js";
import { choice, instance, integer, members, number, wide } from "./arguments.js";
import { Corner } from "./enums.js";
import { invalid, refuseType } from "./errors.js";
import { faceName } from "./hits.js";
import { Lines } from "./line_arrays.js";
import { Line } from "./lines.js";
import { memory, module } from "./module.js";
import { create, Handle } from "./owned.js";

const UNITS = layout.UNITS_PER_BLOCK;
const PIECE = 1024;
const CELLS_A_LINE = 64;
const MOST_AT_FIRST = 2 ** 18;  // cells for which there is memory before the count of all is known
const NAMES = { widths: 0, corner: 0 };

// Returns a point of 1 to 3 numbers in units, 65,536 to a finest block, as queries round it: BigInts.
export function toUnits(point) {
  const given = [...point, 0, 0].slice(0, 3), line = Line.segment(given, given);
  const made = line.startUnits.slice(0, point.length);
  line.free();
  return made;
}

// Returns the widths of cells in units. Refuses what would be rounded: its error would add up.
function widthsOf(widths, dimensions) {
  const each = typeof widths === "number" ? Array(dimensions).fill(widths) : widths;
  if (!Array.isArray(each) || each.length !== dimensions) {
    refuseType(widths, "widths", `it must be a number, or an array of ${dimensions}`);
  }
  for (let axis = 0; axis < dimensions; ++axis) {
    const width = each[axis];
    if (number(width, `widths[${axis}]`) > 0 && !Number.isInteger(width * UNITS)) {
      invalid(`widths[${axis}] is ${width}, which is not a multiple of 1/${UNITS}; ` +
        "divide the coordinates by it and leave it out");
    }
  }
  return toUnits(each);
}

// Pushes integers of 64 bits. Returns their address.
function pushWide(values, name) {
  const at = memory.push(8 * values.length);
  values.forEach((value, i) => {
    const bits = wide(value, `${name}[${i}]`, true);
    memory.i64[(at >>> 3) + i] = bits;
  });
  return at;
}

// Walks over the cells that a segment crosses, in order.
export class Walk extends Handle {
  // start, end: two or three numbers each. widths: of the cells, for all axes or for each; multiples of 1/65,536.
  constructor(start, end, given = {}) {
    const { widths = 1, corner = Corner.BOTH } = members(given, NAMES, "the options");
    const dimensions = start.length, mark = memory.enter();
    if (end.length !== dimensions || (dimensions !== 2 && dimensions !== 3)) {
      invalid("the ends of a walk must have two or three numbers, the same for both");
    }
    try {
      const from = pushWide(toUnits(start), "start"), to = pushWide(toUnits(end), "end");
      const sizes = pushWide(widthsOf(widths, dimensions), "widths"), policy = choice(corner, Corner, "corner");
      super(create((out) => module.c.frCreateWalk(dimensions, from, to, sizes, policy, out)), "frDestroyWalk");
    } finally {
      memory.leave(mark);
    }
    this.dimensions = dimensions;
  }
  // The number of planes between cells that the whole walk crosses.
  get crossings() {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.check(module.c.frWalk_GetCrossings(this.handle, out));
      return memory.readU64(out);
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the next cells, at most `most` of them; fewer only at the end.
  take(most) {
    const capacity = integer(most, "most", 1, 2 ** 20), mark = memory.enter();
    const at = memory.allocate(layout.WalkCell.size * capacity);
    try {
      const count = memory.pushZeros(8);
      this.check(module.c.frWalk_Next(this.handle, at, capacity, count));
      const cell = new layout.WalkCell(memory, at), axes = [0, 1, 2].slice(0, this.dimensions);
      return Array.from({ length: memory.u32[count >>> 2] }, (_, i) => {
        cell.move(i);
        return {
          cell: axes.map((axis) => cell.cell(axis)), t: cell.t, face: faceName(cell.faceAxis, cell.faceSign),
          exact: [cell.tNumeratorBig, cell.tDenominatorBig],
        };
      });
    } finally {
      memory.free(at);
      memory.leave(mark);
    }
  }
  // Iterates over the cells that are left. Frees the walk at the end of the loop.
  *[Symbol.iterator]() {
    try {
      for (let piece; (piece = this.take(PIECE)).length > 0;) yield* piece;
    } finally {
      this.free();
    }
  }
}

// Returns the cells that each of many lines crosses, in order, as far as it reaches: those of line i are numbers
// offsets[i] to offsets[i + 1] - 1; `cells`, a Float64Array, has three numbers for each, `times`, another one, the t
// at which it is entered. `results` and so on are about lines with an error, which have no cells.
export function walkMany(lines, given = {}) {
  const { widths = 1, corner = Corner.BOTH } = members(given, NAMES, "the options");
  const at = instance(lines, Lines, "the lines")._live, { length } = lines, policy = choice(corner, Corner, "corner");
  const sizes = widthsOf(widths, 3);
  for (let capacity = Math.min(Math.max(CELLS_A_LINE * length, 1), MOST_AT_FIRST); ;) {
    const mark = memory.enter(), results = 8 * length, cells = 8 * Math.ceil((results + 4 * length) / 8);
    const begin = memory.allocate(cells + 32 * capacity), times = cells + 24 * capacity;
    try {
      const counts = memory.pushZeros(16);
      const result = module.c.frWalkMany(at, pushWide(sizes, "widths"), policy, begin, begin + cells, begin + times,
        capacity, counts, begin + results, counts + 8);
      const count = memory.u32[counts >>> 2];
      if (result === layout.OUT_OF_RANGE && count > capacity) {
        capacity = count;
        continue;
      }
      module.check(result);
      const errors = memory.u32[(counts + 8) >>> 2];
      return {
        offsets: Float64Array.from({ length: length + 1 }, (_, i) => (i ? memory.readU64(begin + 8 * i - 8) : 0)),
        cells: Float64Array.from({ length: 3 * count }, (_, i) => memory.readI64(begin + cells + 8 * i)),
        times: memory.f64.slice((begin + times) >>> 3, ((begin + times) >>> 3) + count),
        results: memory.i32.slice((begin + results) >>> 2, ((begin + results) >>> 2) + length),
        errors, firstError: errors > 0 ? module.lastError() : "",
      };
    } finally {
      memory.free(begin);
      memory.leave(mark);
    }
  }
}
