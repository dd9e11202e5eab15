// SPDX-License-Identifier: Apache-2.0
// Block types and entities.
import type { Corners, Index, Triple, Vector, Wide } from "./common.js";
import type { Kind } from "./enums.js";
import type { Numbers } from "./memory.js";

export interface BlockTypeInit {
  /** The kinds in channels, by their names; new ones are added. */
  channels?: Record<string, Kind>;
  /** The shape of blocks that do not fill their cube: boxes [min, max] in fractions of the block's width, rounded to
   * 1/65,536. Without boxes, [], the type is empty. */
  boxes?: readonly Corners[];
  /** The shapes in channels, where they differ. */
  channelBoxes?: Record<string, readonly Corners[]>;
}
/** The block types and collision channels of a world, numbered from 0, which is "air". */
export interface BlockTypes extends Iterable<string> {
  /** Adds a block type and returns its number; "ALREADY_EXISTS" for a name in use. Adds new channels last: they stay if the
   * library then refuses a name for its characters, or memory runs out. */
  add(name: string, kind?: Kind, init?: BlockTypeInit): number;
  /** Returns the number of the channel of that name, added if it is new. */
  addChannel(name: string): number;
  /** Each returns a number by its name; "NOT_FOUND" if there is none. */
  find(name: string): number;
  channel(name: string): number;
  name(type: number): string;
  channelName(channel: number): string;
  /** Returns the kind of a block type in a channel. */
  kind(type: number, channel?: number): Kind;
  /** Returns the boxes of a block type in a channel; one if it fills its cube. */
  boxes(type: number, channel?: number): [Triple, Triple][];
  readonly length: number;
  channels(): string[];
  /** Returns a fingerprint of the number, name, kinds and boxes of each, and of the channels. Equal ones mean that numbers
   * have equal meanings, on every machine. */
  fingerprint(): bigint;
}

export interface EntityInit {
  /** The caller's number, different from those of all living entities. */
  id: Wide;
  /** The centre. */
  position: Vector;
  /** The size of a sphere; or halfExtents, of a box parallel to the axes. */
  radius?: number;
  halfExtents?: Vector;
  /** The entity is hit by queries whose levels have this one; 0 by default. */
  level?: number;
  /** 64 bits; it is hit by queries that share one; 1 by default, 0 for none. */
  categories?: Wide;
  /** By which callbacks are registered. */
  entityClass?: number;
}
export interface EntityInfo {
  /** Beyond 2^53 a BigInt, as are categories. */
  id: Wide;
  level: number;
  position: Triple;
  radius?: number;
  halfExtents?: Triple;
  categories: Wide;
  entityClass: number;
  /** The level of the chunks in which it is found. */
  indexLevel: number;
}
/** The entities of a world, each known by its handle, a number. A handle of one that is gone is "NOT_FOUND". */
export interface Entities {
  /** Adds an entity and returns its handle; "ALREADY_EXISTS" for an id in use. */
  add(init: EntityInit): number;
  /** Adds many, all or none. Returns their handles. */
  addMany(init: Iterable<EntityInit>): number[];
  move(entity: Wide, position: Vector): void;
  /** Moves many, all or none, to positions: three numbers for each. */
  moveMany(entities: ArrayLike<Wide>, positions: Numbers): void;
  /** Changes members of many, all or none; the changes all have the same members, without those that are undefined. */
  update(entities: ArrayLike<Wide>, changes: Iterable<Partial<Omit<EntityInit, "id">>>): void;
  remove(entity: Wide): void;
  removeMany(entities: ArrayLike<Wide>): void;
  info(entity: Wide): EntityInfo;
  /** Returns the living entity with an id; "NOT_FOUND" if there is none. */
  find(id: Wide): number;
  all(): number[];
  readonly length: number;
  /** Returns the chunks of its index level that an entity touches, at most 27. */
  chunks(entity: Wide): Triple[];
  /** Returns a fingerprint of the entities of a level whose centres lie in the chunks of that level from `first` to `last`:
   * of their ids and all else but their handles; 0n without any. */
  fingerprint(level: number, first: Index, last: Index): bigint;
  /** Moves up to `most` entities that a descent has left in coarser chunks into finer ones. Returns true if none are left. */
  refine(most?: number): boolean;
  /** Puts crowds in order, after the moves of a tick. Returns the number of crowded chunks that have changed since. */
  optimize(): number;
}
