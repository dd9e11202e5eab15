// SPDX-License-Identifier: Apache-2.0
// Worlds, block types, chunks and blocks.
import assert from "node:assert/strict";
import test from "node:test";
import { memory, module } from "../../bindings/js/src/module.js";
import { failsWith, load } from "./module.mjs";

const fr = await load();
const { Kind, ChunkState, World } = fr;

// Returns use() with a function of C that makes the memory grow each time before it returns.
function growingIn(name, use) {
  const before = module.c, own = before[name];
  const grow = (...given) => {
    const result = own(...given);
    before.memory.grow(1);
    memory.refresh();
    return result;
  };
  module.c = { ...before, [name]: grow };
  try {
    return use();
  } finally {
    module.c = before;
  }
}

test("a world has its levels, versions and block types", () => {
  const world = new World({ levels: 3 });
  assert.equal(world.levels, 3);
  const [blocks, entities] = world.versions;
  world.loadChunk(0, [0, 0, 0]);
  assert.ok(world.versions[0] > blocks && world.versions[1] === entities);
  const stone = world.blockTypes.add("stone"), water = world.blockTypes.add("water", Kind.PERMEABLE, { channels: { sight: Kind.EMPTY } });
  assert.deepEqual([...world.blockTypes], ["air", "stone", "water"]);
  assert.deepEqual([world.blockTypes.length, world.blockTypes.find("stone"), world.blockTypes.name(water)], [3, stone, "water"]);
  assert.deepEqual(world.blockTypes.channels(), ["default", "sight"]);
  const sight = world.blockTypes.channel("sight");
  assert.equal(world.blockTypes.channelName(sight), "sight");
  assert.deepEqual([world.blockTypes.kind(water), world.blockTypes.kind(water, sight), world.blockTypes.kind(stone, sight)],
    [Kind.PERMEABLE, Kind.EMPTY, Kind.SOLID]);
  const twin = new World({ blockTypesOf: world });
  assert.equal(twin.blockTypes.find("water"), water);
});

test("names are read as they were given", () => {
  const world = new World();
  for (const name of ["\uFEFFstone", "stone", "Stein \u{1F5FF}", "constructor"]) assert.equal(world.blockTypes.name(world.blockTypes.add(name)), name);
  // Names of channels that every object has.
  const slab = [[[0, 0, 0], [1, 0.5, 1]]], type = world.blockTypes.add("slab", Kind.SOLID, { channels: { toString: Kind.EMPTY }, channelBoxes: { constructor: slab } });
  const [first, second] = ["toString", "constructor"].map((name) => world.blockTypes.channel(name));
  assert.deepEqual([world.blockTypes.kind(type, first), world.blockTypes.kind(type, second)], [Kind.EMPTY, Kind.SOLID]);
  assert.deepEqual(world.blockTypes.boxes(type, second), slab);
});

test("shapes of blocks", () => {
  const world = new World();
  const slab = world.blockTypes.add("slab", Kind.SOLID, { boxes: [[[0, 0, 0], [1, 0.5, 1]]], channelBoxes: { high: [[[0, 0.5, 0], [1, 1, 1]]] } });
  assert.deepEqual(world.blockTypes.boxes(slab), [[[0, 0, 0], [1, 0.5, 1]]]);
  assert.deepEqual(world.blockTypes.boxes(slab, world.blockTypes.channel("high")), [[[0, 0.5, 0], [1, 1, 1]]]);
  assert.deepEqual(world.blockTypes.boxes(fr.AIR), [[[0, 0, 0], [1, 1, 1]]]);
  world.loadChunk(0, [0, 0, 0]);
  world.setBlock(0, 4, 4, 4, slab);
  assert.equal(world.closestHit(4.5, 8, 4.5, 4.5, 0, 4.5).point(1), 4.5);
  assert.equal(world.closestHit(0, 4.75, 4.5, 9, 4.75, 4.5), null);
  assert.throws(() => world.blockTypes.add("flat", Kind.SOLID, { boxes: [[[0, 0, 0], [1, 0, 1]]] }), failsWith("INVALID_ARGUMENT", /"flat"/));
  assert.throws(() => world.blockTypes.add("odd", Kind.SOLID, { boxes: [[[0, 0, 0]]] }), failsWith("INVALID_ARGUMENT", /box 0 must be/));
});

