// SPDX-License-Identifier: Apache-2.0
// The queries that end at the first hit and call no effect: the closest hit, and line of sight.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../compact_hit.h"
#include "../../hit.h"
#include "../../occlusion.h"
#include "../../query_stats.h"
#include "../search/query_context.h"
#include "prepared_shot.h"

namespace fractalray::internal {

// The hit that ends a query, as it was found: a block of the direct search, or a candidate of the
// passes, which lies in the memory of the query.
class FirstHit {
 public:
  FirstHit() = default;
  // Takes the result of the direct search, which then does not run again.
  explicit FirstHit(const DirectResult& known) : direct_(known), is_searched_(true) {}

  bool exists() const { return is_direct_ || candidate_ != nullptr; }
  // Set a new hit, or return the hit, in the form in which it is reported. Require: exists().
  void setFull(const QueryContext& context, Hit& hit) const;
  CompactHit compact(const QueryContext& context) const;

 private:
  friend absl::Status closestHit(const QueryContext& context, PreparedShot& shot, FirstHit& found,
                                 QueryStats& stats);
  friend absl::StatusOr<Occlusion> occluded(const QueryContext& context, PreparedShot& shot,
                                            FirstHit& blocker, QueryStats& stats);

  DirectResult direct_;
  bool is_searched_ = false;  // true if direct_ was given
  bool is_direct_ = false;    // true if the hit is the block of the direct search
  const Candidate* candidate_ = nullptr;
};

// Finds the closest hit, and shot.unknown if the options request it. Searches directly, unless
// `found` was given the result. Adds to `stats`. Requires: context.mode is kClosest, and
// `found` is new.
absl::Status closestHit(const QueryContext& context, PreparedShot& shot, FirstHit& found,
                        QueryStats& stats);

// Finds out whether anything blocks a line of sight, and sets `blocker` to it, if so. Searches
// directly, unless `blocker` was given the result. Adds to `stats`. Requires: context.mode is kAny,
// and `blocker` is new.
absl::StatusOr<Occlusion> occluded(const QueryContext& context, PreparedShot& shot,
                                   FirstHit& blocker, QueryStats& stats);

}  // namespace fractalray::internal
