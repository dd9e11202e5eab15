// SPDX-License-Identifier: Apache-2.0
// Pages: the entities of an index chunk as a query first reads them, eight to a cache line, each
// reduced to a sphere in 16-bit numbers. A filter rejects eight at a time; it passes all that a
// line hits and few others, which are then tested by their exact shapes.
//
// The filter uses two projections of a line, one for each axis across the one along which the line
// is longest:
//
//   across                                line
//     ^                             . - '       slope   across / along, at most 1
//     |                   | . - '
//     |              . - '|                     apart   from the centre c to the line,
//     |         . - '     | apart                       across, where c is along
//     |    . - '          o c                   seen    half of what the sphere covers there:
//     |- '                 (radius r)                   r sqrt(1 + slope^2) = r + r * spread
//     +----------------------------------> along
//
// The line misses a sphere if in either projection apart > seen. The reverse does not hold (two
// shadows may be hit and the sphere missed), which costs an exact test and no correctness: passing
// everything that the line hits is all that is required. Rounding is on the safe side: stored radii
// are larger by kRadiusPad (entity_page.cc has its parts), and the slack of a projection covers the
// error of doubles. Sums saturate: a distance too long for 16 bits counts as 32767, which passes
// only spheres that are seen as wide.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "../../core/check.h"
#include "../../core/internal/geometry/path_mask.h"
#include "../../core/internal/instruction_sets.h"
#include "../../core/vec.h"
#include "../entity.h"

#if defined(FRACTALRAY_SSE2)
#include <emmintrin.h>
#elif defined(FRACTALRAY_NEON)
#include <arm_neon.h>
#endif

namespace fractalray::internal {

// The width of an index chunk is this many page units (log2), so that an entity in it, whose centre
// may be one and a half chunks from the chunk's, stays within 16 bits twice over.
inline constexpr int kPageUnitsLog2 = 13;

// An entry of a page: a sphere around an entity, from the chunk's centre.
struct PageSphere {
  std::array<std::int16_t, 3> center;  // rounded down
  std::int16_t radius;                 // rounded up, plus the cost of the filter's rounding
};

// Two cache lines side by side: the data that the filter reads, and the data read of the few
// entities that it passes.
struct alignas(128) EntityPage {
  static constexpr std::uint32_t kLanes = 8;
  // The radius of a free lane: no line is near it.
  static constexpr std::int16_t kFree = std::numeric_limits<std::int16_t>::min();

  using Lanes = std::array<std::int16_t, kLanes>;

  std::array<Lanes, 3> center{};
  Lanes radius{kFree, kFree, kFree, kFree, kFree, kFree, kFree, kFree};
  std::array<std::uint32_t, kLanes> slots{};  // of the entities; anything if a lane is free

  void setCenter(std::uint32_t lane, const std::array<std::int16_t, 3>& from) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      center[axis][lane] = from[axis];
  }
  void set(std::uint32_t lane, const PageSphere& sphere) {
    setCenter(lane, sphere.center);
    radius[lane] = sphere.radius;
  }
  PageSphere get(std::uint32_t lane) const {
    return {{center[0][lane], center[1][lane], center[2][lane]}, radius[lane]};
  }
  void put(std::uint32_t lane, std::uint32_t slot, const PageSphere& sphere) {
    set(lane, sphere);
    slots[lane] = slot;
  }
  void clear(std::uint32_t lane) { set(lane, {{0, 0, 0}, kFree}); }
};

// Returns the centre of an entity at `position` as stored in a page of that chunk. Requires: the
// entity's closed shape touches the closed chunk, and its radius is below the chunk's width.
inline std::array<std::int16_t, 3> pageCenter(const Vec3i& position, const ChunkCoord& chunk,
                                              int chunk_shift) {
  std::array<std::int16_t, 3> center{};
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t from_corner = position[axis] - (chunk[axis] << chunk_shift);
    const std::int64_t from_center =
        (from_corner >> (chunk_shift - kPageUnitsLog2)) - (std::int64_t{1} << (kPageUnitsLog2 - 1));
    // At most a radius, less than a chunk's width, from the chunk.
    FRACTALRAY_DCHECK(std::abs(from_center) <= 3 << (kPageUnitsLog2 - 1), axis, position[axis],
                      chunk[axis]);
    center[static_cast<std::size_t>(axis)] = static_cast<std::int16_t>(from_center);
  }
  return center;
}
// Returns the radius of an entity as stored in pages.
std::int16_t pageRadius(const FixedShape& shape, int chunk_shift);

