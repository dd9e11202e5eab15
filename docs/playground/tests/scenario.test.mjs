// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf, leftOut, loadedByLevel, parseWide, readScenario, widthOf } from "../src/scenario_in.js";

const FILE = {
  format: "fractalray-scenario/1", levels: 2,
  block_types: { glass: { default: "permeable", sight: "empty" }, stone: "solid", slab: { kind: "solid", boxes: [[[0, 0, 0], [1, 0.5, 1]]] } },
  chunks: [{ level: 1, at: [1, 0, -1], fill: "glass", boxes: [[[0, 0, 0], [15, 0, 15], "stone"]], blocks: [[[5, 0, 3], "slab"]] }],
  entities: [{ id: 1, level: 1, shape: "sphere", center: [8, 2.5, 3.5], radius: 1 }],
  queries: [{ id: "a", op: "shoot", from: [0, 1, 2], to: [9, 1, 2], levels: [0, 1] }, { id: "b", op: "walk", from: [0, 0, 0], to: [1, 1, 1] }],
};
const read = (changes) => readScenario(JSON.stringify({ ...FILE, ...changes }));

test("A scenario is read: types by channel, chunks with later members over earlier ones", () => {
  const { types, chunks, shots, others, entities } = read({});
  assert.deepEqual(types.get("glass").kinds, { default: "permeable", sight: "empty" });
  assert.deepEqual(types.get("slab").boxes.default, [[[0, 0, 0], [1, 0.5, 1]]]);
  assert.equal(types.get("air").kinds.default, "empty");
  const at = (x, y, z) => chunks[0].types[x + 16 * y + 256 * z];
  assert.deepEqual([at(5, 0, 3), at(6, 0, 3), at(6, 1, 3)], ["slab", "stone", "glass"]);
  assert.deepEqual([shots.length, others, entities[0].radius], [1, 1, 1]);
});

test("Shots after an edit of the world are left out, and counted", () => {
  const [shot, walk] = FILE.queries, load = { id: "c", op: "load", chunk: { level: 1, at: [0, 0, 0], fill: "stone" } };
  for (const edit of [load, ...["add", "descend", "climb", "recenter"].map((op) => ({ ...load, op }))]) {
    const file = read({ queries: [shot, edit, { ...shot, id: "d" }, walk, { ...shot, id: "e" }] });
    assert.deepEqual([file.shots.map(({ id }) => id), file.late, file.others], [["a"], 2, 2], edit.op);
    assert.match(leftOut(file), /^2 shots are left out: the file edits its world before.* 2 other queries/);
  }
  assert.equal(leftOut(read({ queries: [shot] })), "");
  assert.match(leftOut(read({ queries: [load, shot] })), /^1 shot is left out/);
});

test("Files that are no scenarios are refused, with the place", () => {
  for (const [changes, message] of [
    [{ format: "x" }, /format/], [{ levels: 11 }, /levels/], [{ chunks: {} }, /chunks: must be a list/],
    [{ chunks: [{ level: 1, at: [0, 0, 0], fill: "gravel" }] }, /chunks\[0\]: unknown block type "gravel"/],
    [{ chunks: [FILE.chunks[0], { level: 0, at: [1, 0, -1] }, { level: 1, at: [1, 0, -1], state: "proto" }] }, /chunks\[2\]: a chunk may be listed once/],
    [{ chunks: new Array(2001).fill({ level: 9, at: 0 }) }, /chunks: there are 2001; this page shows at most 2000/],
    [{ chunks: [{ level: 1, at: [0, 0, 0], blocks: [[[16, 0, 0], "stone"]] }] }, /0 to 15/],
    [{ block_types: { x: "soft" } }, /block type x/], [{ entities: [{ id: 1, shape: "cone", center: [0, 0, 0] }] }, /sphere or box/],
    [{ queries: [{ id: "q", op: "shoot", from: [0, 0], to: [1, 1, 1] }] }, /query q, from/],
    [{ queries: [{ id: "q", op: "shoot", from: [0, 0, 0], to: [1, 1, 1], speed: 2 }] }, /unknown member speed/],
  ]) assert.throws(() => read(changes), message);
});

test("Integers beyond 2^53 keep all digits, text keeps its own", () => {
  const { id, small, text } = parseWide('{"id": 18446744073709551615, "small": 1234567890123456, "text": "9999999999999999999 \\" 1"}');
  assert.equal(id, 2n ** 64n - 1n);
  assert.equal(small, 1234567890123456);
  assert.equal(text, '9999999999999999999 " 1');
});

test("Chunks with blocks are found by level and index", () => {
  const loaded = loadedByLevel([{ level: 0, at: [0, 0, 0], isProto: false }, { level: 1, at: [-1, 2, 3], isProto: false },
    { level: 1, at: [4, 5, 6], isProto: true }]);
  assert.deepEqual([...loaded].map(([level, all]) => [level, [...all]]), [[0, ["0,0,0"]], [1, ["-1,2,3"]]]);
});

test("The picture's frame holds everything in 200 units", () => {
  assert.equal(widthOf(0, 3), 256);
  const frame = frameOf(read({}));
  assert.deepEqual(frame.origin, [8, 0, -16]);
  assert.equal(frame.scale, 1);
  const far = frameOf(read({ chunks: [{ level: 0, at: [1000, 0, 0] }] }));
  assert.ok(far.size <= 200 && far.scale < 1);
});
