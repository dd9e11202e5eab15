// SPDX-License-Identifier: Apache-2.0
#include "ray_query_service.h"

#include <utility>

#include "absl/strings/str_cat.h"

#include "internal/query_scope.h"
#include "internal/resume_point.h"
#include "internal/service_state.h"

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

SceneVersion RayQueryService::version() const {
  return state_->version();
}

absl::Status RayQueryService::shoot(const FixedSegment& segment, LevelMask levels,
                                    const ShotOptions& options, ShotResult& result) const {
  const internal::FixedQuery query{.segment = segment, .levels = levels};
  // Hits that the shot resumes after stay where they are: the result gets other memory.
  std::vector<Hit> kept;
  if (internal::liesIn(options.after, result.hits)) kept.swap(result.hits);
  if (state_->observer == nullptr) return state_->shoot(query, options, result);
  const SceneVersion before = version();
  absl::Status status = state_->shoot(query, options, result);
  state_->observe(QueryVerb::kShoot, query, options, before, observed(status, result));
  return status;
}

absl::Status RayQueryService::shootAfter(const FixedSegment& segment, const Hit& hit,
                                         LevelMask levels, const ShotOptions& options,
                                         ShotResult& result) const {
  const internal::FixedQuery query{.segment = segment, .levels = levels, .after = {&hit, 1}};
  if (state_->observer == nullptr) return state_->shoot(query, options, result);
  const SceneVersion before = version();
  absl::Status status = state_->shoot(query, options, result);
  state_->observe(QueryVerb::kShoot, query, options, before, observed(status, result));
  return status;
}

absl::Status RayQueryService::resume(ShotResult& shot, LevelMask levels,
                                     const ShotOptions& options) const {
  // Hits of the shot itself are not hit again anyway, and its memory grows.
  if (internal::liesIn(options.after, shot.hits)) {
    ShotOptions without = options;
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

absl::Status RayQueryService::findClosest(const FixedSegment& segment, LevelMask levels,
                                          const ShotOptions& options, ClosestHit& result) const {
  if (result.hit.has_value() && options.after.data() == &*result.hit) {
    const Hit after = *result.hit;
    ShotOptions resuming = options;
    resuming.after = {&after, 1};
    return findClosest(segment, levels, resuming, result);
  }
  const internal::FixedQuery query{.segment = segment, .levels = levels};
  if (state_->observer == nullptr) return state_->findClosest(query, options, result);
  const SceneVersion before = version();
  absl::Status status = state_->findClosest(query, options, result);
  state_->observe(QueryVerb::kClosestHit, query, options, before, observed(status, result));
  return status;
}

absl::Status RayQueryService::findOcclusion(const FixedSegment& segment, LevelMask levels,
                                            const OcclusionOptions& options,
                                            OcclusionResult& result) const {
  const internal::FixedQuery query{.segment = segment, .levels = levels};
  const ShotOptions sight = internal::sightOptions(options);
  if (state_->observer == nullptr) return state_->findOcclusion(query, sight, result);
  const SceneVersion before = version();
  absl::Status status = state_->findOcclusion(query, sight, result);
  state_->observe(QueryVerb::kOccluded, query, sight, before, observed(status, result.occlusion));
  return status;
}

}  // namespace fractalray
