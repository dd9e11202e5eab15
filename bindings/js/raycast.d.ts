// SPDX-License-Identifier: Apache-2.0

/**
 * Calls `getVoxel(x, y, z)` for the voxels along a ray, in order, until it returns something other than 0, null,
 * undefined or false, and returns that; 0 if the ray ends before. Exact at edges and corners, where it crosses one
 * axis after another, x before y before z. Plain JavaScript: nothing to load. A drop-in for npm's fast-voxel-raycast.
 *
 * @param getVoxel called once for each voxel; may call raycast().
 * @param origin three numbers, in voxels, within +-2^42; rounded to 1/65,536.
 * @param direction three numbers, of any length but zero.
 * @param maxDistance in voxels, 64 by default; may be Infinity, if getVoxel ends the ray.
 * @param hitPosition gets the point at which the voxel is entered, or the end of the ray.
 * @param hitNormal gets the face through which it is entered; zero for the first voxel, and if there is none.
 * @throws {RangeError} for a direction of zero, NaN, an infinite origin or direction, an origin that is too far away, and a
 *     negative distance.
 *
 * Costs some 10 ns a voxel, besides getVoxel(). Makes no garbage.
 */
export function raycast<T>(
  getVoxel: (x: number, y: number, z: number) => T, origin: ArrayLike<number>, direction: ArrayLike<number>,
  maxDistance?: number, hitPosition?: number[] | Float64Array | Float32Array | null,
  hitNormal?: number[] | Float64Array | Float32Array | null): T | 0;
