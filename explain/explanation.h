// SPDX-License-Identifier: Apache-2.0
// Why a shot did what it did. What it could hit is worked out independently of its passes, cell by
// cell, from the plain walk and the exact times of shapes; what was reported of it comes from the
// same dispatch that answers shots. The tests hold both to the same hits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/grid_walk.h"
#include "../query/hit.h"
#include "../query/internal/candidate.h"
#include "../query/internal/dispatcher.h"
#include "../query/internal/query_context.h"
#include "outcomes.h"

namespace fractalray {

struct CellTrace {
  CellOutcome outcome = CellOutcome::kEmpty;
  BlockTypeId type = kAir;  // where its chunk is loaded

  friend bool operator==(const CellTrace&, const CellTrace&) = default;
};

// Cells of a level with the same trace, one after another.
struct CellRun {
  CellTrace trace;
  GridCell<3> first;
  GridCell<3> last;
  // How many they are, and the number of the first one in its pass, from 1; 0 where stretches were
  // skipped and they are not counted.
  std::uint64_t cells = 0;
  std::uint64_t number = 0;
};

// Planes of several axes that are crossed at exactly the same time.
struct CornerCrossing {
  Fraction t;
  unsigned axes = 0;  // bit i is axis i
};

// The axes whose planes between cells the walk crosses at exactly `t`, in cells of these widths.
unsigned axesCrossedAt(const FixedSegment& segment, const Vec3i& widths, const Fraction& t);

// What the shot did on one level.
struct LevelPass {
  // At most so many corner crossings are named.
  static constexpr std::size_t kMaxCorners = 1000;

  int level = 0;
  // The part of the whole segment in the box of the level's loaded chunks; nothing where it misses
  // it.
  std::optional<TimeSpan> bounds;
  // How far finer levels had left the segment when the pass began.
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
  Hit hit;  // as the result has it
  // True if it is hit at exactly the time of the one before it.
  bool ties = false;
  bool stops = false;                        // by its callback
  std::optional<internal::Charge> charge{};  // by a terminal rule
};

// What the callbacks say; all others let the shot continue.
struct ShotRules {
  std::vector<BlockTypeId> stopping_types;
  std::vector<EntityClassId> stopping_classes;
  // The names of the budgets of the options' terminal rules, by number.
  std::vector<std::string> budgets{};
};

struct Explanation {
  explicit Explanation(const internal::QueryContext& shot)
      : context(shot), clip(shot.line.end()), end(shot.line.end()) {}

  internal::QueryContext context;
  // What the shot resumes after (ShotOptions::after), if so.
  std::optional<internal::Candidate> after;
  std::vector<LevelPass> passes;         // the finest level first
  std::vector<EntityTrace> entities;     // by id
  std::vector<TraceStep> steps;          // in the order of hits
  std::optional<Fraction> unknown_from;  // also if it was not asked for
  // What dispatch reported.
  ShotResult result;
  std::vector<std::string> budgets;  // the names of the rules' budgets, by number
  // Nothing later than this was looked for: the first solid block or what a rule stops at, or the
  // line's end.
  HitTime clip;
  // Where the shot ended: the time of the terminal hit, else that of the line's end.
  HitTime end;
};

// Returns the time from which the shot hits anything.
HitTime beginOf(const Explanation& explanation);
// Return true if the shot resumes after what has this time and rank, or after this cell of a walk:
// whatever is there, the shot does not hit it.
bool isPassed(const Explanation& explanation, const HitTime& time,
              const internal::Candidate::Rank& rank);
bool isPassed(const Explanation& explanation, int level, const GridCell<3>& cell);

// The trace of a cell that the walk on a level visits.
CellTrace traceOf(const internal::QueryContext& context, int level, const GridCell<3>& cell);

// Explains a shot whose callbacks are the rules. The world, the index and the options must outlive
// the explanation. Requires: a shot that the service answers. Cost: the blocks on the way, one by
// one, where chunks are loaded.
absl::StatusOr<Explanation> explainShot(const World& world, const EntityIndex& entities,
                                        const FixedSegment& segment, LevelMask levels,
                                        const ShotOptions& options, const ShotRules& rules);

// The chunks of a level that the line of the shot touches up to `explanation.clip`, or up to its
// end: loaded chunks and placeholders. In stretches where nothing is loaded placeholders are left
// out, since they change no answer. Requires: the level is in the shot's mask.
std::vector<ChunkCoord> chunksAlong(const Explanation& explanation, int level, bool to_the_end);

// The hits that the explanation has come to.
std::vector<Hit> explainedHits(const Explanation& explanation);

// Whether the explanation and the answer agree, to the last bit.
bool agrees(const Explanation& explanation, const ShotResult& result);

}  // namespace fractalray
