// SPDX-License-Identifier: Apache-2.0
// Checks entities in crowds, near and far: the fast pass finds the plain one's hits to the last
// bit, and both find the oracle's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "hard_scene.h"

namespace fractalray::oracle::entity_pass_property_test {
namespace {

// How often the tests are repeated: more if FRACTALRAY_LONG_TESTS is set.
int scaled(int count) {
  return isLongRun() ? 30 * count : count;
}

constexpr EntityClassId kMeek{1};
constexpr EntityClassId kTough{2};  // ends a shot where predicates are registered

// A crowd around a corner of chunks of one index level, in a world with little in it.
class Crowd {
 public:
  Crowd(Rng& rng, int levels, int count) : scene_(levels, randomCenter(rng, levels)) {
    level_ = rng.below(levels);
    width_ = frame().chunkWidth(level_);
    corner_ = scene_.center;
    // The crowd is mostly close to a corner of areas too, so that there is something on every side
    // of it.
    const std::int64_t scale = rng.pick<std::int64_t>({1, 4, 16});
    for (int axis = 0; axis < 3; ++axis) {
      corner_[axis] =
          corner_[axis] / (16 * width_) * (16 * width_) + rng.in(-1, 1) * scale * width_;
      corner_[axis] =
          std::clamp(corner_[axis], -kMaxCoordinate + 4 * width_, kMaxCoordinate - 4 * width_);
    }
    is_sparse_ = rng.oneIn(3);
    for (int i = 0; i < count; ++i)
      addEntity(rng, static_cast<EntityId>(i));
    for (int level = 0; level < levels; ++level)
      loadSome(rng, level);
  }

  const RandomScene& scene() const { return scene_; }
  EntityIndex& entities() { return scene_.entities; }
  const Frame& frame() const { return scene_.world.frame(); }
  // The length of a segment in chunks of the crowd's level, on its longest axis.
  std::int64_t chunksLong(const FixedSegment& segment) const {
    std::int64_t most = 0;
    for (int axis = 0; axis < 3; ++axis)
      most = std::max(most, std::abs(segment.delta()[axis]));
    return most / width_;
  }

  // Moves it to a point near the corner, or a little from its position.
  EntityMove randomMove(Rng& rng, EntityHandle entity) const {
    Vec3i position = scene_.entities.find(entity)->position;
    if (rng.oneIn(2)) {
      position = pointNearby(rng);
    } else {
      position[rng.below(3)] += rng.in(-width_ / 8, width_ / 8);
    }
    return {entity, toBlocks(clamped(position))};
  }

  // Returns a line that looks for trouble: mostly through a point of some entity's surface.
  FixedSegment segment(Rng& rng) const {
    Vec3i point = pointNearby(rng);
    if (!rng.oneIn(6)) {
      const std::vector<EntityHandle> all = scene_.entities.all();
      const auto some = static_cast<std::size_t>(rng.below(static_cast<int>(all.size())));
      const Entity& entity = *scene_.entities.find(all[some]);
      point = entity.position;
      const bool is_sphere = entity.shape.kind == FixedShape::Kind::kSphere;
      const int only = is_sphere ? rng.below(3) : -1;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t half = entity.shape.half_extents[axis];
        if (only < 0 || only == axis) point[axis] += rng.pick({half, -half, std::int64_t{0}});
      }
    }
    point = clamped(point);
    Vec3i step;
    const int kind = rng.below(5);
    for (int axis = 0; axis < 3; ++axis) {
      if (kind < 2) step[axis] = rng.in(-1, 1) * (width_ / 4);
      if (kind == 2) step[axis] = rng.in(-3, 3) * (width_ / 16);
      if (kind == 3) step[axis] = rng.in(-width_ / 2, width_ / 2);
      if (kind == 4) step[axis] = rng.in(-9, 9);
    }
    // The line goes towards another point, often of the same lattice.
    if (rng.oneIn(4)) step = pointNearby(rng) - point;
    const auto steps = [&](const Vec3i& along) {
      const std::int64_t most = mostSteps(point, along);
      return std::min(
          most, rng.pick({rng.in(0, 30), rng.in(0, 30), rng.in(0, 2), rng.in(0, 1000), most}));
    };
    return {point - step * steps(step * -1), point + step * steps(step)};
  }

