// SPDX-License-Identifier: Apache-2.0
// Shots that read slice by slice equal the plain pass where the world is edited between shots and,
// by their effects, during shots: two twins of a scene are shot at and edited alike, one by either
// pass, and have the same calls and the same results.
//
// Thirty times as many where FRACTALRAY_LONG_TESTS is set. FRACTALRAY_STREAM_SHOTS=10000000 makes
// as many shots as it says, for a night.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::oracle {
namespace {

std::int64_t shotsToMake() {
  if (const char* const count = std::getenv("FRACTALRAY_STREAM_SHOTS"); count != nullptr) {
    return std::max<std::int64_t>(std::atoll(count), 1);
  }
  return isLongRun() ? 180'000 : 6'000;
}

// A scene that is edited by what is drawn from `rng`. Twins of the same state of it stay alike as
// long as they are called alike.
class Twin {
 public:
  Twin(Rng rng, int levels, SearchPass pass) : rng_(rng), scene_(rng_, levels), pass_(pass) {
    for (const BlockTypeId type : {kWater, kReeds, kGlass, kStone}) {
      if (rng_.oneIn(5)) continue;
      std::ignore = service_.onBlockHit(type, [this](const BlockHit& hit) { return act(hit); });
    }
    if (!rng_.oneIn(5)) service_.onEntityHit([this](const EntityHit& hit) { return act(hit); });
  }

  // Edits at times, then shoots. Returns what came of it: in `calls` and `result`.
  void shoot() {
    calls.clear();
    if (rng_.oneIn(3)) edit();
    one_in_ = rng_.pick({1, 3, 8, 1000});
    const std::vector<EntityId> ignore{2, 5, 9};
    QueryOptions options = hardOptions(rng_, ignore);
    options.pass = pass_;
    segment = scene_.segment(rng_);
    const LevelMask levels = scene_.levels(rng_);
    const absl::Status status = service_.shootSegment(segment, levels, options, result);
    EXPECT_TRUE(status.ok()) << status;
    if (result.hits.empty() || !rng_.oneIn(4)) return;
    if (rng_.oneIn(2)) edit();
    EXPECT_TRUE(service_.resume(result, levels, options).ok());
  }

  std::vector<std::string> calls;
  ShotResult result;
  FixedSegment segment;
  int edits = 0;

 private:
  HitResponse act(const Hit& hit) {
    calls.push_back(describe(hit));
    if (rng_.oneIn(one_in_)) {
      if (rng_.oneIn(2)) editHit(hit);
      for (int i = rng_.below(3); i > 0; --i)
        edit();
    }
    if (rng_.oneIn(6)) return HitResponse::kAgain;
    return rng_.oneIn(15) ? HitResponse::kStop : HitResponse::kContinue;
  }

  void editHit(const Hit& hit) {
    if (hit.isEntity()) {
      note(rng_.oneIn(2) ? scene_.entities().remove(hit.entity)
                         : scene_.entities().move(hit.entity, somePosition()));
    } else if (rng_.oneIn(3)) {
      note(scene_.world().expandBlock(hit.level, hit.block));
    } else {
      note(scene_.world().setBlock(hit.level, hit.block, someType()));
    }
  }

