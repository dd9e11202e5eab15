// SPDX-License-Identifier: Apache-2.0
#include "hard_scene.h"

#include <algorithm>
#include <cstdlib>

#include "../../core/check.h"

namespace fractalray::oracle {
namespace {

constexpr int kWholeLineLog2 = 60;

// Returns a corner of the coarsest chunks: the origin, around it, or near an end of the frame.
Vec3i randomCenter(Rng& rng, int levels) {
  const std::int64_t width = Frame(levels).chunkWidth(0);
  const std::int64_t end = kMaxCoordinate / width;
  const int where = rng.below(3);
  Vec3i center{};
  for (int axis = 0; axis < 3; ++axis) {
    if (where == 1) center[axis] = rng.in(-20, 20) * width;
    if (where == 2) center[axis] = rng.pick({end, -end, end / 3, std::int64_t{0}}) * width;
    center[axis] = std::clamp(center[axis], -kMaxCoordinate, kMaxCoordinate);
  }
  return center;
}

BlockTypeId solidOrNot(Rng& rng) {
  return rng.pick({kWater, kReeds, kGlass, kStone, kMist, kAir});
}

}  // namespace

HardScene::HardScene(Rng& rng, int levels) : scene_(levels, randomCenter(rng, levels)) {
  for (int level = 0; level < levels; ++level) {
    if (!rng.oneIn(6)) loadLevel(rng, level);
  }
  while (chunks_.empty())
    load(rng, rng.below(levels), {rng.in(-3, 3), rng.in(-3, 3), rng.in(-3, 3)});
  for (int id = rng.below(12); id > 0; --id)
    addEntity(rng, static_cast<EntityId>(id));
}

// Loads a few chunks: in the eight around the centre, in the areas around it, in the 4 areas on
// each axis that one window covers, or in many.
void HardScene::loadLevel(Rng& rng, int level) {
  const std::int64_t reach = rng.pick<std::int64_t>({1, 1, 4, 16, 32, 64, 3000});
  const ChunkCoord center = world().frame().chunkAt(scene_.center, level);
  for (std::int64_t i = rng.in(1, 8); i > 0; --i) {
    ChunkCoord at = center;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] += rng.oneIn(6) ? rng.in(-1, 0) : rng.in(-reach, reach - 1);
    if (!chunks_.empty() && rng.oneIn(3)) {  // next to an existing one: rows and corners
      const Loaded& near = chunks_.back();
      if (near.level == level) at = near.at;
      at[rng.below(3)] += rng.pick<std::int64_t>({-1, 1, 4, -16});
    }
    if (world().frame().contains(level, at)) load(rng, level, at);
  }
}

void HardScene::load(Rng& rng, int level, const ChunkCoord& at) {
  if (!world().frame().contains(level, at) || world().chunk(level, at) != nullptr) return;
  if (rng.oneIn(8)) {
    FRACTALRAY_CHECK_OK(world().placeProtoChunk(level, at));
    return;
  }
  fill(rng, level, at);
  chunks_.push_back({level, at});
  if (level + 1 < world().frame().levels() && rng.oneIn(2)) expandSome(rng, level, at);
}

void HardScene::fill(Rng& rng, int level, const ChunkCoord& at) {
  const bool is_uniform = rng.oneIn(4);
  const BlockTypeId base = is_uniform ? solidOrNot(rng) : rng.oneIn(6) ? kWater : kAir;
  FRACTALRAY_CHECK_OK(world().loadChunk(level, at, Chunk::uniform(base, world().blockTypes())));
  if (is_uniform) return;
  const auto set = [&](int index, BlockTypeId type) {
    FRACTALRAY_CHECK_OK(world().setBlock(level, blockOf(at, index), type));
  };
  const int kind = rng.below(4);
  if (kind == 0) {  // blocks on edges and corners of bricks
    for (int i = rng.below(60); i >= 0; --i) {
      int index = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const int along = rng.oneIn(2) ? 4 * rng.below(4) + 3 * rng.below(2) : rng.below(16);
        index |= along << (4 * axis);
      }
      set(index, solidOrNot(rng));
    }
  } else if (kind == 1) {  // dense and permeable
    for (int i = 0; i < 3000; ++i)
      set(rng.below(kBlocksPerChunk), rng.oneIn(40) ? kGlass : rng.pick({kWater, kReeds}));
  } else if (kind == 2) {  // a wall, thin or thick
    BlockCoord low = blockOf(at, 0);
    BlockCoord high = blockOf(at, kBlocksPerChunk - 1);
    const int axis = rng.below(3);
    low[axis] += rng.below(16);
    high[axis] = std::min(high[axis], low[axis] + rng.below(3));
    FRACTALRAY_CHECK_OK(world().fillBox(level, low, high, solidOrNot(rng)));
  } else {  // some
    for (int i = rng.below(400); i >= 0; --i)
      set(rng.below(kBlocksPerChunk), solidOrNot(rng));
  }
}

