// SPDX-License-Identifier: Apache-2.0
// Hits of one line in several worlds, compared and merged, and fingerprints, which say whether worlds are equal.
import assert from "node:assert/strict";
import test from "node:test";
import { failsWith, load, random } from "./module.mjs";
import { lineThrough, makeWalls } from "./worlds.mjs";

const fr = await load();
const { compareHits, Corner, Line, mergeHits } = fr;

// The whole world, in blocks; its two parts meet at x = 16.
const WIDTH = 32, HEIGHT = 16, MIDDLE = 16, LINES = 300;

// Returns a list of blocks, many of them next to the border, and of entities, many of which touch it.
function someContent(next) {
  const whole = (most) => Math.floor(most * next()), ids = new Uint16Array(WIDTH * HEIGHT * HEIGHT);
  ids.forEach((_, i) => {
    const x = i % WIDTH, isNear = x === MIDDLE - 1 || x === MIDDLE;
    ids[i] = next() < (isNear ? 0.5 : 0.02) ? 2 : next() < 0.004 ? 1 : 0;
  });
  const entities = Array.from({ length: 60 }, (_, i) => {
    const radius = [0.5, 1, 1.5][whole(3)], position = [whole(2 * WIDTH) / 2, whole(2 * HEIGHT) / 2, whole(2 * HEIGHT) / 2];
    if (i % 2 === 0) position[0] = MIDDLE - [0, radius][whole(2)];
    return { id: i + 1, position, ...(i % 3 === 0 ? { halfExtents: [radius, radius, radius] } : { radius }) };
  });
  return { ids, entities };
}
// Returns the whole, or the blocks of a part with all entities that touch it, which have handles of another order.
function makeWorld({ ids, entities }, part = null) {
  const world = new fr.World();
  world.blockTypes.add("stone");
  world.blockTypes.add("glass", fr.Kind.PERMEABLE);
  const layout = { size: [part === null ? WIDTH : MIDDLE, HEIGHT, HEIGHT], strides: [1, WIDTH, WIDTH * HEIGHT], offset: part === null ? 0 : MIDDLE * part };
  world.loadChunks(0, [part ?? 0, 0, 0], ids, layout);
  const touches = ({ position: [x], radius, halfExtents }) => Math.abs(x - MIDDLE * part - MIDDLE / 2) <= MIDDLE / 2 + (radius ?? halfExtents[0]);
  world.entities.addMany(part === null ? entities : entities.filter(touches).reverse());
  return world;
}
// Returns lines between halves of blocks, some in the plane of the border, and some that cross it in edges of blocks.
function someLines(next) {
  return Array.from({ length: LINES }, (_, i) => {
    const [from, to] = [0, 1].map(() => [WIDTH, HEIGHT, HEIGHT].map((size) => Math.floor(2 * size * next()) / 2));
    if (i % 8 === 1) from[0] = to[0] = MIDDLE;
    if (i % 4 === 2) {
      from[0] = MIDDLE - 6;
      from[1] = Math.floor(from[1]);
      from.forEach((each, axis) => { to[axis] = each + [12, next() < 0.5 ? 12 : -12, 0][axis]; });
    }
    return Line.segment(from, to);
  });
}
// The members of hits but for handles, which each world has of its own.
const members = (hits) => hits.toArray().map(({ entity: _, ...each }) => each);

test("merged answers of two parts are that of the whole", () => {
  const next = random(7), content = someContent(next), lines = someLines(next), merged = new fr.Hits(1);
  const whole = makeWorld(content), parts = [0, 1].map((part) => makeWorld(content, part));
  let ties = 0, both = 0;
  for (const corner of Object.values(Corner)) {
    for (const line of lines) {
      const expected = whole.shoot(line, { corner }), lists = parts.map((each) => each.shoot(line, { corner }));
      assert.equal(mergeHits(line, lists, 1, corner, merged), merged);
      const hits = members(expected);
      assert.deepEqual(members(merged), hits);
      ties += hits.filter(({ t }, i) => i > 0 && t === hits[i - 1].t).length;
      both += lists.every(({ length }) => length > 0) ? 1 : 0;
      for (const each of [expected, ...lists]) each.free();
    }
  }
  assert.ok(ties > 20 && both > 20, `${ties} ties, ${both} lines with hits in both parts`);
});

test("comparisons are those of the answer", () => {
  const next = random(8), world = makeWorld(someContent(next));
  let compared = 0;
  for (const line of someLines(next)) {
    const hits = world.shoot(line);
    for (let a = 0; a < hits.length; ++a) {
      const b = Math.floor(hits.length * next()), other = hits.move(b).clone();
      assert.equal(Math.sign(compareHits(line, hits.move(a), other)), Math.sign(a - b));
      other.free();
      ++compared;
    }
    hits.free();
  }
  assert.ok(compared > LINES);
});

