// SPDX-License-Identifier: Apache-2.0
#include "stream_traffic.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/internal/containers/vector_capacity.h"

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
class StreamTraffic::LoadBudget {
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

void StreamTraffic::begin() noexcept {
  loaded_.clear();
  unloaded_.clear();
  is_listed_ = false;
}

void StreamTraffic::settle() {
  answered_.clear();
  for (StreamRecord* const record : ledger_.open()) {
    if (record->progress == StreamProgress::kPending && record->pending->isAnswered()) {
      answered_.push_back({ledger_.needOf(*record), record});
    }
  }
  std::sort(answered_.begin(), answered_.end(), isNeededMore);
  LoadBudget budget(ledger_.options());
  for (const NeededRecord& answered : answered_)
    take(*answered.record, budget);
}

void StreamTraffic::take(StreamRecord& record, LoadBudget& budget) {
  absl::StatusOr<Chunk>& answer = record.pending->content();
  if (absl::IsNotFound(answer.status())) {
    removeProto(record);
    record.error = answer.status();
    record.pending = nullptr;
    ledger_.setProgress(record, StreamProgress::kNonexistent);
    ++ledger_.totals().nonexistent;
  } else if (!answer.ok()) {
    fail(record, answer.status().message().empty() && absl::IsUnavailable(answer.status())
                     ? absl::UnavailableError("the source has dropped the request unanswered")
                     : answer.status());
  } else if (!budget.isSpent()) {
    load(record, *answer, budget);
  }
}

void StreamTraffic::load(StreamRecord& record, const Chunk& supplied, LoadBudget& budget) {
  absl::StatusOr<ChangedChunk> changed = edits_.withChanges(record, supplied);
  if (!changed.ok()) return fail(record, changed.status());
  const auto [level, at] = record.at();
  const std::size_t bytes = changed->chunk.bytesWithCopy();
  if (!budget.take(bytes)) return;
  const std::size_t space = level == 0 ? bytes : bytes + kParentBytes;
  largest_bytes_ = std::max(largest_bytes_, space);
  if (!makeSpace(space, ledger_.needOf(record))) {
    return fail(record,
                absl::ResourceExhaustedError(absl::StrCat(
                    "it has ", bytes, " bytes, for which there is no space: max_bytes is ",
                    ledger_.options().max_bytes, ", and all loaded chunks are needed more")));
  }
  ensureCapacity(loaded_, loaded_.size() + 1);
  const std::vector<ChunkOfLevel> barren = edits_.barrenIn({level, at}, *changed);
  // The answer stays whole if memory runs out: a copy shares its ids.
  const absl::Status status = ledger_.world().loadChunk(level, at, std::move(changed->chunk));
  if (!status.ok()) return fail(record, status);
  loaded_.push_back({level, at});
  record.originals = std::move(changed->originals);
  record.bytes = 0;
  ledger_.countBytes(record);
  ledger_.countBytesAround({level, at});
  record.pending = nullptr;
  record.failures = 0;
  record.timeouts = 0;
  record.error = absl::OkStatus();
  ledger_.setProgress(record, StreamProgress::kLoaded);
  ++ledger_.totals().loaded;
  edits_.markIn(barren);
  ledger_.addMissingIn({level, at});
}

void StreamTraffic::fail(StreamRecord& record, const absl::Status& error) {
  const std::string message =
      absl::StrCat(nameOf(record.at()), " could not be loaded (failure ", record.failures + 1,
                   "): ", std::string(error.message()));
  record.error = absl::Status(error.code(), message);
  ledger_.giveUp(record);
  ++record.failures;
  record.due = ledger_.tickIn(ledger_.options().retry_ticks, record.failures - 1,
                              ledger_.options().max_retry_ticks);
  ledger_.setProgress(record, StreamProgress::kFailed);
  ++ledger_.totals().failed;
}

void StreamTraffic::reportDropped() {
  std::shared_ptr<PendingChunk>& dropped = ledger_.dropped();
  while (dropped != nullptr) {
    const ChunkPath path = dropped->path();
    // Taken off first: the source may name chunks, which may drop more.
    dropped = std::exchange(dropped->next_dropped, nullptr);
    source_.dropped(path);
  }
}

void StreamTraffic::putProtos() {
  World& world = ledger_.world();
  for (const StreamRecord* const record : ledger_.open()) {
    const auto [level, at] = record->at();
    if (world.chunkState(level, at) != ChunkState::kAbsent) continue;
    world.placeProtoChunk(level, at).IgnoreError();  // it is in the frame, and not loaded
  }
}

void StreamTraffic::removeProto(const StreamRecord& record) {
  World& world = ledger_.world();
  const auto [level, at] = record.at();
  if (world.chunkState(level, at) != ChunkState::kProto) return;
  world.unloadChunk(level, at).IgnoreError();  // it is there
}

void StreamTraffic::failLateRequests() {
  for (StreamRecord* const record : ledger_.open()) {
    if (record->progress != StreamProgress::kPending || record->pending->isAnswered()) continue;
    if (ledger_.now() < record->due) continue;
    timeOut(*record);
  }
}

void StreamTraffic::timeOut(StreamRecord& record) {
  fail(record, absl::DeadlineExceededError("the source has not answered in time"));
  ++record.timeouts;
  ++ledger_.totals().timed_out;
}

void StreamTraffic::forget(StreamRecord& record) {
  const auto [level, at] = record.at();
  const bool is_gone = record.progress == StreamProgress::kLoaded;
  if (is_gone && record.isNamed() &&
      ledger_.missing().coarsest({level, at}) == ChunkOfLevel{level, at}) {
    return ledger_.nameAgain(record);
  }
  if (record.pending != nullptr) ++ledger_.totals().cancelled;
  if (!is_gone) removeProto(record);
  // It is missing again if it is still near.
  if (record.progress == StreamProgress::kNonexistent) ledger_.addMissing(level, at);
  ledger_.eraseRecord(record);
}

}  // namespace fractalray::internal
