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

// Returns the chunk whose block a chunk of the next finer level expands.
ChunkCoord parentOf(const ChunkCoord& chunk) {
  return chunkOf(parentBlock(chunk));
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

bool MissingChunks::isMissing(int level, const ChunkCoord& chunk) const {
  if (!isInBox(anchor_.box(level), chunk)) return false;
  if (level == 0) return world_.chunk(0, chunk) == nullptr;
  const Chunk* const parent = world_.chunk(level - 1, parentOf(chunk));
  if (parent == nullptr) return false;
  const int index = indexInChunk(parentBlock(chunk));
  return !parent->hasLoadedChild(index) && isFertile(*parent, index);
}

void MissingChunks::inBlocksOf(const ChunkOfLevel& parent, Visit visit) const {
  const int level = parent.level + 1;
  FRACTALRAY_DCHECK(world_.frame().isActive(level) && reach_.isStreamed(level), level);
  const Chunk* const chunk = world_.chunk(parent.level, parent.chunk);
  if (chunk == nullptr || isBarren(*chunk)) return;
  if (!isInBox(anchor_.box(parent.level), parent.chunk)) return;
  const auto child_at = [&](int brick, int bit) {
    return childChunk(blockOf(parent.chunk, BlockSet::indexOf(brick, bit)));
  };
  if (!reach_.isToLoad(level, ChunkBox{child_at(0, 0), child_at(63, 63)})) return;
  for (int brick = 0; brick < 64; ++brick) {
    const std::uint64_t missing = missingIn(*chunk, brick);
    const ChunkBox box{child_at(brick, 0), child_at(brick, 63)};
    if (missing == 0 || !reach_.isToLoad(level, box)) continue;
    forEachSlot(missing, [&](int bit) {
      const ChunkCoord child = child_at(brick, bit);
      const bool is_near = reach_.isToLoad(level, ChunkBox{child, child});
      if (is_near && isFertile(*chunk, BlockSet::indexOf(brick, bit))) visit(child);
    });
  }
}

void MissingChunks::aroundViewers(int level, Visit visit) const {
  FRACTALRAY_DCHECK(world_.frame().isActive(level) && reach_.isStreamed(level), level);
  std::vector<ChunkCoord> parents;
  for (const Vec3i& viewer : reach_.viewers()) {
    reach_.loadBall(level, viewer).forEachRow([&](const ChunkRow& row) {
      if (level == 0) {
        for (std::int64_t x = row.min; x <= row.max; ++x) {
          if (isMissing(0, {x, row.y, row.z})) visit({x, row.y, row.z});
        }
        return;
      }
      const ChunkCoord last = parentOf({row.max, row.y, row.z});
      for (ChunkCoord parent = parentOf({row.min, row.y, row.z}); parent[0] <= last[0];
           ++parent[0]) {
        if (parents.empty() || parents.back() != parent) parents.push_back(parent);
      }
    });
  }
  std::sort(parents.begin(), parents.end());
  parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
  for (const ChunkCoord& parent : parents)
    inBlocksOf({level - 1, parent}, visit);
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
