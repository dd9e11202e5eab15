// SPDX-License-Identifier: Apache-2.0
// Checks that resuming after hits, in every way, hits exactly what the oracle's list of candidates
// holds, one by one and through every wall, to the last bit the same each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "../oracle/walk_oracle.h"
#include "hard_scene.h"

namespace fractalray::oracle::resume_property_test {
namespace {

// Counts the cases that the segments have covered; each must have occurred.
struct Seen {
  int segments = 0;
  int walls = 0;     // passed
  int entities = 0;  // resumed after
  int spheres = 0;   // at a time that is no fraction
  int ties = 0;      // hits at the same t as the hit before
  int corners = 0;   // blocks that are not the first of their corner crossing
  int unknown = 0;   // reported after a hit
  int not_blocked = 0;
};

class Resumer {
 public:
  Resumer(const World& world, const EntityIndex& entities, const FixedSegment& segment,
          LevelMask levels, const QueryOptions& options, Rng& rng)
      : world_(world),
        entities_(entities),
        service_(world, entities),
        segment_(segment),
        levels_(levels),
        options_(options),
        rng_(rng),
        expected_(candidates(world, entities, segment, levels, options)) {
    options_.max_hits = QueryOptions().max_hits;
    unknown_ = unknownFrom(begin());
    if (options.stop_at_unknown && unknown_.has_value()) {
      std::erase_if(expected_, [&](const OracleHit& hit) { return hit.t > *unknown_; });
    }
    for (OracleHit& hit : expected_) {
      hit.terminal = !hit.is_entity &&
                     world.blockTypes().kind(hit.type, options.filter.channel) == BlockKind::kSolid;
    }
  }

  // Returns the first fault; empty if there is none.
  std::string check(Seen& seen) {
    std::string text = collect();
    if (text.empty()) text = checkEach();
    if (text.empty()) text = checkClosest();
    if (text.empty()) text = checkInPlace();
    if (text.empty()) text = checkOcclusion(seen);
    if (text.empty()) {
      count(seen);
      return text;
    }
    return text + "\n" + describe(segment_) + ", levels " + formatLevelMask(levels_) + ", " +
           describe(options_) + "\n" + describe(world_, entities_, segment_);
  }

 private:
  // When the segment begins.
  ExactTime begin() const { return {beginOf(segment_).t}; }
  bool asksForUnknown() const { return options_.report_unknown || options_.stop_at_unknown; }
  std::optional<ExactTime> unknownFrom(const ExactTime& from) const {
    return firstUnknown(world_, segment_, levels_.activeIn(world_.frame()), from);
  }
  QueryOptions someOptions() {
    QueryOptions options = options_;
    options.pass = rng_.oneIn(4) ? SearchPass::kPlain : SearchPass::kFast;
    return options;
  }

  // Shoots a few hits at a time, each time after all earlier hits: they are expected_.
  std::string collect() {
    while (true) {
      QueryOptions options = someOptions();
      options.max_hits = static_cast<std::size_t>(rng_.in(1, 3));
      options.after = all_;
      const auto shot = service_.shootSegment(segment_, levels_, options);
      if (!shot.ok()) return shot.status().ToString();
      std::string text = checkUnknown(*shot, all_.size());
      if (!text.empty()) return text;
      if (shot->hits.empty()) break;
      for (const Hit& hit : shot->hits) {
        if (all_.size() == expected_.size() || !isSame(hit, expected_[all_.size()])) {
          return "hit " + std::to_string(all_.size()) + " is " + describe(hit) + ", oracle " +
                 (all_.size() == expected_.size() ? "none" : describe(expected_[all_.size()]));
        }
        all_.push_back(hit);
      }
      if (shot->truncated == (shot->terminated || all_.size() == expected_.size())) {
        return "truncated " + std::to_string(static_cast<int>(shot->truncated));
      }
    }
    if (all_.size() == expected_.size()) return "";
    return "missed " + describe(expected_[all_.size()]);
  }

  // Checks the unknown that a shot reports if resumed after the first `before` hits.
  std::string checkUnknown(const ShotResult& shot, std::size_t before) const {
    const ExactTime from = before == 0 ? begin() : expected_[before - 1].t;
    const ExactTime end =
        shot.terminated ? expected_[before + shot.hits.size() - 1].t : ExactTime{1};
    std::optional<ExactTime> expected = unknownFrom(from);
    if (!asksForUnknown() || (expected.has_value() && *expected >= end)) expected.reset();
    if (shot.unknown_from.has_value() == expected.has_value() &&
        (!expected.has_value() || std::abs(*shot.unknown_from - toDouble(*expected)) < 1e-9) &&
        (!expected.has_value() || before == 0 || *shot.unknown_from >= all_[before - 1].t)) {
      return "";
    }
    return "after " + std::to_string(before) + " hits unknown_from " +
           std::to_string(shot.unknown_from.value_or(-1)) + ", oracle " +
           (expected.has_value() ? toString(*expected) : "none");
  }

