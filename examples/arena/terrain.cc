// SPDX-License-Identifier: Apache-2.0
#include "terrain.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace arena {
namespace {

constexpr int kLake = 9;  // the height of the water
constexpr int kMiddle = Terrain::kWidth / 2;
constexpr int kFloor = 16;      // the height of the fortress's floor
constexpr int kHalfWidth = 44;  // of the fortress

double mix(double a, double b, double part_of_b) {
  return a + (b - a) * part_of_b;
}

double smooth(double x) {
  return x * x * (3 - 2 * x);
}

}  // namespace

Terrain::Terrain(std::uint64_t seed)
    : seed_(seed), chunks_(static_cast<std::size_t>(kChunks[0] * kChunks[1] * kChunks[2])) {
  makeGround();
  std::mt19937_64 random(seed);
  const auto somewhere = [&] { return static_cast<std::int64_t>(8 + random() % (kWidth - 24)); };
  const auto scatter = [&](int count, auto&& build) {
    for (int i = 0; i < count; ++i) {
      const std::int64_t x = somewhere();
      const std::int64_t z = somewhere();
      const bool is_free = std::max(std::abs(x - kMiddle), std::abs(z - kMiddle)) > kHalfWidth + 10;
      if (is_free && groundHeight(x, z) >= kLake) build(x, z);
    }
  };
  scatter(60, [&](auto x, auto z) { buildHouse(x, z); });
  scatter(90, [&](auto x, auto z) { buildRuin(x, z); });
  scatter(700, [&](auto x, auto z) { plantTree(x, z); });
  makeFortress();
}

bool Terrain::contains(std::int64_t x, std::int64_t y, std::int64_t z) {
  return x >= 0 && x < kWidth && y >= 0 && y < kHeight && z >= 0 && z < kWidth;
}

const EngineChunk* Terrain::find(const Vec3i& chunk) const {
  for (int axis = 0; axis < 3; ++axis) {
    if (chunk[axis] < 0 || chunk[axis] >= kChunks[axis]) return nullptr;
  }
  return &chunks_[static_cast<std::size_t>(chunk[0] +
                                           kChunks[0] * (chunk[2] + kChunks[2] * chunk[1]))];
}

std::uint8_t Terrain::get(std::int64_t x, std::int64_t y, std::int64_t z) const {
  if (!contains(x, y, z)) return kNothing;
  const EngineChunk& chunk = *find({x >> 5, y >> 5, z >> 5});
  return chunk.ids[static_cast<std::size_t>((x & 31) + 32 * (z & 31) + 1024 * (y & 31))];
}

void Terrain::set(std::int64_t x, std::int64_t y, std::int64_t z, std::uint8_t id) {
  if (!contains(x, y, z)) return;
  auto& chunk = const_cast<EngineChunk&>(*find({x >> 5, y >> 5, z >> 5}));
  chunk.ids[static_cast<std::size_t>((x & 31) + 32 * (z & 31) + 1024 * (y & 31))] = id;
}

int Terrain::standingHeight(double x, double y, double z) const {
  const auto at_x = static_cast<std::int64_t>(std::floor(x));
  const auto at_z = static_cast<std::int64_t>(std::floor(z));
  auto at_y = static_cast<std::int64_t>(std::floor(y));
  if (!contains(at_x, 0, at_z)) return -1;
  if (get(at_x, at_y, at_z) != kNothing) ++at_y;
  if (get(at_x, at_y, at_z) != kNothing || get(at_x, at_y + 1, at_z) != kNothing) return -1;
  while (at_y > 0 && get(at_x, at_y - 1, at_z) == kNothing)
    --at_y;
  return get(at_x, at_y - 1, at_z) == kWater ? -1 : static_cast<int>(at_y);
}

// Returns smoothed numbers from 0 to 1 that are random at multiples of `width`.
double Terrain::noise(double x, double z, double width) const {
  const double left = std::floor(x / width);
  const double near = std::floor(z / width);
  const auto corner = [&](int i, int k) {
    const Vec3i cell{static_cast<std::int64_t>(left) + i, static_cast<std::int64_t>(seed_ ^ 77),
                     static_cast<std::int64_t>(near) + k};
    return static_cast<double>(CellHash()(cell) & 0xffffU) / 0xffff;
  };
  const double to_right = smooth(x / width - left);
  return mix(mix(corner(0, 0), corner(1, 0), to_right), mix(corner(0, 1), corner(1, 1), to_right),
             smooth(z / width - near));
}

int Terrain::groundHeight(std::int64_t x, std::int64_t z) const {
  const auto at_x = static_cast<double>(x);
  const auto at_z = static_cast<double>(z);
  const double hills =
      2 + 22 * noise(at_x, at_z, 71) + 7 * noise(at_x, at_z, 23) + 1.5 * noise(at_x, at_z, 7);
  // Levels the ground around the fortress.
  const auto away = static_cast<double>(std::max(std::abs(x - kMiddle), std::abs(z - kMiddle)));
  return static_cast<int>(
      mix(kFloor, hills, smooth(std::clamp((away - kHalfWidth - 6) / 30, 0.0, 1.0))));
}

