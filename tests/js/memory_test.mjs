// SPDX-License-Identifier: Apache-2.0
// Memory: growth, exhaustion, freed objects, and objects that nobody has freed.
import assert from "node:assert/strict";
import test from "node:test";
import { memory, module } from "../../bindings/js/src/module.js";
import { collect, heapNow } from "./collect.mjs";
import { failsWith, load } from "./module.mjs";
import { lineThrough, makeWalls, THROUGH } from "./worlds.mjs";

const fr = await load();

test("objects and views live through growth of the memory", () => {
  const { world } = makeWalls(fr), line = lineThrough(fr), hits = new fr.Hits(4), array = new fr.ModuleArray(Float64Array, 6);
  array.view.set(THROUGH);
  const before = memory.u8.length;
  const big = new fr.ModuleArray(Uint8Array, before);
  assert.ok(memory.u8.length > before);
  assert.deepEqual([...array.view], THROUGH);
  assert.equal(world.closestHitOn(line, undefined, hits).cell(0), 4);
  assert.equal(world.closestHits(array).move(0).block(0), 4);
  big.free();
});

test("lines in a view of the memory are asked, though it grows meanwhile", () => {
  const { world } = makeWalls(fr), count = 20_000, array = new fr.ModuleArray(Float64Array, 6 * count), hits = new fr.CompactHits(count), kept = [];
  array.view.forEach((_, i, view) => { view[i] = THROUGH[i % 6]; });
  for (let growths = 0; growths < 3;) {
    kept.push(new fr.ModuleArray(Float64Array, 6 * count));
    const before = memory.u8.length;
    assert.equal(world.closestHits(array.view, undefined, hits).move(count - 1).block(0), 4);
    if (memory.u8.length > before) ++growths;
  }
  for (const each of [...kept, array, hits]) each.free();
});

// Returns call(). Each allocation of the package grows the memory meanwhile, as any may: views of before are then empty.
function growing(call) {
  const { allocate } = memory;
  memory.allocate = (bytes) => {
    module.c.memory.grow(1);
    memory.refresh();
    return allocate.call(memory, bytes);
  };
  try {
    return call();
  } finally {
    delete memory.allocate;
  }
}

