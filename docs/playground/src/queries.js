// SPDX-License-Identifier: Apache-2.0
// Asks the library, and returns plain objects in nodes: shots with their bounces, and who sees whom.

import { Corner, HitKind, Line, Options, Shot, Sight, SightOptions, SightQuery } from "../../../bindings/js/index.js";
import { boxOf, ENTITIES, eyeOf, LEVEL_NAMES, NODES, PLAYERS, REACH, WIDTHS } from "./content.js";
import { originOf } from "./ray.js";
import { FINEST } from "./page_world.js";

const UNITS = 65536;
const CORNERS = { both: Corner.BOTH, neither: Corner.NEITHER, staircase: Corner.STAIRCASE };
// Enough shots to measure one, in milliseconds: clocks of browsers have steps of 0.1.
const MEASURED_MS = 4;
// More hits than this are not shown: a shot through a lake has hundreds.
const MAX_HITS = 300;

// Returns the options of a shot, as the library takes them.
export function optionsOf(page, state) {
  return {
    levels: state.levels, corner: CORNERS[state.corner], channel: page.world.blockTypes.channel(state.channel),
    categories: state.categories, skipStartInside: state.skipStart, reportUnknown: true, maxHits: MAX_HITS,
    ...(state.strength > 0 ? { rules: page.rules, budgets: [state.strength] } : {}),
  };
}

// Returns the line of a shot.
export function lineOf(page, ray) {
  return Line.ray(page.toFinest(originOf(ray)), ray.d, REACH * FINEST);
}

// Shoots, and reflects the line at each terminal hit that has a face, up to state.bounces times. Returns {legs, hits, end,
// stats, budget, microseconds, levelParts}. A leg is {from, to, hits}: points of the page.
export function shootAll(page, state) {
  const options = new Options(optionsOf(page, state)), shot = new Shot(), legs = [];
  let line = lineOf(page, state.ray), from = originOf(state.ray), start = 0, budget = state.strength;
  const microseconds = measure(() => page.world.shoot(line, options, shot));
  const levelParts = page.world.levelParts(line, { levels: state.levels }).map(({ level, t0, t1 }) => ({
    level, from: (t0 * line.length) / FINEST, to: (t1 * line.length) / FINEST,
  }));
  for (let bounce = 0; ; ++bounce) {
    page.world.shoot(line, options, shot);
    const leg = legOf(page, line, shot, from, start, bounce);
    legs.push(leg);
    if (shot.budgets !== null) budget = shot.budgets[0];
    const last = leg.hits.at(-1);
    if (bounce >= state.bounces || !shot.terminated || shot.stoppedAt !== null || last.face === null) break;
    if (state.strength > 0) options.set({ budgets: [Math.max(budget, 0)] });
    line = page.world.reflect(line, shot.move(shot.length - 1));
    from = last.point;
    start = last.distance;
  }
  const hits = legs.flatMap((leg) => leg.hits), last = legs.at(-1);
  return {
    legs, hits, microseconds, levelParts, budget: state.strength > 0 ? budget : null,
    end: { point: last.to, distance: last.endDistance, how: last.how, isSolid: last.how === "hit" },
    stats: shot.stats, truncated: shot.truncated,
  };
}

function legOf(page, line, shot, from, start, bounce) {
  const delta = line.endUnits.map((part, axis) => Number(part - line.startUnits[axis])), length = Math.hypot(...delta);
  const unit = delta.map((part) => part / length), atDistance = (distance) => from.map((part, i) => part + unit[i] * (distance - start));
  const blocks = length / UNITS;  // from t = 0 to t = 1, in finest blocks
  const hits = Array.from(shot, (hit) => plainHit(page, hit, atDistance, bounce));
  const stopped = shot.stoppedAt === null ? null : (shot.stoppedAt * blocks) / FINEST;
  const endDistance = shot.terminated && stopped === null ? hits.at(-1).distance : stopped ?? REACH;
  return {
    from, to: atDistance(endDistance), unit, start, endDistance, hits, reachEnd: atDistance(REACH),
    how: stopped !== null ? "budget" : shot.terminated ? "hit" : "reach",
    unknownFrom: shot.unknownFrom === null ? null : (shot.unknownFrom * blocks) / FINEST,
  };
}

