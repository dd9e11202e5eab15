// SPDX-License-Identifier: Apache-2.0
// The page's world for tests, without the page: PLAYGROUND_MODULE names fractalray.wasm, PLAYGROUND_WORLD what
// tools/make_world.py writes.
import { readFile } from "node:fs/promises";
import * as fr from "../../../bindings/js/index.js";
import { ENTITIES, farLand, sculptures } from "../src/content.js";
import { PageWorld } from "../src/page_world.js";
import { exactRay } from "../src/ray.js";
import { initialState } from "../src/state.js";
import { gunzip, readWorld } from "../src/world_file.js";

const { PLAYGROUND_MODULE: moduleFile, PLAYGROUND_WORLD: worldFile } = process.env;
// A reason to skip the tests that need them, or false.
export const skip = moduleFile && worldFile ? false : "PLAYGROUND_MODULE and PLAYGROUND_WORLD are not set";

export let packed;
let far, fine;
// Loads both, once.
export async function load() {
  if (packed) return;
  await fr.init(await readFile(moduleFile));
  packed = readWorld(await gunzip(await readFile(worldFile)));
  far = farLand(packed.grid, (type) => packed.types[type].kinds.default === "solid");
  fine = sculptures();
}
export const pageAt = (offset) => new PageWorld(packed, far, fine, ENTITIES, offset);
// Returns the state of one of DEMO_SHOTS.
export const stateOf = ({ from, to, set }) => ({ ...initialState(), ...set, ray: exactRay(from, to.map((part, i) => part - from[i])) });
