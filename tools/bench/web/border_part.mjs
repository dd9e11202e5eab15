// SPDX-License-Identifier: Apache-2.0
// What a call costs that leads from JavaScript into the module: that of a query in an empty world, less the same query in a batch,
// which is one call for all lines.
import { module } from "../../../bindings/js/src/module.js";
import { median, WIDTH } from "./report.mjs";

const MOST_NS = 60;

export function measureBorder(report, fr, { ends }, rounds) {
  const world = new fr.World(), lines = ends.length / 6, hits = new fr.CompactHits(lines);
  const array = new fr.ModuleArray(Float64Array, ends.length), nothing = module.c.frGetVersion;
  array.view.set(ends);
  const works = {
    empty: () => { for (let i = 0; i < lines; ++i) nothing(); },
    single: () => {
      for (let at = 0; at < ends.length; at += 6) {
        if (world.closestHit(ends[at], ends[at + 1], ends[at + 2], ends[at + 3], ends[at + 4], ends[at + 5]) !== null) throw new Error("a hit");
      }
    },
    batch: () => { world.closestHits(array, undefined, hits); },
  };
  const ns = { empty: [], single: [], batch: [] };
  for (let round = -3; round < rounds; ++round) {
    for (const [name, run] of Object.entries(works)) {
      const begin = performance.now();
      run();
      if (round >= 0) ns[name].push(((performance.now() - begin) * 1e6) / lines);
    }
  }
  const border = median(ns.single.map((each, i) => each - ns.batch[i]));
  report.title("A call from JavaScript, ns");
  for (const [name, value] of [["a function that does nothing", median(ns.empty)], ["closestHit in an empty world", median(ns.single)],
    ["the same in a batch, for each line", median(ns.batch)], ["the difference, of each round", border]]) {
    report.line(`${name.padEnd(WIDTH)}${value.toFixed(1).padStart(10)}`);
    report.figure(`border: ${name}`, value, "ns");
  }
  report.target("a call's border, ns", border, MOST_NS);
}
