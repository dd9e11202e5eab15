// SPDX-License-Identifier: Apache-2.0
// Queries along one line: methods that worlds and snapshots both have.

import * as layout from "./layout.js";
import { choice, instance, members, POINTS, RAY, readArray, readStructs, refuseNumbers } from "./arguments.js";
import { BlockReader } from "./blocks.js";
import { ChunkCursor, HitCursor } from "./cursors.js";
import { Corner } from "./enums.js";
import { invalid } from "./errors.js";
import { hitAt, Hits, hitsAt } from "./hits.js";
import { Line } from "./lines.js";
import { memory, module } from "./module.js";
import { DEFAULTS, endUse, Options, optionsOf, withKeptFilters, withOptions } from "./options.js";
import { addUse, filled, whileUsed } from "./owned.js";
import { appendAll, appendInPieces, Shot, withNewShot } from "./shots.js";

const PIECE_OF_CHUNKS = 256;
const CHUNKS = { levels: 0, corner: 0, loadedOnly: 0 };

// Returns the hit of a query, which is the first of its array; null if there is none.
function found(hit) {
  hit.at = hit.begin;
  hit._hold(hit.kind === layout.HIT_NONE ? 0 : 1);
  return hit.length === 0 ? null : hit;
}

// Begins a query with a hit, whose class it checks. Returns true for options with filters: then the memory of both
// stays until end(). Both are small, without addUse(): else V8 does not inline the hot methods, whose arguments are then
// garbage.
function begin(o, hit) {
  if (!(hit instanceof Hits)) hitsAt(hit);
  if (o.filterCallbacks === null) return false;
  ++o._uses;
  ++hit._uses;
  return true;
}
function end(o, hit) {
  --o._uses;
  --hit._uses;
  module.forgetOwner();
}

// Returns the address of a line.
export function lineAt(line) {
  return instance(line, Line, "the line")._live;
}

export class LineQueries extends BlockReader {
  // The hit of closestHit() and the like, by default: good until the next of them.
  hit = new Hits(1);

  // ---- Hot: without garbage if the options are prepared, or left out. ----

