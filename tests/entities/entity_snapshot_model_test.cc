// SPDX-License-Identifier: Apache-2.0
// Checks snapshots of an index that keeps changing: each stays as it was when it was taken, as a
// whole and in every answer. A hundred times as long if the environment variable
// FRACTALRAY_LONG_TESTS is set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_store.h"
#include "../../entities/internal/index_inspection.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"
#include "../oracle/shape_oracle.h"
#include "index_questions.h"

namespace fractalray {
namespace {

using oracle::Rng;

struct Living {
  EntityHandle handle;
  EntitySpec spec;
};
using Model = std::map<EntityId, Living>;

// A snapshot, and its expected content.
struct Moment {
  std::shared_ptr<const EntityIndex> snapshot;
  std::uint64_t version = 0;
  Model living;
  std::vector<EntityHandle> dead;
  IndexQuestions::Answers answers;  // of the index, when the snapshot was taken
};

constexpr int kIds = 250;

class EntitySnapshotModelTest : public testing::TestWithParam<int> {
 protected:
  static int levels() { return GetParam(); }

  // Returns a position in a crowd of a few chunks, or now and then far away.
  static Vec3d randomPosition(Rng& rng) {
    const auto reach = rng.pick<std::int64_t>({12, 12, 40, 900});
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = static_cast<double>(rng.in(-8 * reach, 8 * reach)) / 8;
    if (rng.oneIn(12)) position[rng.below(3)] += 0x1p30 * static_cast<double>(rng.in(-2, 2));
    return position;
  }
  static EntitySpec randomSpec(Rng& rng) {
    EntitySpec spec;
    spec.id = static_cast<EntityId>(rng.below(kIds));
    spec.level = rng.below(levels());
    spec.entity_class = EntityClassId(static_cast<std::uint32_t>(rng.below(5)));
    spec.categories = rng.next() | 1;
    spec.position = randomPosition(rng);
    const auto size = [&] { return static_cast<double>(rng.in(0, rng.oneIn(5) ? 60 : 8)) / 4; };
    spec.shape = Sphere{size()};
    if (rng.oneIn(2)) spec.shape = Box{{size(), size(), size()}};
    return spec;
  }
  Living& randomLiving(Rng& rng) {
    return std::next(living_.begin(), rng.below(static_cast<int>(living_.size())))->second;
  }
  static Vec3d nextPosition(Rng& rng, const Living& one) {
    if (rng.oneIn(3)) return randomPosition(rng);
    Vec3d position = one.spec.position;
    position[rng.below(3)] += static_cast<double>(rng.in(-16, 16)) / 8;
    return position;
  }

  void addSome(Rng& rng, int most) {
    std::vector<EntitySpec> specs;
    std::set<EntityId> ids;
    for (int i = rng.below(most) + 1; i > 0; --i) {
      const EntitySpec spec = randomSpec(rng);
      if (!living_.contains(spec.id) && ids.insert(spec.id).second) specs.push_back(spec);
    }
    const std::vector<EntityHandle> handles = index_.addAll(specs).value();
    for (std::size_t i = 0; i < specs.size(); ++i)
      living_[specs[i].id] = {handles[i], specs[i]};
  }
  void moveSome(Rng& rng, int most) {
    std::vector<EntityMove> moves;
    for (int i = living_.empty() ? 0 : rng.below(most) + 1; i > 0; --i) {
      Living& one = randomLiving(rng);
      one.spec.position = nextPosition(rng, one);
      moves.push_back({one.handle, one.spec.position});
    }
    ASSERT_TRUE(index_.moveAll(moves).ok());
  }
  void removeSome(Rng& rng, int one_in) {
    std::vector<EntityHandle> handles;
    for (const auto& [id, one] : living_) {
      if (rng.oneIn(one_in)) handles.push_back(one.handle);
    }
    ASSERT_TRUE(index_.removeAll(handles).ok());
    std::erase_if(living_, [&](const auto& one) { return !index_.find(one.second.handle); });
    dead_.insert(dead_.end(), handles.begin(), handles.end());
  }
  void changeOne(Rng& rng) {
    const EntitySpec spec = randomSpec(rng);
    const absl::StatusOr<EntityHandle> added = index_.add(spec);
    if (added.ok()) {
      living_[spec.id] = {*added, spec};
      return;
    }
    Living& one = living_.at(spec.id);
    const int what = rng.below(4);
    if (what == 0) {
      one.spec = spec;
      ASSERT_TRUE(index_
                      .update(one.handle, {.level = spec.level,
                                           .entity_class = spec.entity_class,
                                           .shape = spec.shape,
                                           .position = spec.position,
                                           .categories = spec.categories})
                      .ok());
    } else if (what < 3) {
      one.spec.position = nextPosition(rng, one);
      ASSERT_TRUE(index_.move(one.handle, one.spec.position).ok());
    } else {
      ASSERT_TRUE(index_.remove(one.handle).ok());
      dead_.push_back(one.handle);
      living_.erase(spec.id);
    }
  }
  void change(Rng& rng) {
    if (rng.oneIn(20)) optimized_ += index_.optimize();
    switch (rng.below(12)) {
      case 0:
        return addSome(rng, 40);
      case 1:
        return removeSome(rng, rng.pick({2, 8, 40}));
      case 2:
      case 3:
        return moveSome(rng, 60);
      default:
        return changeOne(rng);
    }
  }

