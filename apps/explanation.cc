// SPDX-License-Identifier: Apache-2.0
#include "explanation.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "../core/arithmetic/int128.h"
#include "../query/internal/block_pass_plain.h"
#include "../query/internal/coverage.h"
#include "../query/internal/spending.h"

namespace fractalray {
namespace {

using internal::Candidate;
using internal::Scene;

// Segments of more crossings are walked by bigger steps where nothing is loaded.
constexpr std::uint64_t kMaxCounted = 100'000;

// A block as a candidate, before the options are asked.
Candidate blockCandidate(int level, BlockTypeId type, const GridCell<3>& cell) {
  Candidate candidate;
  candidate.kind = Candidate::Kind::kBlock;
  candidate.step = cell.step;
  candidate.level = level;
  candidate.type = type;
  candidate.face = cell.face;
  candidate.block = {cell.cell[0], cell.cell[1], cell.cell[2]};
  candidate.time = HitTime(cell.t);
  return candidate;
}

class Explainer {
 public:
  Explainer(const ShotRules& rules, Explanation& explanation)
      : rules_(rules), scene_(explanation.scene), out_(explanation) {}

  absl::Status run() {
    const int levels = scene_.world.frame().levels();
    for (int level = levels - 1; level >= 0 && scene_.options.blocks; --level) {
      if (scene_.levels.contains(level)) passLevel(level);
    }
    if (scene_.options.entities) {
      for (int level = levels - 1; level >= 0; --level)
        meetEntities(level);
    }
    std::sort(out_.entities.begin(), out_.entities.end(), [&](const auto& a, const auto& b) {
      return scene_.entities.find(a.entity)->id < scene_.entities.find(b.entity)->id;
    });
    sortTurns();
    return takeTurns();
  }

 private:
  // The blocks of a level, one by one.
  void passLevel(int level) {
    LevelPass& pass = out_.passes.emplace_back();
    pass.level = level;
    pass.bounds = internal::clipToBounds(scene_.world, level, scene_.line);
    pass.clip = out_.clip;
    pass.is_clipped = is_clipped_;
    const std::int64_t width = scene_.world.frame().blockWidth(level);
    const Vec3i widths{width, width, width};
    const UnitSegment& segment = scene_.line.segment();
    GridWalk<3> walk(segment.from, segment.to, widths, scene_.options.corner);
    const bool counts = walk.crossings() <= kMaxCounted;
    std::uint64_t number = 0;
    do {
      const GridCell<3>& cell = walk.cell();
      if (HitTime(cell.t) > pass.clip) return;
      if (cell.step == 1) noteCorner(pass, axesCrossedAt(segment, widths, cell.t), cell.t);
      const CellStory story = storyOf(scene_, level, cell);
      note(pass, story, cell, counts ? ++number : 0);
      if (isMet(story.fate)) meet(level, story, cell);
      if (isEnd(story.fate)) return;
      if (!counts && !walk.atCorner() && isNowhere(story.fate)) skipUnloaded(walk, level);
    } while (walk.next());
  }

  static bool isNowhere(CellFate fate) {
    return fate == CellFate::kNotLoaded || fate == CellFate::kPlaceholder;
  }

  void skipUnloaded(GridWalk<3>& walk, int level) const {
    const Vec3i& cell = walk.cell().cell;
    const ChunkCoord chunk = chunkOf({cell[0], cell[1], cell[2]});
    internal::skipCube(walk, {chunk[0], chunk[1], chunk[2]},
                       *scene_.world.level(level).emptyCubeLog2(chunk), kChunkSize);
  }

  static void noteCorner(LevelPass& pass, unsigned axes, const Fraction& t) {
    if (std::popcount(axes) < 2) return;
    ++pass.corner_count;
    if (pass.corners.size() < LevelPass::kMaxCorners) pass.corners.push_back({t, axes});
  }

  static void note(LevelPass& pass, const CellStory& story, const GridCell<3>& cell,
                   std::uint64_t number) {
    if (pass.runs.empty() || pass.runs.back().story != story) {
      pass.runs.push_back({.story = story, .first = cell, .last = cell, .number = number});
    }
    CellRun& run = pass.runs.back();
    run.last = cell;
    if (number != 0) ++run.cells;
  }

