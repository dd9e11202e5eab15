// SPDX-License-Identifier: Apache-2.0
// Integer division that rounds one way on both sides of zero.
#pragma once

namespace fractalray {

// Returns the quotient rounded down, and rounded up. Requires: the divisor is positive.
template <class Int>
constexpr Int floorDiv(Int value, Int divisor) {
  const Int quotient = value / divisor;
  return (value % divisor) < 0 ? quotient - 1 : quotient;
}
template <class Int>
constexpr Int ceilDiv(Int value, Int divisor) {
  const Int quotient = value / divisor;
  return (value % divisor) > 0 ? quotient + 1 : quotient;
}

}  // namespace fractalray
