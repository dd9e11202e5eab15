// SPDX-License-Identifier: Apache-2.0
// integrations/prismarine keeps in step with worlds and bots, says what is not loaded, and can be installed and removed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { random, ROOT } from "./module.mjs";
import { integrationFile, isInstalled, loadIntegration, NEEDS } from "./prismarine_packages.mjs";
import { TestBot, TestWorld } from "./prismarine_worlds.mjs";

const { attach, Sight, BotSight } = isInstalled ? await loadIntegration() : {};

// Returns a world of a stone floor at y = 63 in the columns (0, 0) and (1, 0), at 0 <= z < 16.
function floor() {
  const made = new TestWorld("1.20.4", random(3), ["stone"]), { Vec3 } = made;
  const stone = made.registry.blocksByName.stone.defaultState;
  const fill = (column, y = 63) => {
    for (let x = 0; x < 16; ++x) for (let z = 0; z < 16; ++z) column.setBlockStateId(new Vec3(x, y, z), stone);
    return column;
  };
  for (const x of [0, 1]) made.world.setColumn(x, 0, fill(made.newColumn()));
  const under = (sight, x, z, y = 80) => sight.raycast(new Vec3(x + 0.5, y, z + 0.5), new Vec3(0, -1, 0), 300)?.position.y ?? null;
  return { ...made, made, Vec3, stone, fill, under, world: made.world, async: made.async };
}

test("columns are loaded, replaced, and unloaded", NEEDS, async () => {
  const { world, fill, made, under } = floor(), sight = await attach(world);
  assert.deepEqual([under(sight, 3, 3), under(sight, 20, 3), under(sight, 40, 3)], [63, 63, null]);
  world.setColumn(2, 0, fill(made.newColumn(), -64));
  assert.equal(under(sight, 40, 3), -64);
  world.setColumn(0, 0, fill(made.newColumn(), 10));
  assert.equal(under(sight, 3, 3), 10);
  // mineflayer loads data into the column that is there.
  fill(world.getColumn(0, 0), 20);
  world.setColumn(0, 0, world.getColumn(0, 0));
  assert.equal(under(sight, 3, 3), 20);
  world.unloadColumn(0, 0);
  assert.equal(under(sight, 3, 3), null);
  // By the asynchronous part.
  await made.async.setColumn(0, 0, fill(made.newColumn(), 30));
  assert.equal(under(sight, 3, 3), 30);
  made.async.unloadColumn(0, 0);
  assert.equal(under(sight, 3, 3), null);
  sight.detach();
});

test("blocks are set, at any height", NEEDS, async () => {
  const { world, async, Vec3, stone, under } = floor(), sight = await attach(world);
  assert.equal(under(sight, 3, 3, 330), 63);
  for (const y of [319, 64, 0, -2, -64]) {
    world.setBlockStateId(new Vec3(3, y, 3), stone);
    assert.equal(under(sight, 3, 3, y + 1.5), y);
  }
  world.setBlockStateId(new Vec3(3, 319, 3), 0);
  assert.equal(under(sight, 3, 3, 330), 64);
  await async.setBlockStateId(new Vec3(3, 70, 3), stone);
  assert.equal(under(sight, 3, 3), 70);
  await async.setBlockStateId(new Vec3(3, 70, 3), 0);
  // A section that has not been read, and a position where nothing is loaded.
  world.setBlockStateId(new Vec3(20, 200, 3), stone);
  world.setBlockStateId(new Vec3(99, 200, 3), stone);
  assert.deepEqual([under(sight, 20, 3, 330), under(sight, 3, 3)], [200, 64]);
  sight.detach();
});

test("listeners that were there before ask a sight that is in step", NEEDS, async () => {
  const { world, fill, Vec3, stone, under } = floor(), seen = [];
  let sight = null;
  for (const name of ["blockUpdate", "chunkColumnLoad", "chunkColumnUnload"]) world.on(name, () => seen.push(under(sight, 3, 3)));
  sight = await attach(world);
  assert.equal(under(sight, 3, 3), 63);
  world.setBlockStateId(new Vec3(3, 70, 3), stone);
  world.setColumn(0, 0, fill(world.getColumn(0, 0), 75));
  world.unloadColumn(0, 0);
  assert.deepEqual(seen, [70, 75, null]);
  sight.detach();
});

