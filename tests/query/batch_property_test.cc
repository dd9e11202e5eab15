// SPDX-License-Identifier: Apache-2.0
// Checks that batches whose effects edit at random equal the same shots one after another, call for
// call.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../../query/block_bindings.h"
#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"

namespace fractalray::oracle {
namespace {

// A scene, and queries into it, whose effects change it under later queries. Two of the same seed
// change in the same way as long as they are called in the same way.
class BusyScene {
 public:
  BusyScene(std::uint64_t seed, int levels, int queries, int one_in, CornerPolicy corner,
            bool reflected)
      : rng_(seed), one_in_(one_in), scene_(randomScene(rng_, levels, 25, 1200)) {
    for (int i = 0; i < queries; ++i) {
      const auto shooter = static_cast<EntityId>(rng_.in(1, 25));
      FixedSegment segment = randomSegment(rng_, *scene_);
      if (reflected) segment = randomReflection(rng_, segment, world().frame());
      LevelMask mask = world().allLevels();
      if (rng_.oneIn(6)) mask = LevelMask{rng_.below(levels)};
      if (rng_.oneIn(40)) mask = LevelMask{};
      queries_.push_back({.line = segment, .levels = mask, .ignore = {shooter}});
      if (rng_.oneIn(40)) std::get<FixedSegment>(queries_.back().line).to[1] = kMaxCoordinate + 1;
    }
    resumeAfterSomeHits(corner);
    entities_with_predicates_ = rng_.oneIn(3);
    looks_around_ = rng_.oneIn(3);
    for (std::uint16_t type = 1; type < 6; ++type)
      registerBlock(BlockTypeId(type));
    for (std::uint32_t entity_class = 0; entity_class < 3; ++entity_class)
      registerEntity(EntityClassId(entity_class));
    calls.clear();
  }

  World& world() { return scene_->world; }
  const std::vector<BatchQuery>& queries() const { return queries_; }
  const RayQueryService& service() const { return service_; }
  int changes() const { return changes_; }

  // Records every call, and what else can be seen of the scene.
  std::vector<std::string> calls;

 private:
  static constexpr int kDeepest = 3;

  // One query of three resumes after up to three hits, one of these with the wrong segment.
  void resumeAfterSomeHits(CornerPolicy corner) {
    before_.resize(queries_.size());
    for (std::size_t i = 0; i < queries_.size(); ++i) {
      BatchQuery& query = queries_[i];
      const QueryOptions options{.corner = corner,
                                 .max_hits = static_cast<std::size_t>(rng_.in(1, 3))};
      if (!rng_.oneIn(3)) continue;
      const auto shot =
          service_.shootSegment(std::get<FixedSegment>(query.line), query.levels, options);
      if (!shot.ok()) continue;
      before_[i] = shot->hits;
      query.after = before_[i];
      if (rng_.oneIn(30)) std::get<FixedSegment>(query.line).to[2] += 1;
    }
  }

  void registerBlock(BlockTypeId type) {
    if (rng_.oneIn(4)) return service_.removeBlockCallback(type);
    TerminalTest predicate = nullptr;
    if (rng_.oneIn(3)) {
      const auto salt = rng_.in(0, 2);
      predicate = [this, salt](const BlockHit& hit) {
        if (looks_around_ && isSolidAbove(hit)) return true;
        return (hit.block[0] + hit.block[1] + hit.block[2] + salt) % 3 == 0;
      };
    }
    if (rng_.oneIn(3)) {
      std::ignore = service_.onBlockHit(type, std::move(predicate), nullptr);
      return;
    }
    std::ignore = service_.onBlockHit(type, std::move(predicate),
                                      [this](const BlockHit& hit) { return act(Hit(hit)); });
  }
  void registerEntity(EntityClassId entity_class) {
    if (rng_.oneIn(4)) return service_.removeEntityCallback(entity_class);
    TerminalTest predicate = nullptr;
    if (entities_with_predicates_) {
      predicate = [](const EntityHit& hit) { return hit.id % 4 == 0; };
    }
    service_.onEntityHit(entity_class, std::move(predicate),
                         [this](const EntityHit& hit) { return act(Hit(hit)); });
  }

