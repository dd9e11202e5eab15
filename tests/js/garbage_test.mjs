// SPDX-License-Identifier: Apache-2.0
// Hot calls make no garbage: the heap does not grow over 10^5 of them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { moduleBytes } from "./module.mjs";

const FLAGS = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=128"];
const MOST_BYTES = 4;  // a call; the least object has 16, and V8 makes some by itself

await moduleBytes();
const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, fileURLToPath(new URL("garbage.mjs", import.meta.url))]);
const { "an object": object, ...bytes } = JSON.parse(stdout);

for (const [name, each] of Object.entries(bytes)) {
  test(`${name} makes no garbage`, () => assert.ok(each < MOST_BYTES, `${each} bytes a call`));
}

test("an object is noticed", () => assert.ok(object > MOST_BYTES, `${object} bytes a call`));
