// SPDX-License-Identifier: Apache-2.0
// Checks what EntityIndex refuses, one by one and many at once, that a refusal changes nothing, and
// its queries by level.
#include "../../entities/entity_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../../entities/internal/index_inspection.h"

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

TEST(EntityIndexTest, EntitiesExactlyAtTheLimitsAreAccepted) {
  EntityIndex index{Frame(2)};
  EXPECT_TRUE(index.add({.id = 1, .shape = Sphere{1}, .position = {kEnd - 1, 0, 0}}).ok());
  EXPECT_TRUE(index.add({.id = 2, .shape = Box{{0, 2, 0}}, .position = {0, 2 - kEnd, 0}}).ok());
  EXPECT_TRUE(index.add({.id = 3, .shape = Sphere{256 - 1.0 / 65536}}).ok());
  EXPECT_TRUE(index.add({.id = 4, .shape = Sphere{0}}).ok());
  EXPECT_TRUE(index.add({.id = 5, .shape = Sphere{-0.0}}).ok());
  EXPECT_TRUE(index.add({.id = ~EntityId{0}, .level = 1}).ok());
}

TEST(EntityIndexTest, StaleHandlesAreDetectedEvenIfTheirSlotIsReused) {
  EntityIndex index{Frame(1)};
  const EntityHandle first = index.add({.id = 1}).value();
  ASSERT_TRUE(index.remove(first).ok());
  const EntityHandle second = index.add({.id = 1}).value();
  EXPECT_EQ(second.slot, first.slot) << "slots are reused";
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

TEST(EntityIndexTest, ErrorsSayWhatToDo) {
  EntityIndex index{Frame(1)};
  const std::string removed(index.remove(EntityHandle{}).message());
  EXPECT_NE(removed.find("default entity handle, which no add() has returned"), removed.npos)
      << removed;
  const std::string added(index.add({.id = 7, .shape = Sphere{20}}).status().message());
  EXPECT_NE(added.find("entity 7 is too large"), added.npos) << added;
  EXPECT_NE(added.find("below a level-0 chunk, 16 finest-block widths"), added.npos) << added;
  EXPECT_NE(added.find("or the world with more levels"), added.npos) << added;
}

TEST(EntityIndexTest, ARefusedMoveLeavesTheEntityAsItWas) {
  EntityIndex index{Frame(1)};
  const EntityHandle entity =
      index.add({.id = 1, .shape = Sphere{1}, .position = {8, 8, 8}}).value();
  EXPECT_EQ(index.move(entity, {0, kNaN, 0}).code(), kInvalid);
  EXPECT_EQ(index.move(entity, {kInfinity, 0, 0}).code(), kInvalid);
  EXPECT_EQ(index.move(entity, {kEnd - 0.5, 0, 0}).code(), kRange);
  EXPECT_EQ(index.find(entity)->position, (Vec3i{8 * 65536, 8 * 65536, 8 * 65536}));
  ASSERT_EQ(index.chunks(entity).size(), 1U);
  EXPECT_EQ(internal::inChunk(index, 0, {0, 0, 0}).size(), 1U);
}

// Three entities in three chunks of one index level, for calls with many.
class EntityIndexManyTest : public testing::Test {
 protected:
  EntityIndexManyTest() {
    std::vector<EntitySpec> specs;
    for (EntityId id = 0; id < 3; ++id)
      specs.push_back({.id = id, .position = at(static_cast<double>(id))});
    handles_ = index_.addAll(specs).value();
  }
  static Vec3d at(double chunk) { return {16 * chunk + 8, 8, 8}; }

  // Expects that nothing has changed but, perhaps, the number of slots.
  void expectUnchanged() const {
    EXPECT_EQ(index_.size(), 3U);
    EXPECT_EQ(index_.all(), handles_);
    for (EntityId id = 0; id < 3; ++id) {
      const EntityHandle handle = handles_[static_cast<std::size_t>(id)];
      const auto chunk = static_cast<std::int64_t>(id);
      EXPECT_EQ(index_.findId(id), handle);
      ASSERT_NE(index_.find(handle), nullptr);
      EXPECT_EQ(toBlocks(index_.find(handle)->position), at(static_cast<double>(id)));
      EXPECT_EQ(internal::inChunk(index_, 0, {chunk, 0, 0}), std::vector{handle});
    }
    EXPECT_TRUE(internal::inChunk(index_, 0, {3, 0, 0}).empty());
    EXPECT_EQ(internal::indexLevels(index_, LevelMask::all()), LevelMask{0});
  }
  void expectRefused(const absl::Status& status, absl::StatusCode code, const char* text) const {
    EXPECT_EQ(status.code(), code) << status;
    EXPECT_THAT(std::string(status.message()), testing::StartsWith(text));
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("nothing has been changed"));
    expectUnchanged();
  }

  EntityIndex index_{Frame(1)};
  std::vector<EntityHandle> handles_;
};

