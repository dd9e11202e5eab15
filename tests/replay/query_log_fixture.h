// SPDX-License-Identifier: Apache-2.0
// Shared by tests of query logs: logs of a few queries with extreme values.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../formats/replay/query_log_reader.h"
#include "../../formats/replay/query_log_writer.h"
#include "../oracle/random_scene.h"
#include "log_file.h"

namespace fractalray {

inline constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

// Two queries with extreme values: a shot with every kind of hit, and a line of sight.
class QueryLogTest : public testing::Test {
 protected:
  QueryLogTest() {
    Hit water;
    water.kind = Hit::Kind::kBlock;
    water.t = 0.0;
    water.t_exit = 0.25;
    water.start_inside = true;
    water.level = 1;
    water.block = {-1, 2, std::int64_t{1} << 40};
    water.type = oracle::kWater;
    water.step = 6;
    Hit entity;
    entity.kind = Hit::Kind::kEntity;
    entity.t = 0.5;
    entity.t_exit = std::nextafter(0.5, 1);
    entity.level = 2;
    entity.id = kMost - 1;
    entity.entity_class = EntityClassId{0xfffffffe};
    entity.shape = {.kind = FixedShape::Kind::kBox, .half_extents = {1, 2, 3}};
    entity.position = {-4, 5, -6};
    Hit stone;
    stone.kind = Hit::Kind::kBlock;
    stone.t = std::nextafter(1.0, 0);
    stone.t_exit = 1;
    stone.face = {2, -1};
    stone.level = 9;
    stone.block = {5, 6, 7};
    stone.type = oracle::kStone;
    stone.terminal = true;
    hits_ = {water, entity, stone};
  }

  void TearDown() override { removeLog(); }

  static QueryLogHeader header() {
    return {.levels = 10,
            .fingerprints = QueryLogHeader::Fingerprints{.world = 0x1122334455667788,
                                                         .entities = 0x99aabbccddeeff00},
            .versions = {.world = 3, .entities = 4}};
  }

  static QueryLogWriter open() {
    absl::StatusOr<QueryLogWriter> log = QueryLogWriter::open(logPath(), header());
    EXPECT_TRUE(log.ok()) << log.status();
    return *std::move(log);
  }

  void appendShot(QueryLogWriter& log) const {
    const QueryOptions options{.filter = {.channel = oracle::kVisible, .ignore = ignore_},
                               .after = std::span(hits_).first(1),
                               .max_hits = 3};
    log.append({.query = {.segment = {{-1, 2, -3}, {4, 5, std::int64_t{1} << 61}},
                          .levels = {0, 9},
                          .ignore = more_ignored_,
                          .after = std::span(hits_).subspan(1, 1)},
                .verb = QueryVerb::kShoot,
                .options = options,
                .version = {.world = 3, .entities = 5}},
               {.answer = {.terminated = true, .unknown_from = 0.75},
                .hits = hits_,
                .level_spans = parts_},
               *types_);
  }
  void appendLook(QueryLogWriter& log) const {
    log.append({.query = {.levels = {1}},
                .verb = QueryVerb::kOccluded,
                .options = QueryOptions{.entities_block = true}},
               {.occlusion = Occlusion::kUnknown}, *types_);
  }

  // A whole log of both, and one of each more.
  std::string smallLog() {
    QueryLogWriter log = open();
    appendShot(log);
    appendLook(log);
    appendShot(log);
    appendLook(log);
    EXPECT_TRUE(log.close().ok()) << log.status();
    return readBytes(logPath());
  }

  // Returns the offset at which each query's record ends, in smallLog().
  static std::vector<std::size_t> recordEnds(const std::string& bytes, const ReadLog& whole) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i < whole.queries.size(); ++i)
      ends.push_back(whole.queries[i].offset);
    ends.push_back(bytes.size() - kEndBytes);
    return ends;
  }
  static constexpr std::size_t kEndBytes = 17;

  // Reads what has been appended by `append`.
  LoggedQuery readBack(const std::function<void(QueryLogWriter&)>& append) {
    QueryLogWriter log = open();
    append(log);
    EXPECT_TRUE(log.close().ok());
    const ReadLog read = readLog(logPath());
    EXPECT_TRUE(read.end.ok()) << read.end;
    EXPECT_EQ(read.queries.size(), 1U);
    return read.queries.at(0);
  }
  LoggedQuery readBack(const QueryOptions& options) {
    return readBack([&](QueryLogWriter& log) {
      log.append({.query = {.levels = {0}}, .options = options}, {}, *types_);
    });
  }

  std::shared_ptr<BlockTypeTable> types_ = oracle::sceneTypes();
  std::vector<EntityId> ignore_ = {7, kMost};
  std::vector<EntityId> more_ignored_ = {8};
  std::vector<Hit> hits_;
  std::vector<LevelSpan> parts_ = {{.level = 0, .t0 = 0.125, .t1 = 1}};
};

// Expects that two queries of logs are the same.
inline void expectSame(const LoggedQuery& a, const LoggedQuery& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.segment, b.segment);
  EXPECT_EQ(a.channel, b.channel);
  EXPECT_EQ(a.answer, b.answer);
}

}  // namespace fractalray
