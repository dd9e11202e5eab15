// SPDX-License-Identifier: Apache-2.0
// Hot calls make no garbage: the heap does not grow over 10^5 of them.
import assert from "node:assert/strict";
import test from "node:test";
import { garbageBytes } from "./garbage_bytes.mjs";

const MOST_BYTES = 4;  // a call; the least object has 16, and V8 makes some by itself

const { hot, object } = await garbageBytes();

for (const [name, each] of Object.entries(hot)) {
  test(`${name} makes no garbage`, () => assert.ok(each < MOST_BYTES, `${each} bytes a call`));
}

test("an object is noticed", () => assert.ok(object > MOST_BYTES, `${object} bytes a call`));