 private:
  // The origin, near it, or near an end of the frame: a corner of chunks of all levels.
  static Vec3i randomCenter(Rng& rng, int levels) {
    const std::int64_t width = Frame(levels).chunkWidth(0);
    const std::int64_t end = kMaxCoordinate / width - 1;
    const int where = rng.below(3);
    Vec3i center{};
    for (int axis = 0; axis < 3; ++axis) {
      if (where == 1) center[axis] = rng.in(-20, 20) * width;
      if (where == 2) center[axis] = rng.pick({end, -end, end / 3, std::int64_t{0}}) * width;
    }
    return center;
  }
  Vec3i clamped(Vec3i point) const {
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = std::clamp(point[axis], -kMaxCoordinate, kMaxCoordinate);
    return point;
  }
  // Around the corner: on it, on the lattice of its chunks or a part of it, or anywhere.
  Vec3i pointNearby(Rng& rng) const {
    const std::int64_t lattice =
        rng.pick({width_, width_ / 2, width_ / 4, width_ / 16, std::int64_t{1}});
    if (rng.oneIn(8)) return corner_;
    const std::int64_t reach = (is_sparse_ ? 40 : 2) * width_;
    Vec3i point = corner_;
    for (int axis = 0; axis < 3; ++axis) {
      point[axis] += rng.in(-reach, reach) / lattice * lattice;
      if (rng.oneIn(12)) point[axis] += rng.pick<std::int64_t>({-1, 1});
    }
    return clamped(point);
  }
  void addEntity(Rng& rng, EntityId id) {
    EntitySpec spec;
    spec.id = id;
    spec.level = rng.below(frame().levels());  // often with chunks that it is larger than
    spec.entity_class = EntityClassId(static_cast<std::uint32_t>(rng.below(3)));
    spec.categories = std::uint64_t{1} << rng.below(4);
    spec.position = toBlocks(pointNearby(rng));
    FixedShape shape;
    const auto half = [&] {
      return rng.pick({std::int64_t{0}, width_ / 16, width_ / 12, width_ / 12, width_ / 4,
                       width_ - 1, rng.in(0, width_ / 8), rng.in(0, width_ - 1)});
    };
    shape.half_extents = {half(), half(), half()};
    if (rng.oneIn(2)) {
      shape.kind = FixedShape::Kind::kBox;
    } else {
      shape.half_extents = {shape.half_extents[0], shape.half_extents[0], shape.half_extents[0]};
    }
    spec.shape = toBlocks(shape);
    // At an end of the frame it may reach out of it; then there is one less.
    (void)scene_.entities.add(spec);
  }
  // Nothing on some levels; chunks with air, with a few blocks, and placeholders on the others.
  void loadSome(Rng& rng, int level) {
    World& world = scene_.world;
    const int kind = rng.below(4);
    if (kind == 0) return;
    const ChunkCoord center = frame().chunkAt(corner_, level);
    for (int i = 0; i < 4; ++i) {
      ChunkCoord at = center;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] += rng.in(-1, 0);
      if (!frame().contains(level, at) || world.chunk(level, at) != nullptr) continue;
      if (kind == 1) {
        (void)world.placeProtoChunk(level, at);  // there may be one
        continue;
      }
      (void)world.loadChunk(level, at, Chunk::uniform(kAir, world.blockTypes()));
      for (int block = kind == 2 ? 0 : rng.below(400); block > 0; --block) {
        (void)world.setBlock(level, blockOf(at, rng.below(kBlocksPerChunk)),
                             rng.pick({kWater, kWater, kReeds, kStone}));
      }
    }
  }

  RandomScene scene_;
  int level_ = 0;
  std::int64_t width_ = 1;
  Vec3i corner_{};
  bool is_sparse_ = false;
};

// Counts the cases that the shots have covered; each must have occurred.
struct Seen {
  int shots = 0;
  int entities = 0;  // hits of entities
  int blocks = 0;
  int in_several_chunks = 0;  // hits of entities in several chunks
  int touched = 0;            // at one point, after the start
  int inside = 0;
  int ties = 0;
  int truncated = 0;
  int terminated = 0;  // by an entity
  int many = 0;        // shots with ten hits or more
  int far = 0;         // hits of shots over many areas
  int closest = 0;     // entities that are the closest thing
  int blocked = 0;

