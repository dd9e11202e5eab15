// SPDX-License-Identifier: Apache-2.0
// What block types look like. Only the picture depends on it, never an answer.

// The classes of the mesher. Those that hide the faces of their neighbours are odd.
export const NONE = 0, BLOCK = 1, WATER = 2, POCKET = 3, GLASS = 4, BOXES = 6, GLASS_BOXES = 8, PLANT = 10;

// The first entry whose pattern is in a name wins.
const COLORS = [
  [/far land/, [126, 154, 106]], [/marble/, [242, 239, 230]], [/lava/, [232, 96, 24]],
  [/river_water/, [64, 120, 190]], [/water(?!lily)/, [44, 96, 170]],
  [/waterlily/, [70, 132, 60]], [/rainforest/, [84, 104, 52]], [/conifer/, [110, 92, 58]], [/with_snow/, [232, 238, 244]],
  [/dirt_with_dry_grass/, [176, 158, 76]], [/dry_dirt/, [150, 116, 74]], [/dirt_with_grass/, [96, 146, 58]],
  [/dry_grass|dry_shrub/, [186, 168, 92]], [/junglegrass/, [70, 132, 48]], [/grass/, [104, 156, 66]],
  [/jungleleaves/, [48, 112, 42]], [/needles/, [42, 84, 58]], [/acacia_(bush_)?leaves/, [122, 150, 60]],
  [/aspen_leaves/, [120, 168, 70]], [/leaves/, [58, 118, 44]], [/papyrus/, [110, 160, 70]], [/cactus/, [60, 124, 58]],
  [/fern|sapling|kelp|wheat/, [90, 140, 60]], [/coral_skeleton/, [214, 208, 196]], [/coral_green/, [96, 160, 84]],
  [/coral_cyan/, [88, 176, 186]], [/coral_orange/, [226, 138, 62]], [/coral_brown/, [140, 100, 70]], [/coral/, [216, 120, 150]],
  [/rose/, [206, 50, 60]], [/tulip/, [224, 140, 60]], [/flower/, [216, 190, 90]], [/mushroom/, [170, 110, 86]],
  [/jungletree|bush_stem/, [96, 74, 46]], [/pine_tree/, [92, 70, 48]], [/tree/, [104, 78, 48]],
  [/glass|pane|bottle/, [196, 224, 236]], [/ladder/, [158, 122, 76]],
  [/fence|sign|chest/, [150, 114, 70]], [/wood/, [168, 130, 82]], [/torch/, [250, 206, 96]],
  [/mese_post|meselamp|lamp/, [250, 236, 170]], [/bed/, [178, 60, 60]], [/rail/, [140, 130, 120]],
  [/snow/, [240, 244, 250]], [/ice/, [176, 208, 236]], [/desert_sandstone/, [196, 150, 104]], [/silver_sand/, [200, 198, 190]],
  [/sand/, [216, 204, 158]], [/clay/, [176, 178, 188]], [/gravel/, [136, 130, 126]], [/with_coal/, [92, 92, 92]],
  [/with_iron/, [164, 138, 118]], [/with_copper/, [172, 118, 82]], [/with_tin/, [156, 158, 162]], [/with_gold/, [206, 176, 80]],
  [/with_mese/, [214, 206, 70]], [/with_diamond/, [120, 200, 214]], [/mossycobble/, [96, 118, 84]], [/cobble/, [124, 122, 120]],
  [/stonebrick/, [138, 136, 132]], [/stone/, [128, 126, 124]], [/dirt/, [124, 88, 58]],
];
const PLANTS = /grass_\d|junglegrass|fern|sapling|rose|tulip|flowers:(?!waterlily)|mushroom|papyrus|wheat|shrub/;

// Returns the colour of a block type as [r, g, b], sRGB, 0 to 255.
export function colorOf(name) {
  const found = COLORS.find(([pattern]) => pattern.test(name));
  if (found) return found[1];
  let hash = 2166136261;
  for (const char of name) hash = Math.imul(hash ^ char.codePointAt(0), 16777619) >>> 0;
  return [96 + (hash & 127), 96 + ((hash >> 8) & 127), 96 + ((hash >> 16) & 127)];
}

// Returns the class of a block type, {name, kinds, boxes}.
export function classOf({ name, kinds, boxes }) {
  if (kinds.default === "empty") return NONE;
  const isShaped = boxes?.default !== undefined, isClear = kinds.visible === "empty";
  if (isShaped) {
    if (boxes.default.length === 0) return NONE;
    return PLANTS.test(name) ? PLANT : isClear ? GLASS_BOXES : BOXES;
  }
  if (isClear) return GLASS;
  return kinds.default === "permeable" && /water/.test(name) ? WATER : BLOCK;
}

// Returns a name without its mod, for tables.
export function shortName(name) {
  return name.replace(/^[a-z_]+:/, "").replaceAll("_", " ");
}
