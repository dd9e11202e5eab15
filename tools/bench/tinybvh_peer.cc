// SPDX-License-Identifier: Apache-2.0
// tinybvh: its VoxelSets, a grid of bricks walked in floats. A set has at most 256 blocks a side,
// so a world is several; a ray visits those on its way front to back. Its other trees are of
// triangles, as Embree's.
#define TINYBVH_NO_SIMD  // no VoxelSet uses any
#define TINYBVH_IMPLEMENTATION
#include <tiny_bvh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "systems.h"

namespace fractalray::bench {
namespace {

using tinybvh::VoxelSet;

constexpr std::int64_t kDim = VoxelSet::objectDim;
// A set is a cube of width 1.
constexpr double kScale = 1.0 / static_cast<double>(kDim);

// VoxelSets have no destructor: their memory is in use until the program ends.
class Tinybvh : public System {
 public:
  explicit Tinybvh(const Scene& scene) : origin_(scene.grid.origin()) {
    for (int axis = 0; axis < 3; ++axis)
      counts_[axis] = (scene.grid.size()[axis] + kDim - 1) / kDim;
    sets_.resize(static_cast<std::size_t>(counts_[0] * counts_[1] * counts_[2]));
    scene.grid.forEachChunk([&](const ChunkCoord& at) {
      for (int index = 0; index < 4096; ++index) {
        const BlockCoord block = blockOf(at, index);
        if (scene.grid.occupied(block)) add(block - origin_);
      }
    });
    for (VoxelSet& set : sets_)
      set.UpdateTopGrid();
  }

  bool can(Work work) const override { return work == Work::kFirstHit || work == Work::kOccluded; }

  void run(Work work, const Rays& rays, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = work == Work::kOccluded ? sight(rays.blocks[i]) : firstHit(rays.blocks[i]);
  }

 private:
  // Adds a block, given by its distance from the origin. Its value is its index in the set, and not
  // 0.
  void add(const BlockCoord& block) {
    const auto x = static_cast<std::uint32_t>(block[0] % kDim);
    const auto y = static_cast<std::uint32_t>(block[1] % kDim);
    const auto z = static_cast<std::uint32_t>(block[2] % kDim);
    constexpr auto kWidth = static_cast<std::uint32_t>(kDim);
    setAt({block[0] / kDim, block[1] / kDim, block[2] / kDim})
        .Set(x, y, z, 1 + x + kWidth * (y + kWidth * z));
  }
  VoxelSet& setAt(const Vec3i& at) {
    return sets_[static_cast<std::size_t>(at[0] + counts_[0] * (at[1] + counts_[1] * at[2]))];
  }

  // Calls `ask(set, ray, at)` for the sets that a line may cross, front to back, until it returns
  // true; the ray is in the units of the set.
  template <class Ask>
  void walk(const Segment& segment, Ask&& ask) {
    const Vec3d delta = segment.to - segment.from;
    const double length = std::hypot(delta[0], delta[1], delta[2]);
    Vec3d from;
    Vec3i first;
    Vec3i step;
    Vec3i end;
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = (segment.from[axis] - static_cast<double>(origin_[axis])) * kScale;
      const double to = from[axis] + delta[axis] * kScale;
      const std::int64_t begins = clampedSet(from[axis], axis);
      const std::int64_t ends = clampedSet(to, axis);
      first[axis] = begins;
      step[axis] = begins <= ends ? 1 : -1;
      end[axis] = ends + step[axis];
    }
    Vec3i at;
    for (at[0] = first[0]; at[0] != end[0]; at[0] += step[0]) {
      for (at[1] = first[1]; at[1] != end[1]; at[1] += step[1]) {
        for (at[2] = first[2]; at[2] != end[2]; at[2] += step[2]) {
          tinybvh::Ray ray({static_cast<float>(from[0] - static_cast<double>(at[0])),
                            static_cast<float>(from[1] - static_cast<double>(at[1])),
                            static_cast<float>(from[2] - static_cast<double>(at[2]))},
                           {static_cast<float>(delta[0]), static_cast<float>(delta[1]),
                            static_cast<float>(delta[2])},
                           static_cast<float>(length * kScale));
          if (ask(setAt(at), ray, at)) return;
        }
      }
    }
  }
  // Returns the set that has a coordinate, the nearest one if none has.
  std::int64_t clampedSet(double coordinate, int axis) const {
    const double last = static_cast<double>(counts_[axis] - 1);
    return static_cast<std::int64_t>(std::clamp(std::floor(coordinate), 0.0, last));
  }

  Answer firstHit(const Segment& segment) {
    Answer answer;
    walk(segment, [&](const VoxelSet& set, tinybvh::Ray& ray, const Vec3i& at) {
      const float most = ray.hit.t;
      ray.hit.prim = 0;
      set.Intersect(ray);
      if (ray.hit.prim == 0) return false;
      // VoxelSet does not stop at the end of a ray.
      if (ray.hit.t > most) return true;
      const std::int64_t index = ray.hit.prim - 1;
      answer = hitAt(origin_[0] + at[0] * kDim + index % kDim,
                     origin_[1] + at[1] * kDim + index / kDim % kDim,
                     origin_[2] + at[2] * kDim + index / kDim / kDim);
      return true;
    });
    return answer;
  }

  Answer sight(const Segment& segment) {
    Answer answer;
    walk(segment, [&](const VoxelSet& set, const tinybvh::Ray& ray, const Vec3i&) {
      answer.hits = set.IsOccluded(ray) ? 1 : 0;
      return answer.hits != 0;
    });
    return answer;
  }

  BlockCoord origin_;
  Vec3i counts_;  // of sets, along each axis
  std::vector<VoxelSet> sets_;
};

}  // namespace

std::unique_ptr<System> makeTinybvh(const Scene& scene) {
  return std::make_unique<Tinybvh>(scene);
}

}  // namespace fractalray::bench
