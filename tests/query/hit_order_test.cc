// SPDX-License-Identifier: Apache-2.0
// Checks comparisons and merges of hits case by case: ties of every kind, repeated hits, the end of
// a shot, and wrong hits, which errors name.
#include "../../query/hit_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <compare>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../oracle/allocations.h"
#include "shot_fixture.h"

namespace fractalray {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class HitOrderTest : public CorridorTest {
 protected:
  std::vector<Hit> hitsOf(const FixedSegment& line, const QueryOptions& options = {}) const {
    return service_.shootSegment(line, world_.allLevels(), options).value().hits;
  }
  // Checks that hits are in their order, and that each is equal to itself alone.
  void expectOrdered(const FixedSegment& line, const std::vector<Hit>& hits,
                     CornerPolicy corner = CornerPolicy::kBoth) const {
    for (std::size_t i = 0; i < hits.size(); ++i) {
      for (std::size_t k = 0; k < hits.size(); ++k) {
        const auto order = compareHits(line, hits[i], hits[k], world_.frame(), corner);
        ASSERT_TRUE(order.ok()) << order.status();
        EXPECT_TRUE(*order == (i <=> k)) << textOf(hits[i]) << ", " << textOf(hits[k]);
      }
    }
  }
  std::string merged(const std::vector<std::vector<Hit>>& lists) const {
    return textOf(mergeOf(lists));
  }
  absl::StatusOr<std::vector<Hit>> mergeOf(const std::vector<std::vector<Hit>>& lists) const {
    const std::vector<std::span<const Hit>> spans(lists.begin(), lists.end());
    return mergeHits(line_, spans, world_.frame());
  }
  std::string textOf(const absl::StatusOr<std::vector<Hit>>& hits) const {
    if (!hits.ok()) return std::string(hits.status().message());
    std::vector<std::string> texts;
    for (const Hit& hit : *hits)
      texts.push_back(textOf(hit));
    return join(texts);
  }
  using CorridorTest::textOf;
  // Returns the blocks as text, the entities by their ids.
  std::string namesOf(const std::vector<Hit>& hits) const {
    std::vector<std::string> names;
    for (const Hit& hit : hits)
      names.push_back(hit.isEntity() ? "e" + std::to_string(hit.id) : textOf(hit));
    return join(names);
  }

  const FixedSegment line_ = toUnits(Segment{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}).value();
};

// Spheres and boxes that begin at the plane of a coarse block, on two levels.
TEST_F(HitOrderTest, TiesAtAPlane) {
  ASSERT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  ASSERT_TRUE(world_.setBlock(0, {1, 0, 0}, kWater).ok());  // from x = 16
  unload(1);
  put(15, kWater);
  unload(2);
  unload(3);
  const auto add = [&](EntityId id, int level, const Shape& shape, double x) {
    ASSERT_TRUE(
        entities_.add({.id = id, .level = level, .shape = shape, .position = {x, 0.5, 0.5}}).ok());
  };
  add(5, 0, Sphere{2}, 18);
  add(4, 1, Box{{1, 0.5, 0.5}}, 17);
  add(9, 1, Sphere{1}, 17);
  add(2, 0, Box{{3, 0.25, 0.25}}, 19);
  const std::vector<Hit> hits = hitsOf(line_);
  ASSERT_EQ(hits.size(), 6U);
  EXPECT_EQ(hits[1].t, hits[5].t);
  EXPECT_EQ(namesOf(hits), "water@15 e4 e9 e2 e5 coarse water@1");
  expectOrdered(line_, hits);
}

// Spheres that touch each other, and a plane between blocks, in a point of the line.
TEST_F(HitOrderTest, SpheresThatTouchInAPoint) {
  put(7, kWater);
  put(8, kWater);
  for (const auto& [id, x] : {std::pair<EntityId, double>{1, 6}, {2, 10}}) {
    ASSERT_TRUE(
        entities_.add({.id = id, .level = 1, .shape = Sphere{2}, .position = {x, 0.5, 0.5}}).ok());
  }
  ASSERT_TRUE(
      entities_.add({.id = 3, .level = 1, .shape = Sphere{1}, .position = {8, 1.5, 0.5}}).ok());
  const std::vector<Hit> hits = hitsOf(line_);
  EXPECT_EQ(namesOf(hits), "e1 water@7 e2 e3 water@8");
  expectOrdered(line_, hits);
}

// At a corner each policy has its own order.
TEST_F(HitOrderTest, CornersHaveTheOrderOfTheirPolicy) {
  for (const BlockCoord& block : {BlockCoord{20, 0, 0}, {21, 0, 0}, {20, 1, 0}, {21, 1, 0}})
    ASSERT_TRUE(world_.setBlock(1, block, kWater).ok());
  const FixedSegment line = toUnits(Segment{{20.5, 0.5, 0.5}, {22.5, 2.5, 0.5}}).value();
  std::vector<std::size_t> counts;
  for (const CornerPolicy corner :
       {CornerPolicy::kBoth, CornerPolicy::kNeither, CornerPolicy::kStaircase}) {
    const std::vector<Hit> hits = hitsOf(line, {.corner = corner});
    counts.push_back(hits.size());
    expectOrdered(line, hits, corner);
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{4, 2, 3}));
  const std::vector<Hit> hits = hitsOf(line);
  const absl::Status other =
      compareHits(line, hits[0], hits[1], world_.frame(), CornerPolicy::kNeither).status();
  EXPECT_EQ(other.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(other.message()),
              AllOf(HasSubstr("hit b: the hit of block [21, 0, 0]"), HasSubstr("corner policy")));
}

