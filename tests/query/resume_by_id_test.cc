// SPDX-License-Identifier: Apache-2.0
// Checks queries that resume after hits of another process, whose entities have other handles.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../oracle/shot_compare.h"
#include "hard_scene.h"
#include "resume_fixture.h"
#include "world_parts.h"

namespace fractalray {
namespace {

// Another corridor with the same entities, which were added in the reverse order.
class ResumeByIdTest : public ResumeTest {
 protected:
  ResumeByIdTest()
      : other_world_({.levels = 2, .block_types = oracle::sceneTypes()}),
        other_entities_(other_world_.frame()),
        there_(other_world_, other_entities_) {
    for (std::int64_t x = 0; x < 4; ++x)
      EXPECT_TRUE(other_world_.loadChunk(1, {x, 0, 0}, Chunk()).ok());
  }

  void addThere(EntityId id, double x) {
    ASSERT_TRUE(other_entities_
                    .add({.id = id,
                          .level = 1,
                          .shape = Box{{0.25, 0.25, 0.25}},
                          .position = {x + 0.5, 0.5, 0.5}})
                    .ok());
  }
  // Adds entities 1 to `count`, each `apart` blocks after the one before, and shoots them here.
  void addBoth(int count, int apart) {
    for (int i = 1; i <= count; ++i)
      addEntity(static_cast<EntityId>(i), 3 + apart * i);
    for (int i = count; i >= 1; --i)
      addThere(static_cast<EntityId>(i), 3 + apart * i);
    shoot();
    ASSERT_EQ(result_.hits.size(), static_cast<std::size_t>(count));
  }
  std::span<const Hit> first(std::size_t count) const {
    return std::span<const Hit>(result_.hits).first(count);
  }
  std::string shootThere(const QueryOptions& options) const {
    return textOf(there_.shootSegment(result_.segment, other_world_.allLevels(), options));
  }
  using ResumeTest::textOf;

