// SPDX-License-Identifier: Apache-2.0
// Checks random effects that edit, load, unload, move, add and remove along the line of their own
// shot, query, register and remove callbacks, and throw: the rest of the shot equals a plain
// dispatch over the oracle's candidates, call by call, and so does the next shot.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"

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
        if (!all.empty()) status = entities().move(some(), blocksFromUnits(pointOnLine()));
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
                           .position = blocksFromUnits(pointOnLine())})
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
    if (rng_.oneIn(2)) update.position = blocksFromUnits(pointOnLine());
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

// The outcome of a shot.
struct Outcome {
  std::vector<std::string> reported;
  bool has_thrown = false;

  friend bool operator==(const Outcome&, const Outcome&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
    for (const std::string& line : outcome.reported)
      out << "\n  " << line;
    return out << (outcome.has_thrown ? "\n  thrown" : "");
  }
};

constexpr int kTypes = 6;
constexpr int kClasses = 3;

// Follows section 7, word by word, over all candidates of the world as it is.
class PlainDispatch {
 public:
  PlainDispatch(ChangingScene& scene, LevelMask levels, const ShotOptions& options)
      : scene_(scene), levels_(levels), options_(options) {
    shooter_.closest = [this](const FixedSegment& segment) { return closest(segment); };
    shooter_.set_block_effect = [this](BlockTypeId type, bool has) {
      has_block_effect_[static_cast<std::size_t>(type)] = has;
    };
    shooter_.set_entity_effect = [this](EntityClassId entity_class, bool has) {
      has_entity_effect_[static_cast<std::size_t>(entity_class)] = has;
    };
    has_block_effect_.fill(true);
    has_entity_effect_.fill(true);
  }

  Outcome run() {
    bool has_thrown = false;
    try {
      reportAll();
    } catch (const Thrown&) {
      has_thrown = true;
    }
    return {reported_, has_thrown};
  }
  int gatherings() const { return gatherings_; }
  int agains() const { return agains_; }

 private:
  void reportAll() {
    gather(nullptr);
    for (std::size_t i = 0; i < pending_.size();) {
      const OracleHit candidate = pending_[i++];
      const HitResponse response = report(candidate);
      if (response == HitResponse::kStop) return;
      if (response == HitResponse::kAgain) {
        gatherAgain(candidate.t);
      } else if (candidate.terminal) {
        gather(&candidate);  // it had set the clip, and does not end the shot
      } else {
        continue;
      }
      i = 0;
    }
  }

  std::string closest(const FixedSegment& segment) {
    const std::vector<OracleHit> hits =
        candidates(scene_.world(), scene_.entities(), segment, levels_, options_);
    if (hits.empty()) return "nothing";
    const OracleHit& hit = hits.front();
    return nameOf(hit.is_entity, hit.level, hit.id, hit.block, hit.type, false);
  }

