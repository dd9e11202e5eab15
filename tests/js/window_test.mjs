// SPDX-License-Identifier: Apache-2.0
// Moving the frame, streaming and visibility.
import assert from "node:assert/strict";
import test from "node:test";
import { failsWith, load } from "./module.mjs";
import { makeWalls } from "./worlds.mjs";

const fr = await load();

test("the frame descends, climbs and recenters", () => {
  const world = new fr.World({ levels: 2, anchor: "888" }), stone = world.blockTypes.add("stone");
  world.loadChunk(0, [0, 0, 0], stone);
  world.expandBlock(0, [3, 4, 5]);
  world.entities.add({ id: 9, position: [200, 200, 200], radius: 0.5 });
  assert.equal(world.window.anchor, "888");
  const path = world.window.path(1, [3, 4, 5]);
  assert.deepEqual(world.window.find(path), { level: 1, chunk: [3, 4, 5] });
  assert.deepEqual(fr.followPath(path.slice("888".length).replace("_", ""), [0, 0, 0]).chunk, [3, 4, 5]);
  const move = world.window.descend([3, 4, 5]);
  assert.equal(move.kind, fr.MoveKind.DESCEND);
  assert.deepEqual(move.chunk(1, [3, 4, 5]), { level: 0, chunk: [0, 0, 0] });
  assert.equal(move.block(1, [48 + 7, 64, 80]).level, 0);
  assert.deepEqual(move.block(1, [48 + 7, 64, 80]).block, [7, 0, 0]);
  assert.deepEqual([move.droppedChunks, move.evicted], [1, [9]]);
  const back = world.window.climb();
  assert.equal(back.kind, fr.MoveKind.CLIMB);
  assert.equal(world.window.anchor, "888");
  assert.equal(world.window.recenter([1, 0, 0]).kind, fr.MoveKind.RECENTER);
  assert.notEqual(world.window.anchor, "888");
  assert.throws(() => world.window.find("zz"), failsWith("INVALID_ARGUMENT", /./));
  // (55.5, 64, 80) in units is 7.5 of the wider blocks from the chunk's corner.
  assert.deepEqual([move.point([3637248, 4194304, 5242880n]), move.point([2n ** 60n, 0, 0])], [[7864320n, 0n, 0n], null]);
});

test("bindings follow the frame", () => {
  const world = new fr.World({ levels: 2, anchor: "888" }), bindings = new fr.Bindings(world);
  world.loadChunk(0, [0, 0, 0]);
  world.loadChunk(0, [1, 0, 0]);
  const entity = world.entities.add({ id: 9, position: [20, 20, 20], radius: 0.5 });
  bindings.bind(entity, 0, [1, 1, 1]);
  assert.deepEqual(bindings.follow(world.window.recenter([1, 0, 0])), []);
  assert.deepEqual(bindings.block(entity), { level: 0, block: [-15, 1, 1] });
});

