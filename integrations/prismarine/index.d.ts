// SPDX-License-Identifier: Apache-2.0
// The types of the package. Blocks, entities, bots and worlds are those of prismarine and mineflayer, of which these are
// the members that matter here.
import type { World } from "fractalray";
import type { Vec3 } from "vec3";

export interface PrismarineBlock {
  position: Vec3;
  name: string;
  stateId: number;
  /** Boxes [x0, y0, z0, x1, y1, z1]. */
  shapes: number[][];
  /** Set by queries: through which face the line enters, and where. */
  face?: BlockFace;
  intersect?: Vec3;
  [member: string]: any;
}
export interface PrismarineEntity {
  id: number;
  position: Vec3;
  width: number;
  height: number;
  eyeHeight?: number;
  yaw?: number;
  pitch?: number;
  type?: string;
  [member: string]: any;
}
/** The faces of blocks, with the numbers of prismarine-world. */
export const BlockFace: {
  /** The line starts inside. */ readonly UNKNOWN: -999;
  readonly BOTTOM: 0; readonly TOP: 1; readonly NORTH: 2; readonly SOUTH: 3; readonly WEST: 4; readonly EAST: 5;
};
export type BlockFace = -999 | 0 | 1 | 2 | 3 | 4 | 5;

/** The shapes that a line hits: those that collide; those that the game outlines; with whole cubes for what does not collide. */
export type Shapes = "collision" | "outline" | "full";
export interface LineOptions {
  shapes?: Shapes;
  /** Space where no column is loaded: "air", or "stop", which ends the query: `unloadedAt` is then the point. */
  unloaded?: "air" | "stop";
}
export interface AttachOptions extends LineOptions {
  /** Returns boxes, as block.shapes has them, in place of those of all shapes; undefined for the usual ones. It must not query. */
  shapeOf?: (block: PrismarineBlock) => number[][] | null | undefined;
  /** The height of an eye above the feet; by default eyeHeight, or else height. */
  eyeHeight?: (entity: PrismarineEntity) => number;
  /** True for a fractalray block type for each state, in place of one for all states of the same shapes. */
  typePerState?: boolean;
  /** The entities of a world without a bot, read before each query. */
  entities?: Entities | (() => Entities);
}
export type Entities = Iterable<PrismarineEntity> | ReadonlyMap<unknown, PrismarineEntity> | Record<string, PrismarineEntity>;

/** A block or an entity that a line hits. */
export interface LookHit {
  kind: "block" | "entity";
  /** One of these, as `kind` says. */
  block?: PrismarineBlock;
  entity?: PrismarineEntity;
  /** From the start of the line to where it enters, and to where it last leaves, which may be beyond the range. */
  distance: number;
  exitDistance: number;
  point: Vec3;
  face: BlockFace;
  startInside: boolean;
}
export interface ListOptions extends LineOptions {
  /** False leaves out blocks, or entities. */
  blocks?: boolean;
  entities?: boolean;
  /** Entities that are not hit. */
  ignore?: readonly PrismarineEntity[];
  /** Ends the list after a hit for which it returns true; by default after the first block. */
  until?: (hit: LookHit) => unknown;
  /** The most hits. */
  most?: number;
}
export interface LookList {
  hits: LookHit[];
  /** The point at which the line enters what is not loaded; null if it does not. It may be beyond the last hit. */
  unloaded: { distance: number; point: Vec3 } | null;
}
/** The members of RaycastIterator that a matcher may use. */
export interface LookIterator {
  readonly pos: Vec3;
  readonly dir: Vec3;
  readonly maxDistance: number;
  /** The present block, and the face by which the line enters it. */
  readonly block: { x: number; y: number; z: number; face: BlockFace };
  /** Returns the first point in boxes that are moved by an offset; null if there is none. */
  intersect(shapes: number[][], offset: Vec3): { pos: Vec3; face: BlockFace } | null;
}
/** Returns true for the block that is wanted; asked about every block on the line, air too. */
export type Matcher = (block: PrismarineBlock, iterator: LookIterator) => unknown;

