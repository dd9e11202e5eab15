// SPDX-License-Identifier: Apache-2.0
// Other loops over the nodes on a line, to compare with: the usual one of Amanatides and Woo, written here with three
// kinds of numbers. And what they answer, judged by the exact walk.

import { raycast } from "../../../bindings/js/src/raycast.js";
import { originOf, walkExactly } from "./ray.js";

// A loop that has visited so many nodes is taken as one that does not end: 220 nodes of reach cross at most 382.
export const MOST_CELLS = 2000;

// Calls visit(x, y, z) for the nodes along a ray until it returns true. round: of every result of arithmetic.
// toIndex: from a coordinate to the index of its node.
export function walkRounded(origin, direction, reach, visit, round, toIndex) {
  const length = round(Math.hypot(...direction)), at = origin.map(round);
  const d = direction.map((part) => round(round(part) / length)), step = d.map(Math.sign), cell = at.map(toIndex);
  const delta = d.map((part) => round(Math.abs(1 / part)));
  // The distance along the ray to the next plane of each axis.
  const next = at.map((part, i) => {
    if (d[i] === 0) return Infinity;
    return round(round(d[i] > 0 ? cell[i] + 1 - part : part - cell[i]) * delta[i]);
  });
  for (let distance = 0; distance <= reach;) {
    if (visit(...cell)) return;
    const axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : next[1] < next[2] ? 1 : 2;
    distance = next[axis];
    cell[axis] = round(cell[axis] + step[axis]);
    next[axis] = round(next[axis] + delta[axis]);
  }
}

const exactly = (value) => value;

// The loops of the table: run(origin, direction, reach, visit).
export const LOOPS = [
  {
    id: "raycast", name: "fractalray raycast(), no wasm",
    about: "Plain JavaScript of the package: integers decide, whatever the distance.",
    run: (origin, direction, reach, visit) => { raycast((x, y, z) => visit(x, y, z), origin, direction, reach); },
  },
  {
    id: "doubles", name: "usual loop, doubles",
    about: "JavaScript's numbers. Near the origin they miss nothing.",
    run: (origin, direction, reach, visit) => walkRounded(origin, direction, reach, visit, exactly, Math.floor),
  },
  {
    id: "int32", name: "usual loop, doubles, index | 0",
    about: "As many fast loops in JavaScript: indices of 32 bits, which wrap at 2^31.",
    run: (origin, direction, reach, visit) =>
      walkRounded(origin, direction, reach, visit, exactly, (part) => Math.floor(part) | 0),
  },
  {
    id: "float32", name: "usual loop, float32",
    about: "What shaders and positions in a Float32Array compute with.",
    run: (origin, direction, reach, visit) => walkRounded(origin, direction, reach, visit, Math.fround, Math.floor),
  },
];

// Runs the loops on a line that starts `offset` nodes from where it is drawn. isSolid(x, y, z): of nodes without the
// offset. Returns {cells, hit, loops}: the nodes that the line crosses up to the first solid one, that one, and for each
// loop its hit, the verdict, and the nodes that it misses or adds.
export function compareLoops(ray, reach, offset, isSolid) {
  const exact = exactAnswer(ray, reach, isSolid);
  const origin = originOf(ray, offset);
  const loops = LOOPS.map((loop) => {
    const visited = [], seen = new Set();
    let hit = null, isEndless = false;
    loop.run(origin, ray.d, reach, (x, y, z) => {
      const cell = [x - offset, y - offset, z - offset];
      visited.push(cell);
      seen.add(cell.join());
      if (isSolid(...cell)) hit = cell;
      isEndless = visited.length > MOST_CELLS;
      return hit !== null || isEndless;
    });
    return {
      id: loop.id, name: loop.name, about: loop.about, hit, visited: visited.length,
      verdict: isEndless ? "endless" : verdictOf(exact, hit),
      missed: exact.cells.filter((cell) => !seen.has(cell.join()) && isBefore(exact, cell, hit)),
      added: visited.filter((cell) => !exact.touched.has(cell.join())),
    };
  });
  return { cells: exact.cells, hit: exact.hit, loops };
}

// Returns what the exact walk answers: `cells`, crossed up to the hit; `touched`, all on the line with their rank.
export function exactAnswer(ray, reach, isSolid) {
  const cells = [], touched = new Map(), solidTouched = new Set();
  let hit = null;
  walkExactly(ray, reach, (cell, isCrossed) => {
    const key = cell.join();
    touched.set(key, touched.size);
    if (hit !== null) return false;
    if (!isCrossed) {
      if (isSolid(...cell)) solidTouched.add(key);
      return false;
    }
    cells.push(cell);
    if (isSolid(...cell)) hit = cell;
    return false;
  });
  return { cells, touched, solidTouched, hit };
}

// Returns true if a loop that ends at its hit should have visited a node: one that comes no later.
function isBefore({ touched }, cell, hit) {
  const end = hit === null ? undefined : touched.get(hit.join());
  return end === undefined || touched.get(cell.join()) <= end;
}

// Returns the verdict on the hit of a loop: "right", "through" (it passed through the first solid node), "off" (its
// node is not on the line), "none" (it hit nothing). A node that the line only touches at a corner is right, too.
export function verdictOf({ hit, touched, solidTouched }, found) {
  if (found === null) return hit === null ? "right" : "none";
  const key = found.join();
  if ((hit !== null && key === hit.join()) || solidTouched.has(key)) return "right";
  return touched.has(key) ? "through" : "off";
}
