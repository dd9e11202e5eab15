// SPDX-License-Identifier: Apache-2.0
// The same as PathLanes for x86-64-v3 and x86-64-v4.
#pragma once

#include "../instruction_sets.h"

#ifdef FRACTALRAY_TARGET_V3

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../vec.h"
#include "path_lanes.h"

namespace fractalray::internal {

// Tables that mirror a word of 64 slots, by octant: bit i of its index is set if axis i is
// mirrored. A slot's number has the bits zzyyxx, so axis x reverses the nibbles of a byte, axis y
// swaps the nibbles and neighbouring bytes, and axis z reverses the four pairs of bytes.
struct MirrorTables {
  using Bytes = std::array<std::uint8_t, 16>;

  alignas(16) std::array<Bytes, 8> order{};  // of the bytes of a word
  // The mirror image of a byte: the parts from its lower nibble, and from its upper one.
  alignas(16) std::array<Bytes, 8> of_lower{};
  alignas(16) std::array<Bytes, 8> of_upper{};

  constexpr MirrorTables() {
    for (unsigned octant = 0; octant < 8; ++octant) {
      const unsigned bit_flip = ((octant & 1) != 0 ? 3U : 0U) ^ ((octant & 2) != 0 ? 4U : 0U);
      const unsigned byte_flip = ((octant & 2) != 0 ? 1U : 0U) ^ ((octant & 4) != 0 ? 6U : 0U);
      for (unsigned i = 0; i < 16; ++i) {
        order[octant][i] = static_cast<std::uint8_t>(i ^ byte_flip);
        unsigned lower = 0;
        unsigned upper = 0;
        for (unsigned bit = 0; bit < 4; ++bit) {
          if (((i >> bit) & 1) == 0) continue;
          lower |= 1U << (bit ^ bit_flip);
          upper |= 1U << ((bit + 4) ^ bit_flip);
        }
        of_lower[octant][i] = static_cast<std::uint8_t>(lower);
        of_upper[octant][i] = static_cast<std::uint8_t>(upper);
      }
    }
  }
};
inline constexpr MirrorTables kMirrorTables;

// Returns the octant of a line from both bits an axis, as PathLanes has them.
constexpr std::size_t octantOf(unsigned flip) {
  return (flip & 1U) | ((flip >> 1) & 2U) | ((flip >> 2) & 4U);
}

// A register of 16 lanes. As a member it is a struct, since a type with attributes loses them as an
// argument of a template.
struct Lanes256 {
  __m256i value;
};

// The constants K of a line; see PathLanes.
struct PlaneLanes256 {
  std::array<Lanes256, 3> floor;
  std::array<Lanes256, 3> width;

  static constexpr auto kSlack = static_cast<std::int16_t>(PathLanes::kSlack);
  static constexpr auto kMostSlack =
      static_cast<std::int16_t>(PathLanes::kMostSlacks * PathLanes::kSlack);

  FRACTALRAY_TARGET_V3 void set(const Vec3i& length, unsigned flip, int scale_shift) {
    const __m256i slack = _mm256_set1_epi16(scale_shift > 0 ? kSlack : 0);
    const __m256i most_slack = _mm256_set1_epi16(scale_shift > 0 ? kMostSlack : 0);
    std::array<Lanes256, 3> less;
    std::array<Lanes256, 3> more;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      less[i].value = _mm256_set1_epi16(static_cast<std::int16_t>(length[axis] >> scale_shift));
      more[i].value = _mm256_add_epi16(less[i].value, slack);
    }
    setPlane(0, 0, 1, flip, less, more, most_slack);
    setPlane(1, 0, 2, flip, less, more, most_slack);
    setPlane(2, 1, 2, flip, less, more, most_slack);
  }

 private:
  FRACTALRAY_TARGET_V3 void setPlane(std::size_t plane, unsigned i, unsigned j, unsigned flip,
                                     const std::array<Lanes256, 3>& less,
                                     const std::array<Lanes256, 3>& more, __m256i most_slack) {
    const __m256i a =
        _mm256_broadcastsi128_si256(reinterpret_cast<__m128i>(kLaneA[(flip >> (2 * i)) & 1]));
    const Lanes& halves = kLaneNextB[(flip >> (2 * j)) & 1];
    const __m256i next_b = _mm256_set_m128i(reinterpret_cast<__m128i>(halves.high),
                                            reinterpret_cast<__m128i>(halves.low));
    floor[plane].value = _mm256_sub_epi16(_mm256_mullo_epi16(a, less[j].value),
                                          _mm256_mullo_epi16(next_b, more[i].value));
    width[plane].value =
        _mm256_add_epi16(_mm256_add_epi16(less[i].value, less[j].value), most_slack);
  }
};

