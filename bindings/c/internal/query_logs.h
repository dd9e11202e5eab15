// SPDX-License-Identifier: Apache-2.0
// Writes and replays query logs by the module replay. A library without the module formats, of
// which that is a part, has no_formats.cc in place of query_logs.cc.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../formats/replay/query_log.h"
#include "../../../formats/replay/query_replay.h"
#include "../../../query/blast.h"
#include "../../../query/shot_result.h"
#include "../../../query/visible_blocks.h"

namespace fractalray::capi {

class WorldState;

// The log that a world writes of its queries, and of the moves of its frame. Ends when it is
// destroyed. See QueryRecorder.
class QueryLog {
 public:
  QueryLog() = default;
  virtual ~QueryLog() = default;
  QueryLog(const QueryLog&) = delete;
  QueryLog& operator=(const QueryLog&) = delete;

  virtual absl::Status flush() = 0;
  virtual absl::Status close() = 0;
  virtual std::uint64_t queries() const = 0;
};

// Begins a log, which observes the world until it is destroyed; the world must outlive it. Errors:
// those of QueryRecorder::open(); UNIMPLEMENTED in a library without the module.
absl::StatusOr<std::unique_ptr<QueryLog>> beginQueryLog(WorldState& world, const std::string& path,
                                                        bool with_fingerprints);

// An answer of a log, or of its replay, in the types of the library.
struct ReplayedAnswer {
  ShotResult shot;  // its stats are not in a log
  absl::StatusCode status = absl::StatusCode::kOk;
  std::optional<Occlusion> occlusion;
  std::optional<Sight> sight;
  std::optional<std::array<double, 2>> exposure;
  std::optional<std::vector<Sight>> sights;
  std::optional<VisibleBlocks> seen_blocks;
  std::optional<Blast> blast;
};

// A log that is replayed query by query.
class LogReplay {
 public:
  LogReplay() = default;
  virtual ~LogReplay() = default;
  LogReplay(const LogReplay&) = delete;
  LogReplay& operator=(const LogReplay&) = delete;

  // Replays the next query; returns false at the end. Errors: those of QueryLogReader::next().
  virtual absl::StatusOr<bool> next() = 0;
  // Returns the answer in the log, or that of the replay, to the query that next() has replayed.
  // Errors: FAILED_PRECONDITION if there is none; DATA_LOSS if it is damaged.
  virtual absl::StatusOr<ReplayedAnswer> answer(bool of_replay) const = 0;

  // Return what next() has read and found.
  const LoggedQuery& query() const { return query_; }
  const Replayed& replayed() const { return replayed_; }

 protected:
  LoggedQuery query_;
  Replayed replayed_;
};

struct ReplayOptions {
  bool ask_all = false;         // see QueryReplay
  bool on_other_world = false;  // true to replay on a world that is not as the recorded one was
};

// Opens a log, to be replayed on a world, which must outlive the replay and be used by nothing
// else. Errors: those of QueryLogReader::open() and checkRecordedWorld(); UNIMPLEMENTED in a
// library without the module.
absl::StatusOr<std::unique_ptr<LogReplay>> openLogReplay(WorldState& world, const std::string& path,
                                                         const ReplayOptions& options);

}  // namespace fractalray::capi