  World other_world_;
  EntityIndex other_entities_;
  RayQueryService there_;
};

TEST_F(ResumeByIdTest, TheHandlesOfAnotherIndexMeanOtherEntities) {
  addBoth(4, 3);
  EXPECT_EQ(textOf(result_), "e1@6 e2@9 e3@12 e4@15");
  EXPECT_EQ(shootThere({.after = first(1), .after_by_id = true}), "e2@9 e3@12 e4@15");
  EXPECT_EQ(shootThere({.after = first(1)}), "e2@9 e3@12") << "entity 4 has the handle of 1";
  EXPECT_EQ(shootThere({.after = first(2), .after_by_id = true}), "e3@12 e4@15");
  EXPECT_EQ(resume(result_.hits[0], {.after_by_id = true}), "e2@9 e3@12 e4@15") << "in place";
}

TEST_F(ResumeByIdTest, EveryQueryAndLongLists) {
  addBoth(12, 3);
  const LevelMask levels = other_world_.allLevels();
  for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
    QueryOptions options{
        .entities_block = true, .after = first(11), .after_by_id = true, .pass = pass};
    EXPECT_EQ(shootThere(options), "e12@39");
    const ClosestHit closest = there_.closestHit(result_.segment, levels, options).value();
    ASSERT_TRUE(closest.hit.has_value());
    EXPECT_EQ(closest.hit->id, 12U);
    EXPECT_EQ(there_.occluded(result_.segment, levels, options).value(), Occlusion::kBlocked);
    HitCursor cursor = there_.hitsAlong(result_.segment, levels, options).value();
    const Hit* const next = cursor.next().value();
    ASSERT_NE(next, nullptr);
    EXPECT_EQ(next->id, 12U);
    EXPECT_EQ(cursor.next().value(), nullptr);
    options.after = {};
    const std::vector<BatchQuery> queries(
        3, BatchQuery{.line = result_.segment, .levels = levels, .after = first(11)});
    const ShotBatch batch = there_.shootSegment(queries, options).value();
    const ClosestBatch closest_batch = there_.closestHit(queries, options).value();
    for (std::size_t i = 0; i < queries.size(); ++i) {
      ASSERT_EQ(batch.hitsOf(i).size(), 1U);
      EXPECT_EQ(batch.hitsOf(i)[0].id, 12U);
      EXPECT_EQ(closest_batch.answers[i].id, 12U);
    }
    options.after_by_id = false;
    options.after = first(11);
    EXPECT_EQ(shootThere(options), "");
  }
}

TEST_F(ResumeByIdTest, EntitiesThatAreGoneOrHaveMovedThere) {
  addBoth(4, 3);
  ASSERT_TRUE(other_entities_.remove(*other_entities_.findId(1)).ok());
  ASSERT_TRUE(other_entities_.move(*other_entities_.findId(2), {20.5, 0.5, 0.5}).ok());
  EXPECT_EQ(shootThere({.after = first(2), .after_by_id = true}), "e3@12 e4@15");
  EXPECT_EQ(shootThere({.after = first(1), .after_by_id = true}), "e3@12 e4@15 e2@20");
}

TEST_F(ResumeByIdTest, TiesAreInTheOrderOfIds) {
  addBoth(5, 0);
  for (std::size_t i = 1; i < 5; ++i) {
    std::string left;
    for (std::size_t id = i + 1; id <= 5; ++id)
      left += (left.empty() ? "e" : " e") + std::to_string(id) + "@3";
    EXPECT_EQ(shootThere({.after = first(i), .after_by_id = true}), left);
    EXPECT_EQ(shootThere({.after = first(i).subspan(i - 1), .after_by_id = true}), left);
  }
}

TEST_F(ResumeByIdTest, AnIdThatIsUsedAgainIsTheSameEntity) {
  const EntityHandle removed = addEntity(1, 3);
  addEntity(2, 6);
  shoot();
  ASSERT_TRUE(entities_.remove(removed).ok());
  addEntity(1, 20);
  EXPECT_EQ(resume(result_.hits[0]), "e2@6 e1@20");
  EXPECT_EQ(resume(result_.hits[0], {.after_by_id = true}), "e2@6");
}

TEST_F(ResumeByIdTest, AResultThatIsResumedThere) {
  addBoth(4, 3);
  shoot({.max_hits = 2});
  ShotResult by_handle = result_;
  ASSERT_TRUE(there_.resume(result_, other_world_.allLevels(), {.after_by_id = true}).ok());
  EXPECT_EQ(textOf(result_), "e1@6 e2@9 e3@12 e4@15");
  ASSERT_TRUE(there_.resume(by_handle, other_world_.allLevels()).ok());
  EXPECT_EQ(textOf(by_handle), "e1@6 e2@9");
}

// Returns how the shot after the first hits differs, in a copy of the scene, from the rest of them.
std::string differenceAfter(const RayQueryService& there, const ShotResult& shot, std::size_t count,
                            LevelMask levels, QueryOptions options) {
  options.after = std::span<const Hit>(shot.hits).first(count);
  options.after_by_id = true;
  ShotResult rest = there.shootSegment(shot.segment, levels, options).value();
  if (rest.hits.size() != shot.hits.size() - count) {
    return "after " + std::to_string(count) + " of " + std::to_string(shot.hits.size()) +
           " hits come " + std::to_string(rest.hits.size());
  }
  for (std::size_t i = 0; i < rest.hits.size(); ++i) {
    const Hit& expected = shot.hits[count + i];
    rest.hits[i].entity = expected.entity;
    if (!oracle::isSame(rest.hits[i], expected))
      return oracle::describe(rest.hits[i]) + "\ninstead of " + oracle::describe(expected);
  }
  return "";
}

TEST(ResumeByIdPropertyTest, ShotsResumeInACopyAsInTheirOwnWorld) {
  oracle::Rng rng("ResumeByIdPropertyTest");
  int resumed = 0;
  int entities = 0;
  for (int number = 0; number < 60; ++number) {
    const std::uint64_t seed = rng.seed();
    const auto scene = oracle::randomScene(rng, static_cast<int>(rng.in(1, 3)), 80, 1000);
    const auto copy = oracle::reordered(rng, scene->world, scene->entities);
    const RayQueryService here(scene->world, scene->entities);
    const RayQueryService there(copy->world, copy->entities);
    for (int i = 0; i < 12; ++i) {
      const QueryOptions options{.corner = static_cast<CornerPolicy>(rng.below(3)),
                                 .pass = rng.oneIn(3) ? SearchPass::kPlain : SearchPass::kFast};
      const LevelMask levels = scene->world.allLevels();
      const FixedSegment line = oracle::randomSegment(rng, *scene);
      const ShotResult shot = here.shootSegment(line, levels, options).value();
      for (std::size_t count = 1; count < shot.hits.size(); ++count) {
        ASSERT_EQ(differenceAfter(there, shot, count, levels, options), "")
            << "scene " << number << " from seed " << seed << ", " << oracle::describe(line);
        ++resumed;
        entities += shot.hits[count - 1].isEntity() ? 1 : 0;
      }
    }
  }
  EXPECT_GT(resumed, 100);
  EXPECT_GT(entities, 20);
}

}  // namespace
}  // namespace fractalray
