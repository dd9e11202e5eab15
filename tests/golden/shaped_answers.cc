// SPDX-License-Identifier: Apache-2.0
// The answers that begin with doubles, and those in worlds of shapes.
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "../../core/check.h"
#include "../../core/ray.h"
#include "../../core/segment.h"
#include "../../core/units.h"
#include "../../query/blast.h"
#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "../oracle/rng.h"
#include "answers.h"

namespace fractalray::golden {
namespace {

using oracle::Rng;

// Returns a number from -size to size with 52 random digits.
double real(Rng& rng, double size) {
  constexpr std::int64_t kMost = std::int64_t{1} << 52;
  const auto digits = static_cast<double>(rng.in(-kMost, kMost));
  return digits * 0x1p-52 * size;
}
Vec3d realVector(Rng& rng, double size) {
  Vec3d vector;
  for (int axis = 0; axis < 3; ++axis)
    vector[axis] = real(rng, size);
  return vector;
}

void addLine(Hash& hash, const absl::StatusOr<FixedSegment>& line) {
  hash.add(line.ok());
  if (!line.ok()) return;
  hash.add(line->from);
  hash.add(line->to);
  hash.add(line->end_time);
}

// Eight chunks of the finer of two levels around a point, with slabs, stairs, fences, stone and
// water, and some entities.
class ShapedScene {
 public:
  explicit ShapedScene(Rng& rng) {
    const std::int64_t far = rng.oneIn(2) ? 0 : std::int64_t{1} << 60;
    for (int axis = 0; axis < 3; ++axis)
      center_[axis] = rng.pick({far, -far});
    const std::vector<BlockTypeId> types = addTypes(world_.blockTypes());
    const ChunkCoord last = world_.frame().chunkAt(center_, kLevel);
    for (int corner = 0; corner < 8; ++corner) {
      ChunkCoord at = last;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] -= corner >> axis & 1;
      FRACTALRAY_CHECK_OK(world_.loadChunk(kLevel, at, Chunk()));
      for (int block = rng.below(600); block > 0; --block) {
        const BlockCoord cell = blockOf(at, rng.below(kBlocksPerChunk));
        const BlockTypeId type =
            types[static_cast<std::size_t>(rng.below(static_cast<int>(types.size())))];
        FRACTALRAY_CHECK_OK(world_.setBlock(kLevel, cell, type));
      }
    }
    for (EntityId id = 1; id <= 8; ++id) {
      const double size = 0.125 * static_cast<double>(rng.in(1, 8));
      EntitySpec spec{.id = id, .level = kLevel, .shape = Box{{size, size, size}}};
      if (rng.oneIn(2)) spec.shape = Sphere{size};
      for (int axis = 0; axis < 3; ++axis)
        spec.position[axis] = toBlocks(pointNear(rng, 8)[axis]);
      FRACTALRAY_CHECK_OK(entities_.add(spec));
    }
  }

  const World& world() const { return world_; }
  RayQueryService service() const { return RayQueryService(world_, entities_); }
  // Returns a point in units, at most so many blocks from the middle on each axis; one in two is on
  // a plane between quarters of blocks.
  Vec3i pointNear(Rng& rng, std::int64_t blocks) const {
    const std::int64_t lattice = rng.oneIn(2) ? kUnitsPerBlock / 4 : 1;
    const std::int64_t reach = blocks * (kUnitsPerBlock / lattice);
    Vec3i point;
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = center_[axis] + rng.in(-reach, reach) * lattice;
    return point;
  }

 private:
  static constexpr int kLevel = 1;

  static std::vector<BlockTypeId> addTypes(BlockTypeTable& types) {
    constexpr std::uint32_t kFull = 65536;
    const std::array<ShapeBox, 1> slab = {{{.min = {0, 0, 0}, .max = {kFull, 30000, kFull}}}};
    const std::array<ShapeBox, 2> stairs = {{{.min = {0, 0, 0}, .max = {kFull, 32768, kFull}},
                                             {.min = {0, 0, 32768}, .max = {kFull, kFull, kFull}}}};
    const std::array<ShapeBox, 2> fence = {
        {{.min = {24576, 0, 24576}, .max = {40960, kFull, 40960}},
         {.min = {0, 20000, 24576}, .max = {kFull, 49152, 40961}}}};
    std::vector<BlockTypeId> added = {types.add({.name = "stone"}).value(),
                                      types.add({"water", BlockKind::kPermeable, {}}).value()};
    const auto add = [&](const char* name, std::span<const ShapeBox> boxes) {
      added.push_back(types.add({.name = name, .shape = types.addShape(boxes).value()}).value());
    };
    add("slab", slab);
    add("stairs", stairs);
    add("fence", fence);
    return added;
  }

