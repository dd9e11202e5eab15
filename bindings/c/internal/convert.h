// SPDX-License-Identifier: Apache-2.0
// Converts between the library's types and those of the C interface.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>

#include "absl/status/statusor.h"

#include "../../../core/level_mask.h"
#include "../../../core/segment.h"
#include "../../../entities/entity.h"
#include "../../../entities/entity_limits.h"
#include "../../../levels/block_type.h"
#include "../../../levels/chunk.h"
#include "../../../query/compact_hit.h"
#include "../../../query/hit.h"
#include "../../../query/occlusion.h"
#include "../../../query/query_stats.h"
#include "../fractalray_c.h"

namespace fractalray::capi {

// A handle has 53 bits, which a double holds exactly: the generation above the slot.
inline constexpr int kSlotBits = 26;
static_assert(kMaxEntitySlots <= std::uint32_t{1} << kSlotBits);
static_assert(kMaxEntityGeneration < std::uint32_t{1} << (53 - kSlotBits));

inline frEntity toC(const EntityHandle& entity) {
  return (std::uint64_t{entity.generation} << kSlotBits) | entity.slot;
}
// Returns a handle that no entity has for a number that is none.
inline EntityHandle fromC(frEntity entity) {
  if (entity >= std::uint64_t{1} << 53) return {};
  return {.slot = static_cast<std::uint32_t>(entity & ((std::uint64_t{1} << kSlotBits) - 1)),
          .generation = static_cast<std::uint32_t>(entity >> kSlotBits)};
}

inline BlockTypeId typeFromC(frBlockType type) {
  return static_cast<BlockTypeId>(type);
}
inline frBlockType toC(BlockTypeId type) {
  return static_cast<frBlockType>(type);
}
// Returns the levels whose bits are set; bits that no world has are ignored.
inline LevelMask levelsFromC(frLevelMask levels) {
  if (levels == FR_ALL_LEVELS) return LevelMask::all();
  LevelMask mask;
  for (frLevelMask left = levels & FR_ALL_LEVELS; left != 0; left &= left - 1)
    mask.add(std::countr_zero(left));
  return mask;
}
std::int32_t toC(BlockKind kind);
absl::StatusOr<BlockKind> kindFromC(std::int32_t kind);

inline std::int32_t toC(ChunkState state) {
  return static_cast<std::int32_t>(state);
}
static_assert(static_cast<int>(ChunkState::kAbsent) == FR_ABSENT &&
              static_cast<int>(ChunkState::kProto) == FR_PROTO &&
              static_cast<int>(ChunkState::kLoaded) == FR_LOADED);
static_assert(static_cast<int>(Occlusion::kClear) == FR_CLEAR &&
              static_cast<int>(Occlusion::kBlocked) == FR_BLOCKED &&
              static_cast<int>(Occlusion::kUnknown) == FR_UNKNOWN);
static_assert(static_cast<int>(Hit::Kind::kNone) == FR_HIT_NONE &&
              static_cast<int>(Hit::Kind::kBlock) == FR_HIT_BLOCK &&
              static_cast<int>(Hit::Kind::kEntity) == FR_HIT_ENTITY);
static_assert(static_cast<int>(FixedShape::Kind::kSphere) == FR_SPHERE &&
              static_cast<int>(FixedShape::Kind::kBox) == FR_BOX);

inline FixedSegment fromC(const frLine& line) {
  return {.from = {line.from[0], line.from[1], line.from[2]},
          .to = {line.to[0], line.to[1], line.to[2]},
          .end_time = line.end_time,
          .begin = {.plane = line.begin_plane, .axes = line.begin_axes}};
}
inline void write(const FixedSegment& segment, frLine& line) {
  line = {.from = {segment.from[0], segment.from[1], segment.from[2]},
          .to = {segment.to[0], segment.to[1], segment.to[2]},
          .end_time = segment.end_time,
          .begin_plane = segment.begin.plane,
          .begin_axes = segment.begin.axes,
          .reserved = {}};
}

void write(const Hit& hit, frHit& to);
void write(const CompactHit& hit, frCompactHit& to);
// Return INVALID_ARGUMENT for a hit that the library cannot have made.
absl::StatusOr<Hit> fromC(const frHit& from);
absl::StatusOr<CompactHit> fromC(const frCompactHit& from);

inline void write(const QueryStats& stats, frStats& to) {
  to = {.cells = stats.cells,
        .chunks = stats.chunks,
        .index_cells = stats.index_cells,
        .entities_tested = stats.entities_tested,
        .skips = stats.skips,
        .listed = stats.listed,
        .ordered = stats.ordered,
        .direct = stats.direct};
}

// Returns a time, or NaN if there is none.
inline double orNan(const std::optional<double>& time) {
  return time.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace fractalray::capi