test("a streamer requests chunks, nearest first, and loads the answers", () => {
  const world = new fr.World({ anchor: "888" }), stone = world.blockTypes.add("stone");
  const streamer = new fr.Streamer(world, { radii: [[1, 1]], retryTicks: 1, keepsChanges: true });
  streamer.tick([8, 8, 8]);
  const requests = streamer.takeRequests(5);
  assert.equal(requests.length, 5);
  assert.deepEqual(world.window.find(requests[0].path), { level: 0, chunk: [0, 0, 0] });
  assert.equal(streamer.path(requests[0].request), requests[0].path);
  assert.equal(streamer.isWanted(requests[0].request), true);
  assert.equal(streamer.answer(requests[0].request, stone), true);
  assert.equal(streamer.isWanted(requests[0].request), false);
  assert.equal(streamer.answer(requests[0].request, stone), false);
  const ids = new Uint8Array(4096);
  ids[5] = 1;
  assert.throws(() => streamer.answer(requests[1].request, ids, { size: [32, 32, 32] }), failsWith("INVALID_ARGUMENT", /the layout has a size; leave it out/));
  streamer.answer(requests[1].request, Array.from(ids), { types: [fr.AIR, stone] });
  streamer.refuse(requests[2].request, "NOT_FOUND");
  streamer.refuse(requests[3].request);
  assert.throws(() => streamer.refuse(requests[4].request, "OK"), failsWith("INVALID_ARGUMENT", /the answer is OK; it must be one of DATA_LOSS/));
  assert.throws(() => streamer.refuse(requests[4].request, "constructor"), failsWith("INVALID_ARGUMENT", /the answer is constructor/));
  for (const { request } of streamer.takeRequests()) streamer.refuse(request, "NOT_FOUND");
  streamer.tick([8, 8, 8]);
  assert.deepEqual(streamer.loaded()[0], { level: 0, chunk: [0, 0, 0] });
  assert.equal(streamer.loaded().length, 2);
  assert.equal(world.getBlock(0, 5, 5, 5), stone);
  const { loaded, failed, nonexistent } = streamer.stats;
  assert.deepEqual([loaded, failed], [2, 1]);
  assert.ok(nonexistent > 0);
  streamer.setBlocks([{ level: 0, block: [1, 1, 1], type: fr.AIR }, { level: 0, block: [2, 1, 1], type: fr.AIR, revertsAt: 10 }]);
  assert.deepEqual([world.getBlock(0, 1, 1, 1), world.getBlock(0, 2, 1, 1)], [fr.AIR, fr.AIR]);
  assert.deepEqual([streamer.revertChanges(9), streamer.revertChanges(10)], [0, 1]);
  assert.equal(world.getBlock(0, 2, 1, 1), stone);
  assert.equal(streamer.wantChunks([{ level: 0, chunk: [0, 0, 0] }]), 0);
  streamer.setOptions({ radii: [[0, 0]] });
  streamer.tick([]);
  assert.equal(streamer.unloaded().length, 1);
  assert.equal(world.getBlock(0, 2, 1, 1), stone, "it is wanted, and stays");
  assert.throws(() => streamer.setOptions({ radius: 1 }), failsWith("INVALID_ARGUMENT", /there is no radius/));
  assert.throws(() => streamer.tick([NaN, 0, 0]), failsWith("INVALID_ARGUMENT", /viewers\[0\] is NaN/));
  streamer.free();
});

test("a viewer sees blocks by many rays", () => {
  const { world, stone } = makeWalls(fr), view = { from: [7.5, 5.5, 5.5], direction: [1, 0, 0], cosHalfAngle: 0.5 };
  const visibility = new fr.Visibility(world, { rays: 1000, distance: 30, filter: { solidOnly: true } });
  for (let i = 0; i < 3; ++i) visibility.tick(world, view);
  assert.equal(visibility.ticks, 3);
  const blocks = visibility.blocks();
  assert.ok(blocks.length > 10 && blocks.some(({ block }) => block[0] === 10));
  assert.equal(visibility.findBlock(0, [10, 5, 5]).type, stone);
  assert.equal(visibility.findBlock(0, [4, 5, 5]), null);
  assert.ok(visibility.findChunk(0, [0, 0, 0]).since >= 1);
  assert.equal(visibility.chunks().length, 1);
  assert.deepEqual(visibility.entered(), [{ level: 0, chunk: [0, 0, 0] }]);
  assert.ok(Array.isArray(visibility.unknown()) && Array.isArray(visibility.blocks("came")));
  visibility.clear();
  assert.deepEqual(visibility.blocks(), []);
  for (const list of ["some", "constructor"]) {
    assert.throws(() => visibility.blocks(list), failsWith("INVALID_ARGUMENT", new RegExp(`the list is ${list}; it must be one of all, came, went`)));
  }
  assert.throws(() => visibility.tick(world, { ...view, direction: [0, 0, 0] }), failsWith("INVALID_ARGUMENT", /./));
  visibility.free();
});

// Returns a world, and a streamer of it.
function makeStreamer(options = {}) {
  const world = new fr.World({ anchor: "888" }), stone = world.blockTypes.add("stone");
  return { world, stone, streamer: new fr.Streamer(world, { keepsChanges: true, ...options }) };
}
// Returns the same, with the chunk (0, 0, 0) of stone.
function makeLoaded() {
  const made = makeStreamer({ radii: [[0, 1]] });
  made.streamer.tick([8, 8, 8]);
  for (const { request } of made.streamer.takeRequests()) made.streamer.answer(request, made.stone);
  made.streamer.tick([8, 8, 8]);
  return made;
}

test("missing chunks of a line, and of a list, are named", () => {
  const { streamer } = makeLoaded(), line = fr.Line.segment([8, 8, 8], [60, 8, 8]), named = [1, 2, 3].map((x) => ({ level: 0, chunk: [x, 0, 0] }));
  assert.deepEqual([streamer.want(line, 2), streamer.want(line)], [named.slice(0, 2), named]);
  assert.equal(streamer.wantChunks([{ level: 0, chunk: [0, 0, 0] }, { level: 0, chunk: [0, 5, 0] }]), 1);
});

