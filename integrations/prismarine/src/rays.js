// SPDX-License-Identifier: Apache-2.0
// The lines of queries: rays as prismarine-world takes them, and the looks of entities.

import { Vec3 } from "./results.js";

// The longest line, in blocks, which is more than is ever loaded. Up to it the directions of fractalray's rays do not
// depend on the distance, so that the times of two of them can be compared.
const MAX_DISTANCE = 2 ** 17;
// Larger coordinates have no columns: no game has blocks there, and farther still numbers do not count chunks.
const MAX_COORDINATE = 2 ** 28;

// Throws for a point that no line can begin or end at.
export function checkPoint(point, name) {
  for (const axis of ["x", "y", "z"]) {
    if (Math.abs(point[axis]) <= MAX_COORDINATE) continue;
    throw new RangeError(`${name}.${axis} is ${String(point[axis])}; it must be a number within +-2^28`);
  }
}

// Throws for points that no line can connect.
export function checkSegment(from, to) {
  checkPoint(from, "from");
  checkPoint(to, "to");
  const length = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z);
  if (length <= MAX_DISTANCE) return;
  throw new RangeError(`from and to are ${length} blocks apart; a line has at most ${MAX_DISTANCE}`);
}

// Returns a ray: its range is in lengths of the direction, which usually is 1.
export function rayOf(from, direction, range) {
  checkPoint(from, "from");
  const { x, y, z } = from, length = Math.hypot(direction.x, direction.y, direction.z);
  if (length === 0) return { x, y, z, dx: 0, dy: 1, dz: 0, distance: 0 };
  // NaN stays, and is refused.
  const distance = Math.min(Math.max(range * length, 0), MAX_DISTANCE);
  return { x, y, z, dx: direction.x, dy: direction.y, dz: direction.z, distance };
}

// Returns the end of a ray.
export function endOf({ x, y, z, dx, dy, dz, distance }) {
  const scale = distance / Math.hypot(dx, dy, dz);
  return [x + dx * scale, y + dy * scale, z + dz * scale];
}

// Returns the direction in which something with a pitch and a yaw looks, as mineflayer does.
export function viewDirection({ pitch, yaw }) {
  return new Vec3(-Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch));
}

// Returns the height of an entity's eye above its feet. Of mobs only their height is known.
export function eyeHeightOf(entity) {
  return entity.eyeHeight ?? entity.height;
}

// Returns true if something has a position and looks in a direction; 0 is one.
export function isViewer(entity) {
  return Boolean(entity?.position) && Number.isFinite(entity.pitch) && Number.isFinite(entity.yaw);
}
