// SPDX-License-Identifier: Apache-2.0
// Query logs that are damaged, cut off, too long or not logs at all: errors name the offset.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "../../formats/replay/logged_answer.h"
#include "../oracle/allocations.h"
#include "query_log_fixture.h"

namespace fractalray {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST_F(QueryLogTest, TruncationAtEveryByteIsReportedAndWhatPrecedesIsRead) {
  const std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  ASSERT_TRUE(whole.end.ok()) << whole.end;
  ASSERT_EQ(whole.queries.size(), 4U);
  const std::vector<std::size_t> ends = recordEnds(bytes, whole);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    writeBytes(logPath(), bytes.substr(0, size));
    const ReadLog read = readLog(logPath());
    const absl::Status& error = read.opened.ok() ? read.end : read.opened;
    EXPECT_FALSE(error.ok());
    EXPECT_THAT(std::string(error.message()), StartsWith(logPath() + ": "));
    EXPECT_EQ(read.opened.ok(), size >= whole.queries[0].offset);
    if (read.opened.ok()) {
      EXPECT_EQ(error.code(), absl::StatusCode::kDataLoss);
    }
    std::size_t complete = 0;
    while (complete < ends.size() && ends[complete] <= size)
      ++complete;
    ASSERT_EQ(read.queries.size(), complete);
    for (std::size_t i = 0; i < complete; ++i)
      expectSame(read.queries[i], whole.queries[i]);
  }
}

TEST_F(QueryLogTest, AFlippedBitIsReportedAndWhatPrecedesIsRead) {
  const std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  const std::vector<std::size_t> ends = recordEnds(bytes, whole);
  std::fstream file(logPath(), std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t offset, char byte) {
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(byte).flush();
  };
  for (std::size_t offset = 0; offset < bytes.size(); ++offset) {
    for (int bit = 0; bit < 8; ++bit) {
      put(offset, static_cast<char>(bytes[offset] ^ (1 << bit)));
      const ReadLog read = readLog(logPath());
      ASSERT_FALSE(read.opened.ok() && read.end.ok()) << "byte " << offset << " bit " << bit;
      ASSERT_EQ(read.opened.ok(), offset >= whole.queries[0].offset) << offset;
      std::size_t complete = 0;
      while (complete < ends.size() && ends[complete] <= offset)
        ++complete;
      ASSERT_EQ(read.queries.size(), complete) << "byte " << offset << " bit " << bit;
      for (std::size_t i = 0; i < complete; ++i)
        expectSame(read.queries[i], whole.queries[i]);
    }
    put(offset, bytes[offset]);
  }
}

TEST_F(QueryLogTest, DamageSaysWhereAndWhat) {
  std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  const std::size_t third = whole.queries[2].offset;
  bytes[third + 20] = static_cast<char>(bytes[third + 20] ^ 1);
  writeBytes(logPath(), bytes);
  EXPECT_THAT(std::string(readLog(logPath()).end.message()),
              AllOf(HasSubstr("damaged at byte " + std::to_string(third)), HasSubstr("record 4"),
                    HasSubstr("checksum"), HasSubstr("2 queries before it are whole")));
}

TEST_F(QueryLogTest, WhatWasNotClosedIsReported) {
  QueryLogWriter log = open();
  appendShot(log);
  EXPECT_EQ(readLog(logPath()).queries.size(), 0U) << "still in the buffer";
  EXPECT_TRUE(log.flush().ok());
  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.queries.size(), 1U);
  EXPECT_THAT(std::string(read.end.message()), HasSubstr("was not closed"));
}

TEST_F(QueryLogTest, MoreAfterTheEndIsReported) {
  const std::string bytes = smallLog();
  writeBytes(logPath(), bytes + "x");
  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.queries.size(), 4U);
  EXPECT_THAT(std::string(read.end.message()), HasSubstr("more bytes after the log's end"));
}

TEST_F(QueryLogTest, AMissingRecordIsReported) {
  std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  bytes.erase(whole.queries[1].offset, whole.queries[2].offset - whole.queries[1].offset);
  writeBytes(logPath(), bytes);
  EXPECT_THAT(std::string(readLog(logPath()).end.message()),
              HasSubstr("after 4 queries, and 3 are there"));
}