  void add(const Crowd& crowd, const ShotResult& shot) {
    const Hit* before = nullptr;
    ++shots;
    many += shot.hits.size() >= 10 ? 1 : 0;
    truncated += shot.truncated ? 1 : 0;
    for (const Hit& hit : shot.hits) {
      ties += before != nullptr && before->t == hit.t ? 1 : 0;
      before = &hit;
      ++(hit.isEntity() ? entities : blocks);
      if (!hit.isEntity()) continue;
      in_several_chunks += crowd.scene().entities.chunks(hit.entity).size() > 1 ? 1 : 0;
      touched += hit.t > 0 && hit.t_exit == hit.t ? 1 : 0;
      inside += hit.start_inside ? 1 : 0;
      terminated += hit.terminal ? 1 : 0;
      far += crowd.chunksLong(shot.segment) > 100 ? 1 : 0;
    }
  }
};

// One query to the library and to the oracle.
class Asker {
 public:
  Asker(const Crowd& crowd, const RayQueryService& service, const FixedSegment& segment,
        LevelMask levels, const QueryOptions& options)
      : crowd_(crowd), service_(service), segment_(segment), levels_(levels), options_(options) {}

  // Returns the differences, or "". Asks the oracle too if `with_oracle` says so.
  std::string check(bool with_oracle, const Rules& rules, Seen& seen) {
    options_.pass = SearchPass::kPlain;
    const ShotResult plain = service_.shootSegment(segment_, levels_, options_).value();
    options_.pass = SearchPass::kFast;
    const ShotResult fast = service_.shootSegment(segment_, levels_, options_).value();
    std::string text = difference(fast, plain) + twice(fast) +
                       differenceOfClosest(with_oracle, seen) +
                       differenceOfSights(with_oracle, seen);
    if (with_oracle) {
      const RandomScene& scene = crowd_.scene();
      text +=
          difference(fast, shoot(scene.world, scene.entities, segment_, levels_, options_, rules),
                     segment_, options_);
    }
    seen.add(crowd_, fast);
    if (text.empty()) return text;
    const RandomScene& scene = crowd_.scene();
    return text + describe(segment_) + ", levels " + formatLevelMask(levels_) + ", " +
           describe(options_) + "\n" +
           (scene.entities.size() < 12 ? describe(scene.world, scene.entities, segment_) : "");
  }

 private:
  static std::string twice(const ShotResult& shot) {
    std::set<EntityId> ids;
    for (const Hit& hit : shot.hits) {
      if (hit.isEntity() && !ids.insert(hit.id).second) {
        return "entity " + std::to_string(hit.id) + " twice\n";
      }
    }
    return "";
  }

  std::string differenceOfClosest(bool with_oracle, Seen& seen) const {
    QueryOptions options = options_;
    options.stop_at_unknown = false;
    const ClosestHit fast = service_.closestHit(segment_, levels_, options).value();
    options.pass = SearchPass::kPlain;
    const ClosestHit plain = service_.closestHit(segment_, levels_, options).value();
    const bool both = fast.hit.has_value() && plain.hit.has_value();
    if (fast.hit.has_value() != plain.hit.has_value() || (both && !isSame(*fast.hit, *plain.hit)) ||
        fast.unknown_from != plain.unknown_from) {
      return "closest, fast against plain\n";
    }
    seen.closest += fast.hit.has_value() && fast.hit->isEntity() ? 1 : 0;
    if (!with_oracle) return "";
    std::vector<OracleHit> hits = candidates(options);
    if (hits.empty() != !fast.hit.has_value()) return "closest, none for one\n";
    if (hits.empty()) return "";
    if (!hits.front().is_entity) {
      const BlockTypeTable& types = crowd_.scene().world.blockTypes();
      hits.front().terminal =
          types.kind(hits.front().type, options.filter.channel) == BlockKind::kSolid;
    }
    return isSame(*fast.hit, hits.front()) ? ""
                                           : "closest, oracle " + describe(hits.front()) + "\n";
  }

