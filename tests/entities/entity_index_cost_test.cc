// SPDX-License-Identifier: Apache-2.0
// Checks the cost of an index while its entities move: no memory once it is warm.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "../../core/internal/access.h"
#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_store.h"
#include "../../entities/internal/index_inspection.h"
#include "../oracle/allocations.h"
#include "../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::allocationCount;
using oracle::Rng;

class EntityIndexCostTest : public testing::Test {
 protected:
  // Adds an entity of any of four index levels.
  void add(Rng& rng, const Vec3d& position) {
    EntitySpec spec;
    spec.id = handles_.size();
    spec.position = position;
    const double size = rng.pick({0.0, 0.5, 3.0, 15.5, 20.0, 300.0});
    spec.shape = Sphere{size};
    if (rng.oneIn(2)) spec.shape = Box{{size, size / 2, size / 3}};
    handles_.push_back(index_.add(spec).value());
    homes_.push_back(position);
  }
  void addMany(int count, double reach) {
    Rng rng("EntityIndexCostTest");
    for (int i = 0; i < count; ++i) {
      const auto coordinate = [&] { return reach * static_cast<double>(rng.in(-999, 999)) / 1000; };
      add(rng, {coordinate(), coordinate(), coordinate()});
    }
  }
  std::size_t chunkCount() const {
    std::size_t count = 0;
    for (const EntityHandle& handle : handles_)
      count += index_.chunks(handle).size();
    return count;
  }

  // Moves all of them, one by one or at once, to the positions that `offset` gives for time t.
  using Offset = std::function<Vec3d(std::size_t, int)>;
  void moveBy(const Offset& offset, int t, bool at_once) {
    moves_.resize(handles_.size());
    for (std::size_t i = 0; i < handles_.size(); ++i)
      moves_[i] = {handles_[i], homes_[i] + offset(i, t)};
    const std::size_t before = allocationCount();
    bool is_ok = true;
    if (at_once) {
      is_ok = index_.moveAll(moves_).ok();
    } else {
      for (const EntityMove& move : moves_)
        is_ok = index_.move(move.entity, move.position).ok() && is_ok;
    }
    allocated_ += allocationCount() - before;
    ASSERT_TRUE(is_ok);
  }
  // Returns the allocations in each of some rounds of a motion with a period of `period` moves.
  std::vector<std::size_t> allocatedByRound(const Offset& offset, int period, int rounds,
                                            bool at_once) {
    std::vector<std::size_t> counts;
    for (int round = 0; round < rounds; ++round) {
      allocated_ = 0;
      for (int t = 0; t < period; ++t)
        moveBy(offset, t, at_once);
      counts.push_back(allocated_);
    }
    return counts;
  }

  EntityIndex index_{Frame(4)};
  std::vector<EntityHandle> handles_;
  std::vector<Vec3d> homes_;
  std::vector<EntityMove> moves_;
  std::size_t allocated_ = 0;
};

Vec3d circle(double radius, std::size_t i, int t, int period) {
  const double angle = 6.28318 * (t + static_cast<int>(i % 17)) / period;
  return {radius * std::cos(angle), radius * std::sin(angle), radius * std::sin(2 * angle)};
}

TEST_F(EntityIndexCostTest, AMoveWithinTheSameChunksNeverAllocates) {
  Rng rng("EntityIndexCostTest.Within");
  for (int i = 0; i < 2000; ++i) {  // in the middles of chunks
    const auto coordinate = [&] { return 16.0 * static_cast<double>(rng.in(-50, 50)) + 8; };
    EntitySpec spec;
    spec.id = handles_.size();
    spec.shape = Sphere{1};
    spec.position = {coordinate(), coordinate(), coordinate()};
    handles_.push_back(index_.add(spec).value());
    homes_.push_back(spec.position);
  }
  for (const bool at_once : {false, true}) {
    const auto counts =
        allocatedByRound([](std::size_t i, int t) { return circle(6, i, t, 10); }, 10, 1, at_once);
    EXPECT_EQ(counts[0], 0U);
  }
  EXPECT_EQ(chunkCount(), handles_.size());
}

TEST_F(EntityIndexCostTest, AMoveOverTheSameTwoChunksNeverAllocates) {
  for (int i = 0; i < 200; ++i) {
    EntitySpec spec;
    spec.id = handles_.size();
    spec.shape = Box{{4, 1, 1}};
    spec.position = {16.0 * (i % 50), 8, 8.0 + 16 * (i / 50)};
    handles_.push_back(index_.add(spec).value());
    homes_.push_back(spec.position);
  }
  ASSERT_EQ(chunkCount(), 2 * handles_.size());
  const auto counts =
      allocatedByRound([](std::size_t i, int t) { return circle(3, i, t, 10); }, 10, 1, true);
  EXPECT_EQ(counts[0], 0U);
  EXPECT_EQ(chunkCount(), 2 * handles_.size());
}

