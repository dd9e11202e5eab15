// SPDX-License-Identifier: Apache-2.0
// The searches of first_block.h and ray_packet.h for x86-64-v3 and x86-64-v4.
#pragma once

#include "first_block.h"
#include "ray_packet.h"

namespace fractalray::internal {

// The direct searches for one instruction set.
struct DirectSearches {
  FirstBlock::Outcome (*first_block)(const QueryContext&, FirstBlock&, PassedBlocks*,
                                     QueryStats&) = nullptr;
  void (*packet)(const PacketQuery&, const RayPacket&, PacketAnswers&, QueryStats&) = nullptr;
};

// Return the searches for an instruction set; none if the processor does not have the set (or the
// operating system does not save its registers), or if the compiler does not know it.
DirectSearches searchesV3();
DirectSearches searchesV4();

}  // namespace fractalray::internal
