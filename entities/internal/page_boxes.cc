// SPDX-License-Identifier: Apache-2.0
#include "page_boxes.h"

#include <algorithm>

#include "../../core/check.h"

namespace fractalray::internal {
namespace {

// Returns the step in which a coordinate from the chunk's centre lies, or the nearest one: the last
// step includes the far face of the chunk.
std::uint8_t stepAt(int coordinate) {
  constexpr int kWidth = 1 << kPageUnitsLog2;
  const int from_corner = coordinate + kWidth / 2;
  return static_cast<std::uint8_t>(std::clamp(from_corner, 0, kWidth - 1) >> kBoxStepLog2);
}

}  // namespace

std::uint32_t PageBoxes::set(std::uint32_t lane, const EntityPage& page, std::uint32_t count) {
  FRACTALRAY_DCHECK(count > 0 && count <= EntityPage::kLanes, count);
  std::array<std::uint32_t, 3> width{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    int low = page.center[axis][0] - page.radius[0];
    int high = page.center[axis][0] + page.radius[0];
    for (std::uint32_t i = 1; i < count; ++i) {
      low = std::min(low, page.center[axis][i] - page.radius[i]);
      high = std::max(high, page.center[axis][i] + page.radius[i]);
    }
    min[axis][lane] = stepAt(low);
    max[axis][lane] = stepAt(high);
    width[axis] = static_cast<std::uint32_t>(max[axis][lane] - min[axis][lane] + 1);
  }
  return width[0] * width[1] + width[1] * width[2] + width[2] * width[0];
}

}  // namespace fractalray::internal
