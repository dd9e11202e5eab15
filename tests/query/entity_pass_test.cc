// SPDX-License-Identifier: Apache-2.0
// Checks the entity passes where a shot resumes or ends far along its line, case by case.
#include <gtest/gtest.h>

#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray::oracle::entity_pass_test {
namespace {

constexpr EntityClassId kMeek{1};
constexpr EntityClassId kTough{2};  // ends a shot

// The entity that ended the shot is removed, far along a long line; the next ones are in the same
// area.
TEST(EntityPassTest, ResumingFarAlongALongLineHitsTheNextEntities) {
  for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
    RandomScene scene(1, {});
    const auto add = [&](EntityId id, EntityClassId entity_class, double x) {
      return scene.entities.add({.id = id, .entity_class = entity_class, .position = {x, 0.5, 0.5}})
          .value();
    };
    add(1, kMeek, 300);
    const EntityHandle wall = add(2, kTough, 320);
    add(3, EntityClassId{}, 340);
    add(4, EntityClassId{}, 5000);
    add(5, kTough, 5100);
    RayQueryService service(scene.world, scene.entities);
    service.onEntityHit(
        kTough, [](const EntityHit&) { return true; }, nullptr);
    service.onEntityHit(kMeek, [&](const EntityHit&) {
      EXPECT_TRUE(scene.entities.remove(wall).ok());
      return HitResponse::kContinue;
    });
    const ShotResult shot =
        service.shootSegment({{0, 0.5, 0.5}, {90000, 1.5, 3.5}}, LevelMask{0}, {.pass = pass})
            .value();
    std::vector<EntityId> ids;
    for (const Hit& hit : shot.hits)
      ids.push_back(hit.id);
    EXPECT_EQ(ids, (std::vector<EntityId>{1, 3, 4, 5}));
  }
}

// The same with all hits at once, by a hair before the end of their chunk (or of an area).
TEST(EntityPassTest, ResumingHitsEntitiesOfTheSameTime) {
  for (const double edge : {16.0, 256.0, 4096.0}) {
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
      RandomScene scene(1, {});
      const auto add_plate = [&](EntityId id) {
        return scene.entities
            .add({.id = id,
                  .entity_class = id == 1 ? kMeek : kTough,
                  .shape = Box{{0, 1, 1}},
                  .position = {edge - 1.0 / static_cast<double>(kUnitsPerBlock), 8, 8}})
            .value();
      };
      for (const EntityId id : {EntityId{1}, EntityId{3}, EntityId{4}})
        add_plate(id);
      EntityHandle second;
      RayQueryService service(scene.world, scene.entities);
      service.onEntityHit(
          kTough, [](const EntityHit&) { return true; }, nullptr);
      service.onEntityHit(kMeek, [&](const EntityHit&) {
        EXPECT_TRUE(scene.entities.remove(second).ok());
        return HitResponse::kContinue;
      });
      for (const double end : {edge + 1, edge + 9000}) {
        second = add_plate(2);
        const ShotResult shot =
            service.shootSegment({{0, 8, 8}, {end, 8, 8}}, LevelMask{0}, {.pass = pass}).value();
        ASSERT_EQ(shot.hits.size(), 2U) << "at " << edge << ", to " << end;
        EXPECT_EQ(shot.hits[1].id, 3U);
      }
    }
  }
}

// The terminal hit is known before all that is on coarser index levels, and not to the last unit.
TEST(EntityPassTest, ATerminalHitFarAwayHidesNothingBeforeIt) {
  for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
    RandomScene scene(2, {});
    const double edge = 0x1p44;  // of areas of both levels
    const auto add = [&](EntityId id, double x, double size) {
      const absl::StatusOr<EntityHandle> plate =
          scene.entities.add({.id = id,
                              .entity_class = id == 9 ? kTough : kMeek,
                              .shape = Box{{0, size, size}},
                              .position = {x, 8, 8}});
      ASSERT_TRUE(plate.ok()) << plate.status();
    };
    add(9, edge + 1.0 / 64, 1);
    add(1, edge + 1.0 / 128, 20);  // on the coarser index level
    add(2, edge - 1.0 / 128, 20);
    add(3, edge + 1.0 / 32, 20);
    RayQueryService service(scene.world, scene.entities);
    service.onEntityHit(
        kTough, [](const EntityHit&) { return true; }, nullptr);
    for (const double from : {-0x1p45, 0.0, edge - 10}) {
      const ShotResult shot =
          service.shootSegment({{from, 8, 8}, {0x1p45, 8, 8}}, LevelMask{0}, {.pass = pass})
              .value();
      std::vector<EntityId> ids;
      for (const Hit& hit : shot.hits)
        ids.push_back(hit.id);
      EXPECT_EQ(ids, (std::vector<EntityId>{2, 1, 9})) << "from " << from;
    }
  }
}

}  // namespace
}  // namespace fractalray::oracle::entity_pass_test
