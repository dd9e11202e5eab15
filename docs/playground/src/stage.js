// SPDX-License-Identifier: Apache-2.0
// Everything of the bundled world that is drawn: the map, which a worker meshes, far land, sculptures, entities, and the
// overlay of the shot.

import { ENTITIES, FAR, FINE, NODES, PLAYERS, SUN } from "./content.js";
import { BLOCK, colorOf, NONE } from "./looks.js";
import { meshRegion } from "./mesher.js";
import { Overlay } from "./overlay.js";
import { SideView } from "./side_view.js";
import { Terrain } from "./terrain.js";
import { Volume } from "./volume.js";
import { WorkerClient } from "./worker_client.js";
import { byId } from "./dom.js";

// Inside of the map, where caves that are filled from afar are cut.
const GROUND = [70, 66, 62];

export class Stage {
  #early = [];
  #regions = [];
  // program: the text of the page's script, for the worker. world: the packed world.
  constructor(view, program, world) {
    this.view = view;
    this.terrain = null;
    this.worker = new WorkerClient(program);
    // The worker starts before the page has unpacked the world itself. Resolves when all is meshed.
    this.meshed = this.worker.run("mesh", { world, eye: view.getCamera() }, (part) => this.#take(part));
  }
  // Builds the scene of what readWorld(), farLand() and sculptures() return.
  build({ types, grid }, far, fine) {
    const { view } = this;
    this.layers = { far, fine };
    this.terrain = new Terrain(grid, types.map(({ name }, i) => (i === 0 ? GROUND : colorOf(name))));
    view.setTerrain(this.terrain);
    view.setSun(SUN);
    this.farBlocks = view.addBlocks(0x7f9a6a, 16, [0, 0, 0]);
    this.fineBlocks = fine.map(({ at }) => view.addBlocks(0xf2efe6, 1 / 16, at));
    this.#meshFar();
    fine.forEach((_, i) => this.#meshFine(i));
    this.entities = view.addEntities(ENTITIES);
    this.overlay = new Overlay(view.scene);
    this.overlay.addNames(PLAYERS);
    this.side = new SideView(byId("side"));
    for (const part of this.#early.splice(0)) this.#take(part);
  }
  #take(part) {
    if (this.terrain === null) {
      this.#early.push(part);
      return;
    }
    if (part.light) {
      this.#regions = part.regions;
      this.terrain.setLight(part.light);
    } else this.terrain.setRegion(part.region, part.name, part.meshes, this.#regions[part.region]);
    this.changed();
  }
  // Draws again what depends on the world.
  changed() {
    if (this.side) this.side.isStale = true;
    this.view.updateShadow();
  }

  // Shows edits, [level, x, y, z] each, which the grids have already.
  async showEdits(edits, layers) {
    const nodes = [];
    for (const [level, x, y, z] of edits) {
      const found = layers.find(level, x, y, z);
      if (found === null) continue;
      if (level === NODES) nodes.push([x, y, z, found.grid.get(x, y, z)]);
      else if (level === FAR) this.#meshFar();
      else if (level === FINE) this.#meshFine(found.sculpture);
    }
    this.changed();
    if (nodes.length === 0) return;
    const { light } = await this.worker.run("edit", { nodes }, (part) => this.#take(part));
    this.terrain.update(light);
    this.changed();
  }
  #meshFar() {
    const { grid, isDrawn } = this.layers.far, drawn = new grid.constructor(grid.low, grid.size), [sx, sy, sz] = grid.size;
    for (let z = 0, i = 0; z < sz; ++z) for (let y = 0; y < sy; ++y) for (let x = 0; x < sx; ++x, ++i) {
      drawn.ids[i] = isDrawn(x + grid.low[0], y + grid.low[1], z + grid.low[2]) ? grid.ids[i] : 0;
    }
    this.farBlocks.setMesh(meshOf(drawn, true));
  }
  #meshFine(i) {
    this.fineBlocks[i].setMesh(meshOf(this.layers.fine[i].grid, false));
  }
  // Shows or hides all of it, for a scenario in its place.
  setVisible(isVisible) {
    const objects = [this.terrain.group, this.farBlocks.mesh, ...this.fineBlocks.map(({ mesh }) => mesh), ...this.entities, this.overlay.names];
    for (const object of objects) object.visible = isVisible;
    this.changed();
  }
}

// Returns the mesh of a grid of 0 and 1.
export function meshOf(grid, hasGround) {
  const volume = new Volume(grid, Uint8Array.of(NONE, BLOCK), hasGround);
  const region = { min: grid.low, max: grid.low.map((part, axis) => part + grid.size[axis]) };
  return meshRegion(volume, volume.near, null, region).opaque.pack();
}
