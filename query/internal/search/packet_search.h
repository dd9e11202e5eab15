// SPDX-License-Identifier: Apache-2.0
// The search of ray_packet.h for the first blocks of its rays, for one instruction set, as
// direct_search_lanes.h.
//
// The rays of a packet run through the tree together. At each cube, the parts that any of them may
// touch are those on the hull of the packet: the rays between the least and the greatest slopes.
// Then each part is tested against each ray, several rays in one vector. Both tests are in floats,
// widened by more than their error, so that they never miss a part. All rays have one eye and one
// octant, so one order of the parts is the order along every ray, and the first block that a ray
// may touch is its first block if exact arithmetic shows that the ray enters it through a face.
// If it does not, or touches only an edge, that ray is left to the search for one line.
//
// Laws, each with its test in ray_packet_property_test.cc:
//   1. an outcome other than kUnclear is that of runDirectSearch(), or of the passes if that is
//      unclear;
//   2. outcomes and steps are the same for all instruction sets.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "../../../core/internal/geometry/float_lanes.h"
#include "../../../core/tree64.h"
#include "../../../levels/internal/world_content.h"
#include "direct_line.h"
#include "direct_search.h"
#include "level_blocks.h"
#include "line_descent.h"
#include "ray_packet.h"

namespace fractalray::internal {
namespace {

// A single use for one packet. Slots: PathLanes, or one with the same members; Rays: FloatLanes, or
// one with the same members. Corners of cubes are mirrored, in units ahead of the eye.
template <class Slots, class Rays>
class PacketSearch {
 public:
  using RayLine = DirectLine<Slots>;

  FRACTALRAY_TARGET PacketSearch(const PacketQuery& query, const RayPacket& packet,
                                 PacketAnswers& answers)
      : query_(query),
        packet_(packet),
        answers_(answers),
        blocks_(query.world, query.options.filter.channel, isSolidOnly(query.options, query.mode)),
        sign_(packet.sign()) {
    for (int axis = 0; axis < 3; ++axis) {
      flip_ |= static_cast<unsigned>(sign_[axis] & 3) << (2 * axis);
      eye_[axis] = (packet.eye()[axis] ^ sign_[axis]) - sign_[axis];
    }
    slots_ = Slots(packet.longest(), flip_, 0);
    constexpr std::size_t kInVector = Rays::kCount;
    const std::size_t lanes = (packet.size() + kInVector - 1) / kInVector * kInVector;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      ends_[lane] = packet.ends()[lane] * kSlack;
      latest_end_ = std::max(latest_end_, ends_[lane]);
    }
  }

  FRACTALRAY_TARGET void run() {
    for (int level = query_.world.frame().levels() - 1; level >= 0; --level) {
      const bool all_defer = std::exchange(is_covered_, false);
      if (!query_.levels.contains(level) || !blocks_.setLevel(level, query_.levels)) continue;
      if (all_defer && blocks_.coversFiner()) {
        is_covered_ = true;
        continue;
      }
      shift_ = query_.world.frame().blockShift(level);
      open_ = packet_.all() & ~answers_.unclear;
      if (query_.mode == HitMode::kAny) open_ &= ~answers_.found;
      searchLevel();
    }
  }

  FRACTALRAY_TARGET void addStats(QueryStats& stats) const {
    stats.cells += cells_;
    stats.chunks += chunks_;
    stats.skips += skips_;
    stats.direct += static_cast<std::uint64_t>(std::popcount(packet_.all() & ~answers_.unclear));
  }

 private:
  // Makes up for the rounding of both sides of a comparison, which are off by less than 2^-21.
  static constexpr float kSlack = 1 + 0x1p-20F;
  // A distance that no ray comes to.
  static constexpr float kFarthest = 0x1p127F;
  // The cubes and blocks that a packet may examine: some at first, and more with each ray that is
  // closed.
  static constexpr std::uint64_t kExaminedFirst = 256;
  static constexpr std::uint64_t kExaminedPerRay = 8;

