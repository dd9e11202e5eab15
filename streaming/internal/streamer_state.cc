// SPDX-License-Identifier: Apache-2.0
#include "streamer_state.h"

#include <algorithm>
#include <limits>
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
      changes_(changes),
      options_(options),
      anchor_(window),
      reach_(window.world().frame(), options) {
  window_.addObserver(*this);
}

StreamerState::~StreamerState() {
  window_.removeObserver(*this);
  records_.forEach([](StreamRecord& record) {
    if (record.pending != nullptr) record.pending->cancel();
  });
}

void StreamerState::setOptions(const StreamOptions& options) {
  StreamOptions copy = options;
  ChunkReach reach(frame(), copy);
  reach.setViewers(reach_.viewers());
  options_ = std::move(copy);
  reach_ = std::move(reach);
  is_settled_ = false;
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
  followWindow();
  const bool is_idle = isIdle(viewers);
  reach_.setViewers(viewers);
  loaded_.clear();
  unloaded_.clear();
  ++now_;
  if (is_idle) return absl::OkStatus();
  is_settled_ = false;
  is_sorted_ = false;
  is_ticking_ = true;
  const absl::Cleanup end = [this] { is_ticking_ = false; };
  const std::uint64_t version = window_.world().version();
  review();
  unloadOutOfReach();
  evictDownTo(options_.max_bytes);
  plan();
  ask(parallel_for);
  settle();
  putProtos();
  settled_version_ = window_.world().version();
  is_settled_ = plan_.empty() && settled_version_ == version;
  return absl::OkStatus();
}

bool StreamerState::isIdle(std::span<const Vec3i> viewers) const {
  return is_settled_ && now_ >= named_until_ && countOf(StreamProgress::kNamed) == 0 &&
         countOf(StreamProgress::kPending) == 0 && countOf(StreamProgress::kFailed) == 0 &&
         window_.world().version() == settled_version_ &&
         std::equal(viewers.begin(), viewers.end(), reach_.viewers().begin(),
                    reach_.viewers().end());
}

void StreamerState::followWindow() {
  if (!anchor_.hasMoved(window_)) return;
  AnchorFollower anchor(window_);
  // Chunks that move out of the frame have left the world with the move.
  records_.follow(anchor_.shift(window_), [this](StreamRecord& record) {
    if (record.pending != nullptr) {
      record.pending->cancel();
      ++totals_.cancelled;
    }
    if (record.progress == StreamProgress::kLoaded) bytes_ -= record.bytes;
    --countOf(record.progress);
  });
  anchor_ = std::move(anchor);
  is_settled_ = false;
}

void StreamerState::beforeMove(const FrameMove& move) {
  followWindow();
  // The source may name chunks, which adds records.
  std::vector<const StreamRecord*> dropped;
  records_.forEach([&](const StreamRecord& record) {
    const auto [level, at] = ChunkOfLevel{record.need.level, record.need.chunk};
    if (record.progress == StreamProgress::kLoaded && !move.chunkAfter(level, at).has_value()) {
      dropped.push_back(&record);
    }
  });
  for (const StreamRecord* const record : dropped) {
    const auto [level, at] = ChunkOfLevel{record->need.level, record->need.chunk};
    const Chunk* const chunk = window_.world().chunk(level, at);
    if (chunk != nullptr) source_.unloading(level, at, *chunk);
  }
}

void StreamerState::setProgress(StreamRecord& record, StreamProgress progress) noexcept {
  --countOf(record.progress);
  ++countOf(progress);
  record.progress = progress;
}

std::uint64_t StreamerState::tickIn(std::uint64_t ticks, int times, std::uint64_t most) const {
  for (int i = 0; i < times && ticks < most; ++i)
    ticks = ticks > most / 2 ? most : 2 * ticks;
  return now_ + std::min(ticks, std::numeric_limits<std::uint64_t>::max() - now_);
}

bool StreamerState::isVoid(const StreamRecord& record) const {
  const ChunkState state = window_.world().chunkState(record.need.level, record.need.chunk);
  if ((state == ChunkState::kLoaded) != (record.progress == StreamProgress::kLoaded)) return true;
  // A named chunk that nobody has named lately, or whose level is no longer streamed.
  return record.progress == StreamProgress::kNamed &&
         (!record.isNamed() || !reach_.isStreamed(record.need.level));
}

bool StreamerState::isOutOfReach(const StreamRecord& record) const {
  if (record.is_in_changed_block &&
      missing().isInBarrenBlock({record.need.level, record.need.chunk})) {
    return true;
  }
  return !record.isNamed() && !reach_.isKept(record.need.level, record.need.distance);
}

void StreamerState::review() {
  leaving_.clear();
  open_.clear();
  by_need_.clear();
  const World& world = window_.world();
  records_.forEach([&](StreamRecord& record) {
    if (record.isNamed() && now_ > record.wanted_until) record.need.order = Need::kNotNamed;
    record.need.distance = reach_.distance(record.need.level, record.need.chunk);
    if (isVoid(record) || isOutOfReach(record)) {
      leaving_.push_back(&record);
      return;
    }
    if (record.progress == StreamProgress::kLoaded) {
      by_need_.push_back(&record);
      const std::size_t bytes = world.chunk(record.need.level, record.need.chunk)->bytes();
      bytes_ += bytes - record.bytes;
      record.bytes = bytes;
    }
    if (record.progress == StreamProgress::kPending || record.progress == StreamProgress::kFailed) {
      open_.push_back(&record);
    }
  });
  for (StreamRecord* const record : open_) {
    if (record->progress != StreamProgress::kPending || record->pending->isAnswered()) continue;
    if (now_ < record->due) continue;
    ++totals_.timed_out;
    fail(*record, absl::DeadlineExceededError("the source has not answered in time"));
  }
}

void StreamerState::eraseRecord(StreamRecord& record) noexcept {
  if (record.pending != nullptr) record.pending->cancel();
  --countOf(record.progress);
  if (record.progress == StreamProgress::kLoaded) bytes_ -= record.bytes;
  records_.erase(record);
}

void StreamerState::forget(StreamRecord& record) {
  World& world = window_.world();
  if (record.pending != nullptr) ++totals_.cancelled;
  if (world.chunkState(record.need.level, record.need.chunk) == ChunkState::kProto &&
      record.progress != StreamProgress::kLoaded) {
    world.unloadChunk(record.need.level, record.need.chunk).IgnoreError();  // it is there
  }
  eraseRecord(record);
}

absl::Status StreamerState::error(int level, const ChunkCoord& chunk) {
  followWindow();
  const StreamRecord* const record =
      frame().isActive(level) ? records_.find(level, chunk) : nullptr;
  return record == nullptr ? absl::OkStatus() : record->error;
}

StreamStats StreamerState::stats() const {
  StreamStats stats = totals_;
  stats.ticks = now_;
  stats.pending = countOf(StreamProgress::kPending);
  stats.failing = countOf(StreamProgress::kFailed);
  stats.chunks = countOf(StreamProgress::kLoaded);
  stats.bytes = bytes_;
  return stats;
}

}  // namespace fractalray::internal
