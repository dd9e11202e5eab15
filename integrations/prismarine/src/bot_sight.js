// SPDX-License-Identifier: Apache-2.0
// Drop-ins for the functions of a mineflayer bot that look at something; install() replaces them.

import { Vec3 } from "./results.js";
import { Sight } from "./sight.js";

const CENTRE = 0.5;
const OF_BOT = ["blockAtCursor", "blockAtEntityCursor", "entityAtCursor", "blockInSight", "canSeeBlock"];

export class BotSight extends Sight {
  #bot;
  #world;
  #replaced = null;

  constructor(bot, world, settings, beforeUpdate) {
    super(world, settings, undefined, beforeUpdate);
    this.#bot = bot;
    this.#world = world;
  }
  // Each is as the function of the bot with that name.
  blockAtCursor(maxDistance = 256, matcher = null, given = undefined) {
    return this.blockAtEntityCursor(this.#bot.entity, maxDistance, matcher, given);
  }
  entityAtCursor(maxDistance = 3.5, given = undefined) {
    return this.entityAtEntityCursor(this.#bot.entity, maxDistance, given);
  }
  blockInSight(maxSteps = 256, vectorLength = 5 / 16) {
    return this.blockAtCursor(maxSteps * vectorLength) ?? undefined;
  }
  blockAtEntityCursor(entity = this.#bot.entity, maxDistance = 256, matcher = null, given = undefined) {
    return super.blockAtEntityCursor(entity, maxDistance, matcher, given);
  }
  // Returns true if the line from the bot's eye to the centre of a block comes to no other block before. `block` may
  // be anything with a `position`.
  canSeeBlock(block) {
    const { x, y, z } = block.position.floored();
    const centre = new Vec3(x + CENTRE, y + CENTRE, z + CENTRE), first = this.firstBetween(this.eyeOf(this.#bot.entity), centre);
    return first === null || (first.x === x && first.y === y && first.z === z);
  }
  // Returns the blocks and entities along the bot's look: { hits, unloaded }.
  look(maxDistance = 256, given = undefined) {
    return this.lookOf(this.#bot.entity, maxDistance, given);
  }

  // Makes bot.world.raycast, bot.blockAtCursor and so on those of this object, until uninstall().
  install() {
    if (this.#replaced !== null) return this;
    this.#replaced = [];
    for (const name of OF_BOT) this.#replace(this.#bot, name);
    this.#replace(this.#world, "raycast");
    return this;
  }
  #replace(object, name) {
    this.#replaced.push([object, name, Object.getOwnPropertyDescriptor(object, name)]);
    object[name] = (...given) => this[name](...given);
  }
  uninstall() {
    for (const [object, name, before] of this.#replaced ?? []) {
      if (before === undefined) delete object[name];
      else Object.defineProperty(object, name, before);
    }
    this.#replaced = null;
  }
  detach() {
    this.uninstall();
    super.detach();
  }
}