test("a merge takes Hits of any kind, and may write to one of them", () => {
  const { world } = makeWalls(fr), line = lineThrough(fr), shot = world.shoot(line), expected = members(shot);
  assert.equal(expected.length, 2);
  const first = shot.move(0).clone(), last = shot.move(1).clone(), many = new fr.Hits(5);
  assert.deepEqual(members(mergeHits(line, [shot, last, first, many, shot])), expected);
  assert.deepEqual(members(mergeHits(line, shot)), expected);
  assert.equal(mergeHits(line, []).length, 0);
  assert.equal(mergeHits(line, [last, first], 1, Corner.BOTH, first), first);
  assert.deepEqual(members(first), expected);
  assert.equal(first.move(1).terminal, true);
  // After an error the hits are as they were.
  assert.throws(() => mergeHits(Line.segment([0, 9, 9], [9, 9, 9]), [shot], 1, Corner.BOTH, first), failsWith("INVALID_ARGUMENT", /list 0, hit 0: the hit of block/));
  assert.deepEqual(members(first), expected);
});

test("a shot with merged hits is no answer of a query any more", () => {
  const { world, glass } = makeWalls(fr), { world: other, stone } = makeWalls(fr), line = lineThrough(fr);
  // Two panes of glass in one part, and stone between them in the other: the merged hits are as many as those of the first.
  world.fillBox(0, [10, 1, 0], [10, 15, 15], glass);
  other.fillBox(0, [4, 1, 0], [10, 15, 15], fr.AIR);
  other.setBlock(0, 6, 5, 5, stone);
  const shot = world.shoot(line), wall = other.shoot(line);
  assert.deepEqual([shot.length, shot.terminated, wall.length, wall.terminated], [2, false, 1, true]);
  assert.equal(mergeHits(line, [shot, wall], 1, Corner.BOTH, shot), shot);
  assert.deepEqual(shot.toArray().map(({ block }) => block[0]), [4, 6]);
  assert.deepEqual([shot.terminated, shot.truncated, shot.unknownFrom, shot.stoppedAt, shot.budgets], [true, false, null, null, null]);
  assert.throws(() => world.resume(shot), failsWith("INVALID_ARGUMENT", /the shot lacks some of its hits/));
  assert.deepEqual(shot.line.endUnits, line.endUnits);
  assert.equal(mergeHits(line, [], 1, Corner.BOTH, shot).terminated, false);
  // It takes the answer of another query.
  assert.equal(world.shoot(line, undefined, shot).terminated, false);
  assert.equal(world.resume(shot).length, 2);
});

test("wrong hits and arguments are named", () => {
  const { world, stone } = makeWalls(fr), line = lineThrough(fr), shot = world.shoot(line), glass = shot.move(0).clone(), wall = shot.move(1).clone();
  assert.throws(() => mergeHits(line, [[]]), /lists is an array of 1; it must be Hits/);
  for (const wrong of [undefined, 5, [glass.copy()], world.closestHits(new Float64Array([1.5, 5.5, 5.5, 14.5, 5.5, 5.5]))]) {
    assert.throws(() => mergeHits(line, wrong), TypeError);
    assert.throws(() => compareHits(line, glass, wrong), /hit b is .*; it must be a Hit/);
    assert.throws(() => compareHits(wrong, glass, wall), /the line is .*; it must be a Line/);
  }
  assert.throws(() => compareHits(line, glass, wall, 11), failsWith("OUT_OF_RANGE", /levels is 11; it must be 1 to 10/));
  assert.throws(() => compareHits(line, glass, wall, 1, 3), failsWith("INVALID_ARGUMENT", /corner is 3; it must be one of/));
  assert.throws(() => compareHits(line, glass, wall, 2), failsWith("INVALID_ARGUMENT", /hit a: the hit of block/));
  assert.throws(() => mergeHits(line, [shot], 0), failsWith("OUT_OF_RANGE", /levels is 0/));
  const other = makeWalls(fr).world;
  other.setBlock(0, 4, 5, 5, stone);
  const changed = other.shoot(line);
  assert.throws(() => mergeHits(line, [shot, changed]), failsWith("INVALID_ARGUMENT", /list 1, hit 0: .*differently in list 0/));
  assert.throws(() => mergeHits(line, [wall], 1, Corner.BOTH, 5), /the hit is 5; it must be a Hits/);
  glass.free();
  assert.throws(() => compareHits(line, wall, glass), failsWith("FAILED_PRECONDITION", /hit b has been freed/));
  assert.throws(() => mergeHits(line, [shot, glass]), failsWith("FAILED_PRECONDITION", /freed/));
  world.shoot(line, { onHit: () => { assert.throws(() => mergeHits(line, [wall], 1, Corner.BOTH, shot), failsWith("FAILED_PRECONDITION", /in use/)); } }, shot);
});

