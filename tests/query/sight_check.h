// SPDX-License-Identifier: Apache-2.0
// Checks answers of queries of sight against the oracle.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "../../query/sight.h"
#include "../oracle/exact.h"
#include "../oracle/sight_oracle.h"
#include "sight_scene.h"

namespace fractalray::sight_test {

// Returns why an answer is wrong, or nothing: compares it with the oracle, checks the witness, and
// proves the certificate again.
std::optional<std::string> faultOf(const SightCase& of, const SightAnswer& answer,
                                   const oracle::ExactSight& exact);

// Returns the direction of a witness.
std::array<oracle::Integer, 3> directionOf(const SightWitness& witness);

// The width that the interval of an exposure may have, unless the box is thin.
inline constexpr double kShareWidth = 0x1p-20;

// Returns true if a box is at least 1/1,024 of its distance thick, on each axis on which it is not
// flat: its exposure is then known to kShareWidth.
bool isThick(const SightQuery& query);

// Returns why an exposure is wrong, or nothing: its ends are multiples of 2^-30 around the exact
// shares, exactly 0 and 1 where nothing and all is seen, and near the shares if the box is thick.
// Requires: the oracle was asked for the shares.
std::optional<std::string> faultOf(const SightCase& of, const ExposureAnswer& answer,
                                   const oracle::ExactSight& exact);

}  // namespace fractalray::sight_test
