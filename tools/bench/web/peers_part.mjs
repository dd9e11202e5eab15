// SPDX-License-Identifier: Apache-2.0
// raycast() in plain JavaScript, and closestHit() of the module, to npm's fast-voxel-raycast: first whether all answer rightly, then
// their times, with one function that returns voxels in the program and with two.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { WIDTH } from "./report.mjs";

const PEER = "fast-voxel-raycast";
const PROGRAM = fileURLToPath(new URL("peers_program.mjs", import.meta.url));
const PROGRAMS = [["array"], ["chunks"], ["array", "chunks"]];
const MOST_RATIO = 1.15;
// From how many blocks on closestHit has to be the faster one.
const LONG = 40;

// folder: that in which npm has installed the peer.
export async function measurePeers(report, { world, folder, lines, judged, rounds }) {
  if (!existsSync(join(folder, "node_modules", PEER))) {
    throw new Error(`there is no ${PEER} in ${folder}; ./dev bench web installs it, or npm install --prefix ${folder} ${PEER}`);
  }
  const answers = [];
  for (const getters of PROGRAMS) {
    const given = [PROGRAM, world, folder, lines, answers.length === 0 ? judged : 0, rounds, ...getters].map(String);
    answers.push({ getters, ...JSON.parse((await promisify(execFile)(process.execPath, given, { maxBuffer: 2 ** 26 })).stdout) });
  }
  printJudged(report, answers[0].judged);
  const ratios = new Map();  // of raycast, by the length of lines
  for (const { getters, times } of answers) {
    report.title(`A program whose voxels are in ${getters.join(" and in ")}, ${lines} lines of each length, ${rounds} rounds`);
    report.line(`${"".padEnd(WIDTH)}${"ns".padStart(10)}${"peer ns".padStart(10)}   ratio (its middle half)`);
    for (const { reach, ns, hits } of times) {
      // The peer may err; how often is above.
      const ours = Object.entries(hits).filter(([name]) => !name.startsWith(PEER)).map(([, count]) => count);
      if (new Set(ours).size > 1) report.wrong(`${reach} blocks: hits ${JSON.stringify(hits)}`);
      for (const name of getters) {
        const peer = ns[`${PEER}, ${name}`], title = getters.length === 1 ? name : `${name}, of two`;
        const ratio = report.ratio(`raycast, ${reach} blocks, ${title}`, ns[`raycast, ${name}`], peer);
        ratios.set(reach, Math.max(ratios.get(reach) ?? 0, ratio));
        const closest = report.ratio(`closestHit, ${reach} blocks, ${title}`, ns.closestHit, peer);
        if (getters.length === 1 && name === "array" && reach >= LONG) report.target(`closestHit to ${PEER} over one array, ${reach} blocks`, closest, 1);
      }
    }
  }
  for (const [reach, ratio] of ratios) report.target(`raycast to ${PEER}, ${reach} blocks, the worst program`, ratio, MOST_RATIO);
}

function printJudged(report, sets) {
  report.title("Wrong first hits, judged by an exact walk");
  for (const { reach, kind, lines, wrong } of sets) {
    report.line(`${`${lines} lines of ${reach} blocks, ${kind}`.padEnd(WIDTH)}${Object.entries(wrong).map(([name, count]) => `${name} ${count}`).join(", ")}`);
    for (const [name, count] of Object.entries(wrong)) {
      report.figure(`wrong: ${name}, ${reach} blocks, ${kind}`, count, "lines");
      if (name !== PEER && count > 0) report.wrong(`${name} answers ${count} lines wrongly`);
    }
  }
}
