// SPDX-License-Identifier: Apache-2.0
// Compares answers of the library with the oracle's, or with each other, and writes all of it as
// text.
#pragma once

#include <string>

#include "../../query/query_options.h"
#include "../../query/shot_result.h"
#include "shot_oracle.h"

namespace fractalray::oracle {

// Returns how the two differ, as text; empty if they agree: t, t_exit, unknown_from and level spans
// to 1e-9, all else exactly. If max_hits cut the result short, the contract does not say where such
// a shot ends: unknown_from may then be absent, but not another one.
std::string difference(const ShotResult& answer, const OracleShot& expected,
                       const FixedSegment& segment, const QueryOptions& options);

// Returns how two answers of the library to the same query differ, to the last bit, but for their
// cost; empty if they agree.
std::string difference(const ShotResult& answer, const ShotResult& other);
bool isSame(const Hit& hit, const Hit& other);
// Returns true if the hit is the expected one, its numbers to 1e-9.
bool isSame(const Hit& hit, const OracleHit& expected);

std::string describe(const OracleHit& hit);
// Different hits have different texts, as numbers are written to the last bit.
std::string describe(const Hit& hit);
std::string describe(const FixedSegment& segment);
std::string describe(const QueryOptions& options);
// Writes chunks, the blocks on the segment that are not air, and entities.
std::string describe(const World& world, const EntityIndex& entities, const FixedSegment& segment);

}  // namespace fractalray::oracle
