// SPDX-License-Identifier: Apache-2.0
// Checks the direct search in worlds with entities, some of them exactly where a block is hit:
// closest hits, lines of sight and shots, one by one and in batches, are those of the plain pass,
// and both ways are taken: the block alone answers, or entities come before it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "hard_scene.h"

namespace fractalray::oracle::direct_search_entities_property_test {
namespace {

// Counts the cases that the queries have covered; each must have occurred.
struct Seen {
  int asked = 0;
  int direct = 0;  // closest hits
  int direct_shot = 0;
  int alone = 0;     // direct shots that hit nothing but a block, though there are entities
  int entities = 0;  // direct shots that hit entities before they end
  int ties = 0;      // shots that hit an entity and a block at the same time
  int inside = 0;    // shots that hit an entity in which they start
  int finer = 0;     // shots that hit an entity on a finer level than that of the block
  int coarser = 0;
  int skipped = 0;   // shots that leave out an entity in which they start
  int filtered = 0;  // shots that leave out entities by category or id
  int blocked = 0;   // lines of sight that an entity blocks
  int called = 0;    // direct shots with a callback

  void add(const ShotResult& shot) {
    ++asked;
    if (shot.stats.direct == 0) return;
    ++direct_shot;
    const bool has_entity = std::any_of(shot.hits.begin(), shot.hits.end(),
                                        [](const Hit& hit) { return hit.isEntity(); });
    ++(has_entity ? entities : alone);
    if (!has_entity) return;
    inside += shot.hits.front().start_inside ? 1 : 0;
    const Hit& last = shot.hits.back();
    if (!last.isBlock()) return;
    const Hit& before = shot.hits[shot.hits.size() - 2];
    ties += before.t == last.t ? 1 : 0;
    finer += before.level > last.level ? 1 : 0;
    coarser += before.level < last.level ? 1 : 0;
  }
};

int scaled(int count) {
  return isLongRun() ? 30 * count : count;
}

struct Query {
  FixedSegment segment;
  LevelMask levels;
  QueryOptions options;
};

// Returns a point of the line in whole units, near time t.
Vec3i pointNear(const FixedSegment& segment, double t) {
  const Vec3i delta = segment.delta();
  const std::int64_t parts = std::gcd(std::gcd(delta[0], delta[1]), delta[2]);
  if (parts == 0) return segment.from;
  const auto part = static_cast<std::int64_t>(std::llround(t * static_cast<double>(parts)));
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] =
        segment.from[axis] + delta[axis] / parts * std::clamp<std::int64_t>(part, 0, parts);
  return point;
}

// Returns a box that has the point as a corner.
void putCornerAt(Rng& rng, const Vec3i& point, std::int64_t width, EntitySpec& spec) {
  Vec3d half;
  Vec3i center = point;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = width * rng.in(1, 8) / 4;
    half[axis] = toBlocks(extent);
    center[axis] += rng.oneIn(2) ? extent : -extent;
  }
  spec.shape = Box{half};
  spec.position = toBlocks(center);
}

// Returns a sphere that touches the line at the point, if the line runs across some axis.
void putSphereAt(Rng& rng, const FixedSegment& segment, const Vec3i& point, std::int64_t width,
                 EntitySpec& spec) {
  const std::int64_t radius = width * rng.in(1, 8) / 4;
  Vec3i center = point;
  int axis = rng.below(3);
  for (int i = 0; i < 3 && segment.delta()[axis] != 0; ++i)
    axis = (axis + 1) % 3;
  center[axis] += rng.oneIn(2) ? radius : -radius;
  spec.shape = Sphere{toBlocks(radius)};
  spec.position = toBlocks(center);
}

