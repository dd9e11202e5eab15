// SPDX-License-Identifier: Apache-2.0
// OpenVDB: a mask grid, walked by LevelSetHDDA in doubles down to the first active voxel.
#include <openvdb/math/DDA.h>
#include <openvdb/math/Ray.h>
#include <openvdb/openvdb.h>

#include <memory>

#include "systems.h"

namespace fractalray::bench {
namespace {

using Tree = openvdb::MaskTree;
using Accessor = openvdb::tree::ValueAccessor<const Tree>;

// The callback of LevelSetHDDA at each node and voxel.
class Tester {
 public:
  using RayT = openvdb::math::Ray<double>;

  explicit Tester(const Tree& tree) : accessor_(tree) {
    openvdb::CoordBBox voxels;
    tree.evalActiveVoxelBoundingBox(voxels);
    bounds_ = openvdb::BBoxd(voxels.min().asVec3d(), voxels.max().offsetBy(1).asVec3d());
  }

  // Takes a segment, from t = 0 to 1, clipped to the box of all voxels. Returns false if it misses
  // the box.
  bool start(const Segment& segment) {
    const openvdb::Vec3d from(segment.from.values.data());
    const openvdb::Vec3d to(segment.to.values.data());
    ray_.reset(from, to - from, 0, 1);
    return ray_.clip(bounds_);
  }
  const RayT& ray() const { return ray_; }
  const openvdb::Coord& voxel() const { return voxel_; }

  template <class Node>
  bool hasNode(const openvdb::Coord& at) {
    return accessor_.probeConstNode<Node>(at) != nullptr;
  }
  void setRange(double t0, double t1) { ray_.setTimes(t0, t1); }
  void init(double) {}
  bool operator()(const openvdb::Coord& voxel, double) {
    if (!accessor_.isValueOn(voxel)) return false;
    voxel_ = voxel;
    return true;
  }

 private:
  Accessor accessor_;
  openvdb::BBoxd bounds_;
  RayT ray_;
  openvdb::Coord voxel_;
};

class Openvdb : public System {
 public:
  explicit Openvdb(const Scene& scene) {
    openvdb::tree::ValueAccessor<Tree> writer(tree_);
    scene.grid.forEachChunk([&](const ChunkCoord& at) {
      for (int index = 0; index < 4096; ++index) {
        const BlockCoord block = blockOf(at, index);
        if (!scene.grid.occupied(block)) continue;
        writer.setValueOn(openvdb::Coord(static_cast<int>(block[0]), static_cast<int>(block[1]),
                                         static_cast<int>(block[2])));
      }
    });
  }

  bool can(Work work) const override { return work == Work::kFirstHit || work == Work::kOccluded; }
  std::size_t bytes() const override { return tree_.memUsage(); }

  void run(Work work, const Rays& rays, std::span<Answer> answers) override {
    using Hdda = openvdb::math::LevelSetHDDA<Tree, Tree::RootNodeType::ChildNodeType::LEVEL>;
    Tester tester(tree_);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!tester.start(rays.blocks[i]) || !Hdda::test(tester)) {
        answers[i] = {};
      } else if (work == Work::kOccluded) {
        answers[i] = {.hits = 1};
      } else {
        answers[i] = hitAt(tester.voxel().x(), tester.voxel().y(), tester.voxel().z());
      }
    }
  }

 private:
  Tree tree_;
};

}  // namespace

std::unique_ptr<System> makeOpenvdb(const Scene& scene) {
  return std::make_unique<Openvdb>(scene);
}

}  // namespace fractalray::bench
