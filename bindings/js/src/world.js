// SPDX-License-Identifier: Apache-2.0
// Worlds and their snapshots.

import * as layout from "./layout.js";
import { blockType, callback, integer, members, pushText } from "./arguments.js";
import { BlockTypes } from "./block_types.js";
import { Callbacks } from "./callbacks.js";
import { BlockEditor } from "./chunks.js";
import { Entities } from "./entities.js";
import { refuseType } from "./errors.js";
import { memory, module } from "./module.js";
import { create, isCalling } from "./owned.js";
import { Searches } from "./searches.js";
import { Window } from "./window.js";

const NAMES = { levels: 0, anchor: 0, blockTypesOf: 0 };
const TESTS = { isTerminal: 0 };

// The registered callbacks of a world, by what they are for. Cursors refer to it, too.
class Registered {
  #callbacks;
  #replaced = [];
  constructor(callbacks = new Map()) {
    this.#callbacks = callbacks;
    this.hasEffects = [...callbacks.values()].some((each) => each.onEffect !== undefined);
  }
  // Calls register(callbacks), and keeps them in place of earlier ones, which calls that run may still call.
  set(key, callbacks, register) {
    register(callbacks);
    if (!isCalling()) this.#replaced = [];
    const earlier = this.#callbacks.get(key);
    if (earlier) this.#replaced.push(earlier);
    if (callbacks) this.#callbacks.set(key, callbacks);
    else this.#callbacks.delete(key);
    this.hasEffects = [...this.#callbacks.values()].some((each) => each.onEffect !== undefined);
  }
  copy() {
    return new Registered(new Map(this.#callbacks));
  }
}

// The common part of worlds and snapshots: everything that only reads.
export class WorldView extends Searches {
  constructor(handle, kept) {
    super(handle, "frDestroyWorld");
    this.kept = kept;
    this.blockTypes = new BlockTypes(this);
    this.entities = new Entities(this);
  }
  // The number of active levels; level 0 is the coarsest.
  get levels() {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.check(module.c.frWorld_GetLevels(this.handle, out));
      return memory.i32[out >>> 2];
    } finally {
      memory.leave(mark);
    }
  }
  // The versions of the blocks and of the entities, which grow with every change.
  get versions() {
    const mark = memory.enter();
    try {
      const out = memory.push(16);
      this.check(module.c.frWorld_GetVersions(this.handle, out, out + 8));
      return [memory.readU64(out), memory.readU64(out + 8)];
    } finally {
      memory.leave(mark);
    }
  }
}

// A world as it was at one moment. Made by World.snapshot(); edits of its entities and block types are
// "FAILED_PRECONDITION".
export class Snapshot extends WorldView {}

// A block world with entities, and the queries on it.
export class World extends BlockEditor(WorldView) {
  // levels: active levels, 1 to 10; level 0 is the coarsest.
  // anchor: the path of the level-0 chunk (0, 0, 0) from the root, such as "7a3_221".
  // blockTypesOf: a world whose block types this one shares.
  constructor(given = {}) {
    const { levels = 1, anchor = "", blockTypesOf } = members(given, NAMES, "the world");
    const mark = memory.enter();
    try {
      const def = memory.pushSized(layout.WorldDef);
      def.version = layout.VERSION;
      def.levels = integer(levels, "levels", 1, layout.MAX_LEVELS);
      def.anchor = pushText(anchor, "the anchor");
      if (blockTypesOf !== undefined) {
        if (!(blockTypesOf instanceof WorldView)) refuseType(blockTypesOf, "blockTypesOf", "it must be a World");
        def.blockTypesOf = blockTypesOf.live;
      }
      super(create((out) => module.c.frCreateWorld(def.at, out)), new Registered());
    } finally {
      memory.leave(mark);
    }
    this.window = new Window(this);
  }
  // Returns an immutable copy of the world as it is now.
  snapshot() {
    return new Snapshot(create((out) => module.c.frWorld_Snapshot(this.live, out)), this.kept.copy());
  }

  // Registers callbacks for hits of a block type, in place of earlier ones; without any, removes these.
  // effect: responds to each hit, in order; may change the world, and shoot.
  // tests: `isTerminal` decides which hits end the shot; a solid block ends it anyway.
  onBlockHit(type, effect = undefined, tests = {}) {
    const number = blockType(type);
    this.#register(`block ${number}`, effect, tests, (test, respond, context) =>
      module.c.frWorld_OnBlockHit(this.live, number, test, respond, context));
  }
  // The same for hits of an entity class.
  onEntityHit(entityClass, effect = undefined, tests = {}) {
    const number = integer(entityClass, "the entity class", 0, 2 ** 32 - 1);
    this.#register(`entity ${number}`, effect, tests, (test, respond, context) =>
      module.c.frWorld_OnEntityHit(this.live, number, test, respond, context));
  }
  // Each registers the effect of all block types, or of all entity classes, without callbacks of their own.
  onAnyBlockHit(effect) {
    this.#register("any block", effect, {}, (test, respond, context) =>
      module.c.frWorld_OnAnyBlockHit(this.live, respond, context));
  }
  onAnyEntityHit(effect) {
    this.#register("any entity", effect, {}, (test, respond, context) =>
      module.c.frWorld_OnAnyEntityHit(this.live, respond, context));
  }
  #register(key, effect, tests, call) {
    const { isTerminal } = members(tests, TESTS, "the tests");
    const test = callback(isTerminal, "isTerminal"), respond = callback(effect, "the effect");
    const callbacks = test || respond ? new Callbacks(test, respond, `the effect of ${key}`) : null;
    this.kept.set(key, callbacks, () => this.check(call(test ? module.callbacks.predicate : 0,
      respond ? module.callbacks.effect : 0, callbacks?.number ?? 0)));
  }
}
