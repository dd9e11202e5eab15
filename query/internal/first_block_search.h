// SPDX-License-Identifier: Apache-2.0
// The search of first_block.h, for one instruction set. A source that includes this header for a
// newer set defines FRACTALRAY_TARGET, the attribute of its functions. Everything here is private
// to that source, so that no other code is ever linked to a function of a newer set.
//
// Laws, each with its test in first_block_property_test.cc:
//   1. an outcome other than kUnclear is that of the passes, for every corner policy;
//   2. outcome and steps are the same for all instruction sets.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../core/level_mask.h"
#include "../../core/segment.h"
#include "../../core/tree64.h"
#include "../../levels/internal/world_content.h"
#include "first_block.h"
#include "first_block_content.h"
#include "first_block_line.h"
#include "first_block_range.h"
#include "line_descent.h"

namespace fractalray::internal {
namespace {

// A single use for one query: run(), or the stages that it consists of, for searches that run
// together (first_block_wave.h). Lanes: PathLanes, or one with the same members.
template <class Lanes>
class FirstBlockSearch {
 public:
  using Outcome = FirstBlock::Outcome;
  using SearchLine = FirstBlockLine<Lanes>;

  FRACTALRAY_TARGET FirstBlockSearch(const FirstBlockSettings& settings,
                                     const FixedSegment& segment, LevelMask levels,
                                     const typename SearchLine::Lengths& lengths, FirstBlock& found)
      : settings_(settings),
        levels_(levels),
        found_(found),
        content_(settings),
        line_(segment, lengths),
        level_number_(settings.world.frame().levels()) {
    if (segment.end_time != kWholeLine) limit_.set({segment.end_time, kWholeLine}, false);
  }

  FRACTALRAY_TARGET void run() {
    while (enterLevel()) {
      readStart();
      Outcome of_level = searchStart();
      if (of_level == Outcome::kNone) of_level = visitChunks();
      while (of_level == Outcome::kNone && nextRegion()) {
        readRegion();
        of_level = visitChunks();
      }
      leaveLevel(of_level);
    }
  }
  // Returns the outcome of all levels, and adds the steps to `stats` unless it is kUnclear.
  FRACTALRAY_TARGET Outcome finish(QueryStats& stats) const {
    if (outcome_ == Outcome::kUnclear || isOutOfSteps()) return Outcome::kUnclear;
    stats.cells += cells_;
    stats.chunks += chunks_;
    stats.skips += skips_;
    ++stats.direct;
    return outcome_;
  }

  // Enters the next level on which cubes have to be searched, at the region of the first block;
  // returns false if there is none left.
  FRACTALRAY_TARGET bool enterLevel() {
    while (--level_number_ >= 0) {
      if (!levels_.contains(level_number_)) continue;
      const Level& level = settings_.world.content().level(level_number_);
      if (level.loadedChunks() == 0) continue;
      content_.enter(level, levels_.contains(level_number_ + 1));
      line_.setShift(settings_.world.frame().blockShift(level_number_));
      if (!findRange(line_, level.bounds(), limit_, range_)) continue;
      top_ = commonCubeLog2(range_.first, range_.last);
      if (top_ == 0 && range_.is_at_start) {
        const bool is_inside = content_.isPresent(line_.mirrored(range_.first));
        leaveLevel(is_inside ? Outcome::kUnclear : Outcome::kNone);
        continue;
      }
      top_ = std::max(top_, kBrickLog2);
      if (top_ <= kWindowLog2 && fits64(line_, range_, top_)) {
        beginAtFirst();
        return true;
      }
      leaveLevel(Outcome::kUnclear);
    }
    return false;
  }
  // Takes the outcome of a level.
  FRACTALRAY_TARGET void leaveLevel(Outcome of_level) {
    if (of_level == Outcome::kNone) return;
    outcome_ = of_level;
    if (of_level == Outcome::kUnclear || settings_.mode == HitMode::kAny) {
      level_number_ = 0;  // the last one
    } else {
      // At equal times the finer level comes first, so a coarser block must be earlier.
      limit_.set(found_.enter, true);
    }
  }

