// SPDX-License-Identifier: Apache-2.0
// Checks replaying batches whose steps ran out in a shot, which was then continued.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../formats/replay/query_replay.h"
#include "../oracle/random_scene.h"
#include "recording_fixture.h"

namespace fractalray {
namespace {

using ::testing::ElementsAre;

class ReplayOfPartsTest : public RecordingTest {
 protected:
  // Shoots through the corridor with few steps, calls `between`, and records while the rest is
  // shot. Repeats that for any number of steps that cuts the shot after a hit, and calls `check`.
  void forEachCut(const std::function<void()>& reset, const std::function<void()>& between,
                  const std::function<void()>& check) {
    int cuts = 0;
    for (std::uint64_t steps = 1;; ++steps) {
      SCOPED_TRACE(std::to_string(steps) + " steps");
      reset();
      service_.setObserver(nullptr);
      options_.max_batch_steps = steps;
      batch_ = service_.shootSegment(queries_, options_).value();
      if (batch_.completed == queries_.size()) break;
      if (batch_.hits.empty()) continue;
      between();
      const std::unique_ptr<QueryRecorder> recording = record();
      options_.max_batch_steps = QueryOptions().max_batch_steps;
      ASSERT_TRUE(service_.resume(queries_, options_, batch_).ok());
      ASSERT_TRUE(recording->close().ok());
      ASSERT_NO_FATAL_FAILURE(check());
      ++cuts;
    }
    EXPECT_GT(cuts, 3);
  }

  QueryOptions options_;
  std::vector<BatchQuery> queries_ = {{.line = through_}};
  ShotBatch batch_;
};

TEST_F(ReplayOfPartsTest, AShotThatIsCutAndContinuedIsReplayed) {
  onBlock(kWater);
  onBlock(kReeds, HitResponse::kAgain);
  forEachCut([] {}, [] {},
             [&] {
               EXPECT_EQ(batch_.hits.size(), 4U);
               EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
             });
}

// The replay of the rest alone would not find what the callback has put at the time of its hit.
TEST_F(ReplayOfPartsTest, OneWhoseCallbackEditedBeforeTheCutIsNot) {
  const EntitySpec spec{
      .id = 9, .level = 1, .shape = Box{{0.5, 0.25, 0.25}}, .position = {5.5, 0.5, 0.5}};
  EntityHandle added{};
  onBlock(kWater, HitResponse::kAgain,
          [&](const BlockHit&) { added = entities_.add(spec).value(); });
  onBlock(kReeds);
  int pending = 0;
  std::size_t before = 0;
  forEachCut([&] { std::ignore = entities_.remove(added); },
             [&] { before = batch_.hitsOf(0).size(); },
             [&] {
               ASSERT_EQ(batch_.hits.size(), 5U);
               EXPECT_EQ(textOf(batch_.hits[1]), "e9@5");
               EXPECT_THAT(replay(), ElementsAre(Outcome::kWorldHadChanged));
               pending += before == 1 ? 1 : 0;
             });
  EXPECT_GT(pending, 0);
}

// Level spans are those of the world in which the shot began.
TEST_F(ReplayOfPartsTest, NorIsOneBeforeWhoseRestTheWorldWasEdited) {
  // More than the first search finds, so that it can be cut after a hit.
  for (std::int64_t x = 20; x < 47; ++x)
    put(x, kWater);
  onBlock(kWater);
  forEachCut([&] { load(3); }, [&] { unload(3); },
             [&] { EXPECT_THAT(replay(), ElementsAre(Outcome::kWorldHadChanged)); });
}

// The unknown counts from the hit after which the query resumes, not from the start.
TEST_F(ReplayOfPartsTest, AQueryThatResumesAfterAHitOfItsOwn) {
  for (const std::int64_t x : {25, 28, 31, 34, 37})
    put(x, kWater);
  const std::vector<Hit> hits = service_.shootSegment(through_).value().hits;
  unload(0);
  onBlock(kWater);
  options_.report_unknown = true;
  queries_.front().after = std::span(hits).first(3);
  forEachCut([] {}, [] {},
             [&] {
               ASSERT_EQ(batch_.hits.size(), 6U);
               EXPECT_EQ(batch_.shots[0].unknown_from, std::nullopt);
               EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
             });
}

// Shots that are cut, continued and cut again, with rules, max_hits and hits of their own after
// which they resume, and with callbacks that respond kAgain but edit nothing.
TEST(ReplayPropertyTest, BatchesInPartsAreReplayed) {
  oracle::Rng rng("BatchesInPartsAreReplayed");
  TerminalRules rules;
  const BudgetId some = rules.addBudget(4).value();
  ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerPane(some, 1)).ok());
  ASSERT_TRUE(rules.setBlock(kReeds, TerminalRule::costPerBlock(some, 0.3)).ok());
  std::size_t continued = 0;
  std::size_t after_own = 0;
  for (int round = 0; round < 200; ++round) {
    const auto scene = oracle::randomScene(rng, 1 + rng.below(3), 20, 1500);
    RayQueryService service(scene->world, scene->entities);
    service.onBlockHit([](const BlockHit& hit) {
      return hit.block[0] % 3 == 0 ? HitResponse::kAgain : HitResponse::kContinue;
    });
    std::vector<BatchQuery> queries(40);
    std::vector<std::vector<Hit>> before(queries.size());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const FixedSegment segment = oracle::randomSegment(rng, *scene);
      queries[i].line = segment;
      if (!rng.oneIn(3)) continue;
      before[i] = service.shootSegment(segment, LevelMask::all(), {.max_hits = 2})->hits;
      queries[i].after = before[i];
    }
    QueryOptions options;
    if (rng.oneIn(3)) options.max_hits = static_cast<std::size_t>(rng.in(1, 6));
    options.report_unknown = rng.oneIn(2);
    options.stop_at_unknown = rng.oneIn(6);
    if (rng.oneIn(2)) options.rules = &rules;
    options.max_batch_steps = static_cast<std::uint64_t>(rng.in(10, 200));
    const auto recording = recordQueries(service, scene->world, scene->entities);
    ShotBatch batch = service.shootSegment(queries, options).value();
    while (batch.completed < queries.size()) {
      const std::size_t cut = batch.completed;
      const bool has_hits = !batch.hitsOf(cut).empty();
      options.max_batch_steps += 1 + options.max_batch_steps / 4;
      ASSERT_TRUE(service.resume(queries, options, batch).ok());
      continued += has_hits ? 1U : 0U;
      after_own += has_hits && !queries[cut].after.empty() ? 1U : 0U;
    }
    ASSERT_TRUE(recording->close().ok());
    // A replay has no callbacks, and so takes other steps: shots that ran out of them are left out.
    const std::vector<Outcome> outcomes = replayAll(scene->world, scene->entities);
    const std::vector<LoggedQuery> logged = readLog(logPath()).queries;
    ASSERT_EQ(outcomes.size(), logged.size());
    for (std::size_t i = 0; i < logged.size(); ++i) {
      if (parseAnswer(*logged[i].answer)->status == absl::StatusCode::kOk) {
        ASSERT_EQ(outcomes[i], Outcome::kEqual) << "round " << round << ", record " << i;
      }
    }
  }
  removeLog();
  EXPECT_GT(continued, 100U);
  EXPECT_GT(after_own, 20U);
}

}  // namespace
}  // namespace fractalray
