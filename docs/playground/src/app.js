// SPDX-License-Identifier: Apache-2.0
// The page: holds the state, asks the library when it changes, and shows the answers.

import { init } from "../../../bindings/js/index.js";
import { codeOf } from "./code_samples.js";
import { boxOf, DEMO_SHOTS, ENTITIES, farLand, FIRST_VIEW, LEVEL_NAMES, NODES, PLAYERS, REACH, sculptures } from "./content.js";
import { Controls } from "./controls.js";
import { byId } from "./dom.js";
import { editOf, Layers } from "./edits.js";
import { EXPECTED } from "./expected_hash.js";
import { explain } from "./explain.js";
import { compareLoops } from "./loops.js";
import { SEED } from "./many_shots.js";
import { PageWorld } from "./page_world.js";
import { Panel } from "./panel.js";
import { freeWay, shootAll, sightTable } from "./queries.js";
import { exactRay, originOf, unitOf } from "./ray.js";
import { scenarioText } from "./scenario_parts.js";
import { sectionOf } from "./section.js";
import { Stage } from "./stage.js";
import { fromHash, initialState, MAX_EDITS, offsetOf, toHash } from "./state.js";
import { View } from "./view.js";
import { wire } from "./wire.js";
import { WorkerClient } from "./worker_client.js";
import { gunzip, readWorld } from "./world_file.js";

const FLIGHT = 450;  // milliseconds of a flight of the camera
const REST = 300;    // milliseconds without a move after which the address and the sight table follow

export class App {
  #undo = [];
  #flight = null;
  #restTimer = 0;
  // data: {module, world, program}: the gzipped module and world, and the text of this script.
  constructor(data) {
    this.data = data;
    this.query = new URLSearchParams(location.search);
    this.seed = Number(this.query.get("seed")) >>> 0 || SEED;
    this.state = fromHash(location.hash);
    this.wrongLoop = null;
    this.scenario = null;
    this.timings = {};
    this.frames = { count: 0, since: 0, perSecond: 0 };
    this.isReady = this.isMeshed = false;
  }
  async start() {
    const begin = performance.now(), mark = (name) => { this.timings[name] = Math.round(performance.now() - begin); };
    this.view = new View(byId("view"), { isPlain: this.query.has("plain") });
    this.view.setCamera(this.state.camera ?? FIRST_VIEW);
    this.stage = new Stage(this.view, this.data.program, this.data.world);
    const compiled = gunzip(this.data.module).then((bytes) => init(bytes)).then(() => mark("compiled"));
    this.packed = readWorld(await gunzip(this.data.world));
    const { types, grid } = this.packed;
    this.far = farLand(grid, (type) => types[type].kinds.default === "solid");
    this.fine = sculptures();
    this.layers = new Layers(this.packed, this.far, this.fine);
    this.stage.build(this.packed, this.far, this.fine);
    mark("unpacked");
    await compiled;
    this.panel = new Panel((members) => this.set(members), {
      pickLoop: (id) => { this.wrongLoop = this.wrongLoop === id ? null : id; this.ask(); },
      pickSight: (pair) => this.set({ sight: pair }),
    });
    this.controls = new Controls(this.view, byId("stick"), (x, y) => this.act(x, y), (event) => this.command(event));
    wire(this);
    this.#restart();
    this.isReady = true;
    mark("ready");
    this.say("");
    requestAnimationFrame((now) => this.#frame(now, now));
    await this.stage.meshed;
    this.isMeshed = true;
    mark("meshed");
    byId("about").textContent = `A Luanti world of 160 × 160 × 160 nodes with ${ENTITIES.length} entities, on three levels: ` +
      `${LEVEL_NAMES.join(", ")}. Usable after ${(this.timings.ready / 1000).toFixed(1)} s, ` +
      `all drawn after ${(this.timings.meshed / 1000).toFixed(1)} s.`;
  }
  // Takes over a state that has come from the address.
  #restart() {
    const edits = this.state.edits;
    this.state.edits = [];
    this.#loadWorld();
    for (const edit of edits) this.#edit(edit);
    void this.stage.showEdits(edits, this.layers);
    if (this.state.ray === null) this.state.ray = this.#rayOf(DEMO_SHOTS[0]);
    this.ask();
  }
  // Follows a changed address: the edits of the former one are taken back.
  followAddress() {
    const state = fromHash(location.hash);
    if (toHash(state) === toHash(this.state)) return;
    const before = this.state.edits;
    while (this.#undo.length > 0) this.layers.apply(this.#undo.pop());
    void this.stage.showEdits(before, this.layers);
    this.state = { ...state, tool: this.state.tool, material: this.state.material };
    if (state.camera !== null) this.view.setCamera(state.camera);
    this.#restart();
  }
  #loadWorld() {
    const begin = performance.now(), offset = offsetOf(this.state);
    this.page?.free();
    this.page = new PageWorld(this.packed, this.far, this.fine, ENTITIES, offset);
    const took = Math.round(performance.now() - begin);
    this.panel.showMoved(`All ${this.packed.grid.ids.length / 4096} chunks of nodes were loaded there in ${took} ms.`);
  }

