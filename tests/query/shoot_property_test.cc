// SPDX-License-Identifier: Apache-2.0
// Checks that every shot at a random world equals the oracle's, hit for hit, whatever the options
// and callbacks.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "../oracle/walk_oracle.h"

namespace fractalray::oracle::shoot_property_test {
namespace {

constexpr int kTypes = 9;
constexpr int kClasses = 3;

// How a type or class is registered.
enum class Registered {
  kNot,
  kContinues,
  kStops,
  kPredicateStops,
  kPredicateContinues,
  kEffectStops
};

bool stops(Registered how) {
  return how == Registered::kStops || how == Registered::kPredicateStops ||
         how == Registered::kEffectStops;
}

Registered randomRegistered(Rng& rng) {
  using enum Registered;
  return rng.pick({kNot, kNot, kContinues, kContinues, kContinues, kPredicateContinues,
                   kPredicateContinues, kStops, kPredicateStops, kEffectStops});
}

// A service with random callbacks that change nothing and write down what they are called for.
class Shooter {
 public:
  Shooter(Rng& rng, const RandomScene& scene)
      : scene_(scene), service_(scene.world, scene.entities) {
    for (int type = 0; type < kTypes; ++type) {
      types_.push_back(randomRegistered(rng));
      addBlock(BlockTypeId(static_cast<std::uint16_t>(type)), types_.back());
    }
    for (int entity_class = 0; entity_class < kClasses; ++entity_class) {
      classes_.push_back(randomRegistered(rng));
      addEntity(EntityClassId(static_cast<std::uint32_t>(entity_class)), classes_.back());
    }
    rules_.block_stops = [this](BlockTypeId type) {
      return stops(types_[static_cast<std::size_t>(type)]);
    };
    rules_.entity_stops = [this](EntityClassId entity_class) {
      return stops(classes_[static_cast<std::size_t>(entity_class)]);
    };
  }

  // Shoots by both passes; what differs from the oracle, with all that is needed to do it again.
  std::string check(const FixedSegment& segment, LevelMask levels, QueryOptions options) {
    const OracleShot expected =
        shoot(scene_.world, scene_.entities, segment, levels, options, rules_);
    for (const SearchPass pass : {SearchPass::kPlain, SearchPass::kFast}) {
      options.pass = pass;
      std::string text = check(segment, levels, options, expected);
      if (!text.empty()) return text;
    }
    return "";
  }

  const ShotResult& answer() const { return answer_; }

  // Reflects the line of the last answer at one of its hits, at the last one more often; nothing if
  // none of them has a face. The oracle makes the same image, or none if it leaves the frame.
  std::optional<FixedSegment> reflectAtSomeHit(Rng& rng) const {
    std::vector<Hit> hits = answer_.hits;
    std::erase_if(hits, [](const Hit& hit) { return !hit.face.exists(); });
    if (hits.empty()) return std::nullopt;
    const auto count = static_cast<int>(hits.size());
    const Hit& hit = hits[static_cast<std::size_t>(rng.oneIn(2) ? count - 1 : rng.below(count))];
    const int axis = hit.face.axis;
    const std::int64_t half = hit.face.sign * hit.shape.half_extents[axis];
    const std::int64_t width = scene_.world.frame().blockWidth(hit.level);
    const std::int64_t plane = hit.isEntity()
                                   ? hit.position[axis] + half
                                   : hit.block[axis] * width + hit.plane * (width / 65536);
    const std::optional<FixedSegment> expected = reflectedIn(answer_.segment, axis, plane);
    const absl::StatusOr<FixedSegment> image = service_.reflect(answer_.segment, hit);
    if (image.ok() != expected.has_value() || (image.ok() && *image != *expected)) {
      ADD_FAILURE() << describe(answer_.segment) << " at " << describe(hit) << ": "
                    << image.status();
    }
    EXPECT_TRUE(image.ok() || absl::IsOutOfRange(image.status())) << image.status();
    return expected;
  }

 private:
  std::string check(const FixedSegment& segment, LevelMask levels, const QueryOptions& options,
                    const OracleShot& expected) {
    called_.clear();
    const absl::Status status = service_.shootSegment(segment, levels, options, answer_);
    if (!status.ok()) return std::string(status.message());
    std::string text = difference(answer_, expected, segment, options);
    std::vector<std::string> expected_calls;
    for (const OracleHit& hit : expected.hits) {
      const Registered how = hit.is_entity ? classes_[static_cast<std::size_t>(hit.entity_class)]
                                           : types_[static_cast<std::size_t>(hit.type)];
      if (how != Registered::kNot) expected_calls.push_back(name(hit));
    }
    if (called_ != expected_calls) text += "callbacks differ from the hits\n";
    if (text.empty()) return text;
    return text + describe(segment) + ", levels " + formatLevelMask(levels) + ", " +
           describe(options) + "\n" + describe(scene_.world, scene_.entities, segment);
  }

