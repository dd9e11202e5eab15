// SPDX-License-Identifier: Apache-2.0
// The chunks that a streamer is concerned with, and how far each of them is.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status.h"

#include "../../core/check.h"
#include "../../core/internal/containers/vector_capacity.h"
#include "../../core/units.h"
#include "../../core/vec.h"
#include "../../levels/block_type.h"
#include "pending_chunk.h"

namespace fractalray::internal {

class LevelRecords;

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

// The lists that a record may be in.
enum class StreamList : std::uint8_t {
  kOpen,    // pending or failed
  kNamed,   // named by want(), or kept by it in its place by distance, and not forgotten yet
  kMarked,  // in a block that was changed through the streamer, and was not fertile then
  kLeft,  // has left the keep radius of a viewer; the review sees whether it is in that of another
};
inline constexpr std::size_t kStreamLists = 4;

struct StreamRecord {
  static constexpr std::size_t kInNoList = std::numeric_limits<std::size_t>::max();

  // Set by StreamRecords: the records of its level, and its key there.
  LevelRecords* home = nullptr;
  Vec3i cell{};

  std::uint64_t order = Need::kNotNamed;
  StreamProgress progress = StreamProgress::kNamed;
  std::uint64_t wanted_until = 0;         // the last tick in which it counts as named or kept
  std::shared_ptr<PendingChunk> pending;  // if kPending
  std::uint64_t due = 0;                  // the tick of its time-out, or of its next request
  int failures = 0;                       // since it was last loaded
  int timeouts = 0;                       // those of them for lack of an answer
  absl::Status error;                     // the last of them, or NOT_FOUND
  std::size_t bytes = 0;                  // if kLoaded
  std::vector<OriginalBlock> originals;   // if kLoaded, of its changed blocks, by their index
  std::array<std::size_t, kStreamLists> indices{kInNoList, kInNoList, kInNoList,
                                                kInNoList};  // in lists

  bool isNamed() const { return order != Need::kNotNamed; }
  // Returns its chunk in the present frame.
  ChunkOfLevel at() const;
};

// A record with its need at this moment.
struct NeededRecord {
  Need need;
  StreamRecord* record;
};

// Returns true if the chunk of `a` is needed more.
inline bool isNeededMore(const NeededRecord& a, const NeededRecord& b) {
  return a.need < b.need;
}

// Records in no particular order. Only reserve() allocates.
template <StreamList kList>
class RecordList {
 public:
  void reserve(std::size_t more = 1) { ensureCapacity(records_, records_.size() + more); }
  // Adds a record, unless it is in here. Requires: reserved.
  void add(StreamRecord& record) noexcept {
    if (indexOf(record) != StreamRecord::kInNoList) return;
    FRACTALRAY_DCHECK(records_.size() < records_.capacity(), records_.size());
    indexOf(record) = records_.size();
    records_.push_back(&record);
  }
  // Removes a record, if it is in here.
  void remove(StreamRecord& record) noexcept {
    const std::size_t index = indexOf(record);
    if (index == StreamRecord::kInNoList) return;
    records_[index] = records_.back();
    indexOf(*records_[index]) = index;
    records_.pop_back();
    indexOf(record) = StreamRecord::kInNoList;
  }
  void clear() noexcept {
    for (StreamRecord* const record : records_)
      indexOf(*record) = StreamRecord::kInNoList;
    records_.clear();
  }
  bool contains(const StreamRecord& record) const {
    return record.indices[static_cast<std::size_t>(kList)] != StreamRecord::kInNoList;
  }
  std::size_t size() const { return records_.size(); }
  StreamRecord& operator[](std::size_t index) const { return *records_[index]; }
  auto begin() const { return records_.begin(); }
  auto end() const { return records_.end(); }

 private:
  static std::size_t& indexOf(StreamRecord& record) {
    return record.indices[static_cast<std::size_t>(kList)];
  }

  std::vector<StreamRecord*> records_;
};

}  // namespace fractalray::internal
