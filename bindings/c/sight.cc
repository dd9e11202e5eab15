// SPDX-License-Identifier: Apache-2.0
// Sight of boxes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/units.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/sight_input.h"
#include "internal/vectors.h"

namespace fractalray::capi {
namespace {

static_assert(static_cast<int>(Sight::kHidden) == FR_SIGHT_HIDDEN &&
              static_cast<int>(Sight::kUnknown) == FR_SIGHT_UNKNOWN &&
              static_cast<int>(Sight::kVisible) == FR_SIGHT_VISIBLE &&
              static_cast<int>(Sight::kUndecided) == FR_SIGHT_UNDECIDED &&
              static_cast<int>(Sight::kSkipped) == FR_SIGHT_SKIPPED);
static_assert(static_cast<int>(UnloadedSpace::kReport) == FR_UNLOADED_REPORT &&
              static_cast<int>(UnloadedSpace::kTransparent) == FR_UNLOADED_TRANSPARENT &&
              static_cast<int>(UnloadedSpace::kOpaque) == FR_UNLOADED_OPAQUE);

void write(const SightWitness& witness, frSightAnswer& to) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const absl::int128 component = witness.delta[axis];
    to.delta[axis] = static_cast<std::int64_t>(absl::Int128Low64(component));
    to.delta_high[axis] = absl::Int128High64(component);
    if (component != absl::int128(to.delta[axis])) to.is_wide = 1;
  }
  to.is_unit = witness.unit ? 1 : 0;
}

void write(const SightAnswer& answer, frSightAnswer* to) {
  if (to == nullptr) return;
  *to = {};
  to->struct_size = sizeof(frSightAnswer);
  to->sight = static_cast<std::int32_t>(answer.sight);
  to->blocks_version = answer.version.world;
  to->entities_version = answer.version.entities;
  if (answer.witness.has_value()) write(*answer.witness, *to);
  capi::write(answer.stats, to->stats);
}

// The points of queries in the caller's arrays.
class QueryReader {
 public:
  QueryReader(const frVectors& eyes, const frVectors& mins, const frVectors& maxs)
      : eyes_(eyes), mins_(mins), maxs_(maxs) {}

  absl::StatusOr<SightQuery> at(std::size_t i) const {
    const absl::StatusOr<Vec3i> eye = unitsAt(eyes_, i, "the eye");
    const absl::StatusOr<Vec3i> min = unitsAt(mins_, i, "the box's min");
    const absl::StatusOr<Vec3i> max = unitsAt(maxs_, i, "the box's max");
    if (!eye.ok() || !min.ok() || !max.ok()) {
      return errorToReport({eye.status(), min.status(), max.status()});
    }
    return SightQuery{.eye = *eye, .box = {.min = *min, .max = *max}};
  }

 private:
  VectorReader eyes_;
  VectorReader mins_;
  VectorReader maxs_;
};

// Runs a query with its options.
template <class Run>
absl::Status withSightOptions(const frSightOptions* options, const Run& run) {
  SightInput input;
  absl::Status status = input.read(options);
  return status.ok() ? run(input.edit()) : status;
}

// The first error among some queries.
struct FirstError {
  std::size_t query = 0;
  absl::Status status;
};

// Calls answer(i), which returns a status, for each of many queries, in parts on the threads of the
// world. Requires: `results`, unless it is null, has an element for each.
template <class Answer>
void answerMany(const char* function, const WorldState& state, std::size_t count, frResult* results,
                const Answer& answer) {
  constexpr std::size_t kQueriesInPart = 64;
  std::vector<FirstError> errors(count / kQueriesInPart + (count % kQueriesInPart != 0));
  const EffectScope in_use(&state);
  state.threads()(errors.size(), [&](std::size_t part) {
    const std::size_t begin = part * kQueriesInPart;
    for (std::size_t i = begin; i < std::min(begin + kQueriesInPart, count); ++i) {
      absl::Status status = answer(i);
      if (results != nullptr) results[i] = resultOf(status);
      if (!status.ok() && errors[part].status.ok()) errors[part] = {i, std::move(status)};
    }
  });
  const auto first = std::find_if(errors.begin(), errors.end(),
                                  [](const FirstError& error) { return !error.status.ok(); });
  if (first != errors.end()) setElementError(function, "query", first->query, first->status);
}

