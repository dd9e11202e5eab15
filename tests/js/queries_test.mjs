// SPDX-License-Identifier: Apache-2.0
// Queries along one line, options and cursors.
import assert from "node:assert/strict";
import test from "node:test";
import { PLAIN } from "../../bindings/js/src/layout.js";
import { failsWith, load } from "./module.mjs";
import { lineThrough, makeWalls, THROUGH } from "./worlds.mjs";

const fr = await load();
const { HitKind, Line, Occlusion, Options } = fr;
const { world, stone, glass } = makeWalls(fr);
const line = lineThrough(fr);

test("the closest hit has its members", () => {
  const hit = world.closestHit(...THROUGH);
  assert.deepEqual([hit.kind, hit.isBlock, hit.isEntity, hit.type, hit.level], [HitKind.BLOCK, true, false, glass, 0]);
  assert.deepEqual([hit.cell(0), hit.cell(1), hit.cell(2), hit.cellBig(0)], [4, 5, 5, 4n]);
  assert.deepEqual([hit.face, hit.faceAxis, hit.faceSign, hit.distance, hit.point(0), hit.normal(0)], ["-x", 0, -1, 2.5, 4, -1]);
  assert.ok(Math.abs(hit.t - 2.5 / 13) < 1e-12 && Math.abs(hit.tExit - 3.5 / 13) < 1e-12);
  assert.deepEqual([hit.startInside, hit.terminal], [false, false]);
  const copy = hit.copy();
  assert.deepEqual([copy.block, copy.type, copy.point, copy.normal, copy.face], [[4, 5, 5], glass, [4, 5.5, 5.5], [-1, 0, 0], "-x"]);
  assert.equal(world.closestHit(1.5, 5.5, 5.5, 3.5, 5.5, 5.5), null);
  const inside = world.closestHit(10.5, 5.5, 5.5, 14.5, 5.5, 5.5);
  assert.deepEqual([inside.startInside, inside.face, inside.copy().normal], [true, null, null]);
});

test("rays, lines and numbers have the same hits", () => {
  const hits = new fr.Hits();
  assert.equal(world.closestHitOn(line, undefined, hits), hits);
  assert.deepEqual(world.closestHit(...THROUGH).copy(), hits.copy());
  const ray = world.closestHitOfRay(1.5, 5.5, 5.5, 7, 0, 0, 13).copy();
  assert.deepEqual([ray.block, ray.distance, ray.face], [[4, 5, 5], 2.5, "-x"]);
  assert.equal(world.closestHitOfRay(1.5, 5.5, 5.5, 7, 0, 0, 2.25), null);
  assert.deepEqual(world.closestHitOfRay(1.5, 5.5, 5.5, 0, -1e-9, 0).copy().block, [1, 0, 5]);
  assert.deepEqual(world.closestHitOfRay(1.5, 5.5, 5.5, 1, 0, 0, Infinity).copy().block, [4, 5, 5]);
});

test("options select what is hit", () => {
  const solid = new Options({ solidOnly: true });
  assert.equal(world.closestHit(...THROUGH, solid).cell(0), 10);
  assert.equal(world.closestHit(...THROUGH, { solidOnly: true }).cell(0), 10);
  assert.equal(world.closestHit(...THROUGH, { noBlocks: true }), null);
  solid.set({ noBlocks: true });
  assert.equal(world.closestHit(...THROUGH, solid), null);
  solid.set({ noBlocks: false, solidOnly: false });
  assert.equal(world.closestHit(...THROUGH, solid).cell(0), 4);
  solid.free();
  for (const use of [() => world.closestHit(...THROUGH, solid), () => world.occluded(...THROUGH, solid), () => world.shoot(line, solid),
    () => world.closestHits(new Float64Array(THROUGH), solid), () => solid.set({ maxHits: 1 })]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the options have been freed/), String(use));
  }
  assert.equal(world.closestHit(...THROUGH, { blockFilter: (hit) => hit.type !== glass }).cell(0), 10);
  assert.equal(world.closestHit(...THROUGH, { levels: [0] }).cell(0), 4);
});