class PathLanesV3 {
 public:
  // Not set, as a PathLanes without arguments.
  PathLanesV3() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)
  FRACTALRAY_TARGET_V3 PathLanesV3(const Vec3i& length, unsigned flip, int scale_shift) {
    planes_.set(length, flip, scale_shift);
    const std::size_t octant = octantOf(flip);
    order_ = load(kMirrorTables.order[octant]);
    of_lower_ = load(kMirrorTables.of_lower[octant]);
    of_upper_ = load(kMirrorTables.of_upper[octant]);
  }

  FRACTALRAY_TARGET_V3 std::uint64_t touched(std::int64_t f_xy, std::int64_t f_xz,
                                             std::int64_t f_yz) const {
    // The packed halves interleave: 8 lanes of xy, 8 of xz, and the same again.
    const __m256i both = _mm256_packs_epi16(inside(0, f_xy), inside(1, f_xz));
    const auto xy_xz = static_cast<unsigned>(_mm256_movemask_epi8(both));
    const __m256i last = inside(2, f_yz);
    const auto yz_yz = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_packs_epi16(last, last)));
    const std::uint64_t xy = _pext_u32(xy_xz, 0x00ff00ffU);
    const std::uint64_t xz = _pext_u32(xy_xz, 0xff00ff00U);
    const std::uint64_t yz = _pext_u32(yz_yz, 0x00ff00ffU);
    return (xy * 0x0001000100010001U) & (_pdep_u64(xz, 0x000f000f000f000fU) * 0x1111U) &
           (_pdep_u64(yz, 0x1111111111111111U) * 0xfU);
  }

  FRACTALRAY_TARGET_V3 std::uint64_t mirrored(std::uint64_t slots) const {
    const __m128i nibble = _mm_set1_epi8(0xf);
    const __m128i bytes =
        _mm_shuffle_epi8(_mm_cvtsi64_si128(static_cast<std::int64_t>(slots)), order_);
    const __m128i lower = _mm_shuffle_epi8(of_lower_, _mm_and_si128(bytes, nibble));
    const __m128i upper =
        _mm_shuffle_epi8(of_upper_, _mm_and_si128(_mm_srli_epi16(bytes, 4), nibble));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_or_si128(lower, upper)));
  }

  // Clears the upper halves of the registers, without which SSE code is slow. g++ 12 does so at the
  // end of a function, but omits it on some paths.
  FRACTALRAY_TARGET_V3 static void leave() { _mm256_zeroupper(); }

 protected:
  PlaneLanes256 planes_;

 private:
  FRACTALRAY_TARGET_V3 static __m128i load(const MirrorTables::Bytes& bytes) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(bytes.data()));
  }
  // Returns ones in the lanes l with floor.l <= value <= floor.l + width.
  FRACTALRAY_TARGET_V3 __m256i inside(std::size_t plane, std::int64_t value) const {
    const __m256i above = _mm256_sub_epi16(_mm256_set1_epi16(static_cast<std::int16_t>(value)),
                                           planes_.floor[plane].value);
    return _mm256_cmpeq_epi16(_mm256_min_epu16(above, planes_.width[plane].value), above);
  }

  __m128i order_;
  __m128i of_lower_;
  __m128i of_upper_;
};

// Compares into mask registers. Its vectors are 32 bytes wide: wider ones lower the clock of some
// processors.
class PathLanesV4 : public PathLanesV3 {
 public:
  PathLanesV4() = default;
  FRACTALRAY_TARGET_V4 PathLanesV4(const Vec3i& length, unsigned flip, int scale_shift)
      : PathLanesV3(length, flip, scale_shift) {}

  FRACTALRAY_TARGET_V4 std::uint64_t touched(std::int64_t f_xy, std::int64_t f_xz,
                                             std::int64_t f_yz) const {
    return (inside(0, f_xy) * 0x0001000100010001U) &
           (_pdep_u64(inside(1, f_xz), 0x000f000f000f000fU) * 0x1111U) &
           (_pdep_u64(inside(2, f_yz), 0x1111111111111111U) * 0xfU);
  }

 private:
  // Returns the lanes l with floor.l <= value <= floor.l + width.
  FRACTALRAY_TARGET_V4 std::uint64_t inside(std::size_t plane, std::int64_t value) const {
    const __m256i above = _mm256_sub_epi16(_mm256_set1_epi16(static_cast<std::int16_t>(value)),
                                           planes_.floor[plane].value);
    return _mm256_cmple_epu16_mask(above, planes_.width[plane].value);
  }
};

}  // namespace fractalray::internal

#endif
