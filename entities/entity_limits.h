// SPDX-License-Identifier: Apache-2.0
// The limits of the members of EntityHandle: both fit the 53 bits of a double's mantissa, since
// other languages have no wider numbers.
#pragma once

#include <cstdint>

namespace fractalray {

// The most slots of an index, and so the most living entities.
inline constexpr std::uint32_t kMaxEntitySlots = std::uint32_t{1} << 26;
// The last generation of a slot, which is not used again after it.
inline constexpr std::uint32_t kMaxEntityGeneration = (std::uint32_t{1} << 27) - 1;

}  // namespace fractalray
