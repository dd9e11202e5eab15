// SPDX-License-Identifier: Apache-2.0
// Sight of many boxes, blocks in sight and blasts in logs: recorded, read, and replayed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "../../formats/replay/query_log_writer.h"
#include "../../query/sight_history.h"
#include "sight_verbs_fixture.h"

namespace fractalray {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST_F(SightVerbsReplayTest, AnswersAreRecordedAndReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  askAll();
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(recording->queries(), 3U) << "those that they make themselves are not recorded";
  EXPECT_THAT(replay(), Each(Outcome::kEqual));
  put(40, kAir);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kDifferent, Outcome::kDifferent, Outcome::kDifferent));
}

TEST_F(SightVerbsReplayTest, AnswersAreRead) {
  const std::unique_ptr<QueryRecorder> recording = record();
  askAll();
  EXPECT_TRUE(recording->close().ok());
  const std::vector<LoggedAnswer> all = answers();
  ASSERT_THAT(all, SizeIs(3));
  ASSERT_TRUE(all[0].sights.has_value());
  EXPECT_THAT(*all[0].sights,
              ElementsAre(Sight::kHidden, Sight::kVisible, Sight::kSkipped, Sight::kSkipped));
  ASSERT_TRUE(all[1].seen_blocks.has_value());
  const std::vector<LoggedFoundBlock>& visible = all[1].seen_blocks->visible;
  ASSERT_THAT(visible, SizeIs(3));
  EXPECT_EQ(visible[0].type_name, "water");
  EXPECT_EQ(visible[2].type_name, "stone");
  EXPECT_EQ(visible[2].block, (BlockCoord{40, 0, 0}));
  EXPECT_EQ(visible[2].level, 1);
  EXPECT_EQ(visible[2].kind, BlockKind::kSolid);
  EXPECT_EQ(visible[2].distance, 39.5);
  EXPECT_THAT(all[1].seen_blocks->unknown, IsEmpty());
  EXPECT_THAT(all[1].seen_blocks->undecided, IsEmpty());
  ASSERT_TRUE(all[2].blast.has_value());
  const LoggedBlastAnswer& blast = *all[2].blast;
  ASSERT_THAT(blast.blocks, SizeIs(1));
  EXPECT_EQ(blast.blocks[0].type_name, "stone");
  EXPECT_EQ(blast.blocks[0].block, (BlockCoord{40, 0, 0}));
  EXPECT_EQ(blast.blocks[0].ray, 0U);
  EXPECT_EQ(blast.blocks[0].steps, 7);
  EXPECT_EQ(blast.blocks[0].power, 1000 - 7 - 100);
  ASSERT_THAT(blast.entities, SizeIs(1));
  EXPECT_EQ(blast.entities[0].id, 7U);
  EXPECT_EQ(blast.entities[0].from, 1);
  EXPECT_EQ(blast.entities[0].to, 1);
}

TEST_F(SightVerbsReplayTest, QuestionsOfManyBoxesAreRead) {
  const std::unique_ptr<QueryRecorder> recording = record();
  SightHistory history;
  SightTableOptions options;
  options.each.filter.skip_start_inside = true;
  options.each.through = 2;
  options.max_distance = 50 * kUnitsPerBlock;
  options.leaves_out = [](std::size_t /*viewer*/, std::size_t box) { return box == 1; };
  options.if_undecided = Sight::kHidden;
  options.history = &history;
  EXPECT_TRUE(service_.visibleBoxes(viewers_, boxes_, {1}, options).ok());
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  ASSERT_THAT(log.queries, SizeIs(1)) << log.end;
  const LoggedSight& sight = *log.queries[0].sight;
  EXPECT_EQ(sight.verb(), SightVerb::kVisibleBoxes);
  EXPECT_EQ(log.queries[0].levels, LevelMask{1});
  EXPECT_TRUE(sight.options.filter.skip_start_inside);
  EXPECT_EQ(sight.options.through, 2U);
  const auto& asked = std::get<LoggedVisibleBoxes>(sight.question);
  ASSERT_THAT(asked.viewers, SizeIs(2));
  EXPECT_THAT(asked.viewers[0].eyes, ElementsAre(eyes_[0], eyes_[1]));
  EXPECT_THAT(asked.viewers[1].eyes, IsEmpty());
  EXPECT_EQ(asked.boxes, boxes_);
  EXPECT_EQ(asked.max_distance, options.max_distance);
  EXPECT_EQ(asked.if_undecided, Sight::kHidden);
  EXPECT_TRUE(asked.leaves_out);
  EXPECT_TRUE(asked.has_history);
}

