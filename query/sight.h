// SPDX-License-Identifier: Apache-2.0
// Sight of boxes: whether an eye sees any part of a box, exactly, and how much of it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "absl/numeric/int128.h"
#include "absl/status/statusor.h"

#include "../core/fixed_box.h"
#include "../core/ray.h"
#include "../core/vec.h"
#include "query_filter.h"
#include "query_stats.h"

namespace fractalray {

// Rounds both corners to the nearest units. INVALID_ARGUMENT for a corner that is not finite,
// OUT_OF_RANGE beyond kMaxCoordinate.
absl::StatusOr<FixedBox> toFixedBox(const Bounds& box);

// The eye, a point, and the closed box that it looks at, in units. The box may be flat on one axis.
struct SightQuery {
  Vec3i eye{};
  FixedBox box{};
};

// Rounds an eye and a box, in finest-block widths, to units. Errors: those of toFixedBox().
absl::StatusOr<SightQuery> toSightQuery(const Vec3d& eye, const Bounds& box);

// An answer by solid angle: directions count that an open cone of directions shares, so no tie has
// to be decided. In the order of their ranks: a bigger box, or fewer occluders, never lower it.
enum class Sight : std::uint8_t {
  kHidden,   // occluders are before the box in all directions, but for some without solid angle
  kUnknown,  // not visible, but would be if the space where nothing is loaded were air
  kVisible,
  kUndecided,  // no answer: max_steps was too small, or another error
  kSkipped,    // visibleBoxes() alone: not asked
};

// The meaning of space where no level of the mask has a loaded chunk.
enum class UnloadedSpace : std::uint8_t {
  kReport,       // a box that is seen only through it is kUnknown
  kTransparent,  // it is air
  kOpaque,       // it is solid
};

// The defaults are an eye that solid blocks occlude, entities do not, and that stands in none.
struct SightOptions {
  // The occluders: solid blocks in `channel` that block_filter accepts, if `blocks` is set; and box
  // entities, see boxes_block. Permeable blocks never occlude. With skip_start_inside a block or
  // box that has the eye in its interior does not: an eye in its own head.
  QueryFilter filter{};
  // Lets box entities occlude that the filter accepts. Spheres never do: no box is their outline.
  bool boxes_block = false;
  // Further occluders: solid boxes anywhere, of any size. They outlive the query.
  std::span<const FixedBox> occluders{};
  UnloadedSpace unloaded = UnloadedSpace::kReport;
  // Lets a direction pass so many occluders. A block counts once, however many boxes its shape has;
  // unloaded space is not passed.
  std::uint32_t through = 0;
  // Requests SightAnswer::certificate.
  bool report_certificate = false;
  // The most steps (SightStats::steps()) that the query may take; beyond, it ends with
  // RESOURCE_EXHAUSTED. Never changes an answer.
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
};

// The work of a query of sight.
struct SightStats {
  // The work of its rays, and of the search for entities that may occlude. `listed` also counts
  // looks at given boxes and at cones that are still open, one for each 16 of them.
  QueryStats lines;
  std::uint64_t rays = 0;  // its rays, not a step
  // Occluders cut out of the directions still open, once for each cone that they are cut out of;
  // and cubes and blocks examined for that.
  std::uint64_t cuts = 0;

  std::uint64_t steps() const { return lines.steps() + cuts; }
  SightStats& operator+=(const SightStats& other) {
    lines += other.lines;
    rays += other.rays;
    cuts += other.cuts;
    return *this;
  }
};

// A direction in which an eye sees a box: the line from the eye along `delta` comes to the box
// without touching a closed occluder, except at the eye itself (with `through`, it crosses at most
// that many), and so do all directions of some cone next to it. It enters the box at the greatest
// of the times (near face - eye) / delta of the axes. Any such direction is a right one; which of
// them is reported may change.
struct SightWitness {
  // In units. At most 127 bits, and 64 for all but narrow cracks, in which the search finds no
  // point in units. 0 if the eye is in the box.
  std::array<absl::int128, 3> delta{};
  // True if eye + delta is a point of the box: the end of a segment that occluded() accepts, and
  // finds clear unless a solid block touches that point.
  bool unit = true;

  friend bool operator==(const SightWitness&, const SightWitness&) = default;
};

// The answer of visible(). Filling one again does not allocate once its memory is large enough.
struct SightAnswer {
  SceneVersion version;
  Sight sight = Sight::kUndecided;
  // Set if, and only if, the box is kVisible.
  std::optional<SightWitness> witness{};
  // For a hidden box, if requested: solid boxes, unions of occluders, that hide it by themselves,
  // whatever else changes, as long as they stay solid. Unloaded space that hides it
  // (UnloadedSpace::kOpaque) is among them. With `through`, the occluders one by one, without their
  // growing to unions: those that were counted.
  std::vector<FixedBox> certificate{};
  SightStats stats;
};

// The share of the points of a box, by volume (by area, if it is flat), that lie in directions in
// which the eye sees the box: what a grid of rays to points of the box tends to, its own inside not
// counting.
struct ExposureAnswer {
  SceneVersion version;
  // The exact share is at least `from` and at most `to`, multiples of 2^-30; directions that run
  // through unloaded space count in `to` alone. Exactly 0, or 1, if nothing, or all, is seen. From
  // 0 to 1 after an error.
  double from = 0;
  double to = 1;
  SightStats stats;
};

// Returns true if the boxes hide a box from an eye by themselves: a certificate, also for an eye
// and a box that have moved since. Boxes that have the eye in their interior count, too. With a
// margin, in units, true only if they still hide it wherever eye and box move, by no more than that
// together on each axis: who is that well hidden need not be asked about until then, or until one
// of the boxes is no longer solid. Errors: those of the query, and of its boxes; INVALID_ARGUMENT
// for a negative margin, OUT_OF_RANGE for one that reaches beyond the frame. Thread-safe. Cost: a
// few products of integers for each box and each cone that is still open; no look at a world.
absl::StatusOr<bool> hides(std::span<const FixedBox> boxes, const SightQuery& query,
                           std::int64_t margin = 0);

}  // namespace fractalray
