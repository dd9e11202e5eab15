// SPDX-License-Identifier: Apache-2.0
// The types of the package. Positions, distances and sizes are in finest-block widths, except where "units" are named:
// 65,536 units to a finest block. A time t is 0 at the start of a line and 1 at its end. Level 0 is the coarsest; chunks
// are 16 x 16 x 16 blocks. Calls throw a FractalrayError for a value that cannot be, and a TypeError for one of a wrong
// type. After an error nothing has changed, unless the call says otherwise.
// Objects of the library and memory of the module are freed by free(), at the end of `using`, or else some time after
// their JavaScript object is no longer used.

export { raycast } from "./raycast.js";
export * from "./types/common.js";
export * from "./types/enums.js";
export * from "./types/memory.js";
export * from "./types/lines.js";
export * from "./types/hits.js";
export * from "./types/options.js";
export * from "./types/batches.js";
export * from "./types/sight.js";
export * from "./types/areas.js";
export * from "./types/contents.js";
export * from "./types/worlds.js";
export * from "./types/walks.js";
export * from "./types/streaming.js";
export * from "./types/window.js";