test("columns that were edited without an event do not answer what is not there", NEEDS, async () => {
  const { world, Vec3, under, made } = floor(), sight = await attach(world);
  assert.equal(under(sight, 3, 3), 63);
  world.getColumn(0, 0).setBlockStateId(new Vec3(3, 63, 3), 0);
  assert.equal(under(sight, 3, 3), null);
  // A block that is added can only be found after columnChanged().
  world.getColumn(0, 0).setBlockStateId(new Vec3(3, 70, 3), made.registry.blocksByName.glass.defaultState);
  sight.columnChanged(0, 0);
  assert.equal(under(sight, 3, 3), 70);
  // A column that takes the position of another one.
  made.async.columns["0,0"] = made.newColumn();
  assert.equal(under(sight, 3, 3), null);
  sight.detach();
});

test("sections are read when a line comes near them", NEEDS, async () => {
  const { world, Vec3, under } = floor(), sight = await attach(world);
  const count = () => [0, 1].flatMap((x) => Array.from({ length: 24 }, (_, y) => sight.world.getBlock(0, 16 * x, 16 * y - 64, 0))).filter((each) => each !== undefined).length;
  assert.equal(count(), 0);
  sight.raycast(new Vec3(8, 68, 8), new Vec3(0, 0, 1), 4);
  assert.equal(count(), 1);
  under(sight, 3, 3, 70);
  assert.ok(count() >= 9 && count() < 24, count());
  sight.readAll();
  assert.equal(count(), 48);
  // A line of any length: it reads columns, not the space between them.
  assert.equal(sight.raycast(new Vec3(1e7, 63.5, 8), new Vec3(-1, 0, 0), Infinity), null);
  assert.equal(sight.raycast(new Vec3(1e5, 63.5, 8), new Vec3(-1, 0, 0), Infinity).position.x, 31);
  sight.detach();
});

test("what is not loaded is said, or ends a line", NEEDS, async () => {
  const { world, made, fill, Vec3 } = floor(), sight = await attach(world);
  world.setColumn(3, 0, fill(made.newColumn()));
  const from = new Vec3(8, 63.5, 8), east = new Vec3(1, 0, 0), above = new Vec3(8, 64.5, 8), stop = { unloaded: "stop" };
  made.world.setBlockStateId(new Vec3(48, 64, 8), made.registry.blocksByName.stone.defaultState);
  assert.equal(sight.raycast(above, east, 100).position.x, 48);
  assert.equal(sight.unloadedAt, null);
  assert.equal(sight.raycast(above, east, 100, null, stop), null);
  assert.deepEqual(sight.unloadedAt.toArray(), [32, 64.5, 8]);
  assert.equal(sight.raycast(above, east, 100, (block) => block.name === "stone", stop), null);
  assert.deepEqual(sight.unloadedAt.toArray(), [32, 64.5, 8]);
  assert.equal(sight.raycast(above, east, 100, (block) => block.name === "stone").position.x, 48);
  assert.equal(sight.unloadedAt, null);
  assert.equal(sight.raycast(new Vec3(33.25, 64.5, 8), east, 100, () => true, stop), null);
  assert.deepEqual(sight.unloadedAt.toArray(), [33.25, 64.5, 8]);
  // Before that, and within the range, nothing is unloaded.
  assert.equal(sight.raycast(from, east, 100, null, stop).position.x, 8);
  assert.equal(sight.raycast(above, east, 24, null, stop), null);
  assert.equal(sight.unloadedAt, null);
  // Above the world and below it there is nothing that could be loaded.
  assert.equal(sight.raycast(above, new Vec3(0, 1, 0), 1000, null, stop), null);
  assert.equal(sight.unloadedAt, null);
  assert.equal(sight.raycast(new Vec3(8, 400, 8), new Vec3(0, -1, 0), 1000, null, stop).position.y, 63);
  sight.raycast(new Vec3(80, 400, 8), new Vec3(0, -1, 0), 1000, null, stop);
  assert.equal(sight.unloadedAt.y, 320);
  assert.equal(sight.raycast(new Vec3(8, 400, 8), new Vec3(1, 0, 0), 1000, null, stop), null);
  assert.equal(sight.unloadedAt, null);

  const list = sight.along(above, east, 100);
  assert.deepEqual([list.hits.length, list.unloaded.distance, list.unloaded.point.x], [1, 24, 32]);
  const stopped = sight.along(above, east, 100, stop);
  assert.deepEqual([stopped.hits, stopped.unloaded.distance], [[], 24]);
  assert.deepEqual(sight.unloadedAt.toArray(), [32, 64.5, 8]);
  // A list that a block, or its length, has ended before that.
  assert.equal(sight.along(from, east, 100, stop).hits.length, 1);
  assert.equal(sight.unloadedAt, null);
  assert.deepEqual(sight.along(above, east, 100, { ...stop, most: 0 }).hits, []);
  assert.equal(sight.unloadedAt, null);
  assert.equal(sight.along(from, east, 100, { ...stop, until: () => false }).hits.at(-1).block.position.x, 31);
  assert.deepEqual(sight.unloadedAt.toArray(), [32, 63.5, 8]);
  assert.equal(sight.along(above, east, 20).unloaded, null);

  assert.equal(sight.lineOfSight(above, new Vec3(30, 64.5, 8), stop), "clear");
  assert.equal(sight.lineOfSight(above, new Vec3(40, 64.5, 8), stop), "unloaded");
  assert.equal(sight.lineOfSight(above, new Vec3(40, 64.5, 8)), "clear");
  assert.equal(sight.lineOfSight(above, new Vec3(60, 64.5, 8), stop), "blocked");
  sight.detach();
});

