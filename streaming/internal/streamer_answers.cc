// SPDX-License-Identifier: Apache-2.0
// The answers of a source: they are loaded, or have failed and are requested again.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/internal/containers/vector_capacity.h"
#include "streamer_state.h"

namespace fractalray::internal {
namespace {

// At least what a chunk grows by with a finer chunk in it, whose block it notes.
constexpr std::size_t kParentBytes = 64;

std::string nameOf(const ChunkOfLevel& at) {
  return absl::StrCat("chunk [", at.chunk[0], ", ", at.chunk[1], ", ", at.chunk[2], "] of level ",
                      at.level);
}

}  // namespace

// The chunks and bytes that a tick may still load. Once a chunk does not fit, none is loaded: later
// ones are needed less.
class StreamerState::LoadBudget {
 public:
  explicit LoadBudget(const StreamOptions& options)
      : chunks_(options.chunks_per_tick), bytes_(options.bytes_per_tick) {}

  bool isSpent() const { return is_closed_ || chunks_ == 0; }
  bool take(std::size_t bytes) {
    is_closed_ = isSpent() || (!is_first_ && bytes > bytes_);
    if (is_closed_) return false;
    is_first_ = false;
    --chunks_;
    bytes_ -= std::min(bytes, bytes_);
    return true;
  }

 private:
  std::size_t chunks_;
  std::size_t bytes_;
  bool is_first_ = true;
  bool is_closed_ = false;
};

void StreamerState::settle() {
  answered_.clear();
  for (StreamRecord* const record : open_) {
    if (record->progress == StreamProgress::kPending && record->pending->isAnswered()) {
      answered_.push_back({needOf(*record), record});
    }
  }
  std::sort(answered_.begin(), answered_.end(), isNeededMore);
  LoadBudget budget(options_);
  for (const NeededRecord& answered : answered_)
    take(*answered.record, budget);
}

void StreamerState::take(StreamRecord& record, LoadBudget& budget) {
  absl::StatusOr<Chunk>& answer = record.pending->content();
  if (absl::IsNotFound(answer.status())) {
    removeProto(record);
    record.error = answer.status();
    record.pending = nullptr;
    setProgress(record, StreamProgress::kNonexistent);
    ++totals_.nonexistent;
  } else if (!answer.ok()) {
    fail(record, answer.status().message().empty() && absl::IsUnavailable(answer.status())
                     ? absl::UnavailableError("the source has dropped the request unanswered")
                     : answer.status());
  } else if (!budget.isSpent()) {
    load(record, *answer, budget);
  }
}

void StreamerState::load(StreamRecord& record, const Chunk& supplied, LoadBudget& budget) {
  absl::StatusOr<ChangedChunk> changed = withChanges(record, supplied);
  if (!changed.ok()) return fail(record, changed.status());
  const auto [level, at] = record.at();
  const std::size_t bytes = changed->chunk.bytesWithCopy();
  if (!budget.take(bytes)) return;
  const std::size_t space = level == 0 ? bytes : bytes + kParentBytes;
  largest_bytes_ = std::max(largest_bytes_, space);
  if (!makeSpace(space, needOf(record))) {
    return fail(record, absl::ResourceExhaustedError(absl::StrCat(
                            "it has ", bytes, " bytes, for which there is no space: max_bytes is ",
                            options_.max_bytes, ", and all loaded chunks are needed more")));
  }
  ensureCapacity(loaded_, loaded_.size() + 1);
  const std::vector<ChunkOfLevel> barren = barrenIn({level, at}, *changed);
  // The answer stays whole if memory runs out: a copy shares its ids.
  const absl::Status status = window_.world().loadChunk(level, at, std::move(changed->chunk));
  if (!status.ok()) return fail(record, status);
  loaded_.push_back({level, at});
  record.originals = std::move(changed->originals);
  record.bytes = 0;
  countBytes(record);
  countBytesAround({level, at});
  record.pending = nullptr;
  record.failures = 0;
  record.timeouts = 0;
  record.error = absl::OkStatus();
  setProgress(record, StreamProgress::kLoaded);
  ++totals_.loaded;
  markIn(barren);
  addMissingIn({level, at});
}

void StreamerState::fail(StreamRecord& record, const absl::Status& error) {
  const std::string message =
      absl::StrCat(nameOf(record.at()), " could not be loaded (failure ", record.failures + 1,
                   "): ", std::string(error.message()));
  record.error = absl::Status(error.code(), message);
  giveUp(record);
  ++record.failures;
  record.due = tickIn(options_.retry_ticks, record.failures - 1, options_.max_retry_ticks);
  setProgress(record, StreamProgress::kFailed);
  ++totals_.failed;
}

void StreamerState::giveUp(StreamRecord& record) noexcept {
  std::shared_ptr<PendingChunk> pending = std::move(record.pending);
  record.pending = nullptr;
  if (pending == nullptr || !pending->cancel()) return;
  pending->next_dropped = std::move(dropped_);
  dropped_ = std::move(pending);
}

void StreamerState::reportDropped() {
  while (dropped_ != nullptr) {
    const ChunkPath path = dropped_->path();
    // Taken off first: the source may name chunks, which may drop more.
    dropped_ = std::exchange(dropped_->next_dropped, nullptr);
    source_.dropped(path);
  }
}

void StreamerState::putProtos() {
  World& world = window_.world();
  for (const StreamRecord* const record : open_) {
    const auto [level, at] = record->at();
    if (world.chunkState(level, at) != ChunkState::kAbsent) continue;
    world.placeProtoChunk(level, at).IgnoreError();  // it is in the frame, and not loaded
  }
}

void StreamerState::removeProto(const StreamRecord& record) {
  World& world = window_.world();
  const auto [level, at] = record.at();
  if (world.chunkState(level, at) != ChunkState::kProto) return;
  world.unloadChunk(level, at).IgnoreError();  // it is there
}

}  // namespace fractalray::internal