  World world_{{.levels = 2}};
  EntityIndex entities_{world_.frame()};
  Vec3i center_{};
};

}  // namespace

std::uint64_t hashOfLines() {
  Hash hash;
  Rng rng("golden lines");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2000; ++i) {
    const double scale = rng.pick({1.0, 1000.0, 0x1p30});
    Ray ray{.origin = realVector(rng, scale),
            .direction = realVector(rng, rng.pick({1.0, 0x1p40}))};
    ray.max_distance = rng.pick({kInfinity, 0.0, 5.0, 6.3, 1000.25, 0x1p40});
    addLine(hash, toFixedSegment(ray));
    addLine(hash, toFixedSegment(Segment{realVector(rng, scale), realVector(rng, scale)}));
  }
  return hash.value();
}

std::uint64_t hashOfShapes() {
  Hash hash;
  Rng rng("golden shapes");
  for (int number = 0; number < 20; ++number) {
    const ShapedScene scene(rng);
    for (int i = 0; i < 100; ++i) {
      QueryOptions options;
      options.corner = static_cast<CornerPolicy>(rng.below(3));
      const FixedSegment segment{.from = scene.pointNear(rng, 16), .to = scene.pointNear(rng, 16)};
      const auto shot = scene.service().shootSegment(segment, scene.world().allLevels(), options);
      FRACTALRAY_CHECK_OK(shot);
      addResult(hash, *shot);
    }
  }
  return hash.value();
}

// Not the witnesses, of which any is right.
std::uint64_t hashOfSight() {
  Hash hash;
  Rng rng("golden sight");
  for (int number = 0; number < 20; ++number) {
    const ShapedScene scene(rng);
    for (int i = 0; i < 100; ++i) {
      SightQuery query{.eye = scene.pointNear(rng, 12), .box = {}};
      query.box.min = scene.pointNear(rng, 12);
      for (int axis = 0; axis < 3; ++axis)
        query.box.max[axis] = query.box.min[axis] + rng.in(1, 2 * kUnitsPerBlock);
      const auto seen = scene.service().visible(query, scene.world().allLevels());
      FRACTALRAY_CHECK_OK(seen);
      hash.add(static_cast<int>(seen->sight));
      const auto share = scene.service().exposure(query, scene.world().allLevels());
      FRACTALRAY_CHECK_OK(share);
      hash.add(share->from);
      hash.add(share->to);
    }
  }
  return hash.value();
}

std::uint64_t hashOfBlasts() {
  Hash hash;
  Rng rng("golden blasts");
  for (int number = 0; number < 20; ++number) {
    const ShapedScene scene(rng);
    const auto fan = cubeFan(8, 0.25 + 0.01 * number, 4000);
    FRACTALRAY_CHECK_OK(fan);
    for (const BlastRay& ray : *fan)
      hash.add(ray.step);
    const std::vector<std::int64_t> resistances = {0, 900, 300, 400, 500, 600};
    const Vec3i at = scene.pointNear(rng, 4);
    const auto blast = scene.service().blast({.center = toBlocks(at),
                                              .radius = 8,
                                              .rays = *fan,
                                              .resistances = resistances,
                                              .falloff = 75},
                                             scene.world().allLevels());
    FRACTALRAY_CHECK_OK(blast);
    hash.add(blast->samples);
    for (const BrokenBlock& broken : blast->blocks) {
      hash.add(broken.block);
      hash.add(static_cast<int>(broken.type));
      hash.add(static_cast<std::uint64_t>(broken.ray));
      hash.add(broken.steps);
      hash.add(broken.power);
    }
    for (const ExposedEntity& exposed : blast->entities) {
      hash.add(exposed.id);
      hash.add(exposed.distance);
      hash.add(exposed.from);
      hash.add(exposed.to);
    }
  }
  return hash.value();
}

}  // namespace fractalray::golden
