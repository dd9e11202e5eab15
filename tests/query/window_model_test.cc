// SPDX-License-Identifier: Apache-2.0
// Fifteen thousand random descents, climbs and recentrings, close to the root and hundreds of steps
// below it, compared with integers of any size.
#include "window_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "../../core/units.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using oracle::Rng;

class WindowWalk {
 public:
  WindowWalk(Rng& rng, int levels, int depth)
      : rng_(rng),
        world_({.levels = levels, .block_types = oracle::sceneTypes()}),
        index_(world_.frame()),
        model_{.frame = world_.frame(), .depth = depth} {
    for (int step = 0; step < depth; ++step) {
      for (BigInt& axis : model_.anchor)
        axis = axis.times16(1) + BigInt(rng.in(0, 15));
    }
    window_ = std::make_unique<Window>(world_, index_,
                                       ChunkPath::parse(pathText(model_.anchor, depth)).value());
  }

  void run(int moves) {
    for (int i = 0; i < moves; ++i) {
      SCOPED_TRACE(testing::Message() << "move " << i << ", " << world_.frame().levels()
                                      << " levels, anchor of " << model_.depth);
      populate();
      ASSERT_NO_FATAL_FAILURE(expectPaths());
      ASSERT_NO_FATAL_FAILURE(move());
      ASSERT_NO_FATAL_FAILURE(model_.expectEqual(world_, index_));
      if (held_ != nullptr && !rng_.oneIn(4)) continue;
      if (held_ != nullptr) {
        ASSERT_NO_FATAL_FAILURE(held_model_.expectEqual(*held_, *held_index_));
      }
      held_.reset();
      held_index_.reset();
      if (!rng_.oneIn(3)) continue;
      held_ = world_.snapshot();
      held_index_ = index_.snapshot();
      held_model_ = model_;
    }
  }

 private:
  ChunkCoord chunkNear(std::int64_t least, std::int64_t most) {
    return {rng_.in(least, most), rng_.in(least, most), rng_.in(least, most)};
  }

  // Adds a few chunks and entities, near the origin and sometimes far from it.
  void populate() {
    for (int i = rng_.below(4); i > 0 && model_.chunks.size() < 30; --i)
      load();
    for (int i = rng_.below(4); i > 0 && model_.entities.size() < 20; --i)
      add();
  }

  void load() {
    const int level = rng_.below(world_.frame().levels());
    ChunkCoord at = chunkNear(-20, 36);
    if (!model_.chunks.empty() && rng_.oneIn(2)) {
      // A child of another chunk.
      const auto& other =
          model_
              .chunks[static_cast<std::size_t>(rng_.below(static_cast<int>(model_.chunks.size())))];
      const auto [other_level, other_at] = *model_.indexOf(other);
      if (other_level + 1 == level) at = childChunk(blockOf(other_at, rng_.below(4096)));
    }
    if (!world_.frame().contains(level, at)) return;
    if (world_.chunkState(level, at) != ChunkState::kAbsent) return;
    WindowModel::ModelChunk chunk{.depth = model_.depth + level,
                                  .position = model_.positionOf(level, at),
                                  .is_loaded = !rng_.oneIn(5),
                                  .type = rng_.pick({kAir, oracle::kWater, oracle::kStone})};
    if (chunk.is_loaded) {
      ASSERT_TRUE(
          world_.loadChunk(level, at, Chunk::uniform(chunk.type, world_.blockTypes())).ok());
    } else {
      ASSERT_TRUE(world_.placeProtoChunk(level, at).ok());
    }
    model_.chunks.push_back(chunk);
  }

