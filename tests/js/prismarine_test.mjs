// SPDX-License-Identifier: Apache-2.0
// integrations/prismarine against an exact judge, on random worlds of prismarine-chunk: raycasts, looks of a bot, lists.
import assert from "node:assert/strict";
import test from "node:test";
import { random } from "./module.mjs";
import { compare, firstOf, hitsOf, rayOf, SLACK } from "./prismarine_oracle.mjs";
import { isInstalled, loadIntegration, NEEDS } from "./prismarine_packages.mjs";
import { TestBot, TestWorld } from "./prismarine_worlds.mjs";

const LOOKS = process.env.FRACTALRAY_LONG_TESTS === "1" ? 100_000 : 3000;
const { attach, BlockFace } = isInstalled ? await loadIntegration() : {};
const FACES = [["WEST", "EAST"], ["BOTTOM", "TOP"], ["NORTH", "SOUTH"]];

// Heights at which worlds are built: around y = 0, at the bottom, at the top.
const HEIGHTS = [[-8, 12], [-64, -48], [300, 320]];
function buildWorld(version, seed, rarity) {
  const made = new TestWorld(version, random(seed));
  for (let x = -1; x <= 1; ++x) for (let z = -1; z <= 1; ++z) {
    for (const [low, high] of HEIGHTS) if (version !== "1.12.2" || low >= -8) made.build(x, z, Math.max(low, version === "1.12.2" ? 0 : low), Math.min(high, version === "1.12.2" ? 250 : high), rarity);
  }
  return made;
}
function faceNumber(face) {
  return face === null ? BlockFace.UNKNOWN : BlockFace[FACES[face[0]][face[1] > 0 ? 1 : 0]];
}
function assertNear(point, ray, distance) {
  const scale = distance / Math.hypot(...ray.direction);
  ["x", "y", "z"].forEach((axis, i) => {
    const expected = ray.from[i] + ray.direction[i] * scale;
    assert.ok(Math.abs(point[axis] - expected) < 1e-4, `${axis} is ${point[axis]}, not ${expected}`);
  });
}
// Checks a block that a query has answered: one of those that it may answer, and all that it says of it.
function checkBlock(block, expected, ray, what) {
  const at = block === null ? null : block.position.toArray().join();
  const found = expected.find((each) => (each === null ? null : each.block?.join()) === at);
  assert.ok(found !== undefined, `${what}: it is ${at} ${block?.name}, not ${JSON.stringify(expected.map((each) => each?.block ?? each?.entity?.id ?? null))}`);
  if (found === null) return;
  assertNear(block.intersect, ray, found.distance);
  // At a tie the face is that of any of the blocks, each with its own.
  assert.equal(block.face, faceNumber(found.face), what);
}

for (const [version, seed, rarity] of [["1.20.4", 1, 12], ["1.20.4", 2, 3], ["1.12.2", 3, 8], ["1.16.5", 4, 30]]) {
  test(`raycast on ${version}, one block in ${rarity}`, NEEDS, async () => {
    const made = buildWorld(version, seed, rarity), sight = await attach(made.world), count = LOOKS / 4;
    const heights = version === "1.12.2" ? [HEIGHTS[0]] : HEIGHTS;
    for (let i = 0; i < count; ++i) {
      const [low, high] = heights[i % heights.length], from = made.point([-14, low, -14], [30, high + 2, 30]);
      const direction = made.direction(), range = [3.5, 6, 20][made.int(3)], ray = rayOf(from, direction, range);
      const expected = firstOf(hitsOf(ray, made.boxesAt), ray);
      checkBlock(sight.raycast(from, direction, range), expected, ray, `look ${i} from ${from} to ${direction}`);
    }
    sight.detach();
  });
}

// Spawns entities of several sizes around a point, some of which a query for entities leaves out.
function spawnAround(made, bot, count) {
  const sizes = [[0.6, 1.95], [0.9, 1.4], [1.4, 0.9], [0.4, 0.7], [2.04, 2.04], [0.25, 0.25]];
  for (let i = 0; i < count; ++i) {
    const [width, height] = sizes[i % sizes.length], position = bot.entity.position.offset(...[8, 3, 8].map((each) => each * (2 * made.random() - 1)));
    bot.spawn({ id: 2 + i, type: i % 7 === 0 ? "object" : "mob", position, width, height });
  }
}

