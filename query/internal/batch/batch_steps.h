// SPDX-License-Identifier: Apache-2.0
// The steps that the queries of a batch may take together, taken in the order of queries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../query_options.h"
#include "../../query_stats.h"

namespace fractalray::internal {

// A query that takes no more steps than are left has the same answer as without a limit of the
// batch: so it may be answered ahead, and is run again only if it turns out to need more. Not
// thread-safe.
class BatchSteps {
 public:
  // `options` must outlive it.
  explicit BatchSteps(const QueryOptions& options)
      : options_(options), left_(options.max_batch_steps) {
    if (left_ != QueryOptions().max_batch_steps) limited_ = options;
  }

  // Returns true if the batch has a limit.
  bool isLimited() const { return limited_.has_value(); }
  // Returns true if a query may need more steps than it has: then all steps have to be counted.
  bool areCounted() const { return isLimited() || options_.max_steps != QueryOptions().max_steps; }
  bool areUsedUp() const { return left_ == 0; }

  // Returns the options of the next query, with the steps that it may take.
  const QueryOptions& optionsOfNext() {
    if (!limited_.has_value()) return options_;
    limited_->max_steps = most();
    return *limited_;
  }
  // Returns true if there are enough steps for a query that was answered with options.max_steps.
  bool cover(const QueryStats& stats) const {
    return std::min(stats.steps(), options_.max_steps) <= left_;
  }
  // Takes the steps of the next query. Returns true if the query ran out because of the batch: then
  // its status says so.
  bool take(absl::Status& status, const QueryStats& stats) {
    if (!isLimited()) return false;
    const std::uint64_t had = most();
    left_ -= std::min(had, stats.steps());
    // Queries nested too deep are RESOURCE_EXHAUSTED, too.
    if (!absl::IsResourceExhausted(status) || stats.steps() <= had || had == options_.max_steps) {
      return false;
    }
    status = absl::ResourceExhaustedError(absl::StrCat(
        "cut: the batch took its ", options_.max_batch_steps,
        " steps in this query; continue with it in a new batch, or raise max_batch_steps"));
    of_cut_ = had;
    return true;
  }
  // Returns the steps that were left for the query that ran out of them; nothing if none did.
  const std::optional<std::uint64_t>& ofCut() const { return of_cut_; }

  // Returns the number of queries to answer ahead after `done`, from `least` to `most`: about as
  // many as there are steps for.
  std::size_t queriesAhead(std::size_t done, std::size_t least, std::size_t most) const {
    if (!isLimited()) return most;
    if (done == 0) return std::min(least, most);
    const std::uint64_t each = (options_.max_batch_steps - left_) / done + 1;
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(most, std::max<std::uint64_t>(left_ / each, least)));
  }

 private:
  std::uint64_t most() const { return std::min(options_.max_steps, left_); }

  const QueryOptions& options_;
  std::optional<QueryOptions> limited_;  // a copy of the options
  std::uint64_t left_;
  std::optional<std::uint64_t> of_cut_;
};

}  // namespace fractalray::internal
