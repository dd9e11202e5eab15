// SPDX-License-Identifier: Apache-2.0
#include "shape_crossing.h"

#include <algorithm>
#include <bit>

namespace fractalray::internal {
namespace {

// Returns the number by which boxes that are entered at the same time compete for the face: the
// least wins. Its two lowest bits are the axis of the face.
unsigned faceRank(const BoxCrossing& crossing, CornerPolicy policy) {
  const unsigned entered = crossing.entered;
  if (entered == 0) return 0;
  // One after another, the last of its axes is the one that leads into the box.
  if (policy == CornerPolicy::kStaircase) {
    return 4 + static_cast<unsigned>(std::bit_width(entered)) - 1;
  }
  return 4 * static_cast<unsigned>(std::popcount(entered)) +
         static_cast<unsigned>(std::countr_zero(entered));
}

// The box that decides a crossing's time and face.
struct Deciding {
  Fraction enter;
  unsigned rank = 0;
  const ShapeBox* box = nullptr;

  // Takes another box if it is entered earlier, or at the same time with a lower rank.
  void take(const BoxCrossing& crossing, const ShapeBox& of_box, CornerPolicy policy) {
    const auto order = box == nullptr ? std::strong_ordering::less : crossing.enter <=> enter;
    if (order > 0) return;
    const unsigned of_rank = faceRank(crossing, policy);
    if (order == 0 && of_rank >= rank) return;
    *this = {.enter = crossing.enter, .rank = of_rank, .box = &of_box};
  }
};

// Lets the boxes that the line only touches, and `neither` does not visit, compete for the face.
void takeTouched(const Line& line, const PlacedShape& shape, Deciding& deciding) {
  const Fraction enter = deciding.enter;
  for (const ShapeBox& box : shape.boxes) {
    const std::optional<BoxCrossing> crossing =
        crossBox(line, placedBox(box, shape.block, shape.shift));
    if (crossing.has_value() && crossing->isTouch() && crossing->enter == enter) {
      deciding.take(*crossing, box, CornerPolicy::kNeither);
    }
  }
}

}  // namespace

UnitBox placedBox(const ShapeBox& box, const Vec3i& block, int shift) {
  UnitBox units;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    units.min[axis] = placedPlane(block[axis], box.min[i], shift);
    units.max[axis] = placedPlane(block[axis], box.max[i], shift);
  }
  return units;
}

std::optional<ShapeCrossing> crossShape(const Line& line, CornerPolicy policy,
                                        const PlacedShape& shape) {
  Deciding deciding;
  Fraction leave = Fraction::zero();
  for (const ShapeBox& box : shape.boxes) {
    const std::optional<BoxCrossing> crossing =
        crossBox(line, placedBox(box, shape.block, shape.shift));
    if (!crossing.has_value() || !crossing->isVisited(policy)) continue;
    deciding.take(*crossing, box, policy);
    if (leave < crossing->leave) leave = crossing->leave;
  }
  if (deciding.box == nullptr) return std::nullopt;
  if (policy == CornerPolicy::kNeither) takeTouched(line, shape, deciding);
  ShapeCrossing found{.enter = deciding.enter, .leave = leave, .start_inside = deciding.rank == 0};
  if (found.start_inside) return found;
  const int axis = static_cast<int>(deciding.rank & 3U);
  const auto i = static_cast<std::size_t>(axis);
  const std::int64_t delta = line.delta()[axis];
  const bool runs_up = delta > 0;
  found.face = {static_cast<std::int8_t>(axis), static_cast<std::int8_t>(runs_up ? -1 : 1)};
  found.plane = runs_up ? deciding.box->min[i] : deciding.box->max[i];
  // The same time, as the plane of the face gives it, so that it follows from the hit.
  const std::int64_t way =
      placedPlane(shape.block[axis], found.plane, shape.shift) - line.from()[axis];
  found.enter = runs_up ? Fraction{way, delta} : Fraction{-way, -delta};
  return found;
}

void shapeSpans(const Line& line, CornerPolicy policy, const PlacedShape& shape,
                TimeIntervals& spans) {
  spans.clear();
  for (const ShapeBox& box : shape.boxes) {
    const std::optional<BoxCrossing> crossing =
        crossBox(line, placedBox(box, shape.block, shape.shift));
    if (!crossing.has_value() || !crossing->isVisited(policy)) continue;
    spans.push_back({crossing->enter, crossing->leave});
  }
  std::sort(spans.begin(), spans.end(),
            [](const TimeInterval& a, const TimeInterval& b) { return a.from < b.from; });
  std::size_t merged = 0;
  for (const TimeInterval& span : spans) {
    if (merged > 0 && span.from <= spans[merged - 1].to) {
      if (spans[merged - 1].to < span.to) spans[merged - 1].to = span.to;
    } else {
      spans[merged++] = span;
    }
  }
  spans.resize(merged);
}

}  // namespace fractalray::internal
