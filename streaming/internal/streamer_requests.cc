// SPDX-License-Identifier: Apache-2.0
// The requests of a streamer: which chunks are asked for, and those that want() names.
#include <algorithm>
#include <bit>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../query/line_chunks.h"
#include "streamer_state.h"

namespace fractalray::internal {

void StreamerState::plan() {
  plan_.clear();
  for (const StreamRecord* const record : named_) {
    if (isDue(*record)) plan_.push_back(needOf(*record));
  }
  for (int level = 0; level < frame().levels(); ++level) {
    if (reach_.isStreamed(level)) planLevel(level);
  }
  const std::size_t most = std::min(options_.chunks_per_tick, plan_.size());
  const auto end = plan_.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(plan_.begin(), end, plan_.end());
  plan_.erase(end, plan_.end());
  std::sort(plan_.begin(), plan_.end());
  leaveOutWhatDoesNotFit();
}

void StreamerState::planLevel(int level) {
  searchLevel(level);
  CellTable<bool>& missing_chunks = watchOf(level).missing;
  settled_.clear();
  for (const auto& [cell, is_in] : missing_chunks) {
    const ChunkCoord chunk{cell[0], cell[1], cell[2]};
    const StreamRecord* const record = records_.find(level, chunk);
    const std::int64_t distance = reach_.distance(level, chunk);
    const bool is_nonexistent =
        record != nullptr && record->progress == StreamProgress::kNonexistent;
    if (is_nonexistent || !reach_.isToLoad(level, distance) || !missing().isMissing(level, chunk)) {
      settled_.push_back(cell);
    } else if (record == nullptr || (!record->isNamed() && isDue(*record))) {
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

void StreamerState::searchLevel(int level) {
  LevelWatch& watch = watchOf(level);
  if (watch.is_searched) return;
  watch.missing = {};
  watch.is_searched = true;
  missing().aroundViewers(level, [&](const ChunkCoord& chunk) { addMissing(level, chunk); });
}

void StreamerState::addMissing(int level, const ChunkCoord& chunk) {
  if (!reach_.isStreamed(level) || !watchOf(level).is_searched) return;
  CellTable<bool>& missing_chunks = watchOf(level).missing;
  const Vec3i cell{chunk[0], chunk[1], chunk[2]};
  missing_chunks.reserve();
  if (missing_chunks.find(cell) == nullptr) missing_chunks.insert(cell, true);
}

void StreamerState::addMissingIn(const ChunkOfLevel& parent) {
  const int level = parent.level + 1;
  if (!frame().isActive(level) || !reach_.isStreamed(level) || !watchOf(level).is_searched) return;
  missing().inBlocksOf(parent, [&](const ChunkCoord& chunk) { addMissing(level, chunk); });
}

void StreamerState::leaveOutWhatDoesNotFit() {
  const std::size_t pending = countOf(StreamProgress::kPending);
  std::size_t slots = options_.max_pending - std::min(options_.max_pending, pending);
  // Counts on each chunk to be as large as the largest so far.
  std::size_t used = bytes_ + pending * largest_bytes_;
  std::size_t limit = options_.max_bytes;
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

void StreamerState::listLate() {
  late_.clear();
  for (StreamRecord* const record : open_) {
    if (record->progress == StreamProgress::kPending && record->timeouts > 0 &&
        !record->pending->isAnswered()) {
      late_.push_back({needOf(*record), record});
    }
  }
  std::sort(late_.begin(), late_.end(),
            [](const auto& a, const auto& b) { return isNeededMore(b, a); });
}

void StreamerState::ask(ParallelFor parallel_for) {
  asked_.clear();
  const absl::Cleanup clear = [this] { asked_.clear(); };  // abandons what the source has not got
  asked_.reserve(plan_.size());
  open_.reserve(plan_.size());
  for (const Need& need : plan_) {
    StreamRecord* record = records_.find(need.level, need.chunk);
    auto pending = std::make_shared<PendingChunk>(anchor_.anchor(), need.level, need.chunk);
    if (record == nullptr) record = &makeRecord(need.level, need.chunk);
    record->pending = pending;
    record->due = tickIn(options_.answer_ticks, record->timeouts,
                         std::max(options_.answer_ticks, options_.max_retry_ticks));
    setProgress(*record, StreamProgress::kPending);
    ++totals_.requested;
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

bool StreamerState::name(const ChunkOfLevel& chunk) {
  named_.reserve();
  StreamRecord* record = records_.find(chunk.level, chunk.chunk);
  if (record == nullptr) {
    record = &makeRecord(chunk.level, chunk.chunk);
  } else if (record->progress == StreamProgress::kNonexistent) {
    return false;
  }
  named_.add(*record);
  if (!record->isNamed()) record->order = next_order_++;
  record->wanted_until = tickIn(options_.want_ticks);
  named_until_ = std::max(named_until_, record->wanted_until);
  return true;
}

void StreamerState::keepLoaded(const ChunkOfLevel& chunk) {
  const auto& [level, at] = chunk;
  const StreamRecord* const record = records_.find(level, at);
  if (record == nullptr || record->progress != StreamProgress::kLoaded) return;
  // The order of need of what viewers are near stays that of distance.
  const bool is_near = reach_.isToLoad(level, reach_.distance(level, at));
  if (reach_.isStreamed(level) && (record->isNamed() || !is_near)) name(chunk);
}

void StreamerState::keepLoadedAround(const ChunkOfLevel& chunk) {
  if (chunk.level > 0) keepLoadedAround({chunk.level - 1, chunkOf(parentBlock(chunk.chunk))});
  keepLoaded(chunk);
}

absl::StatusOr<std::vector<ChunkOfLevel>> StreamerState::want(const FixedSegment& segment,
                                                              LevelMask levels, std::size_t limit) {
  if (limit == 0) {
    return absl::InvalidArgumentError("the limit is 0; it must be at least 1 chunk");
  }
  followWindow();
  auto chunks = missing().onLine(segment, levels, limit, [this](const ChunkOfLevel& chunk) {
    const StreamRecord* const record = records_.find(chunk.level, chunk.chunk);
    return record != nullptr && record->progress == StreamProgress::kNonexistent;
  });
  if (!chunks.ok()) return chunks.status();
  const int levels_down = static_cast<int>(std::bit_width(levels.activeIn(frame()).bits()));
  for (int level = 0; level < levels_down; ++level) {
    const auto loaded = chunksOn(window_.world(), segment, LevelMask{level}, {.loaded_only = true});
    for (const LineChunk& on_line : *loaded)
      keepLoaded({level, on_line.chunk});
  }
  for (const ChunkOfLevel& chunk : *chunks)
    name(chunk);
  return chunks;
}

absl::StatusOr<std::size_t> StreamerState::want(std::span<const ChunkOfLevel> chunks) {
  for (const ChunkOfLevel& chunk : chunks) {
    if (frame().isActive(chunk.level)) continue;
    return absl::InvalidArgumentError(absl::StrCat("level ", chunk.level,
                                                   " is not active; this world has levels 0 to ",
                                                   frame().levels() - 1));
  }
  followWindow();
  std::size_t named = 0;
  for (const ChunkOfLevel& chunk : chunks) {
    keepLoadedAround(chunk);
    const auto missing_chunk = missing().coarsest(chunk);
    if (missing_chunk.has_value() && name(*missing_chunk)) ++named;
  }
  return named;
}

}  // namespace fractalray::internal
