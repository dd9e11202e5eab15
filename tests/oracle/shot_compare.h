// SPDX-License-Identifier: Apache-2.0
// Answers of the library against the oracle's, or against each other, and all of it as text.
#pragma once

#include <string>

#include "../../query/shot_options.h"
#include "../../query/shot_result.h"
#include "shot_oracle.h"

namespace fractalray::oracle {

// What the two differ in, as text; empty where they agree: t, t_exit, unknown_from and level parts
// to 1e-9, all else exactly. Where max_hits cut the result short the contract does not say where
// such a shot ends: unknown_from may then be absent, but not another one.
std::string difference(const ShotResult& answer, const OracleShot& expected,
                       const FixedSegment& segment, const ShotOptions& options);

// What two answers of the library to the same question differ in, to the last bit, but for what
// they cost; empty where they agree.
std::string difference(const ShotResult& answer, const ShotResult& other);
bool isSame(const Hit& hit, const Hit& other);
// Whether the hit is the expected one, its numbers to 1e-9.
bool isSame(const Hit& hit, const OracleHit& expected);

std::string describe(const OracleHit& hit);
std::string describe(const Hit& hit);
std::string describe(const FixedSegment& segment);
std::string describe(const ShotOptions& options);
// Chunks, the blocks on the segment's way that are not air, and entities.
std::string describe(const World& world, const EntityIndex& entities, const FixedSegment& segment);

}  // namespace fractalray::oracle
