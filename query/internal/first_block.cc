// SPDX-License-Identifier: Apache-2.0
#include "first_block.h"

#include <cstdlib>
#include <string_view>

#include "../../core/check.h"
#include "../../core/internal/geometry/path_lanes.h"
#include "first_block_v3.h"
#include "first_block_wave.h"

namespace fractalray::internal {
namespace {

InstructionSet chooseSet() {
  const char* const name = std::getenv("FRACTALRAY_INSTRUCTION_SET");
  if (name != nullptr && std::string_view(name) == "baseline") return InstructionSet::kBaseline;
  return isV3Supported() ? InstructionSet::kV3 : InstructionSet::kBaseline;
}

// The searches of an instruction set.
struct Searches {
  FirstBlock::Outcome (*one)(const QueryContext&, FirstBlock&, QueryStats&);
  void (*many)(const FirstBlockSettings&, std::span<FirstBlockQuery>);
};
constexpr Searches kBaselineSearches{searchFirstBlock<PathLanes>, searchFirstBlocks<PathLanes>};
constexpr Searches kV3Searches{findFirstBlockV3, findFirstBlocksV3};
const Searches& searchesOf(InstructionSet set) {
  return set == InstructionSet::kV3 ? kV3Searches : kBaselineSearches;
}

// Queries that other static initialisers make before kHasChosen is set use the baseline.
constinit InstructionSet chosen_set = InstructionSet::kBaseline;
constinit Searches chosen = kBaselineSearches;
[[maybe_unused]] const bool kHasChosen = [] {
  chosen_set = chooseSet();
  chosen = searchesOf(chosen_set);
  return true;
}();

}  // namespace

bool isSupported(InstructionSet set) {
  return set == InstructionSet::kBaseline || isV3Supported();
}

InstructionSet instructionSet() {
  return chosen_set;
}

bool canSearchDirectly(const QueryContext& context) {
  return canSearchDirectly(context.options) && canSearchDirectly(context.line.segment()) &&
         context.after.empty();
}

FirstBlock::Outcome findFirstBlock(const QueryContext& context, FirstBlock& found,
                                   QueryStats& stats) {
  return chosen.one(context, found, stats);
}
void findFirstBlocks(const FirstBlockSettings& settings, std::span<FirstBlockQuery> queries) {
  chosen.many(settings, queries);
}

FirstBlock::Outcome findFirstBlockBy(InstructionSet set, const QueryContext& context,
                                     FirstBlock& found, QueryStats& stats) {
  FRACTALRAY_DCHECK(isSupported(set), set);
  return searchesOf(set).one(context, found, stats);
}
void findFirstBlocksBy(InstructionSet set, const FirstBlockSettings& settings,
                       std::span<FirstBlockQuery> queries) {
  FRACTALRAY_DCHECK(isSupported(set), set);
  searchesOf(set).many(settings, queries);
}

CompactHit compactOf(const FirstBlock& block) {
  return {.t = block.enter.toDouble(),
          .t_exit = block.leave.toDouble(),
          .block = block.block,
          .type = block.type,
          .kind = Hit::Kind::kBlock,
          .level = static_cast<std::int8_t>(block.level),
          .face = block.face,
          .step = 1,
          .terminal = block.is_solid};
}

Hit hitOf(const FirstBlock& block, const FixedSegment& line) {
  Hit hit;
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
  hit.step = 1;
  hit.terminal = block.is_solid;
  return hit;
}

Hit QueryContext::hitOf(const FirstBlock& block) const {
  return internal::hitOf(block, line.segment());
}

}  // namespace fractalray::internal
