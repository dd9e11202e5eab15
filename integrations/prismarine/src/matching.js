// SPDX-License-Identifier: Apache-2.0
// Rays that end at the first block for which a function of the caller's returns something true, as prismarine-world's
// raycast with a matcher: it is asked about every block on the line, air too, whatever their shapes.

import { raycast } from "fractalray/raycast";
import { BlockFace, faceOf, Vec3 } from "./results.js";

// The second argument of matchers: the members of prismarine-world's RaycastIterator that they use.
export class LookIterator {
  constructor(from, direction, range) {
    this.pos = from;
    this.dir = direction;
    this.maxDistance = range;
    // The present block, and the face by which the line enters it.
    this.block = { x: Math.floor(from.x), y: Math.floor(from.y), z: Math.floor(from.z), face: BlockFace.UNKNOWN };
  }
  // Returns the first point in one of the boxes, moved by an offset, and its face; null if there is none. Closed
  // boxes, in doubles; boxes that end before the start are not hit, and one that contains it is hit there.
  intersect(shapes, offset) {
    const p = [this.pos.x - offset.x, this.pos.y - offset.y, this.pos.z - offset.z], d = [this.dir.x, this.dir.y, this.dir.z];
    let best = Infinity, face = BlockFace.UNKNOWN;
    for (const shape of shapes) {
      let first = 0, last = Infinity, axis = -1;
      for (let each = 0; each < 3; ++each) {
        if (d[each] === 0) {
          if (p[each] < shape[each] || p[each] > shape[each + 3]) last = -1;
          continue;
        }
        const lower = (shape[each] - p[each]) / d[each], upper = (shape[each + 3] - p[each]) / d[each];
        if (Math.min(lower, upper) > first) {
          first = Math.min(lower, upper);
          axis = each;
        }
        last = Math.min(last, Math.max(lower, upper));
      }
      if (first > last || first >= best) continue;
      best = first;
      face = axis < 0 ? BlockFace.UNKNOWN : faceOf(axis, -d[axis]);
    }
    return best === Infinity ? null : { pos: new Vec3(...d.map((each, axis) => p[axis] + offset[AXES[axis]] + each * best)), face };
  }
}
const AXES = ["x", "y", "z"];

// Returns the first block on a ray that matches, null if there is none; and as `unloadedAt` where isEnd() has ended the
// ray, else null. At edges and corners the line crosses z before y before x, as theirs does.
// getBlock(position): returns a block; null where nothing is loaded.
// isEnd(position): called there; true ends the ray.
export function matchAlong(getBlock, from, direction, range, ray, matcher, isEnd) {
  const iterator = new LookIterator(from, direction, range), cell = iterator.block, point = [0, 0, 0], normal = [0, 0, 0];
  let isFirst = true;
  const visit = (z, y, x) => {
    if (isFirst) isFirst = false;
    else if (x !== cell.x) cell.face = faceOf(0, cell.x - x);
    else if (y !== cell.y) cell.face = faceOf(1, cell.y - y);
    else if (z !== cell.z) cell.face = faceOf(2, cell.z - z);
    cell.x = x, cell.y = y, cell.z = z;
    const position = new Vec3(x, y, z), block = getBlock(position);
    if (!block) return isEnd(position) ? END : 0;
    return matcher(block, iterator) ? block : 0;
  };
  const found = raycast(visit, [ray.z, ray.y, ray.x], [ray.dz, ray.dy, ray.dx], ray.distance, point, normal);
  const end = new Vec3(point[2], point[1], point[0]);
  if (found === 0 || found === END) return { block: null, unloadedAt: found === END ? end : null };
  found.face = cell.face;
  found.intersect = end;
  return { block: found, unloadedAt: null };
}
const END = Object.freeze({});
