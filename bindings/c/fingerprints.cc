// SPDX-License-Identifier: Apache-2.0
// Fingerprints of block types, of blocks and of entities.
#include <cstddef>
#include <cstdint>

#include "../../entities/entity_fingerprint.h"
#include "../../levels/fingerprint.h"
#include "internal/objects.h"

namespace fractalray::capi {
namespace {

// Checks a box of chunks of a level, whose corners have been checked as pointers.
absl::Status checkBox(const WorldState& state, std::int32_t level, const std::int64_t* min,
                      const std::int64_t* max) {
  absl::Status status = checkLevel(state, level);
  for (int axis = 0; status.ok() && axis < 3; ++axis) {
    if (min[axis] <= max[axis]) continue;
    status = absl::InvalidArgumentError(
        absl::StrCat("min[", axis, "] is ", min[axis], ", more than max[", axis, "], ", max[axis]));
  }
  return status;
}

// Returns how many chunks there are in a box, whose fingerprints are to be listed.
absl::StatusOr<std::uint64_t> countOf(const std::int64_t* min, const std::int64_t* max) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  std::uint64_t chunks = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint64_t width =
        static_cast<std::uint64_t>(max[axis]) - static_cast<std::uint64_t>(min[axis]) + 1;
    chunks = width == 0 || width > kMost ? kMost + 1 : chunks * width;
    if (chunks > kMost) {
      return absl::InvalidArgumentError(
          absl::StrCat("the box has more than ", kMost,
                       " chunks; list parts of it, or take the fingerprint of all of it"));
    }
  }
  return chunks;
}

}  // namespace
}  // namespace fractalray::capi

using namespace fractalray::capi;
using fractalray::ChunkBox;

extern "C" {

frResult frWorld_FingerprintBlockTypes(const frWorld* world, uint64_t* fingerprint) {
  return reading(__func__, world, {{fingerprint, "fingerprint"}}, [&](const WorldState& state) {
    *fingerprint = fractalray::blockTypesFingerprint(state.world().blockTypes());
    return absl::OkStatus();
  });
}

frResult frWorld_Fingerprint(const frWorld* world, int32_t level, const int64_t min[3],
                             const int64_t max[3], uint64_t* blocks, uint64_t* entities) {
  return reading(
      __func__, world, {{min, "min"}, {max, "max"}}, [&](const WorldState& state) -> absl::Status {
        absl::Status status = checkOptional({blocks, "blocks"});
        if (status.ok()) status = checkOptional({entities, "entities"});
        if (status.ok()) status = checkBox(state, level, min, max);
        if (!status.ok()) return status;
        const ChunkBox box{.min = chunkFrom(min), .max = chunkFrom(max)};
        std::uint64_t of_entities = 0;  // the result is not written if memory runs out
        if (entities != nullptr) {
          of_entities = fractalray::entitiesFingerprint(state.entities(), level, box.min, box.max);
        }
        if (blocks != nullptr) {
          const auto of_blocks = fractalray::chunksFingerprint(state.world(), level, box);
          if (!of_blocks.ok()) return of_blocks.status();
          *blocks = *of_blocks;
        }
        if (entities != nullptr) *entities = of_entities;
        return status;
      });
}

frResult frWorld_FingerprintChunks(const frWorld* world, int32_t level, const int64_t min[3],
                                   const int64_t max[3], uint64_t* fingerprints, size_t capacity,
                                   size_t* count) {
  return reading(
      __func__, world, {{min, "min"}, {max, "max"}, {count, "count"}},
      [&](const WorldState& state) -> absl::Status {
        absl::Status status = checkArray({fingerprints, "fingerprints"}, capacity);
        if (status.ok()) status = checkBox(state, level, min, max);
        if (!status.ok()) return status;
        const absl::StatusOr<std::uint64_t> chunks = countOf(min, max);
        if (!chunks.ok()) return chunks.status();
        fractalray::ChunkCoord at = chunkFrom(min);
        const auto next = [&](std::size_t /*i*/) {
          const std::uint64_t fingerprint = fractalray::chunkFingerprint(state.world(), level, at);
          for (int axis = 0; axis < 3; ++axis) {
            if (at[axis] < max[axis]) {
              ++at[axis];
              break;
            }
            at[axis] = min[axis];
          }
          return fingerprint;
        };
        return copyOut(static_cast<std::size_t>(*chunks), fingerprints, capacity, count, next);
      });
}

}  // extern "C"