test("arguments in views of the memory are read, though each allocation grows it", () => {
  const { world, stone } = makeWalls(fr), arrays = [], { BLOCK, ENTITY, NONE } = fr.HitKind, { VISIBLE, HIDDEN, SKIPPED } = fr.Sight;
  const inModule = (Type, values) => {
    const made = new fr.ModuleArray(Type, values.length);
    made.view.set(values);
    arrays.push(made);
    return made;
  };
  const entities = [5.5, 6.5].map((y, i) => ({ id: 7 + i, position: [3, y, 5.5], radius: 0.25 }));
  const handles = inModule(Float64Array, world.entities.addMany(entities)), ids = inModule(BigUint64Array, [7n, 8n]);
  const starts = inModule(Float64Array, [1.5, 5.5, 5.5, 1.5, 6.5, 5.5]), ends = inModule(Float64Array, [14.5, 5.5, 5.5, 14.5, 6.5, 5.5]);
  const east = inModule(Float64Array, [1, 0, 0, 1, 0, 0]), distances = inModule(Float64Array, [1, 9]), levels = inModule(Uint32Array, [1, 1]);
  const kinds = (make) => {
    const lines = growing(make), hits = world.closestHits(lines);
    assert.equal(hits.errors, 0);
    return [0, 1].map((i) => hits.move(i).kind);
  };
  assert.deepEqual(kinds(() => fr.Lines.segments(starts.view, ends.view, { levels: levels.view, ignore: ids.view })), [BLOCK, BLOCK]);
  assert.deepEqual(kinds(() => fr.Lines.segments(starts.view, ends.view, { ignore: [ids.view, [9]] })), [BLOCK, ENTITY]);
  assert.deepEqual(kinds(() => fr.Lines.rays(starts.view, east.view, distances.view)), [NONE, ENTITY]);

  const eyes = inModule(Float64Array, [1.5, 5.5, 5.5, 14.5, 5.5, 5.5]), options = { unloaded: fr.Unloaded.OPAQUE };
  const mins = inModule(Float64Array, [7, 5, 5, 12, 5, 5]), maxs = inModule(Float64Array, [8, 6, 6, 13, 6, 6]);
  const queries = growing(() => new fr.SightQueries(eyes.view, mins.view, maxs.view));
  assert.deepEqual([...world.visibleMany(queries, options).answers], [VISIBLE, VISIBLE]);
  const eyeCounts = inModule(Uint32Array, [1, 1]), leftOut = inModule(Uint8Array, [0, 1, 0, 0]);
  const table = growing(() => world.visibleBoxes(eyes.view, mins.view, maxs.view, options, { eyeCounts: eyeCounts.view, leftOut: leftOut.view }));
  assert.deepEqual([...table], [VISIBLE, SKIPPED, HIDDEN, VISIBLE]);

  const resistances = inModule(BigInt64Array, [0n, 1n, 1n]), blast = { center: [7.5, 5.5, 5.5], radius: 8, rays: fr.BlastRays.cubeFan(16, 0.3, 1000) };
  const { blocks } = growing(() => world.blast({ ...blast, resistances: resistances.view }));
  assert.ok(blocks.length > 0);
  assert.deepEqual(blocks, world.blast({ ...blast, resistances: [0, 1, 1] }).blocks);

  const types = inModule(Uint16Array, [fr.AIR, stone]), byState = inModule(Uint16Array, [fr.AIR, stone]), size = [16, 16, 16], ones = new Uint8Array(4096).fill(1);
  growing(() => world.loadChunks(0, [1, 0, 0], ones, { size, types: types.view }));
  const states = () => ({ values: ones, bits: 1, types: new Map([[1, byState.view]]) });
  growing(() => world.loadChunks(0, [2, 0, 0], ones, { size, types: [fr.AIR, fr.AIR], states: states() }));
  assert.deepEqual([world.getBlock(0, 16, 1, 1), world.getBlock(0, 32, 1, 1)], [stone, stone]);

  const budgets = inModule(Float64Array, [2, 3]), given = () => ({ ignore: ids.view, budgets: budgets.view });
  const made = growing(() => new fr.Options(given())), changed = new fr.Options();
  growing(() => changed.set(given()));
  for (const each of [made, changed]) {
    assert.deepEqual([0, 1, 2].map((i) => memory.f64[(each.budgets >>> 3) + i]), [2, 3, 0]);
    each.set({ budgets: undefined });
    assert.equal(world.closestHit(1.5, 5.5, 5.5, 14.5, 5.5, 5.5, each).kind, BLOCK);
    each.free();
  }

  const positions = inModule(Float64Array, [2, 2, 2, 3, 3, 3]);
  growing(() => world.entities.moveMany(handles.view, positions.view));
  growing(() => world.entities.update(handles.view, [{ entityClass: 1 }, { entityClass: 2 }]));
  const infos = [...handles.view].map((each) => world.entities.info(each));
  assert.deepEqual(infos.map(({ position, entityClass }) => [position, entityClass]), [[[2, 2, 2], 1], [[3, 3, 3], 2]]);
  growing(() => world.entities.removeMany(handles.view));
  assert.equal(world.entities.length, 0);
  for (const each of [...arrays, queries, blast.rays]) each.free();
});

test("growth during a call of the library, in an effect", () => {
  const { world } = makeWalls(fr), line = lineThrough(fr), kept = [];
  const shot = world.shoot(line, { onHit: (hit) => { kept.push(new fr.ModuleArray(Uint8Array, memory.u8.length >> 1), hit.cell(0)); } });
  assert.deepEqual([shot.length, kept[1], kept[3]], [2, 4, 10]);
  kept[0].free();
  kept[2].free();
});

