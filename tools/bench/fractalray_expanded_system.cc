// SPDX-License-Identifier: Apache-2.0
// Fractalray with shapes that are built of blocks of a finer level: how worlds have partial blocks
// without shapes in their types.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../../query/ray_query_service.h"
#include "shape_world.h"
#include "systems.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

// The width of a block of the scene in those of the finer level, and its logarithm.
constexpr std::int64_t kWidth = 16;
constexpr int kWidthLog2 = 4;

Vec3i widened(const Vec3i& point) {
  return {kWidth * point[0], kWidth * point[1], kWidth * point[2]};
}

class Expanded : public System {
 public:
  explicit Expanded(const Scene& scene)
      : world_(makeExpandedWorld(scene.grid, *scene.shapes)),
        entities_(world_->frame()),
        service_(*world_, entities_) {}

  bool can(Work work) const override { return work == Work::kFirstHit; }

  void prepare(const Rays& rays) override {
    lines_.clear();
    for (const FixedSegment& ray : rays.units)
      lines_.push_back({widened(ray.from), widened(ray.to)});
  }

  void run(Work /*work*/, const Rays& /*rays*/, std::span<Answer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = closest(lines_[i]);
  }

 private:
  Answer closest(const FixedSegment& line) {
    checkOk(service_.closestHit(line, world_->allLevels(), {}, closest_));
    if (!closest_.hit.has_value()) return {};
    const BlockCoord& block = closest_.hit->block;
    const int shift = closest_.hit->level == 0 ? 0 : kWidthLog2;
    return hitAt(block[0] >> shift, block[1] >> shift, block[2] >> shift);
  }

  std::shared_ptr<const World> world_;
  EntityIndex entities_;
  RayQueryService service_;
  std::vector<FixedSegment> lines_;  // of the set, in units of the finer level
  ClosestHit closest_;
};

}  // namespace

std::unique_ptr<System> makeFractalrayExpanded(const Scene& scene) {
  return std::make_unique<Expanded>(scene);
}

}  // namespace fractalray::bench