test("blocks are set, read, filled and moved", () => {
  const world = new World(), stone = world.blockTypes.add("stone");
  assert.equal(world.getBlock(0, 0, 0, 0), undefined);
  world.loadChunk(0, [0, 0, 0]);
  world.loadChunk(0, [-1, 0, 0], stone);
  assert.deepEqual([world.getBlock(0, 0, 0, 0), world.getBlock(0, -1, 5, 5)], [fr.AIR, stone]);
  world.setBlock(0, 3, 4, 5, stone);
  assert.equal(world.getBlock(0, 3, 4, 5), stone);
  world.moveBlock(0, [3, 4, 5], [6, 6, 6]);
  assert.deepEqual([world.getBlock(0, 3, 4, 5), world.getBlock(0, 6, 6, 6)], [fr.AIR, stone]);
  world.fillBox(0, [1, 1, 1], [2, 2, 2], stone);
  assert.deepEqual([world.getBlock(0, 2, 2, 2), world.getBlock(0, 3, 2, 2)], [stone, fr.AIR]);
  assert.throws(() => world.setBlock(0, 99, 0, 0, stone), failsWith("NOT_FOUND", /./));
  assert.throws(() => world.setBlock(0, 0, 0, 0, 77), failsWith("INVALID_ARGUMENT", /77/));
});

test("indices beyond 2^53 are BigInts", () => {
  const world = new World(), stone = world.blockTypes.add("stone"), far = 2n ** 40n, at = 16n * far + 3n;
  world.loadChunk(0, [far, -far, 0]);
  world.setBlock(0, at, -16n * far, 0, stone);
  assert.equal(world.getBlock(0, at, -16n * far, 0n), stone);
  assert.equal(world.getBlock(0, Number(at), Number(-16n * far), 0), stone);
  assert.equal(world.getBlock(0, at, 0n, 0n), undefined);
  assert.throws(() => world.getBlock(0, 2n ** 63n, 0, 0), failsWith("OUT_OF_RANGE", /x is 9223372036854775808n/));
  assert.throws(() => world.setBlock(0, 2n ** 62n, 0, 0, stone), failsWith("OUT_OF_RANGE", /./));
});

