// SPDX-License-Identifier: Apache-2.0
// The figures of the benchmark and its targets, as the other benchmarks print them.
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";

// The characters of a row's name.
export const WIDTH = 50;

// Returns the value below which a part of the values is, 0.5 for the median.
export function quantile(values, part) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.round(part * (sorted.length - 1))];
}
export const median = (values) => quantile(values, 0.5);

// Returns "AMD EPYC, 2 cores, Node 18.19.0".
export function describeMachine() {
  const all = cpus();
  return `${all[0]?.model.trim() ?? "unknown processor"}, ${all.length} cores, Node ${process.versions.node} (V8 ${process.versions.v8})`;
}

export class Report {
  #figures = [];
  #targets = [];
  isWrong = false;

  constructor(machine, isQuick) {
    this.machine = machine;
    this.isQuick = isQuick;
  }
  title(text) {
    console.log(`\n${text}`);
  }
  line(text) {
    console.log(`  ${text}`);
  }
  figure(name, value, unit) {
    this.#figures.push({ name, value, unit });
  }
  // Prints a row of medians: ours and the other's, in ns, and the ratio of the two in each round with its middle
  // half. Returns the ratio's median.
  ratio(name, ours, theirs, more = "") {
    const ratios = ours.map((each, i) => each / theirs[i]), [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part));
    const number = (value) => value.toFixed(1).padStart(10);
    this.line(`${name.padEnd(WIDTH)}${number(median(ours))}${number(median(theirs))}   ${middle.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})  ${more}`);
    this.figure(name, median(ours), "ns");
    this.figure(`${name}, ratio`, middle, "ratio");
    return middle;
  }
  // Adds a figure that must be at most so large.
  target(what, value, most) {
    this.#targets.push({ what, value, most });
  }
  // Reports an answer that must not be.
  wrong(text) {
    this.isWrong = true;
    this.line(`WRONG: ${text}`);
  }
  printTargets() {
    console.log(`\n  ${"targets".padEnd(64)}${"is".padStart(9)} ${"target".padStart(9)}`);
    for (const { what, value, most } of this.#targets) {
      const verdict = value <= most ? "reached" : "MISSED";
      console.log(`  ${what.padEnd(64)}${value.toFixed(2).padStart(9)} <=${String(most).padStart(7)}  ${verdict}`);
    }
  }
  write(path) {
    const { machine, isQuick } = this, targets = this.#targets.map((each) => ({ ...each, isReached: each.value <= each.most }));
    return writeFile(path, `${JSON.stringify({ machine, quick: isQuick, figures: this.#figures, targets }, null, 1)}\n`);
  }
}