  // Reads the chunk, and the blocks of the brick, in which the search begins.
  FRACTALRAY_TARGET void readStart() {
    chunk_ = nullptr;
    if (region_ == nullptr || !hasBit(region_->occupied(), firstSlot(kChunkLog2))) return;
    chunk_ = region_->chunk(firstSlot(kChunkLog2));
    const int brick = firstSlot(kBrickLog2);
    blocks_ = hasBit(content_.bricks(*chunk_), brick) ? content_.blocks(*chunk_, brick) : 0;
  }
  // Searches that chunk, from that brick up, and sets the chunks of its region that are left.
  FRACTALRAY_TARGET Outcome searchStart() {
    chunk_slots_ = 0;
    if (chunk_ != nullptr) {
      const Outcome outcome = searchFirstChunk();
      if (outcome != Outcome::kNone) return outcome;
    }
    if (top_ <= kChunkLog2 || region_ == nullptr) return Outcome::kNone;
    const int slot = slotOf(shiftedDown(range_.first, kChunkLog2));
    region_node_ = firstCube(kRegionLog2);
    chunk_slots_ = slotsAfter(region_node_, kChunkLog2, region_->occupied(), slot);
    return Outcome::kNone;
  }

  // Continues with the next region along the line; returns false if there is none.
  FRACTALRAY_TARGET bool nextRegion() {
    do {
      for (; region_slots_ != 0; region_slots_ &= region_slots_ - 1) {
        const int slot = firstSlotOf(region_slots_);
        if (isPast(area_node_.at + packedSlot(slot, kRegionLog2))) continue;
        region_ = area_->region(line_.levelSlot(slot));
        region_node_ = line_.part(area_node_, slot, kRegionLog2);
        region_slots_ &= region_slots_ - 1;
        return true;
      }
    } while (nextArea());
    return false;
  }
  // Sets the chunks of the region that are on the line.
  FRACTALRAY_TARGET void readRegion() {
    chunk_slots_ = touched(region_node_, kChunkLog2, region_->occupied());
    if (chunk_slots_ != 0) chunk_slots_ = line_.mirrored(chunk_slots_);
  }

  // Continues with the next chunk of the region; returns false if there is none.
  FRACTALRAY_TARGET bool nextChunk() {
    for (; chunk_slots_ != 0; chunk_slots_ &= chunk_slots_ - 1) {
      chunk_slot_ = firstSlotOf(chunk_slots_);
      if (isPast(region_node_.at + packedSlot(chunk_slot_, kChunkLog2))) continue;
      chunk_slots_ &= chunk_slots_ - 1;
      return true;
    }
    return false;
  }
  // Sets the bricks of the chunk that are on the line, and reads the blocks of the first one;
  // returns false if there are none.
  FRACTALRAY_TARGET bool readChunk() {
    chunk_ = region_->chunk(line_.levelSlot(chunk_slot_));
    brick_slots_ = bricksOnLine(*chunk_, region_node_, chunk_slot_, chunk_node_);
    if (brick_slots_ == 0) return false;
    blocks_ = content_.blocks(*chunk_, line_.levelSlot(firstSlotOf(brick_slots_)));
    return true;
  }
  FRACTALRAY_TARGET Outcome searchChunk() {
    return visitBricks(chunk_node_, brick_slots_, *chunk_, blocks_);
  }

  // Returns true once there are more steps than the query may take: its outcome is kUnclear.
  FRACTALRAY_TARGET bool isOutOfSteps() const {
    return cells_ + skips_ > settings_.options.max_steps;
  }

  // Each fetches into the caches what the next stage reads, after enterLevel(), nextRegion() or
  // nextChunk().
  FRACTALRAY_TARGET void fetchStart() const {
    if (region_ == nullptr) return;
    region_->prefetch();
    region_->prefetch(firstSlot(kChunkLog2));
  }
  FRACTALRAY_TARGET void fetchRegion() const { region_->prefetch(); }
  FRACTALRAY_TARGET void fetchChunk() const { region_->prefetch(line_.levelSlot(chunk_slot_)); }

