// SPDX-License-Identifier: Apache-2.0
// The panel: options in, answers out. It changes the state only through change(members), and shows what it is given.

import { ENTITIES, LEVEL_NAMES, PLAYERS } from "./content.js";
import { byId, element, fillSelect, fillTable } from "./dom.js";
import { shortName } from "./looks.js";
import { colorOf } from "./overlay.js";
import { CATEGORIES, CHANNELS, CORNERS, MIN_OFFSET } from "./state.js";

const MOST_ROWS = 60;
const counted = (n, one, many) => `${n} ${n === 1 ? one : many}`;
const VERDICTS = {
  right: ["right", "good"], through: ["passed through a wall", "bad"], none: ["missed the wall", "bad"],
  off: ["a block off the line", "bad"], endless: ["does not end", "bad"],
};
const CHANNEL_NAMES = {
  default: "default: bullets", visible: "visible: the eye", physical: "physical: bodies", pierce: "pierce: heavy bullets",
};

const short = (value) => (Math.abs(value) >= 1e6 ? value.toExponential(3) : String(Math.round(value * 1000) / 1000));

export class Panel {
  // change(members): sets members of the state and asks again. pick(loop): shows the errors of a loop.
  constructor(change, { pickLoop, pickSight }) {
    this.change = change;
    this.pickLoop = pickLoop;
    this.pickSight = pickSight;
    this.#checks("levels", LEVEL_NAMES.map((name, level) => [level, name]), () => {
      const levels = this.#checked("levels").map(Number);
      // A query needs a level.
      if (levels.length > 0) change({ levels });
      else byId("levels").querySelector("input").checked = true, change({ levels: [0] });
    });
    this.#checks("categories", Object.entries(CATEGORIES).map(([name, bit]) => [bit, name]), () =>
      change({ categories: this.#checked("categories").reduce((sum, bit) => sum + Number(bit), 0) }));
    fillSelect(byId("channel"), CHANNELS.map((name) => [name, CHANNEL_NAMES[name]]));
    fillSelect(byId("corner"), CORNERS.map((name) => [name, name]));
    byId("channel").onchange = () => change({ channel: byId("channel").value });
    byId("corner").onchange = () => change({ corner: byId("corner").value });
    byId("strength").oninput = () => {
      const strength = Number(byId("strength").value);
      change({ strength, ...(strength > 0 ? { channel: "pierce" } : {}) });
    };
    byId("bounces").oninput = () => change({ bounces: Number(byId("bounces").value) });
    byId("skip").onchange = () => change({ skipStart: byId("skip").checked });
    byId("cells").onchange = () => change({ cells: byId("cells").checked });
    byId("offset").oninput = () => {
      const k = Number(byId("offset").value);
      change({ offset: k === 0 ? 0 : Math.max(k, MIN_OFFSET) });
    };
    byId("sight").onchange = () => change({ sight: byId("sight").checked ? [0, PLAYERS[0].id] : null });
  }
  #checks(id, entries, onchange) {
    byId(id).append(...entries.map(([value, text]) => element("label", {}, element("input", { type: "checkbox", value, onchange }), text)));
  }
  #checked(id) {
    return [...byId(id).querySelectorAll("input:checked")].map(({ value }) => value);
  }

  // Shows the options of a state.
  showState(state) {
    for (const input of byId("levels").querySelectorAll("input")) input.checked = state.levels.includes(Number(input.value));
    for (const input of byId("categories").querySelectorAll("input")) input.checked = (state.categories & Number(input.value)) !== 0;
    for (const name of ["channel", "corner", "strength", "bounces", "offset"]) byId(name).value = state[name];
    byId("skip").checked = state.skipStart;
    byId("cells").checked = state.cells;
    byId("sight").checked = state.sight !== null;
    byId("strength-text").value = state.strength === 0 ? "off" : String(state.strength);
    byId("bounces-text").value = String(state.bounces);
    byId("distance").value = state.offset === 0 ? "0" : `2^${state.offset} = ${(2 ** state.offset).toLocaleString("en")} nodes`;
    byId("edits").textContent = state.edits.length === 0 ? "" : `${state.edits.length} edits`;
    byId("undo").disabled = state.edits.length === 0;
    for (const button of document.querySelectorAll("[data-tool]")) button.setAttribute("aria-checked", button.dataset.tool === state.tool);
    byId("side-button").setAttribute("aria-pressed", state.side);
  }
  // Shows the answer of shootAll(), and its words.
  showShot(shot, words) {
    const bounced = shot.legs.length > 1;
    const rows = shot.hits.slice(0, MOST_ROWS).map((hit, i) => [
      element("span", { className: "badge", style: { background: colorOf(hit) } }, String(i + 1)), shortName(hit.name),
      hit.level, hit.startInside ? "inside" : hit.face ?? "", ...(bounced ? [hit.bounce] : []),
      element("td", { className: "number" }, hit.distance.toFixed(3)), hit.terminal ? "ends" : "",
    ].map((cell) => (typeof cell === "number" ? String(cell) : cell)));
    fillTable(byId("hits"), ["", "hit", "level", "face", ...(bounced ? ["bounce"] : []), "distance", ""], rows);
    const left = shot.hits.length - rows.length, time = shot.microseconds;
    const entities = shot.hits.filter(({ kind }) => kind === "entity").length, levels = new Set(shot.hits.map(({ level }) => level)).size;
    byId("summary").textContent = shot.hits.length === 0 ? "Nothing is hit."
      : `${counted(shot.hits.length - entities, "block", "blocks")} and ${counted(entities, "entity", "entities")} of ${counted(levels, "level", "levels")}, in order, in one list: ` +
        `${time < 10 ? time.toFixed(1) : time.toFixed(0)} µs.${left > 0 ? ` The first ${MOST_ROWS} are shown.` : ""}`;
    byId("words").replaceChildren(...words.map((text) => element("li", {}, text)));
  }
  // Shows the answer of compareLoops(); picked: the loop whose errors are drawn.
  showLoops({ hit, loops }, picked) {
    const rows = loops.map((loop) => {
      const wrong = loop.missed.length + loop.added.length;
      const [text, className] = hit === null && loop.verdict === "right" && wrong > 0 ? ["nothing to hit", ""] : VERDICTS[loop.verdict];
      const detail = wrong === 0 ? "" : `, ${loop.missed.length} cells missed, ${loop.added.length} wrong ones`;
      const onclick = () => this.pickLoop(loop.id), button = element("button", { "aria-pressed": String(picked === loop.id), onclick }, "show");
      return [element("td", { title: loop.about }, loop.name), loop.hit === null ? "no hit" : loop.hit.map(short).join(" "),
        element("td", {}, element("span", { className }, text), detail), wrong === 0 ? "" : button];
    });
    rows.unshift(["exact", hit === null ? "no hit" : hit.join(" "), "", ""]);
    fillTable(byId("loops"), ["loop", "first solid node", "", ""], rows);
  }
  showMoved(text) {
    byId("moved").textContent = text;
  }
  // Shows the answer of sightTable(), or nothing; picked: [eye, target].
  showSight(table, picked) {
    if (table === null) {
      byId("seen").replaceChildren();
      byId("seen-text").textContent = "";
      return;
    }
    const share = (target) => (target.exposure > 0 && target.exposure < 0.005 ? "< 1 %" : `${Math.round(100 * target.exposure)} %`);
    const cell = (eye, target) => {
      if (target === null) return "";
      const name = PLAYERS.find(({ id }) => id === target.id).name, isSeen = target.sight === "visible";
      return element("button", {
        "aria-pressed": String(picked[0] === eye.id && picked[1] === target.id), onclick: () => this.pickSight([eye.id, target.id]),
        "aria-label": `${eye.name} ${isSeen ? `sees ${share(target)} of` : "does not see"} ${name}`, className: isSeen ? "good" : "",
      }, isSeen ? share(target) : target.sight === "hidden" ? "–" : "?");
    };
    const rows = table.map((eye) => [eye.name, ...eye.targets.map((target) => cell(eye, target))]);
    fillTable(byId("seen"), ["eye", ...PLAYERS.map(({ name }) => name)], rows);
    const eye = table.find(({ id }) => id === picked[0]), target = eye?.targets.find((each) => each?.id === picked[1]);
    if (!target) return;
    const name = ENTITIES.find(({ id }) => id === target.id).name;
    const boxes = target.boxes.length === 1 ? "The red box alone hides" : `The ${target.boxes.length} red boxes alone hide`;
    byId("seen-text").textContent = target.sight === "visible"
      ? `${eye.name} → ${name}: visible. The green line touches nothing on its way; ${share(target)} of the box is seen.`
      : `${eye.name} → ${name}: ${target.sight}. ${target.boxes.length > 0 ? `${boxes} all of the player.` : ""}`;
  }
}