test("viewers are three numbers each", () => {
  const { streamer } = makeStreamer(), array = new fr.ModuleArray(Float64Array, 3);
  for (const viewers of [[1], [1, 2], [1, 2, 3, 4], [1, 2, 3, 4, 5]]) {
    assert.throws(() => streamer.tick(viewers), failsWith("INVALID_ARGUMENT", /viewers: there are \d numbers; give \d, three for each/));
  }
  streamer.tick(array);
  array.free();
  assert.throws(() => streamer.tick(array), failsWith("FAILED_PRECONDITION", /the ModuleArray has been freed/));
  assert.throws(() => streamer.tick(undefined), { name: "TypeError", message: /viewers is undefined/ });
  assert.equal(streamer.stats.ticks, 1);
});

test("an infinite limit is none, not the default", () => {
  const requests = (options) => {
    const { streamer } = makeStreamer({ radii: [[6, 6]], ...options });
    streamer.tick([8, 8, 8]);
    return streamer.takeRequests(2 ** 12).length;
  };
  assert.equal(requests({}), 64);
  assert.ok(requests({ chunksPerTick: Infinity, maxPending: Infinity, maxBytes: Infinity }) > 500);
  assert.throws(() => requests({ chunksPerTick: 0 }), failsWith("OUT_OF_RANGE", /chunksPerTick is 0/));
  const { world } = makeWalls(fr), east = { from: [7.5, 5.5, 5.5], direction: [1, 0, 0], cosHalfAngle: 1 }, up = { ...east, direction: [0, 1, 0] };
  const seen = (options) => {
    const visibility = new fr.Visibility(world, { rays: 4, filter: { solidOnly: true }, ...options });
    visibility.tick(world, east);
    for (let i = 0; i < 40; ++i) visibility.tick(world, up);
    return visibility.blocks().length;
  };
  assert.deepEqual([seen({}), seen({ forgetTicks: Infinity })], [0, 1]);
  assert.throws(() => seen({ rays: Infinity }), failsWith("INVALID_ARGUMENT", /rays/));
  assert.throws(() => seen({ distance: 0 }), failsWith("OUT_OF_RANGE", /distance is 0; it must be more than 0/));
});

test("entities of no category hide nothing", () => {
  const { world } = makeWalls(fr), view = { from: [5.5, 5.5, 5.5], direction: [1, 0, 0], cosHalfAngle: 1 };
  world.entities.add({ id: 1, position: [7, 5.5, 5.5], radius: 0.5 });
  const seen = (filter) => {
    const visibility = new fr.Visibility(world, { rays: 4, entitiesHide: true, filter });
    visibility.tick(world, view);
    return visibility.blocks().length;
  };
  assert.deepEqual([seen(undefined), seen({ categories: 1 }), seen({ categories: 2 }), seen({ categories: 0 }), seen({ categories: null })], [0, 0, 1, 1, 0]);
});

test("holes of arrays are no changes, chunks or radii", () => {
  const { world, stone, streamer } = makeLoaded();
  assert.throws(() => streamer.setBlocks([, { block: [1, 0, 0], type: fr.AIR }]), { name: "TypeError", message: /change 0 is undefined/ });
  assert.deepEqual([world.getBlock(0, 0, 0, 0), world.getBlock(0, 1, 0, 0)], [stone, stone]);
  assert.throws(() => streamer.wantChunks([, { level: 0, chunk: [1, 0, 0] }]), { name: "TypeError", message: /the level is undefined/ });
  assert.throws(() => streamer.setOptions({ radii: [,] }), { name: "TypeError", message: /radii\[0\]\[0\] is undefined/ });
  assert.throws(() => streamer.setOptions({ radii: Array(5000).fill([1, 1]) }), failsWith("INVALID_ARGUMENT", /5000/));
  assert.throws(() => streamer.setOptions({ fertile: [, stone] }), { name: "TypeError", message: /a fertile type is undefined/ });
});

test("many changes have paths", () => {
  const { world, streamer } = makeLoaded(), count = 9000;
  const changes = Array.from({ length: count }, (_, i) => ({
    path: world.window.path(0, [i >> 12, 0, 0]), block: [i & 15, (i >> 4) & 15, (i >> 8) & 15], type: fr.AIR,
  }));
  streamer.setBlocks(changes);
  assert.equal(world.chunkBlocks(0, [0, 0, 0]).every((type) => type === fr.AIR), true);
  assert.throws(() => streamer.setBlocks([...changes, { ...changes[0], path: "x".repeat(9000) }]), failsWith("INVALID_ARGUMENT", /the path of change 9000 has 9000 characters/));
});