 private:
  // Sets the region of the first block, and that no cube around it has been searched.
  FRACTALRAY_TARGET void beginAtFirst() {
    origin_ = shiftedUp(shiftedDown(range_.first, kAreaLog2), kAreaLog2);
    last_ = packed(range_.last - origin_) | kPackedGuards;
    around_ = kRegionLog2;
    region_slots_ = 0;
    area_slots_ = 0;
    area_ = content_.area(line_.mirrored(range_.first));
    const int slot = firstSlot(kRegionLog2);
    region_ = area_ != nullptr && hasBit(area_->occupied(), slot) ? area_->region(slot) : nullptr;
  }
  // Returns the slot, not mirrored, of the part that holds the first block, 2^log2 blocks wide.
  FRACTALRAY_TARGET int firstSlot(int log2) const {
    return line_.levelSlot(slotOf(shiftedDown(range_.first, log2)));
  }
  // Returns the cube, 2^log2 blocks wide, that holds the first block.
  FRACTALRAY_TARGET SearchNode firstCube(int log2) const {
    return line_.nodeAt(shiftedUp(shiftedDown(range_.first, log2), log2), origin_);
  }
  // Searches the chunk that holds the first block.
  FRACTALRAY_TARGET Outcome searchFirstChunk() {
    ++chunks_;
    const std::uint64_t bricks = content_.bricks(*chunk_);
    if (hasBit(bricks, firstSlot(kBrickLog2))) {
      if (range_.is_at_start && hasBit(blocks_, firstSlot(0))) return Outcome::kUnclear;
      const SearchNode node = firstCube(kBrickLog2);
      const std::uint64_t slots = slotsFrom(node, 0, blocks_, slotOf(range_.first));
      const Outcome outcome = visitBlocks(node, slots, *chunk_, firstSlot(kBrickLog2));
      if (outcome != Outcome::kNone) return outcome;
    }
    if (top_ <= kBrickLog2 || bricks == 0) return Outcome::kNone;
    const SearchNode node = firstCube(kChunkLog2);
    const int brick_slot = slotOf(shiftedDown(range_.first, kBrickLog2));
    const std::uint64_t slots = slotsAfter(node, kBrickLog2, bricks, brick_slot);
    if (slots == 0) return Outcome::kNone;
    return visitBricks(node, slots, *chunk_,
                       content_.blocks(*chunk_, line_.levelSlot(firstSlotOf(slots))));
  }

  // Continues with the next area along the line; from a region or an area around the first block,
  // to the cube around that. Sets its regions; returns false if there is none.
  FRACTALRAY_TARGET [[gnu::noinline]] bool nextArea() {
    if (top_ <= around_) return false;
    if (around_ == kRegionLog2) {
      around_ = kAreaLog2;
      if (area_ != nullptr && area_->occupied() != 0) {
        const int slot = slotOf(shiftedDown(range_.first, kRegionLog2));
        area_node_ = firstCube(kAreaLog2);
        region_slots_ = slotsAfter(area_node_, kRegionLog2, area_->occupied(), slot);
      }
      return true;
    }
    if (around_ == kAreaLog2) {
      around_ = kWindowLog2 - 1;  // below top_, as long as there are areas
      window_node_ = firstCube(kAreaLog2);
      area_slots_ = line_.mirrored(line_.touched(window_node_, kAreaLog2)) & ~bitOf(0);
    }
    for (; area_slots_ != 0; area_slots_ &= area_slots_ - 1) {
      const int slot = firstSlotOf(area_slots_);
      const PackedBlock at = window_node_.at + packedSlot(slot, kAreaLog2);
      if (isPast(at)) continue;
      area_ = content_.area(line_.mirrored(origin_ + unpacked(at)));
      if (area_ == nullptr || area_->occupied() == 0) continue;
      area_node_ = line_.part(window_node_, slot, kAreaLog2);
      region_slots_ = line_.mirrored(touched(area_node_, kRegionLog2, area_->occupied()));
      area_slots_ &= area_slots_ - 1;
      return true;
    }
    return false;
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

  // Searches the chunks of the region that are left, in the order along the line.
  FRACTALRAY_TARGET Outcome visitChunks() {
    const SearchNode region = region_node_;
    for (std::uint64_t slots = chunk_slots_; slots != 0; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      if (isPast(region.at + packedSlot(slot, kChunkLog2))) continue;
      if (isOutOfSteps()) return Outcome::kUnclear;
      const Chunk& chunk = *region_->chunk(line_.levelSlot(slot));
      SearchNode node;
      const std::uint64_t bricks = bricksOnLine(chunk, region, slot, node);
      if (bricks == 0) continue;
      const std::uint64_t blocks = content_.blocks(chunk, line_.levelSlot(firstSlotOf(bricks)));
      const Outcome outcome = visitBricks(node, bricks, chunk, blocks);
      if (outcome != Outcome::kNone) return outcome;
    }
    return Outcome::kNone;
  }
  // Returns the bricks (mirrored) of the chunk in a slot that are on the line, and sets its node if
  // there are any.
  FRACTALRAY_TARGET std::uint64_t bricksOnLine(const Chunk& chunk, const SearchNode& region,
                                               int slot, SearchNode& node) {
    ++chunks_;
    const std::uint64_t bricks = content_.bricks(chunk);
    if (bricks == 0) return 0;
    node = line_.part(region, slot, kChunkLog2);
    const std::uint64_t on_line = touched(node, kBrickLog2, bricks);
    return on_line == 0 ? 0 : line_.mirrored(on_line);
  }
  // Search the parts of a cube in those slots (mirrored), in the order along the line; `blocks` are
  // those of the first brick. Requires: there is a brick.
  FRACTALRAY_TARGET Outcome visitBricks(const SearchNode& chunk, std::uint64_t slots,
                                        const Chunk& in_chunk, std::uint64_t blocks) {
    while (true) {
      const int slot = firstSlotOf(slots);
      const SearchNode node = line_.part(chunk, slot, kBrickLog2);
      blocks = touched(node, 0, blocks);
      if (blocks != 0) {
        const Outcome outcome =
            visitBlocks(node, line_.mirrored(blocks), in_chunk, line_.levelSlot(slot));
        if (outcome != Outcome::kNone) return outcome;
      }
      slots &= slots - 1;
      if (slots == 0) return Outcome::kNone;
      blocks = content_.blocks(in_chunk, line_.levelSlot(firstSlotOf(slots)));
    }
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
      const BlockKind kind = content_.kind(type);
      if (kind != BlockKind::kEmpty) return keep(node, axis, type, kind);
    }
    return Outcome::kNone;
  }

