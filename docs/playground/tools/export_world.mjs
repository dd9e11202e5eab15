// SPDX-License-Identifier: Apache-2.0
// Writes the page's world as JSON, for programs that shall answer the same: node tools/export_world.mjs WORLD OUT
// Members: types (with kinds and boxes, also in the channel of piercing shots), nodes, far and fine (each with low, size
// and ids, base64 of bytes, x first), entities. Positions of entities are in nodes.
import { readFile, writeFile } from "node:fs/promises";
import { ENTITIES, farLand, sculptures } from "../src/content.js";
import { gunzip, readWorld } from "../src/world_file.js";

const [from, out] = process.argv.slice(2);
const { types, grid } = readWorld(await gunzip(await readFile(from)));
const plain = ({ low, size, ids }) => ({ low, size, ids: Buffer.from(ids).toString("base64") });
const far = farLand(grid, (type) => types[type].kinds.default === "solid");
await writeFile(out, JSON.stringify({
  types, nodes: plain(grid), far: plain(far.grid), fine: sculptures().map(({ at, grid: blocks }) => ({ at, ...plain(blocks) })),
  entities: ENTITIES.map(({ id, category, position, radius, halfExtents }) => ({ id, category, position, radius, halfExtents })),
}));
