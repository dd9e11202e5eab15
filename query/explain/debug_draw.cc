// SPDX-License-Identifier: Apache-2.0
#include "debug_draw.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

#include "../../core/internal/geometry/line_walk.h"
#include "../../core/units.h"
#include "../../levels/internal/shape_crossing.h"
#include "../ray_query_service.h"
#include "explanation.h"
#include "surroundings.h"

namespace fractalray {
namespace {

constexpr DebugColor kLineColor{255, 224, 64};
constexpr DebugColor kRestColor{160, 160, 160, 110};
constexpr DebugColor kHitColor{230, 48, 36};
constexpr DebugColor kEntityColor{150, 90, 210};
constexpr DebugColor kMissedColor{150, 90, 210, 90};
constexpr DebugColor kCornerColor{240, 140, 20};
constexpr DebugColor kUnknownColor{200, 200, 200};
constexpr DebugColor kNearColor{128, 128, 128, 50};

// Half the width of a dot, and the length of a normal, in finest-block widths.
constexpr double kDotRadius = 0.06;
constexpr double kNormalLength = 0.5;

DebugColor colorOf(CellOutcome outcome) {
  switch (outcome) {
    case CellOutcome::kNotLoaded:
    case CellOutcome::kPlaceholder:
      return {150, 150, 150, 70};
    case CellOutcome::kEmpty:
      return {120, 170, 220, 60};
    case CellOutcome::kDefers:
      return {90, 180, 90, 110};
    case CellOutcome::kLeftOut:
    case CellOutcome::kStartInside:
    case CellOutcome::kRefused:
    case CellOutcome::kMissed:
      return {230, 200, 60, 150};
    case CellOutcome::kHit:
    case CellOutcome::kStops:
      return {60, 140, 210, 220};
    case CellOutcome::kEnds:
      return {150, 100, 80, 255};
  }
  return {};
}

// Draws with the functions that are set, relative to the origin.
class Pen {
 public:
  Pen(const DebugDraw& draw, const Vec3i& origin) : draw_(draw), origin_(origin) {}

  Vec3d relative(const Vec3i& units) const { return toBlocks(units - origin_); }

  void line(const Vec3d& from, const Vec3d& to, DebugColor color) const {
    if (draw_.line) draw_.line(from, to, color);
  }
  void label(const Vec3d& at, std::string_view text, DebugColor color) const {
    if (draw_.label) draw_.label(at, text, color);
  }
  void box(const Vec3d& min, const Vec3d& max, DebugColor color) const {
    if (draw_.box) {
      draw_.box(min, max, color);
      return;
    }
    // From each corner with a low coordinate on an axis to the one that differs on that axis alone.
    for (unsigned corner = 0; corner < 8; ++corner) {
      for (unsigned axis = 0; axis < 3; ++axis) {
        if (((corner >> axis) & 1U) != 0) continue;
        line(cornerOf(min, max, corner), cornerOf(min, max, corner | (1U << axis)), color);
      }
    }
  }
  void dot(const Vec3d& at, DebugColor color) const {
    constexpr Vec3d kHalf{kDotRadius, kDotRadius, kDotRadius};
    box(at - kHalf, at + kHalf, color);
  }
  void sphere(const Vec3d& center, double radius, DebugColor color) const {
    if (draw_.sphere) {
      draw_.sphere(center, radius, color);
      return;
    }
    for (int axis = 0; axis < 3; ++axis)
      circle(center, radius, axis, color);
  }

 private:
  static Vec3d cornerOf(const Vec3d& min, const Vec3d& max, unsigned corner) {
    return {(corner & 1U) != 0 ? max[0] : min[0], (corner & 2U) != 0 ? max[1] : min[1],
            (corner & 4U) != 0 ? max[2] : min[2]};
  }

