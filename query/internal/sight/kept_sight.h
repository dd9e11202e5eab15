// SPDX-License-Identifier: Apache-2.0
// The content of a SightHistory: the answers of the last call, and those of the call in progress,
// which replace them when it succeeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../../core/fixed_box.h"
#include "../../../core/level_mask.h"
#include "../../../core/vec.h"
#include "../../sight_history.h"
#include "../../sight_table.h"
#include "../service_state.h"
#include "kept_proof.h"

namespace fractalray::internal {

// An answer for an eye and a box. 12 bytes.
struct KeptPair {
  static constexpr std::uint8_t kNoProof = 255;

  std::uint32_t eye = 0;    // its number among those of the viewer
  std::uint32_t first = 0;  // of its proof in KeptRun::parts
  std::uint16_t box = 0;    // its number in the run
  std::uint8_t parts = kNoProof;
  Sight sight = Sight::kUndecided;

  bool hasProof() const { return parts != kNoProof; }
};
static_assert(sizeof(KeptPair) == 12);

// The answers for a viewer and a run of boxes.
struct KeptRun {
  std::vector<KeptPair> pairs;  // by box
  // For a hidden box its certificate. For a visible one a single part, whose `first` is the point
  // of the box that its witness leads to, from the box's min.
  std::vector<ProofPart> parts;

  void begin() {
    pairs.clear();
    parts.clear();
  }
  std::span<const ProofPart> proofOf(const KeptPair& pair) const {
    return std::span(parts).subspan(pair.first, pair.hasProof() ? pair.parts : 0);
  }
};

// All that an answer depends on, but for its eye and box.
struct KeptScene {
  // Sets it to the scene of a call. May throw std::bad_alloc.
  void set(const ServiceState& state, LevelMask levels_asked, const SightOptions& options_asked);
  // Returns true if the blocks that occlude are the same; and if all occluders, and what the
  // options say of them. False if that cannot be known, as with functions.
  bool hasSameBlocks(const KeptScene& other) const;
  bool isSame(const KeptScene& other) const;

  std::uint64_t service = 0;  // ServiceState::number
  int frame_levels = 0;
  SceneVersion version;
  LevelMask levels;
  SightOptions options;  // without functions and without views
  bool has_block_filter = false;
  bool has_entity_filter = false;
  std::vector<FixedBox> occluders;
  std::vector<EntityId> ignored;
};

// A call's viewers, boxes, scene and answers.
struct KeptCall {
  // Sets all but the answers. May throw std::bad_alloc.
  void set(const ServiceState& state, std::span<const SightViewer> viewers,
           std::span<const FixedBox> boxes_asked, LevelMask levels, const SightOptions& options);

  // Returns the run of answers; null if there is none.
  const KeptRun* run(std::size_t viewer, std::size_t column) const {
    const bool is_kept = viewer + 1 < eyes_begin.size() && column < columns;
    return is_kept ? &runs[viewer * columns + column] : nullptr;
  }
  bool hasEye(std::size_t viewer, std::size_t eye, const Vec3i& at) const {
    return viewer + 1 < eyes_begin.size() && eye < eyes_begin[viewer + 1] - eyes_begin[viewer] &&
           eyes[eyes_begin[viewer] + eye] == at;
  }
  bool hasBox(std::size_t box, const FixedBox& at) const {
    return box < boxes.size() && boxes[box] == at;
  }

  KeptScene scene;
  std::vector<Vec3i> eyes;  // viewer after viewer
  std::vector<std::size_t> eyes_begin;
  std::vector<FixedBox> boxes;
  std::size_t columns = 0;  // runs of a viewer
  std::vector<KeptRun> runs;
};

class KeptSight {
 public:
  // The boxes of a run: a task of threads, so that a single viewer has many.
  static constexpr std::size_t kBoxesInRun = 512;

  // Returns what a history keeps, made if it is new. May throw std::bad_alloc.
  static KeptSight& of(SightHistory& history);
  static bool isInUse(const SightHistory& history) {
    return history.kept_ != nullptr && history.kept_->is_in_use;
  }

  // Replaces the answers of the last call by those of the one in progress. Does not throw.
  void commit() { std::swap(last, next); }
  std::size_t size() const;

  KeptCall last;
  KeptCall next;
  bool is_in_use = false;
};

}  // namespace fractalray::internal
