// SPDX-License-Identifier: Apache-2.0
// A hook that sees every query of a service with its answer: for logs, statistics and tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/status.h"

#include "answer.h"
#include "observed_sight.h"
#include "occlusion.h"
#include "query.h"
#include "query_options.h"
#include "shot_result.h"
#include "sight.h"

namespace fractalray {

// kResume resumes a whole shot.
enum class QueryVerb : std::uint8_t { kShoot, kClosestHit, kOccluded, kResume };
// Returns "shoot", "closestHit", "occluded" or "resume"; nothing for a number that no verb has.
std::string_view queryVerbName(QueryVerb verb);

// The budgets with which a shot was resumed, as its ShotResult carried them.
struct CarriedBudgets {
  Budgets at_start{};
  Budgets left{};
  Budgets overdrawn{};
};

// A query with its options, by reference.
struct ObservedQuery {
  Query query{};  // for kResume, query.after is the hits that the shot had
  QueryVerb verb = QueryVerb::kShoot;
  const QueryOptions& options;
  SceneVersion version{};  // before the query ran
  // True if effects, of the query or of its batch, edited the world or the entities while it ran.
  bool has_edited = false;
  std::optional<CarriedBudgets> carried{};  // of kResume, if the shot had rules
};

// The answer of a query of any verb, by reference. If the status is an error, nothing else counts.
// The answer of a line of sight, and of each query of sight, has nothing but its one member.
struct ObservedAnswer {
  absl::StatusCode status = absl::StatusCode::kOk;
  Answer answer{};
  std::optional<Occlusion> occlusion{};             // of kOccluded
  std::optional<Sight> sight{};                     // of kVisible
  std::optional<std::array<double, 2>> exposure{};  // of kExposure: from and to
  std::optional<std::span<const Sight>> sights{};   // of kVisibleBoxes: SightTable::answers
  std::optional<ObservedBlocks> seen_blocks{};      // of kVisibleBlocks
  std::optional<ObservedBlast> blast{};             // of kBlast
  std::span<const Hit> hits{};
  std::span<const LevelSpan> level_spans{};
};

// Return answers as observers receive them. The arguments must outlive the returned answer.
ObservedAnswer observed(const absl::Status& status, const Answer& answer, std::span<const Hit> hits,
                        std::span<const LevelSpan> level_spans);
ObservedAnswer observed(const absl::Status& status, const ShotResult& result);
ObservedAnswer observed(const absl::Status& status, const ClosestHit& result);
ObservedAnswer observed(const absl::Status& status, Occlusion occlusion);
ObservedAnswer observed(const absl::Status& status, const SightAnswer& answer);
ObservedAnswer observed(const absl::Status& status, const ExposureAnswer& answer);
ObservedAnswer observed(const absl::Status& status, const SightTable& table);
ObservedAnswer observed(const absl::Status& status, const VisibleBlocks& found);
ObservedAnswer observed(const absl::Status& status, const Blast& blast);

class QueryObserver {
 public:
  QueryObserver() = default;
  QueryObserver(const QueryObserver&) = delete;
  QueryObserver& operator=(const QueryObserver&) = delete;
  virtual ~QueryObserver() = default;

  // Called once for each query that has run, even if it failed, by the thread that made it: so by
  // several threads at once if several query. A query made by an effect comes before the query that
  // called the effect. docs/query-log.md says how batches, cursors and resumed shots are reported.
  // Must not throw, and must not query the service.
  virtual void onQuery(const ObservedQuery& query, const ObservedAnswer& answer) = 0;
  // The same for each query of sight. Those that another query makes, as visibleBoxes() and blast()
  // do, are not reported; nor is a call whose table or history is in use by another.
  virtual void onSight(const ObservedSight& /*query*/, const ObservedAnswer& /*answer*/) {}
};

}  // namespace fractalray
