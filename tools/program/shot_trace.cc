// SPDX-License-Identifier: Apache-2.0
#include "shot_trace.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

#include "../../core/printable.h"
#include "../../query/explain/surroundings.h"
#include "arguments.h"
#include "explanation_text.h"
#include "palette.h"
#include "text_table.h"

namespace fractalray {
namespace {

// If more cells than this are crossed before the drawn part, they are skipped and not numbered.
constexpr std::uint64_t kMaxCounted = 100'000;
// The most cells that are drawn without --part; fewer than fit, for the margins.
constexpr double kUsualCells = 46;
// Blocks at most so many from the cells are shown, and at most kMaxAround on each level.
constexpr int kMarginBlocks = 2;
constexpr std::size_t kMaxAround = 3000;
// The most hits that are listed in words.
constexpr std::size_t kMaxHitLines = 24;

CellLook lookOf(CellOutcome outcome) {
  switch (outcome) {
    case CellOutcome::kNotLoaded:
      return CellLook::kNotLoaded;
    case CellOutcome::kPlaceholder:
      return CellLook::kPlaceholder;
    case CellOutcome::kEmpty:
      return CellLook::kPlain;
    case CellOutcome::kDefers:
      return CellLook::kDefers;
    case CellOutcome::kLeftOut:
    case CellOutcome::kStartInside:
    case CellOutcome::kRefused:
    case CellOutcome::kMissed:
      return CellLook::kSkipped;
    case CellOutcome::kHit:
    case CellOutcome::kStops:
      return CellLook::kPermeable;
    case CellOutcome::kEnds:
      return CellLook::kSolid;
  }
  return CellLook::kPlain;
}

class LevelDrawing {
 public:
  LevelDrawing(const Explanation& explanation, const LevelPass& pass, TypeNamer name)
      : explanation_(explanation),
        context_(explanation.context),
        pass_(pass),
        name_(name),
        width_(context_.world.frame().blockWidth(pass.level)) {}

  absl::StatusOr<TraceGrid> draw(const std::optional<DrawnPart>& part) {
    part_ = part.has_value() ? *part : usualPart();
    const double cells = cellsAcross() * (part_.to - part_.from);
    if (cells > static_cast<double>(kMaxDrawnCells - 2)) {
      return absl::OutOfRangeError(
          absl::StrCat("the picture of level ", pass_.level, " would be ", std::llround(cells),
                       " cells across; at most ", kMaxDrawnCells - 2,
                       " are drawn; make --part smaller, or leave it out for what fits"));
    }
    TraceGrid grid{.title = absl::StrCat("Level ", pass_.level, ", pass ",
                                         &pass_ - explanation_.passes.data() + 1),
                   .caption = caption(),
                   .widths = {width_, width_, width_},
                   .cells = cellsOfPart(),
                   .heavy = kChunkSize};
    addMarks(grid);
    addBlockShapes(grid);
    addShapes(grid);
    addBlocksAround(grid);
    return grid;
  }

 private:
  // Returns the length of the whole segment in cells, on its longest axis.
  double cellsAcross() const {
    std::int64_t longest = 0;
    for (int axis = 0; axis < 3; ++axis)
      longest = std::max(longest, std::abs(context_.line.delta()[axis]));
    return static_cast<double>(longest) / static_cast<double>(width_);
  }

  // Returns the end of the part that is worth drawing: the shot's end, else the last hit or the
  // start of unloaded space.
  double lastOfInterest() const {
    if (explanation_.result.terminated) return explanation_.end.toDouble();
    std::optional<double> last;
    if (explanation_.unknown_from.has_value()) last = explanation_.unknown_from->toDouble();
    for (const TraceStep& step : explanation_.steps) {
      if (step.outcome == StepOutcome::kHit) {
        last = std::max(last.value_or(0), step.candidate.time.toDouble());
      }
    }
    return last.value_or(context_.line.end().toDouble());
  }

  DrawnPart usualPart() const {
    const double across = cellsAcross();
    if (across <= kUsualCells) return {};
    const double size = kUsualCells / across;
    const double to = std::min(1.0, lastOfInterest() + size / 8);
    return {std::max(0.0, to - size), to};
  }

