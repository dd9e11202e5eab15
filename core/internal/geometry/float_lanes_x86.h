// SPDX-License-Identifier: Apache-2.0
// The same as FloatLanes for x86-64-v3 and newer.
#pragma once

#include "../instruction_sets.h"

#ifdef FRACTALRAY_TARGET_V3

#include <immintrin.h>

#include <cstdint>

namespace fractalray::internal {

struct FloatLanesV3 {
  using Vector = __m256;
  static constexpr int kCount = 8;

  FRACTALRAY_TARGET_V3 static Vector all(float value) { return _mm256_set1_ps(value); }
  FRACTALRAY_TARGET_V3 static Vector load(const float* values) { return _mm256_load_ps(values); }
  FRACTALRAY_TARGET_V3 static Vector min(Vector a, Vector b) { return _mm256_min_ps(a, b); }
  FRACTALRAY_TARGET_V3 static Vector max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
  FRACTALRAY_TARGET_V3 static std::uint32_t notAbove(Vector a, Vector b) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)));
  }
};

}  // namespace fractalray::internal

#endif
