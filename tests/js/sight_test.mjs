// SPDX-License-Identifier: Apache-2.0
// Sight of boxes, and blasts.
import assert from "node:assert/strict";
import test from "node:test";
import { PLAIN } from "../../bindings/js/src/layout.js";
import { failsWith, load } from "./module.mjs";
import { makeWalls } from "./worlds.mjs";

const fr = await load();
const { Sight, SightQueries, SightQuery, Unloaded } = fr;
const { world, stone } = makeWalls(fr);
// One box past the wall of stone, and one before it.
const hidden = SightQuery.of([1.5, 5.5, 5.5], [12, 5, 5], [13, 6, 6]), seen = SightQuery.of([1.5, 5.5, 5.5], [7, 5, 5], [8, 6, 6]);

test("an eye sees a box, with a witness, or not, with a certificate", () => {
  assert.equal(world.visible(seen), Sight.VISIBLE);
  assert.equal(world.visible(hidden, { unloaded: Unloaded.OPAQUE }), Sight.HIDDEN);
  const { sight, witness } = world.findWitness(seen);
  assert.deepEqual([sight, witness.delta.length, typeof witness.delta[0], witness.delta[0] > 0n], [Sight.VISIBLE, 3, "bigint", true]);
  const end = seen.eyeUnits.map((each, axis) => Number(each + witness.delta[axis]) / 65536);
  if (witness.isUnit) assert.ok(end[0] >= 7 && end[0] <= 8);
  assert.equal(world.findWitness(hidden, { unloaded: Unloaded.OPAQUE }).witness, null);
  const certificate = world.findCertificate(hidden, { unloaded: Unloaded.TRANSPARENT });
  assert.deepEqual(world.findCertificate(seen), []);
  assert.deepEqual([certificate.length > 0, fr.hides(certificate, hidden), fr.hides(certificate, seen), fr.hides([], hidden)], [true, true, false, false]);
  assert.deepEqual([fr.hides(certificate, hidden, 0n), fr.hides(certificate, hidden, 100 * 65536)], [true, false]);
  assert.throws(() => fr.hides(certificate, hidden, -1), failsWith("INVALID_ARGUMENT", /the margin is -1 units/));
  const [from, to] = world.exposure(seen);
  assert.ok(from > 0.9 && to >= from && to <= 1.000001, `${from} ${to}`);
  assert.deepEqual(hidden.boxUnits, [[786432n, 327680n, 327680n], [851968n, 393216n, 393216n]]);
  assert.equal(world.visible(SightQuery.units(seen.eyeUnits, ...seen.boxUnits)), Sight.VISIBLE);
});

test("options of sight", () => {
  const options = new fr.SightOptions({ unloaded: Unloaded.OPAQUE });
  assert.equal(world.visible(hidden, options), Sight.HIDDEN);
  options.set({ noBlocks: true });
  assert.equal(world.visible(hidden, options), Sight.VISIBLE);
  assert.equal(world.visible(seen, { occluders: [[[327680, 0, 0], [393216n, 1048576, 1048576]]] }), Sight.HIDDEN);
  assert.equal(world.visible(hidden, { blockFilter: () => false }), Sight.VISIBLE);
  const crate = world.entities.add({ id: 1, position: [6, 8, 8], halfExtents: [0.5, 8, 8] });
  assert.equal(world.visible(seen, { boxesBlock: true }), Sight.HIDDEN);
  assert.equal(world.visible(seen, { boxesBlock: true, ignore: [1] }), Sight.VISIBLE);
  assert.equal(world.visible(seen, { boxesBlock: true, categories: 0 }), Sight.VISIBLE);
  world.entities.remove(crate);
  assert.throws(() => world.exposure(hidden, { maxSteps: 1, unloaded: Unloaded.TRANSPARENT }), failsWith("RESOURCE_EXHAUSTED", /./));
  assert.throws(() => world.visible(seen, { unloaded: 9 }), failsWith("INVALID_ARGUMENT", /unloaded is 9; it must be one of REPORT/));
  assert.throws(() => world.visible(seen, { corner: 0 }), failsWith("INVALID_ARGUMENT", /there is no corner/));
  assert.throws(() => world.visible(SightQuery.of([0, 0, 0], [1, 1, 1], [0, 2, 2])), failsWith("INVALID_ARGUMENT", /./));
  assert.throws(() => world.visible({}), { name: "TypeError", message: /it must be a SightQuery/ });
  options.free();
  assert.throws(() => world.visible(seen, options), failsWith("FAILED_PRECONDITION", /freed/));
});

test("options of sight that are undefined are the defaults", () => {
  const names = ["levels", "unloaded", "ignore", "occluders", "blockFilter", "entityFilter", ...Object.keys(PLAIN.SightOptions)];
  const none = Object.fromEntries(names.map((name) => [name, undefined])), wall = [[327680, 0, 0], [393216, 1048576, 1048576]];
  const options = new fr.SightOptions({ occluders: [wall], noBlocks: true, unloaded: Unloaded.OPAQUE, through: 3 });
  assert.deepEqual([seen, hidden].map((query) => world.visible(query, options.set(none))), [seen, hidden].map((query) => world.visible(query)));
  // Refused ones stay.
  options.set({ occluders: [wall], categories: 0 });
  assert.throws(() => options.set({ occluders: [], boxesBlock: true, maxSteps: -1 }), failsWith("OUT_OF_RANGE", /maxSteps is -1/));
  assert.equal(world.visible(seen, options.set({})), Sight.HIDDEN);
  options.free();
});

