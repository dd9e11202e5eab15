// SPDX-License-Identifier: Apache-2.0
// A prismarine-world seen through fractalray: rays, lines of sight, and the looks of entities.

import { HitKind, Line, Options, World } from "fractalray";
import { Columns } from "./columns.js";
import { EntityMirror, OTHERS } from "./entities.js";
import { Listeners } from "./listeners.js";
import { matchAlong } from "./matching.js";
import { checkSegment, endOf, isViewer, rayOf, viewDirection } from "./rays.js";
import { cellOf, faceOf, pointOf, Vec3 } from "./results.js";
import { settingsOf } from "./settings.js";
import { StateTypes } from "./types.js";

// Columns that one query may find to be out of date; a line of 4,096 blocks crosses fewer.
const MOST_ATTEMPTS = 1024;
const LINE_NAMES = { shapes: 0, unloaded: 0 };
const LIST_NAMES = { ...LINE_NAMES, blocks: 0, entities: 0, ignore: 0, until: 0, most: 0 };

export class Sight {
  #theirs;
  #settings;
  #types;
  #columns;
  #mirror;
  #beforeUpdate;
  #prepared = new Map();
  #line = new Line();

  // theirs: the WorldSync of prismarine-world. settings: see settings.js. entities: a function that returns the
  // present ones; undefined if mark() and gone() of `mirror` are called. beforeUpdate(mirror): called before that.
  constructor(theirs, settings, entities, beforeUpdate = undefined) {
    // The fractalray World, for other queries. Sections are in it once they are read: see readAll().
    this.world = new World();
    // The point where the line of the last query entered what is not loaded, if that ended it; else null.
    this.unloadedAt = null;
    this.listeners = new Listeners();
    this.#theirs = theirs;
    this.#settings = settings;
    this.#types = new StateTypes(this.world, settings.typePerState, settings.shapeOf);
    this.#columns = new Columns(this.world, theirs, this.#types);
    this.#mirror = new EntityMirror(this.world.entities, entities);
    this.#beforeUpdate = beforeUpdate;
  }
  // Stops listening, and frees the world.
  detach() {
    this.listeners.remove();
    for (const { options } of this.#prepared.values()) options.free();
    this.#line.free();
    this.world.free();
  }

  // ---- Keeping in step: called for events of the prismarine-world ----

  columnChanged(chunkX, chunkZ) {
    this.#columns.changed(chunkX, chunkZ);
  }
  blockChanged(position) {
    this.#columns.blockChanged(position);
  }
  get mirror() {
    return this.#mirror;
  }
  // Returns the entities that no query hits, since they have no size or are too large.
  get entitiesLeftOut() {
    this.#updateEntities();
    return [...this.#mirror.leftOut.values()];
  }
  // Reads all sections of all columns, for queries of `world` itself.
  readAll() {
    this.#columns.readAll();
    this.#updateEntities();
  }
  // Returns the block type of a state in `world`; undefined if no section with it has been read.
  typeOf(stateId) {
    return this.#types.find(stateId);
  }
  // Returns the number of the channel of a shape in `world`.
  channelOf(shapes) {
    return this.#types.channels[shapes];
  }
  // Returns the entity with an id in `world`.
  entityOf(id) {
    return this.#mirror.entity(id);
  }
  #updateEntities() {
    this.#beforeUpdate?.(this.#mirror);
    this.#mirror.update();
  }

  // ---- Rays ----

  // Returns the first block on a ray, with `face` and `intersect`; null if there is none. As world.raycast().
  raycast(from, direction, range, matcher = null, given = undefined) {
    const settings = settingsOf(this.#settings, given, LINE_NAMES), ray = rayOf(from, direction, range);
    this.unloadedAt = null;
    if (matcher) {
      const isEnd = (position) => settings.unloaded === "stop" && this.#columns.isUnloaded(position);
      const { block, unloadedAt } =
        matchAlong((position) => this.#theirs.getBlock(position), from, direction, range, ray, matcher, isEnd);
      this.unloadedAt = unloadedAt;
      return block;
    }
    const hit = this.#firstHit(ray, settings, this.#optionsOf(settings.shapes));
    return hit === null ? null : this.#blockOf(hit);
  }
  #firstHit(ray, settings, options) {
    const { x, y, z, dx, dy, dz, distance } = ray;
    const hit = this.#query(() => this.#columns.read(x, y, z, ...endOf(ray)),
      () => this.world.closestHitOfRay(x, y, z, dx, dy, dz, distance, options));
    if (settings.unloaded !== "stop") return hit;
    const t = hit === null ? Infinity : hit.t;
    return this.#endsBefore(t, (part) => this.#line.setRay(x, y, z, dx, dy, dz, part), distance) ? null : hit;
  }
  // Returns the hit of a query; reads columns again that turn out to have been edited without an event.
  #query(read, run) {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; ++attempt) {
      read();
      const hit = run();
      if (hit === null || !hit.isBlock || this.#columns.isCurrent(hit.cell(0), hit.cell(1), hit.cell(2), hit.type)) return hit;
    }
    throw new Error("the sections of prismarine-chunk are not what its getBlockStateId() says; please report its version");
  }
  // Returns true, and sets unloadedAt, if a line enters what is not loaded before a time.
  #endsBefore(t, makeLine, distance) {
    const unloaded = this.#columns.firstUnloaded(makeLine, distance);
    if (unloaded === null || t <= unloaded) return false;
    this.unloadedAt = new Vec3(...makeLine(distance).pointAt(unloaded));
    return true;
  }
  // Returns the prepared options of queries for blocks; with a viewer also for entities, but not itself.
  #optionsOf(shapes, viewer = undefined) {
    const withEntities = viewer !== undefined, key = `${shapes} ${withEntities}`;
    let made = this.#prepared.get(key);
    if (made === undefined) {
      const init = { channel: this.channelOf(shapes), noEntities: !withEntities, categories: OTHERS };
      made = { options: new Options(init), ignored: undefined };
      this.#prepared.set(key, made);
    }
    const ignored = withEntities ? this.#mirror.numberOf(viewer) : undefined;
    if (made.ignored !== ignored) {
      made.options.set({ ignore: ignored === undefined ? [] : [ignored] });
      made.ignored = ignored;
    }
    return made.options;
  }
  // Returns the block of a hit as their raycast does.
  #blockOf(hit) {
    const block = this.#theirs.getBlock(cellOf(hit));
    block.face = faceOf(hit.faceAxis, hit.faceSign);
    block.intersect = pointOf(hit);
    return block;
  }

  // Returns the blocks and entities along a ray, in order: { hits, unloaded }. See the types.
  along(from, direction, range, given = undefined) {
    const settings = settingsOf(this.#settings, given, LIST_NAMES), ray = rayOf(from, direction, range);
    const { blocks = true, entities = true, ignore = [], until = isBlock, most = Infinity } = given ?? {};
    if (!(most >= 0)) throw new TypeError(`the options: most is ${String(most)}; it must be a number, 0 or more`);
    const { x, y, z, dx, dy, dz, distance } = ray, end = endOf(ray);
    this.unloadedAt = null;
    if (entities) this.#updateEntities();
    const read = () => this.#columns.read(x, y, z, ...end);
    read();
    const makeLine = (part) => this.#line.setRay(x, y, z, dx, dy, dz, part);
    const unloadedTime = this.#columns.firstUnloaded(makeLine, distance);
    const line = new Line().setRay(x, y, z, dx, dy, dz, distance), length = line.length;
    const numbers = ignore.map((each) => this.#mirror.numberOf(each)).filter((each) => each !== undefined);
    const options = new Options({
      channel: this.channelOf(settings.shapes), noBlocks: !blocks, noEntities: !entities, ignore: numbers,
    });
    const hits = [], after = [];
    try {
      const unloaded = unloadedTime === null ? null
        : { distance: unloadedTime * length, point: new Vec3(...line.pointAt(unloadedTime)) };
      const lastTime = unloaded !== null && settings.unloaded === "stop" ? unloadedTime : Infinity;
      while (hits.length < most) {
        const hit = this.#query(read, () => this.world.closestHitOn(line, options));
        if (hit === null || hit.t > lastTime) {
          if (lastTime !== Infinity) this.unloadedAt = unloaded.point;
          break;
        }
        after.push(hit.clone());
        hits.push(this.#entryOf(hit, length));
        if (until(hits.at(-1))) break;
        options.set({ after });
      }
      return { hits, unloaded };
    } finally {
      for (const each of [line, options, ...after]) each.free();
    }
  }
  #entryOf(hit, length) {
    const entry = {
      kind: hit.kind === HitKind.BLOCK ? "block" : "entity", distance: hit.distance, exitDistance: hit.tExit * length,
      point: pointOf(hit), face: faceOf(hit.faceAxis, hit.faceSign), startInside: hit.startInside,
    };
    if (hit.isBlock) entry.block = this.#blockOf(hit);
    else entry.entity = this.#mirror.entity(hit.id);
    return entry;
  }

  // ---- Lines of sight ----

  // Returns "clear", "blocked" or "unloaded": what the shapes of blocks let through between two points.
  lineOfSight(from, to, given = undefined) {
    const settings = settingsOf(this.#settings, given, LINE_NAMES);
    this.unloadedAt = null;
    if (this.firstBetween(from, to, settings.shapes) !== null) return "blocked";
    if (settings.unloaded !== "stop") return "clear";
    const makeLine = () => this.#line.setSegment(from.x, from.y, from.z, to.x, to.y, to.z);
    return this.#endsBefore(Infinity, makeLine, 0) ? "unloaded" : "clear";
  }
  // Returns the position of the first block between two points; null if there is none.
  firstBetween(from, to, shapes = this.#settings.shapes) {
    checkSegment(from, to);
    const ends = [from.x, from.y, from.z, to.x, to.y, to.z], options = this.#optionsOf(shapes);
    const hit = this.#query(() => this.#columns.read(...ends), () => this.world.closestHit(...ends, options));
    return hit === null ? null : cellOf(hit);
  }

  // ---- The looks of entities ----

  // Returns the point from which an entity looks.
  eyeOf(entity) {
    return new Vec3(entity.position.x, entity.position.y + this.#settings.eyeHeight(entity), entity.position.z);
  }
  // Returns the block that an entity looks at; null if there is none. As bot.blockAtEntityCursor().
  blockAtEntityCursor(entity, maxDistance = 256, matcher = null, given = undefined) {
    if (!isViewer(entity)) return null;
    return this.raycast(this.eyeOf(entity), viewDirection(entity), maxDistance, matcher, given);
  }
  // Returns the entity that an entity looks at, before any block; null if there is none.
  entityAtEntityCursor(entity, maxDistance = 3.5, given = undefined) {
    if (!isViewer(entity)) return null;
    const settings = settingsOf(this.#settings, given, LINE_NAMES);
    const ray = rayOf(this.eyeOf(entity), viewDirection(entity), maxDistance);
    this.unloadedAt = null;
    this.#updateEntities();
    const hit = this.#firstHit(ray, settings, this.#optionsOf(settings.shapes, entity));
    return hit !== null && hit.isEntity ? this.#mirror.entity(hit.id) : null;
  }
  // Returns the blocks and entities along the look of an entity, as along() does, without itself.
  lookOf(entity, maxDistance = 256, given = undefined) {
    if (!isViewer(entity)) return { hits: [], unloaded: null };
    const ignore = [entity, ...given?.ignore ?? []];
    return this.along(this.eyeOf(entity), viewDirection(entity), maxDistance, { ...given, ignore });
  }
}

function isBlock(hit) {
  return hit.kind === "block";
}
