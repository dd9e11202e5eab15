// SPDX-License-Identifier: Apache-2.0
// Memory that ends at a small maximum, in Node and in browsers: what the package answers then, and afterwards.
import { makeWalls, THROUGH } from "./worlds.mjs";

export const PAGE = 65536;
const MOST_CHUNKS = 2 ** 15;
const SECTION_OF_MEMORY = 5;

// Reads an unsigned number of a module. Returns it, and the index of what follows it.
function readNumber(bytes, at) {
  for (let value = 0, factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at];
  }
}
function numberOf(value) {
  const bytes = [];
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

// Returns a module whose memory has at most this many pages.
export function withMaximum(bytes, pages) {
  for (let at = 8; at < bytes.length;) {
    const [size, begin] = readNumber(bytes, at + 1), end = begin + size;
    if (bytes[at] === SECTION_OF_MEMORY) {
      // One memory; its flags: 1 if it has a maximum; its least size.
      const [least] = readNumber(bytes, begin + 2);
      if (bytes[begin] !== 1 || bytes[begin + 1] > 1) throw new Error("the module has not one plain memory");
      if (least > pages) throw new Error(`the module begins with ${least} pages; a maximum of ${pages} is too small`);
      const made = [1, 1, ...numberOf(least), ...numberOf(pages)];
      return Uint8Array.from([...bytes.subarray(0, at + 1), ...numberOf(made.length), ...made, ...bytes.subarray(end)]);
    }
    at = end;
  }
  throw new Error("the module has no memory");
}

// Returns what exhausted() is to return.
export const EXPECTED = {
  full: "RESOURCE_EXHAUSTED", isAbsent: true, array: "RESOURCE_EXHAUSTED", otherBlock: 4, lines: [4, 10], isReadBack: true, again: "OK",
};

// Loads chunks until memory is exhausted. Returns the codes of errors, and answers of another world.
export function exhausted(fr) {
  const { world, stone } = makeWalls(fr), full = new fr.World();
  const codeOf = (use) => {
    try {
      use();
      return "OK";
    } catch (error) {
      return error.code ?? String(error);
    }
  };
  for (let i = 1; i < 256; ++i) full.blockTypes.add(`type ${i}`);
  // Every type in each chunk, so that it needs memory.
  const ids = new Uint16Array(4096).map((_, i) => (i * 97) % 256), chunk = (i) => [i % 32, Math.floor(i / 32) % 32, Math.floor(i / 1024)];
  let loaded = 0;
  const fill = () => {
    for (; loaded < MOST_CHUNKS; ++loaded) full.loadChunk(0, chunk(loaded), ids);
  };
  const answers = { full: codeOf(fill), isAbsent: full.chunk(0, chunk(loaded)).state === fr.ChunkState.ABSENT };
  answers.array = codeOf(() => new fr.ModuleArray(Uint8Array, 2 ** 25));
  answers.otherBlock = world.closestHit(...THROUGH)?.cell(0);
  full.free();
  // The memory is there again.
  const walls = new Uint16Array(4096).map((_, i) => (i % 2 === 0 ? stone : fr.AIR));
  world.loadChunk(0, [5, 5, 5], walls);
  answers.lines = world.shoot(fr.Line.segment(THROUGH.slice(0, 3), THROUGH.slice(3))).toArray().map((hit) => hit.block[0]);
  answers.isReadBack = world.chunkBlocks(0, [5, 5, 5]).every((id, i) => id === walls[i]);
  answers.again = codeOf(() => {
    for (let i = 0; i < loaded / 2; ++i) world.loadChunk(0, [100 + i, 0, 0], walls);
  });
  world.free();
  return answers;
}
