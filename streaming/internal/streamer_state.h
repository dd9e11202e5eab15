// SPDX-License-Identifier: Apache-2.0
// The work of a ChunkStreamer, whose header has the rules: its ledger, its traffic and its edits,
// and the tick that brings them together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/level_mask.h"
#include "../../core/parallel_for.h"
#include "../../core/segment.h"
#include "../../core/vec.h"
#include "../../query/window.h"
#include "../chunk_changes.h"
#include "../chunk_source.h"
#include "../stream_options.h"
#include "stream_edits.h"
#include "stream_ledger.h"
#include "stream_traffic.h"

namespace fractalray::internal {

// Has the thread safety, and the guarantees if memory runs out, of ChunkStreamer.
class StreamerState final : private WindowObserver {
 public:
  // Requires: valid options. `changes` may be null.
  StreamerState(Window& window, ChunkSource& source, const StreamOptions& options,
                ChunkChanges* changes);
  ~StreamerState() override;
  StreamerState(const StreamerState&) = delete;
  StreamerState& operator=(const StreamerState&) = delete;

  const Frame& frame() const { return ledger_.frame(); }
  const StreamOptions& options() const { return ledger_.options(); }
  // Requires: valid options.
  void setOptions(const StreamOptions& options) { ledger_.setOptions(options); }

  absl::Status tick(std::span<const Vec3i> viewers, ParallelFor parallel_for);
  absl::StatusOr<std::vector<ChunkOfLevel>> want(const FixedSegment& segment, LevelMask levels,
                                                 std::size_t limit) {
    return ledger_.want(segment, levels, limit);
  }
  absl::StatusOr<std::size_t> want(std::span<const ChunkOfLevel> chunks) {
    return ledger_.want(chunks);
  }

  absl::Status setBlocks(std::span<const BlockChange> changes) {
    return edits_.setBlocks(changes, is_ticking_);
  }
  absl::StatusOr<BlockChange> changeOf(int level, const BlockCoord& block,
                                       std::optional<BlockTypeId> type,
                                       std::optional<std::int64_t> reverts_at) const {
    return edits_.changeOf(level, block, type, reverts_at);
  }
  absl::StatusOr<std::size_t> revertChanges(std::int64_t now, std::size_t limit) {
    return edits_.revertChanges(now, limit, is_ticking_);
  }

  absl::Status error(int level, const ChunkCoord& chunk) { return ledger_.error(level, chunk); }
  std::span<const ChunkOfLevel> loaded() const { return traffic_.loaded(); }
  std::span<const ChunkOfLevel> unloaded() const { return traffic_.unloaded(); }
  StreamStats stats() const { return ledger_.stats(); }

 private:
  // Calls ChunkSource::unloading for the chunks that a move of the window drops.
  void beforeMove(const FrameMove& move) override;
  absl::Status checkTick(std::span<const Vec3i> viewers) const;

  Window& window_;
  ChunkSource& source_;
  StreamLedger ledger_;
  StreamEdits edits_;
  StreamTraffic traffic_;
  bool is_ticking_ = false;
  bool is_whole_ = false;  // the last tick has ended, and not by an exception
};

}  // namespace fractalray::internal
