// SPDX-License-Identifier: Apache-2.0
// The entities of a server, as another process feeds them: whole ticks, without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "absl/status/status.h"

#include "../bindings/c/fractalray_c.h"
#include "../entities/entity_index.h"

namespace fractalray::serve {

// The changes of a tick, in this order: removed, added, moved. Positions and sizes are in units.
struct EntityTick {
  std::uint64_t number = 0;
  bool is_whole = false;  // these are all entities, whatever was there
  std::span<const std::uint64_t> removed{};
  std::span<const frFedEntity> added{};
  std::span<const frFedMove> moved{};
};

// Queries read the entities of the last tick while the next one is applied. Safe from any thread.
class EntityFeed {
 public:
  struct State {
    std::shared_ptr<const EntityIndex> entities;
    std::uint64_t tick = 0;   // 0 before the first one
    std::uint64_t feeds = 0;  // the ticks that were applied
  };

  // Has these entities until the first tick.
  explicit EntityFeed(std::shared_ptr<const EntityIndex> first)
      : index_(first->frame()), state_{.entities = std::move(first)} {}
  EntityFeed(const EntityFeed&) = delete;
  EntityFeed& operator=(const EntityFeed&) = delete;

  // Applies a tick. FAILED_PRECONDITION unless it is whole or follows the last one, whose number is
  // one less; INVALID_ARGUMENT, NOT_FOUND, ALREADY_EXISTS, OUT_OF_RANGE for what an index refuses,
  // and for numbers beyond 2^53 units. After an error the entities of the last tick stay, and
  // unless nothing was changed the next tick is to be whole, which the error says. Cost: 0.2 us for
  // a move, some microseconds for each entity that is added, and a snapshot of the index.
  absl::Status apply(const EntityTick& tick);

  State state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }

 private:
  absl::Status checkFollows(const EntityTick& tick) const;
  absl::Status replace(const EntityTick& tick);
  // Applies the changes of a tick; `is_changed` is set once the index is not what it was.
  absl::Status change(const EntityTick& tick, bool& is_changed);

  std::mutex edits_;  // of the index and the next member
  EntityIndex index_;
  bool needs_whole_ = true;
  mutable std::mutex mutex_;
  State state_;
};

}  // namespace fractalray::serve
