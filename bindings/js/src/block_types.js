// SPDX-License-Identifier: Apache-2.0
// The block types and collision channels of a world.

import * as layout from "./layout.js";
import {
  blockType, channel as channelNumber, choice, members, number, pushText, readArray, readText, text,
} from "./arguments.js";
import { DEFAULT_CHANNEL, Kind } from "./enums.js";
import { FractalrayError, invalid, refuseType } from "./errors.js";
import { memory, module } from "./module.js";

const MOST_BOXES = 255;  // of a shape
const NAMES = { channels: 0, boxes: 0, channelBoxes: 0 };

// Returns the corners of boxes as one array of numbers; null without any, for the whole cube.
function flatBoxes(boxes, owner) {
  if (boxes === undefined || boxes === null) return null;
  if (!Array.isArray(boxes)) refuseType(boxes, `${owner}: the boxes`, "it must be an array of [min, max]");
  return Array.from(boxes).flatMap((box, i) => {
    if (box?.length !== 2 || box[0]?.length !== 3 || box[1]?.length !== 3) {
      invalid(`${owner}: box ${i} must be [[x, y, z], [x, y, z]]`);
    }
    return [...Array.from(box[0]), ...Array.from(box[1])].map((each) => number(each, `${owner}: a number of box ${i}`));
  });
}

// Returns a member of an object; undefined for one that it only inherits, such as "constructor".
function ownMember(object, name) {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

// Checks a block type before any part of it is added. Returns what the library needs: of the type, and of each channel
// that is listed.
function checkedType(name, kind, given) {
  const { channels = {}, boxes, channelBoxes = {} } = members(given, NAMES, "the block type");
  const owner = `block type ${JSON.stringify(text(name, "the block type's name"))}`;
  const type = { name, owner, kind: choice(kind, Kind, "kind"), corners: flatBoxes(boxes, owner) };
  const names = [...new Set([...Object.keys(channels), ...Object.keys(channelBoxes)])];
  const listed = names.map((each) => {
    const own = ownMember(channelBoxes, each), ownOwner = `${owner}, channel ${JSON.stringify(each)}`;
    return {
      name: text(each, "the channel's name"), owner: ownOwner,
      kind: choice(ownMember(channels, each) ?? kind, Kind, `channels.${each}`),
      corners: own === undefined ? type.corners : flatBoxes(own, ownOwner),
    };
  });
  return [type, listed];
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
  // Adds new channels last: they stay only if the library then refuses a name for its characters, or memory runs out.
  add(name, kind = Kind.SOLID, given = {}) {
    const [type, channels] = checkedType(name, kind, given), shape = this.#shape(type);
    const shapes = channels.map((each) => this.#shape(each));
    // A name in use is refused, with or without channels.
    const listed = this.#has(name) ? [] : channels, count = listed.length;
    const mark = memory.enter(), table = memory.allocate(8 * count);
    try {
      const numbers = listed.map((each) => this.addChannel(each.name)), def = memory.pushSized(layout.BlockTypeDef);
      def.name = memory.pushText(name);
      def.kind = kind;
      def.shape = shape;
      def.channelCount = count;
      def.channelKinds = table;
      def.channels = table + 4 * count;
      def.channelShapes = table + 6 * count;
      memory.i32.set(listed.map((each) => each.kind), def.channelKinds >>> 2);
      memory.u16.set(numbers, def.channels >>> 1);
      memory.u16.set(shapes.slice(0, count), def.channelShapes >>> 1);
      return this.#number(module.c.frWorld_AddBlockType, def.at);
    } finally {
      memory.free(table);
      memory.leave(mark);
    }
  }
  // Returns true if a block type has that name.
  #has(name) {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      return module.c.frWorld_FindBlockType(this.#world.live, memory.pushText(name), out) === layout.OK;
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the number of a shape, which is added if it is new; 0 for the whole cube.
  #shape({ corners, owner }) {
    if (corners === null) return 0;
    const mark = memory.enter(), at = memory.allocate(8 * corners.length);
    try {
      const out = memory.push(8);
      memory.f64.set(corners, at >>> 3);
      const result = module.c.frWorld_AddShape(this.#world.live, at, corners.length / 6, out);
      if (result !== 0) throw new FractalrayError(module.resultName(result), `${owner}: ${module.lastError()}`);
      return memory.u16[out >>> 1];
    } finally {
      memory.free(at);
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
  // Returns a fingerprint, a BigInt, of the number, name, kinds and boxes of each block type, and of the channels.
  fingerprint() {
    const mark = memory.enter();
    try {
      const out = memory.push(8);
      this.#world.check(module.c.frWorld_FingerprintBlockTypes(this.#world.live, out));
      return memory.u64[out >>> 3];
    } finally {
      memory.leave(mark);
    }
  }
  // Returns the names of the channels, by number.
  channels() {
    return Array.from({ length: this.#count(2) }, (_, channel) => this.channelName(channel));
  }
}