// Returns an entity to disturb the first block of a line: the same box as the block, one that
// touches the line where the block is hit, one around the start, or one somewhere near.
EntitySpec disturber(Rng& rng, const HardScene& scene, const Query& query, const Hit& wall) {
  const Frame& frame = scene.world().frame();
  EntitySpec spec{.id = 100 + static_cast<EntityId>(rng.below(4)),
                  .level = std::clamp(wall.level + rng.below(3) - 1, 0, frame.levels() - 1),
                  .categories = std::uint64_t{1} << rng.below(4)};
  const std::int64_t width = frame.blockWidth(wall.level);
  const Vec3i point = pointNear(query.segment, wall.t);
  switch (rng.below(5)) {
    case 0:
      spec.shape = Box{{0.5 * toBlocks(width), 0.5 * toBlocks(width), 0.5 * toBlocks(width)}};
      for (int axis = 0; axis < 3; ++axis)
        spec.position[axis] = toBlocks(wall.block[axis] * width + width / 2);
      break;
    case 1:
      putCornerAt(rng, point, width, spec);
      break;
    case 2:
      putSphereAt(rng, query.segment, point, width, spec);
      break;
    case 3:
      spec.shape = Sphere{toBlocks(width * rng.in(0, 4) / 4)};
      spec.position = toBlocks(query.segment.from);
      break;
    default:
      putCornerAt(rng, pointNear(query.segment, wall.t * 0.25 * rng.below(6)), width, spec);
  }
  return spec;
}

// Adds such an entity; nothing if the passes are to find the first block or those after it, or the
// entity leaves the frame.
std::optional<EntityHandle> addDisturber(Rng& rng, HardScene& scene, const Query& query) {
  const RayQueryService service(scene.world(), scene.entities());
  QueryOptions options = query.options;
  options.filter.entities = false;
  const ClosestHit wall = service.closestHit(query.segment, query.levels, options).value();
  if (wall.stats.direct == 0 || !wall.hit.has_value() || !wall.hit->terminal) return std::nullopt;
  const auto handle = scene.entities().add(disturber(rng, scene, query, *wall.hit));
  return handle.ok() ? std::optional(*handle) : std::nullopt;
}

// Asks for everything by both passes, and for the fast one in batches.
class Asker {
 public:
  Asker(const RayQueryService& service, Query query, Seen& seen)
      : service_(service), query_(std::move(query)), seen_(seen) {
    plain_ = query_.options;
    plain_.pass = SearchPass::kPlain;
  }

  // Returns the differences, or "".
  std::string check() {
    const std::string text = checkClosest() + checkSight() + checkShot();
    if (text.empty()) return text;
    return text + describe(query_.segment) + ", levels " + formatLevelMask(query_.levels) + ", " +
           describe(query_.options);
  }

 private:
  BatchQuery batchQuery() const { return {.line = query_.segment, .levels = query_.levels}; }

  std::string checkClosest() {
    const Hit none;
    const ClosestHit plain = service_.closestHit(query_.segment, query_.levels, plain_).value();
    const ClosestHit fast =
        service_.closestHit(query_.segment, query_.levels, query_.options).value();
    const Hit expected = plain.hit.value_or(none);
    seen_.direct += fast.stats.direct != 0 ? 1 : 0;
    std::string text;
    if (!isSame(fast.hit.value_or(none), expected)) text += "closest hit\n";
    const BatchQuery query = batchQuery();
    ClosestBatch batch;
    EXPECT_TRUE(service_.closestHit(std::span(&query, 1), query_.options, batch).ok());
    if (!isSame(batch.answers[0], expected)) text += "closest hit in a batch\n";
    CompactBatch compact;
    EXPECT_TRUE(service_.closestHit(std::span(&query, 1), query_.options, compact).ok());
    if (compact.answers[0] != toCompact(expected)) text += "compact hit\n";
    return text;
  }

  std::string checkSight() {
    QueryOptions sight{.filter = query_.options.filter,
                       .entities_block = true,
                       .corner = query_.options.corner,
                       .pass = SearchPass::kPlain};
    const auto ask = [&] {
      return service_.occluded(query_.segment, query_.levels, sight).value();
    };
    const Occlusion plain = ask();
    sight.pass = SearchPass::kFast;
    const Occlusion fast = ask();
    sight.entities_block = false;
    seen_.blocked += fast == Occlusion::kBlocked && ask() != Occlusion::kBlocked ? 1 : 0;
    return fast == plain ? "" : "line of sight\n";
  }

  std::string checkShot() {
    const ShotResult plain = service_.shootSegment(query_.segment, query_.levels, plain_).value();
    const ShotResult fast =
        service_.shootSegment(query_.segment, query_.levels, query_.options).value();
    const BatchQuery query = batchQuery();
    ShotBatch batch;
    EXPECT_TRUE(service_.shootSegment(std::span(&query, 1), query_.options, batch).ok());
    seen_.add(fast);
    countLeftOut(fast);
    std::string text = difference(fast, plain);
    if (!difference(resultOf(batch, 0), plain).empty()) text += "shot in a batch\n";
    if (batch.shots[0].stats.direct != fast.stats.direct) text += "the batch searches otherwise\n";
    if (plain.stats.direct != 0) text += "the plain pass searched directly\n";
    return text + checkCalls(plain);
  }