TEST_F(EntityIndexCostTest, MovesAcrossChunksAllocateNothingOnceWarm) {
  addMany(3000, 200);
  for (const bool at_once : {false, true}) {
    const auto counts =
        allocatedByRound([](std::size_t i, int t) { return circle(25, i, t, 12); }, 12, 8, at_once);
    EXPECT_EQ(counts.back(), 0U) << "at once " << at_once;
    EXPECT_EQ(counts[counts.size() - 2], 0U) << "at once " << at_once;
  }
}

// Moves them from area to area, and back to areas in which none of them was for long.
TEST_F(EntityIndexCostTest, MovesAcrossAreasAllocateNothingOnceWarm) {
  addMany(1000, 100);
  const auto counts =
      allocatedByRound([](std::size_t i, int t) { return circle(3000, i, t, 12); }, 12, 12, true);
  EXPECT_EQ(counts.back(), 0U);
  EXPECT_EQ(counts[counts.size() - 2], 0U);
}

// All move to another chunk together: 100 entities in one, then in another.
TEST_F(EntityIndexCostTest, ACrowdThatMovesBackAndForthReusesItsPages) {
  for (int i = 0; i < 100; ++i) {
    EntitySpec spec;
    spec.id = handles_.size();
    spec.shape = Sphere{0.25};
    spec.position = {2.0 + i % 10, 2.0 + i / 10, 5};
    handles_.push_back(index_.add(spec).value());
    homes_.push_back(spec.position);
  }
  const auto to_and_fro = [](std::size_t, int t) { return Vec3d{16.0 * t, 0, 0}; };
  const auto counts = allocatedByRound(to_and_fro, 2, 6, true);
  EXPECT_EQ(counts.back(), 0U);
  EXPECT_EQ(internal::inChunk(index_, 3, {1, 0, 0}).size(), 100U);
  EXPECT_TRUE(internal::inChunk(index_, 3, {0, 0, 0}).empty());
}

// All of them grow and shrink together, through three index levels.
TEST_F(EntityIndexCostTest, UpdatesAllocateNothingOnceWarm) {
  addMany(600, 100);
  constexpr std::size_t kRounds = 8;
  std::vector<std::size_t> counts;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::size_t before = allocationCount();
    bool is_ok = true;
    for (const double size : {0.5, 15.5, 300.0, 3.0}) {
      for (std::size_t i = 0; i < handles_.size(); ++i) {
        const double own = (i % 2 == 0 ? 1 : 0.75) * size;
        is_ok = index_.update(handles_[i], {.level = static_cast<int>(i % 4), .shape = Sphere{own}})
                    .ok() &&
                is_ok;
      }
    }
    counts.push_back(allocationCount() - before);
    ASSERT_TRUE(is_ok);
  }
  EXPECT_EQ(counts.back(), 0U);
  EXPECT_EQ(counts[kRounds - 2], 0U);
}

TEST_F(EntityIndexCostTest, NewEntitiesReuseTheMemoryOfRemovedOnes) {
  Rng rng("EntityIndexCostTest.Gone");
  std::vector<EntitySpec> specs(500);
  for (EntitySpec& spec : specs) {
    spec.id = static_cast<EntityId>(&spec - specs.data());
    spec.shape = Sphere{rng.pick({0.5, 15.0, 20.0})};
    for (int axis = 0; axis < 3; ++axis)
      spec.position[axis] = static_cast<double>(rng.in(-200, 200));
  }
  std::vector<std::size_t> counts;
  for (int round = 0; round < 10; ++round) {
    handles_.clear();
    handles_.reserve(specs.size());
    const std::size_t before = allocationCount();
    for (const EntitySpec& spec : specs)
      handles_.push_back(index_.add(spec).value());
    const bool is_ok = index_.removeAll(handles_).ok();
    counts.push_back(allocationCount() - before);
    ASSERT_TRUE(is_ok);
  }
  EXPECT_EQ(counts.back(), 0U);
  EXPECT_EQ(index_.size(), 0U);
  EXPECT_LE(internal::Access::store(index_).slots(), specs.size());
}

}  // namespace
}  // namespace fractalray
