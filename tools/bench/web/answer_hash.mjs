// SPDX-License-Identifier: Apache-2.0
// A hash of answers, as web_native.cc computes it: equal if all answers are, to the last bit.

const PRIME = 16777619;
const double = new Float64Array(1), halves = new Uint32Array(double.buffer);

export class AnswerHash {
  #low = 2166136261;
  #high = 3141592653;

  add(word) {
    this.#low = Math.imul(this.#low ^ word, PRIME);
    this.#high = Math.imul(this.#high ^ word, PRIME);
  }
  // hit: Hits, or the CompactHits of a batch. cell(i): the index of its block.
  addHit(hit, cell) {
    this.add(hit.kind);
    if (hit.kind === 0) return;
    double[0] = hit.t;
    for (const word of [hit.level, hit.faceAxis, hit.faceSign, halves[0], halves[1], hit.startInside ? 1 : 0]) this.add(word);
    if (hit.isEntity) {
      this.add(hit.id);
      return;
    }
    for (let axis = 0; axis < 3; ++axis) this.add(cell(axis));
    this.add(hit.type);
  }
  get text() {
    return [this.#high, this.#low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
