// SPDX-License-Identifier: Apache-2.0
#include "missing_chunks.h"

#include <algorithm>
#include <bit>

#include "../../core/internal/geometry/line.h"
#include "../../core/internal/geometry/line_walk.h"
#include "../../query/line_chunks.h"

namespace fractalray::internal {
namespace {

ChunkBox intersection(const ChunkBox& a, const ChunkBox& b) {
  ChunkBox both;
  for (int axis = 0; axis < 3; ++axis) {
    both.min[axis] = std::max(a.min[axis], b.min[axis]);
    both.max[axis] = std::min(a.max[axis], b.max[axis]);
  }
  return both;
}

// Calls `visit(chunk)` for each chunk of a box, x first.
template <class Visit>
void forEachIn(const ChunkBox& box, const Visit& visit) {
  for (std::int64_t z = box.min[2]; z <= box.max[2]; ++z) {
    for (std::int64_t y = box.min[1]; y <= box.max[1]; ++y) {
      for (std::int64_t x = box.min[0]; x <= box.max[0]; ++x)
        visit(ChunkCoord{x, y, z});
    }
  }
}

// Returns the chunk whose block a chunk of the next finer level expands.
ChunkCoord parentOf(const ChunkCoord& chunk) {
  return chunkOf(parentBlock(chunk));
}

// Returns the chunks of the next finer level in a chunk, and back for a box.
ChunkBox childrenOf(const ChunkCoord& chunk) {
  ChunkBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.min[axis] = chunk[axis] * kChunkSize;
    box.max[axis] = box.min[axis] + kChunkSize - 1;
  }
  return box;
}
ChunkBox parentsOf(const ChunkBox& box) {
  return {parentOf(box.min), parentOf(box.max)};
}

// Walks the cells of a line from one time to another, both inclusive.
class PartWalk {
 public:
  PartWalk(const Line& line, int shift, const TimeSpan& span)
      : walk_(walkAlong(line, shift, CornerPolicy::kBoth)), end_(span.to) {
    if (span.from > walk_.cell().t) {
      walk_.skipBefore(span.from);
      has_cell_ = walk_.next();
    }
  }
  bool hasCell() const { return has_cell_ && walk_.cell().t <= end_; }
  ChunkCoord chunk() const {
    const Vec3i& cell = walk_.cell().cell;
    return {cell[0], cell[1], cell[2]};
  }
  const Fraction& time() const { return walk_.cell().t; }
  void next() { has_cell_ = walk_.next(); }

 private:
  GridWalk<3> walk_;
  Fraction end_;
  bool has_cell_ = true;
};

}  // namespace

bool MissingChunks::isFertile(const Chunk& chunk, int index) const {
  return is_fertile_ ? is_fertile_(chunk.block(index)) : chunk.isOccupied(index);
}

bool MissingChunks::isBarren(const Chunk& chunk) const {
  if (!is_fertile_) return chunk.isEmpty();
  return chunk.isUniform() && !is_fertile_(chunk.block(0));
}

void MissingChunks::aroundViewers(Visit visit) const {
  for (int level = 0; level < world_.frame().levels(); ++level) {
    if (!reach_.isStreamed(level)) continue;
    std::size_t viewer = 0;
    reach_.forEachBox(level, [&](const ChunkBox& box) {
      const ChunkBox inside = intersection(box, anchor_.box(level));
      if (level == 0) {
        inCoarsestBox(viewer, inside, visit);
      } else {
        inBox(viewer, level, inside, visit);
      }
      ++viewer;
    });
  }
}

void MissingChunks::inCoarsestBox(std::size_t viewer, const ChunkBox& box, Visit visit) const {
  forEachIn(box, [&](const ChunkCoord& chunk) {
    if (world_.chunk(0, chunk) != nullptr) return;
    const auto distance = reach_.firstFound(viewer, 0, chunk);
    if (distance.has_value()) visit(0, chunk, *distance);
  });
}

void MissingChunks::inBox(std::size_t viewer, int level, const ChunkBox& box, Visit visit) const {
  if (box.min[0] > box.max[0] || box.min[1] > box.max[1] || box.min[2] > box.max[2]) return;
  forEachIn(parentsOf(box), [&](const ChunkCoord& parent) {
    const Chunk* const chunk = world_.chunk(level - 1, parent);
    if (chunk != nullptr && !isBarren(*chunk)) inParent(viewer, level, box, parent, *chunk, visit);
  });
}

void MissingChunks::inParent(std::size_t viewer, int level, const ChunkBox& box,
                             const ChunkCoord& parent, const Chunk& chunk, Visit visit) const {
  forEachIn(intersection(box, childrenOf(parent)), [&](const ChunkCoord& child) {
    const int index = indexInChunk(parentBlock(child));
    if (chunk.hasLoadedChild(index) || !isFertile(chunk, index)) return;
    const auto distance = reach_.firstFound(viewer, level, child);
    if (distance.has_value()) visit(level, child, *distance);
  });
}

