// SPDX-License-Identifier: Apache-2.0
// The panes for which a shot has been charged: runs of touching blocks that a terminal rule charges
// once (TerminalRule::per_pane).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/units.h"
#include "../../hit.h"
#include "../search/query_context.h"

namespace fractalray::internal {

// The pane that was charged last on each level: its type, and the time at which the line leaves it.
// Follows from the hits alone, so a shot that resumes can restore its panes. Not thread-safe.
class Panes {
 public:
  // Restores the panes from the hits of a shot: `hits` after `earlier`, each in its order. Takes
  // the blocks in these hits as charged, and ignores hits that are not of the context's line. Cost:
  // a visit of each hit.
  Panes(const QueryContext& context, std::span<const Hit> earlier, std::span<const Hit> hits);

  // Takes a block that is charged by a rule with per_pane. Returns true if the block continues the
  // pane of its level: it has the same type, and the line enters the block exactly when it leaves
  // the pane. Otherwise the block begins another pane.
  bool takeBlock(const Hit& hit);

 private:
  struct Pane {
    BlockTypeId type = kAir;
    Fraction end = Fraction::zero();  // the exact time at which the line leaves it
  };

  // Finds the last pane of each level that has none yet.
  void findIn(std::span<const Hit> hits);
  bool wasCharged(const Hit& hit) const;
  std::optional<Pane>& paneOf(const Hit& hit) {
    return panes_[static_cast<std::size_t>(hit.level)];
  }

  const QueryContext& context_;
  std::array<std::optional<Pane>, kMaxLevels> panes_;
};

}  // namespace fractalray::internal