  // Resumes after each hit alone: all that follows, up to the first that ends the shot.
  std::string checkEach() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      QueryOptions options = someOptions();
      options.after = {&all_[i], 1};
      const auto shot = service_.shootSegment(segment_, levels_, options);
      if (!shot.ok()) return shot.status().ToString();
      std::size_t next = i + 1;
      for (const Hit& hit : shot->hits) {
        if (next == all_.size() || !isSame(hit, all_[next])) {
          return "after hit " + std::to_string(i) + " comes " + describe(hit);
        }
        ++next;
      }
      const bool ends_well = next == all_.size() || all_[next - 1].terminal;
      if (!ends_well || shot->terminated != (next > i + 1 && all_[next - 1].terminal)) {
        return "the shot after hit " + std::to_string(i) + " ends at " + std::to_string(next);
      }
      std::string text = checkUnknown(*shot, i + 1);
      if (!text.empty()) return text;
    }
    return "";
  }

  // Finds the closest, the closest after that, and so on, in the same result.
  std::string checkClosest() {
    ClosestHit closest;
    std::size_t next = 0;
    while (true) {
      QueryOptions options = someOptions();
      if (closest.hit.has_value()) options.after = {&*closest.hit, 1};
      const absl::Status status = service_.closestHit(segment_, levels_, options, closest);
      if (!status.ok()) return status.ToString();
      if (!closest.hit.has_value()) break;
      if (next == all_.size() || !isSame(*closest.hit, all_[next])) {
        return "closest " + std::to_string(next) + " is " + describe(*closest.hit);
      }
      ++next;
    }
    return next == all_.size() ? "" : "the closest end at " + std::to_string(next);
  }

  // Resumes a shot until nothing is left.
  std::string checkInPlace() {
    QueryOptions options = someOptions();
    options.max_hits = static_cast<std::size_t>(rng_.in(1, 4));
    absl::StatusOr<ShotResult> shot = service_.shootSegment(segment_, levels_, options);
    if (!shot.ok()) return shot.status().ToString();
    for (std::size_t reported = 0; reported != shot->hits.size();) {
      reported = shot->hits.size();
      options.pass = someOptions().pass;
      const absl::Status status = service_.resume(*shot, levels_, options);
      if (!status.ok()) return status.ToString();
      if (shot->hits.size() > reported + options.max_hits) return "more than max_hits at a time";
    }
    if (shot->hits.size() != all_.size()) {
      return "resuming has hit " + std::to_string(shot->hits.size()) + " of " +
             std::to_string(all_.size());
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!isSame(shot->hits[i], all_[i])) return "resumed, hit " + describe(shot->hits[i]);
    }
    if (shot->terminated || shot->truncated) return "at its end it says that there is more";
    const bool reports = asksForUnknown() && unknown_.has_value();
    if (shot->unknown_from.has_value() != reports ||
        (reports && std::abs(*shot->unknown_from - toDouble(*unknown_)) > 1e-9)) {
      return "of the whole shot unknown_from is " + std::to_string(shot->unknown_from.value_or(-1));
    }
    return "";
  }

  // Checks if anything solid, or an entity, blocks the line after each hit.
  std::string checkOcclusion(Seen& seen) {
    const QueryOptions like{.filter = {.channel = options_.filter.channel,
                                       .categories = rng_.oneIn(2) ? options_.filter.categories : 0,
                                       .ignore = options_.filter.ignore,
                                       .skip_start_inside = options_.filter.skip_start_inside},
                            .entities_block = true,
                            .corner = options_.corner};
    const std::vector<OracleHit> blocking =
        candidates(world_, entities_, segment_, levels_,
                   {.filter = {.channel = like.filter.channel,
                               .solid_only = true,
                               .entities = like.filter.categories != 0,
                               .categories = like.filter.categories,
                               .ignore = like.filter.ignore,
                               .skip_start_inside = like.filter.skip_start_inside},
                    .corner = like.corner});
    for (std::size_t i = 0; i < all_.size(); ++i) {
      QueryOptions options = like;
      options.pass = someOptions().pass;
      options.after = {&all_[i], 1};
      const auto sight = service_.occluded(segment_, levels_, options);
      if (!sight.ok()) return sight.status().ToString();
      const bool is_blocked =
          std::any_of(blocking.begin(), blocking.end(),
                      [&](const OracleHit& hit) { return isBefore(expected_[i], hit); });
      std::optional<ExactTime> unknown = unknownFrom(expected_[i].t);
      if (unknown.has_value() && *unknown >= ExactTime{1}) unknown.reset();
      const Occlusion expected = is_blocked            ? Occlusion::kBlocked
                                 : unknown.has_value() ? Occlusion::kUnknown
                                                       : Occlusion::kClear;
      if (*sight != expected) {
        return "after hit " + std::to_string(i) + " the sight is " +
               std::to_string(static_cast<int>(*sight)) + ", oracle " +
               std::to_string(static_cast<int>(expected));
      }
      seen.not_blocked += is_blocked ? 0 : 1;
    }
    return "";
  }

  void count(Seen& seen) const {
    ++seen.segments;
    for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
      seen.walls += all_[i].terminal ? 1 : 0;
      seen.entities += expected_[i].is_entity ? 1 : 0;
      seen.spheres += expected_[i].t.q != 0 ? 1 : 0;
      seen.ties += expected_[i].t == expected_[i + 1].t ? 1 : 0;
      seen.corners += expected_[i].step > 1 ? 1 : 0;
      const std::optional<ExactTime> unknown = unknownFrom(expected_[i].t);
      seen.unknown += asksForUnknown() && unknown.has_value() ? 1 : 0;
    }
  }

  const World& world_;
  const EntityIndex& entities_;
  RayQueryService service_;
  FixedSegment segment_;
  LevelMask levels_;
  QueryOptions options_;
  Rng& rng_;
  std::vector<OracleHit> expected_;
  std::optional<ExactTime> unknown_;  // in the whole segment
  std::vector<Hit> all_;              // as the library reports them
};

