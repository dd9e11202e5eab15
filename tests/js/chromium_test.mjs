// SPDX-License-Identifier: Apache-2.0
// The package in Debian's headless Chromium: scenarios in a page and in workers, bundles, the module inside a file,
// raycast() without a module, exhausted memory. The console has no message but those that a test expects.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { raycast } from "../../bindings/js/src/raycast.js";
import { Chromium, reasonToSkip } from "./chromium.mjs";
import { EXPECTED, PAGE } from "./exhaustion.mjs";
import { bundle, description, FACE, inFolder, installed, loadEsbuild, makeInline, NO_ESBUILD, program } from "./installed.mjs";
import { moduleBytes, PATH, ROOT } from "./module.mjs";
import { digest } from "./raycast_digest.mjs";
import { files, setsLeftOut, textsOf } from "./scenario_files.mjs";
import { serve } from "./serve.mjs";

const IN_PAGE = "/tests/js/in_page.mjs", INDEX = "/bindings/js/index.js", INLINE = "/bindings/js/inline.js";
// Permits what docs/javascript.md says that the package needs.
const POLICY = { "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" };
const pageOf = (head) => `<!doctype html><meta charset="utf-8"><title>fractalray</title>${head}`;
const LOADED = [`log: ${FACE}`];

const scenarios = await files();
const isOwn = (path) => path.startsWith(`${ROOT}tests/scenarios/`);

test("the package in Chromium", { skip: reasonToSkip() }, (t) => inFolder(async (folder) => {
  const server = await serve(ROOT, {
    headers: POLICY, files: {
      "/page.html": pageOf(""), "/bindings/js/fractalray.wasm": { path: PATH }, "/module.bin": { path: PATH },
      [INLINE]: { path: join(folder, "inline.js") },
    },
  });
  let browser = null;
  // Calls use(page) with a page. Fails if the console has other messages than these, in the order of their texts.
  const visit = async (use, { messages = [], url = `${server.url}/page.html`, needsModule = true } = {}) => {
    if (needsModule) await moduleBytes();
    const page = await browser.open(url);
    await use(page);
    const all = await page.messages(), first = all.map((text) => text.split("\n")[0].replaceAll(server.url, ""));
    assert.deepEqual(first.sort(), messages, `the messages: ${all.join("\n")}`);
    await page.close();
  };
  const inPage = (name, use, options) => t.test(name, (each) => visit((page) => use(page, each), options));
  try {
    browser = await Chromium.start();
    t.diagnostic(`${browser.version}, ${scenarios.length} scenarios`);
    await testConsole(inPage, server);
    await testRaycast(inPage, server);
    await testLoading(inPage, server, folder);
    await inPage("scenarios in a page", testScenarios);
    await inPage("scenarios in workers", testWorkers);
    await inPage("32 MB that are exhausted are an error, and come back", async (page) => {
      assert.deepEqual(await page.call(IN_PAGE, "exhaust", 2 ** 25 / PAGE), EXPECTED);
    });
    await testBundles(t, visit, server);
  } finally {
    await browser?.close();
    server.close();
  }
}));

async function testConsole(inPage, server) {
  server.files["/loud.mjs"] = 'console.error("in a worker"); setTimeout(() => { throw new TypeError("of a worker"); });';
  const messages = [
    "error: Failed to load resource: the server responded with a status of 404 (Not Found) /none.json", "error: in a worker",
    "exception: RangeError: of a page", "exception: TypeError: of a worker", "exception: a promise", "warning: odd 7",
  ];
  await inPage("messages and errors are noticed, in workers too", async (page) => {
    await page.evaluate(`
      console.warn("odd", 7);
      setTimeout(() => { throw new RangeError("of a page"); });
      Promise.reject("a promise");
      globalThis.worker = new Worker("/loud.mjs", { type: "module" });
      fetch("/none.json").then(() => undefined);`);
    for (let i = 0; i < 200 && (await page.messages()).length < messages.length; ++i);
  }, { messages, needsModule: false });
}

async function testRaycast(inPage, server) {
  await inPage("raycast() needs no module, and answers as in Node to the last bit", async (page) => {
    const before = server.requests.length, want = digest(raycast);
    assert.ok(want.voxels > 20000);
    assert.deepEqual(await page.call("/tests/js/raycast_digest.mjs", "digestOf", "/bindings/js/src/raycast.js"), want);
    assert.deepEqual(server.requests.slice(before).sort(), ["/bindings/js/src/raycast.js", "/tests/js/random.mjs", "/tests/js/raycast_digest.mjs"]);
  }, { needsModule: false });
}

async function testLoading(inPage, server, folder) {
  await inPage("the module is loaded from an address of another type", async (page) => {
    assert.equal(await page.call(IN_PAGE, "load", INDEX, "/module.bin"), description.version);
  });
  const missing = "error: Failed to load resource: the server responded with a status of 404 (Not Found) /none.wasm";
  await inPage("a module that is not there is an error, and another loads then", async (page) => {
    const [code, text] = await page.call(IN_PAGE, "failureOf", INDEX, "/none.wasm");
    assert.equal(code, "NOT_FOUND");
    assert.match(text, /none\.wasm answers 404; pass the URL/);
    assert.equal(await page.call(IN_PAGE, "load"), description.version);
  }, { messages: [missing] });
  await inPage("the module inside a file needs no other", async (page) => {
    await makeInline(join(folder, "inline.js"));
    const before = server.requests.length, path = scenarios.find(isOwn);
    assert.equal(await page.call(IN_PAGE, "load", INLINE), description.version);
    assert.deepEqual((await page.call(IN_PAGE, "play", ...(await textsOf(path)))).differences, []);
    assert.deepEqual(server.requests.slice(before).filter((each) => each.endsWith(".wasm")), []);
  });
}

