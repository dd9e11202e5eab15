// SPDX-License-Identifier: Apache-2.0
// Many queries at once.
import assert from "node:assert/strict";
import test from "node:test";
import { memory } from "../../bindings/js/src/module.js";
import { failsWith, load, random } from "./module.mjs";
import { makeWalls, THROUGH } from "./worlds.mjs";

const fr = await load();
const { CompactHits, HitKind, Line, Lines, ModuleArray, Occlusion, Occlusions, Options } = fr;
const { world } = makeWalls(fr);
world.entities.add({ id: 2n ** 53n + 1n, position: [7, 5.5, 5.5], radius: 0.5 });
world.entities.add({ id: 8, position: [7, 12, 5.5], halfExtents: [0.5, 0.5, 0.5] });

// Returns six numbers for each of many random segments.
function segments(count, seed) {
  const next = random(seed);
  return Float64Array.from({ length: 6 * count }, () => 18 * next() - 1);
}

test("first hits are those of single queries", () => {
  const count = 3000, lines = segments(count, 1), hits = world.closestHits(lines);
  assert.deepEqual([hits.length, hits.errors, hits.firstError, hits.summary.completed], [count, 0, "", count]);
  let found = 0;
  for (let i = 0; i < count; ++i) {
    const brief = hits.move(i), [a, b, c, d, e, f] = lines.subarray(6 * i, 6 * i + 6), hit = world.closestHit(a, b, c, d, e, f);
    assert.equal(brief.result, 0);
    assert.equal(brief.index, i);
    if (hit === null) {
      assert.equal(brief.kind, HitKind.NONE);
      continue;
    }
    ++found;
    assert.deepEqual([brief.kind, brief.t, brief.tExit, brief.level, brief.face, brief.startInside, brief.terminal, brief.isBlock],
      [hit.kind, hit.t, hit.tExit, hit.level, hit.face, hit.startInside, hit.terminal, hit.isBlock]);
    if (hit.isBlock) assert.deepEqual([brief.block(0), brief.block(1), brief.block(2), brief.type], [hit.cell(0), hit.cell(1), hit.cell(2), hit.type]);
    else assert.deepEqual([brief.entity, brief.idBig], [hit.entity, hit.idBig]);
    if (i % 100 === 0) {
      const line = Line.segment([a, b, c], [d, e, f]);
      assert.deepEqual(world.fullHit(line, brief).copy(), hit.copy());
    }
  }
  assert.ok(found > count / 4);
  const sights = world.occludedMany(lines), answers = sights.toArray();
  for (let i = 0; i < count; ++i) {
    const [a, b, c, d, e, f] = lines.subarray(6 * i, 6 * i + 6);
    assert.equal(answers[i], world.occluded(a, b, c, d, e, f));
    assert.equal(sights.answer(i), answers[i]);
    assert.equal(sights.move(i).kind === HitKind.NONE, answers[i] !== Occlusion.BLOCKED);
  }
});

