// SPDX-License-Identifier: Apache-2.0
#include "convert.h"

#include "absl/strings/str_cat.h"

#include "../../../core/units.h"
#include "arguments.h"

namespace fractalray::capi {
namespace {

absl::Status badHit(const char* member, std::int64_t value) {
  return absl::InvalidArgumentError(absl::StrCat("a hit has ", value, " for its ", member,
                                                 ", as no hit of a query has; give "
                                                 "hits as a query returned them"));
}

// Checks the members that frHit and frCompactHit have in common.
template <class AnyHit>
absl::Status checkCommon(const AnyHit& hit) {
  if (hit.kind > FR_HIT_ENTITY) return badHit("kind", hit.kind);
  if (hit.face_axis < -1 || hit.face_axis > 2) return badHit("face_axis", hit.face_axis);
  if (hit.face_sign < -1 || hit.face_sign > 1 || (hit.face_axis < 0) != (hit.face_sign == 0)) {
    return badHit("face_sign", hit.face_sign);
  }
  if (hit.level < 0 || hit.level >= kMaxLevels) return badHit("level", hit.level);
  return absl::OkStatus();
}

absl::Status checkHit(const frHit& hit) {
  absl::Status status = checkCommon(hit);
  if (!status.ok()) return status;
  if (hit.shape > FR_BOX) return badHit("shape", hit.shape);
  for (const std::int64_t extent : hit.half_extents) {
    if (extent < 0 || (hit.shape == FR_SPHERE && extent != hit.half_extents[0])) {
      return badHit("half_extents", extent);
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::int32_t toC(BlockKind kind) {
  if (kind == BlockKind::kSolid) return FR_SOLID;
  return kind == BlockKind::kPermeable ? FR_PERMEABLE : FR_EMPTY;
}

absl::StatusOr<BlockKind> kindFromC(std::int32_t kind) {
  switch (kind) {
    case FR_SOLID:
      return BlockKind::kSolid;
    case FR_PERMEABLE:
      return BlockKind::kPermeable;
    case FR_EMPTY:
      return BlockKind::kEmpty;
    default:
      return badEnum("kind", kind, "FR_SOLID, FR_PERMEABLE, FR_EMPTY");
  }
}

void write(const Hit& hit, frHit& to) {
  to.t = hit.t;
  to.t_exit = hit.t_exit;
  to.distance = hit.distance;
  store(hit.point, to.point);
  store(hit.normal, to.normal);
  to.face_axis = hit.face.axis;
  to.face_sign = hit.face.sign;
  to.start_inside = hit.start_inside ? 1 : 0;
  to.kind = static_cast<std::uint8_t>(hit.kind);
  to.terminal = hit.terminal ? 1 : 0;
  to.step = hit.step;
  to.type = toC(hit.type);
  to.level = hit.level;
  to.entity_class = static_cast<std::uint32_t>(hit.entity_class);
  if (hit.isEntity()) {
    store(hit.position, to.cell);
  } else {
    store(hit.block, to.cell);
  }
  to.entity = toC(hit.entity);
  to.id = hit.id;
  to.categories = hit.categories;
  to.plane = hit.plane;
  to.shape = static_cast<std::uint8_t>(hit.shape.kind);
  for (std::uint8_t& byte : to.reserved)
    byte = 0;
  store(hit.shape.half_extents, to.half_extents);
}

void write(const CompactHit& hit, frCompactHit& to) {
  to.t = hit.t;
  to.t_exit = hit.t_exit;
  store(hit.block, to.block);
  to.entity = toC(hit.entity);
  to.id = hit.isBlock() ? hit.plane : hit.id;
  to.type = toC(hit.type);
  to.kind = static_cast<std::uint8_t>(hit.kind);
  to.level = hit.level;
  to.face_axis = hit.face.axis;
  to.face_sign = hit.face.sign;
  to.step = hit.step;
  to.flags = static_cast<std::uint8_t>((hit.terminal ? FR_HIT_TERMINAL : 0) |
                                       (hit.start_inside ? FR_HIT_START_INSIDE : 0));
}

absl::StatusOr<CompactHit> fromC(const frCompactHit& from) {
  absl::Status status = checkCommon(from);
  if (!status.ok()) return status;
  if (!(from.t >= 0 && from.t <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a hit has t = ", from.t, "; give hits as a query returned them"));
  }
  CompactHit hit;
  hit.t = from.t;
  hit.t_exit = from.t_exit;
  hit.block = blockFrom(from.block);
  hit.entity = fromC(from.entity);
  hit.type = typeFromC(from.type);
  hit.kind = static_cast<Hit::Kind>(from.kind & 3U);
  if (hit.isBlock()) {
    hit.plane = from.id & 0x1ffffU;
  } else {
    hit.id = from.id;
  }
  hit.level = from.level;
  hit.face = {.axis = from.face_axis, .sign = from.face_sign};
  hit.step = from.step & 7U;
  hit.terminal = (from.flags & FR_HIT_TERMINAL) != 0;
  hit.start_inside = (from.flags & FR_HIT_START_INSIDE) != 0;
  return hit;
}

absl::StatusOr<Hit> fromC(const frHit& from) {
  absl::Status status = checkHit(from);
  if (!status.ok()) return status;
  Hit hit;
  hit.t = from.t;
  hit.t_exit = from.t_exit;
  hit.distance = from.distance;
  hit.point = vectorFrom(from.point);
  hit.normal = vectorFrom(from.normal);
  hit.face = {.axis = from.face_axis, .sign = from.face_sign};
  hit.start_inside = from.start_inside != 0;
  hit.kind = static_cast<Hit::Kind>(from.kind);
  hit.terminal = from.terminal != 0;
  hit.step = from.step;
  hit.plane = from.plane;
  hit.type = typeFromC(from.type);
  hit.level = from.level;
  hit.entity_class = static_cast<EntityClassId>(from.entity_class);
  if (hit.isEntity()) {
    hit.position = vectorFrom(from.cell);
  } else {
    hit.block = blockFrom(from.cell);
  }
  hit.entity = fromC(from.entity);
  hit.id = from.id;
  hit.categories = from.categories;
  hit.shape = {.kind = static_cast<FixedShape::Kind>(from.shape),
               .half_extents = vectorFrom(from.half_extents)};
  return hit;
}

}  // namespace fractalray::capi
