// SPDX-License-Identifier: Apache-2.0
// The entities that a query ignores.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include "../entities/entity.h"

namespace fractalray {

class IgnoreList;

namespace internal {

// Is satisfied by an array of which a span of ids can be made.
template <class T>
concept IdArray = !std::same_as<std::remove_const_t<T>, IgnoreList> &&
                  std::convertible_to<T&, std::span<const EntityId>>;

}  // namespace internal

// A list of ids: one or two of its own, or a view of an array of the caller's.
//
//   filter.ignore = {shooter};           // one or two ids are copied
//   filter.ignore = squad;               // an array is not, and has to outlive the queries
//   filter.ignore = std::span(squad).first(3);
//
// Arrays that are temporaries, and braces with more than two ids, do not compile: no element would
// be left when the query runs. Never allocates. Thread safety: as a std::span.
class IgnoreList {
 public:
  constexpr IgnoreList() = default;
  constexpr IgnoreList(EntityId id) : size_(1), own_{id} {}
  constexpr IgnoreList(EntityId first, EntityId second) : size_(2), own_{first, second} {}
  template <class Id, std::size_t kSize>
  constexpr IgnoreList(std::span<Id, kSize> ids) : viewed_(ids.data()), size_(ids.size()) {}
  template <internal::IdArray Array>
  constexpr IgnoreList(Array& ids) : IgnoreList(std::span<const EntityId>(ids)) {}
  template <class... More>
  constexpr IgnoreList(EntityId, EntityId, EntityId, More...) {
    static_assert(3 + sizeof...(More) <= 2,
                  "braces hold at most two ids; for more, pass an array that outlives the query");
  }

  constexpr const EntityId* data() const { return begin(); }
  constexpr const EntityId* begin() const { return viewed_ == nullptr ? own_.data() : viewed_; }
  constexpr const EntityId* end() const { return begin() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }

 private:
  const EntityId* viewed_ = nullptr;  // null if the ids are in own_
  std::size_t size_ = 0;
  std::array<EntityId, 2> own_{};
};

}  // namespace fractalray
