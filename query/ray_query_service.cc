// SPDX-License-Identifier: Apache-2.0
#include "ray_query_service.h"

#include <array>
#include <memory>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "internal/dispatcher.h"
#include "internal/first_hit.h"
#include "internal/query_scope.h"
#include "internal/resume_point.h"
#include "internal/spending.h"

namespace fractalray {
namespace {

bool isInFrame(std::int64_t coordinate) {
  return coordinate <= kMaxCoordinate && coordinate >= -kMaxCoordinate;
}
bool isInFrame(const Vec3i& end) {
  return isInFrame(end[0]) && isInFrame(end[1]) && isInFrame(end[2]);
}

absl::Status checkEnd(const Vec3i& end, const char* name) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!isInFrame(end[axis])) {
      return absl::OutOfRangeError(absl::StrCat("the segment's ", name, ".",
                                                std::string(1, "xyz"[axis]), " is ", end[axis],
                                                " units; the frame ends at 2^61"));
    }
  }
  return absl::OkStatus();
}

absl::Status checkLevels(LevelMask levels, const Frame& frame) {
  if (levels.empty()) return absl::InvalidArgumentError("the level mask is empty");
  if (!levels.withinFirst(frame.levels()).empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the level mask ", formatLevelMask(levels),
                                                 " has no active level; levels are 0 to ",
                                                 frame.levels() - 1));
}

absl::Status checkChannel(ChannelId channel, const BlockTypeTable& types) {
  if (static_cast<std::size_t>(channel) < types.channels()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("channel ", static_cast<std::size_t>(channel),
                                                 " is not in the block types' table, which has ",
                                                 types.channels()));
}

// What a query goes on behind.
std::span<const Hit> afterOf(const UnitQuery& query, std::span<const Hit> of_options) {
  return query.after.empty() ? of_options : query.after;
}

absl::Status nestedTooDeep() {
  return absl::ResourceExhaustedError(
      absl::StrCat("shots are nested deeper than ", RayQueryService::kMaxNesting,
                   " callbacks; does a callback shoot at what it is called for?"));
}

absl::Status afterIsFilled() {
  return absl::InvalidArgumentError(
      "the hits in options.after lie in the result that is to be filled; give another result, or "
      "resume this one with resume(shot, ...)");
}

}  // namespace

RayQueryService::RayQueryService(const World& world, const EntityIndex& entities)
    : world_(world), entities_(entities) {
  FRACTALRAY_CHECK(world.frame() == entities.frame(), world.frame().levels(),
                   entities.frame().levels());
}

absl::Status RayQueryService::onBlockHit(BlockTypeId type, BlockEffect callback) {
  return onBlockHit(type, nullptr, std::move(callback));
}

absl::Status RayQueryService::onBlockHit(BlockTypeId type, BlockTerminalTest is_terminal,
                                         BlockEffect effect) {
  const BlockTypeTable& types = world_.blockTypes();
  if (!types.contains(type)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a callback for block type ", BlockTypeTable::index(type), ", which the world's table of ",
        types.size(), " does not have; add the type to it first"));
  }
  block_callbacks_.set(type, {std::move(is_terminal), std::move(effect)});
  return absl::OkStatus();
}

void RayQueryService::onEntityHit(EntityClassId entity_class, EntityEffect callback) {
  onEntityHit(entity_class, nullptr, std::move(callback));
}

void RayQueryService::onEntityHit(EntityClassId entity_class, EntityTerminalTest is_terminal,
                                  EntityEffect effect) {
  entity_callbacks_.set(entity_class, {std::move(is_terminal), std::move(effect)});
}