void HardScene::expandSome(Rng& rng, int level, const ChunkCoord& at) {
  for (int i = rng.oneIn(4) ? 150 : rng.below(12); i > 0; --i) {
    const BlockCoord block = blockOf(at, rng.below(kBlocksPerChunk));
    if (!world().expandBlock(level, block).ok()) continue;  // it was expanded before
    if (!rng.oneIn(4)) continue;
    fill(rng, level + 1, childChunk(block));
    chunks_.push_back({level + 1, childChunk(block)});
  }
}

void HardScene::addEntity(Rng& rng, EntityId id) {
  const Loaded& chunk = someChunk(rng);
  const double width = toBlocks(world().frame().blockWidth(chunk.level));
  EntitySpec spec;
  spec.id = id;
  spec.level = rng.below(world().frame().levels());
  spec.entity_class = EntityClassId(static_cast<std::uint32_t>(rng.below(3)));
  spec.categories = std::uint64_t{1} << rng.below(4);
  spec.position = toBlocks(pointNear(rng, chunk));
  const auto size = [&] { return width * static_cast<double>(rng.in(1, 16)) / 4; };
  spec.shape = Box{{size(), size(), size()}};
  if (rng.oneIn(2)) spec.shape = Sphere{size()};
  // At an end of the frame the entity may leave it; then there is one less.
  (void)scene_.entities.add(spec);
}

const HardScene::Loaded& HardScene::someChunk(Rng& rng) const {
  return chunks_[static_cast<std::size_t>(rng.below(static_cast<int>(chunks_.size())))];
}

// Returns a point of the chunk or a little outside: anywhere, or on the lattice of its blocks,
// bricks, itself, regions or areas.
Vec3i HardScene::pointNear(Rng& rng, const Loaded& chunk) const {
  const int shift = world().frame().blockShift(chunk.level);
  const int lattice = std::min(
      rng.pick({0, shift - 1, shift, shift, shift + 2, shift + 4, shift + 6, shift + 8}), 60);
  Vec3i point;
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t width = std::int64_t{16} << shift;
    std::int64_t at = chunk.at[axis] * width + rng.in(-width / 8, width + width / 8);
    at = at >> lattice << lattice;
    if (rng.oneIn(20)) at += rng.pick<std::int64_t>({-1, 1});
    point[axis] = std::clamp(at, -kMaxCoordinate, kMaxCoordinate);
  }
  return point;
}

FixedSegment HardScene::segment(Rng& rng) const {
  const Loaded& chunk = someChunk(rng);
  const Vec3i a = pointNear(rng, chunk);
  const int kind = rng.below(12);
  if (kind == 0) {
    FixedSegment tiny{a, a};
    if (rng.oneIn(2)) tiny.to[rng.below(3)] += a[0] > 0 ? -1 : 1;
    for (int axis = 0; axis < 3; ++axis)
      tiny.to[axis] = std::clamp(tiny.to[axis], -kMaxCoordinate, kMaxCoordinate);
    return tiny;
  }
  if (kind < 4) return {a, pointNear(rng, someChunk(rng))};
  // Returns steps of a vector through the point: small whole numbers of some width, or to another
  // point.
  Vec3i step;
  if (kind < 10) {
    const int shift = world().frame().blockShift(chunk.level);
    const std::int64_t width = std::int64_t{1}
                               << std::min(shift + rng.pick({-2, 0, 0, 2, 4, 6, 8}), 58);
    for (int axis = 0; axis < 3; ++axis)
      step[axis] = (kind < 7 ? rng.in(-1, 1) : rng.in(-3, 3)) * width;
  } else {
    step = pointNear(rng, someChunk(rng)) - a;
  }
  const std::int64_t few = rng.in(1, 40);
  const std::int64_t back = mostSteps(a, step * -1);
  const std::int64_t forth = mostSteps(a, step);
  const bool is_long = rng.oneIn(3);
  return {a - step * (is_long ? back : std::min(back, few)),
          a + step * (is_long ? forth : std::min(forth, few))};
}

