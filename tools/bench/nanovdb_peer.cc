// SPDX-License-Identifier: Apache-2.0
// NanoVDB: a mask grid, walked by its HDDA in doubles from node to node down to the first active
// voxel. Its own firstActive does the same, but steps 1.0001 voxels into each node, and its ray
// rounds positions to floats, so it misses one hit in five; this version is as exact as possible.
#include <nanovdb/NanoVDB.h>
#include <nanovdb/util/HDDA.h>
#include <nanovdb/util/OpenToNanoVDB.h>
#include <nanovdb/util/Ray.h>
#include <openvdb/openvdb.h>

#include <cmath>
#include <memory>

#include "systems.h"

namespace fractalray::bench {
namespace {

using NanoGrid = nanovdb::NanoGrid<nanovdb::ValueMask>;
// The step into a node that is entered, in voxels: the resolution of a double at 2^24.
constexpr double kPush = 1e-8;

// A nanovdb::Ray<double> whose positions are doubles too.
struct NanoRay : nanovdb::Ray<double> {
  using nanovdb::Ray<double>::Ray;
  nanovdb::Vec3d operator()(double time) const { return eye() + dir() * time; }
};

class Nanovdb : public System {
 public:
  explicit Nanovdb(const Scene& scene) {
    openvdb::MaskGrid grid;
    auto writer = grid.getAccessor();
    scene.grid.forEachChunk([&](const ChunkCoord& at) {
      for (int index = 0; index < 4096; ++index) {
        const BlockCoord block = blockOf(at, index);
        if (!scene.grid.occupied(block)) continue;
        writer.setValueOn(openvdb::Coord(static_cast<int>(block[0]), static_cast<int>(block[1]),
                                         static_cast<int>(block[2])));
      }
    });
    handle_ = nanovdb::openToNanoVDB(grid);
  }

  bool can(Work work) const override { return work == Work::kFirstHit; }
  std::size_t bytes() const override { return handle_.size(); }

  void run(Work, const Rays& rays, std::span<Answer> answers) override {
    auto accessor = handle_.grid<nanovdb::ValueMask>()->getAccessor();
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = firstHit(accessor, rays.blocks[i]);
  }

 private:
  template <class Accessor>
  static Answer firstHit(Accessor& accessor, const Segment& segment) {
    const nanovdb::Vec3d from(segment.from[0], segment.from[1], segment.from[2]);
    const Vec3d delta = segment.to - segment.from;
    const double length = std::hypot(delta[0], delta[1], delta[2]);
    const nanovdb::Vec3d direction(delta[0] / length, delta[1] / length, delta[2] / length);
    NanoRay ray(from, direction, 0, length);
    if (!ray.clip(accessor.root().bbox())) return {};
    nanovdb::Coord at = nanovdb::RoundDown<nanovdb::Coord>(ray(ray.t0() + kPush));
    nanovdb::HDDA<NanoRay> hdda(ray, static_cast<int>(accessor.getDim(at, ray)));
    while (!accessor.isActive(at)) {
      if (!hdda.step()) return {};
      at = nanovdb::RoundDown<nanovdb::Coord>(ray(hdda.time() + kPush));
      const int dim = static_cast<int>(accessor.getDim(at, ray));
      if (dim != hdda.dim()) hdda.init(ray, hdda.time() + kPush, ray.t1(), dim);
    }
    return hitAt(at.x(), at.y(), at.z());
  }

  nanovdb::GridHandle<> handle_;
};

}  // namespace

std::unique_ptr<System> makeNanovdb(const Scene& scene) {
  return std::make_unique<Nanovdb>(scene);
}

}  // namespace fractalray::bench
