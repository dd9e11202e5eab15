// SPDX-License-Identifier: Apache-2.0
// Random worlds of prismarine-chunk for the tests of integrations/prismarine, and what mineflayer adds to one: a bot.
import { EventEmitter } from "node:events";
import { prismarine } from "./prismarine_packages.mjs";

// Blocks of many shapes: whole, partial, higher than their cube, beyond it, empty.
const NAMES = ["stone", "oak_stairs", "stone_slab", "oak_fence", "cobblestone_wall", "oak_fence_gate", "oak_trapdoor", "glass_pane",
  "oak_door", "white_carpet", "snow", "chest", "hopper", "cauldron", "anvil", "lantern", "bamboo", "brewing_stand", "campfire", "end_rod", "lectern",
  "piston_head", "pitcher_crop", "wheat", "torch", "poppy", "redstone_wire", "water", "lava"];

export class TestWorld {
  // version: of the game. random: as in module.mjs. names: of the blocks that build() takes.
  constructor(version, random, names = NAMES) {
    this.random = random;
    this.registry = prismarine("prismarine-registry")(version);
    this.Block = prismarine("prismarine-block")(this.registry);
    this.Chunk = prismarine("prismarine-chunk")(this.registry);
    this.Vec3 = prismarine("vec3").Vec3;
    const World = prismarine("prismarine-world")(this.registry);
    this.async = new World(null);
    this.world = this.async.sync;
    this.names = names.filter((name) => this.registry.blocksByName[name] !== undefined);
    this.#boxes = new Map();
  }
  #boxes;
  int(count) {
    return Math.floor(count * this.random());
  }
  // Returns a random state of a block.
  stateOf(name) {
    const block = this.registry.blocksByName[name];
    return block.minStateId + this.int(block.maxStateId - block.minStateId + 1);
  }
  newColumn() {
    return new this.Chunk({ minY: -64, worldHeight: 384 });
  }
  // Loads a column of random blocks between two heights: half of the first layer, and one block in `rarity`.
  build(chunkX, chunkZ, low, high, rarity) {
    const column = this.world.getColumn(chunkX, chunkZ) ?? this.newColumn(), at = new this.Vec3(0, 0, 0);
    for (at.y = low; at.y < high; ++at.y) for (at.z = 0; at.z < 16; ++at.z) for (at.x = 0; at.x < 16; ++at.x) {
      if (this.random() < (at.y === low ? 0.5 : 1 / rarity)) column.setBlockStateId(at, this.stateOf(this.names[this.int(this.names.length)]));
    }
    this.world.setColumn(chunkX, chunkZ, column);
  }
  // Returns the boxes of the block at a position, cut at its cube; [] where nothing is loaded.
  boxesAt = (x, y, z) => {
    const column = this.world.getColumn(Math.floor(x / 16), Math.floor(z / 16));
    const state = column?.getBlockStateId({ x: x & 15, y, z: z & 15 }) ?? 0;
    if (!this.#boxes.has(state)) {
      const cut = this.Block.fromStateId(state, 0).shapes.map((box) => box.map((each) => Math.min(Math.max(each, 0), 1)));
      this.#boxes.set(state, cut.filter((box) => box[0] < box[3] && box[1] < box[4] && box[2] < box[5]));
    }
    return this.#boxes.get(state);
  };
  // Returns a random point of a box, `low` to `high`; one in four on a grid of 1/16, where shapes have their faces.
  point(low, high) {
    const isOnGrid = this.random() < 0.25;
    const made = low.map((each, axis) => each + this.random() * (high[axis] - each));
    return new this.Vec3(...made.map((each) => (isOnGrid ? Math.floor(16 * each) / 16 : each)));
  }
  // Returns a random direction; one in four of small whole numbers, which comes to edges and corners.
  direction() {
    for (;;) {
      const isWhole = this.random() < 0.25;
      const made = [0, 1, 2].map(() => (isWhole ? this.int(5) - 2 : 2 * this.random() - 1)), length = Math.hypot(...made);
      if (length > 0.1) return new this.Vec3(...(isWhole ? made : made.map((each) => each / length)));
    }
  }
}

// The members of a mineflayer bot that looks need; mineflayer's own functions are added to it by its plugin.
export class TestBot extends EventEmitter {
  constructor(world, position) {
    super();
    this.world = world;
    this.username = "bot";
    this.entity = { id: 1, type: "player", username: "bot", position, width: 0.6, height: 1.8, eyeHeight: 1.62, yaw: 0.5, pitch: 0.25 };
    this.entities = { 1: this.entity };
    this._client = new EventEmitter();
    prismarine("mineflayer/lib/plugins/ray_trace.js")(this);
  }
  get eye() {
    return this.entity.position.offset(0, this.entity.eyeHeight, 0);
  }
  spawn(entity) {
    this.entities[entity.id] = entity;
    this.emit("entitySpawn", entity);
  }
  remove(entity) {
    this.emit("entityGone", entity);
    delete this.entities[entity.id];
  }
  // Turns the bot so that it looks at a point, as bot.lookAt() does.
  lookAt(point) {
    const { x, y, z } = point.minus(this.eye);
    this.entity.yaw = Math.atan2(-x, -z);
    this.entity.pitch = Math.atan2(y, Math.hypot(x, z));
  }
  get direction() {
    const { yaw, pitch, position } = this.entity;
    return new position.constructor(-Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch));
  }
}