test("lines of sight", () => {
  assert.equal(world.occluded(...THROUGH), Occlusion.BLOCKED);
  assert.equal(world.occluded(1.5, 5.5, 5.5, 9.5, 5.5, 5.5), Occlusion.CLEAR);
  assert.equal(world.occludedOn(line), Occlusion.BLOCKED);
  assert.equal(world.occluded(1.5, 5.5, 5.5, 1.5, 40, 5.5, { reportUnknown: true }), Occlusion.UNKNOWN);
  const blocker = new fr.Hits();
  assert.equal(world.findBlocker(line, undefined, blocker), Occlusion.BLOCKED);
  assert.deepEqual([blocker.type, blocker.cell(0)], [stone, 10]);
  assert.equal(world.findBlocker(Line.segment([1, 5, 5], [2, 5, 5])), Occlusion.CLEAR);
  assert.equal(world.hit.kind, HitKind.NONE);
});

test("a shot has all hits, and its answer", () => {
  const shot = world.shoot(line);
  assert.deepEqual([shot.length, shot.terminated, shot.truncated, shot.unknownFrom, shot.stoppedAt, shot.budgets], [2, true, false, null, null, null]);
  assert.deepEqual(shot.toArray().map((hit) => [hit.type, hit.block[0], hit.terminal]), [[glass, 4, false], [stone, 10, true]]);
  assert.deepEqual([...shot].length, 2);
  assert.ok(shot.stats.cells > 0);
  assert.deepEqual(shot.versions, world.versions);
  assert.deepEqual(shot.line.startUnits, [98304n, 360448n, 360448n]);
  const again = world.shoot(line, { maxHits: 1 }, shot);
  assert.equal(again, shot);
  assert.deepEqual([shot.length, shot.truncated, shot.terminated], [1, true, false]);
  assert.equal(world.resume(shot), shot);
  assert.deepEqual([shot.length, shot.terminated], [2, true]);
  const up = world.shoot(Line.segment([1.5, 5.5, 5.5], [1.5, 20, 5.5]), { reportUnknown: true });
  assert.ok(Math.abs(up.unknownFrom - 10.5 / 14.5) < 1e-12);
  // There is memory for more hits than there are.
  for (const i of [2, 99]) assert.throws(() => shot.move(i), failsWith("OUT_OF_RANGE", new RegExp(`there is no hit ${i} in an array of 2`)));
  assert.throws(() => new fr.Hits(4).move(0), failsWith("OUT_OF_RANGE", /there is no hit 0 in an array of 0/));
  assert.throws(() => shot.move(1.5), failsWith("INVALID_ARGUMENT", /the hit is 1\.5; it must be an integer/));
});

test("a shot to which another query writes has no answer, and is not resumed", () => {
  for (const query of [(shot) => world.closestHit(...THROUGH, undefined, shot), (shot) => world.closestHitOn(line, undefined, shot)]) {
    const shot = world.shoot(line, { maxHits: 1 });
    assert.equal(query(shot), shot);
    assert.deepEqual([shot.length, shot.truncated, shot.versions], [1, false, [0, 0]]);
    assert.throws(() => world.resume(shot), failsWith("INVALID_ARGUMENT", /the shot lacks some of its hits/));
    assert.equal(world.shoot(line, undefined, shot).length, 2);
  }
});

test("a shot grows its memory for many hits", () => {
  const many = new fr.World(), air = many.blockTypes.add("fog", fr.Kind.PERMEABLE);
  for (let x = 0; x < 20; ++x) many.loadChunk(0, [x, 0, 0], air);
  const long = Line.segment([0.5, 0.5, 0.5], [319.5, 0.5, 0.5]), shot = many.shoot(long, undefined, new fr.Shot(1));
  assert.deepEqual([shot.length, shot.move(319).cell(0)], [320, 319]);
  let calls = 0;
  const called = many.shoot(long, { onHit: () => { ++calls; } }, new fr.Shot(1));
  assert.deepEqual([called.length, calls], [320, 320]);
  assert.deepEqual(called.toArray(), shot.toArray());
});

