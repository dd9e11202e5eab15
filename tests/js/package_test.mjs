// SPDX-License-Identifier: Apache-2.0
// The package as it is installed: its files, its exports, the module inside a file.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { description, installed, SOURCE } from "./installed.mjs";
import { load, PATH } from "./module.mjs";

const run = promisify(execFile);

const PROGRAM = `
const world = new World(), stone = world.blockTypes.add("stone");
world.loadChunk(0, [0, 0, 0], stone);
console.log(world.closestHit(-5, 2.5, 2.5, 15, 2.5, 2.5).face);`;

test("an installed package finds its module", () => installed(async (folder) => {
  await writeFile(join(folder, "main.js"), `import { init, World } from "fractalray"; await init();${PROGRAM}`);
  assert.equal((await run(process.execPath, [join(folder, "main.js")])).stdout, "-x\n");
}));

test("the module inside a file needs no other file", () => installed(async (folder) => {
  await rm(join(folder, "node_modules/fractalray/fractalray.wasm"));
  await writeFile(join(folder, "main.js"), `import { init, World } from "fractalray/inline"; await init();${PROGRAM}`);
  assert.equal((await run(process.execPath, [join(folder, "main.js")])).stdout, "-x\n");
}));

test("raycast, the layouts and the module are exported by themselves", () => installed(async (folder) => {
  await writeFile(join(folder, "main.js"), `
    import { raycast } from "fractalray/raycast"; import { HIT_BLOCK, Hit } from "fractalray/layout";
    import { existsSync } from "node:fs"; import { createRequire } from "node:module";
    const module = createRequire(import.meta.url).resolve("fractalray/fractalray.wasm");
    console.log(raycast((x) => x === 3, [0.5, 0.5, 0.5], [1, 0, 0]), HIT_BLOCK, Hit.size, existsSync(module));`);
  assert.equal((await run(process.execPath, [join(folder, "main.js")])).stdout, "true 1 168 true\n");
}));

test("a worker loads a module of its own, of one that is compiled", () => installed(async (folder) => {
  await writeFile(join(folder, "worker.js"), `
    import { workerData, parentPort } from "node:worker_threads"; import { init, World } from "fractalray";
    await init(workerData); parentPort.postMessage(new World({ levels: 3 }).levels);`);
  await writeFile(join(folder, "main.js"), `
    import { Worker } from "node:worker_threads"; import { readFile } from "node:fs/promises";
    const workerData = await WebAssembly.compile(await readFile("${PATH}"));
    new Worker(new URL("worker.js", import.meta.url), { workerData }).on("message", (levels) => console.log(levels));`);
  assert.equal((await run(process.execPath, [join(folder, "main.js")])).stdout, "3\n");
}));

test("every name that is exported has a type, and each type a name", async () => {
  const names = Object.keys(await import("../../bindings/js/index.js"));
  const declared = [];
  const files = ["raycast.d.ts", ...(await readdir(`${SOURCE}/types`)).map((each) => `types/${each}`)];
  const index = await readFile(`${SOURCE}/index.d.ts`, "utf8");
  for (const file of files) {
    assert.ok(index.includes(`"./${file.replace(".d.ts", ".js")}"`), file);
    const text = await readFile(join(SOURCE, file), "utf8");
    declared.push(...[...text.matchAll(/^export (?:abstract )?(?:class|const|function) (\w+)/gm)].map((match) => match[1]));
  }
  const abstract = ["WorldView"];
  assert.deepEqual(names.filter((name) => !declared.includes(name)), []);
  assert.deepEqual(declared.filter((name) => !names.includes(name) && !abstract.includes(name)), []);
});

test("the package has the version of the module", async () => {
  assert.equal((await load()).version(), description.version);
});

test("classes have the methods that their types declare", async () => {
  const fr = await import("../../bindings/js/index.js");
  let count = 0;
  for (const file of await readdir(`${SOURCE}/types`)) {
    const text = await readFile(`${SOURCE}/types/${file}`, "utf8");
    for (const [, name, body] of text.matchAll(/^export class (\w+)[^{]*\{\n([^]*?)^\}/gm)) {
      for (const [, isStatic, method] of body.matchAll(/^ {2}(static )?(\w+)\(/gm)) {
        if (method === "constructor") continue;
        ++count;
        assert.equal(typeof (isStatic ? fr[name] : fr[name].prototype)[method], "function", `${name}.${method}`);
      }
    }
  }
  const view = /abstract class WorldView[^]*?^\}/m.exec(await readFile(`${SOURCE}/types/worlds.d.ts`, "utf8"))[0];
  for (const [, method] of view.matchAll(/^ {2}(\w+)\(/gm)) assert.equal(typeof fr.Snapshot.prototype[method], "function", method);
  assert.ok(count > 80);
});

test("every function of the C interface that the sources call is there", async () => {
  const exported = new Set(JSON.parse(await readFile(`${SOURCE}/wasm/exports.json`, "utf8")).map((name) => name.slice(1)));
  for (const file of await readdir(`${SOURCE}/src`)) {
    if (!file.endsWith(".js")) continue;
    const text = await readFile(`${SOURCE}/src/${file}`, "utf8");
    for (const [name] of text.matchAll(/\bfr(?:js)?(?:_|[A-Z])\w+/g)) assert.ok(exported.has(name), `${file}: ${name}`);
  }
});