// The members of entities that queries need.
const mob = (id, position, more = {}) => ({ id, type: "mob", position, width: 0.6, height: 1.8, ...more });

test("entities are spawned, moved, resized, removed", NEEDS, async () => {
  const { world, Vec3 } = floor(), bot = new TestBot(world, new Vec3(2.5, 64, 2.5));
  const cow = mob(2, new Vec3(5.5, 64, 2.5)), far = mob(3, new Vec3(9.5, 64, 2.5));
  bot.spawn(cow);
  const sight = await attach(bot);
  bot.lookAt(new Vec3(9.5, 65, 2.5));
  assert.equal(sight.entityAtCursor(8), cow);
  bot.spawn(far);
  cow.position.z = 9;
  bot.emit("entityMoved", cow);
  assert.equal(sight.entityAtCursor(8), far);
  assert.equal(sight.entityAtCursor(6), null);
  // The head is lower now.
  bot.lookAt(new Vec3(9.5, 65.6, 2.5));
  assert.equal(sight.entityAtCursor(8), far);
  far.height = 1.5;
  bot.emit("entityCrouch", far);
  assert.equal(sight.entityAtCursor(8), null);
  bot.lookAt(new Vec3(9.5, 65, 2.5));
  bot.remove(far);
  assert.equal(sight.entityAtCursor(8), null);
  // A new entity with the id of an old one.
  const second = mob(3, new Vec3(7.5, 64, 2.5));
  bot.spawn(second);
  assert.equal(sight.entityAtCursor(8), second);
  // Those that theirs leaves out are in lists.
  second.type = "object";
  bot.emit("entityUpdate", second);
  assert.equal(sight.entityAtCursor(8), null);
  assert.equal(sight.look(8).hits[0].entity, second);
  assert.equal(sight.look(8, { ignore: [second] }).hits.length, 0);
  // mineflayer has a new object after each login.
  bot.entities = { 1: bot.entity };
  assert.equal(sight.look(8).hits.length, 0);
  // One that came since the last query is gone, too.
  bot.spawn(mob(4, new Vec3(5.5, 64, 2.5)));
  bot.entities = { 1: bot.entity };
  assert.equal(sight.look(8).hits.length, 0);
  const odd = [mob(5, new Vec3(5.5, 64, 2.5), { width: 0 }), mob(6, new Vec3(NaN, 64, 2.5)), mob(7, new Vec3(5.5, 64, 2.5), { width: 40 })];
  odd.forEach((each) => bot.spawn(each));
  assert.deepEqual([sight.look(8).hits.length, sight.entitiesLeftOut], [0, odd]);
  odd[0].width = 0.6;
  bot.emit("entityUpdate", odd[0]);
  assert.deepEqual([sight.entityAtCursor(8), sight.entitiesLeftOut], [odd[0], odd.slice(1)]);
  sight.detach();
});