test("calls with freed objects say so", () => {
  const { world } = makeWalls(fr), line = lineThrough(fr), shot = world.shoot(line), hits = new fr.Hits(2);
  const frees = (each) => {
    each.free();
    each.free();
  };
  frees(hits);
  assert.throws(() => world.closestHit(...THROUGH, undefined, hits), failsWith("FAILED_PRECONDITION", /the hit has been freed/));
  frees(shot);
  assert.throws(() => world.shoot(line, undefined, shot), failsWith("FAILED_PRECONDITION", /the Shot has been freed/));
  frees(line);
  assert.throws(() => world.shoot(line), failsWith("FAILED_PRECONDITION", /the Line has been freed/));
  assert.throws(() => line.setSegment(0, 0, 0, 1, 1, 1), failsWith("FAILED_PRECONDITION", /the Line has been freed/));
  frees(world);
  for (const use of [() => world.closestHit(...THROUGH), () => world.occluded(...THROUGH), () => world.levels, () => world.setBlock(0, 0, 0, 0, 0),
    () => world.getBlock(0, 0, 0, 0), () => world.snapshot(), () => world.entities.length, () => world.blockTypes.add("x"), () => world.window.anchor,
    () => world.closestHits(new Float64Array(6)), () => new fr.Bindings(world), () => new fr.Streamer(world), () => world.loadedChunks(0),
    () => new fr.World({ blockTypesOf: world })]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the World has been freed/), String(use));
  }
  const lines = fr.Lines.segments([0, 0, 0], [1, 1, 1]);
  frees(lines);
  assert.throws(() => makeWalls(fr).world.closestHits(lines), failsWith("FAILED_PRECONDITION", /the Lines have been freed/));
});

test("freed hits, shots and lines are refused by every call", () => {
  const { world } = makeWalls(fr), line = lineThrough(fr), hits = world.closestHit(...THROUGH).clone(), shot = world.shoot(line), cursor = world.hitsAlong(line), other = lineThrough(fr);
  const batch = world.shootMany(new Float64Array(THROUGH));
  for (const each of [hits, shot, other]) each.free();
  for (const use of [() => world.findBlocker(line, undefined, hits), () => world.closestHitOn(line, undefined, hits), () => cursor.take(2, hits), () => cursor.next(hits),
    () => batch.hitsOf(0, hits), () => hits.reserve(5), () => hits.copy(), () => hits.clone(), () => hits.move(0), () => hits.toArray(), () => world.reflect(line, hits),
    () => world.hitSpans(line, hits), () => new fr.Options({ after: hits }), () => fr.Lines.segments([0, 0, 0], [1, 1, 1], { after: [[hits]] })]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the hit has been freed/), String(use));
  }
  assert.deepEqual([hits.begin, hits.capacity], [0, 0]);
  for (const use of [() => world.resume(shot), () => shot.reset()]) assert.throws(use, failsWith("FAILED_PRECONDITION", /the Shot has been freed/), String(use));
  for (const use of [() => shot.stats, () => shot.line, () => shot.versions]) assert.throws(use, failsWith("FAILED_PRECONDITION", /the answer has been freed/), String(use));
  for (const use of [() => other.start, () => other.endUnits, () => other.lastTime, () => other.length, () => world.reflect(line, world.closestHit(...THROUGH), other)]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the Line has been freed/), String(use));
  }
  assert.equal(cursor.take(2).length, 2);
  const rules = new fr.Rules(), options = new fr.Options({ rules }), numbers = new Float64Array(THROUGH);
  batch.free();
  rules.free();
  for (const use of [() => world.shootMany(numbers, undefined, batch), () => world.resumeMany(numbers, batch), () => batch.hitsOf(0)]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the ShotBatch has been freed/), String(use));
  }
  for (const use of [() => world.shoot(line, options), () => world.closestHit(...THROUGH, options), () => world.closestHits(numbers, options)]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the rules of the options have been freed/), String(use));
  }
  world.free();
  assert.throws(() => world.shoot(line), failsWith("FAILED_PRECONDITION", /the World has been freed/));
});

