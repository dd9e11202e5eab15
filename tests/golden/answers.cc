// SPDX-License-Identifier: Apache-2.0
#include "answers.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "../../core/grid_walk.h"
#include "../../query/ray_query_service.h"
#include "../oracle/rng.h"

namespace fractalray::golden {
namespace {

using oracle::Rng;

void addFraction(Hash& hash, const Fraction& t) {
  const std::int64_t divisor = std::gcd(t.numerator, t.denominator);
  hash.add(t.numerator / divisor);
  hash.add(t.denominator / divisor);
}

void addFace(Hash& hash, const Face& face) {
  hash.add(static_cast<int>(face.axis));
  hash.add(static_cast<int>(face.sign));
}

template <int N>
void addWalk(Hash& hash, Rng& rng) {
  using Point = Vec<std::int64_t, N>;
  Point from;
  Point to;
  Point widths;
  const std::int64_t scale = std::int64_t{1} << rng.in(0, 56);
  for (int axis = 0; axis < N; ++axis) {
    widths[axis] = rng.oneIn(2) ? scale : scale + rng.in(0, scale);
    const std::int64_t lattice = rng.oneIn(2) ? widths[axis] : std::max<std::int64_t>(1, scale / 4);
    from[axis] = rng.in(-8, 8) * lattice;
    to[axis] = rng.in(-8, 8) * lattice;
    to[axis] += rng.in(-1, 1);  // a statement of its own: the order of operands is the compiler's
  }
  GridWalk<N> walk(from, to, widths, static_cast<CornerPolicy>(rng.below(3)));
  hash.add(walk.crossings());
  for (const GridCell<N>& cell : walk) {
    hash.add(cell.cell);
    addFraction(hash, cell.t);
    addFace(hash, cell.face);
  }
}

void addGeometry(Hash& hash, const HitGeometry& hit) {
  hash.add(hit.t);
  hash.add(hit.t_exit);
  addFace(hash, hit.face);
  hash.add(hit.normal);
  hash.add(hit.start_inside);
  hash.add(hit.point);
  hash.add(hit.distance);
}

void addHit(Hash& hash, const Hit& hit) {
  addGeometry(hash, hit);
  hash.add(hit.terminal);
  hash.add(hit.level);
  if (hit.isBlock()) {
    hash.add(hit.block);
    hash.add(static_cast<int>(hit.type));
  } else {
    hash.add(hit.id);
    hash.add(static_cast<int>(hit.entity_class));
  }
}

// Returns a world around a corner of the coarsest chunks, the origin or far from it, and segments
// through it.
class Scene {
 public:
  explicit Scene(Rng& rng)
      : world_({.levels = rng.pick({1, 2, 3, 5, 10}), .block_types = nullptr}),
        entities_(world_.frame()) {
    const std::int64_t far = rng.oneIn(2) ? 0 : (std::int64_t{1} << 60);
    for (int axis = 0; axis < 3; ++axis)
      center_[axis] = rng.pick({far, -far});
    water_ = world_.blockTypes().add({"water", BlockKind::kPermeable, {}}).value();
    stone_ = world_.blockTypes().add({"stone", BlockKind::kSolid, {}}).value();
    for (int level = 0; level < levels(); ++level)
      loadSome(rng, level);
    for (EntityId id = 1; id <= 20; ++id)
      addEntity(rng, id);
  }

  int levels() const { return world_.frame().levels(); }
  const World& world() const { return world_; }
  const EntityIndex& entities() const { return entities_; }

  FixedSegment segment(Rng& rng) const {
    const std::int64_t width = world_.frame().blockWidth(rng.below(levels()));
    const std::int64_t lattice = rng.pick({width, width / 2, width / 16, std::int64_t{1}});
    const std::int64_t reach = 20 * (width / lattice);
    FixedSegment segment;
    for (int axis = 0; axis < 3; ++axis) {
      segment.from[axis] = center_[axis] + rng.in(-reach, reach) * lattice;
      segment.to[axis] = center_[axis] + rng.in(-reach, reach) * lattice;
      if (rng.oneIn(8)) segment.to[axis] = segment.from[axis];
    }
    return segment;
  }

