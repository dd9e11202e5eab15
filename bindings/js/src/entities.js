// SPDX-License-Identifier: Apache-2.0
// The entities of a world: moving spheres and boxes, each known by its handle, a number.

import * as layout from "./layout.js";
import { exactNumber, integer, level as levelNumber, members, number, point, readArray, wide } from "./arguments.js";
import { withChunkBox } from "./blocks.js";
import { invalid, refuseType } from "./errors.js";
import { memory, module } from "./module.js";
import { withVectors } from "./vectors.js";

const UNITS = layout.UNITS_PER_BLOCK;
const MEMBERS = { id: 0, level: 0, position: 0, radius: 0, halfExtents: 0, categories: 0, entityClass: 0 };
const SET = {
  level: layout.SET_LEVEL, categories: layout.SET_CATEGORIES, position: layout.SET_POSITION,
  radius: layout.SET_SHAPE, halfExtents: layout.SET_SHAPE, entityClass: layout.SET_CLASS,
};

function entity(handle) {
  return wide(handle, "the entity");
}
// Returns how many entities an array has.
function countOf(entities) {
  return integer(entities?.length, "the length of the entities", 0);
}
// Returns the members of a change that are not undefined.
function definedMembers(change) {
  if (typeof change !== "object" || change === null) refuseType(change, "a change", "it must be an object");
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

// Writes the members of an entity that are given to a struct of zeros.
function define(def, given) {
  members(given, MEMBERS, "the entity");
  const { id, level = 0, position, radius, halfExtents, categories, entityClass = 0 } = given;
  if (id !== undefined) def.idBig = wide(id, "the entity's id");
  def.level = levelNumber(level);
  def.categoriesBig = categories === undefined ? 1n : wide(categories, "the entity's categories");
  if (position !== undefined) {
    point(position, "the entity's position").forEach((at, axis) => def.setPosition(axis, at));
  }
  def.entityClass = integer(entityClass, "the entity's class", 0, 2 ** 32 - 1);
  if (radius !== undefined && halfExtents !== undefined) {
    invalid("the entity has a radius and halfExtents; give one of them");
  }
  if (radius !== undefined) def.setHalfExtents(0, number(radius, "the entity's radius"));
  if (halfExtents !== undefined) {
    def.shape = layout.BOX;
    point(halfExtents, "the entity's halfExtents").forEach((half, axis) => def.setHalfExtents(axis, half));
  }
}

export class Entities {
  #world;
  constructor(world) {
    this.#world = world;
  }
  // Adds an entity and returns its handle.
  add(given) {
    return this.addMany([given])[0];
  }
  // Adds many entities, all or none. Returns their handles.
  addMany(given) {
    const list = Array.from(given), count = list.length;
    return this.#withDefs(list, (defs, out) => {
      list.forEach((each, i) => {
        if (each.id === undefined) refuseType(each.id, `the id of entity ${i}`, "it must be an integer");
        if (each.position === undefined) {
          refuseType(each.position, `the position of entity ${i}`, "it must be an array of three numbers");
        }
        if (each.radius === undefined && each.halfExtents === undefined) {
          invalid(`entity ${i} has no size; give a radius, of a sphere, or halfExtents, of a box`);
        }
      });
      this.#world.check(module.c.frWorld_AddEntities(this.#world.live, defs.begin, count, out));
      if (list.some((_, i) => defs.move(i).categories === 0)) this.#setCategories(out, defs, count);
      return readHandles(out, count);
    });
  }
  // Sets the categories of new entities, of which the library has read 0 as 1. Removes them if that fails.
  #setCategories(entities, defs, count) {
    const { c } = module, world = this.#world.live;
    const result = c.frWorld_UpdateEntities(world, entities, defs.begin, layout.SET_CATEGORIES, count);
    if (result === 0) return;
    const error = module.error(result);
    c.frWorld_RemoveEntities(world, entities, count);
    throw error;
  }
  #withDefs(list, call) {
    const Def = layout.EntityDef, at = memory.allocateZeros((Def.size + 8) * list.length);
    try {
      const defs = new Def(memory, at);
      list.forEach((each, i) => {
        defs.move(i).structSize = Def.size;
        define(defs, each);
      });
      return call(defs, at + Def.size * list.length);
    } finally {
      memory.free(at);
    }
  }
  #withHandles(entities, call) {
    const count = countOf(entities), at = memory.allocate(8 * count);
    try {
      for (let i = 0; i < count; ++i) {
        const handle = entities[i];
        if (Number.isSafeInteger(handle)) {
          memory.u32[(at >>> 2) + 2 * i] = handle;
          memory.u32[(at >>> 2) + 2 * i + 1] = Math.floor(handle / 4294967296);
        } else {
          const bits = entity(handle);
          memory.u64[(at >>> 3) + i] = bits;
        }
      }
      return call(at);
    } finally {
      memory.free(at);
    }
  }
  // Moves an entity.
  move(entity, position) {
    this.moveMany([entity], Float64Array.from(point(position, "the position")));
  }
  // Moves entities, all or none, to positions: three numbers for each, a Float64Array, a Float32Array, or a
  // ModuleArray of one of these, which is read in place.
  moveMany(entities, positions) {
    [entities, positions] = memory.lastingEach(entities, positions);
    const count = countOf(entities);
    this.#withHandles(entities, (handles) => withVectors(positions, count, "positions", (vectors) =>
      this.#world.check(module.c.frWorld_MoveEntities(this.#world.live, handles, vectors, count))));
  }
  // Changes members of entities, all or none. `given` has the members of each, which all have the same names; those
  // that are undefined stay.
  update(entities, given) {
    const list = Array.from(given, (each) => definedMembers(each)), names = Object.keys(list[0] ?? {});
    entities = memory.lasting(entities);
    const count = countOf(entities);
    if (list.length !== count) invalid(`there are ${count} entities and ${list.length} changes`);
    if (list.some((each) => Object.keys(each).length !== names.length || !names.every((name) => name in each))) {
      invalid("the changes must all have the same members; call update once for each set of them");
    }
    let mask = 0;
    for (const name of names) {
      if (!Object.hasOwn(SET, name)) {
        invalid(`an entity's ${name} cannot change; there are ${Object.keys(SET).join(", ")}`);
      }
      mask |= SET[name];
    }
    this.#withDefs(list, (defs) => this.#withHandles(entities, (handles) =>
      this.#world.check(module.c.frWorld_UpdateEntities(this.#world.live, handles, defs.begin, mask, count))));
  }
  // Removes an entity; "NOT_FOUND" if it is not alive.
  remove(entity) {
    this.removeMany([entity]);
  }
  // Removes entities, all or none.
  removeMany(entities) {
    entities = memory.lasting(entities);
    this.#withHandles(entities, (handles) =>
      this.#world.check(module.c.frWorld_RemoveEntities(this.#world.live, handles, countOf(entities))));
  }
  // Describes an entity; "NOT_FOUND" if it is not alive.
  info(handle) {
    const mark = memory.enter();
    try {
      const info = memory.pushStruct(layout.EntityInfo);
      this.#world.check(module.c.frWorld_GetEntity(this.#world.live, entity(handle), info.at));
      const { level, entityClass, indexLevel } = info, axes = [0, 1, 2];
      const half = axes.map((axis) => info.halfExtents(axis) / UNITS);
      return {
        id: exactNumber(info.idBig), level, categories: exactNumber(info.categoriesBig), entityClass, indexLevel,
        position: axes.map((axis) => info.position(axis) / UNITS),
        ...(info.shape === layout.BOX ? { halfExtents: half } : { radius: half[0] }),
      };
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the living entity with an id; "NOT_FOUND" if there is none.
  find(id) {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.#world.check(module.c.frWorld_FindEntity(this.#world.live, wide(id, "the id"), out));
      return memory.readU64(out);
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the handles of all entities.
  all() {
    return readArray(8, (...to) => module.c.frWorld_GetEntities(this.#world.live, ...to), readHandles);
  }
  get length() {
    const mark = memory.enter();
    try {
      const out = memory.pushZeros(8);
      this.#world.check(module.c.frWorld_GetEntities(this.#world.live, 0, 0, out));
      return memory.u32[out >>> 2];
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the chunks of its index level that an entity touches.
  chunks(handle) {
    const checked = entity(handle);
    return readArray(24, (...to) => module.c.frWorld_GetEntityChunks(this.#world.live, checked, ...to),
      (at, count) => Array.from({ length: count }, (_, i) => memory.readIndex(at + 24 * i)));
  }
  // Returns a fingerprint, a BigInt, of the entities of a level whose centres lie in the chunks from `first` to `last`.
  fingerprint(level, first, last) {
    return withChunkBox(level, first, last, (number, min, max) => {
      const out = memory.push(8);
      this.#world.check(module.c.frWorld_Fingerprint(this.#world.live, number, min, max, 0, out));
      return memory.u64[out >>> 3];
    });
  }
  // Puts crowds in order, after the moves of a tick: many queries of them then take less time. Returns the number of
  // crowded chunks that have changed since the last call. No answer depends on it.
  optimize() {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.#world.check(module.c.frWorld_OptimizeEntities(this.#world.live, out));
      return memory.u32[out >>> 2];
    } finally {
      memory.leave(mark);
    }
  }
  // Moves up to `most` entities that a descent has left in coarser chunks into finer ones. Returns true if none
  // are left. No answer depends on it.
  refine(most = 2 ** 31) {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.#world.check(module.c.frWorld_RefineEntities(this.#world.live, integer(most, "most", 0, 2 ** 31), out));
      return memory.i32[out >>> 2] !== 0;
    } finally {
      memory.leave(mark);
    }
  }
}

// Returns an array of handles of the module's memory.
export function readHandles(at, count) {
  return Array.from({ length: count }, (_, i) => memory.readU64(at + 8 * i));
}
