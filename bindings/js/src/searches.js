// SPDX-License-Identifier: Apache-2.0
// Searches for entities and blocks in a sphere or a box: methods that worlds and snapshots both have.

import * as layout from "./layout.js";
import { integer, number, pushPoint, readArray, readStructs } from "./arguments.js";
import { Blasts } from "./blasts.js";
import { foundBlock, foundEntity } from "./found.js";
import { memory, module } from "./module.js";
import { withOptions } from "./options.js";

export class Searches extends Blasts {
  // Returns the entities whose closed shape touches a closed ball, by distance, then id.
  entitiesInSphere(center, radius, options = undefined) {
    return this.#search(module.c.frWorld_EntitiesInSphere, layout.FoundEntity, foundEntity,
      () => [pushPoint(center, "the center"), number(radius, "the radius")], options);
  }
  // Returns the entities whose closed shape touches a closed box, by id.
  entitiesInBox(min, max, options = undefined) {
    return this.#search(module.c.frWorld_EntitiesInBox, layout.FoundEntity, foundEntity,
      () => [pushPoint(min, "the smaller corner"), pushPoint(max, "the larger corner")], options);
  }
  // Returns the entities nearest to a point, at most `count` of them.
  nearestEntities(position, count, maxDistance = Infinity, options = undefined) {
    // There is memory for no more than there are.
    const most = Math.min(integer(count, "count", 1, 2 ** 24), Math.max(this.entities.length, 1)), mark = memory.enter();
    try {
      const at = pushPoint(position, "the position"), distance = number(maxDistance, "maxDistance");
      const found = new layout.FoundEntity(memory, 0);
      return withOptions(options, (o) => readArray(layout.FoundEntity.size,
        (...to) => module.c.frWorld_NearestEntities(this.live, at, distance, o.mask, o.at, ...to),
        (begin, size) => {
          found.at = found.begin = begin;
          return Array.from({ length: size }, (_, i) => foundEntity(found.move(i)));
        }, most));
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the blocks, not empty ones, that touch a closed ball, by distance.
  blocksInSphere(center, radius, options = undefined) {
    return this.#search(module.c.frWorld_BlocksInSphere, layout.FoundBlock, foundBlock,
      () => [pushPoint(center, "the center"), number(radius, "the radius")], options);
  }
  // Returns the blocks, not empty ones, that touch a closed box, by level and index.
  blocksInBox(min, max, options = undefined) {
    return this.#search(module.c.frWorld_BlocksInBox, layout.FoundBlock, foundBlock,
      () => [pushPoint(min, "the smaller corner"), pushPoint(max, "the larger corner")], options);
  }
  #search(call, Struct, read, area, options) {
    const mark = memory.enter();
    try {
      const [first, second] = area();
      return withOptions(options, (o) =>
        readStructs(Struct, (...to) => call(this.live, first, second, o.mask, o.at, ...to), read));
    } finally {
      memory.leave(mark);
    }
  }
}
