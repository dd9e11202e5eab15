// SPDX-License-Identifier: Apache-2.0
// The steps of a query of sight, and their limit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../sight.h"

namespace fractalray::internal {

class SightSteps {
 public:
  SightSteps(SightStats& stats, std::uint64_t most) : stats_(stats), most_(most) {}

  SightStats& stats() { return stats_; }
  // Counts a cut; returns false if it is one too many.
  bool spendCut() {
    ++stats_.cuts;
    return !isExhausted();
  }
  // Counts looks at zones or boxes, 16 of which take as long as a cut. Returns false if these are
  // too many.
  bool spendLooks(std::size_t looks) {
    stats_.lines.listed += looks / kLooksPerStep;
    return !isExhausted();
  }
  static constexpr std::size_t kLooksPerStep = 16;
  bool isExhausted() const { return stats_.steps() > most_; }
  std::uint64_t left() const { return isExhausted() ? 0 : most_ - stats_.steps(); }
  // Returns the error of a query whose steps have run out.
  absl::Status exhausted() const {
    return absl::ResourceExhaustedError(absl::StrCat(
        "the sight of a box needs more than max_steps, ", most_, "; raise it, or leave it out"));
  }

 private:
  SightStats& stats_;
  std::uint64_t most_;
};

}  // namespace fractalray::internal
