// SPDX-License-Identifier: Apache-2.0
// A random scene that effects of a shot change, and the changes: mostly on the line of the shot.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../query/callbacks.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_oracle.h"

namespace fractalray::oracle {

struct Thrown : std::runtime_error {
  Thrown() : std::runtime_error("thrown by an effect") {}
};

// A scene that changes under a shot. Two of the same seed change in the same way, as long as their
// shots run in the same way.
class ChangingScene {
 public:
  // The part that differs between the two ways of shooting.
  struct Shooter {
    // Returns the closest hit on a segment, as text.
    std::function<std::string(const FixedSegment&)> closest;
    // Registers the effect of a type or class, or removes it.
    std::function<void(BlockTypeId, bool)> set_block_effect;
    std::function<void(EntityClassId, bool)> set_entity_effect;
  };

  ChangingScene(std::uint64_t seed, int levels) : rng_(seed) {
    scene_ = randomScene(rng_, levels, 25, 1200);
    for (int i = 0; i < 20; ++i) {  // one that hits something before the first wall, and the wall
      segment_ = randomSegment(rng_, *scene_);
      first_hits_ = candidates(world(), entities(), segment_, world().allLevels(), {});
      const auto wall =
          std::find_if(first_hits_.begin(), first_hits_.end(), [&](const OracleHit& hit) {
            return !hit.is_entity && (hit.type == kStone || hit.type == kGlass);
          });
      if (wall - first_hits_.begin() >= 2 && wall != first_hits_.end()) break;
    }
  }

  const FixedSegment& segment() const { return segment_; }
  World& world() { return scene_->world; }
  EntityIndex& entities() { return scene_->entities; }

  // An effect: up to three changes, mostly on the line; its response.
  HitResponse act(const Shooter& shooter) {
    for (int i = rng_.below(4); i > 0; --i)
      change(shooter);
    if (rng_.oneIn(30)) throw Thrown();
    if (rng_.oneIn(5)) return HitResponse::kAgain;
    return rng_.oneIn(30) ? HitResponse::kStop : HitResponse::kContinue;
  }

 private:
  Vec3i pointOnLine() {
    const std::int64_t t = rng_.in(0, 64);
    Vec3i point;
    for (int axis = 0; axis < 3; ++axis) {
      point[axis] = segment_.from[axis] + segment_.delta()[axis] / 64 * t;
    }
    return point;
  }

  // Most of these may fail if there is nothing to change: then they fail in both scenes.
  void change(const Shooter& shooter) {
    const OracleHit* const oracle_hit =
        first_hits_.empty() ? nullptr
                            : &first_hits_[static_cast<std::size_t>(
                                  rng_.below(static_cast<int>(first_hits_.size())))];
    int level = rng_.below(world().frame().levels());
    BlockCoord block = world().frame().blockAt(pointOnLine(), level);
    if (oracle_hit != nullptr && !oracle_hit->is_entity && !rng_.oneIn(4)) {
      level = oracle_hit->level;
      block = oracle_hit->block;
    }
    const ChunkCoord chunk = chunkOf(block);
    const auto type = rng_.pick({kAir, kAir, kWater, kReeds, kStone});
    const std::vector<EntityHandle> all = entities().all();
    const auto some = [&] {
      return all[static_cast<std::size_t>(rng_.below(static_cast<int>(all.size())))];
    };
    absl::Status status;
    switch (rng_.below(18)) {
      case 0:
      case 1:
      case 2:
      case 3:
        status = world().setBlock(level, block, type);
        break;
      case 4:
        status = world().unloadChunk(level, chunk);
        break;
      case 5:
        status = world().loadChunk(
            level, chunk, Chunk::uniform(rng_.oneIn(2) ? kAir : type, world().blockTypes()));
        break;
      case 6:
        status = world().expandBlock(level, block);
        break;
      case 7:
        if (!all.empty()) status = entities().remove(some());
        break;
      case 8:
        if (!all.empty()) status = entities().move(some(), toBlocks(pointOnLine()));
        break;
      case 9:
        status = world().fillBox(level, block, block + BlockCoord{rng_.in(0, 2), rng_.in(0, 2), 0},
                                 type);
        break;
      case 10:
        (void)world().unloadChunk(level, chunk);
        status = world().placeProtoChunk(level, chunk);
        break;
      case 11:
        status = borrow(level, chunk);
        break;
      case 12:
        status = refresh(type);
        break;
      case 13:
        asked.push_back(shooter.closest(randomSegment(rng_, *scene_)));
        break;
      case 14:
        if (rng_.oneIn(2)) {
          shooter.set_block_effect(type, rng_.oneIn(2));
        } else {
          shooter.set_entity_effect(EntityClassId(static_cast<std::uint32_t>(rng_.below(3))),
                                    rng_.oneIn(2));
        }
        break;
      case 15:
        if (!all.empty()) status = entities().update(some(), someUpdate(level));
        break;
      case 16:
        status = world().moveBlock(level, block, world().frame().blockAt(pointOnLine(), level));
        break;
      default:
        status = entities()
                     .add({.id = ++next_id_,
                           .level = level,
                           .shape = Box{{1, 1, 1}},
                           .position = toBlocks(pointOnLine())})
                     .status();
    }
    changes += status.ok() ? 1 : 0;
  }

  EntityUpdate someUpdate(int level) {
    EntityUpdate update;
    if (rng_.oneIn(2)) update.level = level;
    if (rng_.oneIn(2))
      update.entity_class = EntityClassId(static_cast<std::uint32_t>(rng_.below(3)));
    if (rng_.oneIn(2)) update.shape = Sphere{static_cast<double>(rng_.in(0, 80)) / 4};
    if (rng_.oneIn(2)) update.position = toBlocks(pointOnLine());
    return update;
  }

  // Loads a chunk of the ids of an existing one, or of air, to be changed without the library.
  absl::Status borrow(int level, const ChunkCoord& at) {
    std::vector<BlockTypeId>& ids = borrowed_.emplace_back(kBlocksPerChunk, kAir).ids;
    if (const Chunk* const chunk = world().chunk(level, at)) {
      for (int i = 0; i < kBlocksPerChunk; ++i)
        ids[static_cast<std::size_t>(i)] = chunk->block(i);
    }
    borrowed_.back().level = level;
    borrowed_.back().at = at;
    const Chunk::WritableIds all(ids.data(), kBlocksPerChunk);
    return world().loadChunk(level, at,
                             Chunk::borrowedForWriting(all, world().blockTypes()).value());
  }
  // Changes every third block of the last chunk that has been borrowed.
  absl::Status refresh(BlockTypeId type) {
    if (borrowed_.empty()) return absl::OkStatus();
    Borrowed& last = borrowed_.back();
    for (std::size_t i = 0; i < last.ids.size(); i += 3)
      last.ids[i] = i % 2 == 0 ? kAir : type;
    return world().refreshChunk(last.level, last.at);
  }

  struct Borrowed {
    explicit Borrowed(std::size_t count, BlockTypeId type) : ids(count, type) {}
    std::vector<BlockTypeId> ids;
    int level = 0;
    ChunkCoord at{};
  };

  Rng rng_;
  std::deque<Borrowed> borrowed_;  // outlives the chunks
  std::unique_ptr<RandomScene> scene_;
  FixedSegment segment_;
  std::vector<OracleHit> first_hits_;  // before any change
  EntityId next_id_ = 1000;

 public:
  int changes = 0;
  std::vector<std::string> asked;  // the answers to nested queries
};

}  // namespace fractalray::oracle
