// SPDX-License-Identifier: Apache-2.0
// Makes complete programs of the samples that the page offers: the texts of samples/, calls that make the world of a scenario, and the samples.
import { readFile } from "node:fs/promises";
import { CHANNELS } from "../src/state.js";
import { boxesOfChunk } from "../src/scenario_out.js";

const KINDS = ["solid", "permeable", "empty"];

// Returns calls of the functions of samples/ that make the world and the rules of a scenario, as readScenario() returns it. A call
// with a semicolon is a statement of all four languages.
export function worldCalls(file) {
  const lines = [], call = (name, ...values) => lines.push(`${name}(${values.map((each) => JSON.stringify(each)).join(", ")});`);
  for (const channel of CHANNELS) if (channel !== "default") call("addChannel", channel);
  const numbers = new Map([["air", 0]]);
  // Calls part() for the boxes of a shape. Returns 1 for one, 0 for a whole cube.
  const shape = (boxes) => {
    for (const [min, max] of boxes ?? []) call("part", ...min, ...max);
    return boxes === null || boxes === undefined ? 0 : 1;
  };
  for (const [name, { kinds, boxes }] of file.types) {
    if (name === "air") continue;
    for (const channel of Object.keys(kinds)) {
      if (channel !== "default") call("kindIn", channel, KINDS.indexOf(kinds[channel]), shape(boxes[channel]));
    }
    call("addType", name, KINDS.indexOf(kinds.default), shape(boxes.default));
    numbers.set(name, numbers.size);
  }
  for (const { level, at, types } of file.chunks) {
    call("chunk", level, ...at);
    const corner = at.map((part) => 16 * part), move = (block) => block.map((part, axis) => part + corner[axis]);
    for (const [min, max, type] of boxesOfChunk(Uint16Array.from(types, (name) => numbers.get(name)))) {
      call("fill", level, ...move(min), ...move(max), type);
    }
  }
  for (const { id, level, categories, position, radius, halfExtents } of file.entities) {
    if (radius === undefined) call("box", id, level, categories, ...position, ...halfExtents);
    else call("sphere", id, level, categories, ...position, radius);
  }
  for (const { budgets, blocks, entities } of Object.values(file.rules)) {
    call("budget", Object.values(budgets)[0]);
    for (const { type, per_hit: hit = 0, per_block: block = 0, per_pane: isPane = false } of blocks) call("costOfType", type, hit, block, isPane ? 1 : 0);
    for (const { categories, per_hit: hit } of entities) call("costOfEntities", categories, hit);
  }
  return lines;
}

const indented = (lines, by) => lines.map((line) => (line === "" ? "" : by + line)).join("\n");

// How shots become a program: of {levels, calls, code} each.
const WRITERS = {
  "C++": (shots) => [
    ...shots.map(({ calls, code }, i) => `struct Shot${i} : Scene {\n  using Scene::Scene;\n  int run() {\n` +
      `${indented([`mark(${i});`, ...calls, ...code, "return 0;"], "    ")}\n  }\n};`),
    "}  // namespace", "int main() {", "  std::cout.precision(17);",
    `  return ${shots.map(({ levels }, i) => `Shot${i}(${levels}).run()`).join(" + ")};`, "}",
  ],
  C: (shots) => [
    ...shots.map(({ levels, calls, code }, i) => `static void shot${i}(void) {\n` +
      `${indented([`startWorld(${levels});`, `mark(${i});`, ...calls, ...code], "  ")}\n}`),
    "int main(void) {", ...shots.map((_, i) => `  shot${i}();`), "  return 0;", "}",
  ],
  Python: (shots) => shots.flatMap(({ levels, calls, code }, i) => [`startWorld(${levels})`, `mark(${i})`, ...calls, ...code]),
  Lua: (shots) => shots.flatMap(({ levels, calls, code }, i) => ["do", `startWorld(${levels})`, `mark(${i})`, ...calls, ...code, "end"]),
};
const FILES = { "C++": "cpp.cc", C: "c.c", Python: "python.py", Lua: "lua.lua" };

// Returns the program of a language with these samples, {levels, calls, code: its text} each. It prints "= i" before the hits of
// shot i, each on a line.
export async function programOf(language, shots) {
  const head = await readFile(new URL(`samples/${FILES[language]}`, import.meta.url), "utf8");
  return `${head}\n${WRITERS[language](shots.map((each) => ({ ...each, code: each.code.split("\n") }))).join("\n")}\n`;
}

// Returns the hits of each shot that a program has printed: [level, distance, terminal] each; of C without the last.
export function printedHits(text) {
  const shots = [];
  for (const line of text.trim().split("\n")) {
    const [first, second, third] = line.trim().split(/\s+/);
    if (first === "=") shots.push([]);
    else shots.at(-1).push([Number(first), Number(second), ...(third === undefined ? [] : [["1", "true", "True"].includes(third)])]);
  }
  return shots;
}
