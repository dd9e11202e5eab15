// SPDX-License-Identifier: Apache-2.0
#include "sight_search.h"

#include <cstdlib>
#include <optional>

#include "block_walk.h"
#include "listed_occluders.h"
#include "solid_growth.h"
#include "unloaded_walk.h"

namespace fractalray::internal {

SightSearch::SightSearch(const SightScope& scope, PreparedShot& shot, SightMemory& memory,
                         SightSteps& steps)
    : scope_(scope),
      memory_(memory),
      steps_(steps),
      rays_(scope, listOccluders(scope, memory), shot, steps) {}

absl::StatusOr<std::optional<SightWitness>> SightSearch::findWitness(bool is_unloaded_opaque,
                                                                     std::vector<FixedBox>* proof) {
  if (scope_.options.through > 0) {
    absl::Status status = cutAll(is_unloaded_opaque, proof);
    if (!status.ok()) return status;
    if (zones().empty()) return std::nullopt;
    const OpenZone& zone = zones().greatest();
    return witnessOf(zone, innerDirection(zone.zone, zones().octantOf(zone).target()));
  }
  memory_.zones.begin(scope_.query);
  memory_.proof.begin();
  Occluder& blocker = memory_.occluder;
  while (!zones().empty()) {
    const OpenZone& zone = zones().greatest();
    const Octant& octant = zones().octantOf(zone);
    const InnerDirection direction = innerDirection(zone.zone, octant.target());
    const absl::StatusOr<bool> is_blocked =
        rays_.findBlocker(octant, direction, is_unloaded_opaque, blocker);
    if (!is_blocked.ok()) return is_blocked.status();
    if (!*is_blocked) return witnessOf(zone, direction);
    absl::Status status = cut(blocker, zone.octant, proof);
    if (!status.ok()) return status;
  }
  return std::nullopt;
}

absl::StatusOr<bool> SightSearch::seesAlong(const Vec3i& point, bool is_unloaded_opaque) {
  memory_.zones.begin(scope_.query);
  unsigned lower = 0;
  InnerDirection direction{.w = {}, .is_unit = true};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t step = point[axis] - scope_.query.eye[axis];
    if (step < 0) lower |= 1U << axis;
    direction.w[static_cast<std::size_t>(axis)] = std::abs(step);
  }
  for (const OpenZone& zone : zones().zones()) {
    // A zone of directions along a plane of the eye, where one component is 0, is not open.
    if (zone.octant != lower || !zone.zone.contains(direction.w)) continue;
    const absl::StatusOr<bool> is_blocked =
        rays_.findBlocker(zones().octantOf(zone), direction, is_unloaded_opaque, memory_.occluder);
    if (!is_blocked.ok()) return is_blocked.status();
    return !*is_blocked;
  }
  return false;
}

absl::Status SightSearch::cutAll(bool is_unloaded_opaque, std::vector<FixedBox>* proof) {
  OpenZones& zones = memory_.zones;
  zones.begin(scope_.query);
  const auto is_open = [&](const FixedBox& box) { return zones.overlapsShadowOf(box); };
  const auto cut_out = [&](const Occluder& occluder) {
    const std::uint32_t most_passed = occluder.is_unloaded ? 0 : scope_.options.through;
    if (proof != nullptr) proof->insert(proof->end(), occluder.boxes.begin(), occluder.boxes.end());
    return zones.cut(occluder.boxes, most_passed, steps_) && !zones.empty();
  };
  Occluder& occluder = memory_.occluder;
  for (const FixedBox& box : memory_.listed) {
    if (!is_open(box)) continue;
    occluder.begin();
    occluder.boxes.push_back(box);
    if (!cut_out(occluder)) break;
  }
  bool is_left = !zones.empty() && walkBlocks(scope_, occluder, steps_, is_open, cut_out);
  if (is_left && is_unloaded_opaque && mayCrossUnloaded())
    UnloadedWalk(scope_, occluder, steps_, is_open, cut_out).run();
  return steps_.isExhausted() ? steps_.exhausted() : absl::OkStatus();
}

SightWitness SightSearch::witnessOf(const OpenZone& zone, const InnerDirection& direction) const {
  const Octant& octant = zones().octantOf(zone);
  SightWitness witness;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    // Also a sum of corners may happen to be a point of the box.
    witness.unit = witness.unit && direction.w[i] >= octant.target().min[axis] &&
                   direction.w[i] <= octant.target().max[axis];
    witness.delta[i] = octant.isLower(axis) ? -direction.w[i] : direction.w[i];
  }
  return witness;
}

absl::Status SightSearch::cut(const Occluder& blocker, int octant, std::vector<FixedBox>* proof) {
  FixedBox grown;
  std::span<const FixedBox> boxes = blocker.boxes;
  if (blocker.cube.has_value()) {
    grown = grownBox(scope_, zones(), octant, *blocker.cube);
    boxes = {&grown, 1};
  }
  memory_.proof.add(scope_, blocker, boxes.front());
  if (proof != nullptr) proof->insert(proof->end(), boxes.begin(), boxes.end());
  return memory_.zones.cut(boxes, 0, steps_) ? absl::OkStatus() : steps_.exhausted();
}

}  // namespace fractalray::internal
