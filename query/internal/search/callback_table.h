// SPDX-License-Identifier: Apache-2.0
// The callbacks that are registered with a service, by block type or by entity class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include "../../../core/check.h"
#include "../../../core/internal/lazy_reader.h"
#include "../../../entities/entity.h"
#include "../../../levels/block_type.h"
#include "../../callbacks.h"

namespace fractalray::internal {

// The callbacks registered for one key; either may be empty.
struct CallbackPair {
  TerminalTest is_terminal;
  HitEffect effect;
};

// Callbacks by key, and a default for keys that have none. A callback that a running query holds
// stays alive when it is replaced or removed. If memory runs out, set() throws std::bad_alloc and
// changes nothing. Const use is safe from any thread.
template <class Key>
class CallbackTable {
 public:
  void set(Key key, CallbackPair pair) {
    LazyReader::readAllOfThread();
    auto made = std::make_shared<CallbackPair>(std::move(pair));
    replace(pairs_[key], std::move(made));
  }
  void setDefault(CallbackPair pair) {
    LazyReader::readAllOfThread();
    replace(default_, std::make_shared<CallbackPair>(std::move(pair)));
  }
  void remove(Key key) {
    LazyReader::readAllOfThread();
    if (const auto found = pairs_.find(key); found != pairs_.end()) {
      replace(found->second, nullptr);
      pairs_.erase(found);
    }
  }
  // Returns the number of changes so far.
  std::uint64_t changes() const { return changes_; }

  // Calls the effect of a hit; returns kContinue if there is none. An effect that removes itself
  // runs to its end.
  HitResponse callEffect(Key key, const Hit& hit) const {
    const std::shared_ptr<CallbackPair>& found = find(key);
    if (found == nullptr || !found->effect) return HitResponse::kContinue;
    const std::shared_ptr<CallbackPair> held = found;
    return held->effect(hit);
  }
  // Returns true if there is any effect.
  bool hasEffects() const { return effects_ > 0; }
  bool hasEffect(Key key) const { return holdsEffect(find(key)); }
  // Calls the terminal test of a hit. Requires: hasTerminalTest(key).
  bool isTerminal(Key key, const Hit& hit) const {
    FRACTALRAY_DCHECK(hasTerminalTest(key), key);
    return find(key)->is_terminal(hit);
  }
  bool hasTerminalTest(Key key) const {
    const std::shared_ptr<CallbackPair>& found = find(key);
    return found != nullptr && found->is_terminal;
  }

 private:
  static bool holdsEffect(const std::shared_ptr<CallbackPair>& pair) {
    return pair != nullptr && pair->effect;
  }
  // Counts the change and the effects: registering n callbacks takes O(n).
  void replace(std::shared_ptr<CallbackPair>& old, std::shared_ptr<CallbackPair> pair) {
    ++changes_;
    if (holdsEffect(pair)) ++effects_;
    if (holdsEffect(old)) --effects_;
    old = std::move(pair);
  }
  const std::shared_ptr<CallbackPair>& find(Key key) const {
    if (pairs_.empty()) return default_;
    const auto found = pairs_.find(key);
    return found == pairs_.end() ? default_ : found->second;
  }

  std::unordered_map<Key, std::shared_ptr<CallbackPair>> pairs_;
  std::shared_ptr<CallbackPair> default_;
  std::uint64_t changes_ = 0;
  std::size_t effects_ = 0;  // callbacks that have an effect, the default among them
};

// All callbacks of a service.
struct Callbacks {
  CallbackTable<BlockTypeId> blocks;
  CallbackTable<EntityClassId> entities;

  std::uint64_t changes() const { return blocks.changes() + entities.changes(); }
  bool hasEffects() const { return blocks.hasEffects() || entities.hasEffects(); }
};

}  // namespace fractalray::internal
