// SPDX-License-Identifier: Apache-2.0
// Checks entities that are updated under their handles: which updates are refused, and in which
// words; that handles and ids stay; which updates count as a change; and that shots hit the same as
// on a rebuilt index.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../../core/internal/access.h"
#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_store.h"
#include "../../entities/internal/index_inspection.h"
#include "../oracle/rng.h"
#include "index_questions.h"

namespace fractalray::entity_update_test {
namespace {

using oracle::Rng;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kEnd = 0x1p45;

// Returns the spec that an entity has after an update.
EntitySpec updated(EntitySpec spec, const EntityUpdate& update) {
  spec.level = update.level.value_or(spec.level);
  spec.entity_class = update.entity_class.value_or(spec.entity_class);
  spec.shape = update.shape.value_or(spec.shape);
  spec.position = update.position.value_or(spec.position);
  spec.categories = update.categories.value_or(spec.categories);
  return spec;
}

class EntityUpdateTest : public testing::Test {
 protected:
  static EntitySpec spec() {
    return {.id = 7,
            .level = 1,
            .entity_class = EntityClassId(3),
            .shape = Sphere{1},
            .position = {8, 8, 8},
            .categories = 6};
  }

  EntityIndex index_{Frame(2)};
  EntityHandle entity_ = index_.add(spec()).value();
};

TEST_F(EntityUpdateTest, EachMemberAloneIsSetAndTheOthersStay) {
  const EntityUpdate updates[] = {{.level = 0},
                                  {.entity_class = EntityClassId(9)},
                                  {.shape = Sphere{2.5}},
                                  {.shape = Box{{1, 0, 3}}},
                                  {.shape = Sphere{0}},
                                  {.shape = Sphere{15.9}},
                                  {.shape = Sphere{200}},  // another index level
                                  {.position = Vec3d{9, 8, 8}},
                                  {.position = Vec3d{-1000, 0x1p33, 2}},
                                  {.categories = 0},
                                  {.level = 0,
                                   .entity_class = EntityClassId(1),
                                   .shape = Box{{16, 1, 1}},
                                   .position = Vec3d{5, 5, 5},
                                   .categories = 1}};
  for (const EntityUpdate& update : updates) {
    EntityIndex index{Frame(2)};
    const EntityHandle entity = index.add(spec()).value();
    const std::uint64_t version = index.version();
    ASSERT_TRUE(index.update(entity, update).ok());
    EXPECT_EQ(index.version(), version + 1);
    EXPECT_EQ(index.all(), std::vector{entity}) << "the handle stays the same";
    EXPECT_EQ(index.findId(7), entity);
    EntityIndex fresh{Frame(2)};
    const EntityHandle other = fresh.add(updated(spec(), update)).value();
    EXPECT_EQ(*index.find(entity), *fresh.find(other));
    EXPECT_EQ(index.chunks(entity), fresh.chunks(other));
    EXPECT_EQ(internal::indexLevels(index, LevelMask{0}),
              internal::indexLevels(fresh, LevelMask{0}));
    EXPECT_EQ(internal::indexLevels(index, LevelMask{1}),
              internal::indexLevels(fresh, LevelMask{1}));
    const int index_level = index.find(entity)->index_level;
    for (const ChunkCoord& chunk : index.chunks(entity))
      EXPECT_EQ(internal::inChunk(index, index_level, chunk), std::vector{entity});
  }
}

TEST_F(EntityUpdateTest, UpdatesThatAddWouldRefuseAreRefusedInTheSameWords) {
  const EntityUpdate updates[] = {
      {.level = 2},
      {.level = -1},
      {.level = 256},  // 0, if it were cut to 8 bits
      {.shape = Sphere{-1}},
      {.shape = Sphere{kNaN}},
      {.shape = Sphere{kInfinity}},
      {.shape = Sphere{256}},  // C(0)
      {.shape = Sphere{1e10}},
      {.shape = Box{{1, -1, 1}}},
      {.shape = Box{{1, 1, kNaN}}},
      {.shape = Box{{1, 256, 1}}},
      {.position = Vec3d{kNaN, 0, 0}},
      {.position = Vec3d{0, -kInfinity, 0}},
      {.position = Vec3d{0, 0, 2 * kEnd}},
      {.position = Vec3d{kEnd, 0, 0}},  // its shape reaches out
      {.shape = Box{{0, 2, 0}}, .position = Vec3d{0, 1 - kEnd, 0}},
      {.level = 5, .position = Vec3d{0, 0, 2 * kEnd}},
      {.shape = Sphere{-1}, .position = Vec3d{0, 0, 2 * kEnd}},
  };
  const std::uint64_t version = index_.version();
  const Entity before = *index_.find(entity_);
  for (EntityUpdate update : updates) {
    update.categories = 99;
    EntityIndex fresh{Frame(2)};
    const absl::Status expected = fresh.add(updated(spec(), update)).status();
    ASSERT_FALSE(expected.ok());
    EXPECT_EQ(index_.update(entity_, update), expected);
    EXPECT_EQ(index_.version(), version);
    EXPECT_EQ(*index_.find(entity_), before);
    EXPECT_EQ(internal::inChunk(index_, 1, {0, 0, 0}), std::vector{entity_});
  }
}

TEST_F(EntityUpdateTest, AShapeThatWouldLeaveTheFrameIsRefused) {
  ASSERT_TRUE(index_.move(entity_, {kEnd - 1, 0, 0}).ok());
  EXPECT_EQ(index_.update(entity_, {.shape = Sphere{1.5}}).code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(index_.update(entity_, {.shape = Box{{1, 100, 3}}}).ok());
  EXPECT_TRUE(index_.update(entity_, {.shape = Sphere{2}, .position = Vec3d{kEnd - 2, 0, 0}}).ok());
  EXPECT_EQ(index_.find(entity_)->position[0], kMaxCoordinate - 2 * kUnitsPerBlock);
}

TEST_F(EntityUpdateTest, StaleHandlesAreRefused) {
  ASSERT_TRUE(index_.remove(entity_).ok());
  const EntityHandle tenant = index_.add({.id = 8}).value();
  ASSERT_EQ(tenant.slot, entity_.slot);
  for (const EntityHandle& stale : {entity_, EntityHandle{}, EntityHandle{12345, 1}}) {
    const absl::Status status = index_.update(stale, {.level = 1});
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(status, index_.move(stale, {0, 0, 0}));
  }
  EXPECT_EQ(index_.find(tenant)->level, 0);
}

TEST_F(EntityUpdateTest, AnUpdateThatChangesNothingIsNoVersionAndNoEdit) {
  const internal::EditLog::Watch watch;
  const std::uint64_t version = index_.version();
  EXPECT_TRUE(index_.update(entity_, {}).ok());
  EXPECT_TRUE(index_.update(entity_, {.level = 1, .categories = 6}).ok());
  EXPECT_TRUE(
      index_.update(entity_, {.shape = Sphere{1 + 1e-9}, .position = Vec3d{8, 8, 8 - 1e-9}}).ok())
      << "equal once rounded to units";
  EXPECT_EQ(index_.version(), version);
  EXPECT_EQ(internal::Access::store(index_).edits().count(), 0U);
  // A ball is not the box around it.
  EXPECT_TRUE(index_.update(entity_, {.shape = Box{{1, 1, 1}}}).ok());
  EXPECT_EQ(index_.version(), version + 1);
}

TEST_F(EntityUpdateTest, TheLogHasTheOldAndTheNewEntity) {
  const internal::EditLog::Watch watch;
  ASSERT_TRUE(
      index_.update(entity_, {.level = 0, .shape = Sphere{2}, .position = Vec3d{50, 8, 8}}).ok());
  const auto edits = internal::Access::store(index_).edits().since(0).value();
  ASSERT_EQ(edits.size(), 2U);
  EXPECT_EQ(edits[0].level, 1);
  EXPECT_EQ(edits[0].min[0], 7 * kUnitsPerBlock);
  EXPECT_EQ(edits[0].max[0], 9 * kUnitsPerBlock);
  EXPECT_EQ(edits[1].level, 0);
  EXPECT_EQ(edits[1].min[0], 48 * kUnitsPerBlock);
  EXPECT_EQ(edits[1].max[0], 52 * kUnitsPerBlock);
}

TEST_F(EntityUpdateTest, ASnapshotKeepsTheOldEntity) {
  const auto snapshot = index_.snapshot();
  const Entity before = *index_.find(entity_);
  ASSERT_TRUE(index_.update(entity_, {.level = 0, .shape = Sphere{40}, .categories = 1}).ok());
  EXPECT_EQ(*snapshot->find(entity_), before);
  EXPECT_EQ(internal::inChunk(*snapshot, 1, {0, 0, 0}), std::vector{entity_});
  EXPECT_TRUE(internal::inChunk(index_, 1, {0, 0, 0}).empty());
  EXPECT_EQ(internal::indexLevels(*snapshot, LevelMask{1}), LevelMask{1});
  EXPECT_EQ(internal::indexLevels(index_, LevelMask{0}), LevelMask{0});
  EXPECT_TRUE(internal::indexLevels(index_, LevelMask{1}).empty());
}

// A crowd around the origin and a few giants, updated again and again: shots and searches answer
// as on an index that never held anything else.
TEST(EntityUpdatePropertyTest, AnswersEqualThoseOfARebuiltIndex) {
  for (const int levels : {1, 2, 4}) {
    Rng rng("EntityUpdatePropertyTest" + std::to_string(levels));
    const IndexQuestions questions(rng, levels, 40, {0, 0, 0}, 40);
    EntityIndex index{Frame(levels)};
    std::vector<EntitySpec> specs;
    std::vector<EntityHandle> handles;
    const auto position = [&] {
      const std::int64_t reach = rng.oneIn(8) ? 4000 : 300;
      Vec3d at;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = static_cast<double>(rng.in(-reach, reach)) / 8;
      return at;
    };
    const auto shape = [&]() -> Shape {
      const auto size = [&] { return static_cast<double>(rng.in(0, rng.oneIn(6) ? 62 : 6)) / 4; };
      if (rng.oneIn(2)) return Sphere{size()};
      return Box{{size(), size(), size()}};
    };
    for (EntityId id = 0; id < 80; ++id) {
      specs.push_back({.id = id, .shape = shape(), .position = position()});
      handles.push_back(index.add(specs.back()).value());
    }
    std::size_t hits = 0;
    for (int round = 0; round < 60; ++round) {
      for (int i = 0; i < 20; ++i) {
        const auto which = static_cast<std::size_t>(rng.below(static_cast<int>(specs.size())));
        EntityUpdate update;
        if (rng.oneIn(2)) update.level = rng.below(levels);
        if (rng.oneIn(2)) update.shape = shape();
        if (rng.oneIn(2)) update.position = position();
        if (rng.oneIn(4)) update.categories = static_cast<std::uint64_t>(rng.below(4));
        if (rng.oneIn(4)) update.entity_class = EntityClassId(static_cast<std::uint32_t>(i));
        ASSERT_TRUE(index.update(handles[which], update).ok());
        specs[which] = updated(specs[which], update);
      }
      EntityIndex fresh{Frame(levels)};
      ASSERT_EQ(fresh.addAll(specs).value(), handles);
      for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
        const IndexQuestions::Answers answers = questions.ask(index, pass);
        const IndexQuestions::Answers expected = questions.ask(fresh, SearchPass::kPlain);
        for (const ShotResult& shot : answers.shots)
          hits += shot.hits.size();
        ASSERT_EQ(IndexQuestions::difference(answers, expected), "") << "round " << round;
      }
    }
    EXPECT_GT(hits, 300U);
  }
}

}  // namespace
}  // namespace fractalray::entity_update_test
