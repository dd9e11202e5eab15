// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { fillLines, hashAll, randomBits } from "../src/many_shots.js";

test("The generator is xorshift, on every engine", () => {
  const next = randomBits(1);
  assert.deepEqual([next(), next(), next()], [270369, 67634689, 2647435461]);
});

test("Lines are multiples of 1/256 inside the map", () => {
  const lines = fillLines(new Float64Array(600), 100);
  for (let i = 0; i < 600; ++i) {
    const low = 16 * [-272, -32, -112][i % 3];
    assert.ok(Number.isInteger(lines[i] * 256) && lines[i] >= low && lines[i] < low + 2560);
  }
});

test("The hash depends on every member that counts, and on the order", () => {
  const block = { kind: 1, level: 1, faceAxis: 0, faceSign: -1, block: [-3, 4, 5], id: 0, type: 6, t: 0.5, startInside: false };
  const entity = { ...block, kind: 2, id: 7 }, none = { ...block, kind: 0 };
  const hash = (...hits) => hashAll(hits.length, (i) => hits[i]).hash;
  const all = [[block], [entity], [none], [block, entity], [entity, block], []];
  for (const [member, value] of Object.entries({ level: 0, faceAxis: 1, faceSign: 1, block: [-3, 4, 6], type: 5, t: 0.25, startInside: true })) {
    all.push([{ ...block, [member]: value }]);
  }
  all.push([{ ...entity, id: 8 }]);
  assert.equal(new Set(all.map((hits) => hash(...hits))).size, all.length);
  assert.equal(hash({ ...none, t: 1 }), hash(none));
  assert.deepEqual(hashAll(2, (i) => [none, block][i]).found, 1);
});
