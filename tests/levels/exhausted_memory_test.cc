// SPDX-License-Identifier: Apache-2.0
// Checks that every edit of a world is all or nothing if memory runs out: at each of its
// allocations, with and without a snapshot held, and in long random runs. The world then equals the
// model, and shots through it equal those through a world made of the model.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "../../core/internal/access.h"
#include "../../levels/internal/world_content.h"
#include "../oracle/allocations.h"
#include "modelled_edits.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::failEachAllocation;
using oracle::kMist;
using oracle::Rng;
using Extent = AllocationFailure::Extent;

class ExhaustedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  }

  enum class Holding { kNone, kSnapshot, kDropped };

  // Fails the edit at each of its allocations, until it succeeds.
  static void expectAllOrNothing(const ModelledEdit& edit, Holding holding, Extent extent) {
    ModelledWorld it(edit.name);
    const WorldModel before = it.model;
    std::shared_ptr<const World> snapshot;
    if (holding != Holding::kNone) snapshot = it.world.snapshot();
    if (holding == Holding::kDropped) snapshot.reset();
    const internal::EditLog::Watch watch;
    const std::uint64_t version = it.world.version();
    absl::Status status;
    const std::size_t failures =
        failEachAllocation([&] { status = edit.edit(it); },
                           [&](std::size_t n) {
                             SCOPED_TRACE(n);
                             ASSERT_EQ(it.world.version(), version);
                             ASSERT_EQ(internal::Access::content(it.world).edits.count(), 0U);
                             ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
                           },
                           extent);
    ASSERT_FALSE(HasFatalFailure());
    ASSERT_TRUE(status.ok()) << status;
    if (holding == Holding::kSnapshot) {
      EXPECT_GT(failures, 0U) << "a snapshot is held, so it copies";
    }
    edit.apply(it);
    EXPECT_GT(it.world.version(), version);
    EXPECT_EQ(internal::Access::content(it.world).edits.count(), edit.notes);
    ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
    ASSERT_NO_FATAL_FAILURE(expectSameShots(it.world, it.model, it.rng));
    if (snapshot != nullptr) {
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(*snapshot));
      ASSERT_NO_FATAL_FAILURE(expectSameShots(*snapshot, before, it.rng));
    }
  }
};

TEST_F(ExhaustedMemoryTest, EveryEditIsAllOrNothing) {
  for (const ModelledEdit& edit : allEdits()) {
    for (const Holding holding : {Holding::kNone, Holding::kSnapshot, Holding::kDropped}) {
      for (const Extent extent : {Extent::kOne, Extent::kAllFromThere}) {
        SCOPED_TRACE(edit.name + (holding == Holding::kNone       ? ""
                                  : holding == Holding::kSnapshot ? ", with a snapshot"
                                                                  : ", after a snapshot"));
        ASSERT_NO_FATAL_FAILURE(expectAllOrNothing(edit, holding, extent));
      }
    }
  }
}

TEST_F(ExhaustedMemoryTest, ARefreshIsAllOrNothing) {
  for (const bool is_held : {false, true}) {
    ModelledWorld it("ExhaustedMemoryTest.Refresh");
    const ChunkKey key{0, {2, 0, 0}};
    // Only the copy that the snapshot has made keeps the engine's writes out until the refresh.
    std::shared_ptr<const World> snapshot = it.world.snapshot();
    const WorldModel before = it.model;
    if (!is_held) snapshot.reset();
    *it.engine[key] = caveIds(it.rng);
    const std::uint64_t version = it.world.version();
    failEachAllocation([&] { EXPECT_TRUE(it.world.refreshChunk(key.first, key.second).ok()); },
                       [&](std::size_t n) {
                         SCOPED_TRACE(n);
                         ASSERT_EQ(it.world.version(), version);
                         ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
                       });
    it.model.chunks[key] = *it.engine[key];
    EXPECT_GT(it.world.version(), version);
    ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
    ASSERT_NO_FATAL_FAILURE(expectSameShots(it.world, it.model, it.rng));
    if (is_held) {
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(*snapshot));
    }
  }
}

