// SPDX-License-Identifier: Apache-2.0
// Lines of queries, one by one: segments and rays, in exact units.

import * as layout from "./layout.js";
import { invalid } from "./errors.js";
import { number, point, POINTS, pushPoint, RAY, refuseNumbers, units } from "./arguments.js";
import { memory, module } from "./module.js";
import { DISPOSE, filled, liveAt, ownMemory, releaseMemory } from "./owned.js";

const WHOLE = 2 ** 60;  // the end time of a whole line

// Pushes two corners, min and max, as six numbers. Returns their address; 0 for none.
export function pushBounds(bounds) {
  if (bounds === undefined || bounds === null) return 0;
  if (!Array.isArray(bounds) || bounds.length !== 2) {
    invalid("the bounds must be two corners, the smaller and the larger one");
  }
  const corners = [...point(bounds[0], "bounds[0]"), ...point(bounds[1], "bounds[1]")], at = memory.push(48);
  memory.f64.set(corners, at >>> 3);
  return at;
}

// A line: the points from start + t (end - start), in integers. Set again, it makes no garbage.
export class Line extends layout.Line {
  constructor() {
    super(memory, 0);
    this._uses = 0;
    this.at = this.begin = ownMemory(this, layout.Line.size);
  }
  static segment(start, end) {
    return Line.#make((at) =>
      module.c.frMakeSegment(pushPoint(start, "the start"), pushPoint(end, "the end"), at));
  }
  static ray(origin, direction, maxDistance = Infinity, bounds = undefined) {
    return Line.#make((at) => module.c.frMakeRay(pushPoint(origin, "the origin"),
      pushPoint(direction, "the direction"), number(maxDistance, "maxDistance"), pushBounds(bounds), at));
  }
  // start, end: BigInts, or numbers up to 2^53, in units.
  static units(start, end) {
    const from = units(start, "the start"), to = units(end, "the end"), line = new Line();
    for (let axis = 0; axis < 3; ++axis) {
      line.setFromBig(axis, from[axis]);
      line.setToBig(axis, to[axis]);
    }
    line.endTimeBig = 1n << 60n;
    return line;
  }
  // Sets the line between two points. Makes no garbage.
  setSegment(x0, y0, z0, x1, y1, z1) {
    if (typeof x0 !== "number" || typeof y0 !== "number" || typeof z0 !== "number" ||
        typeof x1 !== "number" || typeof y1 !== "number" || typeof z1 !== "number") {
      refuseNumbers(POINTS, x0, y0, z0, x1, y1, z1);
    }
    const result = module.hot.frjs_MakeSegment(x0, y0, z0, x1, y1, z1, this._live);
    if (result !== 0) module.fail(result);
    return this;
  }
  // Sets the line of a ray. Makes no garbage.
  setRay(x, y, z, dx, dy, dz, maxDistance = Infinity) {
    if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number" || typeof dx !== "number" ||
        typeof dy !== "number" || typeof dz !== "number" || typeof maxDistance !== "number") {
      refuseNumbers(RAY, x, y, z, dx, dy, dz, maxDistance);
    }
    const result = module.hot.frjs_MakeRay(x, y, z, dx, dy, dz, maxDistance, this._live);
    if (result !== 0) module.fail(result);
    return this;
  }
  // Returns the line that a function of C makes at an address.
  static #make(make) {
    return filled(new Line(), (line) => {
      const mark = memory.enter();
      try {
        module.check(make(line.at));
      } finally {
        memory.leave(mark);
      }
      return line;
    });
  }
  // Copies the bytes of a line of the module.
  _copy(at) {
    memory.u8.copyWithin(this.at, at, at + layout.Line.size);
    return this;
  }
  get _live() {
    return liveAt(this, "the Line has");
  }

  get start() { return this.#each((axis) => this.from(axis) / layout.UNITS_PER_BLOCK); }
  get end() { return this.#each((axis) => this.to(axis) / layout.UNITS_PER_BLOCK); }
  get startUnits() { return this.#each((axis) => this.fromBig(axis)); }
  get endUnits() { return this.#each((axis) => this.toBig(axis)); }
  // Returns what read(axis) returns for each axis.
  #each(read) {
    liveAt(this, "the Line has");
    return [0, 1, 2].map(read);
  }
  // The time at which the line ends: 1, or less for a ray.
  get lastTime() {
    liveAt(this, "the Line has");
    return this.endTime / WHOLE;
  }
  // The length from t = 0 to t = 1, in finest-block widths.
  get length() {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      module.check(module.c.frLine_GetLength(this._live, out));
      return memory.f64[out >>> 3];
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the point at a time.
  pointAt(t) {
    const mark = memory.enter();
    try {
      const out = memory.push(24);
      module.check(module.c.frLine_GetPoint(this._live, number(t, "t"), out));
      return memory.readVector(out);
    } finally {
      memory.leave(mark);
    }
  }
  free() {
    if (this.at !== 0) releaseMemory(this, this.at);
    this.at = this.begin = 0;
  }
  [DISPOSE]() {
    this.free();
  }
}
