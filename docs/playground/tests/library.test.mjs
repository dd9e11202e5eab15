// SPDX-License-Identifier: Apache-2.0
// What needs the module and the world (loaded_page.mjs). Without them these tests are skipped. PLAYGROUND_SEED,
// PLAYGROUND_HASH: what tools/native_hash.py gave for a seed.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import * as fr from "../../../bindings/js/index.js";
import { DEMO_SHOTS, NODES, REACH } from "../src/content.js";
import { EXPECTED } from "../src/expected_hash.js";
import { compareLoops } from "../src/loops.js";
import { shootMany } from "../src/many_shots.js";
import { shootAll, sightTable } from "../src/queries.js";
import { exactRay } from "../src/ray.js";
import { parseWide, readScenario } from "../src/scenario_in.js";
import { scenarioText } from "../src/scenario_parts.js";
import { shootQuery, worldOf } from "../src/scenario_world.js";
import { initialState } from "../src/state.js";
import { load, packed, pageAt, skip, stateOf } from "./loaded_page.mjs";

const { PLAYGROUND_SEED: seed, PLAYGROUND_HASH: seedHash } = process.env;
const scenarios = new URL("../../../tests/scenarios/", import.meta.url);

const summary = ({ hits }) => hits.map(({ name, level, face, block, id, distance }) => [name, level, face, block, id, distance.toFixed(6)].join());

test("Every demo shot hits something, and the same wherever the world is", { skip }, async () => {
  await load();
  const here = pageAt(0);
  for (const offset of [2 ** 4, 2 ** 20, 2 ** 31, 2 ** 40]) {
    const there = pageAt(offset);
    for (const demo of DEMO_SHOTS) {
      const state = stateOf(demo), shot = shootAll(here, state);
      assert.ok(shot.hits.length > 0, demo.name);
      assert.deepEqual(summary(shootAll(there, state)), summary(shot), `${demo.name} at ${offset}`);
    }
    there.free();
  }
  here.free();
});

test("The first node of the library is that of the exact walk, for lines from random points", { skip }, async () => {
  await load();
  const page = pageAt(0), isSolid = (x, y, z) => packed.types[packed.grid.get(x, y, z)].kinds.default === "solid";
  let seed = 5;
  const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  let compared = 0;
  for (let i = 0; i < 300; ++i) {
    const from = [-272, -32, -112].map((low) => low + 160 * next()), ray = exactRay(from, [next() - 0.5, next() - 0.5, next() - 0.5]);
    const state = { ...initialState(), ray, levels: [NODES], categories: 0, corner: "neither" };
    const hit = shootAll(page, state).hits.find(({ terminal }) => terminal), exact = compareLoops(ray, REACH, 0, isSolid);
    // Nodes that do not fill their cube are whole to the loops.
    if (hit === undefined || packed.types.find(({ name }) => name === hit.name)?.boxes) continue;
    if (exact.hit !== null && packed.types[packed.grid.get(...exact.hit)].boxes) continue;
    assert.deepEqual(hit.block, exact.hit);
    ++compared;
  }
  assert.ok(compared > 200);
  page.free();
});

test("Players see each other through a slit, a player in the room is hidden", { skip }, async () => {
  await load();
  const page = pageAt(0), table = sightTable(page, [-166, 85.5, -61], [0, 1, 2]);
  const seen = (eye, target) => table.find(({ name }) => name === eye).targets.find((each) => each?.id === target);
  assert.equal(seen("you", 1).sight, "hidden");
  assert.ok(seen("you", 1).boxes.length > 0);
  assert.equal(seen("Emil", 2).sight, "visible");
  assert.ok(seen("Emil", 2).exposure < 0.01 && seen("Emil", 2).line !== null);
  page.free();
});

test("An edit changes the answer, and its inverse restores it", { skip }, async () => {
  await load();
  const page = pageAt(2 ** 31), state = stateOf(DEMO_SHOTS[3]), before = shootAll(page, state), [hit] = before.hits;
  const type = page.typeNamed(hit.name);
  assert.ok(page.edit(hit.level, hit.block, 0));
  assert.notDeepEqual(summary(shootAll(page, state)), summary(before));
  assert.ok(page.edit(hit.level, hit.block, type));
  assert.deepEqual(summary(shootAll(page, state)), summary(before));
  assert.equal(page.edit(NODES, [9999, 0, 0], type), false);
  page.free();
});

test("A copied scenario is read back, and answers the same", { skip }, async () => {
  await load();
  const page = pageAt(0);
  for (const demo of DEMO_SHOTS) {
    const state = { ...stateOf(demo), bounces: 0 }, shot = shootAll(page, state), file = readScenario(scenarioText(page, state, shot, packed.types));
    const world = worldOf(file), { hits } = shootQuery(world, file, file.shots[0]);
    assert.deepEqual(hits.map(({ distance, level, face }) => [(distance / 16).toFixed(6), level, face]),
      shot.hits.map(({ distance, level, face }) => [distance.toFixed(6), level, face]), demo.name);
    world.free();
  }
  page.free();
});

test("The repository's scenarios of shots give their expected hits", { skip }, async () => {
  await load();
  let shots = 0;
  for (const name of (await readdir(scenarios)).filter((each) => each.endsWith(".json"))) {
    const file = readScenario(await readFile(new URL(name, scenarios), "utf8"));
    const expected = (await readFile(new URL(name.replace(".json", ".expected.jsonl"), scenarios), "utf8")).trim().split("\n").map(parseWide);
    const world = worldOf(file);
    for (const query of file.shots) {
      const answer = expected.find(({ id }) => id === query.id);
      if (answer.error !== undefined) {
        assert.throws(() => shootQuery(world, file, query), `${name}: ${query.id}`);
        continue;
      }
      const { hits } = shootQuery(world, file, query);
      const plain = hits.map((hit) => ({ level: hit.level, t: hit.t, what: hit.kind === fr.HitKind.BLOCK ? hit.block.join() : hit.id, terminal: hit.terminal }));
      const wanted = answer.hits.map((hit) => ({ level: hit.level, t: hit.t, what: hit.block?.join() ?? hit.entity, terminal: hit.terminal }));
      assert.equal(plain.length, wanted.length, `${name}: ${query.id}`);
      plain.forEach((hit, i) => {
        assert.ok(!(Math.abs(hit.t - wanted[i].t) > 1e-6), `${name}: ${query.id}, hit ${i}`);
        // Some expected answers leave members out.
        for (const [member, value] of Object.entries(wanted[i])) {
          if (member !== "t" && value !== undefined) assert.equal(hit[member], value, `${name}: ${query.id}, hit ${i}, ${member}`);
        }
      });
      ++shots;
    }
    world.free();
  }
  assert.ok(shots > 50, `${shots} shots`);
});

test("The hash of 100,000 shots is the native library's", { skip }, async () => {
  await load();
  const page = pageAt(0), { hash } = shootMany(fr, page.world);
  if (EXPECTED.hash !== "") assert.equal(hash, EXPECTED.hash);
  assert.match(hash, /^[0-9a-f]{16}$/);
  if (seed) assert.equal(shootMany(fr, page.world, Number(seed)).hash, seedHash);
  page.free();
});
