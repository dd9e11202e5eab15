// SPDX-License-Identifier: Apache-2.0
// A random scene that goes on changing, with chunks borrowed from an engine that writes to them.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray::oracle {

// What is published of a scene: snapshots, questions, and what the scene itself answered to them.
struct PublishedScene {
  std::shared_ptr<const World> world;
  std::shared_ptr<const EntityIndex> entities;
  std::vector<BatchQuery> queries;
  std::vector<ShotResult> shots;
  std::vector<ClosestHit> closest;
  std::vector<Occlusion> sights;
};

class ChangingScene {
 public:
  ChangingScene(Rng& rng, int levels);

  // Loads, unloads, edits, moves, adds or removes something, or has the engine write.
  void change();
  // Requires: 0 <= queries.
  PublishedScene publish(int queries);

 private:
  using Ids = std::array<BlockTypeId, kBlocksPerChunk>;
  using Place = std::pair<int, ChunkCoord>;

  Place somePlace();
  void changeChunk(const Place& place);
  void changeEntity();
  void write(const Place& place);

  Rng& rng_;
  std::unique_ptr<RandomScene> scene_;
  std::map<Place, std::unique_ptr<Ids>> engine_;
  std::set<Place> published_;  // borrowed places that no one reads the engine's memory of
  std::vector<EntityHandle> entities_;
  EntityId next_id_ = 1000;
};

// What answers on the snapshots differ in from those of the scene; empty where they agree.
std::string differenceOnSnapshots(const PublishedScene& scene);

}  // namespace fractalray::oracle
