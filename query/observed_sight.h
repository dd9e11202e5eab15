// SPDX-License-Identifier: Apache-2.0
// The queries of sight as an observer sees them: the arguments of a call and its answer, by
// reference.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "../core/level_mask.h"
#include "../core/vec.h"
#include "blast.h"
#include "query_stats.h"
#include "sight.h"
#include "sight_table.h"
#include "visible_blocks.h"

namespace fractalray {

// The arguments of each verb, and its name in texts and logs. sight() returns the options of the
// occluders.
struct VisibleCall {
  static constexpr std::string_view kName = "visible";
  const SightQuery& query;
  const SightOptions& options;

  const SightOptions& sight() const { return options; }
};
struct ExposureCall {
  static constexpr std::string_view kName = "exposure";
  const SightQuery& query;
  const SightOptions& options;

  const SightOptions& sight() const { return options; }
};
struct VisibleBoxesCall {
  static constexpr std::string_view kName = "visibleBoxes";
  std::span<const SightViewer> viewers;
  std::span<const FixedBox> boxes;
  const SightTableOptions& options;

  const SightOptions& sight() const { return options.each; }
};
struct VisibleBlocksCall {
  static constexpr std::string_view kName = "visibleBlocks";
  const Vec3d& eye;
  double radius;
  const VisibleBlocksOptions& options;

  const SightOptions& sight() const { return options.sight; }
};
struct BlastCall {
  static constexpr std::string_view kName = "blast";
  const BlastQuery& query;
  const BlastOptions& options;

  const SightOptions& sight() const { return options.sight; }
};

// A call of any of the verbs. The index of a verb in this list is its number, as a SightVerb and in
// logs: new ones are added at the end.
using SightCall =
    std::variant<VisibleCall, ExposureCall, VisibleBoxesCall, VisibleBlocksCall, BlastCall>;
enum class SightVerb : std::uint8_t {
  kVisible,
  kExposure,
  kVisibleBoxes,
  kVisibleBlocks,
  kBlast,
};
// Returns "visible", "exposure", "visibleBoxes", "visibleBlocks" or "blast"; nothing for a number
// that no verb has.
std::string_view sightVerbName(SightVerb verb);

// A query of sight.
struct ObservedSight {
  SightCall call;
  LevelMask levels{};
  SceneVersion version{};  // before the query ran

  SightVerb verb() const { return SightVerb{static_cast<std::uint8_t>(call.index())}; }
};

// The answer of visibleBlocks(): the lists of VisibleBlocks.
struct ObservedBlocks {
  std::span<const FoundBlock> visible{};
  std::span<const FoundBlock> unknown{};
  std::span<const FoundBlock> undecided{};
};
// The answer of blast().
struct ObservedBlast {
  bool reaches_unknown = false;
  std::span<const BrokenBlock> blocks{};
  std::span<const ExposedEntity> entities{};
};

}  // namespace fractalray
