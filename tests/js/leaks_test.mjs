// SPDX-License-Identifier: Apache-2.0
// Calls free all memory that they take of the module, whether they return or throw.
import assert from "node:assert/strict";
import test from "node:test";
import { memory, module } from "../../bindings/js/src/module.js";
import { collect } from "./collect.mjs";
import { load } from "./module.mjs";
import { lineThrough, makeWalls, THROUGH } from "./worlds.mjs";

const fr = await load();
const { world, stone } = makeWalls(fr);
const line = lineThrough(fr), pairs = new Float64Array(THROUGH), ids = new Uint16Array(4096).fill(stone);
const query = fr.SightQuery.of([1.5, 5.5, 5.5], [7, 5, 5], [8, 6, 6]), rays = fr.BlastRays.cubeFan(4, 0.3, 100);
const options = new fr.Options({ ignore: [1] }), glass = world.closestHit(...THROUGH).clone();
const CALLS = 1000;

function free(...objects) {
  for (const each of objects) each.free();
}
function fails(...uses) {
  for (const use of uses) assert.throws(use);
}

const OPERATIONS = {
  shots: () => free(world.shoot(line, { solidOnly: true }), world.resume(world.shoot(line, { maxHits: 1 }))),
  "closest hits with plain options": () => world.closestHit(...THROUGH, { ignore: [1, 2, 3] }),
  cursors: () => {
    const cursor = world.hitsAlong(line, { blockFilter: () => true });
    free(cursor.take(3), cursor);
    world.chunksOn(line);
  },
  batches: () => {
    const batch = world.shootMany(pairs);
    free(world.closestHits(pairs, { solidOnly: true }), world.occludedMany(pairs), batch.answer(0), batch.hitsOf(0), batch);
  },
  "shots with effects": () => free(world.shoot(line, { onHit: () => world.shoot(line, { onHit: () => undefined }).free() })),
  lines: () => free(fr.Lines.segments([0, 0, 0], [1, 1, 1], { ignore: [[1]] }), fr.Lines.of([line])),
  searches: () => {
    world.blocksInSphere([4, 4, 4], 5);
    world.entitiesInBox([0, 0, 0], [9, 9, 9]);
    world.nearestEntities([0, 0, 0], 5);
  },
  sight: () => {
    world.findWitness(query);
    world.findCertificate(query);
    world.visibleBlocks([7, 5, 5], 3);
    world.visibleBoxes([1, 5, 5], [7, 5, 5], [8, 6, 6]);
    const many = new fr.SightQueries([1, 5, 5], [7, 5, 5], [8, 6, 6]);
    world.visibleMany(many);
    world.exposures(many);
    many.free();
  },
  "merged hits and fingerprints": () => {
    const shot = world.shoot(line);
    free(fr.mergeHits(line, [shot, shot]), shot);
    world.chunkFingerprints(0, [-9, 0, 0], [9, 9, 9]);
    world.entities.fingerprint(0, [0, 0, 0], [0, 0, 0]);
  },
  blasts: () => world.blast({ center: [7, 5, 5], radius: 4, rays, resistances: [0, 10, 10] }),
  loading: () => {
    world.loadChunk(0, [3, 3, 3], ids);
    world.loadBox(0, [100, 0, 0], ids, { size: [8, 8, 8], types: [0, stone] });
    world.loadBoxOf(0, [0, 3, 0], [1, 3, 1], () => 0);
    world.unloadChunk(0, [3, 3, 3]);
  },
  worlds: () => {
    const own = new fr.World();
    own.blockTypes.add("slab", fr.Kind.SOLID, { boxes: [[[0, 0, 0], [1, 0.5, 1]]] });
    own.entities.add({ id: 1, position: [0, 0, 0], radius: 1 });
    const frozen = own.snapshot(), streamer = new fr.Streamer(own);
    streamer.tick([8, 8, 8]);
    for (const { request } of streamer.takeRequests()) streamer.answer(request, ids.map(() => 1));
    streamer.tick([8, 8, 8]);
    free(new fr.Bindings(own), new fr.Visibility(own), streamer, own.hit, frozen.hit, frozen, own);
  },
  walks: () => {
    fr.toUnits([...new fr.Walk([0, 0], [9, 9])][0].cell);
    const lines = fr.Lines.of([line]);
    fr.walkMany(lines);
    lines.free();
  },
  options: () => free(new fr.Options({ ignore: [1] }).set({ ignore: [1, 2, 3, 4] }), new fr.SightOptions({ occluders: [[[0, 0, 0], [1, 1, 1]]] })),
  errors: () => fails(() => world.loadChunk(0, [0, 0, 0], new Uint16Array(4096).fill(99)), () => world.closestHit(...THROUGH, { after: 5 }),
    () => fr.Lines.segments([1, 2, 3], [1, 2, 3], { levels: [1, 2, 3] }), () => new fr.Options({ nope: 1 }), () => new fr.SightQueries([0], [1], [2]),
    () => world.shoot(line, { onHit: () => { throw new Error("thrown"); } }), () => world.shoot(line, { maxSteps: 1 }),
    () => fr.mergeHits(line, [glass], 2), () => world.chunkFingerprints(0, [1, 0, 0], [0, 0, 0]),
    () => options.set({ ignore: [1, 2, 3], budgets: [1], maxHits: -1 })),
};

// Returns the bytes of the memory, and where the next large piece of it would be.
function reach() {
  const at = module.c.malloc(2 ** 20) >>> 0;
  module.c.free(at);
  return [memory.u8.length, at];
}

for (const [name, operate] of Object.entries(OPERATIONS)) {
  test(`${name} free their memory`, async () => {
    for (let i = 0; i < 200; ++i) operate();
    await collect();
    const before = reach(), mark = memory.enter();
    for (let i = 0; i < CALLS; ++i) {
      operate();
      if (i % 200 === 0) await collect();
    }
    await collect();
    assert.deepEqual(reach(), before);
    assert.equal(memory.enter(), mark);
  });
}
