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
  const auto loaded = std::partition(leaving_.begin(), leaving_.end(), [&](StreamRecord* record) {
    return record->progress != StreamProgress::kLoaded || isVoid(*record);
  });
  std::for_each(leaving_.begin(), loaded, [this](StreamRecord* record) { forget(*record); });
  std::sort(loaded, leaving_.end(), [](auto* a, auto* b) { return isNeededMore(b, a); });
  const auto count = std::min<std::size_t>(options_.chunks_per_tick,
                                           static_cast<std::size_t>(leaving_.end() - loaded));
  for (auto it = loaded; it != loaded + static_cast<std::ptrdiff_t>(count); ++it) {
    unload(**it);
    ++totals_.unloaded;
  }
  // Those that have to wait for a later tick may be evicted.
  by_need_.insert(by_need_.end(), loaded + static_cast<std::ptrdiff_t>(count), leaving_.end());
}

void StreamerState::unload(StreamRecord& record) {
  World& world = window_.world();
  const auto [level, chunk] = ChunkOfLevel{record.need.level, record.need.chunk};
  ensureCapacity(unloaded_, unloaded_.size() + 1);
  source_.unloading(level, chunk, *world.chunk(level, chunk));
  world.unloadChunk(level, chunk).IgnoreError();  // it is there
  unloaded_.push_back({level, chunk});
  eraseRecord(record);
}

void StreamerState::sortLoaded() {
  if (is_sorted_) return;
  std::sort(by_need_.begin(), by_need_.end(), isNeededMore);
  is_sorted_ = true;
}

void StreamerState::evictDownTo(std::size_t bytes) {
  if (bytes_ <= bytes) return;
  sortLoaded();
  while (bytes_ > bytes && !by_need_.empty()) {
    unload(*by_need_.back());
    by_need_.pop_back();
    ++totals_.evicted;
  }
}

bool StreamerState::makeSpace(std::size_t bytes, const Need& need) {
  if (bytes_ + bytes <= options_.max_bytes) return true;
  sortLoaded();
  std::size_t freed = 0;
  for (auto it = by_need_.rbegin(); it != by_need_.rend() && (*it)->need > need; ++it) {
    freed += (*it)->bytes;
    if (bytes_ + bytes > options_.max_bytes + freed) continue;
    evictDownTo(options_.max_bytes - bytes);
    return true;
  }
  return false;
}

}  // namespace fractalray::internal
