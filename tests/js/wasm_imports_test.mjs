// SPDX-License-Identifier: Apache-2.0
// The check of what the module imports, which the build runs. Needs no module.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { promisify } from "node:util";
import { inFolder } from "./installed.mjs";
import { ROOT } from "./module.mjs";

const CHECK = `${ROOT}tools/scripts/check_wasm_imports.mjs`, LIST = `${ROOT}bindings/js/wasm/imports.json`;

const text = (word) => [word.length, ...Buffer.from(word)];
const section = (id, ...content) => [id, content.length, ...content];
// Returns a module that imports functions, [module, name] each.
function moduleOf(...imports) {
  const listed = imports.flatMap(([from, name]) => [...text(from), ...text(name), 0, 0]);
  return Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, ...section(1, 1, 0x60, 0, 0), ...section(2, imports.length, ...listed)]);
}

test("imports that the list does not name are errors", () => inFolder(async (folder) => {
  const path = join(folder, "a.wasm"), check = () => promisify(execFile)(process.execPath, [CHECK, path, LIST]);
  await writeFile(path, moduleOf(["fractalray", "effect"], ["wasi_snapshot_preview1", "fd_write"]));
  assert.equal((await check()).stderr, "");
  await writeFile(path, moduleOf(["fractalray", "effect"], ["env", "fd_write"], ["toString", "a"], ["env", "_mmap_js"]));
  await assert.rejects(check, ({ code, stderr }) => {
    assert.equal(code, 1);
    assert.deepEqual(stderr.trim().split("\n").map((line) => /imports (\S+ of \S+):/.exec(line)[1]), ["fd_write of env", "a of toString", "_mmap_js of env"]);
    return true;
  });
}));
