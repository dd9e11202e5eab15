// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/tree64/area_map.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "../../oracle/allocations.h"
#include "../../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::AllocationFailure;
using oracle::failEachAllocation;
using oracle::Rng;

struct Number : RefCounted {
  int value = 0;
};
using Numbers = AreaMap<Number>;

TEST(AreaMapTest, AnyChunkOfAnAreaFindsIt) {
  Numbers map;
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.find({0, 0, 0}), nullptr);
  Number& area = map.findOrMake({5, -3, 20});
  area.value = 7;
  EXPECT_EQ(map.find({0, -16, 16}), &area);
  EXPECT_EQ(map.find({15, -1, 31}), &area);
  EXPECT_EQ(&map.findOrMake({15, -1, 31}), &area);
  EXPECT_EQ(map.find({16, -1, 31}), nullptr);
  EXPECT_EQ(map.find({5, 0, 20}), nullptr);
  EXPECT_EQ(map.find({5, -3, 15}), nullptr);
  EXPECT_EQ(map.size(), 1U);
  area.value = 0;
  map.erase({0, -16, 16});
  EXPECT_EQ(map.find({5, -3, 20}), nullptr);
  EXPECT_TRUE(map.empty());
}

TEST(AreaMapTest, AnErasedAreaIsReused) {
  Numbers map;
  const Number* const area = &map.findOrMake({0, 0, 0});
  map.erase({0, 0, 0});
  EXPECT_EQ(&map.findOrMake({1000, 0, 0}), area);
  EXPECT_NE(&map.findOrMake({0, 0, 0}), area);
}

TEST(AreaMapTest, AreasKeepTheirAddress) {
  Numbers map;
  const Number* const first = &map.findOrMake({0, 0, 0});
  for (std::int64_t i = 1; i < 300; ++i)
    map.findOrMake({16 * i, -16 * i, 160 * (i % 7)});
  EXPECT_EQ(map.find({3, 3, 3}), first);
}

TEST(AreaMapTest, ACopySharesAreasUntilOneIsEdited) {
  for (const std::int64_t far : {16LL, 1'000'000LL}) {  // by the table, by the hash
    Numbers map;
    map.findOrMake({0, 0, 0}).value = 1;
    map.findOrMake({far, 0, 0}).value = 2;
    const Numbers copy = map;
    const Number* const first = copy.find({0, 0, 0});
    EXPECT_EQ(map.find({0, 0, 0}), first);
    EXPECT_EQ(map.edit({far / 2, 5, 800}), nullptr);

    map.edit({0, 0, 0})->value = 3;
    const Number* const own = map.find({0, 0, 0});
    EXPECT_NE(own, first);
    EXPECT_EQ(own->value, 3);
    EXPECT_EQ(copy.find({0, 0, 0}), first);
    EXPECT_EQ(first->value, 1);
    EXPECT_EQ(map.edit({0, 0, 0}), own) << "copied twice";
    EXPECT_EQ(&map.findOrMake({0, 0, 0}), own);
    EXPECT_EQ(map.find({far, 0, 0}), copy.find({far, 0, 0})) << "no edit has separated them";
    map.findOrMake({far, 0, 0}).value = 4;
    EXPECT_EQ(copy.find({far, 0, 0})->value, 2);
  }
}

TEST(AreaMapTest, ADestroyedCopyCostsNothing) {
  Numbers map;
  const Number* const area = &map.findOrMake({0, 0, 0});
  { const Numbers copy = map; }
  EXPECT_EQ(map.edit({0, 0, 0}), area);
}

TEST(AreaMapTest, CopiesDoNotShareSpareAreas) {
  Numbers map;
  const Number* const spare = &map.findOrMake({0, 0, 0});
  map.erase({0, 0, 0});
  Numbers copy = map;
  EXPECT_EQ(&map.findOrMake({0, 0, 0}), spare);
  EXPECT_NE(&copy.findOrMake({0, 0, 0}), spare);
}