std::optional<ChunkOfLevel> MissingChunks::coarsest(const ChunkOfLevel& chunk) const {
  ChunkOfLevel found = chunk;
  if (world_.chunk(found.level, found.chunk) != nullptr) return std::nullopt;
  const Chunk* parent = nullptr;
  while (found.level > 0) {
    parent = world_.chunk(found.level - 1, parentOf(found.chunk));
    if (parent != nullptr) break;
    found = {found.level - 1, parentOf(found.chunk)};
  }
  if (parent != nullptr && !isFertile(*parent, indexInChunk(parentBlock(found.chunk)))) {
    return std::nullopt;
  }
  if (!reach_.isStreamed(found.level) || !isInBox(anchor_.box(found.level), found.chunk)) {
    return std::nullopt;
  }
  return found;
}

// A search on a line: collects up to `limit` chunks of each level, which are in order.
struct MissingChunks::OnLine {
  struct Found {
    Fraction time = Fraction::zero();
    ChunkOfLevel chunk;
  };

  // Searches the line within a chunk of `level` - 1; or, on level 0, within the box of the root.
  // Returns false once the limit is reached.
  template <class IsMissing>
  bool search(int level, const TimeSpan& span, const IsMissing& is_missing) {
    for (PartWalk walk(line, frame.chunkShift(level), span); walk.hasCell(); walk.next()) {
      const ChunkOfLevel chunk{level, walk.chunk()};
      if (!is_missing(chunk.chunk) || is_left_out(chunk)) continue;
      found.push_back({walk.time(), chunk});
      if (++of_level == limit) return false;
    }
    return true;
  }

  const Frame& frame;
  Line line;
  std::size_t limit;
  absl::FunctionRef<bool(const ChunkOfLevel&)> is_left_out;
  std::vector<Found> found{};
  std::size_t of_level = 0;  // found on the level that is searched
};

absl::StatusOr<std::vector<ChunkOfLevel>> MissingChunks::onLine(
    const FixedSegment& segment, LevelMask levels, std::size_t limit,
    absl::FunctionRef<bool(const ChunkOfLevel&)> is_left_out) const {
  const Frame& frame = world_.frame();
  if (absl::Status status = chunksOn(world_, segment, levels).status(); !status.ok()) return status;
  const int finest =
      static_cast<int>(std::bit_width(levels.withinFirst(frame.levels()).bits())) - 1;
  OnLine search{frame, Line(segment), limit, is_left_out};
  for (int level = 0; level <= finest; ++level) {
    if (!reach_.isStreamed(level)) continue;
    search.of_level = 0;
    if (level == 0) {
      const ChunkBox box = anchor_.box(0);
      const int shift = frame.chunkShift(0);
      Vec3i min;
      Vec3i max;
      for (int axis = 0; axis < 3; ++axis) {
        min[axis] = box.min[axis] * (std::int64_t{1} << shift);
        max[axis] = (box.max[axis] + 1) * (std::int64_t{1} << shift);
      }
      std::optional<TimeSpan> span = search.line.clip(min, max);
      if (!span.has_value()) continue;
      span->to = std::min(span->to, search.line.end());
      search.search(0, *span, [&](const ChunkCoord& chunk) {
        return isInBox(box, chunk) && world_.chunk(0, chunk) == nullptr;
      });
      continue;
    }
    const auto parents = chunksOn(world_, segment, LevelMask{level - 1}, {.loaded_only = true});
    for (const LineChunk& parent : *parents) {
      const Chunk& chunk = *world_.chunk(level - 1, parent.chunk);
      if (isBarren(chunk)) continue;
      const Vec3i cell{parent.chunk[0], parent.chunk[1], parent.chunk[2]};
      const int shift = frame.chunkShift(level - 1);
      const TimeSpan span{.from = search.line.enterTime(cell, shift),
                          .to = std::min(search.line.leaveTime(cell, shift), search.line.end())};
      const bool has_more = search.search(level, span, [&](const ChunkCoord& child) {
        const int index = indexInChunk(parentBlock(child));
        return parentOf(child) == parent.chunk && isInBox(anchor_.box(level), child) &&
               !chunk.hasLoadedChild(index) && isFertile(chunk, index);
      });
      if (!has_more) break;
    }
  }
  // Levels are in order, and so are the chunks of each.
  std::stable_sort(search.found.begin(), search.found.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  std::vector<ChunkOfLevel> chunks;
  for (const OnLine::Found& found : search.found) {
    if (chunks.size() < limit) chunks.push_back(found.chunk);
  }
  return chunks;
}

}  // namespace fractalray::internal
