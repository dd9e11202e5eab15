// SPDX-License-Identifier: Apache-2.0
// What the benchmark of tools/bench/web computes besides times: lines, hashes, sizes. Needs no module.
import assert from "node:assert/strict";
import test from "node:test";
import { Grid } from "../../docs/playground/src/world_file.js";
import { AnswerHash } from "../../tools/bench/web/answer_hash.mjs";
import { exactRayOf, judgedSets, lineSets, REACHES } from "../../tools/bench/web/bundled_world.mjs";
import { NativeProgram } from "../../tools/bench/web/native_program.mjs";
import { quantile } from "../../tools/bench/web/report.mjs";
import { componentsOf, libraryOf } from "../../tools/bench/web/size_part.mjs";
import { functionsOf, sectionsOf } from "../../tools/bench/web/wasm_file.mjs";

const kinds = (kind) => ({ kinds: { default: kind } });
const packed = { types: [kinds("empty"), kinds("solid")], grid: new Grid([-16, 0, 16], [32, 16, 16]) };
for (let i = 0; i < packed.grid.ids.length; i += 3) packed.grid.ids[i] = 1;

test("lines begin in open space, and neither begin nor end in a plane between blocks", () => {
  const sets = [...lineSets(packed, 60), ...judgedSets(packed, 60)];
  assert.deepEqual(sets.map(({ reach }) => reach), [...REACHES, ...REACHES.flatMap((reach) => [reach, reach])]);
  for (const { reach, ends, kind } of sets) {
    assert.equal(ends.length, 360);
    for (let at = 0; at < ends.length; at += 6) {
      const { ray, length } = exactRayOf(ends, at), from = [...ends.subarray(at, at + 3)];
      assert.deepEqual(ray.base.map((part, axis) => part + ray.low[axis] / 65536), from);
      assert.ok(ray.d.every(Number.isInteger) && ray.low.every((part) => part >= 0 && part < 65536));
      assert.equal(packed.grid.get(...ray.base), 0);
      if (kind === "through edges") {
        assert.ok(length >= reach && length < reach + 8);
        ray.d.forEach((part, axis) => assert.ok(part === 0 || Math.abs(ends[at + axis + 3] % 1) === 0.5));
      } else {
        assert.ok(Math.abs(length - reach) < 0.001);
        for (const part of ends.subarray(at, at + 6)) assert.equal(Math.abs((part * 65536) % 2), 1);
      }
    }
  }
});

test("hashes of answers are those of web_native.cc, and depend on each word and the order", () => {
  const hashOf = (...words) => {
    const hash = new AnswerHash();
    for (const word of words) hash.add(word);
    return hash.text;
  };
  assert.equal(hashOf(0), "142a8b37050c5d1f");
  assert.equal(new Set([hashOf(1, 2), hashOf(2, 1), hashOf(1), hashOf(1, -2), hashOf()]).size, 5);
});

test("quantiles are values of the list", () => {
  assert.deepEqual([0, 0.25, 0.5, 0.75, 1].map((part) => quantile([5, 1, 4, 2, 3], part)), [1, 2, 3, 4, 5]);
});

test("a program that has ended is an error of each question", async () => {
  const program = new NativeProgram(process.execPath, "--version");
  assert.match(await program.machine, /^v\d/);
  for (let i = 0; i < 2; ++i) await assert.rejects(program.ask("time", "shoot", 0), /has ended: status 0$/);
});

const text = (word) => [word.length, ...Buffer.from(word)];
const section = (id, ...content) => [id, content.length, ...content];
const RUN = "_ZN10fractalray8internal4Walk3runEv";

test("a module's sections and named functions are read", () => {
  const head = [0, 97, 115, 109, 1, 0, 0, 0], type = section(1, 1, 0x60, 0, 0);
  // A function, a memory with a maximum and a global are imported; of two functions one is named.
  const imports = section(2, 3, ...text("env"), ...text("f"), 0, 0, ...text("env"), ...text("m"), 2, 1, 1, 2, ...text("env"), ...text("g"), 3, 0x7f, 0);
  const code = [...section(3, 2, 0, 0), ...section(10, 2, 2, 0, 0x0b, 3, 0, 1, 0x0b)];
  const names = section(0, ...text("name"), ...section(0, ...text("m")), ...section(1, 2, 0, ...text("f"), 2, ...text(RUN)));
  const bytes = Uint8Array.from([...head, ...type, ...imports, ...code, ...names]);
  assert.deepEqual(sectionsOf(bytes).map(({ name }) => name), ["types", "imports", "functions", "code", "custom: name"]);
  assert.equal(sectionsOf(bytes).reduce((sum, { begin, end }) => sum + end - begin, 8), bytes.length);
  assert.deepEqual(functionsOf(bytes), [{ name: "", size: 2 }, { name: RUN, size: 3 }]);
  assert.equal(functionsOf(bytes.subarray(0, bytes.length - names.length)), null);
});

test("mangled names say whose function it is", () => {
  assert.deepEqual(componentsOf(RUN), ["fractalray", "internal", "Walk", "run"]);
  assert.deepEqual(componentsOf("_ZNKSt3__26vectorIiE4sizeEv"), ["std", "__2", "vector"]);
  const libraries = {
    [RUN]: "fractalray", frWorld_Shoot: "fractalray", frjs_ClosestHit: "fractalray", dlmalloc: "the C library and runtime",
    _ZN4absl6Status3newEv: "Abseil", "_ZNSt3__26vectorIiE4sizeEv": "the C++ library", "_ZSt9terminatev": "the C++ library",
    _Znwm: "the C library and runtime", _Z4workv: "other C++",
  };
  for (const [name, library] of Object.entries(libraries)) assert.equal(libraryOf(name), library, name);
});
