// SPDX-License-Identifier: Apache-2.0
// Moves of a world's frame: chunks of any content, placeholders and borrowed ids, with and without
// snapshots, compared with a model whose indices FrameMove converts. If memory runs out nothing has
// moved. Moves of a window, with entities, are tested in tests/query.
#include "../../levels/internal/world_move.h"

#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../core/frame_move.h"
#include "../../core/internal/access.h"
#include "../../levels/internal/world_content.h"
#include "../../levels/world.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "world_model.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::failEachAllocation;
using oracle::Rng;

class MovedWorld {
 public:
  MovedWorld(Rng& rng, int levels) : rng_(rng), levels_(levels) {}

  World& world() { return world_; }
  const WorldModel& model() const { return model_; }

  void populate(int chunks) {
    for (int i = 0; i < chunks; ++i) {
      const ChunkKey at = randomKey();
      if (!world_.frame().contains(at.first, at.second)) continue;
      if (rng_.oneIn(6)) {
        if (!world_.placeProtoChunk(at.first, at.second).ok()) continue;
        model_.chunks[at] = std::nullopt;
        continue;
      }
      load(at);
    }
  }

  FrameMove randomMove() {
    const auto chunk = [&](std::int64_t min, std::int64_t max) {
      return ChunkCoord{rng_.in(min, max), rng_.in(min, max), rng_.in(min, max)};
    };
    switch (rng_.below(4)) {
      case 0:
        return FrameMove::descend(world_.frame(), chunk(-3, 18));
      case 1:
        return FrameMove::recenter(world_.frame(), chunk(-2, 2) * std::int64_t{16});
      case 2:
        return FrameMove::recenter(world_.frame(), chunk(-20, 20));
      default:
        return FrameMove::climb(world_.frame(), chunk(0, 15));
    }
  }

  // Returns the model after a move, and how many chunks are dropped.
  std::pair<WorldModel, std::size_t> modelAfter(const FrameMove& move) const {
    WorldModel after;
    std::size_t dropped = 0;
    for (const auto& [chunk, ids] : model_.chunks) {
      const std::optional<ChunkCoord> at = move.chunkAfter(chunk.first, chunk.second);
      if (at.has_value()) {
        after.chunks[{move.levelAfter(chunk.first), *at}] = ids;
      } else {
        ++dropped;
      }
    }
    return {after, dropped};
  }
  void move(const FrameMove& move) {
    const std::uint64_t version = world_.version();
    auto [after, dropped] = modelAfter(move);
    ASSERT_EQ(moveFrame(internal::Access::editContent(world_), move).chunks, dropped);
    ASSERT_EQ(world_.version(), version + 1);
    model_ = std::move(after);
  }

 private:
  ChunkKey randomKey() {
    const int level = rng_.below(levels_);
    if (!model_.chunks.empty() && rng_.oneIn(2)) {
      const auto count = static_cast<int>(model_.chunks.size());
      const ChunkKey near = std::next(model_.chunks.begin(), rng_.below(count))->first;
      if (near.first + 1 < levels_ && rng_.oneIn(2)) {
        return {near.first + 1, childChunk(blockOf(near.second, rng_.below(kBlocksPerChunk)))};
      }
      ChunkKey moved = near;
      moved.second[rng_.below(3)] += rng_.in(-2, 2);
      return moved;
    }
    const std::int64_t reach = rng_.pick({3, 40});
    return {level, {rng_.in(-reach, reach), rng_.in(-reach, reach), rng_.in(-reach, reach)}};
  }

  void load(const ChunkKey& at) {
    BlockIds ids;
    ids.fill(rng_.pick({kAir, oracle::kWater, oracle::kStone}));
    for (int i = rng_.pick({0, 1, 50}); i > 0; --i)
      ids[static_cast<std::size_t>(rng_.below(kBlocksPerChunk))] =
          rng_.pick({kAir, oracle::kGlass, oracle::kMist});
    absl::StatusOr<Chunk> chunk = Chunk::copied(ids, world_.blockTypes());
    if (rng_.oneIn(4)) {
      engine_.push_back(std::make_unique<BlockIds>(ids));
      chunk = Chunk::borrowedForWriting(*engine_.back(), world_.blockTypes());
    }
    ASSERT_TRUE(world_.loadChunk(at.first, at.second, *std::move(chunk)).ok());
    model_.chunks[at] = ids;
  }

  Rng& rng_;
  int levels_;
  std::vector<std::unique_ptr<BlockIds>> engine_;  // the ids of borrowed chunks
  World world_{{.levels = levels_, .block_types = oracle::sceneTypes()}};
  WorldModel model_;
};

class WorldMoveTest : public testing::TestWithParam<int> {};

TEST_P(WorldMoveTest, ChunksMoveAsTheContractSays) {
  Rng rng("WorldMoveTest" + std::to_string(GetParam()));
  MovedWorld moved(rng, GetParam());
  std::shared_ptr<const World> snapshot;
  WorldModel of_snapshot;
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    moved.populate(rng.below(10));
    if (rng.oneIn(3)) {
      snapshot = moved.world().snapshot();
      of_snapshot = moved.model();
    }
    ASSERT_NO_FATAL_FAILURE(moved.move(moved.randomMove()));
    ASSERT_NO_FATAL_FAILURE(moved.model().expectEqual(moved.world()));
    if (snapshot == nullptr) continue;
    ASSERT_NO_FATAL_FAILURE(of_snapshot.expectEqual(*snapshot));
    if (rng.oneIn(3)) snapshot.reset();
  }
}

TEST_P(WorldMoveTest, AllOrNothingIfMemoryRunsOut) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  Rng rng("WorldMoveTest.Memory" + std::to_string(GetParam()));
  for (int i = 0; i < 12; ++i) {
    SCOPED_TRACE(i);
    MovedWorld moved(rng, GetParam());
    moved.populate(12);
    const std::shared_ptr<const World> snapshot = rng.oneIn(2) ? moved.world().snapshot() : nullptr;
    const WorldModel before = moved.model();
    const auto borrowed = internal::Access::content(moved.world()).borrowed;
    const std::uint64_t version = moved.world().version();
    const FrameMove move = moved.randomMove();
    std::size_t dropped = 0;
    failEachAllocation(
        [&] { dropped = moveFrame(internal::Access::editContent(moved.world()), move).chunks; },
        [&](std::size_t n) {
          SCOPED_TRACE(n);
          ASSERT_EQ(moved.world().version(), version);
          ASSERT_EQ(internal::Access::content(moved.world()).borrowed, borrowed);
          if (n % 7 == 0) {
            ASSERT_NO_FATAL_FAILURE(before.expectEqual(moved.world()));
          }
        });
    ASSERT_FALSE(HasFatalFailure());
    const auto [after, expected] = moved.modelAfter(move);
    ASSERT_EQ(dropped, expected);
    ASSERT_NO_FATAL_FAILURE(after.expectEqual(moved.world()));
    if (snapshot != nullptr) {
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(*snapshot));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, WorldMoveTest, testing::Values(1, 2, 3, 10));

TEST(WorldMoveLogTest, AMoveDiscardsAllEarlierEdits) {
  World world({.levels = 2});
  const internal::EditLog::Watch watch;
  const std::uint64_t count = internal::Access::content(world).edits.count();
  moveFrame(internal::Access::editContent(world), FrameMove::recenter(world.frame(), {0, 0, 0}));
  EXPECT_GT(internal::Access::content(world).edits.count(), count);
  EXPECT_FALSE(internal::Access::content(world).edits.since(count).has_value());
}

}  // namespace
}  // namespace fractalray
