// SPDX-License-Identifier: Apache-2.0
// The line of a shot, in numbers that every side can hold exactly: doubles up to 2^40 nodes from the origin, units of the
// library, and text. And the exact walk over the nodes that it crosses, in integers.

// A node has 65,536 units; a line starts at a multiple of 16 of them, 1/4096 of a node.
export const UNITS = 65536;
const GRAIN = 16;
// The largest component of a direction. Products with distances in units then stay below 2^53.
const LARGEST = 524287;

// Returns a line near the one from a point along a direction: {base, low, d}, three integers each. It starts at
// base + low / 65,536, and runs along d.
export function exactRay(origin, direction) {
  const length = Math.hypot(...direction);
  if (!(length > 0 && length < Infinity)) throw new RangeError("the direction must be finite and longer than 0");
  const base = origin.map(Math.floor);
  const low = origin.map((part, i) => Math.floor(((part - base[i]) * UNITS) / GRAIN) * GRAIN);
  const largest = Math.max(...direction.map(Math.abs));
  // Adding 0 turns -0 into 0.
  return { base, low, d: direction.map((part) => Math.round((part / largest) * LARGEST) + 0) };
}

// Returns the start of a line, in nodes; exact for offsets up to 2^40.
export function originOf({ base, low }, offset = 0) {
  return base.map((part, i) => part + offset + low[i] / UNITS);
}

// Returns the direction of a line with length 1. Only pictures use it.
export function unitOf({ d }) {
  const length = Math.hypot(...d);
  return d.map((part) => part / length);
}

// Returns a point of a line at a distance in nodes. Only pictures use it.
export function pointAt(ray, distance) {
  const unit = unitOf(ray);
  return originOf(ray).map((part, i) => part + unit[i] * distance);
}

// Calls visit(cell, isCrossed, distance) for the nodes that a line touches within a reach, in order, until it returns
// true. isCrossed is false for nodes of which the line has a single point: at exact corners, and where it starts on a
// face and leaves at once. `distance` is where the line enters, in nodes. Integers decide on the order.
export function walkExactly({ base, low, d }, reach, visit) {
  const axes = [0, 1, 2].filter((axis) => d[axis] !== 0), length = Math.hypot(...d) / UNITS;
  const speed = d.map(Math.abs), step = d.map(Math.sign), cell = [...base];
  // Units to the next plane of each axis; the time of that plane is toPlane / speed.
  const toPlane = low.map((part, axis) => (d[axis] > 0 ? UNITS - part : part));
  const isBefore = (i, j) => toPlane[i] * speed[j] < toPlane[j] * speed[i];
  for (let entered = 0, isStart = true; ;) {
    let first = axes[0];
    for (const axis of axes) if (isBefore(axis, first)) first = axis;
    const tied = axes.filter((axis) => !isBefore(first, axis)), leaves = (toPlane[first] / speed[first]) * length;
    if (visit([...cell], !isStart || toPlane[first] > 0, entered)) return;
    if (leaves > reach) return;
    // At an exact corner the line touches the nodes that a part of the steps leads to.
    for (let part = 1; part < (1 << tied.length) - 1; ++part) {
      const touched = [...cell];
      tied.forEach((axis, bit) => { if ((part >> bit) & 1) touched[axis] += step[axis]; });
      if (visit(touched, false, leaves)) return;
    }
    for (const axis of tied) {
      cell[axis] += step[axis];
      toPlane[axis] += UNITS;
    }
    entered = leaves;
    isStart = false;
  }
}
