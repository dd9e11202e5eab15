// SPDX-License-Identifier: Apache-2.0
#include "explanation.h"

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>

#include "../../core/arithmetic/int128.h"
#include "../../core/check.h"
#include "../../core/internal/access.h"
#include "../../core/internal/geometry/line_walk.h"
#include "../../entities/internal/index_inspection.h"
#include "../../entities/internal/shape_geometry.h"
#include "../../levels/internal/world_content.h"
#include "../internal/search/block_pass_plain.h"
#include "../internal/search/coverage.h"
#include "../internal/shot/resume_point.h"

namespace fractalray {
namespace {

using internal::Candidate;
using internal::QueryContext;

// Longer segments (in crossings) are walked by bigger steps through space that is not loaded.
constexpr std::uint64_t kMaxCounted = 100'000;

// Returns a block as a candidate, before the options are applied; nothing if the line misses its
// shape.
std::optional<Candidate> blockCandidate(const QueryContext& context, int level, BlockTypeId type,
                                        const GridCell<3>& cell) {
  Candidate candidate;
  candidate.kind = Candidate::Kind::kBlock;
  candidate.step = cell.step;
  candidate.level = level;
  candidate.type = type;
  candidate.face = cell.face;
  candidate.block = {cell.cell[0], cell.cell[1], cell.cell[2]};
  candidate.time = HitTime(cell.t);
  candidate.start_inside = cell.step == 0;
  if (context.shapeOf(type) != kWholeCube && !context.enterShape(candidate, cell.step)) {
    return std::nullopt;
  }
  return candidate;
}

class Explainer {
 public:
  Explainer(const StoppingCallbacks& stopping, Explanation& explanation)
      : stopping_(stopping), context_(explanation.context), out_(explanation) {}

  absl::Status run() {
    if (!context_.after.empty()) {
      absl::StatusOr<Candidate> after = internal::candidateFromHit(context_.after.back(), context_);
      if (!after.ok()) return after.status();
      out_.after = *std::move(after);
    }
    const int levels = context_.world.frame().levels();
    for (int level = levels - 1; level >= 0 && context_.options.filter.blocks; --level) {
      if (context_.levels.contains(level)) passLevel(level);
    }
    if (context_.options.filter.entities) {
      for (int level = levels - 1; level >= 0; --level)
        meetEntities(level);
    }
    std::sort(out_.entities.begin(), out_.entities.end(), [&](const auto& a, const auto& b) {
      return context_.entities.find(a.entity)->id < context_.entities.find(b.entity)->id;
    });
    sortSteps();
    return takeSteps();
  }

 private:
  // The blocks of a level, one by one.
  void passLevel(int level) {
    LevelPass& pass = out_.passes.emplace_back();
    pass.level = level;
    pass.bounds = internal::clipToBounds(context_.world, level, context_.line);
    pass.clip = out_.clip;
    pass.is_clipped = is_clipped_;
    const std::int64_t width = context_.world.frame().blockWidth(level);
    const Vec3i widths{width, width, width};
    const FixedSegment& segment = context_.line.segment();
    GridWalk<3> walk = internal::walkAlong(context_.line, context_.world.frame().blockShift(level),
                                           context_.options.corner);
    const bool counts = walk.crossings() <= kMaxCounted;
    std::uint64_t number = 0;
    do {
      const GridCell<3>& cell = walk.cell();
      if (HitTime(cell.t) > pass.clip) return;
      const CellTrace trace = traceOf(context_, level, cell);
      if (counts) ++number;
      if (!isPassed(out_, level, cell)) {
        if (cell.step == 1) noteCorner(pass, axesCrossedAt(segment, widths, cell.t), cell.t);
        note(pass, trace, cell, number);
        if (isHit(trace.outcome)) meet(level, trace, cell);
        if (isEnd(trace.outcome)) return;
      }
      if (!counts && !walk.atCorner() && isNowhere(trace.outcome)) skipUnloaded(walk, level);
    } while (walk.next());
  }

  static bool isNowhere(CellOutcome outcome) {
    return outcome == CellOutcome::kNotLoaded || outcome == CellOutcome::kPlaceholder;
  }

