// SPDX-License-Identifier: Apache-2.0
// Checks that crowds are put in order on several threads as on one, while snapshots are read.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/ray_query_service.h"
#include "../oracle/rng.h"
#include "../oracle/shot_compare.h"

namespace fractalray::optimize_threads_test {
namespace {

using oracle::Rng;

// Two indices of the same crowds, in 27 chunks.
class OptimizeThreadsTest : public testing::Test {
 protected:
  OptimizeThreadsTest() {
    for (EntityId id = 0; id < 6000; ++id) {
      const EntitySpec spec{.id = id, .shape = Sphere{0.5}, .position = anywhere()};
      handles_.push_back(one_.add(spec).value());
      EXPECT_EQ(many_.add(spec).value(), handles_.back());
    }
  }
  Vec3d anywhere() {
    const auto at = [&] { return 1 + static_cast<double>(rng_.in(0, 45 * 64)) / 64; };
    return {at(), at(), at()};
  }
  void moveSome() {
    std::vector<EntityMove> moves;
    for (const EntityHandle handle : handles_) {
      if (rng_.oneIn(3)) moves.push_back({handle, anywhere()});
    }
    ASSERT_TRUE(one_.moveAll(moves).ok() && many_.moveAll(moves).ok());
  }
  std::vector<ShotResult> shotsIn(const EntityIndex& index) const {
    const RayQueryService service(world_, index);
    std::vector<ShotResult> shots;
    for (const Segment& segment : segments_)
      shots.push_back(service.shootSegment(segment).value());
    return shots;
  }
  static bool areSame(const std::vector<ShotResult>& shots, const std::vector<ShotResult>& others) {
    bool are_same = true;
    for (std::size_t i = 0; i < shots.size(); ++i)
      are_same = are_same && oracle::difference(shots[i], others[i]).empty();
    return are_same;
  }

  Rng rng_{"OptimizeThreadsTest"};
  World world_{{.levels = 1}};
  EntityIndex one_{Frame(1)};
  EntityIndex many_{Frame(1)};
  std::vector<EntityHandle> handles_;
  std::vector<Segment> segments_{{{0, 1, 2}, {47, 40, 30}},
                                 {{3, 44, 7}, {40, 2, 44}},
                                 {{0, 8, 8}, {47, 8, 8}},
                                 {{24, 0, 25}, {24.5, 47, 25}}};
};

TEST_F(OptimizeThreadsTest, ManyThreadsPutCrowdsInTheSameOrder) {
  const ThreadExecutor threads(4);
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(one_.optimize(), 27U);
    EXPECT_EQ(many_.optimize(threads), 27U);
    const std::vector<ShotResult> expected = shotsIn(one_);
    const std::vector<ShotResult> shots = shotsIn(many_);
    ASSERT_TRUE(areSame(shots, expected)) << "round " << round;
    for (std::size_t i = 0; i < shots.size(); ++i)
      EXPECT_EQ(shots[i].stats.steps(), expected[i].stats.steps());
    ASSERT_NO_FATAL_FAILURE(moveSome());
  }
}

TEST_F(OptimizeThreadsTest, ASnapshotIsReadMeanwhile) {
  const ThreadExecutor threads(2);
  for (int round = 0; round < 10; ++round) {
    if (round % 2 == 1) many_.optimize();
    const std::shared_ptr<const EntityIndex> snapshot = many_.snapshot();
    const std::vector<ShotResult> expected = shotsIn(*snapshot);
    std::atomic<bool> is_over = false;
    std::atomic<int> wrong = 0;
    std::thread reader([&] {
      while (!is_over)
        wrong += areSame(shotsIn(*snapshot), expected) ? 0 : 1;
    });
    for (int tick = 0; tick < 3; ++tick) {
      moveSome();
      many_.optimize(threads);
    }
    is_over = true;
    reader.join();
    EXPECT_EQ(wrong, 0);
  }
}

}  // namespace
}  // namespace fractalray::optimize_threads_test