test("the looks of a bot: blockAtCursor, entityAtCursor, look", NEEDS, async () => {
  const made = buildWorld("1.20.4", 7, 25), bot = new TestBot(made.world, new made.Vec3(3.5, 0, 3.5));
  spawnAround(made, bot, 25);
  const sight = await attach(bot), found = { block: 0, entity: 0, none: 0 };
  for (let i = 0; i < LOOKS; ++i) {
    const [low, high] = HEIGHTS[made.int(3)];
    if (i % 20 === 0) {
      // Everyone moves.
      bot.entity.position = made.point([-8, low, -8], [24, high, 24]);
      for (const entity of Object.values(bot.entities)) {
        if (entity === bot.entity) continue;
        entity.position = bot.entity.position.offset(...[6, 2, 6].map((each) => each * (2 * made.random() - 1)));
        bot.emit("entityMoved", entity);
      }
    }
    const aim = Object.values(bot.entities)[1 + made.int(2 * 25)];
    if (aim !== undefined) bot.lookAt(aim.position.offset((made.random() - 0.5) * aim.width, made.random() * aim.height, (made.random() - 0.5) * aim.width));
    else Object.assign(bot.entity, { yaw: made.random() < 0.1 ? 0 : 6.28 * made.random(), pitch: made.random() < 0.1 ? 0 : 3.1 * (made.random() - 0.5) });
    const range = [3.5, 5, 8][i % 3], ray = rayOf(bot.eye, bot.direction, range), others = Object.values(bot.entities).filter((each) => each !== bot.entity);
    const blocks = hitsOf(ray, made.boxesAt), all = hitsOf(ray, made.boxesAt, others), what = `look ${i}`;
    checkBlock(sight.blockAtCursor(range), firstOf(blocks, ray), ray, what);

    const expected = firstOf(all.filter((each) => each.entity?.type !== "object"), ray);
    const mayBe = expected.some((each) => each?.entity) ? expected.map((each) => each?.entity ?? null) : [null];
    const entity = sight.entityAtCursor(range);
    assert.ok(mayBe.includes(entity), `${what}: it is entity ${entity?.id}, not ${mayBe.map((each) => each?.id)}`);
    checkList(sight.look(range).hits, all, ray, what);
    checkList(sight.look(range, { until: () => false }).hits, all, ray, what, true);
    ++found[entity !== null ? "entity" : blocks.length > 0 ? "block" : "none"];
  }
  assert.ok(found.entity > LOOKS / 10 && found.block > LOOKS / 20, JSON.stringify(found));
  sight.detach();
});

// Checks a list: all that is expected within the range, in order, up to the first block or all of it.
function checkList(hits, all, ray, what, isWhole = false) {
  const end = isWhole ? -1 : all.findIndex((each) => each.block !== undefined);
  const expected = (end < 0 ? all : all.slice(0, end + 1)).filter((each) => each.distance < ray.distance + SLACK);
  const sure = expected.filter((each) => each.distance < ray.distance - SLACK);
  const nameOf = (each) => (each.entity ? `entity ${each.entity.id}` : (each.block.position?.toArray() ?? each.block).join());
  assert.ok(hits.length >= sure.length && hits.length <= expected.length, `${what}: ${hits.map(nameOf)} instead of ${expected.map(nameOf)}`);
  hits.forEach((hit, i) => {
    // Blocks that are hit at the same time are in the order of the walk, which the judge does not know.
    const same = all.filter((each) => compare(each.t, expected[i].t) === 0).map(nameOf);
    assert.ok(same.includes(nameOf(hit)), `${what}: number ${i} is ${nameOf(hit)}, not ${same}`);
    const its = all.find((each) => nameOf(each) === nameOf(hit));
    assert.ok(Math.abs(hit.distance - its.distance) < 1e-4 && hit.kind === (hit.entity ? "entity" : "block"), what);
    assert.equal(hit.startInside, its.axes.length === 0, what);
    assert.equal(hit.face, faceNumber(its.face), what);
    const exit = (Number(its.exit[0]) / Number(its.exit[1]) / 65536) * ray.length;
    assert.ok(Math.abs(hit.exitDistance - exit) < 1e-4, `${what}: exit ${hit.exitDistance}, not ${exit}`);
    assertNear(hit.point, ray, its.distance);
  });
}

test("shapes: crops and the like are hit as they are outlined, or whole", NEEDS, async () => {
  const made = new TestWorld("1.20.4", random(1), []), column = made.newColumn(), { Vec3 } = made;
  const state = (name, properties) => made.Block.fromProperties(name, properties, 0).stateId;
  column.setBlockStateId(new Vec3(5, 0, 5), state("wheat", { age: 3 }));
  column.setBlockStateId(new Vec3(8, 0, 5), state("water", { level: 0 }));
  column.setBlockStateId(new Vec3(10, 0, 5), state("stone", {}));
  made.world.setColumn(0, 0, column);
  const sight = await attach(made.world, { typePerState: true }), east = new Vec3(1, 0, 0);
  const at = (y, shapes) => sight.raycast(new Vec3(3, y, 5.5), east, 20, null, { shapes }).position.x;
  assert.deepEqual([at(0.25, "collision"), at(0.25, "outline"), at(0.75, "outline"), at(0.75, "full")], [10, 5, 10, 5]);
  assert.ok(sight.world.blockTypes.name(sight.typeOf(state("wheat", { age: 3 }))).startsWith("wheat#"));
  const own = await attach(made.async, { shapeOf: (block) => (block.name === "water" ? [[0, 0, 0, 1, 0.875, 1]] : undefined) });
  assert.equal(own.raycast(new Vec3(3, 0.8, 5.5), east, 20).position.x, 8);
  assert.equal(own.raycast(new Vec3(3, 0.9, 5.5), east, 20).position.x, 10);
  sight.detach();
  own.detach();
});
