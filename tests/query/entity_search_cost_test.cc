// SPDX-License-Identifier: Apache-2.0
// Checks the cost of a search: no memory once warm, and no tests of entities that are not near.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../../query/entity_search.h"
#include "../oracle/allocations.h"

namespace fractalray::entity_search_cost_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A lattice of entities 3 blocks apart, and one of level 0 that spans many of their chunks.
EntityIndex lattice(int side) {
  EntityIndex index(Frame(4));
  EntityId id = 0;
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      for (int z = 0; z < side; ++z) {
        EXPECT_TRUE(
            index.add({.id = id++, .level = 3, .position = {3.0 * x, 3.0 * y, 3.0 * z}}).ok());
      }
    }
  }
  EXPECT_TRUE(index.add({.id = id, .level = 0, .shape = Box{{40, 40, 40}}}).ok());
  return index;
}

TEST(EntitySearchCostTest, NothingIsAllocatedOnceWarm) {
  const EntityIndex index = lattice(20);
  const QueryFilter filter;
  const LevelMask all = LevelMask::all();
  std::vector<FoundEntity> found;
  const auto search = [&] {
    bool ok = true;
    for (double x = 0; x < 60; x += 3.7) {
      const Vec3d point{x, 60 - x, x / 2};
      ok = ok && entitiesInSphere(index, point, 12, all, filter, found).ok() && !found.empty();
      ok = ok && entitiesInBox(index, point - Vec3d{9, 9, 9}, point, all, filter, found).ok();
      ok = ok && nearestEntities(index, point, 30, kInfinity, all, filter, found).ok();
      ok = ok && found.size() == 30;
      ok = ok && nearestEntities(index, {1e9, x, 0}, 3, kInfinity, all, filter, found).ok();
    }
    return ok;
  };
  ASSERT_TRUE(search());
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(search());
  EXPECT_EQ(oracle::allocationCount(), before);
}

TEST(EntitySearchCostTest, OnlyEntitiesNearbyAreTested) {
  const EntityIndex index = lattice(40);
  int asked = 0;
  const LevelMask finest{3};
  const QueryFilter filter{.entity_filter = [&](const EntityHit&) {
    ++asked;
    return true;
  }};
  std::vector<FoundEntity> found;
  ASSERT_TRUE(nearestEntities(index, {60, 60, 60}, 8, kInfinity, finest, filter, found).ok());
  EXPECT_EQ(found.size(), 8U);
  EXPECT_LT(asked, 500) << "of 64,000";
  asked = 0;
  ASSERT_TRUE(entitiesInSphere(index, {60, 60, 60}, 10, finest, filter, found).ok());
  EXPECT_EQ(static_cast<std::size_t>(asked), found.size());
}

class SearchStatsTest : public testing::Test {
 protected:
  void add(const Vec3d& position, std::uint64_t categories = 1) {
    ASSERT_TRUE(
        index_.add({.id = next_id_++, .position = position, .categories = categories}).ok());
  }
  SearchStats inSphere(const Vec3d& center, double radius, const QueryFilter& filter = {}) {
    EXPECT_TRUE(
        entitiesInSphere(index_, center, radius, LevelMask::all(), filter, found_, &stats_).ok());
    return stats_;
  }
  SearchStats inBox(const Vec3d& min, const Vec3d& max) {
    EXPECT_TRUE(entitiesInBox(index_, min, max, LevelMask::all(), {}, found_, &stats_).ok());
    return stats_;
  }
  SearchStats nearest(const Vec3d& point, std::size_t count) {
    EXPECT_TRUE(
        nearestEntities(index_, point, count, kInfinity, LevelMask::all(), {}, found_, &stats_)
            .ok());
    return stats_;
  }

  EntityIndex index_{Frame(1)};
  EntityId next_id_ = 0;
  std::vector<FoundEntity> found_;
  SearchStats stats_;
};

TEST_F(SearchStatsTest, AnEmptyIndexCostsNothing) {
  EXPECT_EQ(inSphere({1, 2, 3}, 50), SearchStats());
  EXPECT_EQ(inBox({1, 2, 3}, {4, 5, 6}), SearchStats());
  EXPECT_EQ(nearest({1, 2, 3}, 5), SearchStats());
}

