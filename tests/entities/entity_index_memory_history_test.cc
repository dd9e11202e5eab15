// SPDX-License-Identifier: Apache-2.0
// Checks that an index that runs out of memory again and again while it is edited stays equal to
// one that never does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../../entities/entity_index.h"
#include "../oracle/allocations.h"
#include "../oracle/rng.h"
#include "index_content.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::Rng;

// Two indices with the same edits, of which one runs out of memory again and again: after any
// history of contents and failures, it stays equal to the other.
class ExhaustedMemoryHistoryTest : public testing::Test {
 protected:
  static constexpr int kLevels = 2;
  static constexpr int kIds = 150;

  using Handles = std::vector<EntityHandle>;

  Vec3d randomPosition() {
    const double reach = rng_.pick({10.0, 10.0, 60.0, 900.0});
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis)
      position[axis] = reach * static_cast<double>(rng_.in(-100, 100)) / 100;
    return position;
  }
  static Handles handlesOf(const EntityIndex& index, const std::vector<EntityId>& ids) {
    Handles handles;
    for (const EntityId id : ids)
      handles.push_back(index.findId(id).value());
    return handles;
  }
  std::vector<EntityId> someIds(int one_in) {
    std::vector<EntityId> ids;
    for (EntityId id = 0; id < kIds; ++id) {
      if (twin_.findId(id).has_value() && rng_.oneIn(one_in)) ids.push_back(id);
    }
    return ids;
  }

  using Change = std::function<bool(EntityIndex&)>;  // returns true if it succeeded
  Change adding() {
    std::vector<EntitySpec> specs;
    for (EntityId id = 0; id < kIds; ++id) {
      if (twin_.findId(id).has_value() || !rng_.oneIn(4)) continue;
      const Vec3d position = randomPosition();
      const Sphere sphere{rng_.pick({0.25, 0.25, 0.25, 5.0, 15.5, 90.0})};
      specs.push_back({.id = id, .level = 1, .shape = sphere, .position = position});
    }
    return [specs](EntityIndex& index) { return index.addAll(specs).ok(); };
  }
  Change moving(int one_in) {
    const std::vector<EntityId> ids = someIds(one_in);
    std::vector<Vec3d> positions(ids.size());
    std::generate(positions.begin(), positions.end(), [&] { return randomPosition(); });
    return [ids, positions](EntityIndex& index) {
      const Handles handles = handlesOf(index, ids);
      std::vector<EntityMove> moves;
      for (std::size_t i = 0; i < ids.size(); ++i)
        moves.push_back({handles[i], positions[i]});
      return index.moveAll(moves).ok();
    };
  }
  Change removing(int one_in) {
    const std::vector<EntityId> ids = someIds(one_in);
    return [ids](EntityIndex& index) { return index.removeAll(handlesOf(index, ids)).ok(); };
  }
  // Gives one entity another shape, and perhaps another position; or moves all of them to empty
  // space.
  Change updating() {
    const std::vector<EntityId> ids = someIds(2);
    if (ids.empty()) return moving(1);
    EntityUpdate update{.level = rng_.below(kLevels),
                        .shape = Sphere{rng_.pick({0.25, 0.5, 5.0, 15.5, 90.0})},
                        .categories = 1 + twin_.version()};
    if (rng_.oneIn(2)) update.position = randomPosition();
    const EntityId id = ids[static_cast<std::size_t>(rng_.below(static_cast<int>(ids.size())))];
    return [id, update](EntityIndex& index) {
      return index.update(index.findId(id).value(), update).ok();
    };
  }
  // Changes how crowds are kept, and nothing else.
  static Change optimizing() {
    return [](EntityIndex& index) {
      index.optimize();
      return true;
    };
  }
  Change randomChange() {
    switch (rng_.below(7)) {
      case 0:
        return adding();
      case 1:
        return removing(rng_.pick({2, 5, 50}));
      case 2:
      case 3:
        return updating();
      case 4:
        return optimizing();
      default:
        return moving(rng_.pick({1, 5, 50}));
    }
  }

  // Returns true if a change of the index fails after so many allocations have succeeded.
  bool fails(const Change& change, std::size_t successes) {
    try {
      const AllocationFailure failure(successes);
      EXPECT_TRUE(change(index_));
    } catch (const std::bad_alloc&) {
      return true;
    }
    return false;
  }
  void holdOrDrop() {
    if (rng_.oneIn(4)) {
      held_.emplace_back(index_.snapshot(), contentOf(index_, true));
    } else if (!held_.empty() && rng_.oneIn(3)) {
      held_.erase(held_.begin());
    }
  }

  Rng rng_{"ExhaustedMemoryHistoryTest"};
  EntityIndex index_{Frame(kLevels)};
  EntityIndex twin_{Frame(kLevels)};
  std::vector<std::pair<std::shared_ptr<const EntityIndex>, std::string>> held_;
};

TEST_F(ExhaustedMemoryHistoryTest, AnyHistoryOfFailuresStaysEqual) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  int failures = 0;
  for (int step = 0; step < 900; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const Change change = randomChange();
    const std::string before = contentOf(index_, true);
    const std::uint64_t version = index_.version();
    // Sometimes repeated until it succeeds, each time a little farther.
    std::size_t successes = static_cast<std::size_t>(rng_.below(12));
    while (fails(change, successes)) {
      ++failures;
      ASSERT_EQ(contentOf(index_, true), before);
      ASSERT_EQ(index_.version(), version);
      successes += static_cast<std::size_t>(rng_.in(1, 30));
    }
    ASSERT_TRUE(change(twin_));
    ASSERT_EQ(index_.version(), twin_.version());  // as before if nothing was to be changed
    ASSERT_EQ(contentOf(index_, false), contentOf(twin_, false));
    for (const auto& [snapshot, text] : held_)
      ASSERT_EQ(contentOf(*snapshot, true), text);
    holdOrDrop();
  }
  EXPECT_GT(failures, 300);
}

}  // namespace
}  // namespace fractalray
