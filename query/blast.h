// SPDX-License-Identifier: Apache-2.0
// Explosions: rays from a centre that lose power to the blocks in their way, and break those that
// they get through; and the entities in reach, with the share of each that the centre sees. The
// numbers of the game are data: power, step, resistance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/vec.h"
#include "../entities/entity.h"
#include "../levels/block_type.h"
#include "entity_search.h"
#include "query_filter.h"
#include "query_stats.h"
#include "sight.h"

namespace fractalray {

// A ray of a blast. It is sampled at the centre, at centre + step, centre + 2 step and so on; all
// samples are whole units, so no rounding decides.
struct BlastRay {
  Vec3i step{};            // in units; not zero
  std::int64_t power = 0;  // at the centre; without power a ray does nothing

  friend bool operator==(const BlastRay&, const BlastRay&) = default;
};

// Returns rays of equal power to all points of the surface of a cube that is divided into a lattice
// of n x n x n points, around its centre: n^3 - (n - 2)^3 rays, in the order of x, then y, then z.
// Their steps have the length `step`, in finest-block widths, each component rounded to units; the
// same on every machine. INVALID_ARGUMENT unless 2 <= n <= 256 and 2^-10 <= step <= 2^10.
absl::StatusOr<std::vector<BlastRay>> cubeFan(int n, double step, std::int64_t power);

// A resistance that no power breaks.
inline constexpr std::int64_t kUnbreakable = std::numeric_limits<std::int64_t>::max();
// The largest radius of a blast, in finest-block widths.
inline constexpr double kMaxBlastRadius = 0x1p16;

struct BlastQuery {
  Vec3d center{};
  // No sample, and no entity, is farther from the centre than this. Both in finest-block widths,
  // rounded to units.
  double radius = 0;
  std::span<const BlastRay> rays{};
  // The power that a ray loses at each sample in a block, by BlockTypeTable::index() of its type.
  // Types beyond the end are kUnbreakable.
  std::span<const std::int64_t> resistances{};
  // The power that a ray loses after each sample, in air too.
  std::int64_t falloff = 0;
};

struct BlastOptions {
  // Its members for blocks select those that have to do with the blast; rays pass all others like
  // air. Solid and permeable blocks are equal, and a block with a shape fills its cube. Its members
  // for entities select the entities to report.
  QueryFilter filter{};
  // The occluders that shield entities, with a filter of their own: by default the blocks that are
  // solid in the default channel. sight.max_steps counts for each entity.
  SightOptions sight{};
  // The most samples that all rays may take together; beyond, the blast ends with
  // RESOURCE_EXHAUSTED.
  std::uint64_t max_samples = std::numeric_limits<std::uint64_t>::max();
};

// A block that breaks, and the first ray, in the order of Blast::blocks, that breaks it.
struct BrokenBlock {
  int level = 0;
  BlockTypeId type = kAir;
  BlockCoord block{};
  std::uint32_t ray = 0;   // its index
  std::int64_t steps = 0;  // from the centre to the sample
  std::int64_t power = 0;  // left of the ray; above 0

  friend bool operator==(const BrokenBlock&, const BrokenBlock&) = default;
};

// An entity in reach, and the share of its bounding box that the centre sees, before any block
// breaks: ExposureAnswer, from 0 to 1 if sight.max_steps was too small.
struct ExposedEntity {
  EntityHandle entity;
  EntityId id = 0;
  double distance = 0;  // of its shape from the centre: FoundEntity::distance
  double from = 0;
  double to = 1;

  friend bool operator==(const ExposedEntity&, const ExposedEntity&) = default;
};

namespace internal {

// The outcome of some rays that one task has followed.
struct BlastTask {
  std::vector<BrokenBlock> broken;  // ray by ray, outwards
  std::uint64_t samples = 0;
  bool reaches_unknown = false;

  // Begins again, with the memory.
  void reset() {
    broken.clear();
    samples = 0;
    reaches_unknown = false;
  }
};

}  // namespace internal

// The outcome of a blast, and working memory for later ones. Belongs to one thread at a time.
class Blast {
 public:
  SceneVersion version;
  // Each once, in the order of steps, then of rays, then the finer level first.
  std::vector<BrokenBlock> blocks;
  // The nearest first, then by id.
  std::vector<ExposedEntity> entities;
  // True if a ray with power was sampled where no level of the mask has a loaded chunk. Nothing
  // breaks there, and rays pass as through air.
  bool reaches_unknown = false;
  std::uint64_t samples = 0;  // of all rays

 private:
  friend class RayQueryService;

  std::vector<internal::BlastTask> tasks_;
  std::vector<FoundEntity> found_;
};

}  // namespace fractalray