  void meet(int level, const CellStory& story, const GridCell<3>& cell) {
    Turn& turn = out_.turns.emplace_back();
    turn.candidate = blockCandidate(level, story.type, cell);
    turn.candidate.terminal = isEnd(story.fate);
    if (turn.candidate.terminal) clipAt(turn.candidate.time);
  }

  void clipAt(const HitTime& time) {
    if (!is_clipped_ || time < out_.clip) out_.clip = time;
    is_clipped_ = true;
  }

  // The entities that are kept in the chunks of an index level on the way.
  void meetEntities(int index_level) {
    if (!scene_.entities.indexLevels(LevelMask::all()).contains(index_level)) return;
    const std::int64_t width = scene_.entities.frame().chunkWidth(index_level);
    GridWalk<3> walk(scene_.line.from(), scene_.line.segment().to, {width, width, width},
                     CornerPolicy::kNeither);
    do {
      const GridCell<3>& cell = walk.cell();
      if (HitTime(cell.t) > out_.clip) return;
      const ChunkCoord chunk{cell.cell[0], cell.cell[1], cell.cell[2]};
      if (const auto empty = scene_.entities.emptyCubeLog2(index_level, chunk)) {
        internal::skipCube(walk, cell.cell, *empty, 1);
        continue;
      }
      for (const EntityHandle entity : scene_.entities.inChunk(index_level, chunk)) {
        if (seen_.insert(entity.slot).second) out_.entities.push_back({entity, meet(entity)});
      }
    } while (walk.next());
  }

  EntityFate meet(EntityHandle handle) {
    const Entity& entity = *scene_.entities.find(handle);
    const ShotOptions& options = scene_.options;
    if (!scene_.levels.contains(entity.level)) return EntityFate::kOtherLevel;
    if ((entity.categories & options.categories) == 0) return EntityFate::kOtherCategory;
    if (!scene_.concerns(entity)) return EntityFate::kIgnored;
    const std::optional<HitTime> time =
        fractalray::meet(scene_.line, entity.shape, entity.position);
    if (!time.has_value()) return EntityFate::kMissed;
    if (*time > out_.clip) return EntityFate::kBehindClip;
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
    if (options.skip_start_inside && candidate.startsInside()) return EntityFate::kStartInside;
    if (!scene_.admitEntity(candidate)) return EntityFate::kRefused;
    out_.turns.emplace_back().candidate = candidate;
    if (candidate.terminal) clipAt(candidate.time);
    return EntityFate::kMet;
  }

  void sortTurns() {
    std::sort(out_.turns.begin(), out_.turns.end(),
              [](const Turn& a, const Turn& b) { return comesBefore(a.candidate, b.candidate); });
    for (std::size_t i = 1; i < out_.turns.size(); ++i) {
      out_.turns[i].ties = out_.turns[i].candidate.time == out_.turns[i - 1].candidate.time;
    }
  }

  // Goes through what is met in order, as a shot's dispatch does.
  absl::Status takeTurns() {
    absl::Status status = findUnknown(out_.clip);
    if (!status.ok()) return status;
    if (scene_.hasRules()) out_.spending = internal::startOf(scene_.options);
    bool behind_solid = false;
    bool ended = false;
    std::size_t hits = 0;
    for (Turn& turn : out_.turns) {
      turn.hit = hitOf(turn.candidate);
      turn.stops = stops(turn.candidate);
      if (behind_solid || turn.candidate.time > out_.clip) {
        turn.fate = TurnFate::kBehindClip;
      } else if (scene_.options.stop_at_unknown && out_.unknown_from.has_value() &&
                 turn.candidate.time > HitTime(*out_.unknown_from)) {
        turn.fate = TurnFate::kBehindUnknown;
      } else if (ended) {
        turn.fate = TurnFate::kAfterStop;
      } else if (hits == scene_.options.max_hits) {
        turn.fate = TurnFate::kBeyondMaxHits;
        out_.truncated = true;
      } else {
        ++hits;
        ended = takeHit(turn);
      }
      behind_solid = behind_solid || turn.candidate.terminal;
    }
    if (out_.truncated && !out_.unknown_from.has_value()) {
      status = findUnknown(HitTime(Fraction::one()));
    }
    if (out_.unknown_from.has_value() && HitTime(*out_.unknown_from) >= out_.end) {
      out_.unknown_from.reset();
    }
    return status;
  }