test("a shot with effects has all hits of several pieces, in each depth", () => {
  const many = new fr.World(), fog = many.blockTypes.add("fog", fr.Kind.PERMEABLE), count = 9000;
  for (let x = 0; x < Math.ceil(count / 16); ++x) many.loadChunk(0, [x, 0, 0], fog);
  const long = Line.segment([0.5, 0.5, 0.5], [count - 0.5, 0.5, 0.5]), whole = many.shoot(long).toArray(), inner = [];
  const effect = (hit) => {
    if (hit.cell(0) % 4000 === 5) inner.push(many.shoot(long, { onHit: () => { ++calls; } }).length);
    ++calls;
  };
  let calls = 0;
  const shot = many.shoot(long, { onHit: effect });
  assert.deepEqual([shot.length, calls, inner], [count, 4 * count, [count, count, count]]);
  assert.deepEqual(shot.toArray(), whole);
  const part = many.shoot(long, { maxHits: 5000, onHit: () => undefined }, new fr.Shot(1));
  assert.deepEqual([part.length, part.truncated], [5000, true]);
  assert.deepEqual(many.resume(part, { onHit: () => undefined }).toArray(), whole);
});

test("steps that run out end a shot with its hits so far", () => {
  const long = Line.segment([1.5, 5.5, 5.5], [9.5, 5.5, 5.5]);
  const whole = world.shoot(long), { cells } = whole.stats;
  assert.throws(() => world.shoot(long, { maxSteps: Math.max(cells - 3, 1) }), (error) => {
    assert.equal(error.code, "RESOURCE_EXHAUSTED");
    assert.ok(error.shot instanceof fr.Shot);
    world.resume(error.shot);
    assert.deepEqual(error.shot.toArray(), whole.toArray());
    return true;
  });
});

test("entities of earlier hits are recognized by their ids on request", () => {
  const [here, there] = [[1, 2, 3], [3, 2, 1]].map((ids) => {
    const made = new fr.World();
    for (const id of ids) made.entities.add({ id, position: [4 * id, 2.5, 2.5], radius: 1 });
    return made;
  });
  const row = Line.segment([0.5, 2.5, 2.5], [15, 2.5, 2.5]), first = here.shoot(row, { maxHits: 1 }).move(0).clone();
  const resumed = (options) => there.shoot(row, { after: first, ...options }).toArray().map((hit) => hit.id);
  assert.deepEqual(resumed({ afterById: true }), [2, 3]);
  assert.deepEqual(resumed({}), [2]);
});

test("resuming after hits, ignored entities, channels and corners", () => {
  const shot = world.shoot(line), first = shot.move(0).clone();
  assert.equal(world.shoot(line, { after: first }).toArray()[0].block[0], 10);
  assert.equal(world.closestHitOn(line, { after: [first] }).cell(0), 10);
  assert.throws(() => new Options({ after: [{}] }), { name: "TypeError", message: /after is an array of 1; it must be Hits/ });
  const id = world.entities.add({ id: 7, position: [2.5, 5.5, 5.5], radius: 0.25, categories: 4 });
  const hit = world.closestHit(...THROUGH);
  assert.deepEqual([hit.isEntity, hit.entity, hit.id, hit.idBig, hit.categories, hit.isBox, hit.face], [true, id, 7, 7n, 4, false, null]);
  for (const options of [{ ignore: [7] }, { ignore: [7n, 9] }, { categories: 3 }, { noEntities: true }, { categories: 0 },
    { entityFilter: (each) => each.id !== 7 }]) {
    assert.equal(world.closestHit(...THROUGH, options).isBlock, true, JSON.stringify(Object.keys(options)));
  }
  assert.equal(world.closestHit(...THROUGH, { categories: 2n ** 63n + 4n }).id, 7);
  assert.equal(world.occluded(1.5, 5.5, 5.5, 3.5, 5.5, 5.5, { entitiesBlock: true }), Occlusion.BLOCKED);
  world.entities.remove(id);
});

test("a cursor returns the hits one by one, in the world as it is", () => {
  const own = makeWalls(fr), cursor = own.world.hitsAlong(line);
  assert.equal(cursor.next().cell(0), 4);
  own.world.setBlock(0, 6, 5, 5, own.glass);
  own.world.setBlock(0, 10, 5, 5, fr.AIR);
  assert.deepEqual(cursor.take(5).toArray().map((hit) => hit.block[0]), [6]);
  assert.equal(cursor.next(), null);
  assert.equal(cursor.answer.terminated, false);
  cursor.free();
  assert.throws(() => cursor.next(), failsWith("FAILED_PRECONDITION", /the HitCursor has been freed/));
  const seen = [];
  for (const hit of own.world.hitsAlong(line, { solidOnly: true })) seen.push(hit.cell(0));
  for (const hit of own.world.hitsAlong(line)) {
    seen.push(hit.cell(0));
    break;
  }
  assert.deepEqual(seen, [4]);
});