  // ---- The state, and asking ----

  set(members) {
    const moves = "offset" in members && members.offset !== this.state.offset;
    Object.assign(this.state, members);
    if (moves) this.#loadWorld();
    this.ask();
  }
  // Asks the library for the shot of the state, and shows everything.
  ask() {
    const { state, page, stage, panel } = this;
    panel.showState(state);
    if (this.scenario !== null) return;
    const isSolid = (x, y, z) => this.packed.types[this.packed.grid.get(x, y, z)].kinds.default === "solid";
    const shot = shootAll(page, state), other = compareLoops(state.ray, REACH, offsetOf(state), isSolid);
    const first = shot.legs[0];
    const cells = cellsUpTo(other.cells, state.ray, first.endDistance);
    this.last = { shot, other };
    panel.showShot(shot, explain(state, shot, cells.length));
    panel.showLoops(other, this.wrongLoop);
    stage.overlay.showShot(shot, { ...other, cells }, { cells: state.cells, wrong: this.wrongLoop });
    stage.side.show(state.side ? pathOf(shot) : null);
    byId("side").classList.toggle("shown", state.side);
    this.#askSight();
    this.#showCode();
    this.view.isDirty = true;
    this.#rest();
  }
  #askSight() {
    const { sight, levels } = this.state;
    if (sight === null) {
      this.panel.showSight(null);
      this.stage.overlay.showSight(null);
      return;
    }
    const table = sightTable(this.page, this.view.getCamera().slice(0, 3), levels);
    const target = table.find(({ id }) => id === sight[0])?.targets.find((each) => each?.id === sight[1]) ?? null;
    this.panel.showSight(table, sight);
    this.stage.overlay.showSight(target === null ? null : { ...target, box: boxOf(PLAYERS.find(({ id }) => id === target.id)) });
    this.stage.side.isStale = this.view.isDirty = true;
  }
  // True once the address has the state: for drive.mjs.
  get isResting() {
    return this.#restTimer === 0;
  }
  // After the camera has come to rest, the address has its position, and the table what it sees.
  #rest() {
    clearTimeout(this.#restTimer);
    this.#restTimer = setTimeout(() => {
      this.#restTimer = 0;
      if (this.scenario !== null) return;
      this.state.camera = this.view.getCamera();
      history.replaceState(null, "", `#${toHash(this.state)}`);
      if (this.state.sight !== null && this.state.sight[0] === 0) this.#askSight();
    }, REST);
  }

  // ---- What a click does ----

  // x, y: in the picture, -1 to 1.
  act(x, y) {
    if (this.scenario !== null) return;
    const ray = exactRay(this.view.getCamera().slice(0, 3), this.view.directionOf(x, y));
    if (this.state.tool === "shoot") {
      this.set({ ray });
      return;
    }
    // Digging aims at nodes and sculptures through everything that moves, with a plain shot.
    const aim = { ...initialState(), ray, levels: this.state.levels, categories: 0 };
    const edit = editOf(this.state.tool, shootAll(this.page, aim).hits, this.state.material);
    if (edit === null || this.state.edits.length >= MAX_EDITS || !this.#edit(edit)) {
      this.say(edit === null ? "Nothing to change there." : "That changes nothing, or is outside of the world.", 2000);
      return;
    }
    void this.stage.showEdits([edit], this.layers);
    this.ask();
  }
  // Applies an edit to the world, and to what it is drawn from. Returns false if it changes nothing.
  #edit(edit) {
    const back = this.layers.apply(edit);
    if (back === null) return false;
    this.#undo.push(back);
    this.state.edits.push(edit);
    this.#editPage(edit);
    return true;
  }
  #editPage([level, x, y, z, name]) {
    const type = level === NODES ? this.page.types[this.layers.typeOf(level, name)] : this.page.typeNamed(name);
    this.page.edit(level, [x, y, z], type);
  }
  undo() {
    const back = this.#undo.pop();
    if (back === undefined) return;
    this.state.edits.pop();
    this.layers.apply(back);
    this.#editPage(back);
    void this.stage.showEdits([back], this.layers);
    this.ask();
  }
  command(event) {
    const tools = { Digit1: "shoot", Digit2: "dig", Digit3: "build" };
    const actions = {
      Enter: () => this.act(0, 0), KeyB: () => this.stepAside(), KeyR: () => this.toStart(), KeyV: () => this.set({ side: !this.state.side }),
      KeyZ: () => this.undo(), KeyH: () => byId("help").showModal(),
    };
    if (tools[event.code]) this.set({ tool: tools[event.code] });
    else actions[event.code]?.();
  }

  // ---- The camera ----

  stepAside() {
    if (!this.last) return;
    const { center, toEye, halfWidth } = sectionOf(pathOf(this.last.shot), this.view.camera.aspect);
    const away = Math.max(6, halfWidth * 1.25), to = center.map((part, i) => part + toEye[i] * away + (i === 1 ? away * 0.35 : 0));
    const free = freeWay(this.page, center, to), from = center.map((part, i) => part + (to[i] - part) * free);
    this.#flyTo(View.towards(from, center));
  }
  toStart() {
    const from = originOf(this.state.ray), unit = unitOf(this.state.ray);
    this.#flyTo(View.towards(from, from.map((part, i) => part + unit[i])));
  }
  demo(shot) {
    this.set({ ...demoState(), ...shot.set, ray: this.#rayOf(shot) });
    this.stepAside();
  }
  #rayOf({ from, to }) {
    return exactRay(from, to.map((part, i) => part - from[i]));
  }
  #flyTo(camera) {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#flight = isCalm ? null : { from: this.view.getCamera(), to: camera, begin: performance.now() };
    if (isCalm) this.view.setCamera(camera);
    // Turns the short way.
    else this.#flight.from[3] += 2 * Math.PI * Math.round((camera[3] - this.#flight.from[3]) / (2 * Math.PI));
    this.#rest();
  }
  #frame(before, now) {
    requestAnimationFrame((next) => this.#frame(now, next));
    if (this.#flight !== null) {
      const { from, to, begin } = this.#flight, part = Math.min(1, (performance.now() - begin) / FLIGHT), ease = part * part * (3 - 2 * part);
      this.view.setCamera(from.map((each, i) => each + (to[i] - each) * ease));
      if (part === 1) this.#flight = null;
      this.#rest();
    }
    if (this.controls.step(Math.min(now - before, 100) / 1000)) this.#rest();
    const isDrawn = this.view.render(this.scenario === null ? this.stage.side : null);
    if (this.query.has("debug")) this.#debug(now, isDrawn);
  }
  #debug(now, isDrawn) {
    this.frames.count += isDrawn ? 1 : 0;
    if (now - this.frames.since < 500) return;
    this.frames = { count: 0, since: now, perSecond: Math.round((1000 * this.frames.count) / (now - this.frames.since)) };
    const { triangles, calls } = this.view.counts;
    byId("debug").hidden = false;
    byId("debug").textContent = `${triangles.toLocaleString("en")} triangles (at most ${this.view.most.toLocaleString("en")}), ` +
      `${calls} draw calls, ${this.frames.perSecond} frames a second\n` +
      Object.entries(this.timings).map(([name, ms]) => `${name} ${ms} ms`).join(", ");
  }

  // ---- The rest of the panel ----

  // language: one of LANGUAGES, or "scenario".
  codeIn(language) {
    return language === "scenario" ? scenarioText(this.page, this.state, this.last.shot, this.packed.types) : codeOf(language, this.state);
  }
  #showCode() {
    if (this.language) byId("code").value = this.codeIn(this.language);
  }
  async many() {
    byId("many").disabled = true;
    byId("many-text").textContent = "A worker loads the world, and shoots …";
    const worker = new WorkerClient(this.data.program);
    try {
      const { hash, found, milliseconds, count } = await worker.run("shots", { module: this.data.module, world: this.data.world, seed: this.seed });
      const same = EXPECTED.hash === "" || this.seed !== SEED ? "" : EXPECTED.hash === hash ? `, the same as ${EXPECTED.how}`
        : `, but ${EXPECTED.how} gave ${EXPECTED.hash}: please report this`;
      byId("many-text").textContent = `${count.toLocaleString("en")} shots here: hash ${hash}${same}${this.seed === SEED ? "" : `, seed ${this.seed}`}. ${found.toLocaleString("en")} hit something; ` +
        `${milliseconds.toFixed(0)} ms, ${((1e6 * milliseconds) / count).toFixed(0)} ns each.`;
      return hash;
    } catch (error) {
      byId("many-text").textContent = `The worker has failed: ${error.message}`;
      return null;
    } finally {
      worker.free();
      byId("many").disabled = false;
    }
  }
  say(text, milliseconds = 0) {
    byId("message").textContent = text;
    if (milliseconds > 0) setTimeout(() => { if (byId("message").textContent === text) byId("message").textContent = ""; }, milliseconds);
  }
}

// The options that a demo shot sets back.
function demoState() {
  const { levels, corner, channel, categories, strength, bounces, skipStart } = initialState();
  return { levels, corner, channel, categories, strength, bounces, skipStart };
}
// The points of the way of a shot.
function pathOf({ legs }) {
  return [legs[0].from, ...legs.map(({ to }) => to)];
}
// The nodes that the first leg crosses up to its end: those that it enters before.
function cellsUpTo(cells, ray, distance) {
  const origin = originOf(ray), unit = unitOf(ray);
  return cells.filter((cell) => {
    let enter = 0;
    for (let axis = 0; axis < 3; ++axis) {
      if (unit[axis] !== 0) enter = Math.max(enter, (cell[axis] + (unit[axis] > 0 ? 0 : 1) - origin[axis]) / unit[axis]);
    }
    return enter <= distance + 1e-9;
  });
}
