// SPDX-License-Identifier: Apache-2.0
// The chunks on a line, level by level, as a lazy range: to load what a shot needs, to stream ahead
// of it, or to draw a beam.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "absl/status/statusor.h"

#include "../core/corner_policy.h"
#include "../core/grid_walk.h"
#include "../core/level_mask.h"
#include "../core/segment.h"
#include "../core/vec.h"
#include "../levels/world.h"
#include "query_line.h"
#include "query_stats.h"

namespace fractalray {

// A chunk on a line.
struct LineChunk {
  int level = 0;
  ChunkState state = ChunkState::kAbsent;
  ChunkCoord chunk{};  // its index on its level
  // The times of entry and exit, 0 at the segment's start, 1 at its end: exact fractions, rounded
  // to doubles as Hit::t is. t_exit is the last t in [0, 1] in the closed chunk, even if a ray
  // ends before that; the same as t_enter if the line only touches the chunk, at a corner.
  double t_enter = 0;
  double t_exit = 0;

  friend bool operator==(const LineChunk&, const LineChunk&) = default;
};

struct LineChunkOptions {
  // Selects the chunks visited if the line crosses several planes between chunks at the same time.
  CornerPolicy corner = CornerPolicy::kBoth;
  // Leaves out the chunks that are not loaded, and crosses stretches without loaded chunks in large
  // steps.
  bool loaded_only = false;
};

// The chunks that a line crosses, in the order of a walk over the grid of chunks (GridWalk): those
// of the finest level of the mask from its start to its end, then those of the next coarser one.
//
//   const absl::StatusOr<LineChunks> chunks = chunksOn(world, Segment{eye, target});
//   for (const LineChunk& on_line : *chunks) { ... }
//
// Chunks that are not loaded are visited too, unless loaded_only is set. A lazy forward range of
// values; the world must outlive its iterators, and may change between two steps. Thread safety: as
// reading the world. Cost: O(1) to create and to copy, no allocation; a step is a step of GridWalk
// and a look-up. docs/queries/chunks-on-a-line.md.
class LineChunks {
 public:
  class Iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // since it returns values, not references
    using value_type = LineChunk;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = value_type;

    // Creates an iterator at the end.
    Iterator() = default;
    // Requires: not at the end, for these.
    value_type operator*() const {
      FRACTALRAY_DCHECK(!is_at_end_, position_);
      return on_line_;
    }
    Iterator& operator++();
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    // Returns the work up to this chunk, at the end that of the whole walk: `chunks` are loaded
    // chunks visited, `skips` the chunks examined, and the stretches without loaded chunks that
    // were crossed in one step. All other counters are 0.
    const QueryStats& stats() const { return stats_; }
    // Requires: iterators of the same range.
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.position_ == b.position_;
    }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) { return it.is_at_end_; }

   private:
    friend class LineChunks;
    explicit Iterator(const LineChunks& range);

    // Begins the walk over the finest level that is left; returns false if none is.
    bool beginLevel();
    // Advances to the next chunk to visit, from the walk's current cell on.
    void settle();
    // Makes the walk's current cell the chunk to return.
    void report(const ChunkCoord& chunk, ChunkState state);

    const World* world_ = nullptr;
    FixedSegment segment_{};
    LineChunkOptions options_{};
    LevelMask levels_left_{};
    int level_ = 0;
    GridWalk<3> walk_{Vec3i{}, Vec3i{}, Vec3i{1, 1, 1}};  // over the chunks of level_
    Fraction end_ = Fraction::zero();                     // of the part of the line to visit there
    bool has_cell_ = false;                               // false once that part has been walked
    LineChunk on_line_{};
    QueryStats stats_{};
    std::uint64_t position_ = 0;
    bool is_at_end_ = true;
  };

  // Returns the range of chunksOn(), or its error.
  static absl::StatusOr<LineChunks> create(const World& world, const FixedSegment& segment,
                                           LevelMask levels, const LineChunkOptions& options);

  Iterator begin() const { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }

  // Returns the line in units.
  const FixedSegment& segment() const { return segment_; }

 private:
  LineChunks(const World& world, const FixedSegment& segment, LevelMask levels,
             const LineChunkOptions& options)
      : world_(&world), segment_(segment), levels_(levels), options_(options) {}

  const World* world_;
  FixedSegment segment_;
  LevelMask levels_;  // active ones
  LineChunkOptions options_;
};

// Returns the chunks on a line, of the levels of the mask (inactive bits are ignored).
// INVALID_ARGUMENT for a mask without an active level and a line that is not finite or has no end
// time; OUT_OF_RANGE for a line that leaves the frame. Cost: O(1).
template <QueryLine Line = Segment>
absl::StatusOr<LineChunks> chunksOn(const World& world, const Line& line,
                                    LevelMask levels = LevelMask::all(),
                                    const LineChunkOptions& options = {}) {
  const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
  if (!segment.ok()) {
    return errorToReport(
        {segment.status(), LineChunks::create(world, {}, levels, options).status()});
  }
  return LineChunks::create(world, *segment, levels, options);
}

}  // namespace fractalray
