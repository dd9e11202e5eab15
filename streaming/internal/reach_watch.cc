// SPDX-License-Identifier: Apache-2.0
#include "reach_watch.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "../../core/check.h"

namespace fractalray::internal {
namespace {

// The most by which rounding a viewer to units may change a distance: a fraction is at least 16
// units wide, so that each axis changes by one at most.
constexpr std::int64_t kUnitRounding = 2;

// Returns true for a step of at most a chunk width on each axis.
bool isStep(const Vec3i& from, const Vec3i& to, int shift) {
  bool is_near = true;
  for (int axis = 0; axis < 3; ++axis)
    is_near = is_near && std::abs(to[axis] - from[axis]) <= std::int64_t{1} << shift;
  return is_near;
}

}  // namespace

void ReachWatch::restart(const ChunkReach& reach) {
  is_known_ = false;
  viewers_.clear();
  for (const Vec3i& viewer : reach.viewers())
    viewers_.push_back({viewer});
  is_known_ = true;
}

// Nothing but rounding is lost: if a viewer moves by some fractions on an axis, the rounded gap on
// that axis changes by no more.
bool ReachWatch::isWithinSlack(const Viewer& viewer, const Vec3i& now, int shift) {
  if (viewer.at == now) return true;
  if (viewer.slack < 1) return false;
  std::int64_t sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t distance = std::abs(now[axis] - viewer.at[axis]);
    const std::int64_t scaled =
        std::min((distance >> shift) + (distance == 0 ? 0 : 1), kMostFractions);
    sum += scaled * scaled;
  }
  return sum <= viewer.slack * viewer.slack;
}

std::int64_t ReachWatch::slackAt(const ChunkReach& reach, int level, const Vec3i& at) {
  return std::min(reach.loadBall(level, at).slack(), reach.keepBall(level, at).slack());
}

bool ReachWatch::isUnchanged(const ChunkReach& reach, int level) const {
  const std::vector<Vec3i>& now = reach.viewers();
  const int shift = reach.fractionShift(level);
  return std::equal(
      viewers_.begin(), viewers_.end(), now.begin(), now.end(),
      [shift](const Viewer& viewer, const Vec3i& at) { return isWithinSlack(viewer, at, shift); });
}

ReachWatch::Viewer ReachWatch::moved(const ChunkReach& reach, int level, const Viewer& before,
                                     const Vec3i& now, Visit left, Visit entered) {
  if (isWithinSlack(before, now, reach.fractionShift(level))) return before;
  bool is_same = true;
  const auto noting = [&is_same](Visit visit) {
    return [&is_same, visit](const ChunkRow& row) {
      is_same = false;
      visit(row);
    };
  };
  const ChunkBall kept = reach.keepBall(level, now);
  const ChunkBall kept_before = reach.keepBall(level, before.at);
  kept_before.forEachRowOutside(kept, noting(left));
  const ChunkBall loaded = reach.loadBall(level, now);
  const ChunkBall loaded_before = reach.loadBall(level, before.at);
  loaded.forEachRowOutside(loaded_before, noting(entered));
  // Costs more than it saves if the balls change with every step.
  return {now, is_same ? std::min(kept.slack(), loaded.slack()) : 0};
}

void ReachWatch::follow(const ChunkReach& reach, int level, Visit left, Visit entered) {
  FRACTALRAY_DCHECK(is_known_, level);
  if (!reach.isStreamed(level) || isUnchanged(reach, level)) return;
  const int shift = reach.fractionShift(level) + kFractionBits;
  const auto enter = [&](const Vec3i& at) {
    reach.loadBall(level, at).forEachRow(entered);
    after_.push_back({at});
  };
  const auto leave = [&](const Viewer& viewer) {
    reach.keepBall(level, viewer.at).forEachRow(left);
  };
  const std::vector<Vec3i>& now = reach.viewers();
  after_.clear();
  after_.reserve(now.size());
  auto before = viewers_.begin();
  const auto is_step = [&](auto from, std::size_t i) {
    return from != viewers_.end() && i < now.size() && isStep(from->at, now[i], shift);
  };
  for (std::size_t i = 0; i < now.size(); ++i) {
    // One that has vanished shifts those after it, and so does one that is new.
    if (before != viewers_.end() && !is_step(before, i) && is_step(before + 1, i)) leave(*before++);
    const bool is_new = before == viewers_.end() || (!is_step(before, i) && is_step(before, i + 1));
    if (is_new) {
      enter(now[i]);
    } else {
      after_.push_back(moved(reach, level, *before++, now[i], left, entered));
    }
  }
  for (; before != viewers_.end(); ++before)
    leave(*before);
  viewers_.swap(after_);
}

void ReachWatch::followMove(const ChunkReach& reach, const FrameMove& move, int level) noexcept {
  const int after = move.levelAfter(level);
  if (!reach.hasSameRadii(level, after)) forget();
  for (Viewer& viewer : viewers_) {
    const std::optional<Vec3i> at = move.pointAfter(viewer.at);
    if (!at.has_value()) return forget();
    if (move.levels() > 0 && is_known_ && reach.isStreamed(level)) {
      if (viewer.slack <= kUnitRounding) viewer.slack = slackAt(reach, level, viewer.at);
      viewer.slack -= kUnitRounding;
      if (viewer.slack < 0) return forget();
    }
    viewer.at = *at;
  }
}

}  // namespace fractalray::internal