  // Searches a level for the first blocks of the open rays.
  FRACTALRAY_TARGET void searchLevel() {
    const ChunkBounds& box = blocks_.level().bounds();
    Vec3i first;
    Vec3i last;
    bool is_empty = false;
    bool is_eye_inside = true;
    Vec3i far_side;  // of the box, in units ahead of the eye
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t min_block = box.min()[axis] << kChunkLog2;
      const std::int64_t max_block = (box.max()[axis] << kChunkLog2) + 15;
      const std::int64_t low = sign_[axis] != 0 ? ~max_block : min_block;
      const std::int64_t high = sign_[axis] != 0 ? ~min_block : max_block;
      first[axis] = (packet_.eye()[axis] >> shift_) ^ sign_[axis];
      last[axis] = std::min((eye_[axis] + packet_.longest()[axis]) >> shift_, high);
      is_empty |= last[axis] < std::max(first[axis], low);
      is_eye_inside &= first[axis] >= low;
      far_side[axis] = ((high + 1) << shift_) - eye_[axis];
    }
    if (is_empty) return;
    const Vec3i start{first[0] ^ sign_[0], first[1] ^ sign_[1], first[2] ^ sign_[2]};
    // The rays in a block would be unclear anyway, each after a search.
    if (commonCubeLog2(first, last) > kWindowLog2 ||
        blocks_.isPresent({start[0], start[1], start[2]})) {
      answers_.unclear |= open_;
      return;
    }
    if (is_eye_inside && box.isFull()) {
      const std::uint64_t inside = raysEndingBefore(far_side);
      answers_.loaded |= inside;
      is_covered_ = inside == open_;
    }
    visitAreas(shiftedUp(shiftedDown(first, kAreaLog2), kAreaLog2 + shift_) - eye_);
  }

  // Returns the open rays that end before all three planes, given in units ahead of the eye;
  // perhaps not those that end shortly before one.
  FRACTALRAY_TARGET std::uint64_t raysEndingBefore(const Vec3i& planes) const {
    std::uint64_t rays = 0;
    for (std::size_t lane = 0; lane < packet_.size(); lane += Rays::kCount) {
      auto leave = Rays::all(kFarthest);
      for (int axis = 0; axis < 3; ++axis) {
        leave = Rays::min(leave, Rays::load(packet_.inverse(axis).data() + lane) *
                                     Rays::all(static_cast<float>(planes[axis])));
      }
      rays |= std::uint64_t{Rays::notAbove(Rays::load(ends_.data() + lane), leave)} << lane;
    }
    return rays & open_;
  }

