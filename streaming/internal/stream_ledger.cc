// SPDX-License-Identifier: Apache-2.0
#include "stream_ledger.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "../../core/internal/access.h"
#include "../../core/units.h"
#include "../../levels/internal/world_content.h"

namespace fractalray::internal {

StreamLedger::StreamLedger(Window& window, const StreamOptions& options)
    : window_(window),
      options_(options),
      anchor_(window),
      reach_(window.world().frame(), options) {}

void StreamLedger::beginTick(std::span<const Vec3i> viewers) {
  reach_.setViewers(viewers);
  ++now_;
}

void StreamLedger::endTick(bool is_settled) {
  settled_version_ = world().version();
  is_settled_ = is_settled;
}

void StreamLedger::setOptions(const StreamOptions& options) {
  StreamOptions copy = options;
  ChunkReach reach(frame(), copy);
  reach.setViewers(reach_.viewers());
  options_ = std::move(copy);
  reach_ = std::move(reach);
  searchAgain();
}

void StreamLedger::forgetWatches() noexcept {
  for (LevelWatch& watch : watches_)
    watch.version = kNoVersion;
  searchAgain();
}

void StreamLedger::searchAgain() noexcept {
  for (LevelWatch& watch : watches_)
    watch.reach.forget();
  is_settled_ = false;
}

bool StreamLedger::isIdle(std::span<const Vec3i> viewers) const {
  return is_settled_ && dropped_ == nullptr && now_ > named_until_ &&
         countOf(StreamProgress::kNamed) == 0 && countOf(StreamProgress::kPending) == 0 &&
         countOf(StreamProgress::kFailed) == 0 && window_.world().version() == settled_version_ &&
         std::equal(viewers.begin(), viewers.end(), reach_.viewers().begin(),
                    reach_.viewers().end());
}

void StreamLedger::followWindow() {
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

void StreamLedger::followWatches() noexcept {
  const FrameMove& move = coming_->move;
  // A level that has this version was changed by the move alone: it lost what its records lost.
  const std::uint64_t version = Access::content(window_.world()).last_move.version();
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

void StreamLedger::recountParents() noexcept {
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

StreamLedger::ComingMove StreamLedger::comingMove(const FrameMove& move) const {
  ComingMove coming{.move = move, .agreeing = agreeingLevels(), .parents = {}};
  const int finest = frame().levels() - 1;
  const ChunkBounds& bounds = Access::content(window_.world()).level(finest).bounds();
  if (move.levels() > 0 && finest > 0 && !bounds.empty()) {
    coming.parents =
        ChunkBox{chunkOf(parentBlock(bounds.min())), chunkOf(parentBlock(bounds.max()))};
  }
  return coming;
}

std::vector<ChunkOfLevel> StreamLedger::loadedThatLeave(const FrameMove& move) {
  std::vector<ChunkOfLevel> dropped;
  for (int level = 0; level < frame().levels(); ++level) {
    records_.forEachLeaving(level, move, [&](const ChunkCoord& at, const StreamRecord& record) {
      if (record.progress == StreamProgress::kLoaded && !move.chunkAfter(level, at).has_value()) {
        dropped.push_back({level, at});
      }
    });
  }
  return dropped;
}

Need StreamLedger::needOf(const StreamRecord& record) const {
  const auto [level, chunk] = record.at();
  return {record.order, reach_.distance(level, chunk), level, chunk};
}

StreamRecord& StreamLedger::makeRecord(int level, const ChunkCoord& chunk) {
  records_.reserve(level);
  marked_.reserve();
  StreamRecord& record = records_.insert(level, chunk, std::make_unique<StreamRecord>());
  ++counterOf(StreamProgress::kNamed);
  // A chunk that waits to be unloaded takes with it what is requested in it meanwhile.
  const StreamRecord* const around = recordAround({level, chunk});
  if (around != nullptr && marked_.contains(*around)) marked_.add(record);
  return record;
}

void StreamLedger::setProgress(StreamRecord& record, StreamProgress progress) noexcept {
  --counterOf(record.progress);
  ++counterOf(progress);
  record.progress = progress;
  if (progress == StreamProgress::kPending || progress == StreamProgress::kFailed) {
    open_.add(record);
  } else {
    open_.remove(record);
  }
}

std::uint64_t StreamLedger::tickIn(std::uint64_t ticks, int times, std::uint64_t most) const {
  for (int i = 0; i < times && ticks < most; ++i)
    ticks = ticks > most / 2 ? most : 2 * ticks;
  return now_ + std::min(ticks, std::numeric_limits<std::uint64_t>::max() - now_);
}

void StreamLedger::countBytes(StreamRecord& record) noexcept {
  const auto [level, at] = record.at();
  const Chunk* const chunk = window_.world().chunk(level, at);
  const std::size_t bytes = chunk == nullptr ? 0 : chunk->bytesWithCopy();
  bytes_ += bytes - record.bytes;
  record.bytes = bytes;
}

StreamRecord* StreamLedger::recordAround(const ChunkOfLevel& chunk) {
  if (chunk.level == 0) return nullptr;
  return records_.find(chunk.level - 1, chunkOf(parentBlock(chunk.chunk)));
}

void StreamLedger::countBytesAround(const ChunkOfLevel& chunk) noexcept {
  StreamRecord* const record = recordAround(chunk);
  if (record != nullptr && record->progress == StreamProgress::kLoaded) countBytes(*record);
}

void StreamLedger::leaveOut(StreamRecord& record) noexcept {
  giveUp(record);
  --counterOf(record.progress);
  if (record.progress == StreamProgress::kLoaded) bytes_ -= record.bytes;
  open_.remove(record);
  named_.remove(record);
  marked_.remove(record);
  left_.remove(record);
}

void StreamLedger::eraseRecord(StreamRecord& record) noexcept {
  leaveOut(record);
  records_.erase(record);
}

void StreamLedger::nameAgain(StreamRecord& record) noexcept {
  bytes_ -= record.bytes;
  record.bytes = 0;
  record.originals.clear();
  setProgress(record, StreamProgress::kNamed);
}

absl::Status StreamLedger::error(int level, const ChunkCoord& chunk) {
  followWindow();
  const StreamRecord* const record =
      frame().isActive(level) ? records_.find(level, chunk) : nullptr;
  return record == nullptr ? absl::OkStatus() : record->error;
}

StreamStats StreamLedger::stats() const {
  StreamStats stats = totals_;
  stats.ticks = now_;
  stats.pending = countOf(StreamProgress::kPending);
  stats.failing = countOf(StreamProgress::kFailed);
  stats.chunks = countOf(StreamProgress::kLoaded);
  stats.bytes = bytes_;
  return stats;
}

void StreamLedger::giveUp(StreamRecord& record) noexcept {
  std::shared_ptr<PendingChunk> pending = std::move(record.pending);
  record.pending = nullptr;
  if (pending == nullptr || !pending->cancel()) return;
  pending->next_dropped = std::move(dropped_);
  dropped_ = std::move(pending);
}

void StreamLedger::searchLevel(int level) {
  LevelWatch& watch = watchOf(level);
  if (watch.is_searched) return;
  watch.missing = {};
  watch.is_searched = true;
  missing().aroundViewers(level, [&](const ChunkCoord& chunk) { addMissing(level, chunk); });
}

void StreamLedger::addMissing(int level, const ChunkCoord& chunk) {
  if (!reach_.isStreamed(level) || !watchOf(level).is_searched) return;
  CellTable<bool>& missing_chunks = watchOf(level).missing;
  const Vec3i cell{chunk[0], chunk[1], chunk[2]};
  missing_chunks.reserve();
  if (missing_chunks.find(cell) == nullptr) missing_chunks.insert(cell, true);
}

void StreamLedger::addMissingIn(const ChunkOfLevel& parent) {
  const int level = parent.level + 1;
  if (!frame().isActive(level) || !reach_.isStreamed(level) || !watchOf(level).is_searched) return;
  missing().inBlocksOf(parent, [&](const ChunkCoord& chunk) { addMissing(level, chunk); });
}

}  // namespace fractalray::internal
