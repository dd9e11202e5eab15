// SPDX-License-Identifier: Apache-2.0
// Random effects that edit, load, unload, move, add and remove along the line of their own shot:
// what the shot then meets equals a plain dispatch over the oracle's candidates, call by call.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fractalray/query/ray_query_service.h"
#include "fractalray/tests/oracle/random_scene.h"
#include "fractalray/tests/oracle/shot_compare.h"
#include "fractalray/tests/oracle/shot_oracle.h"

namespace fractalray::oracle {
namespace {

// The predicates, pure ones: every third block of reeds ends the shot, and class 2.
bool saysTerminal(BlockTypeId type, const BlockCoord& block) {
  return type == kReeds && (block[0] + block[1] + block[2]) % 3 == 0;
}
bool saysTerminal(EntityClassId entity_class) {
  return entity_class == EntityClassId{2};
}

std::string nameOf(bool is_entity, int level, EntityId id, const BlockCoord& block,
                   BlockTypeId type, bool terminal) {
  std::string text;
  if (is_entity) {
    text = "entity " + std::to_string(id);
  } else {
    text = "block " + std::to_string(block[0]) + " " + std::to_string(block[1]) + " " +
           std::to_string(block[2]) + " type " + std::to_string(static_cast<int>(type));
  }
  return text + " level " + std::to_string(level) + (terminal ? " terminal" : "");
}

// A scene that changes under a shot. Two of the same seed change in the same way.
class ChangingScene {
 public:
  ChangingScene(std::uint64_t seed, int levels) : rng_(seed) {
    scene_ = randomScene(rng_, levels, 25, 1200);
    for (int i = 0; i < 20; ++i) {  // one that meets something before the first wall, and the wall
      segment_ = randomSegment(rng_, *scene_);
      met_ = candidates(world(), entities(), segment_, world().allLevels(), {});
      const auto wall = std::find_if(met_.begin(), met_.end(), [&](const OracleHit& hit) {
        return !hit.is_entity && (hit.type == kStone || hit.type == kGlass);
      });
      if (wall - met_.begin() >= 2 && wall != met_.end()) break;
    }
  }

  const UnitSegment& segment() const { return segment_; }
  World& world() { return scene_->world; }
  EntityIndex& entities() { return scene_->entities; }

  // An effect: up to three changes, mostly on the line; its response.
  HitResponse act() {
    for (int i = rng_.below(4); i > 0; --i)
      change();
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

  // Most of these may fail, where there is nothing to change: then they fail in both scenes.
  void change() {
    const OracleHit* const met =
        met_.empty() ? nullptr
                     : &met_[static_cast<std::size_t>(rng_.below(static_cast<int>(met_.size())))];
    int level = rng_.below(world().frame().levels());
    BlockCoord block = world().frame().blockAt(pointOnLine(), level);
    if (met != nullptr && !met->is_entity && !rng_.oneIn(4)) {
      level = met->level;
      block = met->block;
    }
    const ChunkCoord chunk = chunkOf(block);
    const auto type = rng_.pick({kAir, kAir, kWater, kReeds, kStone});
    const std::vector<EntityHandle> all = entities().all();
    const auto some = [&] {
      return all[static_cast<std::size_t>(rng_.below(static_cast<int>(all.size())))];
    };
    absl::Status status;
    switch (rng_.below(10)) {
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
        if (!all.empty()) status = entities().move(some(), blocksFromUnits(pointOnLine()));
        break;
      default:
        status = entities()
                     .add({.id = ++next_id_,
                           .level = level,
                           .shape = Box{{1, 1, 1}},
                           .position = blocksFromUnits(pointOnLine())})
                     .status();
    }
    changes += status.ok() ? 1 : 0;
  }

  Rng rng_;
  std::unique_ptr<RandomScene> scene_;
  UnitSegment segment_;
  std::vector<OracleHit> met_;  // before any change
  EntityId next_id_ = 1000;

 public:
  int changes = 0;
};

// Section 7, word by word, over all candidates of the world as it is.
class PlainDispatch {
 public:
  PlainDispatch(ChangingScene& scene, LevelMask levels, const ShotOptions& options)
      : scene_(scene), levels_(levels), options_(options) {}

  std::vector<std::string> run() {
    gather(nullptr);
    for (std::size_t i = 0; i < pending_.size();) {
      const OracleHit candidate = pending_[i++];
      if (tell(candidate)) return told_;
      if (!candidate.terminal) continue;
      gather(&candidate);  // it had set the clip, and does not end the shot
      i = 0;
    }
    return told_;
  }
  int gatherings() const { return gatherings_; }

 private:
  BlockKind kindOf(BlockTypeId type) {
    return scene_.world().blockTypes().kind(type, options_.channel);
  }
  bool isTerminal(const OracleHit& hit) {
    if (hit.is_entity) return saysTerminal(hit.entity_class);
    return kindOf(hit.type) == BlockKind::kSolid || saysTerminal(hit.type, hit.block);
  }