TEST_F(QueryLogTest, OtherVersionsAndOtherFilesAreRefused) {
  std::string bytes = smallLog();
  for (const int version : {0, 1, 11, 12, 127}) {
    bytes[8] = static_cast<char>(version);
    writeBytes(logPath(), bytes);
    EXPECT_EQ(readLog(logPath()).opened.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(readLog(logPath()).opened.message()),
                AllOf(HasSubstr("of format version " + std::to_string(version) + "; "),
                      HasSubstr("this program reads version 13: record it again")));
  }
  writeBytes(logPath(), R"({"format": "fractalray-scenario/1"})");
  EXPECT_EQ(readLog(logPath()).opened.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(readLog(logPath()).opened.message()), HasSubstr("not a query log"));
  EXPECT_EQ(readLog(logPath() + ".missing").opened.code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(readLog(testing::TempDir()).opened.ok());
}

TEST_F(QueryLogTest, ImpossibleRecordsAreDamageWhateverTheirChecksum) {
  const std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  const std::size_t begin = whole.queries[0].offset;
  const std::string head = bytes.substr(0, begin);
  const std::string body = bytes.substr(begin + 8, whole.queries[1].offset - begin - 8);
  const auto end_of = [&](const std::string& changed) {
    writeBytes(logPath(), head + recordOf(changed));
    const ReadLog read = readLog(logPath());
    EXPECT_THAT(read.queries, IsEmpty());
    EXPECT_EQ(read.end.code(), absl::StatusCode::kDataLoss);
    return std::string(read.end.message());
  };
  const auto changed_at = [&](std::size_t at, int value) {
    std::string changed = body;
    changed[at] = static_cast<char>(value);
    return end_of(changed);
  };
  EXPECT_THAT(changed_at(0, 9), HasSubstr("of kind 9"));
  EXPECT_THAT(changed_at(1, 4), HasSubstr("verb of 4"));
  EXPECT_THAT(changed_at(2, 128), HasSubstr("unknown flags"));
  EXPECT_THAT(changed_at(2, 8), HasSubstr("rules, and no rules are before it"));
  EXPECT_THAT(changed_at(4, 4), HasSubstr("levels that there are not"));
  EXPECT_THAT(changed_at(body.size() - 1, 'E'), HasSubstr("hash is wrong"));
  EXPECT_THAT(end_of(body + "x"), HasSubstr("1 bytes too many"));
  for (std::size_t size = 1; size < body.size(); ++size)
    EXPECT_THAT(end_of(body.substr(0, size)), HasSubstr("damaged at byte")) << size;
}

// A log of a later program, say, may have options that this one lacks.
TEST_F(QueryLogTest, OptionsThatAreUnknownAreNamed) {
  QueryLogWriter log = open();
  const QueryOptions options{.corner = CornerPolicy::kStaircase, .max_steps = 5};
  log.append({.options = options}, {}, *types_);
  ASSERT_TRUE(log.close().ok());
  const std::string bytes = readBytes(logPath());
  const std::size_t begin = readLog(logPath()).queries.at(0).offset;
  const std::string body = bytes.substr(begin + 8, bytes.size() - kEndBytes - begin - 8);
  const auto end_of = [&](std::string_view name, std::size_t at, char byte) {
    std::string changed = body;
    changed[changed.find(name) + at] = byte;
    writeBytes(logPath(), bytes.substr(0, begin) + recordOf(changed));
    const ReadLog read = readLog(logPath());
    EXPECT_THAT(read.queries, IsEmpty());
    EXPECT_EQ(read.end.code(), absl::StatusCode::kDataLoss);
    return std::string(read.end.message());
  };
  EXPECT_THAT(end_of("max_steps", 8, 'z'),
              HasSubstr("the option \"max_stepz\", which this program does not know"));
  EXPECT_THAT(end_of("corner", 6, '\3'),
              HasSubstr("the option \"corner\" with a value that it cannot have"));
}

TEST_F(QueryLogTest, NamesThatNoTableHasAreDamage) {
  const std::string bytes = smallLog();
  const ReadLog whole = readLog(logPath());
  const std::size_t begin = whole.queries[0].offset;
  std::string body = bytes.substr(begin + 8, whole.queries[1].offset - begin - 8);
  const std::size_t name = body.find(whole.queries[0].channel);
  ASSERT_NE(name, std::string::npos);
  body[name] = '\x1b';
  writeBytes(logPath(), bytes.substr(0, begin) + recordOf(body));
  const ReadLog read = readLog(logPath());
  EXPECT_THAT(read.queries, IsEmpty());
  EXPECT_EQ(read.end.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(read.end.message()),
              AllOf(HasSubstr("the name of a channel"), HasSubstr("byte 0x1b at 0")));
}

TEST_F(QueryLogTest, AnImpossibleAnswerIsRefused) {
  std::string bytes;
  appendAnswer(bytes, {.answer = {.unknown_from = 1}, .hits = hits_, .level_spans = parts_},
               *types_, kDefaultChannel);
  ASSERT_TRUE(parseAnswer(bytes).ok());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(parseAnswer(bytes.substr(0, size)).ok()) << size;
  const auto message = [&](std::size_t at, int value) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(value);
    return std::string(parseAnswer(changed).status().message());
  };
  EXPECT_THAT(message(0, 17), HasSubstr("status of 17"));
  EXPECT_THAT(message(1, 7), HasSubstr("form of 7"));
  EXPECT_THAT(message(2, 32), HasSubstr("flags of 32"));
  EXPECT_THAT(message(11, 11), HasSubstr("number of level spans of 11"));
  EXPECT_THAT(message(12, 10), HasSubstr("level of 10"));
  EXPECT_THAT(message(33, 2), HasSubstr("kind of 2"));
  EXPECT_THAT(message(35, 8), HasSubstr("flags of 8"));
  EXPECT_THAT(message(36, 7), HasSubstr("face of 7"));
}

