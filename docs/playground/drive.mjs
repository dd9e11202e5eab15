// SPDX-License-Identifier: Apache-2.0
// Drives the page in Debian's headless Chromium: node drive.mjs PAGE.html FOLDER [--modules FOLDER] [--quick]
//   [--seed N --hash HASH] [--program FILE]
// Shoots at random pixels, reads the address and opens it again, digs and builds, moves the slider, computes the hash,
// drops a scenario, opens what `fractalray explain --viewer` writes, and takes pictures: light, dark, phone, and readme.jpg
// for the README. Ends with status 1 if something is wrong, also for any message in the console. --quick: pictures and a few
// shots alone. --seed, --hash: what tools/native_hash.py gave. --program: fractalray. Software rendering uses all cores: a
// minute or two.

import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const README_BYTES = 200e3;  // at most, of its picture
const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals: [file, folder] } = parseArgs({
  allowPositionals: true, options: {
    modules: { type: "string", default: join(here, "node_modules") }, quick: { type: "boolean", default: false },
    seed: { type: "string" }, hash: { type: "string" }, program: { type: "string" },
  },
});
const { chromium } = createRequire(join(resolve(values.modules), "x"))("playwright-core");

const html = await readFile(file);
// Other pages, by their paths.
const pages = new Map();
const server = createServer((request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(pages.get(request.url) ?? html);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

const problems = [];
function check(isRight, what) {
  console.log(isRight ? "ok  " : "FAIL", what);
  if (!isRight) problems.push(what);
}
// Returns what the page says of its 100,000 shots.
async function manyShots(page) {
  await page.click("#many");
  await page.waitForFunction(() => /hash [0-9a-f]{16}/.test(document.getElementById("many-text").textContent));
  return page.locator("#many-text").innerText();
}
async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 820 }, ...options }), page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.on("console", (message) => {
    // Of the driver of software rendering, not of the page.
    if (/GPU stall due to ReadPixels/.test(message.text())) return;
    problems.push(`console: ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`page: ${error}`));
  await page.goto(url + address);
  await page.waitForFunction(() => window.playground?.isReady || /could not start/.test(document.getElementById("message").textContent));
  await page.waitForFunction(() => window.playground.isMeshed);
  return page;
}
// Waits until nothing is left to be drawn.
const settle = (page) => page.waitForFunction(() => {
  const { view, stage } = window.playground;
  return !view.isDirty && !stage.side.isPending(view);
});
async function picture(page, name) {
  await settle(page);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
const hits = (page) => page.evaluate(() =>
  JSON.stringify(window.playground.last.shot.hits.map(({ name, level, distance, face }) => [name, level, distance, face])));
const addressOf = async (page) => {
  await page.waitForFunction(() => window.playground.isResting);
  return page.evaluate(() => location.hash);
};

// Explains a shot by the program, and opens the page that it writes: that shows the same hits.
async function explained(name, ...where) {
  const path = join(temporary, `${name}.html`);
  const given = ["explain", ...where, "--html", path, "--viewer", file, "--json"];
  const { stdout } = await promisify(execFile)(values.program, given, { maxBuffer: 2 ** 26 });
  const { id, hits } = JSON.parse(stdout);
  pages.set(`/${name}.html`, await readFile(path));
  const page = await open(`${name}.html`);
  await page.waitForFunction(() => window.playground.scenario !== null);
  const shown = await page.locator("#hits tbody tr").evaluateAll((rows) => rows.map(({ cells }) => Array.from(cells, (cell) => cell.textContent)));
  const wanted = hits.map((hit, i) => [
    String(i + 1), hit.kind === "block" ? `${hit.type} [${hit.block.join(", ")}]` : `entity ${hit.entity}`, String(hit.level),
    hit.normal === null ? "inside" : hit.face ?? "", hit.distance.toFixed(3), hit.terminal ? "ends" : "",
  ]);
  const isSame = wanted.length > 0 && JSON.stringify(shown) === JSON.stringify(wanted);
  check(isSame, `${name}: the page shows the hits of the program: ${JSON.stringify(shown).slice(0, 80)}`);
  const summary = await page.locator("#summary").innerText();
  check(summary.startsWith(`The explained shot, shot ${id}: ${hits.length} hits;`), summary);
  const drawn = await page.evaluate(() => [window.playground.scenario.file.shots.length, window.playground.scenario.line.children.length]);
  check(drawn[0] === 1 && drawn[1] === 1 + hits.length, `${name}: one shot, its line and a ball for each hit are drawn`);
  await page.waitForFunction(() => !window.playground.view.isDirty);
  await page.screenshot({ path: join(folder, `10-${name}.png`) });
  await page.context().close();
}
// Takes the README's picture, as good as fits.
async function readmePicture() {
  const page = await open("", { viewport: { width: 1000, height: 600 } });
  await page.evaluate(() => window.playground.stepAside());
  await page.waitForTimeout(700);
  await settle(page);
  let picture = null;
  for (let quality = 90; picture === null || (picture.length > README_BYTES && quality > 0); quality -= 10) {
    picture = await page.screenshot({ type: "jpeg", quality });
  }
  await writeFile(join(folder, "readme.jpg"), picture);
  check(picture.length <= README_BYTES, `readme.jpg has ${picture.length} bytes`);
  await page.context().close();
}

const temporary = await mkdtemp(join(tmpdir(), "fractalray-"));
try {
  let begin = Date.now();
  const page = await open("?debug");
  console.log("opened and drawn after", Date.now() - begin, "ms", await page.evaluate(() => JSON.stringify(window.playground.timings)));
  await picture(page, "1-start");
  await page.evaluate(() => window.playground.stepAside());
  await page.waitForTimeout(700);
  await picture(page, "2-aside");
  for (const [i, name] of ["balloons", "pool", "fine", "slabs", "corners", "far", "pierce", "ricochet"].entries()) {
    if (values.quick && i !== 1 && i !== 7) continue;
    await page.selectOption("#demo", String(i));
    await page.waitForTimeout(700);
    await picture(page, `3-${name}`);
  }
  const most = await page.evaluate(() => [window.playground.view.most, window.playground.view.counts.calls]);
  check(most[0] < 200000 && most[1] < 200, `${most[0]} triangles at most in a frame, ${most[1]} draw calls in the last`);

  // Shots at pixels; the address shows the same.
  await page.evaluate(() => { window.playground.set({ strength: 0, bounces: 0, channel: "default" }); });
  const box = await page.locator("#view canvas").boundingBox();
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let i = 0; i < (values.quick ? 2 : 6); ++i) {
    await page.mouse.click(box.x + box.width * (0.1 + 0.8 * random()), box.y + box.height * (0.25 + 0.4 * random()));
    const seen = await hits(page), again = await open(await addressOf(page));
    check(await hits(again) === seen, `shot ${i} is the same from its address: ${seen.slice(0, 80)}`);
    await again.context().close();
  }

  // Digging, building, and taking back.
  await page.selectOption("#demo", "1");
  await page.waitForTimeout(700);
  const before = await hits(page), middle = [box.x + box.width * 0.5, box.y + box.height * 0.6];
  await page.click('[data-tool="dig"]');
  await page.mouse.click(...middle);
  await page.click('[data-tool="build"]');
  await page.mouse.click(box.x + box.width * 0.42, box.y + box.height * 0.6);
  check(await page.evaluate(() => window.playground.state.edits.length) === 2, "two edits");
  await page.waitForTimeout(1500);
  await picture(page, "4-edits");
  await page.keyboard.press("z");
  await page.click("#undo");
  check(await hits(page) === before, "edits are taken back");

  // The keyboard alone.
  await page.locator("#view canvas").focus();
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  check(await page.evaluate(() => window.playground.last.shot.hits.length) >= 0, "Enter shoots");
  await page.keyboard.press("h");
  check(await page.locator("#help").isVisible(), "H shows the help");
  await page.keyboard.press("Escape");

  // The slider, who sees whom, the hash.
  for (const k of [20, 31, 40]) {
    await page.locator("#offset").fill(String(k));
    await page.locator("#offset").dispatchEvent("input");
    console.log(`    2^${k}:`, await page.locator("#loops tbody").innerText().then((text) => text.replaceAll("\n", " | ").replaceAll("\t", " ")));
  }
  check(await hits(page).then((list) => list.length > 2), "a shot 2^40 nodes away");
  await page.evaluate(() => { window.playground.set({ offset: 24 }); window.playground.wrongLoop = "float32"; window.playground.ask(); });
  await picture(page, "5-float32");
  await page.evaluate(() => { window.playground.wrongLoop = null; window.playground.set({ offset: 0, sight: [5, 2] }); });
  await page.locator("#seen").scrollIntoViewIfNeeded();
  await picture(page, "6-sight");
  const many = await manyShots(page);
  console.log("   ", many);
  check(!/please report/.test(many), "the hash is the expected one");

  // A scenario, as a file.
  await page.setInputFiles("#scenario-file", new URL("../../tests/scenarios/first-steps.json", import.meta.url).pathname);
  await page.waitForFunction(() => window.playground.scenario !== null);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, "7-scenario.png") });
  check(/hits/.test(await page.locator("#summary").innerText()), await page.locator("#summary").innerText());
  // A broken file changes nothing, a changed address leaves the scenario, also for the same state.
  const summary = () => page.locator("#summary").innerText(), shown = await summary();
  await page.setInputFiles("#scenario-file", { name: "broken.json", mimeType: "application/json", buffer: Buffer.from("{") });
  await page.waitForFunction(() => /^broken\.json: /.test(document.getElementById("message").textContent));
  await page.locator("#words button").first().click();
  check(await page.evaluate(() => window.playground.scenario !== null) && await summary() === shown, "a broken file leaves the scenario open");
  await page.evaluate(() => { location.hash += "&"; });
  await page.waitForFunction(() => window.playground.scenario === null);
  check(/in one list|Nothing is hit/.test(await summary()), await summary());
  const address = await addressOf(page);
  await page.context().close();

  if (values.seed) {
    const seeded = await open(`?plain&seed=${values.seed}`);
    check((await manyShots(seeded)).includes(`hash ${values.hash},`), `the hash of seed ${values.seed} is ${values.hash}, as of the native library`);
    await seeded.context().close();
  }

  if (values.program) {
    const root = join(here, "../..");
    await explained("explained", "--scenario", join(root, "docs/figures/shot.json"));
    const line = ["--from", "-184,80,-60", "--to", "-183,72,-22", "--levels", "0-3"];
    await explained("explained-world", "--world", join(root, "examples/worlds/w1"), ...line);
  } else console.log("    no --program: what `fractalray explain --viewer` writes is not opened");
  if (!values.quick) await readmePicture();

  const dark = await open(address, { colorScheme: "dark" });
  await dark.click("#languages >> text=C++");
  await picture(dark, "8-dark");
  await dark.context().close();
  const phone = await open(address, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true });
  const canvas = await phone.locator("#view canvas").boundingBox();
  await phone.touchscreen.tap(canvas.x + canvas.width * 0.5, canvas.y + canvas.height * 0.55);
  await picture(phone, "9-phone");
  check(await phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "the phone does not scroll sideways");
  await phone.context().close();
} finally {
  await browser.close();
  server.close();
  await rm(temporary, { recursive: true });
}
console.log(problems.length === 0 ? "no problems" : `${problems.length} problems:\n${problems.join("\n")}`);
process.exitCode = problems.length === 0 ? 0 : 1;
