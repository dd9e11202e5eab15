// SPDX-License-Identifier: Apache-2.0
// Entities that a query leaves out: those on its ignore lists and those of earlier hits. Long lists
// are looked up in sets. Memory is reused from query to query.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../entities/entity.h"
#include "../../hit.h"
#include "number_set.h"

namespace fractalray::internal {

// Lists of at most this many entries in total are searched linearly.
inline constexpr std::size_t kShortList = 8;

// The ids of two ignore lists. The set of the lists used last is kept, with a copy of them: a list
// shared by many queries is compared with the copy instead of being hashed again. Not thread-safe.
class IgnoredIds {
 public:
  // Sets the lists of a query. They must outlive its look-ups.
  void begin(std::span<const EntityId> ids, std::span<const EntityId> more) {
    lists_ = {ids, more};
    state_ = State::kUnread;
  }
  std::size_t size() const { return lists_[0].size() + lists_[1].size(); }
  bool contains(EntityId id);

 private:
  // Number of linear searches before lists are hashed: a query with few look-ups saves the hashing.
  static constexpr int kSearches = 8;
  enum class State : std::uint8_t {
    kUnread,    // nothing has been looked up
    kSearched,  // the set holds other lists
    kInSet,     // the set holds these lists
  };

  bool areInSet() const;
  bool search(EntityId id) const;
  void fillSet();

  std::array<std::span<const EntityId>, 2> lists_;
  State state_ = State::kUnread;
  int searches_ = 0;
  std::vector<EntityId> in_set_;  // content of the set, in the order of the lists
  NumberSet set_;
};

// The entities of three lists of hits. Not thread-safe.
class EarlierHits {
 public:
  using Lists = std::array<std::span<const Hit>, 3>;

  // Sets the lists of a collector, and if their entities are recognized by their ids or by their
  // handles. The lists must outlive its look-ups, unchanged.
  void begin(const Lists& lists, bool by_id) {
    lists_ = lists;
    by_id_ = by_id;
    is_in_set_ = false;
  }
  // Sets where the same hits lie now; those that were put into a set stay there.
  void setMemory(const Lists& lists) { lists_ = lists; }
  std::size_t size() const { return lists_[0].size() + lists_[1].size() + lists_[2].size(); }
  bool contains(EntityHandle entity, EntityId id);

 private:
  // Returns the number by which an entity is recognized.
  std::uint64_t numberOf(EntityHandle entity, EntityId id) const;
  bool search(std::uint64_t number) const;
  void fillSet();

  Lists lists_;
  bool by_id_ = false;
  bool is_in_set_ = false;
  NumberSet set_;
};

}  // namespace fractalray::internal
