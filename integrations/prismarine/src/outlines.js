// SPDX-License-Identifier: Apache-2.0
// The outlines of blocks that do not collide, or collide otherwise than they are outlined: what the game's crosshair
// hits. For Java 1.13 and later, by name and properties; minecraft-data has collision shapes alone.
//
// Plants are drawn, and outlined, at a random offset of up to a quarter of a block that depends on their position.
// A shape belongs to a state, so it is that of a plant without an offset.

const HORIZONTAL = ["north", "south", "west", "east"];

// Returns a box in the middle of the block: its width, from one height to another.
function middle(width, high, low = 0) {
  return [8 - width / 2, low, 8 - width / 2, 8 + width / 2, high, 8 + width / 2];
}

// Returns what is given for a block that faces south, turned so that it faces elsewhere.
function facing(direction, [x0, y0, z0, x1, y1, z1]) {
  if (direction === "north") return [16 - x1, y0, 16 - z1, 16 - x0, y1, 16 - z0];
  if (direction === "east") return [z0, y0, 16 - x1, z1, y1, 16 - x0];
  if (direction === "west") return [16 - z1, y0, x0, 16 - z0, y1, x1];
  return [x0, y0, z0, x1, y1, z1];
}

// Returns layers at the faces for which a property is true; at the bottom if there is none.
function layers(properties) {
  const found = HORIZONTAL.filter((face) => isTrue(properties[face])).map((face) => facing(face, [0, 0, 15, 16, 16, 16]));
  if (isTrue(properties.up)) found.push([0, 15, 0, 16, 16, 16]);
  if (isTrue(properties.down) || found.length === 0) found.push([0, 0, 0, 16, 1, 16]);
  return found;
}
function isTrue(value) {
  return value === true || value === "true";
}

function wire(properties) {
  const found = [[3, 0, 3, 13, 1, 13]];
  for (const face of HORIZONTAL) {
    const how = properties[face];
    if (how === "side" || how === "up") found.push(facing(face, [3, 0, 3, 13, 1, 16]));
    if (how === "up") found.push(facing(face, [3, 0, 15, 13, 16, 16]));
  }
  return found;
}

// Returns what is fixed to a floor, a wall or a ceiling: its box on a wall of a block that faces south, and on a
// floor if it faces south; a ceiling has the mirror image of the floor.
function fixed(properties, wall, floor) {
  if (properties.face !== "floor" && properties.face !== "ceiling") return [facing(properties.facing, wall)];
  const [x0, y0, z0, x1, y1, z1] = facing(properties.facing, floor);
  return [properties.face === "floor" ? [x0, y0, z0, x1, y1, z1] : [x0, 16 - y1, z0, x1, 16 - y0, z1]];
}
function button(properties) {
  const depth = isTrue(properties.powered) ? 1 : 2;
  return fixed(properties, [5, 6, 0, 11, 10, depth], [5, 0, 6, 11, depth, 10]);
}

const one = (box) => () => [box];
const turned = (box) => (properties) => [facing(properties.facing, box)];
const byAge = (heights, width = 16) => (properties) => [middle(width, heights[Number(properties.age ?? heights.length - 1)] ?? 16)];
const CUBE = one([0, 0, 0, 16, 16, 16]);
const NOTHING = () => [];
const FLOWER = one(middle(6, 10)), GRASS = one(middle(12, 13)), SAPLING = one(middle(12, 12)), TORCH = one(middle(4, 10));
const WALL_TORCH = turned([5.5, 3, 0, 10.5, 13, 5]), STEM = turned([6, 0, 6, 10, 10, 16]);
const rail = (properties) => [[0, 0, 0, 16, String(properties.shape).startsWith("ascending") ? 8 : 2, 16]];
const portal = (properties) => [properties.axis === "z" ? [6, 0, 0, 10, 16, 16] : [0, 0, 6, 16, 16, 10]];

