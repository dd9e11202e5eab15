// SPDX-License-Identifier: Apache-2.0
// Turns a grid of nodes into triangles. Faces are merged into rectangles across chunks and whatever their types: the
// shader looks the type of a node up in a 3D texture, and its shade in another one. That keeps the 4 million nodes
// under 200,000 triangles in a frame.

import { BLOCK, BOXES, GLASS, GLASS_BOXES, PLANT, POCKET, WATER } from "./looks.js";
import { hidesFaces } from "./volume.js";

// How far below the top of its node the surface of water is, in nodes.
const WATER_DROP = 0.12;
const PLANES = [[BLOCK, "opaque"], [WATER, "water"], [GLASS, "glass"]];

// Rectangles that grow: four vertices each, with a position (in nodes) and a normal, and two triangles.
export class Batch {
  #positions = new Float32Array(1024 * 3);
  #normals = new Int8Array(1024 * 3);
  #count = 0;  // of vertices
  // Adds a rectangle in the plane `at` of an axis, from (u0, v0) to (u1, v1) along the two axes after it. Makes no garbage:
  // a map has 200,000 of them.
  quad(axis, side, at, u0, v0, u1, v1) {
    this.#reserve();
    const isUp = side > 0;
    this.#vertex(axis, side, at, u0, v0);
    this.#vertex(axis, side, at, isUp ? u1 : u0, isUp ? v0 : v1);
    this.#vertex(axis, side, at, u1, v1);
    this.#vertex(axis, side, at, isUp ? u0 : u1, isUp ? v1 : v0);
  }
  // Adds a rectangle of any four points, twelve numbers, whose normal is up.
  upright(points) {
    this.#reserve();
    this.#positions.set(points, 3 * this.#count);
    for (let i = 0; i < 4; ++i) this.#normals[3 * this.#count++ + 1] = 127;
  }
  get positions() {
    return this.#positions.subarray(0, 3 * this.#count);
  }
  get normals() {
    return this.#normals.subarray(0, 3 * this.#count);
  }
  get triangles() {
    return this.#count / 2;
  }
  get indices() {
    const count = this.#count, indices = count <= 65536 ? new Uint16Array(1.5 * count) : new Uint32Array(1.5 * count);
    for (let base = 0, i = 0; base < count; base += 4) {
      for (const corner of CORNERS) indices[i++] = base + corner;
    }
    return indices;
  }
  // Returns typed arrays, for a worker to hand over.
  pack() {
    return { positions: this.positions.slice(), normals: this.normals.slice(), indices: this.indices };
  }
  #vertex(axis, side, at, a, b) {
    const i = 3 * this.#count++, positions = this.#positions;
    positions[i + axis] = at;
    positions[i + NEXT[axis]] = a;
    positions[i + NEXT[axis + 1]] = b;
    this.#normals[i + axis] = 127 * side;
  }
  #reserve() {
    if (3 * (this.#count + 4) <= this.#positions.length) return;
    for (const name of ["positions", "normals"]) {
      const before = name === "positions" ? this.#positions : this.#normals, more = new before.constructor(2 * before.length);
      more.set(before);
      if (name === "positions") this.#positions = more;
      else this.#normals = more;
    }
  }
}
const CORNERS = [0, 1, 2, 0, 2, 3];
// The axis after each, for the first and the second axis of a rectangle.
const NEXT = [1, 2, 0, 1];

// Returns { opaque, water, glass, plants }, each a Batch, of the nodes of a region [min, max) of a Volume.
// cells: those of the volume, `near`, `mid` or `far`. boxesOf(type): the boxes of a type that does not fill its cube, six
// numbers each, in nodes.
export function meshRegion(volume, cells, boxesOf, { min, max }) {
  const made = { opaque: new Batch(), water: new Batch(), glass: new Batch(), plants: new Batch() };
  const { low } = volume.grid, has = new Uint8Array(256);
  for (let z = min[2]; z < max[2]; ++z) for (let y = min[1]; y < max[1]; ++y) {
    let i = volume.at(min[0] - low[0], y - low[1], z - low[2]);
    for (let x = min[0]; x < max[0]; ++x, ++i) {
      const own = cells[i];
      has[own] = 1;
      if (own < BOXES) continue;
      const boxes = boxesOf(volume.grid.get(x, y, z));
      if (own === PLANT) addPlant(made.plants, [x, y, z], boxes[0]);
      else addBoxes(own === GLASS_BOXES ? made.glass : made.opaque, [x, y, z], boxes, volume.strides, cells, i);
    }
  }
  for (const [own, name] of PLANES) if (has[own] || (own === BLOCK && has[POCKET])) meshFaces(made[name], volume, cells, own, min, max);
  return made;
}

