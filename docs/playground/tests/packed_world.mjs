// SPDX-License-Identifier: Apache-2.0
// Packed worlds for tests.

// Packs chunks, [x, y, z, types] each, as tools/make_world.py does.
export function pack(types, chunks) {
  const text = new TextEncoder().encode(JSON.stringify({ types, chunks: chunks.map((chunk) => chunk.slice(0, 3)) })), bytes = [];
  for (const [, , , ids] of chunks) {
    const used = [...new Set(ids)].sort((a, b) => a - b);
    bytes.push(used.length - 1, ...used.flatMap((type) => [type & 255, type >> 8]));
    for (let i = 0; i < 4096;) {
      let end = i;
      while (end < 4096 && ids[end] === ids[i]) ++end;
      bytes.push(used.indexOf(ids[i]));
      let run = end - i;
      for (; run >= 128; run >>= 7) bytes.push((run & 127) | 128);
      bytes.push(run);
      i = end;
    }
  }
  const head = new Uint8Array(8);
  head.set(new TextEncoder().encode("FRW2"));
  new DataView(head.buffer).setUint32(4, text.length, true);
  return Uint8Array.from([...head, ...text, ...bytes]);
}
export const TYPES = [{ name: "air", kinds: { default: "empty" } }, { name: "stone", kinds: { default: "solid" } }];
