// SPDX-License-Identifier: Apache-2.0
// What became of the cells that a shot crossed, of the entities near its line, and of what it hit.
#pragma once

#include <cstdint>
#include <string_view>

namespace fractalray {

// What became of a cell of the walk.
enum class CellOutcome : std::uint8_t {
  kNotLoaded,    // its chunk is not there
  kPlaceholder,  // its chunk is proto
  kEmpty,        // its type is empty in the shot's channel
  kDefers,       // the finer chunk in its place is loaded and asked for
  kLeftOut,      // permeable, and the shot is for solid blocks alone
  kStartInside,  // the start is inside, and the shot skips that
  kRefused,      // by the filter
  kHit,          // permeable: hit, and the pass continues
  kEnds,         // solid: hit, and the pass ends
  kStops,        // permeable: hit, and a terminal rule ends the pass
};

// Whether the cell is one that a candidate came from.
constexpr bool isHit(CellOutcome outcome) {
  return outcome == CellOutcome::kHit || outcome == CellOutcome::kEnds ||
         outcome == CellOutcome::kStops;
}
// Returns true if nothing after the cell matters to its pass.
constexpr bool isEnd(CellOutcome outcome) {
  return outcome == CellOutcome::kEnds || outcome == CellOutcome::kStops;
}

// What became of an entity that is kept in a chunk on the way.
enum class EntityOutcome : std::uint8_t {
  kHit,
  kMissed,
  kAfterClip,      // hit only after what ended the shot
  kOtherLevel,     // its level is not in the mask
  kOtherCategory,  // it shares no bit with the shot's categories
  kIgnored,        // its id is in the ignore list, or the shot resumes after it
  kStartInside,
  kRefused,
};

// What became of something that the line hits, in the order of hits.
enum class StepOutcome : std::uint8_t {
  kHit,
  kAfterClip,      // later in the order than what ended the shot
  kAfterUnknown,   // the shot was to stop where the unknown begins
  kAfterStop,      // a callback had stopped the shot
  kBeyondMaxHits,  // one more than were asked for
};

// "empty", "defers" ...: a few words an outcome, the same in texts, JSON and pictures.
std::string_view outcomeName(CellOutcome outcome);
std::string_view outcomeName(EntityOutcome outcome);
std::string_view outcomeName(StepOutcome outcome);

}  // namespace fractalray
