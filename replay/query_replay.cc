// SPDX-License-Identifier: Apache-2.0
#include "query_replay.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../query/internal/frame_moving.h"
#include "world_fingerprint.h"

namespace fractalray {

absl::Status checkRecordedWorld(const QueryLogHeader& header, const World& world,
                                const EntityIndex& entities) {
  std::string what;
  if (header.levels != world.frame().levels()) {
    what = absl::StrCat("it has ", world.frame().levels(), " levels and the recorded one had ",
                        header.levels);
  } else if (header.fingerprints.has_value()) {
    if (header.fingerprints->world != worldFingerprint(world)) {
      what = "its blocks are not the same";
    } else if (header.fingerprints->entities != entitiesFingerprint(entities)) {
      what = "its entities are not the same";
    }
  }
  if (what.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("this is not the world that was recorded: ", what));
}

QueryReplay::QueryReplay(World& world, EntityIndex& entities, const QueryLogHeader& header,
                         bool ask_all)
    : world_(world),
      entities_(entities),
      service_(world, entities),
      versions_(header.versions),
      ask_all_(ask_all) {}

void QueryReplay::follow(const LoggedMove& move) {
  const auto moved = internal::moveFrame(world_, entities_, moveOf(move, world_.frame()));
  FRACTALRAY_CHECK(moved.ok());
  // A move is one edit of each.
  const SceneVersion next{.world = versions_.world + 1, .entities = versions_.entities + 1};
  if (move.after == next) versions_ = next;
}

std::string_view QueryReplay::obstacle(const LoggedQuery& query) {
  if (query.has_filter) return "it has a filter, which is the engine's own code";
  if (!query.answer.has_value()) return "its answer was too long to be kept";
  return "";
}

bool QueryReplay::isStop(const Hit& hit) const {
  if (!stop_.has_value() || stop_->is_block != hit.isBlock()) return false;
  return hit.isBlock() ? stop_->level == hit.level && stop_->block == hit.block
                       : stop_->entity == hit.id;
}

void QueryReplay::stopAt(const LoggedAnswer& answer) {
  stop_.reset();
  if (answer.hits.empty() || !answer.hits.back().ended_by_callback) return;
  stop_ = answer.hits.back();
  if (stop_->is_block) {
    const std::optional<BlockTypeId> type = world_.blockTypes().find(stop_->type);
    if (!type.has_value() || !stopping_types_.insert(*type).second) return;
    const absl::Status status = service_.onBlockHit(
        *type, [this](const BlockHit& hit) { return !stops_by_effect_ && isStop(hit); },
        [this](const BlockHit& hit) { return responseTo(hit); });
    FRACTALRAY_CHECK(status.ok());
  } else if (stopping_classes_.insert(stop_->entity_class).second) {
    service_.onEntityHit(
        stop_->entity_class,
        [this](const EntityHit& hit) { return !stops_by_effect_ && isStop(hit); },
        [this](const EntityHit& hit) { return responseTo(hit); });
  }
}

void QueryReplay::setRules(const LoggedQuery& query) {
  if (query.rules == nullptr || query.rules == logged_rules_) return;
  logged_rules_ = query.rules;
  rules_ = rulesOf(*logged_rules_, world_.blockTypes());
}

Hit QueryReplay::hitOf(const LoggedHit& logged) const {
  Hit hit;
  hit.kind = logged.is_block ? Hit::Kind::kBlock : Hit::Kind::kEntity;
  hit.level = logged.level;
  hit.terminal = logged.terminal;
  hit.start_inside = logged.start_inside;
  hit.face = logged.face;
  hit.t = logged.t;
  hit.t_exit = logged.t_exit;
  if (logged.is_block) {
    hit.block = logged.block;
    hit.type = world_.blockTypes().find(logged.type).value_or(kAir);
    hit.step = logged.step;
  } else {
    hit.entity = entities_.findId(logged.entity).value_or(EntityHandle{});
    hit.id = logged.entity;
    hit.entity_class = logged.entity_class;
    hit.shape = logged.shape;
    hit.position = logged.position;
  }
  return hit;
}

std::string QueryReplay::ask(const LoggedQuery& query, bool with_level_spans) const {
  const BlockTypeTable& types = world_.blockTypes();
  ShotOptions options = optionsOf(query, types);
  options.report_level_spans = with_level_spans;
  if (query.rules != nullptr) {
    options.rules = &rules_;
    options.budgets = &query.budgets;
  }
  std::vector<Hit> after;
  for (const LoggedHit& hit : query.after)
    after.push_back(hitOf(hit));
  std::string bytes;
  if (query.verb == QueryVerb::kResume) {
    ShotResult result;
    result.version = service_.version();
    result.segment = query.segment;
    result.hits = std::move(after);
    if (query.carried.has_value()) {
      result.budgets = query.carried->left;
      result.budgets_at_start = query.carried->at_start;
      result.overdrawn = query.carried->overdrawn;
    }
    const absl::Status status = service_.resume(result, query.levels, options);
    appendAnswer(bytes, observed(status, result), types, options.filter.channel);
    return bytes;
  }
  options.after = after;
  if (query.verb == QueryVerb::kShoot) {
    ShotResult result;
    const absl::Status status = service_.shootSegment(query.segment, query.levels, options, result);
    appendAnswer(bytes, observed(status, result), types, options.filter.channel);
  } else if (query.verb == QueryVerb::kClosestHit) {
    ClosestHit result;
    const absl::Status status = service_.closestHit(query.segment, query.levels, options, result);
    appendAnswer(bytes, observed(status, result), types, options.filter.channel);
  } else {
    OcclusionOptions sight = occlusionOptionsOf(query, types);
    sight.after = after;
    OcclusionResult result;
    const absl::Status status = service_.occluded(query.segment, query.levels, sight, result);
    appendAnswer(bytes, observed(status, result.occlusion), types, options.filter.channel);
  }
  return bytes;
}

Replayed QueryReplay::replay(const LoggedQuery& query) {
  using Outcome = Replayed::Outcome;
  for (const LoggedMove& move : query.moves)
    follow(move);
  const std::string_view reason = obstacle(query);
  if (!reason.empty()) return {.outcome = Outcome::kNotReplayable, .reason = reason};
  const bool is_same_world = query.versions == versions_ && !query.world_changed_meanwhile;
  if (!is_same_world && !ask_all_) return {.outcome = Outcome::kWorldHadChanged};
  const absl::StatusOr<LoggedAnswer> logged = parseAnswer(*query.answer);
  if (!logged.ok()) return {.outcome = Outcome::kNotReplayable, .reason = "its answer is damaged"};
  constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
  if (logged->status == absl::StatusCode::kResourceExhausted &&
      query.options.max_steps == kUnlimited) {
    return {.outcome = Outcome::kNotReplayable, .reason = "it was nested too deep in callbacks"};
  }
  if (logged->status == absl::StatusCode::kFailedPrecondition) {
    return {.outcome = Outcome::kNotReplayable, .reason = "the frame moved while it ran"};
  }
  stopAt(*logged);
  setRules(query);
  // The log does not say which of the two ended a shot. Without rules it makes no difference.
  stops_by_effect_ = query.rules != nullptr;
  const bool has_level_spans = !logged->level_spans.empty();
  std::string answer = ask(query, has_level_spans);
  if (stops_by_effect_ && stop_.has_value() && answer != *query.answer) {
    stops_by_effect_ = false;
    std::string by_predicate = ask(query, has_level_spans);
    if (by_predicate == *query.answer) answer = std::move(by_predicate);
  }
  const Outcome outcome = answer == *query.answer ? Outcome::kEqual : Outcome::kDifferent;
  return {.outcome = outcome, .answer = std::move(answer)};
}

}  // namespace fractalray
