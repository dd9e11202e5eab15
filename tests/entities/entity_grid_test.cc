// SPDX-License-Identifier: Apache-2.0
// Checks that the tree of areas, regions and chunks that entities are kept in knows which of its
// parts are occupied, and drops the others.
#include "../../entities/internal/entity_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "../../core/internal/tree64/sparse_cell_set.h"
#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

class EntityGridTest : public testing::Test {
 protected:
  using Occupant = std::pair<ChunkCoord, std::uint32_t>;  // a slot in a chunk

  void enter(const ChunkCoord& chunk, std::uint32_t slot) {
    entries_[{chunk, slot}] =
        grid_.enter(chunk, slot, {{0, 0, 0}, static_cast<std::int16_t>(slot)});
    grid_.dropEmptyAreas();
  }
  void leave(const ChunkCoord& chunk, std::uint32_t slot) {
    const auto found = entries_.find({chunk, slot});
    const EntitySlot entry = found->second;
    entries_.erase(found);
    const std::optional<PagePool::Moved> moved = grid_.leave(chunk, entry);
    if (moved.has_value()) entries_.at({chunk, moved->slot}) = moved->to;
    grid_.dropEmptyAreas();
  }

  // Checks that the tree's content equals the model's, by its words as well as by its look-ups.
  void expectEqual() const {
    std::map<ChunkCoord, std::uint32_t> expected;
    for (const auto& [occupant, entry] : entries_) {
      ++expected[occupant.first];
      ASSERT_EQ(grid_.pool().slot(entry), occupant.second);
    }
    std::map<ChunkCoord, std::uint32_t> actual;
    EntityGrid::AreaBox box;
    grid_.areas().forEach([&](const Vec3i& at, const EntityGrid::Area& area) {
      EXPECT_NE(area.occupied(), 0U) << "an area with nothing in it";
      for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = std::min(box.min[axis], at[axis]);
        box.max[axis] = std::max(box.max[axis], at[axis]);
      }
      for (int region_slot = 0; region_slot < 64; ++region_slot) {
        const EntityGrid::Region* const region = area.region(region_slot);
        ASSERT_EQ((area.occupied() >> region_slot & 1) != 0, region != nullptr);
        if (region == nullptr) continue;
        EXPECT_NE(region->occupied(), 0U) << "a region with nothing in it";
        for (int slot = 0; slot < 64; ++slot) {
          const PageList& pages = region->chunk(slot);
          ASSERT_EQ((region->occupied() >> slot & 1) != 0, pages.count > 0);
          if (pages.count > 0) actual[chunkAt(at, region_slot, slot)] = pages.count;
        }
      }
    });
    ASSERT_EQ(actual, expected);
    ASSERT_EQ(grid_.areaBox().min, box.min);
    ASSERT_EQ(grid_.areaBox().max, box.max);
    for (const auto& [chunk, count] : expected) {
      ASSERT_NE(grid_.chunk(chunk), nullptr);
      ASSERT_EQ(grid_.chunk(chunk)->count, count);
      ASSERT_EQ(grid_.emptyCubeLog2(chunk), std::nullopt);
    }
  }
  void expectEmptyCubeRight(const ChunkCoord& chunk) const {
    const std::optional<int> log2 = grid_.emptyCubeLog2(chunk);
    ASSERT_EQ(log2.has_value(), grid_.chunk(chunk) == nullptr);
    if (!log2.has_value()) return;
    for (const auto& [occupant, entry] : entries_) {
      bool is_inside = true;
      for (int axis = 0; axis < 3; ++axis)
        is_inside = is_inside && occupant.first[axis] >> *log2 == chunk[axis] >> *log2;
      ASSERT_FALSE(is_inside) << "an entity in a cube that was reported as empty";
    }
  }

  EntityGrid grid_;
  std::map<Occupant, EntitySlot> entries_;
};

TEST_F(EntityGridTest, AnEmptyGridHoldsNothing) {
  EXPECT_EQ(grid_.chunk({0, 0, 0}), nullptr);
  EXPECT_EQ(grid_.area({5, -5, 0}), nullptr);
  EXPECT_GT(grid_.emptyCubeLog2({0, 0, 0}).value(), 30);
}

TEST_F(EntityGridTest, CubesAroundOneEntityAreAsLargeAsPossible) {
  enter({0, 0, 0}, 1);
  EXPECT_EQ(grid_.emptyCubeLog2({0, 0, 0}), std::nullopt);
  EXPECT_EQ(grid_.emptyCubeLog2({1, 0, 0}), 0) << "a chunk of the same region";
  EXPECT_EQ(grid_.emptyCubeLog2({0, 4, 0}), 2) << "a region of the same area";
  EXPECT_EQ(grid_.emptyCubeLog2({0, 0, 16}), 4) << "a neighbouring area";
  EXPECT_GE(grid_.emptyCubeLog2({-1, 0, 0}).value(), 30) << "beyond the origin";
}

TEST_F(EntityGridTest, RemovingTheLastEntityOfAChunkDropsTheChunk) {
  for (const std::uint32_t count : {1U, 2U, 3U, 8U, 9U, 17U, 33U, 100U}) {
    const ChunkCoord chunk{-7, 21, -100};
    for (std::uint32_t slot = 0; slot < count; ++slot)
      enter(chunk, slot);
    ASSERT_EQ(grid_.chunk(chunk)->count, count);
    ASSERT_NO_FATAL_FAILURE(expectEqual());
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      ASSERT_NE(grid_.chunk(chunk), nullptr);
      leave(chunk, slot);
    }
    ASSERT_EQ(grid_.chunk(chunk), nullptr);
    ASSERT_EQ(grid_.area(chunk), nullptr);
    ASSERT_TRUE(grid_.areas().empty());
  }
}

TEST_F(EntityGridTest, AnySequenceOfChangesEqualsTheModel) {
  Rng rng("EntityGridTest.Any");
  const std::int64_t far = std::int64_t{1} << 40;
  // Many in few chunks, in some areas, and scattered.
  for (const std::int64_t reach : {2, 30, 500}) {
    std::uint32_t next_slot = 0;
    for (int i = 0; i < 5000; ++i) {
      const std::int64_t base = reach == 500 ? rng.pick({std::int64_t{0}, far, -far}) : 0;
      ChunkCoord chunk;
      for (int axis = 0; axis < 3; ++axis)
        chunk[axis] = base + rng.in(-reach, reach);
      if (rng.below(10) < (i % 2000 < 1200 ? 6 : 3)) {
        enter(chunk, next_slot++ % 30000);
      } else if (!entries_.empty()) {
        const auto one = std::next(entries_.begin(), rng.below(static_cast<int>(entries_.size())));
        const auto [at, slot] = one->first;
        leave(at, slot);
      }
      ASSERT_NO_FATAL_FAILURE(expectEmptyCubeRight(chunk)) << i;
      if (i % 250 == 0) {
        ASSERT_NO_FATAL_FAILURE(expectEqual()) << i;
      }
    }
    while (!entries_.empty()) {
      const auto [at, slot] = entries_.begin()->first;
      leave(at, slot);
    }
    ASSERT_NO_FATAL_FAILURE(expectEqual());
  }
}

}  // namespace
}  // namespace fractalray::internal
