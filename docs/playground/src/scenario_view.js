// SPDX-License-Identifier: Apache-2.0
// Shows a dropped scenario in place of the bundled world: its chunks, its entities, and its shots, one at a time.

import * as THREE from "three";
import { HitKind } from "../../../bindings/js/index.js";
import { byId, element, fillTable } from "./dom.js";
import { colorOf } from "./looks.js";
import { frameOf, leftOut, loadedByLevel, readScenario, widthOf } from "./scenario_in.js";
import { shootQuery, worldOf } from "./scenario_world.js";
import { meshOf } from "./stage.js";
import { Blocks } from "./terrain.js";
import { View } from "./view.js";
import { Grid } from "./world_file.js";

const HUES = ["#6a3d9a", "#b3261e", "#0b6e8a", "#8a5a12", "#19703a"];

// Shows a scenario file in place of the bundled world, or of another file. Throws for a file that is refused, and changes nothing.
export function openScenario(app, name, text) {
  const file = readScenario(text), frame = frameOf(file), world = worldOf(file), loaded = loadedByLevel(file.chunks);
  const group = new THREE.Group(), toPicture = (point) => point.map((part, i) => (part - frame.origin[i]) * frame.scale);
  const scenario = { name, file, frame, world, loaded, group, line: new THREE.Group() };
  for (const chunk of file.chunks) if (!chunk.isProto) addChunk(scenario, chunk, toPicture);
  for (const [i, { position, radius, halfExtents }] of file.entities.entries()) {
    const size = (part) => Math.max(part * frame.scale, 0.05);
    const geometry = radius === undefined ? new THREE.BoxGeometry(...halfExtents.map((half) => size(2 * half)))
      : new THREE.SphereGeometry(size(radius), 24, 16);
    const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: HUES[i % HUES.length] }));
    mesh.position.set(...toPicture(position));
    group.add(mesh);
  }
  group.add(scenario.line);
  closeScenario(app);
  app.scenario = scenario;
  app.stage.setVisible(false);
  app.stage.overlay.showShot(null);
  app.stage.overlay.showSight(null);
  byId("side").classList.remove("shown");
  app.view.scene.add(group);
  app.view.updateShadow();
  const center = [0.5, 0.3, 0.5].map((part) => part * frame.size), from = center.map((part, i) => part + frame.size * [0.9, 0.7, 1.1][i]);
  app.view.setCamera(View.towards(from, center));
  showQueries(app, scenario, toPicture);
}

// Adds the blocks of a chunk that are not empty, each type in its colour; those that a finer chunk replaces are left out.
function addChunk({ file, frame, loaded, group }, { level, at, types }, toPicture) {
  const width = widthOf(level, file.levels), finer = loaded.get(level + 1), grids = new Map();
  types.forEach((name, i) => {
    const block = [i & 15, (i >> 4) & 15, i >> 8];
    if (file.types.get(name).kinds.default === "empty" || finer?.has(block.map((part, axis) => part + 16 * at[axis]).join())) return;
    if (!grids.has(name)) grids.set(name, new Grid([0, 0, 0], [16, 16, 16]));
    grids.get(name).ids[i] = 1;
  });
  for (const [name, grid] of grids) {
    const color = new THREE.Color(`rgb(${colorOf(name).join(",")})`), corner = toPicture(at.map((part) => part * 16 * width));
    const blocks = new Blocks(color, width * frame.scale, corner);
    if (file.types.get(name).kinds.default === "permeable") {
      Object.assign(blocks.mesh.material, { transparent: true, opacity: 0.4, depthWrite: false });
    }
    blocks.setMesh(meshOf(grid, false));
    group.add(blocks.mesh);
  }
}

function showQueries(app, scenario, toPicture) {
  const { file, world, name } = scenario;
  const run = (query) => {
    try {
      const { hits, from, to, isOver } = shootQuery(world, file, query);
      fillTable(byId("hits"), ["", "hit", "level", "face", "distance", ""], hits.map((hit, i) => [String(i + 1),
        hit.kind === HitKind.BLOCK ? `${world.blockTypes.name(hit.type)} [${hit.block.join(", ")}]` : `entity ${hit.id}`,
        String(hit.level), hit.startInside ? "inside" : hit.face ?? "", hit.distance.toFixed(3), hit.terminal ? "ends" : ""]));
      byId("summary").textContent = `${name}, shot ${query.id}: ${hits.length} hits; distances in finest blocks. ` +
        (isOver ? "The last one ends it." : "Nothing ends it.");
      drawLine(scenario.line, [toPicture(from), toPicture(to)], hits.map((hit) => toPicture(hit.point)));
      app.view.isDirty = true;
    } catch (error) {
      byId("summary").textContent = `${name}, shot ${query.id}: ${error.message}`;
    }
  };
  const buttons = file.shots.map((query) => element("button", { onclick: () => run(query) }, String(query.id)));
  byId("words").replaceChildren(element("li", {}, file.about || "No notes."),
    element("li", {}, element("span", { className: "row" }, "Shots: ", ...buttons), ` ${leftOut(file)}`),
    element("li", {}, element("button", { onclick: () => leaveScenario(app) }, "Back to the bundled world")));
  byId("words-box").open = true;
  if (file.shots.length > 0) run(file.shots[0]);
  else {
    byId("hits").replaceChildren();
    byId("summary").textContent = `${name} has no shot that this page shows.`;
  }
}

function drawLine(group, [from, to], hits) {
  for (const child of [...group.children]) {
    group.remove(child);
    child.geometry.dispose();
    child.material.dispose();
  }
  const geometry = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(...from), new THREE.Vector3(...to)]);
  group.add(new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0xffd23f, depthTest: false })));
  for (const at of hits) {
    const ball = new THREE.Mesh(new THREE.SphereGeometry(0.22, 12, 8), new THREE.MeshBasicMaterial({ color: 0xffffff, depthTest: false }));
    ball.position.set(...at);
    ball.renderOrder = 5;
    group.add(ball);
  }
}

// Returns to the bundled world, and asks its shot again.
export function leaveScenario(app) {
  if (app.scenario === null) return;
  closeScenario(app);
  app.ask();
}
function closeScenario(app) {
  if (app.scenario === null) return;
  const { group, world } = app.scenario;
  group.traverse((object) => {
    object.geometry?.dispose();
    object.material?.dispose();
  });
  app.view.scene.remove(group);
  world.free();
  app.scenario = null;
  app.stage.setVisible(true);
  if (app.state.camera !== null) app.view.setCamera(app.state.camera);
}
