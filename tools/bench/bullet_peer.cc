// SPDX-License-Identifier: Apache-2.0
// Bullet: its dynamic tree of enlarged boxes, which changes when an entity has left its own box;
// rays are tested against the tree, then against spheres.
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "BulletCollision/BroadphaseCollision/btDbvt.h"
#include "entity_system.h"
#include "sphere_test.h"

namespace fractalray::bench {
namespace {

// Boxes are enlarged by Bullet's own margin, and towards the future positions of their entities on
// the present course. Among 0.05 to 2 blocks and 0 to 24 ticks these values make moves about as
// cheap as possible without queries that take twice as long: 8 ticks cost 1.5 times as much a move,
// and 0.8 times a query.
constexpr float kMargin = 0.05F;
constexpr float kTicksAhead = 16;
// Floats cannot represent all positions.
constexpr double kSlack = 1e-3;

btVector3 toBullet(const Vec3d& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

// Tests the leaves that a ray intersects.
struct Collector : btDbvt::ICollide {
  Collector(const EntityScene& entities, const SphereTest& ray) : scene(entities), segment(ray) {}

  using btDbvt::ICollide::Process;
  void Process(const btDbvtNode* leaf) override {
    const auto entity = static_cast<std::size_t>(leaf->dataAsInt);
    if (segment.intersects(scene.centers()[entity], scene.radii()[entity])) answer.add(entity);
  }

  const EntityScene& scene;
  const SphereTest& segment;
  EntityAnswer answer;
};

class Bullet : public EntitySystem {
 public:
  explicit Bullet(const EntityScene& scene) : scene_(scene) {
    leaves_.reserve(scene.size());
    centers_.reserve(scene.size());
    for (std::size_t entity = 0; entity < scene.size(); ++entity) {
      leaves_.push_back(tree_.insert(boxOf(entity), nullptr));
      leaves_.back()->dataAsInt = static_cast<int>(entity);
      centers_.push_back(toBullet(scene.centers()[entity]));
    }
  }

  // Follows btDbvtBroadphase::setAabb and collide.
  void move() override {
    for (std::size_t entity = 0; entity < leaves_.size(); ++entity) {
      btDbvtVolume box = boxOf(entity);
      const btVector3 center = toBullet(scene_.centers()[entity]);
      const btVector3 course = (center - centers_[entity]) * kTicksAhead;
      centers_[entity] = center;
      if (Intersect(leaves_[entity]->volume, box)) {
        tree_.update(leaves_[entity], box, course, kMargin);
      } else {
        tree_.update(leaves_[entity], box);
      }
    }
    tree_.optimizeIncremental(1);
  }

  void query(const Rays& rays, std::span<EntityAnswer> answers) override {
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = query(rays.blocks[i]);
  }

 private:
  btDbvtVolume boxOf(std::size_t entity) const {
    return btDbvtVolume::FromCR(toBullet(scene_.centers()[entity]),
                                static_cast<float>(scene_.radii()[entity] + kSlack));
  }

  EntityAnswer query(const Segment& ray) {
    const SphereTest segment(ray);
    const btVector3 from = toBullet(ray.from);
    const double length = std::sqrt(segment.lengthSquared());
    btVector3 inverse;
    std::array<unsigned, 3> signs{};
    for (int axis = 0; axis < 3; ++axis) {
      const double direction = segment.delta()[axis] / length;
      inverse[axis] = direction == 0 ? BT_LARGE_FLOAT : static_cast<float>(1 / direction);
      signs[static_cast<std::size_t>(axis)] = inverse[axis] < 0 ? 1 : 0;
    }
    Collector collector(scene_, segment);
    const btVector3 zero(0, 0, 0);
    tree_.rayTestInternal(tree_.m_root, from, toBullet(ray.to), inverse, signs.data(),
                          static_cast<float>(length), zero, zero, stack_, collector);
    return collector.answer;
  }

  const EntityScene& scene_;
  btDbvt tree_;
  std::vector<btDbvtNode*> leaves_;
  std::vector<btVector3> centers_;  // before the next move
  btAlignedObjectArray<const btDbvtNode*> stack_;
};

}  // namespace

std::unique_ptr<EntitySystem> makeBullet(const EntityScene& scene) {
  return std::make_unique<Bullet>(scene);
}

}  // namespace fractalray::bench
