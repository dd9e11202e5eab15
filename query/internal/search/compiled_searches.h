// SPDX-License-Identifier: Apache-2.0
// The searches of direct_search.h and ray_packet.h, compiled for one instruction set.
#pragma once

#include "direct_search.h"
#include "ray_packet.h"

namespace fractalray::internal {

struct CompiledSearches {
  DirectOutcome (*direct)(const DirectQuery&, DirectBlock&, PassedBlocks*, QueryStats&) = nullptr;
  void (*packet)(const PacketQuery&, const RayPacket&, PacketAnswers&, QueryStats&) = nullptr;
};

// Return the searches for x86-64-v3 and x86-64-v4; none if the processor does not have the set (or
// the operating system does not save its registers), or if the compiler does not know it.
CompiledSearches searchesV3();
CompiledSearches searchesV4();

}  // namespace fractalray::internal
