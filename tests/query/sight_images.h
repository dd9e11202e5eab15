// SPDX-License-Identifier: Apache-2.0
// Images of cases of sight, which have the same answers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sight_scene.h"

namespace fractalray::sight_test {

// Returns a case whose occluders are boxes in the options, and nothing else: those of another one,
// whose unloaded space is air. The boxes of a shape are then occluders of their own.
SightCase asBoxes(const SightCase& of);

// Returns the image as boxes under a map of points that maps boxes to boxes.
template <class Map>
SightCase mapped(const SightCase& of, const Map& map) {
  SightCase image = asBoxes(of);
  const auto image_of = [&](const FixedBox& box) {
    const Vec3i a = map(box.min);
    const Vec3i b = map(box.max);
    FixedBox between;
    for (int axis = 0; axis < 3; ++axis) {
      between.min[axis] = std::min(a[axis], b[axis]);
      between.max[axis] = std::max(a[axis], b[axis]);
    }
    return between;
  };
  image.query = {.eye = map(of.query.eye), .box = image_of(of.query.box)};
  for (FixedBox& box : image.occluders)
    box = image_of(box);
  return image;
}

// Returns true if a case can be moved and scaled within the frame.
bool isNearOrigin(const SightCase& of);

// A map of whole worlds, to blocks of the same or of a coarser width.
struct WorldMap {
  std::array<int, 3> axes{0, 1, 2};  // the axis that becomes each
  std::array<bool, 3> is_mirrored{};
  ChunkCoord by{};  // chunks of level 0, applied last
  int finer = 0;    // finer levels added to the frame: 16 times as large for each
};

// Returns the image of blocks and chunks under a map. Blocks that the filter refuses are left out,
// and entities have become boxes. Requires: isNearOrigin(), and shapes keep their axes.
SightCase mapped(const SightCase& of, const WorldMap& map);

// Returns true if all blocks of a world fill their cubes, in all channels.
bool hasCubesOnly(const World& world);

}  // namespace fractalray::sight_test
