// SPDX-License-Identifier: Apache-2.0
// Loads the WebAssembly module for the tests: from FRACTALRAY_WASM, or where ./dev wasm builds it.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export { random } from "./random.mjs";
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const PATH = process.env.FRACTALRAY_WASM ?? `${ROOT}build/wasm/bin/fractalray.wasm`;

export async function moduleBytes() {
  if (!existsSync(PATH)) {
    throw new Error(`there is no module at ${PATH}; build it by ./dev wasm, or set FRACTALRAY_WASM to its path`);
  }
  return readFile(PATH);
}

// Returns the package, loaded.
export async function load() {
  const fr = await import("../../bindings/js/index.js");
  await fr.init(await moduleBytes());
  return fr;
}

// Returns a predicate for assert.throws: an error of the library with this code and text.
export function failsWith(code, text) {
  return (error) => {
    if (error.name !== "FractalrayError" || error.code !== code || !text.test(error.message)) throw error;
    return true;
  };
}
