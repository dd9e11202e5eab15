// SPDX-License-Identifier: Apache-2.0
// The boxes of blocks: from prismarine-block's shapes to those of fractalray.
//
// A block has three shapes, and a query takes one of them:
//   collision  `block.shapes`, as prismarine-world's raycast does, cut at the block's cube;
//   outline    what the game's crosshair hits: as collision, but crops, flowers, torches, signs and so on, which
//              do not collide, have boxes of their own;
//   full       as collision, but what does not collide is hit as a whole cube.
// Air and fluids have none in any of them.

import { outlineOf } from "./outlines.js";

export const SHAPES = Object.freeze(["collision", "outline", "full"]);
const UNITS = 65536;
const CUBE = Object.freeze([Object.freeze([0, 0, 0, 1, 1, 1])]);
const NOTHING = Object.freeze([]);

const AIR = new Set(["", "air", "cave_air", "void_air"]);
const FLUIDS = new Set(["water", "lava", "flowing_water", "flowing_lava", "bubble_column"]);

// Returns a coordinate within the cube, rounded as fractalray rounds it: to 1/65,536, halves up.
function within(coordinate) {
  return Math.min(Math.max(Math.floor(coordinate * UNITS + 0.5) / UNITS, 0), 1);
}

// Returns boxes cut at the cube. Leaves out what is outside or flat. Fences collide to a height of 1.5, which is no
// part of the block that a player aims at: the game's outline of a fence ends at 1.
export function cutBoxes(shapes) {
  return shapes.map((box) => Array.from(box, within)).filter((box) => box[0] < box[3] && box[1] < box[4] && box[2] < box[5]);
}

// Returns [min, max] of each box, as fractalray takes them.
export function corners(boxes) {
  return boxes.map((box) => [box.slice(0, 3), box.slice(3)]);
}

// Returns true for air and fluids, which no shape of a block contains.
function isOpen(block) {
  return AIR.has(block.name ?? "") || FLUIDS.has(block.name);
}

// Returns the boxes of a block in each of SHAPES, each box as six numbers. shapeOf(block): returns boxes, as
// block.shapes has them, to be used in all three; undefined for the boxes described above.
export function shapesOf(block, shapeOf = undefined) {
  const own = shapeOf?.(block);
  if (own !== undefined && own !== null) {
    const boxes = cutBoxes(own);
    return { collision: boxes, outline: boxes, full: boxes };
  }
  const collision = cutBoxes(block.shapes ?? NOTHING);
  if (isOpen(block)) return { collision, outline: collision, full: collision };
  const outline = outlineOf(block) ?? (collision.length > 0 ? collision : CUBE);
  return { collision, outline: cutBoxes(outline), full: collision.length > 0 ? collision : CUBE };
}