test("lines of any form have the same answers", () => {
  const count = 100, lines = segments(count, 2), options = new Options({ solidOnly: true });
  const part = (offset, Type = Float64Array) => Type.from({ length: 3 * count }, (_, i) => lines[6 * Math.floor(i / 3) + offset + (i % 3)]);
  const toUnits = (numbers) => BigInt64Array.from(numbers, (each) => BigInt(Math.round(each * 65536)));
  const inModule = new ModuleArray(Float64Array, 6 * count);
  inModule.view.set(lines);
  const answer = (given) => {
    const hits = world.closestHits(given, options);
    return Array.from({ length: hits.length }, (_, i) => [hits.move(i).kind, hits.block(0), hits.block(1), hits.block(2)].join());
  };
  const want = answer(lines);
  const starts = new ModuleArray(Float64Array, 3 * count);
  starts.view.set(part(0));
  for (const given of [inModule, Lines.segments(part(0), part(3)), Lines.segments(starts, part(3)), Lines.segments([...part(0)], part(3)),
    Lines.units(toUnits(part(0)), toUnits(part(3))),
    Lines.of(want.map((_, i) => Line.segment(part(0).subarray(3 * i, 3 * i + 3), part(3).subarray(3 * i, 3 * i + 3))))]) {
    assert.deepEqual(answer(given), want);
    given.free();
  }
  const float = Lines.segments(part(0, Float32Array), part(3, Float32Array));
  assert.equal(world.closestHits(float, options).length, count);
  const rays = Lines.rays([1.5, 5.5, 5.5], new Float64Array([1, 0, 0, 0, -2, 0, -1, 0, 0]), [20, 20, 0.25]);
  const hits = world.closestHits(rays, options);
  assert.deepEqual([0, 1, 2].map((i) => [hits.move(i).kind, hits.face]), [[2, null], [1, "+y"], [0, null]].map(([kind, face]) => [kind, face]));
  const bounded = world.closestHits(Lines.rays([1.5, 5.5, 5.5], [1, 0, 0], undefined, [[0, 0, 0], [3, 9, 9]]));
  assert.equal(bounded.move(0).kind, HitKind.NONE);
});

test("members of lines: levels, ignored entities, hits to resume after", () => {
  const one = new Float64Array([1.5, 5.5, 5.5]), ends = new Float64Array([9.5, 5.5, 5.5, 9.5, 5.5, 5.5]), first = world.closestHit(1.5, 5.5, 5.5, 9.5, 5.5, 5.5).clone();
  const kinds = (given, options = undefined) => {
    const hits = world.closestHits(given, options);
    return [0, 1].map((i) => [hits.move(i).kind, hits.result]);
  };
  assert.deepEqual(kinds(Lines.segments(one, ends, { ignore: [[], [2n ** 53n + 1n]] }), { noBlocks: true }), [[2, 0], [0, 0]]);
  assert.deepEqual(kinds(Lines.segments(one, ends, { ignore: [5, 2n ** 53n + 1n] }), { noBlocks: true }), [[2, 0], [0, 0]]);
  assert.deepEqual(kinds(Lines.segments(one, ends, { levels: [1, 2] })), [[1, 0], [0, 3]]);
  assert.deepEqual(kinds(Lines.segments(one, ends, { after: [first, []] })), [[2, 0], [1, 0]]);
  assert.throws(() => Lines.segments(one, ends, { levels: [1] }), failsWith("INVALID_ARGUMENT", /levels has 1 elements; it must have 2/));
  assert.throws(() => Lines.segments(one, ends, { ignored: [] }), failsWith("INVALID_ARGUMENT", /there is no ignored/));
});

test("an error of one line stops no other one", () => {
  const lines = segments(5, 3);
  lines[6 * 2 + 1] = NaN;
  const hits = world.closestHits(lines), sights = world.occludedMany(lines);
  assert.deepEqual([hits.errors, hits.summary.errors, hits.move(2).result, hits.kind, hits.move(1).result], [1, 1, 3, HitKind.NONE, 0]);
  assert.match(hits.firstError, /NaN|nan/);
  assert.deepEqual([sights.errors, sights.move(2).result], [1, 3]);
});

