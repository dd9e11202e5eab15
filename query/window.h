// SPDX-License-Identifier: Apache-2.0
// The window: a frame of few levels that moves through a tree of any depth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"

#include "../core/frame_move.h"
#include "../core/vec.h"
#include "../entities/entity.h"
#include "../entities/entity_index.h"
#include "../levels/chunk_path.h"
#include "../levels/world.h"

namespace fractalray {

// The outcome of a move of the frame.
struct WindowMove {
  ChunkPath anchor;                // the path of the level-0 chunk (0, 0, 0) from now on
  std::vector<EntityId> evicted;   // the evicted entities, ascending
  std::size_t dropped_chunks = 0;  // the number of dropped chunks, loaded and proto
  // Converts coordinates before the move to those after it, for all that the engine keeps itself.
  FrameMove frame_move;
  // The memory of dropped chunks and of replaced tables. It is freed with the last copy of it, on
  // any thread, since freeing 10^5 chunks takes longer than the move.
  std::array<std::shared_ptr<const void>, 2> left_over{};
};

// Is called before and after a window moves, on the thread that moves it. Must not edit the world.
class WindowObserver {
 public:
  virtual ~WindowObserver() = default;

  // Called before anything changes, while all chunks are still there, and only for a move that is
  // not refused. The move may still fail after this call, if memory runs out. An exception passes
  // through the call that moves the window, which then changes nothing.
  virtual void beforeMove(const FrameMove& /*move*/) {}
  // Called after a move, when the world, the entities and the anchor are those of the new frame.
  // Must not throw.
  virtual void afterMove(const FrameMove& /*move*/) {}
};

// Moves the frame of a world and of its entities through the tree of chunks below a root chunk:
//
//   Window window(world, entities, anchor);  // the path of the level-0 chunk (0, 0, 0)
//   absl::StatusOr<WindowMove> move = window.descend(world.frame().chunkAt(viewer, 1));
//   if (!move.ok()) return move.status();
//   viewer = *move->frame_move.pointAfter(viewer);
//
// Chunks keep their content, entities their handles; coordinates and levels are renumbered. Every
// move is one edit of the world and the index, all or nothing, also if memory runs out. It ends the
// shots in progress with FAILED_PRECONDITION. Not thread-safe; const use is safe from any thread
// while no thread moves it. docs/window.md has drawings, says which chunks and entities a move
// drops, and what it costs.
class Window {
 public:
  // Requires: both have the same frame, outlive the window, and are moved by no other window.
  Window(World& world, EntityIndex& entities, ChunkPath anchor = {});
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Return the world that this moves.
  World& world() { return world_; }
  const World& world() const { return world_; }
  // Returns the number of moves made so far: as long as it is the same, so is the frame.
  std::uint64_t moves() const { return moves_; }

  // Returns the path of the level-0 chunk (0, 0, 0). Valid until the window moves.
  const ChunkPath& anchor() const { return anchor_; }
  // Returns the path of a chunk, loaded or not, inside the frame or not. INVALID_ARGUMENT for an
  // inactive level, OUT_OF_RANGE for a chunk outside the root. Cost: a copy of the anchor.
  absl::StatusOr<ChunkPath> path(int level, const ChunkCoord& chunk) const;

  // Add and remove an observer, which must be removed before it is destroyed. Requires: added once;
  // no window is moving.
  void addObserver(WindowObserver& observer);
  void removeObserver(WindowObserver& observer);

  // Moves the frame into the level-1 chunk `chunk`, which becomes the level-0 chunk (0, 0, 0):
  // subtracts one from the number of each level, and adds an empty finest level. With one active
  // level, level 1 is not active: `chunk` is then the chunk that the level-0 block of that index
  // expands into. Exact. OUT_OF_RANGE for a chunk outside the root; it may lie outside the frame.
  absl::StatusOr<WindowMove> descend(const ChunkCoord& chunk);
  // Moves the frame out to the parent of the level-0 chunk (0, 0, 0), which becomes the level-0
  // chunk (0, 0, 0): adds one to the number of each level, and adds an empty level 0. Rounds
  // positions and sizes of entities to the nearest unit of the new frame, which is 16 times as
  // large, halves upwards. FAILED_PRECONDITION at the root.
  absl::StatusOr<WindowMove> climb();
  // Moves the frame to the level-0 chunk `chunk`, which becomes the level-0 chunk (0, 0, 0). Exact.
  // OUT_OF_RANGE as for descend().
  absl::StatusOr<WindowMove> recenter(const ChunkCoord& chunk);

 private:
  bool isObservedBy(const WindowObserver& observer) const;
  absl::StatusOr<WindowMove> moveTo(absl::StatusOr<ChunkPath> anchor, const FrameMove& move);

  World& world_;
  EntityIndex& entities_;
  ChunkPath anchor_;
  std::uint64_t moves_ = 0;
  bool is_moving_ = false;
  std::vector<WindowObserver*> observers_;
};

}  // namespace fractalray
