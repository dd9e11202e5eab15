// SPDX-License-Identifier: Apache-2.0
#include "missing_chunks.h"

#include <algorithm>
#include <bit>

#include "../../core/check.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/internal/geometry/line_walk.h"
#include "../../levels/block_set.h"
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

// Returns the parents of the chunks of a box.
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

std::uint64_t MissingChunks::missingIn(const Chunk& chunk, int brick) const {
  const BlockSet* const children = chunk.children();
  const std::uint64_t missing = children == nullptr ? ~std::uint64_t{0} : ~children->word(brick);
  return is_fertile_ ? missing : missing & chunk.occupied().word(brick);
}

// A search around viewers on one level.
class MissingChunks::Around {
 public:
  Around(const MissingChunks& missing, int level, Visit visit)
      : missing_(missing),
        level_(level),
        visit_(visit),
        nearest_beyond_(missing.reach_.distanceOfBoxes(level)) {}

  // Searches the box of a viewer; those of the viewers before it have been searched.
  void search(std::size_t viewer, const ChunkBox& box) {
    viewer_ = viewer;
    box_ = box;
    if (box.min[0] > box.max[0] || box.min[1] > box.max[1] || box.min[2] > box.max[2]) return;
    if (level_ == 0) {
      forEachIn(box, [this](const ChunkCoord& chunk) {
        if (missing_.world_.chunk(0, chunk) == nullptr) find(chunk);
      });
      return;
    }
    forEachIn(parentsOf(box), [this](const ChunkCoord& parent) {
      const Chunk* const chunk = missing_.world_.chunk(level_ - 1, parent);
      if (chunk != nullptr && !missing_.isBarren(*chunk)) searchParent(parent, *chunk);
    });
  }

  std::int64_t nearestBeyond() const { return nearest_beyond_; }

 private:
  void searchParent(const ChunkCoord& parent, const Chunk& chunk) {
    for (int brick = 0; brick < 64; ++brick) {
      const std::uint64_t missing = missing_.missingIn(chunk, brick);
      if (missing == 0 || !isInBoxPartly(parent, brick)) continue;
      forEachSlot(missing, [&](int bit) {
        const int index = BlockSet::indexOf(brick, bit);
        const ChunkCoord child = childChunk(blockOf(parent, index));
        if (isInBox(box_, child) && missing_.isFertile(chunk, index)) find(child);
      });
    }
  }
  bool isInBoxPartly(const ChunkCoord& parent, int brick) const {
    const ChunkCoord first = childChunk(blockOf(parent, BlockSet::indexOf(brick, 0)));
    const ChunkCoord last = childChunk(blockOf(parent, BlockSet::indexOf(brick, 63)));
    bool is_inside = true;
    for (int axis = 0; axis < 3; ++axis)
      is_inside = is_inside && first[axis] <= box_.max[axis] && last[axis] >= box_.min[axis];
    return is_inside;
  }
  void find(const ChunkCoord& chunk) {
    const ChunkReach& reach = missing_.reach_;
    if (reach.isInEarlierBox(viewer_, level_, chunk)) return;
    const std::int64_t distance = reach.distance(level_, chunk);
    if (reach.isToLoad(level_, distance)) {
      visit_(chunk, distance);
    } else {
      nearest_beyond_ = std::min(nearest_beyond_, distance);
    }
  }

  const MissingChunks& missing_;
  int level_;
  Visit visit_;
  std::int64_t nearest_beyond_;
  std::size_t viewer_ = 0;
  ChunkBox box_;
};

std::int64_t MissingChunks::aroundViewers(int level, Visit visit) const {
  FRACTALRAY_DCHECK(world_.frame().isActive(level) && reach_.isStreamed(level), level);
  Around around(*this, level, visit);
  std::size_t viewer = 0;
  reach_.forEachBox(level, [&](const ChunkBox& box) {
    around.search(viewer++, intersection(box, anchor_.box(level)));
  });
  return around.nearestBeyond();
}

bool MissingChunks::isInBarrenBlock(const ChunkOfLevel& chunk) const {
  FRACTALRAY_DCHECK(world_.frame().isActive(chunk.level), chunk.level);
  ChunkCoord at = chunk.chunk;
  for (int level = chunk.level - 1; level >= 0; --level) {
    const Chunk* const parent = world_.chunk(level, parentOf(at));
    if (parent != nullptr) return !isFertile(*parent, indexInChunk(parentBlock(at)));
    at = parentOf(at);
  }
  return false;
}

