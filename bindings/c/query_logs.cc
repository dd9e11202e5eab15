// SPDX-License-Identifier: Apache-2.0
// Query logs: writing them, and replaying them.
#include "internal/query_logs.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"

#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/query_results.h"
#include "internal/sight_input.h"

namespace fractalray::capi {
namespace {

// Runs the body of a function of a world's log, given the state of the world. Only the thread that
// owns the world may change its log, and not in a callback.
template <class Body>
frResult withLog(const char* function, const frWorld* world, Arguments arguments,
                 const Body& body) noexcept {
  return with(function, world, "world", arguments,
              [&](const Object<frWorld>& object) -> absl::Status {
                absl::Status status = checkEditsAllowed();
                if (!status.ok()) return status;
                if (EffectScope::isRunning(object.state.get())) return isBusy("world");
                return body(*object.state);
              });
}

absl::Status checkHasLog(const WorldState& state) {
  if (state.log() != nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError("the world writes no log; frWorld_BeginLog begins one");
}

// Checks that a world can be taken over by a replay.
absl::Status checkUnused(const std::shared_ptr<WorldState>& state) {
  absl::Status status = checkEditable(*state);
  if (!status.ok()) return status;
  if (EffectScope::isRunning(state.get())) return isBusy("world");
  if (state->log() != nullptr) {
    return absl::FailedPreconditionError("the world writes a log; call frWorld_EndLog first");
  }
  if (state.use_count() == 1) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(state.use_count() - 1,
                   " other objects use the world, such as cursors and "
                   "streamers; destroy them first"));
}

absl::StatusOr<ReplayOptions> optionsFrom(const frReplayOptions* options) {
  if (options == nullptr) return ReplayOptions();
  absl::Status status = checkStruct(options, "options");
  if (!status.ok()) return status;
  return ReplayOptions{.ask_all = options->all != 0,
                       .on_other_world = options->on_other_world != 0};
}

std::int32_t outcomeOf(const Replayed& replayed) {
  switch (replayed.outcome) {
    case Replayed::Outcome::kEqual:
      return FR_REPLAY_EQUAL;
    case Replayed::Outcome::kDifferent:
      return FR_REPLAY_DIFFERENT;
    case Replayed::Outcome::kWorldHadChanged:
      return FR_REPLAY_WORLD_HAD_CHANGED;
    case Replayed::Outcome::kNotReplayable:
      return FR_REPLAY_NOT_REPLAYABLE;
  }
  return FR_REPLAY_END;
}

void writeReplayed(const LoggedQuery& query, const Replayed& outcome, frReplayed& to) {
  static_assert(static_cast<int>(QueryVerb::kShoot) == FR_VERB_SHOOT &&
                static_cast<int>(QueryVerb::kClosestHit) == FR_VERB_CLOSEST_HIT &&
                static_cast<int>(QueryVerb::kOccluded) == FR_VERB_OCCLUDED &&
                static_cast<int>(QueryVerb::kResume) == FR_VERB_RESUME);
  to.outcome = outcomeOf(outcome);
  to.number = query.number;
  to.offset = query.offset;
  to.levels = query.levels.bits();
  if (query.sight.has_value()) {
    to.verb = query.sight->verb == SightVerb::kVisible ? FR_VERB_VISIBLE : FR_VERB_EXPOSURE;
    to.sight = toC(query.sight->query);
    return;
  }
  write(query.segment, to.line);
  to.verb = static_cast<std::int32_t>(query.verb);
}

absl::StatusOr<ReplayedAnswer> answerOf(const Object<frReplay>& used, std::int32_t which) {
  if (which == FR_RECORDED || which == FR_REPLAYED)
    return used.replay->answer(which == FR_REPLAYED);
  return badEnum("which", which, "FR_RECORDED or FR_REPLAYED");
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frWorld_BeginLog(frWorld* world, const char* path, int32_t without_fingerprints) {
  return withLog(__func__, world, {{path, "path"}}, [&](WorldState& state) -> absl::Status {
    if (state.log() != nullptr) {
      return absl::FailedPreconditionError(
          "the world writes a log already; call frWorld_EndLog first");
    }
    absl::StatusOr<std::unique_ptr<QueryLog>> log =
        beginQueryLog(state, path, without_fingerprints == 0);
    if (!log.ok()) return log.status();
    state.setLog(*std::move(log));
    return absl::OkStatus();
  });
}

frResult frWorld_FlushLog(frWorld* world) {
  return withLog(__func__, world, {}, [](WorldState& state) {
    absl::Status status = checkHasLog(state);
    return status.ok() ? state.log()->flush() : status;
  });
}

frResult frWorld_EndLog(frWorld* world, uint64_t* queries) {
  return withLog(__func__, world, {}, [&](WorldState& state) {
    absl::Status status = checkOptional({queries, "queries"});
    if (status.ok()) status = checkHasLog(state);
    if (!status.ok()) return status;
    status = state.log()->close();
    if (queries != nullptr) *queries = state.log()->queries();
    state.setLog(nullptr);
    return status;
  });
}

frResult frCreateReplay(frWorld* world, const char* path, const frReplayOptions* options,
                        frReplay** replay) {
  const char* const function = __func__;
  return with(function, world, "world", {{path, "path"}, {replay, "replay"}},
              [&](const Object<frWorld>& object) -> absl::Status {
                const absl::StatusOr<ReplayOptions> read = optionsFrom(options);
                if (!read.ok()) return read.status();
                absl::Status status = checkUnused(object.state);
                if (!status.ok()) return status;
                NewObject<frReplay> created;
                absl::StatusOr<std::unique_ptr<LogReplay>> opened =
                    openLogReplay(*object.state, path, *read);
                if (!opened.ok()) return opened.status();
                created->replay = *std::move(opened);
                created->state = object.state;
                created.giveTo(replay);
                static_cast<void>(destroy(function, world, "world"));
                return status;
              });
}

frResult frDestroyReplay(frReplay* replay) {
  return destroy(__func__, replay, "replay");
}

frResult frReplay_Next(frReplay* replay, frReplayed* replayed) {
  return with(__func__, replay, "replay", {}, [&](Object<frReplay>& used) {
    absl::Status status = checkStruct(replayed, "replayed");
    if (!status.ok()) return status;
    const absl::StatusOr<bool> more = used.replay->next();
    if (!more.ok()) return more.status();
    *replayed = {};
    replayed->struct_size = sizeof(frReplayed);
    if (*more) writeReplayed(used.replay->query(), used.replay->replayed(), *replayed);
    return status;
  });
}

frResult frReplay_GetReason(const frReplay* replay, char* reason, size_t capacity, size_t* length) {
  return with(__func__, replay, "replay", {}, [&](const Object<frReplay>& used) {
    absl::Status status = checkArray({reason, "reason"}, capacity);
    if (status.ok()) status = checkOptional({length, "length"});
    return status.ok() ? copyText(used.replay->replayed().reason, reason, capacity, length)
                       : status;
  });
}

frResult frReplay_GetAnswer(const frReplay* replay, int32_t which, int32_t* occlusion, frHit* hits,
                            size_t capacity, frQueryResult* result) {
  return with(__func__, replay, "replay", {}, [&](const Object<frReplay>& used) {
    absl::Status status = checkArray({hits, "hits"}, capacity);
    if (status.ok()) status = checkOptional({occlusion, "occlusion"});
    if (status.ok()) status = checkResult(result);
    if (!status.ok()) return status;
    const absl::StatusOr<ReplayedAnswer> answer = answerOf(used, which);
    if (!answer.ok()) return answer.status();
    write(answer->shot, result);
    if (result != nullptr) result->result = static_cast<frResult>(answer->status);
    if (occlusion != nullptr && answer->occlusion.has_value())
      *occlusion = static_cast<std::int32_t>(*answer->occlusion);
    return write(std::span<const fractalray::Hit>(answer->shot.hits), hits, capacity);
  });
}

frResult frReplay_GetSight(const frReplay* replay, int32_t which, int32_t* sight, double* from,
                           double* to) {
  return with(__func__, replay, "replay", {}, [&](const Object<frReplay>& used) {
    absl::Status status = checkOptional({sight, "sight"});
    if (status.ok()) status = checkOptional({from, "from"});
    if (status.ok()) status = checkOptional({to, "to"});
    if (!status.ok()) return status;
    const absl::StatusOr<ReplayedAnswer> answer = answerOf(used, which);
    if (!answer.ok()) return answer.status();
    if (!used.replay->query().sight.has_value()) {
      return absl::InvalidArgumentError(
          "the last query is one along a line; frReplay_GetAnswer has its answer");
    }
    if (answer->status != absl::StatusCode::kOk)
      return absl::Status(answer->status, "the query of the log ended with this error");
    if (sight != nullptr && answer->sight.has_value())
      *sight = static_cast<std::int32_t>(*answer->sight);
    if (from != nullptr && answer->exposure.has_value()) *from = (*answer->exposure)[0];
    if (to != nullptr && answer->exposure.has_value()) *to = (*answer->exposure)[1];
    return status;
  });
}

frResult frReplay_GetLevelParts(const frReplay* replay, int32_t which, frLevelPart* parts,
                                size_t capacity, size_t* count) {
  return with(__func__, replay, "replay", {{count, "count"}}, [&](const Object<frReplay>& used) {
    absl::Status status = checkArray({parts, "parts"}, capacity);
    if (!status.ok()) return status;
    const absl::StatusOr<ReplayedAnswer> answer = answerOf(used, which);
    if (!answer.ok()) return answer.status();
    const auto& spans = answer->shot.level_spans;
    return copyOut(spans.size(), parts, capacity, count, [&](std::size_t i) {
      return frLevelPart{
          .t0 = spans[i].t0, .t1 = spans[i].t1, .level = spans[i].level, .reserved = 0};
    });
  });
}

}  // extern "C"
