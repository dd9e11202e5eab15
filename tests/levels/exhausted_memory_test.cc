// SPDX-License-Identifier: Apache-2.0
// Checks that every edit of a world is all or nothing if memory runs out: at each of its
// allocations, with and without a snapshot held, and in long random runs. The world then equals the
// model, and shots through it equal those through a world made of the model.
#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../levels/internal/world_content.h"
#include "../../levels/world.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "world_model.h"

namespace fractalray {
namespace {

using oracle::AllocationFailure;
using oracle::failEachAllocation;
using oracle::kGlass;
using oracle::kMist;
using oracle::kReeds;
using oracle::kStone;
using oracle::kWater;
using oracle::Rng;
using Extent = AllocationFailure::Extent;

constexpr int kLevels = 3;

// Chunks of many types, of two types without ids, uniform ones and borrowed ones.
BlockIds mixedIds(Rng& rng) {
  BlockIds ids;
  ids.fill(kAir);
  for (int i = 0; i < 300; ++i)
    ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] =
        rng.pick({kWater, kReeds, kGlass, kMist, kStone});
  return ids;
}
BlockIds caveIds(Rng& rng) {
  BlockIds ids;
  ids.fill(kStone);
  for (int i = 0; i < 300; ++i)
    ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = kAir;
  return ids;
}
BlockIds uniformIds(BlockTypeId type) {
  BlockIds ids;
  ids.fill(type);
  return ids;
}

// A world and its model.
struct Modelled {
  explicit Modelled(std::string_view name) : rng(name) {
    load({0, {0, 0, 0}}, mixedIds(rng));
    load({0, {1, 0, 0}}, caveIds(rng));
    load({0, {0, 1, 0}}, uniformIds(kStone));
    load({0, {1, 1, 0}}, uniformIds(kAir));
    load({1, {3, 3, 3}}, mixedIds(rng));
    load({1, {3, 4, 3}}, caveIds(rng));
    load({2, {50, 50, 50}}, mixedIds(rng));
    borrow({0, {2, 0, 0}});
    borrow({0, {2, 1, 0}});
    EXPECT_TRUE(world.placeProtoChunk(1, {9, 9, 9}).ok());
    model.chunks[{1, {9, 9, 9}}] = std::nullopt;
  }

  void load(const ChunkKey& key, const BlockIds& ids) {
    Chunk chunk = Chunk::copied(ids, world.blockTypes()).value();
    EXPECT_TRUE(world.loadChunk(key.first, key.second, std::move(chunk)).ok());
    model.chunks[key] = ids;
  }
  // Loads a chunk that is borrowed for writing.
  void borrow(const ChunkKey& key) {
    auto& ids = engine[key];
    ids = std::make_unique<BlockIds>(mixedIds(rng));
    Chunk chunk = Chunk::borrowedForWriting(*ids, world.blockTypes()).value();
    EXPECT_TRUE(world.loadChunk(key.first, key.second, std::move(chunk)).ok());
    model.chunks[key] = *ids;
  }
  void setInModel(int level, const BlockCoord& min, const BlockCoord& max, BlockTypeId type) {
    for (std::int64_t z = min[2]; z <= max[2]; ++z) {
      for (std::int64_t y = min[1]; y <= max[1]; ++y) {
        for (std::int64_t x = min[0]; x <= max[0]; ++x) {
          const BlockCoord at{x, y, z};
          auto& ids = *model.chunks.at({level, chunkOf(at)});
          ids[static_cast<std::size_t>(indexInChunk(at))] = type;
        }
      }
    }
  }