  BlockKind kindOf(BlockTypeId type) {
    return scene_.world().blockTypes().kind(type, options_.filter.channel);
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

  // After kAgain: returns everything from that time on that has not been hit.
  void gatherAgain(const ExactTime& from) {
    ++gatherings_;
    ++agains_;
    std::vector<OracleHit> later;
    for (OracleHit& hit :
         candidates(scene_.world(), scene_.entities(), scene_.segment(), levels_, options_)) {
      if (hit.t < from) continue;
      if (hit.is_entity ? hit_entities_.contains(hit.entity)
                        : hit_blocks_.contains({hit.level, hit.block})) {
        continue;
      }
      hit.terminal = isTerminal(hit);
      later.push_back(hit);
      if (hit.terminal) break;
    }
    pending_ = later;
  }

  bool isThereAndSolid(const OracleHit& hit) {
    const absl::StatusOr<BlockTypeId> type = scene_.world().block(hit.level, hit.block);
    return type.ok() && kindOf(*type) == BlockKind::kSolid && !defers(hit);
  }
  bool defers(const OracleHit& hit) {
    return levels_.contains(hit.level + 1) &&
           scene_.world().chunk(hit.level + 1, childChunk(hit.block)) != nullptr;
  }

  // Returns kStop if the shot ends.
  HitResponse report(OracleHit hit) {
    if (hit.is_entity) {
      if (scene_.entities().find(hit.entity) == nullptr) return HitResponse::kContinue;
      hit_entities_.insert(hit.entity);
    } else {
      const absl::StatusOr<BlockTypeId> type = scene_.world().block(hit.level, hit.block);
      if (!type.ok() || kindOf(*type) == BlockKind::kEmpty) return HitResponse::kContinue;
      if (defers(hit)) return HitResponse::kContinue;
      hit_blocks_.insert({hit.level, hit.block});
      hit.type = *type;
      hit.terminal = isTerminal(hit);
    }
    const std::size_t index = reported_.size();
    const auto name = [&](bool terminal) {
      return nameOf(hit.is_entity, hit.level, hit.id, hit.block, hit.type, terminal);
    };
    reported_.push_back(name(hit.terminal));
    const bool has_effect = hit.is_entity
                                ? has_entity_effect_[static_cast<std::size_t>(hit.entity_class)]
                                : has_block_effect_[static_cast<std::size_t>(hit.type)];
    const bool was_solid = !hit.is_entity && kindOf(hit.type) == BlockKind::kSolid;
    const HitResponse response = has_effect ? scene_.act(shooter_) : HitResponse::kContinue;
    if (response == HitResponse::kStop) hit.terminal = true;
    if (response == HitResponse::kAgain && was_solid) hit.terminal = isThereAndSolid(hit);
    reported_[index] = name(hit.terminal);
    return hit.terminal ? HitResponse::kStop : response;
  }

  ChangingScene& scene_;
  LevelMask levels_;
  const ShotOptions& options_;
  ChangingScene::Shooter shooter_;
  std::array<bool, kTypes> has_block_effect_{};
  std::array<bool, kClasses> has_entity_effect_{};
  std::vector<OracleHit> pending_;
  std::set<EntityHandle> hit_entities_;
  std::set<std::pair<int, BlockCoord>> hit_blocks_;
  std::vector<std::string> reported_;
  int gatherings_ = 0;
  int agains_ = 0;
};

// Runs the same by the library.
class ServiceShooter {
 public:
  ServiceShooter(ChangingScene& scene, LevelMask levels, const ShotOptions& options)
      : scene_(scene),
        levels_(levels),
        options_(options),
        service_(scene.world(), scene.entities()) {
    shooter_.closest = [this](const FixedSegment& segment) {
      const auto closest = service_.closestHit(segment, levels_, options_);
      if (!closest.ok()) return closest.status().ToString();
      return closest->hit.has_value() ? nameOf(*closest->hit, false) : "nothing";
    };
    shooter_.set_block_effect = [this](BlockTypeId type, bool has) { set(type, has); };
    shooter_.set_entity_effect = [this](EntityClassId of, bool has) { set(of, has); };
    for (std::uint16_t type = 0; type < kTypes; ++type)
      set(BlockTypeId(type), true);
    for (std::uint32_t entity_class = 0; entity_class < kClasses; ++entity_class)
      set(EntityClassId(entity_class), true);
  }

  Outcome run() {
    ShotResult result;
    Outcome outcome;
    try {
      const absl::Status status =
          service_.shootSegment(scene_.segment(), levels_, options_, result);
      if (!status.ok()) return {{status.ToString()}, false};
    } catch (const Thrown&) {
      outcome.has_thrown = true;
    }
    for (const Hit& hit : result.hits)
      outcome.reported.push_back(nameOf(hit, hit.terminal));
    return outcome;
  }

 private:
  static std::string nameOf(const Hit& hit, bool terminal) {
    if (hit.isBlock()) return oracle::nameOf(false, hit.level, 0, hit.block, hit.type, terminal);
    return oracle::nameOf(true, hit.level, hit.id, {}, kAir, terminal);
  }

