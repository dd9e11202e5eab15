// SPDX-License-Identifier: Apache-2.0
// The package of build/npm as users get it: packed and installed by npm, imported in Node, also by
// fractalray-prismarine, checked by TypeScript, bundled by esbuild. FRACTALRAY_TYPESCRIPT and FRACTALRAY_ESBUILD name
// the folders in which these are installed, by default docs/playground.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { bundle, description, FACE, inFolder, loadEsbuild, NO_ESBUILD, program, SOURCE } from "./installed.mjs";
import { ROOT } from "./module.mjs";
import { folderOf, NEEDS } from "./prismarine_packages.mjs";

const PACKAGE = `${ROOT}build/npm`;
const execute = promisify(execFile);

// Runs a program of Node. Returns the lines that it prints.
async function linesOf(folder, ...given) {
  return (await execute(process.execPath, given, { cwd: folder })).stdout.trimEnd().split("\n");
}
// Runs npm, which asks no registry and keeps its files in the folder.
async function npm(folder, ...given) {
  const env = { ...process.env, npm_config_cache: join(folder, "cache"), npm_config_update_notifier: "false", npm_config_offline: "true" };
  return (await execute("npm", given, { cwd: folder, env })).stdout;
}

const hasNpm = await execute("npm", ["--version"]).then(() => true, () => false);
const skip = hasNpm ? false : "there is no npm: apt-get install npm";
test("the package of build/npm", { skip }, (t) => inFolder(async (folder) => {
  assert.ok(existsSync(`${PACKAGE}/fractalray.wasm`), "there is no package in build/npm: ./dev wasm makes it");
  const [{ filename, files }] = JSON.parse(await npm(folder, "pack", PACKAGE, "--json", "--pack-destination", folder));
  await t.test("has its files, and no others", () => testFiles(files.map(({ path }) => path)));
  await writeFile(join(folder, "package.json"), '{"private": true, "type": "module"}');
  await npm(folder, "install", "--no-audit", "--no-fund", "--ignore-scripts", `./${filename}`);
  await t.test("is imported in Node", () => testImports(folder));
  await t.test("is found by fractalray-prismarine, as its README installs both", NEEDS, () => inFolder(testPrismarine));
  await testTypes(t, folder);
  await testBundles(t, folder);
}));

async function testFiles(paths) {
  const named = [...description.files, "README.md", "LICENSE", "package.json"];
  for (const name of named) assert.ok(paths.some((path) => (name.endsWith("/") ? path.startsWith(name) : path === name)), name);
  const others = paths.filter((path) => !named.some((name) => (name.endsWith("/") ? path.startsWith(name) : path === name)));
  assert.deepEqual(others, []);
  for (const path of paths.filter((each) => /\.(js|d\.ts)$/.test(each) && each !== "inline.js")) {
    const [packed, source] = await Promise.all([PACKAGE, SOURCE].map((folder) => readFile(`${folder}/${path}`, "utf8")));
    assert.ok(packed === source, `build/npm/${path} is older than bindings/js: run ./dev wasm`);
  }
}

async function testImports(folder) {
  await writeFile(join(folder, "main.js"), program("fractalray"));
  assert.deepEqual(await linesOf(folder, "main.js"), [FACE]);
  await writeFile(join(folder, "inline.js"), program("fractalray/inline"));
  assert.deepEqual(await linesOf(folder, "inline.js"), [FACE]);
  await writeFile(join(folder, "others.js"), `
    import { createRequire } from "node:module";
    import { raycast } from "fractalray/raycast"; import { HIT_BLOCK } from "fractalray/layout";
    const require = createRequire(import.meta.url);
    console.log(raycast((x) => x === 3, [0.5, 0.5, 0.5], [1, 0, 0]), HIT_BLOCK, require("fractalray/package.json").version);
    await import("fractalray/src/world.js").catch((error) => console.log(error.code));`);
  assert.deepEqual(await linesOf(folder, "others.js"), [`true 1 ${description.version}`, "ERR_PACKAGE_PATH_NOT_EXPORTED"]);
}

// Runs the README's command, with this clone, and vec3 from the folder that has it.
async function testPrismarine(folder) {
  const readme = await readFile(`${ROOT}integrations/prismarine/README.md`, "utf8");
  const given = /^npm (install .*)$/m.exec(readme)[1].split(" ").map((each) => each.replace("~/fractalray/", ROOT).replace(/^vec3$/, folderOf("vec3")));
  await writeFile(join(folder, "package.json"), '{"private": true, "type": "module"}');
  await npm(folder, ...given, "--no-audit", "--no-fund", "--ignore-scripts");
  await writeFile(join(folder, "main.js"), 'import { attach } from "fractalray-prismarine"; console.log(typeof attach);');
  assert.deepEqual(await linesOf(folder, "main.js"), ["function"]);
}

// Returns the program that compiles TypeScript, or null if it is not installed in a folder.
async function compilerIn(folder) {
  const root = resolve(folder, "node_modules/typescript"), path = join(root, "package.json");
  return existsSync(path) ? join(root, JSON.parse(await readFile(path, "utf8")).bin.tsc) : null;
}

