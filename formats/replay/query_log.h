// SPDX-License-Identifier: Apache-2.0
// The content of a query log: the world of the queries, then the queries with their answers.
// docs/query-log.md describes the format byte by byte, and how logs are written and replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../../core/frame_move.h"
#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../../entities/entity.h"
#include "../../levels/block_type.h"
#include "../../query/query_observer.h"
#include "../../query/query_options.h"
#include "../../query/shot_result.h"
#include "../../query/sight.h"
#include "logged_answer.h"
#include "logged_rules.h"
#include "logged_sight.h"

namespace fractalray {

// The version of the format that is written, and the only one that is read.
inline constexpr std::uint16_t kQueryLogVersion = 13;
// The maximum size of a record. If a record would be longer, its answer is left out. If it would be
// longer even so, or the rules alone would be, its lists and its rules are left out as well.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 26;

// A log's description of its world.
struct QueryLogHeader {
  int levels = 1;
  // The fingerprints (worldFingerprint, entitiesFingerprint) of the two when the log began, if they
  // were taken.
  struct Fingerprints {
    std::uint64_t world = 0;
    std::uint64_t entities = 0;

    friend bool operator==(const Fingerprints&, const Fingerprints&) = default;
  };
  std::optional<Fingerprints> fingerprints{};
  SceneVersion versions{};  // when the log began
};

// A move of the frame as it is logged.
struct LoggedMove {
  int levels = 0;        // FrameMove::levels(): the kind of the move
  ChunkCoord chunk{};    // FrameMove::chunk()
  SceneVersion after{};  // the versions that the move made

  friend bool operator==(const LoggedMove&, const LoggedMove&) = default;
};
// Returns the move of a world's frame. Requires: levels is -1, 0 or 1; each component of the chunk
// of a climb is 0 to 15. The reader refuses others.
FrameMove moveOf(const LoggedMove& move, const Frame& frame);

// The members of a logged query that have neither names nor lists.
struct PlainQuery {
  QueryVerb verb = QueryVerb::kShoot;
  FixedSegment segment{};
  LevelMask levels{};
  // If there were terminal rules, the budgets that the shot started with and, for kResume, its
  // remaining budgets if it had rules before.
  Budgets budgets{};
  std::optional<CarriedBudgets> carried{};
  bool has_filter = false;
  SceneVersion versions{};  // when the query ran
  // True if effects, of the query's own or of its batch, edited the world or the entities while it
  // ran.
  bool world_changed_meanwhile = false;
  std::uint64_t answer_hash = 0;  // of the answer's bytes
};

// A query as it is logged.
struct LoggedQuery : PlainQuery {
  // Set for a query of sight: then the verb, segment, options, rules and hits mean nothing.
  std::optional<LoggedSight> sight;
  // The plain ones (query/fields.h), also those that the verb ignores.
  QueryOptions options;
  std::shared_ptr<const LoggedRules> rules;  // null if there were none
  std::string channel = "default";
  std::vector<EntityId> ignore;
  // The hits to resume after (QueryOptions::after); for kResume the hits of the shot.
  std::vector<LoggedHit> after;
  // The moves between the query before it in the log and this one. Moves that an effect has made
  // are before the query that called it; those made during a batch are before its first query.
  std::vector<LoggedMove> moves;
  // The answer's bytes (logged_answer.h), nullopt if they were too many.
  std::optional<std::string> answer;

  // The record's position in its log.
  std::uint64_t number = 0;  // from 1
  std::uint64_t offset = 0;  // of its record's first byte
};

// Returns the options to run the query again. A channel that the table lacks becomes one that is
// refused. The options borrow the ignore list from `query`; the caller sets the hits to resume
// after and the rules.
QueryOptions optionsOf(const LoggedQuery& query, const BlockTypeTable& types);
// Returns those of a query of sight. They borrow the ignore list and the occluders.
SightOptions sightOptionsOf(const LoggedQuery& query, const BlockTypeTable& types);

}  // namespace fractalray
