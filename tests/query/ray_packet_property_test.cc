// SPDX-License-Identifier: Apache-2.0
// Checks the search of packets, law by law (the numbers are those of packet_search.h).
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "../../core/tree64.h"
#include "../../query/internal/search/ray_packet.h"
#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"
#include "packet_scene.h"

namespace fractalray::oracle::ray_packet_property_test {
namespace {

using internal::DirectBlock;
using internal::DirectOutcome;
using internal::hasBit;
using internal::HitMode;
using internal::InstructionSet;
using internal::PacketAnswers;
using internal::PacketQuery;
using internal::QueryContext;
using internal::RayPacket;

// Counts what packets have decided.
struct Seen {
  int rays = 0;
  int found = 0;
  int none = 0;
  int left = 0;  // unclear, while the search for one line is not
};

int scaled(int count) {
  return isLongRun() ? 30 * count : count;
}

// Makes a packet of the first of `rays` and those after it that fit; returns their number.
std::size_t makePacket(const std::vector<FixedSegment>& rays, std::size_t first,
                       RayPacket& packet) {
  packet.begin(rays[first]);
  std::size_t next = first + 1;
  while (next < rays.size() && packet.add(rays[next]))
    ++next;
  packet.finish();
  return next - first;
}

// Compares the outcome of a ray with the plain pass, and with the search for one line; returns the
// difference, or "".
std::string checkRay(const HardScene& scene, const PacketQuery& query, const FixedSegment& ray,
                     const PacketAnswers& answers, int number, Seen& seen) {
  ++seen.rays;
  const QueryContext context{.world = query.world,
                             .entities = scene.entities(),
                             .callbacks = nullptr,
                             .options = query.options,
                             .levels = query.levels,
                             .line = Line(ray),
                             .mode = query.mode};
  DirectBlock single;
  QueryStats stats;
  const DirectOutcome outcome =
      internal::runDirectSearch(directQueryOf(context), single, nullptr, stats);
  if (hasBit(answers.unclear, number)) {
    seen.left += outcome != DirectOutcome::kUnclear ? 1 : 0;
    return "";
  }
  const bool is_found = hasBit(answers.found, number);
  ++(is_found ? seen.found : seen.none);
  const Hit hit = is_found ? hitOf(ray, answers.blocks[static_cast<std::size_t>(number)]) : Hit();
  if (hasBit(answers.loaded, number) && !is_found && query.mode == HitMode::kAny) {
    const Occlusion sight = RayQueryService(scene.world(), scene.entities())
                                .occluded(ray, query.levels, {.entities_block = false})
                                .value();
    if (sight == Occlusion::kUnknown) return "the line is not loaded";
  }
  if (outcome != DirectOutcome::kUnclear) {
    if (is_found != (outcome == DirectOutcome::kFound)) return "one line: other outcome";
    return !is_found || isSame(hit, hitOf(ray, single)) ? "" : "one line: other hit";
  }
  if (query.mode == HitMode::kAny) return "";  // which block is found first may differ
  QueryOptions plain = query.options;
  plain.pass = SearchPass::kPlain;
  plain.filter.entities = false;
  const ClosestHit closest =
      RayQueryService(scene.world(), scene.entities()).closestHit(ray, query.levels, plain).value();
  if (is_found != closest.hit.has_value()) return "plain pass: other outcome";
  return !is_found || isSame(hit, *closest.hit) ? "" : "plain pass: other hit";
}

// Compares the outcomes of an instruction set with those of the baseline; returns the difference.
std::string checkSet(InstructionSet set, const PacketQuery& query, const RayPacket& packet,
                     const PacketAnswers& expected, const QueryStats& expected_stats) {
  PacketAnswers answers;
  answers.begin();
  QueryStats stats;
  runPacketSearch(set, query, packet, answers, stats);
  if (answers.unclear != expected.unclear || answers.loaded != expected.loaded ||
      (answers.found & ~answers.unclear) != (expected.found & ~expected.unclear)) {
    return "outcomes differ";
  }
  if (stats.steps() != expected_stats.steps() || stats.chunks != expected_stats.chunks)
    return "steps differ";
  for (std::size_t ray = 0; ray < packet.size(); ++ray) {
    if (!hasBit(answers.found & ~answers.unclear, static_cast<int>(ray))) continue;
    if (!isSame(hitOf(packet.ray(ray), answers.blocks[ray]),
                hitOf(packet.ray(ray), expected.blocks[ray]))) {
      return "hits differ";
    }
  }
  return "";
}

// Searches the packets among rays by all instruction sets; returns the first difference, or "".
std::string checkRays(const HardScene& scene, const std::vector<FixedSegment>& rays,
                      const PacketQuery& query, Seen& seen) {
  RayPacket packet;
  std::size_t size = 0;
  for (std::size_t first = 0; first < rays.size(); first += size) {
    size = 1;
    if (rays[first].from == rays[first].to) continue;
    size = makePacket(rays, first, packet);
    PacketAnswers answers;
    answers.begin();
    QueryStats stats;
    runPacketSearch(InstructionSet::kBaseline, query, packet, answers, stats);
    for (int ray = 0; ray < static_cast<int>(size); ++ray) {
      const FixedSegment& line = rays[first + static_cast<std::size_t>(ray)];
      const std::string difference = checkRay(scene, query, line, answers, ray, seen);
      if (!difference.empty()) return difference + ": " + describe(line);
    }
    for (const InstructionSet set : {InstructionSet::kV3, InstructionSet::kV4}) {
      if (!internal::isSupported(set)) continue;
      const std::string difference = checkSet(set, query, packet, answers, stats);
      if (!difference.empty()) return difference + " by a newer set: " + describe(rays[first]);
    }
  }
  return "";
}

void checkScenes(std::string_view name, int scenes, int levels) {
  Rng rng(name);
  Seen seen;
  for (int number = 0; number < scaled(scenes); ++number) {
    const std::uint64_t seed = rng.seed();
    const HardScene scene(rng, levels == 0 ? 1 + rng.below(kMaxLevels) : levels);
    for (int i = 0; i < 20; ++i) {
      const std::vector<FixedSegment> rays = raysOfEye(rng, scene, 100);
      QueryOptions options = directOptions(rng);
      const HitMode mode = rng.oneIn(4) ? HitMode::kAny : HitMode::kClosest;
      options.filter.solid_only |= mode == HitMode::kAny;
      const PacketQuery query{
          .world = scene.world(), .options = options, .levels = scene.levels(rng), .mode = mode};
      ASSERT_EQ(checkRays(scene, rays, query, seen), "")
          << name << ": scene " << number << " from seed " << seed << ", rays " << i << ", "
          << describe(options) << ", levels " << formatLevelMask(query.levels);
    }
  }
  EXPECT_GT(seen.found, seen.rays / 50);
  EXPECT_GT(seen.none, seen.rays / 10);
  EXPECT_LT(seen.left, seen.rays / 5);
}

TEST(RayPacketPropertyTest, Law1And2HoldOnOneLevel) {
  checkScenes("RayPacketPropertyTest.One", 150, 1);
}
TEST(RayPacketPropertyTest, Law1And2HoldOnThreeLevels) {
  checkScenes("RayPacketPropertyTest.Three", 100, 3);
}
TEST(RayPacketPropertyTest, Law1And2HoldOnAnyNumberOfLevels) {
  checkScenes("RayPacketPropertyTest.Any", 100, 0);
}

}  // namespace
}  // namespace fractalray::oracle::ray_packet_property_test
