// SPDX-License-Identifier: Apache-2.0
// The boxes of the pages of a crowded chunk: eight to a cache line, in 8-bit numbers, each around
// the parts of a page's entities within the chunk. A filter finds the pages that a line may need:
// all whose entities it hits within the chunk, and few others.
//
// The projections are those of the filter of pages (entity_page.h). A box is seen there as wide as
// its half extent across plus that along, times the slope:
//
//   across            . - '
//     ^       +-----+'          apart  from the box's centre to the line
//     |       |  . -|           seen   half across + |slope| half along
//     |     . - '   |
//     |. - '  +-----+           The line misses the box if in either projection apart > seen.
//     +-------------------> along
//
// Boxes may leave out all outside of the chunk: the point at which a line comes into an entity is
// in some chunk that the line visits, and the entity is in that chunk's pages too.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "../../core/internal/instruction_sets.h"
#include "entity_page.h"

#if defined(FRACTALRAY_SSE2)
#include <emmintrin.h>
#elif defined(FRACTALRAY_NEON)
#include <arm_neon.h>
#endif

namespace fractalray::internal {

// A chunk's width is 256 steps.
inline constexpr int kBoxStepLog2 = kPageUnitsLog2 - 8;
// The most that rounding may add to a distance as the filter computes it, in page units: see
// kRadiusPad. Centres and half extents are exact here.
inline constexpr int kBoxPad = 6;

// The boxes of up to eight pages that follow each other in a list. One cache line.
struct alignas(64) PageBoxes {
  static constexpr std::uint32_t kLanes = 8;
  using Bytes = std::array<std::uint8_t, kLanes>;

  // By axis: the first and the last step of a box, both included. By default all of the chunk.
  std::array<Bytes, 3> min{};
  std::array<Bytes, 3> max{all(255), all(255), all(255)};
  // The number of PageBoxes of a list, and the sum of the sides of its boxes when the list was last
  // sorted, in square steps; 0 before. Only the first of a list has these.
  std::uint32_t groups = 0;
  bool is_loose = true;  // true if some of these boxes are larger than they need to be
  std::uint64_t sides = 0;

  void setWhole(std::uint32_t lane) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      min[axis][lane] = 0;
      max[axis][lane] = 255;
    }
  }
  // Sets a box around the parts within the chunk of the first `count` entities of a page; returns
  // half the area of its sides.
  std::uint32_t set(std::uint32_t lane, const EntityPage& page, std::uint32_t count);

 private:
  static constexpr Bytes all(std::uint8_t value) {
    return {value, value, value, value, value, value, value, value};
  }
};
static_assert(sizeof(PageBoxes) == 64);

// The boxes along the line and in both projections.
struct BoxLanes {
  struct Span {
    const PageBoxes::Bytes& min;
    const PageBoxes::Bytes& max;
  };

  Span along;
  std::array<Span, 2> across;
};

// Returns the boxes, as bits, that are near in both projections. Equal on all machines.
struct PortableBoxFilter {
  static std::uint32_t near(const BoxLanes& boxes, const Projections& projections,
                            const PageOffsets& offsets) {
    std::uint32_t lanes = 0;
    for (std::uint32_t i = 0; i < PageBoxes::kLanes; ++i) {
      if (isNear(boxes.along, boxes.across[0], i, projections[0], offsets[0] >> 8) &&
          isNear(boxes.along, boxes.across[1], i, projections[1], offsets[1] >> 8)) {
        lanes |= 1U << i;
      }
    }
    return lanes;
  }

 private:
  // Returns the centre from that of the chunk, and half the width, in page units.
  static int center(const BoxLanes::Span& span, std::uint32_t i) {
    return ((span.min[i] + span.max[i] + 1) << (kBoxStepLog2 - 1)) - (1 << (kPageUnitsLog2 - 1));
  }
  static int half(const BoxLanes::Span& span, std::uint32_t i) {
    return (span.max[i] - span.min[i] + 1) << (kBoxStepLog2 - 1);
  }
  static bool isNear(const BoxLanes::Span& along, const BoxLanes::Span& across, std::uint32_t i,
                     const Projection& projection, std::int32_t offset) {
    const int slope = projection.slope[i];
    const int line = saturated(high(center(along, i), slope) + saturated(offset));
    const int apart = saturated(center(across, i) - line);
    const int steep = saturated(std::abs(slope));
    const int seen = half(across, i) + kBoxPad + high(half(along, i), steep);
    return std::max(apart, saturated(-apart)) <= saturated(seen + projection.slack[i]);
  }
  static int saturated(int value) { return std::clamp(value, -32768, 32767); }
  // Returns 2 a b / 2^16, rounded down.
  static int high(int a, int b) { return (2 * a * b) >> 16; }
};