  void take() {
    held_.push_back({index_.snapshot(), index_.version(), living_, dead_,
                     questions_.ask(index_, SearchPass::kFast)});
  }
  void drop(std::size_t number) {
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(number));
  }

  void expectUnchanged(const Moment& moment) const {
    ASSERT_EQ(moment.snapshot->version(), moment.version);
    ASSERT_NO_FATAL_FAILURE(expectEntities(moment));
    ASSERT_NO_FATAL_FAILURE(expectChunks(moment));
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
      ASSERT_EQ(IndexQuestions::difference(questions_.ask(*moment.snapshot, pass), moment.answers),
                "");
    }
  }
  void expectEntities(const Moment& moment) const {
    const EntityIndex& snapshot = *moment.snapshot;
    std::vector<EntityHandle> all;
    for (const auto& [id, one] : moment.living) {
      all.push_back(one.handle);
      const Entity* const entity = snapshot.find(one.handle);
      ASSERT_NE(entity, nullptr);
      ASSERT_EQ(entity->id, id);
      ASSERT_EQ(entity->position, toUnits(one.spec.position, "").value());
      ASSERT_EQ(entity->shape, toUnits(one.spec.shape).value());
      ASSERT_EQ(int{entity->level}, one.spec.level);
      ASSERT_EQ(entity->categories, one.spec.categories);
      ASSERT_EQ(entity->entity_class, one.spec.entity_class);
    }
    std::sort(all.begin(), all.end());
    ASSERT_EQ(snapshot.all(), all);
    ASSERT_EQ(snapshot.size(), all.size());
    for (EntityId id = 0; id < kIds; ++id) {
      const auto expected = moment.living.find(id);
      ASSERT_EQ(snapshot.findId(id), expected == moment.living.end()
                                         ? std::nullopt
                                         : std::optional(expected->second.handle));
    }
    for (const EntityHandle& dead : moment.dead)
      ASSERT_EQ(snapshot.find(dead), nullptr);
    for (const auto& [id, one] : living_) {  // those added later
      const bool was_there = std::binary_search(all.begin(), all.end(), one.handle);
      ASSERT_EQ(snapshot.find(one.handle) != nullptr, was_there);
      ASSERT_EQ(snapshot.chunks(one.handle).empty(), !was_there);
    }
  }
  // Compares with an index that has never had anything else.
  void expectChunks(const Moment& moment) const {
    const EntityIndex& snapshot = *moment.snapshot;
    EntityIndex fresh{Frame(levels())};
    std::map<std::pair<int, ChunkCoord>, std::set<EntityHandle>> occupants;
    for (const auto& [id, one] : moment.living) {
      const EntityHandle handle = fresh.add(one.spec).value();
      const Entity& entity = *fresh.find(handle);
      const std::vector<ChunkCoord> chunks = oracle::overlappedChunks(
          fresh.frame(), entity.index_level, entity.shape, entity.position);
      const std::vector<ChunkCoord> actual = snapshot.chunks(one.handle);
      ASSERT_EQ(std::vector<ChunkCoord>(actual.begin(), actual.end()), chunks);
      for (const ChunkCoord& chunk : chunks)
        occupants[{entity.index_level, chunk}].insert(one.handle);
    }
    for (const auto& [key, expected] : occupants) {
      const auto& [level, chunk] = key;
      const std::vector<EntityHandle> actual = internal::inChunk(snapshot, level, chunk);
      ASSERT_EQ(actual.size(), expected.size());
      ASSERT_EQ(std::set<EntityHandle>(actual.begin(), actual.end()), expected);
      for (const std::int64_t aside : {0, 1, 5, 70}) {
        const ChunkCoord other{chunk[0], chunk[1] + aside, chunk[2]};
        ASSERT_EQ(internal::emptyCubeLog2(snapshot, level, other),
                  internal::emptyCubeLog2(fresh, level, other));
      }
    }
    for (int own = 0; own < levels(); ++own) {
      ASSERT_EQ(internal::indexLevels(snapshot, LevelMask{own}),
                internal::indexLevels(fresh, LevelMask{own}));
    }
  }

  void expectAllUnchanged() const {
    for (const Moment& moment : held_)
      ASSERT_NO_FATAL_FAILURE(expectUnchanged(moment));
  }