  void skipUnloaded(GridWalk<3>& walk, int level) const {
    const Vec3i& cell = walk.cell().cell;
    const ChunkCoord chunk = chunkOf({cell[0], cell[1], cell[2]});
    internal::skipCube(walk, {chunk[0], chunk[1], chunk[2]},
                       *internal::Access::content(context_.world).level(level).emptyCubeLog2(chunk),
                       kChunkSize);
  }

  static void noteCorner(LevelPass& pass, unsigned axes, const Fraction& t) {
    if (std::popcount(axes) < 2) return;
    ++pass.corner_count;
    if (pass.corners.size() < LevelPass::kMaxCorners) pass.corners.push_back({t, axes});
  }

  static void note(LevelPass& pass, const CellTrace& trace, const GridCell<3>& cell,
                   std::uint64_t number) {
    if (pass.runs.empty() || pass.runs.back().trace != trace) {
      pass.runs.push_back({.trace = trace, .first = cell, .last = cell, .number = number});
    }
    CellRun& run = pass.runs.back();
    run.last = cell;
    if (number != 0) ++run.cells;
  }

  void meet(int level, const CellTrace& trace, const GridCell<3>& cell) {
    TraceStep& step = out_.steps.emplace_back();
    step.candidate = blockCandidate(context_, level, trace.type, cell).value();
    step.candidate.terminal = isEnd(trace.outcome);
    if (step.candidate.terminal) clipAt(step.candidate.time);
  }

  void clipAt(const HitTime& time) {
    if (!is_clipped_ || time < out_.clip) out_.clip = time;
    is_clipped_ = true;
  }

  // Adds the entities that are stored in the chunks of an index level along the line.
  void meetEntities(int index_level) {
    if (!internal::indexLevels(context_.entities, LevelMask::all()).contains(index_level)) return;
    GridWalk<3> walk = internal::walkAlong(
        context_.line, context_.entities.frame().chunkShift(index_level), CornerPolicy::kNeither);
    do {
      const GridCell<3>& cell = walk.cell();
      if (HitTime(cell.t) > out_.clip) return;
      const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
      if (const auto empty = internal::emptyCubeLog2(context_.entities, index_level, chunk)) {
        internal::skipCube(walk, cell.cell, *empty, 1);
        continue;
      }
      for (const EntityHandle entity : internal::inChunk(context_.entities, index_level, chunk)) {
        if (seen_.insert(entity.slot).second) out_.entities.push_back({entity, meet(entity)});
      }
    } while (walk.next());
  }

  EntityOutcome meet(EntityHandle handle) {
    const Entity& entity = *context_.entities.find(handle);
    const QueryOptions& options = context_.options;
    if (!context_.levels.contains(entity.level)) return EntityOutcome::kOtherLevel;
    if (!options.filter.acceptsCategories(entity.categories)) return EntityOutcome::kOtherCategory;
    if (!context_.matchesFilter(entity)) return EntityOutcome::kIgnored;
    const std::optional<HitTime> time =
        internal::intersect(context_.line, entity.shape, entity.position);
    if (!time.has_value()) return EntityOutcome::kMissed;
    const auto rank = Candidate::rankOfEntity(entity.level, entity.id);
    if (isPassed(out_, *time, rank) || isEarlierHit(handle, entity.id))
      return EntityOutcome::kIgnored;
    if (*time > out_.clip) return EntityOutcome::kAfterClip;
    Candidate candidate;
    candidate.kind = Candidate::Kind::kEntity;
    candidate.level = int{entity.level};
    candidate.entity = handle;
    candidate.entity_id = entity.id;
    candidate.entity_class = entity.entity_class;
    candidate.categories = entity.categories;
    candidate.shape = entity.shape;
    candidate.position = entity.position;
    candidate.time = *time;
    if (options.filter.skip_start_inside && context_.startsInside(candidate))
      return EntityOutcome::kStartInside;
    if (!context_.classifyEntity(candidate)) return EntityOutcome::kRefused;
    out_.steps.emplace_back().candidate = candidate;
    if (candidate.terminal) clipAt(candidate.time);
    return EntityOutcome::kHit;
  }

