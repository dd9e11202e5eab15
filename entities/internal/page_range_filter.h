// SPDX-License-Identifier: Apache-2.0
// The SIMD prefilter of range searches: tests the eight bounding spheres of a page against a
// rounded box. Conservative: passes all within reach and few others.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "../../core/check.h"
#include "entity_page.h"

namespace fractalray::internal {

// The points within `radius` of a box, from a chunk's centre and in page units.
struct PageRangeFilter {
  std::array<std::int16_t, 3> min;
  std::array<std::int16_t, 3> max;
  std::int16_t radius;
};

// Limits that keep the sums of squares below within 31 bits: centres of entities are within 1.5
// chunks of the chunk's centre on each axis, radii are at most sqrt(3) chunks.
inline constexpr std::int64_t kPageBallLimit = 14000;        // of min and max
inline constexpr std::int64_t kPageBallRadiusLimit = 16384;  // and of the radius

// Returns the lanes of a page whose sphere is within reach, as bits; undefined for free lanes.
// Equal on all machines. Requires: the limits above.
struct PortablePageBallFilter {
  static std::uint32_t near(const EntityPage& page, const PageRangeFilter& ball) {
    std::uint32_t lanes = 0;
    for (std::uint32_t i = 0; i < EntityPage::kLanes; ++i) {
      int square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const int center = page.center[axis][i];
        const int gap = std::max({ball.min[axis] - center, center - ball.max[axis], 0});
        square += gap * gap;
      }
      const int reach = page.radius[i] + ball.radius;
      if (square <= reach * reach) lanes |= 1U << i;
    }
    return lanes;
  }
};

#if defined(FRACTALRAY_SSE2)
struct Sse2PageBallFilter {
  static std::uint32_t near(const EntityPage& page, const PageRangeFilter& ball) {
    const __m128i x = gap(page, ball, 0);
    const __m128i y = gap(page, ball, 1);
    const __m128i z = gap(page, ball, 2);
    const __m128i reach = _mm_add_epi16(load(page.radius), _mm_set1_epi16(ball.radius));
    const __m128i zero = _mm_setzero_si128();
    const __m128i far_low = _mm_cmpgt_epi32(
        _mm_add_epi32(squares(_mm_unpacklo_epi16(x, y)), squares(_mm_unpacklo_epi16(z, zero))),
        squares(_mm_unpacklo_epi16(reach, zero)));
    const __m128i far_high = _mm_cmpgt_epi32(
        _mm_add_epi32(squares(_mm_unpackhi_epi16(x, y)), squares(_mm_unpackhi_epi16(z, zero))),
        squares(_mm_unpackhi_epi16(reach, zero)));
    const __m128i far = _mm_packs_epi16(_mm_packs_epi32(far_low, far_high), zero);
    return ~static_cast<std::uint32_t>(_mm_movemask_epi8(far)) & 0xffU;
  }

 private:
  static __m128i load(const EntityPage::Lanes& lanes) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(lanes.data()));
  }
  static __m128i gap(const EntityPage& page, const PageRangeFilter& ball, std::size_t axis) {
    const __m128i center = load(page.center[axis]);
    const __m128i below = _mm_sub_epi16(_mm_set1_epi16(ball.min[axis]), center);
    const __m128i above = _mm_sub_epi16(center, _mm_set1_epi16(ball.max[axis]));
    return _mm_max_epi16(_mm_max_epi16(below, above), _mm_setzero_si128());
  }
  // Returns the sums of the squares of two numbers each.
  static __m128i squares(__m128i pairs) { return _mm_madd_epi16(pairs, pairs); }
};
using PageBallFilter = Sse2PageBallFilter;
#elif defined(FRACTALRAY_NEON)
struct NeonPageBallFilter {
  static std::uint32_t near(const EntityPage& page, const PageRangeFilter& ball) {
    const int16x8_t x = gap(page, ball, 0);
    const int16x8_t y = gap(page, ball, 1);
    const int16x8_t z = gap(page, ball, 2);
    const int16x8_t radius = vld1q_s16(page.radius.data());
    const int16x8_t reach = vaddq_s16(radius, vdupq_n_s16(ball.radius));
    const uint32x4_t low =
        close(vget_low_s16(x), vget_low_s16(y), vget_low_s16(z), vget_low_s16(reach));
    const uint32x4_t high =
        close(vget_high_s16(x), vget_high_s16(y), vget_high_s16(z), vget_high_s16(reach));
    return NeonLanes::bitsOf(vmovn_high_u32(vmovn_u32(low), high));
  }

 private:
  static int16x8_t gap(const EntityPage& page, const PageRangeFilter& ball, std::size_t axis) {
    const int16x8_t center = vld1q_s16(page.center[axis].data());
    const int16x8_t below = vsubq_s16(vdupq_n_s16(ball.min[axis]), center);
    const int16x8_t above = vsubq_s16(center, vdupq_n_s16(ball.max[axis]));
    return vmaxq_s16(vmaxq_s16(below, above), vdupq_n_s16(0));
  }
  // Returns ones in the lanes whose gaps are within reach.
  static uint32x4_t close(int16x4_t x, int16x4_t y, int16x4_t z, int16x4_t reach) {
    const int32x4_t square = vmlal_s16(vmlal_s16(vmull_s16(x, x), y, y), z, z);
    return vcleq_s32(square, vmull_s16(reach, reach));
  }
};
using PageBallFilter = NeonPageBallFilter;
#else
using PageBallFilter = PortablePageBallFilter;
#endif

// Converts units from a chunk's corner to page units of 2^shift units from its centre. Far
// coordinates are clamped nearer, so that the filter passes more, never less.
inline std::int16_t pageBallCorner(std::int64_t from_corner, int shift) {
  const std::int64_t center = std::int64_t{1} << (kPageUnitsLog2 - 1);
  return static_cast<std::int16_t>(
      std::clamp((from_corner >> shift) - center, -kPageBallLimit, kPageBallLimit));
}

// Returns the points within `radius` units of the closed box [min, max], relative to the pages of
// that chunk; nothing if the radius is too large for a filter to be of use. Requires: within 2^62.
inline std::optional<PageRangeFilter> pageBall(const Vec3i& min, const Vec3i& max,
                                               std::int64_t radius, const ChunkCoord& chunk,
                                               int chunk_shift) {
  const int shift = chunk_shift - kPageUnitsLog2;
  // Up by 1, and by 2 > sqrt(3) for the centres and corners rounded down.
  const std::int64_t page_radius = (radius >> shift) + 3;
  if (page_radius > kPageBallRadiusLimit) return std::nullopt;
  PageRangeFilter ball{.min = {}, .max = {}, .radius = static_cast<std::int16_t>(page_radius)};
  for (int axis = 0; axis < 3; ++axis) {
    FRACTALRAY_DCHECK(min[axis] >= -2 * kMaxCoordinate && max[axis] <= 2 * kMaxCoordinate, axis,
                      min[axis], max[axis]);
    const std::int64_t corner = chunk[axis] * (std::int64_t{1} << chunk_shift);
    const auto i = static_cast<std::size_t>(axis);
    ball.min[i] = pageBallCorner(min[axis] - corner, shift);
    ball.max[i] = pageBallCorner(max[axis] - corner, shift);
  }
  return ball;
}

}  // namespace fractalray::internal
