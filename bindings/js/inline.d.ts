// SPDX-License-Identifier: Apache-2.0
export * from "./index.js";
/** Loads the module that this file has inside: nothing is fetched. Await it once before anything else. */
export function init(): Promise<void>;
