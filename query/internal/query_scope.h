// SPDX-License-Identifier: Apache-2.0
// The queries in progress on a thread, each within a callback of the one before, and their working
// memory, which stays for later queries.
#pragma once

#include "prepared_shot.h"

namespace fractalray::internal {

// Returns the number of queries in progress on this thread.
int queryDepth();

// Marks a query as in progress on its thread, also when an exception passes through it.
// Requires: queryDepth() <= RayQueryService::kMaxNesting.
class QueryScope {
 public:
  QueryScope();
  ~QueryScope();
  QueryScope(const QueryScope&) = delete;
  QueryScope& operator=(const QueryScope&) = delete;

  // Returns the working memory of this query, as an earlier query has left it.
  PreparedShot& shot() const { return shot_; }

 private:
  PreparedShot& shot_;
};

}  // namespace fractalray::internal
