// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { moved } from "../src/controls.js";
import { explain } from "../src/explain.js";
import { sectionOf } from "../src/section.js";
import { initialState } from "../src/state.js";

const close = (a, b) => a.every((part, i) => Math.abs(part - b[i]) < 1e-12);

test("Moves follow the yaw: 0 looks to -z, a quarter to -x", () => {
  assert.ok(close(moved([1, 2, 3, 0, 0.5], { forward: 2 }), [1, 2, 1, 0, 0.5]));
  assert.ok(close(moved([0, 0, 0, Math.PI / 2, 0], { forward: 1, right: 2, up: 3 }), [-1, 3, -2, Math.PI / 2, 0]));
  assert.equal(moved([0, 0, 0, 0, 1.5], { tilt: 1 })[4], 1.55);
});

test("A section shows the whole line from left to right, upright, also of a line straight down", () => {
  const { center, across, toEye, halfWidth, halfHeight } = sectionOf([[0, 10, 0], [30, 0, 40]], 2);
  assert.ok(close(across, [0.6, 0, 0.8]) && close(toEye, [-0.8, 0, 0.6]) && close(center, [15, 5, 20]));
  assert.ok(halfWidth > 25 && halfHeight === halfWidth / 2 && halfHeight > 5);
  const down = sectionOf([[1, 30, 2], [1, 0, 2]], 2);
  assert.ok(down.halfHeight > 15 && close(down.center, [1, 15, 2]));
  // A way that turns back: the farthest point decides.
  assert.ok(sectionOf([[0, 0, 0], [0, 0, -9], [1, 0, -2]], 1).across[2] < -0.9);
});

const hit = (given) => ({ kind: "block", level: 1, name: "default:stone", t: 0.5, distance: 3, startInside: false, bounce: 0, ...given });
const shot = (hits, given = {}) => ({
  hits, legs: [{ endDistance: 3, unknownFrom: null }], levelParts: [{ level: 1, from: 0, to: 9 }], truncated: false, budget: null,
  end: { how: "hit", distance: 3 }, stats: { cells: 1, skips: 0, indexCells: 3, entitiesTested: 2 }, ...given,
});

test("Words say what ended the shot and why ties are in their order", () => {
  const text = explain(initialState(), shot([hit({ kind: "entity", name: "Ada (1)" }), hit({})]), 4).join(" ");
  assert.match(text, /2 hits.*4 nodes/);
  assert.match(text, /Hits 1 and 2 are at exactly the same distance: entities come before blocks/);
  assert.match(text, /ends after 3 nodes at stone, which is solid/);
  assert.match(text, /1 cells, 0 skips, 3 cells of the entity index, 2 entities tested/);
});

test("Words say where unloaded space begins, and what is left", () => {
  const given = { end: { how: "reach", distance: 220 }, legs: [{ endDistance: 220, unknownFrom: 12.5 }], budget: 1.25 };
  const text = explain({ ...initialState(), strength: 2, channel: "pierce" }, shot([], given), 9).join(" ");
  assert.match(text, /hits nothing/);
  assert.match(text, /From 12.5 on, no level is loaded/);
  assert.match(text, /Of its strength of 2, 1.25 is left/);
});

test("Unloaded space counts on every leg, up to its end", () => {
  const first = { endDistance: 3, unknownFrom: null }, said = (...legs) => explain(initialState(), shot([hit({})], { legs }), 4).join(" ");
  assert.match(said(first, { endDistance: 220, unknownFrom: 17.25 }), /From 17.25 on, no level is loaded/);
  assert.match(said({ ...first, unknownFrom: 5 }, { endDistance: 9, unknownFrom: 9.5 }), /All of the line up to its end is loaded/);
  assert.match(said({ ...first, unknownFrom: 5 }, { endDistance: 9, unknownFrom: 7 }), /From 7 on/);
});
