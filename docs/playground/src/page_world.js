// SPDX-License-Identifier: Apache-2.0
// The page's world in the library: block types with channels and shapes, three levels, entities, edits. It may begin
// 2^4 to 2^40 nodes from the origin on every axis; everything outside of this file is without that offset.

import { AIR, Kind, Rule, Rules, World } from "../../../bindings/js/index.js";
import { FAR, FINE, NODES, WIDTHS } from "./content.js";

// Finest blocks, the unit of the library's positions, in a node.
export const FINEST = 16;

// Types that a piercing shot passes at a cost: in the channel `pierce` they are permeable.
const THIN = /leaves|glass|pane|fence|wood|snow|cactus|chest|bed|stem|torch/;
const KINDS = { solid: Kind.SOLID, permeable: Kind.PERMEABLE, empty: Kind.EMPTY };
const CUBE = [[[0, 0, 0], [1, 1, 1]]];

// Returns the boxes of a type of the file in a channel, [min, max] in fractions of a node.
function boxesIn(type, channel) {
  const boxes = type.boxes?.[channel];
  if (boxes === undefined) return CUBE;
  return boxes.map((box) => [box.slice(0, 3).map((part) => part / 65536), box.slice(3).map((part) => part / 65536)]);
}

// Returns the kinds of a type of the file by channel, with that of piercing shots.
export function kindsOf({ name, kinds }) {
  return { ...kinds, pierce: kinds.default === "solid" && THIN.test(name) ? "permeable" : kinds.default };
}

export class PageWorld {
  // packed: {types, grid} of the world file, as it is now. far: that of farLand(). fine: sculptures().
  constructor(packed, far, fine, entities, offset = 0) {
    this.world = new World({ levels: 3 });
    this.offset = offset;
    this.types = packed.types.map((type, i) => (i === 0 ? AIR : this.#addType(type)));
    this.farType = this.world.blockTypes.add("far land");
    this.marble = this.world.blockTypes.add("marble");
    this.names = [...this.world.blockTypes];
    this.#load(packed.grid, far, fine);
    this.world.entities.addMany(entities.map(({ id, position, radius, halfExtents, category }) => ({
      id, level: NODES, categories: category, position: this.toFinest(position),
      ...(radius ? { radius: radius * FINEST } : { halfExtents: halfExtents.map((part) => part * FINEST) }),
    })));
    this.#makeRules(packed.types);
  }
  #addType(type) {
    const kinds = kindsOf(type), isShaped = type.boxes?.default !== undefined;
    const others = Object.keys(kinds).filter((channel) => channel !== "default");
    const own = (channel) => boxesIn(type, channel === "pierce" ? "default" : channel);
    return this.world.blockTypes.add(type.name, KINDS[kinds.default], {
      channels: Object.fromEntries(others.map((channel) => [channel, KINDS[kinds[channel]]])),
      ...(isShaped ? { boxes: own("default"), channelBoxes: Object.fromEntries(others.map((channel) => [channel, own(channel)])) } : {}),
    });
  }
  #load(grid, far, fine) {
    const { world, offset } = this, away = offset / 16;
    this.#loadFar(far.grid, Math.floor(offset / 16));
    world.loadChunks(NODES, grid.low.map((part) => part / 16 + away), grid.ids, { size: grid.size, types: this.types });
    for (const { at, grid: blocks } of fine) {
      const node = at.map((part) => part + offset);
      world.setBlock(NODES, ...node, this.marble);
      world.loadChunks(FINE, node, blocks.ids, { size: blocks.size, types: [AIR, this.marble] });
    }
  }
  // Loads the chunks of level 0 that the far land touches, of air, and its blocks in them.
  #loadFar(grid, away) {
    const first = grid.low.map((part) => part + away), last = first.map((part, axis) => part + grid.size[axis] - 1);
    const chunks = (axis) => {
      const from = Math.floor(first[axis] / 16), to = Math.floor(last[axis] / 16);
      return Array.from({ length: to - from + 1 }, (_, i) => from + i);
    };
    for (const z of chunks(2)) for (const y of chunks(1)) for (const x of chunks(0)) this.world.loadChunk(FAR, [x, y, z]);
    this.world.loadBox(FAR, first, grid.ids, { size: grid.size, types: [AIR, this.farType] });
  }
  // What hits of piercing shots cost: thin solid blocks 1 each, entities 2, water 1/4 a node.
  #makeRules(types) {
    this.rules = new Rules();
    const budget = this.rules.addBudget(1);
    types.forEach((type, i) => {
      if (i === 0) return;
      if (type.kinds.default === "solid" && kindsOf(type).pierce === "permeable") {
        this.rules.setBlock(this.types[i], Rule.cost(budget, { perHit: 1, perPane: true }));
      } else if (/water_source/.test(type.name)) {
        this.rules.setBlock(this.types[i], Rule.cost(budget, { perBlock: 0.25 / FINEST }));
      }
    });
    this.rules.setEntities(7, Rule.cost(budget, { perHit: 2 }));
  }

  // Returns a point in the library's unit, of one in nodes; and back.
  toFinest(point) {
    return point.map((part) => (part + this.offset) * FINEST);
  }
  // Returns a block of a level as it is without the offset, of one of the library.
  toPage(level, block) {
    return block.map((part) => part - this.offset / WIDTHS[level]);
  }
  // Sets a block. Returns false if no chunk is loaded there, or if it has that type.
  edit(level, block, type) {
    const at = block.map((part) => part + this.offset / WIDTHS[level]), now = this.world.getBlock(level, ...at);
    if (now === undefined || now === type) return false;
    this.world.setBlock(level, ...at, type);
    return true;
  }
  typeNamed(name) {
    const type = this.names.indexOf(name);
    return type < 0 ? AIR : type;
  }
  free() {
    this.rules.free();
    this.world.free();
  }
}
