// SPDX-License-Identifier: Apache-2.0
// Reads a packed world (tools/make_world.py): block types, and a grid with the type of each node.

// The nodes of a box, one byte each: node (x, y, z) is ids[x - low[0] + size[0] * (y - low[1] + size[1] * (z - low[2]))].
export class Grid {
  constructor(low, size, ids = new Uint8Array(size[0] * size[1] * size[2])) {
    this.low = low;
    this.size = size;
    this.ids = ids;
  }
  // Returns the element of a node, -1 outside of the box.
  indexOf(x, y, z) {
    const a = x - this.low[0], b = y - this.low[1], c = z - this.low[2], [sx, sy, sz] = this.size;
    return a >= 0 && a < sx && b >= 0 && b < sy && c >= 0 && c < sz ? a + sx * (b + sy * c) : -1;
  }
  // Returns the type of a node, 0 (air) outside of the box.
  get(x, y, z) {
    const i = this.indexOf(x, y, z);
    return i < 0 ? 0 : this.ids[i];
  }
  // Sets the type of a node. Returns false outside of the box.
  set(x, y, z, type) {
    const i = this.indexOf(x, y, z);
    if (i >= 0) this.ids[i] = type;
    return i >= 0;
  }
}

export async function gunzip(bytes) {
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Returns { types, grid } of the unzipped bytes. Throws an Error for another format, and for chunks that do not fill a
// box: the page loads them as one array.
export function readWorld(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (new TextDecoder().decode(bytes.subarray(0, 4)) !== "FRW2") throw new Error("this is no packed world");
  const length = view.getUint32(4, true);
  const { types, chunks } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  if (types.length > 250) throw new Error(`the world has ${types.length} block types; the page has room for 250`);
  const axes = [0, 1, 2];
  const first = axes.map((axis) => Math.min(...chunks.map((at) => at[axis])));
  const last = axes.map((axis) => Math.max(...chunks.map((at) => at[axis])));
  const size = axes.map((axis) => 16 * (last[axis] - first[axis] + 1));
  if (size[0] * size[1] * size[2] !== 4096 * chunks.length) throw new Error("the chunks of the world do not fill a box");
  const grid = new Grid(first.map((at) => 16 * at), size);
  const ids = new Uint8Array(4096);
  let at = 8 + length;
  for (const chunk of chunks) {
    at = readChunk(bytes, view, at, ids);
    const corner = axes.map((axis) => 16 * (chunk[axis] - first[axis]));
    for (let z = 0; z < 16; ++z) for (let y = 0; y < 16; ++y) {
      const from = 16 * y + 256 * z;
      grid.ids.set(ids.subarray(from, from + 16), corner[0] + size[0] * (corner[1] + y + size[1] * (corner[2] + z)));
    }
  }
  return { types, grid };
}

// Reads the chunk at a byte. Returns the byte after it.
function readChunk(bytes, view, at, ids) {
  const count = bytes[at] + 1, table = at + 1;
  at = table + 2 * count;
  for (let i = 0; i < 4096;) {
    const type = view.getUint16(table + 2 * bytes[at++], true);
    let run = 0, shift = 0, byte;
    do {
      byte = bytes[at++];
      run |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    if (run === 0 || i + run > 4096) throw new Error("the packed world is damaged");
    ids.fill(type, i, i += run);
  }
  return at;
}
