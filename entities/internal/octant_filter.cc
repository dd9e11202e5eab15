// SPDX-License-Identifier: Apache-2.0
#include "octant_filter.h"

#include <cstdlib>

namespace fractalray::internal {

OctantFilter::OctantFilter(const PageLineFilter& line) {
  // From the centre of a chunk to those of its octants, on each axis.
  constexpr std::int32_t kToOctant = 1 << (kPageUnitsLog2 - 2);
  const auto signOf = [](std::size_t octant, std::size_t axis) {
    return (octant >> axis & 1) != 0 ? 1 : -1;
  };
  for (std::size_t number = 0; number < sides_.size(); ++number) {
    const Projection& projection = line.projections()[number];
    Side& side = sides_[number];
    const std::int32_t slope = projection.slope[0];  // in 1/32768
    for (std::size_t octant = 0; octant < Octants::kCount; ++octant) {
      const std::int32_t across = signOf(octant, line.across()[number]) * (kToOctant << 8);
      const std::int32_t along = signOf(octant, line.along()) * ((slope * kToOctant) >> 7);
      const std::int32_t center = across - along;
      centers_[octant][static_cast<int>(number)] = center;
      side.center[static_cast<int>(octant)] = static_cast<std::int16_t>(center >> 8);
    }
    side.half = static_cast<std::int16_t>(kToOctant + ((std::abs(slope) * kToOctant) >> 15) + 1);
    side.slack = static_cast<std::int16_t>(projection.slack[0] + kPad);
    side.spread = static_cast<std::int16_t>((projection.spread[0] >> 7) + 1);
  }
}

}  // namespace fractalray::internal
