// SPDX-License-Identifier: Apache-2.0
// How large the module is, compressed as servers send it, and what it consists of.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { WIDTH } from "./report.mjs";
import { functionsOf, sectionsOf } from "./wasm_file.mjs";

const MOST_KB = 300;
// Classes, or files of functions, that are listed.
const LISTED = 12;
const PACKAGE = fileURLToPath(new URL("../../../bindings/js/", import.meta.url));
const LIBRARIES = { fractalray: "fractalray", absl: "Abseil", std: "the C++ library", __2: "the C++ library", __cxxabiv1: "the C++ runtime", boost: "Boost" };
// Names in which all of the library is.
const SCOPES = new Set(["fractalray", "internal", "_GLOBAL__N_1", "capi"]);

const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(9);
const compressed = (bytes) => brotliCompressSync(bytes).length;  // with the highest quality, by default

// Returns the first components of a name of C++, as compilers mangle it; none for one of C.
export function componentsOf(name) {
  let text = /^_Z(?:T[A-Za-z]|GV|Th?[hvn\d_]+)?N[rVKRO]*(.*)$/.exec(name)?.[1] ?? /^_Z(?:T[A-Za-z]|GV)?((?:St|\d).*)$/.exec(name)?.[1];
  const found = [];
  while (text !== undefined && found.length < 6) {
    if (/^S[tabsiod]/.test(text)) {
      found.push("std");
      text = text.slice(2);
      continue;
    }
    const digits = /^\d+/.exec(text)?.[0];
    if (digits === undefined) break;
    found.push(text.slice(digits.length, digits.length + Number(digits)));
    text = text.slice(digits.length + Number(digits));
  }
  return found;
}
export function libraryOf(name) {
  const [first] = componentsOf(name);
  if (first !== undefined) return LIBRARIES[first] ?? "other C++";
  return /^fr(?:js_)?[A-Z]/.test(name) ? "fractalray" : "the C library and runtime";
}
function classOf(name) {
  return componentsOf(name).find((part) => !SCOPES.has(part)) ?? "functions of C";
}

// Returns [key, sum] of the sizes of functions by a key, the largest first.
function sums(functions, keyOf) {
  const sizes = new Map();
  for (const { name, size } of functions) sizes.set(keyOf(name), (sizes.get(keyOf(name)) ?? 0) + size);
  return [...sizes].sort((a, b) => b[1] - a[1]);
}

// wasm: the module. named: the same with the names of its functions, if it has been built.
export async function measureSize(report, { wasm, named }) {
  const bytes = await readFile(wasm), brotli = compressed(bytes);
  report.title("Sizes, kB");
  report.line(`${"".padEnd(WIDTH)}${"plain".padStart(9)}${"gzip".padStart(9)}${"brotli".padStart(9)}`);
  const row = (name, content, packed = compressed(content)) => {
    report.line(`${name.padEnd(WIDTH)}${kilobytes(content.length)}${kilobytes(gzipSync(content, { level: 9 }).length)}${kilobytes(packed)}`);
    report.figure(`size: ${name}, brotli`, packed, "bytes");
  };
  row("fractalray.wasm", bytes, brotli);
  for (const { name, begin, end } of sectionsOf(bytes)) row(`  ${name}`, bytes.subarray(begin, end));
  const sources = (await readdir(`${PACKAGE}src`)).filter((name) => name.endsWith(".js")).map((name) => `src/${name}`);
  row("index.js and src/, not minified", Buffer.concat(await Promise.all(["index.js", ...sources].map((name) => readFile(PACKAGE + name)))));
  row("src/raycast.js, not minified", await readFile(`${PACKAGE}src/raycast.js`));
  report.target("fractalray.wasm in brotli, kB", brotli / 1000, MOST_KB);
  const functions = existsSync(named) ? functionsOf(await readFile(named)) : null;
  if (functions === null) {
    report.line(`whose code it is: not known without ${named}, which ./dev bench web builds`);
    return;
  }
  const all = functions.reduce((sum, { size }) => sum + size, 0), share = (size) => `${((100 * size) / all).toFixed(1).padStart(5)} %`;
  report.title(`Whose code it is: ${functions.length} functions, kB plain`);
  for (const [library, size] of sums(functions, libraryOf)) report.line(`${library.padEnd(WIDTH)}${kilobytes(size)} ${share(size)}`);
  report.title("The largest classes of fractalray, kB plain");
  const own = functions.filter(({ name }) => libraryOf(name) === "fractalray");
  for (const [name, size] of sums(own, classOf).slice(0, LISTED)) report.line(`${name.padEnd(WIDTH)}${kilobytes(size)} ${share(size)}`);
}
