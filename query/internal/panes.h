// SPDX-License-Identifier: Apache-2.0
// Which panes a shot has been charged for: runs of touching blocks that a terminal rule charges
// once (TerminalRule::per_pane).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "../../core/arithmetic/fraction.h"
#include "../../core/units.h"
#include "../hit.h"
#include "query_context.h"

namespace fractalray::internal {

// The pane that was charged last on each level: its type, and when the line leaves it. Follows from
// the hits alone, so a shot that resumes knows its panes again. Not thread-safe.
class Panes {
 public:
  // With the panes of the hits that a shot has had: `hits` after `earlier`, each in its order.
  // Takes what stands there as charged, and ignores what is not a hit of the context's line. Cost:
  // a look at each hit.
  Panes(const QueryContext& context, std::span<const Hit> earlier, std::span<const Hit> hits);

  // Takes a block that is charged by a rule with per_pane. Returns true if it continues the pane of
  // its level: it has the same type, and the line comes into it exactly when it leaves the pane.
  // Otherwise it begins another one.
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
