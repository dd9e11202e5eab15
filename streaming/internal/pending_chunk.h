// SPDX-License-Identifier: Apache-2.0
// The answer to a request for a chunk, on its way from a thread of the source to the streamer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"

#include "../../core/check.h"
#include "../../core/vec.h"
#include "../../levels/chunk.h"
#include "../../levels/chunk_path.h"

namespace fractalray::internal {

// Shared by the request that the source holds and the record of the streamer. One thread answers
// while another takes or cancels, without locks: the content belongs to the source until the state
// is kAnswered, and to the streamer from then on.
class PendingChunk {
 public:
  PendingChunk(std::shared_ptr<const ChunkPath> anchor, int level, const ChunkCoord& chunk)
      : anchor_(std::move(anchor)), level_(level), chunk_(chunk) {}

  // Returns the chunk's path. Requires: it has one.
  ChunkPath path() const {
    absl::StatusOr<ChunkPath> path = anchor_->inFrame(chunk_, level_);
    FRACTALRAY_CHECK_OK(path);
    return *std::move(path);
  }

  bool isWanted() const { return state_.load(std::memory_order_acquire) == State::kRequested; }
  bool isAnswered() const { return state_.load(std::memory_order_acquire) == State::kAnswered; }

  // The source's side: returns false, and drops the content, if it is no longer wanted. Requires:
  // called once.
  bool answer(absl::StatusOr<Chunk> content) noexcept {
    FRACTALRAY_DCHECK(!isAnswered(), level_, chunk_[0], chunk_[1], chunk_[2]);
    content_ = std::move(content);
    State expected = State::kRequested;
    return state_.compare_exchange_strong(expected, State::kAnswered, std::memory_order_acq_rel);
  }

  // The streamer's side.
  // Returns true if a chunk has been accepted, which is then dropped.
  bool cancel() noexcept {
    const State before = state_.exchange(State::kCancelled, std::memory_order_acq_rel);
    return before == State::kAnswered && content_.ok();
  }
  // Returns the answer, which stays here. Requires: isAnswered().
  absl::StatusOr<Chunk>& content() {
    FRACTALRAY_DCHECK(isAnswered(), level_, chunk_[0], chunk_[1], chunk_[2]);
    return content_;
  }

  // The next one in the streamer's list of dropped chunks.
  std::shared_ptr<PendingChunk> next_dropped;

 private:
  enum class State : std::uint8_t { kRequested, kAnswered, kCancelled };

  std::shared_ptr<const ChunkPath> anchor_;  // of the window when the chunk was requested
  int level_;
  ChunkCoord chunk_;
  std::atomic<State> state_{State::kRequested};
  absl::StatusOr<Chunk> content_;
};

}  // namespace fractalray::internal