  // Finds the first hit between two points; null if there is none. Calls no callbacks but filters.
  closestHit(x0, y0, z0, x1, y1, z1, options = undefined, hit = this.hit) {
    const o = options === undefined ? DEFAULTS : options;
    if (o !== DEFAULTS && !(o instanceof Options)) {
      return this._again("closestHit", options, hit, x0, y0, z0, x1, y1, z1);
    }
    if (typeof x0 !== "number" || typeof y0 !== "number" || typeof z0 !== "number" ||
        typeof x1 !== "number" || typeof y1 !== "number" || typeof z1 !== "number") {
      refuseNumbers(POINTS, x0, y0, z0, x1, y1, z1);
    }
    const isFiltered = begin(o, hit);
    const result = module.hot.frjs_ClosestHit(this.handle, x0, y0, z0, x1, y1, z1, o.mask, o.at, hit.begin);
    if (isFiltered) end(o, hit);
    if (result !== 0 || module.hasThrown) {
      this.#failLine(result, o, hit, POINTS, x0, y0, z0, x1, y1, z1);
    }
    return found(hit);
  }
  // Finds the first hit of a ray: a point, a direction of any length, a distance in finest-block widths.
  closestHitOfRay(x, y, z, dx, dy, dz, maxDistance = Infinity, options = undefined, hit = this.hit) {
    const o = options === undefined ? DEFAULTS : options;
    if (o !== DEFAULTS && !(o instanceof Options)) {
      return this._again("closestHitOfRay", options, hit, x, y, z, dx, dy, dz, maxDistance);
    }
    if (typeof x !== "number" || typeof y !== "number" || typeof z !== "number" || typeof dx !== "number" ||
        typeof dy !== "number" || typeof dz !== "number" || typeof maxDistance !== "number") {
      refuseNumbers(RAY, x, y, z, dx, dy, dz, maxDistance);
    }
    const isFiltered = begin(o, hit);
    const result =
      module.hot.frjs_ClosestHitOfRay(this.handle, x, y, z, dx, dy, dz, maxDistance, o.mask, o.at, hit.begin);
    if (isFiltered) end(o, hit);
    if (result !== 0 || module.hasThrown) {
      this.#failLine(result, o, hit, RAY, x, y, z, dx, dy, dz, maxDistance);
    }
    return found(hit);
  }
  // Finds out if a solid block, or an entity with entitiesBlock, is between two points: an Occlusion, of
  // which CLEAR alone is 0.
  occluded(x0, y0, z0, x1, y1, z1, options = undefined) {
    const o = options === undefined ? DEFAULTS : options;
    if (o !== DEFAULTS && !(o instanceof Options)) {
      return this._again("occluded", options, undefined, x0, y0, z0, x1, y1, z1);
    }
    if (typeof x0 !== "number" || typeof y0 !== "number" || typeof z0 !== "number" ||
        typeof x1 !== "number" || typeof y1 !== "number" || typeof z1 !== "number") {
      refuseNumbers(POINTS, x0, y0, z0, x1, y1, z1);
    }
    const isFiltered = begin(o, this.hit);
    const answer = module.hot.frjs_Occluded(this.handle, x0, y0, z0, x1, y1, z1, o.mask, o.at);
    if (isFiltered) end(o, this.hit);
    if (answer < 0 || module.hasThrown) this.#failLine(-answer, o, null, POINTS, x0, y0, z0, x1, y1, z1);
    return answer;
  }
  // Calls a method with prepared options in place of a plain object; `last` is the argument after them. Hot methods
  // have no closure themselves: it would make garbage of all their arguments, whether or not it is made.
  _again(method, options, last, ...before) {
    return withOptions(options, (made) => this[method](...before, made, last));
  }
  // The same of a line.
  closestHitOn(line, options = undefined, hit = this.hit) {
    return withOptions(options, (o) => whileUsed([hit], () => {
      this.check(module.c.frWorld_ClosestHit(this.handle, lineAt(line), o.mask, o.at, hitsAt(hit), 0));
      return found(hit);
    }));
  }
  occludedOn(line, options = undefined) {
    return this.#occlusion(line, options, 0);
  }
  // Throws the error of a query. Has the options as an argument, which keeps their callbacks alive.
  #failLine(result, options, hit, names, ...values) {
    if (!module.hasThrown) {
      if (hit !== null) hitsAt(hit);
      optionsOf(options === DEFAULTS ? undefined : options);
      refuseNumbers(names, ...values);
    }
    this.fail(result);
  }

  // ---- Lines of sight ----

  // Returns the answer of occludedOn(); `hit` is then one of the hits that block the line, or of the kind NONE.
  findBlocker(line, options = undefined, hit = this.hit) {
    const answer = whileUsed([hit], () => this.#occlusion(line, options, hitsAt(hit)));
    found(hit);
    return answer;
  }
  #occlusion(line, options, blocker) {
    return withOptions(options, (o) => {
      const mark = memory.enter();
      try {
        const out = memory.push(8);
        this.check(module.c.frWorld_Occluded(this.handle, lineAt(line), o.mask, o.at, out, blocker, 0));
        return memory.i32[out >>> 2];
      } finally {
        memory.leave(mark);
      }
    });
  }

  // ---- Shots ----

  // Shoots: calls options.onHit, and registered effects, for each hit until one is terminal. Returns `shot`
  // with the hits. "RESOURCE_EXHAUSTED" beyond maxSteps; the error's `shot` has the hits so far.
  // After other errors a shot that was passed may have lost its hits.
  shoot(line, options = undefined, shot = undefined) {
    lineAt(line);
    if (shot === undefined || shot === null) return withNewShot((made) => this.#shoot(options, made, line));
    instance(shot, Shot, "the shot").checkIdle();
    return this.#shoot(options, shot, line);
  }
  // Continues a shot after its last hit, in the world as it is now. Appends the hits.
  resume(shot, options = undefined) {
    instance(shot, Shot, "the shot").checkIdle();
    if (shot.result.hitCount !== shot.length) invalid("the shot lacks some of its hits; pass one of shoot()");
    return this.#shoot(options, shot, null);
  }
  // line: that of a new shot; null to resume.
  #shoot(options, shot, line) {
    const o = optionsOf(options);
    addUse(o, 1);
    try {
      if (line !== null) {
        lineAt(line);  // reading the options may have freed it
        shot.reset();
      }
      if (o.effects !== null || this.kept.hasEffects) appendInPieces(this, line, o, shot);
      else appendAll(this, line, o, shot);
      this.check(0);  // keeps registered callbacks alive until here
      return shot;
    } finally {
      endUse(o, options);
    }
  }
  // Returns a cursor over the hits of a shot: `for (const hit of world.hitsAlong(line))`. The loop takes the
  // place of effects, and may change the world.
  hitsAlong(line, options = undefined) {
    const at = lineAt(line);
    return withKeptFilters(options, (o) => new HitCursor(this, at, o));
  }

  // ---- Parts of lines ----

  // Returns the mirror image of a line in the face of a hit of it, from that time on.
  reflect(line, hit, image = undefined) {
    if (image === undefined) return filled(new Line(), (made) => this.reflect(line, hit, made));
    this.check(module.c.frWorld_Reflect(this.handle, lineAt(line), hitAt(hit), lineAt(image)));
    return image;
  }
  // Returns the parts of a line inside a hit of it, as pairs [t0, t1].
  hitSpans(line, hit, options = undefined) {
    return withOptions(options, (o) => readArray(16,
      (...to) => module.c.frWorld_GetHitSpans(this.live, lineAt(line), o.at, hitAt(hit), ...to),
      (spans, count) => Array.from({ length: count }, (_, i) =>
        [memory.f64[(spans >>> 3) + 2 * i], memory.f64[(spans >>> 3) + 2 * i + 1]])));
  }
  // Returns the part of a line in the box of the loaded chunks of each level, the coarsest first.
  levelParts(line, options = undefined) {
    return withOptions(options, (o) => readStructs(layout.LevelPart,
      (...to) => module.c.frWorld_GetLevelParts(this.live, lineAt(line), o.mask, ...to),
      ({ level, t0, t1 }) => ({ level, t0, t1 })));
  }
  // Returns the chunks that a line crosses, the finest level first: those that a shot needs loaded.
  // options: `levels`, `corner`, and `loadedOnly`.
  chunksOn(line, options = {}) {
    const { levels, corner = Corner.BOTH, loadedOnly = false } = members(options, CHUNKS, "the options");
    const cursor = new ChunkCursor(this, lineAt(line), levels, choice(corner, Corner, "corner"), loadedOnly);
    try {
      const chunks = [];
      for (let piece; (piece = cursor.take(PIECE_OF_CHUNKS)).length > 0;) chunks.push(...piece);
      return chunks;
    } finally {
      cursor.free();
    }
  }
}
