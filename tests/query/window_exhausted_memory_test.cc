// SPDX-License-Identifier: Apache-2.0
// Memory that runs out in a move of the frame: whichever allocation fails, nothing has moved, and
// the move succeeds once there is memory again.
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <vector>

#include "../../core/units.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "window_model.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::Rng;
using Extent = AllocationFailure::Extent;

enum class Kind { kDescend, kClimb, kRecenter };
enum class Held { kNothing, kSnapshot };

// A world with chunks and entities of all levels, built again for each failure, always the same.
struct Subject {
  Subject() : model{.frame = world.frame(), .depth = 2} {
    Rng rng("WindowExhaustedMemoryTest");
    model.anchor = {BigInt(0x35), BigInt(0x46), BigInt(0x57)};
    for (int level = 0; level < 3; ++level) {
      for (const ChunkCoord& at :
           {ChunkCoord{0, 0, 0}, ChunkCoord{1, 2, 3}, ChunkCoord{20, 2, 3}, ChunkCoord{-7, 0, 40}})
        load(level, at, rng.pick({kAir, oracle::kWater, oracle::kStone}));
    }
    load(1, {3, 3, 3}, oracle::kWater);  // expands a block of level 0
    load(2, {50, 50, 50}, oracle::kWater);
    for (EntityId id = 0; id < 16; ++id) {
      const EntitySpec spec{.id = id,
                            .level = rng.below(3),
                            .shape = Sphere{rng.pick({0.25, 0.5, 3.0, 15.0, 40.0, 300.0})},
                            .position = {static_cast<double>(rng.in(-300, 300)),
                                         static_cast<double>(rng.in(-300, 300)) + 0.001, 5}};
      const EntityHandle handle = index.add(spec).value();
      const Entity& entity = *index.find(handle);
      model.entities[id] = {handle, spec.level, entity.shape, entity.position};
    }
  }

  void load(int level, const ChunkCoord& at, BlockTypeId type) {
    EXPECT_TRUE(world.loadChunk(level, at, Chunk::uniform(type, world.blockTypes())).ok());
    model.chunks.push_back({.depth = model.depth + level,
                            .position = model.positionOf(level, at),
                            .is_loaded = true,
                            .type = type});
  }

  absl::StatusOr<WindowMove> move(Kind kind) {
    if (kind == Kind::kClimb) return window.climb();
    return kind == Kind::kDescend ? window.descend({3, 3, 3}) : window.recenter({1, 2, -3});
  }
  void moveModel(Kind kind) {
    if (kind == Kind::kClimb) {
      (void)model.climb();
    } else {
      (void)(kind == Kind::kDescend ? model.descend({3, 3, 3}) : model.recenter({1, 2, -3}));
    }
  }

  World world{{.levels = 3, .block_types = oracle::sceneTypes()}};
  EntityIndex index{world.frame()};
  WindowModel model;
  Window window{world, index, ChunkPath::parse("345_567").value()};
};

class WindowExhaustedMemoryTest : public testing::TestWithParam<std::tuple<Kind, Held, Extent>> {};

TEST_P(WindowExhaustedMemoryTest, AMoveIsAllOrNothing) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  const auto [kind, held, extent] = GetParam();
  std::size_t failures = 0;
  for (std::size_t n = 0;; ++n) {
    SCOPED_TRACE("allocation " + std::to_string(n));
    Subject subject;
    const WindowModel before = subject.model;
    std::shared_ptr<const World> world;
    std::shared_ptr<const EntityIndex> index;
    if (held == Held::kSnapshot) {
      world = subject.world.snapshot();
      index = subject.index.snapshot();
    }
    const std::uint64_t world_version = subject.world.version();
    const std::uint64_t index_version = subject.index.version();
    // The move may succeed although an allocation failed: a dense table is only left out.
    bool has_failed = false;
    bool has_thrown = false;
    {
      const AllocationFailure failure(n, extent);
      try {
        const absl::StatusOr<WindowMove> move = subject.move(kind);
        has_thrown = !move.ok();
      } catch (const std::bad_alloc&) {
        has_thrown = true;
      }
      has_failed = failure.hasFailed();
    }
    if (has_thrown) {
      ++failures;
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(subject.world, subject.index));
      ASSERT_EQ(subject.world.version(), world_version);
      ASSERT_EQ(subject.index.version(), index_version);
      ASSERT_EQ(subject.window.anchor().text(), "345_567");
      ASSERT_TRUE(subject.move(kind).ok()) << "with memory again";
    }
    subject.moveModel(kind);
    ASSERT_NO_FATAL_FAILURE(subject.model.expectEqual(subject.world, subject.index));
    ASSERT_EQ(subject.world.version(), world_version + 1);
    if (held == Held::kSnapshot) {
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(*world, *index));
    }
    if (!has_failed) break;
    ASSERT_LT(n, 10000U);
  }
  EXPECT_GT(failures, 10U);
}

// Entities that a descent has left in chunks of a coarser level, and which then leave these.
TEST(WindowExhaustedMemoryOfEntitiesTest, MovesOfManyAreAllOrNothing) {
  if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  for (const bool updates : {false, true}) {
    std::size_t failures = 0;
    for (std::size_t n = 0;; ++n) {
      SCOPED_TRACE("allocation " + std::to_string(n));
      Subject subject;
      ASSERT_TRUE(subject.move(Kind::kDescend).ok());
      subject.moveModel(Kind::kDescend);
      std::vector<EntityMove> moves;
      std::vector<EntityChange> changes;
      WindowModel after = subject.model;
      std::size_t coarser = 0;
      for (auto& [id, entity] : after.entities) {
        const Entity& found = *subject.index.find(entity.handle);
        if (found.grid_level != found.index_level) ++coarser;
        entity.position[0] += 300 * kUnitsPerBlock;
        moves.push_back({entity.handle, toBlocks(entity.position)});
        changes.push_back({entity.handle, {.position = moves.back().position}});
      }
      ASSERT_GT(coarser, 2U);
      const std::uint64_t version = subject.index.version();
      bool has_failed = false;
      bool has_thrown = false;
      {
        const AllocationFailure failure(n, Extent::kOne);
        try {
          const absl::Status status =
              updates ? subject.index.updateAll(changes) : subject.index.moveAll(moves);
          has_thrown = !status.ok();
        } catch (const std::bad_alloc&) {
          has_thrown = true;
        }
        has_failed = failure.hasFailed();
      }
      if (has_thrown) {
        ++failures;
        ASSERT_NO_FATAL_FAILURE(subject.model.expectEqual(subject.world, subject.index));
        ASSERT_EQ(subject.index.version(), version);
        ASSERT_TRUE(subject.index.moveAll(moves).ok()) << "with memory again";
      }
      ASSERT_NO_FATAL_FAILURE(after.expectEqual(subject.world, subject.index));
      if (!has_failed) break;
      ASSERT_LT(n, 10000U);
    }
    EXPECT_GT(failures, 10U);
  }
}

INSTANTIATE_TEST_SUITE_P(Moves, WindowExhaustedMemoryTest,
                         testing::Combine(testing::Values(Kind::kDescend, Kind::kClimb,
                                                          Kind::kRecenter),
                                          testing::Values(Held::kNothing, Held::kSnapshot),
                                          testing::Values(Extent::kOne, Extent::kAllFromThere)));

}  // namespace
}  // namespace fractalray
