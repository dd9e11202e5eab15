// SPDX-License-Identifier: Apache-2.0
// Random calls with random arguments: each returns, or throws an error that says what was wrong. None traps.
import assert from "node:assert/strict";
import test from "node:test";
import { memory } from "../../bindings/js/src/module.js";
import { load, random } from "./module.mjs";
import { makeWalls } from "./worlds.mjs";

const fr = await load();
const CALLS = 20_000;
// Would take all memory, or for ever.
const LEFT_OUT = new Set(["constructor", "reserve", "_again", "_take"]);

// Returns values of all kinds, right and wrong ones.
function values(next) {
  const freed = new fr.World(), line = fr.Line.segment([0, 1, 2], [15, 9, 12]), { world } = makeWalls(fr);
  freed.free();
  const entity = world.entities.add({ id: 1, position: [7, 7, 7], radius: 1 });
  return {
    world,
    any: [
      0, 1, 2, -1, 3.5, 15, 65535, 65536, 2 ** 31, 2 ** 32, -(2 ** 31), 2 ** 53, 1e300, NaN, Infinity, -Infinity, -0, 1n, -1n, 2n ** 63n, 2n ** 64n,
      "", "stone", "888", null, undefined, true, {}, [], [0, 0, 0], [1, 2, 3], [5.5, 5.5, 5.5], [NaN, 0, 0], [-3, 4, 1e9], [0, 0], ["a", 0, 0], [[0, 0, 0], [4, 4, 4]],
      [[[0, 0, 0], [1, 1, 1]]], new Float64Array(6), new Float64Array([1, 5, 5, 14, 5, 5]), new Float64Array(5), new Float32Array(12), new Uint16Array(4096),
      new Uint8Array(4096).fill(1), new BigInt64Array(6), () => 1, () => undefined, () => { throw new RangeError("thrown"); }, Symbol.iterator, entity, [entity], line, new fr.Line(),
      fr.Lines.segments([0, 1, 2], [9, 9, 9, 1, 5, 5]), new fr.Hits(3), new fr.Shot(2), world.shoot(line), new fr.CompactHits(4), new fr.Occlusions(4), new fr.ShotBatch(),
      new fr.ModuleArray(Float64Array, 12), new fr.ModuleArray(Uint16Array, 4096), new fr.Options({ maxSteps: 5 }), new fr.Options({ onHit: () => fr.Response.STOP }),
      { solidOnly: true }, { levels: [0] }, { levels: [9] }, { maxHits: 1 }, { size: [16, 16, 16] }, { size: [2, 2, 2], strides: [1, -2, 4] }, { isTerminal: () => 1 },
      { id: 5, position: [1, 1, 1], radius: 0.5 }, [{ radius: 2 }], new fr.SightOptions({ boxesBlock: true }), fr.SightQuery.of([0, 5, 5], [8, 5, 5], [9, 6, 6]),
      new fr.SightQueries([0, 5, 5], [8, 5, 5], [9, 6, 6]), fr.BlastRays.cubeFan(2, 0.5, 9), { center: [5, 5, 5], radius: 3, rays: fr.BlastRays.cubeFan(3, 0.5, 9) },
      new fr.Rules(), fr.Rule.cost(0, { perHit: 1 }), fr.Rule.stop(), world, freed, new fr.Bindings(world), [{ level: 0, block: [1, 1, 1], type: 1 }], [{ level: 0, chunk: [0, 0, 0] }],
      { from: [5, 5, 5], direction: [1, 0, 0], cosHalfAngle: 0.9 }, { boxes: [[[0, 0, 0], [1, 0.5, 1]]] }, new Map(),
    ],
    next,
  };
}

// Returns the methods and accessors of an object: functions that call them with arguments.
function callsOf(object, name) {
  const found = [];
  for (let of = object; of !== null && of !== Object.prototype; of = Object.getPrototypeOf(of)) {
    // The structs of the C interface check nothing.
    if (Object.hasOwn(of.constructor, "size")) break;
    for (const [key, { value, get }] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
      if (LEFT_OUT.has(key) || key.startsWith("_")) continue;
      if (typeof value === "function") found.push([`${name}.${key}`, (args) => object[key](...args)]);
      else if (get) found.push([`${name}.${key}`, () => object[key]]);
    }
  }
  return found;
}

// Returns an error that the caller may see.
function isExpected(error) {
  return error instanceof fr.FractalrayError || error instanceof TypeError || (error instanceof RangeError && error.message === "thrown");
}

for (const seed of [1, 2, 3, 4]) {
  test(`random calls, seed ${seed}`, () => {
    const next = random(seed), { world, any } = values(next), pick = (list) => list[Math.floor(next() * list.length)];
    const makers = ["World", "Line", "Lines", "Options", "SightOptions", "SightQueries", "BlastRays", "Walk", "Rules", "Bindings", "Streamer", "Visibility", "CompactHits"];
    const statics = [
      ...["segment", "ray", "units"].map((name) => [`Line.${name}`, (args) => fr.Line[name](...args)]),
      ...["segments", "rays", "units", "of"].map((name) => [`Lines.${name}`, (args) => fr.Lines[name](...args)]),
      ...["of", "units"].map((name) => [`SightQuery.${name}`, (args) => fr.SightQuery[name](...args)]),
      ...["hides", "followPath", "walkMany", "toUnits"].map((name) => [name, (args) => fr[name](...args)]),
      ...makers.filter((name) => name !== "Lines").map((name) => [`new ${name}`, (args) => new fr[name](...args)]),
    ];
    const objects = [
      [new fr.Streamer(world, { keepsChanges: true }), "streamer"], [new fr.Visibility(world), "visibility"], [new fr.Bindings(world), "bindings"], [world.window, "window"],
      [world.entities, "entities"], [world.blockTypes, "blockTypes"], [new fr.Rules(), "rules"], [new fr.Options(), "options"], [new fr.SightOptions(), "sightOptions"],
      [fr.Line.segment([0, 0, 0], [5, 5, 5]), "line"], [new fr.Walk([0, 0], [5, 5]), "walk"], [new fr.ShotBatch(), "batch"], [world.snapshot(), "snapshot"],
    ];
    const calls = [...statics, ...objects.flatMap(([object, name]) => callsOf(object, name)), ...callsOf(world, "world"), ...callsOf(world, "world")];
    let returned = 0;
    for (let i = 0; i < CALLS; ++i) {
      const [name, call] = pick(calls), args = Array.from({ length: Math.floor(next() * 8) }, () => pick(any));
      if (/\.free$/.test(name) && next() < 0.98) continue;
      const mark = memory.enter();
      try {
        const made = call(args);
        ++returned;
        if (typeof made?.free === "function" && !any.includes(made)) made.free();
      } catch (error) {
        if (!isExpected(error)) {
          error.message += ` in call ${i}, ${name}(${args.map((each) => { try { return String(each?.constructor?.name ?? each); } catch { return "?"; } })})`;
          throw error;
        }
      }
      assert.equal(memory.enter(), mark, `${name} has not popped its arguments`);
    }
    assert.ok(returned > CALLS / 20, `${returned} calls returned`);
    const { world: other } = makeWalls(fr);
    assert.equal(other.closestHit(1.5, 5.5, 5.5, 14.5, 5.5, 5.5).cell(0), 4);
  });
}
