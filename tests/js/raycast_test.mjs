// SPDX-License-Identifier: Apache-2.0
// raycast() against a walk in BigInts, on random and adversarial rays. Needs no module.
import assert from "node:assert/strict";
import test from "node:test";
import { raycast } from "../../bindings/js/src/raycast.js";
import { random } from "./module.mjs";

const UNITS = 65536n;

// Returns a double as [numerator, exponent]: numerator * 2^exponent, exactly.
function exact(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0), biased = Number((bits >> 52n) & 0x7ffn), low = bits & ((1n << 52n) - 1n);
  const magnitude = biased === 0 ? low : low | (1n << 52n);
  return [value < 0 ? -magnitude : magnitude, Math.max(biased, 1) - 1075];
}
const absolute = (value) => (value < 0n ? -value : value);
const floorDiv = (a, b) => (a - (((a % b) + b) % b)) / b;

// Returns value * 2^shift, rounded half away from zero.
function scaled(value, shift) {
  const [numerator, exponent] = exact(value), power = exponent + shift;
  if (power >= 0) return numerator << BigInt(power);
  const divisor = 1n << BigInt(-power), whole = (absolute(numerator) + divisor / 2n) / divisor;
  return numerator < 0n ? -whole : whole;
}
function exponentOf(value) {
  const [numerator, exponent] = exact(Math.abs(value));
  return numerator.toString(2).length - 1 + exponent;
}

// Yields the voxels along a ray as [x, y, z, axis, isSure]: the last is false where the distance is so near the end
// that doubles may decide either way.
function* walk(origin, direction, maxDistance, most) {
  const largest = Math.max(...direction.map(Math.abs)), reach = Math.min(maxDistance, 2 ** 33) * 65536;
  const shift = (reach < 2 ** 36 ? 37 : exponentOf(reach) + 1) - exponentOf(largest);
  const start = origin.map((each) => scaled(each, 16)), d = direction.map((each) => scaled(each, shift));
  const voxel = start.map((each) => floorDiv(each, UNITS));
  const toPlane = d.map((each, axis) => (each > 0n ? (voxel[axis] + 1n) * UNITS - start[axis] : start[axis] - voxel[axis] * UNITS));
  const lengthSquared = d.reduce((sum, each) => sum + each * each, 0n);
  const [reachNumerator, reachExponent] = exact(reach);
  yield [...voxel, -1, true];
  for (let i = 1; i < most; ++i) {
    let first = -1;
    for (let axis = 0; axis < 3; ++axis) {
      if (d[axis] === 0n) continue;
      if (first < 0 || toPlane[axis] * absolute(d[first]) < toPlane[first] * absolute(d[axis])) first = axis;
    }
    // The distance is n length / |d|; compared by its square, as a fraction.
    const near = toPlane[first] ** 2n * lengthSquared, shiftBy = BigInt(Math.max(-2 * reachExponent, 0));
    const far = d[first] ** 2n * reachNumerator ** 2n << BigInt(Math.max(2 * reachExponent, 0));
    const left = near << shiftBy, isBeyond = left > far, gap = absolute(left - far) * 10n ** 9n;
    const isSure = gap > far;
    if (isBeyond && isSure) return;
    voxel[first] += d[first] > 0n ? 1n : -1n;
    toPlane[first] += UNITS;
    yield [...voxel, first, isSure];
  }
}

// Compares all voxels of a ray, at most `most` of them.
function compare(origin, direction, maxDistance, most = 400) {
  const seen = [];
  raycast((x, y, z) => {
    seen.push([x, y, z]);
    return seen.length >= most;
  }, origin, direction, maxDistance);
  const want = [...walk(origin, direction, maxDistance, most)];
  const which = `raycast(..., [${origin}], [${direction}], ${maxDistance})`;
  for (let i = 0; i < Math.max(want.length, seen.length); ++i) {
    if (i >= seen.length && i < want.length && !want[i][4]) return;  // ends, as it may
    assert.ok(i < want.length && i < seen.length, `${which}: ${seen.length} voxels instead of ${want.length}`);
    assert.deepEqual(seen[i], want[i].slice(0, 3).map(Number), `${which}: voxel ${i}`);
  }
}