  // Whether the shot ends with it.
  bool takeHit(Turn& turn) {
    if (!turn.candidate.terminal && scene_.hasRules()) charge(turn);
    if (!turn.candidate.terminal && !turn.stops && !out_.stopped_at.has_value()) return false;
    std::visit([](auto& hit) { hit.terminal = true; }, turn.hit);
    out_.terminated = true;
    out_.end = turn.candidate.time;
    return true;
  }

  // Takes what a hit costs, as a shot does, and notes it.
  void charge(Turn& turn) {
    const TerminalRules& rules = *scene_.options.rules;
    const auto* const block = std::get_if<BlockHit>(&turn.hit);
    const auto* const entity = std::get_if<EntityHit>(&turn.hit);
    const TerminalRule& rule = block != nullptr ? rules.ofBlock(block->type, block->level)
                                                : rules.ofEntity(entity->categories, entity->level);
    if (rule.kind != TerminalRule::Kind::kCost) return;
    const auto budget = static_cast<std::size_t>(rule.budget);
    Charge& charge = turn.charge.emplace();
    charge.budget = budget;
    charge.left = std::max(out_.spending->left[budget], 0.0);
    if (block != nullptr && internal::costOf(scene_, *block) == nullptr) return;
    const HitGeometry& hit = geometry(turn.hit);
    const double length = scene_.line.lengthBlocks();
    charge.cost = rule.per_hit + rule.per_block * (std::max(0.0, hit.t_exit - hit.t) * length);
    out_.stopped_at = rules.spend(rule, hit, length, *out_.spending);
    charge.is_too_much = out_.stopped_at.has_value();
    if (!charge.is_too_much) charge.left = std::max(out_.spending->left[budget], 0.0);
  }

  absl::Status findUnknown(const HitTime& end) {
    QueryStats stats;
    const absl::StatusOr<std::optional<HitTime>> unknown =
        internal::firstUnknown(scene_, HitTime(), end, stats);
    // From the start on what is unknown begins where a chunk does: at a fraction, which its own
    // bound is.
    if (unknown.ok() && unknown->has_value()) out_.unknown_from = (*unknown)->lowerBound();
    return unknown.status();
  }

  Hit hitOf(const Candidate& candidate) const {
    if (candidate.isBlock()) return scene_.blockHit(candidate);
    return scene_.entityHit(candidate);
  }

  bool stops(const Candidate& candidate) const {
    const auto has = [](const auto& list, auto key) {
      return std::find(list.begin(), list.end(), key) != list.end();
    };
    return candidate.isBlock() ? has(rules_.stopping_types, candidate.type)
                               : has(rules_.stopping_classes, candidate.entity_class);
  }

  const ShotRules& rules_;
  const Scene& scene_;
  Explanation& out_;
  bool is_clipped_ = false;
  std::unordered_set<std::uint32_t> seen_;
};

bool isSame(const HitGeometry& a, const HitGeometry& b) {
  return a.t == b.t && a.t_exit == b.t_exit && a.face == b.face && a.normal == b.normal &&
         a.start_inside == b.start_inside && a.point == b.point && a.distance == b.distance;
}

bool isSame(const Hit& a, const Hit& b) {
  if (a.index() != b.index() || !isSame(geometry(a), geometry(b))) return false;
  if (isTerminal(a) != isTerminal(b)) return false;
  if (const auto* block = std::get_if<BlockHit>(&a)) {
    const auto& other = std::get<BlockHit>(b);
    return block->level == other.level && block->block == other.block && block->type == other.type;
  }
  const auto& entity = std::get<EntityHit>(a);
  const auto& other = std::get<EntityHit>(b);
  return entity.level == other.level && entity.entity == other.entity;
}

// Whether both have spent the same.
bool isSameSpending(const Explanation& explanation, const ShotResult& result) {
  if (explanation.spending.has_value() != result.budgets.has_value() ||
      explanation.stopped_at != result.stopped_at) {
    return false;
  }
  if (!result.budgets.has_value()) return true;
  const auto same = [](double a, double b) { return std::max(a, 0.0) == b; };
  const Budgets& left = explanation.spending->left;
  return std::equal(left.begin(), left.end(), result.budgets->begin(), same);
}

}  // namespace

unsigned axesCrossedAt(const UnitSegment& segment, const Vec3i& widths, const Fraction& t) {
  using internal::Int128;
  unsigned axes = 0;
  const bool at_start = t == Fraction::zero();
  const bool at_end = t == Fraction::one();
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t delta = segment.to[axis] - segment.from[axis];
    // A plane at the start is crossed by who leaves its cell at once, one at the end by who comes
    // into its cell there.
    if (delta == 0 || (delta > 0 && at_start) || (delta < 0 && at_end)) continue;
    // Products of 63 bits each; the cell's width comes in by two remainders, so that they fit.
    const Int128 point =
        Int128(segment.from[axis] % widths[axis]) * t.denominator + Int128(delta) * t.numerator;
    if (point % (Int128(widths[axis]) * t.denominator) == 0) axes |= 1U << axis;
  }
  return axes;
}

