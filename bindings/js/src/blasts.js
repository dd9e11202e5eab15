// SPDX-License-Identifier: Apache-2.0
// Blasts: which blocks break, and how much of each entity is reached? Methods that worlds and snapshots both have.

import * as layout from "./layout.js";
import { elements, exactNumber, integer, limit, members, number, point, units, wide } from "./arguments.js";
import { UNBREAKABLE } from "./enums.js";
import { refuseType } from "./errors.js";
import { memory, module } from "./module.js";
import { withOptions } from "./options.js";
import { DISPOSE, filled, liveAt, ownMemory, releaseMemory, whileUsed } from "./owned.js";
import { refuseLevels, withSight } from "./sight.js";
import { SightTables } from "./sight_tables.js";

const NAMES = { center: 0, radius: 0, rays: 0, resistances: 0, falloff: 0, maxSamples: 0 };

const NAME = "the BlastRays have";

// Rays of blasts, in the memory of the module.
export class BlastRays extends layout.BlastRay {
  constructor(length) {
    super(memory, 0);
    this.length = integer(length, "the number of rays", 0, 2 ** 24);
    this._uses = 0;
    this.at = this.begin = ownMemory(this, layout.BlastRay.size * this.length);
  }
  // Rays of a list: `step`, three integers in units, and `power`, an integer.
  static of(list) {
    const given = elements(list, "the rays", "objects with step and power");
    return filled(new BlastRays(given.length), (rays) => {
      given.forEach((ray, i) => {
        const power = wide(ray?.power, `the power of ray ${i}`, true), step = units(ray?.step, `the step of ray ${i}`);
        rays.move(i).powerBig = power;
        step.forEach((each, axis) => rays.setStep(axis, each));
      });
      return rays;
    });
  }
  // Rays to all points of the surface of a cube of n x n x n points, with steps of that length, in finest-block
  // widths, and of equal power; cubeFan(16, 0.3, power) has 1,352.
  static cubeFan(n, step, power) {
    const mark = memory.enter();
    try {
      const out = memory.pushZeros(8), bits = wide(power, "the power", true);
      const size = integer(n, "n", -(2 ** 31), 2 ** 31 - 1), length = number(step, "the step");
      module.check(module.c.frMakeCubeFan(size, length, bits, 0, 0, out));
      return filled(new BlastRays(memory.u32[out >>> 2]), (rays) => {
        module.check(module.c.frMakeCubeFan(size, length, bits, rays.begin, rays.length, out));
        return rays;
      });
    } finally {
      memory.leave(mark);
    }
  }
  move(i) {
    liveAt(this, NAME);
    return super.move(integer(i, "the ray", 0, this.length - 1));
  }
  get power() {
    return super.power;
  }
  set power(power) {
    liveAt(this, NAME);
    super.powerBig = wide(power, "the power", true);
  }
  setStep(axis, step) {
    liveAt(this, NAME);
    super.setStepBig(integer(axis, "the axis", 0, 2), wide(step, "the step", true));
  }
  free() {
    if (this.begin !== 0) releaseMemory(this, this.begin);
    this.at = this.begin = this.length = 0;
  }
  [DISPOSE]() {
    this.free();
  }
}

function writeResistances(list) {
  if (list === null || typeof list !== "object" || typeof list.length !== "number") {
    refuseType(list, "resistances", "it must be an array: resistances[type] is that of a block type");
  }
  const at = memory.allocate(8 * list.length);
  try {
    for (let i = 0; i < list.length; ++i) {
      const each = list[i], loss = each === Infinity ? UNBREAKABLE : wide(each, `resistances[${i}]`, true);
      memory.i64[(at >>> 3) + i] = loss;
    }
  } catch (error) {
    memory.free(at);
    throw error;
  }
  return at;
}

function brokenBlock(found) {
  const { steps, powerBig, level, ray, type } = found;
  const power = exactNumber(powerBig);
  return { block: [found.block(0), found.block(1), found.block(2)], level, type, steps, power, ray };
}
function exposedEntity({ entity, idBig, distance, from, to }) {
  return { entity, id: exactNumber(idBig), distance, from, to };
}

export class Blasts extends SightTables {
  // Finds the blocks that an explosion breaks, and the entities that it reaches. Changes nothing.
  // blast: `center`; `radius`, at most 65,536; `rays`, BlastRays; `resistances`, by block type, the power that a ray
  //     loses at each sample, UNBREAKABLE or Infinity for what no power breaks, as are types beyond the end;
  //     `falloff`, lost after each sample, in air too; `maxSamples`, of all rays.
  // options: the levels, and the blocks that rays do not pass like air, and the entities. sight: what shields these.
  blast(blast, options = undefined, sight = undefined) {
    const { center, radius, rays, resistances: given = [], falloff = 0, maxSamples } = members(blast, NAMES, "the blast");
    const resistances = memory.lasting(given);
    if (!(rays instanceof BlastRays)) refuseType(rays, "rays", "it must be BlastRays, such as BlastRays.cubeFan()");
    liveAt(rays, NAME);
    const mark = memory.enter();
    let at = 0;
    try {
      const query = memory.pushSized(layout.BlastQuery);
      point(center, "center").forEach((each, axis) => query.setCenter(axis, each));
      query.radius = number(radius, "radius");
      query.rays = rays.begin;
      query.rayCount = rays.length;
      query.falloffBig = wide(falloff, "falloff", true);
      query.maxSamples = limit(maxSamples, "maxSamples");
      query.resistances = at = writeResistances(resistances);
      query.resistanceCount = resistances.length;
      return withOptions(options, (o) => withSight(sight, (s) => {
        refuseLevels(o, s, "the options of sight", "the options");
        return whileUsed([rays], () => this.#blast(query, o, s));
      }));
    } finally {
      if (at !== 0) memory.free(at);
      memory.leave(mark);
    }
  }
  // Calls the library, and once more if its answer is longer than expected.
  #blast(query, options, sight) {
    const result = memory.pushSized(layout.BlastResult);
    for (let mostBlocks = 1024, mostEntities = 64; ;) {
      const size = layout.BrokenBlock.size * mostBlocks;
      const at = memory.allocate(size + layout.ExposedEntity.size * mostEntities);
      try {
        const code = module.c.frWorld_Blast(this.handle, query.at, options.mask, options.at, sight.at, at, mostBlocks,
          at + size, mostEntities, result.at);
        const { blockCount, entityCount } = result;
        const isLonger = code === layout.OUT_OF_RANGE && (blockCount > mostBlocks || entityCount > mostEntities);
        if (!isLonger || module.hasThrown) {
          this.check(code);
          const block = new layout.BrokenBlock(memory, at), entity = new layout.ExposedEntity(memory, at + size);
          return {
            blocks: Array.from({ length: blockCount }, (_, i) => brokenBlock(block.move(i))),
            entities: Array.from({ length: entityCount }, (_, i) => exposedEntity(entity.move(i))),
            samples: result.samples, reachesUnknown: result.reachesUnknown !== 0,
          };
        }
        mostBlocks = Math.max(mostBlocks, blockCount);
        mostEntities = Math.max(mostEntities, entityCount);
      } finally {
        memory.free(at);
      }
    }
  }
}
