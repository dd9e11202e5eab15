// SPDX-License-Identifier: Apache-2.0
// The package answers scenarios as the files of answers say.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { agrees, play } from "./conformance.mjs";
import { parse } from "./exact_json.mjs";
import { load, ROOT } from "./module.mjs";
import { Scenario } from "./scenario.mjs";
import { files, textsOf } from "./scenario_files.mjs";

const fr = await load();
const paths = await files();

for (const path of paths) {
  test(`${basename(dirname(path))}/${basename(path)}`, async () => {
    const { count, differences } = play(fr, ...(await textsOf(path)));
    assert.ok(count > 0);
    assert.deepEqual(differences.slice(0, 3), [], `${differences.length} of ${count} answers differ`);
  });
}

// Returns answers as they are compared to the last bit: of errors the code, as the C interface has other names; of
// zeros no sign; of integers within 2^53 the number.
function comparable(value) {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(comparable);
  if (value === 0) return 0;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) =>
    [name, name === "error" ? String(each).split(":")[0] : comparable(each)]));
}

const program = process.env.FRACTALRAY_PROGRAM;
const skip = program ? false : "FRACTALRAY_PROGRAM is not set: there is no program to compare with";
test("answers are those of the program to the last bit", { skip }, async () => {
  for (const path of paths) {
    const { stdout } = await promisify(execFile)(program, ["scenario", path], { maxBuffer: 2 ** 28 });
    const scenario = new Scenario(fr, parse(await readFile(path, "utf8")));
    assert.deepEqual(comparable(scenario.answers()), comparable(stdout.trimEnd().split("\n").map(parse)), path);
    scenario.free();
  }
});

test("scenarios are found", () => {
  assert.ok(paths.filter((path) => path.startsWith(`${ROOT}tests/scenarios/`)).length >= 10);
});

test("a wrong answer is noticed", () => {
  const hit = { t: 0.5, block: [1, 2, 3], terminal: true };
  assert.ok(agrees(hit, { ...hit, more: 1 }, "", false));
  assert.ok(agrees({ t: 1e-12 }, { t: 1e-12 + 5e-10 }, "", false));
  assert.ok(!agrees({ t: 1e-12 }, { t: 1e-12 + 5e-10 }, "", true));
  for (const wrong of [{ t: 0.51 }, { block: [1, 2, 4] }, { terminal: 1 }, { block: [1, 2] }, { t: null }]) {
    assert.ok(!agrees(hit, { ...hit, ...wrong }, "", false));
  }
  assert.ok(!agrees(hit, { t: 0.5 }, "", false));
  assert.ok(!agrees({ error: "NOT_FOUND" }, { error: "OUT_OF_RANGE: far" }, "", false));
  assert.ok(!agrees({ seen: ["1", "3"] }, { from: 0.334, to: 0.4 }, "", false));
  assert.ok(!agrees({ seen: ["1", "3"] }, { from: 0.333, to: 0.334 }, "", false));
  assert.ok(agrees({ seen: ["1", "3"] }, { from: 357913941 / 2 ** 30, to: 357913942 / 2 ** 30 }, "", false));
  assert.ok(!agrees({ seen: ["1", "1"] }, { from: 1 - 2 ** -30, to: 1 }, "", false));
  assert.ok(agrees({ cell: [2n ** 60n] }, { cell: [2n ** 60n] }, "", false));
  assert.ok(!agrees({ cell: [2n ** 60n] }, { cell: [2n ** 60n + 1n] }, "", false));
});
