// SPDX-License-Identifier: Apache-2.0
#include "direct_search.h"

#include <cstdlib>
#include <string_view>

#include "../../../core/check.h"
#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/path_lanes.h"
#include "../../../levels/internal/world_content.h"
#include "compiled_searches.h"
#include "direct_search_lanes.h"
#include "packet_search.h"

namespace fractalray::internal {
namespace {

InstructionSet chooseSet() {
  const char* const variable = std::getenv("FRACTALRAY_INSTRUCTION_SET");
  const std::string_view newest = variable != nullptr ? variable : "";
  if (newest == "baseline") return InstructionSet::kBaseline;
  if (newest != "v3" && isSupported(InstructionSet::kV4)) return InstructionSet::kV4;
  return isSupported(InstructionSet::kV3) ? InstructionSet::kV3 : InstructionSet::kBaseline;
}

constexpr CompiledSearches kBaseline{.direct = runDirectSearch<PathLanes>,
                                     .packet = runPacketSearch<PathLanes, FloatLanes>};

// Returns none for a set that the processor does not have.
CompiledSearches searchesOf(InstructionSet set) {
  switch (set) {
    case InstructionSet::kV4:
      return searchesV4();
    case InstructionSet::kV3:
      return searchesV3();
    case InstructionSet::kBaseline:
      break;
  }
  return kBaseline;
}

// Queries that other static initialisers make before kHasChosen is set use the baseline.
constinit InstructionSet chosen_set = InstructionSet::kBaseline;
constinit CompiledSearches searches = kBaseline;
[[maybe_unused]] const bool kHasChosen = [] {
  chosen_set = chooseSet();
  searches = searchesOf(chosen_set);
  return true;
}();

}  // namespace

bool isSupported(InstructionSet set) {
  return searchesOf(set).direct != nullptr;
}

InstructionSet instructionSet() {
  return chosen_set;
}

bool canPassBlocks(const QueryContext& context) {
  if (context.mode != HitMode::kAll) return false;
  int levels_with_chunks = 0;
  for (int level = 0; level < context.world.frame().levels(); ++level) {
    if (context.levels.contains(level) &&
        Access::content(context.world).level(level).loadedChunks() > 0) {
      ++levels_with_chunks;
    }
  }
  return levels_with_chunks == 1;
}

DirectOutcome runDirectSearch(const DirectQuery& query, DirectBlock& found, PassedBlocks* passed,
                              QueryStats& stats) {
  return searches.direct(query, found, passed, stats);
}

DirectOutcome runDirectSearch(InstructionSet set, const DirectQuery& query, DirectBlock& found,
                              PassedBlocks* passed, QueryStats& stats) {
  FRACTALRAY_DCHECK(isSupported(set), set);
  return searchesOf(set).direct(query, found, passed, stats);
}

void runPacketSearch(const PacketQuery& query, const RayPacket& packet, PacketAnswers& answers,
                     QueryStats& stats) {
  searches.packet(query, packet, answers, stats);
}

void runPacketSearch(InstructionSet set, const PacketQuery& query, const RayPacket& packet,
                     PacketAnswers& answers, QueryStats& stats) {
  FRACTALRAY_DCHECK(isSupported(set), set);
  searchesOf(set).packet(query, packet, answers, stats);
}

namespace {

std::uint32_t planeOf(const DirectBlock& block) {
  return block.plane != 0 ? block.plane : planeOfCube(block.face);
}

}  // namespace

void setHit(const FixedSegment& line, const DirectBlock& block, Hit& hit) {
  hit.kind = Hit::Kind::kBlock;
  hit.t = block.enter.toDouble();
  hit.t_exit = block.leave.toDouble();
  hit.face = block.face;
  hit.normal = block.face.normal();
  hit.point = line.pointAt(hit.t);
  hit.distance = hit.t * line.lengthBlocks();
  hit.level = block.level;
  hit.block = block.block;
  hit.type = block.type;
  hit.step = block.step;
  hit.plane = planeOf(block);
  hit.terminal = block.is_solid;
}

CompactHit compactHitOf(const DirectBlock& block) {
  CompactHit hit;
  hit.t = block.enter.toDouble();
  hit.t_exit = block.leave.toDouble();
  hit.block = block.block;
  hit.type = block.type;
  hit.face = block.face;
  hit.plane = planeOf(block) & 0x1ffffU;
  hit.kind = Hit::Kind::kBlock;
  hit.step = block.step & 7U;
  hit.terminal = block.is_solid;
  hit.level = static_cast<std::int8_t>(block.level);
  return hit;
}

}  // namespace fractalray::internal