CellStory storyOf(const internal::Scene& scene, int level, const GridCell<3>& cell) {
  const BlockCoord block{cell.cell[0], cell.cell[1], cell.cell[2]};
  const Level& chunks = scene.world.level(level);
  const Chunk* const chunk = chunks.find(chunkOf(block));
  if (chunk == nullptr) {
    const bool is_proto = chunks.state(chunkOf(block)) == ChunkState::kProto;
    return {is_proto ? CellFate::kPlaceholder : CellFate::kNotLoaded, kAir};
  }
  const int index = indexInChunk(block);
  const BlockTypeId type = chunk->block(index);
  if (chunk->hasLoadedChild(index) && scene.levels.contains(level + 1)) {
    return {CellFate::kDefers, type};
  }
  const BlockKind kind = scene.world.blockTypes().kind(type, scene.options.channel);
  if (kind == BlockKind::kEmpty) return {CellFate::kEmpty, type};
  if (kind != scene.kindOf(type)) return {CellFate::kLeftOut, type};
  if (scene.options.skip_start_inside && cell.step == 0) return {CellFate::kStartInside, type};
  Candidate candidate = blockCandidate(level, type, cell);
  if (!scene.admitBlock(candidate, kind)) return {CellFate::kRefused, type};
  if (kind == BlockKind::kSolid) return {CellFate::kEnds, type};
  return {candidate.terminal ? CellFate::kStops : CellFate::kMet, type};
}

absl::StatusOr<Explanation> explainShot(const World& world, const EntityIndex& entities,
                                        const UnitSegment& segment, LevelMask levels,
                                        const ShotOptions& options, const ShotRules& rules) {
  Explanation explanation({.world = world,
                           .entities = entities,
                           .block_callbacks = nullptr,
                           .entity_callbacks = nullptr,
                           .options = options,
                           .levels = levels.withinFirst(world.frame().levels()),
                           .line = Line(segment)});
  explanation.budgets = rules.budgets;
  absl::Status status = Explainer(rules, explanation).run();
  if (!status.ok()) return status;
  return explanation;
}

std::vector<Hit> explainedHits(const Explanation& explanation) {
  std::vector<Hit> hits;
  for (const Turn& turn : explanation.turns) {
    if (turn.fate == TurnFate::kHit) hits.push_back(turn.hit);
  }
  return hits;
}

bool agrees(const Explanation& explanation, const ShotResult& result) {
  const std::vector<Hit> hits = explainedHits(explanation);
  const auto same = [](const Hit& a, const Hit& b) { return isSame(a, b); };
  if (!std::equal(hits.begin(), hits.end(), result.hits.begin(), result.hits.end(), same)) {
    return false;
  }
  if (explanation.terminated != result.terminated || explanation.truncated != result.truncated ||
      !isSameSpending(explanation, result)) {
    return false;
  }
  if (!explanation.scene.options.report_unknown && !explanation.scene.options.stop_at_unknown) {
    return true;
  }
  if (explanation.unknown_from.has_value() != result.unknown_from.has_value()) return false;
  return !result.unknown_from.has_value() ||
         explanation.unknown_from->toDouble() == *result.unknown_from;
}

}  // namespace fractalray
