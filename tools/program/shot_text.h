// SPDX-License-Identifier: Apache-2.0
// Shots as text and tables.
#pragma once

#include <span>
#include <string>

#include "../../levels/world.h"
#include "../../query/shot_result.h"
#include "color.h"

namespace fractalray {

// The optional parts of a shot's text.
struct ShotTextOptions {
  std::span<const std::string> budgets{};  // the names of its rules' budgets
  bool says_if_known = false;              // says so if all of the line is loaded
  Colors colors{};
};

// Returns the ends of the line, a table of the hits, how the shot ended and the optional parts.
// Consecutive hits of blocks of one type and level are one row, "default:water x 12", from the
// first block to the last, with the sum of the lengths inside them.
std::string formatShot(const World& world, const ShotResult& result,
                       const ShotTextOptions& options = {});
// Returns the same for the closest hit.
std::string formatClosest(const World& world, const ClosestHit& closest,
                          const ShotTextOptions& options = {});

}  // namespace fractalray
