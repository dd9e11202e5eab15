// SPDX-License-Identifier: Apache-2.0
// The outcomes of cells that a shot crossed, of entities near its line, and of things on its line.
#pragma once

#include <cstdint>
#include <string_view>

namespace fractalray {

// The outcome of a cell of the walk.
enum class CellOutcome : std::uint8_t {
  kNotLoaded,    // its chunk is absent
  kPlaceholder,  // its chunk is proto
  kEmpty,        // its type is empty in the shot's channel
  kDefers,       // its finer chunk is loaded, and its level in the mask
  kLeftOut,      // permeable, and the shot is for solid blocks alone
  kStartInside,  // the start is inside, and the shot skips that
  kRefused,      // by the filter
  kMissed,       // the line misses the shape of its type
  kHit,          // permeable: hit, and the pass continues
  kEnds,         // solid: hit, and the pass ends
  kStops,        // permeable: hit, and a terminal rule ends the pass
};

// Returns true if the cell gave a candidate.
constexpr bool isHit(CellOutcome outcome) {
  return outcome == CellOutcome::kHit || outcome == CellOutcome::kEnds ||
         outcome == CellOutcome::kStops;
}
// Returns true if the cell ends its pass.
constexpr bool isEnd(CellOutcome outcome) {
  return outcome == CellOutcome::kEnds || outcome == CellOutcome::kStops;
}

// The outcome of an entity that is stored in an index chunk along the line.
enum class EntityOutcome : std::uint8_t {
  kHit,
  kMissed,
  kAfterClip,      // hit only after the end of the shot
  kOtherLevel,     // its level is not in the mask
  kOtherCategory,  // it shares no bit with the shot's categories
  kIgnored,        // its id is in the ignore list, or the shot resumes after it
  kStartInside,
  kRefused,
};

// The outcome of something that the line hits, in the order of hits.
enum class StepOutcome : std::uint8_t {
  kHit,
  kAfterClip,      // later in the order than the hit that ended the shot
  kAfterUnknown,   // the shot was to stop at unloaded space
  kAfterStop,      // a callback had stopped the shot
  kBeyondMaxHits,  // one more than max_hits
};

// Returns "empty", "defers" ...: the same words in texts, JSON and pictures.
std::string_view outcomeName(CellOutcome outcome);
std::string_view outcomeName(EntityOutcome outcome);
std::string_view outcomeName(StepOutcome outcome);

}  // namespace fractalray
