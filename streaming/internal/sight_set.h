// SPDX-License-Identifier: Apache-2.0
// A set of cells in sight, in the order in which they were seen last.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "../../core/check.h"
#include "../../core/frame.h"
#include "../../core/internal/containers/cell_table.h"
#include "../../core/internal/containers/vector_capacity.h"
#include "../../core/units.h"
#include "../../core/vec.h"
#include "../visibility_stream.h"
#include "anchor_follower.h"

namespace fractalray::internal {

// Return the cell of an entry as a key, and the entry at another level and index after a shift of
// the frame; nothing if it has left the frame.
inline Vec3i keyOf(const SeenBlock& seen) {
  return {seen.block[0], seen.block[1], seen.block[2]};
}
inline Vec3i keyOf(const SeenChunk& seen) {
  return {seen.chunk[0], seen.chunk[1], seen.chunk[2]};
}
inline std::optional<SeenChunk> shifted(const SeenChunk& seen, const FrameShift& shift) {
  const auto after = shift.chunkAfter(seen.level, seen.chunk);
  if (!after.has_value()) return std::nullopt;
  return SeenChunk{after->level, after->chunk, seen.since, seen.last};
}
inline std::optional<SeenBlock> shifted(const SeenBlock& seen, const FrameShift& shift) {
  const auto after = shift.chunkAfter(seen.level, chunkOf(seen.block));
  if (!after.has_value()) return std::nullopt;
  const BlockCoord block = blockOf(after->chunk, indexInChunk(seen.block));
  return SeenBlock{after->level, block, seen.type, seen.since, seen.last};
}

// Entries by level and cell, linked from the one seen the longest ago to the latest. Only reserve()
// and copies allocate. Not thread-safe.
template <class Seen>
class SightSet {
 public:
  std::size_t size() const { return size_; }

  // Reserves space for `more` entries, which may all be of any one level of the mask.
  void reserve(std::size_t more, LevelMask levels) {
    for (std::size_t level = 0; level < tables_.size(); ++level) {
      if (levels.contains(static_cast<int>(level))) tables_[level].reserve(more);
    }
    if (nodes_.size() >= size_ + more) return;
    ensureCapacity(nodes_, size_ + more);
    while (nodes_.size() < size_ + more) {
      nodes_.push_back({{}, kNone, free_});
      free_ = static_cast<Number>(nodes_.size() - 1);
    }
  }

  const Seen* find(int level, const Vec3i& cell) const {
    const Number* const found = tableOf(level).find(cell);
    return found == nullptr ? nullptr : &nodes_[*found - 1].seen;
  }

  // Makes an entry the latest one: adds it if it is new, and returns true; else gives it the
  // `refresh(Seen&)`. Requires: reserved.
  template <class Refresh>
  bool see(const Seen& seen, const Refresh& refresh) noexcept {
    CellTable<Number>& table = tableOf(seen.level);
    if (const Number* const found = table.find(keyOf(seen))) {
      const Number number = *found - 1;
      refresh(nodes_[number].seen);
      unlink(number);
      linkLast(number);
      return false;
    }
    FRACTALRAY_DCHECK(free_ != kNone, size_);
    const Number number = free_;
    free_ = nodes_[number].next;
    nodes_[number].seen = seen;
    table.insert(keyOf(seen), number + 1);
    linkLast(number);
    ++size_;
    return true;
  }

  // Removes the entries that were seen last in tick `last` or before, and appends them to `gone`,
  // which has space for them.
  void forget(std::uint64_t last, std::vector<Seen>& gone) noexcept {
    while (first_ != kNone && nodes_[first_].seen.last <= last) {
      const Number number = first_;
      gone.push_back(nodes_[number].seen);
      tableOf(nodes_[number].seen.level).erase(keyOf(nodes_[number].seen));
      unlink(number);
      nodes_[number].next = free_;
      free_ = number;
      --size_;
    }
  }

  template <class Visit>
  void forEach(const Visit& visit) const {
    for (Number number = first_; number != kNone; number = nodes_[number].next)
      visit(nodes_[number].seen);
  }

  // Returns the set after a shift of the frame, with space for `more` entries as by reserve().
  SightSet after(const FrameShift& shift, std::size_t more, LevelMask levels) const {
    SightSet moved;
    for (std::size_t level = 0; level < tables_.size(); ++level) {
      const int to = shift.levelAfter(static_cast<int>(level));
      if (to < 0 || to >= kMaxLevels) continue;
      moved.tableOf(to).reserve(tables_[level].size() + (levels.contains(to) ? more : 0));
    }
    moved.reserve(size_ + more, LevelMask());
    moved.reserve(more, levels);
    forEach([&](const Seen& seen) {
      const std::optional<Seen> after = shifted(seen, shift);
      if (after.has_value()) moved.see(*after, [](Seen&) {});
    });
    return moved;
  }

 private:
  using Number = std::uint32_t;  // of a node; in the tables one more, since 0 is no value
  static constexpr Number kNone = std::numeric_limits<Number>::max();

  struct Node {
    Seen seen;
    Number previous;
    Number next;  // of a free node: the next free one
  };

  void unlink(Number number) {
    const Node& node = nodes_[number];
    (node.previous == kNone ? first_ : nodes_[node.previous].next) = node.next;
    (node.next == kNone ? last_ : nodes_[node.next].previous) = node.previous;
  }
  void linkLast(Number number) {
    nodes_[number].previous = last_;
    nodes_[number].next = kNone;
    (last_ == kNone ? first_ : nodes_[last_].next) = number;
    last_ = number;
  }
  CellTable<Number>& tableOf(int level) { return tables_[static_cast<std::size_t>(level)]; }
  const CellTable<Number>& tableOf(int level) const {
    return tables_[static_cast<std::size_t>(level)];
  }

  std::array<CellTable<Number>, kMaxLevels> tables_;
  std::vector<Node> nodes_;
  Number first_ = kNone;
  Number last_ = kNone;
  Number free_ = kNone;
  std::size_t size_ = 0;
};

}  // namespace fractalray::internal