const TYPED = `
import { init, World, Line, Options, Kind, Corner, HitKind, FractalrayError, Streamer, compareHits, mergeHits, type Code } from "fractalray";
import { init as initInline } from "fractalray/inline";
import { raycast } from "fractalray/raycast";
import { HIT_BLOCK } from "fractalray/layout";

await init(new URL("fractalray.wasm", "http://localhost/")).catch(() => init());
await initInline();
const world = new World({ levels: 1 }), stone: number = world.blockTypes.add("stone", Kind.SOLID);
world.loadChunk(0, [0, 0, 0], stone);
const hit = world.closestHit(-5, 2.5, 2.5, 15, 2.5, 2.5, new Options({ solidOnly: true }));
// @ts-expect-error: there may be no hit
hit.face;
if (hit !== null) {
  const face: string | null = hit.face, distance: number = hit.distance, isBlock: boolean = hit.kind === HitKind.BLOCK;
  console.log(face, distance, isBlock, HIT_BLOCK);
}
for (const each of world.shoot(Line.segment([-5, 2.5, 2.5], [15, 2.5, 2.5]))) console.log(each.distance);
const line = Line.segment([-5, 2.5, 2.5], [15, 2.5, 2.5]), shot = world.shoot(line), other = shot.clone();
const order: number = compareHits(line, shot, other), count: number = mergeHits(line, [shot, other], 1, Corner.BOTH).length;
const blocks: bigint = world.fingerprint(0, [0, 0, 0], [1n, 0, 0]), each: bigint | undefined = world.chunkFingerprints(0, [0, 0, 0], [1, 0, 0])[0];
console.log(order, count, blocks === each, blocks === world.entities.fingerprint(0, [0, 0, 0], [1, 0, 0]), world.blockTypes.fingerprint());
// @ts-expect-error: a copy is no hit of the module
compareHits(line, shot.copy(), other);
const found: true | 0 = raycast((x: number) => x === 3 && true as const || (undefined as never), [0.5, 0.5, 0.5], [1, 0, 0]);
try {
  world.setBlock(0, 99, 0, 0, stone);
} catch (error) {
  if (error instanceof FractalrayError) {
    const code: Code = error.code;
    console.log(code, found);
  }
}
// @ts-expect-error: a name that is no option
new Options({ solidsOnly: true });
// @ts-expect-error: a text is no coordinate
world.getBlock(0, "1", 2, 3);
const streamer = new Streamer(world);
for (const { request } of streamer.takeRequests()) streamer.answer(request, Array.from({ length: 4096 }, () => stone));
streamer.refuse(1n, "NOT_FOUND");
// @ts-expect-error: a code that no source answers
streamer.refuse(1n, "OUT_OF_RANGE");
`;

async function testTypes(t, folder) {
  const compiler = await compilerIn(process.env.FRACTALRAY_TYPESCRIPT ?? `${ROOT}docs/playground`);
  const skip = compiler === null ? "there is no typescript: npm install in docs/playground, or in another folder that FRACTALRAY_TYPESCRIPT names" : false;
  await t.test("tsc --strict accepts right programs, and the README's, and no wrong ones", { skip }, async () => {
    const readme = await readFile(`${SOURCE}/README.md`, "utf8");
    await writeFile(join(folder, "typed.ts"), TYPED);
    // The program of the README is JavaScript: its own function needs types.
    const own = "(x, y, z) =>", text = /```js\n([^]*?)```/.exec(readme)[1];
    assert.ok(text.includes(own));
    await writeFile(join(folder, "readme.ts"), text.replace(own, "(x: number, y: number, z: number) =>"));
    const flags = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom",
      "--outDir", "typed"];
    await execute(process.execPath, [compiler, ...flags, "typed.ts", "readme.ts"], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
    assert.equal((await linesOf(folder, "typed/readme.js"))[0].split(" ")[0], "entity");
  });
}

async function testBundles(t, folder) {
  const esbuild = await loadEsbuild(), skip = esbuild === null ? NO_ESBUILD : false;
  await t.test("a bundle of esbuild finds fractalray.wasm in Node", { skip }, async () => {
    const made = await bundle(esbuild, folder, program("fractalray"), { format: "esm" }), to = join(folder, "bundle/js");
    await mkdir(to, { recursive: true });
    await writeFile(join(to, "main.js"), made["main.js"]);
    await copyFile(`${PACKAGE}/fractalray.wasm`, join(folder, "bundle/fractalray.wasm"));
    assert.deepEqual(await linesOf(folder, "bundle/js/main.js"), [FACE]);
  });
  await t.test("a bundle of esbuild with the module inside runs in an empty folder", { skip }, async () => {
    for (const [format, name] of [["esm", "main.mjs"], ["cjs", "main.cjs"]]) {
      const made = await bundle(esbuild, folder, program("fractalray/inline"), { format, minify: true, expected: ["empty-import-meta"] });
      await inFolder(async (empty) => {
        await writeFile(join(empty, name), made["main.js"]);
        assert.deepEqual(await linesOf(empty, name), [FACE]);
      });
    }
  });
}