  // A circle perpendicular to an axis, as a polygon of 16 corners.
  void circle(const Vec3d& center, double radius, int axis, DebugColor color) const {
    // Cosines of multiples of a sixteenth of a turn; those twelve further on are the sines.
    constexpr std::array<double, 16> kCosines = {
        1,  0.9238795325112867,  0.7071067811865476,  0.3826834323650898,
        0,  -0.3826834323650898, -0.7071067811865476, -0.9238795325112867,
        -1, -0.9238795325112867, -0.7071067811865476, -0.3826834323650898,
        0,  0.3826834323650898,  0.7071067811865476,  0.9238795325112867};
    const auto point_at = [&](std::size_t part) {
      Vec3d point = center;
      point[(axis + 1) % 3] += radius * kCosines[part % 16];
      point[(axis + 2) % 3] += radius * kCosines[(part + 12) % 16];
      return point;
    };
    for (std::size_t part = 0; part < 16; ++part)
      line(point_at(part), point_at(part + 1), color);
  }

  const DebugDraw& draw_;
  Vec3i origin_;
};

void drawShape(const Pen& pen, const FixedShape& shape, const Vec3i& position, DebugColor color) {
  if (shape.kind == FixedShape::Kind::kSphere) {
    pen.sphere(pen.relative(position), toBlocks(shape.radius()), color);
  } else {
    pen.box(pen.relative(position - shape.half_extents),
            pen.relative(position + shape.half_extents), color);
  }
}

// A cell of the grid of this width in units.
void drawCell(const Pen& pen, const Vec3i& cell, std::int64_t width, DebugColor color) {
  pen.box(pen.relative(cell * width), pen.relative((cell + Vec3i{1, 1, 1}) * width), color);
}

// The answer of a shot.
class ResultDrawing {
 public:
  ResultDrawing(const World& world, const ShotResult& result, const Pen& pen, ChannelId channel)
      : world_(world), result_(result), pen_(pen), channel_(channel) {}

  void draw() const {
    const double whole = static_cast<double>(result_.segment.end_time) / kWholeLineDouble;
    const double end =
        result_.stopped_at.value_or(result_.terminated ? result_.hits.back().t : whole);
    pen_.line(at(result_.segment.beginsAt()), at(end), kLineColor);
    if (end < whole) pen_.line(at(end), at(whole), kRestColor);
    for (std::size_t i = 0; i < result_.hits.size(); ++i)
      drawHit(i + 1, result_.hits[i]);
    if (result_.unknown_from.has_value()) {
      pen_.dot(at(*result_.unknown_from), kUnknownColor);
      pen_.label(at(*result_.unknown_from), "unknown from here on", kUnknownColor);
    }
  }

 private:
  static constexpr auto kWholeLineDouble = static_cast<double>(kWholeLine);

  Vec3d at(double t) const {
    return pen_.relative(result_.segment.from) + toBlocks(result_.segment.delta()) * t;
  }

  void drawHit(std::size_t number, const Hit& hit) const {
    const Vec3d point = at(hit.t);
    if (hit.isBlock()) {
      drawBlock(hit);
    } else {
      drawShape(pen_, hit.shape, hit.position, kHitColor);
    }
    pen_.dot(point, kHitColor);
    if (!hit.start_inside) pen_.line(point, point + hit.normal * kNormalLength, kHitColor);
    const std::string what =
        hit.isBlock() ? world_.blockTypes().name(hit.type) : absl::StrCat("entity ", hit.id);
    pen_.label(point, absl::StrCat(number, " ", what), kHitColor);
  }

  // Draws the boxes of the shape that a block's type has in the channel, or the cube.
  void drawBlock(const Hit& hit) const {
    const BlockTypeTable& types = world_.blockTypes();
    const int shift = world_.frame().blockShift(hit.level);
    for (const ShapeBox& box : types.boxes(types.shape(hit.type, channel_))) {
      const internal::UnitBox units =
          internal::placedBox(box, {hit.block[0], hit.block[1], hit.block[2]}, shift);
      pen_.box(pen_.relative(units.min), pen_.relative(units.max), kHitColor);
    }
  }

