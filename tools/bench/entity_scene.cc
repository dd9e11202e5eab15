// SPDX-License-Identifier: Apache-2.0
#include "entity_scene.h"

#include "../../core/units.h"
#include "scene.h"

namespace fractalray::bench {
namespace {

constexpr std::uint64_t kSeed = 22;
constexpr std::int64_t kMinRadius = kUnitsPerBlock * 3 / 10 + 1;
constexpr std::int64_t kMaxRadius = kUnitsPerBlock;
constexpr std::int64_t kMaxSpeed = kUnitsPerBlock / 4;
constexpr std::uint64_t kTicksOnCourse = 16;
constexpr std::size_t kCrowds = 100;
// The sum of three draws of up to 8 blocks: a bell with a deviation of 8 blocks along each axis.
constexpr std::int64_t kCrowdDraw = 8 * kUnitsPerBlock;
constexpr std::int64_t kCrowdReach = 3 * kCrowdDraw;

// Centres that keep `distance` from the sides of the extents.
constexpr std::int64_t minCenter(std::int64_t distance) {
  return distance;
}
constexpr std::int64_t maxCenter(int axis, std::int64_t distance) {
  return kUsualSize[axis] * kUnitsPerBlock - distance;
}

Vec3i centerAtDistance(Random& random, std::int64_t distance) {
  Vec3i center;
  for (int axis = 0; axis < 3; ++axis)
    center[axis] = random.between(minCenter(distance), maxCenter(axis, distance));
  return center;
}

}  // namespace

EntityScene::EntityScene(Spread spread, std::size_t count) : spread_(spread), random_(kSeed) {
  for (std::size_t crowd = 0; crowd < kCrowds; ++crowd)
    crowds_.push_back(centerAtDistance(random_, kCrowdReach + kMaxRadius));
  for (std::size_t entity = 0; entity < count; ++entity) {
    radii_.push_back(toBlocks(random_.between(kMinRadius, kMaxRadius)));
    units_.push_back(drawCenter());
    centers_.push_back(toBlocks(units_.back()));
    velocities_.push_back(drawVelocity());
  }
}

void EntityScene::tick(Movement movement) {
  for (std::size_t entity = 0; entity < size(); ++entity) {
    if (movement == Movement::kFar) {
      units_[entity] = drawCenter();
    } else {
      advance(entity);
    }
    centers_[entity] = toBlocks(units_[entity]);
  }
}

Vec3i EntityScene::drawCenter() {
  if (spread_ == Spread::kUniform) return centerAtDistance(random_, kMaxRadius);
  Vec3i center = crowds_[random_.next() % kCrowds];
  for (int axis = 0; axis < 3; ++axis) {
    for (int draw = 0; draw < 3; ++draw)
      center[axis] += random_.between(-kCrowdDraw, kCrowdDraw);
  }
  return center;
}

Vec3i EntityScene::drawVelocity() {
  Vec3i velocity;
  for (int axis = 0; axis < 3; ++axis)
    velocity[axis] = random_.between(-kMaxSpeed, kMaxSpeed);
  return velocity;
}

// Turns back at the sides of the extents.
void EntityScene::advance(std::size_t entity) {
  if (random_.next() % kTicksOnCourse == 0) velocities_[entity] = drawVelocity();
  for (int axis = 0; axis < 3; ++axis) {
    std::int64_t& velocity = velocities_[entity][axis];
    const std::int64_t next = units_[entity][axis] + velocity;
    if (next < minCenter(kMaxRadius) || next > maxCenter(axis, kMaxRadius)) velocity = -velocity;
    units_[entity][axis] += velocity;
  }
}

}  // namespace fractalray::bench
