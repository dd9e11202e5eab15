// SPDX-License-Identifier: Apache-2.0
// The exact rank of a hit in the order of hits, computed from the hit and its segment alone,
// whatever has become of the block or entity.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../../../core/corner_policy.h"
#include "../../../core/frame.h"
#include "../../../core/internal/geometry/line.h"
#include "../../hit.h"
#include "../search/candidate.h"
#include "../search/query_context.h"

namespace fractalray::internal {

// Returns what was hit, as errors name it: "block [9, 2, 2] of level 0".
std::string nameOf(const Hit& hit);

// All that the rank of a hit depends on besides the hit, by reference.
struct HitLine {
  const Line& line;
  const Frame& frame;
  CornerPolicy corner;
};

// Return a candidate with everything that the order compares, computed in integers alone, never
// from the hit's t. INVALID_ARGUMENT, which names the hit, for a hit that the line does not have
// there under the corner policy, and for a level that is not active. For the line of a query, the
// error says that the query cannot resume after the hit.
absl::StatusOr<Candidate> candidateFromHit(const Hit& hit, const HitLine& of);
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