  void gather(const OracleHit* after) {
    ++gatherings_;
    std::vector<OracleHit> later;
    for (OracleHit& hit :
         candidates(scene_.world(), scene_.entities(), scene_.segment(), levels_, options_)) {
      if (after != nullptr && !isBefore(*after, hit)) continue;
      if (hit.is_entity && hit_entities_.contains(hit.entity)) continue;
      hit.terminal = isTerminal(hit);
      later.push_back(hit);
      if (hit.terminal) break;
    }
    pending_ = later;
  }

  // Whether the shot ends.
  bool tell(OracleHit hit) {
    if (hit.is_entity) {
      if (scene_.entities().find(hit.entity) == nullptr) return false;
      hit_entities_.insert(hit.entity);
    } else {
      const absl::StatusOr<BlockTypeId> type = scene_.world().block(hit.level, hit.block);
      if (!type.ok() || kindOf(*type) == BlockKind::kEmpty) return false;
      const bool defers = levels_.contains(hit.level + 1) &&
                          scene_.world().chunk(hit.level + 1, childChunk(hit.block)) != nullptr;
      if (defers) return false;
      hit.type = *type;
      hit.terminal = isTerminal(hit);
    }
    const std::size_t place = told_.size();
    told_.emplace_back();
    if (scene_.act() == HitResponse::kStop) hit.terminal = true;
    told_[place] = nameOf(hit.is_entity, hit.level, hit.id, hit.block, hit.type, hit.terminal);
    return hit.terminal;
  }

  ChangingScene& scene_;
  LevelMask levels_;
  const ShotOptions& options_;
  std::vector<OracleHit> pending_;
  std::set<EntityHandle> hit_entities_;
  std::vector<std::string> told_;
  int gatherings_ = 0;
};

std::vector<std::string> shootWithService(ChangingScene& scene, LevelMask levels,
                                          const ShotOptions& options) {
  RayQueryService service(scene.world(), scene.entities());
  for (std::uint16_t type = 0; type < 6; ++type) {
    service.onBlockHit(
        BlockTypeId(type), [](const BlockHit& hit) { return saysTerminal(hit.type, hit.block); },
        [&](const BlockHit&) { return scene.act(); });
  }
  for (std::uint32_t entity_class = 0; entity_class < 3; ++entity_class) {
    service.onEntityHit(
        EntityClassId(entity_class),
        [](const EntityHit& hit) { return saysTerminal(hit.entity_class); },
        [&](const EntityHit&) { return scene.act(); });
  }
  const absl::StatusOr<ShotResult> result = service.shootUnits(scene.segment(), levels, options);
  if (!result.ok()) return {result.status().ToString()};
  std::vector<std::string> told;
  for (const Hit& hit : result->hits) {
    if (const auto* const block = std::get_if<BlockHit>(&hit)) {
      told.push_back(nameOf(false, block->level, 0, block->block, block->type, block->terminal));
    } else {
      const auto& entity = std::get<EntityHit>(hit);
      told.push_back(nameOf(true, entity.level, entity.id, {}, kAir, entity.terminal));
    }
  }
  return told;
}

// Twenty times as many where the environment variable FRACTALRAY_LONG_TESTS is set.
void checkRandomEffects(std::string_view name, int levels, int shots) {
  if (std::getenv("FRACTALRAY_LONG_TESTS") != nullptr) shots *= 20;
  Rng rng(name);
  int changes = 0;
  int gatherings = 0;
  std::size_t hits = 0;
  for (int i = 0; i < shots; ++i) {
    const std::uint64_t seed = rng.next();
    ShotOptions options;
    options.corner = static_cast<CornerPolicy>(rng.below(3));
    LevelMask mask = LevelMask::range(0, levels - 1);
    if (rng.oneIn(6)) mask = LevelMask{rng.below(levels)};
    ChangingScene plain(seed, levels);
    PlainDispatch dispatch(plain, mask, options);
    const std::vector<std::string> expected = dispatch.run();
    for (const Pass pass : {Pass::kFast, Pass::kPlain}) {
      if (pass == Pass::kPlain && i % 4 != 0) continue;  // most of the time goes into the scenes
      options.pass = pass;
      ChangingScene scene(seed, levels);
      ASSERT_EQ(shootWithService(scene, mask, options), expected)
          << name << " shot " << i << " from seed " << seed << ", " << describe(scene.segment())
          << ", levels " << formatLevelMask(mask) << ", " << describe(options);
    }
    changes += plain.changes;
    gatherings += dispatch.gatherings();
    hits += expected.size();
  }
  EXPECT_GT(changes, shots);
  EXPECT_GT(gatherings, shots + shots / 10) << "hardly a wall went away";
  EXPECT_GT(hits, static_cast<std::size_t>(shots));
}

TEST(EffectsPropertyTest, OneLevel) {
  checkRandomEffects("EffectsPropertyTest.One", 1, 2000);
}
TEST(EffectsPropertyTest, TwoLevels) {
  checkRandomEffects("EffectsPropertyTest.Two", 2, 2000);
}
TEST(EffectsPropertyTest, FourLevels) {
  checkRandomEffects("EffectsPropertyTest.Four", 4, 1000);
}

}  // namespace
}  // namespace fractalray::oracle
