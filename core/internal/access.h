// SPDX-License-Identifier: Apache-2.0
// The way of the library's own modules to the content of its public classes.
// For the library's own use: not part of the interface.
#pragma once

#include <utility>

namespace fractalray::internal {

// Gives the content of a World or an EntityIndex, a friend of both. Code that changes it keeps what
// their pages promise: versions, logs of edits, and sets that are up to date.
class Access {
 public:
  template <class World>
  static const auto& content(const World& world) {
    return std::as_const(*world.content_);
  }
  template <class World>
  static auto& editContent(World& world) {
    return *world.content_;
  }

  template <class EntityIndex>
  static const auto& store(const EntityIndex& entities) {
    return std::as_const(*entities.store_);
  }
  template <class EntityIndex>
  static auto& editStore(EntityIndex& entities) {
    return *entities.store_;
  }
};

}  // namespace fractalray::internal
