// SPDX-License-Identifier: Apache-2.0
// What a query log holds: the world that was asked, then the queries with their answers.
// docs/query-log.md tells the format byte by byte and how logs are written and replayed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../core/level_mask.h"
#include "../core/segment.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "../query/occlusion.h"
#include "../query/query_observer.h"
#include "../query/shot_options.h"
#include "../query/shot_result.h"
#include "logged_answer.h"
#include "logged_rules.h"

namespace fractalray {

// The format that is written, and the oldest that is read: version 2 adds terminal rules, version 4
// the end times of rays, version 7 rules that charge panes. There are no versions 3, 5 and 6, so
// that no flipped bit makes another of these.
inline constexpr std::uint16_t kQueryLogVersion = 7;
inline constexpr std::uint16_t kOldestQueryLogVersion = 1;
// A record is never longer. Answers that would make it so are left out of it.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 26;

// What a log says of the world that it is about.
struct QueryLogHeader {
  int levels = 1;
  // The fingerprints (world_fingerprint.h) of what the log began with, where they were taken.
  struct Fingerprints {
    std::uint64_t world = 0;
    std::uint64_t entities = 0;

    friend bool operator==(const Fingerprints&, const Fingerprints&) = default;
  };
  std::optional<Fingerprints> fingerprints{};
  SceneVersion versions{};  // when the log began
};

// A query as it is logged. Options that have no meaning to the verb have their defaults.
struct LoggedQuery {
  QueryVerb verb = QueryVerb::kShoot;
  FixedSegment segment;
  LevelMask levels;
  // Without the channel, the ignore list, what it goes on behind, the filters and the rules.
  ShotOptions options;
  // The terminal rules, null where there were none; what the shot started with of their budgets,
  // and of kResume what it had left, if it had rules before.
  std::shared_ptr<const LoggedRules> rules;
  Budgets budgets{};
  std::optional<CarriedBudgets> carried;
  std::string channel = "default";
  std::vector<EntityId> ignore;
  // What it goes on behind (ShotOptions::after); of kResume the hits of the shot.
  std::vector<LoggedHit> after;
  bool has_filter = false;
  SceneVersion versions;  // when it was asked
  // Whether effects, of its own or of its batch, edited the world or the entities while it ran.
  bool world_changed_meanwhile = false;
  // The answer's bytes (logged_answer.h), nothing where they were too many; and their hash.
  std::optional<std::string> answer;
  std::uint64_t answer_hash = 0;

  // Where it stands in its log.
  std::uint64_t number = 0;  // from 1
  std::uint64_t offset = 0;  // of its record's first byte
};

// The options to ask the query with again. A channel that the table lacks becomes one that is
// refused. They borrow the ignore list from `query`; what it goes on behind and the rules are left
// to the caller.
ShotOptions optionsOf(const LoggedQuery& query, const BlockTypeTable& types);
OcclusionOptions occlusionOptionsOf(const LoggedQuery& query, const BlockTypeTable& types);

}  // namespace fractalray
