// SPDX-License-Identifier: Apache-2.0
// Many updates in one call: what they come to is what they come to one by one, and one that is
// refused leaves all as it was.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../../entities/entity_index.h"
#include "../../entities/internal/index_inspection.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"
#include "index_questions.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;

// Two indices of the same entities under the same handles, and random updates of them.
class UpdateAllTest : public testing::Test {
 protected:
  void addSome(Rng& rng, int count) {
    for (int i = 0; i < count; ++i) {
      const EntitySpec spec{.id = next_id_++,
                            .level = rng.below(kLevels),
                            .shape = someShape(rng),
                            .position = somePosition(rng)};
      const EntityHandle handle = index_.add(spec).value();
      ASSERT_EQ(one_by_one_.add(spec).value(), handle);
      handles_.push_back(handle);
    }
  }

  static Shape someShape(Rng& rng) {
    const double size = rng.pick({0.0, 0.25, 4.0, 15.9, 16.0, 40.0, 300.0});
    if (rng.oneIn(2)) return Sphere{size};
    return Box{{size, size / 2, 0.5}};
  }
  static Vec3d somePosition(Rng& rng) {
    const double reach = rng.pick({10.0, 20.0, 20.0, 400.0, 0x1p30});
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = reach * static_cast<double>(rng.in(-64, 64)) / 64;
    return position;
  }
  std::vector<EntityChange> someChanges(Rng& rng) {
    std::vector<EntityChange> changes;
    for (int i = rng.below(30); i > 0; --i) {
      EntityUpdate update;
      if (rng.oneIn(3)) update.level = rng.below(kLevels);
      if (rng.oneIn(3)) update.entity_class = EntityClassId(static_cast<std::uint32_t>(i));
      if (rng.oneIn(2)) update.shape = someShape(rng);
      if (rng.oneIn(2)) update.position = somePosition(rng);
      if (rng.oneIn(3)) update.categories = rng.next();
      changes.push_back(
          {handles_[static_cast<std::size_t>(rng.below(static_cast<int>(handles_.size())))],
           update});
    }
    return changes;
  }

  // Expects that both indexes return the same about all their entities.
  void expectEqual() const {
    ASSERT_EQ(index_.all(), one_by_one_.all());
    for (const EntityHandle handle : index_.all()) {
      ASSERT_EQ(*index_.find(handle), *one_by_one_.find(handle));
      ASSERT_EQ(index_.chunks(handle), one_by_one_.chunks(handle));
      const int index_level = index_.find(handle)->index_level;
      for (const ChunkCoord& chunk : index_.chunks(handle)) {
        std::vector<EntityHandle> a = internal::inChunk(index_, index_level, chunk);
        std::vector<EntityHandle> b = internal::inChunk(one_by_one_, index_level, chunk);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        ASSERT_EQ(a, b);
      }
    }
    for (int level = 0; level < kLevels; ++level)
      ASSERT_EQ(internal::indexLevels(index_, LevelMask{level}),
                internal::indexLevels(one_by_one_, LevelMask{level}));
  }

  EntityIndex index_{Frame(kLevels)};
  EntityIndex one_by_one_{Frame(kLevels)};
  std::vector<EntityHandle> handles_;
  EntityId next_id_ = 1;
};

TEST_F(UpdateAllTest, IsWhatUpdatesOneByOneComeTo) {
  Rng rng("UpdateAllTest.Random");
  ASSERT_NO_FATAL_FAILURE(addSome(rng, 60));
  IndexQuestions questions(rng, kLevels, 20, {0, 0, 0}, 60);
  const int rounds = oracle::isLongRun() ? 5000 : 300;
  std::vector<std::shared_ptr<const EntityIndex>> held;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<EntityChange> changes = someChanges(rng);
    if (rng.oneIn(5)) held.push_back(index_.snapshot());
    if (held.size() > 3) held.clear();
    const std::uint64_t version = index_.version();
    const std::uint64_t other_version = one_by_one_.version();
    ASSERT_TRUE(index_.updateAll(changes).ok());
    for (const EntityChange& change : changes)
      ASSERT_TRUE(one_by_one_.update(change.entity, change.update).ok());
    const bool has_changed = one_by_one_.version() != other_version;
    ASSERT_EQ(index_.version(), version + (has_changed ? 1 : 0)) << "one version a call";
    ASSERT_NO_FATAL_FAILURE(expectEqual()) << round;
    if (round % 20 != 0) continue;
    ASSERT_EQ(IndexQuestions::difference(questions.ask(index_, SearchPass::kFast),
                                         questions.ask(one_by_one_, SearchPass::kFast)),
              "");
  }
}

