// SPDX-License-Identifier: Apache-2.0
#include "anchor_follower.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../../core/units.h"

namespace fractalray::internal {
namespace {

using Step = ChunkPath::Step;

// Farther than any frame reaches, in chunks; 16 times as many are still a number.
constexpr std::int64_t kFar = std::int64_t{1} << 58;

// Appends a digit of base 16, which may be negative, to a number. Once the number is far from zero
// it stays so: further digits are less than its own growth.
std::int64_t appended(std::int64_t number, int digit) {
  return std::clamp(number * 16 + digit, -kFar, kFar);
}

// Returns a digit of a path, 0 after its end.
int digitOf(const std::vector<Step>& steps, std::size_t index, int axis) {
  return index < steps.size() ? steps[index][axis] : 0;
}

}  // namespace

FrameShift::FrameShift(const Frame& frame, const ChunkPath& before, const ChunkPath& after)
    : frame_(frame) {
  const std::size_t deeper = std::max(before.steps().size(), after.steps().size());
  const auto difference = static_cast<std::int64_t>(before.steps().size()) -
                          static_cast<std::int64_t>(after.steps().size());
  // Beyond kMaxLevels all levels are inactive after the moves.
  steps_before_ = static_cast<int>(std::clamp<std::int64_t>(difference, -kMaxLevels, kMaxLevels));
  depth_ = std::max(0, -steps_before_);
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < deeper; ++i) {
      const int digit = digitOf(before.steps(), i, axis) - digitOf(after.steps(), i, axis);
      offset_[axis] = appended(offset_[axis], digit);
    }
  }
}

std::optional<Vec3i> FrameShift::chunkOffset(int level) const {
  if (!frame_.isActive(levelAfter(level))) return std::nullopt;
  Vec3i offset = offset_;
  // An active level after the moves is at the deeper anchor's depth or below it.
  for (int i = depth_; i < level; ++i) {
    for (int axis = 0; axis < 3; ++axis)
      offset[axis] = appended(offset[axis], 0);
  }
  return offset;
}

std::optional<ChunkOfLevel> FrameShift::chunkAfter(int level, const ChunkCoord& chunk) const {
  const std::optional<Vec3i> offset = chunkOffset(level);
  if (!offset.has_value()) return std::nullopt;
  const ChunkCoord after = chunkAt(chunk, *offset);
  if (!frame_.contains(levelAfter(level), after)) return std::nullopt;
  return ChunkOfLevel{levelAfter(level), after};
}

AnchorFollower::AnchorFollower(const Window& window)
    : anchor_(std::make_shared<const ChunkPath>(window.anchor())), moves_(window.moves()) {
  const Frame& frame = window.world().frame();
  const std::int64_t limit = kMaxCoordinate >> frame.chunkShift(0);
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t before = 0;  // the anchor's index below the root
    std::int64_t after = 0;   // its index from the other end
    for (const Step& step : anchor_->steps()) {
      before = appended(before, step[axis]);
      after = appended(after, 15 - step[axis]);
    }
    box_.min[axis] = std::max(-before, -limit);
    box_.max[axis] = std::min(after, limit - 1);
  }
}

FrameShift AnchorFollower::shift(const Window& window) const {
  return {window.world().frame(), *anchor_, window.anchor()};
}

ChunkBox AnchorFollower::box(int level) const {
  ChunkBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = box_.min[axis] * (std::int64_t{1} << (4 * level));
    box.max[axis] = (box_.max[axis] + 1) * (std::int64_t{1} << (4 * level)) - 1;
  }
  return box;
}

}  // namespace fractalray::internal