test("lines: parts, points, reflections, chunks", () => {
  const shot = world.shoot(line, { solidOnly: true }), hit = shot.move(0);
  const image = world.reflect(line, hit);
  assert.ok(Math.abs(image.end[0] - 5.5) < 1e-3, String(image.end));
  assert.deepEqual(world.hitSpans(line, hit).length, 1);
  const [[from, to]] = world.hitSpans(line, hit);
  assert.ok(Math.abs(from - hit.t) < 1e-12 && Math.abs(to - hit.tExit) < 1e-12);
  assert.deepEqual(world.levelParts(line), [{ level: 0, t0: 0, t1: 1 }]);
  const chunks = world.chunksOn(Line.segment([1.5, 5.5, 5.5], [40, 5.5, 5.5]));
  assert.deepEqual(chunks.map(({ chunk, state }) => [chunk, state]), [[[0, 0, 0], 2], [[1, 0, 0], 0], [[2, 0, 0], 0]]);
  assert.equal(world.chunksOn(Line.segment([1.5, 5.5, 5.5], [40, 5.5, 5.5]), { loadedOnly: true }).length, 1);
  assert.deepEqual([line.start, line.end, line.length, line.lastTime, line.pointAt(0.5)], [[1.5, 5.5, 5.5], [14.5, 5.5, 5.5], 13, 1, [8, 5.5, 5.5]]);
  const units = Line.units([0, 0, 0n], [2n ** 54n + 1n, 0, 65536]);
  assert.deepEqual(units.endUnits, [2n ** 54n + 1n, 0n, 65536n]);
  const ray = Line.ray([0.5, 0.5, 0.5], [1, 0, 0], 4, [[0, 0, 0], [2, 2, 2]]);
  assert.ok(Math.abs(ray.pointAt(ray.lastTime)[0] - 2) < 1e-9);
  assert.throws(() => Line.ray([0, 0, 0], [0, 0, 0]), failsWith("INVALID_ARGUMENT", /direction/));
  assert.throws(() => Line.segment([0, 0, NaN], [0, 0, 0]), failsWith("INVALID_ARGUMENT", /^the start\[2\] is NaN/));
  assert.throws(() => world.closestHitOn(new Line()), failsWith("INVALID_ARGUMENT", /./));
  assert.throws(() => world.shoot([0, 0, 0]), { name: "TypeError", message: /the line is an array of 3; it must be a Line/ });
});

test("numbers that are none are named", () => {
  assert.throws(() => world.closestHit(0, 0, 0, 1, NaN, 1), failsWith("INVALID_ARGUMENT", /^y1 is NaN/));
  assert.throws(() => world.closestHit(0, 0, 0, 1, 1), { name: "TypeError", message: /^z1 is undefined; it must be a number/ });
  assert.throws(() => world.closestHit([0, 0, 0], [1, 1, 1]), { name: "TypeError", message: /^x0 is an array of 3/ });
  assert.throws(() => world.closestHit(null, 0, 0, 1, 1, 1), { name: "TypeError", message: /^x0 is null/ });
  assert.throws(() => world.occluded(0, "0", 0, 1, 1, 1), { name: "TypeError", message: /^y0 is "0"/ });
  assert.throws(() => world.closestHitOfRay(0, 0, 0, 1, 0, 0, NaN), failsWith("INVALID_ARGUMENT", /^maxDistance is NaN/));
  assert.throws(() => world.closestHitOfRay(0, 0, 0, 0, 0, 0, 4), failsWith("INVALID_ARGUMENT", /direction/));
  assert.throws(() => world.closestHit(0, 0, 0, Infinity, 0, 0), failsWith("INVALID_ARGUMENT", /./));
  assert.throws(() => world.closestHit(0, 0, 0, 1e30, 0, 0), failsWith("OUT_OF_RANGE", /./));
  assert.throws(() => new Options({ solidonly: true }), failsWith("INVALID_ARGUMENT", /the options: there is no solidonly; there are .*levels/));
  assert.throws(() => world.closestHit(...THROUGH, { levels: 0 }), { name: "TypeError", message: /levels is 0; give an array/ });
  assert.throws(() => world.closestHit(...THROUGH, { levels: [10] }), failsWith("OUT_OF_RANGE", /a level of the query is 10/));
  assert.throws(() => world.closestHit(...THROUGH, { levels: [] }), failsWith("INVALID_ARGUMENT", /level/));
  assert.throws(() => world.closestHit(...THROUGH, { corner: "both" }), failsWith("INVALID_ARGUMENT", /corner is both; it must be one of BOTH/));
  assert.throws(() => world.closestHit(...THROUGH, { channel: 5 }), failsWith("INVALID_ARGUMENT", /channel/));
  assert.throws(() => world.closestHit(...THROUGH, { categories: 1.5 }), failsWith("INVALID_ARGUMENT", /categories is 1\.5/));
  assert.throws(() => world.closestHit(...THROUGH, { categories: -1n }), failsWith("OUT_OF_RANGE", /categories is -1n/));
  assert.throws(() => world.closestHit(...THROUGH, 5), { name: "TypeError" });
});

