// SPDX-License-Identifier: Apache-2.0
// What takes long, away from the page: meshing the map, and 100,000 shots. Messages: {id, job, ...} in, {id, ...} out.

import * as fr from "../../../bindings/js/index.js";
import { ENTITIES, farLand, sculptures } from "./content.js";
import { classOf } from "./looks.js";
import { shootMany } from "./many_shots.js";
import { meshRegion, regionsAt, regionsOf } from "./mesher.js";
import { PageWorld } from "./page_world.js";
import { Volume } from "./volume.js";
import { gunzip, readWorld } from "./world_file.js";

// Returns the boxes of a type, in nodes.
export function boxReader(types) {
  const boxes = types.map((type) => type.boxes?.default?.map((box) => box.map((part) => part / 65536)));
  return (type) => boxes[type] ?? [[0, 0, 0, 1, 1, 1]];
}

// Returns the typed arrays of a region, and hands them over instead of copying them.
export function packMeshes(made) {
  const drawn = Object.entries(made).filter(([, batch]) => batch.triangles > 0);
  const meshes = Object.fromEntries(drawn.map(([name, batch]) => [name, batch.pack()]));
  return { meshes, transfer: Object.values(meshes).flatMap((arrays) => Object.values(arrays).map(({ buffer }) => buffer)) };
}

// The map of this worker, once it has been meshed.
let map = null;

function postRegion(post, index, name) {
  const { meshes, transfer } = packMeshes(meshRegion(map.volume, map.volume[name], map.boxesOf, map.regions[index]));
  post({ region: index, name, meshes }, transfer);
}

const JOBS = {
  // Meshes all regions, those first that are nearest to `eye`; posts a message for the light, and one for each region.
  async mesh({ world, eye }, post) {
    const { types, grid } = readWorld(await gunzip(world));
    const volume = new Volume(grid, Uint8Array.from(types, classOf)), regions = regionsOf(grid);
    map = { grid, volume, regions, boxesOf: boxReader(types) };
    post({ light: volume.light.slice(), regions });
    const away = (index) => {
      const { min, max } = regions[index];
      return Math.hypot(...[0, 1, 2].map((axis) => (min[axis] + max[axis]) / 2 - eye[axis]));
    };
    const order = regions.map((_, index) => index).sort((a, b) => away(a) - away(b));
    for (const name of ["far", "mid", "near"]) for (const index of order) postRegion(post, index, name);
    return {};
  },
  // Sets nodes, [x, y, z, type] each, and meshes what shows them. Returns their light.
  async edit({ nodes }, post) {
    const touched = new Set();
    for (const [x, y, z, type] of nodes) {
      map.grid.set(x, y, z, type);
      map.volume.update(x, y, z);
      for (const index of regionsAt(map.regions, [x, y, z])) touched.add(index);
    }
    for (const index of touched) for (const name of ["near", "mid", "far"]) postRegion(post, index, name);
    return { light: nodes.map(([x, y, z]) => [map.grid.indexOf(x, y, z), map.volume.light[map.grid.indexOf(x, y, z)]]) };
  },
  // Shoots in a world of its own, without edits and offset.
  async shots({ module, world, seed }) {
    await fr.init(await gunzip(module));
    const packed = readWorld(await gunzip(world));
    const isSolid = (type) => packed.types[type].kinds.default === "solid";
    const page = new PageWorld(packed, farLand(packed.grid, isSolid), sculptures(), ENTITIES);
    const result = shootMany(fr, page.world, seed);
    page.free();
    return result;
  },
};

// Answers messages, in a worker, one after another: an edit needs the map of the job before.
export function serve() {
  let last = Promise.resolve();
  self.onmessage = ({ data }) => { last = last.then(() => answer(data)); };
}
async function answer(data) {
  try {
    const result = await JOBS[data.job](data, (part, transfer = []) => self.postMessage({ id: data.id, part }, transfer));
    self.postMessage({ id: data.id, result });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error?.message ?? error) });
  }
}