test("answers are used again, and unknown space is reported", () => {
  const hits = new CompactHits(10), up = new Float64Array([1.5, 5.5, 5.5, 1.5, 26.5, 5.5]);
  assert.equal(world.closestHits(up, { reportUnknown: true }, hits), hits);
  assert.ok(Math.abs(hits.unknownFrom - 0.5) < 1e-12);
  assert.ok(Number.isNaN(world.closestHits(new Float64Array(THROUGH), { reportUnknown: true }, hits).unknownFrom));
  const sights = new Occlusions(1);
  assert.equal(world.occludedMany(up, { reportUnknown: true }, sights).answer(0), Occlusion.UNKNOWN);
  assert.throws(() => world.closestHits(segments(11, 1), undefined, hits), failsWith("INVALID_ARGUMENT", /11 lines, and memory for 10/));
  assert.throws(() => world.closestHits(new Float64Array(7)), failsWith("INVALID_ARGUMENT", /the lines have 7 numbers; give six/));
  assert.throws(() => world.closestHits([1, 2, 3, 4, 5, 6]), { name: "TypeError", message: /give Lines, a Float64Array/ });
  assert.throws(() => world.closestHits(up, undefined, sights), { name: "TypeError", message: /must be a CompactHits/ });
  assert.equal(world.closestHits(new Float64Array(0)).length, 0);
  hits.free();
  assert.throws(() => world.closestHits(up, undefined, hits), failsWith("FAILED_PRECONDITION", /freed/));
});

test("many shots, with effects in order, and steps that run out", () => {
  const count = 200, lines = segments(count, 4), seen = [];
  const batch = world.shootMany(lines, { onHit: (hit) => { seen.push(hit.t); } });
  assert.equal(batch.length, count);
  const want = [];
  for (let i = 0; i < count; ++i) {
    const shot = world.shoot(Line.segment(lines.subarray(6 * i, 6 * i + 3), lines.subarray(6 * i + 3, 6 * i + 6)));
    assert.deepEqual(batch.hitsOf(i).toArray(), shot.toArray());
    assert.deepEqual([batch.answer(i).terminated, batch.answer(i).progress], [shot.terminated, fr.Progress.DONE]);
    want.push(...shot.toArray().map((hit) => hit.t));
  }
  assert.deepEqual(seen, want);
  assert.equal(batch.summary.hits, want.length);
  const limited = new Options({ maxBatchSteps: 500 }), prepared = Lines.segments(lines.subarray(0, 3), lines.subarray(3, 6 * 20 - 3));
  const part = world.shootMany(lines, limited);
  assert.ok(part.summary.completed < count);
  let rounds = 0;
  while (part.summary.completed < count && ++rounds < 1000) world.resumeMany(lines, part, limited);
  assert.equal(part.summary.completed, count);
  for (let i = 0; i < count; i += 7) assert.deepEqual(part.hitsOf(i).toArray(), batch.hitsOf(i).toArray());
  assert.ok(prepared.length > 1);
  assert.throws(() => batch.hits(want.length, 1), failsWith("OUT_OF_RANGE", /./));
  batch.free();
  assert.throws(() => batch.summary, failsWith("FAILED_PRECONDITION", /the ShotBatch has been freed/));
});

test("walks of many lines, and of one", () => {
  const walks = fr.walkMany(Lines.segments([0.5, 0.5, 0.5], new Float64Array([3.5, 0.5, 0.5, 0.5, 2.5, 0.5, NaN, 0, 0])));
  assert.deepEqual([...walks.offsets], [0, 4, 7, 7]);
  assert.deepEqual([...walks.cells.subarray(0, 12)], [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0]);
  assert.ok(Math.abs(walks.times[1] - 0.5 / 3) < 1e-12);
  assert.deepEqual([walks.errors, [...walks.results]], [1, [0, 0, 3]]);
  assert.equal(fr.walkMany(Lines.segments([0.5, 0.5, 0.5], [5000.5, 0.5, 0.5])).offsets[1], 5001);
  const walk = new fr.Walk([0.5, 0.5], [2.5, 1.5], { corner: fr.Corner.NEITHER });
  assert.equal(walk.crossings, 3);
  const cells = [...walk];
  assert.deepEqual([cells[0].cell, cells[0].face, cells[1].exact.length], [[0, 0], null, 2]);
  assert.ok(walk.isFree);
  assert.deepEqual([...new fr.Walk([0.5, 0.5, 0.5], [4.5, 0.5, 0.5], { widths: [2, 1, 1] })].map(({ cell }) => cell[0]), [0, 1, 2]);
  assert.throws(() => new fr.Walk([0, 0], [1, 1], { widths: 0.1 }), failsWith("INVALID_ARGUMENT", /widths\[0\] is 0\.1, which is not a multiple/));
  assert.throws(() => new fr.Walk([0, 0], [1, 1, 1]), failsWith("INVALID_ARGUMENT", /the same for both/));
  assert.deepEqual(fr.toUnits([0.5, -1]), [32768n, -65536n]);
});

