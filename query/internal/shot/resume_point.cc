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

absl::Status misfit(const Hit& hit, absl::string_view why, absl::string_view remedy) {
  return absl::InvalidArgumentError(
      absl::StrCat("the hit of ", nameOf(hit), " at t ", hit.t, ": ", why, "; ", remedy));
}

constexpr absl::string_view kOtherSegment =
    "give the segment, in units, that was shot (ShotResult::segment)";

// Returns the crossing of a block; nothing if the walk does not visit the block.
std::optional<CellCrossing> crossingOf(const Hit& hit, const HitLine& of) {
  const PathMask path(of.line.segment());
  const CellCrossings crossings(path, of.frame.blockShift(hit.level), of.corner);
  const Vec3i cell = path.mirrored({hit.block[0], hit.block[1], hit.block[2]});
  // A hit may come from anywhere: for a block far off the line, the crossing cannot be computed.
  for (int axis = 0; axis < 3; ++axis) {
    if (cell[axis] < crossings.first()[axis] || cell[axis] > crossings.last()[axis]) {
      return std::nullopt;
    }
  }
  return crossings.find(cell);
}

// Returns the time at which the line comes to the plane of the hit's face, in the closed cell that
// it crosses so; nothing if it does not come to it there, or not at the time of the hit.
std::optional<Fraction> timeOfPlane(const Hit& hit, const HitLine& of,
                                    const CellCrossing& crossing) {
  const int axis = int{hit.face.axis};
  if (axis < 0 || axis > 2 || hit.plane > kShapeUnits) return std::nullopt;
  const std::int64_t delta = of.line.delta()[axis];
  if (delta == 0 || hit.face.sign != (delta > 0 ? -1 : 1)) return std::nullopt;
  const int shift = of.frame.blockShift(hit.level);
  const std::int64_t way = placedPlane(hit.block[axis], hit.plane, shift) - of.line.from()[axis];
  const Fraction time = delta > 0 ? Fraction{way, delta} : Fraction{-way, -delta};
  const Vec3i cell{hit.block[0], hit.block[1], hit.block[2]};
  if (time < crossing.cell.t || time > of.line.leaveTime(cell, shift)) return std::nullopt;
  return time.toDouble() == hit.t ? std::optional(time) : std::nullopt;
}

// Returns the time of a block's hit, and checks that it is ranked as the line has it; nothing if
// the line does not have it.
std::optional<Fraction> timeOfBlock(const Hit& hit, const HitLine& of) {
  const std::optional<CellCrossing> crossing = crossingOf(hit, of);
  if (!crossing.has_value()) return std::nullopt;
  const GridCell<3>& cell = crossing->cell;
  const bool is_cube = hit.face == cell.face && hit.plane == planeOfCube(cell.face);
  if (is_cube && cell.t.toDouble() == hit.t) {
    return cell.step == hit.step ? std::optional(cell.t) : std::nullopt;
  }
  // A shape is hit where the line enters its cell, or later.
  const std::optional<Fraction> time = timeOfPlane(hit, of, *crossing);
  if (!time.has_value()) return std::nullopt;
  return hit.step == (*time == cell.t ? cell.step : 0) ? time : std::nullopt;
}

absl::StatusOr<Candidate> candidateFromBlock(const Hit& hit, const HitLine& of) {
  const std::optional<Fraction> time = timeOfBlock(hit, of);
  if (!time.has_value() || *time > of.line.end()) {
    return misfit(hit, "under this corner policy the segment does not come into it there",
                  absl::StrCat(kOtherSegment, " and its corner policy"));
  }
  Candidate candidate;
  candidate.kind = Candidate::Kind::kBlock;
  candidate.level = hit.level;
  candidate.block = hit.block;
  candidate.type = hit.type;
  candidate.step = hit.step;
  candidate.start_inside = hit.start_inside;
  candidate.face = hit.face;
  candidate.time = HitTime(*time);
  return candidate;
}

// Returns true if the shape lies within the frame, as the shapes of all entities do.
bool isHitInFrame(const Hit& hit) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t extent = hit.shape.half_extents[axis];
    if (extent < 0 || extent > kMaxCoordinate || hit.position[axis] > kMaxCoordinate - extent ||
        hit.position[axis] < extent - kMaxCoordinate) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<Candidate> candidateFromEntity(const Hit& hit, const HitLine& of) {
  const std::optional<HitTime> time =
      isHitInFrame(hit) ? intersect(of.line, hit.shape, hit.position) : std::nullopt;
  if (!time.has_value() || *time > HitTime(of.line.end()) || time->toDouble() != hit.t) {
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

std::string nameOf(const Hit& hit) {
  if (hit.isEntity()) return absl::StrCat("entity ", hit.id, " of level ", hit.level);
  return absl::StrCat("block [", hit.block[0], ", ", hit.block[1], ", ", hit.block[2],
                      "] of level ", hit.level);
}

absl::StatusOr<Candidate> candidateFromHit(const Hit& hit, const HitLine& of) {
  if (hit.kind == Hit::Kind::kNone) {
    return absl::InvalidArgumentError("a hit of kind kNone: nothing was hit");
  }
  if (!of.frame.isActive(hit.level)) {
    return misfit(hit, "that level is not active",
                  absl::StrCat("levels are 0 to ", of.frame.levels() - 1));
  }
  return hit.isBlock() ? candidateFromBlock(hit, of) : candidateFromEntity(hit, of);
}

absl::StatusOr<Candidate> candidateFromHit(const Hit& hit, const QueryContext& context) {
  const HitLine of{
      .line = context.line, .frame = context.world.frame(), .corner = context.options.corner};
  absl::StatusOr<Candidate> candidate = candidateFromHit(hit, of);
  if (candidate.ok()) return candidate;
  return absl::InvalidArgumentError(
      absl::StrCat("cannot resume after ", candidate.status().message()));
}

}  // namespace fractalray::internal
