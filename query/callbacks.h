// SPDX-License-Identifier: Apache-2.0
// The callbacks of an engine, by block type and by entity class.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "absl/functional/any_invocable.h"

#include "hit.h"

namespace fractalray {

// What a callback wants of the shot.
enum class HitResponse : std::uint8_t { kContinue, kStop };

// Says whether a hit is terminal. Pure: it sees the world as it was when the shot began, and may be
// called early and more than once. Not asked for what is terminal anyway: solid blocks, and what a
// rule stops at.
using BlockTerminalTest = absl::AnyInvocable<bool(const BlockHit&) const>;
using EntityTerminalTest = absl::AnyInvocable<bool(const EntityHit&) const>;
// Called once, in the order of hits. May change the world and the index, shoot again, register and
// remove callbacks, and throw.
using BlockEffect = absl::AnyInvocable<HitResponse(const BlockHit&)>;
using EntityEffect = absl::AnyInvocable<HitResponse(const EntityHit&)>;

namespace internal {

// What is registered for one key; either part may be empty.
template <class HitType>
struct CallbackPair {
  absl::AnyInvocable<bool(const HitType&) const> predicate;
  absl::AnyInvocable<HitResponse(const HitType&)> effect;
};

// Callbacks by key. What a running query holds stays alive when it is replaced or removed. Where
// memory runs out set() throws std::bad_alloc and has changed nothing.
template <class Key, class HitType>
class CallbackTable {
 public:
  using Pair = CallbackPair<HitType>;

  void set(Key key, Pair pair) {
    pairs_[key] = std::make_shared<Pair>(std::move(pair));
    ++changes_;
  }
  void remove(Key key) {
    pairs_.erase(key);
    ++changes_;
  }
  // How often the table has been changed.
  std::uint64_t changes() const { return changes_; }
  // Calls the effect of a hit; kContinue where there is none. One that removes itself runs to its
  // end.
  HitResponse callEffect(Key key, const HitType& hit) const {
    const auto found = pairs_.find(key);
    if (found == pairs_.end() || !found->second->effect) return HitResponse::kContinue;
    const std::shared_ptr<Pair> held = found->second;
    return held->effect(hit);
  }
  bool saysTerminal(Key key, const HitType& hit) const {
    const auto found = pairs_.find(key);
    return found != pairs_.end() && found->second->predicate && found->second->predicate(hit);
  }
  bool hasPredicate(Key key) const {
    const auto found = pairs_.find(key);
    return found != pairs_.end() && found->second->predicate;
  }
  bool hasEffect(Key key) const {
    const auto found = pairs_.find(key);
    return found != pairs_.end() && found->second->effect;
  }

 private:
  std::unordered_map<Key, std::shared_ptr<Pair>> pairs_;
  std::uint64_t changes_ = 0;
};

}  // namespace internal

using BlockCallbacks = internal::CallbackTable<BlockTypeId, BlockHit>;
using EntityCallbacks = internal::CallbackTable<EntityClassId, EntityHit>;

}  // namespace fractalray
