// SPDX-License-Identifier: Apache-2.0
// Runs garbage.mjs, for its test and for the benchmark.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { moduleBytes } from "./module.mjs";

const FLAGS = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=128"];

// Returns the bytes by which the heap grows in a hot call, by its name, and in one that makes an object.
export async function garbageBytes() {
  await moduleBytes();
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, fileURLToPath(new URL("garbage.mjs", import.meta.url))]);
  const { "an object": object, ...hot } = JSON.parse(stdout);
  return { hot, object };
}
