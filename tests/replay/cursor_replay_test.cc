// SPDX-License-Identifier: Apache-2.0
// Cursors in query logs: as the shot up to the last hit that was requested.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../oracle/random_scene.h"
#include "recording_fixture.h"

namespace fractalray {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Requests up to `count` hits.
void request(HitCursor& cursor, int count) {
  for (; count > 0; --count) {
    const absl::StatusOr<const Hit*> hit = cursor.next();
    if (!hit.ok() || *hit == nullptr) break;
  }
}

// Has a corridor with water, reeds, an entity and stone.
class CursorReplayTest : public RecordingTest {
 protected:
  HitCursor cursor(const QueryOptions& options = {}) {
    return service_.hitsAlong(through_, world_.allLevels(), options).value();
  }
  // Logs a cursor of which `count` hits are requested.
  void requestHits(int count, const QueryOptions& options = {}) {
    HitCursor hits = cursor(options);
    request(hits, count);
  }

  std::unique_ptr<QueryRecorder> recorder_ = record();
};

TEST_F(CursorReplayTest, IsTheShotUpToTheLastHit) {
  for (const int count : {0, 1, 2, 4, 5})
    requestHits(count);
  ASSERT_TRUE(recorder_->close().ok());
  const std::vector<LoggedAnswer> all = answers();
  ASSERT_THAT(all, SizeIs(4)) << "nothing was requested of the first one";
  std::vector<std::size_t> hits;
  for (const LoggedAnswer& answer : all) {
    hits.push_back(answer.hits.size());
    EXPECT_TRUE(answer.terminated);
    EXPECT_FALSE(answer.truncated);
    EXPECT_EQ(answer.hits.back().ended_by_callback, answer.hits.size() < 4) << "the stone ends it";
  }
  EXPECT_THAT(hits, ElementsAre(1, 2, 4, 4));
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

TEST_F(CursorReplayTest, IsLoggedWhenItIsDestroyedOrReplaced) {
  HitCursor hits = cursor();
  request(hits, 1);
  HitCursor same = std::move(hits);
  EXPECT_EQ(recorder_->queries(), 0U);
  same = cursor();
  EXPECT_EQ(recorder_->queries(), 1U);
  service_.setObserver(nullptr);
  request(same, 1);
  same = cursor();
  EXPECT_EQ(recorder_->queries(), 1U) << "the observer of that time counts";
}

TEST_F(CursorReplayTest, ObeysItsLimits) {
  requestHits(3, {.max_hits = 2});
  requestHits(2, {.max_hits = 2});
  for (std::uint64_t max_steps = 4; max_steps < 30; ++max_steps) {
    auto hits = service_.hitsAlong(through_, world_.allLevels(), {.max_steps = max_steps});
    if (hits.ok()) request(*hits, 9);
  }
  ASSERT_TRUE(recorder_->close().ok());
  const std::vector<LoggedAnswer> all = answers();
  ASSERT_GT(all.size(), 3U);
  EXPECT_TRUE(all[0].truncated);
  EXPECT_FALSE(all[1].truncated) << "that there are more was not found out";
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

TEST_F(CursorReplayTest, TheUnknownPastTheLastHitIsNotReported) {
  recorder_.reset();
  unload(2);
  recorder_ = record();
  requestHits(1, {.report_unknown = true});
  requestHits(9, {.report_unknown = true});
  requestHits(9, {.stop_at_unknown = true});
  ASSERT_TRUE(recorder_->close().ok());
  const std::vector<LoggedAnswer> all = answers();
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].unknown_from, std::nullopt);
  EXPECT_EQ(all[1].unknown_from, 31.5 / 60);
  EXPECT_EQ(all[2].unknown_from, 31.5 / 60);
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
}

TEST_F(CursorReplayTest, EditsBetweenItsHitsAreNoted) {
  {
    HitCursor hits = cursor();
    request(hits, 1);
    put(30, kWater);
    request(hits, 1);
  }
  {
    HitCursor hits = cursor();
    request(hits, 2);
    put(30, kAir);  // after the last request
  }
  ASSERT_TRUE(recorder_->close().ok());
  const ReadLog log = readLog(logPath());
  ASSERT_THAT(log.queries, SizeIs(2));
  EXPECT_EQ(log.queries[0].versions, log.header.versions);
  EXPECT_TRUE(log.queries[0].world_changed_meanwhile);
  EXPECT_FALSE(log.queries[1].world_changed_meanwhile);
}

TEST_F(CursorReplayTest, AnExceptionLeavesNoRecord) {
  QueryOptions options;
  options.filter.block_filter = [](const Hit& hit) {
    if (hit.block[0] == 40) throw std::runtime_error("block 40");
    return true;
  };
  const auto request_all = [&] {
    HitCursor hits = cursor(options);
    request(hits, 9);
  };
  EXPECT_THROW(request_all(), std::runtime_error);
  ASSERT_TRUE(recorder_->close().ok());
  EXPECT_THAT(answers(), IsEmpty());
}

// Cursors of random lines and options, left after some of their hits.
TEST(CursorReplayPropertyTest, RandomCursorsAreReplayed) {
  oracle::Rng rng("RandomCursorsAreReplayed");
  std::size_t left_early = 0;
  std::size_t with_unknown = 0;
  for (int round = 0; round < 40; ++round) {
    const auto scene = oracle::randomScene(rng, 1 + rng.below(4), 20, 300);
    RayQueryService service(scene->world, scene->entities);
    TerminalRules rules;
    const BudgetId budget = rules.addBudget(3).value();
    ASSERT_TRUE(rules.setBlock(kWater, TerminalRule::costPerHit(budget, 0.75)).ok());
    ASSERT_TRUE(rules.setEntities(~std::uint64_t{0}, TerminalRule::costPerHit(budget, 1)).ok());
    const auto recording = recordQueries(service, scene->world, scene->entities);
    for (int i = 0; i < 120; ++i) {
      const QueryOptions options{
          .filter = {.channel = rng.oneIn(3) ? kVisible : kDefaultChannel},
          .corner = static_cast<CornerPolicy>(rng.below(3)),
          .rules = rng.oneIn(3) ? &rules : nullptr,
          .max_hits = rng.oneIn(3) ? static_cast<std::size_t>(rng.below(4)) : std::size_t{1000},
          .report_unknown = rng.oneIn(2),
          .stop_at_unknown = rng.oneIn(4)};
      HitCursor cursor =
          service.hitsAlong(oracle::randomSegment(rng, *scene), scene->world.allLevels(), options)
              .value();
      request(cursor, rng.pick({0, 1, 1, 2, 3, 7, 1000}));
    }
    ASSERT_TRUE(recording->close().ok());
    ASSERT_THAT(replayAll(scene->world, scene->entities), Each(Outcome::kEqual)) << round;
    for (const LoggedQuery& query : readLog(logPath()).queries) {
      const LoggedAnswer answer = parseAnswer(*query.answer).value();
      left_early += !answer.hits.empty() && answer.hits.back().ended_by_callback ? 1U : 0U;
      with_unknown += answer.unknown_from.has_value() ? 1U : 0U;
    }
  }
  removeLog();
  EXPECT_GT(left_early, 300U);
  EXPECT_GT(with_unknown, 200U);
}

}  // namespace
}  // namespace fractalray