void Terrain::fill(const Vec3i& min, const Vec3i& max, std::uint8_t id) {
  for (std::int64_t y = min[1]; y <= max[1]; ++y) {
    for (std::int64_t z = min[2]; z <= max[2]; ++z) {
      for (std::int64_t x = min[0]; x <= max[0]; ++x)
        set(x, y, z, id);
    }
  }
}

void Terrain::makeGround() {
  for (std::int64_t z = 0; z < kWidth; ++z) {
    for (std::int64_t x = 0; x < kWidth; ++x) {
      const int ground = groundHeight(x, z);
      fill({x, 0, z}, {x, ground - 4, z}, kStone);
      fill({x, std::max(0, ground - 3), z}, {x, ground - 1, z}, kSoil);
      fill({x, ground, z}, {x, ground, z}, ground > 24 ? kStone : ground < kLake ? kSoil : kGrass);
      fill({x, ground + 1, z}, {x, kLake, z}, kWater);
    }
  }
}

// Walls with battlements and four gates, towers with caps of steel, a hall of glass, and pillars of
// steel for ricochets.
void Terrain::makeFortress() {
  constexpr std::int64_t kMin = kMiddle - kHalfWidth;
  constexpr std::int64_t kMax = kMiddle + kHalfWidth;
  fill({kMin, kFloor, kMin}, {kMax, kFloor, kMax}, kStone);
  for (std::int64_t i = kMin; i <= kMax; ++i) {
    if (std::abs(i - kMiddle) <= 4) continue;  // the gates
    const std::int64_t top = kFloor + (i % 4 < 2 ? 9 : 7);
    fill({i, kFloor, kMin}, {i, top, kMin + 1}, kBrick);
    fill({i, kFloor, kMax - 1}, {i, top, kMax}, kBrick);
    fill({kMin, kFloor, i}, {kMin + 1, top, i}, kBrick);
    fill({kMax - 1, kFloor, i}, {kMax, top, i}, kBrick);
  }
  for (const std::int64_t x : {kMin, kMax}) {
    for (const std::int64_t z : {kMin, kMax}) {
      fill({x - 5, kFloor - 8, z - 5}, {x + 5, kFloor + 16, z + 5}, kBrick);
      fill({x - 6, kFloor + 17, z - 6}, {x + 6, kFloor + 18, z + 6}, kSteel);
    }
  }
  fill({kMiddle - 14, kFloor + 1, kMiddle - 10}, {kMiddle + 14, kFloor + 10, kMiddle + 10}, kGlass);
  fill({kMiddle - 13, kFloor + 1, kMiddle - 9}, {kMiddle + 13, kFloor + 9, kMiddle + 9}, kNothing);
  fill({kMiddle - 3, kFloor + 1, kMiddle - 10}, {kMiddle + 3, kFloor + 5, kMiddle + 10}, kNothing);
  for (std::int64_t x = kMin + 14; x <= kMax - 14; x += 12) {
    for (const std::int64_t z : {kMiddle - 26, kMiddle + 26})
      fill({x, kFloor + 1, z}, {x + 2, kFloor + 8, z + 2}, kSteel);
  }
}

void Terrain::plantTree(std::int64_t x, std::int64_t z) {
  const std::int64_t top = groundHeight(x, z) + 5 + (x + z) % 3;
  if (get(x, top - 4, z) != kNothing) return;
  for (std::int64_t y = -2; y <= 2; ++y) {
    const std::int64_t reach = y < 1 ? 2 : 1;
    fill({x - reach, top + y, z - reach}, {x + reach, top + y, z + reach}, kLeaves);
  }
  fill({x, groundHeight(x, z) + 1, z}, {x, top, z}, kWood);
}

// Walls of glass between corners of steel, under a roof of wood.
void Terrain::buildHouse(std::int64_t x, std::int64_t z) {
  const std::int64_t floor = groundHeight(x + 4, z + 4);
  fill({x, floor - 3, z}, {x + 9, floor, z + 9}, kBrick);
  fill({x, floor + 1, z}, {x + 9, floor + 5, z + 9}, kGlass);
  fill({x + 1, floor + 1, z + 1}, {x + 8, floor + 7, z + 8}, kNothing);
  fill({x + 4, floor + 1, z}, {x + 5, floor + 3, z + 9}, kNothing);
  for (const std::int64_t i : {x, x + 9}) {
    for (const std::int64_t k : {z, z + 9})
      fill({i, floor + 1, k}, {i, floor + 6, k}, kSteel);
  }
  fill({x, floor + 6, z}, {x + 9, floor + 6, z + 9}, kWood);
}

void Terrain::buildRuin(std::int64_t x, std::int64_t z) {
  const std::int64_t floor = groundHeight(x, z);
  const bool is_steel = (x + z) % 3 == 0;
  for (std::int64_t i = 0; i < 14; ++i) {
    const std::int64_t top =
        floor + 2 + static_cast<std::int64_t>(5 * noise(double(x + i), double(z), 3));
    const Vec3i at = (x ^ z) % 2 == 0 ? Vec3i{x + i, floor - 3, z} : Vec3i{x, floor - 3, z + i};
    fill(at, {at[0] + 1, top, at[2] + 1}, is_steel ? kSteel : kBrick);
  }
}

}  // namespace arena
