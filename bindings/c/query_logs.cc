// SPDX-License-Identifier: Apache-2.0
// Query logs: writing them, and replaying them.
#include "internal/query_logs.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

constexpr std::int32_t verbOf(SightVerb verb) {
  return FR_VERB_VISIBLE + static_cast<std::int32_t>(verb);
}
static_assert(verbOf(SightVerb::kExposure) == FR_VERB_EXPOSURE &&
              verbOf(SightVerb::kVisibleBoxes) == FR_VERB_VISIBLE_BOXES &&
              verbOf(SightVerb::kVisibleBlocks) == FR_VERB_VISIBLE_BLOCKS &&
              verbOf(SightVerb::kBlast) == FR_VERB_BLAST);

// Writes the question of each verb of sight.
struct QuestionWriter {
  void operator()(const LoggedVisible& asked) const { to.sight = toC(asked.query); }
  void operator()(const LoggedExposure& asked) const { to.sight = toC(asked.query); }
  void operator()(const LoggedVisibleBoxes& asked) const {
    to.viewer_count = asked.viewers.size();
    to.box_count = asked.boxes.size();
  }
  void operator()(const LoggedVisibleBlocks& asked) const { writeBall(asked.eye, asked.radius); }
  void operator()(const LoggedBlast& asked) const { writeBall(asked.center, asked.radius); }
  void writeBall(const Vec3d& center, double radius) const {
    store(center, to.center);
    to.radius = radius;
  }

  frReplayed& to;
};

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
    to.verb = verbOf(query.sight->verb());
    std::visit(QuestionWriter{to}, query.sight->question);
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

// Returns an answer to the last query if that is of one of the verbs of sight; the error of an
// answer that is one.
absl::StatusOr<ReplayedAnswer> sightAnswerOf(const Object<frReplay>& used, std::int32_t which,
                                             std::initializer_list<SightVerb> verbs,
                                             const char* function) {
  absl::StatusOr<ReplayedAnswer> answer = answerOf(used, which);
  if (!answer.ok()) return answer;
  const std::optional<LoggedSight>& sight = used.replay->query().sight;
  const bool is_one =
      sight.has_value() && std::find(verbs.begin(), verbs.end(), sight->verb()) != verbs.end();
  if (!is_one) {
    return absl::InvalidArgumentError(
        absl::StrCat("the last query is one of ",
                     std::string(sight.has_value() ? sightVerbName(sight->verb())
                                                   : queryVerbName(used.replay->query().verb)),
                     ", whose answer is not that of ", function,
                     "; replayed->verb says which function to call"));
  }
  if (answer->status != absl::StatusCode::kOk)
    return absl::Status(answer->status, "the query of the log ended with this error");
  return answer;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::SightVerb;

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
    const absl::StatusOr<ReplayedAnswer> answer = sightAnswerOf(
        used, which, {SightVerb::kVisible, SightVerb::kExposure}, "frReplay_GetSight");
    if (!answer.ok()) return answer.status();
    if (sight != nullptr && answer->sight.has_value())
      *sight = static_cast<std::int32_t>(*answer->sight);
    if (from != nullptr && answer->exposure.has_value()) *from = (*answer->exposure)[0];
    if (to != nullptr && answer->exposure.has_value()) *to = (*answer->exposure)[1];
    return status;
  });
}

frResult frReplay_GetSights(const frReplay* replay, int32_t which, uint8_t* answers,
                            size_t capacity, size_t* count) {
  const char* const function = __func__;
  return with(function, replay, "replay", {{count, "count"}}, [&](const Object<frReplay>& used) {
    absl::Status status = checkArray({answers, "answers"}, capacity);
    if (!status.ok()) return status;
    const absl::StatusOr<ReplayedAnswer> answer =
        sightAnswerOf(used, which, {SightVerb::kVisibleBoxes}, function);
    if (!answer.ok()) return answer.status();
    const std::vector<fractalray::Sight>& sights = *answer->sights;
    return copyOut(sights.size(), answers, capacity, count,
                   [&](std::size_t i) { return static_cast<std::uint8_t>(sights[i]); });
  });
}

frResult frReplay_GetVisibleBlocks(const frReplay* replay, int32_t which, frFoundBlock* found,
                                   size_t capacity, size_t* count) {
  const char* const function = __func__;
  return with(function, replay, "replay", {{count, "count"}}, [&](const Object<frReplay>& used) {
    absl::Status status = checkArray({found, "found"}, capacity);
    if (!status.ok()) return status;
    const absl::StatusOr<ReplayedAnswer> answer =
        sightAnswerOf(used, which, {SightVerb::kVisibleBlocks}, function);
    if (!answer.ok()) return answer.status();
    return write(*answer->seen_blocks, found, capacity, count);
  });
}

frResult frReplay_GetBlast(const frReplay* replay, int32_t which, frBrokenBlock* blocks,
                           size_t block_capacity, frExposedEntity* entities, size_t entity_capacity,
                           frBlastResult* result) {
  const char* const function = __func__;
  return with(function, replay, "replay", {{result, "result"}}, [&](const Object<frReplay>& used) {
    const BlastArrays arrays{blocks, block_capacity, entities, entity_capacity};
    absl::Status status = checkStruct(result, "result");
    if (status.ok()) status = arrays.check();
    if (!status.ok()) return status;
    const absl::StatusOr<ReplayedAnswer> answer =
        sightAnswerOf(used, which, {SightVerb::kBlast}, function);
    if (!answer.ok()) return answer.status();
    return write(*answer->blast, arrays, *result);
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
