// SPDX-License-Identifier: Apache-2.0
// Entities, their bindings to blocks, and searches.
import assert from "node:assert/strict";
import test from "node:test";
import { RESOURCE_EXHAUSTED } from "../../bindings/js/src/layout.js";
import { memory, module } from "../../bindings/js/src/module.js";
import { failsWith, load } from "./module.mjs";
import { makeWalls } from "./worlds.mjs";

const fr = await load();

test("entities are added, moved, changed, described and removed", () => {
  const world = new fr.World({ levels: 2 });
  const ball = world.entities.add({ id: 7, position: [1.5, 2.5, 3.5], radius: 0.5 });
  const [crate, ghost] = world.entities.addMany([
    { id: 2n ** 63n, position: [4, 4, 4], halfExtents: [1, 2, 0.5], level: 1, categories: 6, entityClass: 9 },
    { id: 3, position: [0, 0, 0], radius: 1, categories: 0 },
  ]);
  assert.deepEqual(world.entities.info(ball), { id: 7, level: 0, categories: 1, entityClass: 0, indexLevel: world.entities.info(ball).indexLevel, position: [1.5, 2.5, 3.5], radius: 0.5 });
  const info = world.entities.info(crate);
  assert.deepEqual([info.level, info.categories, info.entityClass, info.halfExtents], [1, 6, 9, [1, 2, 0.5]]);
  assert.equal(world.entities.info(ghost).categories, 0);
  assert.deepEqual([world.entities.length, world.entities.all().sort(), world.entities.find(2n ** 63n)], [3, [ball, crate, ghost].sort(), crate]);
  world.entities.move(ball, [9.5, 2, 2]);
  world.entities.moveMany([crate, ghost], new Float32Array([1, 1, 1, 2, 2, 2]));
  assert.deepEqual([world.entities.info(ball).position, world.entities.info(ghost).position], [[9.5, 2, 2], [2, 2, 2]]);
  world.entities.update([ball, ghost], [{ radius: 2, categories: 8 }, { radius: 3, categories: 16 }]);
  assert.deepEqual([world.entities.info(ball).radius, world.entities.info(ghost).categories, world.entities.info(ball).position], [2, 16, [9.5, 2, 2]]);
  // Members that are undefined stay.
  world.entities.update([ball, ghost], [{ radius: 4, categories: undefined, position: undefined }, { radius: 3, level: undefined }]);
  world.entities.update([ball, ghost], [{ entityClass: 5, radius: undefined }, { entityClass: 6 }]);
  world.entities.update([ball], [{ position: undefined, categories: undefined, radius: undefined }]);
  assert.deepEqual(world.entities.info(ball), { ...world.entities.info(ball), radius: 4, categories: 8, entityClass: 5, position: [9.5, 2, 2] });
  world.entities.update([ball], [{ halfExtents: [1, 1, 1] }]);
  assert.deepEqual(world.entities.info(ball).halfExtents, [1, 1, 1]);
  assert.deepEqual(world.entities.chunks(ball), [[0, 0, 0]]);
  assert.equal(world.entities.refine(), true);
  assert.equal(world.entities.optimize(), 0);
  world.entities.removeMany([crate, ghost]);
  world.entities.remove(ball);
  assert.equal(world.entities.length, 0);
  assert.throws(() => world.entities.info(ball), failsWith("NOT_FOUND", /./));
});

test("entities of no category are added, all or none", () => {
  const world = new fr.World(), list = [{ id: 1, position: [0, 0, 0], radius: 1 }, { id: 2, position: [0, 0, 0], radius: 1, categories: 0n }];
  const before = module.c;
  module.c = { ...before, frWorld_UpdateEntities: () => RESOURCE_EXHAUSTED };
  try {
    assert.throws(() => world.entities.addMany(list), (error) => error.code === "RESOURCE_EXHAUSTED");
  } finally {
    module.c = before;
  }
  assert.equal(world.entities.length, 0);
  assert.deepEqual(world.entities.addMany(list).map((each) => world.entities.info(each).categories), [1, 0]);
});

