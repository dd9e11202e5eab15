// SPDX-License-Identifier: Apache-2.0
// Makes the page, one HTML file: node build.mjs --module FILE.wasm --world FILE.bin.gz [--out FILE.html] [--modules FOLDER]
// --world: what tools/make_world.py writes. --modules: the folder of npm's modules, if it is not in the folder of this file.
// Fails if the page would have more than 1 MB when it is compressed.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, gzipSync } from "node:zlib";

const MOST_BYTES = 1024 * 1024;

// Returns a module without its custom sections, such as the names of its functions.
function withoutNames(bytes) {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length;) {
    const begin = at, isCustom = bytes[at++] === 0;
    let size = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      size += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte & 128);
    at += size;
    if (!isCustom) parts.push(bytes.subarray(begin, at));
  }
  return Buffer.concat(parts);
}
const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    module: { type: "string" }, world: { type: "string" }, out: { type: "string", default: "playground.html" },
    modules: { type: "string", default: join(here, "node_modules") },
  },
});
if (!values.module || !values.world) throw new Error("give --module and --world; the head of this file says how they are made");
const modules = resolve(values.modules);
const { build } = await import(pathToFileURL(createRequire(join(modules, "x")).resolve("esbuild")));

const { outputFiles } = await build({
  entryPoints: [join(here, "src/main.js")], bundle: true, minify: true, format: "iife", target: "es2022", write: false, nodePaths: [modules],
  // The package loads the module from bytes alone here.
  external: ["node:*"], define: { "import.meta.url": '"about:blank"' }, legalComments: "none", logLevel: "warning",
});
// A script element ends at the first "</script", and a comment may not begin in it.
const program = outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const base64 = (bytes) => bytes.toString("base64");
const parts = {
  "/*STYLE*/": await readFile(join(here, "style.css"), "utf8"),
  "/*MODULE*/": base64(gzipSync(withoutNames(await readFile(values.module)), { level: 9 })),
  "/*WORLD*/": base64(await readFile(values.world)),
  "/*BUNDLE*/": program,
};
let page = await readFile(join(here, "index.html"), "utf8");
for (const [mark, text] of Object.entries(parts)) page = page.replace(mark, () => text);
await writeFile(values.out, page);
const size = { html: page.length, gzip: gzipSync(page, { level: 9 }).length, brotli: brotliCompressSync(page).length, program: program.length };
console.log(values.out, JSON.stringify(size));
if (size.gzip > MOST_BYTES) throw new Error(`the page has ${size.gzip} bytes when it is compressed; ${MOST_BYTES} is the most`);
