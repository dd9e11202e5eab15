// SPDX-License-Identifier: Apache-2.0
// Answers scenario files (docs/scenario-format.md) by the package, as the program does.
import { PLAIN } from "../../bindings/js/src/layout.js";
import { plainOf } from "../../docs/playground/src/scenario_members.js";

const MOST_CROSSINGS = 10_000_000;
const CLASSES = { continue: 0, stop: 1, again: 2 };

// Returns the number that a word stands for; a word that stands for none as it is, for the package to refuse.
const named = (numbers, word) => numbers[word.toUpperCase()] ?? word;
const levelsOf = (query) => query.levels.filter((level) => level < 10);

// A world made from a file, and its queries.
export class Scenario {
  constructor(fr, document) {
    this.fr = fr;
    this.document = document;
    this.world = new fr.World({ levels: document.levels, anchor: document.anchor ?? "" });
    this.types = {};
    this.names = new Map([[0, "air"]]);
    this.#addTypes(document.block_types ?? {});
    this.#respond(document.responses ?? {});
    this.rules = Object.fromEntries(Object.entries(document.rules ?? {}).map(([name, rules]) => [name, new NamedRules(fr, rules, this.types)]));
    for (const chunk of document.chunks ?? []) this.#load(chunk);
    for (const entity of document.entities ?? []) this.#add(entity);
  }
  free() {
    this.world.free();
    for (const each of Object.values(this.rules)) each.rules.free();
  }
  #addTypes(types) {
    for (const [name, kinds] of Object.entries(types)) {
      const isLook = typeof kinds === "string" || !("default" in kinds);
      const byChannel = isLook ? { default: kinds } : { ...kinds };
      if (name === "air" && Object.values(byChannel).every((each) => each === "empty")) {
        for (const channel of Object.keys(byChannel)) this.world.blockTypes.addChannel(channel);
        this.types[name] = this.fr.AIR;
        continue;
      }
      // "air" is the name of the library's own type.
      let unused = name;
      while (unused === "air" || (unused !== name && unused in types)) unused += "'";
      const { default: look, ...others } = byChannel;
      const channels = {}, channelBoxes = {};
      for (const [channel, each] of Object.entries(others)) {
        channels[channel] = this.#kind(each);
        if (typeof each !== "string") channelBoxes[channel] = boxesOf(each);
      }
      const boxes = typeof look === "string" ? undefined : boxesOf(look);
      this.types[name] = this.world.blockTypes.add(unused, this.#kind(look), { channels, boxes, channelBoxes });
      this.names.set(this.types[name], name);
    }
  }
  #kind(look) {
    return named(this.fr.Kind, typeof look === "string" ? look : look.kind);
  }
  #respond(responses) {
    const { Response } = this.fr;
    for (const [name, response] of Object.entries(responses)) {
      if (response !== "continue") this.world.onBlockHit(this.types[name], () => named(Response, response));
    }
    this.world.onEntityHit(CLASSES.stop, () => Response.STOP);
    this.world.onEntityHit(CLASSES.again, () => Response.AGAIN);
  }
  #load({ level, at, state, fill = "air", boxes = [], blocks = [] }) {
    if (state === "proto") {
      if (this.world.chunk(level, at).state === this.fr.ChunkState.LOADED) this.world.unloadChunk(level, at);
      this.world.loadProtoChunk(level, at);
      return;
    }
    const ids = new Uint16Array(4096).fill(this.types[fill] ?? this.fr.AIR);
    for (const [low, high, name] of boxes) {
      for (let z = low[2]; z <= high[2]; ++z) {
        for (let y = low[1]; y <= high[1]; ++y) {
          for (let x = low[0]; x <= high[0]; ++x) ids[x + 16 * y + 256 * z] = this.types[name];
        }
      }
    }
    for (const [[x, y, z], name] of blocks) ids[x + 16 * y + 256 * z] = this.types[name];
    this.world.loadChunk(level, at, ids);
  }
  #add({ id, shape, center, radius, half_extents, level, categories = 1, response = "continue" }) {
    this.world.entities.add({
      id, position: center, level, categories, entityClass: CLASSES[response],
      ...(shape === "sphere" ? { radius } : { halfExtents: half_extents }),
    });
  }

  answers() {
    return this.document.queries.map((query) => this.answer(query));
  }
  answer(query) {
    try {
      return { id: query.id, ...this[`_${query.op}`](query) };
    } catch (error) {
      if (!(error instanceof this.fr.FractalrayError)) throw error;
      return { id: query.id, error: `${error.code}: ${error.message}` };
    }
  }

  _shoot(query) {
    const line = this.#line(query), rules = query.rules === undefined ? undefined : this.rules[query.rules];
    const options = new this.fr.Options(this.#options(query, rules)), shot = this.world.shoot(line, options);
    const answer = { hits: [], terminated: shot.terminated };
    for (let i = 0; i < shot.length; ++i) {
      const hit = this.#hit(shot.move(i));
      if (query.spans) hit.spans = this.world.hitSpans(shot.line, shot, options);
      answer.hits.push(hit);
    }
    if ("max_hits" in query) answer.truncated = shot.truncated;
    if (rules !== undefined) {
      answer.budgets = rules.named(shot.budgets);
      answer.stopped_at = shot.stoppedAt;
    }
    if (query.unknown || query.stop_at_unknown) answer.unknown_from = shot.unknownFrom;
    if (query.level_parts) answer.level_parts = this.world.levelParts(line, { levels: levelsOf(query) });
    if ("origin" in query) answer.line = lineJson(shot.line);
    for (const each of [line, options, shot]) each.free();
    return answer;
  }
  #line({ origin, direction, max_distance, bounds, from, to }) {
    if (origin === undefined) return this.fr.Line.segment(from.map(Number), to.map(Number));
    return this.fr.Line.ray(origin.map(Number), direction.map(Number), Number(max_distance ?? Infinity), bounds);
  }
  #channel(query) {
    return Math.max(this.world.blockTypes.channels().indexOf(query.channel ?? "default"), 0);
  }
  #options(query, rules) {
    const options = { ...plainOf(PLAIN.QueryOptions, query), levels: levelsOf(query), channel: this.#channel(query),
      reportUnknown: query.unknown ?? false, corner: named(this.fr.Corner, query.corner ?? "both") };
    if ("ignore" in query) options.ignore = query.ignore;
    if (rules !== undefined) Object.assign(options, { rules: rules.rules, budgets: rules.amounts(query.budgets ?? {}) });
    return options;
  }
  #hit(hit) {
    const { kind, face, normal, t, tExit, terminal, point, distance, level, block, type, id, isBox } = hit.copy();
    const answer = kind === this.fr.HitKind.BLOCK ? { kind: "block", level, block, type: this.names.get(type) } : { kind: "entity", entity: id, level };
    Object.assign(answer, { t, t_exit: tExit, terminal, point, normal, distance });
    if (kind === this.fr.HitKind.BLOCK || isBox) answer.face = face;
    return answer;
  }

  // Returns a query of sight, and its options.
  #view(query) {
    const options = { ...plainOf(PLAIN.SightOptions, query), levels: levelsOf(query), channel: this.#channel(query),
      unloaded: named(this.fr.Unloaded, query.unloaded ?? "report") };
    if ("ignore" in query) options.ignore = query.ignore;
    const toUnits = ([low, high]) => this.fr.SightQuery.of(low, low, high).boxUnits;
    options.occluders = [...(query.occluders ?? []).map(toUnits), ...(query.occluder_units ?? [])];
    const eye = query.eye_units ?? this.fr.SightQuery.of(query.eye, query.eye, query.eye).eyeUnits;
    return [this.fr.SightQuery.units(eye, ...(query.box_units ?? toUnits(query.box))), options];
  }
  _visible(query) {
    const [view, options] = this.#view(query), { sight, witness } = this.world.findWitness(view, options);
    const answer = { sight: Object.keys(this.fr.Sight).find((word) => this.fr.Sight[word] === sight).toLowerCase() };
    if (witness !== null) {
      const delta = witness.delta.map((each) => (BigInt.asIntN(64, each) === each ? each : String(each)));
      answer.witness = { delta, unit: witness.isUnit };
    }
    if (query.certificate && sight === this.fr.Sight.HIDDEN) answer.certificate = this.world.findCertificate(view, options);
    return answer;
  }
  _exposure(query) {
    const [from, to] = this.world.exposure(...this.#view(query));
    return { from, to };
  }
  _blast(query) {
    const resistances = Array(Math.max(...this.names.keys()) + 1).fill(this.fr.UNBREAKABLE);
    for (const [name, each] of Object.entries(query.resistances)) resistances[this.types[name]] = each;
    const { rays } = query, made = Array.isArray(rays) ? this.fr.BlastRays.of(rays) : this.fr.BlastRays.cubeFan(rays.cube, rays.step, rays.power);
    const blast = this.world.blast({
      center: query.center, radius: query.radius, rays: made, resistances, falloff: query.falloff ?? 0,
      maxSamples: Math.min(Number(query.max_samples ?? MOST_CROSSINGS), MOST_CROSSINGS),
    }, this.#options(query, undefined));
    return {
      blocks: blast.blocks.map(({ level, block, ray, steps, power, type }) => ({ level, block, ray, steps, power, type: this.names.get(type) })),
      entities: blast.entities.map(({ id, distance, from, to }) => ({ entity: id, distance, from, to })),
      samples: blast.samples, reaches_unknown: blast.reachesUnknown,
    };
  }
  _walk({ from, to, cell = 1, corner = "both" }) {
    const walk = new this.fr.Walk(from.map(Number), to.map(Number), { widths: cell, corner: named(this.fr.Corner, corner) });
    try {
      if (walk.crossings > MOST_CROSSINGS) {
        throw new this.fr.FractalrayError("RESOURCE_EXHAUSTED", `the walk crosses ${walk.crossings} planes`);
      }
      return { cells: [...walk].map(({ cell, t, face }) => ({ cell, t, face })) };
    } finally {
      walk.free();
    }
  }
  _entity_chunks(query) {
    const entity = this.world.entities.find(query.entity);
    return { index_level: this.world.entities.info(entity).indexLevel, chunks: this.world.entities.chunks(entity) };
  }
  _descend(query) {
    return this.#moved(this.world.window.descend(query.chunk));
  }
  _climb() {
    return this.#moved(this.world.window.climb());
  }
  _recenter(query) {
    return this.#moved(this.world.window.recenter(query.chunk));
  }
  #moved({ evicted, droppedChunks }) {
    return { anchor: this.world.window.anchor, evicted, dropped_chunks: droppedChunks };
  }
  _load(query) {
    this.#load(query.chunk);
    return {};
  }
  _add(query) {
    this.#add(query.entity);
    return {};
  }
  _path(query) {
    return { path: this.world.window.path(query.level, query.chunk) };
  }
}

