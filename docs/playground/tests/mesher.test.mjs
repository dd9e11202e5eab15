// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { BLOCK, BOXES, GLASS, NONE, PLANT, WATER } from "../src/looks.js";
import { mergeMask, meshRegion, regionsOf } from "../src/mesher.js";
import { Volume } from "../src/volume.js";
import { Grid } from "../src/world_file.js";

// Types: 0 air, 1 stone, 2 water, 3 glass, 4 a slab, 5 grass.
const CLASSES = Uint8Array.of(NONE, BLOCK, WATER, GLASS, BOXES, PLANT);
const boxesOf = (type) => [type === 4 ? [0, 0, 0, 1, 0.5, 1] : [0.25, 0, 0.25, 0.75, 0.5, 0.75]];

function meshOf(size, nodes, cells = "near") {
  const grid = new Grid([-3, 5, 7], size);
  for (const [x, y, z, type] of nodes) grid.set(x - 3, y + 5, z + 7, type);
  const volume = new Volume(grid, CLASSES), region = { min: grid.low, max: grid.low.map((part, i) => part + size[i]) };
  return meshRegion(volume, volume[cells], boxesOf, region);
}
// Returns the area that rectangles cover, from their triangles.
function areaOf({ positions, indices }) {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * indices[i + k], 3 * indices[i + k] + 3));
    const u = b.map((part, k) => part - a[k]), v = c.map((part, k) => part - a[k]);
    sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return sum;
}
// Returns true if each triangle turns around its normal.
function isFacingOut({ positions, normals, indices }) {
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * indices[i + k], 3 * indices[i + k] + 3));
    const u = b.map((part, k) => part - a[k]), v = c.map((part, k) => part - a[k]), n = normals.slice(3 * indices[i], 3 * indices[i] + 3);
    const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    if (cross.reduce((sum, part, k) => sum + part * n[k], 0) <= 0) return false;
  }
  return true;
}

test("A single node has six faces, one on the ground five", () => {
  const floating = meshOf([3, 3, 3], [[1, 1, 1, 1]]).opaque;
  assert.equal(floating.triangles, 12);
  assert.equal(areaOf(floating), 6);
  assert.ok(isFacingOut(floating));
  assert.equal(meshOf([3, 3, 3], [[1, 0, 1, 1]]).opaque.triangles, 10);
});

test("Faces of different types merge, also across chunks", () => {
  const nodes = [];
  for (let z = 0; z < 40; ++z) for (let x = 0; x < 40; ++x) nodes.push([x, 0, z, 1]);
  const { opaque } = meshOf([40, 2, 40], nodes);
  assert.equal(opaque.triangles, 2 + 4 * 2);
  assert.equal(areaOf(opaque), 1600 + 4 * 40);
});

test("The area is that of all faces, for random nodes", () => {
  let seed = 1;
  const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647, nodes = [], solid = new Set();
  for (let z = 0; z < 9; ++z) for (let y = 0; y < 9; ++y) for (let x = 0; x < 9; ++x) {
    if (next() < 0.5) { nodes.push([x, y, z, 1]); solid.add(`${x},${y},${z}`); }
  }
  let faces = 0;
  for (const [x, y, z] of nodes) for (const [a, b, c] of [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]) {
    if (!solid.has(`${x + a},${y + b},${z + c}`) && y + b >= 0) ++faces;
  }
  const { opaque } = meshOf([9, 9, 9], nodes);
  assert.equal(areaOf(opaque), faces);
  assert.ok(isFacingOut(opaque));
});

test("Water and glass have no faces among themselves, and none before stone", () => {
  const { opaque, water, glass } = meshOf([5, 3, 3], [[0, 1, 1, 1], [1, 1, 1, 2], [2, 1, 1, 2], [3, 1, 1, 3], [4, 1, 1, 3]]);
  assert.equal(areaOf(opaque), 6);
  assert.equal(water.triangles, 2 * 5);
  assert.equal(glass.triangles, 2 * 6);
});

test("Shapes leave out what a solid node hides; plants are two rectangles", () => {
  const made = meshOf([3, 4, 3], [[1, 1, 1, 1], [1, 2, 1, 4], [0, 1, 0, 5]]);
  assert.equal(areaOf(made.opaque), 6 + 1 + 4 * 0.5);
  assert.equal(made.plants.triangles, 4);
});

test("Caves without daylight are filled from afar alone", () => {
  const nodes = [];
  for (let z = 0; z < 7; ++z) for (let y = 0; y < 7; ++y) for (let x = 0; x < 7; ++x) {
    if (x !== 3 || y !== 3 || z !== 3) nodes.push([x, y, z, 1]);
  }
  const outside = 5 * 49;
  assert.equal(areaOf(meshOf([7, 7, 7], nodes).opaque), outside + 6);
  assert.equal(areaOf(meshOf([7, 7, 7], nodes, "far").opaque), outside);
});

test("Light is full under the sky, less under a roof, and follows edits", () => {
  const grid = new Grid([0, 0, 0], [5, 3, 1]);
  for (let x = 0; x < 4; ++x) grid.set(x, 2, 0, 1);
  const volume = new Volume(grid, CLASSES), light = () => [0, 1, 2, 3, 4].map((x) => volume.light[grid.indexOf(x, 1, 0)]);
  const [a, b, c, d, e] = light();
  assert.equal(e, 255);
  assert.ok(0 < a && a < b && b < c && c < d && d < e);
  grid.set(1, 1, 0, 1);
  volume.update(1, 1, 0);
  assert.equal(light()[1], 0);
  grid.set(1, 1, 0, 0);
  volume.update(1, 1, 0);
  assert.equal(light()[1], Math.max(a, c));
});

test("Masks are covered exactly once, and regions cover the grid", () => {
  const mask = Uint8Array.from({ length: 20 * 13 }, (_, i) => ((i * 31) % 7 < 4 ? 1 : 0)), before = mask.slice(), covered = new Uint8Array(mask.length);
  mergeMask(mask, 20, 13, (a0, b0, a1, b1) => { for (let b = b0; b < b1; ++b) for (let a = a0; a < a1; ++a) ++covered[a + 20 * b]; });
  assert.deepEqual(covered, before);
  assert.ok(mask.every((each) => each === 0));
  const regions = regionsOf(new Grid([-16, 0, 3], [70, 4, 33]));
  assert.equal(regions.reduce((sum, { min, max }) => sum + (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]), 0), 70 * 4 * 33);
});
