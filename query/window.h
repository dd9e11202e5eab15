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

// Moves the frame of a world and of its entities through the tree of chunks below one root chunk.
// A world has up to ten active levels; as a viewer shrinks or grows, the frame follows:
//
//   Window window(world, entities, anchor);
//   absl::StatusOr<WindowMove> move = window.descend(world.frame().chunkAt(viewer, 1));
//   if (!move.ok()) return move.status();
//   viewer = *move->frame_move.pointAfter(viewer);
//   store(window.path(2, at), content);  // no move changes a path
//
// The anchor is the path from the root to the level-0 chunk (0, 0, 0). It has any number of steps,
// and nothing else depends on their number. Chunks outside the root have no path, but may be loaded
// and are hit like any other. docs/window.md has drawings.
//
// A move moves nothing in the world; it only renumbers coordinates. Every chunk keeps its content,
// every entity its handle, id, class and categories; their level changes by at most one.
// Exceptions:
// - Chunks of a level that becomes inactive, and those that leave the frame, are dropped. An engine
//   that wants to keep them stores them first.
// - Entities whose own level becomes inactive, that leave the frame, or whose radius is no longer
//   below the width of a level-0 chunk, are evicted. Their handles are stale from then on.
//
// Every move is one edit of the world and the index: all or nothing. One that is refused returns
// the reason; one for which there is not enough memory throws std::bad_alloc. Either leaves the
// world, the entities, the versions of both and the anchor unchanged. Snapshots do not see a move.
// If a callback makes one, the shots in progress on that world or index end with
// FAILED_PRECONDITION; the rest of a batch is shot in the frame as it is then. Hits, cursors and
// lines from before a move are of the frame before it. BlockBindings::follow() keeps bindings.
//
// Not thread-safe: a move is an edit of the world and the index. Const use is safe from any thread
// while no thread moves it.
//
// Cost of a move: a counter and table entries for each area (16 x 16 x 16 chunks) of each level; a
// few pointers for each chunk of one level, the coarsest that stays active; a write to each
// entity's record. On a climb the entities of the two finest levels enter a new grid; on a descent
// they stay in their chunks until they leave them. No content of a chunk is read; only parts that a
// snapshot holds too are copied. Dropped chunks are freed with the result (left_over).
// `./dev bench ticks` measures each part.
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
