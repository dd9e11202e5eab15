// SPDX-License-Identifier: Apache-2.0
#include "stream_settings.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"

#include "../../../core/units.h"
#include "arguments.h"
#include "callback_scope.h"
#include "convert.h"
#include "vectors.h"

namespace fractalray::capi {
namespace {

// Requires: `to` has radii for each level.
absl::Status readRadii(const frStreamOptions& options, StreamOptions& to) {
  if (options.radius_count == 0) return absl::OkStatus();
  if (options.radius_count != to.radii.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("options->radius_count is ", options.radius_count, "; the world has ",
                     to.radii.size(), " levels, each of which needs radii"));
  }
  absl::Status status = checkArray({options.radii, "options->radii"}, options.radius_count);
  if (!status.ok()) return status;
  to.radii.clear();
  for (std::size_t i = 0; i < options.radius_count; ++i) {
    const frStreamRadii& radii = options.radii[i];
    if (radii.load < 0) {
      to.radii.emplace_back(std::nullopt);
    } else {
      to.radii.emplace_back(StreamRadii{.load = radii.load, .keep = radii.keep});
    }
  }
  return status;
}

absl::Status readFertile(const frStreamOptions& options, StreamOptions& to) {
  constexpr std::size_t kMost = std::numeric_limits<frBlockType>::max() + std::size_t{1};
  if (options.fertile_count > kMost) {
    return absl::InvalidArgumentError(absl::StrCat("options->fertile_count is ",
                                                   options.fertile_count, "; there are at most ",
                                                   kMost, " block types"));
  }
  absl::Status status = checkArray({options.fertile, "options->fertile"}, options.fertile_count);
  if (!status.ok()) return status;
  if (options.is_fertile != nullptr) {
    if (options.fertile != nullptr) {
      return absl::InvalidArgumentError(
          "options->is_fertile and options->fertile are both given; give one of them");
    }
    to.is_fertile = [is_fertile = options.is_fertile,
                     context = options.fertile_context](BlockTypeId type) {
      const PureScope scope;
      return is_fertile(context, toC(type)) != 0;
    };
  } else if (options.fertile != nullptr) {
    std::vector<std::uint8_t> table(options.fertile, options.fertile + options.fertile_count);
    to.is_fertile = [table = std::move(table)](BlockTypeId type) {
      return toC(type) < table.size() && table[toC(type)] != 0;
    };
  }
  return status;
}

}  // namespace

absl::StatusOr<StreamOptions> streamOptionsFrom(const frStreamOptions* options,
                                                const Frame& frame) {
  StreamOptions to;
  to.radii.assign(static_cast<std::size_t>(frame.levels()), StreamRadii());
  if (options == nullptr) return to;
  absl::Status status = checkStruct(options, "options");
  if (status.ok()) status = readRadii(*options, to);
  if (status.ok()) status = readFertile(*options, to);
  if (!status.ok()) return status;
  setLimit(options->chunks_per_tick, to.chunks_per_tick);
  setLimit(options->bytes_per_tick, to.bytes_per_tick);
  setLimit(options->max_bytes, to.max_bytes);
  setLimit(options->max_pending, to.max_pending);
  setLimit(options->answer_ticks, to.answer_ticks);
  setLimit(options->retry_ticks, to.retry_ticks);
  setLimit(options->max_retry_ticks, to.max_retry_ticks);
  setLimit(options->want_ticks, to.want_ticks);
  return to;
}

absl::StatusOr<std::vector<Vec3i>> viewersFrom(const frVectors* points, std::size_t count) {
  std::vector<Vec3i> viewers;
  if (count == 0) return viewers;
  absl::Status status = checkArguments({{points, "viewers"}});
  if (status.ok()) status = VectorReader::check(*points, count, "viewers");
  if (!status.ok()) return status;
  const VectorReader reader(*points);
  for (std::size_t i = 0; i < count; ++i) {
    if (reader.isInUnits()) {
      viewers.push_back(reader.units(i));
      continue;
    }
    const absl::StatusOr<Vec3i> units = toUnits(reader.blocks(i), absl::StrCat("viewer ", i));
    if (!units.ok()) return units.status();
    viewers.push_back(*units);
  }
  return viewers;
}

}  // namespace fractalray::capi