// Of two indexes, entities with an id may be two.
TEST_F(HitOrderTest, EntitiesOfOneIdLevelAndTimeAreEqual) {
  addEntity(7, 9);
  const Hit here = hitsOf(line_)[0];
  Hit there = here;
  there.entity = {.slot = 5, .generation = 3};
  there.position[1] += 100;  // the line still enters it then
  EXPECT_TRUE(compareHits(line_, here, there, world_.frame()).value() == 0);
  there.id = 8;
  EXPECT_TRUE(compareHits(line_, here, there, world_.frame()).value() < 0);
  EXPECT_TRUE(compareHits(line_, there, here, world_.frame()).value() > 0);
}

TEST_F(HitOrderTest, AComparisonAllocatesNothing) {
  put(3, kWater);
  addEntity(1, 5);
  ASSERT_TRUE(
      entities_.add({.id = 2, .level = 1, .shape = Sphere{2}, .position = {9, 1, 0.5}}).ok());
  const std::vector<Hit> hits = hitsOf(line_);
  ASSERT_EQ(hits.size(), 3U);
  const std::size_t before = oracle::allocationCount();
  for (const Hit& a : hits) {
    for (const Hit& b : hits)
      ASSERT_TRUE(compareHits(line_, a, b, world_.frame()).ok());
  }
  EXPECT_EQ(oracle::allocationCount(), before);
}

TEST_F(HitOrderTest, MergesInOrderUpToTheFirstEnd) {
  put(3, kWater);
  addEntity(1, 5);
  put(9, kWater);
  const std::vector<Hit> near = hitsOf(line_);
  put(3, kAir);
  put(9, kAir);
  put(4, kWater);
  put(12, kStone);
  put(20, kStone);
  const std::vector<Hit> wall = hitsOf(line_);
  put(12, kAir);
  const std::vector<Hit> far_wall = hitsOf(line_);
  EXPECT_EQ(merged({near, wall}), "water@3 water@4 e1@5 water@9 stone@12!");
  EXPECT_EQ(merged({wall, near}), "water@3 water@4 e1@5 water@9 stone@12!");
  EXPECT_EQ(merged({far_wall, near, wall}), "water@3 water@4 e1@5 water@9 stone@12!");
  EXPECT_EQ(merged({far_wall, {}, near}), "water@3 water@4 e1@5 water@9 stone@20!");
  EXPECT_EQ(merged({near, near}), "water@3 e1@5 water@9");
  EXPECT_EQ(merged({{}, {}}), "");
  EXPECT_EQ(merged({}), "");
}

TEST_F(HitOrderTest, ARepeatedEntityHasTheHandleOfTheFirstList) {
  const EntityHandle own = addEntity(1, 5);
  const std::vector<Hit> hits = hitsOf(line_);
  std::vector<Hit> others = hits;
  others[0].entity = {.slot = 9, .generation = 9};
  EXPECT_EQ(mergeOf({hits, others}).value()[0].entity, own);
  EXPECT_EQ(mergeOf({{}, others, hits}).value()[0].entity, others[0].entity);
}

