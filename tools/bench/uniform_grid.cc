// SPDX-License-Identifier: Apache-2.0
// A plain uniform grid: cells of 16^3 blocks, each with a list of the entities whose bounding boxes
// it overlaps, all rebuilt each tick by a counting sort; a segment is walked from cell to cell.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "entity_system.h"
#include "scene.h"
#include "sphere_test.h"

namespace fractalray::bench {
namespace {

constexpr double kCellWidth = 16;
// Boxes are enlarged by this much, so that the walk's rounding at a corner does not matter.
constexpr double kSlack = 1e-6;

using Cell = Vec<int, 3>;

constexpr Cell kCells{static_cast<int>(kUsualSize[0]) / 16, static_cast<int>(kUsualSize[1]) / 16,
                      static_cast<int>(kUsualSize[2]) / 16};

std::size_t indexOf(const Cell& cell) {
  const int index = cell[0] + kCells[0] * (cell[1] + kCells[1] * cell[2]);
  return static_cast<std::size_t>(index);
}

bool isInside(const Cell& cell) {
  bool inside = true;
  for (int axis = 0; axis < 3; ++axis)
    inside &= static_cast<unsigned>(cell[axis]) < static_cast<unsigned>(kCells[axis]);
  return inside;
}

// Calls `visit(cell index)` for each cell of the grid that the segment crosses, in order.
template <class Visitor>
void walkCells(const SphereTest& segment, Visitor&& visit) {
  Cell cell;
  Cell step;
  std::array<double, 3> next{};   // t of the next crossing along each axis
  std::array<double, 3> width{};  // t between two of them
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    const double start = segment.from()[axis];
    const double delta = segment.delta()[axis];
    cell[axis] = static_cast<int>(start / kCellWidth);
    step[axis] = delta < 0 ? -1 : 1;
    const double plane = kCellWidth * (delta < 0 ? cell[axis] : cell[axis] + 1);
    next[i] = delta == 0 ? std::numeric_limits<double>::infinity() : (plane - start) / delta;
    width[i] = delta == 0 ? 0 : kCellWidth / std::abs(delta);
  }
  while (isInside(cell)) {
    visit(indexOf(cell));
    const std::size_t axis =
        next[0] < next[1] ? (next[0] < next[2] ? 0U : 2U) : (next[1] < next[2] ? 1U : 2U);
    if (next[axis] > 1) return;
    next[axis] += width[axis];
    cell.values[axis] += step.values[axis];
  }
}

class UniformGrid : public EntitySystem {
 public:
  explicit UniformGrid(const EntityScene& scene) : scene_(scene), last_query_(scene.size()) {
    rebuild();
  }

  void move() override { rebuild(); }

  void query(const Rays& rays, std::span<EntityAnswer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = query(SphereTest(rays.blocks[i]));
  }

 private:
  // Calls `visit(cell index)` for each cell that the entity's box overlaps.
  template <class Visitor>
  void forEachCell(std::size_t entity, Visitor&& visit) const {
    Cell min;
    Cell max;
    const double reach = scene_.radii()[entity] + kSlack;
    for (int axis = 0; axis < 3; ++axis) {
      const double center = scene_.centers()[entity][axis];
      min[axis] = static_cast<int>(std::max(center - reach, 0.0) / kCellWidth);
      max[axis] = std::min(static_cast<int>((center + reach) / kCellWidth), kCells[axis] - 1);
    }
    for (int z = min[2]; z <= max[2]; ++z)
      for (int y = min[1]; y <= max[1]; ++y)
        for (int x = min[0]; x <= max[0]; ++x)
          visit(indexOf({x, y, z}));
  }

  void rebuild() {
    // First count the entities of each cell, then compute the start of the next cell's list;
    // filling each list from the back turns it into the cell's own start.
    begins_.assign(indexOf({0, 0, kCells[2]}) + 1, 0);
    for (std::size_t entity = 0; entity < scene_.size(); ++entity)
      forEachCell(entity, [&](std::size_t cell) { ++begins_[cell]; });
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : begins_)
      begin = sum += begin;
    entities_.resize(sum);
    for (std::size_t entity = 0; entity < scene_.size(); ++entity) {
      forEachCell(entity, [&](std::size_t cell) {
        entities_[--begins_[cell]] = static_cast<std::uint32_t>(entity);
      });
    }
  }

  EntityAnswer query(const SphereTest& segment) {
    EntityAnswer answer;
    ++query_;
    walkCells(segment, [&](std::size_t cell) {
      for (std::uint32_t i = begins_[cell]; i < begins_[cell + 1]; ++i) {
        const std::uint32_t entity = entities_[i];
        if (std::exchange(last_query_[entity], query_) == query_) continue;
        if (segment.intersects(scene_.centers()[entity], scene_.radii()[entity]))
          answer.add(entity);
      }
    });
    return answer;
  }

  const EntityScene& scene_;
  std::vector<std::uint32_t> begins_;    // of each cell's list in `entities_`
  std::vector<std::uint32_t> entities_;  // of all cells
  std::vector<std::uint32_t> last_query_;
  std::uint32_t query_ = 0;
};

}  // namespace

std::unique_ptr<EntitySystem> makeUniformGrid(const EntityScene& scene) {
  return std::make_unique<UniformGrid>(scene);
}

}  // namespace fractalray::bench