absl::Status RayQueryService::check(const FixedSegment& segment, LevelMask levels,
                                    ChannelId channel) const {
  // All at once for what is right, and then one by one for what is wrong.
  if (isInFrame(segment.from) && isInFrame(segment.to) &&
      !levels.withinFirst(world_.frame().levels()).empty() &&
      static_cast<std::size_t>(channel) < world_.blockTypes().channels() &&
      internal::queryDepth() <= kMaxNesting) {
    return absl::OkStatus();
  }
  absl::Status status = checkEnd(segment.from, "from");
  if (status.ok()) status = checkEnd(segment.to, "to");
  if (status.ok()) status = checkLevels(levels, world_.frame());
  if (status.ok()) status = checkChannel(channel, world_.blockTypes());
  return status.ok() ? nestedTooDeep() : status;
}

absl::Status RayQueryService::checkBatch(ChannelId channel) const {
  if (internal::queryDepth() > kMaxNesting) return nestedTooDeep();
  return checkChannel(channel, world_.blockTypes());
}

internal::QueryContext RayQueryService::shotContext(const UnitQuery& query,
                                                    const ShotOptions& options) const {
  return {.world = world_,
          .entities = entities_,
          .block_callbacks = &block_callbacks_,
          .entity_callbacks = &entity_callbacks_,
          .options = options,
          .levels = query.levels.withinFirst(world_.frame().levels()),
          .line = Line(query.segment),
          .ignore = query.ignore,
          .after = afterOf(query, options.after)};
}

absl::Status RayQueryService::shootUnits(const FixedSegment& segment, LevelMask levels,
                                         const ShotOptions& options, ShotResult& result) const {
  return shootOf({.segment = segment, .levels = levels}, options, result);
}

absl::Status RayQueryService::shootOf(const UnitQuery& query, const ShotOptions& options,
                                      ShotResult& result) const {
  absl::Status status = check(query.segment, query.levels, options.channel);
  if (status.ok()) status = internal::checkBudgets(options);
  if (!status.ok()) return status;
  if (internal::liesIn(options.after, result.hits)) return afterIsFilled();
  const internal::QueryScope scope;
  return internal::runShot(shotContext(query, options), scope.shot(), result);
}

absl::StatusOr<ShotResult> RayQueryService::resume(const FixedSegment& segment, const Hit& hit,
                                                   LevelMask levels,
                                                   const ShotOptions& options) const {
  ShotResult result;
  absl::Status status =
      shootOf({.segment = segment, .levels = levels, .after = {&hit, 1}}, options, result);
  if (!status.ok()) return status;
  return result;
}

absl::Status RayQueryService::resume(ShotResult& shot, LevelMask levels,
                                     const ShotOptions& options) const {
  absl::Status status = check(shot.segment, levels, options.channel);
  if (status.ok()) status = internal::checkBudgets(options, shot);
  if (!status.ok()) return status;
  if (internal::liesIn(options.after, shot.hits)) return afterIsFilled();
  const internal::QueryScope scope;
  const internal::QueryContext context =
      shotContext({.segment = shot.segment, .levels = levels}, options);
  return internal::resumeShot(context, scope.shot(), shot);
}

