// SPDX-License-Identifier: Apache-2.0
// Shows answers of mineflayer and prismarine-world that differ from those of integrations/prismarine, and that matchers
// are treated alike. Their answers are checked for the versions that were studied.
import assert from "node:assert/strict";
import test from "node:test";
import { random } from "./module.mjs";
import { hitsOf, rayOf } from "./prismarine_oracle.mjs";
import { isInstalled, loadIntegration, NEEDS, versionOf } from "./prismarine_packages.mjs";
import { TestBot, TestWorld } from "./prismarine_worlds.mjs";

const COUNT = process.env.FRACTALRAY_LONG_TESTS === "1" ? 30_000 : 2000;
const { attach, BlockFace } = isInstalled ? await loadIntegration() : {};
const isStudied = isInstalled && versionOf("prismarine-world") === "3.7.0" && versionOf("mineflayer") === "4.25.0";

// Checks what theirs answers, in the versions that were studied.
function theirs(t, found, expected) {
  if (isStudied) assert.deepEqual(found, expected);
  else t.diagnostic(`prismarine-world ${versionOf("prismarine-world")}, mineflayer ${versionOf("mineflayer")}: ${JSON.stringify(found)}`);
}

// Returns a world with one column, blocks by their positions "x y z", and a bot in it.
async function scene(blocks, { settings, feet = [0.5, 0, 0.5] } = {}) {
  const made = new TestWorld("1.20.4", random(1), []), column = made.newColumn(), { Vec3 } = made;
  for (const [at, [name, properties]] of Object.entries(blocks)) {
    column.setBlockStateId(new Vec3(...at.split(" ").map(Number)), made.Block.fromProperties(name, properties, 0).stateId);
  }
  made.world.setColumn(0, 0, column);
  const bot = new TestBot(made.world, new Vec3(...feet)), sight = await attach(bot, settings);
  return { made, bot, sight, Vec3, world: made.world };
}
const SLAB = ["stone_slab", { type: "bottom", waterlogged: false }], STONE = ["stone", {}];
const FENCE = ["oak_fence", { east: false, north: false, south: false, waterlogged: false, west: false }];

test("the shapes of the block in which a ray starts", NEEDS, async (t) => {
  const { sight, world, Vec3 } = await scene({ "0 0 0": SLAB });
  const from = new Vec3(0.25, 0.75, 0.25), down = new Vec3(0, -1, 0), up = new Vec3(0, 1, 0);
  const ours = sight.raycast(from, down, 5), found = world.raycast(from, down, 5);
  assert.deepEqual([ours.intersect.y, ours.face], [0.5, BlockFace.TOP]);
  theirs(t, [found.intersect.y, found.face], [0.75, BlockFace.EAST]);
  // Looking up, away from the slab.
  assert.equal(sight.raycast(from, up, 5), null);
  theirs(t, world.raycast(from, up, 5)?.name, "stone_slab");
  // In the slab.
  const inside = sight.raycast(new Vec3(0.25, 0.25, 0.25), up, 5);
  assert.deepEqual([inside.name, inside.face, inside.intersect.y], ["stone_slab", BlockFace.UNKNOWN, 0.25]);
});

test("rays end at their range", NEEDS, async (t) => {
  const { sight, world, Vec3 } = await scene({ "3 0 0": FENCE });
  // The cell begins 2.5 from the start, the post 2.875.
  const from = new Vec3(0.5, 0.5, 0.5), east = new Vec3(1, 0, 0);
  assert.equal(sight.raycast(from, east, 2.6), null);
  theirs(t, world.raycast(from, east, 2.6)?.name, "oak_fence");
  assert.equal(sight.raycast(from, east, 2.9).name, "oak_fence");
  // A range is in lengths of the direction.
  assert.equal(sight.raycast(from, new Vec3(0.5, 0, 0), 5), null);
  assert.equal(sight.raycast(from, new Vec3(0.5, 0, 0), 6).name, "oak_fence");
});

