// SPDX-License-Identifier: Apache-2.0
// The records of a streamer by level and chunk, which follow the moves of a window.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../../core/check.h"
#include "../../core/frame.h"
#include "../../core/frame_move.h"
#include "../../core/internal/containers/cell_table.h"
#include "../../core/units.h"
#include "../../core/vec.h"
#include "../../levels/world.h"
#include "anchor_follower.h"
#include "stream_record.h"

namespace fractalray::internal {

// The records of a level. Their keys are chunk indices less an offset: so a move of the window
// changes the offset, and no key. Sums wrap around, so that no number of moves is too large.
class LevelRecords {
 public:
  LevelRecords() = default;

  int level() const { return level_; }
  std::size_t size() const { return table_.size(); }
  ChunkCoord chunkOf(const Vec3i& cell) const {
    ChunkCoord chunk;
    for (int axis = 0; axis < 3; ++axis)
      chunk[axis] = sum(cell[axis], offset_[axis]);
    return chunk;
  }

 private:
  friend class StreamRecords;
  using Table = CellTable<std::unique_ptr<StreamRecord>>;

  static std::int64_t sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  static std::int64_t difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }
  Vec3i cellOf(const ChunkCoord& chunk) const {
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis)
      cell[axis] = difference(chunk[axis], offset_[axis]);
    return cell;
  }

  int level_ = 0;
  Vec3i offset_{};
  ChunkBox box_{};  // contains all chunks of the records, if there are any
  Table table_;
};

inline ChunkOfLevel StreamRecord::at() const {
  return {home->level(), home->chunkOf(cell)};
}

