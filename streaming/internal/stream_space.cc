// SPDX-License-Identifier: Apache-2.0
// The space of a traffic: chunks are unloaded if they are out of reach, or for others that are
// needed more.
#include <algorithm>
#include <cstddef>

#include "../../core/internal/containers/vector_capacity.h"
#include "stream_traffic.h"

namespace fractalray::internal {

void StreamTraffic::unloadOutOfReach() {
  // Void records and those without a chunk first; then the chunks that are needed least.
  unloading_.clear();
  unloading_.reserve(ledger_.leaving().size());
  for (StreamRecord* const record : ledger_.leaving()) {
    if (record->progress == StreamProgress::kLoaded && !ledger_.isVoid(*record)) {
      unloading_.push_back({ledger_.needOf(*record), record});
    } else {
      forget(*record);
    }
  }
  const std::size_t count = std::min(ledger_.options().chunks_per_tick, unloading_.size());
  std::partial_sort(unloading_.begin(), unloading_.begin() + static_cast<std::ptrdiff_t>(count),
                    unloading_.end(),
                    [](const auto& a, const auto& b) { return isNeededMore(b, a); });
  for (std::size_t i = 0; i < count; ++i) {
    unload(*unloading_[i].record);
    ++ledger_.totals().unloaded;
  }
}

void StreamTraffic::unload(StreamRecord& record) {
  World& world = ledger_.world();
  const auto [level, chunk] = record.at();
  ensureCapacity(unloaded_, unloaded_.size() + 1);
  source_.unloading(level, chunk, *world.chunk(level, chunk));
  world.unloadChunk(level, chunk).IgnoreError();  // it is there
  unloaded_.push_back({level, chunk});
  ledger_.eraseRecord(record);
  ledger_.countBytesAround({level, chunk});
}

const NeededRecord* StreamTraffic::leastNeeded(std::size_t index) {
  if (!is_listed_) {
    loaded_records_.clear();
    ledger_.records().forEach([this](const ChunkCoord& /*chunk*/, StreamRecord& record) {
      if (record.progress == StreamProgress::kLoaded) {
        loaded_records_.push_back({ledger_.needOf(record), &record});
      }
    });
    std::make_heap(loaded_records_.begin(), loaded_records_.end(), isNeededMore);
    sorted_ = 0;
    is_listed_ = true;
  }
  if (index >= loaded_records_.size()) return nullptr;
  for (; sorted_ <= index; ++sorted_) {
    std::pop_heap(loaded_records_.begin(),
                  loaded_records_.end() - static_cast<std::ptrdiff_t>(sorted_), isNeededMore);
  }
  return &loaded_records_[loaded_records_.size() - 1 - index];
}

void StreamTraffic::evictDownTo(std::size_t bytes) {
  while (ledger_.bytes() > bytes) {
    const NeededRecord* const least = leastNeeded(0);
    if (least == nullptr) return;
    ledger_.addMissing(least->need.level, least->need.chunk);
    unload(*least->record);
    loaded_records_.pop_back();
    --sorted_;
    ++ledger_.totals().evicted;
  }
}

bool StreamTraffic::makeSpace(std::size_t bytes, const Need& need) {
  if (ledger_.bytes() + bytes <= ledger_.options().max_bytes) return true;
  std::size_t freed = 0;
  for (std::size_t i = 0;; ++i) {
    const NeededRecord* const spare = leastNeeded(i);
    if (spare == nullptr || spare->need < need) return false;
    freed += spare->record->bytes;
    if (ledger_.bytes() + bytes > ledger_.options().max_bytes + freed) continue;
    evictDownTo(ledger_.options().max_bytes - bytes);
    return true;
  }
}

}  // namespace fractalray::internal
