// SPDX-License-Identifier: Apache-2.0
// A server's world for the benchmark of ticks: the generated world around a viewer who sinks and
// climbs through it, with entities around the viewer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../formats/change_store.h"
#include "../../fractalray.h"
#include "../generator/fractal_source.h"
#include "../generator/fractal_way.h"
#include "measurement.h"

namespace fractalray::bench {

// The load of a tick.
struct DiveLoad {
  std::size_t depth = 10;  // steps of the window's anchor in the beginning
  double radius = 19.5;    // of loaded chunks on each level, in chunk widths
  std::size_t entities = 10'000;
  std::size_t rays = 5'000;  // of what is visible
  std::size_t shots = 1'000;
};

// The cost of a tick in milliseconds, by its parts.
struct DiveCost {
  double moves = 0;     // of the window
  double loads = 0;     // the streamer with the generator
  double entities = 0;  // all of them move
  double sight = 0;     // the visibility rays
  double shots = 0;
  double edits = 0;  // in the world and in the store
  // In the pause after the tick: of the store, and of freeing the chunks that a move has dropped.
  double pause = 0;

  double processor = 0;  // time of all threads, without the pause

  // Returns the cost without the pause.
  double all() const { return moves + loads + entities + sight + shots + edits; }
};

// Ends the program if a call fails. The executor must outlive the scene.
class DiveScene {
 public:
  static constexpr int kLevels = 10;

  // Loads all that is in reach. The changes are in a temporary file.
  DiveScene(const DiveLoad& load, const ThreadExecutor& threads);
  ~DiveScene();
  DiveScene(const DiveScene&) = delete;
  DiveScene& operator=(const DiveScene&) = delete;

  // Runs a tick: the viewer flies on; every kMoveTicks the window descends or climbs.
  DiveCost tick();
  // Returns the number of loaded chunks on all levels.
  std::size_t chunks() const;
  std::size_t entities() const { return entities_.size(); }

 private:
  static constexpr std::uint64_t kMoveTicks = 40;
  static constexpr std::uint64_t kUpkeepTicks = 20;

  // Sets the position of the viewer for this tick: in a circle above the chunk in the middle of the
  // finest level.
  void fly();
  void moveWindow();
  // Decides where the entities go, as an engine's physics does.
  void decideMoves();
  void shoot();
  void edit();
  // Returns the width of a block of the entities' own level, in blocks of the finest.
  double entityBlock() const;
  Vec3d positionOf(EntityId id) const;

  DiveLoad load_;
  const ThreadExecutor& threads_;
  World world_{{.levels = kLevels, .block_types = nullptr}};
  FractalTypes types_{world_.blockTypes()};
  std::vector<FractalStop> way_;
  EntityIndex entities_{world_.frame()};
  Window window_;
  RayQueryService service_{world_, entities_};
  FractalSource source_;
  std::filesystem::path file_;
  std::unique_ptr<ChangeStore> store_;
  ChunkStreamer streamer_;
  VisibilityStream sight_;

  std::uint64_t ticks_ = 0;
  Vec3d viewer_{};                     // in blocks of the finest level
  std::vector<EntityHandle> handles_;  // by id
  std::vector<EntityMove> moves_;
  std::vector<BatchQuery> bullets_;
  ShotBatch shots_;
  std::vector<BlockChange> edits_;
  std::optional<WindowMove> moved_;  // of this tick
};

}  // namespace fractalray::bench
