// SPDX-License-Identifier: Apache-2.0
#include "world_state.h"

#include <utility>

#include "absl/cleanup/cleanup.h"

#include "caller_callbacks.h"
#include "convert.h"

namespace fractalray::capi {
namespace {

TerminalTest testOf(const Callbacks& callbacks) {
  if (callbacks.is_terminal == nullptr) return {};
  return
      [callbacks](const Hit& hit) { return test(callbacks.is_terminal, callbacks.context, hit); };
}

// Changes the callbacks of a key, in the map and by `change`: both or neither.
template <class Key, class Change>
absl::Status setCallbacks(std::map<Key, Callbacks>& map, Key key, const Callbacks& callbacks,
                          const Change& change) {
  const auto [at, is_new] = map.try_emplace(key);
  absl::Cleanup undo = [&map, entry = at, is_new_entry = is_new] {
    if (is_new_entry) map.erase(entry);
  };
  absl::Status status = change();
  if (!status.ok()) return status;
  std::move(undo).Cancel();
  at->second = callbacks;
  if (callbacks.empty()) map.erase(at);
  return status;
}

}  // namespace

WorldState::WorldState(World world, ChunkPath anchor, std::shared_ptr<BlockTypeTable> types)
    : types_(std::move(types)),
      live_(std::make_shared<Live>(std::move(world), anchor)),
      world_(live_, &live_->world),
      entities_(live_, &live_->entities),
      service_(*world_, *entities_),
      anchor_(std::move(anchor)) {}

WorldState::WorldState(std::shared_ptr<const World> world,
                       std::shared_ptr<const EntityIndex> entities, const WorldState& original)
    : original_(original.live_),
      moves_(original.live_->window.moves()),
      world_(std::move(world)),
      entities_(std::move(entities)),
      service_(*world_, *entities_),
      anchor_(original.anchor_),
      threads_(original.threads_) {
  copyCallbacks(original);
}

WorldState::WorldState(std::shared_ptr<const World> world,
                       std::shared_ptr<const EntityIndex> entities)
    : world_(std::move(world)), entities_(std::move(entities)), service_(*world_, *entities_) {}

std::shared_ptr<WorldState> WorldState::snapshot() {
  return std::shared_ptr<WorldState>(
      new WorldState(editWorld().snapshot(), editEntities().snapshot(), *this));
}

void WorldState::copyCallbacks(const WorldState& original) {
  // The types are in the table of the snapshot, as they are in that of the original.
  for (const auto& [type, callbacks] : original.block_callbacks_)
    static_cast<void>(onBlockHit(type, callbacks));
  for (const auto& [entity_class, callbacks] : original.entity_callbacks_)
    static_cast<void>(onEntityHit(entity_class, callbacks));
  onAnyBlockHit(original.any_block_callback_);
  onAnyEntityHit(original.any_entity_callback_);
}

HitEffect WorldState::effectOf(const Callbacks& callbacks) const {
  if (callbacks.effect == nullptr) return {};
  return [this, callbacks](const Hit& hit) {
    return respond(callbacks.effect, callbacks.context, this, hit);
  };
}

absl::Status WorldState::onBlockHit(frBlockType type, const Callbacks& callbacks) {
  return setCallbacks(block_callbacks_, type, callbacks, [&]() -> absl::Status {
    if (!callbacks.empty()) {
      return service_.onBlockHit(typeFromC(type), testOf(callbacks), effectOf(callbacks));
    }
    service_.removeBlockCallback(typeFromC(type));
    return absl::OkStatus();
  });
}

absl::Status WorldState::onEntityHit(std::uint32_t entity_class, const Callbacks& callbacks) {
  const auto key = static_cast<EntityClassId>(entity_class);
  return setCallbacks(entity_callbacks_, entity_class, callbacks, [&] {
    if (callbacks.empty()) {
      service_.removeEntityCallback(key);
    } else {
      service_.onEntityHit(key, testOf(callbacks), effectOf(callbacks));
    }
    return absl::OkStatus();
  });
}

void WorldState::onAnyBlockHit(const Callbacks& callbacks) {
  service_.onBlockHit(effectOf(callbacks));
  any_block_callback_ = callbacks;
}

void WorldState::onAnyEntityHit(const Callbacks& callbacks) {
  service_.onEntityHit(effectOf(callbacks));
  any_entity_callback_ = callbacks;
}

}  // namespace fractalray::capi
