// SPDX-License-Identifier: Apache-2.0
#include "modelled_edits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "../../query/ray_query_service.h"
#include "../oracle/shot_compare.h"

namespace fractalray {

using oracle::kGlass;
using oracle::kMist;
using oracle::kReeds;
using oracle::kStone;
using oracle::kWater;
using oracle::Rng;

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

ModelledWorld::ModelledWorld(std::string_view name) : rng(name) {
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

void ModelledWorld::load(const ChunkKey& key, const BlockIds& ids) {
  Chunk chunk = Chunk::copied(ids, world.blockTypes()).value();
  EXPECT_TRUE(world.loadChunk(key.first, key.second, std::move(chunk)).ok());
  model.chunks[key] = ids;
}

void ModelledWorld::borrow(const ChunkKey& key) {
  auto& ids = engine[key];
  ids = std::make_unique<BlockIds>(mixedIds(rng));
  Chunk chunk = Chunk::borrowedForWriting(*ids, world.blockTypes()).value();
  EXPECT_TRUE(world.loadChunk(key.first, key.second, std::move(chunk)).ok());
  model.chunks[key] = *ids;
}

void ModelledWorld::setInModel(int level, const BlockCoord& min, const BlockCoord& max,
                               BlockTypeId type) {
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

void expectSameShots(const World& world, const WorldModel& model, Rng& rng) {
  World fresh({.levels = ModelledWorld::kLevels, .block_types = oracle::sceneTypes()});
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
      const QueryOptions options{.report_unknown = true, .pass = pass};
      const auto shot = service.shootSegment(segment, world.allLevels(), options);
      const auto other = expected.shootSegment(segment, world.allLevels(), options);
      ASSERT_TRUE(shot.ok() && other.ok());
      ShotResult answer = *shot;
      answer.version = other->version;
      ASSERT_EQ(oracle::difference(answer, *other), "");
    }
  }
}

ModelledEdit setBlock(const std::string& name, int level, const BlockCoord& at, BlockTypeId type) {
  return {"set " + name, [=](ModelledWorld& it) { return it.world.setBlock(level, at, type); },
          [=](ModelledWorld& it) { it.setInModel(level, at, at, type); }};
}

ModelledEdit moveBlock(const std::string& name, int level, const BlockCoord& from,
                       const BlockCoord& to) {
  return {"move " + name, [=](ModelledWorld& it) { return it.world.moveBlock(level, from, to); },
          [=](ModelledWorld& it) {
            const auto& ids = *it.model.chunks.at({level, chunkOf(from)});
            const BlockTypeId type = ids[static_cast<std::size_t>(indexInChunk(from))];
            it.setInModel(level, from, from, kAir);
            it.setInModel(level, to, to, type);
          },
          2};
}

ModelledEdit fillBox(const std::string& name, int level, const BlockCoord& min,
                     const BlockCoord& max, BlockTypeId type) {
  return {"fill " + name,
          [=](ModelledWorld& it) { return it.world.fillBox(level, min, max, type); },
          [=](ModelledWorld& it) { it.setInModel(level, min, max, type); }};
}

ModelledEdit loadChunk(const std::string& name, int level, const ChunkCoord& at,
                       const BlockIds& ids) {
  return {"load " + name,
          [=](ModelledWorld& it) {
            absl::StatusOr<Chunk> chunk = Chunk::copied(ids, it.world.blockTypes());
            return chunk.ok() ? it.world.loadChunk(level, at, *std::move(chunk)) : chunk.status();
          },
          [=](ModelledWorld& it) {
            it.model.chunks[{level, at}] = ids;
          }};
}

ModelledEdit loadBorrowed(const std::string& name, int level, const ChunkCoord& at,
                          const BlockIds& ids) {
  const auto lent = std::make_shared<BlockIds>(ids);
  return {"borrow " + name,
          [=](ModelledWorld& it) {
            absl::StatusOr<Chunk> chunk = Chunk::borrowed(*lent, it.world.blockTypes());
            return chunk.ok() ? it.world.loadChunk(level, at, *std::move(chunk)) : chunk.status();
          },
          [=](ModelledWorld& it) {
            it.model.chunks[{level, at}] = ids;
          }};
}

ModelledEdit unloadChunk(const std::string& name, int level, const ChunkCoord& at) {
  return {"unload " + name, [=](ModelledWorld& it) { return it.world.unloadChunk(level, at); },
          [=](ModelledWorld& it) {
            it.model.chunks.erase({level, at});
          }};
}

ModelledEdit placeProtoChunk(const std::string& name, int level, const ChunkCoord& at) {
  return {"proto " + name, [=](ModelledWorld& it) { return it.world.placeProtoChunk(level, at); },
          [=](ModelledWorld& it) {
            it.model.chunks[{level, at}] = std::nullopt;
          }};
}

ModelledEdit expandBlock(const std::string& name, int level, const BlockCoord& at) {
  return {
      "expand " + name, [=](ModelledWorld& it) { return it.world.expandBlock(level, at); },
      [=](ModelledWorld& it) {
        const BlockTypeId type =
            (*it.model.chunks.at({level, chunkOf(at)}))[static_cast<std::size_t>(indexInChunk(at))];
        it.model.chunks[{level + 1, childChunk(at)}] = uniformIds(type);
      }};
}

std::vector<ModelledEdit> allEdits() {
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

}  // namespace fractalray
