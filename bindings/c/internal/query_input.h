// SPDX-License-Identifier: Apache-2.0
// The options of a query as the library takes them, converted from those of the caller.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"

#include "../../../query/query_options.h"
#include "../../../query/terminal_rules.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

class WorldState;

// Refers to itself by the functions of the options; so it is neither copied nor moved.
class QueryInput {
 public:
  QueryInput() = default;
  QueryInput(const QueryInput&) = delete;
  QueryInput& operator=(const QueryInput&) = delete;

  // Reads options, which may be null. `after` is memory for the hits after which the query resumes,
  // and must outlive this, as must what the options point to.
  absl::Status read(const frQueryOptions* options, const WorldState& world,
                    std::vector<Hit>& after) {
    return options == nullptr ? absl::OkStatus() : readGiven(*options, world, after);
  }

  // Return the options of callers that give none, for lines of sight with or without the blocker.
  static const QueryOptions& defaults(bool report_blocker = false) {
    return report_blocker ? kDefaultWithBlocker : kDefault;
  }

  // Returns the options.
  const QueryOptions& options() const { return options_.has_value() ? *options_ : kDefault; }
  // Returns the same, to be changed.
  QueryOptions& edit();

 private:
  static const QueryOptions kDefault;
  static const QueryOptions kDefaultWithBlocker;

  absl::Status readGiven(const frQueryOptions& options, const WorldState& world,
                         std::vector<Hit>& after);
  absl::Status readIgnored(const frQueryOptions& options);
  absl::Status readRules(const frQueryOptions& options);
  absl::Status readAfter(const frQueryOptions& options, std::vector<Hit>& after);
  void readFunctions(const frQueryOptions& options, const WorldState& world);

  std::optional<QueryOptions> options_;  // nothing for the defaults
  std::shared_ptr<const TerminalRules> rules_;
  Budgets budgets_{};
  // The caller's functions.
  const WorldState* world_ = nullptr;
  frPredicateFcn* block_filter_ = nullptr;
  frPredicateFcn* entity_filter_ = nullptr;
  void* filter_context_ = nullptr;
  frEffectFcn* on_hit_ = nullptr;
  void* hit_context_ = nullptr;
};

// Runs a query with its options. `after` is as for QueryInput::read().
template <class Run>
absl::Status runWithOptions(const frQueryOptions* options, const WorldState& world,
                            std::vector<Hit>& after, const Run& run) {
  if (options == nullptr) return run(QueryInput::defaults());
  QueryInput input;
  absl::Status status = input.read(options, world, after);
  return status.ok() ? run(input.options()) : status;
}

// The options of a cursor, which keeps copies of all that the caller's options point to.
class KeptQueryInput : public QueryInput {
 public:
  absl::Status read(const frQueryOptions* options, const WorldState& world);

 private:
  std::vector<Hit> after_;
  std::vector<EntityId> ignore_;
};

}  // namespace fractalray::capi
