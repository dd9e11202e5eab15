// SPDX-License-Identifier: Apache-2.0
// The bundled world (examples/worlds/w1), lines through it, and a file of both for web_native.cc.
import { readFile, writeFile } from "node:fs/promises";
import { gunzip, readWorld } from "../../../docs/playground/src/world_file.js";
import { random } from "../../../tests/js/random.mjs";

const UNITS = 65536;
const ENTITIES = 500;
// How far the lines of each set run, in blocks.
export const REACHES = [6, 40, 200];
const KINDS = ["solid", "permeable", "empty"];  // as numbers of the C interface

// Returns {types, grid} of a packed world (docs/playground/tools/make_world.py).
export const readPacked = async (path) => readWorld(await gunzip(await readFile(path)));
export const isSolidType = ({ kinds }) => kinds.default === "solid";

// Returns spheres anywhere in the box of a grid: {position, radius} each.
function spheres({ low, size }) {
  const next = random(5);
  return Array.from({ length: ENTITIES }, () => ({
    position: low.map((part, axis) => part + Math.floor(size[axis] * 1024 * next()) / 1024), radius: 0.5 + Math.floor(1024 * next()) / 1024,
  }));
}

// Returns the ends of lines of about that length from points in open space, six integers each, in units. All are odd, so that
// no line begins or ends in a plane between blocks: hits do not depend on how its end is rounded.
function unitLines({ types, grid }, count, reach, seed) {
  const next = random(seed), ends = [];
  while (ends.length < 6 * count) {
    const d = [0, 1, 2].map(() => 2 * next() - 1), length = Math.hypot(...d);
    const from = grid.low.map((part, axis) => 2 * Math.floor((part + grid.size[axis] * next()) * (UNITS / 2)) + 1);
    if (length > 1 || length < 0.1 || isSolidType(types[grid.get(...from.map((part) => Math.floor(part / UNITS)))])) continue;
    ends.push(...from, ...from.map((part, axis) => part + 2 * Math.round(((d[axis] / length) * reach * UNITS) / 2)));
  }
  return ends;
}
// Returns lines through edges and corners of blocks, likewise: from middles or corners of blocks, along small integers.
function edgeLines({ types, grid }, count, reach, seed) {
  const next = random(seed), ends = [];
  while (ends.length < 6 * count) {
    const d = [0, 1, 2].map(() => [-3, -1, 0, 1, 3][Math.floor(5 * next())]), half = next() < 0.5 ? 0 : UNITS / 2;
    const from = grid.low.map((part, axis) => UNITS * (part + Math.floor(grid.size[axis] * next())) + half);
    // Ends in middles of blocks.
    const steps = (half === 0 ? 0.5 : 0) + Math.ceil(reach / Math.hypot(...d));
    if (d.every((part) => part === 0) || isSolidType(types[grid.get(...from.map((part) => Math.floor(part / UNITS)))])) continue;
    ends.push(...from, ...from.map((part, axis) => part + d[axis] * steps * UNITS));
  }
  return ends;
}

const toBlocks = (ends) => Float64Array.from(ends, (part) => part / UNITS);

// Returns sets of random lines, one for each of REACHES: {reach, ends}, six coordinates each.
export function lineSets(packed, count) {
  return REACHES.map((reach, i) => ({ reach, ends: toBlocks(unitLines(packed, count, reach, 100 + i)) }));
}
// Returns sets of lines to be judged exactly, random ones and such through edges.
export function judgedSets(packed, count) {
  return REACHES.flatMap((reach, i) => [
    { reach, kind: "random", ends: toBlocks(unitLines(packed, count, reach, 200 + i)) },
    { reach, kind: "through edges", ends: toBlocks(edgeLines(packed, count, reach, 300 + i)) },
  ]);
}

// Returns the ray of a line, as docs/playground/src/ray.js has it, and its length.
export function exactRayOf(ends, at) {
  const units = Array.from(ends.subarray(at, at + 6), (part) => part * UNITS), from = units.slice(0, 3);
  const base = from.map((part) => Math.floor(part / UNITS)), d = from.map((part, axis) => units[axis + 3] - part);
  return { ray: { base, low: from.map((part, axis) => part - base[axis] * UNITS), d }, length: Math.hypot(...d) / UNITS };
}

// Returns the packed world in the module, with shapes and entities.
export function makeWorld(fr, { types, grid }) {
  const kinds = { solid: fr.Kind.SOLID, permeable: fr.Kind.PERMEABLE, empty: fr.Kind.EMPTY }, world = new fr.World();
  const numbers = types.map((type, i) => {
    if (i === 0) return fr.AIR;
    const boxes = shapeOf(type);
    return world.blockTypes.add(type.name, kinds[type.kinds.default], boxes === null ? {} : { boxes });
  });
  world.loadBox(0, grid.low, grid.ids, { size: grid.size, types: numbers });
  world.entities.addMany(spheres(grid).map((each, i) => ({ id: i + 1, ...each })));
  return world;
}
// Returns the boxes of a type, [min, max] each in fractions of its block; null for a whole cube.
function shapeOf({ boxes }) {
  const list = boxes?.default;
  return list === undefined ? null : list.map((box) => [box.slice(0, 3), box.slice(3)].map((corner) => corner.map((part) => part / UNITS)));
}

// Writes the same world and sets of lines for web_native.cc.
export async function writeForNative(path, { types, grid }, sets) {
  const numbers = [types.length];
  for (const type of types.slice(1)) {
    const boxes = shapeOf(type);
    numbers.push(KINDS.indexOf(type.kinds.default), boxes === null ? -1 : boxes.length, ...(boxes ?? []).flat(2));
  }
  numbers.push(...grid.low, ...grid.size);
  const all = spheres(grid);
  numbers.push(all.length);
  for (const { position, radius } of all) numbers.push(...position, radius);
  numbers.push(sets.length);
  for (const { ends } of sets) {
    numbers.push(ends.length / 6);
    for (const part of ends) numbers.push(part);
  }
  const head = Float64Array.from([numbers.length + 1, ...numbers]);
  await writeFile(path, Buffer.concat([Buffer.from(head.buffer), grid.ids]));
}
