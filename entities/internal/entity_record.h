// SPDX-License-Identifier: Apache-2.0
// The record that an index keeps of an entity: the caller's specification, checked and in units.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../core/frame.h"
#include "../../core/frame_move.h"
#include "../../core/vec.h"
#include "../entity.h"

namespace fractalray::internal {

// Returns the error of one of many, by its number from 0.
absl::Status numbered(const absl::Status& status, std::string_view what, std::size_t number,
                      std::size_t count);

// Returns the record of an entity that is to be added. Errors are those of EntityIndex::add(), but
// for ids that live. Safe to call from many threads.
absl::StatusOr<Entity> entityFrom(const Frame& frame, const EntitySpec& spec);

// Returns the record that an entity has after an update. Errors are those of EntityIndex::update(),
// but for stale handles. Requires: the entity is of an index of that frame. Safe to call from many
// threads.
absl::StatusOr<Entity> updatedEntity(const Frame& frame, const Entity& entity,
                                     const EntityUpdate& update);

// Returns the record of an entity after a move of the frame; nothing if the entity is evicted: if
// its level becomes inactive, its shape leaves the frame, or it is too large for level 0. The
// entity stays in its grid, if that is possible. Requires: the entity is of an index of that frame.
// Safe to call from many threads.
std::optional<Entity> movedEntity(const FrameMove& move, const Entity& entity);

// Returns OUT_OF_RANGE if the shape around a position, in units, leaves the frame. Requires: each
// coordinate is within 3 * kMaxCoordinate.
absl::Status checkReach(const Vec3i& position, const FixedShape& shape);

}  // namespace fractalray::internal