test("an entity's look hits the bot, but not itself", NEEDS, async () => {
  const { world, Vec3 } = floor(), bot = new TestBot(world, new Vec3(2.5, 64, 2.5)), sight = await attach(bot);
  const zombie = mob(4, new Vec3(6.5, 64, 2.5), { yaw: Math.PI / 2, pitch: 0, height: 1.7 });
  bot.spawn(zombie);
  assert.equal(sight.entityAtEntityCursor(zombie, 8), bot.entity);
  bot.entity.position = new Vec3(2.5, 64, 5.5);  // moves without an event
  assert.equal(sight.entityAtEntityCursor(zombie, 8), null);
  assert.equal(sight.blockAtEntityCursor({ ...zombie, pitch: -0.5 }, 8).position.y, 63);
  sight.detach();
});

test("a world without a bot has entities too", NEEDS, async () => {
  const { world, Vec3 } = floor(), entities = new Map([[7, mob(7, new Vec3(5.5, 64, 2.5))]]), from = new Vec3(2.5, 65, 2.5), east = new Vec3(1, 0, 0);
  const sight = await attach(world, { entities });
  assert.ok(sight instanceof Sight && !(sight instanceof BotSight));
  const names = () => sight.along(from, east, 8).hits.map((each) => each.entity?.id ?? each.block.name);
  assert.deepEqual(names(), [7]);
  entities.get(7).position.z = 12;
  entities.set(8, mob(8, new Vec3(4.5, 64, 2.5)));
  assert.deepEqual(names(), [8]);
  entities.delete(8);
  assert.deepEqual(names(), []);
  assert.deepEqual(sight.along(from, new Vec3(0, -1, 0), 8, { most: 1 }).hits.map((each) => [each.kind, each.distance]), [["block", 1]]);
  const through = sight.along(from, new Vec3(0.25, -1, 0), 8, { until: () => false, entities: false });
  assert.deepEqual(through.hits.map((each) => each.block.position.toArray()), [[2, 63, 2], [3, 63, 2]].slice(0, through.hits.length));
  sight.detach();
});

test("canSeeBlock, lineOfSight", NEEDS, async () => {
  const { world, Vec3, stone, made } = floor(), bot = new TestBot(world, new Vec3(2.5, 64, 2.5)), sight = await attach(bot);
  world.setBlockStateId(new Vec3(6, 65, 2), stone);
  world.setBlockStateId(new Vec3(9, 65, 2), stone);
  assert.deepEqual([sight.canSeeBlock(world.getBlock(new Vec3(6, 65, 2))), sight.canSeeBlock(world.getBlock(new Vec3(9, 65, 2)))], [true, false]);
  assert.equal(sight.canSeeBlock(world.getBlock(new Vec3(9, 66, 2))), true);
  world.setBlockStateId(new Vec3(6, 65, 2), made.registry.blocksByName.poppy.defaultState);
  assert.equal(sight.canSeeBlock(world.getBlock(new Vec3(9, 65, 2))), true);
  assert.equal(sight.lineOfSight(new Vec3(2, 65.5, 2.5), new Vec3(12, 65.5, 2.5)), "blocked");
  sight.detach();
});

test("install() replaces their functions, detach() restores them", NEEDS, async () => {
  const { world, Vec3 } = floor(), bot = new TestBot(world, new Vec3(2.5, 64, 2.5)), before = [bot.blockAtCursor, bot.entityAtCursor, world.raycast];
  const listeners = () => [bot, world, world.async].map((each) => each.eventNames().reduce((sum, name) => sum + each.listenerCount(name), 0));
  const counts = listeners(), sight = await attach(bot);
  assert.notDeepEqual(listeners(), counts);
  assert.equal(sight.install().install(), sight);
  Object.assign(bot.entity, { yaw: 0, pitch: -Math.PI / 2 });  // theirs would answer null
  assert.equal(bot.blockAtCursor(5).position.y, 63);
  assert.equal(bot.blockInSight(256, 1 / 16).position.y, 63);
  assert.equal(bot.blockInSight(1, 1 / 16), undefined);
  assert.deepEqual([bot.entityAtCursor(), bot.canSeeBlock(world.getBlock(new Vec3(2, 63, 2)))], [null, true]);
  assert.equal(world.raycast(new Vec3(2.5, 70, 2.5), new Vec3(0, -1, 0), 10).intersect.y, 64);
  sight.detach();
  assert.deepEqual([[bot.blockAtCursor, bot.entityAtCursor, world.raycast], Object.hasOwn(world, "raycast"), listeners()], [before, false, counts]);
  assert.throws(() => sight.raycast(new Vec3(0, 0, 0), new Vec3(1, 0, 0), 1), /freed/);
});