// Kilobytes of resident memory, at most so far.
long peakMemory() {
  struct rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(QueryLogTest, AWrongLengthAllocatesNothing) {
  const std::string bytes = smallLog();
  const std::size_t begin = readLog(logPath()).queries[0].offset;
  const auto message_with_length = [&](std::uint32_t length) {
    std::string damaged = bytes;
    for (std::size_t i = 0; i < 4; ++i)
      damaged[begin + i] = static_cast<char>(length >> (8 * i) & 0xff);
    writeBytes(logPath(), damaged);
    return std::string(readLog(logPath()).end.message());
  };
  const long before = peakMemory();
  EXPECT_THAT(message_with_length(kMaxRecordBytes), HasSubstr("its length is wrong"));
  EXPECT_LT(peakMemory() - before, 16 * 1024) << "of the 64 MiB that it claims";
  EXPECT_THAT(message_with_length(kMaxRecordBytes + 1), HasSubstr("its length would be"));
  EXPECT_THAT(message_with_length(0xffffffff), HasSubstr("its length would be 4294967295"));
  EXPECT_THAT(message_with_length(0), HasSubstr("its length would be 0"));
}

TEST_F(QueryLogTest, AnAnswerBeyondTheLimitIsLeftOut) {
  const std::string long_name(std::size_t{1} << 20, 'x');
  Hit hit;
  hit.kind = Hit::Kind::kBlock;
  hit.type = types_->add({.name = long_name}).value();
  QueryLogWriter log = open();
  for (const std::size_t hits : {std::size_t{63}, std::size_t{64}}) {
    const std::vector<Hit> many(hits, hit);
    log.append({.query = {.levels = {0}}, .options = QueryOptions{}}, {.hits = many}, *types_);
  }
  appendLook(log);
  ASSERT_TRUE(log.close().ok());
  const ReadLog read = readLog(logPath());
  EXPECT_TRUE(read.end.ok()) << read.end;
  ASSERT_EQ(read.queries.size(), 3U);
  EXPECT_TRUE(read.queries[0].answer.has_value());
  EXPECT_FALSE(read.queries[1].answer.has_value());
  EXPECT_NE(read.queries[1].answer_hash, 0U);
  EXPECT_TRUE(read.queries[2].answer.has_value());
}

TEST_F(QueryLogTest, AQueryBeyondTheLimitIsNotedWithoutItsLists) {
  const std::vector<EntityId> many_ids(kMaxRecordBytes / sizeof(EntityId), 7);
  Hit hit;
  hit.kind = Hit::Kind::kBlock;
  hit.type = types_->add({.name = std::string(std::size_t{1} << 20, 'x')}).value();
  const std::vector<Hit> many_hits(64, hit);
  const QueryOptions ignoring{.filter = {.solid_only = true, .ignore = many_ids}};
  QueryLogWriter log = open();
  log.append({.query = {.levels = {0}}, .options = ignoring}, {.hits = hits_}, *types_);
  log.append({.query = {.levels = {0}, .after = many_hits},
              .verb = QueryVerb::kResume,
              .options = QueryOptions{}},
             {.hits = many_hits}, *types_);
  appendLook(log);
  ASSERT_TRUE(log.close().ok());
  const ReadLog read = readLog(logPath());
  EXPECT_TRUE(read.end.ok()) << read.end;
  ASSERT_EQ(read.queries.size(), 3U);
  for (const LoggedQuery& query : {read.queries[0], read.queries[1]}) {
    EXPECT_THAT(query.ignore, IsEmpty());
    EXPECT_THAT(query.after, IsEmpty());
    EXPECT_FALSE(query.answer.has_value());
    EXPECT_NE(query.answer_hash, 0U);
  }
  EXPECT_TRUE(read.queries[0].options.filter.solid_only);
  EXPECT_EQ(read.queries[1].verb, QueryVerb::kResume);
  EXPECT_TRUE(read.queries[2].answer.has_value());
}

TEST_F(QueryLogTest, RulesBeyondTheLimitAreLeftOutWithTheAnswer) {
  TerminalRules few;
  ASSERT_TRUE(few.addBudget(1).ok());
  TerminalRules many;
  for (int i = 0; i < 64; ++i) {
    const std::string name = std::to_string(i) + std::string(std::size_t{1} << 20, 'x');
    const BlockTypeId type = types_->add({.name = name}).value();
    ASSERT_TRUE(many.setBlock(type, TerminalRule::stopShot()).ok());
  }
  // Without rules before, and after rules of another number of budgets.
  for (const bool has_rules_before : {false, true}) {
    QueryLogWriter log = open();
    if (has_rules_before) {
      log.append({.query = {.levels = {0}}, .options = QueryOptions{.rules = &few}}, {}, *types_);
    }
    log.append({.query = {.levels = {0}}, .options = QueryOptions{.rules = &many}}, {}, *types_);
    appendLook(log);
    ASSERT_TRUE(log.close().ok());
    const ReadLog read = readLog(logPath());
    EXPECT_TRUE(read.end.ok()) << read.end;
    ASSERT_EQ(read.queries.size(), has_rules_before ? 3U : 2U);
    const LoggedQuery& query = read.queries[read.queries.size() - 2];
    EXPECT_EQ(query.rules, nullptr);
    EXPECT_FALSE(query.answer.has_value());
  }
}

TEST_F(QueryLogTest, QueriesBeforeMemoryRanOutAreInTheLog) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP() << "the thread sanitizer";
  const std::vector<Hit> many(10'000, hits_.back());
  QueryLogWriter log = open();
  appendShot(log);
  appendLook(log);
  {
    const oracle::AllocationFailure failure(0);
    log.append({.query = {.levels = {0}}, .options = QueryOptions{}}, {.hits = many}, *types_);
    ASSERT_TRUE(failure.hasFailed());
  }
  appendLook(log);
  EXPECT_EQ(log.close().code(), absl::StatusCode::kResourceExhausted);
  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.queries.size(), 2U);
  EXPECT_EQ(read.end.code(), absl::StatusCode::kDataLoss) << read.end;
}

