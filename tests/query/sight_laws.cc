// SPDX-License-Identifier: Apache-2.0
#include "sight_laws.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace fractalray::sight_test {
namespace {

std::int64_t clampedToFrame(std::int64_t coordinate) {
  return std::clamp(coordinate, -kMaxCoordinate, kMaxCoordinate);
}

}  // namespace

SightAnswer answerTo(const SightCase& of) {
  const absl::StatusOr<SightAnswer> answer =
      of.service().visible(of.query, of.levels, of.allOptions());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? *answer : SightAnswer();
}

Sight sightOf(const SightCase& of) {
  return answerTo(of).sight;
}

ExposureAnswer exposureOf(const SightCase& of) {
  const absl::StatusOr<ExposureAnswer> answer =
      of.service().exposure(of.query, of.levels, of.allOptions());
  EXPECT_TRUE(answer.ok()) << answer.status();
  return answer.ok() ? *answer : ExposureAnswer();
}

FixedBox extraOccluder(oracle::Rng& rng, const SightQuery& query) {
  FixedBox box;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t target = query.box.min[axis];
    const std::int64_t middle = query.eye[axis] / 2 + target / 2;
    const std::int64_t half = std::abs(query.eye[axis] / 4 - target / 4) + 1;
    box.min[axis] = clampedToFrame(middle - rng.in(0, half));
    box.max[axis] = clampedToFrame(middle + rng.in(1, half));
  }
  return box;
}

FixedBox biggerBox(oracle::Rng& rng, const FixedBox& box, bool keep_flat) {
  FixedBox bigger = box;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t by = rng.pick({std::int64_t{0}, std::int64_t{1}, std::int64_t{40000}});
    if (keep_flat && box.min[axis] == box.max[axis]) continue;
    bigger.min[axis] = clampedToFrame(box.min[axis] - by);
    bigger.max[axis] = clampedToFrame(box.max[axis] + by);
  }
  return bigger;
}

void divideOccluders(oracle::Rng& rng, SightCase& boxes) {
  for (std::size_t i = boxes.occluders.size(); i-- > 0;) {
    const int axis = rng.below(3);
    FixedBox& box = boxes.occluders[i];
    FixedBox other = box;
    other.max[axis] = box.min[axis] = rng.in(box.min[axis], box.max[axis]);
    boxes.occluders.push_back(other);
  }
}

}  // namespace fractalray::sight_test
