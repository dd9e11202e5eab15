// SPDX-License-Identifier: Apache-2.0
// Lag compensation: a shot hits what its shooter saw, in snapshots of the last ticks.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>

#include "fractalray/fractalray.h"

namespace {

using namespace fractalray;

struct Moment {
  std::shared_ptr<const World> world;
  std::shared_ptr<const EntityIndex> entities;
};

class History {
 public:
  // Keeps the present: at the end of every tick, on the thread that edits.
  void keep(World& world, EntityIndex& entities) {
    const Moment now{world.snapshot(), entities.snapshot()};
    const std::lock_guard lock(mutex_);
    moments_.push_back(now);
    if (moments_.size() > 20) moments_.pop_front();  // a second, at 20 ticks a second
  }

  // Shoots in the world of so many ticks ago, or of the earliest tick that is kept, on any thread.
  // Requires: keep() has been called.
  absl::StatusOr<ShotResult> shoot(const Segment& bullet, std::size_t ticks_ago,
                                   const QueryOptions& options) const {
    const Moment then = momentOf(ticks_ago);
    return RayQueryService(*then.world, *then.entities)
        .shootSegment(bullet, LevelMask::all(), options);
  }

 private:
  Moment momentOf(std::size_t ticks_ago) const {
    const std::lock_guard lock(mutex_);
    return moments_[moments_.size() - 1 - std::min(ticks_ago, moments_.size() - 1)];
  }

  mutable std::mutex mutex_;
  std::deque<Moment> moments_;
};

}  // namespace

int main() {
  World world;
  if (!world.loadChunk(0, {0, 0, 0}, Chunk()).ok()) return 1;
  EntityIndex entities(world.frame());
  const auto runner = entities.add({.id = 7, .shape = Sphere{0.4}, .position = {0.5, 2.5, 8.5}});
  if (!runner.ok()) return 1;

  constexpr EntityId kShooter = 8;
  History history;
  for (int tick = 0; tick < 10; ++tick) {
    if (!entities.move(*runner, {tick + 0.5, 2.5, 8.5}).ok()) return 1;  // a block each tick
    history.keep(world, entities);
  }
  // Four ticks ago the runner was at x = 5.5, where the client saw it.
  const Segment bullet{.from = {5.5, 2.5, 0.5}, .to = {5.5, 2.5, 15.5}};
  for (const std::size_t ticks_ago : {std::size_t{0}, std::size_t{4}}) {
    const auto shot = history.shoot(bullet, ticks_ago, {.filter = {.ignore = {kShooter}}});
    if (!shot.ok()) return 1;
    std::cout << ticks_ago << " ticks ago: " << (shot->hits.empty() ? "nothing" : "a hit") << "\n";
    for (const Hit& hit : shot->hits) {
      // Handles mean the same in all snapshots; null if it has been removed since.
      const Entity* const now = entities.find(hit.entity);
      if (now == nullptr) continue;
      std::cout << "entity " << hit.id << " is now at x = " << toBlocks(now->position).x() << "\n";
    }
  }
}
