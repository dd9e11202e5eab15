// SPDX-License-Identifier: Apache-2.0
#include "sight_input.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "../../../core/units.h"
#include "arguments.h"
#include "caller_callbacks.h"
#include "convert.h"
#include "plain_members.h"

namespace fractalray::capi {
namespace {

// The options that copyPlain() leaves out.
struct SightOptionsByHand {
  static constexpr auto kByHand = std::to_array<std::string_view>(
      {"struct_size", "ignore", "ignore_count", "occluders", "occluder_count", "block_filter",
       "entity_filter", "filter_context", "reserved"});
  // In C a function of its own, and nothing.
  static constexpr auto kNotInC =
      std::to_array<std::string_view>({"report_certificate", "solid_only", "entities"});
};

}  // namespace

absl::Status copyMember(std::int32_t from, UnloadedSpace& to) {
  if (from < FR_UNLOADED_REPORT || from > FR_UNLOADED_OPAQUE) {
    return badEnum("unloaded", from,
                   "FR_UNLOADED_REPORT, FR_UNLOADED_TRANSPARENT or FR_UNLOADED_OPAQUE");
  }
  to = static_cast<UnloadedSpace>(from);
  return absl::OkStatus();
}

absl::Status SightInput::read(const frSightOptions* options, const SightOptionNames& names) {
  if (options == nullptr) return absl::OkStatus();
  absl::Status status = checkStruct(options, names.options);
  if (status.ok()) status = checkArray({options->ignore, names.ignore}, options->ignore_count);
  if (status.ok()) {
    status = checkArray({options->occluders, names.occluders}, options->occluder_count);
  }
  if (status.ok()) status = copyPlain<SightOptionsByHand>(*options, options_);
  if (!status.ok()) return status;
  options_.filter.ignore = std::span(options->ignore, options->ignore_count);
  occluders_ = boxesFrom(options->occluders, options->occluder_count);
  options_.occluders = occluders_;
  readFunctions(*options);
  return status;
}

void SightInput::readFunctions(const frSightOptions& options) {
  block_filter_ = options.block_filter;
  entity_filter_ = options.entity_filter;
  filter_context_ = options.filter_context;
  // The functions hold one pointer, for which std::function needs no memory.
  if (block_filter_ != nullptr) {
    options_.filter.block_filter = [this](const Hit& hit) {
      return test(block_filter_, filter_context_, hit);
    };
  }
  if (entity_filter_ != nullptr) {
    options_.filter.entity_filter = [this](const Hit& hit) {
      return test(entity_filter_, filter_context_, hit);
    };
  }
}

void write(const SightStats& stats, frSightStats& to) {
  write(stats.lines, to.lines);
  to.rays = stats.rays;
  to.cuts = stats.cuts;
}

absl::StatusOr<Vec3i> unitsAt(const VectorReader& points, std::size_t i, std::string_view name) {
  if (points.isInUnits()) return points.units(i);
  return toUnits(points.blocks(i), name);
}

std::vector<FixedBox> boxesFrom(const frFixedBox* boxes, std::size_t count) {
  std::vector<FixedBox> converted;
  converted.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    converted.push_back(fromC(boxes[i]));
  return converted;
}

}  // namespace fractalray::capi