TEST_F(SightVerbsReplayTest, QuestionsOfBlocksAreRead) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const std::vector<BlockTypeId> types = {kStone, kNoBlockType};
  VisibleBlocksOptions options;
  options.types = types;
  options.targets.solid_only = true;
  options.targets.channel = kVisible;
  EXPECT_FALSE(service_.visibleBlocks({1, 2, 3}, 4.5, {1}, options).ok()) << "no such type";
  options.types = {};
  options.targets.block_filter = [](const BlockHit& /*hit*/) { return true; };
  EXPECT_TRUE(service_.visibleBlocks({1, 2, 3}, 4.5, {1}, options).ok());
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  ASSERT_THAT(log.queries, SizeIs(2)) << log.end;
  const auto& asked = std::get<LoggedVisibleBlocks>(log.queries[0].sight->question);
  EXPECT_EQ(asked.eye, (Vec3d{1, 2, 3}));
  EXPECT_EQ(asked.radius, 4.5);
  EXPECT_THAT(asked.types, ElementsAre("stone", ""));
  EXPECT_TRUE(asked.targets.plain.solid_only);
  EXPECT_EQ(asked.targets.channel, "visible");
  EXPECT_EQ(log.queries[0].channel, "default");
  EXPECT_FALSE(log.queries[0].has_filter);
  EXPECT_TRUE(log.queries[1].has_filter);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual, Outcome::kNotReplayable));
}

TEST_F(SightVerbsReplayTest, QuestionsOfBlastsAreRead) {
  const std::unique_ptr<QueryRecorder> recording = record();
  const std::vector<EntityId> ignored = {7};
  resistances_.push_back(-5);  // of no type, and refused
  BlastOptions options;
  options.filter.channel = kVisible;
  options.filter.ignore = ignored;
  options.filter.entities = false;
  options.sight.through = 1;
  options.max_samples = 30;
  EXPECT_FALSE(service_.blast(blastQuery(), {1}, options).ok());
  resistances_.pop_back();
  EXPECT_EQ(service_.blast(blastQuery(), {1}, options).status().code(),
            absl::StatusCode::kResourceExhausted);
  options.filter.entity_filter = [](const EntityHit& /*hit*/) { return true; };
  options.max_samples = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(service_.blast(blastQuery(), {1}, options).ok());
  EXPECT_TRUE(recording->close().ok());
  const ReadLog log = readLog(logPath());
  ASSERT_THAT(log.queries, SizeIs(3)) << log.end;
  const auto& asked = std::get<LoggedBlast>(log.queries[0].sight->question);
  EXPECT_EQ(asked.center, (Vec3d{36.5, 0.5, 0.5}));
  EXPECT_EQ(asked.radius, 20);
  EXPECT_EQ(asked.falloff, 1);
  EXPECT_EQ(asked.max_samples, 30U);
  EXPECT_EQ(asked.rays, rays_);
  EXPECT_THAT(asked.resistances,
              ElementsAre(LoggedBlast::Resistance{"air", 0}, LoggedBlast::Resistance{"stone", 100},
                          LoggedBlast::Resistance{"", -5}));
  EXPECT_EQ(asked.filter.channel, "visible");
  EXPECT_EQ(asked.filter.ignore, ignored);
  EXPECT_FALSE(asked.filter.plain.entities);
  EXPECT_EQ(log.queries[0].sight->options.through, 1U);
  EXPECT_FALSE(log.queries[0].has_filter);
  EXPECT_TRUE(log.queries[2].has_filter);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual, Outcome::kEqual, Outcome::kNotReplayable));
}

