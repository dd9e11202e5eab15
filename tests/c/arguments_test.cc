// SPDX-License-Identifier: Apache-2.0
#include "../../bindings/c/internal/arguments.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace fractalray::capi {
namespace {

// A limit of a struct has 64 bits, a size_t of a 32-bit machine 32.
TEST(SetLimitTest, LimitsBeyondTheRangeAreTheLargest) {
  std::uint32_t limit = 7;
  setLimit(0, limit);
  EXPECT_EQ(limit, 7) << "0 stands for the default";
  setLimit(5, limit);
  EXPECT_EQ(limit, 5);
  setLimit((std::uint64_t{1} << 32) + 1, limit);
  EXPECT_EQ(limit, std::numeric_limits<std::uint32_t>::max());
  setLimit(std::numeric_limits<std::uint64_t>::max(), limit);
  EXPECT_EQ(limit, std::numeric_limits<std::uint32_t>::max());
}

}  // namespace
}  // namespace fractalray::capi
