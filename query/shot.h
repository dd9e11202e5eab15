// SPDX-License-Identifier: Apache-2.0
// What a query is asked with and what it answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "../core/corner_policy.h"
#include "../core/segment.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "hit.h"
#include "terminal_rules.h"

namespace fractalray {

// How blocks are found. Every pass gives the same answer; they differ in what they cost.
enum class SearchPass : std::uint8_t {
  kFast,   // whole chunks and bricks at once, by their occupancy
  kPlain,  // block by block: the reference that the fast pass is tested against
};

// Options of a shot; the defaults are a plain bullet that meets everything.
struct ShotOptions {
  CornerPolicy corner = CornerPolicy::kBoth;
  ChannelId channel = kDefaultChannel;
  // What is met at all. `solid_only` leaves out permeable blocks; it does not concern entities.
  bool blocks = true;
  bool entities = true;
  bool solid_only = false;
  // Entities are met only where their categories share a bit with these.
  std::uint64_t categories = std::numeric_limits<std::uint64_t>::max();
  // Entities that are not met, by id; ids of the dead do no harm. Must live as long as the query.
  std::span<const EntityId> ignore{};
  // Goes on behind a hit: only what is later, in the order of hits, than the last of these, and
  // none of their entities again. They are hits of this segment under this corner policy; empty for
  // a query from the start. Must live as long as the query, and not in what it fills.
  std::span<const Hit> after{};
  // Drops every hit whose start is inside: solid blocks too, on every level, and entities.
  bool skip_start_inside = false;
  // Pure predicates on candidates; what they refuse is treated as if it were not there, solid
  // blocks too. May be called early and more than once. Empty ones admit everything.
  std::function<bool(const BlockHit&)> block_filter{};
  std::function<bool(const EntityHit&)> entity_filter{};
  // Where the shot ends, and what it costs to go on, beside what callbacks say: a hit is terminal
  // if any of them says so. A rule is asked before the effect of the hit. Must live, and stay as it
  // is, as long as the query.
  const TerminalRules* rules = nullptr;
  // What the shot starts with of the rules' budgets; their own amounts where it is null.
  const Budgets* budgets = nullptr;
  // At most this many hits, the nearest; the result then says `truncated` where more would have
  // followed.
  std::size_t max_hits = std::numeric_limits<std::size_t>::max();
  // Asks for `unknown_from`, and to stop there: hits at exactly that t still count.
  bool report_unknown = false;
  bool stop_at_unknown = false;
  // The most steps (see QueryStats) that the shot may take; past them it is RESOURCE_EXHAUSTED.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  SearchPass pass = SearchPass::kFast;
};

// The closed part of a segment that ran through the box of a level's loaded chunks.
struct LevelPart {
  int level = 0;
  double t0 = 0;
  double t1 = 1;
};

// The work that a query has done. All but `chunks` are steps, which max_steps bounds; see
// docs/cost.md.
struct QueryStats {
  std::uint64_t cells = 0;   // blocks looked at
  std::uint64_t chunks = 0;  // loaded chunks entered
  // Index chunks looked at for entities, and pages of eight entities past the first two of a chunk.
  std::uint64_t index_cells = 0;
  // Entities looked at: level, categories, lists, and the exact test of their shape.
  std::uint64_t entities_tested = 0;
  // Steps over places where nothing is loaded, and looks at cubes of many blocks at once.
  std::uint64_t skips = 0;
  // Entries of ignore lists and of earlier hits, once an entity is looked up among them; lists of
  // at most 8 entries do not count.
  std::uint64_t listed = 0;
  // Candidates to be sorted in the order of hits; a single one does not count.
  std::uint64_t ordered = 0;

  std::uint64_t steps() const {
    return cells + index_cells + entities_tested + skips + listed + ordered;
  }
  QueryStats& operator+=(const QueryStats& other) {
    cells += other.cells;
    chunks += other.chunks;
    index_cells += other.index_cells;
    entities_tested += other.entities_tested;
    skips += other.skips;
    listed += other.listed;
    ordered += other.ordered;
    return *this;
  }
};

// The versions of the world and the index that an answer was computed on (World::version(),
// EntityIndex::version()).
struct SceneVersion {
  std::uint64_t world = 0;
  std::uint64_t entities = 0;

  friend bool operator==(const SceneVersion&, const SceneVersion&) = default;
};

struct ShotResult {
  // As the shot began: its effects may have changed both since.
  SceneVersion version;
  // The segment that was shot, in units: of a ray, the one that it became.
  FixedSegment segment;
  // Every hit in its order: by t; at equal t entities before blocks, then the finer level first,
  // then blocks in walk order and entities by id.
  std::vector<Hit> hits;
  // Whether the last hit was terminal.
  bool terminated = false;
  // Whether max_hits kept the result from telling more.
  bool truncated = false;
  // Where the shot has rules: what is left of each of their budgets; 0 of one that has ended it.
  std::optional<Budgets> budgets;
  // What resume(shot, ...) needs in addition: what the shot started with, and by how much costs
  // have exceeded it, within the slack of TerminalRules::spend().
  Budgets budgets_at_start{};
  Budgets overdrawn{};
  // Where a budget has ended the shot: the t at which it was used up, at or inside of the last hit.
  std::optional<double> stopped_at;
  // The first t before the end just after which no level of the mask is loaded; only where asked
  // for. Behind a hit (ShotOptions::after) the first one not earlier than that.
  std::optional<double> unknown_from;
  // The levels of the mask through whose bounds the whole segment ran, the coarsest first.
  std::vector<LevelPart> level_parts;
  QueryStats stats;
};

// Whether anything stands between two points.
enum class Occlusion : std::uint8_t {
  kClear,
  kBlocked,
  kUnknown,  // nothing known blocks it, but part of it runs where no level of the mask is loaded
};

// The answer of a line of sight and its cost.
struct OcclusionResult {
  SceneVersion version;
  Occlusion occlusion = Occlusion::kUnknown;
  QueryStats stats;
};

// Options of a line of sight.
struct OcclusionOptions {
  CornerPolicy corner = CornerPolicy::kBoth;
  // Solid blocks of this channel block the sight; permeable ones do not.
  ChannelId channel = kDefaultChannel;
  // Entities block it only where their categories share a bit with these: by default none does.
  std::uint64_t categories = 0;
  // Entities that do not block it, by id. Must live as long as the query.
  std::span<const EntityId> ignore{};
  // Only what is later than the last of these hits blocks, and none of their entities; as in
  // ShotOptions.
  std::span<const Hit> after{};
  // What contains the start does not block it.
  bool skip_start_inside = false;
  // The most steps (see QueryStats) that the query may take; past them it is RESOURCE_EXHAUSTED.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  SearchPass pass = SearchPass::kFast;
};

// The nearest thing that a segment meets.
struct ClosestHit {
  SceneVersion version;
  // The segment asked for, in units.
  FixedSegment segment;
  // Nothing where nothing is met. `terminal` tells whether it is a solid block.
  std::optional<Hit> hit;
  // The first t before the hit (or the end) just after which no level of the mask is loaded; only
  // where asked for.
  std::optional<double> unknown_from;
  QueryStats stats;
};

}  // namespace fractalray
