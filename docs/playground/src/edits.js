// SPDX-License-Identifier: Apache-2.0
// Digging and building: which block a click means, and how an edit changes the grids that the pictures are made from.

import { FAR, FINE, NODES } from "./content.js";

export const AIR_NAME = "air";
// What can be built with, if the world has it.
export const MATERIALS = [
  "default:stonebrick", "default:glass", "default:jungletree", "default:jungleleaves", "default:water_source", "stairs:slab_stone",
  "stairs:stair_cobble", "xpanes:pane_flat", "default:cactus", "default:snow", "default:chest",
];

const STEPS = { "-x": [-1, 0, 0], "+x": [1, 0, 0], "-y": [0, -1, 0], "+y": [0, 1, 0], "-z": [0, 0, -1], "+z": [0, 0, 1] };

// Returns the edit of a click, [level, x, y, z, name], or null. tool: "dig" or "build"; hits: of blocks, in order; name: of
// the type to build with among nodes.
export function editOf(tool, hits, name) {
  const hit = hits.find((each) => each.block !== null && (tool === "dig" ? !/water/.test(each.name) : each.terminal));
  if (hit === undefined) return null;
  if (tool === "dig") return [hit.level, ...hit.block, AIR_NAME];
  if (hit.face === null) return null;
  const at = hit.block.map((part, i) => part + STEPS[hit.face][i]);
  return [hit.level, ...at, hit.level === FAR ? "far land" : hit.level === FINE ? "marble" : name];
}

// The grids of the levels. types: of the world file. far: that of farLand(). fine: sculptures().
export class Layers {
  constructor({ types, grid }, far, fine) {
    this.types = types;
    this.grids = { [FAR]: far.grid, [NODES]: grid };
    this.fine = fine;
  }
  // Returns the grid of a block and the block in it; null outside of all, and for the node of a sculpture: the library has marble
  // there, whatever the grid has.
  find(level, x, y, z) {
    const sculptureAt = (width) => this.fine.findIndex(({ at }) => [x, y, z].every((part, i) => Math.floor(part / width) === at[i]));
    if (level !== FINE) {
      const grid = this.grids[level];
      if (!(grid?.indexOf(x, y, z) >= 0) || (level === NODES && sculptureAt(1) >= 0)) return null;
      return { grid, at: [x, y, z], sculpture: -1 };
    }
    const sculpture = sculptureAt(16);
    if (sculpture < 0) return null;
    return { grid: this.fine[sculpture].grid, at: [x, y, z].map((part) => part & 15), sculpture };
  }
  // Returns the number of a type in the grid of a level, -1 for none of that name.
  typeOf(level, name) {
    if (name === AIR_NAME) return 0;
    if (level === NODES) return this.types.findIndex((type) => type.name === name);
    return name === (level === FAR ? "far land" : "marble") ? 1 : -1;
  }
  nameOf(level, type) {
    if (type === 0) return AIR_NAME;
    return level === NODES ? this.types[type].name : level === FAR ? "far land" : "marble";
  }
  // Applies an edit. Returns the edit that takes it back, or null if it changes nothing.
  apply([level, x, y, z, name]) {
    const found = this.find(level, x, y, z), type = this.typeOf(level, name);
    if (found === null || type < 0) return null;
    const before = found.grid.get(...found.at);
    if (before === type) return null;
    found.grid.set(...found.at, type);
    return [level, x, y, z, this.nameOf(level, before)];
  }
}
