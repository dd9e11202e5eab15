// SPDX-License-Identifier: Apache-2.0
// Fractalray's entities: the entity index, whose crowds are put in order after each tick or not,
// and shots that report all entities they hit in a world without blocks.
#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "../../query/ray_query_service.h"
#include "entity_system.h"
#include "unwrap.h"

namespace fractalray::bench {
namespace {

class FractalrayEntities : public EntitySystem {
 public:
  FractalrayEntities(const EntityScene& scene, bool optimizes)
      : scene_(scene), optimizes_(optimizes), index_(world_.frame()), service_(world_, index_) {
    handles_.reserve(scene.size());
    for (std::size_t entity = 0; entity < scene.size(); ++entity)
      handles_.push_back(unwrap(index_.add(scene.spec(entity))));
    if (optimizes_) index_.optimize();
  }

  // Moves in batches, so that the list of moves, which is needed only for a moment, stays in the
  // caches.
  void move() override {
    constexpr std::size_t kBatch = 512;
    std::array<EntityMove, kBatch> moves;
    for (std::size_t begin = 0; begin < scene_.size(); begin += kBatch) {
      const std::size_t count = std::min(kBatch, scene_.size() - begin);
      for (std::size_t i = 0; i < count; ++i)
        moves[i] = {handles_[begin + i], scene_.centers()[begin + i]};
      checkOk(index_.moveAll(std::span(moves).first(count)));
    }
    if (optimizes_) index_.optimize();
  }

  void query(const Rays& rays, std::span<EntityAnswer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      checkOk(service_.shootSegment(rays.units[i], world_.allLevels(), options_, result_));
      answers[i] = {};
      for (const Hit& hit : result_.hits)
        answers[i].add(hit.id);
    }
  }

 private:
  const EntityScene& scene_;
  bool optimizes_;
  World world_;
  EntityIndex index_;
  RayQueryService service_;
  std::vector<EntityHandle> handles_;
  QueryOptions options_{.filter = {.blocks = false}};
  ShotResult result_;
};

}  // namespace

std::unique_ptr<EntitySystem> makeFractalrayEntities(const EntityScene& scene) {
  return std::make_unique<FractalrayEntities>(scene, false);
}
std::unique_ptr<EntitySystem> makeOptimizedEntities(const EntityScene& scene) {
  return std::make_unique<FractalrayEntities>(scene, true);
}

}  // namespace fractalray::bench
