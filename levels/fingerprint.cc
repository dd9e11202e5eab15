// SPDX-License-Identifier: Apache-2.0
#include "fingerprint.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/internal/access.h"
#include "../core/internal/stable_hash.h"
#include "../core/tree64.h"
#include "internal/chunk_boxes.h"
#include "internal/chunk_hash.h"
#include "internal/look_hash.h"
#include "internal/world_content.h"

namespace fractalray {
namespace {

using internal::StableHash;

// Returns the fingerprint of a chunk that is not absent; null for a placeholder.
std::uint64_t hashOf(const BlockTypeTable& types, int level, const ChunkCoord& at,
                     const Chunk* chunk) {
  StableHash hash;
  hash.add(std::int64_t{level});
  hash.add(at);
  hash.add(static_cast<std::uint64_t>(chunk != nullptr ? ChunkState::kLoaded : ChunkState::kProto));
  if (chunk != nullptr) {
    internal::addBlocks(hash, *chunk, types,
                        [](BlockTypeId type) { return BlockTypeTable::index(type); });
  }
  return hash.value();
}

bool contains(const ChunkBox& box, const ChunkCoord& at) {
  for (int axis = 0; axis < 3; ++axis) {
    if (at[axis] < box.min[axis] || at[axis] > box.max[axis]) return false;
  }
  return true;
}

// Calls `visit(at, chunk)` for each chunk of an area in a box that is not absent; chunk is null for
// a placeholder.
template <class Visit>
void forEachIn(const Vec3i& at, const internal::Area& area, const ChunkBox& box,
               const Visit& visit) {
  for (int in_area = 0; in_area < 64; ++in_area) {
    const internal::Region* const region = area.region(in_area);
    if (region == nullptr) continue;
    internal::forEachSlot(region->loaded() | region->proto(), [&](int in_region) {
      const ChunkCoord chunk = internal::chunkAt(at, in_area, in_region);
      if (contains(box, chunk)) visit(chunk, region->chunk(in_region));
    });
  }
}

// Calls `visit(at, area)` for each area that a box touches, in no particular order: looks up those
// of the box, or filters all that there are, whichever are fewer.
template <class Visit>
void forEachAreaOf(const internal::AreaMap<internal::Area>& areas, const ChunkBox& box,
                   const Visit& visit) {
  const Vec3i first = internal::areaOf(box.min);
  const Vec3i last = internal::areaOf(box.max);
  std::uint64_t in_box = 1;
  for (int axis = 0; axis < 3 && in_box <= areas.size(); ++axis) {
    const auto width = static_cast<std::uint64_t>(last[axis] - first[axis]) + 1;
    in_box = width > areas.size() ? width : in_box * width;
  }
  if (in_box > areas.size()) {
    areas.forEach([&](const Vec3i& at, const internal::Area& area) {
      bool is_touched = true;
      for (int axis = 0; axis < 3; ++axis)
        is_touched = is_touched && at[axis] >= first[axis] && at[axis] <= last[axis];
      if (is_touched) visit(at, area);
    });
    return;
  }
  for (std::int64_t x = first[0]; x <= last[0]; ++x) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t z = first[2]; z <= last[2]; ++z) {
        const Vec3i at{x, y, z};
        const internal::Area* const area = areas.find(internal::chunkAt(at, 0, 0));
        if (area != nullptr) visit(at, *area);
      }
    }
  }
}

}  // namespace

std::uint64_t blockTypesFingerprint(const BlockTypeTable& types) {
  StableHash hash;
  hash.add(std::uint64_t{types.channels()});
  for (std::size_t i = 0; i < types.channels(); ++i)
    hash.add(types.channelName(static_cast<ChannelId>(i)));
  hash.add(std::uint64_t{types.size()});
  for (std::size_t number = 0; number < types.size(); ++number) {
    const auto type = static_cast<BlockTypeId>(number);
    hash.add(types.name(type));
    // Blocks of a type that is empty everywhere leave no bit in a chunk's occupancy.
    hash.add(std::uint64_t{types.isEmptyEverywhere(type) ? 1U : 0U});
    for (std::size_t i = 0; i < types.channels(); ++i)
      hash.add(internal::lookHash(types, type, static_cast<ChannelId>(i)));
  }
  return hash.value();
}

std::uint64_t chunkFingerprint(const World& world, int level, const ChunkCoord& at) {
  if (world.chunkState(level, at) == ChunkState::kAbsent) return 0;
  return hashOf(world.blockTypes(), level, at, world.chunk(level, at));
}

absl::StatusOr<std::uint64_t> chunksFingerprint(const World& world, int level,
                                                const ChunkBox& box) {
  if (!world.frame().isActive(level)) {
    return absl::InvalidArgumentError(absl::StrCat("level ", level,
                                                   " is not active; this world has levels 0 to ",
                                                   world.frame().levels() - 1));
  }
  if (absl::Status status = internal::checkOrdered(box.min, box.max); !status.ok()) return status;
  std::uint64_t sum = 0;
  const internal::Level& chunks = internal::Access::content(world).level(level);
  forEachAreaOf(chunks.areas(), box, [&](const Vec3i& area_at, const internal::Area& area) {
    forEachIn(area_at, area, box, [&](const ChunkCoord& at, const Chunk* chunk) {
      sum += hashOf(world.blockTypes(), level, at, chunk);
    });
  });
  return sum;
}

}  // namespace fractalray