#if defined(FRACTALRAY_SSE2)
struct Sse2BoxFilter {
  static std::uint32_t near(const BoxLanes& boxes, const Projections& projections,
                            const PageOffsets& offsets) {
    // Each offset eight times.
    const __m128i whole = _mm_srai_epi32(reinterpret_cast<__m128i>(offsets), 8);
    const __m128i narrow = _mm_packs_epi32(whole, whole);
    const __m128i twice = _mm_unpacklo_epi16(narrow, narrow);
    const Box along(boxes.along);
    const __m128i center2 = _mm_add_epi16(along.center, along.center);
    const __m128i half2 = _mm_add_epi16(along.half, along.half);
    const __m128i zero = _mm_setzero_si128();
    const auto far = [&](const BoxLanes::Span& span, const Projection& projection, __m128i offset) {
      const Box across(span);
      const auto slope = reinterpret_cast<__m128i>(projection.slope);
      const __m128i steep = _mm_max_epi16(slope, _mm_subs_epi16(zero, slope));
      const __m128i line = _mm_adds_epi16(_mm_mulhi_epi16(center2, slope), offset);
      const __m128i apart = _mm_subs_epi16(across.center, line);
      const __m128i distance = _mm_max_epi16(apart, _mm_subs_epi16(zero, apart));
      const __m128i seen = _mm_add_epi16(_mm_add_epi16(across.half, _mm_set1_epi16(kBoxPad)),
                                         _mm_mulhi_epi16(half2, steep));
      const __m128i reach = _mm_adds_epi16(seen, reinterpret_cast<__m128i>(projection.slack));
      return _mm_cmpgt_epi16(distance, reach);
    };
    const __m128i outside =
        _mm_or_si128(far(boxes.across[0], projections[0], _mm_shuffle_epi32(twice, 0x00)),
                     far(boxes.across[1], projections[1], _mm_shuffle_epi32(twice, 0x55)));
    const int bytes = _mm_movemask_epi8(_mm_packs_epi16(outside, outside));
    return ~static_cast<std::uint32_t>(bytes) & 0xffU;
  }

 private:
  struct Box {
    explicit Box(const BoxLanes::Span& span) {
      const __m128i min = load(span.min);
      const __m128i beyond = _mm_add_epi16(load(span.max), _mm_set1_epi16(1));
      const __m128i corner = _mm_set1_epi16(1 << (kPageUnitsLog2 - 1));
      center = _mm_sub_epi16(_mm_slli_epi16(_mm_add_epi16(min, beyond), kBoxStepLog2 - 1), corner);
      half = _mm_slli_epi16(_mm_sub_epi16(beyond, min), kBoxStepLog2 - 1);
    }
    __m128i center;
    __m128i half;
  };

  static __m128i load(const PageBoxes::Bytes& bytes) {
    const __m128i eight = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes.data()));
    return _mm_unpacklo_epi8(eight, _mm_setzero_si128());
  }
};
using BoxFilter = Sse2BoxFilter;
#elif defined(FRACTALRAY_NEON)
struct NeonBoxFilter {
  static std::uint32_t near(const BoxLanes& boxes, const Projections& projections,
                            const PageOffsets& offsets) {
    const int16x4_t whole = vqshrn_n_s32(reinterpret_cast<int32x4_t>(offsets), 8);
    const Box along(boxes.along);
    const auto close = [&](const BoxLanes::Span& span, const Projection& projection,
                           int16x8_t offset) {
      const Box across(span);
      const auto slope = reinterpret_cast<int16x8_t>(projection.slope);
      const int16x8_t line = vqaddq_s16(high(along.center, slope), offset);
      const int16x8_t apart = vqsubq_s16(across.center, line);
      const int16x8_t seen = vaddq_s16(vaddq_s16(across.half, vdupq_n_s16(kBoxPad)),
                                       high(along.half, vqabsq_s16(slope)));
      const int16x8_t reach = vqaddq_s16(seen, reinterpret_cast<int16x8_t>(projection.slack));
      return vcleq_s16(vqabsq_s16(apart), reach);
    };
    return NeonLanes::bitsOf(
        vandq_u16(close(boxes.across[0], projections[0], vdupq_lane_s16(whole, 0)),
                  close(boxes.across[1], projections[1], vdupq_lane_s16(whole, 1))));
  }

 private:
  struct Box {
    explicit Box(const BoxLanes::Span& span) {
      const int16x8_t min = load(span.min);
      const int16x8_t beyond = vaddq_s16(load(span.max), vdupq_n_s16(1));
      const int16x8_t corner = vdupq_n_s16(1 << (kPageUnitsLog2 - 1));
      center = vsubq_s16(vshlq_n_s16(vaddq_s16(min, beyond), kBoxStepLog2 - 1), corner);
      half = vshlq_n_s16(vsubq_s16(beyond, min), kBoxStepLog2 - 1);
    }
    int16x8_t center;
    int16x8_t half;
  };

  static int16x8_t load(const PageBoxes::Bytes& bytes) {
    return vreinterpretq_s16_u16(vmovl_u8(vld1_u8(bytes.data())));
  }
  // Returns the upper halves of the products, doubled: numbers of pages fit 15 bits.
  static int16x8_t high(int16x8_t a, int16x8_t b) { return vqdmulhq_s16(a, b); }
};
using BoxFilter = NeonBoxFilter;
#else
using BoxFilter = PortableBoxFilter;
#endif

inline std::uint32_t PageLineFilter::nearBoxes(const PageBoxes& boxes,
                                               const PageOffsets& chunk) const {
  const auto span = [&](std::size_t axis) {
    return BoxLanes::Span{boxes.min[axis], boxes.max[axis]};
  };
  const BoxLanes lanes{span(along_), {span(across_[0]), span(across_[1])}};
  return BoxFilter::near(lanes, projections_, chunk);
}

}  // namespace fractalray::internal