  std::string caption() const {
    std::string text = absl::StrCat(
        "blocks ", formatNumber(static_cast<double>(width_) / static_cast<double>(kUnitsPerBlock)),
        " wide");
    if (pass_.is_clipped) {
      absl::StrAppend(&text, "; clipped at t = ", formatTime(pass_.clip.toDouble()),
                      " by a finer level");
    }
    if (part_.from > 0 || part_.to < 1) {
      absl::StrAppend(&text, "; drawn from t = ", formatTime(part_.from), " to ",
                      formatTime(part_.to));
    }
    return text;
  }

  bool isDrawn(double t) const { return t >= part_.from && t <= part_.to; }

  std::vector<TraceCell> cellsOfPart() const {
    std::vector<TraceCell> cells;
    const FixedSegment& segment = context_.line.segment();
    GridWalk<3> walk(segment.from, segment.to, {width_, width_, width_}, context_.options.corner);
    const bool counts = walk.crossings() <= kMaxCounted;
    bool more = true;
    if (!counts && part_.from > 0) {
      constexpr std::int64_t kParts = std::int64_t{1} << 52;
      const auto start = static_cast<std::int64_t>(part_.from * static_cast<double>(kParts));
      walk.skipBefore({start, kParts});
      more = walk.next();
    }
    bool is_after_end = false;
    std::uint64_t number = 0;
    for (; more && walk.cell().t.toDouble() <= part_.to; more = walk.next()) {
      const GridCell<3>& cell = walk.cell();
      ++number;
      is_after_end = is_after_end || HitTime(cell.t) > pass_.clip;
      const CellOutcome outcome = traceOf(context_, pass_.level, cell).outcome;
      const CellLook look = is_after_end ? CellLook::kAfterEnd : lookOf(outcome);
      if (isDrawn(cell.t.toDouble())) {
        cells.push_back({cell.cell, counts && !is_after_end ? number : 0, look});
      }
      is_after_end = is_after_end || isEnd(outcome);
    }
    return cells;
  }

  void addMarks(TraceGrid& grid) const {
    for (const CornerCrossing& corner : pass_.corners) {
      if (isDrawn(corner.t.toDouble())) {
        grid.marks.push_back({TraceMark::Kind::kCorner, corner.t.toDouble()});
      }
    }
    std::size_t number = 0;
    for (const TraceStep& step : explanation_.steps) {
      if (step.outcome != StepOutcome::kHit) continue;
      ++number;
      const double t = step.candidate.time.toDouble();
      if (step.candidate.level != pass_.level || !isDrawn(t)) continue;
      grid.marks.push_back({TraceMark::Kind::kHit, t, absl::StrCat(number)});
    }
    if (explanation_.unknown_from.has_value() && isDrawn(explanation_.unknown_from->toDouble())) {
      grid.marks.push_back({TraceMark::Kind::kUnknown, explanation_.unknown_from->toDouble()});
    }
  }

  // Returns the level on whose picture an entity is drawn: its own, or the finest of the mask.
  int drawnOn(const Entity& entity) const {
    return context_.levels.contains(entity.level) ? entity.level
                                                  : explanation_.passes.front().level;
  }

  // Adds the boxes of the blocks of the cells that do not fill them.
  void addBlockShapes(TraceGrid& grid) const {
    const BlockTypeTable& types = context_.world.blockTypes();
    for (const TraceCell& cell : grid.cells) {
      const BlockCoord block{cell.cell[0], cell.cell[1], cell.cell[2]};
      const absl::StatusOr<BlockTypeId> type = context_.world.block(pass_.level, block);
      if (!type.ok() || context_.shapeOf(*type) == kWholeCube) continue;
      const int shift = context_.world.frame().blockShift(pass_.level);
      for (const ShapeBox& box : types.boxes(context_.shapeOf(*type))) {
        const internal::UnitBox units = internal::placedBox(box, cell.cell, shift);
        const Vec3i sizes = units.max - units.min;
        grid.shapes.push_back(
            {.is_sphere = false,
             .center = units.min + Vec3i{sizes[0] / 2, sizes[1] / 2, sizes[2] / 2},
             .half_extents = {sizes[0] / 2, sizes[1] / 2, sizes[2] / 2},
             .text = {},
             .is_hit = cell.look == CellLook::kPermeable || cell.look == CellLook::kSolid});
      }
    }
  }

