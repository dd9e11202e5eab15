// SPDX-License-Identifier: Apache-2.0
// Sight of many boxes by many viewers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/units.h"
#include "../../query/sight_table.h"
#include "internal/convert.h"
#include "internal/objects.h"
#include "internal/sight_input.h"
#include "internal/vectors.h"

namespace fractalray::capi {
namespace {

// The viewers and the boxes of a call, in units.
struct TableInput {
  std::vector<Vec3i> eyes;
  std::vector<SightViewer> viewers;
  std::vector<FixedBox> boxes;
};

absl::Status readEyes(const VectorReader& points, const std::uint32_t* counts, std::size_t viewers,
                      TableInput& input) {
  for (std::size_t viewer = 0; viewer < viewers; ++viewer) {
    const std::size_t count = counts == nullptr ? 1 : counts[viewer];
    for (std::size_t i = 0; i < count; ++i) {
      const absl::StatusOr<Vec3i> eye = unitsAt(points, input.eyes.size(), "the eye");
      if (!eye.ok()) return ofElement("viewers", viewer, ofElement("eyes", i, eye.status()));
      input.eyes.push_back(*eye);
    }
  }
  std::size_t begin = 0;
  for (std::size_t viewer = 0; viewer < viewers; ++viewer) {
    const std::size_t count = counts == nullptr ? 1 : counts[viewer];
    input.viewers.push_back({std::span(input.eyes).subspan(begin, count)});
    begin += count;
  }
  return absl::OkStatus();
}

absl::Status readBoxes(const VectorReader& mins, const VectorReader& maxs, std::size_t count,
                       TableInput& input) {
  for (std::size_t i = 0; i < count; ++i) {
    const absl::StatusOr<Vec3i> min = unitsAt(mins, i, "the box's min");
    const absl::StatusOr<Vec3i> max = unitsAt(maxs, i, "the box's max");
    if (!min.ok() || !max.ok())
      return ofElement("boxes", i, errorToReport({min.status(), max.status()}));
    input.boxes.push_back({.min = *min, .max = *max});
  }
  return absl::OkStatus();
}

// Returns the number of eyes of all viewers, as far as it can be counted.
std::size_t eyesOf(const std::uint32_t* counts, std::size_t viewers) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  if (counts == nullptr) return viewers;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < viewers; ++i)
    sum = counts[i] > kMost - sum ? kMost : sum + counts[i];
  return sum;
}

absl::Status readOptions(const frSightTableOptions* from, std::size_t boxes, SightInput& each,
                         SightTableOptions& to) {
  if (from == nullptr) return absl::OkStatus();
  absl::Status status = checkStruct(from, "options");
  if (status.ok()) status = each.read(from->each);
  if (!status.ok()) return status;
  if (from->history != nullptr) {
    if (status = checkObject(from->history, "history"); !status.ok()) return status;
    Object<frSightHistory>& used = *find(from->history);
    if (used.is_busy) return isBusy("history");
    to.history = &used.history;
  }
  to.each = each.options();
  if (from->max_distance != 0) to.max_distance = from->max_distance;
  switch (from->if_undecided) {
    case FR_UNDECIDED_REPORT:
      break;
    case FR_UNDECIDED_VISIBLE:
      to.if_undecided = Sight::kVisible;
      break;
    case FR_UNDECIDED_HIDDEN:
      to.if_undecided = Sight::kHidden;
      break;
    default:
      return badEnum("if_undecided", from->if_undecided,
                     "FR_UNDECIDED_REPORT, FR_UNDECIDED_VISIBLE or FR_UNDECIDED_HIDDEN");
  }
  if (from->left_out != nullptr) {
    to.leaves_out = [left_out = from->left_out, boxes](std::size_t viewer, std::size_t box) {
      return left_out[viewer * boxes + box] != 0;
    };
  }
  return status;
}

void writeStats(const SightTableStats& stats, frSightTableStats* to) {
  if (to == nullptr) return;
  capi::write(stats.sight, to->sight);
  to->pairs = stats.pairs;
  to->unchanged = stats.unchanged;
  to->by_ray = stats.by_ray;
  to->by_proof = stats.by_proof;
  to->searched = stats.searched;
  to->undecided = stats.undecided;
}

// Checks the arrays of a call, whose pairs can be counted.
absl::Status checkArrays(const frVectors& eyes, const std::uint32_t* eye_counts,
                         std::size_t viewers, const frVectors& mins, const frVectors& maxs,
                         std::size_t boxes, const std::uint8_t* answers) {
  if (boxes > 0 && viewers > std::numeric_limits<std::size_t>::max() / boxes) {
    return absl::InvalidArgumentError(
        absl::StrCat("the pairs of ", viewers, " viewers and ", boxes,
                     " boxes are more than an array has; ask for fewer"));
  }
  absl::Status status = checkOptional({eye_counts, "eye_counts"});
  if (status.ok()) status = VectorReader::check(eyes, eyesOf(eye_counts, viewers), "eyes");
  if (status.ok()) status = VectorReader::check(mins, boxes, "mins");
  if (status.ok()) status = VectorReader::check(maxs, boxes, "maxs");
  return status.ok() ? checkArray({answers, "answers"}, viewers * boxes) : status;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;

extern "C" {

frResult frCreateSightHistory(frSightHistory** history) {
  return guarded(__func__, [&] {
    absl::Status status = checkArguments({{history, "history"}});
    if (status.ok()) NewObject<frSightHistory>().giveTo(history);
    return status;
  });
}

frResult frDestroySightHistory(frSightHistory* history) {
  return destroy(__func__, history, "history");
}

frResult frWorld_VisibleBoxes(const frWorld* world, const frVectors* eyes,
                              const uint32_t* eye_counts, size_t viewer_count,
                              const frVectors* mins, const frVectors* maxs, size_t box_count,
                              frLevelMask levels, const frSightTableOptions* options,
                              uint8_t* answers, frSightTableStats* stats) {
  return reading(
      __func__, world, {{eyes, "eyes"}, {mins, "mins"}, {maxs, "maxs"}},
      [&](const WorldState& state) {
        absl::Status status =
            checkArrays(*eyes, eye_counts, viewer_count, *mins, *maxs, box_count, answers);
        if (status.ok()) status = checkOptional({stats, "stats"});
        SightInput each;
        fractalray::SightTableOptions table_options;
        if (status.ok()) status = readOptions(options, box_count, each, table_options);
        TableInput input;
        if (status.ok()) status = readEyes(VectorReader(*eyes), eye_counts, viewer_count, input);
        if (status.ok())
          status = readBoxes(VectorReader(*mins), VectorReader(*maxs), box_count, input);
        if (!status.ok()) return status;
        const EffectScope in_use(&state);
        std::optional<Busy<Object<frSightHistory>>> busy;
        if (table_options.history != nullptr) busy.emplace(*find(options->history));
        fractalray::SightTable table;
        status = state.service().visibleBoxes(input.viewers, input.boxes, levelsFromC(levels),
                                              table_options, table, state.threads());
        if (!status.ok()) return status;
        std::transform(table.answers.begin(), table.answers.end(), answers,
                       [](fractalray::Sight sight) { return static_cast<std::uint8_t>(sight); });
        writeStats(table.stats, stats);
        return status;
      });
}

}  // extern "C"
