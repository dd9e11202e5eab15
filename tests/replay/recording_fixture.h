// SPDX-License-Identifier: Apache-2.0
// Queries that are recorded in a log of the test's own, and replayed from it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "../../formats/replay/query_recorder.h"
#include "../../formats/replay/query_replay.h"
#include "../query/shot_fixture.h"
#include "log_file.h"

namespace fractalray {

using Outcome = Replayed::Outcome;

// Records the queries that the service answers from now on.
inline std::unique_ptr<QueryRecorder> recordQueries(RayQueryService& service, const World& world,
                                                    const EntityIndex& entities,
                                                    const RecorderOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<QueryRecorder>> opened =
      QueryRecorder::open(logPath(), world, entities, options);
  EXPECT_TRUE(opened.ok()) << opened.status();
  service.setObserver(opened->get());
  return *std::move(opened);
}

// Replays all queries of the log; returns their outcomes.
inline std::vector<Outcome> replayAll(World& world, EntityIndex& entities, bool ask_all = false) {
  const ReadLog log = readLog(logPath());
  EXPECT_TRUE(log.opened.ok() && log.end.ok()) << log.opened << log.end;
  QueryReplay replay(world, entities, log.header, ask_all);
  std::vector<Outcome> all;
  for (const LoggedQuery& query : log.queries)
    all.push_back(replay.replay(query).outcome);
  return all;
}

// A corridor of water at 5, reeds at 9, an entity at 20 and stone at 40.
class RecordingTest : public CorridorTest {
 protected:
  RecordingTest() {
    put(5, kWater);
    put(9, kReeds);
    put(40, kStone);
    entity_ = addEntity(7, 20, 1);
  }

  void TearDown() override { removeLog(); }

  std::unique_ptr<QueryRecorder> record(const RecorderOptions& options = {}) {
    return recordQueries(service_, world_, entities_, options);
  }
  std::vector<Outcome> replay(bool ask_all = false) {
    return replayAll(world_, entities_, ask_all);
  }
  // Returns the answers of the log's queries.
  static std::vector<LoggedAnswer> answers() {
    std::vector<LoggedAnswer> all;
    for (const LoggedQuery& query : readLog(logPath()).queries)
      all.push_back(parseAnswer(*query.answer).value());
    return all;
  }

  const Segment through_{{0.5, 0.5, 0.5}, {60.5, 0.5, 0.5}};
  EntityHandle entity_;
};

}  // namespace fractalray
