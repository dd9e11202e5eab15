// SPDX-License-Identifier: Apache-2.0
#include "query_replay.h"

#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../../entities/entity_fingerprint.h"
#include "../../query/internal/frame_moving.h"
#include "../../query/internal/verb.h"
#include "internal/sight_replay.h"
#include "world_fingerprint.h"

namespace fractalray {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

bool isSame(const LoggedHit& logged, const Hit& hit) {
  if (logged.kind != hit.kind) return false;
  return hit.isBlock() ? logged.level == hit.level && logged.block == hit.block
                       : logged.id == hit.id;
}

// Returns true if the answers of a shot differ because max_steps sufficed for one of them only.
// With effects, even if none is called, a shot searches in slices, which takes other steps.
bool differByMaxSteps(const LoggedQuery& query, std::string_view answer) {
  if (!internal::shoots(query.verb)) return false;
  const auto is_exhausted = [](std::string_view bytes) {
    return parseAnswer(bytes)->status == absl::StatusCode::kResourceExhausted;
  };
  return query.options.max_steps != kUnlimited &&
         is_exhausted(*query.answer) != is_exhausted(answer);
}

Replayed compared(const LoggedQuery& query, std::string answer) {
  using Outcome = Replayed::Outcome;
  const Outcome outcome = answer == *query.answer ? Outcome::kEqual : Outcome::kDifferent;
  return {.outcome = outcome, .answer = std::move(answer)};
}

}  // namespace

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

namespace {

// Returns true for more pairs than an answer of a log can have: a damaged log must not take memory
// for them.
bool hasTooManyPairs(const LoggedQuery& query) {
  if (!query.sight.has_value()) return false;
  const auto* const asked = std::get_if<LoggedVisibleBoxes>(&query.sight->question);
  return asked != nullptr && !asked->boxes.empty() &&
         asked->viewers.size() > kMaxRecordBytes / asked->boxes.size();
}

}  // namespace

std::string_view QueryReplay::obstacle(const LoggedQuery& query) {
  if (query.has_filter) return "it has a filter, which is the engine's own code";
  if (!query.answer.has_value()) return "its answer was too long to be kept";
  if (hasTooManyPairs(query)) return "it has more pairs than a log can keep answers of";
  return "";
}

void QueryReplay::setRules(const LoggedQuery& query) {
  if (query.rules == nullptr || query.rules == logged_rules_) return;
  logged_rules_ = query.rules;
  rules_ = rulesOf(*logged_rules_, world_.blockTypes());
}

Hit QueryReplay::hitOf(const LoggedHit& logged) const {
  Hit hit = logged;
  if (hit.isBlock()) {
    hit.type = world_.blockTypes().find(logged.type_name).value_or(kAir);
  } else {
    hit.entity = entities_.findId(hit.id).value_or(EntityHandle{});
  }
  return hit;
}

std::string QueryReplay::ask(const LoggedQuery& query, bool with_level_spans) const {
  const BlockTypeTable& types = world_.blockTypes();
  QueryOptions options = optionsOf(query, types);
  options.report_level_spans = with_level_spans;
  if (query.rules != nullptr) {
    options.rules = &rules_;
    options.budgets = &query.budgets;
  }
  std::vector<Hit> after;
  for (const LoggedHit& hit : query.after)
    after.push_back(hitOf(hit));
  return internal::withVerb(query.verb, [&]<QueryVerb kVerb>(internal::Verb<kVerb> verb) {
    typename internal::Verb<kVerb>::Result result;
    const absl::Status status = answer<kVerb>(query, options, after, result);
    std::string bytes;
    appendAnswer(bytes, verb.observed(status, result), types, options.filter.channel);
    return bytes;
  });
}

template <QueryVerb kVerb, class Result>
absl::Status QueryReplay::answer(const LoggedQuery& query, QueryOptions& options,
                                 std::vector<Hit>& after, Result& result) const {
  if constexpr (kVerb == QueryVerb::kResume) {
    result.version = service_.version();
    result.segment = query.segment;
    result.hits = std::move(after);
    if (query.carried.has_value()) {
      result.budgets = query.carried->left;
      result.budgets_at_start = query.carried->at_start;
      result.overdrawn = query.carried->overdrawn;
    }
    return service_.resume(result, query.levels, options);
  } else {
    options.after = after;
    return service_.ask<kVerb>(query.segment, query.levels, options, result);
  }
}

// The callback is removed afterwards: it would change the steps of later queries.
std::string QueryReplay::askUntil(const LoggedHit& stop, StoppedBy stopped_by,
                                  const LoggedQuery& query, bool with_level_spans) {
  TerminalTest test;
  HitEffect effect;
  if (stopped_by == StoppedBy::kTest) {
    test = [&stop](const Hit& hit) { return isSame(stop, hit); };
  } else {
    effect = [&stop](const Hit& hit) {
      return isSame(stop, hit) ? HitResponse::kStop : HitResponse::kContinue;
    };
  }
  if (stop.isEntity()) {
    service_.onEntityHit(stop.entity_class, std::move(test), std::move(effect));
    const absl::Cleanup remove = [&] { service_.removeEntityCallback(stop.entity_class); };
    return ask(query, with_level_spans);
  }
  const std::optional<BlockTypeId> type = world_.blockTypes().find(stop.type_name);
  if (!type.has_value()) return ask(query, with_level_spans);
  const absl::Status status = service_.onBlockHit(*type, std::move(test), std::move(effect));
  FRACTALRAY_CHECK(status.ok());
  const absl::Cleanup remove = [&] { service_.removeBlockCallback(*type); };
  return ask(query, with_level_spans);
}

Replayed QueryReplay::replaySight(const LoggedQuery& query, const LoggedAnswer& recorded) const {
  std::string answer = internal::askSight(service_, query, recorded);
  if (internal::differByHistory(*query.sight, recorded, answer)) {
    return {.outcome = Replayed::Outcome::kNotReplayable,
            .reason = "whether max_steps suffices depends on its history, which is not in the log"};
  }
  return compared(query, std::move(answer));
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
  const std::uint64_t limit =
      query.sight.has_value() ? internal::limitOf(*query.sight) : query.options.max_steps;
  if (logged->status == absl::StatusCode::kResourceExhausted && limit == kUnlimited) {
    return {.outcome = Outcome::kNotReplayable, .reason = "it was nested too deep in callbacks"};
  }
  if (logged->status == absl::StatusCode::kFailedPrecondition) {
    return {.outcome = Outcome::kNotReplayable, .reason = "the frame moved while it ran"};
  }
  if (query.sight.has_value()) return replaySight(query, *logged);
  setRules(query);
  const bool has_level_spans = !logged->level_spans.empty();
  std::string answer;
  if (!logged->hits.empty() && logged->hits.back().ended_by_callback) {
    const LoggedHit& stop = logged->hits.back();
    answer = askUntil(stop, StoppedBy::kEffect, query, has_level_spans);
    // The log does not say which of the two ended the shot.
    if (answer != *query.answer) {
      std::string by_test = askUntil(stop, StoppedBy::kTest, query, has_level_spans);
      if (by_test == *query.answer) answer = std::move(by_test);
    }
  } else {
    answer = ask(query, has_level_spans);
  }
  if (differByMaxSteps(query, answer)) {
    return {.outcome = Outcome::kNotReplayable,
            .reason = "whether max_steps suffices depends on effects, which are not in the log"};
  }
  return compared(query, std::move(answer));
}

}  // namespace fractalray