test("bad entities are refused, all or none", () => {
  const world = new fr.World(), one = { id: 1, position: [0, 0, 0], radius: 1 };
  world.entities.add(one);
  assert.throws(() => world.entities.addMany([{ ...one, id: 2 }, one]), failsWith("ALREADY_EXISTS", /./));
  assert.equal(world.entities.length, 1);
  assert.throws(() => world.entities.add({ ...one, id: undefined }), { name: "TypeError", message: /the id of entity 0 is undefined/ });
  assert.throws(() => world.entities.add({ ...one, id: 1.5 }), failsWith("INVALID_ARGUMENT", /the entity's id is 1\.5/));
  assert.throws(() => world.entities.add({ ...one, id: -1 }), failsWith("OUT_OF_RANGE", /the entity's id is -1/));
  assert.throws(() => world.entities.add({ id: 5, position: [0, 0, 0] }), failsWith("INVALID_ARGUMENT", /has no size/));
  assert.throws(() => world.entities.add({ ...one, id: 5, halfExtents: [1, 1, 1] }), failsWith("INVALID_ARGUMENT", /give one of them/));
  assert.throws(() => world.entities.add({ ...one, id: 5, center: [1, 1, 1] }), failsWith("INVALID_ARGUMENT", /there is no center/));
  assert.throws(() => world.entities.add({ ...one, id: 5, position: [0, NaN, 0] }), failsWith("INVALID_ARGUMENT", /the entity's position\[1\] is NaN/));
  assert.throws(() => world.entities.add({ ...one, id: 5, radius: -1 }), failsWith("INVALID_ARGUMENT", /./));
  assert.throws(() => world.entities.moveMany(world.entities.all(), new Float64Array(2)), failsWith("INVALID_ARGUMENT", /positions: there are 2 numbers; give 3/));
  assert.throws(() => world.entities.update(world.entities.all(), [{ id: 4 }]), failsWith("INVALID_ARGUMENT", /id cannot change/));
  assert.throws(() => world.entities.move(123456, [0, 0, 0]), failsWith("NOT_FOUND", /./));
  assert.throws(() => world.entities.find(99), failsWith("NOT_FOUND", /99/));
  assert.throws(() => world.entities.update(world.entities.all(), [,]), { name: "TypeError", message: /a change is undefined; it must be an object/ });
  assert.throws(() => world.entities.removeMany({ 0: world.entities.find(1), length: 1.5 }), failsWith("INVALID_ARGUMENT", /the length of the entities is 1\.5/));
  assert.equal(world.entities.length, 1);
  const freed = new fr.ModuleArray(Float64Array, 3);
  freed.free();
  assert.throws(() => world.entities.moveMany([], freed), failsWith("FAILED_PRECONDITION", /the ModuleArray has been freed/));
});

test("many entities move in the module's memory", () => {
  const world = new fr.World(), count = 500;
  const entities = world.entities.addMany(Array.from({ length: count }, (_, i) => ({ id: i + 1, position: [i, 0, 0], radius: 0.25 })));
  const positions = new fr.ModuleArray(Float64Array, 3 * count);
  positions.view.set(Array.from({ length: 3 * count }, (_, i) => i));
  world.entities.moveMany(entities, positions);
  assert.deepEqual(world.entities.info(entities[100]).position, [300, 301, 302]);
});

test("entities that belong to blocks follow them", () => {
  const { world, stone } = makeWalls(fr), bindings = new fr.Bindings(world);
  const lamp = world.entities.add({ id: 1, position: [2, 2, 2], radius: 0.25 });
  world.setBlock(0, 2, 3, 2, stone);
  bindings.bind(lamp, 0, [2, 3, 2]);
  assert.deepEqual([bindings.block(lamp), bindings.entities(0, [2, 3, 2]), bindings.entitiesInChunk(0, [0, 0, 0])],
    [{ level: 0, block: [2, 3, 2] }, [lamp], [lamp]]);
  bindings.moveBlock(0, [2, 3, 2], [3, 3, 2]);
  assert.deepEqual([bindings.block(lamp).block, world.entities.info(lamp).position], [[3, 3, 2], [3, 2, 2]]);
  bindings.removeBlock(0, [3, 3, 2]);
  assert.equal(world.entities.length, 0);
  const other = world.entities.add({ id: 2, position: [2, 2, 2], radius: 0.25 });
  bindings.bind(other, 0, [1, 1, 1]);
  bindings.unbind(other);
  assert.throws(() => bindings.block(other), failsWith("NOT_FOUND", /./));
  bindings.bind(other, 0, [1, 1, 1]);
  world.unloadChunk(0, [0, 0, 0]);
  assert.equal(bindings.removeUnloaded(), 1);
  bindings.clear();
  bindings.free();
});

test("searches find entities and blocks, by distance", () => {
  const { world, stone, glass } = makeWalls(fr);
  world.entities.addMany([
    { id: 1, position: [2, 5, 5], radius: 0.5 }, { id: 2, position: [8, 5, 5], radius: 0.5 }, { id: 3, position: [2.25, 5, 5], radius: 0.5, categories: 2 },
  ]);
  assert.deepEqual(world.entitiesInSphere([1, 5, 5], 3).map(({ id, distance }) => [id, distance]), [[1, 0.5], [3, 0.75]]);
  assert.deepEqual(world.entitiesInSphere([1, 5, 5], 3, { categories: 2 }).map(({ id }) => id), [3]);
  assert.deepEqual(world.entitiesInBox([0, 0, 0], [9, 9, 9]).map(({ id }) => id), [1, 2, 3]);
  assert.deepEqual(world.nearestEntities([7, 5, 5], 2).map(({ id }) => id), [2, 3]);
  assert.deepEqual(world.nearestEntities([7, 5, 5], 9, 1).map(({ id }) => id), [2]);
  const before = memory.u8.length;
  assert.deepEqual(world.nearestEntities([7, 5, 5], 2 ** 24).map(({ id }) => id), [2, 3, 1]);
  assert.ok(memory.u8.length - before < 2 ** 20, `${memory.u8.length - before} bytes`);
  const near = world.blocksInSphere([4.5, 5.5, 5.5], 0.25);
  assert.deepEqual(near, [{ block: [4, 5, 5], level: 0, type: glass, kind: fr.Kind.PERMEABLE, distance: 0 }]);
  assert.equal(world.blocksInBox([0.5, 0.5, 0.5], [15.5, 0.75, 15.5]).length, 256);
  assert.equal(world.blocksInBox([0, 0, 0], [16, 16, 16], { solidOnly: true }).every(({ type }) => type === stone), true);
  assert.deepEqual(world.blocksInSphere([4.5, 5.5, 5.5], 0.25, { blockFilter: () => false }), []);
  assert.throws(() => world.blocksInSphere([0, 0, 0], -1), failsWith("INVALID_ARGUMENT", /radius/));
  assert.throws(() => world.nearestEntities([0, 0, 0], 0), failsWith("OUT_OF_RANGE", /count is 0/));
});
