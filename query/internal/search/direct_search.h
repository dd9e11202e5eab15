// SPDX-License-Identifier: Apache-2.0
// The direct search for the first block of a line: what most queries need, without the stream of
// candidates. It finds the same block as the passes do, or reports that the passes have to. For
// shots on one level, it also finds the permeable blocks in front of that block.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../../core/arithmetic/fraction.h"
#include "../../../core/face.h"
#include "../../../core/segment.h"
#include "../../../core/vec.h"
#include "../../../levels/block_type.h"
#include "../../compact_hit.h"
#include "../../hit.h"
#include "../../query_stats.h"
#include "query_context.h"

namespace fractalray::internal {

enum class DirectOutcome : std::uint8_t {
  kNone,  // no block is hit
  kFound,
  kUnclear,  // left to the passes: a tie at an edge or a corner, a start inside, a long line
};

// A block that a line hits, entered through a face.
struct EnteredBlock {
  // Not an aggregate, so that it is not set before use: most queries find one block or none.
  EnteredBlock() {}  // NOLINT(modernize-use-equals-default,cppcoreguidelines-pro-type-member-init)

  int level;
  BlockTypeId type;
  Face face;
  BlockCoord block;
  Fraction enter;
};

// The first block that a line hits.
struct DirectBlock : EnteredBlock {
  bool is_solid = false;
  // Is set by a search for any block: true if a quick test has shown that some level has the whole
  // line loaded. Set even if no block is found.
  bool is_line_loaded = false;
  std::uint8_t step = 1;    // as in Hit
  std::uint32_t plane = 0;  // as in Hit, of a block that does not fill its cube
  Fraction leave;           // the same as Line::leaveTime(), or that of the shape
};

// Sets a new hit to that as which the block is reported, in place: a copy costs as much.
void setHit(const FixedSegment& line, const DirectBlock& block, Hit& hit);
// Build the same hit.
inline Hit hitOf(const FixedSegment& line, const DirectBlock& block) {
  Hit hit;
  setHit(line, block, hit);
  return hit;
}
CompactHit compactHitOf(const DirectBlock& block);

// The permeable blocks that a direct search has passed, in the order of the line: all of those that
// precede its outcome. Reuses its memory from query to query.
class PassedBlocks {
 public:
  // Most lines pass fewer; the passes find those that follow.
  static constexpr std::size_t kMost = 16;

  // Starts a search that is left to the passes after `most` blocks, or after kMost.
  void begin(std::size_t most) {
    count_ = 0;
    most_ = std::min(most, kMost);
  }
  // Appends a block, to be filled in by the caller. Requires: not isFull().
  EnteredBlock& add() { return blocks_[count_++]; }
  bool isFull() const { return count_ == most_; }
  void clear() { count_ = 0; }
  std::span<const EnteredBlock> all() const { return std::span(blocks_).first(count_); }

 private:
  std::array<EnteredBlock, kMost> blocks_;
  std::size_t count_ = 0;
  std::size_t most_ = kMost;
};

// The part of a query that a direct search needs.
struct DirectQuery {
  const World& world;
  const FixedSegment& line;  // neither a point nor reflected
  const QueryOptions& options;
  LevelMask levels;  // active ones only
  HitMode mode = HitMode::kClosest;
  bool solid_only = isSolidOnly(options, mode);
};
inline DirectQuery directQueryOf(const QueryContext& context) {
  return {.world = context.world,
          .line = context.line.segment(),
          .options = context.options,
          .levels = context.levels,
          .mode = context.mode,
          .solid_only = context.solid_only};
}

// Return true if a query can be searched directly, as far as blocks are concerned: as its options
// say, which may have no filter function, and from the start of a line that is no point.
inline bool canSearchDirectly(const QueryOptions& options) {
  return options.pass == SearchPass::kFast && options.filter.blocks && !options.filter.block_filter;
}
inline bool canSearchDirectly(const FixedSegment& line) {
  return line.begin.axes == 0 && line.from != line.to;
}
inline bool canSearchDirectly(const QueryContext& context) {
  return canSearchDirectly(context.options) && context.after.empty() &&
         canSearchDirectly(context.line.segment());
}

// Returns true if a query can hit entities, for which the direct search does not look. Most queries
// hit none because there are none.
inline bool hitsEntities(const EntityIndex& entities, const QueryOptions& options, HitMode mode) {
  return entities.size() > 0 && acceptsEntities(options, mode);
}
inline bool hitsEntities(const QueryContext& context) {
  return hitsEntities(context.entities, context.options, context.mode);
}

// The result of a direct search; kUnclear if there was none.
struct DirectResult {
  DirectOutcome outcome = DirectOutcome::kUnclear;
  DirectBlock block;        // if the outcome is kFound, or has_others
  bool has_others = false;  // true if `block` is the first, but not decisive: others may follow
  // The blocks before `block`; if the outcome is kUnclear, the passes continue after the last one.
  std::span<const EnteredBlock> passed{};

