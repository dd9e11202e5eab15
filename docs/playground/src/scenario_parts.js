// SPDX-License-Identifier: Apache-2.0
// Collects what scenario_out.js writes, from the library: the chunks on the line up to its end, and the entities.

import { Corner } from "../../../bindings/js/index.js";
import { ENTITIES, NODES, WIDTHS } from "./content.js";
import { FINEST, kindsOf } from "./page_world.js";
import { lineOf } from "./queries.js";
import { scenarioOf } from "./scenario_out.js";

// Returns the shot of a state as the text of a scenario file. types: those of the world file.
export function scenarioText(page, state, shot, types) {
  const line = lineOf(page, state.ray), perTime = line.length / FINEST, end = shot.legs[0].endDistance;
  const chunks = page.world.chunksOn(line, { levels: state.levels, corner: Corner.BOTH, loadedOnly: true })
    .filter(({ tEnter }) => tEnter * perTime <= end + 1e-6)
    .map(({ level, chunk }) => ({ level, at: chunk, types: page.world.chunkBlocks(level, chunk) }));
  const file = scenarioOf(state, {
    levels: WIDTHS.length, chunks, typeOf: (type) => typeOf(page, types, type),
    entities: ENTITIES.map((entity) => entityOf(page, entity)), rules: rulesOf(types),
  });
  return JSON.stringify(file, null, 1).replace(/\[\s+(-?[\d.]+),\s+(-?[\d.]+),\s+(-?[\d.]+)\s+\]/g, "[$1, $2, $3]");
}

function typeOf(page, types, type) {
  const index = page.types.indexOf(type);
  if (index < 0) return { name: page.names[type], kinds: { default: "solid" }, boxes: {} };
  const split = (box) => [box.slice(0, 3).map((part) => part / 65536), box.slice(3).map((part) => part / 65536)];
  const given = types[index].boxes ?? {};
  const boxes = Object.fromEntries(Object.entries(given).map(([channel, list]) => [channel, list.map(split)]));
  if (boxes.default) boxes.pierce = boxes.default;
  return { name: types[index].name, kinds: kindsOf(types[index]), boxes };
}
function entityOf(page, { id, category, position, radius, halfExtents }) {
  const size = radius ? { shape: "sphere", radius: radius * FINEST } : { shape: "box", half_extents: halfExtents.map((part) => part * FINEST) };
  return { id, level: NODES, center: page.toFinest(position), categories: category, ...size };
}
// The costs of PageWorld's rules.
function rulesOf(types) {
  const blocks = types.flatMap((type) => {
    if (type.kinds.default === "solid" && kindsOf(type).pierce === "permeable") {
      return [{ type: type.name, budget: "strength", per_hit: 1, per_pane: true }];
    }
    return /water_source/.test(type.name) ? [{ type: type.name, budget: "strength", per_block: 0.25 / FINEST }] : [];
  });
  return { blocks, entities: [{ categories: 7, budget: "strength", per_hit: 2 }] };
}
