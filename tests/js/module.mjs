// SPDX-License-Identifier: Apache-2.0
// Loads the WebAssembly module for the tests: from FRACTALRAY_WASM, or where ./dev wasm builds it.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

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

// Returns a generator of equal numbers in every run: next() is at least 0 and less than 1.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Returns a predicate for assert.throws: an error of the library with this code and text.
export function failsWith(code, text) {
  return (error) => {
    if (error.name !== "FractalrayError" || error.code !== code || !text.test(error.message)) throw error;
    return true;
  };
}
