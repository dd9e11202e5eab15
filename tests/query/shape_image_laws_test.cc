// SPDX-License-Identifier: Apache-2.0
// Laws of shapes that compare a world with an image of it: expanded (S7), mirrored or turned (S8),
// enlarged or seen through a window that has moved (S9).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../query/window.h"
#include "shaped_block.h"

namespace fractalray::shape_image_laws_test {
namespace {

using oracle::Rng;
using Boxes = std::vector<ShapeBox>;

constexpr int kWorlds = 200;
constexpr int kLines = 40;  // for each world

struct Block {
  BlockCoord at{};
  Boxes boxes;
  BlockKind kind = BlockKind::kPermeable;
};

// Returns blocks of random shapes in about half of the positions from `min` to `max` on each axis.
std::vector<Block> randomBlocks(Rng& rng, std::int64_t min, std::int64_t max) {
  std::vector<Block> blocks;
  for (std::int64_t x = min; x <= max; ++x) {
    for (std::int64_t y = min; y <= max; ++y) {
      for (std::int64_t z = min; z <= max; ++z) {
        if (rng.oneIn(2)) continue;
        const BlockKind kind = rng.oneIn(6) ? BlockKind::kSolid : BlockKind::kPermeable;
        blocks.push_back({{x, y, z}, oracle::randomBoxes(rng), kind});
      }
    }
  }
  return blocks;
}

// Rounds boxes outwards to sixteenths.
Boxes inSixteenths(Boxes boxes) {
  for (ShapeBox& box : boxes) {
    for (std::size_t i = 0; i < 3; ++i) {
      box.min[i] = box.min[i] / 4096 * 4096;
      box.max[i] = (box.max[i] + 4095) / 4096 * 4096;
    }
  }
  return boxes;
}

// A world, with queries.
class Scene {
 public:
  explicit Scene(int levels) : world_({.levels = levels}), entities_(world_.frame()) {}

  // Loads a chunk of air.
  void load(int level, const ChunkCoord& at) {
    EXPECT_TRUE(world_.loadChunk(level, at, Chunk::uniform(kAir, world_.blockTypes())).ok());
  }
  // Puts blocks, moved by an offset, in loaded chunks.
  void put(int level, const std::vector<Block>& blocks, const BlockCoord& offset = {}) {
    BlockTypeTable& types = world_.blockTypes();
    for (const Block& block : blocks) {
      const BlockTypeId type = types
                                   .add({.name = "type " + std::to_string(types.size()),
                                         .kind = block.kind,
                                         .shape = types.addShape(block.boxes).value()})
                                   .value();
      BlockCoord at = block.at;
      for (int axis = 0; axis < 3; ++axis)
        at[axis] += offset[axis];
      EXPECT_TRUE(world_.setBlock(level, at, type).ok());
    }
  }

  World& world() { return world_; }
  EntityIndex& entities() { return entities_; }
  ShotResult shoot(const FixedSegment& line, CornerPolicy policy) const {
    return service_.shootSegment(line, LevelMask::all(), {.corner = policy}).value();
  }
  Occlusion sight(const FixedSegment& line, CornerPolicy policy) const {
    return service_.occluded(line, LevelMask::all(), {.corner = policy}).value();
  }
  std::vector<HitSpan> spans(const ShotResult& shot, const Hit& hit, CornerPolicy policy) const {
    std::vector<HitSpan> spans;
    EXPECT_TRUE(hitSpans(world_, shot.segment, hit, {.corner = policy}, spans).ok());
    return spans;
  }