TEST_F(EntityIndexManyTest, ManyAreAddedMovedAndRemoved) {
  expectUnchanged();
  EXPECT_TRUE(index_.moveAll({}).ok());
  EXPECT_TRUE(index_.removeAll({}).ok());
  EXPECT_TRUE(index_.addAll({}).value().empty());
  expectUnchanged();
  const std::vector<EntityMove> moves{{handles_[2], at(7)}, {handles_[0], at(0.25)}};
  ASSERT_TRUE(index_.moveAll(moves).ok());
  EXPECT_EQ(internal::inChunk(index_, 0, {7, 0, 0}), std::vector{handles_[2]});
  EXPECT_EQ(internal::inChunk(index_, 0, {0, 0, 0}), std::vector{handles_[0]});
  EXPECT_EQ(toBlocks(index_.find(handles_[0])->position), at(0.25));
  ASSERT_TRUE(index_.removeAll(std::vector{handles_[2], handles_[0]}).ok());
  EXPECT_EQ(index_.all(), std::vector{handles_[1]});
  EXPECT_EQ(index_.find(handles_[2]), nullptr);
  EXPECT_EQ(index_.findId(2), std::nullopt);
}

TEST_F(EntityIndexManyTest, OfTwoMovesOfOneEntityTheLaterCounts) {
  const std::vector<EntityMove> moves{
      {handles_[0], at(5)}, {handles_[1], at(5)}, {handles_[0], at(6)}, {handles_[0], at(3)}};
  ASSERT_TRUE(index_.moveAll(moves).ok());
  EXPECT_EQ(internal::inChunk(index_, 0, {3, 0, 0}), std::vector{handles_[0]});
  EXPECT_EQ(internal::inChunk(index_, 0, {5, 0, 0}), std::vector{handles_[1]});
  EXPECT_TRUE(internal::inChunk(index_, 0, {6, 0, 0}).empty());
}

TEST_F(EntityIndexManyTest, IfOneEntityIsBadNoneIsAdded) {
  const EntitySpec good{.id = 10, .position = at(3)};
  const EntitySpec other{.id = 11, .position = at(3)};
  expectRefused(index_.addAll(std::vector{good, other, good}).status(),
                absl::StatusCode::kAlreadyExists, "entity 3 of 3: ");
  expectRefused(index_.addAll(std::vector{good, EntitySpec{.id = 1}, other}).status(),
                absl::StatusCode::kAlreadyExists, "entity 2 of 3: ");
  expectRefused(index_.addAll(std::vector{EntitySpec{.id = 12, .position = {0, kNaN, 0}}}).status(),
                kInvalid, "entity 1 of 1: ");
  expectRefused(index_.addAll(std::vector{good, EntitySpec{.id = 12, .level = 1}}).status(),
                kInvalid, "entity 2 of 2: ");
  // The failed call does not prevent another try.
  EXPECT_EQ(index_.addAll(std::vector{good, other}).value().size(), 2U);
}

TEST_F(EntityIndexManyTest, IfOneMoveIsBadNoneIsMoved) {
  const EntityHandle dead = index_.add({.id = 9, .position = at(1)}).value();
  ASSERT_TRUE(index_.remove(dead).ok());
  const EntityMove good{handles_[0], at(3)};
  const auto move = [&](const EntityMove& bad) {
    return index_.moveAll(std::vector<EntityMove>{good, bad, {handles_[2], at(3)}});
  };
  const char* const text = "move 2 of 3: ";
  expectRefused(move({dead, at(3)}), absl::StatusCode::kNotFound, text);
  expectRefused(move({{}, at(3)}), absl::StatusCode::kNotFound, text);
  expectRefused(move({{1000, 1}, at(3)}), absl::StatusCode::kNotFound, text);
  expectRefused(move({handles_[1], {kNaN, 0, 0}}), kInvalid, text);
  expectRefused(move({handles_[1], {0, 0, -kInfinity}}), kInvalid, text);
  expectRefused(move({handles_[1], {0, kEnd, 0}}), kRange, text);  // it reaches out
}

