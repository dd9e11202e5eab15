// SPDX-License-Identifier: Apache-2.0
// Functions that the library calls: effects, tests and filters, and what they throw.
import assert from "node:assert/strict";
import test from "node:test";
import { collect } from "./collect.mjs";
import { failsWith, load } from "./module.mjs";
import { lineThrough, makeWalls, THROUGH } from "./worlds.mjs";

const fr = await load();
const { Response } = fr;
const line = lineThrough(fr);

test("effects are called in order, and respond", () => {
  const { world, stone, glass } = makeWalls(fr), called = [];
  const options = new fr.Options({ onHit: (hit) => { called.push(["own", hit.cell(0)]); } });
  world.onBlockHit(glass, (hit) => { called.push(["glass", hit.cell(0)]); });
  world.onAnyBlockHit((hit) => { called.push(["any", hit.type]); });
  assert.equal(world.shoot(line, options).length, 2);
  assert.deepEqual(called, [["own", 4], ["glass", 4], ["own", 10], ["any", stone]]);
  options.set({ onHit: () => Response.STOP });
  assert.equal(world.shoot(line, options).length, 1);
  options.set({ onHit: null });
  world.onBlockHit(glass);
  world.onAnyBlockHit(undefined);
  called.length = 0;
  assert.equal(world.shoot(line, options).length, 2);
  assert.deepEqual(called, []);
});

test("effects of entities, and terminal tests", () => {
  const { world, glass } = makeWalls(fr), called = [];
  world.entities.add({ id: 5, position: [7, 5.5, 5.5], halfExtents: [0.5, 0.5, 0.5], entityClass: 3 });
  world.onEntityHit(3, (hit) => {
    called.push(hit.id);
    world.entities.remove(hit.entity);
  });
  assert.equal(world.shoot(line).length, 3);
  assert.equal(world.shoot(line).length, 2);
  assert.deepEqual(called, [5]);
  world.onBlockHit(glass, undefined, { isTerminal: (hit) => hit.cell(1) === 5 });
  assert.equal(world.shoot(line).length, 1);
  world.onAnyEntityHit(() => Response.STOP);
});

test("an effect may edit the world and shoot; AGAIN sees the edit", () => {
  const { world, glass } = makeWalls(fr), inner = [];
  const options = new fr.Options({
    onHit: (hit) => {
      if (hit.cell(0) !== 4) return undefined;
      inner.push(world.shoot(line, { solidOnly: true }).length, hit.cell(0));  // the hit is as it was
      world.setBlock(0, 7, 5, 5, glass);
      return Response.AGAIN;
    },
  });
  assert.deepEqual(world.shoot(line, options).toArray().map((hit) => hit.block[0]), [4, 7, 10]);
  assert.deepEqual(inner, [1, 4]);
  let depth = 0;
  const nested = new fr.Options({
    onHit: (hit) => {
      const before = hit.cell(0);
      if (++depth < 4) world.shoot(line, nested);
      assert.equal(hit.cell(0), before);
      return Response.STOP;
    },
  });
  assert.equal(world.shoot(line, nested).length, 1);
  assert.equal(depth, 4);
});

test("an exception ends the query and is thrown again; the world works as before", () => {
  const { world, glass } = makeWalls(fr), boom = new Error("boom");
  const fails = (use) => assert.throws(use, (error) => error === boom);
  const thrower = () => { throw boom; };
  let calls = 0;
  const counting = () => {
    ++calls;
    throw boom;
  };
  fails(() => world.shoot(line, { onHit: counting }));
  fails(() => world.closestHit(...THROUGH, { blockFilter: counting }));
  fails(() => world.occluded(...THROUGH, { blockFilter: counting }));
  fails(() => world.closestHitOn(line, { blockFilter: counting }));
  fails(() => world.closestHits(new Float64Array(THROUGH), { blockFilter: counting }));
  fails(() => world.occludedMany(new Float64Array(THROUGH), { blockFilter: counting }));
  fails(() => world.shootMany(new Float64Array(THROUGH), { onHit: counting }));
  fails(() => world.blocksInSphere([4, 4, 4], 3, { blockFilter: counting }));
  assert.equal(calls, 8);
  const eye = fr.SightQuery.of([1.5, 5.5, 5.5], [12, 5, 5], [13, 6, 6]);
  fails(() => world.visible(eye, { blockFilter: thrower }));
  fails(() => world.exposure(eye, { blockFilter: thrower }));
  world.onBlockHit(glass, thrower);
  fails(() => world.shoot(line));
  world.onBlockHit(glass, undefined, { isTerminal: thrower });
  fails(() => world.shoot(line));
  world.onBlockHit(glass);
  assert.equal(world.shoot(line).length, 2);
  assert.equal(world.closestHit(...THROUGH).cell(0), 4);
});

