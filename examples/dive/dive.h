// SPDX-License-Identifier: Apache-2.0
// A dive: a viewer sinks through the levels of a generated world and climbs back, with a world that
// streams around it, rays that see for it, and shots that change blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "dive_route.h"
#include "dive_source.h"
#include "fractalray/core/thread_executor.h"
#include "fractalray/formats/change_store.h"
#include "fractalray/levels/world.h"
#include "fractalray/query/ray_query_service.h"
#include "fractalray/query/window.h"
#include "fractalray/streaming/chunk_streamer.h"
#include "fractalray/streaming/visibility_stream.h"

namespace fractalray {

struct DiveOptions {
  std::uint64_t seed = 1;  // of the world
  int levels = 100;        // the descents of the window; at least 1
  std::string changes{};   // the file of the store of changed blocks
};

// The cost of a tick, in milliseconds.
struct TickCost {
  double loads = 0;  // the streamer: asking the generator, loading and unloading
  double moves = 0;  // of the window, and of the viewer with it
  double sight = 0;  // the visibility rays
  double shots = 0;  // the bullets
  double edits = 0;

  double all() const { return loads + moves + sight + shots + edits; }
};

// The work of one direction. The same for the same options, with any number of threads.
struct DiveCounts {
  std::size_t ticks = 0;
  std::size_t moves = 0;
  std::size_t requested = 0;  // chunks, of the generator
  std::size_t loaded = 0;
  std::size_t unloaded = 0;  // for being out of reach
  std::size_t dropped = 0;   // by moves of the window
  std::size_t rays = 0;
  std::size_t seen = 0;  // blocks that came into sight
  std::size_t shots = 0;
  std::size_t hits = 0;
  std::size_t changed = 0;   // blocks, on the way down
  std::size_t found = 0;     // blocks that are as they were left, on the way up
  std::size_t missing = 0;   // blocks that are not
  std::size_t enclosed = 0;  // ticks that the viewer spent within a solid block

  friend bool operator==(const DiveCounts&, const DiveCounts&) = default;
};

// A tick of a dive, once it is done.
struct DiveMoment {
  int stage = 0;  // of the route
  int tick = 0;   // of the stage
  bool is_climb = false;
  bool is_settling = false;  // before the fall, while the world around its beginning is loaded
};

// The dive. Not thread-safe; uses the threads of the executor within a tick.
class Dive {
 public:
  // The levels of the world's frame.
  static constexpr int kLevels = 4;

  // The executor must outlive the dive. Errors of ChangeStore::open. Requires: options.levels >= 1.
  static absl::StatusOr<std::unique_ptr<Dive>> create(const DiveOptions& options,
                                                      const ThreadExecutor& threads);
  Dive(const Dive&) = delete;
  Dive& operator=(const Dive&) = delete;

  const DiveRoute& route() const { return route_; }
  const World& world() const { return world_; }
  // Returns a service without callbacks.
  const RayQueryService& service() const { return service_; }

  // Returns the number of ticks of the whole dive.
  std::size_t ticks() const;
  // Falls and climbs back; calls `after_tick` after every tick, whose error ends the dive. Errors
  // of the library. Requires: called once.
  absl::Status run(absl::FunctionRef<absl::Status(const DiveMoment&)> after_tick);

  const DiveCounts& down() const { return down_; }
  const DiveCounts& up() const { return up_; }
  // Returns the costs of all ticks, in their order.
  const std::vector<TickCost>& costs() const { return costs_; }
  // Returns the path of the deepest anchor.
  const ChunkPath& deepest() const { return deepest_; }

 private:
  // A changed block, in the frame of its stage.
  struct Change {
    BlockCoord block{};
    BlockChange change;
  };

  Dive(const DiveOptions& options, const ThreadExecutor& threads);
  absl::Status open(const std::string& changes);

  int finest() const { return world_.frame().levels() - 1; }
  absl::Status tick(const DiveMoment& moment);
  // The parts of a tick: moves the window, streams, looks around, shoots.
  absl::Status moveTo(const DiveMoment& moment, TickCost& cost);
  absl::Status load(const Vec3i& viewer, TickCost& cost, DiveCounts& counts);
  absl::Status look(const Vec3i& viewer, const Camera& camera, TickCost& cost, DiveCounts& counts);
  absl::Status shoot(const Camera& camera, TickCost& cost, DiveCounts& counts);
  // Shoots a crater with a lamp in it near the route, and stores it; looks for it on the way up.
  absl::Status change(const Camera& camera, int stage, TickCost& cost);
  absl::Status check(int stage, DiveCounts& counts);
  // Returns a block near the target of a stage that the viewer sees, but not of the route.
  std::optional<BlockCoord> aim(const Camera& camera, int stage) const;
  std::optional<Hit> firstHit(const Ray& ray) const;
  DiveCounts& counts(const DiveMoment& moment) { return moment.is_climb ? up_ : down_; }

  const ThreadExecutor& threads_;
  World world_{{.levels = kLevels}};
  FractalTypes types_{world_.blockTypes()};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_};
  RayQueryService service_{world_, entities_};
  DiveRoute route_;
  DiveSource source_;
  std::unique_ptr<ChangeStore> store_;
  std::vector<std::vector<Change>> changes_;  // by stage
  std::optional<ChunkStreamer> streamer_;     // there are a store and a streamer once it is open
  VisibilityStream sight_;

  std::vector<BatchQuery> bullets_;
  ShotBatch shots_;
  DiveCounts down_;
  DiveCounts up_;
  std::vector<TickCost> costs_;
  ChunkPath deepest_;
};

}  // namespace fractalray
