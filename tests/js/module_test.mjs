// SPDX-License-Identifier: Apache-2.0
// Loading the module, and what fails before that or with another one.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import test from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { load, moduleBytes, PATH } from "./module.mjs";

const INDEX = new URL("../../bindings/js/index.js", import.meta.url).href;

// Runs a program, which has `fr`, in a process of its own. Returns what it prints.
async function run(program, ...flags) {
  const text = `const fr = await import(${JSON.stringify(INDEX)}); const PATH = ${JSON.stringify(PATH)};\n${program}`;
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "--input-type=module", "--eval", text],
    { cwd: fileURLToPath(new URL(".", import.meta.url)) });
  return stdout.trim();
}

test("every use before init() says so", async () => {
  const printed = await run(`
    for (const use of [() => new fr.World(), () => new fr.Line(), () => fr.version(), () => fr.followPath("", [0, 0, 0]),
                       () => new fr.Options(), () => new fr.ModuleArray(Float64Array, 3), () => fr.Line.segment([0, 0, 0], [1, 1, 1])]) {
      try { use(); } catch (error) { console.log(error.code, error.message); }
    }`);
  assert.deepEqual(new Set(printed.split("\n")), new Set(["FAILED_PRECONDITION the module is not loaded; await init() first"]));
  assert.equal(printed.split("\n").length, 7);
});

test("a module loads from bytes, an ArrayBuffer, a compiled module, a URL and a Response", async () => {
  const bytes = await moduleBytes();
  for (const source of ["bytes", "bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)", "await WebAssembly.compile(bytes)",
    "Promise.resolve(bytes)", JSON.stringify(pathToFileURL(PATH).href), `new URL(${JSON.stringify(pathToFileURL(PATH).href)})`,
    "new Response(bytes)", 'new Response(bytes, { headers: { "content-type": "application/wasm" } })']) {
    const printed = await run(`
      const { readFile } = await import("node:fs/promises"), bytes = await readFile(PATH);
      await fr.init(${source}); await fr.init();
      console.log(fr.version(), new fr.World().levels);`);
    assert.match(printed, /^\d+\.\d+\.\d+ 1$/, source);
  }
  const server = createServer((request, response) => {
    if (request.url === "/a.wasm") response.writeHead(200, { "content-type": "application/wasm" }).end(bytes);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  const base = await new Promise((done) => server.on("listening", () => done(`http://127.0.0.1:${server.address().port}`)));
  try {
    assert.match(await run(`
      await fr.init("${base}/b.wasm").catch((error) => console.log(error.code, error.message));
      await fr.init("${base}/a.wasm"); console.log(fr.version());`), /^NOT_FOUND .*b\.wasm answers 404; pass the URL[^]*\d$/);
  } finally {
    server.close();
  }
});

test("a source of a wrong type, and another module, are refused", async () => {
  assert.match(await run(`
    await fr.init(42).catch((error) => console.log(error.name, error.message));
    await fr.init(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).catch((error) => console.log(error.name));
    const { readFile } = await import("node:fs/promises");
    await fr.init(readFile(PATH)); console.log(new fr.World().levels);`), /^TypeError init: the source must be[^]*1$/);
});

test("a module of another version is refused, and nothing of it is used", async () => {
  // (module (func (export "frGetVersion") (result i32) i32.const 7))
  const other = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 16, 1, 12, ...Buffer.from("frGetVersion"), 0, 0,
    10, 6, 1, 4, 0, 65, 7, 11];
  const printed = await run(`
    await fr.init(new Uint8Array(${JSON.stringify(other)})).catch((error) => console.log(error.code, error.message));
    try { new fr.Line(); } catch (error) { console.log(error.code, error.message); }`);
  assert.match(printed, /^FAILED_PRECONDITION the module has version 0\.0\.7, this package .*; take fractalray\.wasm from the same package\n/);
  assert.match(printed, /\nFAILED_PRECONDITION the module is not loaded; await init\(\) first$/);
});

test("two calls of init() at once load one module", async () => {
  const fr = await load(), bytes = await moduleBytes();
  const world = new fr.World();
  await Promise.all([fr.init(bytes), fr.init(bytes)]);
  assert.equal(world.levels, 1);
});
