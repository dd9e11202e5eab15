// SPDX-License-Identifier: Apache-2.0
// integrations/prismarine without the module: sections of prismarine-chunk, shapes, outlines; the judge of the other
// tests against prismarine-world.
import assert from "node:assert/strict";
import test from "node:test";
import { firstOf, hitsOf, rayOf } from "./prismarine_oracle.mjs";
import { integrationFile, isInstalled, NEEDS } from "./prismarine_packages.mjs";
import { TestWorld } from "./prismarine_worlds.mjs";
import { random } from "./module.mjs";

const { readSection } = isInstalled ? await integrationFile("src/sections.js") : {};
const { cutBoxes, SHAPES, shapesOf } = isInstalled ? await integrationFile("src/shapes.js") : {};
const LONG = process.env.FRACTALRAY_LONG_TESTS === "1";
const VERSIONS = ["1.8.8", "1.12.2", "1.13.2", "1.16.5", "1.17.1", "1.18.2", "1.21.4", "1.21.11",
  "bedrock_1.16.220", "bedrock_1.18.30"];
// Sections of one state, of few, of so many that the words are split in other ways, and without a palette.
const STATE_COUNTS = [1, 2, 14, 30, 60, 120, 250, 700];

// Returns a random state id of a registry: those of old versions have gaps.
function anyState(registry, next) {
  const block = registry.blocksArray[Math.floor(next() * registry.blocksArray.length)];
  return block.minStateId + Math.floor(next() * (block.maxStateId - block.minStateId + 1));
}

for (const version of VERSIONS) {
  test(`sections of ${version} are read as getBlockStateId() reads them`, NEEDS, () => {
    const next = random(5), world = new TestWorld(version, next, []), types = new Uint16Array(4096);
    let slow = 0;
    STATE_COUNTS.forEach((count, i) => {
      const column = world.newColumn(), states = Array.from({ length: count }, () => anyState(world.registry, next));
      const lowest = (column.minY ?? 0) + 16 * (i % 4), index = i % 4, at = new world.Vec3(0, 0, 0);
      for (at.y = lowest; at.y < lowest + 16; ++at.y) for (at.z = 0; at.z < 16; ++at.z) for (at.x = 0; at.x < 16; ++at.x) {
        if (count === 1 || next() < 0.9) column.setBlockStateId(at, states[Math.floor(next() * count)]);
      }
      // A type is the number of its state.
      const numbers = new Map(), read = column.getBlockStateId.bind(column);
      column.getBlockStateId = (position) => (++slow, read(position));
      const typeOf = (state, position) => {
        assert.equal(read(position), state);
        if (!numbers.has(state)) numbers.set(state, numbers.size + 1);
        return numbers.get(state);
      };
      const found = readSection(column, index, lowest, typeOf, types), [sx, sy, sz] = found.strides;
      for (at.y = lowest; at.y < lowest + 16; ++at.y) for (at.z = 0; at.z < 16; ++at.z) for (at.x = 0; at.x < 16; ++at.x) {
        const type = found.single ?? types[at.x * sx + (at.y - lowest) * sy + at.z * sz];
        if (type !== numbers.get(read(at))) assert.fail(`${count} states: ${at}`);
      }
    });
    // Only samples were read one by one: the layout is known.
    assert.ok(slow < 20 * STATE_COUNTS.length, `${slow} blocks were read one by one`);
    assert.equal(readSection({ sections: [] }, 3, 0, () => 0, types), null);
  });
}

// Sections of the network have other words than those that were set block by block.
for (const version of ["1.12.2", "1.16.5", "1.18.2", "1.21.4"]) {
  test(`sections of ${version} that were received are read`, NEEDS, () => {
    const next = random(6), world = new TestWorld(version, next, []), sent = world.newColumn(), received = world.newColumn(), at = new world.Vec3(0, 0, 0);
    STATE_COUNTS.forEach((count, i) => {
      const states = Array.from({ length: count }, () => anyState(world.registry, next)), lowest = (sent.minY ?? 0) + 16 * i;
      for (at.y = lowest; at.y < lowest + 16; ++at.y) for (at.z = 0; at.z < 16; ++at.z) for (at.x = 0; at.x < 16; ++at.x) {
        sent.setBlockStateId(at, states[Math.floor(next() * count)]);
      }
    });
    received.load(sent.dump(), sent.getMask(), true, true);
    const types = new Uint16Array(4096), numberOf = (state) => state;
    STATE_COUNTS.forEach((count, i) => {
      const lowest = (sent.minY ?? 0) + 16 * i, found = readSection(received, i, lowest, numberOf, types), [sx, sy, sz] = found.strides;
      for (at.y = lowest; at.y < lowest + 16; ++at.y) for (at.z = 0; at.z < 16; ++at.z) for (at.x = 0; at.x < 16; ++at.x) {
        const state = found.single ?? types[at.x * sx + (at.y - lowest) * sy + at.z * sz];
        if (state !== sent.getBlockStateId(at)) assert.fail(`${count} states: ${at}`);
      }
    });
  });
}