TEST_F(HitOrderTest, MergesManyLists) {
  std::vector<std::vector<Hit>> lists;
  std::string expected;
  for (std::int64_t x = 60; x >= 1; --x) {
    put(x, kWater);
    lists.push_back(hitsOf(line_));
    put(x, kAir);
    expected = "water@" + std::to_string(x) + (expected.empty() ? "" : " ") + expected;
  }
  EXPECT_EQ(merged(lists), expected);
}

class WrongHitsTest : public HitOrderTest {
 protected:
  WrongHitsTest() {
    put(3, kWater);
    addEntity(1, 5);
    put(9, kWater);
    hits_ = hitsOf(line_);
  }
  void expectRefused(const std::vector<std::vector<Hit>>& lists, const std::string& index,
                     const std::string& why) const {
    const absl::Status status = mergeOf(lists).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(index), HasSubstr(why)));
  }

  std::vector<Hit> hits_;
};

TEST_F(WrongHitsTest, HitsThatTheLineDoesNotHave) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const double t : {kNaN, -1.0, 2.0, std::nextafter(hits_[1].t, 1)}) {
    for (const std::size_t wrong : {0U, 1U, 2U}) {
      std::vector<Hit> hits = hits_;
      hits[wrong].t = t;
      expectRefused({hits_, hits}, "list 1, hit " + std::to_string(wrong) + ": ", "the segment");
      const absl::Status status =
          compareHits(line_, hits_[0], hits[wrong], world_.frame()).status();
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << t;
      EXPECT_THAT(std::string(status.message()), HasSubstr("hit b: "));
    }
  }
  EXPECT_THAT(std::string(compareHits(line_, Hit(), hits_[0], world_.frame()).status().message()),
              HasSubstr("hit a: a hit of kind kNone"));
  // In a frame of one level it would be elsewhere.
  EXPECT_THAT(std::string(compareHits(line_, hits_[0], hits_[1], Frame(1)).status().message()),
              HasSubstr("levels are 0 to 0"));
  expectRefused({{hits_[0], Hit()}}, "list 0, hit 1: ", "nothing was hit");
}

// Not only where it is read: a list is checked to its end, even if the shot ends before.
TEST_F(WrongHitsTest, HitsAfterTheEnd) {
  put(2, kStone);
  const std::vector<Hit> wall = hitsOf(line_);
  EXPECT_EQ(merged({hits_, wall}), "stone@2!");
  std::vector<Hit> hits = hits_;
  hits[2].t = 0.5;
  expectRefused({hits, wall}, "list 0, hit 2: ", "the segment");
}

TEST_F(WrongHitsTest, ListsOutOfOrder) {
  expectRefused({hits_, {hits_[0], hits_[2], hits_[1]}}, "list 1, hit 2: entity 1 of level 1",
                "does not come after the hit before it");
  expectRefused({{hits_[0], hits_[0]}}, "list 0, hit 1: block [3, 0, 0] of level 1",
                "does not come after the hit before it");
}

TEST_F(WrongHitsTest, WorldsThatDisagree) {
  const std::string why = "is hit differently in list 0, hit ";
  std::vector<Hit> hits = hits_;
  hits[0].type = kReeds;
  expectRefused({hits_, hits}, "list 1, hit 0: block [3, 0, 0] of level 1", why + "0");
  hits = hits_;
  hits[2].terminal = true;
  expectRefused({hits_, hits}, "list 1, hit 2: block [9, 0, 0] of level 1", why + "2");
  // The same entity, moved: across the line, and along it.
  hits = hits_;
  hits[1].position[1] += 100;
  expectRefused({hits_, hits}, "list 1, hit 1: entity 1 of level 1", why + "1");
  put(3, kAir);
  put(9, kAir);
  moveEntity(hits_[1].entity, 7);
  expectRefused({hits_, hitsOf(line_)}, "list 1, hit 0: entity 1 of level 1", why + "1");
}

TEST_F(WrongHitsTest, LinesThatNoQueryAccepts) {
  FixedSegment line = line_;
  line.end_time = 0;
  EXPECT_EQ(compareHits(line, hits_[0], hits_[1], world_.frame()).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(mergeHits(line, {}, world_.frame()).status().code(),
            absl::StatusCode::kInvalidArgument);
  line = line_;
  line.to[0] = kMaxCoordinate + 1;
  EXPECT_EQ(compareHits(line, hits_[0], hits_[1], world_.frame()).status().code(),
            absl::StatusCode::kOutOfRange);
  EXPECT_EQ(mergeHits(line, {}, world_.frame()).status().code(), absl::StatusCode::kOutOfRange);
}

}  // namespace
}  // namespace fractalray