  // Reads the world, as a predicate may.
  bool isSolidAbove(const BlockHit& hit) const {
    const absl::StatusOr<BlockTypeId> above =
        scene_->world.block(hit.level, hit.block + BlockCoord{0, 1, 0});
    return above.ok() && *above == kStone;
  }

  HitResponse act(const Hit& hit) {
    calls.push_back(std::string(static_cast<std::size_t>(depth_), ' ') + describe(hit));
    if (rng_.oneIn(one_in_)) {
      for (int i = rng_.below(3); i >= 0; --i)
        change();
    }
    if (rng_.oneIn(6)) return HitResponse::kAgain;
    return rng_.oneIn(20) ? HitResponse::kStop : HitResponse::kContinue;
  }

  const BatchQuery& someQuery() {
    return queries_[static_cast<std::size_t>(rng_.below(static_cast<int>(queries_.size())))];
  }
  // On the line of any query.
  Vec3i somePoint() {
    const FixedSegment segment = std::get<FixedSegment>(someQuery().line);
    const std::int64_t t = rng_.in(0, 64);
    Vec3i point;
    for (int axis = 0; axis < 3; ++axis) {
      point[axis] = segment.from[axis] + segment.delta()[axis] / 64 * t;
    }
    return point;
  }

  // Most of these may fail if there is nothing to change: then they fail in both scenes.
  void change() {
    const int level = rng_.below(world().frame().levels());
    const BlockCoord block = world().frame().blockAt(somePoint(), level);
    const BlockTypeId type = rng_.pick({kAir, kAir, kWater, kReeds, kStone});
    absl::Status status;
    switch (rng_.below(15)) {
      case 0:
      case 1:
        status = world().setBlock(level, block, type);
        break;
      case 2:
        status = world().moveBlock(level, block, world().frame().blockAt(somePoint(), level));
        break;
      case 3:
        status = world().fillBox(level, block, block + BlockCoord{1, 1, 1}, type);
        break;
      case 4:
        status = world().unloadChunk(level, chunkOf(block));
        break;
      case 5:
        status =
            world().loadChunk(level, chunkOf(block),
                              Chunk::uniform(rng_.oneIn(2) ? kAir : type, world().blockTypes()));
        break;
      case 6:
        status = world().expandBlock(level, block);
        break;
      case 7:
      case 8:
      case 9:
        status = changeEntity(level);
        break;
      case 10:
        registerBlock(BlockTypeId(static_cast<std::uint16_t>(rng_.in(1, 5))));
        break;
      case 13:
        status = changeBound(level, block);
        break;
      case 11:
        registerEntity(EntityClassId(static_cast<std::uint32_t>(rng_.below(3))));
        break;
      default:
        nest();
    }
    changes_ += status.ok() ? 1 : 0;
  }

  absl::Status changeEntity(int level) {
    const std::vector<EntityHandle> all = scene_->entities.all();
    const int what = all.empty() ? 0 : rng_.below(4);
    if (what == 0) {
      return scene_->entities
          .add({.id = ++next_id_,
                .level = level,
                .shape = Box{{1, 1, 1}},
                .position = toBlocks(somePoint())})
          .status();
    }
    const EntityHandle some =
        all[static_cast<std::size_t>(rng_.below(static_cast<int>(all.size())))];
    if (what == 1) return scene_->entities.remove(some);
    if (what == 2) {
      EntityUpdate update{.shape = Sphere{static_cast<double>(rng_.in(0, 80)) / 4}};
      if (rng_.oneIn(2)) update.level = level;
      if (rng_.oneIn(2)) update.position = toBlocks(somePoint());
      if (rng_.oneIn(2)) update.categories = rng_.next();
      update.entity_class = EntityClassId(static_cast<std::uint32_t>(rng_.below(3)));
      return scene_->entities.update(some, update);
    }
    return scene_->entities.move(some, toBlocks(somePoint()));
  }

