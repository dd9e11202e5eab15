// SPDX-License-Identifier: Apache-2.0
#include "window.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#include "../core/check.h"
#include "../core/internal/access.h"
#include "../entities/internal/entity_store.h"
#include "../levels/internal/world_move.h"
#include "internal/frame_moving.h"

namespace fractalray {

Window::Window(World& world, EntityIndex& entities, ChunkPath anchor)
    : world_(world), entities_(entities), anchor_(std::move(anchor)) {
  FRACTALRAY_CHECK(world.frame() == entities.frame(), world.frame().levels(),
                   entities.frame().levels());
}

absl::StatusOr<ChunkPath> Window::path(int level, const ChunkCoord& chunk) const {
  if (!world_.frame().isActive(level)) {
    return absl::InvalidArgumentError(absl::StrCat("level ", level,
                                                   " is not active; this world has levels 0 to ",
                                                   world_.frame().levels() - 1));
  }
  return anchor_.inFrame(chunk, level);
}

void Window::addObserver(WindowObserver& observer) {
  FRACTALRAY_DCHECK(!is_moving_, moves_);
  FRACTALRAY_DCHECK(!isObservedBy(observer), observers_.size());
  observers_.push_back(&observer);
}

void Window::removeObserver(WindowObserver& observer) {
  FRACTALRAY_DCHECK(!is_moving_, moves_);
  FRACTALRAY_DCHECK(isObservedBy(observer), observers_.size());
  std::erase(observers_, &observer);
}

bool Window::isObservedBy(const WindowObserver& observer) const {
  return std::find(observers_.begin(), observers_.end(), &observer) != observers_.end();
}

absl::StatusOr<WindowMove> Window::descend(const ChunkCoord& chunk) {
  return moveTo(anchor_.inFrame(chunk, 1), FrameMove::descend(world_.frame(), chunk));
}

absl::StatusOr<WindowMove> Window::climb() {
  if (anchor_.steps().empty()) {
    return absl::FailedPreconditionError(
        "the frame cannot climb: its level-0 chunk (0, 0, 0) is the root chunk; its anchor is "
        "empty");
  }
  const ChunkPath::Step& last = anchor_.steps().back();
  return moveTo(anchor_.parent(), FrameMove::climb(world_.frame(), {last[0], last[1], last[2]}));
}

absl::StatusOr<WindowMove> Window::recenter(const ChunkCoord& chunk) {
  return moveTo(anchor_.inFrame(chunk, 0), FrameMove::recenter(world_.frame(), chunk));
}

absl::StatusOr<WindowMove> Window::moveTo(absl::StatusOr<ChunkPath> anchor, const FrameMove& move) {
  if (!anchor.ok()) return anchor.status();
  ChunkPath reported = *anchor;
  is_moving_ = true;
  const absl::Cleanup end = [this] { is_moving_ = false; };
  for (WindowObserver* const observer : observers_)
    observer->beforeMove(move);
  absl::StatusOr<WindowMove> moved = internal::moveFrame(world_, entities_, move);
  if (!moved.ok()) return moved;
  moved->anchor = std::move(reported);
  anchor_ = *std::move(anchor);
  ++moves_;
  for (WindowObserver* const observer : observers_)
    observer->afterMove(move);
  return moved;
}

absl::StatusOr<WindowMove> internal::moveFrame(World& world, EntityIndex& entities,
                                               const FrameMove& move) {
  WindowMove moved{.anchor = {}, .evicted = {}, .dropped_chunks = 0, .frame_move = move};
  DroppedChunks dropped;
  absl::StatusOr<EntityStore::Evicted> evicted = Access::editStore(entities).moveFrame(move, [&] {
    dropped = moveFrame(Access::editContent(world), move);
    return absl::OkStatus();
  });
  if (!evicted.ok()) return evicted.status();
  moved.evicted = std::move(evicted->ids);
  moved.dropped_chunks = dropped.chunks;
  moved.left_over = {std::move(dropped.content), std::move(evicted->content)};
  return moved;
}

}  // namespace fractalray
