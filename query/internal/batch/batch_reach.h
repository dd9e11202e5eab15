// SPDX-License-Identifier: Apache-2.0
// The part of its line that a shot of a batch has read: an edit elsewhere does not change the shot.
#pragma once

#include <algorithm>
#include <optional>

#include "../../../core/arithmetic/fraction.h"
#include "../search/direct_search.h"
#include "../search/query_context.h"
#include "../shot/candidate_stream.h"

namespace fractalray::internal {

// Returns a double no earlier than `t`, and little later than the end of the context's line.
inline double reachUntil(const QueryContext& context, double t) {
  constexpr double kSlack = 1 + 0x1p-40;
  return std::min({1.0, context.line.end().toDouble() * kSlack, t * kSlack});
}

// Returns the t up to which the candidates that a stream has returned depend on the world: the end
// of the line after an error of the stream.
inline double reachOf(const QueryContext& context, CandidateStream& stream) {
  if (context.needsUnknown() || !stream.status().ok()) return reachUntil(context, 1);
  const std::optional<Fraction> horizon = stream.horizon();
  if (horizon.has_value()) return reachUntil(context, horizon->toDouble());
  const Candidate* const last = stream.candidates().last();
  return reachUntil(context, last == nullptr ? 1 : last->time.toDouble());
}

// Returns the t up to which the answer of a direct search depends on the world.
inline double reachOf(const QueryContext& context, const DirectResult& direct) {
  return reachUntil(context, direct.isFound() ? direct.block.enter.toDouble() : 1);
}

}  // namespace fractalray::internal