  // Binds some entities to a block of a query's line, and moves them with it.
  absl::Status changeBound(int level, const BlockCoord& block) {
    for (const EntityHandle entity : scene_->entities.all()) {
      if (rng_.oneIn(8)) std::ignore = bindings_.bind(entity, level, block);
    }
    const BlockCoord to = world().frame().blockAt(somePoint(), level);
    switch (rng_.below(4)) {
      case 0:
        return bindings_.removeBlock(level, block);
      case 1:
        return bindings_.unloadChunk(level, chunkOf(block));
      default:
        return bindings_.moveBlock(level, block, to);
    }
  }

  // Asks a shot, or a batch of some, from an effect.
  void nest() {
    if (depth_ == kDeepest) return;
    ++depth_;
    const BatchQuery query = someQuery();
    if (rng_.oneIn(2)) {
      const auto shot = service_.shootSegment(std::get<FixedSegment>(query.line), query.levels);
      calls.push_back(shot.ok() ? std::to_string(shot->hits.size()) : shot.status().ToString());
    } else {
      ShotBatch batch;
      const std::vector<BatchQuery> some = {query, someQuery(), someQuery()};
      EXPECT_TRUE(service_.shootSegment(some, {}, batch).ok());
      calls.push_back(std::to_string(batch.hits.size()));
    }
    --depth_;
  }

