// SPDX-License-Identifier: Apache-2.0
#include "hit_spans.h"

#include "absl/status/statusor.h"

#include "../core/segment.h"
#include "../entities/entity_index.h"
#include "internal/search/query_checks.h"
#include "internal/search/query_context.h"
#include "internal/shot/hit_times.h"
#include "internal/shot/resume_point.h"

namespace fractalray {

absl::Status hitSpans(const World& world, const FixedSegment& line, const Hit& hit,
                      const QueryOptions& options, std::vector<HitSpan>& spans) {
  spans.clear();
  absl::Status status = internal::checkSegment(line);
  if (!status.ok()) return status;
  status = internal::checkChannel(options.filter.channel, world.blockTypes());
  if (!status.ok()) return status;
  const EntityIndex no_entities(world.frame());
  const internal::QueryContext context{.world = world,
                                       .entities = no_entities,
                                       .callbacks = nullptr,
                                       .options = options,
                                       .levels = LevelMask::all().activeIn(world.frame()),
                                       .line = Line(line),
                                       .mode = internal::HitMode::kClosest};
  if (const auto candidate = internal::candidateFromHit(hit, context); !candidate.ok()) {
    return candidate.status();
  }
  if (hit.isEntity()) {
    spans.push_back({hit.t, hit.t_exit});
    return absl::OkStatus();
  }
  for (const internal::TimeInterval& span : internal::spansOf(context, hit))
    spans.push_back({span.from.toDouble(), span.to.toDouble()});
  return absl::OkStatus();
}

}  // namespace fractalray
