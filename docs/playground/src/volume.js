// SPDX-License-Identifier: Apache-2.0
// The classes of all nodes, as the mesher reads them: with a border of one node. As they are in `near`; in `mid` and `far`,
// for what is farther from the camera, dark caves are filled: that saves up to 40 % of the triangles.

import { BLOCK, NONE, POCKET } from "./looks.js";

// The steps from a node under the open sky, plus 1, up to which a cave is drawn from some way off and from afar; and up to
// which light comes.
const MID_STEPS = 9, FAR_STEPS = 3;
const LIGHT_STEPS = 16;

export const hidesFaces = (cell) => (cell & 1) !== 0;

export class Volume {
  // grid: of nodes. classes: the class of each type. hasGround: what is below the grid counts as solid, since nobody looks
  // at it.
  constructor(grid, classes, hasGround = true) {
    this.grid = grid;
    this.classes = classes;
    const [sx, sy, sz] = grid.size;
    this.strides = [1, sx + 2, (sx + 2) * (sy + 2)];
    this.near = new Uint8Array((sx + 2) * (sy + 2) * (sz + 2));
    if (hasGround) for (let z = 0; z < sz + 2; ++z) this.near.fill(BLOCK, this.strides[2] * z, this.strides[2] * z + sx + 2);
    for (let z = 0; z < sz; ++z) for (let y = 0; y < sy; ++y) {
      let to = this.at(0, y, z), from = sx * (y + sy * z);
      for (let x = 0; x < sx; ++x) this.near[to++] = classes[grid.ids[from++]];
    }
    this.light = new Uint8Array(sx * sy * sz);
    this.mid = this.near.slice();
    this.far = this.near.slice();
    this.#findDaylight();
  }
  // Returns the element of a node, counted from the low corner of the grid; -1 to size are allowed.
  at(x, y, z) {
    return x + 1 + this.strides[1] * (y + 1) + this.strides[2] * (z + 1);
  }
  // Takes over an edit of the grid. Light comes into a new hole from its brightest neighbour, and goes no farther.
  update(x, y, z) {
    const { grid, light } = this, i = this.at(...[x, y, z].map((part, axis) => part - grid.low[axis])), own = this.classes[grid.get(x, y, z)];
    this.near[i] = this.mid[i] = this.far[i] = own;
    const around = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    const lights = around.map(([a, b, c]) => light[grid.indexOf(x + a, y + b, z + c)] ?? 0);
    light[grid.indexOf(x, y, z)] = hidesFaces(own) ? 0 : Math.max(...lights);
  }

  // Fills `light`, one byte a node: 255 under the open sky, less with every step from there, 0 where nothing comes, and in
  // solid nodes. Sampled between nodes, it also darkens corners. Fills dark caves of `mid` and `far`.
  #findDaylight() {
    const { near: cells, mid, far, strides, light, grid: { size: [sx, sy, sz] } } = this;
    // The steps to a node from the open sky, plus 1. The border counts as done, so that no step leaves the grid.
    const steps = new Uint8Array(cells.length).fill(255);
    for (let z = 0; z < sz; ++z) for (let y = 0; y < sy; ++y) steps.fill(0, this.at(0, y, z), this.at(sx, y, z));
    let front = [];
    for (let z = 0; z < sz; ++z) for (let x = 0; x < sx; ++x) {
      for (let y = sy - 1, i = this.at(x, y, z); y >= 0 && !hidesFaces(cells[i]); --y, i -= strides[1]) {
        steps[i] = 1;
        front.push(i);
      }
    }
    for (let step = 2; step <= LIGHT_STEPS && front.length > 0; ++step) {
      const next = [];
      for (const i of front) for (const stride of strides) for (let j = i - stride; j <= i + stride; j += 2 * stride) {
        if (steps[j] !== 0 || hidesFaces(cells[j])) continue;
        steps[j] = step;
        next.push(j);
      }
      front = next;
    }
    for (let z = 0, to = 0; z < sz; ++z) for (let y = 0; y < sy; ++y) {
      for (let x = 0, i = this.at(0, y, z); x < sx; ++x, ++i, ++to) {
        light[to] = lightOf(steps[i]);
        if (cells[i] !== NONE) continue;
        if (steps[i] === 0 || steps[i] > MID_STEPS) mid[i] = POCKET;
        if (steps[i] === 0 || steps[i] > FAR_STEPS) far[i] = POCKET;
      }
    }
  }
}

// Returns the light of a node that is steps - 1 from the open sky; 0 stands for none.
function lightOf(steps) {
  return steps === 0 ? 0 : Math.round(255 * (1 - (steps - 1) / LIGHT_STEPS) ** 1.5);
}