TEST_F(EntityIndexManyTest, IfOneRemovalIsBadNoneIsRemoved) {
  const EntityHandle dead = index_.add({.id = 9, .position = at(1)}).value();
  ASSERT_TRUE(index_.remove(dead).ok());
  constexpr auto kNotFound = absl::StatusCode::kNotFound;
  expectRefused(index_.removeAll(std::vector{handles_[0], handles_[1], handles_[0]}), kNotFound,
                "removal 3 of 3: ");
  expectRefused(index_.removeAll(std::vector{handles_[0], dead, handles_[1]}), kNotFound,
                "removal 2 of 3: ");
  expectRefused(index_.removeAll(std::vector{EntityHandle{}}), kNotFound, "removal 1 of 1: ");
  EXPECT_TRUE(index_.removeAll(handles_).ok()) << "the failures left no trace";
}

TEST_F(EntityIndexManyTest, FarOutMovesAreCheckedExactly) {
  const EntityHandle ball = index_.add({.id = 20, .shape = Sphere{2}}).value();
  for (const double end : {0x1p44, kEnd - 2}) {
    EXPECT_TRUE(index_.move(ball, {end, -end, end}).ok());
    EXPECT_TRUE(index_.moveAll(std::vector<EntityMove>{{ball, {-end, end, -end}}}).ok());
    EXPECT_EQ(toBlocks(index_.find(ball)->position), (Vec3d{-end, end, -end}));
  }
  EXPECT_EQ(index_.move(ball, {0, 1.5 - kEnd, 0}).code(), kRange);
}

TEST(EntityIndexTest, AMovedIndexContinuesAsBefore) {
  EntityIndex first{Frame(3)};
  const EntityHandle gnat = first.add({.id = 1, .shape = Sphere{0.25}}).value();
  const EntityHandle whale = first.add({.id = 2, .level = 2, .shape = Sphere{17}}).value();
  EntityIndex second = std::move(first);
  EXPECT_EQ(second.findId(1), gnat);
  EXPECT_EQ(second.add({.id = 2}).status().code(), absl::StatusCode::kAlreadyExists);
  ASSERT_TRUE(second.move(whale, {100, 0, 0}).ok());
  EXPECT_EQ(internal::inChunk(second, 2, {0, 0, 0}), std::vector{gnat});
  EntityIndex third{Frame(1)};
  ASSERT_TRUE(third.add({.id = 1}).ok());
  third = std::move(second);
  EXPECT_EQ(third.frame().levels(), 3);
  EXPECT_EQ(third.size(), 2U);
  ASSERT_TRUE(third.removeAll(std::vector{gnat, whale}).ok());
  EXPECT_TRUE(internal::indexLevels(third, LevelMask::all()).empty());
  EXPECT_EQ(internal::emptyCubeLog2(third, 2, {0, 0, 0}),
            internal::emptyCubeLog2(EntityIndex(Frame(3)), 2, {0, 0, 0}));
  second = EntityIndex(Frame(2));  // what was moved from can have another
  EXPECT_TRUE(second.add({.id = 1}).ok());
}

