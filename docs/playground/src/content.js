// SPDX-License-Identifier: Apache-2.0
// What the page adds to the bundled world: far land of blocks that are 16 nodes wide, sculptures of blocks that are 1/16
// of a node wide, entities, and where to look first. Positions are in nodes.

import { CATEGORIES } from "./state.js";
import { Grid } from "./world_file.js";

// The levels of the page's world. A block of level l is 16 times as wide as one of level l + 1.
export const FAR = 0, NODES = 1, FINE = 2;
export const WIDTHS = [16, 1, 1 / 16];
export const LEVEL_NAMES = ["blocks of 16 nodes", "nodes", "1/16 of a node"];
// How far shots fly, in nodes.
export const REACH = 220;

// From where the page is first seen: x, y, z, yaw, pitch (in radians; yaw 0 looks to -z).
export const FIRST_VIEW = [-166, 85.5, -61, 2.28, -0.27];
export const SUN = { center: [-192, 70, -32], radius: 72, direction: [0.55, 0.75, -0.42] };

// Shots to begin with: two points, and members of the state that differ from the first one.
export const DEMO_SHOTS = [
  { name: "along the balloons", from: [-199.8, 76.6, -45.3], to: [-174, 75, -43.3] },
  { name: "into the pool", from: [-196.3, 81.2, -33.4], to: [-180.4, 73.6, -22.7] },
  { name: "through blocks of 1/16", from: [-201.5, 76.6, -32.4], to: [-186.5, 76.4, -30.1] },
  { name: "over eleven slabs", from: [-215.7, 85.73, -43.35], to: [-189, 85.85, -41.385] },
  { name: "exactly through corners", from: [-203, 78, -20], to: [-196, 71, -27] },
  { name: "to the far land", from: [-172, 81, -54], to: [-87, 48, -89] },
  { name: "piercing glass and wood", from: [-184.2, 77.3, -56.5], to: [-206.5, 76, -26], set: { strength: 8, channel: "pierce" } },
  { name: "ricochets in a room", from: [-209.3, 77.4, -47.1], to: [-204, 78.6, -42.9], set: { bounces: 8 } },
];

// Positions are multiples of 1/1024, which doubles hold 2^40 nodes away, too: so all answers are the same there.
const entity = (id, name, category, position, shape, color) =>
  ({ id, name, category: CATEGORIES[category], position: position.map((part) => Math.round(part * 1024) / 1024), ...shape, color });
const BODY = { halfExtents: [0.35, 0.9, 0.35] };
const ball = (radius) => ({ radius });
const crate = (half) => ({ halfExtents: [half, half, half] });

// Players stand on the platform, whose floor is at y = 75.
export const ENTITIES = [
  entity(1, "Ada", "players", [-206.2, 75.9, -44.8], BODY, 0xe4572e),
  entity(2, "Bela", "players", [-198.4, 75.9, -45.2], BODY, 0xf3a712),
  entity(3, "Chen", "players", [-205.4, 75.9, -52.4], BODY, 0x2e86ab),
  entity(4, "Dara", "players", [-200.1, 75.9, -24.9], BODY, 0x8e5bd0),
  entity(5, "Emil", "players", [-209.8, 75.9, -15.6], BODY, 0x3fa34d),
  entity(11, "balloon", "creatures", [-194.6, 76.8, -44.6], ball(0.9), 0xff6f91),
  entity(12, "balloon", "creatures", [-190.1, 76.4, -44.3], ball(0.7), 0xffc75f),
  entity(13, "balloon", "creatures", [-186.0, 76.3, -43.9], ball(1.1), 0x66c6ba),
  entity(14, "balloon", "creatures", [-189.6, 78.0, -29.4], ball(0.8), 0xd65db1),
  entity(15, "fish", "creatures", [-184.2, 74.4, -25.3], ball(0.35), 0xff8066),
  entity(16, "fish", "creatures", [-181.9, 74.2, -23.6], ball(0.3), 0xffd23f),
  entity(21, "crate", "crates", [-182.0, 75.6, -44.2], crate(0.6), 0xa9744f),
  entity(22, "crate", "crates", [-181.9, 76.7, -44.3], crate(0.5), 0xb98558),
  entity(23, "crate", "crates", [-199.0, 75.5, -36.6], crate(0.5), 0xa9744f),
  entity(24, "crate", "crates", [-175.2, 75.8, -48.1], crate(0.8), 0xb98558),
];
export const PLAYERS = ENTITIES.filter(({ category }) => category === CATEGORIES.players);
// Returns the eye of a player, in nodes: 0.7 above the middle of the body.
export const eyeOf = ({ position: [x, y, z] }) => [x, y + 0.7, z];
// Returns the corners of an entity's bounding box.
export function boxOf({ position, radius, halfExtents = [radius, radius, radius] }) {
  return [position.map((part, i) => part - halfExtents[i]), position.map((part, i) => part + halfExtents[i])];
}