// Exceptions: only the constructor and reserve() allocate, and follow() if a move takes a level's
// records out of the frame in part.
class StreamRecords {
 public:
  StreamRecords() {
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      levels_[level] = std::make_unique<LevelRecords>();
      levels_[level]->level_ = static_cast<int>(level);
    }
  }

  StreamRecord* find(int level, const ChunkCoord& chunk) {
    const LevelRecords& records = of(level);
    const std::unique_ptr<StreamRecord>* const record = records.table_.find(records.cellOf(chunk));
    return record == nullptr ? nullptr : record->get();
  }
  std::size_t size(int level) const { return of(level).size(); }

  void reserve(int level, std::size_t more = 1) { of(level).table_.reserve(more); }
  // Requires: reserved, and there is no record of that chunk.
  StreamRecord& insert(int level, const ChunkCoord& chunk,
                       std::unique_ptr<StreamRecord> record) noexcept {
    LevelRecords& records = of(level);
    if (records.table_.empty()) records.box_ = {chunk, chunk};
    for (int axis = 0; axis < 3; ++axis) {
      records.box_.min[axis] = std::min(records.box_.min[axis], chunk[axis]);
      records.box_.max[axis] = std::max(records.box_.max[axis], chunk[axis]);
    }
    record->home = &records;
    record->cell = records.cellOf(chunk);
    const Vec3i cell = record->cell;
    return *records.table_.insert(cell, std::move(record));
  }
  // Requires: the record is in here.
  void erase(const StreamRecord& record) noexcept {
    FRACTALRAY_DCHECK(record.home != nullptr, record.cell[0], record.cell[1], record.cell[2]);
    of(record.home->level()).table_.erase(Vec3i(record.cell));
  }

  // Call `visit(chunk, StreamRecord&)` for each record of a level, and of all levels, in no
  // particular order. Does not read the records. `visit` must not insert or erase.
  template <class Visit>
  void forEachOf(int level, const Visit& visit) {
    const LevelRecords& records = of(level);
    for (const auto& [cell, record] : records.table_)
      visit(records.chunkOf(cell), *record);
  }
  template <class Visit>
  void forEach(const Visit& visit) {
    for (int level = 0; level < kMaxLevels; ++level)
      forEachOf(level, visit);
  }
  // Calls `visit(chunk, StreamRecord&)` for records of a level, among them all that a move drops.
  // Requires: the level is active.
  template <class Visit>
  void forEachLeaving(int level, const FrameMove& move, const Visit& visit) {
    const std::optional<Vec3i> offset = move.chunkOffset(level);
    if (offset.has_value() && staysIn(move.frame(), move.levelAfter(level), *offset, of(level))) {
      return;
    }
    forEachOf(level, visit);
  }

  // Gives all records their chunks in the frame after a shift; calls `drop(StreamRecord&)` for
  // those that have none, which are erased then. Changes nothing if memory runs out. Cost: O(1) for
  // each level that neither leaves the frame nor becomes inactive.
  template <class Drop>
  void follow(const Frame& frame, const FrameShift& shift, const Drop& drop) {
    std::vector<StreamRecord*> leaving = leavingAfter(frame, shift);
    // Nothing throws any more.
    for (StreamRecord* const record : leaving) {
      drop(*record);
      erase(*record);
    }
    std::array<std::unique_ptr<LevelRecords>, kMaxLevels> after;
    for (std::unique_ptr<LevelRecords>& records : levels_) {
      const int level = records->level_;
      const std::optional<Vec3i> offset = shift.chunkOffset(level);
      if (!offset.has_value()) {
        for (const auto& [cell, record] : records->table_)
          drop(*record);
        records->table_ = {};
        continue;
      }
      records->level_ = shift.levelAfter(level);
      moveBy(frame, *offset, *records);
      after[static_cast<std::size_t>(records->level_)] = std::move(records);
    }
    fillUp(after);
  }

 private:
  using Levels = std::array<std::unique_ptr<LevelRecords>, kMaxLevels>;

  LevelRecords& of(int level) { return *levels_[static_cast<std::size_t>(level)]; }
  const LevelRecords& of(int level) const { return *levels_[static_cast<std::size_t>(level)]; }

  // Returns true if all records of a level stay in the frame if an offset is added to them.
  static bool staysIn(const Frame& frame, int level_after, const Vec3i& offset,
                      const LevelRecords& records) {
    return records.table_.empty() ||
           (frame.contains(level_after, chunkAt(records.box_.min, offset)) &&
            frame.contains(level_after, chunkAt(records.box_.max, offset)));
  }
  // Returns the records that leave the frame, of levels that stay active.
  std::vector<StreamRecord*> leavingAfter(const Frame& frame, const FrameShift& shift) {
    std::vector<StreamRecord*> leaving;
    for (int level = 0; level < frame.levels(); ++level) {
      const std::optional<Vec3i> offset = shift.chunkOffset(level);
      const int after = shift.levelAfter(level);
      if (!offset.has_value() || staysIn(frame, after, *offset, of(level))) continue;
      forEachOf(level, [&](const ChunkCoord& chunk, StreamRecord& record) {
        if (!frame.contains(after, chunkAt(chunk, *offset))) leaving.push_back(&record);
      });
    }
    return leaving;
  }
  // Adds an offset to the chunks of a level, which has its new number. Requires: they are in the
  // frame then.
  static void moveBy(const Frame& frame, const Vec3i& offset, LevelRecords& records) noexcept {
    if (records.table_.empty()) {
      records.offset_ = {};
      return;
    }
    const std::int64_t limit = kMaxCoordinate >> frame.chunkShift(records.level_);
    for (int axis = 0; axis < 3; ++axis) {
      records.offset_[axis] = LevelRecords::sum(records.offset_[axis], offset[axis]);
      records.box_.min[axis] = std::max(records.box_.min[axis] + offset[axis], -limit);
      records.box_.max[axis] = std::min(records.box_.max[axis] + offset[axis], limit - 1);
    }
  }
  // Makes the levels those of `after`, and uses the others for those that it lacks.
  void fillUp(Levels& after) noexcept {
    auto* spare = levels_.data();
    for (std::size_t level = 0; level < after.size(); ++level) {
      if (after[level] != nullptr) continue;
      while (*spare == nullptr)
        ++spare;
      (*spare)->level_ = static_cast<int>(level);
      after[level] = std::move(*spare);
    }
    levels_.swap(after);
  }

  Levels levels_;
};

}  // namespace fractalray::internal