TEST(EntityIndexTest, EveryChangeHasANewVersionAndARefusalHasNone) {
  EntityIndex index{Frame(2)};
  std::uint64_t expected = index.version();
  const EntityHandle first = index.add({.id = 1}).value();
  EXPECT_EQ(index.version(), ++expected);
  const auto others = index.addAll(std::vector<EntitySpec>{{.id = 2}, {.id = 3}}).value();
  EXPECT_EQ(index.version(), ++expected);
  ASSERT_TRUE(index.move(first, {1, 2, 3}).ok());
  EXPECT_EQ(index.version(), ++expected);
  ASSERT_TRUE(index.moveAll(std::vector<EntityMove>{{first, {}}, {others[0], {}}}).ok());
  EXPECT_EQ(index.version(), ++expected);

  EXPECT_FALSE(index.add({.id = 1}).ok());
  EXPECT_FALSE(index.addAll(std::vector<EntitySpec>{{.id = 4}, {.id = 1}}).ok());
  EXPECT_FALSE(index.move(first, {kNaN, 0, 0}).ok());
  EXPECT_FALSE(index.moveAll(std::vector<EntityMove>{{first, {}}, {first, {kEnd, 0, 0}}}).ok());
  EXPECT_FALSE(index.removeAll(std::vector{first, first}).ok());
  EXPECT_EQ(index.version(), expected);

  ASSERT_TRUE(index.remove(first).ok());
  EXPECT_EQ(index.version(), ++expected);
  EXPECT_FALSE(index.remove(first).ok());
  EXPECT_EQ(index.version(), expected);
  ASSERT_TRUE(index.removeAll(others).ok());
  EXPECT_EQ(index.version(), ++expected);
}

TEST(EntityIndexTest, AssignedContentHasANewVersion) {
  EntityIndex index{Frame(2)};
  ASSERT_TRUE(index.add({.id = 1}).ok());
  const std::uint64_t before = index.version();
  EntityIndex moved = std::move(index);
  EXPECT_EQ(moved.version(), before);
  EntityIndex other{Frame(2)};
  ASSERT_TRUE(other.add({.id = 2}).ok());
  moved = std::move(other);
  EXPECT_GT(moved.version(), before);
}

TEST(EntityIndexTest, AnIndexHasNoVersionTwiceHoweverItIsSwapped) {
  EntityIndex one{Frame(2)};
  ASSERT_TRUE(one.add({.id = 1}).ok());
  EntityIndex two{Frame(2)};
  const std::uint64_t version = one.version();
  const std::uint64_t version_of_two = two.version();
  std::swap(one, two);
  EXPECT_EQ(one.size(), 0U);
  EXPECT_GT(one.version(), version);
  EXPECT_GT(two.version(), version_of_two);
  const std::uint64_t swapped = one.version();
  std::swap(one, two);
  EXPECT_EQ(one.size(), 1U);
  EXPECT_GT(one.version(), swapped);
  std::swap(one, one);
  EXPECT_EQ(one.size(), 1U);
}

TEST(EntityIndexTest, InactiveLevelsHaveNoEntities) {
  EntityIndex index{Frame(1)};
  ASSERT_TRUE(index.add({.id = 1}).ok());
  EXPECT_TRUE(internal::indexLevels(index, {}).empty());
  EXPECT_TRUE(internal::indexLevels(index, LevelMask{3}).empty());
  EXPECT_EQ(internal::indexLevels(index, LevelMask::all()), LevelMask{0});
}

TEST(EntityIndexTest, AnEntityFarBelowItsOwnLevelIsFoundOnItsIndexLevel) {
  EntityIndex index{Frame(3)};
  const EntityHandle gnat = index.add({.id = 1, .level = 0, .shape = Sphere{0.1}}).value();
  const EntityHandle whale = index.add({.id = 2, .level = 2, .shape = Sphere{1000}}).value();
  EXPECT_EQ(index.find(gnat)->index_level, 2);
  EXPECT_EQ(index.find(whale)->index_level, 0);
  EXPECT_EQ(internal::indexLevels(index, LevelMask{0}), LevelMask{2});
  EXPECT_EQ(internal::indexLevels(index, LevelMask{2}), LevelMask{0});
  EXPECT_TRUE(internal::indexLevels(index, LevelMask{1}).empty());
}

TEST(EntityIndexTest, NoEditsAtAllLeaveTheVersion) {
  EntityIndex index{Frame(1)};
  const std::uint64_t version = index.version();
  EXPECT_TRUE(index.addAll({}).ok());
  EXPECT_TRUE(index.moveAll({}).ok());
  EXPECT_TRUE(index.updateAll({}).ok());
  EXPECT_TRUE(index.removeAll({}).ok());
  EXPECT_EQ(index.version(), version);
}

}  // namespace
}  // namespace fractalray