/** A world of prismarine-world, seen through fractalray. */
export class Sight {
  protected constructor();
  /** The fractalray world. Sections are in it once a line has come near them, or after readAll(). */
  readonly world: World;
  /** The point where the last query ended, at what is not loaded; null if that did not end it. */
  readonly unloadedAt: Vec3 | null;
  /** The entities that no query hits: without a size or a position, or 32 blocks wide or high. */
  readonly entitiesLeftOut: PrismarineEntity[];

  /** Returns the first block on a ray; null if there is none. The range is in lengths of the direction. */
  raycast(from: Vec3, direction: Vec3, range: number, matcher?: Matcher | null, options?: LineOptions): PrismarineBlock | null;
  /** Returns the blocks and entities along a ray, in order. */
  along(from: Vec3, direction: Vec3, range: number, options?: ListOptions): LookList;
  /** Finds out if blocks let a line between two points through; "unloaded" only with unloaded: "stop". */
  lineOfSight(from: Vec3, to: Vec3, options?: LineOptions): "clear" | "blocked" | "unloaded";
  /** Returns the position of the first block between two points; null if there is none. */
  firstBetween(from: Vec3, to: Vec3, shapes?: Shapes): Vec3 | null;

  /** Returns the point from which an entity looks. */
  eyeOf(entity: PrismarineEntity): Vec3;
  /** Returns the block that an entity looks at; null if there is none. */
  blockAtEntityCursor(entity: PrismarineEntity, maxDistance?: number, matcher?: Matcher | null, options?: LineOptions): PrismarineBlock | null;
  /** Returns the entity that an entity looks at, before any block; null if there is none. Objects, which mineflayer's
   * entityAtCursor() leaves out, are not hit. */
  entityAtEntityCursor(entity: PrismarineEntity, maxDistance?: number, options?: LineOptions): PrismarineEntity | null;
  /** Returns the blocks and entities along the look of an entity, without itself. */
  lookOf(entity: PrismarineEntity, maxDistance?: number, options?: ListOptions): LookList;

  /** Reads all sections of all columns, for queries of `world` itself. */
  readAll(): void;
  /** Returns the block type of a state in `world`; undefined if it has not been read. */
  typeOf(stateId: number): number | undefined;
  /** Returns the number of the channel of `world` in which blocks have these shapes. */
  channelOf(shapes: Shapes): number;
  /** Returns the entity with an id in `world`. */
  entityOf(id: number): PrismarineEntity | undefined;
  /** Says that a column, or a block, has changed without an event of the world. */
  columnChanged(chunkX: number, chunkZ: number): void;
  blockChanged(position: Vec3): void;
  /** Stops listening, restores what install() has replaced, and frees the world. */
  detach(): void;
}

/** The sight of a mineflayer bot. Each function is as the bot's with that name. */
export class BotSight extends Sight {
  protected constructor();
  blockAtCursor(maxDistance?: number, matcher?: Matcher | null, options?: LineOptions): PrismarineBlock | null;
  blockAtEntityCursor(entity?: PrismarineEntity, maxDistance?: number, matcher?: Matcher | null, options?: LineOptions): PrismarineBlock | null;
  entityAtCursor(maxDistance?: number, options?: LineOptions): PrismarineEntity | null;
  blockInSight(maxSteps?: number, vectorLength?: number): PrismarineBlock | undefined;
  canSeeBlock(block: { position: Vec3 }): boolean;
  /** Returns the blocks and entities along the bot's look, in order. */
  look(maxDistance?: number, options?: ListOptions): LookList;
  /** Replaces the functions of the bot, and world.raycast(), by these, until uninstall(). */
  install(): this;
  uninstall(): void;
}

/** Attaches to a mineflayer bot that has spawned. Loads fractalray.wasm, unless fractalray's init() has been called. */
export function attach(bot: { world: any; entities: any; entity: any; on: any }, options?: AttachOptions): Promise<BotSight>;
/** Attaches to a world of prismarine-world. */
export function attach(world: { getColumn: any; getBlock: any } | { sync: any }, options?: AttachOptions): Promise<Sight>;
