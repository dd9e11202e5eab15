// SPDX-License-Identifier: Apache-2.0
// The block types and collision channels of a world.

import * as layout from "./layout.js";
import {
  blockType, channel as channelNumber, choice, members, number, pushText, readArray, readText,
} from "./arguments.js";
import { DEFAULT_CHANNEL, Kind } from "./enums.js";
import { FractalrayError, invalid, refuseType } from "./errors.js";
import { memory, module } from "./module.js";

const MOST_BOXES = 255;  // of a shape
const NAMES = { channels: 0, boxes: 0, channelBoxes: 0 };

// Returns the corners of boxes as one array of numbers.
function flatBoxes(boxes, owner) {
  if (!Array.isArray(boxes)) refuseType(boxes, `${owner}: the boxes`, "it must be an array of [min, max]");
  return boxes.flatMap((box, i) => {
    if (box?.length !== 2 || box[0]?.length !== 3 || box[1]?.length !== 3) {
      invalid(`${owner}: box ${i} must be [[x, y, z], [x, y, z]]`);
    }
    return [...box[0], ...box[1]].map((each) => number(each, `${owner}: a number of box ${i}`));
  });
}

export class BlockTypes {
  #world;
  constructor(world) {
    this.#world = world;
  }
  // Adds a block type and returns its number.
  // kind: in every channel that `channels`, an object from names to kinds, does not list; new ones are added.
  // boxes: the shape of blocks that do not fill their cube, an array of [min, max] in fractions of the block's
  //     width, rounded to 1/65536. channelBoxes: the shapes in channels, where they differ.
  add(name, kind = Kind.SOLID, given = {}) {
    const { channels = {}, boxes, channelBoxes = {} } = members(given, NAMES, "the block type");
    const names = [...new Set([...Object.keys(channels), ...Object.keys(channelBoxes)])];
    const mark = memory.enter();
    try {
      const def = memory.pushSized(layout.BlockTypeDef);
      def.name = pushText(name, "the block type's name");
      def.kind = choice(kind, Kind, "kind");
      def.shape = this.#shape(boxes, `block type ${JSON.stringify(name)}`);
      def.channels = memory.push(2 * names.length);
      def.channelKinds = memory.push(4 * names.length);
      def.channelShapes = memory.push(2 * names.length);
      def.channelCount = names.length;
      names.forEach((each, i) => {
        const own = channelBoxes[each], owner = `block type ${JSON.stringify(name)}, channel ${JSON.stringify(each)}`;
        memory.u16[(def.channels >>> 1) + i] = this.addChannel(each);
        memory.i32[(def.channelKinds >>> 2) + i] = choice(channels[each] ?? kind, Kind, `channels.${each}`);
        memory.u16[(def.channelShapes >>> 1) + i] = own === undefined ? def.shape : this.#shape(own, owner);
      });
      return this.#number(module.c.frWorld_AddBlockType, def.at);
    } finally {
      memory.leave(mark);
    }
  }
  #shape(boxes, owner) {
    if (boxes === undefined || boxes === null) return 0;
    const corners = flatBoxes(boxes, owner), mark = memory.enter();
    try {
      const at = memory.push(8 * corners.length), out = memory.push(8);
      memory.f64.set(corners, at >>> 3);
      const result = module.c.frWorld_AddShape(this.#world.live, at, corners.length / 6, out);
      if (result !== 0) throw new FractalrayError(module.resultName(result), `${owner}: ${module.lastError()}`);
      return memory.u16[out >>> 1];
    } finally {
      memory.leave(mark);
    }
  }
  #number(call, argument) {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.#world.check(call(this.#world.live, argument, out));
      return memory.u16[out >>> 1];
    } finally {
      memory.leave(mark);
    }
  }
  #named(call, name, what) {
    const mark = memory.enter();
    try {
      return this.#number(call, pushText(name, what));
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the number of the channel of that name, added if it is new.
  addChannel(name) {
    return this.#named(module.c.frWorld_AddChannel, name, "the channel's name");
  }
  // Each returns the number of that name; "NOT_FOUND" if there is none.
  find(name) {
    return this.#named(module.c.frWorld_FindBlockType, name, "the block type's name");
  }
  channel(name) {
    return this.#named(module.c.frWorld_FindChannel, name, "the channel's name");
  }
  name(type) {
    const checked = blockType(type);
    return readText((...to) => module.c.frWorld_GetBlockTypeName(this.#world.live, checked, ...to));
  }
  channelName(channel) {
    const checked = channelNumber(channel);
    return readText((...to) => module.c.frWorld_GetChannelName(this.#world.live, checked, ...to));
  }
  // Returns the kind of a block type in a channel.
  kind(type, channel = DEFAULT_CHANNEL) {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      const number = blockType(type), its = channelNumber(channel);
      this.#world.check(module.c.frWorld_GetBlockKind(this.#world.live, number, its, out));
      return memory.i32[out >>> 2];
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the boxes of a block type in a channel, [min, max] each; one if it fills its cube.
  boxes(type, channel = DEFAULT_CHANNEL) {
    const checked = blockType(type), its = channelNumber(channel);
    return readArray(48, (...to) => module.c.frWorld_GetShape(this.#world.live, checked, its, ...to),
      (at, count) => Array.from({ length: count }, (_, i) =>
        [memory.readVector(at + 48 * i), memory.readVector(at + 48 * i + 24)]), MOST_BOXES);
  }
  #count(which) {
    const mark = memory.enter();
    try {
      const out = memory.pushZeros(16);
      this.#world.check(module.c.frWorld_CountBlockTypes(this.#world.live, out, out + 8));
      return memory.u32[(out >>> 2) + which];
    } finally {
      memory.leave(mark);
    }
  }
  // The number of block types.
  get length() {
    return this.#count(0);
  }
  // Iterates over the names, by number.
  *[Symbol.iterator]() {
    for (let type = 0, count = this.length; type < count; ++type) yield this.name(type);
  }
  // Returns the names of the channels, by number.
  channels() {
    return Array.from({ length: this.#count(2) }, (_, channel) => this.channelName(channel));
  }
}
