// SPDX-License-Identifier: Apache-2.0
// The engine's own blocks, as it had them before it knew of fractalray: chunks of 32 x 32 x 32
// bytes, and a generator that fills them from a seed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fractalray/fractalray.h"

namespace arena {

using namespace fractalray;

// The engine's ids of blocks.
enum Block : std::uint8_t {
  kNothing,
  kGrass,
  kSoil,
  kStone,
  kBrick,
  kSteel,
  kWood,
  kLeaves,
  kGlass,
  kWater,
  kAsh,
  kRubble,
  kBlockIds,
};

// Block [x, y, z] of a chunk is ids[x + 32 z + 1024 y].
struct EngineChunk {
  static constexpr int kSize = 32;
  std::array<std::uint8_t, std::size_t{kSize} * kSize * kSize> ids{};
};

// A field of 512 x 512 blocks with hills, lakes, trees, ruins and a fortress; 64 blocks high, y up.
class Terrain {
 public:
  static constexpr Vec3i kChunks{16, 2, 16};
  static constexpr int kWidth = 16 * EngineChunk::kSize;
  static constexpr int kHeight = 2 * EngineChunk::kSize;

  explicit Terrain(std::uint64_t seed);

  // Returns the chunk that counts [x, y, z] chunks from the origin, null if there is none.
  const EngineChunk* find(const Vec3i& chunk) const;
  // Returns the id of a block, nothing outside of the field.
  std::uint8_t get(std::int64_t x, std::int64_t y, std::int64_t z) const;
  // Writes the id of a block; does nothing outside of the field.
  void set(std::int64_t x, std::int64_t y, std::int64_t z, std::uint8_t id);

  // Returns the height at which somebody stands who comes to x, z from a height of y: up to one
  // block above that, or as far below as the ground is. Below 0 if the way is barred, by a wall, by
  // water or by the end of the field.
  int standingHeight(double x, double y, double z) const;
  // Returns the height of the ground as it was made, trees and buildings not counted.
  int groundHeight(std::int64_t x, std::int64_t z) const;

 private:
  static bool contains(std::int64_t x, std::int64_t y, std::int64_t z);

  double noise(double x, double z, double width) const;
  void fill(const Vec3i& min, const Vec3i& max, std::uint8_t id);
  void makeGround();
  void makeFortress();
  void plantTree(std::int64_t x, std::int64_t z);
  void buildHouse(std::int64_t x, std::int64_t z);
  void buildRuin(std::int64_t x, std::int64_t z);

  std::uint64_t seed_;
  std::vector<EngineChunk> chunks_;
};

}  // namespace arena