  bool isEarlierHit(EntityHandle entity, EntityId id) const {
    const bool by_id = context_.options.after_by_id;
    return std::any_of(context_.after.begin(), context_.after.end(), [&](const Hit& hit) {
      return hit.isEntity() && (by_id ? hit.id == id : hit.entity == entity);
    });
  }

  void sortSteps() {
    std::sort(out_.steps.begin(), out_.steps.end(), [](const TraceStep& a, const TraceStep& b) {
      return comesBefore(a.candidate, b.candidate);
    });
    for (std::size_t i = 1; i < out_.steps.size(); ++i) {
      out_.steps[i].ties = out_.steps[i].candidate.time == out_.steps[i - 1].candidate.time;
    }
  }

  // Dispatches the shot, and finds the outcome of each step.
  absl::Status takeSteps() {
    absl::Status status = findUnknown(out_.clip);
    if (status.ok()) status = dispatchShot();
    if (!status.ok()) return status;
    const ShotResult& result = out_.result;
    bool is_after_terminal = false;
    for (std::size_t i = 0; i < out_.steps.size(); ++i) {
      TraceStep& step = out_.steps[i];
      step.hit = context_.hitOf(step.candidate);
      step.stops = stops(step.candidate);
      step.outcome = outcomeOf(step, i, is_after_terminal);
      is_after_terminal = is_after_terminal || step.candidate.terminal;
    }
    if (result.terminated) {
      TraceStep& last = out_.steps[result.hits.size() - 1];
      last.hit.terminal = true;
      out_.end = last.candidate.time;
    }
    if (result.truncated && !out_.unknown_from.has_value()) {
      status = findUnknown(HitTime(context_.line.end()));
    }
    if (out_.unknown_from.has_value() && HitTime(*out_.unknown_from) >= out_.end) {
      out_.unknown_from.reset();
    }
    return status;
  }

  absl::Status dispatchShot() {
    internal::Callbacks callbacks;
    const auto stop = [](const Hit&) { return HitResponse::kStop; };
    for (const BlockTypeId type : stopping_.stopping_types)
      callbacks.blocks.set(type, {{}, stop});
    for (const EntityClassId entity_class : stopping_.stopping_classes)
      callbacks.entities.set(entity_class, {{}, stop});
    internal::QueryContext context = context_;
    context.callbacks = &callbacks;
    internal::PreparedShot shot;
    std::vector<internal::Charge> charges;
    absl::Status status = internal::runShot(context, shot, out_.result, &charges);
    if (status.ok() && out_.result.hits.size() > out_.steps.size()) {
      status = absl::InternalError("the shot has hits that the plain walk has not");
    }
    if (!status.ok()) return status;
    for (const internal::Charge& charge : charges)
      out_.steps[charge.hit].charge = charge;
    return status;
  }

  // `number` is that of the step, and `is_after_terminal` is true if a step before it is terminal.
  StepOutcome outcomeOf(const TraceStep& step, std::size_t number, bool is_after_terminal) const {
    if (number < out_.result.hits.size()) return StepOutcome::kHit;
    if (is_after_terminal || step.candidate.time > out_.clip) return StepOutcome::kAfterClip;
    if (context_.options.stop_at_unknown && out_.unknown_from.has_value() &&
        step.candidate.time > HitTime(*out_.unknown_from)) {
      return StepOutcome::kAfterUnknown;
    }
    return out_.result.truncated ? StepOutcome::kBeyondMaxHits : StepOutcome::kAfterStop;
  }

  absl::Status findUnknown(const HitTime& end) {
    QueryStats stats;
    // The shot itself, which dispatchShot() runs, is bound by max_steps, and may not ask for this.
    QueryOptions unlimited = context_.options;
    unlimited.max_steps = QueryOptions().max_steps;
    const QueryContext context{.world = context_.world,
                               .entities = context_.entities,
                               .callbacks = nullptr,
                               .options = unlimited,
                               .levels = context_.levels,
                               .line = context_.line};
    const absl::StatusOr<std::optional<HitTime>> unknown =
        internal::firstUnknown(context, beginOf(out_), end, stats);
    // Unknown space begins where a chunk ends: at a fraction, which is its own bound. Only where
    // the shot resumes may it begin at another time, just after this bound.
    if (unknown.ok() && unknown->has_value()) out_.unknown_from = (*unknown)->lowerBound();
    return unknown.status();
  }