TEST_F(ExhaustedMemoryTest, ASnapshotIsTakenOrNotAndChangesNothing) {
  for (const Extent extent : {Extent::kOne, Extent::kAllFromThere}) {
    ModelledWorld it("ExhaustedMemoryTest.Snapshot");
    ASSERT_TRUE(it.world.blockTypes().add({.name = "new"}).ok());
    const std::uint64_t version = it.world.version();
    std::shared_ptr<const World> snapshot;
    const std::size_t failures =
        failEachAllocation([&] { snapshot = it.world.snapshot(); },
                           [&](std::size_t n) {
                             SCOPED_TRACE(n);
                             ASSERT_EQ(it.world.version(), version);
                             ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
                           },
                           extent);
    EXPECT_GT(failures, 2U) << "borrowed ids, the table of types and the world itself";
    // The engine continues to write to the ids that it has lent.
    for (auto& [key, ids] : it.engine)
      ids->fill(kMist);
    ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(*snapshot));
    ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
    ASSERT_NO_FATAL_FAILURE(expectSameShots(*snapshot, it.model, it.rng));
  }
}

TEST_F(ExhaustedMemoryTest, BlockTypesAndChannelsAreAddedOrNot) {
  for (const Extent extent : {Extent::kOne, Extent::kAllFromThere}) {
    BlockTypeTable types;
    const auto expect_types = [&](std::size_t count, std::size_t channels) {
      ASSERT_EQ(types.size(), count);
      ASSERT_EQ(types.channels(), channels);
      for (std::size_t c = 0; c < channels; ++c)
        ASSERT_EQ(types.kinds(static_cast<ChannelId>(c)).size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto type = static_cast<BlockTypeId>(i);
        ASSERT_EQ(types.find(types.name(type)), type);
      }
    };
    for (std::size_t i = 1; i < 40; ++i) {
      const std::string name = "a type with a long name, number " + std::to_string(i);
      const std::string channel = "a channel with a long name, number " + std::to_string(i);
      const BlockTypeSpec spec{.name = name,
                               .kind = BlockKind::kSolid,
                               .channel_kinds = {{kDefaultChannel, BlockKind::kPermeable}}};
      absl::StatusOr<BlockTypeId> type = kAir;
      failEachAllocation([&] { type = types.add(spec); },
                         [&](std::size_t) {
                           ASSERT_NO_FATAL_FAILURE(expect_types(i, i));
                           ASSERT_FALSE(types.find(name).has_value());
                         },
                         extent);
      ASSERT_EQ(type.value(), static_cast<BlockTypeId>(i));
      ASSERT_NO_FATAL_FAILURE(expect_types(i + 1, i));
      absl::StatusOr<ChannelId> added = kDefaultChannel;
      failEachAllocation([&] { added = types.addChannel(channel); },
                         [&](std::size_t) {
                           ASSERT_NO_FATAL_FAILURE(expect_types(i + 1, i));
                           ASSERT_FALSE(types.findChannel(channel).has_value());
                         },
                         extent);
      ASSERT_EQ(added.value(), static_cast<ChannelId>(i));
      ASSERT_NO_FATAL_FAILURE(expect_types(i + 1, i + 1));
      ASSERT_EQ(types.kind(*type, kDefaultChannel), BlockKind::kPermeable);
      ASSERT_EQ(types.kind(*type, *added), BlockKind::kSolid);
    }
  }
}