// The function itself is not in the log.
TEST_F(SightVerbsReplayTest, PairsLeftOutAreThoseOfTheAnswer) {
  const std::unique_ptr<QueryRecorder> recording = record();
  SightTableOptions options;
  options.leaves_out = [](std::size_t /*viewer*/, std::size_t box) { return box == 1; };
  EXPECT_THAT(service_.visibleBoxes(viewers_, boxes_, world_.allLevels(), options)->answers,
              ElementsAre(Sight::kHidden, Sight::kSkipped, Sight::kSkipped, Sight::kSkipped));
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual));
  put(40, kAir);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kDifferent));
}

TEST_F(SightVerbsReplayTest, ErrorsOfArgumentsAreReplayed) {
  const std::unique_ptr<QueryRecorder> recording = record();
  SightTableOptions options;
  options.if_undecided = Sight::kSkipped;
  EXPECT_FALSE(service_.visibleBoxes(viewers_, boxes_, world_.allLevels(), options).ok());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(service_.visibleBlocks({nan, 0, 0}, 1).ok());
  EXPECT_FALSE(service_.visibleBlocks({0, 0, 0}, -1).ok());
  EXPECT_FALSE(service_.blast({.center = {0, 0, nan}}).ok());
  EXPECT_TRUE(recording->close().ok());
  EXPECT_THAT(replay(),
              ElementsAre(Outcome::kEqual, Outcome::kEqual, Outcome::kEqual, Outcome::kEqual));
}

TEST_F(SightVerbsReplayTest, ACallWhoseTableIsInUseIsNotRecorded) {
  const std::unique_ptr<QueryRecorder> recording = record();
  SightTable table;
  bool is_refused = false;
  SightTableOptions options;
  options.leaves_out = [&](std::size_t /*viewer*/, std::size_t /*box*/) {
    is_refused = absl::IsFailedPrecondition(
        service_.visibleBoxes(viewers_, boxes_, world_.allLevels(), {}, table));
    return false;
  };
  EXPECT_TRUE(service_.visibleBoxes(viewers_, boxes_, world_.allLevels(), options, table).ok());
  EXPECT_TRUE(is_refused);
  EXPECT_TRUE(recording->close().ok());
  EXPECT_EQ(recording->queries(), 1U);
}

// Only a history decides a pair in a step; every other difference is one.
TEST_F(SightVerbsReplayTest, PairsThatAHistoryDecidedCannotBeRepeated) {
  SightHistory history;
  SightTableOptions options;
  options.each.max_steps = 0;
  options.if_undecided = Sight::kHidden;
  const auto outcome_of = [&](const std::vector<Sight>& recorded) {
    absl::StatusOr<QueryLogWriter> log = QueryLogWriter::open(
        logPath(),
        {.levels = 2, .versions = {.world = world_.version(), .entities = entities_.version()}});
    EXPECT_TRUE(log.ok()) << log.status();
    ObservedAnswer answer;
    answer.sights = recorded;
    log->append({.call = VisibleBoxesCall{viewers_, boxes_, options},
                 .levels = world_.allLevels(),
                 .version = {.world = world_.version(), .entities = entities_.version()}},
                answer, world_.blockTypes());
    EXPECT_TRUE(log->close().ok());
    return replay().at(0);
  };
  constexpr Sight kNone = Sight::kSkipped;
  EXPECT_EQ(outcome_of({Sight::kHidden, Sight::kHidden, kNone, kNone}), Outcome::kEqual);
  EXPECT_EQ(outcome_of({Sight::kHidden, Sight::kVisible, kNone, kNone}), Outcome::kDifferent);
  options.history = &history;
  EXPECT_EQ(outcome_of({Sight::kHidden, Sight::kVisible, kNone, kNone}), Outcome::kNotReplayable);
  EXPECT_EQ(outcome_of({Sight::kHidden, Sight::kHidden, Sight::kVisible, kNone}),
            Outcome::kDifferent)
      << "that pair was not out of steps";
}

}  // namespace
}  // namespace fractalray