test("arrays that are read in place must not be freed", () => {
  const starts = new ModuleArray(Float64Array, 6), distances = new ModuleArray(Float64Array, 2), options = new Options();
  starts.view.set([1.5, 5.5, 5.5, 1.5, 6.5, 5.5]);
  distances.view.fill(9);
  const lines = [Lines.segments(starts, [9.5, 5.5, 5.5]), Lines.rays([1.5, 5.5, 5.5], new Float64Array([1, 0, 0, 0, 1, 0]), distances)];
  for (const each of lines) assert.equal(world.closestHits(each, options).length, 2);
  starts.free();
  distances.free();
  for (const each of lines) {
    for (const use of [() => world.closestHits(each, options), () => world.occludedMany(each), () => world.shootMany(each), () => fr.walkMany(each)]) {
      assert.throws(use, failsWith("FAILED_PRECONDITION", /a ModuleArray of the Lines has been freed/), String(use));
    }
    each.free();
  }
  for (const use of [() => world.closestHits(starts), () => world.occludedMany(starts, options), () => world.shootMany(starts),
    () => Lines.segments(starts, [1, 2, 3]), () => Lines.rays([1, 2, 3], [1, 0, 0], distances), () => new fr.SightQueries(starts, [1, 1, 1], [2, 2, 2])]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the ModuleArray has been freed/), String(use));
  }
});

test("one point for all stands for none, too", () => {
  for (const lines of [Lines.segments([1, 2, 3], []), Lines.segments(new Float64Array(0), [1, 2, 3]), Lines.rays([1, 2, 3], new Float64Array(0)), Lines.of([])]) {
    assert.deepEqual([lines.length, world.closestHits(lines).length, world.shootMany(lines).length], [0, 0, 0]);
  }
  assert.equal(Lines.segments([1, 2, 3], [4, 5, 6]).length, 1);
  const queries = new fr.SightQueries([1, 2, 3], [], []);
  assert.deepEqual([queries.length, world.visibleMany(queries).answers.length], [0, 0]);
  assert.throws(() => Lines.segments([1, 2, 3], undefined), { name: "TypeError", message: /ends is undefined/ });
  assert.throws(() => Lines.segments([1, 2, 3, 4, 5, 6], []), failsWith("INVALID_ARGUMENT", /ends: there are 0 numbers; give 6/));
});

test("options of null are the defaults", () => {
  const lines = new Float64Array(THROUGH), hits = new CompactHits(1);
  assert.equal(world.closestHits(lines, null, hits).move(0).kind, world.closestHits(lines).move(0).kind);
  assert.equal(world.occludedMany(lines, null, null).answer(0), world.occluded(...THROUGH));
  assert.equal(world.shootMany(lines, null).length, 1);
});

