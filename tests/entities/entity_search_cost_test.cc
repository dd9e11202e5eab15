// SPDX-License-Identifier: Apache-2.0
// What a search may cost: no memory once warm, and no more tests of entities than are near.
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <vector>

#include "fractalray/entities/entity_search.h"
#include "fractalray/tests/oracle/allocations.h"

namespace fractalray {
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
  const EntityFilter filter;
  std::vector<FoundEntity> found;
  const auto search = [&] {
    bool ok = true;
    for (double x = 0; x < 60; x += 3.7) {
      const Vec3d point{x, 60 - x, x / 2};
      ok = ok && entitiesInSphere(index, point, 12, filter, found).ok() && !found.empty();
      ok = ok && entitiesInBox(index, point - Vec3d{9, 9, 9}, point, filter, found).ok();
      ok = ok && nearestEntities(index, point, 30, kInfinity, filter, found).ok();
      ok = ok && found.size() == 30;
      ok = ok && nearestEntities(index, {1e9, x, 0}, 3, kInfinity, filter, found).ok();
    }
    return ok;
  };
  ASSERT_TRUE(search());
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(search());
  EXPECT_EQ(oracle::allocationCount(), before);
}

TEST(EntitySearchCostTest, OnlyWhatIsNearIsAsked) {
  const EntityIndex index = lattice(40);
  int asked = 0;
  const EntityFilter filter{.levels = {3}, .predicate = [&](const Entity&) {
                              ++asked;
                              return true;
                            }};
  std::vector<FoundEntity> found;
  ASSERT_TRUE(nearestEntities(index, {60, 60, 60}, 8, kInfinity, filter, found).ok());
  EXPECT_EQ(found.size(), 8U);
  EXPECT_LT(asked, 500) << "of 64,000";
  asked = 0;
  ASSERT_TRUE(entitiesInSphere(index, {60, 60, 60}, 10, filter, found).ok());
  EXPECT_EQ(static_cast<std::size_t>(asked), found.size());
}

}  // namespace
}  // namespace fractalray