 private:
  World world_;
  EntityIndex entities_;
  RayQueryService service_{world_, entities_};
};

// The part of a hit that its image has too.
void expectSameTimes(const Scene& scene, const ShotResult& shot, const Scene& image,
                     const ShotResult& of_image, CornerPolicy policy) {
  ASSERT_EQ(shot.hits.size(), of_image.hits.size());
  EXPECT_EQ(shot.terminated, of_image.terminated);
  for (std::size_t i = 0; i < shot.hits.size(); ++i) {
    const Hit& hit = shot.hits[i];
    const Hit& other = of_image.hits[i];
    EXPECT_EQ(hit.t, other.t);
    EXPECT_EQ(hit.t_exit, other.t_exit);
    EXPECT_EQ(hit.start_inside, other.start_inside);
    EXPECT_EQ(hit.step, other.step);
    EXPECT_EQ(scene.spans(shot, hit, policy), image.spans(of_image, other, policy));
  }
}

// Returns a line from near one of the blocks to near another.
FixedSegment lineAmong(Rng& rng, const std::vector<Block>& blocks, int shift) {
  const auto some = [&] {
    const Block& block =
        blocks[static_cast<std::size_t>(rng.below(static_cast<int>(blocks.size())))];
    oracle::ShapeAt at{.boxes = block.boxes, .shift = shift};
    for (int axis = 0; axis < 3; ++axis)
      at.corner[axis] = block.at[axis] << shift;
    return at;
  };
  const oracle::ShapeAt from = some();
  return oracle::randomLine(rng, from, some());
}

// The visit of a block, from its hit or from those of its parts.
struct Visit {
  double t = 0;
  double t_exit = 0;
  Face face;
  bool start_inside = false;
  std::vector<HitSpan> spans;
};
using Visits = std::map<BlockCoord, Visit>;

Visits visitsOf(const Scene& scene, const ShotResult& shot, CornerPolicy policy) {
  Visits visits;
  for (const Hit& hit : shot.hits) {
    visits[hit.block] = {hit.t, hit.t_exit, hit.face, hit.start_inside,
                         scene.spans(shot, hit, policy)};
  }
  return visits;
}

// Returns the visits of the blocks of which the hits of level 1 are parts.
Visits visitsOfParts(const ShotResult& shot) {
  Visits visits;
  for (const Hit& hit : shot.hits) {
    EXPECT_EQ(hit.level, 1);
    const auto [at, is_first] =
        visits.try_emplace(BlockCoord{chunkOf(hit.block).values},
                           Visit{hit.t, hit.t_exit, hit.face, hit.start_inside, {}});
    Visit& visit = at->second;
    visit.t_exit = std::max(visit.t_exit, hit.t_exit);
    if (!is_first && hit.t <= visit.spans.back().t1) {
      visit.spans.back().t1 = std::max(visit.spans.back().t1, hit.t_exit);
    } else {
      visit.spans.push_back({hit.t, hit.t_exit});
    }
  }
  return visits;
}

// Loads, for each block, the chunk into which it expands, with boxes of one type.
void expand(World& world, const std::vector<Block>& blocks, BlockTypeId type) {
  for (const Block& block : blocks) {
    const ChunkCoord chunk = childChunk(block.at);
    EXPECT_TRUE(world.loadChunk(1, chunk, Chunk::uniform(kAir, world.blockTypes())).ok());
    for (const ShapeBox& box : block.boxes) {
      BlockCoord low = blockOf(chunk, 0);
      BlockCoord high = low;
      for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        low[axis] += box.min[i] / 4096;
        high[axis] += box.max[i] / 4096 - 1;
      }
      EXPECT_TRUE(world.fillBox(1, low, high, type).ok());
    }
  }
}

TEST(ShapeImageLawsTest, S7AShapeAnswersAsTheExpandedBlock) {
  Rng rng("S7");
  int visited = 0;
  for (int number = 0; number < kWorlds; ++number) {
    std::vector<Block> blocks = randomBlocks(rng, 5, 7);
    for (Block& block : blocks) {
      block.boxes = inSixteenths(block.boxes);
      block.kind = BlockKind::kPermeable;
    }
    Scene shaped(2);
    shaped.load(0, {0, 0, 0});
    shaped.put(0, blocks);
    Scene expanded(2);
    const BlockTypeId part =
        expanded.world().blockTypes().add({.name = "part", .kind = BlockKind::kPermeable}).value();
    expand(expanded.world(), blocks, part);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineAmong(rng, blocks, 20);
      for (const CornerPolicy policy : kCornerPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line) + " policy " +
                     std::to_string(static_cast<int>(policy)));
        const Visits visits = visitsOf(shaped, shaped.shoot(line, policy), policy);
        const Visits of_parts = visitsOfParts(expanded.shoot(line, policy));
        ASSERT_EQ(visits.size(), of_parts.size());
        for (const auto& [block, visit] : visits) {
          const auto found = of_parts.find(block);
          ASSERT_NE(found, of_parts.end());
          EXPECT_EQ(visit.t, found->second.t);
          EXPECT_EQ(visit.t_exit, found->second.t_exit);
          EXPECT_EQ(visit.spans, found->second.spans);
          EXPECT_EQ(visit.start_inside, found->second.start_inside);
          // Under `neither`, a part names the lowest of all the planes that the line crosses then.
          if (policy != CornerPolicy::kNeither) {
            EXPECT_EQ(visit.face, found->second.face);
          }
          ++visited;
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(visited, kWorlds * kLines);
}

TEST(ShapeImageLawsTest, S7ASolidShapeEndsALineWhereTheExpandedBlockDoes) {
  Rng rng("S7 solid");
  int blocked = 0;
  for (int number = 0; number < kWorlds; ++number) {
    std::vector<Block> blocks = randomBlocks(rng, 5, 7);
    for (Block& block : blocks) {
      block.boxes = inSixteenths(block.boxes);
      block.kind = BlockKind::kSolid;
    }
    Scene shaped(2);
    shaped.load(0, {0, 0, 0});
    shaped.put(0, blocks);
    Scene expanded(2);
    expand(expanded.world(), blocks, expanded.world().blockTypes().add({.name = "part"}).value());
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineAmong(rng, blocks, 20);
      for (const CornerPolicy policy : kCornerPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
        const ShotResult shot = shaped.shoot(line, policy);
        const ShotResult of_parts = expanded.shoot(line, policy);
        ASSERT_EQ(shot.terminated, of_parts.terminated);
        ASSERT_EQ(shaped.sight(line, policy) == Occlusion::kBlocked, shot.terminated);
        ASSERT_EQ(expanded.sight(line, policy) == Occlusion::kBlocked, shot.terminated);
        if (!shot.terminated) continue;
        ++blocked;
        EXPECT_EQ(shot.hits.back().t, of_parts.hits.back().t);
      }
    }
  }
  EXPECT_GT(blocked, kWorlds * kLines);
}

// The images of points, blocks and faces under one of the 48 symmetries of the cube of blocks 0 to
// 16.
struct Symmetry {
  CubeTurn turn;

