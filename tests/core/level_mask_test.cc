// SPDX-License-Identifier: Apache-2.0
#include "../../core/level_mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../core/face.h"

namespace fractalray {
namespace {

TEST(LevelMaskTest, IsASetOfLevels) {
  LevelMask mask{1, 4};
  EXPECT_TRUE(mask.contains(1));
  EXPECT_FALSE(mask.contains(0));
  EXPECT_FALSE(mask.contains(-1));
  EXPECT_FALSE(mask.contains(40));
  EXPECT_EQ(mask.count(), 2);
  mask.add(4);
  EXPECT_EQ(mask.count(), 2);
  EXPECT_EQ(mask & LevelMask({4, 5}), LevelMask{4});
  EXPECT_EQ(mask | LevelMask({4, 5}), (LevelMask{1, 4, 5}));
  EXPECT_TRUE(LevelMask().empty());
  EXPECT_EQ(LevelMask::all().count(), kMaxLevels);
  EXPECT_TRUE(LevelMask::range(3, 2).empty());
}

TEST(LevelMaskTest, FromCountsTowardFinerLevels) {
  EXPECT_EQ(LevelMask::from(2, 3), (LevelMask{2, 3, 4}));
  EXPECT_EQ(LevelMask::from(4, 1), LevelMask{4});
  EXPECT_EQ(LevelMask::from(0, kMaxLevels), LevelMask::all());
  EXPECT_EQ(LevelMask::from(kMaxLevels - 1, 1), LevelMask{kMaxLevels - 1});
  EXPECT_TRUE(LevelMask::from(3, 0).empty());
  static_assert(LevelMask::from(1, 2) == LevelMask::range(1, 2));
}

TEST(LevelMaskTest, ActiveInDropsInactiveLevels) {
  EXPECT_EQ((LevelMask{0, 2, 9}).activeIn(Frame(3)), (LevelMask{0, 2}));
  EXPECT_EQ(LevelMask::all().activeIn(Frame(kMaxLevels)), LevelMask::all());
  EXPECT_TRUE((LevelMask{5}).activeIn(Frame(5)).empty());
}

TEST(LevelMaskTest, ParsesNumbersAndRanges) {
  EXPECT_EQ(parseLevelMask("2-3,0").value(), (LevelMask{0, 2, 3}));
  EXPECT_EQ(parseLevelMask("9").value(), LevelMask{9});
  EXPECT_EQ(parseLevelMask("0-9").value(), LevelMask::all());
  EXPECT_EQ(parseLevelMask("1,1,1-1").value(), LevelMask{1});
}

TEST(LevelMaskTest, RefusesEverythingElseAndQuotesIt) {
  for (const char* const text : {"", ",", "1,", ",1", "10", "-1", "1-", "-", "3-2", "a", "1 ", " 1",
                                 "+1", "1--2", "1-2-3", "0x1", "99999999999999999999", "1.0"}) {
    const absl::Status status = parseLevelMask(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("\"")) << text;
  }
}

TEST(LevelMaskTest, EveryMaskComesBackFromItsText) {
  EXPECT_EQ(formatLevelMask({}), "");
  EXPECT_EQ(formatLevelMask({3, 0, 2}), "0,2-3");
  EXPECT_EQ(formatLevelMask({0, 1, 5}), "0-1,5");
  for (unsigned bits = 1; bits < 1U << kMaxLevels; ++bits) {
    LevelMask mask;
    for (int level = 0; level < kMaxLevels; ++level) {
      if (((bits >> level) & 1) != 0) mask.add(level);
    }
    ASSERT_EQ(parseLevelMask(formatLevelMask(mask)).value(), mask) << formatLevelMask(mask);
  }
}

TEST(FaceTest, NamesAndNormals) {
  const struct {
    Face face;
    const char* name;
    Vec3d normal;
  } cases[] = {
      {{0, -1}, "-x", {-1, 0, 0}},       {{0, 1}, "+x", {1, 0, 0}},   {{1, -1}, "-y", {0, -1, 0}},
      {{1, 1}, "+y", {0, 1, 0}},         {{2, -1}, "-z", {0, 0, -1}}, {{2, 1}, "+z", {0, 0, 1}},
      {Face::none(), "none", {0, 0, 0}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(faceName(c.face), c.name);
    EXPECT_EQ(c.face.normal(), c.normal);
    EXPECT_EQ(c.face.exists(), std::string(c.name) != "none");
  }
}

}  // namespace
}  // namespace fractalray
