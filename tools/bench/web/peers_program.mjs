// SPDX-License-Identifier: Apache-2.0
// Measures raycast() and closestHit() next to npm's fast-voxel-raycast, in a process of its own: how V8 compiles a loop depends on
// the functions that it has been called with. Prints JSON. peers_part.mjs runs it:
//
//   node peers_program.mjs WORLD FOLDER LINES JUDGED ROUNDS GETTER...    (FOLDER: that of npm's modules; GETTER: array, chunks)
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { exactAnswer, verdictOf } from "../../../docs/playground/src/loops.js";
import { load } from "../../../tests/js/module.mjs";
import { exactRayOf, isSolidType, judgedSets, lineSets, readPacked } from "./bundled_world.mjs";

const [worldFile, folder, lines, judged, rounds, ...getters] = process.argv.slice(2);
const fastVoxelRaycast = createRequire(join(resolve(folder), "x"))("fast-voxel-raycast");
const fr = await load(), packed = await readPacked(worldFile), { low, size } = packed.grid;

// Nodes that are solid, as whole cubes: all three are asked the same.
const solid = Uint8Array.from(packed.grid.ids, (id) => (isSolidType(packed.types[id]) ? 1 : 0));
const world = new fr.World();
world.loadBox(0, low, solid, { size, types: [fr.AIR, world.blockTypes.add("stone")] });

const [x0, y0, z0] = low, [sx, sy, sz] = size;
// One array for all: the fastest that an engine may have.
function inArray(x, y, z) {
  const a = x - x0, b = y - y0, c = z - z0;
  return a >= 0 && a < sx && b >= 0 && b < sy && c >= 0 && c < sz ? solid[a + sx * (b + sy * c)] : 0;
}
// A map of chunks of which the last one is kept, as many engines have it.
const CHUNK = 16, FAR = 512;
const keyOf = (x, y, z) => ((x >> 4) + FAR) * 1048576 + ((y >> 4) + FAR) * 1024 + (z >> 4) + FAR;
function makeChunks() {
  const chunks = new Map();
  for (let z = z0; z < z0 + sz; z += CHUNK) for (let y = y0; y < y0 + sy; y += CHUNK) for (let x = x0; x < x0 + sx; x += CHUNK) {
    chunks.set(keyOf(x, y, z), Uint8Array.from({ length: 4096 }, (_, i) => inArray(x + (i & 15), y + ((i >> 4) & 15), z + (i >> 8))));
  }
  return chunks;
}
const chunks = makeChunks();
let lastKey = -1, lastChunk = undefined;
function inChunks(x, y, z) {
  const key = keyOf(x, y, z);
  if (key !== lastKey) {
    lastKey = key;
    lastChunk = chunks.get(key);
  }
  return lastChunk === undefined ? 0 : lastChunk[(x & 15) | ((y & 15) << 4) | ((z & 15) << 8)];
}
const GETTERS = { array: inArray, chunks: inChunks };

// Casts all lines, and returns how many hit something.
const LOOP = `
  const origin = [0.5, 0.5, 0.5], direction = [0.5, 0.5, 0.5], position = [0.5, 0.5, 0.5], normal = [0, 0, 0];
  return () => {
    let hits = 0;
    for (let i = 0, at = 0; i < distances.length; ++i, at += 6) {
      for (let axis = 0; axis < 3; ++axis) {
        origin[axis] = ends[at + axis];
        direction[axis] = ends[at + axis + 3] - ends[at + axis];
      }
      if (cast(getVoxel, origin, direction, distances[i], position, normal)) ++hits;
    }
    return hits;
  };`;
let loops = 0;
// Returns a loop with a raycast() of either kind. Each has a source of its own: closures of one source share what V8 learns of
// the functions that they call, and none of these would be compiled into them.
function casting(cast, getVoxel, ends, distances) {
  return new Function("cast", "getVoxel", "ends", "distances", `${LOOP} // ${++loops}`)(cast, getVoxel, ends, distances);
}

// Returns functions that cast all lines of a set.
function walkersOf({ ends }) {
  const distances = Float64Array.from({ length: ends.length / 6 }, (_, i) => exactRayOf(ends, 6 * i).length), walkers = {};
  for (const name of getters) {
    walkers[`raycast, ${name}`] = casting(fr.raycast, GETTERS[name], ends, distances);
    walkers[`fast-voxel-raycast, ${name}`] = casting(fastVoxelRaycast, GETTERS[name], ends, distances);
  }
  walkers.closestHit = () => {
    let hits = 0;
    for (let at = 0; at < ends.length; at += 6) {
      if (world.closestHit(ends[at], ends[at + 1], ends[at + 2], ends[at + 3], ends[at + 4], ends[at + 5]) !== null) ++hits;
    }
    return hits;
  };
  return walkers;
}

// Returns how many lines of a set each answers wrongly, as the exact walk says.
function wrongOf({ ends, reach, kind }) {
  const wrong = { raycast: 0, "fast-voxel-raycast": 0, closestHit: 0 }, isSolid = (x, y, z) => inArray(x, y, z) === 1;
  for (let at = 0; at < ends.length; at += 6) {
    const { ray, length } = exactRayOf(ends, at), exact = exactAnswer(ray, length, isSolid);
    const from = Array.from(ends.subarray(at, at + 3)), to = Array.from(ends.subarray(at + 3, at + 6));
    const castBy = (cast) => {
      let cell = null;
      cast((x, y, z) => {
        if (inArray(x, y, z) === 1) cell = [x, y, z];
        return cell !== null;
      }, from, to.map((part, axis) => part - from[axis]), length);
      return cell;
    };
    const hit = world.closestHit(...from, ...to);
    const found = { raycast: castBy(fr.raycast), "fast-voxel-raycast": castBy(fastVoxelRaycast), closestHit: hit === null ? null : [0, 1, 2].map((axis) => hit.cell(axis)) };
    for (const [name, cell] of Object.entries(found)) if (verdictOf(exact, cell) !== "right") ++wrong[name];
  }
  return { reach, kind, lines: ends.length / 6, wrong };
}

function timesOf(set) {
  const walkers = walkersOf(set), ns = Object.fromEntries(Object.keys(walkers).map((name) => [name, []])), hits = {};
  for (let round = -5; round < Number(rounds); ++round) {
    for (const [name, run] of Object.entries(walkers)) {
      const begin = performance.now(), found = run(), time = ((performance.now() - begin) * 1e6 * 6) / set.ends.length;
      hits[name] = found;
      if (round >= 0) ns[name].push(time);
    }
  }
  return { reach: set.reach, ns, hits };
}

// The times first: what is judged calls with other functions.
const times = lineSets(packed, Number(lines)).map(timesOf);
console.log(JSON.stringify({ times, judged: Number(judged) > 0 ? judgedSets(packed, Number(judged)).map(wrongOf) : [] }));
