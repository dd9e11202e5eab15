// SPDX-License-Identifier: Apache-2.0
// The search of direct_search.h, for one instruction set. A source that includes this header for a
// newer set defines FRACTALRAY_TARGET, the attribute of its functions. Everything here is private
// to that source, so that no other code is ever linked to a function of a newer set.
//
// Laws, each with its test in direct_search_property_test.cc:
//   1. an outcome other than kUnclear is that of the passes, for every corner policy;
//   2. outcome, passed blocks and steps are the same for all instruction sets;
//   3. the passed blocks are the first candidates of the passes.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../../core/tree64.h"
#include "../../../levels/internal/world_content.h"
#include "direct_hits.h"
#include "direct_line.h"
#include "direct_search.h"
#include "level_blocks.h"
#include "line_descent.h"
#include "search_node.h"

namespace fractalray::internal {
namespace {

// A single use for one query. Lanes: PathLanes, or one with the same members.
template <class Lanes>
class DirectSearch : DirectHits<Lanes> {
 public:
  using Outcome = DirectOutcome;
  using SearchLine = DirectLine<Lanes>;

  FRACTALRAY_TARGET DirectSearch(const DirectQuery& query,
                                 const typename SearchLine::Lengths& lengths, DirectBlock& found,
                                 PassedBlocks* passed)
      : DirectHits<Lanes>(query, lengths, found, passed) {}

  FRACTALRAY_TARGET Outcome run() {
    Outcome outcome = Outcome::kNone;
    for (int level = query_.world.frame().levels() - 1; level >= 0; --level) {
      const bool all_defers = std::exchange(is_covered_, false);
      if (!query_.levels.contains(level) || !blocks_.setLevel(level, query_.levels)) continue;
      if (all_defers && blocks_.coversFiner()) {
        is_covered_ = true;
        continue;
      }
      line_.setShift(query_.world.frame().blockShift(level));
      const Outcome of_level = searchLevel(all_defers);
      if (of_level == Outcome::kUnclear) return of_level;
      if (of_level == Outcome::kNone) continue;
      outcome = of_level;
      if (query_.mode == HitMode::kAny) return outcome;
      // At equal times the finer level comes first, so a coarser block must be earlier.
      limitBefore(found_.enter);
    }
    return outcome;
  }

  FRACTALRAY_TARGET std::uint64_t steps() const { return cells_ + skips_; }
  FRACTALRAY_TARGET void addStats(QueryStats& stats) const {
    stats.cells += cells_;
    stats.chunks += chunks_;
    stats.skips += skips_;
  }

 private:
  using Hits = DirectHits<Lanes>;
  using Hits::blocks_;
  using Hits::cells_;
  using Hits::found_;
  using Hits::is_limited_;
  using Hits::keep;
  using Hits::limit_;
  using Hits::limitBefore;
  using Hits::line_;
  using Hits::query_;

