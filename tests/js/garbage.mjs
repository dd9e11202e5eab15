// SPDX-License-Identifier: Apache-2.0
// Prints, as JSON, the bytes by which the heap grows in each of many hot calls. garbage_bytes.mjs runs it with a young
// generation in which none of them is collected meanwhile.
import { raycast } from "../../bindings/js/src/raycast.js";
import { load } from "./module.mjs";
import { lineThrough, makeWalls, THROUGH } from "./worlds.mjs";

const CALLS = 100_000;
const ROUNDS = 5;

const fr = await load();
const { world, stone } = makeWalls(fr);
const [x0, y0, z0, x1, y1, z1] = THROUGH;
const options = new fr.Options({ solidOnly: true }), filtered = new fr.Options({ blockFilter: (each) => each.cell(0) > 0 }), line = lineThrough(fr), hit = new fr.Hits(1);
const lines = new Float64Array(6 * 8).map((_, i) => THROUGH[i % 6]), array = new fr.ModuleArray(Float64Array, 48);
array.view.set(lines);
const prepared = fr.Lines.segments(lines.subarray(0, 3), lines.subarray(3, 6)), hits = new fr.CompactHits(8), sights = new fr.Occlusions(8);
// A number in a variable would be garbage itself.
const sum = new Float64Array(1);
// Eight lines that differ, as numbers that a program computes.
const moving = lines.map((each, i) => each + (i >> 3) / 64);
const start = [1.5, 5.5, 5.5], ahead = [1, 0.125, 0.0625], point = [0.5, 0.5, 0.5], normal = [0, 0, 0];
const solidAt = (x, y, z) => (x === 10 && y < 40 && z < 40 ? 7 : 0), inner = () => raycast(solidAt, start, ahead, 20);

const along = lineThrough(fr), shot = world.shoot(along), last = shot.move(1).clone();

let kept = null;

// Returns the bytes of a call, the least of some rounds: V8 allocates by itself too, such as when it compiles.
function garbage(call) {
  const run = (times) => { for (let i = 0; i < times; ++i) call(i); };
  run(20_000);
  let least = Infinity;
  for (let round = 0; round < ROUNDS; ++round) {
    gc();
    const before = process.memoryUsage().heapUsed;
    run(CALLS);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / CALLS);
  }
  return least;
}

const HOT = {
  "closestHit": () => { sum[0] += world.closestHit(x0, y0, z0, x1, y1, z1).cell(0); },
  "closestHit with prepared options": () => { sum[0] += world.closestHit(x0, y0, z0, x1, y1, z1, options).type; },
  "closestHit into a hit": () => { sum[0] += world.closestHit(x0, y0, z0, x1, y1, z1, options, hit).id; },
  "closestHit with a filter": () => { sum[0] += world.closestHit(x0, y0, z0, x1, y1, z1, filtered, hit).cell(0); },
  "closestHits with a filter": () => { world.closestHits(array, filtered, hits); },
  "closestHit of other points each time": (i) => {
    const at = 6 * (i & 7);
    sum[0] += world.closestHit(moving[at], moving[at + 1], moving[at + 2], moving[at + 3], moving[at + 4], moving[at + 5]).t;
  },
  "closestHit that misses": () => { sum[0] += world.closestHit(x0, y0, z0, 2, 5, 5) === null ? 1 : 0; },
  "closestHitOfRay": () => { sum[0] += world.closestHitOfRay(x0, y0, z0, 1, 0, 0, 20, options).cell(0); },
  "occluded": () => { sum[0] += world.occluded(x0, y0, z0, x1, y1, z1); },
  "occluded with prepared options": () => { sum[0] += world.occluded(x0, y0, z0, x1, y1, z1, options); },
  "getBlock": (i) => { sum[0] += world.getBlock(0, i & 15, 5, 5); },
  "setBlock": (i) => { world.setBlock(0, 12, 12, 12, (i & 1) * stone); },
  "setSegment": (i) => { line.setSegment(x0, y0, z0, x1, y1, z1 + (i & 1) / 4); },
  "closestHits of a Float64Array": () => { world.closestHits(lines, options, hits); },
  "closestHits in the module's memory": () => { sum[0] += world.closestHits(array, undefined, hits).move(3).block(0); },
  "closestHits of Lines": () => { sum[0] += world.closestHits(prepared, options, hits).move(0).type; },
  "occludedMany": () => { sum[0] += world.occludedMany(array, options, sights).answer(5); },
  "compareHits": () => { sum[0] += fr.compareHits(along, shot.move(0), last); },
  "raycast": (i) => {
    start[1] = 5.5 + (i & 7) / 64;
    sum[0] += raycast(solidAt, start, ahead, 20, point, normal) + point[1];
  },
  "raycast that misses": () => { sum[0] += raycast(solidAt, start, ahead, 3.5, point, normal) + point[1]; },
  "raycast within raycast": () => { sum[0] += raycast(inner, start, ahead, 20, point); },
  "members of a hit": () => { sum[0] += hits.move(0).t + (hits.face === "-x" ? 1 : 0) + hits.faceAxis; },
  // Is noticed.
  "an object": () => { kept = { x: x0 }; },
};

console.log(JSON.stringify(Object.fromEntries(Object.entries(HOT).map(([name, call]) => [name, garbage(call)]))));
if (kept === null || !Number.isFinite(sum[0])) process.exit(1);