  Rng rng;
  World world{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  WorldModel model;
  std::map<ChunkKey, std::unique_ptr<BlockIds>> engine;  // what borrowed chunks borrow
};

// Compares shots through the world, by both passes, with those through a world made of the model.
void expectSameShots(const World& world, const WorldModel& model, Rng& rng) {
  World fresh({.levels = kLevels, .block_types = oracle::sceneTypes()});
  for (const auto& [key, ids] : model.chunks) {
    if (!ids.has_value()) continue;
    Chunk chunk = Chunk::copied(*ids, fresh.blockTypes()).value();
    ASSERT_TRUE(fresh.loadChunk(key.first, key.second, std::move(chunk)).ok());
  }
  const EntityIndex entities(world.frame());
  const RayQueryService service(world, entities);
  const RayQueryService expected(fresh, entities);
  for (int i = 0; i < 8; ++i) {
    Segment segment;
    for (int axis = 0; axis < 3; ++axis) {
      segment.from[axis] = static_cast<double>(rng.in(-100, 9000)) + 0.25;
      segment.to[axis] = static_cast<double>(rng.in(-100, 9000)) + 0.5;
    }
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
      const ShotOptions options{.report_unknown = true, .pass = pass};
      const auto shot = service.shootSegment(segment, world.allLevels(), options);
      const auto other = expected.shootSegment(segment, world.allLevels(), options);
      ASSERT_TRUE(shot.ok() && other.ok());
      ShotResult answer = *shot;
      answer.version = other->version;
      ASSERT_EQ(oracle::difference(answer, *other), "");
    }
  }
}

// An edit, and the same edit of the model.
struct Edit {
  std::string name;
  std::function<absl::Status(Modelled&)> edit;
  std::function<void(Modelled&)> apply;
  std::size_t notes = 1;  // its entries in the edit log
};

Edit setBlock(const std::string& name, int level, const BlockCoord& at, BlockTypeId type) {
  return {"set " + name, [=](Modelled& it) { return it.world.setBlock(level, at, type); },
          [=](Modelled& it) { it.setInModel(level, at, at, type); }};
}
Edit moveBlock(const std::string& name, int level, const BlockCoord& from, const BlockCoord& to) {
  return {"move " + name, [=](Modelled& it) { return it.world.moveBlock(level, from, to); },
          [=](Modelled& it) {
            const auto& ids = *it.model.chunks.at({level, chunkOf(from)});
            const BlockTypeId type = ids[static_cast<std::size_t>(indexInChunk(from))];
            it.setInModel(level, from, from, kAir);
            it.setInModel(level, to, to, type);
          },
          2};
}
Edit fillBox(const std::string& name, int level, const BlockCoord& min, const BlockCoord& max,
             BlockTypeId type) {
  return {"fill " + name, [=](Modelled& it) { return it.world.fillBox(level, min, max, type); },
          [=](Modelled& it) { it.setInModel(level, min, max, type); }};
}
Edit loadChunk(const std::string& name, int level, const ChunkCoord& at, const BlockIds& ids) {
  return {"load " + name,
          [=](Modelled& it) {
            absl::StatusOr<Chunk> chunk = Chunk::copied(ids, it.world.blockTypes());
            return chunk.ok() ? it.world.loadChunk(level, at, *std::move(chunk)) : chunk.status();
          },
          [=](Modelled& it) {
            it.model.chunks[{level, at}] = ids;
          }};
}
Edit loadBorrowed(const std::string& name, int level, const ChunkCoord& at, const BlockIds& ids) {
  const auto lent = std::make_shared<BlockIds>(ids);
  return {"borrow " + name,
          [=](Modelled& it) {
            absl::StatusOr<Chunk> chunk = Chunk::borrowed(*lent, it.world.blockTypes());
            return chunk.ok() ? it.world.loadChunk(level, at, *std::move(chunk)) : chunk.status();
          },
          [=](Modelled& it) {
            it.model.chunks[{level, at}] = ids;
          }};
}
Edit unloadChunk(const std::string& name, int level, const ChunkCoord& at) {
  return {"unload " + name, [=](Modelled& it) { return it.world.unloadChunk(level, at); },
          [=](Modelled& it) {
            it.model.chunks.erase({level, at});
          }};
}
Edit placeProtoChunk(const std::string& name, int level, const ChunkCoord& at) {
  return {"proto " + name, [=](Modelled& it) { return it.world.placeProtoChunk(level, at); },
          [=](Modelled& it) {
            it.model.chunks[{level, at}] = std::nullopt;
          }};
}
Edit expandBlock(const std::string& name, int level, const BlockCoord& at) {
  return {
      "expand " + name, [=](Modelled& it) { return it.world.expandBlock(level, at); },
      [=](Modelled& it) {
        const BlockTypeId type =
            (*it.model.chunks.at({level, chunkOf(at)}))[static_cast<std::size_t>(indexInChunk(at))];
        it.model.chunks[{level + 1, childChunk(at)}] = uniformIds(type);
      }};
}
std::vector<Edit> allEdits() {
  Rng rng("ExhaustedMemoryTest.Edits");
  return {
      setBlock("a new brick of a mixed chunk", 0, {5, 6, 7}, kGlass),
      setBlock("a third type in a chunk without ids", 0, {20, 6, 7}, kGlass),
      setBlock("a hole into rock", 0, {5, 20, 7}, kAir),
      setBlock("a third type in a uniform chunk", 0, {5, 20, 7}, kGlass),
      setBlock("a borrowed block", 0, {33, 2, 3}, kGlass),
      setBlock("the parent of a chunk", 0, {3, 3, 3}, kGlass),
      moveBlock("within a mixed chunk", 0, {5, 6, 7}, {9, 1, 2}),
      moveBlock("within a chunk without ids", 0, {20, 6, 7}, {21, 6, 7}),
      moveBlock("out of rock into air", 0, {5, 20, 7}, {20, 20, 7}),
      moveBlock("to a borrowed chunk", 0, {5, 20, 7}, {33, 2, 3}),
      moveBlock("from one borrowed chunk to another", 0, {33, 2, 3}, {33, 20, 3}),
      moveBlock("within a borrowed chunk", 0, {33, 2, 3}, {34, 2, 3}),
      fillBox("a part of a chunk", 0, {1, 1, 1}, {3, 9, 5}, kGlass),
      fillBox("one chunk", 0, {0, 0, 0}, {15, 15, 15}, kGlass),
      fillBox("parts of many chunks", 0, {5, 5, 5}, {40, 25, 9}, kGlass),
      fillBox("air over parts of many chunks", 0, {5, 5, 5}, {40, 25, 9}, kAir),
      fillBox("whole chunks and parts", 0, {5, 0, 0}, {47, 31, 15}, kWater),
      loadChunk("in place of another", 0, {0, 0, 0}, caveIds(rng)),
      loadChunk("in a loaded region", 0, {3, 3, 3}, mixedIds(rng)),
      loadChunk("in a new region", 0, {5, 3, 3}, mixedIds(rng)),
      loadChunk("in a new area", 0, {16, 3, 3}, mixedIds(rng)),
      loadChunk("far away", 0, {100'000, -7, 1'000'000}, mixedIds(rng)),
      loadChunk("below a parent", 1, {5, 5, 5}, mixedIds(rng)),
      loadChunk("below a parent's other brick", 1, {12, 3, 3}, mixedIds(rng)),
      loadChunk("above chunks", 1, {3, 3, 2}, uniformIds(kStone)),
      loadChunk("in place of a placeholder", 1, {9, 9, 9}, caveIds(rng)),
      loadBorrowed("in a new area", 1, {3, 70, 3}, mixedIds(rng)),
      unloadChunk("in a region of others", 0, {0, 0, 0}),
      unloadChunk("alone in its area", 2, {50, 50, 50}),
      unloadChunk("below a parent", 1, {3, 3, 3}),
      unloadChunk("that is borrowed", 0, {2, 0, 0}),
      unloadChunk("that is a placeholder", 1, {9, 9, 9}),
      placeProtoChunk("in a new area", 0, {-20, 0, 0}),
      placeProtoChunk("in a loaded region", 0, {0, 0, 1}),
      expandBlock("below a chunk", 0, {4, 4, 4}),
      expandBlock("of a borrowed chunk", 0, {40, 4, 4}),
  };
}

class ExhaustedMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationFailure::isSupported()) GTEST_SKIP() << "operator new cannot be replaced here";
  }