  void addShapes(TraceGrid& grid) const {
    for (const EntityTrace& trace : explanation_.entities) {
      const Entity& entity = *context_.entities.find(trace.entity);
      if (drawnOn(entity) != pass_.level) continue;
      grid.shapes.push_back({.is_sphere = entity.shape.kind == FixedShape::Kind::kSphere,
                             .center = entity.position,
                             .half_extents = entity.shape.half_extents,
                             .text = absl::StrCat(entity.id),
                             .is_hit = trace.outcome == EntityOutcome::kHit});
    }
  }

  void addBlocksAround(TraceGrid& grid) const {
    std::vector<Vec3i> cells;
    for (const TraceCell& cell : grid.cells)
      cells.push_back(cell.cell);
    for (const NearBlock& near :
         blocksAround(context_, pass_.level, cells, kMarginBlocks, kMaxAround)) {
      grid.around.push_back({{near.block[0], near.block[1], near.block[2]},
                             grid.colorIndex(colorOfName(name_(near.type)))});
    }
  }

  const Explanation& explanation_;
  const internal::QueryContext& context_;
  const LevelPass& pass_;
  TypeNamer name_;
  std::int64_t width_;
  DrawnPart part_;
};

std::string hitLine(std::size_t number, const TraceStep& step, TypeNamer name) {
  const internal::Candidate& candidate = step.candidate;
  const std::string what =
      candidate.isBlock()
          ? absl::StrCat(printable(name(candidate.type)), " ",
                         formatCell({candidate.block[0], candidate.block[1], candidate.block[2]}))
          : absl::StrCat("entity ", candidate.entity_id);
  return absl::StrCat(number, "   ", what, " on level ", candidate.level,
                      ", t = ", formatTime(step.hit.t), ", distance ",
                      formatNumber(step.hit.distance), step.hit.terminal ? ", ends the shot" : "");
}

// Returns lines of text: the first hits in order, how the shot ended, and the time at which
// unloaded space begins.
std::vector<std::string> linesOf(const Explanation& explanation, TypeNamer name) {
  std::vector<std::string> lines;
  std::size_t hits = 0;
  for (const TraceStep& step : explanation.steps) {
    if (step.outcome != StepOutcome::kHit) continue;
    if (++hits <= kMaxHitLines) lines.push_back(hitLine(hits, step, name));
  }
  if (hits > kMaxHitLines) lines.push_back(absl::StrCat("and ", hits - kMaxHitLines, " more hits"));
  if (explanation.result.terminated) {
    lines.push_back(
        absl::StrCat("The shot ended at t = ", formatTime(explanation.end.toDouble()), "."));
  } else if (explanation.result.truncated) {
    lines.emplace_back("More hits would have followed.");
  } else {
    lines.emplace_back("The shot reached its end.");
  }
  if (explanation.unknown_from.has_value()) {
    lines.push_back(
        absl::StrCat("?   Not known from t = ", formatTime(*explanation.unknown_from), " on."));
  }
  return lines;
}

}  // namespace

absl::StatusOr<DrawnPart> parseDrawnPart(std::string_view text, std::string_view option) {
  const absl::StatusOr<std::vector<double>> times = parseNumbers(text, option, 2, 2);
  if (!times.ok()) return times.status();
  const DrawnPart part{(*times)[0], (*times)[1]};
  if (part.from >= 0 && part.from < part.to && part.to <= 1) return part;
  return absl::InvalidArgumentError(
      absl::StrCat(std::string(option), ": ", quotedText(text),
                   " is not a part of the segment; write two times in order, from 0 to 1"));
}

absl::StatusOr<Trace> shotTrace(const Explanation& explanation, TypeNamer name,
                                const std::optional<DrawnPart>& part) {
  Trace trace{.title = "A shot, level by level",
              .segment = explanation.context.line.segment(),
              .end = explanation.end.toDouble(),
              .lines = linesOf(explanation, name)};
  for (const LevelPass& pass : explanation.passes) {
    absl::StatusOr<TraceGrid> grid = LevelDrawing(explanation, pass, name).draw(part);
    if (!grid.ok()) return grid.status();
    trace.grids.push_back(*std::move(grid));
  }
  return trace;
}

}  // namespace fractalray