test("a fence ends at the top of its cube, as the game outlines it", NEEDS, async (t) => {
  const { sight, world, Vec3 } = await scene({ "3 0 0": FENCE });
  const down = new Vec3(1, -0.25, 0), from = new Vec3(0.5, 1.85, 0.5);
  // At the post, x = 3.375, it is at y = 1.13; it comes to the cell at y = 1 beyond, x = 3.9.
  assert.equal(sight.raycast(from, down, 4), null);
  theirs(t, world.raycast(from, down, 4)?.intersect.y.toFixed(2), "1.13");
});

test("blockAtCursor looks from the eye", NEEDS, async (t) => {
  const { sight, bot } = await scene({ "0 1 3": SLAB, "0 1 4": STONE });
  // The eye is at 1.62, above the slab; at 1.8 the head ends. Slightly downwards: from 1.62 on comes to the slab, from
  // 1.8 on passes above it.
  Object.assign(bot.entity, { yaw: Math.PI, pitch: -0.05 });
  assert.equal(sight.blockAtCursor(5).position.z, 3);
  theirs(t, bot.blockAtCursor(5).position.z, 4);
  const asTheirs = await attach(bot, { eyeHeight: (entity) => entity.height });
  assert.equal(asTheirs.blockAtCursor(5).position.z, 4);
});

test("a yaw or a pitch of 0 is a direction", NEEDS, async (t) => {
  const { sight, bot } = await scene({ "2 1 0": STONE }, { feet: [2.5, 0, 3.5] });
  Object.assign(bot.entity, { yaw: 0, pitch: 0 });
  assert.equal(sight.blockAtCursor(5).name, "stone");
  theirs(t, bot.blockAtCursor(5), null);
  assert.equal(sight.blockAtEntityCursor({ position: null }), null);
  assert.equal(sight.blockAtEntityCursor({ position: bot.entity.position }), null);
});

test("entityAtCursor measures from the eye", NEEDS, async (t) => {
  const { sight, bot, Vec3 } = await scene({}, { feet: [0.5, 4, 0.5] });
  // 2.5 lower: its feet are 3.8 from the bot's feet, its head is 3.4 from the bot's eye.
  const zombie = { id: 5, type: "mob", position: new Vec3(3.4, 1.5, 0.5), width: 0.6, height: 1.95 };
  bot.spawn(zombie);
  bot.lookAt(new Vec3(3.15, 3.4, 0.5));
  assert.equal(sight.entityAtCursor(3.5), zombie);
  theirs(t, bot.entityAtCursor(3.5), null);
  assert.equal(sight.entityAtCursor(3.2), null);
});

test("entityAtCursor finds what is in sight; theirs misses some", NEEDS, async (t) => {
  const made = new TestWorld("1.20.4", random(9)), bot = new TestBot(made.world, new made.Vec3(0, 0, 0));
  for (let x = -1; x <= 1; ++x) for (let z = -1; z <= 1; ++z) made.build(x, z, -8, 12, 40);
  const sight = await attach(bot), REACH = 16;
  const found = { inSight: 0, missed: 0, other: 0 };
  for (let i = 0; i < COUNT; ++i) {
    bot.entity.position = made.point([-8, -6, -8], [24, 6, 24]);
    bot.entities = { 1: bot.entity };
    for (let id = 2; id < 12; ++id) {
      const position = bot.entity.position.offset(16 * made.random() - 8, 4 * made.random() - 2, 16 * made.random() - 8);
      const [width, height] = [[0.6, 1.95], [0.9, 1.4], [1.4, 0.9], [0.4, 0.7]][id % 4];
      // No entity contains the eye.
      if (Math.hypot(position.x - bot.eye.x, position.z - bot.eye.z) > 1.5) bot.entities[id] = { id, type: "mob", position, width, height };
    }
    const aim = Object.values(bot.entities)[1];
    if (aim === undefined) continue;
    bot.lookAt(aim.position.offset(0, made.random() * aim.height, 0));
    const ray = rayOf(bot.eye, bot.direction, REACH), [first] = hitsOf(ray, made.boxesAt, Object.values(bot.entities).slice(1));
    const ours = sight.entityAtCursor(REACH);
    if (first === undefined || first.distance > REACH - 0.01) continue;
    assert.equal(ours, first.entity ?? null);
    const answer = bot.entityAtCursor(REACH);
    if (first.entity !== undefined) ++found.inSight;
    if (first.entity !== undefined && answer === null) ++found.missed;
    if (answer !== null && answer !== first.entity) ++found.other;
  }
  assert.ok(found.inSight > COUNT / 10, JSON.stringify(found));
  if (isStudied) assert.ok(found.missed > 0);
  t.diagnostic(`theirs: ${JSON.stringify(found)}`);
});

