// SPDX-License-Identifier: Apache-2.0
// A hook that sees every query of a service with its answer: for logs, statistics and tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "absl/status/status.h"

#include "../core/level_mask.h"
#include "../core/segment.h"
#include "occlusion.h"
#include "shot_options.h"
#include "shot_result.h"

namespace fractalray {

// kResume resumes a whole shot.
enum class QueryVerb : std::uint8_t { kShoot, kClosestHit, kOccluded, kResume };
// "shoot", "closestHit", "occluded" or "resume".
std::string_view queryVerbName(QueryVerb verb);

// What a resumed shot had of its budgets, as its ShotResult carried them.
struct CarriedBudgets {
  Budgets at_start{};
  Budgets left{};
  Budgets overdrawn{};
};

// A query, by reference.
struct ObservedQuery {
  QueryVerb verb = QueryVerb::kShoot;
  FixedSegment segment{};
  LevelMask levels{};
  // Of a line of sight the options that mean the same: no category if entities do not block it.
  const ShotOptions& options;
  // In addition to those of the options. Of kResume the hits that the shot had.
  std::span<const EntityId> ignore{};
  std::span<const Hit> after{};
  std::optional<CarriedBudgets> carried{};  // of kResume, if the shot had rules
  SceneVersion version{};                   // when it was asked
  // True if effects, of its own or of its batch, edited the world or the entities while it ran.
  bool has_edited = false;
};

// Its answer, by reference: of whichever verb. If the status is an error, nothing else counts.
struct ObservedAnswer {
  absl::StatusCode status = absl::StatusCode::kOk;
  std::optional<Occlusion> occlusion{};  // of kOccluded, which answers nothing else
  std::span<const Hit> hits{};
  bool terminated = false;
  bool truncated = false;
  std::optional<double> unknown_from{};
  std::span<const LevelPart> level_parts{};
  // Of a shot with terminal rules.
  std::optional<Budgets> budgets{};
  std::optional<double> stopped_at{};
};

// The answers as observers have them. They must outlive what is returned.
ObservedAnswer observed(const absl::Status& status, const ShotResult& result);
ObservedAnswer observed(const absl::Status& status, const ClosestHit& result);
ObservedAnswer observed(const absl::Status& status, Occlusion occlusion);

class QueryObserver {
 public:
  QueryObserver() = default;
  QueryObserver(const QueryObserver&) = delete;
  QueryObserver& operator=(const QueryObserver&) = delete;
  virtual ~QueryObserver() = default;

  // Called after each query, also if it failed, by the thread that asked it: so by several threads
  // at once if several query. The queries of a batch follow each other once it is complete, in
  // order; if its steps ran out, those that were started, with the steps that the last of them had.
  // A shot that is continued is one that is resumed. A query that an effect asks comes before the
  // one that the effect was called for. Not called for lines that cannot be expressed in units, for
  // batches that are refused as a whole, and for queries out of which an exception has passed. Must
  // not throw, or query the service.
  virtual void onQuery(const ObservedQuery& query, const ObservedAnswer& answer) = 0;
};

}  // namespace fractalray