  void countLeftOut(const ShotResult& fast) {
    const auto hitsMore = [&](const QueryOptions& options) {
      return service_.shootSegment(query_.segment, query_.levels, options)->hits.size() >
             fast.hits.size();
    };
    if (fast.stats.direct == 0) return;
    QueryOptions options = query_.options;
    options.filter.skip_start_inside = false;
    seen_.skipped += hitsMore(options) ? 1 : 0;
    options = query_.options;
    options.filter.categories = ~std::uint64_t{0};
    options.filter.ignore = {};
    seen_.filtered += hitsMore(options) ? 1 : 0;
  }

  // Compares the calls of a shot, each of which may end it.
  std::string checkCalls(const ShotResult& plain) {
    for (std::size_t stop_at = 1; stop_at <= std::min<std::size_t>(plain.hits.size(), 4);
         ++stop_at) {
      std::vector<Hit> calls;
      QueryOptions options = query_.options;
      options.on_hit = [&](const Hit& hit) {
        calls.push_back(hit);
        return calls.size() == stop_at ? HitResponse::kStop : HitResponse::kContinue;
      };
      const ShotResult shot = service_.shootSegment(query_.segment, query_.levels, options).value();
      seen_.called += shot.stats.direct != 0 ? 1 : 0;
      const auto is_same = [](const Hit& call, Hit hit) {
        hit.terminal = call.terminal;  // a call is made before its answer is known
        return isSame(call, hit);
      };
      if (calls.size() != stop_at ||
          !std::equal(calls.begin(), calls.end(), plain.hits.begin(), is_same)) {
        return "calls of a shot that ends at hit " + std::to_string(stop_at) + "\n";
      }
    }
    return "";
  }

  const RayQueryService& service_;
  Query query_;
  QueryOptions plain_;
  Seen& seen_;
};

void checkScenes(std::string_view name, int scenes, int levels) {
  Rng rng(name);
  Seen seen;
  const std::vector<EntityId> ignore = {2, 3, 5, 7, 101};
  for (int number = 0; number < scaled(scenes); ++number) {
    const std::uint64_t seed = rng.seed();
    HardScene scene(rng, levels);
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < 150; ++i) {
      Query query{scene.segment(rng), scene.levels(rng), directOptions(rng)};
      query.options.filter.entities = true;
      if (rng.oneIn(4)) query.options.filter.categories = 0b0110;
      if (rng.oneIn(4)) query.options.filter.ignore = ignore;
      const auto added = addDisturber(rng, scene, query);
      if (!added.has_value() && !rng.oneIn(8)) continue;
      const std::string text = Asker(service, query, seen).check();
      if (added.has_value()) std::ignore = scene.entities().remove(*added);
      ASSERT_EQ(text, "") << name << ": scene " << number << " from seed " << seed << ", query "
                          << i;
    }
  }
  const int few = seen.asked / 200;
  EXPECT_GT(seen.direct, 50 * few);
  EXPECT_GT(seen.direct_shot, 40 * few);
  EXPECT_GT(seen.alone, 20 * few);
  EXPECT_GT(seen.entities, 4 * few);
  EXPECT_GT(seen.ties, few);
  EXPECT_GT(seen.inside, few);
  EXPECT_GT(seen.finer, levels == 1 ? -1 : few);
  EXPECT_GT(seen.coarser, levels == 1 ? -1 : few);
  EXPECT_GT(seen.skipped, few);
  EXPECT_GT(seen.filtered, few);
  EXPECT_GT(seen.blocked, few);
  EXPECT_GT(seen.called, 4 * few);
}

TEST(DirectSearchEntitiesPropertyTest, EqualsThePlainPassOnOneLevel) {
  checkScenes("DirectSearchEntitiesPropertyTest.One", 100, 1);
}
TEST(DirectSearchEntitiesPropertyTest, EqualsThePlainPassOnThreeLevels) {
  checkScenes("DirectSearchEntitiesPropertyTest.Three", 100, 3);
}

}  // namespace
}  // namespace fractalray::oracle::direct_search_entities_property_test