  enum class Holding { kNone, kSnapshot, kDropped };

  // Fails the edit at each of its allocations, until it succeeds.
  static void expectAllOrNothing(const Edit& edit, Holding holding, Extent extent) {
    Modelled it(edit.name);
    const WorldModel before = it.model;
    std::shared_ptr<const World> snapshot;
    if (holding != Holding::kNone) snapshot = it.world.snapshot();
    if (holding == Holding::kDropped) snapshot.reset();
    const internal::EditLog::Watch watch(it.world.content().edits);
    const std::uint64_t version = it.world.version();
    absl::Status status;
    const std::size_t failures =
        failEachAllocation([&] { status = edit.edit(it); },
                           [&](std::size_t n) {
                             SCOPED_TRACE(n);
                             ASSERT_EQ(it.world.version(), version);
                             ASSERT_EQ(it.world.content().edits.count(), 0U);
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
    EXPECT_EQ(it.world.content().edits.count(), edit.notes);
    ASSERT_NO_FATAL_FAILURE(it.model.expectEqual(it.world));
    ASSERT_NO_FATAL_FAILURE(expectSameShots(it.world, it.model, it.rng));
    if (snapshot != nullptr) {
      ASSERT_NO_FATAL_FAILURE(before.expectEqual(*snapshot));
      ASSERT_NO_FATAL_FAILURE(expectSameShots(*snapshot, before, it.rng));
    }
  }
};

TEST_F(ExhaustedMemoryTest, EveryEditIsAllOrNothing) {
  for (const Edit& edit : allEdits()) {
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
    Modelled it("ExhaustedMemoryTest.Refresh");
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
    Modelled it("ExhaustedMemoryTest.Snapshot");
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
    Modelled it("ExhaustedMemoryTest.LongRuns");
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
      return {rng.below(kLevels), at};
    };
    const auto random_edit = [&]() -> Edit {
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
          if (level + 1 == kLevels || it.model.isLoaded(level + 1, childChunk(block)))
            return setBlock("", level, block, type);
          return expandBlock("", level, block);
      }
    };
    int failures = 0;
    for (int i = 0; i < 1500; ++i) {
      SCOPED_TRACE(i);
      const Edit edit = random_edit();
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