test("rules charge budgets", () => {
  const rules = new fr.Rules(), force = rules.addBudget(2);
  rules.setBlock(glass, fr.Rule.cost(force, { perHit: 1.5 }));
  rules.setEntities(4, fr.Rule.stop(), [0]);
  const shot = world.shoot(line, { rules });
  assert.deepEqual([shot.length, shot.budgets[force], shot.stoppedAt], [2, 0.5, null]);
  const poor = world.shoot(line, { rules, budgets: [1] });
  assert.deepEqual([poor.length, poor.terminated], [1, true]);
  assert.ok(poor.stoppedAt > 0);
  rules.setBlock(glass, fr.Rule.proceed());
  assert.equal(world.shoot(line, { rules, budgets: [1] }).length, 2);
  assert.throws(() => rules.setBlock(glass, fr.Rule.cost(7)), failsWith("INVALID_ARGUMENT", /budget/));
  assert.throws(() => fr.Rule.cost(0, { per_hit: 1 }), failsWith("INVALID_ARGUMENT", /there is no per_hit/));
  rules.free();
  assert.throws(() => new Options({ rules }), failsWith("FAILED_PRECONDITION", /the Rules has been freed/));
});

test("a hit is Hits of memory", () => {
  const query = fr.SightQuery.of([0, 0, 0], [1, 1, 1], [2, 2, 2]), before = query.eyeUnits, compact = new fr.CompactHits(1);
  for (const hit of [line, query, compact, {}, null, 5]) {
    for (const use of [() => world.closestHit(...THROUGH, undefined, hit), () => world.closestHit(...THROUGH, { solidOnly: true }, hit),
      () => world.closestHitOfRay(1.5, 5.5, 5.5, 1, 0, 0, 20, undefined, hit), () => world.closestHitOn(line, undefined, hit),
      () => world.findBlocker(line, undefined, hit), () => world.hitsAlong(line).next(hit), () => world.hitsAlong(line).take(2, hit),
      () => world.shootMany(new Float64Array(THROUGH)).hitsOf(0, hit), () => world.fullHit(line, world.closestHits(new Float64Array(THROUGH)), hit)]) {
      assert.throws(use, { name: "TypeError", message: /^the hit is .*; it must be a Hits/ }, String(use));
    }
  }
  assert.deepEqual([query.eyeUnits, line.start], [before, THROUGH.slice(0, 3)]);
  assert.equal(world.closestHit(...THROUGH, undefined, new fr.Shot()).cell(0), 4);
});

test("options that are refused leave those before in memory", () => {
  const rules = new fr.Rules(), force = rules.addBudget(1), others = [];
  rules.setBlock(glass, fr.Rule.cost(force, { perHit: 1.5 }));
  const options = new Options({ rules, budgets: [2], ignore: [7], after: world.closestHit(...THROUGH).clone() });
  for (const bad of [{ budgets: [NaN] }, { budgets: [1, "2"] }, { ignore: [7, 1.5] }, { after: [{}] }, { after: [, new fr.Hits(1)] }, { rules: {} }, { blockFilter: () => false, entityFilter: 5 }]) {
    assert.throws(() => options.set(bad), String(Object.keys(bad)));
    // Takes memory that has been freed.
    for (let i = 0; i < 20; ++i) others.push(new fr.ModuleArray(Float64Array, 8));
    for (const each of others) each.view.fill(1e9);
  }
  assert.deepEqual(world.shoot(line, options).toArray().map((hit) => hit.block[0]), [10]);
  options.set({ after: [] });
  assert.equal(world.shoot(line, options).budgets[force], 0.5);
  for (const each of [...others, options, rules]) each.free();
});

