// SPDX-License-Identifier: Apache-2.0
// The samples that the page offers to be copied, of a few shots: they compile without a warning, and find the hits that the page shows.
// Besides what loaded_page.mjs needs: FRACTALRAY_LIBRARY, libfractalray_c.so, for programs in C, Python and Lua; FRACTALRAY_BUILD,
// the folder of a build with libfractalray.a, for C++; FRACTALRAY_PROGRAM, fractalray, for scenarios. Without them C++ and C are
// compiled, and not run.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as fr from "../../../bindings/js/index.js";
import { codeOf, LANGUAGES } from "../src/code_samples.js";
import { DEMO_SHOTS, WIDTHS } from "../src/content.js";
import { FINEST } from "../src/page_world.js";
import { shootAll } from "../src/queries.js";
import { readScenario } from "../src/scenario_in.js";
import { scenarioText } from "../src/scenario_parts.js";
import { rulesOf, worldOf } from "../src/scenario_world.js";
import { CHANNELS, offsetOf } from "../src/state.js";
import { load, packed, pageAt, skip, stateOf } from "./loaded_page.mjs";
import { printedHits, programOf, worldCalls } from "./sample_programs.mjs";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PYTHON = "/usr/bin/python3";
const { FRACTALRAY_LIBRARY: library, FRACTALRAY_BUILD: build, FRACTALRAY_PROGRAM: program } = process.env;
const execute = promisify(execFile);
// As many hits as the sample in C requests.
const MOST_IN_C = 64;

const demo = (i, set = {}) => ({ ...stateOf(DEMO_SHOTS[i]), ...set });
const STATES = {
  "along the balloons": demo(0), "into the pool, as an eye": demo(1, { channel: "visible", corner: "neither", skipStart: true }),
  "through corners, far away": demo(4, { offset: 31, levels: [1, 2], categories: 3, corner: "staircase" }),
  "over slabs, without entities": demo(3, { categories: 0 }), piercing: demo(6), ricochets: demo(7),
};

let shots = null;
// Returns {name, state, text, file, hits} of each shot: text, file: of its scenario; hits: [level, distance, terminal].
async function loadShots() {
  if (shots !== null) return shots;
  await load();
  shots = Object.entries(STATES).map(([name, state]) => {
    const page = pageAt(offsetOf(state)), shot = shootAll(page, { ...state, bounces: 0 }), text = scenarioText(page, state, shot, packed.types);
    page.free();
    const hits = shot.hits.map(({ level, distance, terminal }) => [level, distance * FINEST, terminal]);
    return { name, state, text, file: readScenario(text), hits };
  });
  return shots;
}

function compare(name, found, wanted) {
  assert.equal(found.length, wanted.length, `${name}: the number of hits`);
  wanted.forEach(([level, distance, terminal], i) => {
    const [ofSample, at, ends = terminal] = found[i];
    assert.deepEqual([ofSample, ends], [level, terminal], `${name}, hit ${i}`);
    // C prints six digits.
    assert.ok(Math.abs(at - distance) <= 1e-5 * Math.max(1, distance), `${name}, hit ${i}: ${at} instead of ${distance}`);
  });
}

// Calls use(folder, path) with the program of all samples in a language in a file.
async function withProgram(language, file, use) {
  const all = await loadShots(), folder = await mkdtemp(join(tmpdir(), "fractalray-"));
  try {
    const path = join(folder, file);
    await writeFile(path, await programOf(language, all.map(({ state, file: scenario }) =>
      ({ levels: WIDTHS.length, calls: worldCalls(scenario), code: codeOf(language, state) }))));
    await use(folder, path);
  } finally {
    await rm(folder, { recursive: true });
  }
}
// Runs a program, and compares what it prints with the hits of the page.
async function runProgram(command, given, env, most = Infinity) {
  const { stdout } = await execute(command, given, { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 });
  const found = printedHits(stdout);
  assert.equal(found.length, shots.length);
  shots.forEach(({ name, hits }, i) => compare(name, found[i], hits.slice(0, most)));
}

// Returns a reason to skip: the module, or a program, is missing. Names the package that has the program.
async function reasonFor(command, argument, debianPackage, isThere = true, otherwise = "") {
  if (skip) return skip;
  if (!isThere) return otherwise;
  const has = await execute(command, [argument]).then(() => true, () => false);
  return has ? false : `there is no ${command}: apt-get install ${debianPackage}`;
}
const NO_LIBRARY = "FRACTALRAY_LIBRARY is not set: there is no native library";
const COMPILED = ["-Wall", "-Wextra", "-Werror", "-I", ROOT];

