// SPDX-License-Identifier: Apache-2.0
// The requests of a streamer: which chunks are asked for, and those that want() names.
#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "streamer_state.h"

namespace fractalray::internal {

void StreamerState::plan() {
  plan_.clear();
  const std::size_t pending = countOf(StreamProgress::kPending);
  const std::size_t most = std::min(options_.chunks_per_tick,
                                    options_.max_pending - std::min(options_.max_pending, pending));
  const auto is_due = [this](const StreamRecord& record) {
    return record.progress == StreamProgress::kNamed ||
           (record.progress == StreamProgress::kFailed && record.due <= now_);
  };
  records_.forEach([&](const StreamRecord& record) {
    if (record.isNamed() && is_due(record)) plan_.push_back(record.need);
  });
  missing().aroundViewers([&](int level, const ChunkCoord& chunk, std::int64_t distance) {
    const StreamRecord* const record = records_.find(level, chunk);
    if (record != nullptr && (record->isNamed() || !is_due(*record))) return;
    plan_.push_back({.distance = distance, .level = level, .chunk = chunk});
  });
  const auto end = plan_.begin() + static_cast<std::ptrdiff_t>(std::min(most, plan_.size()));
  std::nth_element(plan_.begin(), end, plan_.end());
  plan_.erase(end, plan_.end());
  std::sort(plan_.begin(), plan_.end());
  leaveOutWhatDoesNotFit();
}

void StreamerState::leaveOutWhatDoesNotFit() {
  // Counts on each chunk to be as large as the largest so far.
  const std::size_t reserved = bytes_ + countOf(StreamProgress::kPending) * largest_bytes_;
  if (reserved + plan_.size() * largest_bytes_ <= options_.max_bytes) return;
  sortLoaded();
  std::size_t limit = options_.max_bytes;
  std::size_t used = reserved;
  auto spare = by_need_.rbegin();
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    used += largest_bytes_;
    for (; used > limit && spare != by_need_.rend() && (*spare)->need > plan_[i]; ++spare)
      limit += (*spare)->bytes;
    if (used > limit) return plan_.resize(i);
  }
}

void StreamerState::ask(ParallelFor parallel_for) {
  asked_.clear();
  const absl::Cleanup clear = [this] { asked_.clear(); };  // abandons what the source has not got
  asked_.reserve(plan_.size());
  open_.reserve(open_.size() + plan_.size());
  for (const Need& need : plan_) {
    StreamRecord* record = records_.find(need.level, need.chunk);
    auto pending = std::make_shared<PendingChunk>(anchor_.anchor(), need.level, need.chunk);
    if (record == nullptr) {
      records_.reserve(need.level);
      auto made = std::make_unique<StreamRecord>();
      made->need = need;
      record = &records_.insert(std::move(made));
      ++countOf(StreamProgress::kNamed);
    }
    if (record->progress == StreamProgress::kNamed) open_.push_back(record);
    record->pending = pending;
    record->due = tickIn(options_.answer_ticks, record->failures);
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
  StreamRecord* record = records_.find(chunk.level, chunk.chunk);
  if (record == nullptr) {
    records_.reserve(chunk.level);
    auto made = std::make_unique<StreamRecord>();
    made->need.level = chunk.level;
    made->need.chunk = chunk.chunk;
    record = &records_.insert(std::move(made));
    ++countOf(StreamProgress::kNamed);
  } else if (record->progress == StreamProgress::kNonexistent) {
    return false;
  }
  if (!record->isNamed()) record->need.order = next_order_++;
  record->wanted_until = tickIn(options_.want_ticks);
  named_until_ = std::max(named_until_, record->wanted_until);
  return true;
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
    const auto missing_chunk = missing().coarsest(chunk);
    if (missing_chunk.has_value() && name(*missing_chunk)) ++named;
  }
  return named;
}

}  // namespace fractalray::internal