  EntityIndex index_{Frame(levels())};
  Model living_;
  std::vector<EntityHandle> dead_;
  std::vector<Moment> held_;
  std::size_t optimized_ = 0;  // chunks
  Rng rng_{"EntitySnapshotModelTest"};
  IndexQuestions questions_{rng_, levels(), 12, {0, 0, 0}, 30};
};

TEST_P(EntitySnapshotModelTest, EverySnapshotStaysAsItWasWhateverIsEdited) {
  const int steps = oracle::isLongRun() ? 500000 : 5000;
  constexpr std::size_t kMostHeld = 6;
  std::size_t hits = 0;
  for (int step = 0; step < steps; ++step) {
    ASSERT_NO_FATAL_FAILURE(change(rng_));
    if (rng_.oneIn(10) && held_.size() < kMostHeld) {
      take();
      for (const ShotResult& shot : held_.back().answers.shots)
        hits += shot.hits.size();
    }
    if (held_.empty() || !rng_.oneIn(10)) continue;
    const auto number = static_cast<std::size_t>(rng_.below(static_cast<int>(held_.size())));
    ASSERT_NO_FATAL_FAILURE(expectUnchanged(held_[number])) << "step " << step;
    if (rng_.oneIn(2)) drop(number);
    dead_.erase(dead_.begin(), dead_.end() - std::min<std::ptrdiff_t>(std::ssize(dead_), 100));
  }
  ASSERT_NO_FATAL_FAILURE(expectAllUnchanged());
  EXPECT_GT(hits, 1000U);
  EXPECT_GT(optimized_, 50U);
  index_ = EntityIndex(Frame(levels()));
  living_.clear();
  ASSERT_NO_FATAL_FAILURE(expectAllUnchanged()) << "after the index has got another content";
}

INSTANTIATE_TEST_SUITE_P(Levels, EntitySnapshotModelTest, testing::Values(1, 2, 3));

TEST(EntitySnapshotTest, TwoSnapshotsWithoutAnEditShareTheirContent) {
  EntityIndex index{Frame(2)};
  const EntityHandle one = index.add({.id = 1}).value();
  const auto first = index.snapshot();
  const auto second = index.snapshot();
  EXPECT_EQ(first->version(), second->version());
  ASSERT_TRUE(index.move(one, {5, 5, 5}).ok());
  const auto third = index.snapshot();
  EXPECT_GT(third->version(), second->version());
  EXPECT_EQ(second->find(one)->position, first->find(one)->position);
  EXPECT_EQ(third->find(one)->position, index.find(one)->position);
  EXPECT_NE(third->find(one)->position, first->find(one)->position);
}

TEST(EntitySnapshotTest, ASnapshotOfAnEmptyIndexIsEmpty) {
  EntityIndex index{Frame(2)};
  const auto empty = index.snapshot();
  ASSERT_TRUE(index.add({.id = 1}).ok());
  EXPECT_EQ(empty->size(), 0U);
  EXPECT_EQ(internal::Access::store(*empty).slots(), 0U);
  EXPECT_EQ(empty->findId(1), std::nullopt);
  EXPECT_TRUE(empty->all().empty());
  EXPECT_TRUE(internal::indexLevels(*empty, LevelMask::all()).empty());
}

TEST(EntitySnapshotTest, AReusedSlotIsAnotherEntityOnlyInTheIndex) {
  EntityIndex index{Frame(1)};
  const EntityHandle first = index.add({.id = 1}).value();
  const auto before = index.snapshot();
  ASSERT_TRUE(index.remove(first).ok());
  const auto between = index.snapshot();
  const EntityHandle second = index.add({.id = 2}).value();
  ASSERT_EQ(second.slot, first.slot);
  EXPECT_EQ(before->find(first)->id, 1U);
  EXPECT_EQ(before->find(second), nullptr);
  EXPECT_EQ(between->find(first), nullptr);
  EXPECT_EQ(between->find(second), nullptr);
  EXPECT_EQ(index.find(second)->id, 2U);
}

TEST(EntitySnapshotTest, OutlivesTheIndex) {
  auto index = std::make_unique<EntityIndex>(Frame(1));
  const EntityHandle one = index->add({.id = 7, .position = {1, 2, 3}}).value();
  const auto snapshot = index->snapshot();
  index.reset();
  EXPECT_EQ(snapshot->findId(7), one);
  EXPECT_EQ(nearestEntities(*snapshot, {0, 0, 0}, 1).value().at(0).entity, one);
}

TEST(EntitySnapshotTest, ItsEditLogIsEmpty) {
  EntityIndex index{Frame(1)};
  const EntityHandle one = index.add({.id = 1}).value();
  const internal::EditLog::Watch watch;
  const auto snapshot = index.snapshot();
  ASSERT_TRUE(index.move(one, {1, 1, 1}).ok());
  EXPECT_GT(internal::Access::store(index).edits().count(), 0U);
  EXPECT_EQ(internal::Access::store(*snapshot).edits().count(), 0U);
}

}  // namespace
}  // namespace fractalray
