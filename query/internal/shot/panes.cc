// SPDX-License-Identifier: Apache-2.0
#include "panes.h"

#include "hit_times.h"
#include "resume_point.h"
#include "spending.h"

namespace fractalray::internal {
Panes::Panes(const QueryContext& context, std::span<const Hit> earlier, std::span<const Hit> hits)
    : context_(context) {
  findIn(hits);
  findIn(earlier);
}

void Panes::findIn(std::span<const Hit> hits) {
  for (std::size_t i = hits.size(); i > 0; --i) {
    const Hit& hit = hits[i - 1];
    if (!hit.isBlock() || !context_.world.frame().isActive(hit.level)) continue;
    std::optional<Pane>& pane = paneOf(hit);
    if (pane.has_value() || !wasCharged(hit)) continue;
    pane = {.type = hit.type, .end = timesOf(context_, hit).leave};
  }
}

bool Panes::wasCharged(const Hit& hit) const {
  const TerminalRule& rule = ruleOf(context_, hit);
  if (rule.kind != TerminalRule::Kind::kCost || !rule.per_pane) return false;
  // A solid block ends a shot, or is gone: neither costs anything.
  if (context_.kindOf(hit.type) == BlockKind::kSolid) return false;
  return candidateFromHit(hit, context_).ok() && costOf(context_, hit) != nullptr;
}

bool Panes::takeBlock(const Hit& hit) {
  const HitTimes times = timesOf(context_, hit);
  std::optional<Pane>& pane = paneOf(hit);
  const bool continues = pane.has_value() && pane->type == hit.type && times.enter == pane->end;
  pane = {.type = hit.type, .end = times.leave};
  return continues;
}

}  // namespace fractalray::internal