TEST_F(UpdateAllTest, OneThatIsRefusedLeavesAllAsItWas) {
  Rng rng("UpdateAllTest.Refused");
  ASSERT_NO_FATAL_FAILURE(addSome(rng, 60));
  const EntityUpdate refused[] = {
      {.level = kLevels}, {.shape = Sphere{-1}}, {.position = Vec3d{0x1p60, 0, 0}}};
  std::shared_ptr<const EntityIndex> held;
  for (int round = 0; round < 300; ++round) {
    std::vector<EntityChange> changes = someChanges(rng);
    const int index = rng.below(static_cast<int>(changes.size()) + 1);
    EntityChange bad{handles_[0], refused[static_cast<std::size_t>(round % 3)]};
    if (rng.oneIn(4)) bad = {{.slot = 5, .generation = 77}, {}};
    changes.insert(changes.begin() + index, bad);
    const bool has_two = rng.oneIn(3);  // of which the first is named
    if (has_two) changes.push_back({{.slot = 5, .generation = 77}, {}});
    if (rng.oneIn(3)) held = index_.snapshot();
    const std::uint64_t version = index_.version();
    const absl::Status status = index_.updateAll(changes);
    ASSERT_FALSE(status.ok());
    const std::string number =
        "update " + std::to_string(index + 1) + " of " + std::to_string(changes.size());
    ASSERT_NE(status.message().find(number), std::string::npos) << status;
    ASSERT_EQ(index_.version(), version);
    ASSERT_NO_FATAL_FAILURE(expectEqual()) << round;
    // And the same updates without it work.
    if (!rng.oneIn(5)) continue;
    changes.erase(changes.begin() + index);
    if (has_two) changes.pop_back();
    ASSERT_TRUE(index_.updateAll(changes).ok());
    ASSERT_TRUE(one_by_one_.updateAll(changes).ok());
  }
}

TEST_F(UpdateAllTest, NothingToDoIsNoVersion) {
  Rng rng("UpdateAllTest.Nothing");
  ASSERT_NO_FATAL_FAILURE(addSome(rng, 3));
  const std::uint64_t version = index_.version();
  EXPECT_TRUE(index_.updateAll({}).ok());
  const std::vector<EntityChange> same = {
      {handles_[0], {}}, {handles_[1], {.level = int{index_.find(handles_[1])->level}}}};
  EXPECT_TRUE(index_.updateAll(same).ok());
  EXPECT_EQ(index_.version(), version);
}

TEST_F(UpdateAllTest, TwiceInACallIsBoth) {
  Rng rng("UpdateAllTest.Twice");
  ASSERT_NO_FATAL_FAILURE(addSome(rng, 3));
  const std::vector<EntityChange> changes = {
      {handles_[1], {.shape = Sphere{40}, .position = Vec3d{1, 2, 3}}},
      {handles_[1], {.level = 2, .position = Vec3d{100, 2, 3}}}};
  ASSERT_TRUE(index_.updateAll(changes).ok());
  const Entity& entity = *index_.find(handles_[1]);
  EXPECT_EQ(entity.level, 2);
  EXPECT_EQ(entity.position, (Vec3i{100, 2, 3} * std::int64_t{65536}));
  EXPECT_EQ(entity.shape.half_extents[0], 40 * 65536);
  EXPECT_EQ(entity.shape.kind, FixedShape::Kind::kSphere);
}

}  // namespace
}  // namespace fractalray