test("bad arguments are named", NEEDS, async () => {
  const { world, Vec3 } = floor(), sight = await attach(world), from = new Vec3(0, 70, 0), up = new Vec3(0, 1, 0);
  await assert.rejects(attach({}), /give a mineflayer bot, or a world/);
  await assert.rejects(attach({ loadPlugin() {}, entities: {} }), /no world yet/);
  await assert.rejects(attach(world, { shape: "full" }), /there is no shape; there are shapes, unloaded/);
  await assert.rejects(attach(world, { unloaded: "say" }), /unloaded is say; it must be one of air, stop/);
  await assert.rejects(attach(world, { shapeOf: [] }), /shapeOf must be a function/);
  await assert.rejects(attach(new TestBot(world, from), { entities: [] }), /entities are for a world without a bot/);
  assert.throws(() => sight.raycast(from, up, 5, null, { shapes: "round" }), /shapes is round/);
  assert.throws(() => sight.along(from, up, 5, { range: 5 }), /there is no range/);
  for (const most of [NaN, -1, "many"]) assert.throws(() => sight.along(from, up, 5, { most }), /most is (NaN|-1|many); it must be a number/);
  assert.throws(() => sight.raycast(from, up, NaN));
  // A direction of zero looks nowhere; a range may be 0 or less.
  assert.deepEqual([sight.raycast(from, new Vec3(0, 0, 0), 5), sight.raycast(from, up, -1)], [null, null]);
  sight.detach();
});

// Returns console.log of a program that has printed into an array.
const printing = (printed) => ({ log: (...each) => printed.push(each.join(" ")) });

test("the program of the README and the example run", NEEDS, async () => {
  const { world, Vec3 } = floor(), bot = new TestBot(world, new Vec3(2.5, 64, 2.5)), printed = [];
  bot.spawn(mob(2, new Vec3(2.5, 64, 5.5), { name: "cow" }));
  bot.lookAt(new Vec3(2.5, 64.5, 5.5));
  const text = await readFile(`${ROOT}integrations/prismarine/README.md`, "utf8"), program = /```js\n([^]*?)```/.exec(text)[1];
  new Function("attach", "bot", "console", program.replace(/import .*/, ""))(attach, bot, printing(printed));
  bot.emit("spawn");
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(printed.map((each) => each.split(" ")[1]), ["cow", "stone"]);

  const { log } = console;
  printed.length = 0;
  console.log = printing(printed).log;
  try {
    await integrationFile("examples/look.mjs");
  } finally {
    console.log = log;
  }
  assert.equal(printed[0], "the first block is oak_fence, hit at (3.375, -59.25, 8.5) on its face WEST");
  assert.deepEqual(printed.slice(2, -1).map((each) => each.trim().split(/[ ,]/).slice(0, 2)),
    [["2.3750", "oak_fence"], ["4.0000", "wheat"], ["5.8000", "cow"], ["8.5000", "oak_stairs"], ["11.0000", "stone"]]);
  assert.equal(printed.at(-1), "nothing is known from (16, -59.25, 8.5) on");
});

test("points that are not finite, or beyond all columns, are refused", NEEDS, async () => {
  const { world, Vec3 } = floor(), sight = await attach(world), from = new Vec3(8, 70, 8), down = new Vec3(0, -1, 0);
  for (const far of [Infinity, -Infinity, NaN, 2 ** 57, -(2 ** 60), 1e30, 2 ** 29]) {
    for (const point of [new Vec3(far, 70, 8), new Vec3(8, far, 8), new Vec3(8, 70, far)]) {
      const text = new RegExp(`(from|to)\\.[xyz] is ${String(far).replace("+", "\\+")}; it must be a number within \\+-2\\^28`);
      for (const use of [() => sight.raycast(point, down, 100), () => sight.raycast(point, down, 100, () => true), () => sight.along(point, down, 100),
        () => sight.lineOfSight(from, point), () => sight.lineOfSight(point, from), () => sight.firstBetween(point, point)]) {
        assert.throws(use, { name: "RangeError", message: text }, `${use} ${far}`);
      }
    }
  }
  const edge = 2 ** 28, far = new Vec3(8 + 2 ** 17, 70, 8);
  assert.equal(sight.lineOfSight(from, far, { unloaded: "stop" }), "unloaded");
  far.x += 0.5;
  for (const use of [() => sight.lineOfSight(from, far), () => sight.lineOfSight(far, from, { unloaded: "stop" }), () => sight.firstBetween(from, far)]) {
    assert.throws(use, { name: "RangeError", message: /from and to are 131072\.5 blocks apart; a line has at most 131072/ }, String(use));
  }
  assert.equal(sight.raycast(new Vec3(-edge, 70, edge), new Vec3(1, 0, -1), Infinity), null);
  assert.equal(sight.lineOfSight(new Vec3(edge, 70, 8), new Vec3(edge - 5, 70, 8)), "clear");
  assert.equal(sight.raycast(from, down, 100).position.y, 63);
  sight.detach();
});

