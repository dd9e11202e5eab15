// SPDX-License-Identifier: Apache-2.0
// Checks the rank of a hit in the order of hits: computed from the hit alone it is that of the
// candidate, exactly, and hits that the line does not have there are refused.
#include "../../query/internal/shot/resume_point.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/shot_compare.h"
#include "hard_scene.h"

namespace fractalray::internal {
namespace {

using oracle::HardScene;
using oracle::Rng;
using ::testing::HasSubstr;

QueryContext contextOf(const World& world, const EntityIndex& entities, const FixedSegment& segment,
                       const QueryOptions& options) {
  return {.world = world,
          .entities = entities,
          .callbacks = nullptr,
          .options = options,
          .levels = world.allLevels(),
          .line = Line(segment)};
}

void expectCandidateOf(const Hit& hit, const Candidate& candidate) {
  EXPECT_EQ(candidate.isBlock(), hit.isBlock());
  EXPECT_EQ(candidate.level, hit.level);
  EXPECT_EQ(candidate.time.toDouble(), hit.t);
  if (hit.isBlock()) {
    EXPECT_EQ(candidate.block, hit.block);
    EXPECT_EQ(candidate.step, hit.step);
    EXPECT_EQ(candidate.face, hit.face);
  } else {
    EXPECT_EQ(candidate.entity, hit.entity);
    EXPECT_EQ(candidate.entity_id, hit.id);
  }
}

TEST(ResumePointTest, HitsHaveTheRankOfTheirCandidates) {
  Rng rng("ResumePointTest");
  int blocks = 0;
  int entities = 0;
  int ties = 0;
  for (int number = 0; number < 60; ++number) {
    HardScene scene(rng, 1 + rng.below(4));
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < 40; ++i) {
      const FixedSegment segment = scene.segment(rng);
      const QueryOptions options{.corner = static_cast<CornerPolicy>(rng.below(3))};
      const ShotResult shot =
          service.shootSegment(segment, scene.world().allLevels(), options).value();
      const QueryContext context = contextOf(scene.world(), scene.entities(), segment, options);
      std::vector<Candidate> ranks;
      for (const Hit& hit : shot.hits) {
        const absl::StatusOr<Candidate> candidate = candidateFromHit(hit, context);
        ASSERT_TRUE(candidate.ok()) << candidate.status() << "\n" << oracle::describe(hit);
        expectCandidateOf(hit, *candidate);
        ranks.push_back(*candidate);
        ++(hit.isBlock() ? blocks : entities);
      }
      for (std::size_t k = 1; k < ranks.size(); ++k) {
        ASSERT_TRUE(comesBefore(ranks[k - 1], ranks[k])) << oracle::describe(shot.hits[k]);
        ties += ranks[k - 1].time == ranks[k].time ? 1 : 0;
      }
    }
  }
  EXPECT_GT(blocks, 1000);
  EXPECT_GT(entities, 100);
  EXPECT_GT(ties, 100);
}

class MisfitTest : public testing::Test {
 protected:
  MisfitTest() {
    const BlockTypeId stone = *world_.blockTypes().add({.name = "stone"});
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
    EXPECT_TRUE(world_.setBlock(0, {9, 2, 2}, stone).ok());
    EXPECT_TRUE(entities_.add({.id = 7, .shape = Sphere{0.5}, .position = {5.5, 2.5, 2.5}}).ok());
    const ShotResult shot = RayQueryService(world_, entities_).shootSegment(kLine).value();
    EXPECT_EQ(shot.hits.size(), 2U);
    entity_ = shot.hits.front();
    block_ = shot.hits.back();
  }
  // Returns the rank of a hit on a line, from hit alone: nothing is in the world any more.
  absl::StatusOr<Candidate> rankOf(const Hit& hit, const Segment& line = kLine) const {
    const World empty;
    const EntityIndex none(empty.frame());
    const QueryOptions options;
    return candidateFromHit(hit, contextOf(empty, none, toUnits(line).value(), options));
  }
  void expectMisfit(const Hit& hit, const char* message) const {
    const absl::Status status = rankOf(hit).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }

  static constexpr Segment kLine{.from = {0.5, 2.5, 2.5}, .to = {15, 2.5, 2.5}};
  World world_;
  EntityIndex entities_{world_.frame()};
  Hit entity_;
  Hit block_;
};

TEST_F(MisfitTest, TheWorldIsNotRead) {
  EXPECT_TRUE(rankOf(entity_).ok());
  EXPECT_TRUE(rankOf(block_).ok());
}

TEST_F(MisfitTest, ABlockIsVisitedThereThroughThatFace) {
  Hit hit = block_;
  hit.t += 0x1p-40;
  expectMisfit(hit, "block [9, 2, 2] of level 0");
  hit = block_;
  hit.block[1] = 3;
  expectMisfit(hit, "does not come into it there");
  hit = block_;
  hit.block[0] = std::int64_t{1} << 50;
  expectMisfit(hit, "does not come into it there");
  hit = block_;
  hit.step = 2;
  expectMisfit(hit, "corner policy");
  hit = block_;
  hit.face = {1, -1};
  expectMisfit(hit, "corner policy");
  EXPECT_FALSE(rankOf(block_, {.from = {0.5, 2.5, 2.5}, .to = {8, 2.5, 2.5}}).ok());
}

TEST_F(MisfitTest, AnEntityIsIntersectedThereAndInTheFrame) {
  Hit hit = entity_;
  hit.t += 0x1p-40;
  expectMisfit(hit, "entity 7 of level 0");
  hit = entity_;
  hit.position[1] += kUnitsPerBlock;
  expectMisfit(hit, "does not intersect its shape there");
  hit = entity_;
  hit.position[0] = kMaxCoordinate;
  expectMisfit(hit, "does not intersect its shape there");
  hit = entity_;
  hit.shape.half_extents[0] = -1;
  expectMisfit(hit, "does not intersect its shape there");
}

TEST_F(MisfitTest, SomethingWasHitOnAnActiveLevel) {
  expectMisfit(Hit(), "nothing was hit");
  Hit hit = block_;
  hit.level = 1;
  expectMisfit(hit, "levels are 0 to 0");
}

}  // namespace
}  // namespace fractalray::internal