// Edits at random, every second one with memory that runs out at random, while snapshots are taken
// and dropped; near each other, and so far apart that no table over a box holds them.
TEST_F(ExhaustedMemoryTest, LongRunsStayEqualToTheModel) {
  for (const std::int64_t reach : {2, 100'000}) {
    ModelledWorld it("ExhaustedMemoryTest.LongRuns");
    Rng& rng = it.rng;
    std::vector<std::pair<std::shared_ptr<const World>, WorldModel>> held;
    const auto random_key = [&]() -> ChunkKey {
      if (!rng.oneIn(3)) {
        const int count = static_cast<int>(it.model.chunks.size());
        return std::next(it.model.chunks.begin(), rng.below(count))->first;
      }
      ChunkCoord at;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = rng.in(-reach, reach);
      return {rng.below(ModelledWorld::kLevels), at};
    };
    const auto random_edit = [&]() -> ModelledEdit {
      const auto [level, at] = random_key();
      const auto type = static_cast<BlockTypeId>(rng.below(6));
      const BlockCoord block = blockOf(at, rng.below(kBlocksPerChunk));
      const bool loaded = it.model.isLoaded(level, at);
      switch (loaded ? rng.below(8) : rng.below(3)) {
        case 0:
          return loadChunk("", level, at, rng.oneIn(2) ? mixedIds(rng) : uniformIds(type));
        case 1:
          if (!it.model.chunks.contains({level, at})) return loadChunk("", level, at, caveIds(rng));
          return unloadChunk("", level, at);
        case 2:
          if (loaded) return unloadChunk("", level, at);
          return placeProtoChunk("", level, at);
        case 3:
        case 4:
          return setBlock("", level, block, type);
        case 5: {
          BlockCoord low = blockOf(at, 0);
          const BlockCoord high = low + BlockCoord{15, rng.oneIn(2) ? 15 : 8, 15};
          if (rng.oneIn(2)) low[0] += 3;
          return fillBox("", level, low, high, type);
        }
        case 6: {
          const auto [other_level, other] = random_key();
          const BlockCoord to = blockOf(other, rng.below(kBlocksPerChunk));
          const auto is_movable = [&](int on, const BlockCoord& one) {
            return it.model.isLoaded(on, chunkOf(one)) &&
                   !it.model.isLoaded(on + 1, childChunk(one));
          };
          if (level != other_level || block == to || !is_movable(level, block) ||
              !is_movable(level, to))
            return setBlock("", level, block, type);
          return moveBlock("", level, block, to);
        }
        default:
          if (level + 1 == ModelledWorld::kLevels ||
              it.model.isLoaded(level + 1, childChunk(block)))
            return setBlock("", level, block, type);
          return expandBlock("", level, block);
      }
    };
    int failures = 0;
    for (int i = 0; i < 1500; ++i) {
      SCOPED_TRACE(i);
      const ModelledEdit edit = random_edit();
      SCOPED_TRACE(edit.name);
      const std::uint64_t version = it.world.version();
      absl::Status status;
      bool is_done = false;
      const int successes = rng.oneIn(2) ? rng.below(12) : 1'000'000;
      try {
        const AllocationFailure failure(static_cast<std::size_t>(successes),
                                        rng.oneIn(2) ? Extent::kOne : Extent::kAllFromThere);
        status = edit.edit(it);
        is_done = true;
      } catch (const std::bad_alloc&) {
        ASSERT_EQ(it.world.version(), version);
        ++failures;
      }
      ASSERT_TRUE(status.ok()) << status;
      if (is_done) edit.apply(it);
      if (rng.oneIn(20)) held.emplace_back(it.world.snapshot(), it.model);
      if (held.size() > 3) held.erase(held.begin() + rng.below(4));
      if (i % 25 == 0) {
        ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
      }
    }
    EXPECT_GT(failures, 100);
    ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
    ASSERT_NO_FATAL_FAILURE(expectSameShots(it.world, it.model, rng));
    for (const auto& [snapshot, model] : held)
      ASSERT_NO_FATAL_FAILURE(model.expectEqual(*snapshot));
  }
}

}  // namespace
}  // namespace fractalray
