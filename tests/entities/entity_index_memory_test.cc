// SPDX-License-Identifier: Apache-2.0
// Checks the memory of an index per entity.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../core/vec.h"
#include "../../entities/entity_index.h"
#include "../oracle/allocations.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::heldBytes;
using oracle::Rng;

// A sixteenth of a million, in a sixteenth of 512 x 256 x 512 blocks: as crowded as a million in
// the benchmark, and vectors that double have as little to spare.
constexpr std::size_t kEntities = 62'500;
constexpr std::array<std::int64_t, 3> kBlocks = {128, 256, 128};

class EntityIndexMemoryTest : public testing::Test {
 protected:
  EntityIndexMemoryTest() {
    handles_.reserve(kEntities);
    centers_.reserve(kEntities);
    moves_.reserve(kEntities);
    for (std::size_t i = 0; i < kEntities; ++i)
      centers_.push_back(randomCenter());
  }

  Vec3d randomCenter() {
    Vec3d center;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t width = kBlocks[static_cast<std::size_t>(axis)];
      center[axis] = static_cast<double>(rng_.in(1024, 1024 * (width - 1))) / 1024;
    }
    return center;
  }
  void addAll() {
    for (std::size_t i = 0; i < kEntities; ++i) {
      const double radius = static_cast<double>(rng_.in(300, 1000)) / 1000;
      handles_.push_back(
          index_.add({.id = i, .shape = Sphere{radius}, .position = centers_[i]}).value());
    }
  }
  // Moves all by up to a quarter of a block on each axis, so many at a time.
  void moveAll(std::size_t at_once) {
    moves_.clear();
    for (std::size_t i = 0; i < kEntities; ++i) {
      for (int axis = 0; axis < 3; ++axis)
        centers_[i][axis] += static_cast<double>(rng_.in(-1000, 1000)) / 4000;
      moves_.push_back({handles_[i], centers_[i]});
    }
    const std::span<const EntityMove> moves = moves_;
    for (std::size_t begin = 0; begin < kEntities; begin += at_once) {
      const std::size_t count = std::min(at_once, kEntities - begin);
      ASSERT_TRUE(index_.moveAll(moves.subspan(begin, count)).ok());
    }
  }

  Rng rng_{"EntityIndexMemoryTest"};
  std::vector<Vec3d> centers_;
  std::vector<EntityHandle> handles_;
  std::vector<EntityMove> moves_;
  EntityIndex index_{Frame(1)};
};

TEST_F(EntityIndexMemoryTest, ACrowdTakesLessThan150BytesAnEntity) {
  const std::size_t before = heldBytes();
  addAll();
  for (int tick = 0; tick < 8; ++tick)
    ASSERT_NO_FATAL_FAILURE(moveAll(500));
  const std::size_t bytes = heldBytes() - before;
  RecordProperty("bytes", static_cast<int>(bytes / kEntities));
  EXPECT_LT(bytes, 150 * kEntities);

  // The old positions, kept for the next such call.
  ASSERT_NO_FATAL_FAILURE(moveAll(kEntities));
  const std::size_t more = heldBytes() - before - bytes;
  EXPECT_LT(more, 25 * kEntities);
  ASSERT_NO_FATAL_FAILURE(moveAll(kEntities));
  EXPECT_LT(heldBytes() - before, bytes + more + kEntities);
}

}  // namespace
}  // namespace fractalray
