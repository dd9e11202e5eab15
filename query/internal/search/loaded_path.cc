// SPDX-License-Identifier: Apache-2.0
#include "loaded_path.h"

#include <algorithm>

#include "absl/numeric/int128.h"

#include "../../../core/internal/access.h"
#include "../../../levels/internal/world_content.h"
#include "line_descent.h"

namespace fractalray::internal {
namespace {

template <class Product>
bool isLoaded(const Area& area, const LineDescent<Product>& descent, const PathNode& node) {
  const Slots touched(descent.parts(node, kAreaLog2, ~area.complete()));
  return std::ranges::all_of(touched, [&](int slot) {
    const int level_slot = descent.levelSlot(slot);
    if (!hasBit(area.loaded(), level_slot)) return false;
    const PathNode region = descent.part(node, kAreaLog2, slot);
    return descent.parts(region, kRegionLog2, ~area.region(level_slot)->loaded()) == 0;
  });
}

template <class Product>
bool touchesOnlyLoaded(const Level& chunks, const LineDescent<Product>& descent) {
  if (commonCubeLog2(descent.first(), descent.last()) > kWindowLog2) return false;
  return std::ranges::all_of(Slots(descent.window()), [&](int slot) {
    const Vec3i index = descent.areaInWindow(slot);
    const Vec3i chunk = descent.path().mirrored(shiftedUp(index, kAreaLog2 - kChunkLog2));
    const Area* const area = chunks.area({chunk[0], chunk[1], chunk[2]});
    return area != nullptr && isLoaded(*area, descent, descent.nodeInWindow(slot));
  });
}

bool holds(const ChunkBounds& bounds, const ChunkCoord& chunk) {
  bool is_inside = true;
  for (int axis = 0; axis < 3; ++axis) {
    is_inside &= chunk[axis] >= bounds.min()[axis] && chunk[axis] <= bounds.max()[axis];
  }
  return is_inside;
}

}  // namespace

bool isInFullBox(const World& world, const Line& line, int level) {
  const ChunkBounds& bounds = Access::content(world).level(level).bounds();
  if (line.beginsLater() || !bounds.isFull()) return false;
  return holds(bounds, world.frame().chunkAt(line.segment().from, level)) &&
         holds(bounds, world.frame().chunkAt(line.endPosition(), level));
}

bool touchesOnlyLoaded(const World& world, const PathMask& path, int level) {
  const Level& chunks = Access::content(world).level(level);
  const int shift = world.frame().blockShift(level);
  const Vec3i first = path.firstCell(shift);
  const Vec3i last = path.lastCell(shift);
  if (path.fits64(shift + kWindowLog2)) {
    return touchesOnlyLoaded(chunks, LineDescent<std::int64_t>(path, shift, first, last));
  }
  return touchesOnlyLoaded(chunks, LineDescent<absl::int128>(path, shift, first, last));
}

}  // namespace fractalray::internal
