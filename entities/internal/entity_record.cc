// SPDX-License-Identifier: Apache-2.0
#include "entity_record.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"

#include "../../core/check.h"
#include "../../core/internal/number_text.h"
#include "../../core/units.h"

namespace fractalray::internal {
namespace {

// Returns the finest level whose chunks are wider than `radius`, or -1.
int indexLevelFor(const Frame& frame, std::int64_t radius) {
  int level = frame.levels() - 1;
  while (level >= 0 && radius >= frame.chunkWidth(level))
    --level;
  return level;
}

// Each of these sets one field of a record, or returns why the entity may not have that value.

absl::Status setLevel(const Frame& frame, int level, Entity& entity) {
  if (!frame.isActive(level)) {
    return absl::InvalidArgumentError(absl::StrCat("entity ", entity.id, " is of level ", level,
                                                   ", which is not active; levels are 0 to ",
                                                   frame.levels() - 1));
  }
  entity.level = static_cast<std::int8_t>(level);
  return absl::OkStatus();
}

absl::Status setShape(const Frame& frame, const Shape& shape, Entity& entity) {
  const absl::StatusOr<FixedShape> fixed = toUnits(shape);
  if (!fixed.ok() && !absl::IsOutOfRange(fixed.status())) return fixed.status();
  const int index_level = fixed.ok() ? indexLevelFor(frame, fixed->radius()) : -1;
  if (index_level < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "entity ", entity.id, " is too large: its radius must be below a level-0 chunk, ",
        toBlocks(frame.chunkWidth(0)),
        " finest-block widths in this world; make it smaller, or the world with more levels"));
  }
  entity.shape = *fixed;
  entity.index_level = static_cast<std::int8_t>(index_level);
  return absl::OkStatus();
}

absl::Status setPosition(const Vec3d& position, Entity& entity) {
  const absl::StatusOr<Vec3i> units = toUnits(position, "the entity's position");
  if (!units.ok()) return units.status();
  entity.position = *units;
  return absl::OkStatus();
}

// Returns true if a shape around a position leaves the frame on an axis.
bool leavesFrame(const Vec3i& position, const FixedShape& shape, int axis) {
  const std::int64_t distance = position[axis] < 0 ? -position[axis] : position[axis];
  return distance > kMaxCoordinate - shape.half_extents[axis];
}

}  // namespace

absl::Status checkReach(const Vec3i& position, const FixedShape& shape) {
  for (int axis = 0; axis < 3; ++axis) {
    FRACTALRAY_DCHECK(std::abs(position[axis]) <= 3 * kMaxCoordinate, axis, position[axis]);
    if (leavesFrame(position, shape, axis)) {
      return absl::OutOfRangeError(
          absl::StrCat("the entity's shape around ", axisName(axis), " = ",
                       toBlocks(position[axis]), " reaches beyond the frame, which ends at ",
                       kMaxCoordinate / kUnitsPerBlock, " finest-block widths (2^45)"));
    }
  }
  return absl::OkStatus();
}

std::optional<Entity> movedEntity(const FrameMove& move, const Entity& entity) {
  const int level = move.levelAfter(entity.level);
  const std::optional<Vec3i> position = move.pointAfter(entity.position);
  if (!move.frame().isActive(level) || !position.has_value()) return std::nullopt;
  Entity moved = entity;
  moved.level = static_cast<std::int8_t>(level);
  moved.position = *position;
  for (int axis = 0; axis < 3; ++axis)
    moved.shape.half_extents[axis] = move.sizeAfter(entity.shape.half_extents[axis]);
  const int index_level = indexLevelFor(move.frame(), moved.shape.radius());
  if (index_level < 0) return std::nullopt;
  moved.index_level = static_cast<std::int8_t>(index_level);
  const int grid_level = move.levelAfter(entity.grid_level);
  const bool keeps_grid = move.frame().isActive(grid_level) && grid_level <= index_level;
  moved.grid_level = static_cast<std::int8_t>(keeps_grid ? grid_level : index_level);
  for (int axis = 0; axis < 3; ++axis) {
    if (leavesFrame(moved.position, moved.shape, axis)) return std::nullopt;
  }
  return moved;
}

absl::StatusOr<Entity> entityFrom(const Frame& frame, const EntitySpec& spec) {
  Entity entity{.id = spec.id, .categories = spec.categories, .entity_class = spec.entity_class};
  absl::Status status = setLevel(frame, spec.level, entity);
  if (status.ok()) status = setShape(frame, spec.shape, entity);
  if (status.ok()) status = setPosition(spec.position, entity);
  if (status.ok()) status = checkReach(entity.position, entity.shape);
  if (!status.ok()) return status;
  entity.grid_level = entity.index_level;
  return entity;
}

absl::StatusOr<Entity> updatedEntity(const Frame& frame, const Entity& entity,
                                     const EntityUpdate& update) {
  Entity updated = entity;
  if (update.categories.has_value()) updated.categories = *update.categories;
  if (update.entity_class.has_value()) updated.entity_class = *update.entity_class;
  absl::Status status;
  if (update.level.has_value()) status = setLevel(frame, *update.level, updated);
  if (status.ok() && update.shape.has_value()) status = setShape(frame, *update.shape, updated);
  if (status.ok() && update.position.has_value()) status = setPosition(*update.position, updated);
  if (status.ok()) status = checkReach(updated.position, updated.shape);
  if (!status.ok()) return status;
  if (updated.shape != entity.shape) updated.grid_level = updated.index_level;
  return updated;
}

absl::Status numbered(const absl::Status& status, std::string_view what, std::size_t number,
                      std::size_t count) {
  return {status.code(), absl::StrCat(std::string(what), " ", number + 1, " of ", count, ": ",
                                      status.message(), "; nothing has been changed")};
}

}  // namespace fractalray::internal