test("random rays visit the voxels of the exact walk", () => {
  const next = random(1);
  for (let i = 0; i < 2000; ++i) {
    const far = 2 ** (4 * Math.floor(next() * 6)), point = () => (next() - 0.5) * far;
    compare([point(), point(), point()], [next() - 0.5, next() - 0.5, next() - 0.5], next() * 60);
  }
});

test("rays through lattice points cross x before y before z", () => {
  const next = random(2), integer = (n) => Math.floor(next() * (2 * n + 1)) - n;
  for (let i = 0; i < 2000; ++i) {
    const direction = [integer(4), integer(4), integer(4)];
    if (direction.every((each) => each === 0)) continue;
    compare([integer(5), integer(5), integer(5)], direction, 30);
    compare([integer(9) / 2, integer(9) / 2, integer(9) / 2], direction, 30);
  }
  const cells = [];
  raycast((...cell) => void cells.push(cell.join()), [0.5, 0.5, 0.5], [1, 1, 1], 1.8);
  assert.deepEqual(cells, ["0,0,0", "1,0,0", "1,1,0", "1,1,1", "2,1,1", "2,2,1", "2,2,2"].slice(0, cells.length));
  assert.ok(cells.length >= 4);
  // So a voxel that is only touched at an edge can be the hit.
  assert.equal(raycast((x, y) => x === 1 && y === 0, [0.5, 0.5, 0.5], [1, 1, 0], Infinity), true);
});

test("rays far away are as exact as near ones", () => {
  const next = random(3);
  for (const far of [2 ** 20, 2 ** 29, 2 ** 30, 2 ** 31, 2 ** 36, 2 ** 41]) {
    for (let i = 0; i < 150; ++i) {
      const at = () => (next() < 0.5 ? -far : far) + Math.floor(next() * 8) / 2;
      compare([at(), at(), at()], [Math.floor(next() * 5) - 2, 1, Math.floor(next() * 5) - 2], 40);
      compare([at(), at(), at()], [next() - 0.5, next() - 0.5, next() - 0.5], 40);
    }
  }
});

test("directions of any length, and of very unequal components", () => {
  const next = random(4);
  for (const length of [5e-324, 1e-310, 1e-200, 1, 1e200, 1.7e308]) {
    for (let i = 0; i < 60; ++i) {
      const direction = [next() - 0.5, next() - 0.5, next() - 0.5].map((each) => each * length);
      if (direction.some((each) => each !== 0)) compare([next(), next(), next()], direction, 30);
    }
  }
  for (let i = 0; i < 300; ++i) {
    const direction = [1, 2 ** -Math.floor(next() * 60), 2 ** -Math.floor(next() * 60)];
    compare([next(), next(), next()], direction.map((each) => (next() < 0.5 ? -each : each)), 300);
    compare([1, 0, 0], direction, 300);
  }
  compare([0.5, 0.5, 0.5], [0, 0, -3], 20);
  compare([1, 1, 1], [-0, -1, 0], 20);
  compare([-0, -0, -0], [1, -1, 1], 20);
});

test("planes that are crossed at almost the same time keep their order", () => {
  const next = random(6), integer = (low, high) => low + Math.floor(next() * (high - low));
  for (let i = 0; i < 4000; ++i) {
    // The sign of n_x d_y - n_y d_x, which is within -70 to 70, decides.
    const nx = integer(1, 40), ny = integer(1, nx + 1), dx = integer(2 ** 37, 2 ** 38);
    const dy = Number((BigInt(ny) * BigInt(dx)) / BigInt(nx)) + integer(-1, 3), dz = integer(-3, 4);
    compare([1 - nx / 65536, 1 - ny / 65536, 0.5], [dx, dy, dz], 4);
    compare([0.5, nx / 65536, ny / 65536], [dz, -dx, -dy], 4);
    compare([1 - nx / 65536, 0.5, ny / 65536], [dx, dz, -dy], 4);
  }
  // Just below half a unit is rounded to 0.
  compare([0.49999999999999994 / 65536, 0, 0.5], [-1, -1, 0], 3);
  compare([0, -0.49999999999999994 / 65536, 0.5], [1, 1, 0], 3);
});

