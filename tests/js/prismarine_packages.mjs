// SPDX-License-Identifier: Apache-2.0
// The packages of prismarine, if they are installed, and fractalray-prismarine as it is installed: copied to a folder of
// its own, where "fractalray" is bindings/js, or the package in the folder FRACTALRAY_PACKAGE.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { moduleBytes, ROOT } from "./module.mjs";

const NAMES = ["prismarine-world", "prismarine-chunk", "prismarine-block", "prismarine-registry", "mineflayer", "vec3"];
const FOLDER = resolve(process.env.FRACTALRAY_PRISMARINE ?? ROOT);
const FRACTALRAY = resolve(process.env.FRACTALRAY_PACKAGE ?? join(ROOT, "bindings/js"));
const require = createRequire(join(FOLDER, "package.json"));

// Returns the folder of a package, undefined if it is not installed.
export function folderOf(name) {
  return require.resolve.paths(name)?.map((each) => join(each, name)).find((each) => existsSync(join(each, "package.json")));
}
const missing = NAMES.filter((name) => folderOf(name) === undefined);

// The options of tests that need these packages.
export const NEEDS = missing.length === 0 ? {} : {
  skip: `not installed: ${missing.join(", ")}; npm install them in a folder, and set FRACTALRAY_PRISMARINE to it`,
};
export const isInstalled = missing.length === 0;

// Returns a package of prismarine by its name, or one of its files.
export function prismarine(name) {
  return require(name);
}
export function versionOf(name) {
  return JSON.parse(readFileSync(join(folderOf(name), "package.json"), "utf8")).version;
}

let folder = null;
// Returns the address of a file of fractalray-prismarine, as it is installed.
function addressOf(path) {
  if (folder === null) {
    folder = mkdtempSync(join(tmpdir(), "fractalray-prismarine-"));
    process.on("exit", () => rmSync(folder, { recursive: true }));
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    cpSync(join(ROOT, "integrations/prismarine"), join(modules, "fractalray-prismarine"), { recursive: true });
    symlinkSync(FRACTALRAY, join(modules, "fractalray"), "dir");
    // The example needs more than the package does.
    for (const name of NAMES) symlinkSync(folderOf(name), join(modules, name), "dir");
  }
  return pathToFileURL(join(folder, "node_modules/fractalray-prismarine", path));
}
// Returns the exports of a file of fractalray-prismarine, such as "src/sections.js".
export function integrationFile(path) {
  return import(addressOf(path));
}
// Returns { fr, attach, ... }: fractalray, loaded, and the exports of fractalray-prismarine.
export async function loadIntegration() {
  const fr = await import(pathToFileURL(join(FRACTALRAY, "index.js")));
  // A package that is put together has its module inside.
  await fr.init(existsSync(join(FRACTALRAY, "fractalray.wasm")) ? undefined : await moduleBytes());
  return { fr, ...await integrationFile("index.js") };
}
