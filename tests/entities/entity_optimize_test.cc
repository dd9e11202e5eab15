// SPDX-License-Identifier: Apache-2.0
// Checks that an index answers the same whether, and whenever, its crowds are put in order: crowds
// at one point, on a line, in a plane, in a block, at the faces of chunks, of all sizes.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../../query/hit_cursor.h"
#include "../../query/ray_query_service.h"
#include "../oracle/rng.h"
#include "../oracle/shot_compare.h"
#include "index_content.h"
#include "index_questions.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr int kCrowdLevels = 2;  // chunks are 16 and 256 blocks wide

// Says how the entities of a crowd lie, and how large they are.
struct CrowdKind {
  const char* name;
  Vec3d (*position)(Rng& rng);
  double most_radius;
};

double within(Rng& rng, double min, double max) {
  return min + (max - min) * static_cast<double>(rng.in(0, 1 << 20)) / (1 << 20);
}
Vec3d anywhere(Rng& rng, double min, double max) {
  return {within(rng, min, max), within(rng, min, max), within(rng, min, max)};
}

constexpr CrowdKind kCrowdKinds[] = {
    {"InABlock", [](Rng& rng) { return anywhere(rng, 8, 9); }, 0.3},
    {"AtAPoint",
     [](Rng&) {
       return Vec3d{8.5, 8.25, 8.125};
     },
     0.5},
    {"InAPlane",
     [](Rng& rng) {
       return Vec3d{within(rng, -16, 16), 8, within(rng, 0, 16)};
     },
     0.5},
    {"OnALine",
     [](Rng& rng) {
       return Vec3d{within(rng, -20, 20), 4.5, 3.25};
     },
     0.5},
    {"AtCorners",
     [](Rng& rng) {
       const auto corner = [&] { return 16.0 * rng.below(2) + rng.pick({0.0, 0.0, -0.25, 0.125}); };
       return Vec3d{corner(), corner(), corner()};
     },
     0.5},
    {"InAChunk", [](Rng& rng) { return anywhere(rng, 0, 16); }, 1},
    {"InEightChunks", [](Rng& rng) { return anywhere(rng, -16, 16); }, 1},
    {"WiderThanAChunk", [](Rng& rng) { return anywhere(rng, -16, 16); }, 15.9},
    {"OfTwoLevels", [](Rng& rng) { return anywhere(rng, -16, 16); }, 40},
};
void PrintTo(const CrowdKind& kind, std::ostream* out) {
  *out << kind.name;
}

// Two indices with the same edits, of which one is put in order now and then.
class OptimizeTest : public testing::TestWithParam<CrowdKind> {
 protected:
  EntitySpec randomSpec() {
    EntitySpec spec{.id = next_id_++, .level = rng_.below(kCrowdLevels)};
    spec.position = GetParam().position(rng_);
    const double most = GetParam().most_radius;
    spec.shape = Sphere{within(rng_, 0, most)};
    if (rng_.oneIn(3)) {
      spec.shape = Box{{within(rng_, 0, most), within(rng_, 0, most), within(rng_, 0, most)}};
    }
    return spec;
  }
  void addMany(int count) {
    std::vector<EntitySpec> specs;
    for (int i = 0; i < count; ++i)
      specs.push_back(randomSpec());
    const std::vector<EntityHandle> added = optimized_.addAll(specs).value();
    ASSERT_EQ(plain_.addAll(specs).value(), added);
    handles_.insert(handles_.end(), added.begin(), added.end());
  }
  void editSome() {
    for (int i = rng_.below(60); i > 0; --i) {
      const auto number = static_cast<std::size_t>(rng_.below(static_cast<int>(handles_.size())));
      const EntityHandle handle = handles_[number];
      Vec3d position = toBlocks(plain_.find(handle)->position);
      switch (rng_.below(8)) {
        case 0:
          ASSERT_TRUE(plain_.remove(handle).ok() && optimized_.remove(handle).ok());
          handles_.erase(handles_.begin() + static_cast<std::ptrdiff_t>(number));
          addMany(1);
          break;
        case 1: {
          const EntityUpdate update{.shape = randomSpec().shape};
          ASSERT_TRUE(plain_.update(handle, update).ok() && optimized_.update(handle, update).ok());
          break;
        }
        case 2:
          position = GetParam().position(rng_);
          [[fallthrough]];
        default:
          position[rng_.below(3)] += within(rng_, -1, 1);
          ASSERT_TRUE(plain_.move(handle, position).ok() && optimized_.move(handle, position).ok());
      }
    }
  }
  void expectSameAnswers() {
    ASSERT_EQ(contentOf(plain_, true), contentOf(optimized_, true));
    const IndexQuestions questions(rng_, kCrowdLevels, 12, {8, 8, 8}, 30);
    const IndexQuestions::Answers expected = questions.ask(plain_, SearchPass::kFast);
    for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain})
      ASSERT_EQ(IndexQuestions::difference(questions.ask(optimized_, pass), expected), "");
    for (int i = 0; i < 20; ++i)
      ASSERT_NO_FATAL_FAILURE(expectSameShot(throughTheCrowd()));
  }
  // Returns a segment through a position of the crowd, mostly along axes, faces and diagonals.
  Segment throughTheCrowd() {
    const Vec3d middle = GetParam().position(rng_);
    Vec3d along;
    for (int axis = 0; axis < 3; ++axis)
      along[axis] = rng_.oneIn(4) ? within(rng_, -1, 1) : static_cast<double>(rng_.in(-1, 1));
    return {middle - along * rng_.pick({0.0, 1.0, 40.0}), middle + along * rng_.pick({1.0, 40.0})};
  }
  void expectSameShot(const Segment& segment) {
    const ShotResult expected = in_plain_.shootSegment(segment).value();
    const ShotResult shot = in_optimized_.shootSegment(segment).value();
    ASSERT_EQ(oracle::difference(shot, expected), "");
    hits_ += shot.hits.size();
    ASSERT_LE(shot.stats.index_cells, expected.stats.index_cells);
    ASSERT_LE(shot.stats.entities_tested, expected.stats.entities_tested);
    const ClosestHit closest = in_optimized_.closestHit(segment).value();
    ASSERT_EQ(closest.hit.has_value(), !expected.hits.empty());
    if (closest.hit.has_value()) {
      ASSERT_TRUE(oracle::isSame(*closest.hit, expected.hits.front()));
    }
  }

  Rng rng_{absl::StrCat("OptimizeTest.", GetParam().name)};
  World world_{{.levels = kCrowdLevels}};
  EntityIndex plain_{Frame(kCrowdLevels)};
  EntityIndex optimized_{Frame(kCrowdLevels)};
  RayQueryService in_plain_{world_, plain_};
  RayQueryService in_optimized_{world_, optimized_};
  std::vector<EntityHandle> handles_;
  EntityId next_id_ = 0;
  std::size_t hits_ = 0;
};

