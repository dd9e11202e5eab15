// SPDX-License-Identifier: Apache-2.0
// Asks the questions of tests/golden through the C interface: the hashes are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../oracle/rng.h"
#include "golden_hash.h"
#include "golden_scene.h"
#include "sized.h"

namespace fractalray::golden {
namespace {

using oracle::Rng;
using testing::sized;

void addWalk(Hash& hash, Rng& rng, int dimensions) {
  std::array<std::int64_t, 3> from{};
  std::array<std::int64_t, 3> to{};
  std::array<std::int64_t, 3> widths{};
  const std::int64_t scale = std::int64_t{1} << rng.in(0, 56);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis) {
    widths[axis] = rng.oneIn(2) ? scale : scale + rng.in(0, scale);
    const std::int64_t lattice = rng.oneIn(2) ? widths[axis] : std::max<std::int64_t>(1, scale / 4);
    from[axis] = rng.in(-8, 8) * lattice;
    to[axis] = rng.in(-8, 8) * lattice;
    to[axis] += rng.in(-1, 1);
  }
  constexpr std::array<std::int32_t, 3> kCorners = {FR_CORNER_NEITHER, FR_CORNER_BOTH,
                                                    FR_CORNER_STAIRCASE};
  frWalk* walk = nullptr;
  require(frCreateWalk(dimensions, from.data(), to.data(), widths.data(),
                       kCorners[static_cast<std::size_t>(rng.below(3))], &walk));
  std::uint64_t crossings = 0;
  require(frWalk_GetCrossings(walk, &crossings));
  hash.add(crossings);
  std::array<frWalkCell, 5> cells{};
  std::size_t count = cells.size();
  while (count == cells.size()) {
    require(frWalk_Next(walk, cells.data(), cells.size(), &count));
    for (std::size_t i = 0; i < count; ++i) {
      const frWalkCell& cell = cells[i];
      addAll(hash, cell.cell, dimensions);
      const std::int64_t divisor = std::gcd(cell.t_numerator, cell.t_denominator);
      hash.add(cell.t_numerator / divisor);
      hash.add(cell.t_denominator / divisor);
      hash.add(int{cell.face_axis});
      hash.add(int{cell.face_sign});
    }
  }
  require(frDestroyWalk(walk));
}

void shoot(Hash& hash, const Scene& scene, const frLine& line, const frQueryOptions& options) {
  std::vector<frHit> hits(10000);
  frQueryResult shot = sized<frQueryResult>();
  require(frWorld_Shoot(scene.world(), &line, FR_ALL_LEVELS, &options, hits.data(), hits.size(),
                        &shot));
  addShot(hash, {scene.world(), &line, &shot,
                 std::span(hits).first(static_cast<std::size_t>(shot.hit_count))});
}

std::uint64_t walksByC() {
  Hash hash;
  Rng rng("golden walks");
  for (int i = 0; i < 2000; ++i) {
    addWalk(hash, rng, 2);
    addWalk(hash, rng, 3);
  }
  return hash.value();
}

std::uint64_t shotsByC() {
  constexpr std::array<std::int32_t, 3> kCorners = {FR_CORNER_NEITHER, FR_CORNER_BOTH,
                                                    FR_CORNER_STAIRCASE};
  Hash hash;
  Rng rng("golden shots");
  for (int number = 0; number < 40; ++number) {
    const Scene scene(rng);
    for (int i = 0; i < 100; ++i) {
      frQueryOptions options = sized<frQueryOptions>();
      options.corner = kCorners[static_cast<std::size_t>(rng.below(3))];
      options.report_unknown = rng.oneIn(2) ? 1 : 0;
      shoot(hash, scene, scene.segment(rng), options);
    }
  }
  return hash.value();
}

std::uint64_t entityChunksByC() {
  Hash hash;
  Rng rng("golden entity chunks");
  for (int i = 0; i < 100; ++i) {
    const Scene scene(rng);
    std::array<frEntity, 20> entities{};
    std::size_t count = 0;
    require(frWorld_GetEntities(scene.world(), entities.data(), entities.size(), &count));
    for (std::size_t e = 0; e < count; ++e) {
      frEntityInfo info{};
      std::array<std::int64_t, 81> chunks{};
      std::size_t chunk_count = 0;
      require(frWorld_GetEntity(scene.world(), entities[e], &info));
      require(frWorld_GetEntityChunks(scene.world(), entities[e], chunks.data(), 27, &chunk_count));
      hash.add(int{info.index_level});
      addAll(hash, chunks.data(), static_cast<int>(3 * chunk_count));
    }
  }
  return hash.value();
}

TEST(CapiGoldenTest, AnswersAreThoseThatWereRecorded) {
  std::ifstream file(FRACTALRAY_SOURCE_DIR "/tests/golden/golden.txt");
  std::string name;
  std::string hash;
  const std::array<std::uint64_t, 3> found = {walksByC(), shotsByC(), entityChunksByC()};
  for (const std::uint64_t mine : found) {
    ASSERT_TRUE(file >> name >> hash);
    EXPECT_EQ(std::stoull(hash, nullptr, 16), mine) << name;
  }
}

}  // namespace
}  // namespace fractalray::golden
