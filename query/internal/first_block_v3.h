// SPDX-License-Identifier: Apache-2.0
// The direct searches of first_block.h for x86-64-v3.
#pragma once

#include <span>

#include "first_block.h"

namespace fractalray::internal {

// Returns true if the processor has that instruction set, and the compiler knew it.
bool isV3Supported();

// Require: isV3Supported().
FirstBlock::Outcome findFirstBlockV3(const QueryContext& context, FirstBlock& found,
                                     QueryStats& stats);
void findFirstBlocksV3(const FirstBlockSettings& settings, std::span<FirstBlockQuery> queries);

}  // namespace fractalray::internal
