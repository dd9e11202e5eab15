// SPDX-License-Identifier: Apache-2.0
// Listeners of events, all removed at once.

const SECTION = 16;

export class Listeners {
  #all = [];
  // Adds a listener before all others, so that these ask a sight that is in step.
  add(emitter, name, listener) {
    emitter.prependListener(name, listener);
    this.#all.push([emitter, name, listener]);
  }
  remove() {
    for (const [emitter, name, listener] of this.#all) emitter.removeListener(name, listener);
    this.#all = [];
  }
}

// Passes the edits of a world on. It has two parts, the WorldSync and the World that it wraps; each emits its own edits.
export function listenToWorld(sync, sight, listeners) {
  const column = ({ x, z }) => sight.columnChanged(Math.floor(x / SECTION), Math.floor(z / SECTION));
  for (const part of new Set([sync, sync.async].filter((each) => typeof each?.on === "function"))) {
    listeners.add(part, "chunkColumnLoad", column);
    listeners.add(part, "chunkColumnUnload", column);
    listeners.add(part, "blockUpdate", (before, after) => sight.blockChanged((after ?? before).position));
  }
}