test("an exception that an effect catches stays within it", () => {
  const { world } = makeWalls(fr);
  let caught = 0;
  const shot = world.shoot(line, {
    onHit: () => {
      try {
        world.shoot(line, { onHit: () => { throw new Error("inner"); } });
      } catch (error) {
        assert.equal(error.message, "inner");
        ++caught;
      }
    },
  });
  assert.deepEqual([shot.length, caught], [2, 2]);
  assert.throws(() => world.shoot(line, { onHit: () => world.shoot(line, { onHit: () => { throw new Error("through"); } }) }),
    { message: "through" });
});

test("answers that are none, and edits where there may be none, are errors", () => {
  const { world, glass } = makeWalls(fr);
  assert.throws(() => world.shoot(line, { onHit: () => "stop" }), { name: "TypeError", message: /the answer of onHit is "stop"; it must be a Response/ });
  assert.throws(() => world.shoot(line, { onHit: async () => {} }), { name: "TypeError", message: /a Promise/ });
  assert.throws(() => world.shoot(line, { onHit: 5 }), { name: "TypeError", message: /onHit is 5; it must be a function/ });
  assert.throws(() => world.onBlockHit(glass, "x"), { name: "TypeError" });
  assert.throws(() => world.closestHit(...THROUGH, { blockFilter: () => world.setBlock(0, 1, 1, 1, glass) }), failsWith("FAILED_PRECONDITION", /./));
  assert.throws(() => world.shoot(line, { onHit: () => world.free() }), failsWith("FAILED_PRECONDITION", /./));
  assert.equal(world.getBlock(0, 1, 1, 1), fr.AIR);
  assert.equal(world.shoot(line).length, 2);
});

// Returns a world of 20 chunks of fog along x, and a line through all of them.
function makeFog() {
  const world = new fr.World(), fog = world.blockTypes.add("fog", fr.Kind.PERMEABLE), long = fr.Line.segment([0.5, 0.5, 0.5], [319.5, 0.5, 0.5]);
  for (let x = 0; x < 20; ++x) world.loadChunk(0, [x, 0, 0], fog);
  return { world, long };
}

test("a filter that throws ends a cursor", () => {
  const { world, long } = makeFog(), filter = (at) => (hit) => {
    if (hit.cell(0) === at) throw new Error("there");
    return true;
  };
  // Filters run ahead of the hits.
  assert.throws(() => world.hitsAlong(long, { blockFilter: filter(0) }).take(1), { message: "there" });
  const cursor = world.hitsAlong(long, { blockFilter: filter(300) });
  assert.equal(cursor.next().cell(0), 0);
  assert.throws(() => cursor.take(310), { message: "there" });
  assert.throws(() => cursor.next(), failsWith("FAILED_PRECONDITION", /has thrown; make another one/));
  cursor.free();
});

test("callbacks live as long as what calls them", async () => {
  const { world, glass } = makeWalls(fr);
  world.onBlockHit(glass, undefined, { isTerminal: () => true });
  const frozen = world.snapshot(), cursor = world.hitsAlong(line, { blockFilter: () => true });
  // Twice: then the world does not even keep those that it has replaced.
  for (let i = 0; i < 2; ++i) world.onBlockHit(glass);
  await collect(5);
  assert.equal(frozen.shoot(line).length, 1);
  assert.ok(cursor.take(9).length >= 1);
  assert.equal(world.shoot(line).length, 2);
});

// Returns an object with a function that uses an object in use, and checks that this is refused, each time it is called.
function misuse(uses) {
  const made = { calls: 0 };
  made.filter = () => {
    for (const use of uses()) assert.throws(use, failsWith("FAILED_PRECONDITION", /is in use by the call that calls back/), String(use));
    ++made.calls;
    return true;
  };
  return made;
}

test("memory that a query uses stays until it has ended", () => {
  const { world } = makeWalls(fr), numbers = new Float64Array(THROUGH), array = new fr.ModuleArray(Float64Array, 6), [ends] = [new fr.ModuleArray(Float64Array, 3)];
  array.view.set(THROUGH);
  ends.view.set(THROUGH.slice(3));
  const hit = new fr.Hits(1), hits = new fr.CompactHits(1), sights = new fr.Occlusions(1), lines = fr.Lines.segments(THROUGH.slice(0, 3), ends), batch = new fr.ShotBatch();
  const options = new fr.Options({ ignore: [5] });
  const check = (uses, call) => {
    const bad = misuse(() => [...uses, () => options.free(), () => options.set({ ignore: [1, 2] })]);
    options.set({ blockFilter: bad.filter });
    call();
    assert.ok(bad.calls > 0, String(call));
  };
  const ofHit = [() => hit.free(), () => hit.reserve(100)];
  check(ofHit, () => world.closestHit(...THROUGH, options, hit));
  check(ofHit, () => world.closestHitOfRay(1.5, 5.5, 5.5, 1, 0, 0, 20, options, hit));
  check(ofHit, () => world.closestHitOn(line, options, hit));
  check(ofHit, () => world.findBlocker(line, options, hit));
  check([], () => world.occluded(...THROUGH, options));
  check([() => hits.free(), () => world.closestHits(numbers, undefined, hits)], () => world.closestHits(numbers, options, hits));
  check([() => hits.free(), () => array.free()], () => world.closestHits(array, options, hits));
  check([() => lines.free(), () => ends.free()], () => world.closestHits(lines, options, hits));
  check([() => sights.free()], () => world.occludedMany(numbers, options, sights));
  check([() => lines.free(), () => ends.free()], () => world.shootMany(lines, options, batch));
  check([], () => world.hitSpans(line, world.closestHit(...THROUGH), { blockFilter: () => true }).concat(world.closestHit(...THROUGH, options)));
  const rays = fr.BlastRays.cubeFan(3, 0.5, 1000);
  check([() => rays.free()], () => world.blast({ center: [7.5, 5.5, 5.5], radius: 8, rays }, options));
  // What no call uses is free.
  const other = new fr.Hits(1);
  world.closestHit(...THROUGH, { blockFilter: () => { other.free(); return true; } });
  for (const each of [hit, hits, sights, lines, ends, array, rays, options]) each.free();
});