test("long rays keep their order", () => {
  const next = random(5);
  for (const distance of [2 ** 19, 2 ** 20, 2 ** 21, 2 ** 30, Infinity]) {
    for (let i = 0; i < 20; ++i) compare([next(), next(), next()], [next() - 0.5, next() - 0.5, next() - 0.5], distance, 3000);
  }
});

test("the distance ends a ray, and the hit may be the first voxel", () => {
  const position = [9, 9, 9], normal = [9, 9, 9];
  assert.equal(raycast(() => 0, [0.5, 0.5, 0.5], [2, 0, 0], 10, position, normal), 0);
  assert.deepEqual([position, normal], [[10.5, 0.5, 0.5], [0, 0, 0]]);
  assert.equal(raycast((x) => (x === 3 ? "stone" : ""), [0.5, 0.25, 0.75], [2, 0, 0], 10, position, normal), "stone");
  assert.deepEqual([position, normal], [[3, 0.25, 0.75], [-1, 0, 0]]);
  assert.equal(raycast((x, y) => y === -2 && 7, [0.5, 0.5, 0.5], [0, -1, 0], 10, position, normal), 7);
  assert.deepEqual([position, normal], [[0.5, -1, 0.5], [0, 1, 0]]);
  assert.equal(raycast(() => 5, [0.5, 0.5, 0.5], [0, -1, 0], 0, position, normal), 5);
  assert.deepEqual([position, normal.map(Math.abs)], [[0.5, 0.5, 0.5], [0, 0, 0]]);
});

test("a callback may cast rays of its own", () => {
  const inner = [];
  const cells = [];
  raycast((x, y, z) => {
    cells.push([x, y, z]);
    raycast((...cell) => void inner.push(cell), [50.5, 0.5, 0.5], [-1, 0.3, 0], 3);
  }, [0.5, 0.5, 0.5], [1, 0.7, 0.2], 12);
  compare([0.5, 0.5, 0.5], [1, 0.7, 0.2], 12);
  const alone = [];
  raycast((...cell) => void alone.push(cell), [0.5, 0.5, 0.5], [1, 0.7, 0.2], 12);
  assert.deepEqual(cells, alone);
  assert.ok(inner.length > 0);
});

test("a call within a call, and an exception in it, leave the other ray as it is", () => {
  const outer = [9, 9, 9], inner = [9, 9, 9], normal = [9, 9, 9], fails = () => { throw new Error("enough"); };
  const found = raycast((x) => {
    assert.equal(raycast((...[, y]) => y === -3, [0.5, 0.5, 0.5], [0, -1, 0], 9, inner), true);
    assert.throws(() => raycast(fails, [7.5, 0.5, 0.5], [-1, 0, 0], 9, inner), /enough/);
    return x === 4 ? "stone" : 0;
  }, [0.5, 0.25, 0.75], [1, 0, 0], 9, outer, normal);
  assert.deepEqual([found, outer, normal, inner], ["stone", [4, 0.25, 0.75], [-1, 0, 0], [0.5, -2, 0.5]]);
  for (let i = 0; i < 3; ++i) assert.throws(() => raycast(fails, [0, 0, 0], [1, 0, 0]), /enough/);
  compare([0.5, 0.25, 0.75], [1, 0.5, -0.25], 12);
});

test("bad numbers are refused, with what to give", () => {
  const refused = (origin, direction, distance, text) =>
    assert.throws(() => raycast(() => 0, origin, direction, distance), (error) => error instanceof RangeError && text.test(error.message));
  refused([0, 0, 0], [0, 0, 0], 5, /direction is \[0, 0, 0\]; it needs/);
  refused([0, 0, 0], [NaN, 0, 1], 5, /direction/);
  refused([0, 0, 0], [Infinity, 0, 1], 5, /direction/);
  refused([NaN, 0, 0], [1, 0, 0], 5, /origin/);
  refused([0, -Infinity, 0], [1, 0, 0], 5, /origin/);
  refused([0, 2 ** 42, 0], [1, 0, 0], 5, /within \+-2\^42/);
  refused([0, 0, 0], [1, 0, 0], -1, /distance is -1/);
  refused([0, 0, 0], [1, 0, 0], NaN, /distance is NaN/);
});