  Rng rng_;
  int one_in_;
  std::unique_ptr<RandomScene> scene_;
  RayQueryService service_{scene_->world, scene_->entities};
  BlockBindings bindings_{scene_->world, scene_->entities};
  std::vector<BatchQuery> queries_;
  std::vector<std::vector<Hit>> before_;  // the hits that queries resume after
  bool entities_with_predicates_ = false;
  bool looks_around_ = false;
  EntityId next_id_ = 1000;
  int depth_ = 0;
  int changes_ = 0;
};

// Stops at entities of every second category, and pays for all else.
TerminalRules someRules() {
  TerminalRules rules;
  const BudgetId water = rules.addBudget(20).value();
  const BudgetId all = rules.addBudget(5).value();
  EXPECT_TRUE(rules.setBlock(kWater, TerminalRule::costPerBlock(water, 1)).ok());
  EXPECT_TRUE(rules.setBlock(kReeds, TerminalRule::costPerHit(all, 1)).ok());
  EXPECT_TRUE(rules.setEntities(0xaa, TerminalRule::stopShot()).ok());
  EXPECT_TRUE(rules.setEntities(0xff, TerminalRule::costPerHit(all, 0.5)).ok());
  return rules;
}

QueryOptions randomOptions(Rng& rng) {
  static const TerminalRules rules = someRules();
  QueryOptions options;
  options.corner = static_cast<CornerPolicy>(rng.below(3));
  if (rng.oneIn(4)) options.filter.channel = kVisible;
  if (rng.oneIn(4)) options.max_hits = static_cast<std::size_t>(rng.in(0, 6));
  options.report_unknown = rng.oneIn(3);
  options.stop_at_unknown = rng.oneIn(5);
  options.filter.skip_start_inside = rng.oneIn(6);
  if (rng.oneIn(6)) options.max_steps = static_cast<std::uint64_t>(rng.in(0, 60));
  if (rng.oneIn(6)) {
    options.filter.block_filter = [](const BlockHit& hit) { return hit.block[1] % 4 != 0; };
  }
  if (rng.oneIn(8)) options.pass = SearchPass::kPlain;
  if (rng.oneIn(3)) options.rules = &rules;
  options.report_level_spans = options.corner == CornerPolicy::kBoth;
  return options;
}

struct Outcome {
  std::vector<absl::Status> statuses;
  std::vector<ShotResult> results;
};

Outcome shootInOrder(BusyScene& scene, const QueryOptions& options) {
  Outcome outcome;
  for (const BatchQuery& query : scene.queries()) {
    QueryOptions own = options;
    own.filter.ignore = query.ignore;
    own.after = query.after;
    ShotResult& result = outcome.results.emplace_back();
    outcome.statuses.push_back(scene.service().shootSegment(std::get<FixedSegment>(query.line),
                                                            query.levels, own, result));
    scene.calls.emplace_back("next");
  }
  return outcome;
}

void expectSame(const ShotBatch& batch, const Outcome& expected) {
  ASSERT_EQ(batch.shots.size(), expected.results.size());
  for (std::size_t i = 0; i < batch.shots.size(); ++i) {
    ASSERT_EQ(batch.shots[i].status, expected.statuses[i]) << "query " << i;
    if (absl::IsInvalidArgument(batch.shots[i].status)) continue;
    if (absl::IsOutOfRange(batch.shots[i].status)) continue;
    ASSERT_EQ(difference(resultOf(batch, i), expected.results[i]), "") << "query " << i;
    ASSERT_EQ(batch.shots[i].version, expected.results[i].version) << "query " << i;
  }
}

// Ten times as many if the environment variable FRACTALRAY_LONG_TESTS is set.
void checkRandomBatches(std::string_view name, int levels, int batches, int queries, int one_in,
                        bool reflected = false) {
  batches = casesToDraw(batches, 10 * batches);
  Rng rng(name);
  const auto ways = waysToRun();
  int changes = 0;
  std::size_t hits = 0;
  std::size_t reruns = 0;
  std::size_t shots = 0;
  std::vector<ShotBatch> kept(ways.size());
  for (int i = 0; i < batches; ++i) {
    const std::uint64_t seed = rng.next();
    const QueryOptions options = randomOptions(rng);
    BusyScene serial(seed, levels, queries, one_in, options.corner, reflected);
    const Outcome expected = shootInOrder(serial, options);
    std::erase(serial.calls, "next");
    for (std::size_t way = 0; way < ways.size(); ++way) {
      SCOPED_TRACE(std::string(name) + " batch " + std::to_string(i) + " from seed " +
                   std::to_string(seed) + ", " + ways[way].first + ", " + describe(options));
      BusyScene scene(seed, levels, queries, one_in, options.corner, reflected);
      ShotBatch& batch = kept[way];
      ASSERT_TRUE(
          scene.service().shootSegment(scene.queries(), options, batch, ways[way].second).ok());
      ASSERT_EQ(scene.calls, serial.calls);
      ASSERT_NO_FATAL_FAILURE(expectSame(batch, expected));
      reruns += batch.reruns;
      shots += batch.shots.size();
      ASSERT_EQ(batch.reruns, kept[0].reruns) << "it depends on threads";
    }
    changes += serial.changes();
    for (const ShotResult& result : expected.results)
      hits += result.hits.size();
  }
  EXPECT_GT(changes, batches * 3);
  EXPECT_GT(hits, static_cast<std::size_t>(batches * queries / 4));
  EXPECT_GT(reruns, 0U);
  EXPECT_LT(reruns, shots) << "no prepared shot was valid";
}

TEST(BatchPropertyTest, BatchesEqualShotsOnOneLevel) {
  checkRandomBatches("BatchPropertyTest.One", 1, 150, 60, 4);
}
TEST(BatchPropertyTest, BatchesEqualShotsOnTwoLevels) {
  checkRandomBatches("BatchPropertyTest.Two", 2, 150, 60, 4);
}
TEST(BatchPropertyTest, BatchesEqualShotsOnFourLevels) {
  checkRandomBatches("BatchPropertyTest.Four", 4, 100, 60, 4);
}
TEST(BatchPropertyTest, ReflectedLines) {
  checkRandomBatches("BatchPropertyTest.Reflected", 2, 100, 60, 2, true);
}
TEST(BatchPropertyTest, BatchesEqualShotsWithManyQueriesAndFewChanges) {
  checkRandomBatches("BatchPropertyTest.Many", 2, 12, 1500, 20);
}
TEST(BatchPropertyTest, BatchesEqualShotsIfEveryCallChangesSomething) {
  checkRandomBatches("BatchPropertyTest.Busy", 2, 40, 80, 1);
}

}  // namespace
}  // namespace fractalray::oracle
