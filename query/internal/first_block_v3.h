// SPDX-License-Identifier: Apache-2.0
// findFirstBlock() for x86-64-v3.
#pragma once

#include "first_block.h"

namespace fractalray::internal {

// Returns true if the processor has that instruction set, and the compiler knew it.
bool isV3Supported();

// Requires: isV3Supported().
FirstBlock::Outcome findFirstBlockV3(const QueryContext& context, FirstBlock& found,
                                     QueryStats& stats);

}  // namespace fractalray::internal
