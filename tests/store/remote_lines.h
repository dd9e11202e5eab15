// SPDX-License-Identifier: Apache-2.0
// Random lines as servers take them, and their answers as the library has them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "../../bindings/c/fractalray_c.h"
#include "../../bindings/c/internal/convert.h"
#include "../../query/batch.h"
#include "../c/sized.h"
#include "map_model.h"

namespace fractalray::store_fixture {

// The segments of some queries, each with its levels.
class RemoteLines {
 public:
  explicit RemoteLines(const std::vector<BatchQuery>& queries) {
    for (const BatchQuery& query : queries) {
      const auto* const segment = std::get_if<Segment>(&query.line);
      if (segment == nullptr) continue;
      queries_.push_back(query);
      for (const Vec3d& end : {segment->from, segment->to}) {
        for (int axis = 0; axis < 3; ++axis)
          numbers_.push_back(end[axis]);
      }
      frLevelMask levels = 0;
      for (int level = 0; level < FR_MAX_LEVELS; ++level) {
        if (query.levels.contains(level)) levels |= frLevelMask{1} << level;
      }
      levels_.push_back(levels);
    }
    lines_.count = queries_.size();
    lines_.from = {numbers_.data(), 48, 0, FR_F64, 0};
    lines_.to = {numbers_.data() + 3, 48, 0, FR_F64, 0};
    lines_.levels = levels_.data();
  }
  RemoteLines(const RemoteLines&) = delete;
  RemoteLines& operator=(const RemoteLines&) = delete;

  const std::vector<BatchQuery>& queries() const { return queries_; }
  const frLines& lines() const { return lines_; }

  // Asks a server for the first hits. Returns the result; the answers, with unknown_from, are then
  // in `batch`.
  frResult ask(frRemote* remote, ClosestBatch& batch) const {
    std::vector<frHit> hits(queries_.size());
    std::vector<double> unknown(queries_.size());
    frBatchResult summary = fractalray::testing::sized<frBatchResult>();
    frQueryOptions options = fractalray::testing::sized<frQueryOptions>();
    options.report_unknown = 1;
    const frResult result = frRemote_ClosestHits(remote, &lines_, FR_ALL_LEVELS, &options,
                                                 hits.data(), unknown.data(), nullptr, &summary);
    if (result != FR_OK) return result;
    batch.answers.clear();
    batch.unknown_from.clear();
    batch.completed = summary.completed;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      batch.answers.push_back(hits[i].kind == FR_HIT_NONE ? Hit() : capi::fromC(hits[i]).value());
      const bool is_all_known = std::isnan(unknown[i]);
      batch.unknown_from.push_back(is_all_known ? std::nullopt : std::optional(unknown[i]));
    }
    return result;
  }

 private:
  std::vector<BatchQuery> queries_;
  std::vector<double> numbers_;
  std::vector<frLevelMask> levels_;
  frLines lines_ = fractalray::testing::sized<frLines>();
};

}  // namespace fractalray::store_fixture