test("fingerprints show where worlds differ", () => {
  const [one, other] = [1, -1].map((order) => {
    const world = new fr.World({ levels: 2 }), stone = world.blockTypes.add("stone"), list = (values) => (order > 0 ? values : values.reverse());
    for (const x of list([0, 1, 2, 3])) world.loadChunk(1, [x, 0, 0], x % 2 === 0 ? 0 : stone);
    for (const id of list([5, 6])) world.entities.add({ id, position: [id, 1, 1], radius: 0.5, level: 1 });
    return world;
  });
  const box = [[0, 0, 0], [3, 0, 0]], blocks = one.fingerprint(1, ...box), entities = one.entities.fingerprint(1, ...box);
  assert.equal(typeof blocks, "bigint");
  assert.notEqual(blocks, 0n);
  assert.notEqual(entities, 0n);
  assert.deepEqual([other.fingerprint(1, ...box), other.entities.fingerprint(1, ...box), other.blockTypes.fingerprint()], [blocks, entities, one.blockTypes.fingerprint()]);
  assert.equal(one.fingerprint(1, [9, 0, 0], [9n, 0, 0]), 0n);
  assert.equal(one.entities.fingerprint(0, ...box), 0n);
  other.setBlock(1, 40, 3, 3, 1);
  assert.notEqual(other.fingerprint(1, ...box), blocks);
  const each = [one, other].map((world) => world.chunkFingerprints(1, ...box));
  assert.ok(each[0] instanceof BigUint64Array && each[0].length === 4);
  assert.deepEqual([0, 1, 2, 3].filter((i) => each[0][i] !== each[1][i]), [2]);
  assert.equal(BigInt.asUintN(64, each[0].reduce((sum, part) => sum + part, 0n)), blocks);
  // More than there is memory for at first: x changes fastest.
  const many = one.chunkFingerprints(1, [-1, 0, -5], [8, 2, 4]);
  assert.equal(many.length, 10 * 3 * 10);
  assert.deepEqual([...many].flatMap((part, i) => (part === 0n ? [] : [i])), [1, 2, 3, 4].map((x) => x + 30 * 5));
  const frozen = one.snapshot();
  one.entities.remove(one.entities.find(5));
  assert.deepEqual([frozen.fingerprint(1, ...box), frozen.entities.fingerprint(1, ...box)], [blocks, entities]);
  assert.notEqual(one.entities.fingerprint(1, ...box), entities);
  const types = one.blockTypes.fingerprint();
  one.blockTypes.addChannel("sight");
  assert.notEqual(one.blockTypes.fingerprint(), types);
});

test("wrong boxes of chunks are refused", () => {
  const world = new fr.World(), all = [-(2n ** 63n), 2n ** 63n - 1n].map((each) => [each, each, each]);
  assert.equal(world.fingerprint(0, ...all), 0n);
  assert.throws(() => world.chunkFingerprints(0, ...all), failsWith("INVALID_ARGUMENT", /more than 1073741824 chunks/));
  for (const use of [(...box) => world.fingerprint(...box), (...box) => world.entities.fingerprint(...box), (...box) => world.chunkFingerprints(...box)]) {
    assert.throws(() => use(0, [0, 1, 0], [0, 0, 0]), failsWith("INVALID_ARGUMENT", /min\[1\] is 1, more than max\[1\], 0/));
    assert.throws(() => use(1, [0, 0, 0], [0, 0, 0]), failsWith("INVALID_ARGUMENT", /level/));
    assert.throws(() => use("0", [0, 0, 0], [0, 0, 0]), /the level is "0"; it must be an integer/);
    assert.throws(() => use(0, [0, 0, 0]), /the last chunk is undefined; it must be an array of three integers/);
    assert.throws(() => use(0, [0.5, 0, 0], [1, 0, 0]), failsWith("INVALID_ARGUMENT", /the first chunk\[0\] is 0.5; it must be an integer/));
  }
  world.free();
  for (const use of [() => world.fingerprint(0, [0, 0, 0], [0, 0, 0]), () => world.entities.fingerprint(0, [0, 0, 0], [0, 0, 0]), () => world.blockTypes.fingerprint()]) {
    assert.throws(use, failsWith("FAILED_PRECONDITION", /the World has been freed/));
  }
});
