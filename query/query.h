// SPDX-License-Identifier: Apache-2.0
// A line and all that is asked of it alone: the same for a call, a batch, an observer and a log.
#pragma once

#include <span>

#include "../core/level_mask.h"
#include "../core/segment.h"
#include "../entities/entity.h"
#include "hit.h"
#include "terminal_rules.h"

namespace fractalray {

// A query in units, by reference: its arrays and its budgets outlive it. All else that it obeys is
// in options, which many queries may share.
struct Query {
  FixedSegment segment{};
  LevelMask levels = LevelMask::all();
  // Entities to ignore, in addition to those of the options.
  std::span<const EntityId> ignore{};
  // The hits after which the query resumes; empty for those of the options.
  std::span<const Hit> after{};
  // The amounts with which a shot with rules starts; null for those of the options.
  const Budgets* budgets = nullptr;
};

}  // namespace fractalray
