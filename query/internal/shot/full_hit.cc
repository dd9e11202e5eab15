// SPDX-License-Identifier: Apache-2.0
#include "full_hit.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../../../core/internal/access.h"
#include "../../../core/internal/geometry/hit_time.h"
#include "../../../core/internal/geometry/line.h"
#include "../../../entities/internal/entity_store.h"
#include "../../../entities/internal/shape_geometry.h"
#include "../search/query_checks.h"

namespace fractalray::internal {
namespace {

// Sets what the hits of both kinds have in common with their compact form.
Hit commonOf(const CompactHit& compact) {
  Hit hit;
  hit.kind = compact.kind;
  hit.t = compact.t;
  hit.t_exit = compact.t_exit;
  hit.face = compact.face;
  hit.start_inside = compact.start_inside;
  hit.terminal = compact.terminal;
  hit.level = int{compact.level};
  return hit;
}

Hit fullBlockHit(const FixedSegment& line, const CompactHit& compact) {
  Hit hit = commonOf(compact);
  hit.normal = compact.face.normal();
  hit.point = line.pointAt(compact.t);
  hit.distance = compact.t * line.lengthBlocks();
  hit.block = compact.block;
  hit.type = compact.type;
  hit.step = compact.step;
  hit.plane = compact.plane;
  return hit;
}

absl::StatusOr<Hit> fullEntityHit(const EntityStore& store, const FixedSegment& segment,
                                  const CompactHit& compact) {
  const Entity* const entity = store.find(compact.entity);
  if (entity == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("the entity of the compact hit, id ", compact.id, ", has been removed since"));
  }
  const Line line(segment);
  const std::optional<HitTime> time = intersect(line, entity->shape, entity->position);
  if (!time.has_value() || time->toDouble() != compact.t) {
    return absl::FailedPreconditionError(absl::StrCat("the line does not hit the entity, id ",
                                                      compact.id, ", at t = ", compact.t,
                                                      ": has it moved, or is it another line?"));
  }
  Hit hit = commonOf(compact);
  static_cast<HitGeometry&>(hit) = hitGeometry(line, entity->shape, entity->position, *time);
  hit.entity = compact.entity;
  hit.id = compact.id;
  hit.entity_class = entity->entity_class;
  hit.categories = entity->categories;
  hit.shape = entity->shape;
  hit.position = entity->position;
  return hit;
}

}  // namespace

absl::StatusOr<Hit> fullHit(const EntityIndex& entities, const FixedSegment& segment,
                            const CompactHit& compact) {
  absl::Status status = checkSegment(segment);
  if (!status.ok()) return status;
  if (compact.isBlock()) return fullBlockHit(segment, compact);
  if (compact.isEntity()) return fullEntityHit(Access::store(entities), segment, compact);
  return absl::InvalidArgumentError("a compact hit of kind kNone stands for no hit");
}

}  // namespace fractalray::internal
