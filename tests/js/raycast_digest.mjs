// SPDX-License-Identifier: Apache-2.0
// A number that sums up what raycast() answers to many rays, in Node and in browsers: equal in both if all answers are,
// to the last bit.
import { random } from "./random.mjs";

export function digest(raycast, rays = 2000) {
  const next = random(26), words = new Uint32Array(2), double = new Float64Array(words.buffer), point = [0, 0, 0], normal = [0, 0, 0];
  let sum = 0x811c9dc5, voxels = 0;
  const add = (value) => {
    double[0] = value;
    for (const word of words) sum = Math.imul(sum ^ word, 0x01000193) >>> 0;
  };
  for (let i = 0; i < rays; ++i) {
    // Near and far from the origin; every third ray along edges.
    const far = i % 4 === 0 ? 2 ** 40 : 0, part = i % 3 === 0 ? Math.round : Number;
    const origin = [0, 0, 0].map(() => far + part(20 * next() - 10)), direction = [0, 0, 0].map(() => part(4 * next() - 2));
    if (direction.every((each) => each === 0)) continue;
    const end = Math.floor(40 * next()) + 1;
    let count = 0;
    const found = raycast((x, y, z) => {
      ++voxels;
      add(x);
      add(y);
      add(z);
      return ++count === end;
    }, origin, direction, 30, point, normal);
    for (const each of [found === true ? 1 : 0, ...point, ...normal]) add(each + 0);
  }
  return { sum, voxels };
}

// Returns the same of the raycast() that an address has.
export const digestOf = async (address) => digest((await import(address)).raycast);