  bool isDecided() const { return outcome != DirectOutcome::kUnclear; }
  bool isFound() const { return outcome == DirectOutcome::kFound; }
  // Returns true if the search has come part of the way, and the passes continue from there.
  bool isCut() const { return !isDecided() && !passed.empty(); }
  // Leaves to the passes what follows the block that was found.
  void leaveOthers() {
    outcome = DirectOutcome::kUnclear;
    has_others = true;
  }
};

// Returns true if a direct search can continue after permeable blocks, so that it finds all hits of
// a query: if only one of its levels has chunks. Requires: canSearchDirectly(context).
bool canPassBlocks(const QueryContext& context);

// Searches all levels of the query, and sets `found` if the outcome is kFound: to the first block;
// or, unless `passed` is null, to the first solid one, and adds the permeable ones before it to
// `passed`. kUnclear once those are full. Counts steps in `stats` as the fast pass does, but none
// on a level of which all blocks on the line are known to defer, unless nothing has come of them;
// kUnclear after more than options.max_steps. Requires: the query can be searched directly;
// `passed` is empty, and null unless canPassBlocks(context).
//
// The search descends the same trees by the same path masks as the fast pass (tree64.h,
// path_mask.h), but
//   - begins at the bottom: at the brick, the chunk and the region in which the line starts;
//   - carries F, the cross products of the line with the corner of a cube, from cube to part;
//   - decides by signs of F which plane of a block is crossed last: 0 is a tie, and unclear.
// Cost: a sixth to a fifth fewer instructions than a pass. Thread-safe as QueryContext is.
DirectOutcome runDirectSearch(const DirectQuery& query, DirectBlock& found, PassedBlocks* passed,
                              QueryStats& stats);

// Searches for the first block if the query can be searched directly.
inline void searchDirectly(const QueryContext& context, DirectResult& direct, QueryStats& stats) {
  if (!canSearchDirectly(context)) return;
  direct.outcome = runDirectSearch(directQueryOf(context), direct.block, nullptr, stats);
}
// Searches for all blocks that a shot hits, if it can be searched directly and has one level; only
// for the first block if it has several. `direct` refers to `passed`.
inline void searchDirectly(const QueryContext& context, DirectResult& direct, PassedBlocks& passed,
                           QueryStats& stats) {
  if (!canSearchDirectly(context)) return;
  if (!canPassBlocks(context)) return searchDirectly(context, direct, stats);
  // One more than can be reported shows if others would follow.
  passed.begin(std::min(context.options.max_hits, PassedBlocks::kMost) + 1);
  direct.outcome = runDirectSearch(directQueryOf(context), direct.block, &passed, stats);
  direct.passed = passed.all();
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
// The same search as runDirectSearch(), by a given set. Requires: isSupported(set).
DirectOutcome runDirectSearch(InstructionSet set, const DirectQuery& query, DirectBlock& found,
                              PassedBlocks* passed, QueryStats& stats);

}  // namespace fractalray::internal
