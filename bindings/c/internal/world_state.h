// SPDX-License-Identifier: Apache-2.0
// The world of the C interface: blocks, entities, the service that queries them, and the callbacks
// that are registered.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "../../../entities/entity_index.h"
#include "../../../levels/chunk_path.h"
#include "../../../levels/world.h"
#include "../../../query/ray_query_service.h"
#include "../../../query/window.h"
#include "../fractalray_c.h"
#include "parallel.h"
#include "query_logs.h"
#include "scratch.h"

namespace fractalray::capi {

struct Callbacks {
  frPredicateFcn* is_terminal = nullptr;
  frEffectFcn* effect = nullptr;
  void* context = nullptr;

  bool empty() const { return is_terminal == nullptr && effect == nullptr; }
};

// A world, or a snapshot of one. Cursors and other objects share it, so that it lives as long as
// they do.
class WorldState {
 public:
  // Requires: `types` is the table of `world`.
  WorldState(World world, ChunkPath anchor, std::shared_ptr<BlockTypeTable> types);
  // Makes an immutable world that shows these parts, which may change while no query runs.
  // Requires: the index has the frame of the world.
  WorldState(std::shared_ptr<const World> world, std::shared_ptr<const EntityIndex> entities);
  WorldState(const WorldState&) = delete;
  WorldState& operator=(const WorldState&) = delete;

  // Returns an immutable copy. Requires: this is no snapshot.
  std::shared_ptr<WorldState> snapshot();

  bool isSnapshot() const { return live_ == nullptr; }
  const World& world() const { return *world_; }
  const EntityIndex& entities() const { return *entities_; }
  const RayQueryService& service() const { return service_; }
  const ChunkPath& anchor() const { return anchor_; }
  // Return the parts that can be changed. Requires, for these: this is no snapshot.
  World& editWorld() { return live_->world; }
  EntityIndex& editEntities() { return live_->entities; }
  const std::shared_ptr<BlockTypeTable>& blockTypes() const { return types_; }

  Window& window() { return live_->window; }
  // Returns true if another world is this one, or a snapshot of it since the last move of its
  // frame. Requires: this is no snapshot.
  bool hasFrameOf(const WorldState& other) const {
    return other.live_ == live_ ||
           (other.original_.lock() == live_ && other.moves_ == live_->window.moves());
  }

  // Moves the frame by a function of Window, and keeps the ids of evicted entities. Requires: this
  // is no snapshot.
  template <class Move>
  absl::StatusOr<WindowMove> moveFrame(const Move& move) {
    absl::StatusOr<WindowMove> moved = move(live_->window);
    if (!moved.ok()) return moved;
    anchor_ = std::move(moved->anchor);
    evicted_ = std::move(moved->evicted);
    return moved;
  }
  const std::vector<EntityId>& evicted() const { return evicted_; }

  // Register callbacks; empty ones remove what was registered. INVALID_ARGUMENT for an unknown
  // block type.
  absl::Status onBlockHit(frBlockType type, const Callbacks& callbacks);
  absl::Status onEntityHit(std::uint32_t entity_class, const Callbacks& callbacks);
  void onAnyBlockHit(const Callbacks& callbacks);
  void onAnyEntityHit(const Callbacks& callbacks);

  void setThreads(const CallerThreads& threads) { threads_ = threads; }
  const CallerThreads& threads() const { return threads_; }

  // Returns the service, to set its observer.
  RayQueryService& editService() { return service_; }
  // The log that this writes; null for none. Requires, to set one: it observes this.
  QueryLog* log() const { return log_.get(); }
  void setLog(std::unique_ptr<QueryLog> log) { log_ = std::move(log); }

  // Working memory for queries.
  ScratchPool& scratch() const { return scratch_; }

 private:
  struct Live {
    Live(World blocks, const ChunkPath& anchor)
        : world(std::move(blocks)), entities(world.frame()), window(world, entities, anchor) {}

    World world;
    EntityIndex entities;
    Window window;
  };

  // Makes a snapshot of these parts, with the callbacks of the original.
  WorldState(std::shared_ptr<const World> world, std::shared_ptr<const EntityIndex> entities,
             const WorldState& original);
  void copyCallbacks(const WorldState& original);
  HitEffect effectOf(const Callbacks& callbacks) const;

  std::shared_ptr<BlockTypeTable> types_;  // null for a snapshot
  std::shared_ptr<Live> live_;             // null for a snapshot
  // A snapshot has these: what it was taken of, and the moves of the frame before it. The original
  // may be gone, and another one at its address: weak pointers to the two differ nevertheless.
  std::weak_ptr<const Live> original_;
  std::uint64_t moves_ = 0;
  std::shared_ptr<const World> world_;
  std::shared_ptr<const EntityIndex> entities_;
  RayQueryService service_;
  ChunkPath anchor_;
  std::vector<EntityId> evicted_;
  CallerThreads threads_;
  std::map<frBlockType, Callbacks> block_callbacks_;
  std::map<std::uint32_t, Callbacks> entity_callbacks_;
  Callbacks any_block_callback_;
  Callbacks any_entity_callback_;
  std::unique_ptr<QueryLog> log_;  // after all that it observes
  mutable ScratchPool scratch_;
};

}  // namespace fractalray::capi