// Checks the arrays of many queries.
absl::Status checkMany(const frSightQuery* queries, std::size_t count, const frResult* results) {
  constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(frSightQuery);
  if (count > kMost) {
    return absl::InvalidArgumentError(
        absl::StrCat("count is ", count, "; no array has more than ", kMost, " queries"));
  }
  absl::Status status = checkArray({queries, "queries"}, count);
  return status.ok() ? checkOptional({results, "results"}) : status;
}

frResult hidesWithin(const char* function, const frFixedBox* boxes, std::size_t count,
                     const frSightQuery* query, std::int64_t margin, std::int32_t* hidden) {
  return guarded(function, [&]() -> absl::Status {
    absl::Status status = checkArray({boxes, "boxes"}, count);
    if (status.ok()) status = checkArguments({{query, "query"}, {hidden, "hidden"}});
    if (!status.ok()) return status;
    const absl::StatusOr<bool> proved =
        fractalray::hides(capi::boxesFrom(boxes, count), fromC(*query), margin);
    if (!proved.ok()) return proved.status();
    *hidden = *proved ? 1 : 0;
    return status;
  });
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::ExposureAnswer;
using fractalray::SightAnswer;
using fractalray::SightOptions;

extern "C" {

frResult frMakeSightQuery(const double eye[3], const double min[3], const double max[3],
                          frSightQuery* query) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{query, "query"}});
    if (!status.ok()) return status;
    status = checkArguments({{eye, "eye"}, {min, "min"}, {max, "max"}});
    if (status.ok()) {
      const absl::StatusOr<fractalray::SightQuery> made = fractalray::toSightQuery(
          vectorFrom(eye), {.min = vectorFrom(min), .max = vectorFrom(max)});
      if (made.ok()) {
        *query = toC(*made);
        return status;
      }
      status = made.status();
    }
    *query = {};
    return status;
  });
}

frResult frMakeSightQueries(const frVectors* eyes, const frVectors* mins, const frVectors* maxs,
                            size_t count, frSightQuery* queries) {
  return guarded(__func__, [&]() -> absl::Status {
    absl::Status status = checkArguments({{eyes, "eyes"}, {mins, "mins"}, {maxs, "maxs"}});
    if (status.ok()) status = VectorReader::check(*eyes, count, "eyes");
    if (status.ok()) status = VectorReader::check(*mins, count, "mins");
    if (status.ok()) status = VectorReader::check(*maxs, count, "maxs");
    if (status.ok()) status = checkArray({queries, "queries"}, count);
    if (!status.ok()) return status;
    const QueryReader reader(*eyes, *mins, *maxs);
    std::vector<frSightQuery> made;
    made.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const absl::StatusOr<fractalray::SightQuery> query = reader.at(i);
      if (!query.ok()) return ofElement("queries", i, query.status());
      made.push_back(toC(*query));
    }
    std::copy(made.begin(), made.end(), queries);
    return status;
  });
}

frResult frWorld_Visible(const frWorld* world, const frSightQuery* query, frLevelMask levels,
                         const frSightOptions* options, int32_t* sight, frSightAnswer* answer) {
  return reading(
      __func__, world, {{query, "query"}, {sight, "sight"}}, [&](const WorldState& state) {
        absl::Status status = answer == nullptr ? absl::OkStatus() : checkStruct(answer, "answer");
        if (!status.ok()) return status;
        return withSightOptions(options, [&](const SightOptions& sight_options) {
          SightAnswer seen;
          absl::Status asked =
              state.service().visible(fromC(*query), levelsFromC(levels), sight_options, seen);
          if (!asked.ok()) return asked;
          *sight = static_cast<std::int32_t>(seen.sight);
          write(seen, answer);
          return asked;
        });
      });
}

