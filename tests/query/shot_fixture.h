// SPDX-License-Identifier: Apache-2.0
// A corridor along x to shoot through, with its hits and callbacks as text.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray {

using oracle::kGlass;
using oracle::kMist;
using oracle::kReeds;
using oracle::kStone;
using oracle::kVisible;
using oracle::kWater;

// Two levels; on the finer one chunks [0..3, 0, 0] are loaded: blocks 0 to 63 of a corridor. A shot
// runs from x = 0.5 to 60.5 in the middle of it.
class CorridorTest : public testing::Test {
 protected:
  CorridorTest()
      : world_({.levels = 2, .block_types = oracle::sceneTypes()}),
        entities_(world_.frame()),
        service_(world_, entities_) {
    for (std::int64_t x = 0; x < 4; ++x)
      load(x);
  }

  void load(std::int64_t x, BlockTypeId type = kAir) {
    ASSERT_TRUE(world_.loadChunk(1, {x, 0, 0}, Chunk::uniform(type, world_.blockTypes())).ok());
  }
  void unload(std::int64_t x) { ASSERT_TRUE(world_.unloadChunk(1, {x, 0, 0}).ok()); }
  void put(std::int64_t x, BlockTypeId type) {
    ASSERT_TRUE(world_.setBlock(1, {x, 0, 0}, type).ok());
  }
  // Adds a cube half a block wide in the middle of block x.
  EntityHandle addEntity(EntityId id, double x, int entity_class = 0) {
    EntitySpec spec;
    spec.id = id;
    spec.level = 1;
    spec.entity_class = EntityClassId(static_cast<std::uint32_t>(entity_class));
    spec.shape = Box{{0.25, 0.25, 0.25}};
    spec.position = {x + 0.5, 0.5, 0.5};
    return entities_.add(spec).value();
  }
  void moveEntity(EntityHandle entity, double x) {
    ASSERT_TRUE(entities_.move(entity, {x + 0.5, 0.5, 0.5}).ok());
  }

  // Registers a callback that records its call, does something, and answers.
  void onBlock(BlockTypeId type, HitResponse response = HitResponse::kContinue,
               std::function<void(const BlockHit&)> act = nullptr) {
    std::ignore =
        service_.onBlockHit(type, [this, response, act = std::move(act)](const BlockHit& hit) {
          calls_.push_back(textOf(hit));
          if (act) act(hit);
          return response;
        });
  }
  void onEntity(int entity_class, HitResponse response = HitResponse::kContinue,
                std::function<void(const EntityHit&)> act = nullptr) {
    service_.onEntityHit(EntityClassId(static_cast<std::uint32_t>(entity_class)),
                         [this, response, act = std::move(act)](const EntityHit& hit) {
                           calls_.push_back(textOf(hit));
                           if (act) act(hit);
                           return response;
                         });
  }
  // Registers the same, but acting only at the block x, or at the entity.
  void atBlock(BlockTypeId type, std::int64_t x, std::function<void()> act) {
    onBlock(type, HitResponse::kContinue, [x, act = std::move(act)](const BlockHit& hit) {
      if (hit.block[0] == x) act();
    });
  }

  // Formats hits as "water@3 e7@5 stone@9!": type or entity, block, and '!' for terminal.
  std::string textOf(const Hit& hit) const {
    const std::string end = hit.terminal ? "!" : "";
    // The cube is entered a quarter of a block into its block.
    if (hit.isEntity()) {
      return "e" + std::to_string(hit.id) + "@" + std::to_string(static_cast<int>(hit.point[0])) +
             end;
    }
    return (hit.level == 0 ? "coarse " : "") + world_.blockTypes().name(hit.type) + "@" +
           std::to_string(hit.block[0]) + end;
  }
  static std::string join(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts)
      text += (text.empty() ? "" : " ") + part;
    return text;
  }
  std::string textOf(const ShotResult& result) const {
    std::vector<std::string> hits;
    for (const Hit& hit : result.hits)
      hits.push_back(textOf(hit));
    EXPECT_EQ(result.terminated, !result.hits.empty() && result.hits.back().terminal);
    return join(hits);
  }

  // Shoots through the corridor; returns the hits as text.
  std::string shoot(const QueryOptions& options = {}) {
    calls_.clear();
    const absl::StatusOr<ShotResult> result =
        service_.shootSegment({{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}}, world_.allLevels(), options);
    if (!result.ok()) return result.status().ToString();
    result_ = *result;
    return textOf(result_);
  }
  std::string calls() const { return join(calls_); }

  World world_;
  EntityIndex entities_;
  RayQueryService service_;
  std::vector<std::string> calls_;
  ShotResult result_;
};

}  // namespace fractalray
