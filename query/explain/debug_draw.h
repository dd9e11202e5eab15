// SPDX-License-Identifier: Apache-2.0
// Debug drawing: shows in an engine's own view what a query did, by callbacks that draw lines,
// boxes and labels. Part of the library fractalray::explain.
//
//     DebugDraw draw;
//     draw.line = [&](const Vec3d& from, const Vec3d& to, DebugColor color) {
//       renderer.debugLine(toEngine(from), toEngine(to), toEngine(color));
//     };
//     draw.label = ...
//     const Segment line{.from = muzzle, .to = target};
//     absl::Status drawn = debugDrawShot(world, entities, line, LevelMask::all(), {}, draw);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"

#include "../../core/level_mask.h"
#include "../../core/vec.h"
#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../query_line.h"
#include "../query_options.h"
#include "../shot_result.h"

namespace fractalray {

struct DebugColor {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t alpha = 255;  // less for what matters less

  friend bool operator==(const DebugColor&, const DebugColor&) = default;
};

// The drawing functions of an engine. Positions are finest-block widths from
// DebugDrawOptions::origin; texts are valid during the call. If a function is not set, its
// primitives are left out, except that a box is then drawn as 12 lines and a sphere as three
// circles.
struct DebugDraw {
  std::function<void(const Vec3d& from, const Vec3d& to, DebugColor color)> line{};
  std::function<void(const Vec3d& min, const Vec3d& max, DebugColor color)> box{};
  std::function<void(const Vec3d& center, double radius, DebugColor color)> sphere{};
  std::function<void(const Vec3d& at, std::string_view text, DebugColor color)> label{};
};

struct DebugDrawOptions {
  // Subtracted from all positions, exactly, before they become doubles: with an origin near the
  // camera an engine that uses floats keeps its precision far from the world's origin.
  Vec3d origin{};
  // The most cells drawn on each level, from the start of the line on. Cells that the line crossed
  // up to the end of the shot are coloured by their outcome.
  std::size_t max_cells = 1000;
  // True to draw the entities that were tested, including those that were missed.
  bool entities = true;
  // Draws faintly the blocks that can be hit and are at most this many blocks from the drawn cells.
  int surroundings = 0;
  std::size_t max_surroundings = 2000;  // on each level
  // The channel of the shot whose result is drawn: blocks that were hit are drawn in its shapes.
  // debugDrawShot() takes that of the shot.
  ChannelId channel = kDefaultChannel;
};

// Draws a result: the line up to the end of the shot, the rest of it faintly, a dot, the normal and
// a label like "2 stone" for each hit, the boxes and spheres that were hit, and the point at which
// unloaded space begins. Ignores the limits of `options`. OUT_OF_RANGE for an origin outside of the
// frame, INVALID_ARGUMENT for one that is not finite; then nothing is drawn.
// Requires: the world has the block types of the hits. Cost: O(hits).
absl::Status debugDrawResult(const World& world, const ShotResult& result, const DebugDraw& draw,
                             const DebugDrawOptions& options = {});

namespace internal {
absl::Status debugDrawSegment(const World& world, const EntityIndex& entities,
                              const FixedSegment& segment, LevelMask levels,
                              const QueryOptions& shot, const DebugDraw& draw,
                              const DebugDrawOptions& options);
}  // namespace internal

// Draws a shot and why it did what it did: its result as debugDrawResult() does, the cells crossed
// on each level, the entities tested and exact corner crossings. Runs the shot for that, but calls
// neither the callbacks of a service nor `shot.on_hit`: if these end your shots, draw the result
// instead. Calls the filters of `shot`.
//
// Cells are blue if permeable, brown if solid, green if they defer to a finer level, yellow if the
// options skip them, faint blue if empty, faint grey if not loaded; entities violet, hits red.
//
// Errors are those of shootSegment, and of the origin as above; then nothing is drawn. Thread
// safety: as a query; calls back on this thread. Cost: that of a shot that examines every cell of
// the line, so it is for tools, not for every frame of a game.
template <QueryLine Line = Segment>
absl::Status debugDrawShot(const World& world, const EntityIndex& entities, const Line& line,
                           LevelMask levels, const QueryOptions& shot, const DebugDraw& draw,
                           const DebugDrawOptions& options = {}) {
  const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
  if (!segment.ok()) return segment.status();
  return internal::debugDrawSegment(world, entities, *segment, levels, shot, draw, options);
}

}  // namespace fractalray
