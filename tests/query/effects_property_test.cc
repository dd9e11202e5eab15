// SPDX-License-Identifier: Apache-2.0
// Checks random effects that edit, load, unload, move, add and remove along the line of their own
// shot, query, register and remove callbacks, and throw: the rest of the shot equals a plain
// dispatch over the oracle's candidates, call by call, and so does the next shot.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "changing_scene.h"

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

constexpr int kTypes = 9;
constexpr int kClasses = 3;

// Follows section 7, word by word, over all candidates of the world as it is.
class PlainDispatch {
 public:
  PlainDispatch(ChangingScene& scene, LevelMask levels, const QueryOptions& options)
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
  int reshaped() const { return reshaped_; }

 private:
  void reportAll() {
    gather(nullptr);
    for (std::size_t i = 0; i < pending_.size();) {
      const OracleHit candidate = pending_[i++];
      if (isReshaped(candidate)) {
        gatherAfterLast();
        i = 0;
        continue;
      }
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

  // Returns true if the block is there, and has another shape: the line may enter that earlier,
  // later, or not at all.
  bool isReshaped(const OracleHit& hit) {
    if (hit.is_entity) return false;
    const absl::StatusOr<BlockTypeId> type = scene_.world().block(hit.level, hit.block);
    if (!type.ok() || kindOf(*type) == BlockKind::kEmpty || defers(hit)) return false;
    return shapeOf(*type) != shapeOf(hit.type);
  }
  void gatherAfterLast() {
    ++reshaped_;
    if (!last_.has_value()) return gather(nullptr);
    last_is_again_ ? gatherAgain(last_->t) : gather(&*last_);
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
      if (hit.is_entity && hit_entities_.contains(hit.entity)) continue;
      // Another shape in its place may be hit later.
      const auto same = hit_blocks_.find({hit.level, hit.block});
      if (same != hit_blocks_.end() && hit.t == from && same->second == from) continue;
      hit.terminal = isTerminal(hit);
      later.push_back(hit);
      if (hit.terminal) break;
    }
    pending_ = later;
  }

  bool isThereAndSolid(const OracleHit& hit) {
    const absl::StatusOr<BlockTypeId> type = scene_.world().block(hit.level, hit.block);
    if (!type.ok() || kindOf(*type) != BlockKind::kSolid || defers(hit)) return false;
    if (shapeOf(*type) == shapeOf(hit.type)) return true;
    // Another shape holds the shot unless the line enters it later, or misses it.
    const std::vector<OracleHit> now =
        candidates(scene_.world(), scene_.entities(), scene_.segment(), levels_, options_);
    return std::any_of(now.begin(), now.end(), [&](const OracleHit& other) {
      return !other.is_entity && other.level == hit.level && other.block == hit.block &&
             !(hit.t < other.t);
    });
  }
  ShapeId shapeOf(BlockTypeId type) {
    return scene_.world().blockTypes().shape(type, options_.filter.channel);
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
      hit_blocks_.insert_or_assign({hit.level, hit.block}, hit.t);
      hit.type = *type;
      hit.terminal = isTerminal(hit);
    }
    last_ = hit;
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
    last_is_again_ = response == HitResponse::kAgain;
    return hit.terminal ? HitResponse::kStop : response;
  }

  ChangingScene& scene_;
  LevelMask levels_;
  const QueryOptions& options_;
  ChangingScene::Shooter shooter_;
  std::array<bool, kTypes> has_block_effect_{};
  std::array<bool, kClasses> has_entity_effect_{};
  std::vector<OracleHit> pending_;
  std::set<EntityHandle> hit_entities_;
  std::map<std::pair<int, BlockCoord>, ExactTime> hit_blocks_;
  std::optional<OracleHit> last_;
  bool last_is_again_ = false;
  std::vector<std::string> reported_;
  int gatherings_ = 0;
  int agains_ = 0;
  int reshaped_ = 0;
};

// Runs the same by the library.
class ServiceShooter {
 public:
  ServiceShooter(ChangingScene& scene, LevelMask levels, const QueryOptions& options)
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
  const QueryOptions& options_;
  RayQueryService service_;
  ChangingScene::Shooter shooter_;
};

// Checks that a shot after all of that hits the current content.
std::string checkNextShot(ChangingScene& scene, LevelMask levels, const QueryOptions& options) {
  const RayQueryService service(scene.world(), scene.entities());
  const auto shot = service.shootSegment(scene.segment(), levels, options);
  if (!shot.ok()) return shot.status().ToString();
  const OracleShot expected =
      shoot(scene.world(), scene.entities(), scene.segment(), levels, options, {});
  return difference(*shot, expected, scene.segment(), options);
}

// Twenty times as many if the environment variable FRACTALRAY_LONG_TESTS is set.
void checkRandomEffects(std::string_view name, int levels, int shots) {
  shots = casesToDraw(shots, 20 * shots);
  Rng rng(name);
  int changes = 0;
  int gatherings = 0;
  std::size_t hits = 0;
  std::size_t asked = 0;
  int thrown = 0;
  int agains = 0;
  int reshaped = 0;
  for (int i = 0; i < shots; ++i) {
    const std::uint64_t seed = rng.next();
    QueryOptions options;
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
    reshaped += dispatch.reshaped();
    hits += expected.reported.size();
  }
  EXPECT_GT(changes, shots);
  EXPECT_GT(gatherings, shots + shots / 10) << "hardly a wall was removed";
  EXPECT_GT(hits, static_cast<std::size_t>(shots));
  EXPECT_GT(asked, static_cast<std::size_t>(shots / 20));
  EXPECT_GT(thrown, shots / 40);
  EXPECT_GT(agains, shots / 10);
  EXPECT_GT(reshaped, shots / 200);
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