test("answers are read by whole numbers of those that are there", () => {
  const sights = world.occludedMany(segments(2, 5), undefined, new Occlusions(8)), hits = world.closestHits(segments(2, 5), undefined, new CompactHits(8));
  for (const i of [-1, 2, 1.5, NaN, 2 ** 32]) {
    assert.throws(() => sights.answer(i), (error) => error.name === "FractalrayError", String(i));
    assert.throws(() => hits.move(i), (error) => error.name === "FractalrayError", String(i));
  }
  for (const use of [() => sights.answer(2), () => sights.move(2), () => hits.move(2)]) {
    assert.throws(use, failsWith("OUT_OF_RANGE", /there is no answer 2 in an array of 2/));
  }
  assert.throws(() => hits.move(1.5), failsWith("INVALID_ARGUMENT", /the answer is 1\.5; it must be an integer/));
  assert.throws(() => hits.move("1"), { name: "TypeError" });
  const batch = world.shootMany(segments(3, 6)), answer = batch.answer(2);
  assert.throws(() => batch.answer(2 ** 32), failsWith("OUT_OF_RANGE", /the shot is 4294967296/));
  assert.throws(() => batch.answer(3), failsWith("OUT_OF_RANGE", /the batch has 3 shots/));
  assert.equal(answer.truncated, false);
  answer.free();
  answer.free();
  assert.throws(() => answer.terminated, failsWith("FAILED_PRECONDITION", /the answer has been freed/));
  for (const each of [sights, hits]) each.free();
  for (const use of [() => sights.answer(0), () => sights.toArray(), () => sights.errors, () => hits.move(0), () => hits.summary, () => hits.result,
    () => hits.unknownFrom, () => world.fullHit(Line.segment([0, 0, 0], [1, 1, 1]), hits)]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the answers have been freed/), String(use));
  }
});

test("a batch that fails has the length that it had, or that of its shots", () => {
  const lines = segments(20, 7), hits = world.closestHits(lines.subarray(0, 12), undefined, new CompactHits(20)), batch = world.shootMany(lines);
  hits.move(1);
  assert.throws(() => world.closestHits(lines, { channel: 9 }, hits), failsWith("INVALID_ARGUMENT", /channel/));
  assert.deepEqual([hits.length, hits.index], [2, 1]);
  assert.throws(() => world.resumeMany(lines.subarray(0, 60), batch), failsWith("INVALID_ARGUMENT", /20/));
  assert.equal(batch.length, 20);
  assert.throws(() => world.shootMany(new Float64Array(5), undefined, batch), failsWith("INVALID_ARGUMENT", /five|5 numbers/));
  assert.equal(batch.length, 20);
  for (const options of [{ channel: 9 }, { onHit: () => { throw new Error("thrown"); } }]) {
    assert.throws(() => world.shootMany(lines.subarray(0, 60), options, batch));
    assert.throws(() => batch.answer(batch.length), failsWith("OUT_OF_RANGE", new RegExp(`the batch has ${batch.length} shots`)));
  }
});

test("a batch of shots keeps its length when a callback of its own call passes it again", () => {
  const lines = Float64Array.from({ length: 18 }, (_, i) => THROUGH[i % 6]), batch = new fr.ShotBatch();
  const again = () => world.shootMany(lines.subarray(0, 6), undefined, batch), inUse = failsWith("FAILED_PRECONDITION", /the ShotBatch is in use by the call that calls back/);
  let refused = 0;
  const onHit = () => {
    for (const use of [again, () => world.resumeMany(lines.subarray(0, 6), batch)]) assert.throws(use, inUse);
    ++refused;
  };
  assert.equal(world.shootMany(lines, { onHit }, batch), batch);
  assert.deepEqual([batch.length, batch.summary.completed, refused], [3, 3, batch.summary.hits]);
  // A callback that throws the refusal ends the call; the shots that are there are counted, all of them.
  assert.throws(() => world.shootMany(lines, { onHit: again }, batch), inUse);
  assert.throws(() => batch.answer(batch.length), failsWith("OUT_OF_RANGE", new RegExp(`the batch has ${batch.length} shots`)));
});

test("walks of many short lines take memory for their cells", () => {
  const count = 200_000, lines = Lines.segments(new Float64Array(3 * count).fill(0.5), new Float64Array(3 * count).fill(0.75)), before = memory.u8.length;
  assert.equal(fr.walkMany(lines).offsets[count], count);
  assert.ok(memory.u8.length - before < 2 ** 26, `${memory.u8.length - before} bytes`);
  lines.free();
});
