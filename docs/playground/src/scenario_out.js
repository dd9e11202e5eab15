// SPDX-License-Identifier: Apache-2.0
// Writes the shot as a scenario file (docs/scenario-format.md) with all chunks and entities on which its answer depends.

import { shotOf } from "./code_samples.js";

// Covers 16 x 16 x 16 types, x first, with boxes of one type, [min, max, type] each; air, 0, is left out.
export function boxesOfChunk(types) {
  const left = types.slice(), boxes = [], at = (x, y, z) => x + 16 * y + 256 * z;
  const isFull = (x0, x1, y0, y1, z0, z1, type) => {
    for (let z = z0; z <= z1; ++z) for (let y = y0; y <= y1; ++y) for (let x = x0; x <= x1; ++x) if (left[at(x, y, z)] !== type) return false;
    return true;
  };
  for (let z = 0; z < 16; ++z) for (let y = 0; y < 16; ++y) for (let x = 0; x < 16; ++x) {
    const type = left[at(x, y, z)];
    if (type === 0) continue;
    let x1 = x, y1 = y, z1 = z;
    while (x1 < 15 && isFull(x1 + 1, x1 + 1, y, y, z, z, type)) ++x1;
    while (y1 < 15 && isFull(x, x1, y1 + 1, y1 + 1, z, z, type)) ++y1;
    while (z1 < 15 && isFull(x, x1, y, y1, z1 + 1, z1 + 1, type)) ++z1;
    for (let c = z; c <= z1; ++c) for (let b = y; b <= y1; ++b) left.fill(0, at(x, b, c), at(x1, b, c) + 1);
    boxes.push([[x, y, z], [x1, y1, z1], type]);
  }
  return boxes;
}

// Returns a chunk of the file. Its most frequent box that fills everything becomes `fill`.
function chunkOf({ level, at, types }, nameOf) {
  const boxes = boxesOfChunk(types), chunk = { level, at };
  if (boxes.length === 1 && boxes[0][0].join() === "0,0,0" && boxes[0][1].join() === "15,15,15") {
    return { ...chunk, fill: nameOf(boxes[0][2]) };
  }
  if (boxes.length > 0) chunk.boxes = boxes.map(([min, max, type]) => [min, max, nameOf(type)]);
  return chunk;
}

// Returns the file as an object. parts: `chunks`, {level, at, types} each; `typeOf(type)`, {name, kinds, boxes} with kinds
// and boxes by channel, boxes as [min, max] in fractions or undefined; `entities`, in finest blocks; `rules`, or null.
export function scenarioOf(state, { levels, chunks, typeOf, entities, rules }) {
  const { origin, direction, reach, corner, channel, categories, skipStart, strength } = shotOf(state), used = new Map();
  const nameOf = (type) => {
    if (!used.has(type)) used.set(type, typeOf(type));
    return used.get(type).name;
  };
  const written = chunks.map((chunk) => chunkOf(chunk, nameOf));
  const names = [...used.values()].map(({ name }) => name);
  const costs = strength > 0 && rules ? rules.blocks.filter(({ type }) => names.includes(type)) : [];
  return {
    format: "fractalray-scenario/1",
    about: "A shot of the playground, with the chunks and entities that its answer depends on. Bounces are not in it.",
    levels,
    block_types: Object.fromEntries([...used.values()].map(({ name, kinds, boxes }) => [name, kindsInFile(kinds, boxes)])),
    ...(strength > 0 && rules ? { rules: { bullet: { budgets: { strength }, blocks: costs, entities: rules.entities } } } : {}),
    chunks: written,
    entities,
    queries: [{
      id: "shot", op: "shoot", origin, direction, max_distance: reach, levels: state.levels,
      ...(corner ? { corner } : {}), ...(channel ? { channel } : {}), ...(skipStart ? { skip_start_inside: true } : {}),
      ...(categories === null ? {} : categories === 0 ? { entities: false } : { categories }),
      ...(strength > 0 && rules ? { rules: "bullet" } : {}), unknown: true,
    }],
  };
}

// Returns the kind of a type as the file has it: a word, or an object by channel.
function kindsInFile(kinds, boxes = {}) {
  const inChannel = (channel) => (boxes[channel] === undefined ? kinds[channel] : { kind: kinds[channel], boxes: boxes[channel] });
  const all = Object.keys(kinds).map((channel) => [channel, inChannel(channel)]);
  const words = all.map(([, kind]) => JSON.stringify(kind));
  // A channel with a word has the shape of `default`: a whole cube has to say so.
  if (words.every((word) => word === words[0])) return all[0][1];
  return Object.fromEntries(all.map(([channel, kind]) => [channel,
    typeof kind === "string" && kind !== "empty" && boxes.default !== undefined ? { kind } : kind]));
}