// Terminal rules whose budgets have names.
class NamedRules {
  constructor(fr, { budgets = {}, blocks = [], entities = [] }, types) {
    this.rules = new fr.Rules();
    this.start = budgets;
    this.budgets = Object.fromEntries(Object.entries(budgets).map(([name, amount]) => [name, this.rules.addBudget(amount)]));
    for (const rule of blocks) this.rules.setBlock(types[rule.type], this.#rule(fr, rule), rule.levels);
    for (const rule of entities) this.rules.setEntities(rule.categories, this.#rule(fr, rule), rule.levels);
  }
  #rule(fr, { response, budget, ...costs }) {
    if (response !== undefined) return response === "stop" ? fr.Rule.stop() : fr.Rule.proceed();
    return fr.Rule.cost(this.budgets[budget], plainOf(PLAIN.Rule, costs));
  }
  amounts(changed) {
    return Object.keys(this.budgets).map((name) => ({ ...this.start, ...changed })[name]);
  }
  named(amounts) {
    return Object.fromEntries(Object.keys(this.budgets).sort().map((name) => [name, amounts[this.budgets[name]]]));
  }
}

// Returns the boxes of a shape; the whole cube for an object without.
function boxesOf(look) {
  return look.boxes ?? [[[0, 0, 0], [1, 1, 1]]];
}

function lineJson(line) {
  const from = line.startUnits;
  return { from, delta: line.endUnits.map((end, axis) => end - from[axis]), t_end: line.lastTime };
}
