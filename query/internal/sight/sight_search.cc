// SPDX-License-Identifier: Apache-2.0
#include "sight_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>

#include "../../../core/check.h"
#include "block_walk.h"
#include "listed_occluders.h"
#include "solid_growth.h"
#include "unloaded_walk.h"

namespace fractalray::internal {

SightSearch::SightSearch(const SightScope& scope, PreparedShot& shot, SightMemory& memory,
                         SightSteps& steps)
    : scope_(scope),
      memory_(memory),
      shot_(shot),
      steps_(steps),
      is_hull_loaded_(scope.isHullLoaded()) {}

SightRays& SightSearch::rays() {
  if (!rays_.has_value())
    rays_.emplace(scope_, listOccluders(scope_, memory_, steps_), is_hull_loaded_, shot_, steps_);
  return *rays_;
}

absl::StatusOr<std::optional<SightWitness>> SightSearch::findWitness(bool is_unloaded_opaque,
                                                                     std::vector<FixedBox>* proof,
                                                                     const SightHint& hint) {
  if (scope_.options.through > 0) {
    absl::Status status = cutAll(is_unloaded_opaque, proof);
    if (!status.ok()) return status;
    if (zones().empty()) return std::nullopt;
    const OpenZone& zone = zones().greatest();
    return witnessOf(zone.octant, directionInside(zone));
  }
  memory_.zones.begin(scope_.query);
  memory_.proof.begin();
  absl::Status status = cutParts(hint, proof);
  if (!status.ok()) return status;
  if (hint.seen.has_value()) {
    auto witness = shootAt(*hint.seen, is_unloaded_opaque, proof);
    if (!witness.ok() || witness->has_value()) return witness;
  }
  while (!zones().empty()) {
    const OpenZone& zone = zones().greatest();
    auto witness = shoot(zone.octant, directionInside(zone), is_unloaded_opaque, proof);
    if (!witness.ok() || witness->has_value()) return witness;
  }
  return std::nullopt;
}

absl::StatusOr<std::optional<SightWitness>> SightSearch::shoot(int octant,
                                                               const InnerDirection& direction,
                                                               bool is_unloaded_opaque,
                                                               std::vector<FixedBox>* proof) {
  Occluder& blocker = memory_.occluder;
  const absl::StatusOr<bool> is_blocked =
      rays().findBlocker(zones().octant(octant), direction, is_unloaded_opaque, blocker);
  if (!is_blocked.ok()) return is_blocked.status();
  if (!*is_blocked) return witnessOf(octant, direction);
  absl::Status status = cut(blocker, octant, proof);
  if (!status.ok()) return status;
  return std::nullopt;
}

absl::StatusOr<std::optional<SightWitness>> SightSearch::shootAt(const Vec3i& point,
                                                                 bool is_unloaded_opaque,
                                                                 std::vector<FixedBox>* proof) {
  int octant = 0;
  InnerDirection direction{.w = {}, .is_unit = true};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t step = point[axis] - scope_.query.eye[axis];
    if (step < 0) octant |= 1 << axis;
    direction.w[static_cast<std::size_t>(axis)] = std::abs(step);
  }
  // No zone contains directions along a plane of the eye, where one component is 0.
  const bool is_inside =
      std::any_of(zones().zones().begin(), zones().zones().end(), [&](const OpenZone& zone) {
        return zone.octant == octant && zone.zone.contains(direction.w);
      });
  if (!is_inside) return std::nullopt;
  return shoot(octant, direction, is_unloaded_opaque, proof);
}

absl::Status SightSearch::cutParts(const SightHint& hint, std::vector<FixedBox>* proof) {
  const std::vector<FixedBox>& boxes = memory_.occluder.boxes;
  for (const ProofPart& part : hint.parts) {
    if (zones().empty()) break;
    if (!findPart(scope_, part, hint.are_blocks_same, memory_.occluder)) continue;
    const std::uint64_t cuts = steps_.stats().cuts;
    if (!memory_.zones.cut(boxes, 0, steps_)) return steps_.exhausted();
    if (steps_.stats().cuts == cuts) continue;  // it hides nothing any more
    memory_.proof.parts.push_back(part);
    if (proof != nullptr) proof->insert(proof->end(), boxes.begin(), boxes.end());
  }
  return absl::OkStatus();
}

absl::Status SightSearch::cutAll(bool is_unloaded_opaque, std::vector<FixedBox>* proof) {
  OpenZones& zones = memory_.zones;
  zones.begin(scope_.query);
  const auto is_open = [&](const FixedBox& box) {
    return steps_.spendLooks(zones.zones().size()) && zones.overlapsShadowOf(box);
  };
  const auto cut_out = [&](const Occluder& occluder) {
    const std::uint32_t most_passed = occluder.is_unloaded ? 0 : scope_.options.through;
    if (proof != nullptr) proof->insert(proof->end(), occluder.boxes.begin(), occluder.boxes.end());
    return zones.cut(occluder.boxes, most_passed, steps_) && !zones.empty();
  };
  Occluder& occluder = memory_.occluder;
  for (const FixedBox& box : listOccluders(scope_, memory_, steps_)) {
    if (!steps_.spendLooks(SightSteps::kLooksPerStep)) break;
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

InnerDirection SightSearch::directionInside(const OpenZone& zone) const {
  return innerDirection(zone.zone, zone.middle, zones().octantOf(zone).target());
}

SightWitness SightSearch::witnessOf(int in_octant, const InnerDirection& direction) const {
  const Octant& octant = zones().octant(in_octant);
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
  const std::uint64_t cuts = steps_.stats().cuts;
  if (!memory_.zones.cut(boxes, 0, steps_)) return steps_.exhausted();
  // Else the same ray would be shot for ever.
  FRACTALRAY_CHECK(steps_.stats().cuts > cuts);
  return absl::OkStatus();
}

}  // namespace fractalray::internal