TEST_F(QueryLogTest, AFullDiskIsReportedOnceAndEndsTheLogAlone) {
  EXPECT_EQ(QueryLogWriter::open("/dev/full", {}).status().code(),
            absl::StatusCode::kResourceExhausted)
      << "at once";
  EXPECT_EQ(QueryLogWriter::open("/no/such/folder/log", {}).status().code(),
            absl::StatusCode::kNotFound);

  QueryLogWriter log = open();
  // The disk becomes full: a file may not grow beyond this.
  struct rlimit limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const struct rlimit small = {.rlim_cur = 1200, .rlim_max = limit.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (int i = 0; i < 2000; ++i)
    appendShot(log);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(log.status().ok());
  EXPECT_THAT(std::string(log.status().message()), StartsWith(logPath() + ": the query log"));
  const absl::Status first = log.status();
  appendShot(log);
  EXPECT_EQ(log.flush(), first);
  EXPECT_EQ(log.close(), first);
  EXPECT_EQ(log.close(), first);

  const ReadLog read = readLog(logPath());
  EXPECT_EQ(read.queries.size(), 2U) << "what fits into 1200 bytes";
  EXPECT_EQ(read.end.code(), absl::StatusCode::kDataLoss);
}

TEST_F(QueryLogTest, NothingFollowsAClose) {
  QueryLogWriter log = open();
  appendLook(log);
  EXPECT_TRUE(log.close().ok());
  appendLook(log);
  EXPECT_TRUE(log.close().ok());
  EXPECT_EQ(log.queries(), 1U);
  EXPECT_EQ(readLog(logPath()).queries.size(), 1U);
}

}  // namespace
}  // namespace fractalray
