// SPDX-License-Identifier: Apache-2.0
// Damaged logs of sight of many boxes, blocks in sight and blasts, and answers that cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "../../formats/replay/internal/log_records.h"
#include "../../formats/replay/query_log_writer.h"
#include "sight_verbs_fixture.h"

namespace fractalray {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using SightVerbsDamageTest = SightVerbsReplayTest;

TEST_F(SightVerbsDamageTest, ACutIsReportedAndWhatPrecedesIsRead) {
  {
    const std::unique_ptr<QueryRecorder> recording = record();
    askAll();
    EXPECT_TRUE(recording->close().ok());
  }
  const std::string bytes = readBytes(logPath());
  const ReadLog whole = readLog(logPath());
  ASSERT_THAT(whole.queries, SizeIs(3)) << whole.end;
  for (std::size_t size = whole.queries[0].offset; size < bytes.size(); ++size) {
    writeBytes(logPath(), bytes.substr(0, size));
    const ReadLog read = readLog(logPath());
    ASSERT_TRUE(absl::IsDataLoss(read.end)) << size;
    std::size_t complete = 0;
    while (complete + 1 < whole.queries.size() && whole.queries[complete + 1].offset <= size)
      ++complete;
    // The last record is followed by that of the end: 17 bytes.
    if (size >= bytes.size() - 17) complete = 3;
    ASSERT_EQ(read.queries.size(), complete) << size;
  }
}

// A record of megabytes could ask for terabytes of answers, if it says that they were an error.
TEST_F(SightVerbsDamageTest, MorePairsThanALogKeepsAreNotAskedAgain) {
  {
    const std::unique_ptr<QueryRecorder> recording = record();
    EXPECT_FALSE(service_.visibleBoxes(viewers_, boxes_, LevelMask()).ok());
    EXPECT_TRUE(recording->close().ok());
  }
  const ReadLog log = readLog(logPath());
  ASSERT_THAT(log.queries, SizeIs(1)) << log.end;
  LoggedQuery query = log.queries[0];
  query.levels = {1};
  auto& asked = std::get<LoggedVisibleBoxes>(query.sight->question);
  asked.boxes.assign(8192, boxes_[0]);
  QueryReplay replay(world_, entities_, log.header, true);
  asked.viewers.resize(kMaxRecordBytes / asked.boxes.size());
  EXPECT_EQ(replay.replay(query).outcome, Replayed::Outcome::kDifferent);
  asked.viewers.emplace_back();
  const Replayed replayed = replay.replay(query);
  EXPECT_EQ(replayed.outcome, Replayed::Outcome::kNotReplayable);
  EXPECT_THAT(std::string(replayed.reason), HasSubstr("more pairs"));
}

// A record whose checksum is right, and whose content cannot be.
TEST_F(SightVerbsDamageTest, RecordsThatCannotBeAreRefused) {
  {
    const std::unique_ptr<QueryRecorder> recording = record();
    askAll();
    EXPECT_TRUE(recording->close().ok());
  }
  const std::string bytes = readBytes(logPath());
  const ReadLog whole = readLog(logPath());
  ASSERT_THAT(whole.queries, SizeIs(3)) << whole.end;
  const std::string head = bytes.substr(0, whole.queries[0].offset);
  for (const LoggedQuery& query : whole.queries) {
    const std::size_t begin = query.offset;
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + begin, sizeof size);
    const std::string body = bytes.substr(begin + internal::kRecordHeadBytes, size);
    const auto end_of = [&](const std::string& changed) {
      writeBytes(logPath(), head + recordOf(changed));
      const ReadLog read = readLog(logPath());
      EXPECT_TRUE(absl::IsDataLoss(read.end)) << read.end;
      EXPECT_THAT(read.queries, IsEmpty());
      return std::string(read.end.message());
    };
    for (std::size_t cut = 1; cut < body.size(); ++cut)
      EXPECT_THAT(end_of(body.substr(0, cut)), HasSubstr("damaged at byte")) << cut;
    EXPECT_THAT(end_of(body + "x"), HasSubstr("damaged at byte"));
    // The members of one verb are not those of another.
    for (char verb = 0; verb < 5; ++verb) {
      if (verb == body[1]) continue;
      std::string changed = body;
      changed[1] = verb;
      EXPECT_THAT(end_of(changed), HasSubstr("damaged at byte")) << int{verb};
    }
  }
}

