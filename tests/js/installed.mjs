// SPDX-License-Identifier: Apache-2.0
// The package installed in a temporary folder, and what bundles it there.
import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PATH, ROOT } from "./module.mjs";

export const SOURCE = `${ROOT}bindings/js`;
export const description = JSON.parse(await readFile(`${SOURCE}/package.json`, "utf8"));

// Calls use(folder) with an empty folder.
export async function inFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), "fractalray-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

// Calls use(folder) with a folder in which the package is installed, from the sources.
export const installed = (use) => inFolder(async (folder) => {
  const target = join(folder, "node_modules/fractalray");
  await mkdir(target, { recursive: true });
  await copyFile(`${SOURCE}/package.json`, join(target, "package.json"));
  await copyFile(PATH, join(target, "fractalray.wasm"));
  await makeInline(join(target, "inline.js"));
  for (const file of description.files) {
    if (file !== "fractalray.wasm" && file !== "inline.js") await cp(join(SOURCE, file), join(target, file), { recursive: true });
  }
  await writeFile(join(folder, "package.json"), '{"type": "module"}');
  return use(folder);
});

// Writes the form of the package that has the module inside.
export const makeInline = (path) => promisify(execFile)(process.execPath, [`${ROOT}tools/scripts/make_inline_module.mjs`, PATH, path]);

// Returns esbuild from the folder that FRACTALRAY_ESBUILD names, by default that of the playground; null if it is not
// installed there.
export async function loadEsbuild() {
  const folder = resolve(process.env.FRACTALRAY_ESBUILD ?? `${ROOT}docs/playground`);
  let path;
  try {
    path = createRequire(join(folder, "x")).resolve("esbuild");
  } catch {
    return null;
  }
  return import(pathToFileURL(path));
}
export const NO_ESBUILD = "there is no esbuild: npm install in docs/playground, or in another folder that FRACTALRAY_ESBUILD names";

// A program that loads the module and prints the face that a ray hits.
export const program = (name, source = "") => `
import { init, World } from "${name}";
globalThis.answer = init(${source}).then(() => {
  const world = new World(), stone = world.blockTypes.add("stone");
  world.loadChunk(0, [0, 0, 0], stone);
  const { face } = world.closestHit(-5, 2.5, 2.5, 15, 2.5, 2.5);
  console.log(face);
  return face;
});`;
export const FACE = "-x";

// Bundles a program in a folder in which the package is installed. Returns the bytes of each file that esbuild makes,
// by name: main.js, and others. Throws if there is a warning of another kind than `expected`.
export async function bundle({ build }, folder, text, { expected = [], ...options } = {}) {
  const { outputFiles, warnings } = await build({
    stdin: { contents: text, resolveDir: folder }, bundle: true, write: false, outfile: join(folder, "out/main.js"), target: "es2022",
    logLevel: "silent", ...options,
  });
  const others = warnings.filter(({ id }) => !expected.includes(id));
  if (others.length > 0) throw new Error(`esbuild warns: ${others.map((each) => each.text).join("; ")}`);
  return Object.fromEntries(outputFiles.map(({ path, contents }) => [path.slice(join(folder, "out/").length), contents]));
}