 private:
  void loadSome(Rng& rng, int level) {
    for (int i = rng.below(8); i >= 0; --i) {
      ChunkCoord at = world_.frame().chunkAt(center_, level);
      for (int axis = 0; axis < 3; ++axis)
        at[axis] -= rng.in(0, 1);
      FRACTALRAY_CHECK_OK(world_.loadChunk(level, at, Chunk::uniform(kAir, world_.blockTypes())));
      for (int block = rng.below(500); block > 0; --block) {
        const BlockTypeId type = rng.oneIn(3) ? stone_ : water_;
        FRACTALRAY_CHECK_OK(world_.setBlock(level, blockOf(at, rng.below(kBlocksPerChunk)), type));
      }
    }
  }

  void addEntity(Rng& rng, EntityId id) {
    const double width = toBlocks(world_.frame().blockWidth(rng.below(levels())));
    const auto size = [&] { return width * static_cast<double>(rng.in(0, 32)) / 8; };
    EntitySpec spec;
    spec.id = id;
    spec.level = rng.below(levels());
    spec.shape = Sphere{size()};
    if (rng.oneIn(2)) spec.shape = Box{{size(), size(), size()}};
    for (int axis = 0; axis < 3; ++axis) {
      spec.position[axis] =
          toBlocks(center_[axis]) + width * static_cast<double>(rng.in(-64, 64)) / 4;
    }
    FRACTALRAY_CHECK_OK(entities_.add(spec));
  }

  World world_;
  EntityIndex entities_;
  Vec3i center_{};
  BlockTypeId water_{};
  BlockTypeId stone_{};
};

}  // namespace

void addResult(Hash& hash, const ShotResult& shot) {
  hash.add(shot.segment.from);
  hash.add(shot.segment.to);
  for (const Hit& hit : shot.hits)
    addHit(hash, hit);
  hash.add(shot.terminated);
  hash.add(shot.truncated);
  hash.add(shot.unknown_from.value_or(-1));
  for (const LevelSpan& span : shot.level_spans) {
    hash.add(span.level);
    hash.add(span.t0);
    hash.add(span.t1);
  }
}

std::uint64_t hashOfWalks() {
  Hash hash;
  Rng rng("golden walks");
  for (int i = 0; i < 2000; ++i) {
    addWalk<2>(hash, rng);
    addWalk<3>(hash, rng);
  }
  return hash.value();
}

std::uint64_t hashOfShots(SearchPass pass) {
  Hash hash;
  Rng rng("golden shots");
  for (int number = 0; number < 40; ++number) {
    const Scene scene(rng);
    const RayQueryService service(scene.world(), scene.entities());
    for (int i = 0; i < 100; ++i) {
      QueryOptions options;
      options.corner = static_cast<CornerPolicy>(rng.below(3));
      options.report_unknown = rng.oneIn(2);
      options.report_level_spans = true;
      options.pass = pass;
      const FixedSegment segment = scene.segment(rng);
      const auto shot = service.shootSegment(segment, scene.world().allLevels(), options);
      FRACTALRAY_CHECK_OK(shot);
      addResult(hash, *shot);
    }
  }
  return hash.value();
}

std::uint64_t hashOfEntityChunks() {
  Hash hash;
  Rng rng("golden entity chunks");
  for (int i = 0; i < 100; ++i) {
    const Scene scene(rng);
    for (const EntityHandle entity : scene.entities().all()) {
      hash.add(scene.entities().find(entity)->index_level);
      for (const ChunkCoord& chunk : scene.entities().chunks(entity))
        hash.add(chunk);
    }
  }
  return hash.value();
}

std::string answersAsText() {
  std::string text;
  const auto append = [&](const char* name, std::uint64_t hash) {
    char line[64];
    std::snprintf(line, sizeof line, "%s %016llx\n", name, static_cast<unsigned long long>(hash));
    text += line;
  };
  append("walks", hashOfWalks());
  append("shots", hashOfShots(SearchPass::kFast));
  append("entity_chunks", hashOfEntityChunks());
  append("lines", hashOfLines());
  append("shapes", hashOfShapes());
  append("sight", hashOfSight());
  append("blasts", hashOfBlasts());
  return text;
}

}  // namespace fractalray::golden
