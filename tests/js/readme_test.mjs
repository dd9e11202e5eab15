// SPDX-License-Identifier: Apache-2.0
// The program of the package's README runs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { load, ROOT } from "./module.mjs";

test("the program of the README prints its hits", async () => {
  const text = await readFile(`${ROOT}bindings/js/README.md`, "utf8"), program = /```js\n([^]*?)```/.exec(text)[1];
  const fr = await load(), printed = [], console = { log: (...each) => printed.push(each) };
  const body = program.replace(/import (\{.*?\}) from "fractalray";/, "const $1 = fr;");
  const AsyncFunction = (async () => {}).constructor;
  await new AsyncFunction("fr", "console", body)(fr, console);
  assert.equal(printed[0][0], "entity 7");
  assert.deepEqual(printed.slice(1, -2).map((each) => String(each[1])), ["20,6,20", "7", "56,0,20"]);
  assert.deepEqual(printed.slice(-2).map((each) => each[0]), [1, 0]);
});