  void set(BlockTypeId type, bool has_effect) {
    HitEffect effect;
    if (has_effect) effect = [this](const BlockHit&) { return scene_.act(shooter_); };
    std::ignore = service_.onBlockHit(
        type, [](const BlockHit& hit) { return saysTerminal(hit.type, hit.block); },
        std::move(effect));
  }
  void set(EntityClassId entity_class, bool has_effect) {
    HitEffect effect;
    if (has_effect) effect = [this](const EntityHit&) { return scene_.act(shooter_); };
    service_.onEntityHit(
        entity_class, [](const EntityHit& hit) { return saysTerminal(hit.entity_class); },
        std::move(effect));
  }

  ChangingScene& scene_;
  LevelMask levels_;
  const ShotOptions& options_;
  RayQueryService service_;
  ChangingScene::Shooter shooter_;
};

// Checks that a shot after all of that hits the current content.
std::string checkNextShot(ChangingScene& scene, LevelMask levels, const ShotOptions& options) {
  const RayQueryService service(scene.world(), scene.entities());
  const auto shot = service.shootSegment(scene.segment(), levels, options);
  if (!shot.ok()) return shot.status().ToString();
  const OracleShot expected =
      shoot(scene.world(), scene.entities(), scene.segment(), levels, options, {});
  return difference(*shot, expected, scene.segment(), options);
}

// Twenty times as many if the environment variable FRACTALRAY_LONG_TESTS is set.
void checkRandomEffects(std::string_view name, int levels, int shots) {
  if (std::getenv("FRACTALRAY_LONG_TESTS") != nullptr) shots *= 20;
  Rng rng(name);
  int changes = 0;
  int gatherings = 0;
  std::size_t hits = 0;
  std::size_t asked = 0;
  int thrown = 0;
  int agains = 0;
  for (int i = 0; i < shots; ++i) {
    const std::uint64_t seed = rng.next();
    ShotOptions options;
    options.corner = static_cast<CornerPolicy>(rng.below(3));
    LevelMask mask = LevelMask::range(0, levels - 1);
    if (rng.oneIn(6)) mask = LevelMask{rng.below(levels)};
    ChangingScene plain(seed, levels);
    PlainDispatch dispatch(plain, mask, options);
    const Outcome expected = dispatch.run();
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
      if (pass == SearchPass::kPlain && i % 4 != 0)
        continue;  // most of the time goes into the scenes
      options.pass = pass;
      ChangingScene scene(seed, levels);
      SCOPED_TRACE(std::string(name) + " shot " + std::to_string(i) + " from seed " +
                   std::to_string(seed) + ", " + describe(scene.segment()) + ", levels " +
                   formatLevelMask(mask) + ", " + describe(options));
      ASSERT_EQ(ServiceShooter(scene, mask, options).run(), expected);
      ASSERT_EQ(scene.asked, plain.asked);
      ASSERT_EQ(scene.changes, plain.changes);
      if (expected.has_thrown || i % 4 == 0) {
        ASSERT_EQ(checkNextShot(scene, mask, options), "");
      }
    }
    asked += plain.asked.size();
    thrown += expected.has_thrown ? 1 : 0;
    changes += plain.changes;
    gatherings += dispatch.gatherings();
    agains += dispatch.agains();
    hits += expected.reported.size();
  }
  EXPECT_GT(changes, shots);
  EXPECT_GT(gatherings, shots + shots / 10) << "hardly a wall was removed";
  EXPECT_GT(hits, static_cast<std::size_t>(shots));
  EXPECT_GT(asked, static_cast<std::size_t>(shots / 20));
  EXPECT_GT(thrown, shots / 40);
  EXPECT_GT(agains, shots / 10);
}

TEST(EffectsPropertyTest, ShotsEqualThePlainDispatchOnOneLevel) {
  checkRandomEffects("EffectsPropertyTest.One", 1, 1500);
}
TEST(EffectsPropertyTest, ShotsEqualThePlainDispatchOnTwoLevels) {
  checkRandomEffects("EffectsPropertyTest.Two", 2, 1500);
}
TEST(EffectsPropertyTest, ShotsEqualThePlainDispatchOnFourLevels) {
  checkRandomEffects("EffectsPropertyTest.Four", 4, 700);
}

}  // namespace
}  // namespace fractalray::oracle
