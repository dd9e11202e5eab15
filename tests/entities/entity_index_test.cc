// SPDX-License-Identifier: Apache-2.0
// What EntityIndex refuses, and that a refusal changes nothing.
#include "fractalray/entities/entity_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace fractalray {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kEnd = 0x1p45;
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kRange = absl::StatusCode::kOutOfRange;

TEST(EntityIndexTest, BadEntitiesAreRefused) {
  EntityIndex index{Frame(2)};
  ASSERT_TRUE(index.add({.id = 7}).ok());
  const struct {
    EntitySpec spec;
    absl::StatusCode code;
  } cases[] = {
      {{.id = 7}, absl::StatusCode::kAlreadyExists},
      {{.id = 1, .level = 2}, kInvalid},
      {{.id = 1, .level = -1}, kInvalid},
      {{.id = 1, .shape = Sphere{-1}}, kInvalid},
      {{.id = 1, .shape = Sphere{kNaN}}, kInvalid},
      {{.id = 1, .shape = Sphere{kInfinity}}, kInvalid},
      {{.id = 1, .shape = Sphere{256}}, kInvalid},  // C(0)
      {{.id = 1, .shape = Sphere{1e10}}, kInvalid},
      {{.id = 1, .shape = Box{{1, -1, 1}}}, kInvalid},
      {{.id = 1, .shape = Box{{1, 1, kNaN}}}, kInvalid},
      {{.id = 1, .shape = Box{{kInfinity, 1, 1}}}, kInvalid},
      {{.id = 1, .shape = Box{{1, 256, 1}}}, kInvalid},
      {{.id = 1, .position = {kNaN, 0, 0}}, kInvalid},
      {{.id = 1, .position = {0, -kInfinity, 0}}, kInvalid},
      {{.id = 1, .position = {0, 0, 2 * kEnd}}, kRange},
      {{.id = 1, .shape = Sphere{1}, .position = {kEnd, 0, 0}}, kRange},
      {{.id = 1, .shape = Box{{0, 2, 0}}, .position = {0, 1 - kEnd, 0}}, kRange},
  };
  for (const auto& c : cases) {
    const absl::Status status = index.add(c.spec).status();
    EXPECT_EQ(status.code(), c.code) << status;
    EXPECT_FALSE(status.message().empty());
  }
  EXPECT_EQ(index.size(), 1U);
  EXPECT_EQ(index.all().size(), 1U);
  EXPECT_EQ(index.findId(1), std::nullopt);
}

TEST(EntityIndexTest, ExactlyAtTheLimitsItIsTaken) {
  EntityIndex index{Frame(2)};
  EXPECT_TRUE(index.add({.id = 1, .shape = Sphere{1}, .position = {kEnd - 1, 0, 0}}).ok());
  EXPECT_TRUE(index.add({.id = 2, .shape = Box{{0, 2, 0}}, .position = {0, 2 - kEnd, 0}}).ok());
  EXPECT_TRUE(index.add({.id = 3, .shape = Sphere{256 - 1.0 / 65536}}).ok());
  EXPECT_TRUE(index.add({.id = 4, .shape = Sphere{0}}).ok());
  EXPECT_TRUE(index.add({.id = 5, .shape = Sphere{-0.0}}).ok());
  EXPECT_TRUE(index.add({.id = ~EntityId{0}, .level = 1}).ok());
}

TEST(EntityIndexTest, StaleHandlesAreToldWhoeverHasTheSlotNow) {
  EntityIndex index{Frame(1)};
  const EntityHandle first = index.add({.id = 1}).value();
  ASSERT_TRUE(index.remove(first).ok());
  const EntityHandle second = index.add({.id = 1}).value();
  EXPECT_EQ(second.slot, first.slot) << "slots are used again";
  EXPECT_NE(second, first);
  for (const EntityHandle& stale : {first, EntityHandle{}, EntityHandle{12345, 1}}) {
    EXPECT_EQ(index.find(stale), nullptr);
    EXPECT_TRUE(index.chunks(stale).empty());
    const absl::Status moved = index.move(stale, {1, 1, 1});
    EXPECT_EQ(moved.code(), absl::StatusCode::kNotFound);
    EXPECT_FALSE(moved.message().empty());
    EXPECT_EQ(index.remove(stale).code(), absl::StatusCode::kNotFound);
  }
  EXPECT_EQ(index.find(second)->position, Vec3i{});
  EXPECT_EQ(index.findId(1), second);
}

TEST(EntityIndexTest, ARefusedMoveLeavesItWhereItWas) {
  EntityIndex index{Frame(1)};
  const EntityHandle entity =
      index.add({.id = 1, .shape = Sphere{1}, .position = {8, 8, 8}}).value();
  EXPECT_EQ(index.move(entity, {0, kNaN, 0}).code(), kInvalid);
  EXPECT_EQ(index.move(entity, {kInfinity, 0, 0}).code(), kInvalid);
  EXPECT_EQ(index.move(entity, {kEnd - 0.5, 0, 0}).code(), kRange);
  EXPECT_EQ(index.find(entity)->position, (Vec3i{8 * 65536, 8 * 65536, 8 * 65536}));
  ASSERT_EQ(index.chunks(entity).size(), 1U);
  EXPECT_EQ(index.inChunk(0, {0, 0, 0}).size(), 1U);
}

TEST(EntityIndexTest, LevelsThatAreNotThereHaveNothing) {
  EntityIndex index{Frame(1)};
  ASSERT_TRUE(index.add({.id = 1}).ok());
  EXPECT_TRUE(index.indexLevels({}).empty());
  EXPECT_TRUE(index.indexLevels(LevelMask{3}).empty());
  EXPECT_EQ(index.indexLevels(LevelMask::all()), LevelMask{0});
}

TEST(EntityIndexTest, FarBelowItsOwnLevelItIsFoundOnItsIndexLevel) {
  EntityIndex index{Frame(3)};
  const EntityHandle gnat = index.add({.id = 1, .level = 0, .shape = Sphere{0.1}}).value();
  const EntityHandle whale = index.add({.id = 2, .level = 2, .shape = Sphere{1000}}).value();
  EXPECT_EQ(index.find(gnat)->index_level, 2);
  EXPECT_EQ(index.find(whale)->index_level, 0);
  EXPECT_EQ(index.indexLevels(LevelMask{0}), LevelMask{2});
  EXPECT_EQ(index.indexLevels(LevelMask{2}), LevelMask{0});
  EXPECT_TRUE(index.indexLevels(LevelMask{1}).empty());
}

}  // namespace
}  // namespace fractalray
