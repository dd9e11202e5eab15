// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { gunzip, readWorld } from "../src/world_file.js";
import { pack, TYPES } from "./packed_world.mjs";

test("Chunks come back at their places, below 0 too", async () => {
  const first = new Uint16Array(4096), second = Uint16Array.from({ length: 4096 }, (_, i) => (i % 5 === 0 ? 1 : 0));
  first[3 + 16 * 4 + 256 * 5] = 1;
  const bytes = await gunzip(gzipSync(pack(TYPES, [[-1, 2, 0, first], [0, 2, 0, second]])));
  const { types, grid } = readWorld(bytes);
  assert.deepEqual(types, TYPES);
  assert.deepEqual([grid.low, grid.size], [[-16, 32, 0], [32, 16, 16]]);
  assert.equal(grid.get(-13, 36, 5), 1);
  assert.equal(grid.get(-13, 36, 6), 0);
  for (let i = 0; i < 4096; ++i) assert.equal(grid.get(i & 15, 32 + ((i >> 4) & 15), i >> 8), second[i]);
  assert.equal(grid.get(100, 0, 0), 0);
});

test("Other files, damaged ones, and chunks that fill no box are refused", () => {
  const bytes = pack(TYPES, [[0, 0, 0, new Uint16Array(4096)]]);
  assert.throws(() => readWorld(Uint8Array.of(1, 2, 3, 4, 0, 0, 0, 0)), /no packed world/);
  const damaged = bytes.slice();
  damaged[damaged.length - 1] = 0;
  assert.throws(() => readWorld(damaged), /damaged/);
  assert.throws(() => readWorld(pack(TYPES, [[0, 0, 0, new Uint16Array(4096)], [1, 1, 0, new Uint16Array(4096)]])), /box/);
});