// Ten times as many scenes if the environment variable FRACTALRAY_LONG_TESTS is set.
int many(int scenes) {
  return isLongRun() ? 10 * scenes : scenes;
}

const std::vector<EntityId> kIgnored = {2, 3, 5, 7, 11};

void checkSeen(const Seen& seen) {
  const int few = seen.segments / 20;
  EXPECT_GT(seen.walls, few);
  EXPECT_GT(seen.entities, few);
  EXPECT_GT(seen.spheres, few / 4);
  EXPECT_GT(seen.ties, few);
  EXPECT_GT(seen.corners, few / 4);
  EXPECT_GT(seen.unknown, few / 2);
  EXPECT_GT(seen.not_blocked, few);
}

void checkRandomScenes(std::string_view name, int scenes, int levels, int block_density) {
  Rng rng(name);
  Seen seen;
  for (int number = 0; number < many(scenes); ++number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = randomScene(rng, levels, 80, block_density);
    for (int i = 0; i < 12; ++i) {
      LevelMask mask = scene->world.allLevels();
      if (rng.oneIn(4)) mask = LevelMask{rng.below(levels), rng.below(levels)};
      QueryOptions options = hardOptions(rng, kIgnored);
      if (rng.oneIn(2)) options = {.corner = options.corner, .report_unknown = rng.oneIn(2)};
      const std::string text =
          Resumer(scene->world, scene->entities, randomSegment(rng, *scene), mask, options, rng)
              .check(seen);
      ASSERT_EQ(text, "") << name << ": scene " << number << " from seed " << seed << ", segment "
                          << i;
    }
  }
  checkSeen(seen);
}

TEST(ResumePropertyTest, EqualsTheOracleOnOneLevel) {
  checkRandomScenes("ResumePropertyTest.One", 250, 1, 1800);
}
TEST(ResumePropertyTest, EqualsTheOracleOnTwoLevels) {
  checkRandomScenes("ResumePropertyTest.Two", 150, 2, 1800);
}
TEST(ResumePropertyTest, EqualsTheOracleOnFourLevels) {
  checkRandomScenes("ResumePropertyTest.Four", 100, 4, 1500);
}

TEST(ResumePropertyTest, ReflectedLines) {
  Rng rng("ResumePropertyTest.Reflected");
  Seen seen;
  for (int number = 0; number < many(150); ++number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = randomScene(rng, static_cast<int>(rng.in(1, 3)), 80, 1800);
    for (int i = 0; i < 12; ++i) {
      QueryOptions options = hardOptions(rng, kIgnored);
      if (rng.oneIn(2)) options = {.corner = options.corner, .report_unknown = rng.oneIn(2)};
      const FixedSegment line =
          randomReflection(rng, randomSegment(rng, *scene), scene->world.frame());
      const std::string text =
          Resumer(scene->world, scene->entities, line, scene->world.allLevels(), options, rng)
              .check(seen);
      ASSERT_EQ(text, "") << "scene " << number << " from seed " << seed << ", segment " << i;
    }
  }
  checkSeen(seen);
}

TEST(ResumePropertyTest, EqualsTheOracleInHardScenes) {
  Rng rng("ResumePropertyTest.HardScenes");
  Seen seen;
  for (int number = 0; number < many(60); ++number) {
    const std::uint64_t seed = rng.seed();
    HardScene scene(rng, static_cast<int>(rng.in(1, 3)));
    for (int i = 0; i < 6; ++i) {
      const FixedSegment segment = scene.segment(rng);
      const LevelMask mask = scene.levels(rng);
      const QueryOptions options = hardOptions(rng, kIgnored);
      // The oracle is slow on the longest ones.
      if (candidates(scene.world(), scene.entities(), segment, mask, options).size() > 60) continue;
      const std::string text =
          Resumer(scene.world(), scene.entities(), segment, mask, options, rng).check(seen);
      ASSERT_EQ(text, "") << "scene " << number << " from seed " << seed << ", segment " << i;
    }
  }
  EXPECT_GT(seen.segments, 100);
  EXPECT_GT(seen.walls, seen.segments / 8);
}

}  // namespace
}  // namespace fractalray::oracle::resume_property_test