  // Returns the parts of a cube, 2^log2 blocks wide, that are on the hull, as mirrored slots.
  FRACTALRAY_TARGET std::uint64_t partsOnHull(const Vec3i& corner, int log2) {
    ++skips_;
    // By axis and part: the least distance to the lower plane, the greatest to the upper one.
    alignas(16) std::array<std::array<float, 4>, 3> enter;
    alignas(16) std::array<std::array<float, 4>, 3> leave;
    const std::int64_t width = std::int64_t{1} << (shift_ + log2);
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      const float least = packet_.leastInverse(axis);
      const float greatest = packet_.greatestInverse(axis) * kSlack;
      auto plane = static_cast<float>(corner[axis]);
      for (std::size_t part = 0; part < 4; ++part) {
        enter[i][part] = std::max(plane * least, 0.0F);
        plane = static_cast<float>(corner[axis] + static_cast<std::int64_t>(part + 1) * width);
        leave[i][part] = std::min(plane * greatest, latest_end_);
      }
    }
    const FloatLanes::Vector enter_x = FloatLanes::load(enter[0].data());
    const FloatLanes::Vector leave_x = FloatLanes::load(leave[0].data());
    std::uint64_t parts = 0;
    for (std::size_t z = 0; z < 4; ++z) {
      for (std::size_t y = 0; y < 4; ++y) {
        const auto enter_yz = FloatLanes::all(std::max(enter[1][y], enter[2][z]));
        const auto leave_yz = FloatLanes::all(std::min(leave[1][y], leave[2][z]));
        const std::uint64_t bits = FloatLanes::notAbove(FloatLanes::max(enter_x, enter_yz),
                                                        FloatLanes::min(leave_x, leave_yz));
        parts |= bits << (4 * y + 16 * z);
      }
    }
    return parts;
  }
  // Returns those of them that are `present` (not mirrored), as mirrored slots.
  FRACTALRAY_TARGET std::uint64_t partsOnHull(const Vec3i& corner, int log2,
                                              std::uint64_t present) {
    return partsOnHull(corner, log2) & slots_.mirrored(present);
  }
  // Returns those of the given rays that may touch a cube, 2^log2 blocks wide.
  FRACTALRAY_TARGET std::uint64_t raysIn(const Vec3i& corner, int log2, std::uint64_t among) const {
    using Vector = typename Rays::Vector;
    const std::int64_t width = std::int64_t{1} << (shift_ + log2);
    const Vector low_x = Rays::all(static_cast<float>(corner[0]));
    const Vector low_y = Rays::all(static_cast<float>(corner[1]));
    const Vector low_z = Rays::all(static_cast<float>(corner[2]));
    const Vector high_x = Rays::all(static_cast<float>(corner[0] + width) * kSlack);
    const Vector high_y = Rays::all(static_cast<float>(corner[1] + width) * kSlack);
    const Vector high_z = Rays::all(static_cast<float>(corner[2] + width) * kSlack);
    std::uint64_t rays = 0;
    // Vector by vector, but only those that have such rays.
    constexpr std::uint64_t kVector = (std::uint64_t{1} << Rays::kCount) - 1;
    for (std::uint64_t rest = among; rest != 0;) {
      const int lane = std::countr_zero(rest) & -Rays::kCount;
      rest &= ~(kVector << lane);
      const Vector x = Rays::load(packet_.inverse(0).data() + lane);
      const Vector y = Rays::load(packet_.inverse(1).data() + lane);
      const Vector z = Rays::load(packet_.inverse(2).data() + lane);
      const Vector enter =
          Rays::max(Rays::max(x * low_x, y * low_y), Rays::max(z * low_z, Rays::all(0)));
      const Vector leave = Rays::min(Rays::min(x * high_x, y * high_y),
                                     Rays::min(z * high_z, Rays::load(ends_.data() + lane)));
      rays |= std::uint64_t{Rays::notAbove(enter, leave)} << lane;
    }
    return rays & among;
  }
  FRACTALRAY_TARGET Vec3i partOf(const Vec3i& corner, int slot, int log2) const {
    return corner + shiftedUp(offsetOf(slot), shift_ + log2);
  }
  FRACTALRAY_TARGET int levelSlot(int slot) const { return slot ^ static_cast<int>(flip_); }
  // Returns the block, mirrored, with that lower corner.
  FRACTALRAY_TARGET Vec3i blockAt(const Vec3i& corner) const {
    return shiftedDown(corner + eye_, shift_);
  }

  // Search the parts of a cube that some of the given rays may touch, in the order along the rays,
  // until all of these are closed.
  FRACTALRAY_TARGET void visitAreas(const Vec3i& window) {
    for (std::uint64_t slots = partsOnHull(window, kAreaLog2); slots != 0 && open_ != 0;
         slots &= slots - 1) {
      const Vec3i corner = partOf(window, firstSlotOf(slots), kAreaLog2);
      const Vec3i block = blockAt(corner);
      const Vec3i chunk = shiftedDown(
          Vec3i{block[0] ^ sign_[0], block[1] ^ sign_[1], block[2] ^ sign_[2]}, kChunkLog2);
      const Area* const area = blocks_.level().area({chunk[0], chunk[1], chunk[2]});
      if (area == nullptr || area->occupied() == 0) continue;
      const std::uint64_t rays = raysIn(corner, kAreaLog2, open_);
      if (rays != 0) visitRegions(corner, rays, *area);
    }
  }
  FRACTALRAY_TARGET void visitRegions(const Vec3i& area, std::uint64_t among, const Area& in_area) {
    for (std::uint64_t slots = partsOnHull(area, kRegionLog2, in_area.occupied());
         slots != 0 && (among & open_) != 0; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      const Vec3i corner = partOf(area, slot, kRegionLog2);
      const std::uint64_t rays = raysIn(corner, kRegionLog2, among & open_);
      if (rays != 0) visitChunks(corner, rays, *in_area.region(levelSlot(slot)));
    }
  }
  FRACTALRAY_TARGET void visitChunks(const Vec3i& region, std::uint64_t among,
                                     const Region& in_region) {
    for (std::uint64_t slots = partsOnHull(region, kChunkLog2, in_region.occupied());
         slots != 0 && (among & open_) != 0; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      const Vec3i corner = partOf(region, slot, kChunkLog2);
      if (!spend()) return;
      const std::uint64_t rays = raysIn(corner, kChunkLog2, among & open_);
      if (rays == 0) continue;
      const Chunk& chunk = *in_region.chunk(levelSlot(slot));
      ++chunks_;
      const std::uint64_t bricks = blocks_.bricksOf(chunk);
      if (bricks != 0) visitBricks(corner, rays, bricks, chunk);
    }
  }
  FRACTALRAY_TARGET void visitBricks(const Vec3i& chunk, std::uint64_t among, std::uint64_t bricks,
                                     const Chunk& in_chunk) {
    for (std::uint64_t slots = partsOnHull(chunk, kBrickLog2, bricks);
         slots != 0 && (among & open_) != 0; slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      const std::uint64_t blocks = blocks_.blocksOf(in_chunk, levelSlot(slot));
      if (blocks == 0) continue;
      const Vec3i corner = partOf(chunk, slot, kBrickLog2);
      if (!spend()) return;
      const std::uint64_t rays = raysIn(corner, kBrickLog2, among & open_);
      if (rays != 0) visitBlocks(corner, rays, blocks, in_chunk, levelSlot(slot));
    }
  }
  FRACTALRAY_TARGET void visitBlocks(const Vec3i& brick, std::uint64_t among, std::uint64_t blocks,
                                     const Chunk& chunk, int brick_index) {
    for (std::uint64_t slots = partsOnHull(brick, 0, blocks); slots != 0 && (among & open_) != 0;
         slots &= slots - 1) {
      const int slot = firstSlotOf(slots);
      ++cells_;
      if (!spend()) return;
      const BlockTypeId type = chunk.occupiedBlock(BlockSet::indexOf(brick_index, levelSlot(slot)));
      const BlockKind kind = blocks_.kindOf(type);
      if (kind == BlockKind::kEmpty) continue;
      const Vec3i corner = partOf(brick, slot, 0);
      const Vec3i block = blockAt(corner);
      for (std::uint64_t rays = raysIn(corner, 0, among & open_); rays != 0; rays &= rays - 1)
        meet(static_cast<std::size_t>(std::countr_zero(rays)), corner, block, type, kind);
    }
  }

  // Counts a cube or a block that is examined. Returns false, and leaves the open rays unclear, if
  // these are too many: the hull is then wide, or few of its rays are open, and one by one they
  // take less time.
  FRACTALRAY_TARGET bool spend() {
    if (++examined_ <= most_examined_) return true;
    answers_.unclear |= open_;
    open_ = 0;
    return false;
  }

  // Closes a ray at the first block that it may touch.
  FRACTALRAY_TARGET void meet(std::size_t ray, const Vec3i& corner, const Vec3i& block,
                              BlockTypeId type, BlockKind kind) {
    const std::uint64_t bit = std::uint64_t{1} << ray;
    open_ &= ~bit;
    most_examined_ += kExaminedPerRay;
    if (blocks_.hasShape(type)) [[unlikely]] {
      answers_.unclear |= bit;
      return;
    }
    const FixedSegment& segment = packet_.ray(ray);
    const typename RayLine::Lengths lengths = RayLine::lengthsOf(segment);
    RayLine line(segment, lengths, sign_, eye_, shift_);
    if (!line.fit64(distanceTo(corner))) {
      answers_.unclear |= bit;
      return;
    }
    const CrossProducts f = line.productsAt(block);
    const int axis = line.entryAxis(f);
    // Also leaves to the other search a block that does not begin ahead of the eye, which may be in
    // it, or that begins at the end of the line or later.
    if (axis < 0 || corner[axis] <= 0 || corner[axis] >= lengths.length[axis]) {
      answers_.unclear |= bit;
      return;
    }
    const Fraction enter = line.timeAt(axis, block[axis]);
    DirectBlock& found = answers_.blocks[ray];
    if (segment.end_time != kWholeLine && !(enter < Fraction{segment.end_time, kWholeLine})) {
      answers_.unclear |= bit;
      return;
    }
    // At equal times the finer level comes first.
    if ((answers_.found & bit) != 0 && !(enter < found.enter)) return;
    answers_.found |= bit;
    found.level = blocks_.number();
    found.type = type;
    found.is_solid = kind == BlockKind::kSolid;
    line.setEntry(found, block, axis, enter);
    found.leave = line.leaveTime(f, block);
    ends_[ray] = static_cast<float>(corner[axis]) * packet_.inverse(axis)[ray] * kSlack;
  }
  // Returns a bound of the distances from the eye to the corners of a block on any axis, in blocks.
  FRACTALRAY_TARGET std::int64_t distanceTo(const Vec3i& corner) const {
    const std::int64_t width = std::int64_t{1} << shift_;
    std::int64_t all = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const std::int64_t n = corner[axis];
      all |= (n ^ (n >> 63)) | ((n + width) ^ ((n + width) >> 63));
    }
    return (all >> shift_) + 1;
  }

  // The first members, since they are aligned to the width of vectors.
  Slots slots_;
  // The distance at which each ray ends, at its block on a finer level at the latest; widened.
  alignas(32) RayPacket::PerRay ends_;
  const PacketQuery& query_;
  const RayPacket& packet_;
  PacketAnswers& answers_;
  LevelBlocks blocks_;
  Vec3i eye_;               // mirrored
  Vec3i sign_;              // see RayPacket
  std::uint64_t open_ = 0;  // the rays for which the level has no block yet
  // True if all open rays are in the box of a level's loaded chunks, which has no gaps: so all
  // blocks of the next coarser level on them defer.
  bool is_covered_ = false;
  float latest_end_ = 0;
  unsigned flip_ = 0;  // both bits of a mirrored axis are set
  int shift_ = 0;      // of the level

  std::uint64_t examined_ = 0;
  std::uint64_t most_examined_ = kExaminedFirst;
  std::uint64_t cells_ = 0;
  std::uint64_t chunks_ = 0;
  std::uint64_t skips_ = 0;
};

// Runs the search of a packet.
template <class Slots, class Rays>
FRACTALRAY_TARGET void runPacketSearch(const PacketQuery& query, const RayPacket& packet,
                                       PacketAnswers& answers, QueryStats& stats) {
  PacketSearch<Slots, Rays> search(query, packet, answers);
  search.run();
  search.addStats(stats);
  Slots::leave();
}

}  // namespace
}  // namespace fractalray::internal
