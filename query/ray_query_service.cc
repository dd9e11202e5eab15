// SPDX-License-Identifier: Apache-2.0
#include "ray_query_service.h"

#include <utility>

#include "absl/strings/str_cat.h"

#include "internal/hit_cursor_state.h"
#include "internal/query_scope.h"
#include "internal/shot/reflection.h"
#include "internal/shot/resume_point.h"
#include "internal/service_state.h"

namespace fractalray {
namespace {

// Runs a query that an observer sees. A function of its own, since it would slow down the usual
// path of its callers.
template <class Result, class Run>
[[gnu::noinline]] absl::Status runObserved(const internal::ServiceState& state, QueryVerb verb,
                                           const Query& query, const QueryOptions& options,
                                           const Result& result, const Run& run) {
  const SceneVersion before = state.version();
  absl::Status status = run();
  // An effect may have removed the observer.
  if (state.observer != nullptr) {
    state.observe(verb, query, options, before, observed(status, result));
  }
  return status;
}

// Runs a query that resumes after a hit in its own result, which it replaces: after a copy of it.
// A function of its own, for the same reason.
template <class Run>
[[gnu::noinline]] absl::Status runAfterOwn(const Hit& hit, const QueryOptions& options,
                                           const Run& run) {
  const Hit own = hit;
  QueryOptions resuming = options;
  resuming.after = {&own, options.after.size()};
  return run(resuming);
}

}  // namespace

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

absl::Status RayQueryService::shoot(const FixedSegment& segment, LevelMask levels,
                                    const QueryOptions& options, ShotResult& result) const {
  const Query query{.segment = segment, .levels = levels};
  // Hits after which the shot resumes keep their memory: the result gets other memory.
  std::vector<Hit> kept;
  if (internal::liesIn(options.after, result.hits)) kept.swap(result.hits);
  if (state_->observer == nullptr) return state_->shoot(query, options, result);
  return runObserved(*state_, QueryVerb::kShoot, query, options, result,
                     [&] { return state_->shoot(query, options, result); });
}

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

absl::Status RayQueryService::findClosest(const FixedSegment& segment, LevelMask levels,
                                          const QueryOptions& options, ClosestHit& result) const {
  if (result.hit.has_value() && options.after.data() == &*result.hit) [[unlikely]] {
    return runAfterOwn(*result.hit, options, [&](const QueryOptions& resuming) {
      return findClosest(segment, levels, resuming, result);
    });
  }
  const Query query{.segment = segment, .levels = levels};
  if (state_->observer == nullptr) return state_->findClosest(query, options, result);
  return runObserved(*state_, QueryVerb::kClosestHit, query, options, result,
                     [&] { return state_->findClosest(query, options, result); });
}

absl::Status RayQueryService::findOcclusion(const FixedSegment& segment, LevelMask levels,
                                            const QueryOptions& options,
                                            OcclusionResult& result) const {
  if (result.blocker.has_value() && options.after.data() == &*result.blocker) [[unlikely]] {
    return runAfterOwn(*result.blocker, options, [&](const QueryOptions& resuming) {
      return findOcclusion(segment, levels, resuming, result);
    });
  }
  const Query query{.segment = segment, .levels = levels};
  if (state_->observer == nullptr) {
    return state_->findOcclusion(query, options, std::nullopt, result);
  }
  return runObserved(*state_, QueryVerb::kOccluded, query, options, result.occlusion,
                     [&] { return state_->findOcclusion(query, options, std::nullopt, result); });
}

}  // namespace fractalray
