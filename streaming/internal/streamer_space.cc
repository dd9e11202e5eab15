// SPDX-License-Identifier: Apache-2.0
// The space of a streamer: chunks are unloaded if they are out of reach, or for others that are
// needed more.
#include <algorithm>
#include <cstddef>

#include "../../core/internal/containers/vector_capacity.h"
#include "streamer_state.h"

namespace fractalray::internal {

void StreamerState::unloadOutOfReach() {
  // Void records and those without a chunk first; then the chunks that are needed least.
  unloading_.clear();
  unloading_.reserve(leaving_.size());
  for (StreamRecord* const record : leaving_) {
    if (record->progress == StreamProgress::kLoaded && !isVoid(*record)) {
      unloading_.push_back({needOf(*record), record});
    } else {
      forget(*record);
    }
  }
  const std::size_t count = std::min(options_.chunks_per_tick, unloading_.size());
  std::partial_sort(unloading_.begin(), unloading_.begin() + static_cast<std::ptrdiff_t>(count),
                    unloading_.end(),
                    [](const auto& a, const auto& b) { return isNeededMore(b, a); });
  for (std::size_t i = 0; i < count; ++i) {
    unload(*unloading_[i].record);
    ++totals_.unloaded;
  }
}

void StreamerState::unload(StreamRecord& record) {
  World& world = window_.world();
  const auto [level, chunk] = record.at();
  ensureCapacity(unloaded_, unloaded_.size() + 1);
  source_.unloading(level, chunk, *world.chunk(level, chunk));
  world.unloadChunk(level, chunk).IgnoreError();  // it is there
  unloaded_.push_back({level, chunk});
  eraseRecord(record);
  countBytesAround({level, chunk});
}

const NeededRecord* StreamerState::leastNeeded(std::size_t index) {
  if (!is_listed_) {
    loaded_records_.clear();
    records_.forEach([this](const ChunkCoord& /*chunk*/, StreamRecord& record) {
      if (record.progress == StreamProgress::kLoaded) {
        loaded_records_.push_back({needOf(record), &record});
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

void StreamerState::evictDownTo(std::size_t bytes) {
  while (bytes_ > bytes) {
    const NeededRecord* const least = leastNeeded(0);
    if (least == nullptr) return;
    addMissing(least->need.level, least->need.chunk);
    unload(*least->record);
    loaded_records_.pop_back();
    --sorted_;
    ++totals_.evicted;
  }
}

bool StreamerState::makeSpace(std::size_t bytes, const Need& need) {
  if (bytes_ + bytes <= options_.max_bytes) return true;
  std::size_t freed = 0;
  for (std::size_t i = 0;; ++i) {
    const NeededRecord* const spare = leastNeeded(i);
    if (spare == nullptr || spare->need < need) return false;
    freed += spare->record->bytes;
    if (bytes_ + bytes > options_.max_bytes + freed) continue;
    evictDownTo(options_.max_bytes - bytes);
    return true;
  }
}

}  // namespace fractalray::internal
