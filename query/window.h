// SPDX-License-Identifier: Apache-2.0
// The window: a frame of few levels that moves through a tree of any depth.
#pragma once

#include <array>
#include <cstddef>
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

// What a move of the frame has done.
struct WindowMove {
  ChunkPath anchor;                // the path of what is the level-0 chunk (0, 0, 0) now
  std::vector<EntityId> evicted;   // the entities that were left out, ascending
  std::size_t dropped_chunks = 0;  // the chunks that were, loaded and proto
  // The coordinates before and after: for what the engine keeps itself.
  FrameMove frame_move;
  // The memory of what was left out, chunks and tables of entities. It is given back with the last
  // copy of it, on any thread: to free 10^5 chunks takes longer than the move.
  std::array<std::shared_ptr<const void>, 2> left_over{};
};

// Moves the frame of a world and of its entities through the tree of chunks below one root chunk.
// A world has up to ten levels at a time; as a viewer shrinks or grows, the frame follows:
//
//   Window window(world, entities, anchor);
//   absl::StatusOr<WindowMove> move = window.descend(world.frame().chunkAt(viewer, 1));
//   if (!move.ok()) return move.status();
//   viewer = *move->frame_move.pointAfter(viewer);
//   store(window.path(2, at), content);  // paths never change, whatever the frame is
//
// The anchor is the path from the root to the level-0 chunk (0, 0, 0). It has any number of steps,
// and nothing else depends on how many. Chunks beside the root have no path, but may be loaded and
// are hit like any other. docs/window.md has drawings.
//
// A move changes no position in the world, only what it is called. Chunks and entities come with
// it: every chunk keeps its content, every entity its handle, id, class and categories, and either
// changes its level by one number at most. What is left out:
// - Dropped are the chunks of a level that is not active any more, and those that leave the frame.
//   An engine that wants to keep them unloads and stores them first.
// - Evicted are the entities whose own level is not active any more, that leave the frame, or whose
//   radius is not below C(0) any more. Their handles are stale from then on.
//
// Every move is one edit of the world and the index: all or nothing. One that is refused returns
// the reason; one for which there is not enough memory throws std::bad_alloc. Either leaves the
// world, the entities, the versions of both and the anchor as they were. Snapshots do not see a
// move. If a callback makes one, the shots in progress on that world or index end with
// FAILED_PRECONDITION; the rest of a batch is shot in the frame as it is then. What was asked
// before a move (hits, cursors, lines) is of the frame before it. BlockBindings::follow() takes
// bindings along.
//
// Not thread-safe: a move is a change of the world and the index. Const use is safe from any thread
// while nobody moves it.
//
// Cost of a move: some counting and table entries for each area (16 x 16 x 16 chunks) of each
// level; a pointer or two for each chunk of one level, the coarsest that stays; a write to each
// entity's record. The entities of the finest level enter its grid anew on a descent, as those of
// the two finest do on a climb. No chunk's content is read, and none is copied but what
// a snapshot holds too; what is dropped is freed with the result (left_over). docs/window.md has
// figures.
class Window {
 public:
  // Both must outlive it, and be moved by no other window. Requires: both have the same frame.
  Window(World& world, EntityIndex& entities, ChunkPath anchor = {});
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  // Returns the path of the level-0 chunk (0, 0, 0). Valid until the window moves.
  const ChunkPath& anchor() const { return anchor_; }
  // Returns the path of a chunk, loaded or not, in the frame or not. INVALID_ARGUMENT for an
  // inactive level, OUT_OF_RANGE for a chunk outside of the root.
  absl::StatusOr<ChunkPath> path(int level, const ChunkCoord& chunk) const;

  // Makes the level-1 chunk `chunk` the level-0 chunk (0, 0, 0): each level's number is one less,
  // and the finest level is a new one, empty. Also with one active level, whose blocks are then the
  // chunks meant. Exact. OUT_OF_RANGE for a chunk outside of the root; it may lie outside of the
  // frame.
  absl::StatusOr<WindowMove> descend(const ChunkCoord& chunk);
  // Makes the parent of the level-0 chunk (0, 0, 0) the level-0 chunk (0, 0, 0): each level's
  // number is one more, and level 0 is a new one, empty. Positions and sizes of entities are
  // rounded to the nearest unit, which is 16 times as large, halves upwards. FAILED_PRECONDITION at
  // the root.
  absl::StatusOr<WindowMove> climb();
  // Makes the level-0 chunk `chunk` the level-0 chunk (0, 0, 0). Exact. OUT_OF_RANGE as for
  // descend().
  absl::StatusOr<WindowMove> recenter(const ChunkCoord& chunk);

 private:
  absl::StatusOr<WindowMove> moveTo(absl::StatusOr<ChunkPath> anchor, const FrameMove& move);

  World& world_;
  EntityIndex& entities_;
  ChunkPath anchor_;
};

}  // namespace fractalray