// One projection of a line, in 16 bits that saturate, eight to a vector.
struct Projection {
  using Vector = std::int16_t __attribute__((vector_size(16)));

  Vector slope{};   // of the line, in 1/32768 of the distance along its longest axis
  Vector spread{};  // the widening of a sphere beyond its radius as seen, in 1/32768
  Vector slack{};   // the largest error of doubles, in page units
};
using Projections = std::array<Projection, 2>;
// The line's offsets from a chunk's centre in both projections, at the height of the centre, in
// 1/256 page unit; the rest of the vector is 0.
using PageOffsets = std::int32_t __attribute__((vector_size(16)));

// The centres of a page along the line and in both projections.
struct PageLanes {
  const EntityPage::Lanes& along;
  std::array<const EntityPage::Lanes*, 2> across;
  const EntityPage::Lanes& radius;
};

// Returns the lanes, as bits, that are near in both projections. Equal on all machines.
struct PortablePageFilter {
  static std::uint32_t near(const PageLanes& page, const Projections& projections,
                            const PageOffsets& offsets) {
    std::uint32_t lanes = 0;
    for (std::uint32_t i = 0; i < EntityPage::kLanes; ++i) {
      if (isNear(page, 0, i, projections[0], offsets[0] >> 8) &&
          isNear(page, 1, i, projections[1], offsets[1] >> 8)) {
        lanes |= 1U << i;
      }
    }
    return lanes;
  }

 private:
  static bool isNear(const PageLanes& page, std::size_t number, std::uint32_t i,
                     const Projection& projection, std::int32_t offset) {
    const int line = saturated(high(page.along[i], projection.slope[i]) + saturated(offset));
    const int apart = saturated((*page.across[number])[i] - line);
    const int radius = page.radius[i];
    const int seen = saturated(radius + high(radius, projection.spread[i]));
    return std::max(apart, saturated(-apart)) <= saturated(seen + projection.slack[i]);
  }
  static int saturated(int value) { return std::clamp(value, -32768, 32767); }
  // Returns 2 a b / 2^16, rounded down.
  static int high(int a, int b) { return (saturated(2 * a) * b) >> 16; }
};

#if defined(FRACTALRAY_SSE2)
struct Sse2PageFilter {
  static std::uint32_t near(const PageLanes& page, const Projections& projections,
                            const PageOffsets& offsets) {
    // Each offset eight times.
    const __m128i whole = _mm_srai_epi32(reinterpret_cast<__m128i>(offsets), 8);
    const __m128i narrow = _mm_packs_epi32(whole, whole);
    const __m128i twice = _mm_unpacklo_epi16(narrow, narrow);
    const __m128i along = load(page.along);
    const __m128i along2 = _mm_adds_epi16(along, along);
    const __m128i radius = load(page.radius);
    const __m128i radius2 = _mm_adds_epi16(radius, radius);
    const auto far = [&](const EntityPage::Lanes& across, const Projection& projection,
                         __m128i offset) {
      const __m128i line = _mm_adds_epi16(high(along2, projection.slope), offset);
      const __m128i apart = _mm_subs_epi16(load(across), line);
      const __m128i distance = _mm_max_epi16(apart, _mm_subs_epi16(_mm_setzero_si128(), apart));
      const __m128i seen = _mm_adds_epi16(radius, high(radius2, projection.spread));
      const __m128i reach = _mm_adds_epi16(seen, reinterpret_cast<__m128i>(projection.slack));
      return _mm_cmpgt_epi16(distance, reach);
    };
    const __m128i outside =
        _mm_or_si128(far(*page.across[0], projections[0], _mm_shuffle_epi32(twice, 0x00)),
                     far(*page.across[1], projections[1], _mm_shuffle_epi32(twice, 0x55)));
    const int bytes = _mm_movemask_epi8(_mm_packs_epi16(outside, outside));
    return ~static_cast<std::uint32_t>(bytes) & 0xffU;
  }

