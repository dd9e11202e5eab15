// SPDX-License-Identifier: Apache-2.0
// findFirstBlock() for x86-64-v3 and x86-64-v4.
#pragma once

#include "first_block.h"

namespace fractalray::internal {

using FindFirstBlock = FirstBlock::Outcome (*)(const QueryContext&, FirstBlock&, PassedBlocks*,
                                               QueryStats&);

// Return the search for an instruction set; null if the processor does not have the set (or the
// operating system does not save its registers), or if the compiler does not know it.
FindFirstBlock firstBlockV3();
FindFirstBlock firstBlockV4();

}  // namespace fractalray::internal
