// SPDX-License-Identifier: Apache-2.0
#include "streamer_state.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"

#include "../../core/units.h"
#include "../../levels/internal/world_content.h"
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
  for (StreamRecord* const record : open_)
    giveUp(*record);
  try {
    reportDropped();
  } catch (...) {  // as the header says
  }
}

void StreamerState::setOptions(const StreamOptions& options) {
  StreamOptions copy = options;
  ChunkReach reach(frame(), copy);
  reach.setViewers(reach_.viewers());
  options_ = std::move(copy);
  reach_ = std::move(reach);
  searchAgain();
}

void StreamerState::forgetWatches() noexcept {
  for (LevelWatch& watch : watches_)
    watch.version = kNoVersion;
  searchAgain();
}

void StreamerState::searchAgain() noexcept {
  for (LevelWatch& watch : watches_)
    watch.reach.forget();
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
  if (!is_whole_) forgetWatches();
  is_whole_ = false;
  is_settled_ = false;
  is_listed_ = false;
  is_ticking_ = true;
  const absl::Cleanup end = [this] { is_ticking_ = false; };
  const std::uint64_t version = window_.world().version();
  review();
  const LevelMask reviewed = agreeingLevels();
  unloadOutOfReach();
  failLateRequests();
  evictDownTo(options_.max_bytes);
  plan();
  reportDropped();  // before the same chunks are requested again
  ask(parallel_for);
  settle();
  putProtos();
  reportDropped();
  acknowledgeEdits(reviewed);
  is_whole_ = true;
  settled_version_ = window_.world().version();
  is_settled_ = plan_.empty() && settled_version_ == version;
  return absl::OkStatus();
}

bool StreamerState::isIdle(std::span<const Vec3i> viewers) const {
  return is_settled_ && dropped_ == nullptr && now_ > named_until_ &&
         countOf(StreamProgress::kNamed) == 0 && countOf(StreamProgress::kPending) == 0 &&
         countOf(StreamProgress::kFailed) == 0 && window_.world().version() == settled_version_ &&
         std::equal(viewers.begin(), viewers.end(), reach_.viewers().begin(),
                    reach_.viewers().end());
}

void StreamerState::followWindow() {
  if (!anchor_.hasMoved(window_)) return;
  AnchorFollower anchor(window_);
  const FrameShift shift = anchor_.shift(window_);
  // Chunks that move out of the frame have left the world with the move.
  records_.follow(frame(), shift, [this](StreamRecord& record) {
    if (record.pending != nullptr) ++totals_.cancelled;
    leaveOut(record);
  });
  followWatches();
  recountParents();
  anchor_ = std::move(anchor);
  is_settled_ = false;
}

void StreamerState::followWatches() noexcept {
  const FrameMove& move = coming_->move;
  // A level that has this version was changed by the move alone: it lost what its records lost.
  const std::uint64_t version = window_.world().content().last_move.version();
  std::array<LevelWatch, kMaxLevels> watches;
  LevelMask agreeing = LevelMask::all().activeIn(frame());  // also what is new: empty
  for (int level = 0; level < frame().levels(); ++level) {
    const int after = move.levelAfter(level);
    if (!frame().isActive(after)) continue;
    LevelWatch& watch = watches[static_cast<std::size_t>(after)];
    watch = std::move(watches_[static_cast<std::size_t>(level)]);
    watch.reach.followMove(reach_, move, level);
    // The missing chunks of level 0 are others: in no block, and up to the border of the frame.
    const bool is_same = level > 0 && after > 0 && watch.missing.empty();
    watch.is_searched = watch.is_searched && is_same;
    if (!coming_->agreeing.contains(level)) agreeing = agreeing.without(LevelMask{after});
  }
  for (int level = 0; level < frame().levels(); ++level) {
    if (agreeing.contains(level) && versionOf(level) == version)
      watches[static_cast<std::size_t>(level)].version = version;
  }
  watches_.swap(watches);
}

void StreamerState::recountParents() noexcept {
  const int finest = frame().levels() - 1;
  const std::optional<ChunkBox>& parents = coming_->parents;
  if (!parents.has_value()) return;  // as with a single level, which has none
  const std::optional<Vec3i> offset = coming_->move.chunkOffset(finest - 1);
  if (!offset.has_value()) return;
  const ChunkBox box{chunkAt(parents->min, *offset), chunkAt(parents->max, *offset)};
  records_.forEachOf(finest, [&](const ChunkCoord& chunk, StreamRecord& record) {
    if (isInBox(box, chunk) && record.progress == StreamProgress::kLoaded) countBytes(record);
  });
}