  static std::string name(bool is_entity, int level, EntityId id, const BlockCoord& block) {
    if (is_entity) return "entity " + std::to_string(id);
    return std::to_string(level) + ": " + std::to_string(block[0]) + " " +
           std::to_string(block[1]) + " " + std::to_string(block[2]);
  }
  static std::string name(const OracleHit& hit) {
    return name(hit.is_entity, hit.level, hit.id, hit.block);
  }

  void addBlock(BlockTypeId type, Registered how) {
    if (how == Registered::kNot) return;
    HitEffect effect = [this, how](const BlockHit& hit) {
      called_.push_back(name(false, hit.level, 0, hit.block));
      return how == Registered::kStops || how == Registered::kEffectStops ? HitResponse::kStop
                                                                          : HitResponse::kContinue;
    };
    if (how <= Registered::kStops) {
      std::ignore = service_.onBlockHit(type, std::move(effect));
    } else {
      std::ignore = service_.onBlockHit(
          type, [how](const BlockHit&) { return how == Registered::kPredicateStops; },
          std::move(effect));
    }
  }
  void addEntity(EntityClassId entity_class, Registered how) {
    if (how == Registered::kNot) return;
    HitEffect effect = [this, how](const EntityHit& hit) {
      called_.push_back(name(true, 0, hit.id, {}));
      return how == Registered::kStops || how == Registered::kEffectStops ? HitResponse::kStop
                                                                          : HitResponse::kContinue;
    };
    if (how <= Registered::kStops) {
      service_.onEntityHit(entity_class, std::move(effect));
    } else {
      service_.onEntityHit(
          entity_class, [how](const EntityHit&) { return how == Registered::kPredicateStops; },
          std::move(effect));
    }
  }

  const RandomScene& scene_;
  RayQueryService service_;
  Rules rules_;
  std::vector<Registered> types_;
  std::vector<Registered> classes_;
  std::vector<std::string> called_;
  ShotResult answer_;
};

LevelMask randomLevels(Rng& rng, int levels) {
  if (rng.oneIn(2)) return LevelMask::range(0, levels - 1);
  LevelMask mask{rng.below(levels)};
  for (int level = 0; level < levels; ++level) {
    if (rng.oneIn(2)) mask.add(level);
  }
  if (rng.oneIn(8) && levels < kMaxLevels) mask.add(levels);  // inactive, so ignored
  return mask;
}

QueryOptions randomOptions(Rng& rng, std::vector<EntityId>& ignore) {
  QueryOptions options;
  options.corner = static_cast<CornerPolicy>(rng.below(3));
  if (rng.oneIn(3)) options.filter.channel = kVisible;
  if (rng.oneIn(4)) options.filter.categories = rng.next();
  options.report_unknown = rng.oneIn(2);
  options.stop_at_unknown = rng.oneIn(8);
  options.filter.skip_start_inside = rng.oneIn(6);
  if (rng.oneIn(6)) options.max_hits = static_cast<std::size_t>(rng.below(5));
  ignore.clear();
  for (int i = rng.oneIn(3) ? rng.below(8) : 0; i > 0; --i) {
    ignore.push_back(static_cast<EntityId>(rng.in(1, 30)));
  }
  options.filter.ignore = ignore;
  if (rng.oneIn(8)) {
    options.filter.block_filter = [](const BlockHit& hit) {
      return (hit.block[0] + hit.level) % 3 != 0;
    };
  }
  if (rng.oneIn(8))
    options.filter.entity_filter = [](const EntityHit& hit) { return hit.id % 2 == 0; };
  options.filter.solid_only = rng.oneIn(10);
  options.filter.blocks = !rng.oneIn(20);
  options.filter.entities = !rng.oneIn(10);
  options.report_level_spans = rng.oneIn(2);
  return options;
}

struct Counts {
  int scenes;
  int shots;  // a scene
  int entities;
  int block_density;
};

// Counts the cases that the shots of a test have covered; each must have occurred.
struct Seen {
  int blocks = 0;
  int entities = 0;
  int inside = 0;
  int touched = 0;  // at a single point, after the start
  int ties = 0;     // with the hit before
  int terminated = 0;
  int truncated = 0;
  int unknown = 0;
  int reflected = 0;  // shots along reflected lines
  int at_begin = 0;   // hits by a face at the time at which such a line begins

