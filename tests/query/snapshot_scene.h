// SPDX-License-Identifier: Apache-2.0
// A random scene that keeps changing, with chunks borrowed from an engine that writes to them.
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

// The published state of a scene: snapshots, queries, and the scene's own answers to them.
struct PublishedScene {
  std::shared_ptr<const World> world;
  std::shared_ptr<const EntityIndex> entities;
  std::vector<BatchQuery> queries;
  std::vector<ShotResult> shots;
  std::vector<ClosestHit> closest;
  std::vector<Occlusion> sights;
  std::vector<Sight> visible;  // of sightOf() the lines, where box entities hide
};

// Returns the question whether the start of a line sees a box around its end.
SightQuery sightOf(const FixedSegment& line);

class SnapshotScene {
 public:
  SnapshotScene(Rng& rng, int levels);

  // Loads, unloads, edits, moves, adds or removes something, or has the engine write.
  void change();
  // Requires: 0 <= queries.
  PublishedScene publish(int queries);

 private:
  using Ids = std::array<BlockTypeId, kBlocksPerChunk>;
  using ChunkKey = std::pair<int, ChunkCoord>;

  ChunkKey someChunk();
  void changeChunk(const ChunkKey& key);
  void changeEntity();
  void write(const ChunkKey& key);

  Rng& rng_;
  std::unique_ptr<RandomScene> scene_;
  std::map<ChunkKey, std::unique_ptr<Ids>> engine_;
  std::set<ChunkKey> published_;  // borrowed chunks whose memory at the engine no one reads
  std::vector<EntityHandle> entities_;
  EntityId next_id_ = 1000;
};

// Returns how answers on the snapshots differ from those of the scene; empty if they agree.
std::string differenceOnSnapshots(const PublishedScene& scene);

}  // namespace fractalray::oracle
