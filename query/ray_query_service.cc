// SPDX-License-Identifier: Apache-2.0
#include "ray_query_service.h"

#include <utility>

#include "absl/strings/str_cat.h"

#include "internal/hit_cursor_state.h"
#include "internal/service_state.h"
#include "internal/shot/reflection.h"
#include "internal/shot/resume_point.h"
#include "internal/sight/observe_sight.h"
#include "internal/sight/sight_verbs.h"
#include "internal/verb.h"

namespace fractalray {

RayQueryService::RayQueryService(const World& world, const EntityIndex& entities)
    : state_(std::make_unique<internal::ServiceState>(world, entities)) {}
RayQueryService::~RayQueryService() = default;
RayQueryService::RayQueryService(RayQueryService&&) noexcept = default;
RayQueryService& RayQueryService::operator=(RayQueryService&&) noexcept = default;

absl::Status RayQueryService::onBlockHit(BlockTypeId type, HitEffect effect) {
  return onBlockHit(type, nullptr, std::move(effect));
}

absl::Status RayQueryService::onBlockHit(BlockTypeId type, TerminalTest is_terminal,
                                         HitEffect effect) {
  const BlockTypeTable& types = state_->world.blockTypes();
  if (!types.contains(type)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a callback for block type ", BlockTypeTable::index(type), ", which the world's table of ",
        types.size(), " does not have; add the type to it first"));
  }
  state_->callbacks.blocks.set(type, {std::move(is_terminal), std::move(effect)});
  return absl::OkStatus();
}

void RayQueryService::onEntityHit(EntityClassId entity_class, HitEffect effect) {
  onEntityHit(entity_class, nullptr, std::move(effect));
}

void RayQueryService::onEntityHit(EntityClassId entity_class, TerminalTest is_terminal,
                                  HitEffect effect) {
  state_->callbacks.entities.set(entity_class, {std::move(is_terminal), std::move(effect)});
}

void RayQueryService::removeBlockCallback(BlockTypeId type) {
  state_->callbacks.blocks.remove(type);
}

void RayQueryService::removeEntityCallback(EntityClassId entity_class) {
  state_->callbacks.entities.remove(entity_class);
}

void RayQueryService::onBlockHit(HitEffect effect) {
  state_->callbacks.blocks.setDefault({{}, std::move(effect)});
}

void RayQueryService::onEntityHit(HitEffect effect) {
  state_->callbacks.entities.setDefault({{}, std::move(effect)});
}

void RayQueryService::setObserver(QueryObserver* observer) {
  state_->observer = observer;
}

const World& RayQueryService::world() const {
  return state_->world;
}

SceneVersion RayQueryService::version() const {
  return state_->version();
}

template <QueryVerb kVerb, class Result>
absl::Status RayQueryService::ask(const FixedSegment& segment, LevelMask levels,
                                  const QueryOptions& options, Result& result) const {
  return internal::ask<kVerb>(*state_, {.segment = segment, .levels = levels}, options, result);
}
template absl::Status RayQueryService::ask<QueryVerb::kShoot>(const FixedSegment& segment,
                                                              LevelMask levels,
                                                              const QueryOptions& options,
                                                              ShotResult& result) const;
template absl::Status RayQueryService::ask<QueryVerb::kClosestHit>(const FixedSegment& segment,
                                                                   LevelMask levels,
                                                                   const QueryOptions& options,
                                                                   ClosestHit& result) const;
template absl::Status RayQueryService::ask<QueryVerb::kOccluded>(const FixedSegment& segment,
                                                                 LevelMask levels,
                                                                 const QueryOptions& options,
                                                                 OcclusionResult& result) const;

absl::Status RayQueryService::advance(TickedShot& shot, std::int64_t end_time, LevelMask levels,
                                      const QueryOptions& options) const {
  return state_->advance(shot, end_time, levels, options);
}

absl::StatusOr<FixedSegment> RayQueryService::reflect(const FixedSegment& line,
                                                      const Hit& hit) const {
  return internal::reflect(line, hit, state_->world.frame());
}

absl::Status RayQueryService::checkWithoutLine(LevelMask levels,
                                               const QueryOptions& options) const {
  return state_->checkShot({.segment = {}, .levels = levels}, options);
}

absl::StatusOr<HitCursor> RayQueryService::makeCursor(const FixedSegment& segment, LevelMask levels,
                                                      const QueryOptions& options) const {
  const Query query{.segment = segment, .levels = levels};
  absl::Status status = state_->checkShot(query, options);
  if (!status.ok()) return status;
  auto cursor = std::make_unique<internal::HitCursorState>(*state_, query, options);
  status = cursor->begin();
  if (!status.ok()) return status;
  return HitCursor(std::move(cursor));
}

absl::Status RayQueryService::visible(const SightQuery& query, LevelMask levels,
                                      const SightOptions& options, SightAnswer& answer) const {
  return internal::observeSight(*state_, VisibleCall{query, options}, levels,
                                internal::visible(*state_, query, levels, options, answer), answer);
}

absl::Status RayQueryService::exposure(const SightQuery& query, LevelMask levels,
                                       const SightOptions& options, ExposureAnswer& answer) const {
  return internal::observeSight(*state_, ExposureCall{query, options}, levels,
                                internal::exposure(*state_, query, levels, options, answer),
                                answer);
}

absl::Status RayQueryService::resume(ShotResult& shot, LevelMask levels,
                                     const QueryOptions& options) const {
  // Hits of the shot itself are not hit again anyway, and its memory grows.
  if (internal::liesIn(options.after, shot.hits)) {
    QueryOptions without = options;
    without.after = {};
    return resume(shot, levels, without);
  }
  const SceneVersion before = version();
  const std::size_t hits_before = shot.hits.size();
  std::optional<CarriedBudgets> carried;
  if (state_->observer != nullptr && hits_before > 0 && shot.budgets.has_value()) {
    carried = {
        .at_start = shot.budgets_at_start, .left = *shot.budgets, .overdrawn = shot.overdrawn};
  }
  absl::Status status = state_->resume(shot, levels, options);
  // A shot without hits was shot again.
  const std::span<const Hit> own = std::span<const Hit>(shot.hits).first(hits_before);
  if (state_->observer == nullptr) return status;
  state_->observe(own.empty() ? QueryVerb::kShoot : QueryVerb::kResume,
                  {.segment = shot.segment, .levels = levels, .after = own}, options, before,
                  observed(status, shot), carried);
  return status;
}

}  // namespace fractalray
