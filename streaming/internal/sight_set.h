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

// Return the cell of an entry.
inline Vec3i cellOf(const SeenBlock& seen) {
  return {seen.block[0], seen.block[1], seen.block[2]};
}
inline Vec3i cellOf(const SeenChunk& seen) {
  return {seen.chunk[0], seen.chunk[1], seen.chunk[2]};
}
// Move an entry by an offset in chunks; return false if it is then outside of the frame.
inline bool moveBy(const Frame& frame, const Vec3i& offset, SeenChunk& seen) {
  seen.chunk = chunkAt(seen.chunk, offset);
  return frame.contains(seen.level, seen.chunk);
}
inline bool moveBy(const Frame& frame, const Vec3i& offset, SeenBlock& seen) {
  const ChunkCoord chunk = chunkAt(chunkOf(seen.block), offset);
  if (!frame.contains(seen.level, chunk)) return false;
  seen.block = blockOf(chunk, indexInChunk(seen.block));
  return true;
}
// Return the number of cells that a chunk is wide.
constexpr std::int64_t cellsInChunk(const SeenBlock& /*seen*/) {
  return 16;
}
constexpr std::int64_t cellsInChunk(const SeenChunk& /*seen*/) {
  return 1;
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
      if (levels.contains(static_cast<int>(level))) tables_[level].numbers.reserve(more);
    }
    if (nodes_.size() >= size_ + more) return;
    ensureCapacity(nodes_, size_ + more);
    while (nodes_.size() < size_ + more) {
      nodes_.push_back({});
      free(static_cast<Number>(nodes_.size() - 1));
    }
  }

  const Seen* find(int level, const Vec3i& cell) const {
    const Table& table = tables_[static_cast<std::size_t>(level)];
    const Number* const found = table.numbers.find(table.keyOf(cell));
    return found == nullptr ? nullptr : &nodes_[*found - 1].seen;
  }

  // Makes an entry the latest one: adds it if it is new, and returns true; else gives it the
  // `refresh(Seen&)`. Requires: reserved.
  template <class Refresh>
  bool see(const Seen& seen, const Refresh& refresh) noexcept {
    Table& table = tableOf(seen);
    const Vec3i key = table.keyOf(cellOf(seen));
    if (const Number* const found = table.numbers.find(key)) {
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
    table.numbers.insert(key, number + 1);
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
      erase(number);
    }
  }

  template <class Visit>
  void forEach(const Visit& visit) const {
    for (Number number = first_; number != kNone; number = nodes_[number].next)
      visit(nodes_[number].seen);
  }

  // Moves all entries by a shift of the frame, and removes those that are outside of it then. Cost:
  // a write to each entry, and no look-up but for those removed.
  void follow(const Frame& frame, const FrameShift& shift) noexcept {
    std::array<std::optional<Vec3i>, kMaxLevels> offsets;
    for (int level = 0; level < frame.levels(); ++level)
      offsets[static_cast<std::size_t>(level)] = shift.chunkOffset(level);
    // In the order of the memory, which the list does not have.
    for (Number number = 0; number < nodes_.size(); ++number) {
      Node& node = nodes_[number];
      if (node.seen.level == kFree) continue;
      const std::optional<Vec3i>& offset = offsets[static_cast<std::size_t>(node.seen.level)];
      Seen after = node.seen;
      after.level = shift.levelAfter(node.seen.level);
      if (offset.has_value() && moveBy(frame, *offset, after)) {
        node.seen = after;
      } else {
        erase(number);
      }
    }
    followTables(offsets, shift);
  }

 private:
  using Number = std::uint32_t;  // of a node; in the tables one more, since 0 is no value
  static constexpr Number kNone = std::numeric_limits<Number>::max();
  static constexpr int kFree = -1;  // the level of a node that is not in use

  struct Node {
    Seen seen;
    Number previous;
    Number next;  // of a free node: the next free one
  };

  // The entries of a level. Keys are cells less an offset, so a shift changes no key. Sums wrap
  // around, so that no number of shifts is too large.
  struct Table {
    Vec3i keyOf(const Vec3i& cell) const {
      Vec3i key;
      for (int axis = 0; axis < 3; ++axis)
        key[axis] =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(cell[axis]) - offset[axis]);
      return key;
    }
    void moveBy(const Vec3i& by) {
      for (int axis = 0; axis < 3; ++axis)
        offset[axis] = numbers.empty() ? 0 : offset[axis] + static_cast<std::uint64_t>(by[axis]);
    }

    Vec<std::uint64_t, 3> offset{};
    CellTable<Number> numbers;
  };

  void free(Number number) {
    nodes_[number].seen.level = kFree;
    nodes_[number].next = free_;
    free_ = number;
  }
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
  Table& tableOf(const Seen& seen) { return tables_[static_cast<std::size_t>(seen.level)]; }
  void erase(Number number) noexcept {
    Table& table = tableOf(nodes_[number].seen);
    table.numbers.erase(table.keyOf(cellOf(nodes_[number].seen)));
    unlink(number);
    free(number);
    --size_;
  }
  // Gives each table its level after a shift, and those of inactive levels, which are empty, to the
  // others: their memory is used again.
  void followTables(const std::array<std::optional<Vec3i>, kMaxLevels>& offsets,
                    const FrameShift& shift) noexcept {
    std::array<Table, kMaxLevels> after;
    LevelMask others = LevelMask::all();
    for (std::size_t level = 0; level < tables_.size(); ++level) {
      if (!offsets[level].has_value()) continue;
      const int to = shift.levelAfter(static_cast<int>(level));
      others = others.without(LevelMask{to});
      tables_[level].moveBy(*offsets[level] * cellsInChunk(Seen()));
      after[static_cast<std::size_t>(to)] = std::move(tables_[level]);
    }
    std::size_t spare = 0;
    for (std::size_t level = 0; level < after.size(); ++level) {
      if (!others.contains(static_cast<int>(level))) continue;
      while (offsets[spare].has_value())
        ++spare;
      tables_[spare].offset = {};
      after[level] = std::move(tables_[spare++]);
    }
    tables_.swap(after);
  }

  std::array<Table, kMaxLevels> tables_;
  std::vector<Node> nodes_;
  Number first_ = kNone;
  Number last_ = kNone;
  Number free_ = kNone;
  std::size_t size_ = 0;
};

}  // namespace fractalray::internal