function plainHit(page, hit, atDistance, bounce) {
  const isBlock = hit.kind === HitKind.BLOCK, distance = hit.distance / FINEST, width = WIDTHS[hit.level];
  const entity = isBlock ? null : ENTITIES.find(({ id }) => id === hit.id);
  return {
    kind: isBlock ? "block" : "entity", level: hit.level, levelName: LEVEL_NAMES[hit.level], distance, t: hit.t,
    name: isBlock ? page.names[hit.type] : `${entity?.name ?? "entity"} (${hit.id})`,
    face: hit.face, startInside: hit.startInside, terminal: hit.terminal, point: atDistance(distance), bounce,
    block: isBlock ? page.toPage(hit.level, hit.block) : null, width, id: isBlock ? null : hit.id,
  };
}

// Returns the microseconds of a call, from many of them.
function measure(call) {
  // The first calls are slower.
  for (let i = 0; i < 16; ++i) call();
  const begin = performance.now();
  let count = 0, now = begin;
  do {
    for (let i = 0; i < 16; ++i) call();
    count += 16;
    now = performance.now();
  } while (now - begin < MEASURED_MS);
  return (1000 * (now - begin)) / count;
}

// Returns which part of the way between two points is free of solid nodes, up to a little before the first one: 0.1 to 1.
export function freeWay(page, from, to) {
  const options = { levels: [NODES], noEntities: true, solidOnly: true, channel: page.world.blockTypes.channel("visible"), skipStartInside: true };
  const hit = page.world.closestHit(...page.toFinest(from), ...page.toFinest(to), options);
  return hit === null ? 1 : Math.max(0.1, hit.t * 0.92);
}

// ---- Who sees whom ----

// Asks if an eye sees the box of a player, in the channel of what can be seen. Returns {sight, exposure, line, boxes}: a
// line of sight, two points, or the boxes that hide the player, [min, max] each.
export function seePlayer(page, eye, player, levels) {
  const [min, max] = boxOf(player);
  const query = SightQuery.of(page.toFinest(eye), page.toFinest(min), page.toFinest(max));
  const options = new SightOptions({ levels, channel: page.world.blockTypes.channel("visible"), skipStartInside: true });
  try {
    const { sight, witness } = page.world.findWitness(query, options);
    const [least, most] = page.world.exposure(query, options);
    const isVisible = sight === Sight.VISIBLE;
    return {
      sight: isVisible ? "visible" : sight === Sight.HIDDEN ? "hidden" : "unknown", exposure: (least + most) / 2,
      line: witness === null ? null : witnessLine(eye, witness, min, max),
      boxes: sight === Sight.HIDDEN ? page.world.findCertificate(query, options).map((box) => box.map((corner) =>
        corner.map((part) => Number(part) / UNITS / FINEST - page.offset))) : [],
    };
  } finally {
    options.free();
    query.free();
  }
}

// Returns the line of a witness up to the box: delta is a direction, whose length says nothing unless isUnit.
function witnessLine(eye, { delta }, min, max) {
  const d = delta.map(Number), length = Math.hypot(...d), unit = d.map((part) => part / length);
  let enter = 0;
  for (let axis = 0; axis < 3; ++axis) {
    if (unit[axis] === 0) continue;
    const near = ((unit[axis] > 0 ? min[axis] : max[axis]) - eye[axis]) / unit[axis];
    enter = Math.max(enter, near);
  }
  return [eye, eye.map((part, i) => part + unit[i] * enter)];
}

// Returns for each eye, the camera first and then the players, what it sees of each player; null for oneself.
export function sightTable(page, cameraEye, levels) {
  const eyes = [{ id: 0, name: "you", at: cameraEye }, ...PLAYERS.map((player) => ({ id: player.id, name: player.name, at: eyeOf(player) }))];
  return eyes.map((eye) => ({
    ...eye, targets: PLAYERS.map((player) => (player.id === eye.id ? null : { id: player.id, ...seePlayer(page, eye.at, player, levels) })),
  }));
}