test("a section of an unknown layout, or of a wrong one, is read block by block", NEEDS, () => {
  const state = ({ x, y, z }) => (x + y * z) % 7, types = new Uint16Array(4096);
  const wrong = { data: { data: new Uint32Array(512), capacity: 4096, bitsPerValue: 4, valuesPerLong: 16 }, palette: [3] };
  for (const section of [{}, { data: {} }, wrong]) {
    const column = { sections: [section], getBlockStateId: state };
    const { strides: [sx, sy, sz] } = readSection(column, 0, 32, (id) => 10 + id, types);
    assert.equal(types[3 * sx + 5 * sy + 4 * sz], 10 + state({ x: 3, y: 37, z: 4 }));
  }
});

test("boxes are cut at the cube", NEEDS, () => {
  assert.deepEqual(cutBoxes([[0.375, 0, 0.375, 0.625, 1.5, 0.625]]), [[0.375, 0, 0.375, 0.625, 1, 0.625]]);
  assert.deepEqual(cutBoxes([[0, 1, 0, 1, 1.5, 1], [0, -0.25, 0, 1, 0.5, 1]]), [[0, 0, 0, 1, 0.5, 1]]);
});

test("every state has the three shapes", NEEDS, () => {
  for (const version of ["1.8.8", "1.21.4"]) {
    const { registry, Block } = new TestWorld(version, random(1), []);
    const keys = new Set();
    for (const { minStateId, maxStateId, name } of registry.blocksArray) for (let state = minStateId; state <= maxStateId; ++state) {
      const block = Block.fromStateId(state, 0), shapes = shapesOf(block);
      for (const each of SHAPES) {
        assert.ok(shapes[each].length <= 255, name);
        for (const [x0, y0, z0, x1, y1, z1] of shapes[each]) {
          if (!(x0 >= 0 && y0 >= 0 && z0 >= 0 && x1 <= 1 && y1 <= 1 && z1 <= 1 && x0 < x1 && y0 < y1 && z0 < z1)) assert.fail(`${name} ${each}`);
        }
      }
      const isOpen = ["air", "cave_air", "void_air", "water", "lava", "flowing_water", "flowing_lava", "bubble_column"].includes(name);
      if (block.shapes.length === 0) assert.equal(shapes.full.length, isOpen ? 0 : 1, name);
      else assert.deepEqual(shapes.full, shapes.collision);
      keys.add(JSON.stringify(shapes));
    }
    assert.ok(keys.size < 1000, `${keys.size} block types`);
  }
});

test("outlines are those of the game", NEEDS, () => {
  const { Block } = new TestWorld("1.20.4", random(1), []);
  const outline = (name, properties) => shapesOf(Block.fromProperties(name, properties, 0)).outline.map((box) => box.map((each) => 16 * each));
  assert.deepEqual(outline("wheat", { age: 3 }), [[0, 0, 0, 16, 8, 16]]);
  assert.deepEqual(outline("poppy", {}), [[5, 0, 5, 11, 10, 11]]);
  assert.deepEqual(outline("wall_torch", { facing: "east" }), [[0, 3, 5.5, 5, 13, 10.5]]);
  assert.deepEqual(outline("wall_torch", { facing: "north" }), [[5.5, 3, 11, 10.5, 13, 16]]);
  assert.deepEqual(outline("oak_button", { face: "ceiling", facing: "west", powered: false }), [[6, 14, 5, 10, 16, 11]]);
  assert.deepEqual(outline("lever", { face: "wall", facing: "west", powered: false }), [[10, 4, 5, 16, 12, 11]]);
  assert.deepEqual(outline("oak_sign", { rotation: 3, waterlogged: false }), [[4, 0, 4, 12, 16, 12]]);
  assert.deepEqual(outline("cobweb", {}), [[0, 0, 0, 16, 16, 16]]);
  assert.deepEqual(outline("potted_oak_sapling", {}), shapesOf(Block.fromProperties("potted_oak_sapling", {}, 0)).collision.map((box) => box.map((each) => 16 * each)));
  assert.deepEqual(outline("water", { level: 0 }), []);
  const custom = shapesOf(Block.fromProperties("water", { level: 0 }, 0), (block) => (block.name === "water" ? [[0, 0, 0, 1, 0.875, 1]] : undefined));
  assert.deepEqual(custom.collision, [[0, 0, 0, 1, 0.875, 1]]);
});

// prismarine-world is right about whole cubes from a start in air: so is the judge.
test("the judge agrees with prismarine-world on whole cubes", NEEDS, () => {
  const world = new TestWorld("1.18.2", random(2), ["stone"]), count = LONG ? 20_000 : 2000;
  for (let x = -1; x <= 1; ++x) for (let z = -1; z <= 1; ++z) world.build(x, z, -64, -40, 12);
  let compared = 0;
  while (compared < count) {
    const from = world.point([-12, -63, -12], [28, -41, 28]), direction = world.direction();
    if ([0, 1, 2].some((axis) => Number.isInteger(16 * from.toArray()[axis])) || world.boxesAt(...from.floored().toArray()).length > 0) continue;
    const ray = rayOf(from, direction, 8), expected = firstOf(hitsOf(ray, world.boxesAt), ray);
    const theirs = world.world.raycast(from, direction, 8), at = theirs?.position.toArray().join() ?? null;
    // Theirs also answers cubes that begin within range and are hit there; its ends are not exact.
    assert.ok(expected.some((each) => (each?.block.join() ?? null) === at), `${from} ${direction}: ${at}`);
    ++compared;
  }
});
