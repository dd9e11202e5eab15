// SPDX-License-Identifier: Apache-2.0
// Looks along a line through a small world, without a server: node examples/look.mjs
// Needs prismarine-world, prismarine-chunk, prismarine-block, prismarine-registry and vec3.
//
// With a bot it is: bot.once("spawn", async () => { const sight = await attach(bot); ... sight.look(20) ... });

import { createRequire } from "node:module";
import { attach, BlockFace } from "fractalray-prismarine";

const VERSION = "1.20.4", require = createRequire(import.meta.url);
const registry = require("prismarine-registry")(VERSION);
const Block = require("prismarine-block")(registry), Chunk = require("prismarine-chunk")(registry);
const World = require("prismarine-world")(registry);
const { Vec3 } = require("vec3");

// A fence, wheat, stairs and a wall of stone, in a row to the east; a cow between them.
const column = new Chunk({ minY: -64, worldHeight: 384 });
const set = (x, name, properties = {}) => column.setBlockStateId(new Vec3(x, -60, 8), Block.fromProperties(name, properties, 0).stateId);
set(3, "oak_fence", { north: false, south: false, east: false, west: false, waterlogged: false });
set(5, "wheat", { age: 7 });
set(9, "oak_stairs", { facing: "east", half: "bottom", shape: "straight", waterlogged: false });
set(12, "stone");
const world = new World(null);
world.sync.setColumn(0, 0, column);
const cow = { id: 7, name: "cow", type: "animal", position: new Vec3(7.25, -60, 8.5), width: 0.9, height: 1.4 };

const sight = await attach(world, { entities: [cow] });
const from = new Vec3(1, -59.25, 8.5), east = new Vec3(1, 0, 0), faceName = (face) => Object.keys(BlockFace).find((name) => BlockFace[name] === face);

const first = sight.raycast(from, east, 10);
console.log(`the first block is ${first.name}, hit at ${first.intersect} on its face ${faceName(first.face)}`);

console.log("all of the line, as crops are outlined:");
for (const hit of sight.along(from, east, 20, { shapes: "outline", until: () => false }).hits) {
  console.log(`  ${hit.distance.toFixed(4)} ${hit.block?.name ?? hit.entity.name}, for ${(hit.exitDistance - hit.distance).toFixed(4)}, ${faceName(hit.face)}`);
}

const { unloaded } = sight.along(from, east, 100, { until: () => false });
console.log(`nothing is known from ${unloaded.point} on`);
sight.detach();
