// SPDX-License-Identifier: Apache-2.0
// The world of a scenario file in the library, and its shots.

import { Corner, Kind, Line, Options, Response, Rule, Rules, World } from "../../../bindings/js/index.js";
import { PLAIN } from "../../../bindings/js/src/layout.js";
import { plainOf } from "./scenario_members.js";

// More hits than these are not shown.
const MOST_HITS = 300;
const KINDS = { solid: Kind.SOLID, permeable: Kind.PERMEABLE, empty: Kind.EMPTY };
const RESPONSES = { continue: Response.CONTINUE, stop: Response.STOP, again: Response.AGAIN };
// Returns the library's world of a scenario.
export function worldOf(file) {
  const world = new World({ levels: file.levels, anchor: file.anchor }), numbers = new Map([["air", 0]]);
  for (const [name, { kinds, boxes }] of file.types) {
    // Air may be declared as something else: a type of its own, besides the library's.
    if (name === "air" && Object.values(kinds).every((kind) => kind === "empty")) continue;
    const channels = Object.keys(kinds).filter((channel) => channel !== "default"), whole = [[[0, 0, 0], [1, 1, 1]]];
    numbers.set(name, world.blockTypes.add(name === "air" ? "air (of the file)" : name, KINDS[kinds.default], {
      channels: Object.fromEntries(channels.map((channel) => [channel, KINDS[kinds[channel]]])),
      ...(boxes.default ? { boxes: boxes.default } : {}),
      channelBoxes: Object.fromEntries(channels.map((channel) => [channel, boxes[channel] ?? whole])),
    }));
  }
  for (const { level, at, isProto, types } of file.chunks) {
    if (isProto) world.loadProtoChunk(level, at);
    else world.loadChunk(level, at, Uint16Array.from(types, (name) => numbers.get(name)));
  }
  for (const [name, response] of Object.entries(file.responses)) {
    if (response !== "continue") world.onBlockHit(numbers.get(name), () => RESPONSES[response]);
  }
  file.entities.forEach(({ id, level, position, radius, halfExtents, categories, response }, i) => {
    world.entities.add({ id, level, position, categories, entityClass: i + 1, ...(radius === undefined ? { halfExtents } : { radius }) });
    if (response !== "continue") world.onEntityHit(i + 1, () => RESPONSES[response]);
  });
  return world;
}

// Returns the rules of a name, with the numbers of its budgets by name.
export function rulesOf(world, { budgets = {}, blocks = [], entities = [] }) {
  const rules = new Rules(), numbers = new Map(Object.entries(budgets).map(([name, amount]) => [name, rules.addBudget(amount)]));
  const ruleOf = ({ response, budget, ...costs }) => {
    if (response !== undefined) return response === "stop" ? Rule.stop() : Rule.proceed();
    return Rule.cost(numbers.get(budget), plainOf(PLAIN.Rule, costs));
  };
  // For a type and a level the last rule counts: those for all levels come first.
  for (const rule of [...blocks].sort((a, b) => Number(a.levels !== undefined) - Number(b.levels !== undefined))) {
    rules.setBlock(world.blockTypes.find(rule.type), ruleOf(rule), rule.levels);
  }
  for (const rule of entities) rules.setEntities(rule.categories, ruleOf(rule), rule.levels);
  return { rules, numbers };
}

// Shoots a query of a scenario. Returns its hits as plain objects, and the points of its line, in finest blocks.
export function shootQuery(world, file, query) {
  const line = query.from ? Line.segment(query.from, query.to)
    : Line.ray(query.origin, query.direction, query.max_distance ?? Infinity, query.bounds);
  const { rules, numbers } = query.rules === undefined ? { rules: null, numbers: null } : rulesOf(world, file.rules[query.rules]);
  const amounts = rules && query.budgets ? { budgets: budgetsOf(file.rules[query.rules], numbers, query.budgets) } : {};
  const options = new Options({
    ...plainOf(PLAIN.QueryOptions, query), ...(rules ? { rules } : {}), ...amounts,
    levels: query.levels.filter((level) => level < file.levels), corner: Corner[(query.corner ?? "both").toUpperCase()],
    channel: query.channel && query.channel !== "default" ? world.blockTypes.addChannel(query.channel) : 0,
    ignore: query.ignore ?? [], maxHits: Math.min(query.max_hits ?? MOST_HITS, MOST_HITS),
  });
  const shot = world.shoot(line, options), hits = shot.toArray(), last = hits.at(-1);
  const end = shot.terminated ? last.point : line.pointAt(line.lastTime);
  return { hits, from: line.start, to: end, isOver: shot.terminated };
}

// Returns the amounts of all budgets of rules, some of them in place of their own.
function budgetsOf({ budgets }, numbers, given) {
  const amounts = [];
  for (const [name, number] of numbers) amounts[number] = given[name] ?? budgets[name];
  return amounts;
}
