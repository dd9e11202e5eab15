// SPDX-License-Identifier: Apache-2.0
#include "palette.h"

#include <array>
#include <cstdint>

namespace fractalray {
namespace {

struct NamedColor {
  std::string_view part;  // of the name
  Rgb color;
};

// The first entry whose part occurs in a name wins, so specific parts come first.
constexpr std::array<NamedColor, 59> kColors = {{
    {"coarse:mixed", {142, 158, 112}},
    {"coarse:solid", {126, 122, 116}},
    {"lava", {232, 96, 24}},
    {"river_water", {64, 120, 190}},
    {"water", {44, 96, 170}},
    {"dirt_with_rainforest", {78, 104, 46}},
    {"dirt_with_conifer", {110, 92, 58}},
    {"dirt_with_snow", {236, 242, 248}},
    {"dirt_with_dry_grass", {176, 158, 76}},
    {"dry_dirt", {150, 116, 74}},
    {"dirt_with_grass", {96, 146, 58}},
    {"dry_grass", {186, 168, 92}},
    {"junglegrass", {70, 132, 48}},
    {"grass", {104, 156, 66}},
    {"jungleleaves", {40, 104, 36}},
    {"pine_needles", {42, 84, 58}},
    {"acacia_leaves", {122, 150, 60}},
    {"aspen_leaves", {120, 168, 70}},
    {"leaves", {58, 118, 44}},
    {"papyrus", {110, 160, 70}},
    {"cactus", {60, 124, 58}},
    {"fern", {74, 136, 58}},
    {"sapling", {90, 140, 60}},
    {"kelp", {50, 110, 60}},
    {"coral", {216, 120, 130}},
    {"rose", {206, 50, 60}},
    {"tulip", {224, 140, 60}},
    {"flower", {216, 190, 90}},
    {"mushroom", {170, 110, 86}},
    {"jungletree", {96, 74, 46}},
    {"pine_tree", {92, 70, 48}},
    {"tree", {104, 78, 48}},
    {"wood", {164, 126, 78}},
    {"fence", {146, 112, 70}},
    {"ladder", {158, 122, 76}},
    {"torch", {250, 206, 96}},
    {"meselamp", {250, 240, 170}},
    {"lamp", {255, 196, 84}},
    {"glass", {206, 228, 238}},
    {"pane", {206, 228, 238}},
    {"snow", {240, 244, 250}},
    {"ice", {176, 208, 236}},
    {"desert_sandstone", {196, 150, 104}},
    {"silver_sandstone", {190, 190, 184}},
    {"sandstone", {214, 196, 138}},
    {"desert_sand", {206, 160, 100}},
    {"silver_sand", {196, 194, 184}},
    {"sand", {220, 206, 150}},
    {"gravel", {134, 128, 124}},
    {"clay", {160, 164, 172}},
    {"dirt", {118, 86, 56}},
    {"brick", {150, 130, 122}},
    {"desert_stone", {156, 98, 72}},
    {"cobble", {120, 120, 120}},
    {"obsidian", {34, 30, 48}},
    {"stone", {128, 128, 130}},
    {"rock", {118, 112, 108}},
    {"red soil", {186, 92, 58}},
    {"crystal", {120, 214, 220}},
}};

bool contains(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

// Returns a muted colour from a hash of the name (FNV-1a).
Rgb colorOfBits(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name)
    hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  const auto component = [&](int shift) {
    return static_cast<std::uint8_t>(96 + ((hash >> shift) & 0x7fU));
  };
  return {component(0), component(8), component(16)};
}

}  // namespace

Rgb colorOfName(std::string_view name) {
  for (const NamedColor& named : kColors) {
    if (contains(name, named.part)) return named.color;
  }
  return colorOfBits(name);
}

Material materialOfName(std::string_view name) {
  const Rgb color = colorOfName(name);
  if (contains(name, "glass") || contains(name, "pane")) {
    return {.color = color, .density = 0.25, .is_smooth = true};
  }
  if (contains(name, "water")) return {.color = color, .density = 0.22, .is_smooth = true};
  if (contains(name, "crystal")) return {.color = color, .density = 1, .is_smooth = true};
  if (contains(name, "lamp")) return {.color = color, .density = 2, .is_glowing = true};
  if (contains(name, "leaves") || contains(name, "needles")) {
    return {.color = color, .density = 4};
  }
  return {.color = color, .density = 2};
}

}  // namespace fractalray