  bool stops(const Candidate& candidate) const {
    const auto has = [](const auto& list, auto key) {
      return std::find(list.begin(), list.end(), key) != list.end();
    };
    return candidate.isBlock() ? has(stopping_.stopping_types, candidate.type)
                               : has(stopping_.stopping_classes, candidate.entity_class);
  }

  const StoppingCallbacks& stopping_;
  const QueryContext& context_;
  Explanation& out_;
  bool is_clipped_ = false;
  std::unordered_set<std::uint32_t> seen_;
};

bool isSameGeometry(const HitGeometry& a, const HitGeometry& b) {
  return a.t == b.t && a.t_exit == b.t_exit && a.face == b.face && a.normal == b.normal &&
         a.start_inside == b.start_inside && a.point == b.point && a.distance == b.distance;
}

bool isSame(const Hit& a, const Hit& b) {
  if (a.kind != b.kind || a.terminal != b.terminal || a.level != b.level || !isSameGeometry(a, b)) {
    return false;
  }
  return a.isBlock() ? a.block == b.block && a.type == b.type : a.entity == b.entity;
}

bool haveSameSpending(const ShotResult& a, const ShotResult& b) {
  return a.budgets == b.budgets && a.stopped_at == b.stopped_at;
}

}  // namespace

unsigned axesCrossedAt(const FixedSegment& segment, const Vec3i& widths, const Fraction& t) {
  using internal::Int128;
  unsigned axes = 0;
  const bool at_start = t == Fraction::zero();
  const bool at_end = t == Fraction::one();
  const Line line(segment);
  const bool at_begin = line.beginsLater() && t == line.begin();
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t delta = segment.to[axis] - segment.from[axis];
    // A plane at the start is crossed by a line that leaves its first cell at once, one at the end
    // by a line that enters its last cell there.
    if (delta == 0 || (delta > 0 && at_start) || (delta < 0 && at_end)) continue;
    // A reflected line has crossed the planes in which it was reflected.
    if (at_begin && line.isReflected(axis)) continue;
    // The products have 63 bits each; the cell's width contributes two remainders, which fit.
    const Int128 point =
        Int128(segment.from[axis] % widths[axis]) * t.denominator + Int128(delta) * t.numerator;
    if (point % (Int128(widths[axis]) * t.denominator) == 0) axes |= 1U << axis;
  }
  return axes;
}

HitTime beginOf(const Explanation& explanation) {
  return explanation.after.has_value() ? explanation.after->time
                                       : HitTime(explanation.context.line.begin());
}

bool isPassed(const Explanation& explanation, const HitTime& time, const Candidate::Rank& rank) {
  const std::optional<Candidate>& after = explanation.after;
  return after.has_value() && !ranksBefore(after->time, after->rank(), time, rank);
}

bool isPassed(const Explanation& explanation, int level, const GridCell<3>& cell) {
  const BlockCoord block{cell.cell[0], cell.cell[1], cell.cell[2]};
  const absl::StatusOr<BlockTypeId> type = explanation.context.world.block(level, block);
  if (type.ok() && explanation.context.shapeOf(*type) != kWholeCube) {
    // Such a block may be hit later than its cell is entered.
    const auto candidate = blockCandidate(explanation.context, level, *type, cell);
    if (candidate.has_value()) return isPassed(explanation, candidate->time, candidate->rank());
  }
  return isPassed(explanation, HitTime(cell.t), Candidate::rankOfBlock(level, cell.step));
}