TEST_F(SearchStatsTest, CountsChunksPagesAndTests) {
  for (int i = 0; i < 20; ++i)
    add({2.0 + i % 10, 5, 5});  // three pages of the chunk from 0 to 16
  add({40, 5, 5});
  for (const SearchStats& stats :
       {inSphere({8, 5, 5}, 6.5), inBox({1.75, 5, 5}, {15, 6, 6}), nearest({8, 5, 5}, 20)}) {
    EXPECT_GE(stats.cubes, 1U);
    EXPECT_EQ(stats.index_cells, 1U);
    EXPECT_EQ(stats.pages, 3U);
    EXPECT_EQ(stats.entities_tested, 20U);
  }
  const SearchStats far = inSphere({200, 200, 200}, 3);
  EXPECT_GE(far.cubes, 1U);
  EXPECT_EQ(far.index_cells, 0U);
  EXPECT_EQ(far.entities_tested, 0U);
  EXPECT_EQ(inBox({0, 0, 0}, {50, 10, 10}).index_cells, 2U);
  EXPECT_EQ(nearest({8, 5, 5}, 21).index_cells, 2U);
}

TEST_F(SearchStatsTest, EntitiesThatTheFilterRefusesAreNotTested) {
  add({5, 5, 5}, 1);
  add({5, 5, 6}, 2);
  EXPECT_EQ(inSphere({5, 5, 5}, 3).entities_tested, 2U);
  EXPECT_EQ(inSphere({5, 5, 5}, 3, {.categories = 2}).entities_tested, 1U);
}

TEST_F(SearchStatsTest, LongIgnoreListsAndTheOrderOfTheAnswerAreSteps) {
  for (int i = 0; i < 5; ++i)
    add({5, 5, 5.0 + i});
  const std::vector<EntityId> nobody(9, 1000);
  const QueryFilter few{.ignore = std::span(nobody).first(8)};
  const QueryFilter many{.ignore = nobody};
  EXPECT_EQ(inSphere({5, 5, 5}, 10, few).listed, 0U);
  EXPECT_EQ(inSphere({5, 5, 5}, 10, many).listed, 5U * 9);
  EXPECT_EQ(stats_.ordered, 5U);
  EXPECT_EQ(inBox({0, 0, 0}, {9, 9, 9}).ordered, 5U);
  EXPECT_GE(nearest({5, 5, 5}, 2).ordered, 2U);
  EXPECT_LE(stats_.ordered, 5U);
  EXPECT_EQ(stats_.steps(), stats_.cubes + stats_.index_cells + stats_.pages +
                                stats_.entities_tested + stats_.listed + stats_.ordered);
  SearchStats sum = stats_;
  sum += stats_;
  EXPECT_EQ(sum.steps(), 2 * stats_.steps());
  EXPECT_EQ(sum.ordered, 2 * stats_.ordered);
}

TEST_F(SearchStatsTest, AnErrorLeavesTheStatsAtZero) {
  add({5, 5, 5});
  EXPECT_NE(inSphere({5, 5, 5}, 3), SearchStats());
  EXPECT_FALSE(entitiesInSphere(index_, {5, 5, 5}, -1, LevelMask::all(), {}, found_, &stats_).ok());
  EXPECT_EQ(stats_, SearchStats());
}

TEST(EntitySearchCostTest, TheWorkDependsOnlyOnTheEntitiesNearby) {
  const EntityIndex index = lattice(40);
  const LevelMask finest{3};
  std::vector<FoundEntity> found;
  SearchStats stats;
  ASSERT_TRUE(entitiesInSphere(index, {60, 60, 60}, 10, finest, {}, found, &stats).ok());
  EXPECT_GE(stats.entities_tested, found.size());
  EXPECT_LT(stats.entities_tested, 2 * found.size());
  EXPECT_LE(stats.index_cells, 8U) << "chunks are 16 blocks wide";
  ASSERT_TRUE(nearestEntities(index, {60, 60, 60}, 8, kInfinity, finest, {}, found, &stats).ok());
  EXPECT_GE(stats.entities_tested, 8U);
  EXPECT_LT(stats.entities_tested, 500U) << "of 64,000";
  EXPECT_LT(stats.cubes, 50U);
}

}  // namespace
}  // namespace fractalray::entity_search_cost_test
