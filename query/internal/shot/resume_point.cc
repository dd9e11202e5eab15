// SPDX-License-Identifier: Apache-2.0
#include "resume_point.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"

#include "../../../core/internal/geometry/cell_crossing.h"
#include "../../../core/internal/geometry/path_mask.h"
#include "../../../core/units.h"
#include "../../../entities/internal/shape_geometry.h"

namespace fractalray::internal {
namespace {

std::string nameOf(const Hit& hit) {
  if (hit.isEntity()) return absl::StrCat("entity ", hit.id, " of level ", hit.level);
  return absl::StrCat("block [", hit.block[0], ", ", hit.block[1], ", ", hit.block[2],
                      "] of level ", hit.level);
}

absl::Status misfit(const Hit& hit, absl::string_view why, absl::string_view remedy) {
  return absl::InvalidArgumentError(absl::StrCat("cannot resume after the hit of ", nameOf(hit),
                                                 " at t ", hit.t, ": ", why, "; ", remedy));
}

constexpr absl::string_view kOtherSegment =
    "give the segment, in units, that was shot (ShotResult::segment)";

// Returns the crossing of a block; nothing if the walk does not visit the block.
std::optional<CellCrossing> crossingOf(const Hit& hit, const QueryContext& context) {
  const PathMask path(context.line.segment());
  const CellCrossings crossings(path, context.world.frame().blockShift(hit.level),
                                context.options.corner);
  const Vec3i cell = path.mirrored({hit.block[0], hit.block[1], hit.block[2]});
  // A hit may come from anywhere: for a block far off the line, the crossing cannot be computed.
  for (int axis = 0; axis < 3; ++axis) {
    if (cell[axis] < crossings.first()[axis] || cell[axis] > crossings.last()[axis]) {
      return std::nullopt;
    }
  }
  return crossings.find(cell);
}

absl::StatusOr<Candidate> candidateFromBlock(const Hit& hit, const QueryContext& context) {
  const std::optional<CellCrossing> crossing = crossingOf(hit, context);
  if (!crossing.has_value() || crossing->cell.t > context.line.end() ||
      crossing->cell.step != hit.step || crossing->cell.face != hit.face ||
      crossing->cell.t.toDouble() != hit.t) {
    return misfit(hit, "under this corner policy the segment does not come into it there",
                  absl::StrCat(kOtherSegment, " and its corner policy"));
  }
  Candidate candidate;
  candidate.kind = Candidate::Kind::kBlock;
  candidate.level = hit.level;
  candidate.block = hit.block;
  candidate.type = hit.type;
  candidate.step = crossing->cell.step;
  candidate.face = crossing->cell.face;
  candidate.time = HitTime(crossing->cell.t);
  return candidate;
}

// Returns true if the shape lies within the frame, as the shapes of all entities do.
bool isInFrame(const Hit& hit) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = hit.shape.half_extents[axis];
    if (extent < 0 || extent > kMaxCoordinate || hit.position[axis] > kMaxCoordinate - extent ||
        hit.position[axis] < extent - kMaxCoordinate) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<Candidate> candidateFromEntity(const Hit& hit, const QueryContext& context) {
  const std::optional<HitTime> time =
      isInFrame(hit) ? intersect(context.line, hit.shape, hit.position) : std::nullopt;
  if (!time.has_value() || *time > HitTime(context.line.end()) || time->toDouble() != hit.t) {
    return misfit(hit, "the segment does not intersect its shape there", kOtherSegment);
  }
  Candidate candidate;
  candidate.kind = Candidate::Kind::kEntity;
  candidate.level = hit.level;
  candidate.entity = hit.entity;
  candidate.entity_id = hit.id;
  candidate.entity_class = hit.entity_class;
  candidate.shape = hit.shape;
  candidate.position = hit.position;
  candidate.time = *time;
  return candidate;
}

}  // namespace

absl::StatusOr<Candidate> candidateFromHit(const Hit& hit, const QueryContext& context) {
  if (hit.kind == Hit::Kind::kNone) {
    return absl::InvalidArgumentError("cannot resume after a hit of kind kNone: nothing was hit");
  }
  const Frame& frame = context.world.frame();
  if (!frame.isActive(hit.level)) {
    return misfit(hit, "that level is not active",
                  absl::StrCat("levels are 0 to ", frame.levels() - 1));
  }
  return hit.isBlock() ? candidateFromBlock(hit, context) : candidateFromEntity(hit, context);
}

}  // namespace fractalray::internal
