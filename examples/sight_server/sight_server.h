// SPDX-License-Identifier: Apache-2.0
// A server's question on every tick: which of its players sees which entities? Players and entities
// walk over a landscape, some blocks change, and visibleBoxes() answers, with the history of the
// last tick. docs/sight-server.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fractalray/fractalray.h"
#include "landscape.h"
#include "samples.h"

namespace sight_server {

struct Settings {
  std::size_t players = 200;
  std::size_t eyes = 3;  // of a player: its own, that of its next tick, and a camera 4 blocks back
  std::size_t entities = 1000;
  std::int64_t area = 160;       // the width of the square in which all walk, in blocks
  double reach = 64;             // how far a player may see, in blocks
  std::size_t edits = 20;        // blocks placed or broken on each tick
  double blocks_a_tick = 0.216;  // a walk of 4.3 m/s at 20 ticks a second
  bool players_walk = true;
  bool entities_walk = true;
  bool has_history = true;
};

// Someone who walks, at the middle of its feet, and the direction of its steps, of length 1.
struct Walker {
  double x = 0;
  double y = 0;
  double z = 0;
  double ahead_x = 1;
  double ahead_z = 0;
};

class SightServer {
 public:
  // Puts all at random, always in the same way. Requires: the landscape is wider than the area by
  // 32 blocks, and outlives the server.
  SightServer(Ground& ground, const Settings& settings);

  // Lets all walk and edits the blocks: a tick, without the look.
  void step();
  // Finds out who sees whom now.
  const fractalray::SightTable& look(
      fractalray::ParallelFor parallel_for = fractalray::runSerially);

  // The query that look() asks.
  const std::vector<fractalray::SightViewer>& viewers() const { return viewers_; }
  const std::vector<fractalray::FixedBox>& boxes() const { return boxes_; }
  const fractalray::SightTable& table() const { return table_; }
  const fractalray::RayQueryService& service() const { return service_; }
  const fractalray::SightTableOptions& options() const { return options_; }

 private:
  Walker randomWalker();
  void walk(Walker& walker);
  void turn(Walker& walker);
  void edit();
  void updateQuery();
  double random(double min, double max);

  Ground& ground_;
  Settings settings_;
  std::uint64_t random_ = 0;
  std::vector<Walker> players_;
  std::vector<Walker> entities_;

  fractalray::EntityIndex no_entities_;
  fractalray::RayQueryService service_;
  std::vector<fractalray::Vec3i> eyes_;
  std::vector<fractalray::SightViewer> viewers_;
  std::vector<fractalray::FixedBox> boxes_;
  fractalray::SightHistory history_;
  fractalray::SightTableOptions options_;
  fractalray::SightTable table_;
};

// Returns the pairs of the first eyes and the boxes within reach, as they are now.
std::vector<SamplePair> pairsOf(const SightServer& server);

}  // namespace sight_server
