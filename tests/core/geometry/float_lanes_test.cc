// SPDX-License-Identifier: Apache-2.0
// The lanes of all instruction sets compute what the same operations on single floats do.
#include "../../../core/internal/geometry/float_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "../../../core/internal/geometry/float_lanes_x86.h"
#include "../../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

constexpr std::size_t kMost = 8;
struct alignas(32) Floats : std::array<float, kMost> {};

// The results of all operations on two vectors.
struct Results {
  Floats product{};
  Floats min{};
  Floats max{};
  std::uint32_t not_above = 0;

  friend bool operator==(const Results&, const Results&) = default;
};

Results resultsOfFloats(const Floats& a, const Floats& b, std::size_t lanes) {
  Results results;
  for (std::size_t i = 0; i < lanes; ++i) {
    results.product[i] = a[i] * b[i];
    results.min[i] = std::min(a[i], b[i]);
    results.max[i] = std::max(a[i], b[i]);
    results.not_above |= (a[i] <= b[i] ? 1U : 0U) << i;
  }
  return results;
}
Results resultsOfBaseline(const Floats& a, const Floats& b) {
  const FloatLanes::Vector x = FloatLanes::load(a.data());
  const FloatLanes::Vector y = FloatLanes::load(b.data());
  Results results;
  FloatLanes::store(x * y, results.product.data());
  FloatLanes::store(FloatLanes::min(x, y), results.min.data());
  FloatLanes::store(FloatLanes::max(x, y), results.max.data());
  results.not_above = FloatLanes::notAbove(x, y);
  return results;
}

// Returns numbers of all sizes, a third of which repeat those of `other`.
Floats randomFloats(Rng& rng, const Floats& other) {
  Floats floats;
  for (std::size_t i = 0; i < kMost; ++i) {
    const auto number = static_cast<float>(rng.in(-1000, 1000));
    floats[i] = rng.oneIn(3) ? other[i] : std::ldexp(number, static_cast<int>(rng.in(-60, 60)));
  }
  return floats;
}

TEST(FloatLanesTest, BaselineIsTheSameAsFloats) {
  Rng rng("FloatLanesTest");
  Floats b{};
  for (int i = 0; i < 100000; ++i) {
    const Floats a = randomFloats(rng, b);
    ASSERT_EQ(resultsOfBaseline(a, b), resultsOfFloats(a, b, FloatLanes::kCount)) << i;
    b = a;
  }
}
TEST(FloatLanesTest, AllIsInAllLanes) {
  Floats four{};
  FloatLanes::store(FloatLanes::all(2.5F), four.data());
  for (std::size_t i = 0; i < FloatLanes::kCount; ++i)
    EXPECT_EQ(four[i], 2.5F);
}

#ifdef FRACTALRAY_TARGET_V3

FRACTALRAY_TARGET_V3 Results resultsOfV3(const Floats& a, const Floats& b) {
  const FloatLanesV3::Vector x = FloatLanesV3::load(a.data());
  const FloatLanesV3::Vector y = FloatLanesV3::load(b.data());
  Results results;
  _mm256_store_ps(results.product.data(), x * y);
  _mm256_store_ps(results.min.data(), FloatLanesV3::min(x, y));
  _mm256_store_ps(results.max.data(), FloatLanesV3::max(x, y));
  results.not_above = FloatLanesV3::notAbove(x, y);
  _mm256_zeroupper();
  return results;
}
FRACTALRAY_TARGET_V3 Floats allOfV3(float value) {
  Floats all;
  _mm256_store_ps(all.data(), FloatLanesV3::all(value));
  _mm256_zeroupper();
  return all;
}

TEST(FloatLanesTest, V3IsTheSameAsFloats) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this CPU does not have it";
  Rng rng("FloatLanesTest.V3");
  Floats b{};
  for (int i = 0; i < 100000; ++i) {
    const Floats a = randomFloats(rng, b);
    ASSERT_EQ(resultsOfV3(a, b), resultsOfFloats(a, b, kMost)) << i;
    b = a;
  }
  const Floats eight = allOfV3(2.5F);
  EXPECT_EQ(std::count(eight.begin(), eight.end(), 2.5F), 8);
}

#endif

}  // namespace
}  // namespace fractalray::internal
