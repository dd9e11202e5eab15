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

// A world, or its image, and a shot in it.
struct Shot {
  const ShapedWorld& scene;
  ShotResult result;

  Shot(const ShapedWorld& in, const FixedSegment& line, CornerPolicy policy)
      : scene(in), result(in.shoot(line, policy)) {}
};

// Checks that a shot in an image has the images of a shot's hits, in the same order. `imageOf`
// returns a hit with the level, block, face and plane of its image.
template <class ImageOf>
void expectImages(const Shot& shot, const Shot& of_image, CornerPolicy policy, ImageOf imageOf) {
  const std::vector<Hit>& hits = shot.result.hits;
  ASSERT_EQ(hits.size(), of_image.result.hits.size());
  EXPECT_EQ(shot.result.terminated, of_image.result.terminated);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const Hit expected = imageOf(hits[i]);
    const Hit& image = of_image.result.hits[i];
    EXPECT_EQ(expected.level, image.level);
    EXPECT_EQ(expected.block, image.block);
    EXPECT_EQ(expected.face, image.face);
    EXPECT_EQ(expected.plane, image.plane);
    EXPECT_EQ(expected.t, image.t);
    EXPECT_EQ(expected.t_exit, image.t_exit);
    EXPECT_EQ(expected.start_inside, image.start_inside);
    EXPECT_EQ(expected.step, image.step);
    EXPECT_EQ(shot.scene.spans(shot.result, hits[i], policy),
              of_image.scene.spans(of_image.result, image, policy));
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
  Hit image(Hit hit) const {
    if (hit.face.exists() && turn.flip[static_cast<std::size_t>(hit.face.axis)])
      hit.plane = kShapeUnits - hit.plane;
    hit.block = image(hit.block);
    hit.face = image(hit.face);
    return hit;
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
      for (const CornerPolicy policy : oracle::kPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
        const Shot shot(scene, line, policy);
        const FixedSegment line_image{.from = symmetry.image(line.from),
                                      .to = symmetry.image(line.to)};
        expectImages(shot, Shot(image, line_image, policy), policy,
                     [&](const Hit& hit) { return symmetry.image(hit); });
        if (HasFailure()) return;
        hits += shot.result.hits.size();
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
      for (const CornerPolicy policy : oracle::kPolicies) {
        SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
        const Shot shot(small, line, policy);
        const FixedSegment line_image{.from = line.from * 16, .to = line.to * 16};
        expectImages(shot, Shot(large, line_image, policy), policy, [](Hit hit) {
          hit.level = 0;
          return hit;
        });
        if (HasFailure()) return;
        hits += shot.result.hits.size();
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
      const CornerPolicy policy = oracle::kPolicies[rng.below(3)];
      SCOPED_TRACE("world " + std::to_string(number) + " " + oracle::describe(line));
      const Shot shot(scene, line, policy);
      const FixedSegment line_image{.from = move.frame_move.pointAfter(line.from).value(),
                                    .to = move.frame_move.pointAfter(line.to).value()};
      expectImages(shot, Shot(moved, line_image, policy), policy, [&](Hit hit) {
        hit.block = move.frame_move.blockAfter(hit.level, hit.block).value();
        hit.level += move.frame_move.levels();
        return hit;
      });
      if (HasFailure()) return;
      hits += shot.result.hits.size();
    }
  }
  EXPECT_GT(hits, std::size_t{kWorlds * kLines / 3});
}

}  // namespace
}  // namespace fractalray::shape_image_laws_test
