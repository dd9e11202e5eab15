// SPDX-License-Identifier: Apache-2.0
// 100,000 first hits in the page's world, with a hash of all answers: the same in every engine and from every compiler,
// since the library decides by integers. tools/native_hash.py computes it by the native library.

export const COUNT = 100000;
// The seed of the lines whose hash is in expected_hash.js.
export const SEED = 20201;
// The nodes between which the lines run.
const LOW = [-272, -32, -112], SIZE = 160;
const FINEST = 16;

// Returns a function that returns integers of 32 bits: xorshift.
export function randomBits(seed) {
  let x = seed >>> 0;
  return () => {
    x ^= x << 13;
    x >>>= 0;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x;
  };
}

// Fills an array with the ends of lines, six numbers each, in finest blocks: multiples of 1/256.
export function fillLines(lines, count = COUNT, seed = SEED) {
  const next = randomBits(seed);
  for (let i = 0; i < 6 * count; ++i) {
    lines[i] = LOW[i % 3] * FINEST + (next() % (SIZE * FINEST * 256)) / 256;
  }
  return lines;
}

const double = new Float64Array(1), halves = new Uint32Array(double.buffer);

// Mixes a word into a hash of 32 bits, as FNV-1a does a byte.
export const mix = (hash, word) => Math.imul(hash ^ word, 16777619) >>> 0;

// Returns the hash of one answer: {kind, level, faceAxis, faceSign, block: [x, y, z], id, type, t, startInside}. Of a block
// counts where it is, of an entity its id. Two seeds give two halves.
export function hashOf(hit, seed) {
  double[0] = hit.t;
  let hash = mix(seed, hit.kind);
  if (hit.kind === 0) return hash;
  for (const word of [hit.level, hit.faceAxis, hit.faceSign, halves[0], halves[1], hit.startInside ? 1 : 0]) hash = mix(hash, word);
  if (hit.kind === 2) return mix(hash, hit.id);
  for (const word of [...hit.block, hit.type]) hash = mix(hash, word);
  return hash;
}

// Hashes answers, hit(i) of `count`. Returns 16 digits, and how many hit something.
export function hashAll(count, hit) {
  let low = 2166136261, high = 3141592653, found = 0;
  for (let i = 0; i < count; ++i) {
    const answer = hit(i);
    found += answer.kind === 0 ? 0 : 1;
    low = mix(low, hashOf(answer, 2166136261));
    high = mix(high, hashOf(answer, 3141592653));
  }
  const digits = (half) => half.toString(16).padStart(8, "0");
  return { hash: digits(high) + digits(low), found };
}

// Shoots the lines of a seed, an integer from 1 to 2^32 - 1, in a world of the library, and hashes the answers. fr: the package.
export function shootMany(fr, world, seed = SEED) {
  const lines = new fr.ModuleArray(Float64Array, 6 * COUNT), hits = new fr.CompactHits(COUNT);
  fillLines(lines.view, COUNT, seed);
  const begin = performance.now();
  world.closestHits(lines, undefined, hits);
  const milliseconds = performance.now() - begin;
  const result = hashAll(COUNT, (i) => {
    const { kind, level, faceAxis, faceSign, id, type, t, startInside } = hits.move(i);
    return { kind, level, faceAxis, faceSign, block: [hits.block(0), hits.block(1), hits.block(2)], id, type, t, startInside };
  });
  lines.free();
  hits.free();
  return { ...result, milliseconds, count: COUNT };
}