// Fails each allocation of everything that allocates: with areas shared and not, close together and
// apart.
TEST(AreaMapTest, IsUnchangedIfMemoryRunsOut) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP();
  Rng rng("AreaMapTest.Memory");
  for (const std::int64_t reach : {40, 100'000}) {
    Numbers areas;
    std::map<Vec3i, int> expected;
    std::vector<Numbers> copies;
    const auto check = [&] {
      std::map<Vec3i, int> all;
      areas.forEach([&](const Vec3i& at, const Number& number) { all[at] = number.value; });
      ASSERT_EQ(all, expected);
      ASSERT_EQ(areas.size(), expected.size());
      for (const auto& [at, value] : expected) {
        ASSERT_NE(areas.find(chunkAt(at, 0, 0)), nullptr);
        ASSERT_EQ(areas.find(chunkAt(at, 63, 63))->value, value);
        ASSERT_TRUE(areas.present().contains(at));
      }
    };
    std::size_t failures = 0;
    for (int i = 1; i < 300; ++i) {
      if (rng.oneIn(4)) copies.push_back(areas);
      if (copies.size() > 2) copies.erase(copies.begin());
      const ChunkCoord chunk{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
      const bool is_new = !expected.contains(areaOf(chunk));
      failures += failEachAllocation([&] { areas.findOrMake(chunk).value = i; },
                                     [&](std::size_t) {
                                       ASSERT_NO_FATAL_FAILURE(check());
                                       ASSERT_EQ(areas.find(chunk) == nullptr, is_new);
                                       if (is_new) {
                                         ASSERT_GE(areas.emptyCubeLog2(chunk), 4);
                                       }
                                     },
                                     rng.oneIn(2) ? AllocationFailure::Extent::kOne
                                                  : AllocationFailure::Extent::kAllFromThere);
      expected[areaOf(chunk)] = i;
      ASSERT_NO_FATAL_FAILURE(check());
      if (rng.oneIn(3)) {
        const Vec3i at =
            std::next(expected.begin(), rng.below(static_cast<int>(expected.size())))->first;
        areas.edit(chunkAt(at, 0, 0))->value = 0;
        // Neither the list of spare areas nor the table may allocate here.
        const AllocationFailure failure(0);
        areas.erase(chunkAt(at, 0, 0));
        expected.erase(at);
      }
    }
    EXPECT_GT(failures, 100U);
  }
}

// Compares it with a map: close together, farther apart than a table holds, and alternately both.
TEST(AreaMapTest, EqualsAMap) {
  Rng rng("AreaMapTest");
  for (const std::int64_t reach : {1, 5, 7, 40, 1000}) {
    Numbers areas;
    std::map<Vec3i, int> expected;
    // Copies made once in a while, and their content ever after.
    std::vector<std::pair<Numbers, std::map<Vec3i, int>>> copies;
    const auto contents = [](const Numbers& numbers) {
      std::map<Vec3i, int> all;
      numbers.forEach([&](const Vec3i& at, const Number& number) {
        all[at] = number.value;
        EXPECT_EQ(numbers.find(chunkAt(at, 0, 0)), &number);
        EXPECT_TRUE(numbers.present().contains(at));
      });
      EXPECT_EQ(all.size(), numbers.size());
      return all;
    };
    const auto check = [&](const ChunkCoord& chunk) {
      const Number* const found = areas.find(chunk);
      const auto other = expected.find(areaOf(chunk));
      ASSERT_EQ(found != nullptr, other != expected.end());
      if (found != nullptr) {
        ASSERT_EQ(found->value, other->second);
        return;
      }
      const int log2 = areas.emptyCubeLog2(chunk);
      ASSERT_GE(log2, 4);
      for (const auto& [at, value] : expected) {
        bool is_inside = true;
        for (int axis = 0; axis < 3; ++axis)
          is_inside = is_inside && at[axis] >> (log2 - 4) == chunk[axis] >> log2;
        ASSERT_FALSE(is_inside) << "an area in a cube that was reported as empty";
      }
    };
    for (int i = 0; i < 4000; ++i) {
      // Once in a while an area far from all others is added or erased.
      const std::int64_t far = rng.oneIn(200) ? 1'000'000 : 0;
      const ChunkCoord chunk{far + rng.in(-16 * reach, 16 * reach), rng.in(-16 * reach, 16 * reach),
                             rng.in(-16 * reach, 16 * reach)};
      if (rng.oneIn(2) && expected.size() < 300) {
        areas.findOrMake(chunk).value = i + 1;
        expected[areaOf(chunk)] = i + 1;
      } else if (!expected.empty() && rng.oneIn(2)) {
        const auto one = std::next(expected.begin(), rng.below(static_cast<int>(expected.size())));
        const ChunkCoord at = chunkAt(one->first, rng.below(64), rng.below(64));
        areas.edit(at)->value = 0;  // reset, as erase() requires
        areas.erase(at);
        expected.erase(one);
      }
      ASSERT_NO_FATAL_FAILURE(check(chunk)) << i;
      if (rng.oneIn(100)) copies.emplace_back(areas, expected);
      if (!copies.empty() && rng.oneIn(120)) {
        copies.erase(copies.begin() + rng.below(static_cast<int>(copies.size())));
      }
      if (i % 500 == 0) {
        ASSERT_EQ(contents(areas), expected);
        for (const auto& [at, value] : expected)
          ASSERT_NO_FATAL_FAILURE(check(chunkAt(at, 0, 0)));
      }
    }
    for (const auto& [copy, held] : copies)
      ASSERT_EQ(contents(copy), held);
    while (!expected.empty()) {
      const ChunkCoord at = chunkAt(expected.begin()->first, 63, 63);
      areas.edit(at)->value = 0;
      areas.erase(at);
      expected.erase(expected.begin());
    }
    EXPECT_TRUE(areas.empty());
    EXPECT_TRUE(areas.present().empty());
  }
}

}  // namespace
}  // namespace fractalray::internal
