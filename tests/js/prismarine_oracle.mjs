// SPDX-License-Identifier: Apache-2.0
// The judge of the tests of integrations/prismarine: rays through boxes, in integers of any size. Knows nothing of
// fractalray but its contract: the origin is rounded to 1/65,536 of a block; the box of a block owns its lower faces
// and not its upper ones; one that is touched at an edge or a corner is hit; the boxes of entities are closed.

const UNITS = 65536;
const AXES = ["x", "y", "z"];

// Returns the nearest unit to a number of blocks, halves away from zero.
export function toUnits(blocks) {
  const value = blocks * UNITS, whole = Math.trunc(value), rest = value - whole;
  return BigInt(whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0));
}

const double = new DataView(new ArrayBuffer(8));
// Returns [m, e]: a number is exactly m 2^e.
function parts(value) {
  double.setFloat64(0, value);
  const bits = double.getBigUint64(0), exponent = Number((bits >> 52n) & 0x7ffn), low = bits & (2n ** 52n - 1n);
  const mantissa = exponent === 0 ? low : low | 2n ** 52n;
  return [value < 0 ? -mantissa : mantissa, Math.max(exponent, 1) - 1075];
}
// Returns integers in the same ratios as three numbers.
function integers(numbers) {
  const made = numbers.map(parts), least = Math.min(...made.filter(([m]) => m !== 0n).map(([, e]) => e));
  return made.map(([m, e]) => (m === 0n ? 0n : m << BigInt(e - least)));
}

// Returns a ray from a point in a direction, two Vec3s, with a range in lengths of the direction.
export function rayOf(from, direction, range) {
  const d = integers(AXES.map((axis) => direction[axis]));
  return {
    from: AXES.map((axis) => from[axis]), direction: AXES.map((axis) => direction[axis]), a: AXES.map((axis) => toUnits(from[axis])), d,
    length: Math.sqrt(Number(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])),
    distance: range * Math.hypot(direction.x, direction.y, direction.z),
  };
}

// Times are fractions [n, m] with m > 0.
export function compare([n, m], [k, l]) {
  const left = n * l, right = k * m;
  return left < right ? -1 : left > right ? 1 : 0;
}
const ZERO = [0n, 1n];
function ratio(n, m) {
  return m < 0n ? [-n, -m] : [n, m];
}

// Returns where a ray crosses a box, `low` to `high` in units: { t, exit, axes }, the axes of the planes through which it
// enters, none if it starts inside; null if it does not. `isClosed`: the box owns its upper faces too.
export function crossing({ a, d }, low, high, isClosed) {
  let t = ZERO, exit = null, axes = [];
  for (let axis = 0; axis < 3; ++axis) {
    const isBelow = a[axis] < low[axis], isAbove = isClosed ? a[axis] > high[axis] : a[axis] >= high[axis];
    if (d[axis] === 0n) {
      if (isBelow || isAbove) return null;
      continue;
    }
    const isUp = d[axis] > 0n;
    if (isUp ? isAbove : isBelow) return null;
    if (isUp ? isBelow : isAbove) {
      const entry = ratio((isUp ? low : high)[axis] - a[axis], d[axis]), order = compare(entry, t);
      if (order > 0 || axes.length === 0) [t, axes] = [entry, [axis]];
      else if (order === 0) axes.push(axis);
    }
    const leave = ratio((isUp ? high : low)[axis] - a[axis], d[axis]);
    if (exit === null || compare(leave, exit) < 0) exit = leave;
  }
  return compare(t, exit) > 0 ? null : { t, exit, axes };
}

// Returns the crossing of a block, of several boxes: the first of them, and the last exit; null if there is none.
function blockCrossing(ray, cell, boxes) {
  let found = null;
  for (const box of boxes) {
    const corner = (offset) => cell.map((at, axis) => BigInt(at * UNITS + Math.round(box[axis + offset] * UNITS)));
    const each = crossing(ray, corner(0), corner(3), false);
    if (each === null) continue;
    if (found === null) {
      found = each;
      continue;
    }
    const order = compare(each.t, found.t), exit = compare(each.exit, found.exit) > 0 ? each.exit : found.exit;
    const isBetter = order < 0 || (order === 0 && (each.axes.length < found.axes.length ||
      (each.axes.length === found.axes.length && each.axes[0] < found.axes[0])));
    found = { ...(isBetter ? each : found), exit };
  }
  return found;
}

// Returns the cells that a ray may touch, and some more.
function cellsNear({ from, direction, distance }) {
  const scale = 1 / Math.hypot(...direction), cells = new Map(), STEP = 0.5;
  for (let s = 0; s < distance + 2 * STEP; s += STEP) {
    const [x, y, z] = from.map((at, axis) => Math.floor(at + direction[axis] * scale * s));
    for (let i = -1; i <= 1; ++i) for (let j = -1; j <= 1; ++j) for (let k = -1; k <= 1; ++k) {
      cells.set(`${x + i} ${y + j} ${z + k}`, [x + i, y + j, z + k]);
    }
  }
  return cells.values();
}

// The box of an entity in units, as fractalray rounds it: the centre and the half extents.
export function entityBox({ position, width, height }) {
  const centre = [position.x, position.y + height / 2, position.z].map(toUnits);
  const half = [width / 2, height / 2, width / 2].map(toUnits);
  return [centre.map((at, axis) => at - half[axis]), centre.map((at, axis) => at + half[axis])];
}

// Returns what a ray hits within its distance, and shortly after, in order: { block or entity, t, exit, distance, face },
// entities before blocks at equal times. boxesAt(x, y, z): the boxes of a block, [] for air.
export function hitsOf(ray, boxesAt, entities = []) {
  const hits = [];
  const add = (found, what) => {
    if (found === null) return;
    const axis = found.axes[0];
    const distance = (Number(found.t[0]) / Number(found.t[1])) * ray.length / UNITS;
    hits.push({ ...found, ...what, distance, face: axis === undefined ? null : [axis, ray.d[axis] > 0n ? -1 : 1] });
  };
  for (const cell of cellsNear(ray)) {
    const boxes = boxesAt(...cell);
    if (boxes.length > 0) add(blockCrossing(ray, cell, boxes), { block: cell });
  }
  for (const entity of entities) add(crossing(ray, ...entityBox(entity), true), { entity });
  return hits.sort((p, q) => compare(p.t, q.t) || (p.entity ? 0 : 1) - (q.entity ? 0 : 1));
}

// A hit at a distance that differs by less from the range may be in it or not.
export const SLACK = 1e-4;
// Returns the first hits that a query may answer: those at the least time; null among them if it may have none.
export function firstOf(hits, ray) {
  if (hits.length === 0 || hits[0].distance > ray.distance + SLACK) return [null];
  const first = hits.filter((each) => compare(each.t, hits[0].t) === 0);
  return hits[0].distance > ray.distance - SLACK ? [...first, null] : first;
}