test("the samples are those of all languages", () => assert.deepEqual(LANGUAGES, ["C++", "C", "Python", "JavaScript", "Lua"]));

test("samples in C++ compile, and find what the page shows", { skip: await reasonFor("g++", "--version", "g++") }, (t) =>
  withProgram("C++", "sample.cc", async (folder, path) => {
    if (build === undefined) {
      await execute("g++", ["-std=c++20", "-fsyntax-only", ...COMPILED, path]);
      t.diagnostic("compiled, not run: FRACTALRAY_BUILD is not set");
      return;
    }
    const { stdout } = await execute("pkg-config", ["--libs", "fractalray"], { env: { ...process.env, PKG_CONFIG_PATH: build } });
    await execute("g++", ["-std=c++20", ...COMPILED, path, "-o", join(folder, "sample"), `-L${build}`, ...stdout.trim().split(/\s+/)]);
    await runProgram(join(folder, "sample"), [], {});
  }));

test("samples in C compile, and find what the page shows", { skip: await reasonFor("gcc", "--version", "gcc") }, (t) =>
  withProgram("C", "sample.c", async (folder, path) => {
    if (library === undefined) {
      await execute("gcc", ["-std=c99", "-fsyntax-only", ...COMPILED, path]);
      t.diagnostic(`compiled, not run: ${NO_LIBRARY}`);
      return;
    }
    await execute("gcc", ["-std=c99", ...COMPILED, path, library, "-o", join(folder, "sample")]);
    await runProgram(join(folder, "sample"), [], { LD_LIBRARY_PATH: dirname(library) }, MOST_IN_C);
  }));

const noPython = await reasonFor(PYTHON, "--version", "python3", library !== undefined, NO_LIBRARY);
test("samples in Python find what the page shows", { skip: noPython }, () => withProgram("Python", "sample.py", (folder, path) =>
  runProgram(PYTHON, [path], { PYTHONPATH: join(ROOT, "bindings/python") })));

const noLua = await reasonFor("luajit", "-v", "luajit", library !== undefined, NO_LIBRARY);
test("samples in Lua find what the page shows", { skip: noLua }, () => withProgram("Lua", "sample.lua", (folder, path) =>
  runProgram("luajit", [path], { LUA_PATH: `${join(ROOT, "bindings/luajit")}/?.lua;;` })));

test("samples in JavaScript find what the page shows", { skip }, async () => {
  for (const { name, state, file, hits } of await loadShots()) {
    const world = worldOf(file), printed = [], { Line, Corner } = fr;
    for (const channel of CHANNELS) if (channel !== "default") world.blockTypes.addChannel(channel);
    const bullet = state.strength > 0 ? rulesOf(world, file.rules.bullet).rules : null;
    const run = new Function("Line", "Corner", "world", "bullet", "console", codeOf("JavaScript", state));
    run(Line, Corner, world, bullet, { log: (...each) => printed.push(each) });
    compare(name, printed, hits);
    world.free();
  }
});

const noProgram = skip || (program === undefined ? "FRACTALRAY_PROGRAM is not set: there is no program that answers scenarios" : false);
test("scenarios are answered by the program as the page shows", { skip: noProgram }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "fractalray-"));
  try {
    for (const { name, text, hits } of await loadShots()) {
      const path = join(folder, "shot.json");
      await writeFile(path, text);
      const { stdout } = await execute(program, ["scenario", path]), answer = JSON.parse(stdout);
      compare(name, answer.hits.map(({ level, distance, terminal }) => [level, distance, terminal]), hits);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a wrong hit is noticed", () => {
  const wanted = [[1, 40.5, false], [0, 64, true]];
  compare("the same", printedHits("= 0\n1 40.5 0\n0 64 1")[0], wanted);
  compare("of C", printedHits("= 0\n1 40.5\n0 64")[0], wanted);
  for (const text of ["= 0\n1 40.5 0", "= 0\n1 40.6 0\n0 64 1", "= 0\n1 40.5 0\n0 64 False", "= 0\n2 40.5 0\n0 64 1", "= 0\n1 x 0\n0 64 1"]) {
    assert.throws(() => compare("wrong", printedHits(text)[0], wanted), assert.AssertionError, text);
  }
});
