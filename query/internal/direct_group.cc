// SPDX-License-Identifier: Apache-2.0
#include "direct_group.h"

#include <variant>

#include "absl/status/statusor.h"

#include "../../core/check.h"
#include "query_checks.h"

namespace fractalray::internal {

DirectGroup::DirectGroup(const ServiceState& state, std::span<const BatchQuery> queries,
                         const ShotOptions& options, HitMode mode) {
  FRACTALRAY_DCHECK(queries.size() <= kQueriesInTask, queries.size());
  if (!canSearchDirectly(options) || !options.after.empty()) return;
  // Also checks the depth of this thread's nesting.
  if (!state.checkBatch(options.filter.channel).ok()) return;
  const Frame& frame = state.world.frame();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const BatchQuery& query = queries[i];
    const auto* segment = std::get_if<FixedSegment>(&query.line);
    if (segment == nullptr) {
      const absl::StatusOr<FixedSegment> in_units =
          std::visit([](const auto& line) { return toFixedSegment(line); }, query.line);
      if (!in_units.ok()) continue;
      segments_.push_back(*in_units);
      segment = &segments_.back();
    }
    if (!isRight(*segment, query.levels, frame) || !canSearchDirectly(*segment) ||
        !query.after.empty()) {
      continue;
    }
    searches_.emplace_back();
    FirstBlockQuery& search = searches_.back();
    search.segment = segment;
    search.levels = query.levels.withinFirst(frame.levels());
    by_query_[i] = &search;
  }
  findFirstBlocks({.world = state.world, .options = options, .mode = mode},
                  {searches_.data(), searches_.size()});
}

}  // namespace fractalray::internal