  const World& world_;
  const ShotResult& result_;
  const Pen& pen_;
  ChannelId channel_;
};

// Draws the cells of a pass up to the end of the shot, coloured by their outcome.
void drawPass(const Explanation& explanation, const LevelPass& pass, const Pen& pen,
              const DebugDrawOptions& options) {
  const internal::QueryContext& context = explanation.context;
  const std::int64_t width = context.world.frame().blockWidth(pass.level);
  GridWalk<3> walk = internal::walkAlong(context.line, context.world.frame().blockShift(pass.level),
                                         context.options.corner);
  std::vector<Vec3i> cells;
  const HitTime end = std::min(pass.clip, explanation.end);
  do {
    const GridCell<3>& cell = walk.cell();
    if (cells.size() == options.max_cells || HitTime(cell.t) > end) break;
    if (isPassed(explanation, pass.level, cell)) continue;
    drawCell(pen, cell.cell, width, colorOf(traceOf(context, pass.level, cell).outcome));
    cells.push_back(cell.cell);
  } while (walk.next());
  for (const NearBlock& near :
       blocksAround(context, pass.level, cells, std::max(options.surroundings, 0),
                    options.max_surroundings)) {
    drawCell(pen, {near.block[0], near.block[1], near.block[2]}, width, kNearColor);
  }
}

void drawEntities(const Explanation& explanation, const Pen& pen) {
  for (const EntityTrace& trace : explanation.entities) {
    const Entity& entity = *explanation.context.entities.find(trace.entity);
    const bool is_met = trace.outcome == EntityOutcome::kHit;
    const DebugColor color = is_met ? kEntityColor : kMissedColor;
    drawShape(pen, entity.shape, entity.position, color);
    pen.label(pen.relative(entity.position),
              absl::StrCat("entity ", entity.id, ": ", std::string(outcomeName(trace.outcome))),
              color);
  }
}

void drawCorners(const Explanation& explanation, const LevelPass& pass, const Pen& pen) {
  const Line& line = explanation.context.line;
  for (const CornerCrossing& corner : pass.corners) {
    if (HitTime(corner.t) > explanation.end) return;
    pen.dot(pen.relative(line.from()) + toBlocks(line.delta()) * corner.t.toDouble(), kCornerColor);
  }
}

}  // namespace

absl::Status debugDrawResult(const World& world, const ShotResult& result, const DebugDraw& draw,
                             const DebugDrawOptions& options) {
  const absl::StatusOr<Vec3i> origin = toUnits(options.origin, "the origin of the drawing");
  if (!origin.ok()) return origin.status();
  ResultDrawing(world, result, Pen(draw, *origin), options.channel).draw();
  return absl::OkStatus();
}

namespace internal {

absl::Status debugDrawSegment(const World& world, const EntityIndex& entities,
                              const FixedSegment& segment, LevelMask levels,
                              const QueryOptions& shot, const DebugDraw& draw,
                              const DebugDrawOptions& options) {
  const absl::StatusOr<Vec3i> origin = toUnits(options.origin, "the origin of the drawing");
  if (!origin.ok()) return origin.status();
  QueryOptions silent = shot;
  silent.on_hit = nullptr;
  // An explanation needs a shot that the service answers.
  const absl::StatusOr<ShotResult> result =
      RayQueryService(world, entities).shootSegment(segment, levels, silent);
  if (!result.ok()) return result.status();
  // An explanation also searches for what the shot did not need to know.
  silent.max_steps = QueryOptions().max_steps;
  const absl::StatusOr<Explanation> explanation =
      explainShot(world, entities, segment, levels, silent, {});
  if (!explanation.ok()) return explanation.status();
  const Pen pen(draw, *origin);
  for (const LevelPass& pass : explanation->passes) {
    drawPass(*explanation, pass, pen, options);
    drawCorners(*explanation, pass, pen);
  }
  if (options.entities) drawEntities(*explanation, pen);
  ResultDrawing(world, *result, pen, shot.filter.channel).draw();
  return absl::OkStatus();
}

}  // namespace internal
}  // namespace fractalray