async function testScenarios(page, t) {
  assert.equal(await page.call(IN_PAGE, "load"), description.version);
  assert.ok(scenarios.filter(isOwn).length >= 10);
  if (process.env.FRACTALRAY_SHARED) assert.ok(!scenarios.every(isOwn), "the folder that FRACTALRAY_SHARED names has no scenarios");
  for (const path of scenarios) {
    await t.test(`${basename(dirname(path))}/${basename(path)}`, async () => {
      const { count, differences } = await page.call(IN_PAGE, "play", ...(await textsOf(path)));
      assert.ok(count > 0);
      assert.deepEqual(differences.slice(0, 3), [], `${differences.length} of ${count} answers differ`);
    });
  }
  for (const name of await setsLeftOut()) await t.test(name, { skip: "the library lacks the queries of this set" }, () => {});
  const [text, answersText] = await textsOf(scenarios.find(isOwn)), more = '{"id":"more"}\n';
  const { differences } = await page.call(IN_PAGE, "play", text, answersText.trimEnd() + `\n${more}`);
  assert.equal(differences.length, 2, "one answer more is noticed");
}

async function testWorkers(page) {
  const own = scenarios.filter(isOwn), texts = await Promise.all(own.map(textsOf)), count = 3;
  const answers = await page.call(IN_PAGE, "playInWorkers", count, texts);
  assert.equal(answers.length, count);
  for (const { played, error } of answers) {
    assert.equal(error, undefined);
    assert.equal(played.length, own.length);
    played.forEach(({ count, differences }, i) => {
      assert.ok(count > 0);
      assert.deepEqual(differences.slice(0, 3), [], own[i]);
    });
  }
}

async function testBundles(t, visit, server) {
  const esbuild = await loadEsbuild();
  if (esbuild === null) {
    await t.test("bundles of esbuild", { skip: NO_ESBUILD }, () => {});
    return;
  }
  const isModule = '<script type="module" src="js/main.js"></script>', isClassic = '<script src="js/main.js"></script>';
  // A classic script has no import.meta: init() is passed the address.
  const classic = { format: "iife", expected: ["empty-import-meta"] }, address = '"/bindings/js/fractalray.wasm"';
  const bytes = program("fractalray", "bytes").replace("\n", '\nimport bytes from "fractalray/fractalray.wasm";');
  const kinds = {
    "a module that finds fractalray.wasm": [program("fractalray"), { format: "esm" }, isModule],
    "a minified module": [program("fractalray", address), { format: "esm", minify: true }, isModule],
    "a classic script": [program("fractalray", address), { ...classic, minify: true }, isClassic],
    "a script with fractalray.wasm as a file": [bytes, { ...classic, loader: { ".wasm": "file" }, publicPath: "/bundle/js" }, isClassic],
    "a module with the bytes of fractalray.wasm": [bytes, { format: "esm", loader: { ".wasm": "binary" } }, isModule],
    "a script of fractalray/inline": [program("fractalray/inline"), classic, isClassic],
  };
  for (const [name, [text, options, script]] of Object.entries(kinds)) {
    await t.test(`a bundle of esbuild: ${name}`, async () => {
      await moduleBytes();
      const made = await installed((folder) => bundle(esbuild, folder, text, options));
      for (const [file, contents] of Object.entries(made)) server.files[`/bundle/js/${file}`] = contents;
      server.files["/bundle/index.html"] = pageOf(script);
      server.files["/bundle/fractalray.wasm"] = { path: PATH };
      await visit(async (page) => assert.equal(await page.evaluate("answer"), FACE),
        { url: `${server.url}/bundle/index.html`, messages: LOADED });
    });
  }
  await t.test("a bundle of fractalray/inline in one file, without a server", () => installed(async (folder) => {
    const made = await bundle(esbuild, folder, program("fractalray/inline"), { ...classic, minify: true });
    const script = Buffer.from(made["main.js"]).toString().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
    await writeFile(join(folder, "page.html"), pageOf(`<script>${script}</script>`));
    await visit(async (page) => assert.equal(await page.evaluate("answer"), FACE),
      { url: pathToFileURL(join(folder, "page.html")).href, messages: LOADED });
  }));
  await t.test("a bundle of fractalray/raycast has nothing else", () => installed(async (folder) => {
    const text = 'import { raycast } from "fractalray/raycast"; console.log(raycast((x) => x === 3, [0.5, 0.5, 0.5], [1, 0, 0]));';
    const made = await bundle(esbuild, folder, text, { format: "iife", minify: true });
    assert.ok(made["main.js"].length < 10000, `${made["main.js"].length} bytes`);
    server.files["/bundle/js/main.js"] = made["main.js"];
    server.files["/bundle/index.html"] = pageOf(isClassic);
    await visit(() => {}, { url: `${server.url}/bundle/index.html`, messages: ["log: true"] });
  }));
}
