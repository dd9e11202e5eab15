// SPDX-License-Identifier: Apache-2.0
// Exact, ordered ray and sight queries in multi-level voxel worlds.
//
//   import { init, World, Kind } from "fractalray";
//   await init();
//   const world = new World(), stone = world.blockTypes.add("stone");
//   world.loadChunk(0, [0, 0, 0], stone);
//   const hit = world.closestHit(-5, 2.5, 2.5, 15, 2.5, 2.5);
//   if (hit !== null) console.log(hit.face, hit.distance);
//
// Positions and distances are in finest-block widths.

export { init, version } from "./src/module.js";
export { FractalrayError } from "./src/errors.js";
export {
  AIR, ChunkState, Corner, DEFAULT_CHANNEL, HitKind, Kind, MAX_BUDGETS, MAX_LEVELS, MoveKind, NO_BLOCK_TYPE, Occlusion,
  Progress, Response, Sight, UNBREAKABLE, UNITS_PER_BLOCK, Unloaded,
} from "./src/enums.js";
export { ModuleArray } from "./src/owned.js";
export { Line } from "./src/lines.js";
export { Lines } from "./src/line_arrays.js";
export { Hit, Hits } from "./src/hits.js";
export { compareHits, mergeHits } from "./src/hit_order.js";
export { Options } from "./src/options.js";
export { Rule, Rules } from "./src/rules.js";
export { Shot } from "./src/shots.js";
export { HitCursor } from "./src/cursors.js";
export { CompactHits, Occlusions, ShotBatch } from "./src/batches.js";
export { hides, SightOptions, SightQuery } from "./src/sight.js";
export { SightHistory, SightQueries } from "./src/sight_tables.js";
export { BlastRays } from "./src/blasts.js";
export { Snapshot, World } from "./src/world.js";
export { Bindings } from "./src/bindings.js";
export { followPath, WindowMove } from "./src/window.js";
export { toUnits, Walk, walkMany } from "./src/walks.js";
export { raycast } from "./src/raycast.js";
export { Streamer } from "./src/streaming.js";
export { Visibility } from "./src/visibility.js";
