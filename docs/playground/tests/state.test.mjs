// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { fromHash, initialState, offsetOf, toHash } from "../src/state.js";

test("The first state has an empty hash, which gives the first state", () => {
  assert.equal(toHash(initialState()), "");
  assert.deepEqual(fromHash(""), initialState());
});

test("A state survives its hash", () => {
  const state = {
    ...initialState(), ray: { base: [-193, 80, 4], low: [16, 0, 65520], d: [524287, -3, 0] }, camera: [1.5, -2.25, 3, 0.125, -1],
    offset: 40, levels: [1, 2], corner: "staircase", channel: "visible", categories: 5, strength: 7, bounces: 3, skipStart: true,
    sight: [0, 4], edits: [[1, -200, 75, -30, "air"], [0, 3, -1, 2, "far land"], [2, 7, 8, 9, "stairs:slab_stone [20]"]],
  };
  const hash = toHash(state);
  assert.doesNotMatch(hash, /[ "<>`#]/);
  assert.deepEqual(fromHash("#" + hash), state);
});

test("Damaged members are left out, and the others are read", () => {
  const state = fromHash("#shot=1,2,3&offset=41&corner=round&levels=1,1&bounces=2&edits=9,1,1,1,air&eye=1,2,x,4,5&pierce=%E0%A4%A");
  assert.deepEqual(state, { ...initialState(), bounces: 2 });
  assert.equal(fromHash("#shot=0,0,0,0,0,0,0,0,0").ray, null);
  assert.equal(fromHash("#shot=0,0,0,1,0,0,1,0,0").ray, null);
  // Levels that the world lacks, and numbers that are missing.
  for (const damaged of ["levels=7", "levels=0,3", "levels=", "levels=1,", "entities=", "sight=,4", "shot=0,0,0,,0,0,1,0,0", "eye=1,2,,4,5", "edits=0,,1,1,air", "edits=air"]) {
    assert.deepEqual(fromHash(damaged), initialState(), damaged);
  }
});

test("The offset is a power of two", () => {
  assert.equal(offsetOf({ offset: 0 }), 0);
  assert.equal(offsetOf({ offset: 31 }), 2147483648);
});
