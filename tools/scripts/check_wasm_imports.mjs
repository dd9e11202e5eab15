// SPDX-License-Identifier: Apache-2.0
// Checks that a WebAssembly module imports nothing but what a list names: src/module.js of the JavaScript package answers
// the functions of that list, and any other one by a number, as if it had done its work.
//
// Usage: node tools/scripts/check_wasm_imports.mjs MODULE.wasm LIST.json    (the list: names by the module that has them)
import { readFile } from "node:fs/promises";

const [module, list] = process.argv.slice(2);
if (module === undefined || list === undefined) {
  console.error("usage: node check_wasm_imports.mjs MODULE.wasm LIST.json");
  process.exit(2);
}
const known = JSON.parse(await readFile(list, "utf8"));
const others = WebAssembly.Module.imports(await WebAssembly.compile(await readFile(module)))
  .filter(({ module: from, name }) => !(Object.hasOwn(known, from) && known[from].includes(name)));
for (const { module: from, name } of others) {
  console.error(`${module} imports ${name} of ${from}: find out what calls it; if that is meant, answer it in src/module.js and name it in ${list}`);
}
process.exitCode = others.length > 0 ? 1 : 0;
