// SPDX-License-Identifier: Apache-2.0
// Explains why a shot did what it did. The possible hits are computed independently of the shot's
// passes, cell by cell, from the plain walk and the exact times of shapes; the same dispatch that
// answers shots reports them. The tests compare both answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../../core/grid_walk.h"
#include "../hit.h"
#include "../internal/search/candidate.h"
#include "../internal/search/query_context.h"
#include "../internal/shot/dispatcher.h"
#include "outcomes.h"

namespace fractalray {

struct CellTrace {
  CellOutcome outcome = CellOutcome::kEmpty;
  BlockTypeId type = kAir;  // if its chunk is loaded

  friend bool operator==(const CellTrace&, const CellTrace&) = default;
};

// Consecutive cells of a level with the same trace.
struct CellRun {
  CellTrace trace;
  GridCell<3> first;
  GridCell<3> last;
  // The number of cells, and the number of the first one in its pass, from 1; 0 if cells before it
  // were skipped, since they are not counted.
  std::uint64_t cells = 0;
  std::uint64_t number = 0;
};

// Planes of several axes that are crossed at exactly the same time.
struct CornerCrossing {
  Fraction t;
  unsigned axes = 0;  // bit i is axis i
};

// Returns the axes whose planes between cells of these widths the line crosses at exactly `t`.
unsigned axesCrossedAt(const FixedSegment& segment, const Vec3i& widths, const Fraction& t);

// The pass over one level.
struct LevelPass {
  // The most corner crossings that are listed.
  static constexpr std::size_t kMaxCorners = 1000;

  int level = 0;
  // The part of the whole segment in the bounding box of the level's loaded chunks; nothing if the
  // segment misses it.
  std::optional<TimeSpan> bounds;
  // The end of the part of the segment to search, as clipped by finer levels.
  HitTime clip{Fraction::one()};
  bool is_clipped = false;
  std::vector<CellRun> runs;
  std::vector<CornerCrossing> corners;
  std::uint64_t corner_count = 0;
};

struct EntityTrace {
  EntityHandle entity;
  EntityOutcome outcome = EntityOutcome::kMissed;
};

struct TraceStep {
  internal::Candidate candidate;
  StepOutcome outcome = StepOutcome::kHit;
  Hit hit;  // as in the result
  // True if it is hit at exactly the same time as the step before it.
  bool ties = false;
  bool stops = false;                        // by its callback
  std::optional<internal::Charge> charge{};  // by a terminal rule
};

// The types and classes whose callbacks stop the shot; all others let it continue.
struct StoppingCallbacks {
  std::vector<BlockTypeId> stopping_types;
  std::vector<EntityClassId> stopping_classes;
  // The names of the budgets of the options' terminal rules, by number.
  std::vector<std::string> budgets{};
};

struct Explanation {
  explicit Explanation(const internal::QueryContext& shot)
      : context(shot), clip(shot.line.end()), end(shot.line.end()) {}

  internal::QueryContext context;
  // The hit after which the shot resumes (QueryOptions::after), if it does.
  std::optional<internal::Candidate> after;
  std::vector<LevelPass> passes;         // the finest level first
  std::vector<EntityTrace> entities;     // by id
  std::vector<TraceStep> steps;          // in the order of hits
  std::optional<Fraction> unknown_from;  // even if the options do not request it
  // The result that dispatch reported.
  ShotResult result;
  std::vector<std::string> budgets;  // the names of the rules' budgets, by number
  // Nothing later than this is searched for: the time of the first hit that is sure to end the
  // shot, else of the line's end.
  HitTime clip;
  // The end of the shot: the time of the terminal hit, else of the line's end.
  HitTime end;
};

// Returns the time from which the shot hits anything.
HitTime beginOf(const Explanation& explanation);
// Return true if the shot resumes after what has this time and rank, or after this cell of a walk:
// whatever is there, the shot does not hit it.
bool isPassed(const Explanation& explanation, const HitTime& time,
              const internal::Candidate::Rank& rank);
bool isPassed(const Explanation& explanation, int level, const GridCell<3>& cell);

// Returns the trace of a cell that the walk on a level visits.
CellTrace traceOf(const internal::QueryContext& context, int level, const GridCell<3>& cell);

// Explains a shot whose callbacks stop it at the types and classes listed in `stopping`. The world,
// the index and the options must outlive the explanation. Requires: a shot that the service
// answers. Cost: examines the blocks of loaded chunks along the line one by one.
absl::StatusOr<Explanation> explainShot(const World& world, const EntityIndex& entities,
                                        const FixedSegment& segment, LevelMask levels,
                                        const QueryOptions& options,
                                        const StoppingCallbacks& stopping);

// Returns the chunks of a level that the line of the shot touches up to `explanation.clip`, or up
// to its end: loaded chunks and placeholders. Leaves out placeholders in stretches where nothing is
// loaded, since they change no answer. Requires: the level is in the shot's mask.
std::vector<ChunkCoord> chunksAlong(const Explanation& explanation, int level, bool to_the_end);

// Returns the hits of the explanation.
std::vector<Hit> explainedHits(const Explanation& explanation);

// Returns true if the explanation and the answer agree, to the last bit.
bool agrees(const Explanation& explanation, const ShotResult& result);

}  // namespace fractalray
