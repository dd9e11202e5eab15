// SPDX-License-Identifier: Apache-2.0
// The exact rank of a hit in the order of hits, computed from the hit and its segment alone,
// whatever has become of the block or entity.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

#include "../../hit.h"
#include "../search/candidate.h"
#include "../search/query_context.h"

namespace fractalray::internal {

// Returns a candidate with everything that the order compares, computed in integers alone, never
// from the hit's t. INVALID_ARGUMENT for a hit that the context's line does not have there under
// its corner policy, and for a level that is not active.
absl::StatusOr<Candidate> candidateFromHit(const Hit& hit, const QueryContext& context);

// Return true if hits lie in memory that is about to be filled: in a range, or in a vector.
template <class T>
bool liesIn(std::span<const Hit> hits, std::span<const T> memory) {
  if (hits.empty()) return false;
  const std::less<> is_before;
  const void* const first = hits.data();
  const void* const begin = memory.data();
  const void* const end = memory.data() + memory.size();
  return !is_before(first, begin) && is_before(first, end);
}
template <class T>
bool liesIn(std::span<const Hit> hits, const std::vector<T>& memory) {
  return liesIn(hits, std::span<const T>(memory.data(), memory.capacity()));
}

}  // namespace fractalray::internal
