// SPDX-License-Identifier: Apache-2.0
#include "service_state.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../../core/internal/access.h"
#include "../../entities/internal/entity_store.h"
#include "../../levels/internal/world_content.h"
#include "../ray_query_service.h"
#include "search/query_checks.h"
#include "shot/dispatcher.h"
#include "shot/spending.h"

namespace fractalray::internal {
namespace {

absl::Status nestedTooDeep() {
  return absl::ResourceExhaustedError(
      absl::StrCat("shots are nested deeper than ", RayQueryService::kMaxNesting,
                   " callbacks; does a callback shoot at what it is called for?"));
}

bool isNestedTooDeep() {
  return queryDepth() > RayQueryService::kMaxNesting;
}

std::uint64_t nextNumber() {
  static std::atomic<std::uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

ServiceState::ServiceState(const World& query_world, const EntityIndex& query_entities)
    : world(query_world), entities(query_entities), number(nextNumber()) {
  FRACTALRAY_CHECK(world.frame() == entities.frame(), world.frame().levels(),
                   entities.frame().levels());
}

SceneVersion ServiceState::version() const {
  return {.world = world.version(), .entities = entities.version()};
}

bool ServiceState::hasMovedSince(const SceneVersion& version) const {
  return version.world < Access::content(world).last_move.version() ||
         version.entities < Access::store(entities).lastMove().version();
}

absl::Status ServiceState::check(const Query& query, ChannelId channel) const {
  // Checks everything at once, and one by one only to find the error.
  const bool is_right =
      isInFrame(query.segment.from) && isInFrame(query.segment.to) && hasEnd(query.segment) &&
      hasBegin(query.segment) && !query.levels.activeIn(world.frame()).empty() &&
      static_cast<std::size_t>(channel) < world.blockTypes().channels() && !isNestedTooDeep();
  return is_right ? absl::OkStatus() : errorOf(query, channel);
}

absl::Status ServiceState::errorOf(const Query& query, ChannelId channel) const {
  absl::Status status =
      errorToReport({checkSegment(query.segment), checkLevels(query.levels, world.frame()),
                     checkChannel(channel, world.blockTypes())});
  return status.ok() ? nestedTooDeep() : status;
}

absl::Status ServiceState::checkShot(const Query& query, const QueryOptions& options) const {
  absl::Status status = check(query, options.filter.channel);
  if (!status.ok()) return errorToReport({status, checkBudgets(options)});
  return checkBudgets(options);
}

absl::Status ServiceState::checkBatch(ChannelId channel) const {
  return isNestedTooDeep() ? nestedTooDeep() : checkChannel(channel, world.blockTypes());
}

absl::Status ServiceState::resume(ShotResult& shot, LevelMask levels,
                                  const QueryOptions& options) const {
  const Query query{.segment = shot.segment, .levels = levels};
  absl::Status status = check(query, options.filter.channel);
  if (status.ok()) status = checkBudgets(options, shot);
  if (status.ok() && !shot.hits.empty() && hasMovedSince(shot.version)) status = frameHasMoved();
  if (!status.ok()) return status;
  const QueryScope scope;
  return resumeShot(shotContext(query, options), scope.shot(), shot);
}

absl::Status ServiceState::advance(TickedShot& shot, std::int64_t end_time, LevelMask levels,
                                   const QueryOptions& options) const {
  ShotResult& result = shot.shot_;
  Query query{.segment = shot.line_, .levels = levels};
  absl::Status status = check(query, options.filter.channel);
  if (status.ok()) status = checkBudgets(options, result);
  if (!status.ok()) return status;
  if (!options.after.empty()) {
    return absl::InvalidArgumentError(
        "a shot over several ticks begins at the start of its line; leave options.after empty");
  }
  if (end_time <= shot.read_until_ && !shot.hasEnded()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the shot has been read up to time ", shot.read_until_,
                     " * 2^-60, and cannot advance to ", end_time, "; give a later time"));
  }
  shot.hits_before_ = result.hits.size();
  query.segment.end_time = std::min(end_time, shot.line_.end_time);
  if (shot.hasEnded() || !hasBegin(query.segment)) return status;
  const bool has_begun = shot.read_until_ > 0 || !result.hits.empty();
  if (has_begun && hasMovedSince(result.version)) return frameHasMoved();
  const QueryScope scope;
  const TickRead read{.until = shot.read_until_,
                      .unknown_before = shot.unknown_before_,
                      .looks_again = std::exchange(shot.looks_again_, false)};
  status = advanceShot(shotContext(query, options), read, scope.shot(), result);
  shot.looks_again_ = scope.shot().looks_again;
  const bool waits = options.stop_at_unknown && result.unknown_from.has_value();
  if (status.ok() && !result.terminated && !result.truncated && !waits) {
    shot.read_until_ = query.segment.end_time;
    shot.unknown_before_ = result.unknown_from;
  }
  return status;
}

void ServiceState::observe(QueryVerb verb, const Query& query, const QueryOptions& options,
                           const SceneVersion& before, const ObservedAnswer& answer,
                           const std::optional<CarriedBudgets>& carried) const {
  FRACTALRAY_DCHECK(observer != nullptr);
  observer->onQuery({.query = query,
                     .verb = verb,
                     .options = options,
                     .version = before,
                     .has_edited = before != version(),
                     .carried = carried},
                    answer);
}

}  // namespace fractalray::internal