frResult frWorld_FindCertificate(const frWorld* world, const frSightQuery* query,
                                 frLevelMask levels, const frSightOptions* options,
                                 frFixedBox* boxes, size_t capacity, size_t* count) {
  return reading(
      __func__, world, {{query, "query"}, {count, "count"}}, [&](const WorldState& state) {
        absl::Status status = checkArray({boxes, "boxes"}, capacity);
        if (!status.ok()) return status;
        return withSightOptions(options, [&](SightOptions& sight_options) {
          sight_options.report_certificate = true;
          SightAnswer seen;
          absl::Status asked =
              state.service().visible(fromC(*query), levelsFromC(levels), sight_options, seen);
          if (!asked.ok()) return asked;
          return copyOut(seen.certificate.size(), boxes, capacity, count,
                         [&](std::size_t i) { return toC(seen.certificate[i]); });
        });
      });
}

frResult frHides(const frFixedBox* boxes, size_t count, const frSightQuery* query,
                 int32_t* hidden) {
  return hidesWithin(__func__, boxes, count, query, 0, hidden);
}

frResult frHidesWithin(const frFixedBox* boxes, size_t count, const frSightQuery* query,
                       int64_t margin, int32_t* hidden) {
  return hidesWithin(__func__, boxes, count, query, margin, hidden);
}

frResult frWorld_Exposure(const frWorld* world, const frSightQuery* query, frLevelMask levels,
                          const frSightOptions* options, double* from, double* to,
                          frSightStats* stats) {
  return reading(__func__, world, {{query, "query"}, {from, "from"}, {to, "to"}},
                 [&](const WorldState& state) {
                   absl::Status status = checkOptional({stats, "stats"});
                   if (!status.ok()) return status;
                   return withSightOptions(options, [&](const SightOptions& sight_options) {
                     ExposureAnswer share;
                     absl::Status asked = state.service().exposure(
                         fromC(*query), levelsFromC(levels), sight_options, share);
                     if (!asked.ok()) return asked;
                     *from = share.from;
                     *to = share.to;
                     if (stats != nullptr) write(share.stats, *stats);
                     return asked;
                   });
                 });
}

frResult frWorld_VisibleMany(const frWorld* world, const frSightQuery* queries, size_t count,
                             frLevelMask levels, const frSightOptions* options, uint8_t* answers,
                             frResult* results) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    absl::Status status = checkMany(queries, count, results);
    if (status.ok()) status = checkArray({answers, "answers"}, count);
    if (!status.ok()) return status;
    return withSightOptions(options, [&](const SightOptions& sight_options) {
      answerMany("frWorld_VisibleMany", state, count, results, [&](std::size_t i) {
        SightAnswer seen;
        absl::Status asked =
            state.service().visible(fromC(queries[i]), levelsFromC(levels), sight_options, seen);
        answers[i] =
            asked.ok() ? static_cast<std::uint8_t>(seen.sight) : std::uint8_t{FR_SIGHT_UNDECIDED};
        return asked;
      });
      return absl::OkStatus();
    });
  });
}

frResult frWorld_Exposures(const frWorld* world, const frSightQuery* queries, size_t count,
                           frLevelMask levels, const frSightOptions* options, double* from,
                           double* to, frResult* results) {
  return reading(__func__, world, {}, [&](const WorldState& state) {
    absl::Status status = checkMany(queries, count, results);
    if (status.ok()) status = checkArray({from, "from"}, count);
    if (status.ok()) status = checkArray({to, "to"}, count);
    if (!status.ok()) return status;
    return withSightOptions(options, [&](const SightOptions& sight_options) {
      answerMany("frWorld_Exposures", state, count, results, [&](std::size_t i) {
        ExposureAnswer share;
        absl::Status asked =
            state.service().exposure(fromC(queries[i]), levelsFromC(levels), sight_options, share);
        from[i] = asked.ok() ? share.from : 0;
        to[i] = asked.ok() ? share.to : 1;
        return asked;
      });
      return absl::OkStatus();
    });
  });
}

}  // extern "C"
