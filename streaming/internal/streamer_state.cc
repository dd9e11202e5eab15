// SPDX-License-Identifier: Apache-2.0
#include "streamer_state.h"

#include <memory>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../core/units.h"
#include "../../query/internal/query_scope.h"

namespace fractalray::internal {

StreamerState::StreamerState(Window& window, ChunkSource& source, const StreamOptions& options,
                             ChunkChanges* changes)
    : window_(window),
      source_(source),
      ledger_(window, options),
      edits_(ledger_, changes),
      traffic_(ledger_, source, edits_) {
  window_.addObserver(*this);
}

StreamerState::~StreamerState() {
  window_.removeObserver(*this);
  for (StreamRecord* const record : ledger_.open())
    ledger_.giveUp(*record);
  try {
    traffic_.reportDropped();
  } catch (...) {  // as the header says
    // One by one: each holds the next, and they may be too many for the stack.
    std::shared_ptr<PendingChunk>& dropped = ledger_.dropped();
    while (dropped != nullptr)
      dropped = std::exchange(dropped->next_dropped, nullptr);
  }
}

absl::Status StreamerState::checkTick(std::span<const Vec3i> viewers) const {
  if (queryDepth() > 0) {
    return absl::FailedPreconditionError(
        "tick was called in a callback of a query; call it between queries");
  }
  if (is_ticking_) {
    return absl::FailedPreconditionError("tick was called by the source, within another tick");
  }
  for (std::size_t i = 0; i < viewers.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t at = viewers[i][axis];
      if (at >= -kMaxCoordinate && at <= kMaxCoordinate) continue;
      return absl::OutOfRangeError(
          absl::StrCat("viewer ", i, " is at ", at, " units on axis ", axis,
                       ", outside of the frame's 2^61 units; has the window moved?"));
    }
  }
  return absl::OkStatus();
}

absl::Status StreamerState::tick(std::span<const Vec3i> viewers, ParallelFor parallel_for) {
  if (absl::Status status = checkTick(viewers); !status.ok()) return status;
  ledger_.followWindow();
  const bool is_idle = ledger_.isIdle(viewers);
  ledger_.beginTick(viewers);
  traffic_.begin();
  if (is_idle) return absl::OkStatus();
  if (!is_whole_) ledger_.forgetWatches();
  is_whole_ = false;
  ledger_.endTick(false);  // unless it comes to its end
  is_ticking_ = true;
  const absl::Cleanup end = [this] { is_ticking_ = false; };
  const std::uint64_t version = window_.world().version();
  ledger_.review();
  const LevelMask reviewed = ledger_.agreeingLevels();
  traffic_.unloadOutOfReach();
  traffic_.failLateRequests();
  traffic_.evictDownTo(options().max_bytes);
  traffic_.plan();
  traffic_.reportDropped();  // before the same chunks are requested again
  traffic_.ask(parallel_for);
  traffic_.settle();
  traffic_.putProtos();
  traffic_.reportDropped();
  ledger_.acknowledgeEdits(reviewed);
  is_whole_ = true;
  ledger_.endTick(!traffic_.hasPlan() && window_.world().version() == version);
  return absl::OkStatus();
}

void StreamerState::beforeMove(const FrameMove& move) {
  ledger_.followWindow();
  // Collected first: the source may name chunks, which adds records.
  for (const auto& [level, at] : ledger_.loadedThatLeave(move)) {
    const Chunk* const chunk = window_.world().chunk(level, at);
    if (chunk != nullptr) source_.unloading(level, at, *chunk);
  }
  ledger_.expectMove(move);
}

}  // namespace fractalray::internal