  // Sets `found` to a block that the line enters through the lower plane of an axis.
  FRACTALRAY_TARGET Outcome keep(const SearchNode& node, int axis, BlockTypeId type,
                                 BlockKind kind) {
    const Vec3i mirrored = origin_ + unpacked(node.at);
    const Fraction enter = line_.timeAt(axis, mirrored[axis]);
    if (limit_.excludes(enter)) return Outcome::kNone;
    const Vec3i cell = line_.mirrored(mirrored);
    found_.level = level_number_;
    found_.type = type;
    found_.is_solid = kind == BlockKind::kSolid;
    found_.face = {static_cast<std::int8_t>(axis),
                   static_cast<std::int8_t>(line_.isMirrored(axis) ? 1 : -1)};
    found_.block = {cell[0], cell[1], cell[2]};
    found_.enter = enter;
    found_.leave = line_.leaveTime(node.f, mirrored);
    return Outcome::kFound;
  }

  const FirstBlockSettings& settings_;
  LevelMask levels_;
  FirstBlock& found_;
  SearchedContent content_;
  SearchLine line_;
  TimeLimit limit_;
  Outcome outcome_ = Outcome::kNone;  // of the levels so far

  // The level that is searched; blocks are mirrored.
  int level_number_;
  int top_ = 0;  // log2 of the width of the smallest cube that holds the whole search
  BlockRange range_;
  Vec3i origin_;          // the lower corner of the first block's area
  PackedBlock last_ = 0;  // the last block, with guards

  // The cubes that are being searched, and their parts that are left, mirrored.
  int around_ = 0;  // log2 of the width of the largest cube around the first block
  SearchNode window_node_{};
  std::uint64_t area_slots_ = 0;
  const Area* area_ = nullptr;
  SearchNode area_node_{};
  std::uint64_t region_slots_ = 0;
  const Region* region_ = nullptr;
  SearchNode region_node_{};
  std::uint64_t chunk_slots_ = 0;
  int chunk_slot_ = 0;
  const Chunk* chunk_ = nullptr;
  SearchNode chunk_node_{};
  std::uint64_t brick_slots_ = 0;
  std::uint64_t blocks_ = 0;  // of the first brick

  std::uint64_t cells_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t skips_ = 0;
};

}  // namespace
}  // namespace fractalray::internal