const NAMES = {
  wheat: byAge([2, 4, 6, 8, 10, 12, 14, 16]), carrots: byAge([2, 3, 4, 5, 6, 7, 8, 9]), potatoes: byAge([2, 3, 4, 5, 6, 7, 8, 9]),
  beetroots: byAge([2, 4, 6, 8]), nether_wart: byAge([5, 8, 11, 14]), torchflower_crop: byAge([6, 10], 6),
  melon_stem: byAge([2, 4, 6, 8, 10, 12, 14, 16], 2), pumpkin_stem: byAge([2, 4, 6, 8, 10, 12, 14, 16], 2),
  attached_melon_stem: STEM, attached_pumpkin_stem: STEM,
  sweet_berry_bush: (properties) => [[middle(10, 8), middle(14, 16), middle(14, 16), middle(16, 16)][Number(properties.age ?? 3)]],
  sugar_cane: one(middle(12, 16)), reeds: one(middle(12, 16)), cactus: one(middle(14, 16)),
  grass: GRASS, short_grass: GRASS, fern: GRASS, tallgrass: GRASS, dead_bush: GRASS, deadbush: GRASS, crimson_roots: GRASS,
  warped_roots: GRASS, small_dripleaf: GRASS, nether_sprouts: one(middle(12, 3)), seagrass: one(middle(12, 12)),
  tall_seagrass: one(middle(12, 16)), kelp: one(middle(16, 9)), bamboo_sapling: one(middle(8, 12)),
  mangrove_propagule: (properties) => [middle(2, 16, isTrue(properties.hanging) ? [13, 10, 7, 3, 0][Number(properties.age)] : 0)],
  brown_mushroom: one(middle(6, 6)), red_mushroom: one(middle(6, 6)), crimson_fungus: one(middle(8, 9)), warped_fungus: one(middle(8, 9)),
  weeping_vines: one(middle(8, 16, 9)), weeping_vines_plant: one(middle(14, 16)), twisting_vines: one(middle(8, 15)),
  twisting_vines_plant: one(middle(8, 16)), cave_vines: one(middle(14, 16)), cave_vines_plant: one(middle(14, 16)),
  spore_blossom: one(middle(12, 16, 13)), hanging_roots: one(middle(12, 16, 10)), pink_petals: one(middle(16, 3)), frogspawn: one(middle(16, 1.5)),
  torch: TORCH, soul_torch: TORCH, redstone_torch: TORCH, wall_torch: WALL_TORCH, soul_wall_torch: WALL_TORCH, redstone_wall_torch: WALL_TORCH,
  vine: layers, glow_lichen: layers, sculk_vein: layers, resin_clump: layers, fire: layers, soul_fire: one(middle(16, 1)),
  redstone_wire: wire, tripwire: (properties) => [isTrue(properties.attached) ? [0, 1, 0, 16, 2.5, 16] : middle(16, 8)],
  tripwire_hook: turned([5, 0, 0, 11, 10, 6]), lever: (properties) => fixed(properties, [5, 4, 0, 11, 12, 6], [5, 0, 4, 11, 6, 12]),
  rail, powered_rail: rail, detector_rail: rail, activator_rail: rail, nether_portal: portal, end_portal: one([0, 6, 0, 16, 12, 16]),
  snow: (properties) => [middle(16, 2 * Number(properties.layers ?? 1))], structure_void: one([5, 5, 5, 11, 11, 11]),
  soul_sand: CUBE, mud: CUBE, honey_block: CUBE, light: NOTHING, moving_piston: NOTHING,
};

for (const name of ["dandelion", "torchflower", "poppy", "blue_orchid", "allium", "azure_bluet", "oxeye_daisy", "cornflower", "wither_rose",
  "lily_of_the_valley", "open_eyeblossom", "closed_eyeblossom", "yellow_flower", "red_flower"]) {
  NAMES[name] = FLOWER;
}

// The rest of a name, for blocks of many materials and colours. The first that fits is used.
const ENDINGS = [
  ["_tulip", FLOWER], ["_sapling", SAPLING],
  ["_pressure_plate", (properties) => [middle(14, isTrue(properties.powered) || Number(properties.power ?? 0) > 0 ? 0.5 : 1)]],
  ["_button", button],
  ["_wall_hanging_sign", undefined],  // as it collides
  ["_hanging_sign", (properties) => {
    const quarter = Number(properties.rotation) % 4 === 0;
    return [quarter ? facing(Number(properties.rotation) % 8 === 0 ? "south" : "east", [1, 0, 7, 15, 10, 9]) : middle(10, 16)];
  }],
  ["wall_sign", turned([0, 4.5, 0, 16, 12.5, 2])], ["_sign", one(middle(8, 16))],
  ["_wall_banner", turned([0, 0, 0, 16, 12.5, 2])], ["_banner", one(middle(8, 16))],
  ["_coral_wall_fan", turned([0, 4, 0, 16, 12, 11])], ["_coral_fan", one(middle(12, 4))], ["_coral", one(middle(12, 15))],
  ["fence_gate", (properties) => [facing(properties.facing, [0, 0, 6, 16, isTrue(properties.in_wall) ? 13 : 16, 10])]],
  ["_wall", (properties, isEmpty) => (isEmpty ? [] : undefined)],
];

// Returns the boxes of a block's outline, as block.shapes has them; undefined if they are those of its collision,
// or, if it has none, the whole cube.
export function outlineOf(block) {
  const name = block.name ?? "";
  if (name.startsWith("potted_")) return undefined;
  const made = Object.hasOwn(NAMES, name) ? NAMES[name] : ENDINGS.find(([ending]) => name.endsWith(ending))?.[1];
  const boxes = made?.(block.getProperties?.() ?? {}, !(block.shapes?.length > 0));
  return boxes?.map((box) => box.map((coordinate) => coordinate / 16));
}
