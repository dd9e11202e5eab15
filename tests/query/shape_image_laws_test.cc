// SPDX-License-Identifier: Apache-2.0
// Laws of shapes that compare a world with an image of it: mirrored or turned (S8), enlarged or
// seen through a window that has moved (S9).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "../../query/window.h"
#include "shaped_block.h"
#include "shaped_world.h"

namespace fractalray::shape_image_laws_test {
namespace {

using oracle::Rng;
using shaped_world::Block;
using shaped_world::lineAmong;
using shaped_world::randomBlocks;
using shaped_world::ShapedWorld;

constexpr int kWorlds = 200;
constexpr int kLines = 40;  // for each world

// The part of a hit that its image has too.
void expectSameTimes(const ShapedWorld& scene, const ShotResult& shot, const ShapedWorld& image,
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
    ShapedWorld scene(1);
    scene.load(0, {0, 0, 0});
    scene.put(0, blocks);
    ShapedWorld image(1);
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
    ShapedWorld small(2);
    small.load(1, {0, 0, 0});
    small.put(1, blocks);
    ShapedWorld large(2);
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
    ShapedWorld scene(3);
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
    ShapedWorld moved(3);
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
