// SPDX-License-Identifier: Apache-2.0
#include "box_crossing.h"

#include <bit>

namespace fractalray::internal {
namespace {

// The part of a crossing on one axis: of the line, given so that it runs towards +.
class AxisCrossing {
 public:
  AxisCrossing(const Line& line, const UnitBox& box, int axis)
      : length_(line.delta()[axis]),
        begin_(line.begin()),
        begins_later_(line.beginsLater()),
        is_reflected_(line.isReflected(axis)) {
    const std::int64_t from = line.from()[axis];
    const std::int64_t to = from + length_;
    const bool runs_up = length_ >= 0;
    // A plane that the line runs towards is crossed at it: an upper face only if the line starts
    // below, a lower one, downwards, if the line ends below.
    comes_in_ = runs_up ? from < box.min[axis] : from >= box.max[axis];
    goes_out_ = runs_up ? to >= box.max[axis] : to < box.min[axis];
    is_missed_ = runs_up ? from >= box.max[axis] || to < box.min[axis]
                         : from < box.min[axis] || to >= box.max[axis];
    if (!runs_up) length_ = -length_;
    enter_ = runs_up ? box.min[axis] - from : from - box.max[axis];
    leave_ = runs_up ? box.max[axis] - from : from - box.min[axis];
  }

  // Returns true if the line is never between the two faces.
  bool isMissed() const { return is_missed_ || (goes_out_ && isPast(leave_)); }
  bool comesIn() const { return comes_in_ && !isPast(enter_); }
  bool goesOut() const { return goes_out_; }
  Fraction enter() const { return {enter_, length_}; }
  Fraction leave() const { return {leave_, length_}; }

 private:
  // Returns true if a reflected line has crossed a plane when it begins: what it crosses at that
  // time has been crossed only on the axes on which it is reflected.
  bool isPast(std::int64_t way) const {
    if (!begins_later_) return false;
    const auto order = Fraction{way, length_} <=> begin_;
    return order < 0 || (order == 0 && is_reflected_);
  }

  std::int64_t length_;
  Fraction begin_;
  bool begins_later_;
  bool is_reflected_;
  bool comes_in_;
  bool goes_out_;
  bool is_missed_;
  std::int64_t enter_;
  std::int64_t leave_;
};

}  // namespace

bool BoxCrossing::isVisited(CornerPolicy policy) const {
  if (!isTouch()) return true;
  if (policy == CornerPolicy::kBoth) return true;
  // One axis after another: the line is in the box between the last axis of one set and the first
  // of the other.
  return policy == CornerPolicy::kStaircase &&
         static_cast<int>(std::bit_width(unsigned{entered})) <= std::countr_zero(unsigned{left});
}

std::optional<BoxCrossing> crossBox(const Line& line, const UnitBox& box) {
  BoxCrossing crossing{.enter = line.begin()};
  for (int axis = 0; axis < 3; ++axis) {
    const AxisCrossing on_axis(line, box, axis);
    if (on_axis.isMissed()) return std::nullopt;
    const auto bit = static_cast<std::uint8_t>(1U << axis);
    if (on_axis.comesIn()) {
      const auto order = on_axis.enter() <=> crossing.enter;
      if (order > 0) crossing.entered = 0;
      if (order > 0) crossing.enter = on_axis.enter();
      if (order >= 0) crossing.entered |= bit;
    }
    if (on_axis.goesOut()) {
      const auto order = on_axis.leave() <=> crossing.leave;
      if (order < 0) crossing.left = 0;
      if (order < 0) crossing.leave = on_axis.leave();
      if (order <= 0) crossing.left |= bit;
    }
    if (crossing.leave < crossing.enter) return std::nullopt;
  }
  return crossing;
}

}  // namespace fractalray::internal
