// SPDX-License-Identifier: Apache-2.0
#include "visible_blocks.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../core/units.h"
#include "internal/query_scope.h"
#include "internal/search/query_checks.h"
#include "internal/search/search_checks.h"
#include "internal/service_state.h"
#include "internal/sight/covered_faces.h"
#include "internal/sight/observe_sight.h"
#include "internal/sight/sight_checks.h"
#include "internal/sight/sight_memory.h"
#include "internal/sight/sight_verbs.h"
#include "ray_query_service.h"

namespace fractalray {
namespace {

using internal::ServiceState;
using internal::SightScope;

absl::Status checkTypes(std::span<const BlockTypeId> types, const BlockTypeTable& table) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (table.contains(types[i])) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "types[", i, "] is ", BlockTypeTable::index(types[i]), ", which the world's table of ",
        table.size(), " does not have; add the type to it first"));
  }
  return absl::OkStatus();
}

// Returns the eye in units, or the error of the query.
absl::StatusOr<Vec3i> checked(const ServiceState& state, const Vec3d& eye, double radius,
                              LevelMask levels, const VisibleBlocksOptions& options) {
  const BlockTypeTable& table = state.world.blockTypes();
  absl::StatusOr<Vec3i> point = toUnits(eye, "the eye");
  absl::Status status = errorToReport(
      {point.status(), internal::unitsFromLength(radius, "the radius").status(),
       internal::checkLevels(levels, state.world.frame()),
       internal::checkChannel(options.targets.channel, table),
       internal::checkChannel(options.sight.filter.channel, table),
       checkTypes(options.types, table), internal::checkOccluders(options.sight.occluders)});
  // Its line is right, so this checks only the depth of nesting.
  if (status.ok()) status = state.check({.levels = levels}, options.sight.filter.channel);
  if (!status.ok()) return status;
  return point;
}

// The search for targets that may be seen, and the question whether they are.
class TargetSearch {
 public:
  TargetSearch(const ServiceState& state, const Vec3i& eye, LevelMask levels,
               const VisibleBlocksOptions& options, VisibleBlocks& found)
      : state_(state),
        at_eye_{.eye = eye, .box = {.min = eye, .max = eye}},
        levels_(levels),
        options_(options),
        scope_(state, at_eye_, levels, options.sight),
        found_(found) {}

  // Lists the targets that have an uncovered face, as undecided ones.
  absl::Status collect(const Vec3d& eye, double radius) {
    const auto may_be_seen = [&](const BlockHit& hit) { return isTarget(hit) && !isCovered(hit); };
    QueryFilter filter;
    filter.blocks = options_.targets.blocks;
    filter.channel = options_.targets.channel;
    filter.solid_only = options_.targets.solid_only;
    filter.block_filter = std::ref(may_be_seen);
    return blocksInSphere(state_.world, eye, radius, levels_, filter, found_.undecided,
                          &found_.stats.search);
  }

  // Decides those, until steps run out.
  absl::Status decide() {
    std::size_t decided = 0;
    for (const FoundBlock& target : found_.undecided) {
      absl::Status status = ask(target);
      if (absl::IsResourceExhausted(status)) break;
      if (!status.ok()) return status;
      ++decided;
      if (answer_.sight == Sight::kVisible) found_.visible.push_back(target);
      if (answer_.sight == Sight::kUnknown) found_.unknown.push_back(target);
    }
    found_.undecided.erase(found_.undecided.begin(),
                           found_.undecided.begin() + static_cast<std::ptrdiff_t>(decided));
    return absl::OkStatus();
  }

 private:
  bool isTarget(const BlockHit& hit) const {
    if (!options_.types.empty() &&
        std::find(options_.types.begin(), options_.types.end(), hit.type) == options_.types.end())
      return false;
    return !options_.targets.block_filter || options_.targets.block_filter(hit);
  }

  bool isCovered(const BlockHit& hit) {
    // A direction may pass what covers a face.
    if (options_.sight.through > 0) return false;
    internal::SightMemory& memory = internal::sightMemory();
    const internal::QueryScope depth;  // the filter of occluders may query
    const bool is_covered =
        internal::hasCoveredFaces(scope_, {hit.level, hit.block}, memory.occluder);
    if (is_covered) ++found_.stats.covered;
    return is_covered;
  }

  absl::Status ask(const FoundBlock& target) {
    const std::uint64_t most = options_.sight.max_steps;
    const std::uint64_t taken = found_.stats.sight.steps();
    const SightQuery query{.eye = at_eye_.eye, .box = scope_.cubeOf({target.level, target.block})};
    absl::Status status = internal::findSight(state_, query, levels_, options_.sight,
                                              most - std::min(most, taken), nullptr, answer_);
    ++found_.stats.asked;
    found_.stats.sight += answer_.stats;
    return status;
  }

  const ServiceState& state_;
  SightQuery at_eye_;
  LevelMask levels_;
  const VisibleBlocksOptions& options_;
  SightScope scope_;
  VisibleBlocks& found_;
  SightAnswer answer_;
};

absl::Status findBlocks(const ServiceState& state, const VisibleBlocksCall& call, LevelMask levels,
                        VisibleBlocks& found) {
  const auto& [eye, radius, options] = call;
  const auto reset = [&found] {
    found.visible.clear();
    found.unknown.clear();
    found.undecided.clear();
    found.stats = {};
  };
  reset();
  found.version = state.version();
  const absl::StatusOr<Vec3i> point = checked(state, eye, radius, levels, options);
  if (!point.ok()) return point.status();
  // Also if a filter throws, or memory runs out.
  absl::Cleanup clear = reset;
  TargetSearch search(state, *point, levels, options, found);
  absl::Status status = search.collect(eye, radius);
  if (status.ok()) status = search.decide();
  if (status.ok()) std::move(clear).Cancel();
  return status;
}

}  // namespace

absl::Status RayQueryService::visibleBlocks(const Vec3d& eye, double radius, LevelMask levels,
                                            const VisibleBlocksOptions& options,
                                            VisibleBlocks& found) const {
  const VisibleBlocksCall call{eye, radius, options};
  return internal::observeSight(*state_, call, levels, findBlocks(*state_, call, levels, found),
                                found);
}

}  // namespace fractalray
