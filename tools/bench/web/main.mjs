// SPDX-License-Identifier: Apache-2.0
// The benchmark of the JavaScript package: `./dev bench web`. See --help.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { load, PATH, ROOT } from "../../../tests/js/module.mjs";
import { measureBorder } from "./border_part.mjs";
import { lineSets, makeWorld, readPacked, writeForNative } from "./bundled_world.mjs";
import { measureGarbage } from "./garbage_part.mjs";
import { measureModule } from "./module_part.mjs";
import { measurePeers } from "./peers_part.mjs";
import { describeMachine, Report } from "./report.mjs";
import { measureSize } from "./size_part.mjs";

const HELP = `Measures the JavaScript package in the bundled world: the module to the native library, with the same hash of all
answers; the cost of a call from JavaScript; garbage; raycast() and closestHit() to npm's fast-voxel-raycast; sizes.
Wall-clock times, medians of rounds in which those that are compared alternate; in brackets the middle half of the
ratios of the rounds. If an answer is wrong, the exit status is 1.

Usage: node tools/bench/web/main.mjs [OPTIONS]    (./dev bench web builds and installs what it needs)
  --quick          fewer lines and rounds: a minute at most
  --repeat N       rounds (15; quick: 5)
  --part PART      measure only module, border, garbage, peers or size
  --json FILE      also write the figures to a file
  --native FILE    the program of web_native.cc (build/release/bin/fractalray_web_native)
  --world FILE     the packed world (build/playground/world.bin.gz)
  --peers FOLDER   where npm has installed fast-voxel-raycast (build/bench-web)

Example: ./dev bench web --quick --part peers`;
const PARTS = ["module", "border", "garbage", "peers", "size"];

function optionsOf() {
  const text = (value) => ({ type: "string", default: value }), none = { type: "string" }, flag = { type: "boolean", default: false };
  const { values } = parseArgs({
    options: {
      help: flag, quick: flag, repeat: none, part: none, json: none, native: text(join(ROOT, "build/release/bin/fractalray_web_native")),
      world: text(join(ROOT, "build/playground/world.bin.gz")), peers: text(join(ROOT, "build/bench-web")),
    },
  });
  const rounds = Number(values.repeat ?? (values.quick ? 5 : 15));
  if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000)) throw new Error(`--repeat is ${values.repeat}; give a number from 1 to 1000`);
  if (values.part !== undefined && !PARTS.includes(values.part)) throw new Error(`--part is ${values.part}; give ${PARTS.join(", ")}`);
  return { ...values, rounds };
}

async function measure({ quick, rounds, part, json, native, world, peers }) {
  const report = new Report(describeMachine(), quick), measures = (name) => part === undefined || part === name;
  console.log(report.machine);
  // Long rounds for queries, short ones for a comparison within a process, of which there may be more.
  const lines = quick ? 4000 : 20000, shortLines = 2000, shortRounds = 4 * rounds + 1, judged = quick ? 300 : 3000;
  if (measures("module") || measures("border")) {
    const fr = await load(), packed = await readPacked(world), sets = lineSets(packed, lines);
    if (measures("module")) {
      const folder = await mkdtemp(join(tmpdir(), "fractalray-")), file = join(folder, "world");
      try {
        await writeForNative(file, packed, sets);
        await measureModule(report, fr, makeWorld(fr, packed), sets, { program: native, file, rounds });
      } finally {
        await rm(folder, { recursive: true });
      }
    }
    if (measures("border")) measureBorder(report, fr, sets[0], shortRounds);
  }
  if (measures("garbage")) await measureGarbage(report);
  if (measures("peers")) await measurePeers(report, { world, folder: peers, lines: shortLines, judged, rounds: shortRounds });
  if (measures("size")) await measureSize(report, { wasm: PATH, named: PATH.replace(/\.wasm$/, "_named.wasm") });
  report.printTargets();
  if (json !== undefined) await report.write(json);
  return report.isWrong ? 1 : 0;
}

try {
  const options = optionsOf();
  if (options.help) console.log(HELP);
  else process.exitCode = await measure(options);
} catch (error) {
  console.error(`bench web: ${error.message}`);
  process.exitCode = 2;
}
