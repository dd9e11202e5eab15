// SPDX-License-Identifier: Apache-2.0
// Checks batches of mere lines: they are the batch of queries with these lines and levels, for each
// verb, whether the batch is filled or returned.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../oracle/random_scene.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"

namespace fractalray::oracle {
namespace {

template <class Line>
Line lineOf(const FixedSegment& segment) {
  const Segment blocks = toBlocks(segment);
  if constexpr (std::same_as<Line, FixedSegment>) {
    return segment;
  } else if constexpr (std::same_as<Line, Segment>) {
    return blocks;
  } else {
    const Vec3d along = blocks.to - blocks.from;
    return {.origin = blocks.from, .direction = along, .max_distance = length(along)};
  }
}

std::string textOf(const std::vector<BatchError>& errors) {
  std::string text;
  for (const BatchError& error : errors)
    text += std::to_string(error.query) + ": " + error.status.ToString() + "\n";
  return text;
}

void expectSame(const ShotBatch& a, const ShotBatch& b) {
  ASSERT_EQ(a.shots.size(), b.shots.size());
  EXPECT_EQ(a.completed, b.completed);
  for (std::size_t i = 0; i < a.shots.size(); ++i) {
    EXPECT_EQ(a.shots[i].status, b.shots[i].status) << i;
    EXPECT_EQ(difference(resultOf(a, i), resultOf(b, i)), "") << i;
  }
}

// Takes ClosestBatch and CompactBatch.
template <class Batch>
void expectSameHits(const Batch& a, const Batch& b) {
  ASSERT_EQ(a.answers.size(), b.answers.size());
  EXPECT_EQ(a.completed, b.completed);
  EXPECT_EQ(textOf(a.errors), textOf(b.errors));
  for (std::size_t i = 0; i < a.answers.size(); ++i) {
    if constexpr (std::same_as<Batch, CompactBatch>) {
      EXPECT_EQ(a.answers[i], b.answers[i]) << i;
    } else {
      EXPECT_TRUE(isSame(a.answers[i], b.answers[i])) << i;
    }
  }
}

void expectSame(const OcclusionBatch& a, const OcclusionBatch& b) {
  EXPECT_EQ(a.answers, b.answers);
  EXPECT_EQ(a.completed, b.completed);
  EXPECT_EQ(textOf(a.errors), textOf(b.errors));
}

template <class Line>
class BatchLinesTest : public testing::Test {
 protected:
  BatchLinesTest() {
    for (int i = 0; i < 200; ++i)
      lines_.push_back(lineOf<Line>(randomSegment(rng_, *scene_)));
    lines_.push_back(lineOf<Line>({.from = {0, 0, 0}, .to = {kMaxCoordinate, 0, 0}}));
    for (const Line& line : lines_) {
      queries_.push_back({.line = line});
      of_level_.push_back({.line = line, .levels = LevelMask{1}});
    }
  }

  Rng rng_{"BatchLinesTest"};
  std::unique_ptr<RandomScene> scene_ = randomScene(rng_, 3, 30, 600);
  RayQueryService service_{scene_->world, scene_->entities};
  std::vector<Line> lines_;
  std::vector<BatchQuery> queries_;
  std::vector<BatchQuery> of_level_;
  ThreadExecutor executor_{2};
};

using Lines = testing::Types<Segment, FixedSegment, Ray>;
TYPED_TEST_SUITE(BatchLinesTest, Lines);

TYPED_TEST(BatchLinesTest, AreQueriesOnAllLevels) {
  ShotBatch shots;
  ASSERT_TRUE(this->service_.shootSegment(this->lines_, {}, shots, this->executor_).ok());
  expectSame(shots, *this->service_.shootSegment(this->queries_));
  EXPECT_GT(shots.hits.size(), 100U);
  ClosestBatch closest;
  ASSERT_TRUE(this->service_.closestHit(this->lines_, {}, closest, this->executor_).ok());
  expectSameHits(closest, *this->service_.closestHit(this->queries_));
  CompactBatch compact;
  ASSERT_TRUE(this->service_.closestHit(this->lines_, {}, compact, this->executor_).ok());
  expectSameHits(compact, *this->service_.template closestHit<CompactBatch>(this->queries_));
  OcclusionBatch sight;
  ASSERT_TRUE(this->service_.occluded(this->lines_, {}, sight, this->executor_).ok());
  expectSame(sight, *this->service_.occluded(this->queries_));
}

TYPED_TEST(BatchLinesTest, TakeTheLevelsOfTheirBatch) {
  const BatchQueries lines(this->lines_, LevelMask{1});
  expectSame(*this->service_.shootSegment(lines), *this->service_.shootSegment(this->of_level_));
  expectSameHits(*this->service_.closestHit({this->lines_, LevelMask{1}}),
                 *this->service_.closestHit(this->of_level_));
  expectSameHits(*this->service_.template closestHit<CompactBatch>(lines),
                 *this->service_.template closestHit<CompactBatch>(this->of_level_));
  expectSame(*this->service_.occluded(lines), *this->service_.occluded(this->of_level_));
}

TYPED_TEST(BatchLinesTest, ContinueWhereTheStepsRanOut) {
  const QueryOptions options{.max_batch_steps = 2000};
  ShotBatch cut;
  ASSERT_TRUE(this->service_.shootSegment(this->lines_, options, cut).ok());
  ASSERT_LT(cut.completed, this->lines_.size());
  ASSERT_TRUE(this->service_.resume(this->lines_, {}, cut).ok());
  EXPECT_EQ(cut.completed, this->lines_.size());
  EXPECT_EQ(cut.hits.size(), this->service_.shootSegment(this->queries_)->hits.size());
}

TEST(BatchQueriesTest, AreMadeFromWhateverASpanIsMadeFrom) {
  std::array<Ray, 2> array;
  const Segment in_c[3] = {};  // NOLINT(modernize-avoid-c-arrays): what is tested
  std::vector<FixedSegment> vector(4);
  const std::vector<BatchQuery> queries(5);
  EXPECT_EQ(BatchQueries(array).size(), 2U);
  EXPECT_EQ(BatchQueries(in_c).size(), 3U);
  EXPECT_EQ(BatchQueries(vector).size(), 4U);
  EXPECT_EQ(BatchQueries(std::span(vector).first(1)).size(), 1U);
  EXPECT_EQ(BatchQueries(queries).size(), 5U);
  EXPECT_EQ(BatchQueries(std::span(queries).subspan(2)).size(), 3U);
  EXPECT_TRUE(BatchQueries().empty());
  EXPECT_EQ(BatchQueries(vector).levels(), LevelMask::all());
}

}  // namespace
}  // namespace fractalray::oracle