test("bad arguments are named, with what to give", () => {
  const world = new World();
  world.loadChunk(0, [0, 0, 0]);
  assert.throws(() => world.setBlock(0, 1.5, 0, 0, 0), failsWith("INVALID_ARGUMENT", /^x is 1\.5; it must be an integer/));
  assert.throws(() => world.setBlock(0, 0, NaN, 0, 0), failsWith("INVALID_ARGUMENT", /^y is NaN; it must be an integer/));
  assert.throws(() => world.setBlock(0, 0, 0, 0, 65536), failsWith("OUT_OF_RANGE", /the block type is 65536; it must be 0 to 65535/));
  assert.throws(() => world.getBlock("0", 0, 0, 0), { name: "TypeError", message: 'the level is "0"; it must be an integer' });
  assert.throws(() => world.getBlock(2 ** 32, 0, 0, 0), failsWith("OUT_OF_RANGE", /the level is 4294967296/));
  assert.throws(() => world.getBlock(1, 0, 0, 0), failsWith("INVALID_ARGUMENT", /level/));
  assert.throws(() => world.loadChunk(0, 5), { name: "TypeError", message: /^the chunk is 5; it must be an array of three integers/ });
  assert.throws(() => world.loadChunk(0, [1, 2]), failsWith("INVALID_ARGUMENT", /the chunk has 2 elements; it must have three/));
  assert.throws(() => world.fillBox(0, [0, 0, {}], [1, 1, 1], 0), { name: "TypeError", message: /^the first block\[2\] is a Object/ });
  assert.throws(() => world.blockTypes.add("x", 7), failsWith("INVALID_ARGUMENT", /kind is 7; it must be one of SOLID \(0\), PERMEABLE/));
  assert.throws(() => world.blockTypes.add(7), { name: "TypeError", message: /the block type's name is 7; it must be a string/ });
  assert.throws(() => world.blockTypes.add("a\0b"), failsWith("INVALID_ARGUMENT", /zero character/));
  assert.throws(() => world.blockTypes.find("none"), failsWith("NOT_FOUND", /none/));
  assert.throws(() => new World({ level: 2 }), failsWith("INVALID_ARGUMENT", /the world: there is no level; there are levels, anchor/));
  assert.throws(() => new World({ levels: 11 }), failsWith("OUT_OF_RANGE", /levels is 11; it must be 1 to 10/));
  assert.throws(() => new World({ anchor: "zzz" }), failsWith("INVALID_ARGUMENT", /./));
});

test("chunks are described, and unloaded", () => {
  const world = new World({ levels: 2 }), stone = world.blockTypes.add("stone");
  world.loadChunk(1, [1, 2, 3], stone);
  world.loadProtoChunk(1, [1, 2, 4]);
  assert.deepEqual(world.chunk(1, [1, 2, 3]).state, ChunkState.LOADED);
  assert.equal(world.chunk(1, [1, 2, 3]).isUniform, true);
  assert.equal(world.chunk(1, [1, 2, 4]).state, ChunkState.PROTO);
  assert.equal(world.chunk(1, [9, 9, 9]).state, ChunkState.ABSENT);
  world.loadChunk(1, [0, 0, 0]);
  assert.equal(world.chunk(1, [0, 0, 0]).isEmpty, true);
  assert.deepEqual(world.loadedChunks(1), [[0, 0, 0], [1, 2, 3]]);
  assert.deepEqual(world.level(1), { loadedChunks: 2, protoChunks: 1, min: [0, 0, 0], max: [1, 2, 3] });
  assert.deepEqual(world.level(0), { loadedChunks: 0, protoChunks: 0, min: null, max: null });
  world.unloadChunk(1, [1, 2, 3]);
  assert.throws(() => world.unloadChunk(1, [1, 2, 3]), failsWith("NOT_FOUND", /./));
  world.loadChunk(0, [0, 0, 0], stone);
  world.expandBlock(0, [1, 0, 0]);
  assert.equal(world.getBlock(1, 16, 0, 0), stone);
});

test("ids of any layout become blocks", () => {
  const world = new World(), stone = world.blockTypes.add("stone"), wood = world.blockTypes.add("wood");
  // x + 16 y + 256 z, as the library's own.
  const own = Uint16Array.from({ length: 4096 }, (_, i) => [fr.AIR, stone, wood][i % 3]);
  world.loadChunk(0, [0, 0, 0], own);
  assert.deepEqual(world.chunkBlocks(0, [0, 0, 0]), own);
  world.loadChunk(0, [0, 0, 0], Array.from(own));
  assert.deepEqual(world.chunkBlocks(0, [0, 0, 0]), own);
  // z fastest, of 24 x 24 x 24 bytes, with a table of types.
  const n = 24, bytes = new Uint8Array(n ** 3), at = (x, y, z) => z + n * (y + n * x);
  bytes[at(20, 3, 7)] = 5;
  bytes[at(0, 23, 1)] = 6;
  const types = [fr.AIR, stone, stone, stone, stone, stone, wood];
  world.loadBox(0, [-30, 5, 100], bytes, { size: [n, n, n], strides: [n * n, n, 1], types });
  assert.deepEqual([world.getBlock(0, -10, 8, 107), world.getBlock(0, -30, 28, 101), world.getBlock(0, -11, 8, 107)], [stone, wood, fr.AIR]);
  // Backwards along y, with an offset.
  const flipped = new Uint32Array(100 + 4096);
  flipped[100 + 3 + 16 * (15 - 2) + 256 * 9] = wood;
  world.loadChunks(0, [4, 0, 0], flipped, { size: [16, 16, 16], strides: [1, -16, 256], offset: 100 + 240 });
  assert.equal(world.getBlock(0, 64 + 3, 2, 9), wood);
  // Two chunks along x at once, from the module's memory.
  const array = new fr.ModuleArray(Uint16Array, 32 * 16 * 16);
  array.view[17 + 32 * (1 + 16 * 2)] = stone;
  world.loadChunks(0, [8, 0, 0], array, { size: [32, 16, 16] });
  assert.equal(world.getBlock(0, 128 + 17, 1, 2), stone);
  array.free();
  assert.throws(() => world.loadChunks(0, [8, 0, 0], array, { size: [32, 16, 16] }), failsWith("FAILED_PRECONDITION", /the ModuleArray has been freed/));
});

test("ids whose type depends on a state", () => {
  const world = new World(), low = world.blockTypes.add("low"), high = world.blockTypes.add("high");
  const ids = new Uint16Array(4096), values = new Uint8Array(4096);
  ids[0] = ids[1] = 7;
  values[1] = 0b101;  // the lowest bit counts
  const types = Array(8).fill(fr.AIR);
  world.loadChunks(0, [0, 0, 0], ids, { size: [16, 16, 16], types, states: { values, bits: 1, types: new Map([[7, [low, high]]]) } });
  assert.deepEqual([world.getBlock(0, 0, 0, 0), world.getBlock(0, 1, 0, 0), world.getBlock(0, 2, 0, 0)], [low, high, fr.AIR]);
  const bad = { values, bits: 2, types: new Map([[7, [low, high]]]) };
  assert.throws(() => world.loadChunks(0, [0, 0, 0], ids, { size: [16, 16, 16], types, states: bad }),
    failsWith("INVALID_ARGUMENT", /id 7 has 2 types; give one for each of the 4 states/));
  assert.throws(() => world.loadChunks(0, [0, 0, 0], ids, { size: [16, 16, 16], types, states: { ...bad, bits: 9 } }),
    failsWith("OUT_OF_RANGE", /the bits of a state is 9; it must be 1 to 8/));
});

test("states in a view of the module's memory are read, though it grows meanwhile", () => {
  const world = new World(), low = world.blockTypes.add("low"), high = world.blockTypes.add("high"), kept = [], size = [64, 128, 128], count = 64 * 128 * 128;
  const ids = new fr.ModuleArray(Uint8Array, count), values = new fr.ModuleArray(Uint8Array, count);
  ids.view[count - 1] = 1;
  values.view[count - 1] = 1;
  for (let growths = 0; growths < 3;) {
    kept.push(new fr.ModuleArray(Uint8Array, count));
    const before = memory.u8.length;
    world.loadBox(0, [0, 0, 0], ids, { size, types: [fr.AIR, fr.AIR], states: { values: values.view, bits: 1, types: new Map([[1, [low, high]]]) } });
    if (memory.u8.length > before) ++growths;
    assert.equal(world.getBlock(0, 63, 127, 127), high);
  }
  for (const each of [...kept, ids, values]) each.free();
});

test("arrays that cannot be are refused, and change nothing", () => {
  const world = new World(), stone = world.blockTypes.add("stone");
  world.loadChunk(0, [0, 0, 0], stone);
  const size = [16, 16, 16];
  assert.throws(() => world.loadChunk(0, [0, 0, 0], new Uint16Array(100)), failsWith("OUT_OF_RANGE", /elements 0 to 4095 of an array of 100/));
  assert.throws(() => world.loadChunk(0, [0, 0, 0], new Float32Array(4096)), { name: "TypeError", message: /Uint8Array, Uint16Array/ });
  assert.throws(() => world.loadChunk(0, [0, 0, 0], "stone"), { name: "TypeError" });
  assert.throws(() => world.loadChunks(0, [0, 0, 0], new Uint16Array(8), { size: [2, 2, 2] }), failsWith("INVALID_ARGUMENT", /multiple of 16/));
  assert.throws(() => world.loadChunks(0, [0, 0, 0], new Uint16Array(4096), { size, stride: 1 }), failsWith("INVALID_ARGUMENT", /there is no stride/));
  assert.throws(() => world.loadBox(0, [0, 0, 0], new Uint16Array(4096)), { name: "TypeError", message: /size is undefined/ });
  assert.throws(() => world.loadChunk(0, [0, 0, 0], new Uint16Array(4096).fill(9)), failsWith("INVALID_ARGUMENT", /9/));
  assert.throws(() => world.loadChunks(0, [0, 0, 0], new Uint16Array(4096), { size, strides: [1, -16, 256] }), failsWith("OUT_OF_RANGE", /-240/));
  assert.throws(() => world.loadBox(0, [0, 0, 0], new Uint8Array(1).fill(3), { size: [1, 1, 1], types: [0, 1] }), failsWith("INVALID_ARGUMENT", /./));
  assert.equal(world.getBlock(0, 5, 5, 5), stone);
});

test("a function supplies the blocks of a box, or throws and changes nothing", () => {
  const world = new World(), stone = world.blockTypes.add("stone");
  world.loadBoxOf(0, [-2, 0, 5], [20, 3, 6], (x, y, z) => ((x + y + z) % 2 === 0 ? stone : fr.AIR));
  assert.deepEqual([world.getBlock(0, -2, 0, 6), world.getBlock(0, -2, 1, 6)], [stone, fr.AIR]);
  const versions = world.versions;
  assert.throws(() => world.loadBoxOf(0, [0, 0, 0], [1, 1, 1], () => { throw new RangeError("no"); }), { name: "RangeError", message: "no" });
  assert.throws(() => world.loadBoxOf(0, [0, 0, 0], [1, 1, 1], () => "stone"), { name: "TypeError", message: /the answer of the function is "stone"/ });
  assert.throws(() => world.loadBoxOf(0, [0, 0, 0], [1, 1, 1], stone), { name: "TypeError", message: /typeOf/ });
  assert.deepEqual(world.versions, versions);
  world.setBlock(0, 0, 0, 5, stone);
});

test("snapshots stay as they are", () => {
  const world = new World(), stone = world.blockTypes.add("stone");
  world.loadChunk(0, [0, 0, 0]);
  const frozen = world.snapshot();
  world.setBlock(0, 5, 5, 5, stone);
  assert.equal(world.closestHit(0, 5.5, 5.5, 9, 5.5, 5.5).cell(0), 5);
  assert.equal(frozen.closestHit(0, 5.5, 5.5, 9, 5.5, 5.5), null);
  assert.equal(frozen.getBlock(0, 5, 5, 5), fr.AIR);
  assert.throws(() => frozen.entities.add({ id: 1, position: [0, 0, 0], radius: 1 }), failsWith("FAILED_PRECONDITION", /snapshot/i));
  world.free();
  assert.equal(frozen.levels, 1);
  frozen.free();
});

test("memory may grow while the channels and shapes of a type are added", () => {
  const world = new World(), slab = [[[0, 0, 0], [1, 0.5, 1]]], channels = { sight: Kind.EMPTY, sound: Kind.PERMEABLE };
  for (const name of ["frWorld_AddChannel", "frWorld_AddShape"]) {
    const type = growingIn(name, () => world.blockTypes.add(name, Kind.SOLID, { channels, channelBoxes: { low: slab } }));
    const kinds = ["sight", "sound", "low"].map((each) => world.blockTypes.kind(type, world.blockTypes.channel(each)));
    assert.deepEqual([world.blockTypes.kind(type), ...kinds], [Kind.SOLID, Kind.EMPTY, Kind.PERMEABLE, Kind.SOLID], name);
    assert.deepEqual(world.blockTypes.boxes(type, world.blockTypes.channel("low")), slab);
    assert.deepEqual(world.blockTypes.channels(), ["default", "sight", "sound", "low"]);
  }
});

test("a type that is refused adds no channel", () => {
  const world = new World(), stone = world.blockTypes.add("stone"), flat = [[[0, 0, 0], [1, 0, 1]]];
  for (const [name, given] of [
    ["a", { channels: { first: Kind.EMPTY, second: 9 } }], ["b", { channels: { first: Kind.EMPTY }, channelBoxes: { second: [[[0, 0, 0]]] } }],
    ["c", { channels: { first: Kind.EMPTY }, channelBoxes: { second: flat } }], ["d", { channels: { first: Kind.EMPTY, "a\0b": Kind.EMPTY } }],
    ["stone", { channels: { first: Kind.EMPTY } }], ["e", { channels: { first: Kind.EMPTY }, boxes: [, flat[0]] }],
  ]) {
    assert.throws(() => world.blockTypes.add(name, Kind.SOLID, given), (error) => ["INVALID_ARGUMENT", "ALREADY_EXISTS"].includes(error.code), name);
    assert.deepEqual([world.blockTypes.channels(), world.blockTypes.length], [["default"], 2], name);
  }
  assert.equal(world.blockTypes.find("stone"), stone);
});

test("types of many boxes and channels are no longer than memory", () => {
  const world = new World(), box = [[0, 0, 0], [1, 0.5, 1]];
  assert.throws(() => world.blockTypes.add("spikes", Kind.SOLID, { boxes: Array(3000).fill(box) }), failsWith("INVALID_ARGUMENT", /3000|255/));
  const channels = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`channel ${i}`, Kind.PERMEABLE]));
  const type = world.blockTypes.add("ghost", Kind.SOLID, { channels });
  assert.equal(world.blockTypes.kind(type, world.blockTypes.channel("channel 8999")), Kind.PERMEABLE);
});
