// SPDX-License-Identifier: Apache-2.0
// Exact rays and sight for mineflayer bots and worlds of prismarine-world.
//
//   const sight = await attach(bot);
//   sight.blockAtCursor(5);  // as bot.blockAtCursor(5)
//   for (const hit of sight.look(20).hits) console.log(hit.distance, hit.block?.name ?? hit.entity.name);

export { attach } from "./src/attach.js";
export { BotSight } from "./src/bot_sight.js";
export { BlockFace } from "./src/results.js";
export { Sight } from "./src/sight.js";
