// SPDX-License-Identifier: Apache-2.0
// The results: points and faces as prismarine-world has them.

import vec3 from "vec3";

export const { Vec3 } = vec3;

// The faces of blocks, with the numbers of prismarine-world's BlockFace.
export const BlockFace = Object.freeze({ UNKNOWN: -999, BOTTOM: 0, TOP: 1, NORTH: 2, SOUTH: 3, WEST: 4, EAST: 5 });

const LOWER = [BlockFace.WEST, BlockFace.BOTTOM, BlockFace.NORTH];  // by axis
const UPPER = [BlockFace.EAST, BlockFace.TOP, BlockFace.SOUTH];

// Returns the face on the lower or the upper side along an axis; UNKNOWN for no axis, -1.
export function faceOf(axis, sign) {
  return axis < 0 ? BlockFace.UNKNOWN : (sign < 0 ? LOWER : UPPER)[axis];
}
export function pointOf(hit) {
  return new Vec3(hit.point(0), hit.point(1), hit.point(2));
}
export function cellOf(hit) {
  return new Vec3(hit.cell(0), hit.cell(1), hit.cell(2));
}
