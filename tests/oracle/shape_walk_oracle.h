// SPDX-License-Identifier: Apache-2.0
// Shapes by their definition: the block divided along every plane of its boxes and its cube, and a
// walk through the cells of that. Section 9 of the contract, and nothing else.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../core/corner_policy.h"
#include "../../core/face.h"
#include "../../core/segment.h"
#include "../../levels/block_shape.h"
#include "exact.h"

namespace fractalray::oracle {

struct ShapeVisit {
  Rational t = 0;
  Rational t_exit = 0;
  Face face = Face::none();
  bool start_inside = false;
  std::vector<std::pair<Rational, Rational>> spans;  // merged where they touch
};

// Returns the visit of a segment to the boxes of a block whose lower corner is `corner` and that is
// `width` units wide; nothing if it visits none.
std::optional<ShapeVisit> visitShape(const FixedSegment& segment, CornerPolicy policy,
                                     std::span<const ShapeBox> boxes, const Vec3i& corner,
                                     std::int64_t width);

}  // namespace fractalray::oracle
