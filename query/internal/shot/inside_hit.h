// SPDX-License-Identifier: Apache-2.0
// How long a line is inside what it hits: a cost per length charges the sum of a shape's spans, and
// not the gaps between them.
#pragma once

#include <boost/container/small_vector.hpp>
#include <utility>

#include "../../hit.h"
#include "../search/query_context.h"

namespace fractalray::internal {

class InsideHit {
 public:
  // Requires: the hit is one of the context's line. Cost: for a shape, a test of each of its boxes.
  InsideHit(const QueryContext& context, const Hit& hit);

  // Returns the hit with its gaps closed: it ends at t and the sum of the spans.
  const HitGeometry& geometry() const { return geometry_; }
  // Returns the time on the line of a time in geometry().
  double timeOf(double t) const;

 private:
  HitGeometry geometry_;
  boost::container::small_vector<std::pair<double, double>, 8> spans_;  // none if there is no gap
};

}  // namespace fractalray::internal
