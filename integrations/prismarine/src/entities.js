// SPDX-License-Identifier: Apache-2.0
// Keeps the entities of a fractalray world in step with those of a bot: boxes as wide and high as prismarine-entity says,
// with the feet in the middle of the lower side. Changes are marked, and applied before the next query.

// The categories: those that mineflayer's entityAtCursor() leaves out, and all others.
export const OBJECTS = 2;
export const OTHERS = 1;
// In a fractalray world of one level an entity's half extents are less than a chunk.
const MOST_SIZE = 32;
const MOST_COORDINATE = 2 ** 40;

function categoryOf(entity) {
  return entity.type === "object" ? OBJECTS : OTHERS;
}

// Returns true if an entity has a position and a size, and is not too large. NaN is no position.
function fits({ position, width, height }) {
  return width > 0 && height > 0 && width < MOST_SIZE && height < MOST_SIZE && position != null &&
    Math.max(Math.abs(position.x), Math.abs(position.y), Math.abs(position.z)) < MOST_COORDINATE;
}

export class EntityMirror {
  #entities;
  #read;
  #records = new Map();  // by prismarine's id
  #byNumber = new Map();
  #marked = new Map();  // from ids to entities; null for one that is gone
  #next = 1;

  // entities: those of the fractalray world. read(): returns the present entities, in a Map, an array or an object,
  // which are compared before each query; undefined if mark() and gone() say what has changed.
  constructor(entities, read) {
    this.#entities = entities;
    this.#read = read;
    // By id the entities that no query hits: without a size or a position, or 32 blocks wide or high.
    this.leftOut = new Map();
  }
  mark(entity) {
    if (entity?.id !== undefined) this.#marked.set(entity.id, entity);
  }
  gone(entity) {
    if (entity?.id !== undefined) this.#marked.set(entity.id, null);
  }
  // Marks all of a list of entities, and those that are not in it as gone, in place of earlier marks.
  replace(list) {
    this.#marked.clear();
    for (const id of this.#records.keys()) this.#marked.set(id, null);
    for (const id of this.leftOut.keys()) this.#marked.set(id, null);
    for (const entity of list) this.mark(entity);
  }
  // Returns the entity with a fractalray id.
  entity(number) {
    return this.#byNumber.get(number)?.entity;
  }
  // Returns the fractalray id of an entity; undefined if no query hits it.
  numberOf(entity) {
    return this.#records.get(entity?.id)?.number;
  }
  // Applies what has changed.
  update() {
    const present = this.#read?.();
    if (present !== undefined) this.replace(listOf(present));
    if (this.#marked.size === 0) return;
    const moves = [];
    try {
      for (const [id, entity] of this.#marked) {
        // One that throws does so once: it is left out, and the others are applied by the next update.
        this.#marked.delete(id);
        this.#apply(id, entity, moves);
      }
      this.#move(moves);
    } catch (error) {
      for (const { entity } of moves) this.mark(entity);
      throw error;
    }
  }
  #apply(id, entity, moves) {
    const record = this.#records.get(id);
    if (entity === null) this.leftOut.delete(id);
    else this.leftOut.set(id, entity);
    if (entity !== null && fits(entity)) {
      this.#set(record, entity, moves);
      this.leftOut.delete(id);
    } else if (record !== undefined) {
      this.#remove(id, record);
    }
  }
  #move(moves) {
    if (moves.length === 0) return;
    const handles = moves.map(({ record }) => record.handle), positions = moves.flatMap(({ position }) => position);
    this.#entities.moveMany(handles, Float64Array.from(positions));
    for (const { record, x, y, z } of moves) Object.assign(record, { x, y, z });
  }
  #remove(id, record) {
    this.#entities.remove(record.handle);
    this.#records.delete(id);
    this.#byNumber.delete(record.number);
  }
  // Adds or changes an entity; appends one that has only moved to `moves`.
  #set(record, entity, moves) {
    const { width, height } = entity, category = categoryOf(entity), half = height / 2;
    const { x, y, z } = entity.position, position = [x, y + half, z], halfExtents = [width / 2, half, width / 2];
    if (record === undefined) {
      const made = { number: this.#next++, entity, x, y, z, width, height, category };
      made.handle = this.#entities.add({ id: made.number, position, halfExtents, categories: category });
      this.#records.set(entity.id, made);
      this.#byNumber.set(made.number, made);
      return;
    }
    record.entity = entity;
    if (record.width !== width || record.height !== height || record.category !== category) {
      this.#entities.update([record.handle], [{ position, halfExtents, categories: category }]);
      Object.assign(record, { x, y, z, width, height, category });
    } else if (record.x !== x || record.y !== y || record.z !== z) {
      moves.push({ record, entity, position, x, y, z });
    }
  }
}

function listOf(entities) {
  if (typeof entities[Symbol.iterator] !== "function") return Object.values(entities);
  return entities instanceof Map ? entities.values() : entities;
}
