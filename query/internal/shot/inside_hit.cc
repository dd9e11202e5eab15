// SPDX-License-Identifier: Apache-2.0
#include "inside_hit.h"

#include "hit_times.h"

namespace fractalray::internal {

InsideHit::InsideHit(const QueryContext& context, const Hit& hit) : geometry_(hit) {
  if (!hit.isBlock() || context.shapeOf(hit.type) == kWholeCube) return;
  double sum = 0;
  for (const TimeInterval& span : spansOf(context, hit)) {
    spans_.emplace_back(span.from.toDouble(), span.to.toDouble());
    sum += spans_.back().second - spans_.back().first;
  }
  geometry_.t_exit = geometry_.t + sum;
}

double InsideHit::timeOf(double t) const {
  double inside = t - geometry_.t;
  for (const auto& [from, to] : spans_) {
    if (inside <= to - from) return from + inside;
    inside -= to - from;
  }
  return spans_.empty() ? t : spans_.back().second;
}

}  // namespace fractalray::internal