  std::string differenceOfSights(bool with_oracle, Seen& seen) const {
    QueryOptions options{.filter = {.channel = options_.filter.channel,
                                    .categories = options_.filter.categories,
                                    .ignore = options_.filter.ignore,
                                    .skip_start_inside = options_.filter.skip_start_inside},
                         .entities_block = true,
                         .corner = options_.corner};
    const Occlusion fast = service_.occluded(segment_, levels_, options).value();
    options.pass = SearchPass::kPlain;
    if (service_.occluded(segment_, levels_, options).value() != fast) {
      return "occluded, fast against plain\n";
    }
    seen.blocked += fast == Occlusion::kBlocked ? 1 : 0;
    if (!with_oracle) return "";
    const bool is_blocked =
        !candidates({.filter = {.channel = options.filter.channel,
                                .solid_only = true,
                                .categories = options.filter.categories,
                                .ignore = options.filter.ignore,
                                .skip_start_inside = options.filter.skip_start_inside},
                     .corner = options.corner})
             .empty();
    return is_blocked == (fast == Occlusion::kBlocked) ? "" : "occluded, against the oracle\n";
  }
  std::vector<OracleHit> candidates(const QueryOptions& options) const {
    return oracle::candidates(crowd_.scene().world, crowd_.scene().entities, segment_, levels_,
                              options);
  }

  const Crowd& crowd_;
  const RayQueryService& service_;
  const FixedSegment segment_;
  const LevelMask levels_;
  QueryOptions options_;
};

QueryOptions crowdOptions(Rng& rng, const std::vector<EntityId>& ignore) {
  QueryOptions options = hardOptions(rng, ignore);
  options.filter.entities = true;
  if (!rng.oneIn(4)) options.filter.categories = QueryFilter().categories;
  if (rng.oneIn(4)) options.filter.categories = std::uint64_t{1} << rng.below(4);
  if (rng.oneIn(4)) {
    options.filter.entity_filter = [](const EntityHit& hit) { return hit.id % 3 != 0; };
  }
  return options;
}

void checkCrowds(std::string_view name, int crowds, const std::vector<int>& sizes,
                 int shots_for_each) {
  Rng rng(name);
  Seen seen;
  std::vector<EntityId> ignore;
  for (EntityId id = 0; id < 300; id += 7)
    ignore.push_back(id);
  for (int number = 0; number < scaled(crowds); ++number) {
    const std::uint64_t seed = rng.seed();
    const int size = sizes[static_cast<std::size_t>(number) % sizes.size()];
    Crowd crowd(rng, 1 + rng.below(kMaxLevels), size);
    if (crowd.entities().size() == 0) continue;
    RayQueryService service(crowd.scene().world, crowd.entities());
    Rules rules;
    if (rng.oneIn(2)) {
      service.onEntityHit(
          kTough, [](const EntityHit&) { return true; }, nullptr);
      rules.entity_stops = [](EntityClassId entity_class) { return entity_class == kTough; };
    }
    for (int i = 0; i < shots_for_each; ++i) {
      const FixedSegment segment = crowd.segment(rng);
      const LevelMask levels =
          rng.oneIn(3) ? LevelMask{rng.below(crowd.frame().levels()), rng.below(kMaxLevels)}
                       : crowd.scene().world.allLevels();
      if (levels.activeIn(crowd.frame()).empty()) continue;
      // The oracle takes its time with each of them.
      const bool with_oracle = size <= 33 || i % 8 == 0;
      Asker asker(crowd, service, segment, levels, crowdOptions(rng, ignore));
      ASSERT_EQ(asker.check(with_oracle, rules, seen), "")
          << name << ": crowd " << number << " of " << size << " from seed " << seed << ", shot "
          << i;
      if (i % 10 != 9) continue;
      std::vector<EntityMove> moves;
      for (const EntityHandle entity : crowd.entities().all()) {
        if (rng.oneIn(3)) moves.push_back(crowd.randomMove(rng, entity));
      }
      (void)crowd.entities().moveAll(moves);  // none, where one would leave the frame
    }
  }
  const int some = seen.shots / 100;
  EXPECT_GT(seen.entities, 30 * some);
  EXPECT_GT(seen.blocks, some / 4);
  EXPECT_GT(seen.in_several_chunks, 20 * some);
  EXPECT_GT(seen.touched, 5 * some);
  EXPECT_GT(seen.inside, 3 * some);
  EXPECT_TRUE(sizes.back() < 8 || seen.ties > some);
  EXPECT_GT(seen.truncated, some);
  EXPECT_GT(seen.terminated, some);
  EXPECT_GT(seen.far, 5 * some);
  EXPECT_GT(seen.closest, 20 * some);
  EXPECT_GT(seen.blocked, 10 * some);
  EXPECT_TRUE(sizes.back() < 100 || seen.many > some);
}