test("many eyes and boxes", () => {
  const queries = new SightQueries([1.5, 5.5, 5.5], new Float64Array([7, 5, 5, 12, 5, 5]), new Float64Array([8, 6, 6, 13, 6, 6]));
  const options = { unloaded: Unloaded.OPAQUE };
  const { answers, errors, firstError } = world.visibleMany(queries, options);
  assert.deepEqual([[...answers], errors, firstError], [[Sight.VISIBLE, Sight.HIDDEN], 0, ""]);
  const { from, to } = world.exposures(queries, options);
  assert.deepEqual([from[1], to[1], from[0] > 0.9, to[0] <= 1.000001], [0, 0, true, true]);
  const table = world.visibleBoxes([1.5, 5.5, 5.5, 14.5, 5.5, 5.5], [7, 5, 5, 12, 5, 5], [8, 6, 6, 13, 6, 6], options);
  assert.deepEqual([...table], [Sight.VISIBLE, Sight.HIDDEN, Sight.HIDDEN, Sight.VISIBLE]);
  const eyes = new Float64Array([1.5, 5.5, 5.5, 14.5, 5.5, 5.5]);
  const both = world.visibleBoxes(eyes, [7, 5, 5, 12, 5, 5], [8, 6, 6, 13, 6, 6], options, { eyeCounts: [2], leftOut: new Uint8Array([0, 1]) });
  assert.deepEqual([...both], [Sight.VISIBLE, Sight.SKIPPED]);
  assert.deepEqual([...world.visibleBoxes(eyes, [7, 5, 5], [8, 6, 6], options, { maxDistance: 65536 })], [Sight.SKIPPED, Sight.SKIPPED]);
  assert.throws(() => world.visibleBoxes(eyes, [7, 5, 5], [8, 6, 6], options, { eyeCounts: [1] }), failsWith("INVALID_ARGUMENT", /add up to 1; there are 2 eyes/));
  queries.free();
  assert.throws(() => world.visibleMany(queries), failsWith("FAILED_PRECONDITION", /freed/));
});

test("a history answers as none would", () => {
  const own = makeWalls(fr), eyes = [1.5, 5.5, 5.5, 14.5, 5.5, 5.5], mins = [7, 5, 5, 12, 5, 5], maxs = [8, 6, 6, 13, 6, 6];
  const history = new fr.SightHistory(), options = { unloaded: Unloaded.OPAQUE };
  const fresh = own.world.visibleBoxes(eyes, mins, maxs, options);
  assert.deepEqual(own.world.visibleBoxes(eyes, mins, maxs, options, { history }), fresh);
  assert.deepEqual(history.last, { pairs: 4, unchanged: 0, byRay: 0, byProof: 0, searched: 4 });
  assert.deepEqual(own.world.visibleBoxes(eyes, mins, maxs, options, { history }), fresh);
  assert.equal(history.last.pairs, history.last.unchanged + history.last.byRay + history.last.byProof + history.last.searched);
  assert.ok(history.last.unchanged > 0);
  assert.throws(() => own.world.visibleBoxes(eyes, mins, maxs, options, { history: [] }), { name: "TypeError", message: /a SightHistory/ });
  history.free();
  assert.throws(() => own.world.visibleBoxes(eyes, mins, maxs, options, { history }), failsWith("FAILED_PRECONDITION", /SightHistory has been freed/));
});

test("blocks in sight", () => {
  const { visible, unknown, undecided } = world.visibleBlocks([7.5, 5.5, 5.5], 3, { unloaded: Unloaded.OPAQUE }, { types: [stone] });
  assert.deepEqual([unknown, undecided], [[], []]);
  assert.ok(visible.length > 0 && visible.every(({ type, block }) => type === stone && block[0] <= 10));
  assert.ok(visible.every((each, i) => i === 0 || visible[i - 1].distance <= each.distance));
});

