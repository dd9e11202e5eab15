// SPDX-License-Identifier: Apache-2.0
// The requests of a traffic: which chunks are asked for.
#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "stream_traffic.h"

namespace fractalray::internal {

void StreamTraffic::plan() {
  plan_.clear();
  for (const StreamRecord* const record : ledger_.named()) {
    if (record->isNamed() && ledger_.isDue(*record)) plan_.push_back(ledger_.needOf(*record));
  }
  for (int level = 0; level < ledger_.frame().levels(); ++level) {
    if (ledger_.reach().isStreamed(level)) planLevel(level);
  }
  const std::size_t most = std::min(ledger_.options().chunks_per_tick, plan_.size());
  const auto end = plan_.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(plan_.begin(), end, plan_.end());
  plan_.erase(end, plan_.end());
  std::sort(plan_.begin(), plan_.end());
  leaveOutWhatDoesNotFit();
}

void StreamTraffic::planLevel(int level) {
  ledger_.searchLevel(level);
  CellTable<bool>& missing_chunks = ledger_.missingChunks(level);
  settled_.clear();
  for (const auto& [cell, is_in] : missing_chunks) {
    const ChunkCoord chunk{cell[0], cell[1], cell[2]};
    const StreamRecord* const record = ledger_.records().find(level, chunk);
    const std::int64_t distance = ledger_.reach().distance(level, chunk);
    const bool is_nonexistent =
        record != nullptr && record->progress == StreamProgress::kNonexistent;
    if (is_nonexistent || !ledger_.reach().isToLoad(level, distance) ||
        !ledger_.missing().isMissing(level, chunk)) {
      settled_.push_back(cell);
    } else if (record == nullptr || (!record->isNamed() && ledger_.isDue(*record))) {
      plan_.push_back({.distance = distance, .level = level, .chunk = chunk});
    }
  }
  if (settled_.size() == missing_chunks.size()) {
    missing_chunks = {};
    return;
  }
  for (const Vec3i& cell : settled_)
    missing_chunks.erase(cell);
  missing_chunks.shrink();
}

void StreamTraffic::leaveOutWhatDoesNotFit() {
  const std::size_t pending = ledger_.countOf(StreamProgress::kPending);
  std::size_t slots =
      ledger_.options().max_pending - std::min(ledger_.options().max_pending, pending);
  // Counts on each chunk to be as large as the largest so far.
  std::size_t used = ledger_.bytes() + pending * largest_bytes_;
  std::size_t limit = ledger_.options().max_bytes;
  if (plan_.size() <= slots && used + plan_.size() * largest_bytes_ <= limit) return;
  listLate();
  std::size_t late = 0;
  std::size_t spares = 0;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    used += largest_bytes_;
    while (slots == 0 || used > limit) {
      if (late < late_.size() && plan_[i] < late_[late].need) {
        ++late;
        ++slots;
        used -= largest_bytes_;
        continue;
      }
      const NeededRecord* const spare = slots == 0 ? nullptr : leastNeeded(spares);
      if (spare == nullptr || spare->need < plan_[i]) {
        plan_.resize(i);
        break;
      }
      limit += spare->record->bytes;
      ++spares;
    }
    if (i < plan_.size()) --slots;
  }
  for (std::size_t i = 0; i < late; ++i)
    timeOut(*late_[i].record);
}

void StreamTraffic::listLate() {
  late_.clear();
  for (StreamRecord* const record : ledger_.open()) {
    if (record->progress == StreamProgress::kPending && record->timeouts > 0 &&
        !record->pending->isAnswered()) {
      late_.push_back({ledger_.needOf(*record), record});
    }
  }
  std::sort(late_.begin(), late_.end(),
            [](const auto& a, const auto& b) { return isNeededMore(b, a); });
}

void StreamTraffic::ask(ParallelFor parallel_for) {
  asked_.clear();
  const absl::Cleanup clear = [this] { asked_.clear(); };  // abandons what the source has not got
  asked_.reserve(plan_.size());
  ledger_.open().reserve(plan_.size());
  for (const Need& need : plan_) {
    StreamRecord* record = ledger_.records().find(need.level, need.chunk);
    auto pending = std::make_shared<PendingChunk>(ledger_.anchor(), need.level, need.chunk);
    if (record == nullptr) record = &ledger_.makeRecord(need.level, need.chunk);
    record->pending = pending;
    record->due =
        ledger_.tickIn(ledger_.options().answer_ticks, record->timeouts,
                       std::max(ledger_.options().answer_ticks, ledger_.options().max_retry_ticks));
    ledger_.setProgress(*record, StreamProgress::kPending);
    ++ledger_.totals().requested;
    asked_.push_back({record, ChunkRequest(std::move(pending))});
  }
  if (asked_.empty()) return;
  parallel_for(asked_.size(), [this](std::size_t i) {
    Asked& asked = asked_[i];
    try {
      source_.request(std::move(asked.request));
    } catch (const std::bad_alloc&) {
      asked.thrown = absl::ResourceExhaustedError("the source has run out of memory");
    } catch (const std::exception& thrown) {
      asked.thrown = absl::UnknownError(absl::StrCat("the source has thrown: ", thrown.what()));
    } catch (...) {
      asked.thrown = absl::UnknownError("the source has thrown");
    }
  });
  for (Asked& asked : asked_) {
    if (!asked.thrown.ok()) fail(*asked.record, asked.thrown);
  }
}

}  // namespace fractalray::internal
