// SPDX-License-Identifier: Apache-2.0
// Checks the cost of a snapshot: taking one costs far less than the index, and later costs depend
// on the edits.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "../../entities/entity_index.h"
#include "../oracle/allocations.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::allocatedBytes;
using oracle::Rng;

// An index with entities of radius 1 in the middles of chunks of 16 blocks, 1000 to an area.
class EntitySnapshotCostTest : public testing::TestWithParam<int> {
 protected:
  EntitySnapshotCostTest() {
    Rng rng("EntitySnapshotCostTest");
    std::vector<EntitySpec> specs(static_cast<std::size_t>(GetParam()));
    const int wide = GetParam() / 1000;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      specs[i].id = i;
      specs[i].shape = Sphere{1};
      const std::int64_t x = 16 * static_cast<std::int64_t>(i % static_cast<std::size_t>(wide));
      specs[i].position = {middle(x + rng.in(0, 15)), middle(rng.in(0, 15)), middle(rng.in(0, 15))};
      homes_.push_back(specs[i].position);
    }
    const std::size_t before = allocatedBytes();
    handles_ = index_.addAll(specs).value();
    index_bytes_ = allocatedBytes() - before;
  }
  static double middle(std::int64_t chunk) { return 16.0 * static_cast<double>(chunk) + 8; }

  // Returns the bytes allocated while some entity moves that way from its home, and back.
  std::size_t bytesOfMove(std::size_t number, const Vec3d& way) {
    const std::size_t before = allocatedBytes();
    const bool went = index_.move(handles_[number], homes_[number] + way).ok();
    const bool came_back = index_.move(handles_[number], homes_[number]).ok();
    const std::size_t bytes = allocatedBytes() - before;
    EXPECT_TRUE(went && came_back);
    return bytes;
  }
  // Moves all, which then have pages of their own, and the spare memory that they need.
  void moveAll() {
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < handles_.size(); ++i)
        static_cast<void>(bytesOfMove(i, kFar));
    }
  }

  static constexpr Vec3d kNear{0.5, 0.5, 0.5};  // within the chunk
  static constexpr Vec3d kFar{0, 16, 0};        // to the next one
  EntityIndex index_{Frame(1)};
  std::vector<EntityHandle> handles_;
  std::vector<Vec3d> homes_;
  std::size_t index_bytes_ = 0;
};

INSTANTIATE_TEST_SUITE_P(Entities, EntitySnapshotCostTest, testing::Values(1000, 10000, 50000));

TEST_P(EntitySnapshotCostTest, ASnapshotTakesLittleMemoryOfItsOwn) {
  const std::size_t before = allocatedBytes();
  const auto snapshot = index_.snapshot();
  const std::size_t bytes = allocatedBytes() - before;
  constexpr std::size_t kFixed = 60000;
  EXPECT_LE(bytes, kFixed + handles_.size()) << "of " << index_bytes_ << " of the index";
}

TEST_P(EntitySnapshotCostTest, AMoveCopiesAFewPagesAndOnlyOnce) {
  moveAll();
  const auto snapshot = index_.snapshot();
  // The page of records and that of spheres.
  const std::size_t first = bytesOfMove(5, kNear);
  EXPECT_GT(first, 64 * sizeof(Entity));
  EXPECT_LE(first, 13000U);
  EXPECT_EQ(bytesOfMove(5, kNear), 0U);
  // Plus, for two chunks, their pages, regions and areas, and the record of the entity that fills
  // the gap.
  EXPECT_LE(bytesOfMove(5, kFar), 45000U);
  EXPECT_EQ(bytesOfMove(5, kFar), 0U);
  EXPECT_EQ(bytesOfMove(5, kNear), 0U);
}

TEST_P(EntitySnapshotCostTest, EachSnapshotMayCostACopyAgain) {
  moveAll();
  const auto first = index_.snapshot();
  EXPECT_GT(bytesOfMove(5, kNear), 0U);
  const auto second = index_.snapshot();
  EXPECT_GT(bytesOfMove(5, kNear), 0U);
  EXPECT_EQ(bytesOfMove(5, kNear), 0U);
}

TEST_P(EntitySnapshotCostTest, NothingIsCopiedWhileNoneIsHeld) {
  moveAll();
  static_cast<void>(index_.snapshot());
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < handles_.size(); ++i)
    bytes += bytesOfMove(i, kNear) + bytesOfMove(i, kFar);
  EXPECT_EQ(bytes, 0U);
}

TEST_P(EntitySnapshotCostTest, ARefusedChangeCopiesNothing) {
  const auto snapshot = index_.snapshot();
  const EntityHandle stale{handles_[0].slot, handles_[0].generation + 1};
  const std::size_t before = allocatedBytes();
  const bool found = index_.find(stale) != nullptr || index_.findId(handles_.size()).has_value();
  EXPECT_EQ(allocatedBytes() - before, 0U);
  EXPECT_FALSE(found);
  const std::size_t before_error = allocatedBytes();
  EXPECT_FALSE(index_.move(stale, {0, 0, 0}).ok());
  EXPECT_FALSE(index_.moveAll(std::vector<EntityMove>{{handles_[0], {}}, {stale, {}}}).ok());
  EXPECT_FALSE(index_.add({.id = 0}).ok());
  EXPECT_LE(allocatedBytes() - before_error, 2000U) << "messages";
}

}  // namespace
}  // namespace fractalray
