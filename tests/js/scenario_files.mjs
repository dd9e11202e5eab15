// SPDX-License-Identifier: Apache-2.0
// Finds and reads the files of scenarios.
//
// Usage: node tests/js/scenario_files.mjs [FILE.json...]    plays these scenarios, or all; exit code 1 if one differs
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { play } from "./conformance.mjs";
import { load, ROOT } from "./module.mjs";

const SHARED = process.env.FRACTALRAY_SHARED ?? `${ROOT}../shared`;
// Sets that lie next to the checkout, if they do, besides the repository's own scenarios.
const SETS = ["conformance", "conformance-rays", "conformance-shapes", "conformance-sight", "conformance-window"];

// Returns the paths of all scenarios.
export async function files(folders = [`${ROOT}tests/scenarios`, ...SETS.map((name) => `${SHARED}/${name}`)]) {
  const found = [];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    found.push(...names.filter((name) => name.endsWith(".json")).sort().map((name) => `${folder}/${name}`));
  }
  return found;
}

// Returns the names of the sets that lie next to the checkout and are not played: the library lacks their queries.
export async function setsLeftOut() {
  const names = await readdir(SHARED).catch(() => []);
  return names.filter((name) => name.startsWith("conformance") && !SETS.includes(name)).sort();
}

// Returns the text of a scenario and that of the answers.
export function textsOf(path) {
  return Promise.all([path, path.replace(/\.json$/, ".expected.jsonl")].map((each) => readFile(each, "utf8")));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const fr = await load(), paths = process.argv.length > 2 ? process.argv.slice(2) : await files();
  let answers = 0, different = 0;
  for (const path of paths) {
    const { count, differences } = play(fr, ...(await textsOf(path)));
    answers += count;
    different += differences.length;
    for (const each of differences) console.log(`${path}: ${each}`);
  }
  console.log(`${paths.length} scenarios, ${answers} answers, ${different} different`);
  process.exitCode = different > 0 ? 1 : 0;
}
