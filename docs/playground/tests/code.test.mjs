// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, LANGUAGES } from "../src/code_samples.js";
import { exactRay } from "../src/ray.js";
import { boxesOfChunk, scenarioOf } from "../src/scenario_out.js";
import { initialState } from "../src/state.js";

const shot = (given = {}) => ({ ...initialState(), ray: exactRay([-2.5, 3, 4.25], [1, 0, -1]), ...given });

test("Every language has the line, in finest blocks", () => {
  for (const language of LANGUAGES) {
    const text = codeOf(language, shot());
    assert.match(text, /-40, 48, 68/, language);
    assert.match(text, /524287, 0, -524287/, language);
    assert.match(text, /3520/, language);
    assert.doesNotMatch(text, /corner|channel|undefined|\bnull\b/, language);
  }
});

test("Options that are not the default are in the code, and the offset in the line", () => {
  const text = (language) => codeOf(language, shot({ corner: "neither", channel: "visible", categories: 3, skipStart: true, offset: 40 }));
  assert.match(text("C++"), /\.filter = \{\.channel = .*"visible".*, \.categories = 3, \.skip_start_inside = true\}, \.corner = CornerPolicy::kNeither/);
  assert.match(text("C"), /\.corner = FR_CORNER_NEITHER, \.channel = channel, \.categories = 3, \.skip_start_inside = 1/);
  assert.match(text("Python"), /corner=fr\.Corner\.NEITHER, channel=.*, categories=3, skip_start_inside=True/);
  assert.match(text("JavaScript"), /corner: Corner\.NEITHER, .*categories: 3, skipStartInside: true/);
  assert.match(text("Lua"), /corner = "neither", .*categories = 3, skip_start_inside = true/);
  for (const language of LANGUAGES) assert.match(text(language), /17592186044376/, language);
  assert.match(codeOf("C", shot({ categories: 0, levels: [1, 2] })), /no_entities = 1[^]*6u/);
});

test("JavaScript samples parse", () => {
  for (const state of [shot(), shot({ corner: "staircase", channel: "pierce", strength: 4, bounces: 2, categories: 0 })]) {
    assert.doesNotThrow(() => new Function("Line", "world", "Corner", "bullet", codeOf("JavaScript", state)));
  }
});

test("Boxes cover a chunk exactly", () => {
  const types = new Uint16Array(4096);
  for (let i = 0; i < 4096; ++i) types[i] = (i * 7919) % 5 === 0 ? (i % 3) : i > 2048 ? 4 : 0;
  const back = new Uint16Array(4096);
  for (const [[x0, y0, z0], [x1, y1, z1], type] of boxesOfChunk(types)) {
    for (let z = z0; z <= z1; ++z) for (let y = y0; y <= y1; ++y) for (let x = x0; x <= x1; ++x) {
      assert.equal(back[x + 16 * y + 256 * z], 0);
      back[x + 16 * y + 256 * z] = type;
    }
  }
  assert.deepEqual(back, types);
  assert.deepEqual(boxesOfChunk(new Uint16Array(4096).fill(3)), [[[0, 0, 0], [15, 15, 15], 3]]);
});

test("A scenario names the types that its chunks use, with their kinds and shapes", () => {
  const types = new Uint16Array(4096);
  types[17] = 1;
  types[18] = 2;
  const names = [null, { name: "glass", kinds: { default: "solid", visible: "empty" }, boxes: {} },
    { name: "slab", kinds: { default: "solid", visible: "solid" }, boxes: { default: [[[0, 0, 0], [1, 0.5, 1]]], visible: [[[0, 0, 0], [1, 0.5, 1]]] } }];
  const made = scenarioOf(shot({ levels: [1], strength: 2, channel: "pierce" }), {
    levels: 3, chunks: [{ level: 1, at: [0, 0, 0], types }], typeOf: (type) => names[type], entities: [],
    rules: { blocks: [{ type: "glass", budget: "strength", per_hit: 1 }, { type: "other", budget: "strength", per_hit: 1 }], entities: [] },
  });
  assert.deepEqual(made.block_types, {
    glass: { default: "solid", visible: "empty" }, slab: { kind: "solid", boxes: [[[0, 0, 0], [1, 0.5, 1]]] },
  });
  assert.deepEqual(made.chunks, [{ level: 1, at: [0, 0, 0], boxes: [[[1, 1, 0], [1, 1, 0], "glass"], [[2, 1, 0], [2, 1, 0], "slab"]] }]);
  assert.deepEqual(made.rules.bullet.blocks, [{ type: "glass", budget: "strength", per_hit: 1 }]);
  assert.deepEqual(made.queries[0].levels, [1]);
});
