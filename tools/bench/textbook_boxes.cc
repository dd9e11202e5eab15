// SPDX-License-Identifier: Apache-2.0
// The textbook loop with boxes in the type of a block: each box of a block on the line is tested by
// slabs (Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986), in doubles.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "systems.h"
#include "textbook_walk.h"

namespace fractalray::bench {
namespace {

// A box inside a block, in blocks from the lower corner.
struct Box {
  std::array<double, 3> min{};
  std::array<double, 3> max{1, 1, 1};
};

// A line as the tests of its boxes need it.
struct SlabLine {
  explicit SlabLine(const Segment& segment) : from(segment.from) {
    for (int axis = 0; axis < 3; ++axis)
      inverse[axis] = 1 / (segment.to[axis] - segment.from[axis]);
  }

  // Returns true if the line hits the box of the block with that lower corner.
  bool hits(const Box& box, const Vec3d& corner) const {
    double enter = 0;
    double leave = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      const double way = corner[axis] - from[axis];
      const double a = (way + box.min[i]) * inverse[axis];
      const double b = (way + box.max[i]) * inverse[axis];
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave;
  }

  Vec3d from;
  Vec3d inverse;
};

class TextbookBoxes : public System {
 public:
  explicit TextbookBoxes(const Scene& scene)
      : walk_(scene.grid, ChunkMap(scene.grid, [&](const BlockCoord& block) {
                return static_cast<std::uint16_t>(1 + scene.shapes->numberAt(scene.grid, block));
              })) {
    for (const GroundShapes::Shape& shape : scene.shapes->shapes()) {
      std::vector<Box>& boxes = boxes_.emplace_back();
      for (const ShapeBox& box : shape)
        boxes.push_back(inBlocks(box));
    }
  }

  bool can(Work work) const override { return work == Work::kFirstHit; }

  void run(Work /*work*/, const Rays& rays, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = firstHit(rays.blocks[i]);
  }

 private:
  static Box inBlocks(const ShapeBox& box) {
    Box result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      result.min[axis] = static_cast<double>(box.min[axis]) / kShapeUnits;
      result.max[axis] = static_cast<double>(box.max[axis]) / kShapeUnits;
    }
    return result;
  }

  Answer firstHit(const Segment& segment) const {
    Answer answer;
    const SlabLine line(segment);
    walk_(segment, [&](std::uint16_t id, int x, int y, int z) {
      if (id > 1 && !hitsAny(line, boxes_[id - 2U], x, y, z)) return false;
      answer = hitAt(x, y, z);
      return true;
    });
    return answer;
  }

  static bool hitsAny(const SlabLine& line, const std::vector<Box>& boxes, int x, int y, int z) {
    const Vec3d corner{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    return std::any_of(boxes.begin(), boxes.end(),
                       [&](const Box& box) { return line.hits(box, corner); });
  }

  TextbookWalk<double> walk_;
  std::vector<std::vector<Box>> boxes_;  // by shape; ids of types follow that of a whole cube
};

}  // namespace

std::unique_ptr<System> makeTextbookBoxes(const Scene& scene) {
  return std::make_unique<TextbookBoxes>(scene);
}

}  // namespace fractalray::bench
