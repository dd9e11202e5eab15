// SPDX-License-Identifier: Apache-2.0
// The chunks that a streamer is concerned with, and how far each of them is.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"

#include "../../core/internal/containers/cell_table.h"
#include "../../core/units.h"
#include "../../core/vec.h"
#include "../../levels/block_type.h"
#include "anchor_follower.h"
#include "pending_chunk.h"

namespace fractalray::internal {

// The order of need, a strict total order of chunks: smaller is needed more.
struct Need {
  static constexpr std::uint64_t kNotNamed = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t order = kNotNamed;  // of the call of want() that named it
  std::int64_t distance = 0;        // ChunkReach::distance()
  int level = 0;
  ChunkCoord chunk{};

  friend auto operator<=>(const Need&, const Need&) = default;
};

enum class StreamProgress : std::uint8_t {
  kNamed,        // by want(), and not requested yet
  kPending,      // requested; its answer has not been taken
  kFailed,       // waits until `due` for its next request
  kNonexistent,  // by the source's answer
  kLoaded,       // by the streamer
};
inline constexpr std::size_t kStreamProgresses = 5;

// The type that the source has supplied for a block that is changed.
struct OriginalBlock {
  int block = 0;  // the index in the chunk
  BlockTypeId type{};
};

struct StreamRecord {
  Need need;
  StreamProgress progress = StreamProgress::kNamed;
  std::uint64_t wanted_until = 0;         // the last tick in which it counts as named
  std::shared_ptr<PendingChunk> pending;  // if kPending
  std::uint64_t due = 0;                  // the tick of its time-out, or of its next request
  bool is_in_changed_block = false;      // a block that it lies in was changed through the streamer
  int failures = 0;                      // since it was last loaded
  absl::Status error;                    // the last of them, or NOT_FOUND
  std::size_t bytes = 0;                 // if kLoaded
  std::vector<OriginalBlock> originals;  // if kLoaded, of its changed blocks, by their index

  bool isNamed() const { return need.order != Need::kNotNamed; }
};

// Returns true if the chunk of `a` is needed more.
inline bool isNeededMore(const StreamRecord* a, const StreamRecord* b) {
  return a->need < b->need;
}

// Records by level and index. Exceptions: only reserve() and the constructor of shifted tables
// allocate.
class StreamRecords {
 public:
  StreamRecords() = default;

  StreamRecord* find(int level, const ChunkCoord& chunk) {
    const std::unique_ptr<StreamRecord>* const record = tableOf(level).find(cellOf(chunk));
    return record == nullptr ? nullptr : record->get();
  }
  const StreamRecord* find(int level, const ChunkCoord& chunk) const {
    return const_cast<StreamRecords*>(this)->find(level, chunk);
  }
  std::size_t size() const {
    std::size_t size = 0;
    for (const Table& table : tables_)
      size += table.size();
    return size;
  }

  void reserve(int level, std::size_t more = 1) { tableOf(level).reserve(more); }
  // Requires: reserved, and there is no record of that chunk.
  StreamRecord& insert(std::unique_ptr<StreamRecord> record) noexcept {
    const Need& need = record->need;
    return *tableOf(need.level).insert(cellOf(need.chunk), std::move(record));
  }
  // Requires: the record is in here.
  void erase(const StreamRecord& record) noexcept {
    tableOf(record.need.level).erase(cellOf(record.need.chunk));
  }

  // Calls `visit(StreamRecord&)` for each, in no particular order. `visit` must not insert or
  // erase.
  template <class Visit>
  void forEach(const Visit& visit) {
    for (const Table& table : tables_) {
      for (const auto& [cell, record] : table)
        visit(*record);
    }
  }

  // Gives all records their chunks in the frame after a shift; calls `drop(StreamRecord&)` for
  // those that have none, which are erased then. Changes nothing if memory runs out.
  template <class Drop>
  void follow(const FrameShift& shift, const Drop& drop) {
    std::array<std::size_t, kMaxLevels> sizes{};
    forEach([&](const StreamRecord& record) {
      const auto moved = shift.chunkAfter(record.need.level, record.need.chunk);
      if (moved.has_value()) ++sizes[static_cast<std::size_t>(moved->level)];
    });
    StreamRecords after;
    for (std::size_t level = 0; level < sizes.size(); ++level)
      after.tables_[level].reserve(sizes[level]);
    // Nothing throws any more.
    for (const Table& table : tables_) {
      for (const auto& [cell, record] : table) {
        const auto moved = shift.chunkAfter(record->need.level, record->need.chunk);
        if (!moved.has_value()) {
          drop(*record);
          continue;
        }
        record->need.level = moved->level;
        record->need.chunk = moved->chunk;
        // The table that it leaves is not used again.
        after.insert(std::move(const_cast<std::unique_ptr<StreamRecord>&>(record)));
      }
    }
    tables_.swap(after.tables_);
  }

 private:
  using Table = CellTable<std::unique_ptr<StreamRecord>>;

  static Vec3i cellOf(const ChunkCoord& chunk) { return {chunk[0], chunk[1], chunk[2]}; }
  Table& tableOf(int level) { return tables_[static_cast<std::size_t>(level)]; }

  std::array<Table, kMaxLevels> tables_;
};

}  // namespace fractalray::internal