LevelMask HardScene::levels(Rng& rng) const {
  const int count = world().frame().levels();
  if (rng.oneIn(2)) return world().allLevels();
  LevelMask mask{rng.oneIn(2) ? someChunk(rng).level : rng.below(count)};
  for (int level = 0; level < count; ++level) {
    if (rng.oneIn(2)) mask.add(level);
  }
  return mask;
}

HardScene::Spot HardScene::spot(Rng& rng) const {
  const Loaded& chunk = someChunk(rng);
  BlockCoord block = blockOf(chunk.at, rng.below(kBlocksPerChunk));
  if (rng.oneIn(6)) block[rng.below(3)] += rng.pick<std::int64_t>({-16, 16});
  return {chunk.level, block};
}

FixedSegment stretched(Rng& rng, const FixedSegment& segment) {
  Vec3i length = segment.to - segment.from;
  const auto fits = [&] {
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(length[axis]) > kMaxCoordinate) return false;  // its double may overflow
      if (std::abs(segment.from[axis] + 2 * length[axis]) > kMaxCoordinate) return false;
    }
    return true;
  };
  const int most = rng.oneIn(3) ? rng.below(kWholeLineLog2) : kWholeLineLog2;
  int doubled = 0;
  for (; doubled < most && fits(); ++doubled)
    length = length + length;
  FixedSegment line = segment;
  const bool is_near = rng.oneIn(2);  // near what the segment hits exactly
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t to = segment.from[axis] + length[axis] + (is_near ? rng.in(-2, 2) : 0);
    line.to[axis] = std::clamp(to, -kMaxCoordinate, kMaxCoordinate);
  }
  if (!rng.oneIn(4)) line.end_time = std::max(segment.end_time >> doubled, std::int64_t{1});
  return line;
}

QueryOptions directOptions(Rng& rng) {
  QueryOptions options;
  options.filter.entities = rng.oneIn(4);
  options.filter.channel = rng.oneIn(3) ? kVisible : kDefaultChannel;
  options.filter.solid_only = rng.oneIn(3);
  options.filter.skip_start_inside = rng.oneIn(3);
  options.corner =
      rng.pick({CornerPolicy::kBoth, CornerPolicy::kStaircase, CornerPolicy::kNeither});
  return options;
}

QueryOptions hardOptions(Rng& rng, const std::vector<EntityId>& ignore) {
  QueryOptions options;
  options.corner = static_cast<CornerPolicy>(rng.below(3));
  if (rng.oneIn(3)) options.filter.channel = kVisible;
  if (rng.oneIn(4)) options.filter.categories = rng.next();
  if (rng.oneIn(3)) options.filter.ignore = ignore;
  options.report_unknown = rng.oneIn(4);
  options.stop_at_unknown = rng.oneIn(10);
  options.filter.skip_start_inside = rng.oneIn(5);
  if (rng.oneIn(6)) options.max_hits = static_cast<std::size_t>(rng.below(5));
  options.filter.solid_only = rng.oneIn(8);
  options.filter.blocks = !rng.oneIn(20);
  options.filter.entities = !rng.oneIn(6);
  options.report_level_spans = rng.oneIn(3);
  if (rng.oneIn(6)) {  // everything, however solid
    options.filter.block_filter = [](const BlockHit& hit) {
      return (hit.block[0] + hit.block[1] + hit.block[2]) % 5 != 0 && hit.type != kStone;
    };
  }
  return options;
}

}  // namespace fractalray::oracle