test("a blast breaks blocks and reaches entities", () => {
  const own = makeWalls(fr), mob = own.world.entities.add({ id: 3, position: [7, 5.5, 5.5], radius: 0.5 });
  const rays = fr.BlastRays.cubeFan(16, 0.3, 1000), resistances = [0, 100, 50];
  assert.equal(rays.length, 1352);
  const blast = own.world.blast({ center: [7.5, 5.5, 5.5], radius: 8, rays, resistances, falloff: 1 });
  assert.ok(blast.blocks.length > 0 && blast.samples > 0);
  assert.ok(blast.blocks.every(({ power, ray, steps }) => power > 0 && ray < 1352 && steps >= 0));
  assert.deepEqual(blast.entities.map(({ entity, id }) => [entity, id]), [[mob, 3]]);
  assert.deepEqual(own.world.blast({ center: [7.5, 5.5, 5.5], radius: 8, rays, resistances: [0, Infinity, fr.UNBREAKABLE] }).blocks, []);
  const one = fr.BlastRays.of([{ step: [65536, 0, 0], power: 2n ** 40n }]);
  assert.deepEqual(own.world.blast({ center: [7.5, 5.5, 5.5], radius: 5, rays: one, resistances: [0, 1, 1] }, { noEntities: true }).blocks.map(({ block, type, steps, power }) => [block, type, steps, power]),
    [[[10, 5, 5], own.stone, 3, 2 ** 40 - 1]]);
  assert.throws(() => own.world.blast({ center: [0, 0, 0], radius: 1, rays: [] }), { name: "TypeError", message: /it must be BlastRays/ });
  assert.throws(() => own.world.blast({ center: [7, 5, 5], radius: 8, rays, resistances, maxSamples: 5 }), failsWith("RESOURCE_EXHAUSTED", /./));
  assert.throws(() => fr.BlastRays.cubeFan(1, 0.3, 5), failsWith("INVALID_ARGUMENT", /./));
});

test("options of sight that are refused leave those before in memory", () => {
  const options = new fr.SightOptions({ occluders: [[[327680, 0, 0], [393216, 1048576, 1048576]]] }), others = [];
  for (const bad of [[[[0, 0, 0], [1, 1, 1.5]]], [, [[0, 0, 0], [1, 1, 1]]], [[[0, 0, 0]]], {}]) {
    assert.throws(() => options.set({ occluders: bad }), /occluders/);
    for (let i = 0; i < 20; ++i) others.push(new fr.ModuleArray(Float64Array, 6));
    assert.equal(world.visible(seen, options), Sight.HIDDEN);
  }
  for (const each of [...others, options]) each.free();
});

test("holes of arrays are no elements", () => {
  const stoneBelow = { unloaded: Unloaded.OPAQUE };
  assert.throws(() => world.visibleBlocks([7.5, 5.5, 5.5], 3, stoneBelow, { types: [, stone] }), { name: "TypeError", message: /types\[0\] is undefined/ });
  assert.throws(() => fr.hides([, [[0, 0, 0], [1, 1, 1]]], seen), failsWith("INVALID_ARGUMENT", /the boxes\[0\] must be two corners/));
  assert.throws(() => fr.BlastRays.of([, { step: [1, 0, 0], power: 1 }]), { name: "TypeError", message: /the power of ray 0 is undefined/ });
  const all = Array.from({ length: 40000 }, (_, i) => (i === 39999 ? stone : fr.AIR));
  assert.ok(world.visibleBlocks([7.5, 5.5, 5.5], 3, stoneBelow, { types: all }).visible.length > 0);
});

test("the power of a ray is an integer of 64 bits", () => {
  const rays = fr.BlastRays.of([{ step: [1, 0, 0], power: 5 }]).move(0);
  rays.power = 2n ** 62n;
  assert.equal(rays.power, 2 ** 62);
  rays.power = 7;
  assert.throws(() => { rays.power = Infinity; }, failsWith("INVALID_ARGUMENT", /the power is Infinity; it must be an integer/));
  assert.throws(() => { rays.power = 1.5; }, failsWith("INVALID_ARGUMENT", /the power is 1\.5/));
  assert.throws(() => { rays.power = 2n ** 63n; }, failsWith("OUT_OF_RANGE", /the power is/));
  assert.equal(rays.power, 7);
  rays.free();
  for (const use of [() => { rays.power = 1; }, () => rays.setStep(0, 1), () => rays.move(0), () => world.blast({ center: [7, 5, 5], radius: 2, rays })]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the BlastRays have been freed/), String(use));
  }
});

test("a table that is larger than memory is an error", () => {
  const eyes = new Float64Array(3 * 2 ** 16).fill(5.5);
  assert.throws(() => world.visibleBoxes(eyes, eyes, eyes), failsWith("RESOURCE_EXHAUSTED", /there is no memory for 8590196736 bytes/));
});

test("freed queries and arrays are refused", () => {
  const query = SightQuery.of([0, 0, 0], [1, 1, 1], [2, 2, 2]), array = new fr.ModuleArray(Float64Array, 3), point = [1.5, 5.5, 5.5];
  query.free();
  array.free();
  for (const use of [() => world.visible(query), () => world.findWitness(query), () => world.findCertificate(query), () => world.exposure(query),
    () => fr.hides([], query), () => query.eyeUnits, () => query.boxUnits]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the SightQuery has been freed/), String(use));
  }
  for (const use of [() => world.visibleBoxes(array, array, array), () => world.visibleBoxes(point, array, array), () => world.visibleBoxes(point, point, array)]) {
    assert.throws(use, (error) => ["FAILED_PRECONDITION", "INVALID_ARGUMENT"].includes(error.code) && /freed|numbers/.test(error.message), String(use));
  }
});