// Adds the faces of all whole nodes of a class. Those of solid nodes are seen next to all that is not solid, those of
// water and glass also not next to their like.
function meshFaces(batch, volume, cells, own, min, max) {
  const { grid, strides } = volume;
  const first = volume.at(...min.map((part, axis) => part - grid.low[axis]));
  const size = max.map((part, axis) => part - min[axis]);
  for (let axis = 0; axis < 3; ++axis) {
    const u = (axis + 1) % 3, v = (axis + 2) % 3, width = size[u], height = size[v], mask = new Uint8Array(width * height);
    for (const side of [-1, 1]) {
      const step = side * strides[axis];
      for (let slice = 0; slice < size[axis]; ++slice) {
        let seenFaces = 0;
        for (let b = 0, k = 0; b < height; ++b) {
          let i = first + strides[axis] * slice + strides[v] * b;
          for (let a = 0; a < width; ++a, ++k, i += strides[u]) {
            const cell = cells[i], other = cells[i + step];
            const isOwn = own === BLOCK ? (cell & 1) !== 0 : cell === own && other !== own;
            seenFaces += mask[k] = isOwn && (other & 1) === 0 ? 1 : 0;
          }
        }
        if (seenFaces === 0) continue;
        const drop = own === WATER && axis === 1 && side > 0 ? WATER_DROP : 0;
        mergeMask(mask, width, height, (a0, b0, a1, b1) => batch.quad(axis, side,
          min[axis] + slice + (side > 0 ? 1 : 0) - drop, min[u] + a0, min[v] + b0, min[u] + a1, min[v] + b1));
      }
    }
  }
}

// Covers the ones of a mask with rectangles [a0, a1) x [b0, b1), and clears it: the widest first in each row, then as
// high as it goes.
export function mergeMask(mask, width, height, add) {
  for (let b = 0; b < height; ++b) for (let a = 0; a < width;) {
    if (mask[a + width * b] === 0) {
      ++a;
      continue;
    }
    let a1 = a + 1, b1 = b + 1;
    while (a1 < width && mask[a1 + width * b] !== 0) ++a1;
    while (b1 < height && isFull(mask, width, a, a1, b1)) ++b1;
    for (let row = b; row < b1; ++row) mask.fill(0, a + width * row, a1 + width * row);
    add(a, b, a1, b1);
    a = a1;
  }
}
function isFull(mask, width, a0, a1, b) {
  for (let a = a0; a < a1; ++a) if (mask[a + width * b] === 0) return false;
  return true;
}

// Adds the boxes of a node. Leaves out faces in the node's border that a whole block hides.
function addBoxes(batch, node, boxes, strides, cells, i) {
  for (const box of boxes) for (let axis = 0; axis < 3; ++axis) for (const side of [-1, 1]) {
    const part = side > 0 ? box[axis + 3] : box[axis], u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (part === (side > 0 ? 1 : 0) && hidesFaces(cells[i + side * strides[axis]])) continue;
    batch.quad(axis, side, node[axis] + part, node[u] + box[u], node[v] + box[v], node[u] + box[u + 3], node[v] + box[v + 3]);
  }
}

// Adds two crossed rectangles in the box of a plant; their material shows both sides.
function addPlant(batch, node, box) {
  const [x0, y0, z0, x1, y1, z1] = box.map((part, i) => node[i % 3] + part);
  for (const [[ax, az], [bx, bz]] of [[[x0, z0], [x1, z1]], [[x0, z1], [x1, z0]]]) {
    batch.upright([ax, y0, az, bx, y0, bz, bx, y1, bz, ax, y1, az]);
  }
}

// Returns the regions into which a grid is cut, for the camera to leave some out, and for an edit to mesh only one.
export function regionsOf({ low, size }, width = 40) {
  const regions = [], end = (part, axis) => low[axis] + Math.min(part + width, size[axis]);
  for (let z = 0; z < size[2]; z += width) for (let y = 0; y < size[1]; y += width) for (let x = 0; x < size[0]; x += width) {
    regions.push({ min: [low[0] + x, low[1] + y, low[2] + z], max: [end(x, 0), end(y, 1), end(z, 2)] });
  }
  return regions;
}

// Returns the regions that show a node: its own, and those whose border it is at.
export function regionsAt(regions, node) {
  return regions.flatMap(({ min, max }, index) => (node.every((part, axis) => part >= min[axis] - 1 && part <= max[axis]) ? [index] : []));
}