 private:
  static __m128i load(const EntityPage::Lanes& lanes) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(lanes.data()));
  }
  static __m128i high(__m128i twice_a, Projection::Vector b) {
    return _mm_mulhi_epi16(twice_a, reinterpret_cast<__m128i>(b));
  }
};
using PageFilter = Sse2PageFilter;
#elif defined(FRACTALRAY_NEON)
struct NeonPageFilter {
  static std::uint32_t near(const PageLanes& page, const Projections& projections,
                            const PageOffsets& offsets) {
    const int16x4_t whole = vqshrn_n_s32(reinterpret_cast<int32x4_t>(offsets), 8);
    const int16x8_t along = vld1q_s16(page.along.data());
    const int16x8_t along2 = vqaddq_s16(along, along);
    const int16x8_t radius = vld1q_s16(page.radius.data());
    const int16x8_t radius2 = vqaddq_s16(radius, radius);
    const auto close = [&](const EntityPage::Lanes& across, const Projection& projection,
                           int16x8_t offset) {
      const int16x8_t line = vqaddq_s16(high(along2, projection.slope), offset);
      const int16x8_t apart = vqsubq_s16(vld1q_s16(across.data()), line);
      const int16x8_t seen = vqaddq_s16(radius, high(radius2, projection.spread));
      const int16x8_t reach = vqaddq_s16(seen, reinterpret_cast<int16x8_t>(projection.slack));
      return vcleq_s16(vqabsq_s16(apart), reach);
    };
    return NeonLanes::bitsOf(
        vandq_u16(close(*page.across[0], projections[0], vdupq_lane_s16(whole, 0)),
                  close(*page.across[1], projections[1], vdupq_lane_s16(whole, 1))));
  }

 private:
  // Returns the upper halves of the products. (vqdmulhq doubles exactly, where twice_a saturates.)
  static int16x8_t high(int16x8_t twice_a, Projection::Vector b) {
    const auto by = reinterpret_cast<int16x8_t>(b);
    const int32x4_t low_products = vmull_s16(vget_low_s16(twice_a), vget_low_s16(by));
    return vshrn_high_n_s32(vshrn_n_s32(low_products, 16), vmull_high_s16(twice_a, by), 16);
  }
};
using PageFilter = NeonPageFilter;
#else
using PageFilter = PortablePageFilter;
#endif

struct PageBoxes;

// A line, prepared for filtering the pages of one index level.
class PageLineFilter {
 public:
  // Prepares the line of `path`; chunks are 2^chunk_shift units wide.
  PageLineFilter(const PathMask& path, int chunk_shift);

  // Returns the line relative to the chunk in the mirrored slot 0 of a region whose mirrored corner
  // is `corner` units ahead of the line's start. Requires: the line is in the region, or a path
  // mask reported the region as touched.
  PageOffsets inRegion(const Vec3i& corner) const {
    const double along = fromStart(corner, along_);
    return PageOffsets{offset(corner, 0, along), offset(corner, 1, along), 0, 0};
  }
  // Returns the line relative to the chunk in another mirrored slot of that region.
  PageOffsets inChunk(const PageOffsets& region, int slot) const {
    const auto at = static_cast<std::size_t>(slot);
    return region + steps_[0][at & 3] + steps_[1][(at >> 2) & 3] + steps_[2][at >> 4];
  }

  // Returns the lanes of a page of that chunk that the line may hit, as bits: at least all that it
  // hits.
  std::uint32_t near(const EntityPage& page, const PageOffsets& chunk) const {
    const PageLanes lanes{
        page.center[along_], {&page.center[across_[0]], &page.center[across_[1]]}, page.radius};
    return PageFilter::near(lanes, projections_, chunk);
  }
  // Returns the pages of that chunk, by their boxes, that the line may need, as bits
  // (page_boxes.h).
  std::uint32_t nearBoxes(const PageBoxes& boxes, const PageOffsets& chunk) const;

 private:
  // Returns the distance in 1/256 page unit from the line's start to the centre of the chunk in
  // slot 0.
  double fromStart(const Vec3i& corner, std::size_t axis) const {
    return static_cast<double>(corner[static_cast<int>(axis)] + half_) * scale_;
  }
  std::int32_t offset(const Vec3i& corner, std::size_t side, double along) const {
    // A region that the line touches is a few chunks wide, and the line is as near.
    constexpr double kFarthest = 1 << 29;
    const double way = ratio_[side] * along - sign_[side] * fromStart(corner, across_[side]);
    return static_cast<std::int32_t>(std::clamp(way, -kFarthest, kFarthest));
  }

  std::size_t along_ = 0;                              // the axis on which the line is longest
  std::array<std::size_t, 2> across_{};                // the other two
  std::array<double, 2> ratio_{};                      // length across / length along, mirrored
  std::array<double, 2> sign_{};                       // -1 on a mirrored axis
  std::array<std::array<PageOffsets, 4>, 3> steps_{};  // by axis, from slot 0 to another
  Projections projections_{};
  double scale_;       // 1/256 page units a unit
  std::int64_t half_;  // of a chunk's width
};

}  // namespace fractalray::internal
