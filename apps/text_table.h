// SPDX-License-Identifier: Apache-2.0
// Shots as tables that a person reads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "../levels/world.h"
#include "../query/shot_result.h"

namespace fractalray {

// Rows of cells as aligned text, the first row a header; columns as wide as their widest cell, in
// UTF-8 bytes. Each row must have as many cells as the header.
std::string formatTable(std::vector<std::vector<std::string>> rows);

// A number with at most `decimals` decimals, trailing zeros cut: "3.5", "12", "-0.125".
std::string formatNumber(double value, int decimals = 4);
// "1, 2.5, 3".
std::string formatPoint(const Vec3d& point, int decimals = 4);

// The hits of a shot, one a row, then how it ended and what was asked for besides; and what is left
// of its rules' budgets, by these names.
std::string formatShot(const World& world, const ShotResult& result,
                       std::span<const std::string> budgets = {});
// The same for the closest hit.
std::string formatClosest(const World& world, const ClosestHit& closest);

}  // namespace fractalray
