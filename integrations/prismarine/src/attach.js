// SPDX-License-Identifier: Apache-2.0
// Attaching to a bot or a world: which of their events change what.

import { init } from "fractalray";
import { BotSight } from "./bot_sight.js";
import { listenToWorld } from "./listeners.js";
import { attachSettings } from "./settings.js";
import { Sight } from "./sight.js";

const CHANGED_ENTITY = ["entitySpawn", "entityMoved", "entityUpdate", "entitySleep", "entityCrouch", "entityUncrouch",
  "entityAttach", "entityDetach"];

function isWorld(object) {
  return typeof object?.getColumn === "function" && typeof object.getBlock === "function";
}

function sightOfBot(bot, settings) {
  // mineflayer replaces bot.entities at each login, without an event for those that are gone.
  let seen = null;
  const beforeUpdate = (mirror) => {
    if (bot.entities !== seen) {
      seen = bot.entities;
      mirror.replace(Object.values(seen));
    }
    mirror.mark(bot.entity);  // it moves by itself
  };
  const sight = new BotSight(bot, bot.world, settings, beforeUpdate);
  for (const name of CHANGED_ENTITY) sight.listeners.add(bot, name, (entity) => sight.mirror.mark(entity));
  sight.listeners.add(bot, "entityGone", (entity) => sight.mirror.gone(entity));
  return sight;
}

function sightOfWorld(world, settings) {
  const { entities } = settings;
  return new Sight(world, settings, typeof entities === "function" || entities === undefined ? entities : () => entities);
}

// Attaches to a mineflayer bot that has a world, or to a world of prismarine-world. Loads fractalray.wasm, if init()
// has not been called. Returns what it sees: a BotSight of a bot, a Sight of a world.
export async function attach(target, given = undefined) {
  const settings = attachSettings(given), isBot = target?.world !== undefined && target.entities !== undefined;
  if (!isBot && typeof target?.loadPlugin === "function") {
    throw new Error('attach: the bot has no world yet; call attach(bot) in bot.once("spawn", ...)');
  }
  if (isBot && settings.entities !== undefined) {
    throw new TypeError("attach: entities are for a world without a bot; a bot has its own");
  }
  const world = isBot ? target.world : target?.sync ?? target;
  if (!isWorld(world)) throw new TypeError("attach: give a mineflayer bot, or a world of prismarine-world");
  await init();
  const sight = isBot ? sightOfBot(target, settings) : sightOfWorld(world, settings);
  listenToWorld(world, sight, sight.listeners);
  return sight;
}