CellTrace traceOf(const internal::QueryContext& context, int level, const GridCell<3>& cell) {
  const BlockCoord block{cell.cell[0], cell.cell[1], cell.cell[2]};
  const Chunk* const chunk = context.world.chunk(level, chunkOf(block));
  if (chunk == nullptr) {
    const bool is_proto = context.world.chunkState(level, chunkOf(block)) == ChunkState::kProto;
    return {is_proto ? CellOutcome::kPlaceholder : CellOutcome::kNotLoaded, kAir};
  }
  const int index = indexInChunk(block);
  const BlockTypeId type = chunk->block(index);
  if (chunk->hasLoadedChild(index) && context.levels.contains(level + 1)) {
    return {CellOutcome::kDefers, type};
  }
  const BlockKind kind = context.world.blockTypes().kind(type, context.options.filter.channel);
  if (kind == BlockKind::kEmpty) return {CellOutcome::kEmpty, type};
  if (kind != context.kindOf(type)) return {CellOutcome::kLeftOut, type};
  std::optional<Candidate> candidate = blockCandidate(context, level, type, cell);
  if (!candidate.has_value() || candidate->time > HitTime(context.line.end()))
    return {CellOutcome::kMissed, type};
  if (context.options.filter.skip_start_inside && candidate->start_inside)
    return {CellOutcome::kStartInside, type};
  if (!context.classifyBlock(*candidate, kind)) return {CellOutcome::kRefused, type};
  if (kind == BlockKind::kSolid) return {CellOutcome::kEnds, type};
  return {candidate->terminal ? CellOutcome::kStops : CellOutcome::kHit, type};
}

absl::StatusOr<Explanation> explainShot(const World& world, const EntityIndex& entities,
                                        const FixedSegment& segment, LevelMask levels,
                                        const QueryOptions& options,
                                        const StoppingCallbacks& stopping) {
  Explanation explanation({.world = world,
                           .entities = entities,
                           .callbacks = nullptr,
                           .options = options,
                           .levels = levels.activeIn(world.frame()),
                           .line = Line(segment),
                           .after = options.after,
                           .budgets = options.budgets});
  explanation.budgets = stopping.budgets;
  absl::Status status = Explainer(stopping, explanation).run();
  if (!status.ok()) return status;
  return explanation;
}

std::vector<ChunkCoord> chunksAlong(const Explanation& explanation, int level, bool to_the_end) {
  const QueryContext& context = explanation.context;
  FRACTALRAY_DCHECK(context.levels.contains(level), level);
  const HitTime end = to_the_end ? HitTime(context.line.end()) : explanation.clip;
  const internal::Level& loaded = internal::Access::content(context.world).level(level);
  std::vector<ChunkCoord> chunks;
  // With the policy that visits most cells, whatever the shot's policy.
  GridWalk<3> walk = internal::walkAlong(context.line, context.world.frame().chunkShift(level),
                                         CornerPolicy::kBoth);
  do {
    const GridCell<3>& cell = walk.cell();
    if (HitTime(cell.t) > end) break;
    const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
    if (loaded.state(chunk) != ChunkState::kAbsent) {
      chunks.push_back(chunk);
    } else if (loaded.area(chunk) == nullptr && !walk.atCorner()) {
      internal::skipCube(walk, cell.cell, *loaded.emptyCubeLog2(chunk), 1);
    }
  } while (walk.next());
  return chunks;
}

std::vector<Hit> explainedHits(const Explanation& explanation) {
  std::vector<Hit> hits;
  for (const TraceStep& step : explanation.steps) {
    if (step.outcome == StepOutcome::kHit) hits.push_back(step.hit);
  }
  return hits;
}

bool agrees(const Explanation& explanation, const ShotResult& result) {
  const std::vector<Hit> hits = explainedHits(explanation);
  const auto same = [](const Hit& a, const Hit& b) { return isSame(a, b); };
  if (!std::equal(hits.begin(), hits.end(), result.hits.begin(), result.hits.end(), same)) {
    return false;
  }
  if (explanation.result.terminated != result.terminated ||
      explanation.result.truncated != result.truncated ||
      !haveSameSpending(explanation.result, result)) {
    return false;
  }
  if (!explanation.context.options.report_unknown && !explanation.context.options.stop_at_unknown) {
    return true;
  }
  if (explanation.unknown_from.has_value() != result.unknown_from.has_value()) return false;
  return !result.unknown_from.has_value() ||
         explanation.unknown_from->toDouble() == *result.unknown_from;
}

}  // namespace fractalray