test("a block without shapes ends no edit of theirs, and is read again", NEEDS, async () => {
  const { world, Vec3, under, made } = floor(), glass = made.registry.blocksByName.glass.defaultState;
  let isBroken = true;
  const shapeOf = ({ name }) => {
    if (name === "glass" && isBroken) throw new Error("no shapes");
  };
  const sight = await attach(world, { shapeOf });
  assert.equal(under(sight, 3, 3), 63);
  world.setBlockStateId(new Vec3(3, 70, 3), glass);
  assert.equal(world.getBlock(new Vec3(3, 70, 3)).name, "glass");
  assert.throws(() => under(sight, 3, 3), { message: "no shapes" });
  isBroken = false;
  assert.equal(under(sight, 3, 3), 70);
  sight.detach();
});

test("shapeOf must not ask the sight, which reads a section meanwhile", NEEDS, async () => {
  const { world, under, made, fill } = floor();
  world.setColumn(1, 0, fill(made.newColumn(), 60));
  let sight = null, asks = true;
  const shapeOf = ({ name }) => {
    if (name === "stone" && asks) under(sight, 20, 3);
  };
  sight = await attach(world, { shapeOf });
  assert.throws(() => under(sight, 3, 3), { name: "Error", message: /shapeOf asks a sight, which must read a section/ });
  asks = false;
  assert.deepEqual([under(sight, 3, 3), under(sight, 20, 3)], [63, 60]);
  sight.detach();
});

test("an entity that cannot be applied leaves the others in step", NEEDS, async () => {
  const { world, Vec3 } = floor(), bot = new TestBot(world, new Vec3(2.5, 64, 2.5)), sight = await attach(bot), east = new Vec3(1, 0, 0), from = new Vec3(2.5, 65, 2.5);
  const ids = () => sight.along(from, east, 12, { ignore: [bot.entity] }).hits.map((each) => each.entity?.id);
  const cow = mob(2, new Vec3(5.5, 64, 2.5)), pig = mob(4, new Vec3(7.5, 64, 2.5)), odd = mob(3, null), broken = mob(5, new Vec3(9.5, 64, 2.5));
  for (const each of [cow, odd, pig]) bot.spawn(each);
  assert.deepEqual(ids(), [2, 4]);
  assert.deepEqual(sight.entitiesLeftOut, [odd]);
  odd.position = new Vec3(6.5, 64, 2.5);
  bot.emit("entityMoved", odd);
  assert.deepEqual(ids(), [2, 3, 4]);
  // Throws once; what was marked before and after it is applied by the next query.
  cow.position.x = 8.5;
  bot.emit("entityMoved", cow);
  Object.defineProperty(broken, "position", { get() { throw new Error("broken"); } });
  bot.spawn(broken);
  pig.position.x = 5.5;
  bot.emit("entityMoved", pig);
  assert.throws(ids, { message: "broken" });
  assert.deepEqual(ids(), [4, 3, 2]);
  assert.deepEqual(sight.entitiesLeftOut, [broken]);
  // Moves that fail are tried again.
  const { entities } = sight.world;
  entities.moveMany = () => { throw new Error("no memory"); };
  cow.position.x = 4.5;
  bot.emit("entityMoved", cow);
  assert.throws(ids, { message: "no memory" });
  delete entities.moveMany;
  assert.deepEqual(ids(), [2, 4, 3]);
  sight.detach();
});
