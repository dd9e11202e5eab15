// SPDX-License-Identifier: Apache-2.0
// Checks that the lanes of all instruction sets give the same masks, bit for bit: those of the
// machine as the portable ones, those of newer sets as PathLanes.
#include "../../../core/internal/geometry/path_lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "../../../core/internal/geometry/path_lanes_x86.h"
#include "../../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

TEST(PathLanesTest, MirroringTwiceRestoresTheSlots) {
  Rng rng("PathLanesTest.Twice");
  for (const unsigned flip : {0x00U, 0x03U, 0x0cU, 0x0fU, 0x30U, 0x33U, 0x3cU, 0x3fU}) {
    const PathLanes lanes({1, 2, 3}, flip, 0);
    for (int slot = 0; slot < 64; ++slot) {
      const std::uint64_t one = std::uint64_t{1} << slot;
      EXPECT_EQ(lanes.mirrored(one), std::uint64_t{1} << (static_cast<unsigned>(slot) ^ flip));
    }
    const std::uint64_t slots = rng.next();
    EXPECT_EQ(lanes.mirrored(lanes.mirrored(slots)), slots);
  }
}

// Returns sixteen numbers of which about a third are near to `middle`.
Lanes lanesAround(Rng& rng, std::int64_t middle, std::int64_t most) {
  Lanes lanes{};
  for (int lane = 0; lane < 16; ++lane) {
    const std::int64_t value = rng.oneIn(3) ? middle - rng.in(-2, 2) : rng.in(-most, most);
    (lane < 8 ? lanes.low : lanes.high)[lane % 8] = static_cast<std::uint16_t>(value);
  }
  return lanes;
}

TEST(PathLanesTest, TheLanesOfTheMachineAgreeWithPortableOnes) {
  if (std::is_same_v<MachineLanes, PortableLanes>) GTEST_SKIP() << "they are portable";
  Rng rng("PathLanesTest.Machine");
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  for (int i = 0; i < 200000; ++i) {
    const std::int64_t most = (std::int64_t{1} << rng.in(0, 14)) - 1;
    const std::int64_t value = rng.in(-2 * most, 2 * most);
    const std::int64_t width = rng.in(0, most);
    const Lanes floor = lanesAround(rng, rng.oneIn(2) ? value : value - width, most);
    const Lanes::Half widths = Lanes::all(width);
    const std::uint64_t expected = PortableLanes::inside(floor, widths, value);
    ASSERT_EQ(MachineLanes::inside(floor, widths, value), expected) << "case " << i;
    ASSERT_EQ(MachineLanes::insideByFours(floor, widths, value),
              PortableLanes::insideByFours(floor, widths, value))
        << "case " << i;
    inside |= expected;
    outside |= ~expected;
  }
  EXPECT_EQ(inside, 0xffffU);
  EXPECT_EQ(outside & 0xffffU, 0xffffU);
}

#ifdef FRACTALRAY_TARGET_V3

struct Masks {
  std::uint64_t touched = 0;
  std::uint64_t mirrored = 0;

  friend bool operator==(const Masks&, const Masks&) = default;
};

struct Case {
  Vec3i length;
  unsigned flip = 0;
  int scale_shift = 0;
  std::array<std::int64_t, 3> f{};
  std::uint64_t slots = 0;
};

Case randomCase(Rng& rng) {
  Case random;
  const int bits = static_cast<int>(rng.in(1, 40));
  std::int64_t all = 0;
  for (int axis = 0; axis < 3; ++axis) {
    random.length[axis] = rng.in(0, (std::int64_t{1} << bits) - 1) * (rng.oneIn(6) ? 0 : 1);
    all |= random.length[axis];
    if (rng.oneIn(2)) random.flip |= 3U << (2 * axis);
  }
  random.scale_shift =
      PathLanes::scaleShift(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all))));
  // Near to 0, where parts are touched, and up to what a lane holds.
  const std::int64_t most = (std::int64_t{1} << rng.in(0, 15)) - 1;
  for (std::int64_t& f : random.f)
    f = rng.in(-most, most);
  random.slots = rng.next();
  return random;
}

Masks masksOfBaseline(const Case& c) {
  const PathLanes lanes(c.length, c.flip, c.scale_shift);
  return {lanes.touched(c.f[0], c.f[1], c.f[2]), lanes.mirrored(c.slots)};
}
FRACTALRAY_TARGET_V3 Masks masksOfV3(const Case& c) {
  const PathLanesV3 lanes(c.length, c.flip, c.scale_shift);
  const Masks masks{lanes.touched(c.f[0], c.f[1], c.f[2]), lanes.mirrored(c.slots)};
  PathLanesV3::leave();
  return masks;
}
FRACTALRAY_TARGET_V4 Masks masksOfV4(const Case& c) {
  const PathLanesV4 lanes(c.length, c.flip, c.scale_shift);
  const Masks masks{lanes.touched(c.f[0], c.f[1], c.f[2]), lanes.mirrored(c.slots)};
  PathLanesV4::leave();
  return masks;
}

void compareWithBaseline(Masks (*masks_of)(const Case&), std::string_view name) {
  Rng rng(name);
  int touched = 0;
  constexpr int kCases = 200000;
  for (int i = 0; i < kCases; ++i) {
    const Case random = randomCase(rng);
    const Masks expected = masksOfBaseline(random);
    ASSERT_EQ(masks_of(random), expected) << "case " << i;
    touched += expected.touched != 0 ? 1 : 0;
  }
  EXPECT_GT(touched, kCases / 10);
}

TEST(PathLanesTest, V3GivesTheSameMasks) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2"))
    GTEST_SKIP() << "this processor has no AVX2";
  compareWithBaseline(masksOfV3, "PathLanesTest.V3");
}

TEST(PathLanesTest, V4GivesTheSameMasks) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl"))
    GTEST_SKIP() << "this processor has no AVX-512";
  compareWithBaseline(masksOfV4, "PathLanesTest.V4");
}

#endif

}  // namespace
}  // namespace fractalray::internal
