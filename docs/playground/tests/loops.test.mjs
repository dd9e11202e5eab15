// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareLoops, walkRounded } from "../src/loops.js";
import { exactRay, originOf, pointAt, walkExactly } from "../src/ray.js";

function cellsOf(ray, reach) {
  const cells = [];
  walkExactly(ray, reach, (cell, isCrossed) => { cells.push([cell.join(), isCrossed]); return false; });
  return cells;
}
const solidAt = (...keys) => (x, y, z) => keys.includes(`${x},${y},${z}`);

test("A ray starts at a multiple of 1/4096 and keeps its direction", () => {
  const ray = exactRay([-1.3, 2.5, 0], [2, -1, 0]);
  assert.deepEqual(ray.base, [-2, 2, 0]);
  assert.deepEqual(ray.low, [45872 - (45872 % 16), 32768, 0]);
  assert.deepEqual(ray.d, [524287, -262143, 0]);
  assert.equal(originOf(ray, 2 ** 40)[1], 2 ** 40 + 2.5);
  assert.throws(() => exactRay([0, 0, 0], [0, 0, 0]), RangeError);
});

test("An exact diagonal touches the cells beside its corners", () => {
  const ray = exactRay([0.5, 0.5, 0.5], [1, 1, 0]);
  assert.deepEqual(cellsOf(ray, 1.5), [
    ["0,0,0", true], ["1,0,0", false], ["0,1,0", false], ["1,1,0", true],
  ]);
});

test("A start on a face belongs to the positive side, and is only touched by a line that leaves it", () => {
  assert.deepEqual(cellsOf(exactRay([1, 0.5, 0.5], [-1, 0, 0]), 1.5), [["1,0,0", false], ["0,0,0", true], ["-1,0,0", true]]);
  assert.deepEqual(cellsOf(exactRay([1, 0.5, 0.5], [1, 0, 0]), 0.5), [["1,0,0", true]]);
});

test("All loops are right near the origin, on a line of no corners", () => {
  const ray = exactRay([0.25, 0.5, 0.125], [3, 2, 1]);
  const far = pointAt(ray, 20).map(Math.floor);
  const { loops, hit, cells } = compareLoops(ray, 40, 0, solidAt(far.join()));
  assert.deepEqual(hit, far);
  for (const loop of loops) {
    assert.equal(loop.verdict, "right", loop.name);
    assert.deepEqual(loop.missed, [], loop.name);
    assert.deepEqual(loop.added, [], loop.name);
  }
  assert.equal(cells.at(-1).join(), far.join());
});

test("Far from the origin float32 is wrong, an index of 32 bits does not end, raycast() is right", () => {
  const ray = exactRay([0.3, 0.7, 0.1], [0.9, 0.4, 0.2]);
  const far = pointAt(ray, 30).map(Math.floor).join();
  const { loops } = compareLoops(ray, 60, 2 ** 40, solidAt(far));
  const verdict = Object.fromEntries(loops.map((loop) => [loop.id, loop.verdict]));
  assert.equal(verdict.raycast, "right");
  assert.equal(verdict.int32, "endless");
  assert.notEqual(verdict.float32, "right");
});

test("A solid node that is only touched at a corner may be hit or not", () => {
  const ray = exactRay([0.5, 0.5, 0.5], [1, 1, 0]);
  const { loops, hit } = compareLoops(ray, 10, 0, solidAt("1,0,0", "3,3,0"));
  assert.deepEqual(hit, [3, 3, 0]);
  for (const loop of loops) assert.equal(loop.verdict, "right", loop.name);
});

test("A loop that passes through a solid node is found out", () => {
  const visited = [];
  walkRounded([0.5, 0.5, 0.5], [1, 0, 0], 2, (x) => { visited.push(x); return false; }, (value) => value, Math.floor);
  assert.deepEqual(visited, [0, 1, 2]);
});