test("objects that are not freed take little memory, in one job", () => {
  const { world } = makeWalls(fr), line = lineThrough(fr), kept = [], before = memory.u8.length;
  // Nobody gets the shot of a call that throws.
  for (let i = 0; i < 300; ++i) {
    const shot = world.shoot(line, { onHit: () => undefined });
    kept.push(shot, world.resume(world.shoot(line, { maxHits: 1 }), { onHit: () => world.shoot(line, { onHit: () => undefined }).free() }));
    assert.throws(() => world.shoot(line, { onHit: () => { throw new Error("thrown"); } }), { message: "thrown" });
  }
  const batch = world.shootMany(new Float64Array(THROUGH)), hits = new fr.Hits(4), many = new Float64Array(6 * 1000);
  for (let i = 0; i < 1e5; ++i) batch.hitsOf(0, hits);
  for (let i = 0; i < 300; ++i) {
    assert.throws(() => world.closestHits(many, { blockFilter: () => { throw new Error("thrown"); }, channel: 9 }));
    assert.throws(() => fr.Lines.segments(many, many, { levels: [1] }));
    assert.throws(() => new fr.SightQueries(many, many, many.subarray(0, 6)));
  }
  assert.ok(memory.u8.length - before < 2 ** 24, `${memory.u8.length - before} bytes`);
  for (const each of [...kept, batch, hits]) each.free();
});

test("callbacks of plain options are garbage after their call, in one job", () => {
  const { world, stone } = makeWalls(fr), line = lineThrough(fr), shot = new fr.Shot(), numbers = new Float64Array(THROUGH), hits = new fr.CompactHits(1);
  const calls = {
    closestHit: () => world.closestHit(...THROUGH, { blockFilter: () => true }),
    closestHits: () => world.closestHits(numbers, { blockFilter: () => true }, hits),
    shoot: () => world.shoot(line, { entityFilter: () => true, onHit: () => undefined }, shot),
    loadBoxOf: () => world.loadBoxOf(0, [1, 1, 1], [1, 1, 1], () => stone),
    "a call that throws": () => assert.throws(() => world.closestHit(...THROUGH, { blockFilter: () => { throw new Error("thrown"); } })),
  };
  for (const [name, call] of Object.entries(calls)) {
    const bytesAfter = (times) => {
      for (let i = 0; i < times; ++i) call();
      return heapNow();
    };
    bytesAfter(1000);
    const before = bytesAfter(1), bytes = (bytesAfter(4000) - before) / 4000;
    assert.ok(bytes < 100, `${name}: ${bytes} bytes a call`);  // the callbacks alone have more than 400
  }
});

test("a cursor calls the filter of plain options until its end", async () => {
  const { world, glass } = makeWalls(fr), cursor = world.hitsAlong(lineThrough(fr), { blockFilter: (hit) => hit.type !== glass });
  await collect(3);
  // Takes the numbers of callbacks that are free.
  for (let i = 0; i < 50; ++i) world.closestHit(...THROUGH, { blockFilter: () => false });
  assert.equal(cursor.next().cell(0), 10);
  assert.equal(cursor.next(), null);
  cursor.free();
});

test("`using` frees, where the machine knows it", () => {
  const dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose"), world = new fr.World();
  world[dispose]();
  assert.ok(world.isFree);
});

test("what nobody has freed is freed with its object, callbacks too", async () => {
  const handles = [], view = { from: THROUGH.slice(0, 3), direction: [1, 0, 0], cosHalfAngle: 1 };
  let called = 0, tested = 0;
  (() => {
    for (let i = 0; i < 20; ++i) {
      const { world } = makeWalls(fr);
      // The callback refers to the world: neither may keep the other, even where it was the last to be called.
      world.onAnyBlockHit(() => { called += world.levels; });
      world.shoot(lineThrough(fr));
      world.closestHit(...THROUGH, new fr.Options({ blockFilter: () => world.levels }));
      world.hitsAlong(lineThrough(fr), { blockFilter: () => world.levels });
      new fr.Visibility(world, { rays: 1, filter: { blockFilter: () => (tested += world.levels) } }).tick(world, view);
      handles.push(world.handle);
    }
  })();
  await collect(10);
  const mark = memory.enter(), out = memory.push(8);
  const isFreed = (handle) => module.c.frWorld_GetLevels(handle, out) !== 0;
  const freed = handles.filter(isFreed).length, isLastFreed = isFreed(handles.at(-1));
  memory.leave(mark);
  assert.ok(freed >= 18, `${freed} of 20 worlds are freed`);
  assert.ok(isLastFreed, "the world of the last callback is freed");
  assert.equal(called, 40);
  assert.ok(tested >= 20, `${tested} tests`);
});