StreamerState::ComingMove StreamerState::comingMove(const FrameMove& move) const {
  ComingMove coming{.move = move, .agreeing = agreeingLevels(), .parents = {}};
  const int finest = frame().levels() - 1;
  const ChunkBounds& bounds = window_.world().content().level(finest).bounds();
  if (move.levels() > 0 && finest > 0 && !bounds.empty()) {
    coming.parents =
        ChunkBox{chunkOf(parentBlock(bounds.min())), chunkOf(parentBlock(bounds.max()))};
  }
  return coming;
}

void StreamerState::beforeMove(const FrameMove& move) {
  followWindow();
  // Collected first: the source may name chunks, which adds records.
  std::vector<ChunkOfLevel> dropped;
  for (int level = 0; level < frame().levels(); ++level) {
    records_.forEachLeaving(level, move, [&](const ChunkCoord& at, const StreamRecord& record) {
      if (record.progress == StreamProgress::kLoaded && !move.chunkAfter(level, at).has_value()) {
        dropped.push_back({level, at});
      }
    });
  }
  for (const auto& [level, at] : dropped) {
    const Chunk* const chunk = window_.world().chunk(level, at);
    if (chunk != nullptr) source_.unloading(level, at, *chunk);
  }
  coming_ = comingMove(move);
}

Need StreamerState::needOf(const StreamRecord& record) const {
  const auto [level, chunk] = record.at();
  return {record.order, reach_.distance(level, chunk), level, chunk};
}

StreamRecord& StreamerState::makeRecord(int level, const ChunkCoord& chunk) {
  records_.reserve(level);
  marked_.reserve();
  StreamRecord& record = records_.insert(level, chunk, std::make_unique<StreamRecord>());
  ++countOf(StreamProgress::kNamed);
  // A chunk that waits to be unloaded takes with it what is requested in it meanwhile.
  const StreamRecord* const around = recordAround({level, chunk});
  if (around != nullptr && marked_.contains(*around)) marked_.add(record);
  return record;
}

void StreamerState::setProgress(StreamRecord& record, StreamProgress progress) noexcept {
  --countOf(record.progress);
  ++countOf(progress);
  record.progress = progress;
  if (progress == StreamProgress::kPending || progress == StreamProgress::kFailed) {
    open_.add(record);
  } else {
    open_.remove(record);
  }
}

std::uint64_t StreamerState::tickIn(std::uint64_t ticks, int times, std::uint64_t most) const {
  for (int i = 0; i < times && ticks < most; ++i)
    ticks = ticks > most / 2 ? most : 2 * ticks;
  return now_ + std::min(ticks, std::numeric_limits<std::uint64_t>::max() - now_);
}

void StreamerState::countBytes(StreamRecord& record) noexcept {
  const auto [level, at] = record.at();
  const Chunk* const chunk = window_.world().chunk(level, at);
  const std::size_t bytes = chunk == nullptr ? 0 : chunk->bytesWithCopy();
  bytes_ += bytes - record.bytes;
  record.bytes = bytes;
}

StreamRecord* StreamerState::recordAround(const ChunkOfLevel& chunk) {
  if (chunk.level == 0) return nullptr;
  return records_.find(chunk.level - 1, chunkOf(parentBlock(chunk.chunk)));
}

void StreamerState::countBytesAround(const ChunkOfLevel& chunk) noexcept {
  StreamRecord* const record = recordAround(chunk);
  if (record != nullptr && record->progress == StreamProgress::kLoaded) countBytes(*record);
}

void StreamerState::leaveOut(StreamRecord& record) noexcept {
  giveUp(record);
  --countOf(record.progress);
  if (record.progress == StreamProgress::kLoaded) bytes_ -= record.bytes;
  open_.remove(record);
  named_.remove(record);
  marked_.remove(record);
  left_.remove(record);
}

void StreamerState::eraseRecord(StreamRecord& record) noexcept {
  leaveOut(record);
  records_.erase(record);
}

void StreamerState::forget(StreamRecord& record) {
  const auto [level, at] = record.at();
  const bool is_gone = record.progress == StreamProgress::kLoaded;
  if (is_gone && record.isNamed() && missing().coarsest({level, at}) == ChunkOfLevel{level, at}) {
    return nameAgain(record);
  }
  if (record.pending != nullptr) ++totals_.cancelled;
  if (!is_gone) removeProto(record);
  // It is missing again if it is still near.
  if (record.progress == StreamProgress::kNonexistent) addMissing(level, at);
  eraseRecord(record);
}

void StreamerState::nameAgain(StreamRecord& record) noexcept {
  bytes_ -= record.bytes;
  record.bytes = 0;
  record.originals.clear();
  setProgress(record, StreamProgress::kNamed);
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