TEST_F(SightVerbsDamageTest, AnswersThatCannotBeAreRefused) {
  const auto message = [&](const ObservedAnswer& answer, std::size_t from_end, int value) {
    std::string bytes;
    appendAnswer(bytes, answer, world_.blockTypes(), kDefaultChannel);
    EXPECT_TRUE(parseAnswer(bytes).ok());
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(parseAnswer(bytes.substr(0, size)).ok()) << size;
    bytes[bytes.size() - from_end] = static_cast<char>(value);
    return std::string(parseAnswer(bytes).status().message());
  };
  const std::vector<Sight> sights = {Sight::kHidden, Sight::kSkipped};
  ObservedAnswer answer;
  answer.sights = sights;
  EXPECT_THAT(message(answer, 1, 5), HasSubstr("a sight of 5"));
  // Level, kind, 32 bytes of numbers, and the type's name; then two empty lists.
  const std::vector<FoundBlock> blocks = {{.level = 1, .type = kStone, .kind = BlockKind::kSolid}};
  answer = {};
  answer.seen_blocks = ObservedBlocks{.visible = blocks};
  EXPECT_THAT(message(answer, 8 + 9 + 32 + 1, 3), HasSubstr("a block's kind of 3"));
  EXPECT_THAT(message(answer, 8 + 9 + 32 + 2, 10), HasSubstr("a block's level of 10"));
  // The flag, two empty lists.
  answer = {};
  answer.blast = ObservedBlast{.reaches_unknown = true};
  EXPECT_THAT(message(answer, 9, 2), HasSubstr("unknown flags of 2"));
}

// With a right checksum and a right hash.
TEST_F(SightVerbsDamageTest, AnswersOfAnotherVerbAreRefused) {
  const auto end_of = [&](const SightCall& call, const ObservedAnswer& answer) {
    absl::StatusOr<QueryLogWriter> log = QueryLogWriter::open(logPath(), {});
    EXPECT_TRUE(log.ok()) << log.status();
    log->append({.call = call}, answer, world_.blockTypes());
    EXPECT_TRUE(log->close().ok());
    return std::string(readLog(logPath()).end.message());
  };
  const std::vector<Sight> sights(4, Sight::kHidden);
  ObservedAnswer of_table;
  of_table.sights = sights;
  ObservedAnswer of_blast;
  of_blast.blast.emplace();
  ObservedAnswer of_pairs;
  of_pairs.sights = std::span(sights).first(3);
  const SightTableOptions table;
  const VisibleBoxesCall boxes{viewers_, boxes_, table};
  const BlastQuery query = blastQuery();
  const BlastOptions options;
  const BlastCall blast{query, options};
  EXPECT_EQ(end_of(boxes, of_table), "");
  EXPECT_EQ(end_of(blast, of_blast), "");
  EXPECT_THAT(end_of(boxes, of_blast), HasSubstr("its answer is one of another verb"));
  EXPECT_THAT(end_of(blast, of_table), HasSubstr("its answer is one of another verb"));
  EXPECT_THAT(end_of(blast, {}), HasSubstr("its answer is one of another verb"));
  EXPECT_THAT(end_of(boxes, of_pairs), HasSubstr("its answer has another number of pairs"));
}

TEST_F(SightVerbsDamageTest, AQuestionBeyondTheLimitIsNotedWithoutItsLists) {
  const std::vector<FixedBox> many(kMaxRecordBytes / sizeof(FixedBox) + 1, boxes_[0]);
  const SightTableOptions options{.max_distance = 5};
  {
    absl::StatusOr<QueryLogWriter> log = QueryLogWriter::open(logPath(), {});
    ASSERT_TRUE(log.ok()) << log.status();
    const std::vector<Sight> sights(4, Sight::kHidden);
    ObservedAnswer answer;
    answer.sights = sights;
    for (const std::vector<FixedBox>* const asked : {&many, &boxes_}) {
      log->append({.call = VisibleBoxesCall{viewers_, *asked, options}, .levels = {1}}, answer,
                  world_.blockTypes());
    }
    ASSERT_TRUE(log->close().ok());
  }
  const ReadLog read = readLog(logPath());
  EXPECT_TRUE(read.end.ok()) << read.end;
  ASSERT_THAT(read.queries, SizeIs(2));
  const auto& asked = std::get<LoggedVisibleBoxes>(read.queries[0].sight->question);
  EXPECT_THAT(asked.boxes, IsEmpty());
  EXPECT_EQ(asked.max_distance, 5);
  EXPECT_FALSE(read.queries[0].answer.has_value());
  EXPECT_EQ(std::get<LoggedVisibleBoxes>(read.queries[1].sight->question).boxes, boxes_);
  EXPECT_TRUE(read.queries[1].answer.has_value());
}

}  // namespace
}  // namespace fractalray