// Returns nearly the sine, by arithmetic that is the same in every engine, as Math.sin() need not be: the world, and so the
// hash of its answers, depends on it.
function sine(x) {
  const part = x / 6.283185307 - Math.floor(x / 6.283185307 + 0.5);
  return 8 * part - 16 * part * Math.abs(part);
}

// Returns the sculptures: `at`, the node that each replaces, and its 16 x 16 x 16 blocks as a Grid of 0 and 1.
export function sculptures() {
  const made = (at, isSolid) => {
    const grid = new Grid([0, 0, 0], [16, 16, 16]);
    for (let i = 0; i < 4096; ++i) grid.ids[i] = isSolid((i & 15) - 7.5, ((i >> 4) & 15) - 7.5, (i >> 8) - 7.5) ? 1 : 0;
    return { at, grid };
  };
  const wave = (a, b) => sine(a * 0.55) * sine(b * 0.55 + 1.5707963);
  return [
    made([-196, 76, -32], (x, y, z) => {
      const xx = x * x, yy = y * y, zz = z * z, square = xx + yy + zz;
      return square < 62 && square > 31 && xx + yy > 6.8 && yy + zz > 6.8;
    }),
    made([-193, 76, -32], (x, y, z) => Math.abs(wave(x, y) + wave(y, z) + wave(z, x)) < 0.34),
    made([-190, 76, -31], (x, y, z) => [x, y, z].filter((part) => Math.abs(part) > 5.6).length >= 2),
  ];
}

// Returns the blocks of level 0 as a Grid of 0 and 1, in blocks of 16 nodes, and `isDrawn(x, y, z)`: where no finer chunk
// replaces the block. In the map they are solid where most of the chunk is; around it they are hills.
export function farLand(grid, isSolidType) {
  const low = grid.low.map((part) => part / 16), size = grid.size.map((part) => part / 16), margin = 12;
  const far = new Grid([low[0] - margin, -3, low[2] - margin], [size[0] + 2 * margin, 12, size[2] + 2 * margin]);
  const top = new Map();
  for (let z = 0; z < size[2]; ++z) for (let x = 0; x < size[0]; ++x) for (let y = 0; y < size[1]; ++y) {
    if (!isMostlySolid(grid, 16 * x, 16 * y, 16 * z, isSolidType)) continue;
    far.set(low[0] + x, low[1] + y, low[2] + z, 1);
    top.set(`${x},${z}`, low[1] + y);
  }
  const clamp = (value, most) => Math.min(Math.max(value, 0), most - 1);
  for (let z = -margin; z < size[2] + margin; ++z) for (let x = -margin; x < size[0] + margin; ++x) {
    const nearX = clamp(x, size[0]), nearZ = clamp(z, size[2]), away = Math.max(Math.abs(x - nearX), Math.abs(z - nearZ));
    if (away === 0) continue;
    const wave = sine(x * 0.9) * sine(z * 0.7 + 1.5707963) + sine(0.31 * x + 0.5 * z);
    const height = (top.get(`${nearX},${nearZ}`) ?? 0) * Math.max(0, 1 - away / 8) + 1.2 * wave * Math.min(1, away / 4);
    for (let y = -3; y <= Math.min(Math.round(height), 8); ++y) far.set(low[0] + x, y, low[2] + z, 1);
  }
  const isMap = (x, y, z) => [x, y, z].every((part, i) => part >= low[i] && part < low[i] + size[i]);
  return { grid: far, isDrawn: (x, y, z) => !isMap(x, y, z) };
}
function isMostlySolid({ size, ids }, x0, y0, z0, isSolidType) {
  let solid = 0;
  for (let z = z0; z < z0 + 16; ++z) for (let y = y0; y < y0 + 16; ++y) {
    const begin = x0 + size[0] * (y + size[1] * z);
    for (let i = begin; i < begin + 16; ++i) if (isSolidType(ids[i])) ++solid;
  }
  return solid > 2048;
}
