// SPDX-License-Identifier: Apache-2.0
// The queries in progress on a thread, each within a callback of the one before, and their working
// memory, which stays for later queries.
#pragma once

#include "../shot_options.h"
#include "prepared_shot.h"

namespace fractalray::internal {

// Returns the number of queries in progress on this thread.
int queryDepth();

// Returns memory for the options of a line of sight, as an earlier one has left it: one of this
// thread and queryDepth(). Requires: queryDepth() <= RayQueryService::kMaxNesting + 1.
ShotOptions& sightMemory();

// Marks a query as in progress on its thread, also when an exception passes through it.
// Requires: queryDepth() <= RayQueryService::kMaxNesting.
class QueryScope {
 public:
  QueryScope();
  ~QueryScope() { --depth_; }
  QueryScope(const QueryScope&) = delete;
  QueryScope& operator=(const QueryScope&) = delete;

  // Returns the working memory of this query, as an earlier query has left it.
  PreparedShot& shot() const { return shot_; }

 private:
  int& depth_;  // that of the thread: to find it again costs a call in a shared library
  PreparedShot& shot_;
};

}  // namespace fractalray::internal