test("memory that sight and cursors use stays until they have ended", () => {
  const { world } = makeWalls(fr), hits = new fr.Hits(1), inCursor = misuse(() => [() => hits.free(), () => hits.reserve(500), () => world.hitsAlong(line).take(1, hits)]);
  let isTaking = false;
  const fog = makeFog(), cursor = fog.world.hitsAlong(fog.long, { blockFilter: () => !isTaking || inCursor.filter() });
  isTaking = true;
  assert.equal(cursor.take(320, hits).move(319).cell(0), 319);
  const options = new fr.SightOptions(), moduleArray = (values) => {
    const array = new fr.ModuleArray(Float64Array, 3);
    array.view.set(values);
    return array;
  };
  const eyes = moduleArray([1.5, 5.5, 5.5]), mins = moduleArray([12, 5, 5]), maxs = moduleArray([13, 6, 6]), queries = new fr.SightQueries(eyes, mins, maxs);
  const check = (objects, call) => {
    const bad = misuse(() => [...[...objects, options].map((each) => () => each.free()), () => options.set({ occluders: [] })]);
    options.set({ blockFilter: bad.filter, occluders: [[[0, 0, 0], [1, 1, 1]]] });
    call();
    assert.ok(bad.calls > 0, String(call));
  };
  check([], () => world.visible(fr.SightQuery.of([1.5, 5.5, 5.5], [12, 5, 5], [13, 6, 6]), options));
  check([queries], () => world.visibleMany(queries, options));
  check([queries], () => world.exposures(queries, options));
  check([eyes, mins, maxs], () => world.visibleBoxes(eyes, mins, maxs, options));
  assert.ok(inCursor.calls > 0);
  for (const each of [eyes, mins, maxs, queries, options, hits, cursor]) each.free();
});

test("a shot in use is neither shot again nor freed", () => {
  const { world, glass } = makeWalls(fr), shot = new fr.Shot(1);
  const bad = misuse(() => [() => shot.free(), () => shot.reserve(9), () => shot.reset(), () => world.shoot(line, undefined, shot), () => world.resume(shot)]);
  world.shoot(line, { onHit: () => { bad.filter(); } }, shot);
  world.shoot(line, { blockFilter: bad.filter }, shot);
  assert.deepEqual([bad.calls > 3, shot.length, shot.move(1).cell(0)], [true, 2, 10]);
  world.onBlockHit(glass, () => { bad.filter(); });
  world.shoot(line, undefined, shot);
  world.onBlockHit(glass);
  shot.free();
  // An error that is not caught ends the query.
  const own = new fr.Shot();
  assert.throws(() => world.shoot(line, { onHit: () => own.free() }, own), failsWith("FAILED_PRECONDITION", /the Shot is in use/));
  assert.equal(world.shoot(line, undefined, own).length, 2);
});

test("the line of a shot that may be shot again for want of memory stays", () => {
  const { world, long } = makeFog(), bad = misuse(() => [() => long.free()]);
  assert.equal(world.shoot(long, { blockFilter: bad.filter }, new fr.Shot(1)).move(319).cell(0), 319);
  assert.ok(bad.calls > 320);
  // Effects are called once: their shots have a copy of the line.
  world.shoot(long, { onHit: () => long.free() });
  assert.throws(() => world.shoot(long), failsWith("FAILED_PRECONDITION", /the Line has been freed/));
});

test("a hit of a callback is not to be kept", () => {
  const { world } = makeWalls(fr);
  let kept = null;
  world.shoot(line, { onHit: (hit) => { kept = hit; } });
  for (const use of [() => kept.copy(), () => kept.clone(), () => world.reflect(line, kept), () => world.hitSpans(line, kept)]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the hit is one of a callback that has returned; keep hit\.copy\(\)/), String(use));
  }
  assert.throws(() => world.shoot(line, { onHit: (hit) => world.closestHit(...THROUGH, undefined, hit) }), { name: "TypeError", message: /it must be a Hits/ });
});
