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
#include <vector>

#include "../../core/units.h"
#include "../../query/entity_search.h"
#include "../../query/ray_query_service.h"
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
      editEntities();
      ASSERT_NO_FATAL_FAILURE(expectPaths());
      ASSERT_NO_FATAL_FAILURE(move());
      ASSERT_NO_FATAL_FAILURE(model_.expectEqual(world_, index_));
      if (rng_.oneIn(4)) {
        ASSERT_NO_FATAL_FAILURE(expectAnswersOfAFreshIndex());
      }
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
    EXPECT_GT(compared_, moves / 20);
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

  // Returns a shape of any size that doubles represent exactly.
  Shape randomShape() {
    const Frame& frame = world_.frame();
    const int scale = rng_.below(frame.levels());
    const auto size = [&] {
      const std::int64_t most =
          rng_.pick({std::int64_t{20}, frame.blockWidth(scale), frame.chunkWidth(scale) - 1});
      return rng_.oneIn(8) ? most : rng_.in(0, most);
    };
    if (rng_.oneIn(2)) return Sphere{toBlocks(size())};
    return Box{toBlocks(Vec3i{size(), size(), size()})};
  }
  // Returns a position that is often on the faces of chunks.
  Vec3d randomPosition() {
    const Frame& frame = world_.frame();
    const int scale = rng_.below(frame.levels());
    Vec3i position;
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] = rng_.in(-6, 20) * frame.chunkWidth(scale);
      if (!rng_.oneIn(3)) position[axis] += rng_.in(-40, 40);
    }
    return toBlocks(position);
  }

  void add() {
    const EntitySpec spec{.id = next_id_++,
                          .level = rng_.below(world_.frame().levels()),
                          .shape = randomShape(),
                          .position = randomPosition()};
    const absl::StatusOr<EntityHandle> handle = index_.add(spec);
    if (!handle.ok()) return;  // it reaches out of the frame, or its size was rounded up
    model_.copyEntity(index_, *handle);
  }

  // Moves, updates and removes some entities: those that a descent has left in chunks of a coarser
  // level enter finer ones, or stay.
  void editEntities() {
    std::vector<EntityMove> moves;
    std::vector<EntityId> removed;
    for (const auto& [id, entity] : model_.entities) {
      Vec3d position = randomPosition();
      if (rng_.oneIn(2)) {
        position = toBlocks(entity.position + Vec3i{rng_.in(-40, 40), 0, rng_.in(-9, 9)});
      }
      switch (rng_.below(8)) {
        case 0:
          moves.push_back({entity.handle, position});
          break;
        case 1:
          std::ignore = index_.move(entity.handle, position);
          break;
        case 2:
          std::ignore = index_.update(entity.handle, {.level = rng_.below(world_.frame().levels()),
                                                      .shape = randomShape(),
                                                      .position = position});
          break;
        case 3:
          std::ignore = index_.update(entity.handle, {.position = position});
          break;
        case 4:
          if (rng_.oneIn(4)) removed.push_back(id);
          break;
        default:
          break;
      }
    }
    std::ignore = index_.moveAll(moves);
    const std::uint64_t version = index_.version();
    if (rng_.oneIn(4)) std::ignore = index_.refine(static_cast<std::size_t>(rng_.below(9)));
    if (rng_.oneIn(4)) std::ignore = index_.optimize();
    EXPECT_EQ(index_.version(), version);
    for (const EntityId id : removed) {
      EXPECT_TRUE(index_.remove(model_.entities.at(id).handle).ok());
      model_.entities.erase(id);
    }
    for (const auto& [id, entity] : model_.entities)
      model_.copyEntity(index_, entity.handle);
  }

  using HitText = std::tuple<double, double, int, EntityId, BlockCoord>;
  static std::vector<HitText> textOf(const ShotResult& shot) {
    std::vector<HitText> hits;
    for (const Hit& hit : shot.hits)
      hits.emplace_back(hit.t, hit.t_exit, hit.level, hit.id, hit.block);
    return hits;
  }
  static std::vector<std::pair<double, EntityId>> textOf(const std::vector<FoundEntity>& found) {
    std::vector<std::pair<double, EntityId>> text;
    for (const FoundEntity& one : found)
      text.emplace_back(one.distance, one.id);
    return text;
  }

  // Compares answers with those of an index that has never moved.
  void expectAnswersOfAFreshIndex() {
    EntityIndex fresh(world_.frame());
    std::vector<Vec3i> points = {{0, 0, 0}, {5, 1, -3}};
    for (const auto& [id, entity] : model_.entities) {
      const EntitySpec spec{.id = id,
                            .level = entity.level,
                            .shape = toBlocks(entity.shape),
                            .position = toBlocks(entity.position)};
      const absl::StatusOr<EntityHandle> handle = fresh.add(spec);
      // Doubles do not represent each shape and position of a moved frame.
      if (!handle.ok()) return;
      const Entity& added = *fresh.find(*handle);
      if (added.position != entity.position || added.shape != entity.shape) return;
      points.push_back(entity.position);
    }
    ++compared_;
    const auto randomPoint = [&] {
      return points[static_cast<std::size_t>(rng_.below(static_cast<int>(points.size())))];
    };
    const LevelMask levels = world_.allLevels();
    const RayQueryService moved_service(world_, index_);
    const RayQueryService fresh_service(world_, fresh);
    for (int i = 0; i < 4; ++i) {
      const FixedSegment line{.from = randomPoint(), .to = randomPoint()};
      const QueryOptions options{.pass = rng_.oneIn(2) ? SearchPass::kFast : SearchPass::kPlain};
      ASSERT_EQ(textOf(moved_service.shootSegment(line, levels, options).value()),
                textOf(fresh_service.shootSegment(line, levels, options).value()));
      const Vec3d center = toBlocks(randomPoint());
      const double radius =
          toBlocks(world_.frame().chunkWidth(rng_.below(world_.frame().levels())));
      ASSERT_EQ(textOf(entitiesInSphere(index_, center, radius, levels).value()),
                textOf(entitiesInSphere(fresh, center, radius, levels).value()));
      ASSERT_EQ(textOf(nearestEntities(index_, center, 3, radius, levels).value()),
                textOf(nearestEntities(fresh, center, 3, radius, levels).value()));
    }
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
  int compared_ = 0;  // with a fresh index
  // A snapshot of an earlier frame.
  std::shared_ptr<const World> held_;
  std::shared_ptr<const EntityIndex> held_index_;
  WindowModel held_model_{.frame = Frame(1)};
};

class WindowModelTest : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(WindowModelTest, PositionsAreThoseOfBigIntegers) {
  const auto [levels, depth] = GetParam();
  Rng rng("WindowModelTest" + std::to_string(levels) + "." + std::to_string(depth));
  WindowWalk(rng, levels, depth).run(depth > 100 ? 2000 : 500);
}

INSTANTIATE_TEST_SUITE_P(LevelsAndDepths, WindowModelTest,
                         testing::Combine(testing::Values(1, 2, 3, 5, 10),
                                          testing::Values(0, 3, 300)));

}  // namespace
}  // namespace fractalray