  void add(const ShotResult& shot) {
    reflected += shot.segment.begin.axes != 0 ? 1 : 0;
    const double begin = toDouble(beginOf(shot.segment).t);
    for (const Hit& hit : shot.hits) {
      const bool is_then = std::abs(hit.t - begin) < 1e-15 && begin > 0;
      at_begin += is_then && hit.face.exists() ? 1 : 0;
    }
    const HitGeometry* before = nullptr;
    for (const Hit& hit : shot.hits) {
      const HitGeometry& here = hit;
      ++(hit.isBlock() ? blocks : entities);
      inside += here.start_inside ? 1 : 0;
      touched += here.t > 0 && here.t_exit == here.t ? 1 : 0;
      ties += before != nullptr && before->t == here.t ? 1 : 0;
      before = &here;
    }
    terminated += shot.terminated ? 1 : 0;
    truncated += shot.truncated ? 1 : 0;
    unknown += shot.unknown_from.has_value() ? 1 : 0;
  }
};

// Twenty times as many where the environment variable FRACTALRAY_LONG_TESTS is set.
void checkRandomShots(std::string_view name, int levels, Counts counts,
                      bool are_reflected = false) {
  counts.scenes = casesToDraw(counts.scenes, 20 * counts.scenes);
  Rng rng(name);
  Seen seen;
  for (int scene_number = 0; scene_number < counts.scenes; ++scene_number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = randomScene(rng, levels, counts.entities, counts.block_density);
    Shooter shooter(rng, *scene);
    for (int i = 0; i < counts.shots; ++i) {
      std::vector<EntityId> ignore;
      const QueryOptions options = randomOptions(rng, ignore);
      FixedSegment segment = randomSegment(rng, *scene);
      if (are_reflected && rng.oneIn(2)) {
        segment = randomReflection(rng, segment, scene->world.frame());
      }
      for (int bounces = are_reflected ? 4 : 0; bounces >= 0; --bounces) {
        const std::string text = shooter.check(segment, randomLevels(rng, levels), options);
        ASSERT_TRUE(text.empty()) << text << name << ": scene " << scene_number << " from seed "
                                  << seed << ", shot " << i << ", bounces left " << bounces;
        seen.add(shooter.answer());
        if (bounces == 0) break;
        const std::optional<FixedSegment> image = shooter.reflectAtSomeHit(rng);
        if (!image.has_value()) break;
        segment = *image;
      }
    }
  }
  EXPECT_GT(seen.reflected, are_reflected ? counts.scenes * counts.shots / 4 : -1);
  EXPECT_GT(seen.at_begin, are_reflected ? counts.scenes * counts.shots / 500 : -1);
  const int few = counts.scenes * counts.shots / 200;
  const bool has_blocks = counts.block_density > 0;
  EXPECT_GT(seen.blocks, has_blocks ? 30 * few : -1);
  EXPECT_GT(seen.entities, counts.entities > 0 ? 10 * few : -1);
  EXPECT_GT(seen.inside, few);
  EXPECT_GT(seen.touched, has_blocks ? few : 0);
  EXPECT_GT(seen.ties, few);
  EXPECT_GT(seen.terminated, 10 * few);
  EXPECT_GT(seen.truncated, few);
  EXPECT_GT(seen.unknown, 10 * few);
}

TEST(ShootPropertyTest, OneLevelEqualsTheOracle) {
  checkRandomShots("OneLevel", 1, {300, 80, 25, 700});
}
TEST(ShootPropertyTest, OneLevelOfBlocksOnlyEqualsTheOracle) {
  checkRandomShots("OneLevelOfBlocks", 1, {200, 80, 0, 1200});
}
TEST(ShootPropertyTest, TwoLevelsEqualTheOracle) {
  checkRandomShots("TwoLevels", 2, {250, 80, 30, 700});
}
TEST(ShootPropertyTest, ThreeLevelsEqualTheOracle) {
  checkRandomShots("ThreeLevels", 3, {250, 80, 40, 700});
}
TEST(ShootPropertyTest, FourLevelsEqualTheOracle) {
  checkRandomShots("FourLevels", 4, {200, 80, 50, 700});
}
TEST(ShootPropertyTest, FiveLevelsEqualTheOracle) {
  checkRandomShots("FiveLevels", 5, {200, 80, 60, 700});
}
TEST(ShootPropertyTest, TenLevelsEqualTheOracle) {
  checkRandomShots("TenLevels", 10, {120, 80, 80, 700});
}
TEST(ShootPropertyTest, ReflectedOnOneLevel) {
  checkRandomShots("ReflectedOnOneLevel", 1, {400, 60, 25, 700}, true);
}
TEST(ShootPropertyTest, ReflectedOnTwoLevels) {
  checkRandomShots("ReflectedOnTwoLevels", 2, {400, 60, 30, 700}, true);
}
TEST(ShootPropertyTest, ReflectedOnFourLevels) {
  checkRandomShots("ReflectedOnFourLevels", 4, {300, 60, 50, 700}, true);
}
TEST(ShootPropertyTest, ReflectedOnTenLevels) {
  checkRandomShots("ReflectedOnTenLevels", 10, {150, 60, 80, 700}, true);
}
TEST(ShootPropertyTest, EntitiesOnlyEqualTheOracle) {
  checkRandomShots("EntitiesAlone", 3, {150, 80, 60, 0});
}

}  // namespace
}  // namespace fractalray::oracle::shoot_property_test
