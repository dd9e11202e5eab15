// SPDX-License-Identifier: Apache-2.0
// Landscapes to see and to hide in: hills, caves, a forest, a town. The same on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "fractalray/fractalray.h"

namespace sight_server {

enum class Landscape : std::uint8_t { kTerrain, kCaves, kForest, kTown };
inline constexpr std::array kLandscapes = {Landscape::kTerrain, Landscape::kCaves,
                                           Landscape::kForest, Landscape::kTown};

// Returns "terrain" and so on; nullopt for another name.
std::string_view landscapeName(Landscape landscape);
std::optional<Landscape> landscapeOf(std::string_view name);

// A landscape of blocks from (0, 0, 0), loaded in full; one of 40 blocks in the ground is ore.
class Ground {
 public:
  static constexpr std::int64_t kHeight = 128;

  // Requires: `width`, along x and z, is a multiple of 16, and at least 64.
  Ground(Landscape landscape, std::int64_t width);

  fractalray::World& world() { return world_; }
  const fractalray::World& world() const { return world_; }
  std::int64_t width() const { return width_; }
  fractalray::BlockTypeId stone() const { return stone_; }
  fractalray::BlockTypeId ore() const { return ore_; }

  // Returns the height of the floor nearest to `near`, within 12 blocks, at a column: a solid block
  // below two of air. Nullopt if there is none, or the column is not in the landscape.
  std::optional<std::int64_t> floorAt(std::int64_t x, std::int64_t z, std::int64_t near) const;

 private:
  bool isSolid(std::int64_t x, std::int64_t y, std::int64_t z) const;

  std::int64_t width_;
  fractalray::World world_;
  fractalray::BlockTypeId stone_{};
  fractalray::BlockTypeId ore_{};
};

}  // namespace sight_server