  // Most of these may fail, where there is nothing to edit: then they fail in both twins.
  void edit() {
    World& world = scene_.world();
    const HardScene::Spot spot = scene_.spot(rng_);
    const BlockTypeId type = someType();
    switch (rng_.below(10)) {
      case 0:
      case 1:
        return note(world.setBlock(spot.level, spot.block, type));
      case 2:
        return note(world.fillBox(spot.level, spot.block, spot.block + BlockCoord{2, 1, 1}, type));
      case 3:
        return note(world.expandBlock(spot.level, spot.block));
      case 4:
        return note(world.moveBlock(spot.level, spot.block, scene_.spot(rng_).block));
      case 5:
        if (rng_.oneIn(3)) return note(world.unloadChunk(spot.level, chunkOf(spot.block)));
        return note(world.loadChunk(spot.level, chunkOf(spot.block),
                                    Chunk::uniform(type, world.blockTypes())));
      default:
        return editEntities();
    }
  }
  void editEntities() {
    EntityIndex& entities = scene_.entities();
    const std::vector<EntityHandle> all = entities.all();
    const int what = all.empty() ? 0 : rng_.below(4);
    if (what == 0) return addEntity();
    const EntityHandle some =
        all[static_cast<std::size_t>(rng_.below(static_cast<int>(all.size())))];
    if (what == 1) return note(entities.remove(some));
    if (what == 2) return note(entities.move(some, somePosition()));
    return note(entities.update(
        some, {.level = rng_.below(entities.frame().levels()), .shape = someShape()}));
  }
  void addEntity() {
    const int level = rng_.below(scene_.world().frame().levels());
    note(scene_.entities()
             .add({.id = ++next_id_,
                   .level = level,
                   .shape = someShape(),
                   .position = somePosition(),
                   .categories = std::uint64_t{1} << rng_.below(4)})
             .status());
  }

  Shape someShape() {
    const double width =
        toBlocks(scene_.world().frame().blockWidth(rng_.below(scene_.world().frame().levels())));
    const auto size = [&] { return width * static_cast<double>(rng_.in(0, 16)) / 4; };
    if (rng_.oneIn(2)) return Sphere{size()};
    return Box{{size(), size(), size()}};
  }
  // In or near a block of the scene.
  Vec3d somePosition() {
    const HardScene::Spot spot = scene_.spot(rng_);
    const double width = toBlocks(scene_.world().frame().blockWidth(spot.level));
    Vec3d position;
    for (int axis = 0; axis < 3; ++axis) {
      position[axis] =
          (static_cast<double>(spot.block[axis]) + static_cast<double>(rng_.in(0, 4)) / 4) * width;
    }
    return position;
  }
  BlockTypeId someType() { return rng_.pick({kAir, kAir, kWater, kReeds, kStone}); }
  void note(const absl::Status& status) { edits += status.ok() ? 1 : 0; }

  Rng rng_;
  HardScene scene_;
  SearchPass pass_;
  RayQueryService service_{scene_.world(), scene_.entities()};
  EntityId next_id_ = 1000;
  int one_in_ = 1;
};

TEST(StreamEditsPropertyTest, SlicesEqualThePlainPassAmongEdits) {
  constexpr int kShotsInScene = 60;
  const std::int64_t shots = shotsToMake();
  Rng rng("StreamEditsPropertyTest");
  std::size_t hits = 0;
  std::int64_t edits = 0;
  std::int64_t long_shots = 0;
  for (std::int64_t shot = 0; shot < shots;) {
    const std::uint64_t seed = rng.next();
    const int levels = 1 + rng.below(4);
    Twin fast(Rng(seed), levels, SearchPass::kFast);
    Twin plain(Rng(seed), levels, SearchPass::kPlain);
    for (int i = 0; i < kShotsInScene && shot < shots; ++i, ++shot) {
      fast.shoot();
      plain.shoot();
      const std::string where = "shot " + std::to_string(i) + " of the scene of seed " +
                                std::to_string(seed) + ", " + std::to_string(levels) +
                                " levels: " + describe(fast.segment);
      ASSERT_EQ(fast.segment, plain.segment) << where;
      ASSERT_EQ(fast.calls, plain.calls) << where;
      ASSERT_EQ(difference(fast.result, plain.result), "") << where;
      hits += fast.result.hits.size();
      long_shots += fast.result.hits.size() > 10 ? 1 : 0;
    }
    ASSERT_EQ(fast.edits, plain.edits);
    edits += fast.edits;
  }
  if (shots < 1000) return;
  EXPECT_GT(hits, static_cast<std::size_t>(shots / 2));
  EXPECT_GT(edits, shots / 4);
  EXPECT_GT(long_shots, shots / 100) << "shots of three slices or more";
}

}  // namespace
}  // namespace fractalray::oracle
