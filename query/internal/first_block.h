// SPDX-License-Identifier: Apache-2.0
// The direct search for the first block: what most queries for a first hit need, without the stream
// of candidates. It finds the same block as the passes do, or reports that the passes have to.
#pragma once

#include <cstdint>

#include "../../core/arithmetic/fraction.h"
#include "../../core/face.h"
#include "../../core/vec.h"
#include "../../levels/block_type.h"
#include "../query_stats.h"
#include "query_context.h"

namespace fractalray::internal {

// The first block that a line hits, entered through a face.
struct FirstBlock {
  enum class Outcome : std::uint8_t {
    kNone,  // no block is hit
    kFound,
    kUnclear,  // left to the passes: a tie at an edge or a corner, a start inside, a long line
  };

  int level = 0;
  BlockTypeId type = kAir;
  bool is_solid = false;
  Face face = Face::none();
  BlockCoord block{};
  Fraction enter;
  Fraction leave;  // the same as Line::leaveTime()
};

// Returns true if a query can be searched directly, as far as blocks are concerned: from the start
// of a line that is no point, without a filter function.
bool canSearchDirectly(const QueryContext& context);

// Returns true if a query can hit entities, for which the direct search does not look.
inline bool hitsEntities(const QueryContext& context) {
  return context.options.filter.entities && context.entities.size() > 0;
}

// The result of a direct search; kUnclear if there was none.
struct DirectSearch {
  FirstBlock::Outcome outcome = FirstBlock::Outcome::kUnclear;
  FirstBlock block;         // if the outcome is kFound, or has_others
  bool has_others = false;  // true if `block` is the first, but not decisive: others may follow

  bool isDecided() const { return outcome != FirstBlock::Outcome::kUnclear; }
  bool isFound() const { return outcome == FirstBlock::Outcome::kFound; }
  // Leaves to the passes what follows the block that was found.
  void leaveOthers() {
    outcome = FirstBlock::Outcome::kUnclear;
    has_others = true;
  }
};

// Searches all levels of the query, and sets `found` if the outcome is kFound. Counts steps in
// `stats` as the fast pass does; kUnclear after more than options.max_steps. Requires:
// canSearchDirectly(context).
//
// The search descends the same trees by the same path masks as the fast pass (tree64.h,
// path_mask.h), but
//   - begins at the bottom: at the brick, the chunk and the region in which the line starts;
//   - carries F, the cross products of the line with the corner of a cube, from cube to part;
//   - decides by signs of F which plane of a block is crossed last: 0 is a tie, and unclear.
// Cost: a quarter to a third less than that of a pass. Thread-safe as QueryContext is.
FirstBlock::Outcome findFirstBlock(const QueryContext& context, FirstBlock& found,
                                   QueryStats& stats);

// Does the same if the query can be searched directly.
inline void searchDirectly(const QueryContext& context, DirectSearch& direct, QueryStats& stats) {
  if (canSearchDirectly(context)) direct.outcome = findFirstBlock(context, direct.block, stats);
}

// The instruction sets that the search is compiled for. All give the same outcome.
enum class InstructionSet : std::uint8_t {
  kBaseline,  // what the compiler assumes: SSE2 on x86-64, NEON on 64-bit ARM
  kV3,        // x86-64-v3: AVX2 and BMI
  kV4,        // x86-64-v4: AVX-512
};

// Returns true if the processor has a set, and the compiler knew it.
bool isSupported(InstructionSet set);
// Returns the set in use, chosen once: the newest one that the processor has, but none newer than
// the one that the environment variable FRACTALRAY_INSTRUCTION_SET names ("baseline", "v3", "v4").
InstructionSet instructionSet();
// The same search as findFirstBlock(), by a given set. Requires: isSupported(set).
FirstBlock::Outcome findFirstBlockBy(InstructionSet set, const QueryContext& context,
                                     FirstBlock& found, QueryStats& stats);

}  // namespace fractalray::internal