  // Searches the blocks of the walk on a level, as far as they are in the box of loaded chunks and
  // not past the limit. If all of them defer, only finds out whether those of the next coarser
  // level do.
  FRACTALRAY_TARGET Outcome searchLevel(bool all_defers) {
    // Only a coarser level, and a line of sight, need to know whether the line is loaded here.
    if (blocks_.level().isEmpty() && blocks_.number() == 0 && query_.mode != HitMode::kAny)
      return Outcome::kNone;
    Vec3i start;
    Vec3i last;
    for (int axis = 0; axis < 3; ++axis) {
      start[axis] = line_.firstBlock(axis);
      last[axis] = line_.lastBlock(axis);
    }
    if (is_limited_) {
      const double t = limit_.toDouble();
      for (int axis = 0; axis < 3; ++axis)
        last[axis] = std::min(last[axis], line_.blockAfter(axis, t));
    }
    first_ = start;
    const Vec3i end = last;
    if (!line_.cutToBox(blocks_.level().bounds(), first_, last)) return Outcome::kNone;
    const bool is_at_start = first_ == start;
    is_covered_ = blocks_.level().bounds().isFull() && is_at_start && last == end;
    found_.is_line_loaded |= is_covered_;
    if (all_defers || blocks_.level().isEmpty()) return Outcome::kNone;
    top_ = commonCubeLog2(first_, last);
    if (top_ > kWindowLog2) return Outcome::kUnclear;
    if (top_ == 0) {
      if (is_at_start) return startBlock();
      top_ = kBrickLog2;
    }
    if (!line_.fit64(greatestDistance(is_at_start, start, last))) return Outcome::kUnclear;
    for (int axis = 0; axis < 3; ++axis)
      origin_[axis] = first_[axis] & -(std::int64_t{1} << kAreaLog2);
    last_ = packed(last - origin_) | kPackedGuards;
    const Area* const area = areaAt(first_);
    const bool is_empty = area == nullptr || area->occupied() == 0;
    if (is_empty && areAllEmpty(last)) return Outcome::kNone;
    line_.setLanes();
    if (!is_empty) {
      const Outcome outcome = climbArea(*area, is_at_start);
      if (outcome != Outcome::kNone) return outcome;
    }
    return top_ > kAreaLog2 ? visitAreas(firstCube(kAreaLog2)) : Outcome::kNone;
  }
  // Returns true if nothing is in the areas that the search may come to, except perhaps in the
  // first. May be a false negative, if these are many. A call of its own: it is rare, and inlined
  // it would take registers from every search.
  FRACTALRAY_TARGET [[gnu::noinline]] bool areAllEmpty(const Vec3i& last) const {
    if (top_ <= kAreaLog2) return true;
    const Vec3i low = shiftedDown(first_, kAreaLog2);
    const Vec3i high = shiftedDown(last, kAreaLog2);
    constexpr std::int64_t kFew = 4;
    const Vec3i more = high - low;
    if ((more[0] + 1) * (more[1] + 1) * (more[2] + 1) > kFew) return false;
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          const Area* const area = areaAt(shiftedUp(Vec3i{x, y, z}, kAreaLog2));
          if (area != nullptr && area->occupied() != 0) return false;
        }
      }
    }
    return true;
  }
  // Returns the greatest distance from the start to the corner of a cube of the search, on any
  // axis, in blocks, given the first block of the line and the last one of the search.
  FRACTALRAY_TARGET std::int64_t greatestDistance(bool is_at_start, const Vec3i& start,
                                                  const Vec3i& last) const {
    const std::int64_t width = std::int64_t{1} << top_;
    if (is_at_start) return width - 1;  // the start is in the same cube
    const Vec3i blocks = last - start;
    return width + std::max({blocks[0], blocks[1], blocks[2]});
  }

  FRACTALRAY_TARGET const Area* areaAt(const Vec3i& mirrored) const {
    const Vec3i chunk = shiftedDown(line_.mirrored(mirrored), kChunkLog2);
    return blocks_.level().area({chunk[0], chunk[1], chunk[2]});
  }
  // Returns the outcome of a line that is in one block only.
  FRACTALRAY_TARGET Outcome startBlock() const {
    const Vec3i block = line_.mirrored(first_);
    return blocks_.isPresent({block[0], block[1], block[2]}) ? Outcome::kUnclear : Outcome::kNone;
  }

  // Returns the cube, 2^log2 blocks wide, that holds the first block.
  FRACTALRAY_TARGET SearchNode firstCube(int log2) const {
    Vec3i corner;
    for (int axis = 0; axis < 3; ++axis)
      corner[axis] = first_[axis] & -(std::int64_t{1} << log2);
    return line_.nodeAt(corner, origin_);
  }
  // Search the cubes that hold the first block, smaller ones first: in each the parts that the line
  // comes to later.
  FRACTALRAY_TARGET Outcome climbArea(const Area& area, bool is_at_start) {
    const int slot = slotOf(shiftedDown(first_, kRegionLog2));
    if (hasBit(area.occupied(), line_.levelSlot(slot))) {
      const Outcome outcome = climbRegion(*area.region(line_.levelSlot(slot)), is_at_start);
      if (outcome != Outcome::kNone) return outcome;
    }
    if (top_ <= kRegionLog2) return Outcome::kNone;
    const SearchNode node = firstCube(kAreaLog2);
    return visitRegions(node, slotsAfter(node, kRegionLog2, area.occupied(), slot), area);
  }
  FRACTALRAY_TARGET Outcome climbRegion(const Region& region, bool is_at_start) {
    const int slot = slotOf(shiftedDown(first_, kChunkLog2));
    if (hasBit(region.occupied(), line_.levelSlot(slot))) {
      const Outcome outcome = climbChunk(*region.chunk(line_.levelSlot(slot)), is_at_start);
      if (outcome != Outcome::kNone) return outcome;
    }
    if (top_ <= kChunkLog2) return Outcome::kNone;
    const SearchNode node = firstCube(kRegionLog2);
    return visitChunks(node, slotsAfter(node, kChunkLog2, region.occupied(), slot), region);
  }
  FRACTALRAY_TARGET Outcome climbChunk(const Chunk& chunk, bool is_at_start) {
    ++chunks_;
    const std::uint64_t bricks = blocks_.bricksOf(chunk);
    const int slot = slotOf(shiftedDown(first_, kBrickLog2));
    if (hasBit(bricks, line_.levelSlot(slot))) {
      const Outcome outcome = climbBrick(chunk, line_.levelSlot(slot), is_at_start);
      if (outcome != Outcome::kNone) return outcome;
    }
    if (top_ <= kBrickLog2 || bricks == 0) return Outcome::kNone;
    const SearchNode node = firstCube(kChunkLog2);
    return visitBricks(node, slotsAfter(node, kBrickLog2, bricks, slot), chunk);
  }
  FRACTALRAY_TARGET Outcome climbBrick(const Chunk& chunk, int brick, bool is_at_start) {
    const int slot = slotOf(first_);
    const std::uint64_t blocks = blocks_.blocksOf(chunk, brick);
    if (is_at_start && hasBit(blocks, line_.levelSlot(slot))) return Outcome::kUnclear;
    const SearchNode node = firstCube(kBrickLog2);
    return visitBlocks(node, slotsFrom(node, 0, blocks, slot), chunk, brick);
  }

  // Returns the parts of a cube, 2^log2 blocks wide, that are `present` and that the line may
  // touch, and counts a step. Neither is mirrored.
  FRACTALRAY_TARGET std::uint64_t touched(const SearchNode& node, int log2, std::uint64_t present) {
    ++skips_;
    return present & line_.touched(node, log2);
  }
  // Returns the same, mirrored: those from a slot on, on every axis; or those but the slot itself.
  FRACTALRAY_TARGET std::uint64_t slotsFrom(const SearchNode& node, int log2, std::uint64_t present,
                                            int slot) {
    return line_.mirrored(touched(node, log2, present)) & kFromSlot[static_cast<std::size_t>(slot)];
  }
  FRACTALRAY_TARGET std::uint64_t slotsAfter(const SearchNode& node, int log2,
                                             std::uint64_t present, int slot) {
    return slotsFrom(node, log2, present, slot) & ~bitOf(slot);
  }
  // Returns true if a cube begins after the last block on any axis.
  FRACTALRAY_TARGET bool isPast(PackedBlock at) const {
    return ((last_ - at) & kPackedGuards) != kPackedGuards;
  }

  // Search the parts of a cube in those slots (mirrored), in the order along the line.
  FRACTALRAY_TARGET [[gnu::noinline]] Outcome visitAreas(const SearchNode& window) {
    std::uint64_t slots = line_.mirrored(line_.touched(window, kAreaLog2)) & ~bitOf(0);
    for (; slots != 0; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      const PackedBlock at = window.at + packedSlot(slot, kAreaLog2);
      if (isPast(at)) continue;
      const Area* const area = areaAt(origin_ + unpacked(at));
      if (area == nullptr || area->occupied() == 0) continue;
      const SearchNode node = line_.part(window, slot, kAreaLog2);
      const std::uint64_t regions = touched(node, kRegionLog2, area->occupied());
      const Outcome outcome = visitRegions(node, line_.mirrored(regions), *area);
      if (outcome != Outcome::kNone) return outcome;
    }
    return Outcome::kNone;
  }
  FRACTALRAY_TARGET [[gnu::noinline]] Outcome visitRegions(const SearchNode& area,
                                                           std::uint64_t slots,
                                                           const Area& in_area) {
    for (; slots != 0; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      if (isPast(area.at + packedSlot(slot, kRegionLog2))) continue;
      const Region& region = *in_area.region(line_.levelSlot(slot));
      const SearchNode node = line_.part(area, slot, kRegionLog2);
      const std::uint64_t chunks = touched(node, kChunkLog2, region.occupied());
      if (chunks == 0) continue;
      const Outcome outcome = visitChunks(node, line_.mirrored(chunks), region);
      if (outcome != Outcome::kNone) return outcome;
    }
    return Outcome::kNone;
  }
  // Lists some chunks that have bricks on the line before it examines any brick. The words of these
  // chunks are then read side by side; and no branch depends on how many bricks of a chunk are on
  // the line, which in sparse worlds no processor can predict.
  FRACTALRAY_TARGET Outcome visitChunks(const SearchNode& region, std::uint64_t slots,
                                        const Region& in_region) {
    ChunkList list;
    while (slots != 0) {
      if (steps() > query_.options.max_steps) return Outcome::kUnclear;
      const std::uint64_t bricks = listChunks(region, slots, in_region, list);
      const Outcome outcome = visitListed(list, bricks);
      if (outcome != Outcome::kNone) return outcome;
    }
    return Outcome::kNone;
  }
  // Fills a list with chunks in those slots until they have enough bricks on the line, and takes
  // them out of `slots`. The entry after the last chunk has no bricks. Returns the number of
  // bricks.
  FRACTALRAY_TARGET std::uint64_t listChunks(const SearchNode& region, std::uint64_t& slots,
                                             const Region& in_region, ChunkList& list) {
    ListedChunk* next = list.data();
    std::uint64_t count = 0;
    for (; slots != 0 && count < kEnoughBricks; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      if (isPast(region.at + packedSlot(slot, kChunkLog2))) continue;
      const Chunk& chunk = *in_region.chunk(line_.levelSlot(slot));
      ++chunks_;
      const std::uint64_t bricks = blocks_.bricksOf(chunk);
      if (bricks == 0) continue;
      // Kept only if the chunk has bricks on the line.
      next->node = line_.part(region, slot, kChunkLog2);
      const std::uint64_t on_line = touched(next->node, kBrickLog2, bricks);
      next->bricks = line_.mirrored(on_line);
      next->chunk = &chunk;
      next->chunks_so_far = chunks_;
      next->skips_so_far = skips_;
      next += on_line != 0 ? 1 : 0;
      count += static_cast<std::uint64_t>(std::popcount(on_line));
    }
    next->bricks = 0;
    return count;
  }
  // Examines the bricks, `count` in all, in one loop over all chunks.
  FRACTALRAY_TARGET Outcome visitListed(const ChunkList& list, std::uint64_t count) {
    const ListedChunk* next = list.data();
    std::uint64_t bricks = next->bricks;
    for (std::uint64_t i = 0; i < count; ++i) {
      const ListedChunk& at = *next;
      const int slot = firstSlotOf(bricks);
      bricks &= bricks - 1;
      // After the last brick of a chunk come those of the next one, at the end of the list none.
      const std::uint64_t is_last = bricks == 0 ? ~std::uint64_t{0} : 0;
      bricks |= next[1].bricks & is_last;
      next += is_last & 1;
      const Outcome outcome = visitBrick(at.node, slot, *at.chunk);
      if (outcome == Outcome::kNone) continue;
      // Takes back the steps of later chunks. Each brick has been one skip.
      chunks_ = at.chunks_so_far;
      skips_ = at.skips_so_far + i + 1;
      return outcome;
    }
    return Outcome::kNone;
  }
  FRACTALRAY_TARGET Outcome visitBricks(const SearchNode& chunk, std::uint64_t slots,
                                        const Chunk& in_chunk) {
    for (; slots != 0; slots &= slots - 1) {
      const Outcome outcome = visitBrick(chunk, firstSlotOf(slots), in_chunk);
      if (outcome != Outcome::kNone) return outcome;
    }
    return Outcome::kNone;
  }
  FRACTALRAY_TARGET Outcome visitBrick(const SearchNode& chunk, int slot, const Chunk& in_chunk) {
    const SearchNode node = line_.part(chunk, slot, kBrickLog2);
    const int brick = line_.levelSlot(slot);
    const std::uint64_t blocks = touched(node, 0, blocks_.blocksOf(in_chunk, brick));
    if (blocks == 0) return Outcome::kNone;
    return visitBlocks(node, line_.mirrored(blocks), in_chunk, brick);
  }
  FRACTALRAY_TARGET [[gnu::noinline]] Outcome visitBlocks(const SearchNode& brick,
                                                          std::uint64_t slots, const Chunk& chunk,
                                                          int brick_index) {
    for (; slots != 0; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      if (isPast(brick.at + packedSlot(slot, 0))) continue;
      ++cells_;
      const SearchNode node = line_.part(brick, slot, 0);
      const int axis = line_.entryAxis(node.f);
      if (axis == kNotVisited) continue;
      if (axis == kTie) return Outcome::kUnclear;
      const int index = BlockSet::indexOf(brick_index, line_.levelSlot(slot));
      const BlockTypeId type = chunk.occupiedBlock(index);
      const BlockKind kind = blocks_.kindOf(type);
      if (kind == BlockKind::kEmpty) continue;
      const Outcome outcome = keep(node.f, origin_ + unpacked(node.at), axis, type, kind);
      if (outcome != Outcome::kNone) return outcome;
    }
    return Outcome::kNone;
  }

  // The level that is searched; blocks are mirrored.
  Vec3i first_;           // the first block
  Vec3i origin_;          // the lower corner of its area
  PackedBlock last_ = 0;  // the last block, with guards
  int top_ = 0;           // log2 of the width of the smallest cube that holds the whole search
  // True if the line, up to the limit, is in the box of a level's loaded chunks, which has no gaps:
  // so all blocks of the next coarser level on the line defer.
  bool is_covered_ = false;

  std::uint64_t chunks_ = 0;
  std::uint64_t skips_ = 0;
};

// Runs the search of a query.
template <class Lanes>
FRACTALRAY_TARGET DirectOutcome runDirectSearch(const DirectQuery& query, DirectBlock& found,
                                                PassedBlocks* passed, QueryStats& stats) {
  DirectSearch<Lanes> search(query, DirectLine<Lanes>::lengthsOf(query.line), found, passed);
  DirectOutcome outcome = search.run();
  if (search.steps() > query.options.max_steps) {
    outcome = DirectOutcome::kUnclear;
    if (passed != nullptr) passed->clear();
  }
  const bool is_decided = outcome != DirectOutcome::kUnclear;
  if (is_decided || (passed != nullptr && !passed->all().empty())) search.addStats(stats);
  if (is_decided) ++stats.direct;
  Lanes::leave();
  return outcome;
}

}  // namespace
}  // namespace fractalray::internal
