// SPDX-License-Identifier: Apache-2.0
// Writes a module of JavaScript with a WebAssembly module inside, for pages that can fetch nothing.
//
// Usage: node tools/scripts/make_inline_module.mjs MODULE.wasm OUT.js
import { readFile, writeFile } from "node:fs/promises";

const [input, output] = process.argv.slice(2);
if (input === undefined || output === undefined) {
  console.error("usage: node make_inline_module.mjs MODULE.wasm OUT.js");
  process.exit(2);
}
const base64 = (await readFile(input)).toString("base64");
await writeFile(output, `// SPDX-License-Identifier: Apache-2.0
// Made by tools/scripts/make_inline_module.mjs; do not edit. The package with its WebAssembly module inside.
import { init as load } from "./index.js";

export * from "./index.js";

const MODULE = "${base64}";

// Loads the module that is in this file.
export function init() {
  return load(Uint8Array.from(atob(MODULE), (each) => each.charCodeAt(0)));
}
`);