std::optional<ChunkOfLevel> MissingChunks::coarsest(const ChunkOfLevel& chunk) const {
  FRACTALRAY_DCHECK(world_.frame().isActive(chunk.level), chunk.level);
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
class MissingChunks::OnLine {
 public:
  OnLine(const MissingChunks& missing, const FixedSegment& segment, std::size_t limit,
         absl::FunctionRef<bool(const ChunkOfLevel&)> is_left_out)
      : missing_(missing), line_(segment), limit_(limit), is_left_out_(is_left_out) {}

  // Searches the line within the root.
  void searchCoarsest() {
    const ChunkBox box = missing_.anchor_.box(0);
    const std::int64_t width = frame().chunkWidth(0);
    Vec3i min;
    Vec3i max;
    for (int axis = 0; axis < 3; ++axis) {
      min[axis] = box.min[axis] * width;
      max[axis] = (box.max[axis] + 1) * width;
    }
    std::optional<TimeSpan> span = line_.clip(min, max);
    if (!span.has_value()) return;
    span->to = std::min(span->to, line_.end());
    of_level_ = 0;
    search(0, *span, [&](const ChunkCoord& chunk) {
      return isInBox(box, chunk) && missing_.world_.chunk(0, chunk) == nullptr;
    });
  }

  // Searches the line within the loaded chunks of the next coarser level.
  void searchFiner(int level) {
    const int shift = frame().chunkShift(level - 1);
    const ChunkBox box = missing_.anchor_.box(level);
    const auto parents =
        chunksOn(missing_.world_, line_.segment(), LevelMask{level - 1}, {.loaded_only = true});
    of_level_ = 0;
    for (const LineChunk& parent : *parents) {
      const Chunk& chunk = *missing_.world_.chunk(level - 1, parent.chunk);
      if (missing_.isBarren(chunk)) continue;
      const Vec3i cell{parent.chunk[0], parent.chunk[1], parent.chunk[2]};
      const TimeSpan span{.from = line_.enterTime(cell, shift),
                          .to = std::min(line_.leaveTime(cell, shift), line_.end())};
      const bool has_more = search(level, span, [&](const ChunkCoord& child) {
        const int index = indexInChunk(parentBlock(child));
        return parentOf(child) == parent.chunk && isInBox(box, child) &&
               !chunk.hasLoadedChild(index) && missing_.isFertile(chunk, index);
      });
      if (!has_more) return;
    }
  }

  // Returns the first ones of all levels together. Requires: levels were searched in order.
  std::vector<ChunkOfLevel> nearest() {
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.time < b.time; });
    std::vector<ChunkOfLevel> chunks;
    for (const Found& found : found_) {
      if (chunks.size() < limit_) chunks.push_back(found.chunk);
    }
    return chunks;
  }

 private:
  struct Found {
    Fraction time = Fraction::zero();
    ChunkOfLevel chunk;
  };

  const Frame& frame() const { return missing_.world_.frame(); }

  // Searches a part of the line. Returns false once the limit is reached.
  template <class IsMissing>
  bool search(int level, const TimeSpan& span, const IsMissing& is_missing) {
    for (PartWalk walk(line_, frame().chunkShift(level), span); walk.hasCell(); walk.next()) {
      const ChunkOfLevel chunk{level, walk.chunk()};
      if (!is_missing(chunk.chunk) || is_left_out_(chunk)) continue;
      found_.push_back({walk.time(), chunk});
      if (++of_level_ == limit_) return false;
    }
    return true;
  }

  const MissingChunks& missing_;
  Line line_;
  std::size_t limit_;
  absl::FunctionRef<bool(const ChunkOfLevel&)> is_left_out_;
  std::vector<Found> found_;
  std::size_t of_level_ = 0;  // found on the level that is searched
};

absl::StatusOr<std::vector<ChunkOfLevel>> MissingChunks::onLine(
    const FixedSegment& segment, LevelMask levels, std::size_t limit,
    absl::FunctionRef<bool(const ChunkOfLevel&)> is_left_out) const {
  if (absl::Status status = chunksOn(world_, segment, levels).status(); !status.ok()) return status;
  const LevelMask active = levels.activeIn(world_.frame());
  const int finest = static_cast<int>(std::bit_width(active.bits())) - 1;
  OnLine search(*this, segment, limit, is_left_out);
  for (int level = 0; level <= finest; ++level) {
    if (!reach_.isStreamed(level)) continue;
    if (level == 0) {
      search.searchCoarsest();
    } else {
      search.searchFiner(level);
    }
  }
  return search.nearest();
}

}  // namespace fractalray::internal
