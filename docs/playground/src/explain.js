// SPDX-License-Identifier: Apache-2.0
// The shot in words: what `fractalray explain` says of it, as far as the answers of the JavaScript package go.

import { LEVEL_NAMES, REACH } from "./content.js";
import { shortName } from "./looks.js";

const number = (value, digits = 3) => String(Number(value.toFixed(digits)));
const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

// Returns sentences about the answer of shootAll(). cells: how many nodes the line crosses up to its end.
export function explain(state, shot, cells) {
  const said = [];
  const levels = state.levels.map((level) => `${level} (${LEVEL_NAMES[level]})`);
  said.push(`The shot flies at most ${REACH} nodes, through level${levels.length === 1 ? "" : "s"} ${levels.join(", ")}, ` +
    `in the channel "${state.channel}", at exact corners "${state.corner}".`);
  for (const { level, from, to } of [...shot.levelParts].sort((a, b) => b.level - a.level)) {
    said.push(`Level ${level}: the line is in the box of its loaded chunks from ${number(from, 2)} to ${number(to, 2)}.`);
  }
  if (shot.hits.length === 0) said.push("It hits nothing.");
  else said.push(`It has ${count(shot.hits.length, "hit")}${shot.truncated ? ", and more that are not shown" : ""}, in order; ` +
    `the first leg crosses ${count(cells, "node")}.`);
  said.push(...ties(shot.hits), ...insides(shot.hits), endOf(state, shot));
  if (state.strength > 0) said.push(`Of its strength of ${state.strength}, ${number(Math.max(shot.budget, 0), 2)} is left.`);
  if (shot.legs.length > 1) said.push(`It bounces ${count(shot.legs.length - 1, "time")}; distances are along the whole way.`);
  const leg = shot.legs.find(({ unknownFrom, endDistance }) => unknownFrom !== null && unknownFrom < endDistance);
  if (leg !== undefined) {
    said.push(`From ${number(leg.unknownFrom, 2)} on, no level is loaded: the answer is unknown there.`);
  } else said.push("All of the line up to its end is loaded.");
  const { cells: steps, skips, indexCells, entitiesTested } = shot.stats;
  said.push(`Work of the last leg (docs/cost.md): ${steps} cells, ${skips} skips, ${indexCells} cells of the entity index, ` +
    `${entitiesTested} entities tested.`);
  return said;
}

// Hits at the same distance: the order says why.
function ties(hits) {
  const said = [];
  for (let i = 1; i < hits.length; ++i) {
    const [a, b] = [hits[i - 1], hits[i]];
    if (a.t !== b.t || a.bounce !== b.bounce || a.startInside || b.startInside) continue;
    const why = a.kind !== b.kind ? "entities come before blocks"
      : a.level !== b.level ? "finer levels come first"
      : a.kind === "block" ? "at an exact corner, in the order of the walk" : "entities in the order of their ids";
    said.push(`Hits ${i} and ${i + 1} are at exactly the same distance: ${why}.`);
  }
  return said;
}
function insides(hits) {
  const inside = hits.filter(({ startInside }) => startInside);
  return inside.length === 0 ? [] : [`The start is inside ${inside.map(({ name }) => shortName(name)).join(", ")}: hit at 0, without a face.`];
}
function endOf(state, { end, hits }) {
  const last = hits.at(-1);
  if (end.how === "hit") {
    return `It ends after ${number(end.distance)} nodes at ${shortName(last.name)}, which is solid; the rest of the line is clipped.`;
  }
  if (end.how === "budget") return `It ends after ${number(end.distance)} nodes: its strength is used up.`;
  return `Nothing solid is on it: it ends at its reach.`;
}
