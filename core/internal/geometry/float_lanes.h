// SPDX-License-Identifier: Apache-2.0
// A few floats at once, in a vector register: on any machine with 16 bytes a register.
// float_lanes_x86.h has the same for newer instruction sets. All give the same numbers.
#pragma once

#include <cstdint>
#include <cstring>

#include "../instruction_sets.h"

#if defined(FRACTALRAY_SSE2)
#include <emmintrin.h>
#elif defined(FRACTALRAY_NEON)
#include <arm_neon.h>
#endif

namespace fractalray::internal {

struct FloatLanes {
  using Vector = float __attribute__((vector_size(16)));
  static constexpr int kCount = 4;

  static Vector all(float value) { return Vector{value, value, value, value}; }
  // Require: `values` is aligned to the size of a vector.
  static Vector load(const float* values) {
    Vector vector;
    std::memcpy(&vector, __builtin_assume_aligned(values, sizeof vector), sizeof vector);
    return vector;
  }
  static void store(Vector vector, float* values) {
    std::memcpy(__builtin_assume_aligned(values, sizeof vector), &vector, sizeof vector);
  }

  // Return the smaller and the larger number in each lane. Require, here and below: none is NaN.
  static Vector min(Vector a, Vector b) {
#if defined(FRACTALRAY_SSE2)
    return _mm_min_ps(a, b);
#else
    return a < b ? a : b;
#endif
  }
  static Vector max(Vector a, Vector b) {
#if defined(FRACTALRAY_SSE2)
    return _mm_max_ps(a, b);
#else
    return a > b ? a : b;
#endif
  }
  // Returns a word with bit l set iff a <= b in lane l.
  static std::uint32_t notAbove(Vector a, Vector b) {
#if defined(FRACTALRAY_SSE2)
    return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_cmple_ps(a, b)));
#elif defined(FRACTALRAY_NEON)
    const uint32x4_t bits{1, 2, 4, 8};
    const uint32x4_t ones =
        vcleq_f32(reinterpret_cast<float32x4_t>(a), reinterpret_cast<float32x4_t>(b));
    return vaddvq_u32(vandq_u32(ones, bits));
#else
    std::uint32_t mask = 0;
    for (int lane = 0; lane < kCount; ++lane)
      mask |= (a[lane] <= b[lane] ? 1U : 0U) << lane;
    return mask;
#endif
  }
};

}  // namespace fractalray::internal
