// SPDX-License-Identifier: Apache-2.0
// A module whose memory ends at 32 MB: exhausted memory is an error with a code, and the package works as before.
import assert from "node:assert/strict";
import test from "node:test";
import { memory } from "../../bindings/js/src/module.js";
import * as fr from "../../bindings/js/index.js";
import { EXPECTED, exhausted, PAGE, withMaximum } from "./exhaustion.mjs";
import { moduleBytes } from "./module.mjs";

const MOST = 2 ** 25;

test("a maximum is written into a module", async () => {
  // A memory of 2 pages without a maximum, and a section after it.
  const head = [0, 97, 115, 109, 1, 0, 0, 0], small = Uint8Array.from([...head, 5, 3, 1, 0, 2, 7, 5, 1, 1, 97, 2, 0]);
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(withMaximum(small, 300)));
  assert.equal(exports.a.grow(298), 2);
  assert.throws(() => exports.a.grow(1), RangeError);
  assert.throws(() => withMaximum(small, 1), /begins with 2 pages; a maximum of 1 is too small/);
  assert.throws(() => withMaximum(Uint8Array.from(head), 1), /no memory/);
});

test("32 MB that are exhausted are an error, and come back", async () => {
  await fr.init(withMaximum(await moduleBytes(), MOST / PAGE));
  for (let i = 0; i < 3; ++i) assert.deepEqual(exhausted(fr), EXPECTED);
  assert.ok(memory.u8.length > MOST / 2 && memory.u8.length <= MOST);
});
