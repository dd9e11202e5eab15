// SPDX-License-Identifier: Apache-2.0
// Debug drawing: shows in an engine's own view what a query did, by callbacks that draw lines,
// boxes and labels. Of the library fractalray::explain.
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

#include "../core/level_mask.h"
#include "../core/vec.h"
#include "../entities/entity_index.h"
#include "../levels/world.h"
#include "../query/query_line.h"
#include "../query/shot_options.h"
#include "../query/shot_result.h"

namespace fractalray {

struct DebugColor {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t alpha = 255;  // less for what matters less

  friend bool operator==(const DebugColor&, const DebugColor&) = default;
};

// What an engine draws with. Positions are finest-block widths from DebugDrawOptions::origin; texts
// last as long as the call. Callbacks that are empty draw nothing, but a box without `box` is drawn
// as 12 lines and a sphere without `sphere` as three circles of lines.
struct DebugDraw {
  std::function<void(const Vec3d& from, const Vec3d& to, DebugColor color)> line{};
  std::function<void(const Vec3d& min, const Vec3d& max, DebugColor color)> box{};
  std::function<void(const Vec3d& center, double radius, DebugColor color)> sphere{};
  std::function<void(const Vec3d& at, std::string_view text, DebugColor color)> label{};
};

struct DebugDrawOptions {
  // Subtracted from all positions, exactly, before they become doubles: with a point near the
  // camera an engine that has floats loses nothing far from the origin.
  Vec3d origin{};
  // The cells that the line crossed on each level, up to where the shot ended, coloured by what
  // became of them. At most so many are drawn on each level, from the start on.
  std::size_t max_cells = 1000;
  // The entities that were tested, also those that the line missed.
  bool entities = true;
  // Blocks that can be hit within so many blocks of those cells, faintly; 0 for none.
  int surroundings = 0;
  std::size_t max_surroundings = 2000;  // on each level
};

// Draws an answer: the line up to where the shot ended, what follows of it faintly, a dot, the
// normal and a label like "2 stone" for each hit, the boxes and spheres of what was hit, and from
// where on nothing is known. OUT_OF_RANGE for an origin outside of the frame; INVALID_ARGUMENT for
// one that is not finite. Nothing is drawn then. `options.max_cells` and the like do not matter.
// Requires: the world has the block types of the hits. Cost: O(hits).
absl::Status debugDrawResult(const World& world, const ShotResult& result, const DebugDraw& draw,
                             const DebugDrawOptions& options = {});

namespace internal {
absl::Status debugDrawSegment(const World& world, const EntityIndex& entities,
                              const FixedSegment& segment, LevelMask levels,
                              const ShotOptions& shot, const DebugDraw& draw,
                              const DebugDrawOptions& options);
}  // namespace internal

// Draws a shot and why it did what it did: works it out, and draws its answer as debugDrawResult()
// does, the cells crossed on each level, the entities tested and exact corner crossings. Calls
// neither the callbacks of a service nor `shot.on_hit`: if they end shots, draw the result of those
// instead. Predicates and filters of `shot` are called.
//
// Cells are blue if permeable, brown if solid, green if they defer to a finer level, yellow if the
// options skip them, grey if not loaded, and faint if empty; entities are violet; hits are red.
//
// Errors of shootSegment, and of the origin as above; nothing is drawn then. Thread safety: as a
// query; calls back on this thread. Cost: that of shots block by block, for tools and not for every
// frame of a game.
template <QueryLine Line = Segment>
absl::Status debugDrawShot(const World& world, const EntityIndex& entities, const Line& line,
                           LevelMask levels, const ShotOptions& shot, const DebugDraw& draw,
                           const DebugDrawOptions& options = {}) {
  const absl::StatusOr<FixedSegment> segment = toFixedSegment(line);
  if (!segment.ok()) return segment.status();
  return internal::debugDrawSegment(world, entities, *segment, levels, shot, draw, options);
}

}  // namespace fractalray
