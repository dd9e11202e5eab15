// SPDX-License-Identifier: Apache-2.0
// The module, called from JavaScript, to the native library, called from C++, on the same lines through the bundled world.
// By turns: each pair of times is of the same moment. Times include the call from JavaScript.
import { AnswerHash } from "./answer_hash.mjs";
import { NativeProgram } from "./native_program.mjs";
import { WIDTH } from "./report.mjs";

const MOST_RATIO = 1.6;

// The works: each does all lines, and returns how many hits there are. To a hash, if it is not null, it adds all answers, which
// takes more time.
class Works {
  constructor(fr, world, ends) {
    const count = ends.length / 6;
    this.world = world;
    this.ends = ends;
    this.array = new fr.ModuleArray(Float64Array, ends.length);
    this.array.view.set(ends);
    this.blocks = new fr.Options({ noEntities: true });
    this.hits = new fr.CompactHits(count);
    this.sights = new fr.Occlusions(count);
    this.line = new fr.Line();
    this.shot = new fr.Shot();
    this.counted = 0;
    this.hash = null;
    this.callback = new fr.Options({
      onHit: (hit) => {
        ++this.counted;
        if (this.hash !== null) this.hash.addHit(hit, (axis) => hit.cell(axis));
      },
    });
  }
  closestHit(hash) {
    return this.#closestHits(undefined, hash);
  }
  closestHitOfBlocks(hash) {
    return this.#closestHits(this.blocks, hash);
  }
  #closestHits(options, hash) {
    const { world, ends } = this;
    let count = 0;
    for (let at = 0; at < ends.length; at += 6) {
      const hit = world.closestHit(ends[at], ends[at + 1], ends[at + 2], ends[at + 3], ends[at + 4], ends[at + 5], options);
      if (hit !== null) ++count;
      if (hash !== null) hash.addHit(world.hit, (axis) => world.hit.cell(axis));
    }
    return count;
  }
  occluded(hash) {
    const { world, ends } = this;
    let count = 0;
    for (let at = 0; at < ends.length; at += 6) {
      const answer = world.occluded(ends[at], ends[at + 1], ends[at + 2], ends[at + 3], ends[at + 4], ends[at + 5]);
      if (answer !== 0) ++count;
      if (hash !== null) hash.add(answer);
    }
    return count;
  }
  closestHits(hash) {
    const hits = this.world.closestHits(this.array, undefined, this.hits);
    for (let i = 0; hash !== null && i < hits.length; ++i) hash.addHit(hits.move(i), (axis) => hits.block(axis));
    return hits.summary.hits;
  }
  occludedMany(hash) {
    const sights = this.world.occludedMany(this.array, undefined, this.sights);
    for (let i = 0; hash !== null && i < sights.length; ++i) hash.add(sights.answer(i));
    return sights.summary.hits;
  }
  shoot(hash) {
    const { world, ends, line, callback, shot } = this;
    this.counted = 0;
    this.hash = hash;
    for (let at = 0; at < ends.length; at += 6) {
      line.setSegment(ends[at], ends[at + 1], ends[at + 2], ends[at + 3], ends[at + 4], ends[at + 5]);
      world.shoot(line, callback, shot);
    }
    return this.counted;
  }
}
// By the names of their methods and of the commands of web_native.cc.
const NAMES = {
  closestHitOfBlocks: "closestHit, blocks alone", closestHit: "closestHit", occluded: "occluded", closestHits: "closestHits, a batch",
  occludedMany: "occludedMany, a batch", shoot: "shoot, with a callback for each hit",
};

// sets: as in the file of the native program.
export async function measureModule(report, fr, world, sets, { program, file, rounds }) {
  const native = new NativeProgram(program, file);
  try {
    report.title(`The module to the native library (${await native.machine}), ${sets[0].ends.length / 6} lines of each length, ${rounds} rounds`);
    report.line(`${"".padEnd(WIDTH)}${"module ns".padStart(10)}${"native ns".padStart(10)}   ratio (its middle half)`);
    const all = sets.map(({ ends }) => new Works(fr, world, ends));
    for (const [work, name] of Object.entries(NAMES)) {
      const ratios = [];
      for (const [set, { reach }] of sets.entries()) {
        ratios.push(await compare(report, native, all[set], work, set, `${name}, ${reach} blocks`, rounds));
      }
      report.target(`${name}: module to native, the worst of the lengths`, Math.max(...ratios), MOST_RATIO);
    }
  } finally {
    native.close();
  }
}

// Compares the answers, then the times. Returns the ratio's median.
async function compare(report, native, works, work, set, title, rounds) {
  const hash = new AnswerHash(), count = works[work](hash), [nativeHash, nativeCount] = await native.ask("hash", work, set);
  const isSame = hash.text === nativeHash && String(count) === nativeCount;
  if (!isSame) report.wrong(`${title}: hash ${hash.text} of ${count} hits, natively ${nativeHash} of ${nativeCount}`);
  const ours = [], theirs = [], lines = works.ends.length / 6;
  for (let round = -2; round < rounds; ++round) {
    const begin = performance.now();
    works[work](null);
    const time = ((performance.now() - begin) * 1e6) / lines, [nativeTime] = await native.ask("time", work, set);
    if (round < 0) continue;  // warms up
    ours.push(time);
    theirs.push(Number(nativeTime));
  }
  return report.ratio(title, ours, theirs, isSame ? `hash ${nativeHash}, ${nativeCount} hits` : "");
}
