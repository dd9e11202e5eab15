// SPDX-License-Identifier: Apache-2.0
// Connects the buttons and lists of the page with the App.

import { LANGUAGES } from "./code_samples.js";
import { DEMO_SHOTS } from "./content.js";
import { byId, element, fillSelect } from "./dom.js";
import { MATERIALS } from "./edits.js";
import { shortName } from "./looks.js";
import { leaveScenario, openScenario } from "./scenario_view.js";

const LARGEST_FILE = 20e6;  // bytes of a dropped scenario

export function wire(app) {
  for (const button of document.querySelectorAll("[data-tool]")) button.onclick = () => app.set({ tool: button.dataset.tool });
  const known = MATERIALS.filter((name) => app.packed.types.some((type) => type.name === name));
  fillSelect(byId("material"), known.map((name) => [name, shortName(name)]));
  byId("material").onchange = () => app.set({ material: byId("material").value, tool: "build" });
  fillSelect(byId("demo"), [["", "Shots to try …"], ...DEMO_SHOTS.map(({ name }, i) => [String(i), name])]);
  byId("demo").onchange = () => {
    const shot = DEMO_SHOTS[Number(byId("demo").value)];
    if (byId("demo").value !== "") app.demo(shot);
    byId("demo").value = "";
  };
  byId("aside-button").onclick = () => app.stepAside();
  byId("back-button").onclick = () => app.toStart();
  byId("side-button").onclick = () => app.set({ side: !app.state.side });
  byId("help-button").onclick = () => byId("help").showModal();
  byId("undo").onclick = () => app.undo();
  byId("many").onclick = () => app.many();
  byId("languages").append(...[...LANGUAGES, "scenario"].map((language) =>
    element("button", { onclick: () => copyCode(app, language) }, language)));
  addEventListener("hashchange", () => {
    leaveScenario(app);
    app.followAddress();
  });
  wireDrop(app);
}

async function copyCode(app, language) {
  app.language = language;
  const code = byId("code");
  code.value = app.codeIn(language);
  try {
    await navigator.clipboard.writeText(code.value);
    byId("copied").textContent = `Copied, as ${language}.`;
  } catch {
    // Without permission, as in a file opened from a disk, the text is there to be copied.
    code.focus();
    code.select();
    byId("copied").textContent = `The shot as ${language}: selected, ready to be copied.`;
  }
}

function wireDrop(app) {
  let depth = 0;
  const show = (isShown) => { byId("drop").hidden = !isShown; };
  addEventListener("dragenter", (event) => { event.preventDefault(); show(++depth > 0); });
  addEventListener("dragleave", () => show(--depth > 0));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    depth = 0;
    show(false);
    await openFile(app, event.dataTransfer?.files[0]);
  });
  byId("scenario-file").onchange = () => openFile(app, byId("scenario-file").files[0]);
}
async function openFile(app, file) {
  if (file === undefined) return;
  if (file.size > LARGEST_FILE) app.say(`${file.name} has ${file.size} bytes; a scenario may have ${LARGEST_FILE}.`, 6000);
  else showScenario(app, file.name, await file.text());
}

// Shows a scenario file, or says why not.
export function showScenario(app, name, text) {
  try {
    openScenario(app, name, text);
  } catch (error) {
    app.say(`${name}: ${error.message}`, 8000);
  }
}
