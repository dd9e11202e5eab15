// SPDX-License-Identifier: Apache-2.0
#include "seen_blocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "../../query/ray_query_service.h"

namespace fractalray {
namespace {

constexpr int kRaysAcross = 96;
constexpr int kRaysUp = 72;
// A block that a ray hits so near to its end is one that begins with the target.
constexpr double kEnd = 1 - 1e-6;

// Returns the boxes of a block in units.
std::vector<FixedBox> boxesOf(const World& world, ChannelId channel, const Hit& hit) {
  const std::int64_t width = world.frame().blockWidth(hit.level);
  std::vector<FixedBox> boxes;
  const BlockTypeTable& types = world.blockTypes();
  for (const ShapeBox& shape : types.boxes(types.shape(hit.type, channel))) {
    FixedBox& box = boxes.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t corner = hit.block[axis] * width;
      const std::int64_t part = width / kShapeUnits;
      const auto index = static_cast<std::size_t>(axis);
      box.min[axis] = corner + part * shape.min[index];
      box.max[axis] = corner + part * shape.max[index];
    }
  }
  return boxes;
}

double distanceOf(const FixedBox& box, const Vec3i& eye) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += std::abs(toBlocks(box.min[axis] - eye[axis]) + toBlocks(box.max[axis] - eye[axis])) / 2;
  return sum;
}

// Returns how far the target reaches in front of the eye.
double reachOf(const SightReport& report, const EyeView& view) {
  const Vec3d from = toBlocks(report.query.box.min - report.query.eye);
  const Vec3d to = toBlocks(report.query.box.max - report.query.eye);
  return std::max(view.depthOf(from), view.depthOf(to));
}

// Appends a box, and what of it is before the target. A box that is not before it is never in front
// of one that is, so that drawing one kind after the other is right.
void append(const FixedBox& box, BlockTypeId type, const Vec3i& eye, const EyeView& view,
            SeenBlocks& seen) {
  const std::vector<FixedBox> parts = view.partsBefore(box);
  if (parts != std::vector<FixedBox>{box})
    seen.boxes.push_back({type, box, false, distanceOf(box, eye)});
  for (const FixedBox& part : parts)
    seen.boxes.push_back({type, part, true, distanceOf(part, eye)});
}

}  // namespace

absl::StatusOr<SeenBlocks> findSeenBlocks(const World& world, const EntityIndex& entities,
                                          const SightReport& report, const EyeView& view,
                                          const PlaneWindow& window) {
  const RayQueryService service(world, entities);
  QueryOptions options;
  options.filter = report.options.filter;
  options.filter.solid_only = true;
  options.filter.entities = false;
  options.report_unknown = true;
  const Vec3d eye = toBlocks(report.query.eye);
  const double reach = reachOf(report, view) / view.distance();
  const Vec2d step{(window.max[0] - window.min[0]) / kRaysAcross,
                   (window.max[1] - window.min[1]) / kRaysUp};
  SeenBlocks seen;
  std::map<std::pair<int, BlockCoord>, Hit> blocks;  // by level and index: each block once
  for (int row = 0; row < kRaysUp; ++row) {
    bool was_unloaded = false;
    for (int column = 0; column < kRaysAcross; ++column) {
      const PlaneWindow part{
          {window.min[0] + step[0] * column, window.min[1] + step[1] * row},
          {window.min[0] + step[0] * (column + 1), window.min[1] + step[1] * (row + 1)}};
      const Vec3d direction = view.pointAt((part.min + part.max) / 2);
      const double entry = view.entryTime(direction);
      const Segment line{eye, eye + direction * (entry > 0 ? entry : reach)};
      const absl::StatusOr<ClosestHit> closest = service.closestHit(line, report.levels, options);
      if (absl::IsOutOfRange(closest.status())) continue;  // it leaves the frame
      if (!closest.ok()) return closest.status();
      const bool is_hit = closest->hit.has_value() && (entry == 0 || closest->hit->t < kEnd);
      if (is_hit) blocks[{closest->hit->level, closest->hit->block}] = *closest->hit;
      if (closest->unknown_from.has_value() && was_unloaded) {
        seen.unloaded.back().max = part.max;
      } else if (closest->unknown_from.has_value()) {
        seen.unloaded.push_back(part);
      }
      was_unloaded = closest->unknown_from.has_value();
    }
  }
  for (const auto& [key, hit] : blocks) {
    for (const FixedBox& box : boxesOf(world, options.filter.channel, hit))
      append(box, hit.type, report.query.eye, view, seen);
  }
  std::stable_sort(seen.boxes.begin(), seen.boxes.end(),
                   [](const SeenBox& a, const SeenBox& b) { return a.distance > b.distance; });
  return seen;
}

}  // namespace fractalray
