// SPDX-License-Identifier: Apache-2.0
#include "sight_rays.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../../core/internal/geometry/unit_box.h"
#include "../../../core/units.h"
#include "../search/block_acceptance.h"
#include "../shot/first_hit.h"
#include "block_walk.h"
#include "unloaded_walk.h"

namespace fractalray::internal {
namespace {

QueryOptions lineOptions(const SightOptions& options) {
  QueryOptions lines;
  lines.filter.blocks = options.filter.blocks;
  lines.filter.channel = options.filter.channel;
  lines.filter.entities = false;
  if (options.filter.block_filter) {
    // Sees no geometry, as in the walks: an occluder is one for all lines, or for none.
    lines.filter.block_filter = [&options](const BlockHit& hit) {
      const BlockKind kind = hit.terminal ? BlockKind::kSolid : BlockKind::kPermeable;
      return acceptsBlock(options.filter, hit.level, hit.block, hit.type, kind);
    };
  }
  lines.corner = CornerPolicy::kBoth;
  return lines;
}

// Returns true if the line along `w` touches a box before it comes to the target of the octant.
bool touches(const Octant& octant, const WideDirection& w, const FixedBox& box) {
  const Shadows shadows = octant.shadowsOf(box);
  return std::any_of(shadows.begin(), shadows.end(),
                     [&](const Zone& shadow) { return shadow.touches(w); });
}

// Returns true if the line from the eye along `w` can be asked, up to just before its end: of the
// last 2^-60 of a line no more than a unit is then left out, so all planes that it crosses before
// its end, which has whole units, come before that.
bool isLine(const InnerDirection& direction) {
  constexpr Int128 kLongest = std::int64_t{1} << 60;
  const WideDirection& w = direction.w;
  return direction.is_unit && w[0] <= kLongest && w[1] <= kLongest && w[2] <= kLongest;
}

// Returns on how many near planes of the target a line to a point of it ends. 1: it comes to the
// target there, through the inside of a face. 0: it has come to it before, and runs on within it.
// More: at an edge or a corner; blocks that it touches there, and nowhere before, may block all
// lines near it, which come to the faces at that edge through them.
int nearPlanesAtEnd(const WideDirection& w, const UnitBox& target) {
  int planes = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (w[static_cast<std::size_t>(axis)] == target.min[axis]) ++planes;
  }
  return planes;
}

}  // namespace

SightRays::SightRays(const SightScope& scope, std::span<const FixedBox> listed, bool is_hull_loaded,
                     PreparedShot& shot, SightSteps& steps)
    : scope_(scope),
      listed_(listed),
      shot_(shot),
      steps_(steps),
      options_(lineOptions(scope.options)),
      is_hull_loaded_(is_hull_loaded) {}

absl::StatusOr<bool> SightRays::findBlocker(const Octant& octant, const InnerDirection& direction,
                                            bool is_unloaded_opaque, Occluder& blocker) {
  ++steps_.stats().rays;
  if (!steps_.spendLooks(listed_.size())) return steps_.exhausted();
  const WideDirection& w = direction.w;
  if (findListed(octant, w, blocker)) return true;
  Answer answer = Answer::kUnsure;
  if (isLine(direction)) {
    const absl::StatusOr<Answer> asked = askLine(octant, w, blocker);
    if (!asked.ok()) return asked.status();
    answer = *asked;
  }
  if (answer == Answer::kBlocked) return true;
  return walk(octant, w, answer == Answer::kUnsure, is_unloaded_opaque && !is_hull_loaded_,
              blocker);
}

bool SightRays::findListed(const Octant& octant, const WideDirection& w, Occluder& blocker) const {
  for (const FixedBox& box : listed_) {
    if (!touches(octant, w, box)) continue;
    blocker.begin();
    blocker.boxes.push_back(box);
    return true;
  }
  return false;
}

absl::StatusOr<SightRays::Answer> SightRays::askLine(const Octant& octant, const WideDirection& w,
                                                     Occluder& blocker) {
  FixedSegment line{.from = scope_.query.eye, .to = scope_.query.eye, .end_time = kWholeLine - 1};
  for (int axis = 0; axis < 3; ++axis) {
    const auto length = static_cast<std::int64_t>(w[static_cast<std::size_t>(axis)]);
    line.to[axis] += octant.isLower(axis) ? -length : length;
  }
  options_.max_steps = steps_.left();
  const Query query{.segment = line, .levels = scope_.levels};
  const QueryContext context = scope_.state.contextOf(HitMode::kAny, query, options_);
  FirstHit hit;
  QueryStats stats;  // of this line alone, since max_steps is
  const absl::StatusOr<Occlusion> occlusion = occluded(context, shot_, hit, stats);
  steps_.stats().lines += stats;
  if (absl::IsResourceExhausted(occlusion.status())) return steps_.exhausted();
  if (!occlusion.ok()) return occlusion.status();
  const int planes = nearPlanesAtEnd(w, octant.target());
  if (*occlusion != Occlusion::kBlocked) return planes > 1 ? Answer::kUnsure : Answer::kClear;
  const CompactHit found = hit.compact(context);
  if (!scope_.setBlock({found.level, found.block}, found.type, blocker)) return Answer::kUnsure;
  // The line touches one of its boxes: on its way to the target, unless it runs on within that, or
  // only in the eye.
  const auto touches_eye = [&](const FixedBox& box) { return contains(box, scope_.query.eye); };
  const auto in_the_way = [&](const FixedBox& box) { return touches(octant, w, box); };
  const bool is_surely_in_the_way =
      planes > 0 && std::none_of(blocker.boxes.begin(), blocker.boxes.end(), touches_eye);
  return is_surely_in_the_way || std::any_of(blocker.boxes.begin(), blocker.boxes.end(), in_the_way)
             ? Answer::kBlocked
             : Answer::kUnsure;
}

absl::StatusOr<bool> SightRays::walk(const Octant& octant, const WideDirection& w, bool blocks,
                                     bool unloaded, Occluder& blocker) {
  const auto in_the_way = [&](const FixedBox& box) { return touches(octant, w, box); };
  // The walk comes to blocks whose cubes are touched, not all of whose boxes need be.
  const auto is_missed = [&](const Occluder& found) {
    return std::none_of(found.boxes.begin(), found.boxes.end(), in_the_way);
  };
  bool is_found = blocks && !walkBlocks(scope_, blocker, steps_, in_the_way, is_missed);
  if (!is_found && unloaded)
    is_found = !UnloadedWalk(scope_, blocker, steps_, in_the_way, is_missed).run();
  if (steps_.isExhausted()) return steps_.exhausted();
  return is_found;
}

}  // namespace fractalray::internal