TEST_P(OptimizeTest, AnswersAreThoseOfAnIndexThatIsNotOptimized) {
  addMany(300);
  std::size_t chunks = 0;
  for (int round = 0; round < 60; ++round) {
    ASSERT_NO_FATAL_FAILURE(editSome());
    if (rng_.oneIn(2)) chunks += optimized_.optimize();
    ASSERT_NO_FATAL_FAILURE(expectSameAnswers()) << "round " << round;
  }
  EXPECT_GT(chunks, 10U);
  EXPECT_GT(hits_, 100U);
}

TEST_P(OptimizeTest, SnapshotsBeforeAndAfterStayAsTheyAre) {
  addMany(200);
  const IndexQuestions questions(rng_, kCrowdLevels, 20, {8, 8, 8}, 20);
  std::vector<std::shared_ptr<const EntityIndex>> snapshots;
  std::vector<IndexQuestions::Answers> expected;
  for (int round = 0; round < 8; ++round) {
    if (round % 2 == 1) optimized_.optimize();
    snapshots.push_back(optimized_.snapshot());
    expected.push_back(questions.ask(plain_, SearchPass::kFast));
    if (round % 4 == 2) optimized_.optimize();
    ASSERT_NO_FATAL_FAILURE(editSome());
    for (std::size_t i = 0; i < snapshots.size(); ++i) {
      ASSERT_EQ(
          IndexQuestions::difference(questions.ask(*snapshots[i], SearchPass::kFast), expected[i]),
          "")
          << "snapshot " << i << " in round " << round;
    }
  }
}

TEST_P(OptimizeTest, AShotThatPausesContinuesAfterIt) {
  addMany(300);
  for (int round = 0; round < 30; ++round) {
    const Segment segment = throughTheCrowd();
    const ShotResult expected = in_plain_.shootSegment(segment).value();
    ShotResult resumed =
        in_optimized_.shootSegment(segment, LevelMask::all(), {.max_hits = 2}).value();
    optimized_.optimize();
    if (resumed.truncated) {
      ASSERT_TRUE(in_optimized_.resume(resumed, LevelMask::all(), {}).ok());
    }
    ASSERT_EQ(resumed.hits.size(), expected.hits.size());
    absl::StatusOr<HitCursor> cursor = in_optimized_.hitsAlong(segment);
    ASSERT_TRUE(cursor.ok());
    for (std::size_t i = 0; i < expected.hits.size(); ++i) {
      ASSERT_TRUE(oracle::isSame(resumed.hits[i], expected.hits[i])) << i;
      const absl::StatusOr<const Hit*> hit = cursor->next();
      ASSERT_TRUE(hit.ok() && *hit != nullptr);
      ASSERT_TRUE(oracle::isSame(**hit, expected.hits[i])) << i;
      if (i % 4 != 1) continue;
      // Comes out of order, and into order again.
      const Vec3d position = toBlocks(plain_.find(handles_.front())->position);
      ASSERT_TRUE(plain_.move(handles_.front(), position).ok());
      ASSERT_TRUE(optimized_.move(handles_.front(), position).ok());
      optimized_.optimize();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Crowds, OptimizeTest, testing::ValuesIn(kCrowdKinds),
                         [](const testing::TestParamInfo<CrowdKind>& crowd) {
                           return std::string(crowd.param.name);
                         });

}  // namespace
}  // namespace fractalray
