// SPDX-License-Identifier: Apache-2.0
// A single block of any shape, crossed by lines: for the laws of shapes.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "../../query/hit_spans.h"
#include "../../query/ray_query_service.h"
#include "../oracle/random_shape.h"
#include "../oracle/shot_compare.h"
#include "../oracle/walk_oracle.h"

namespace fractalray {

// A permeable block of width 1 in an otherwise empty world.
class ShapedBlock {
 public:
  static constexpr BlockCoord kBlock{5, 5, 5};
  static constexpr Vec3i kCorner{5 * 65536, 5 * 65536, 5 * 65536};

  // The union of boxes; a whole cube without a shape if there are none given.
  explicit ShapedBlock(std::optional<std::vector<ShapeBox>> boxes) {
    BlockTypeTable& types = world_.blockTypes();
    const ShapeId shape = boxes.has_value() ? types.addShape(*boxes).value() : kWholeCube;
    const BlockTypeId type =
        types.add({.name = "block", .kind = BlockKind::kPermeable, .shape = shape}).value();
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk::uniform(kAir, types)).ok());
    EXPECT_TRUE(world_.setBlock(0, kBlock, type).ok());
  }

  // The hit of the block, and the parts of the line inside it.
  struct Crossing {
    Hit hit;
    std::vector<HitSpan> spans;
  };
  // Nothing if the line does not hit the block.
  std::optional<Crossing> cross(const FixedSegment& line, CornerPolicy policy) const {
    const QueryOptions options{.corner = policy};
    const ShotResult shot = service_.shootSegment(line, LevelMask::all(), options).value();
    if (shot.hits.empty()) return std::nullopt;
    EXPECT_EQ(shot.hits.size(), 1U);
    Crossing crossing{shot.hits[0], {}};
    EXPECT_TRUE(hitSpans(world_, line, crossing.hit, options, crossing.spans).ok());
    return crossing;
  }

  // Returns a line near the boxes, as they are in this block.
  static FixedSegment line(oracle::Rng& rng, std::span<const ShapeBox> boxes) {
    const oracle::ShapeAt at{.boxes = boxes, .corner = kCorner};
    return oracle::randomLine(rng, at, at);
  }

 private:
  World world_{{.levels = 1}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
};

// Returns true if two crossings are equal to the last bit, or both are none.
inline bool isSame(const std::optional<ShapedBlock::Crossing>& crossing,
                   const std::optional<ShapedBlock::Crossing>& other) {
  if (!crossing.has_value() || !other.has_value()) return crossing.has_value() == other.has_value();
  return oracle::isSame(crossing->hit, other->hit) && crossing->spans == other->spans;
}

inline std::string textOf(const std::optional<ShapedBlock::Crossing>& crossing) {
  if (!crossing.has_value()) return "none";
  std::ostringstream text;
  text.precision(17);
  text << oracle::describe(crossing->hit) << "; spans";
  for (const HitSpan& span : crossing->spans)
    text << " " << span.t0 << " to " << span.t1;
  return text.str();
}

}  // namespace fractalray