  template <class Coord>
  Coord image(const Coord& at, std::int64_t sum) const {
    Coord result{};
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      result[turn.axis[i]] = turn.flip[i] ? sum - at[axis] : at[axis];
    }
    return result;
  }
  BlockCoord image(const BlockCoord& block) const { return image(block, 16); }
  Vec3i image(const Vec3i& point) const { return image(point, std::int64_t{17} * 65536); }
  Face image(Face face) const {
    if (!face.exists()) return face;
    const auto i = static_cast<std::size_t>(face.axis);
    return {static_cast<std::int8_t>(turn.axis[i]),
            static_cast<std::int8_t>(turn.flip[i] ? -face.sign : face.sign)};
  }
};

Symmetry randomSymmetry(Rng& rng) {
  constexpr std::array<std::array<std::uint8_t, 3>, 6> kOrders = {
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  return {{.axis = kOrders[static_cast<std::size_t>(rng.below(6))],
           .flip = {rng.oneIn(2), rng.oneIn(2), rng.oneIn(2)}}};
}

TEST(ShapeImageLawsTest, S8MirroringOrTurningTheWorldMapsHitsToHits) {
  Rng rng("S8");
  std::size_t hits = 0;
  for (int number = 0; number < kWorlds; ++number) {
    const std::vector<Block> blocks = randomBlocks(rng, 6, 10);
    const Symmetry symmetry = randomSymmetry(rng);
    std::vector<Block> images = blocks;
    for (Block& block : images) {
      block.at = symmetry.image(block.at);
      for (ShapeBox& box : block.boxes)
        box = turned(box, symmetry.turn);
    }
    Scene scene(1);
    scene.load(0, {0, 0, 0});
    scene.put(0, blocks);
    Scene image(1);
    image.load(0, {0, 0, 0});
    image.put(0, images);
    for (int i = 0; i < kLines; ++i) {
      // Anywhere: such a line comes to planes on one axis at a time, and neither runs, starts nor
      // ends in one.
      const auto anywhere = [&] {
        Vec3i point;
        for (int axis = 0; axis < 3; ++axis)
          point[axis] = rng.in(5 * 65536, 12 * 65536);
        return point;
      };
      const FixedSegment line{.from = anywhere(), .to = anywhere()};
      for (const CornerPolicy policy : kCornerPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
        const ShotResult shot = scene.shoot(line, policy);
        const ShotResult other =
            image.shoot({.from = symmetry.image(line.from), .to = symmetry.image(line.to)}, policy);
        expectSameTimes(scene, shot, image, other, policy);
        for (std::size_t k = 0; k < shot.hits.size() && !HasFailure(); ++k) {
          EXPECT_EQ(symmetry.image(shot.hits[k].block), other.hits[k].block);
          EXPECT_EQ(symmetry.image(shot.hits[k].face), other.hits[k].face);
        }
        if (HasFailure()) return;
        hits += shot.hits.size();
      }
    }
  }
  EXPECT_GT(hits, std::size_t{kWorlds * kLines});
}

TEST(ShapeImageLawsTest, S9AShapeIsTheSameOnEveryLevel) {
  Rng rng("S9");
  std::size_t hits = 0;
  for (int number = 0; number < kWorlds; ++number) {
    const std::vector<Block> blocks = randomBlocks(rng, 5, 8);
    Scene small(2);
    small.load(1, {0, 0, 0});
    small.put(1, blocks);
    Scene large(2);
    large.load(0, {0, 0, 0});
    large.put(0, blocks);
    for (int i = 0; i < kLines; ++i) {
      const FixedSegment line = lineAmong(rng, blocks, 16);
      for (const CornerPolicy policy : kCornerPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
        const ShotResult shot = small.shoot(line, policy);
        const ShotResult other = large.shoot({.from = line.from * 16, .to = line.to * 16}, policy);
        expectSameTimes(small, shot, large, other, policy);
        for (std::size_t k = 0; k < shot.hits.size() && !HasFailure(); ++k) {
          EXPECT_EQ(shot.hits[k].block, other.hits[k].block);
          EXPECT_EQ(shot.hits[k].face, other.hits[k].face);
          EXPECT_EQ(shot.hits[k].plane, other.hits[k].plane);
        }
        if (HasFailure()) return;
        hits += shot.hits.size();
      }
    }
  }
  EXPECT_GT(hits, std::size_t{kWorlds * kLines});
}

TEST(ShapeImageLawsTest, S9AMoveOfTheWindowChangesNothing) {
  Rng rng("S9 window");
  const ChunkCoord chunk{4, 5, 6};  // of level 1, in chunk [0, 0, 0] of level 0
  std::size_t hits = 0;
  for (int number = 0; number < kWorlds; ++number) {
    std::vector<Block> blocks = randomBlocks(rng, 5, 8);
    for (Block& block : blocks) {
      for (int axis = 0; axis < 3; ++axis)
        block.at[axis] += 16 * chunk[axis];
    }
    Scene scene(3);
    scene.load(1, chunk);
    scene.put(1, blocks);
    // In multiples of 16 units, so that no move rounds them.
    std::vector<FixedSegment> lines;
    for (int i = 0; i < kLines; ++i) {
      FixedSegment line = lineAmong(rng, blocks, 20);
      for (int axis = 0; axis < 3; ++axis) {
        line.from[axis] = line.from[axis] >> 4 << 4;
        line.to[axis] = line.to[axis] >> 4 << 4;
      }
      lines.push_back(line);
    }
    Scene moved(3);
    moved.load(1, chunk);
    moved.put(1, blocks);
    Window window(moved.world(), moved.entities(), ChunkPath::parse("7a3_221").value());
    const int kind = number % 3;
    const WindowMove move = (kind == 0   ? window.recenter({1, 0, -1})
                             : kind == 1 ? window.descend(chunk)
                                         : window.climb())
                                .value();
    for (const FixedSegment& line : lines) {
      const CornerPolicy policy = kCornerPolicies[static_cast<std::size_t>(rng.below(3))];
      SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
      const ShotResult shot = scene.shoot(line, policy);
      const ShotResult other = moved.shoot({.from = move.frame_move.pointAfter(line.from).value(),
                                            .to = move.frame_move.pointAfter(line.to).value()},
                                           policy);
      expectSameTimes(scene, shot, moved, other, policy);
      for (std::size_t k = 0; k < shot.hits.size() && !HasFailure(); ++k) {
        EXPECT_EQ(move.frame_move.blockAfter(1, shot.hits[k].block), other.hits[k].block);
        EXPECT_EQ(shot.hits[k].level + move.frame_move.levels(), other.hits[k].level);
        EXPECT_EQ(shot.hits[k].face, other.hits[k].face);
        EXPECT_EQ(shot.hits[k].plane, other.hits[k].plane);
      }
      if (HasFailure()) return;
      hits += shot.hits.size();
    }
  }
  EXPECT_GT(hits, std::size_t{kWorlds * kLines / 3});
}

}  // namespace
}  // namespace fractalray::shape_image_laws_test