test("matchers are asked about the same blocks as by prismarine-world, in the same order", NEEDS, async () => {
  const made = new TestWorld("1.20.4", random(11));
  for (let x = -1; x <= 1; ++x) for (let z = -1; z <= 1; ++z) if (x + z > -2) made.build(x, z, -8, 12, 30);
  const sight = await attach(made.world), onUnits = (each) => Math.round(each * 65536) / 65536;
  const wanted = new Set(["chest", "oak_fence", "wheat", "stone"]);
  for (let i = 0; i < COUNT; ++i) {
    const from = made.point([-14, -8, -14], [30, 12, 30]);
    for (const axis of ["x", "y", "z"]) from[axis] = onUnits(from[axis]);
    const direction = made.direction(), range = 11.37, asked = [[], []];
    const matcher = (list) => (block, iterator) => {
      const hit = iterator.intersect(block.shapes, block.position);
      list.push([block.position.toArray().join(" "), iterator.block.face, block.stateId]);
      return wanted.has(block.name) && (hit === null || hit.face !== undefined);
    };
    const ours = sight.raycast(from, direction, range, matcher(asked[0])), other = made.world.raycast(from, direction, range, matcher(asked[1]));
    assert.deepEqual(asked[0], asked[1], `from ${from} to ${direction}`);
    assert.equal(ours?.position.toString(), other?.position.toString());
    if (ours !== null) {
      // Theirs has no face and no point with a matcher.
      assert.equal(ours.face, asked[0].at(-1)[1]);
      const { x, y, z } = ours.intersect.minus(ours.position);
      assert.ok([x, y, z].every((each) => each > -1e-9 && each < 1 + 1e-9), ours.intersect.toString());
    }
  }
  assert.throws(() => sight.raycast(new made.Vec3(0, 0, 0), new made.Vec3(1, 0, 0), 5, () => { throw new Error("mine"); }), /mine/);
});

test("the iterator of matchers finds boxes as they are", NEEDS, async () => {
  const { sight, Vec3 } = await scene({});
  let iterator = null;
  sight.raycast(new Vec3(0.5, 0.75, 0.5), new Vec3(1, 0, 0), 5, (block, each) => (iterator = each, true));
  assert.deepEqual([iterator.maxDistance, iterator.pos.x, iterator.dir.x], [5, 0.5, 1]);
  const shapes = [[0, 0, 0, 1, 0.5, 1], [0.5, 0.5, 0, 1, 1, 1]], hit = iterator.intersect(shapes, new Vec3(3, 0, 0));
  assert.deepEqual([hit.pos.toArray(), hit.face], [[3.5, 0.75, 0.5], BlockFace.WEST]);
  assert.equal(iterator.intersect(shapes, new Vec3(-3, 0, 0)), null);
  assert.equal(iterator.intersect([], new Vec3(3, 0, 0)), null);
  assert.deepEqual(iterator.intersect([[0, 0, 0, 1, 1, 1]], new Vec3(0, 0, 0)), { pos: new Vec3(0.5, 0.75, 0.5), face: BlockFace.UNKNOWN });
});