  // Adds an entity of any size that doubles represent exactly, often on the faces of chunks.
  void add() {
    const Frame& frame = world_.frame();
    const int scale = rng_.below(frame.levels());
    const auto size = [&] {
      const std::int64_t most =
          rng_.pick({std::int64_t{20}, frame.blockWidth(scale), frame.chunkWidth(scale) - 1});
      return rng_.oneIn(8) ? most : rng_.in(0, most);
    };
    EntitySpec spec{.id = next_id_++, .level = rng_.below(frame.levels())};
    if (rng_.oneIn(2)) {
      spec.shape = Sphere{blocksFromUnits(size())};
    } else {
      spec.shape = Box{blocksFromUnits(Vec3i{size(), size(), size()})};
    }
    Vec3i position;
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] = rng_.in(-6, 20) * frame.chunkWidth(scale);
      if (!rng_.oneIn(3)) position[axis] += rng_.in(-40, 40);
    }
    spec.position = blocksFromUnits(position);
    const absl::StatusOr<EntityHandle> handle = index_.add(spec);
    if (!handle.ok()) return;  // it reaches out of the frame, or its size was rounded up
    const Entity& entity = *index_.find(*handle);
    model_.entities[spec.id] = {*handle, spec.level, entity.shape, entity.position};
  }

  void expectPaths() {
    ASSERT_EQ(window_->anchor().text(), pathText(model_.anchor, model_.depth));
    const int level = rng_.below(world_.frame().levels());
    const std::int64_t reach = std::int64_t{1} << rng_.below(63);
    const ChunkCoord chunk = chunkNear(-reach, reach - 1);
    const absl::StatusOr<ChunkPath> path = window_->path(level, chunk);
    const std::optional<std::string> expected = model_.path(level, chunk);
    ASSERT_EQ(path.ok(), expected.has_value());
    if (path.ok()) {
      ASSERT_EQ(path->text(), *expected);
    } else {
      ASSERT_EQ(path.status().code(), absl::StatusCode::kOutOfRange);
    }
  }

  // Returns a chunk near the origin, or any chunk.
  ChunkCoord target() {
    if (rng_.oneIn(60)) {
      const std::int64_t reach = std::int64_t{1} << rng_.below(63);
      return chunkNear(-reach, reach - 1);
    }
    return rng_.oneIn(3) ? chunkNear(-40, 40) : chunkNear(-3, 18);
  }

  void move() {
    const std::uint64_t world_version = world_.version();
    const std::uint64_t index_version = index_.version();
    const int kind = rng_.below(5);
    const ChunkCoord chunk = target();
    absl::StatusOr<WindowMove> moved;
    std::optional<WindowModel::Left> left;
    if (kind < 2) {
      moved = window_->descend(chunk);
      left = model_.descend(chunk);
    } else if (kind < 4) {
      moved = window_->climb();
      left = model_.climb();
    } else {
      moved = window_->recenter(chunk);
      left = model_.recenter(chunk);
    }
    ASSERT_EQ(moved.ok(), left.has_value()) << moved.status();
    if (!moved.ok()) {
      const bool is_climb = kind >= 2 && kind < 4;
      ASSERT_EQ(moved.status().code(),
                is_climb ? absl::StatusCode::kFailedPrecondition : absl::StatusCode::kOutOfRange);
      ASSERT_EQ(world_.version(), world_version);
      ASSERT_EQ(index_.version(), index_version);
      return;
    }
    ASSERT_EQ(world_.version(), world_version + 1);
    ASSERT_EQ(index_.version(), index_version + 1);
    ASSERT_EQ(moved->anchor, window_->anchor());
    ASSERT_EQ(moved->anchor.text(), pathText(model_.anchor, model_.depth));
    ASSERT_EQ(moved->evicted, left->evicted);
    ASSERT_EQ(moved->dropped_chunks, left->dropped);
    for (const EntityId id : moved->evicted)
      ASSERT_FALSE(index_.findId(id).has_value());
  }

  Rng& rng_;
  World world_;
  EntityIndex index_;
  WindowModel model_;
  std::unique_ptr<Window> window_;
  EntityId next_id_ = 1;
  // A snapshot of an earlier frame.
  std::shared_ptr<const World> held_;
  std::shared_ptr<const EntityIndex> held_index_;
  WindowModel held_model_{.frame = Frame(1)};
};

class WindowModelTest : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(WindowModelTest, PositionsAreThoseOfBigIntegers) {
  const auto [levels, depth] = GetParam();
  Rng rng("WindowModelTest" + std::to_string(levels) + "." + std::to_string(depth));
  WindowWalk(rng, levels, depth).run(1000);
}

INSTANTIATE_TEST_SUITE_P(LevelsAndDepths, WindowModelTest,
                         testing::Combine(testing::Values(1, 2, 3, 5, 10),
                                          testing::Values(0, 3, 300)));

}  // namespace
}  // namespace fractalray