absl::StatusOr<ShotResult> RayQueryService::shootUnits(const FixedSegment& segment,
                                                       LevelMask levels,
                                                       const ShotOptions& options) const {
  ShotResult result;
  absl::Status status = shootUnits(segment, levels, options, result);
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<ShotResult> RayQueryService::shootSegment(const Segment& segment, LevelMask levels,
                                                         const ShotOptions& options) const {
  const absl::StatusOr<FixedSegment> units = toUnits(segment);
  if (!units.ok()) return units.status();
  return shootUnits(*units, levels, options);
}

absl::StatusOr<ShotResult> RayQueryService::shootRay(const Ray& ray, LevelMask levels,
                                                     const ShotOptions& options,
                                                     const std::optional<Bounds>& bounds) const {
  const absl::StatusOr<FixedSegment> segment = toSegment(ray, bounds);
  if (!segment.ok()) return segment.status();
  return shootUnits(*segment, levels, options);
}

absl::Status RayQueryService::closestHitUnits(const FixedSegment& segment, LevelMask levels,
                                              const ShotOptions& options,
                                              ClosestHit& result) const {
  return closestHitOf({.segment = segment, .levels = levels}, options, result);
}

absl::Status RayQueryService::closestHitOf(const UnitQuery& query, const ShotOptions& options,
                                           ClosestHit& result) const {
  absl::Status status = check(query.segment, query.levels, options.channel);
  if (!status.ok()) return status;
  const internal::QueryScope scope;
  const internal::QueryContext context{.world = world_,
                                       .entities = entities_,
                                       .block_callbacks = nullptr,
                                       .entity_callbacks = nullptr,
                                       .options = options,
                                       .levels = query.levels.withinFirst(world_.frame().levels()),
                                       .line = Line(query.segment),
                                       .mode = internal::HitMode::kClosest,
                                       .ignore = query.ignore,
                                       .after = afterOf(query, options.after)};
  return internal::findClosest(context, scope.shot(), result);
}

absl::StatusOr<ClosestHit> RayQueryService::closestHitUnits(const FixedSegment& segment,
                                                            LevelMask levels,
                                                            const ShotOptions& options) const {
  ClosestHit result;
  absl::Status status = closestHitUnits(segment, levels, options, result);
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<ClosestHit> RayQueryService::closestHit(const Segment& segment, LevelMask levels,
                                                       const ShotOptions& options) const {
  const absl::StatusOr<FixedSegment> units = toUnits(segment);
  if (!units.ok()) return units.status();
  return closestHitUnits(*units, levels, options);
}

absl::StatusOr<Occlusion> RayQueryService::occludedUnits(const FixedSegment& segment,
                                                         LevelMask levels,
                                                         const OcclusionOptions& options) const {
  QueryStats stats;
  return occlusionOf({.segment = segment, .levels = levels}, options, stats);
}

absl::Status RayQueryService::occludedUnits(const FixedSegment& segment, LevelMask levels,
                                            const OcclusionOptions& options,
                                            OcclusionResult& result) const {
  result = OcclusionResult();
  result.version = version();
  const absl::StatusOr<Occlusion> occlusion =
      occlusionOf({.segment = segment, .levels = levels}, options, result.stats);
  result.occlusion = occlusion.value_or(Occlusion::kUnknown);
  return occlusion.status();
}

absl::StatusOr<Occlusion> RayQueryService::occlusionOf(const UnitQuery& query,
                                                       const OcclusionOptions& options,
                                                       QueryStats& stats) const {
  absl::Status status = check(query.segment, query.levels, options.channel);
  if (!status.ok()) return status;
  const internal::QueryScope scope;
  const ShotOptions shot_options{.corner = options.corner,
                                 .channel = options.channel,
                                 .entities = options.categories != 0,
                                 .solid_only = true,
                                 .categories = options.categories,
                                 .ignore = options.ignore,
                                 .after = options.after,
                                 .skip_start_inside = options.skip_start_inside,
                                 .max_steps = options.max_steps,
                                 .pass = options.pass};
  const internal::QueryContext context{.world = world_,
                                       .entities = entities_,
                                       .block_callbacks = nullptr,
                                       .entity_callbacks = nullptr,
                                       .options = shot_options,
                                       .levels = query.levels.withinFirst(world_.frame().levels()),
                                       .line = Line(query.segment),
                                       .mode = internal::HitMode::kAny,
                                       .ignore = query.ignore,
                                       .after = afterOf(query, options.after)};
  return internal::findOcclusion(context, scope.shot(), stats);
}

absl::StatusOr<Occlusion> RayQueryService::occluded(const Segment& segment, LevelMask levels,
                                                    const OcclusionOptions& options) const {
  const absl::StatusOr<FixedSegment> units = toUnits(segment);
  if (!units.ok()) return units.status();
  return occludedUnits(*units, levels, options);
}

}  // namespace fractalray