test("options that are refused stay as they were, all of them", () => {
  const id = world.entities.add({ id: 7, position: [2.5, 5.5, 5.5], radius: 0.25 }), rules = new fr.Rules();
  const options = new Options({ ignore: [9] }), want = world.shoot(line, options).toArray();
  assert.deepEqual(want.map((hit) => hit.id ?? hit.block[0]), [7, 4, 10]);
  for (const bad of [{ categories: 0, maxHits: -1 }, { noBlocks: true, solidOnly: true, corner: 9 }, { ignore: [7], after: want }, { levels: [9], maxSteps: 0.5 },
    { noEntities: true, onHit: () => fr.Response.STOP, budgets: ["1"] }, { blockFilter: () => false, entityFilter: 5 }, { rules, channel: -1 }]) {
    assert.throws(() => options.set(bad), String(Object.keys(bad)));
    options.set({});
    assert.deepEqual(world.shoot(line, options).toArray(), want, String(Object.keys(bad)));
  }
  options.set({ categories: 0 });
  assert.throws(() => options.set({ categories: 1, maxHits: -1 }));
  options.set({});
  assert.equal(world.shoot(line, options).length, 2);
  world.entities.remove(id);
  for (const each of [options, rules]) each.free();
});

test("options of undefined are the defaults", () => {
  const first = world.closestHit(...THROUGH).clone(), want = world.shoot(line).toArray(), rules = new fr.Rules();
  const others = ["levels", "corner", "ignore", "after", "rules", "budgets", "blockFilter", "entityFilter", "onHit"];
  const none = Object.fromEntries([...others, ...Object.keys(PLAIN.QueryOptions)].map((name) => [name, undefined]));
  const options = new Options({ solidOnly: true, ignore: [7], after: first, maxHits: 1, rules, budgets: [1], corner: fr.Corner.NEITHER, blockFilter: () => false });
  assert.deepEqual(world.shoot(line, options.set(none)).toArray(), want);
  assert.deepEqual(world.shoot(line, none).toArray(), want);
  rules.setBlock(glass, { kind: fr.Rule.stop().kind, perHit: undefined, perPane: undefined });
  assert.equal(world.shoot(line, { rules }).length, 1);
  for (const each of [first, options, rules]) each.free();
});

test("names that are no options, and options without effect, are refused", () => {
  const lines = fr.Lines.of([line]), eye = [7.5, 5.5, 5.5], blast = { center: eye, radius: 3, rays: fr.BlastRays.cubeFan(2, 0.5, 9) }, own = { levels: [0] };
  for (const [name, use] of [["level", () => world.chunksOn(line, { level: [0] })], ["width", () => new fr.Walk([0, 0], [1, 1], { width: 2 })],
    ["width", () => fr.walkMany(lines, { width: 2 })], ["type", () => world.visibleBlocks(eye, 3, undefined, { type: [stone] })],
    ["terminal", () => world.onBlockHit(glass, undefined, { terminal: () => true })], ["terminal", () => world.onEntityHit(1, undefined, { terminal: () => true })]]) {
    assert.throws(use, failsWith("INVALID_ARGUMENT", new RegExp(`there is no ${name}; there are`)), String(use));
  }
  for (const use of [() => world.visibleBlocks(eye, 3, undefined, { targets: own }), () => world.blast(blast, undefined, own)]) {
    assert.throws(use, failsWith("INVALID_ARGUMENT", /have levels of their own; give the levels of this query in the options/), String(use));
  }
  assert.equal(world.visibleBlocks(eye, 3, own, { targets: own }).visible.length, world.visibleBlocks(eye, 3).visible.length);
  assert.equal(world.blast(blast, own, own).samples, world.blast(blast).samples);
});
