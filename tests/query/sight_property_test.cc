// SPDX-License-Identifier: Apache-2.0
// Sight of boxes in random worlds of all kinds against the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"
#include "../oracle/sight_oracle.h"
#include "sight_check.h"
#include "sight_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

class SightPropertyTest : public testing::TestWithParam<int> {};

// A million pairs of all kinds in a long run, a seventh of them where a sanitizer watches.
TEST_P(SightPropertyTest, AnswersAreThoseOfTheOracle) {
  Rng rng = oracle::rngOf("SightPropertyTest" + std::to_string(GetParam()));
  std::array<int, 3> count{};
  for (int i = 0; i < rounds(300, oracle::kIsSanitized ? 20'000 : 143'000); ++i) {
    const std::uint64_t seed = rng.seed();
    const SightCase made = randomCase(rng, static_cast<SceneKind>(GetParam()));
    const oracle::ExactSight exact = oracle::exactSight(made.query, made.scene(), i % 3 == 0);
    const absl::StatusOr<SightAnswer> answer =
        made.service().visible(made.query, made.levels, made.allOptions());
    ASSERT_TRUE(answer.ok()) << answer.status() << ", " << oracle::repeatBy(seed) << "\n"
                             << made.text();
    const std::optional<std::string> fault = faultOf(made, *answer, exact);
    ASSERT_FALSE(fault.has_value())
        << *fault << ", " << oracle::repeatBy(seed) << ", round " << i << "\n"
        << made.text();
    ++count[static_cast<std::size_t>(exact.sight)];
    if (i % 3 != 0) continue;
    const absl::StatusOr<ExposureAnswer> share =
        made.service().exposure(made.query, made.levels, made.allOptions());
    ASSERT_TRUE(share.ok()) << share.status() << ", " << oracle::repeatBy(seed);
    const std::optional<std::string> wrong = faultOf(made, *share, exact);
    ASSERT_FALSE(wrong.has_value()) << *wrong << ", " << oracle::repeatBy(seed) << "\n"
                                    << made.text();
  }
  EXPECT_GT(count[0], 0) << "nothing is hidden";
  EXPECT_GT(count[2], 0) << "nothing is visible";
  if (static_cast<SceneKind>(GetParam()) == SceneKind::kUnloaded) {
    EXPECT_GT(count[1], 0) << "nothing is unknown";
  }
}

// A line of sight may be refused with as many steps as its answer reports (docs/cost.md), so only
// what follows from any limit is checked: the answer without one, or none.
TEST_P(SightPropertyTest, LimitsOfStepsNeverChangeAnAnswer) {
  Rng rng = oracle::rngOf("SightSteps" + std::to_string(GetParam()));
  int cut_off = 0;
  int answered = 0;
  for (int i = 0; i < rounds(40, 2000); ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    const SightCase made = randomCase(rng, static_cast<SceneKind>(GetParam()));
    const RayQueryService service = made.service();
    SightOptions options = made.allOptions();
    const absl::StatusOr<SightAnswer> whole = service.visible(made.query, made.levels, options);
    ASSERT_TRUE(whole.ok()) << whole.status();
    const std::uint64_t steps = whole->stats.steps();
    for (const std::uint64_t limit :
         {std::uint64_t{0}, steps / 4, steps / 2, steps - std::min<std::uint64_t>(steps, 1), steps,
          4 * steps + 1000}) {
      options.max_steps = limit;
      SightAnswer answer;
      const absl::Status status = service.visible(made.query, made.levels, options, answer);
      if (status.ok()) {
        EXPECT_EQ(answer.sight, whole->sight) << limit;
        EXPECT_LE(answer.stats.steps(), limit);
        ++answered;
      } else {
        EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
        EXPECT_LE(limit, steps) << "refused with more than enough steps";
        EXPECT_EQ(answer.sight, Sight::kUndecided);
        EXPECT_TRUE(answer.certificate.empty() && !answer.witness.has_value());
        ++cut_off;
      }
    }
  }
  EXPECT_GT(cut_off, 0);
  EXPECT_GT(answered, 0);
}

TEST_P(SightPropertyTest, LimitsOfStepsNeverChangeAShare) {
  Rng rng = oracle::rngOf("ShareSteps" + std::to_string(GetParam()));
  int cut_off = 0;
  int answered = 0;
  for (int i = 0; i < rounds(40, 2000); ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    const SightCase made = randomCase(rng, static_cast<SceneKind>(GetParam()));
    const RayQueryService service = made.service();
    SightOptions options = made.allOptions();
    const absl::StatusOr<ExposureAnswer> whole = service.exposure(made.query, made.levels, options);
    ASSERT_TRUE(whole.ok()) << whole.status();
    const std::uint64_t steps = whole->stats.steps();
    for (const std::uint64_t limit : {std::uint64_t{0}, steps / 2, steps, 4 * steps + 1000}) {
      options.max_steps = limit;
      ExposureAnswer share;
      const absl::Status status = service.exposure(made.query, made.levels, options, share);
      if (status.ok()) {
        EXPECT_EQ(share.from, whole->from) << limit;
        EXPECT_EQ(share.to, whole->to) << limit;
        EXPECT_LE(share.stats.steps(), limit);
        ++answered;
      } else {
        EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
        EXPECT_LE(limit, steps) << "refused with more than enough steps";
        EXPECT_EQ(share.from, 0);
        EXPECT_EQ(share.to, 1);
        ++cut_off;
      }
    }
  }
  EXPECT_GT(cut_off, 0);
  EXPECT_GT(answered, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, SightPropertyTest, testing::Range(0, kSceneKinds));

}  // namespace
}  // namespace fractalray::sight_test
