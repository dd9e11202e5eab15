// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { FAR, FINE, NODES } from "../src/content.js";
import { editOf, Layers } from "../src/edits.js";
import { Grid } from "../src/world_file.js";

const hits = [
  { block: null, name: "Ada (1)", level: NODES, face: "-x", terminal: false },
  { block: [1, 2, 3], name: "default:water_source", level: NODES, face: "+y", terminal: false },
  { block: [1, 1, 3], name: "default:grass_3", level: NODES, face: "+y", terminal: false },
  { block: [1, 0, 3], name: "default:stone", level: NODES, face: "+y", terminal: true },
];

test("Digging takes the first block but water, building comes before the first solid one", () => {
  assert.deepEqual(editOf("dig", hits, ""), [NODES, 1, 1, 3, "air"]);
  assert.deepEqual(editOf("build", hits, "default:glass"), [NODES, 1, 1, 3, "default:glass"]);
  assert.equal(editOf("dig", hits.slice(0, 2), ""), null);
  assert.equal(editOf("build", [{ ...hits[3], face: null }], "x"), null);
  assert.deepEqual(editOf("build", [{ ...hits[3], level: FINE, face: "-z" }], "x"), [FINE, 1, 0, 2, "marble"]);
});

test("An edit changes its grid, and its inverse takes it back", () => {
  const types = [{ name: "air" }, { name: "default:stone" }], fine = [{ at: [-2, 5, 0], grid: new Grid([0, 0, 0], [16, 16, 16]) }];
  const layers = new Layers({ types, grid: new Grid([-16, 0, 0], [16, 16, 16]) }, { grid: new Grid([-1, -1, -1], [3, 3, 3]) }, fine);
  const back = layers.apply([NODES, -3, 4, 5, "default:stone"]);
  assert.deepEqual(back, [NODES, -3, 4, 5, "air"]);
  assert.equal(layers.grids[NODES].get(-3, 4, 5), 1);
  assert.equal(layers.apply([NODES, -3, 4, 5, "default:stone"]), null);
  layers.apply(back);
  assert.equal(layers.grids[NODES].get(-3, 4, 5), 0);
  assert.deepEqual(layers.apply([FINE, -31, 80, 15, "marble"]), [FINE, -31, 80, 15, "air"]);
  assert.equal(fine[0].grid.get(1, 0, 15), 1);
  assert.deepEqual(layers.apply([FAR, 1, 1, 1, "far land"]), [FAR, 1, 1, 1, "air"]);
  assert.equal(layers.apply([FAR, 9, 1, 1, "far land"]), null);
  assert.equal(layers.apply([NODES, -3, 4, 5, "no such type"]), null);
  // The node of a sculpture is marble in the library, and its neighbour is a node like any other.
  assert.equal(layers.apply([NODES, -2, 5, 0, "default:stone"]), null);
  assert.equal(layers.find(NODES, -2, 5, 0), null);
  assert.deepEqual(layers.apply([NODES, -2, 5, 1, "default:stone"]), [NODES, -2, 5, 1, "air"]);
});