TEST(EntityPassPropertyTest, AFewEntitiesAreHitAsByTheOracle) {
  checkCrowds("EntityPassPropertyTest.AFew", 150, {1, 2, 3, 5}, 40);
}
TEST(EntityPassPropertyTest, SomePagesOfEntitiesAreHitAsByTheOracle) {
  checkCrowds("EntityPassPropertyTest.Some", 60, {8, 9, 17, 33}, 40);
}
TEST(EntityPassPropertyTest, CrowdsAreHitAsByTheOracle) {
  checkCrowds("EntityPassPropertyTest.Crowds", 120, {65, 100, 300}, 40);
}

// Shoots with effects that move, remove and add entities; returns all that was reported, in order.
std::vector<std::string> shootWithEffects(std::uint64_t seed, SearchPass pass, int& resumed) {
  Rng rng(seed);
  Crowd crowd(rng, 1 + rng.below(4), rng.pick({3, 9, 33, 100}));
  EntityIndex& entities = crowd.entities();
  RayQueryService service(crowd.scene().world, entities);
  std::vector<std::string> reported;
  EntityId next_id = 1000;
  service.onEntityHit(
      kTough, [](const EntityHit&) { return true; }, nullptr);
  service.onEntityHit(kMeek, [&](const EntityHit& hit) {
    for (const EntityHandle entity : entities.all()) {
      if (entities.find(entity)->entity_class == kTough && rng.oneIn(2)) {
        reported.push_back(
            entities.remove(entity).ToString());  // the one that ends the shot, perhaps
        ++resumed;
      } else if (rng.oneIn(8)) {
        const EntityMove move = crowd.randomMove(rng, entity);
        reported.push_back(entities.move(move.entity, move.position).ToString());
      }
    }
    EntitySpec spec;
    spec.id = next_id++;
    spec.position = hit.point;
    spec.entity_class = kTough;
    reported.push_back(entities.add(spec).status().ToString());
    return HitResponse::kContinue;
  });
  const std::vector<EntityId> none;
  for (int i = 0; i < 15 && entities.size() > 0; ++i) {
    QueryOptions options = crowdOptions(rng, none);
    options.pass = pass;
    const FixedSegment segment = crowd.segment(rng);
    const ShotResult shot =
        service.shootSegment(segment, crowd.scene().world.allLevels(), options).value();
    reported.push_back(describe(segment));
    for (const Hit& hit : shot.hits)
      reported.push_back(describe(hit));
    reported.push_back(shot.terminated ? "terminated" : shot.truncated ? "truncated" : "through");
  }
  return reported;
}

TEST(EntityPassPropertyTest, PassesAgreeUnderEffectsThatChangeTheCrowd) {
  Rng rng("EntityPassPropertyTest.Effects");
  int resumed = 0;
  for (int i = 0; i < scaled(250); ++i) {
    const std::uint64_t seed = rng.next();
    const std::vector<std::string> plain = shootWithEffects(seed, SearchPass::kPlain, resumed);
    const std::vector<std::string> fast = shootWithEffects(seed, SearchPass::kFast, resumed);
    for (std::size_t line = 0; line < std::min(plain.size(), fast.size()); ++line)
      ASSERT_EQ(fast[line], plain[line]) << "seed " << seed << ", line " << line;
    ASSERT_EQ(fast.size(), plain.size()) << "seed " << seed;
  }
  EXPECT_GT(resumed, 300);
}

}  // namespace
}  // namespace fractalray::oracle::entity_pass_property_test