test("handles that run out are an error, and come back", async () => {
  const all = [];
  assert.throws(() => {
    for (let i = 0; i < 40000; ++i) all.push(new fr.Rules());
  }, failsWith("RESOURCE_EXHAUSTED", /^there are no handles left: at most 16384 objects exist at once; free objects that you no longer use$/));
  // The last one that is free comes back more often than its handle has generations.
  all.pop().free();
  for (let i = 0; i < 20000; ++i) new fr.Rules().free();
  for (const each of all) each.free();
  assert.equal(new fr.World().levels, 1);
});

test("arguments that are too long are an error", () => {
  const world = new fr.World();
  assert.throws(() => world.blockTypes.add("x".repeat(10000)), failsWith("INVALID_ARGUMENT", /10000 characters; it must have at most 8192/));
  assert.throws(() => new fr.ModuleArray(Float64Array, 2 ** 40), failsWith("RESOURCE_EXHAUSTED", /there is no memory for/));
  assert.throws(() => new fr.Hits(2 ** 25), failsWith("OUT_OF_RANGE", /./));
});

test("addresses from 2^31 on, and exhausted memory, are errors or answers, and the world works as before", () => {
  const { world, stone } = makeWalls(fr), line = lineThrough(fr), blocks = [];
  const ids = new Uint16Array(4096).map((_, i) => (i % 2 === 0 ? stone : 0)), lines = new Float64Array(6 * 1000).fill(1.5);
  // Takes memory, piece by piece. Nothing writes to it, so that it costs addresses alone.
  const take = (bytes, most) => {
    for (let at; blocks.length < most && (at = module.c.malloc(bytes) >>> 0) !== 0;) blocks.push(at);
  };
  take(2 ** 28, 9);
  // Then what is left below 2^31.
  for (const bytes of [2 ** 24, 2 ** 20, 2 ** 16, 2 ** 12, 2 ** 9]) {
    do take(bytes, blocks.length + 1); while (blocks.at(-1) < 2 ** 31);
  }
  const high = new fr.Hits(4), batch = new fr.CompactHits(1000);
  assert.ok(high.at >= 2 ** 31 && batch.at >= 2 ** 31);
  assert.equal(world.closestHit(...THROUGH, undefined, high).cell(0), 4);
  assert.deepEqual(world.shoot(line, { onHit: () => undefined }).toArray().map((hit) => hit.block[0]), [4, 10]);
  world.loadChunk(0, [5, 5, 5], ids);
  assert.deepEqual(world.chunkBlocks(0, [5, 5, 5]), ids);
  assert.equal(world.closestHits(lines, undefined, batch).errors, 0);
  assert.equal(world.blockTypes.name(stone), "stone");
  assert.equal(world.hitsAlong(line).take(5).length, 2);
  const other = new fr.World({ blockTypesOf: world });
  other.loadBoxOf(0, [0, 0, 0], [1, 1, 1], () => stone);
  assert.equal(other.getBlock(0, 1, 1, 1), stone);
  high.free();
  for (const bytes of [2 ** 28, 2 ** 24, 2 ** 20, 2 ** 16, 2 ** 14]) take(bytes, Infinity);
  let loaded = 0;
  assert.throws(() => {
    for (; loaded < 2 ** 17; ++loaded) world.loadChunk(0, [100 + loaded % 100, Math.floor(loaded / 100) % 100, Math.floor(loaded / 10000)], ids);
  }, (error) => error.code === "RESOURCE_EXHAUSTED");
  assert.equal(world.chunk(0, [100 + loaded % 100, Math.floor(loaded / 100) % 100, Math.floor(loaded / 10000)]).state, fr.ChunkState.ABSENT);
  assert.equal(world.closestHit(...THROUGH).cell(0), 4);
  for (const at of blocks) module.c.free(at);
  world.loadChunk(0, [-9, 0, 0], ids);
  assert.deepEqual(world.chunkBlocks(0, [-9, 0, 0]), ids);
  assert.equal(world.shoot(line).length, 2);
});
