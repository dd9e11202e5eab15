// SPDX-License-Identifier: Apache-2.0
// The block types of states: each state id of Minecraft is registered once, when it is first seen, with its shapes as
// fractalray block shapes. The default channel has the collision shape, the channels "outline" and "full" the others.

import { AIR, DEFAULT_CHANNEL, Kind } from "fractalray";
import { corners, SHAPES, shapesOf } from "./shapes.js";

const OTHERS = SHAPES.filter((name) => name !== "collision");

export class StateTypes {
  #world;
  #perState;
  #shapeOf;
  #types = new Map();  // by state id
  #byKey = new Map();  // the types of equal shapes

  // perState: a type for each state, with its name, in place of one for all states of the same shapes.
  // shapeOf: boxes of a block in place of its own; see shapes.js.
  constructor(world, perState, shapeOf) {
    this.#world = world;
    this.#perState = perState;
    this.#shapeOf = shapeOf;
    // The number of the channel of each shape.
    this.channels = { collision: DEFAULT_CHANNEL };
    for (const name of OTHERS) this.channels[name] = world.blockTypes.addChannel(name);
  }
  // Returns the type of a state id; undefined if it has not been seen.
  find(stateId) {
    return this.#types.get(stateId);
  }
  // Returns the type of a state id. sample(): returns a block of prismarine-block in that state.
  typeOf(stateId, sample) {
    let type = this.#types.get(stateId);
    if (type === undefined) {
      type = this.#add(stateId, sample());
      this.#types.set(stateId, type);
    }
    return type;
  }
  #add(stateId, block) {
    const shapes = shapesOf(block, this.#shapeOf);
    if (SHAPES.every((name) => shapes[name].length === 0)) return AIR;
    const key = this.#perState ? stateId : JSON.stringify(SHAPES.map((name) => shapes[name]));
    let type = this.#byKey.get(key);
    if (type === undefined) {
      const name = this.#perState ? `${block.name}#${stateId}` : `shape ${this.#byKey.size + 1}`;
      type = this.#world.blockTypes.add(name, Kind.SOLID, {
        boxes: corners(shapes.collision),
        channelBoxes: Object.fromEntries(OTHERS.map((each) => [each, corners(shapes[each])])),
      });
      this.#byKey.set(key, type);
    }
    return type;
  }
}
