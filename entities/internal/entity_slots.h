// SPDX-License-Identifier: Apache-2.0
// Where each entity is in the pages of its index level: what edits need, and no query.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boost/container/small_vector.hpp"

#include "entity_chunks.h"
#include "page_pool.h"

namespace fractalray::internal {

// The places of entities by slot, in the order of their chunks; none for a slot that is free. Only
// the functions that say so allocate; where memory runs out they throw std::bad_alloc and have
// changed nothing. Not thread-safe.
class EntitySlots {
 public:
  // The number of slots, and one more.
  std::size_t slots() const { return places_.size(); }
  void addSlot() { places_.push_back(kNone); }

  std::span<EntitySlot> of(std::uint32_t slot) {
    EntitySlot& place = places_[slot];
    if ((place & kSpread) == 0) return {&place, 1};
    if (place == kNone) return {};
    Spread& spread = spreads_[place & ~kSpread];
    return {spread.data(), spread.size()};
  }
  // Asks for the entry of a slot to be fetched, before it is needed.
  void prefetch(std::uint32_t slot) const { __builtin_prefetch(&places_[slot], 1); }

  // Makes sure that set() of so many places does not allocate. Allocates only where more entities
  // than ever before have as many.
  void prepare(std::size_t count);
  // Requires: prepare(places.size()) has been called since a slot was last set, or the slot is set
  // to as many as it had before the last call that set it, calls being undone in reverse order.
  // NOLINTNEXTLINE(bugprone-exception-escape): prepare() has reserved what set() appends
  void set(std::uint32_t slot, std::span<const EntitySlot> places) noexcept;
  // Follows an entity to its other place.
  void relocate(const PagePool::Moved& moved) noexcept;

 private:
  // A place alone is in places_; else, with this bit, the number in spreads_ of all of them.
  static constexpr EntitySlot kSpread = EntitySlot{1} << 31;
  static constexpr EntitySlot kNone = ~EntitySlot{0};
  // Each spread has room for one of these numbers of places, from the beginning: so what a spread
  // needs is at hand wherever as many as large were in use before.
  static constexpr std::array<std::size_t, 3> kSpreadSizes = {4, 8, kMaxEntityChunks};
  using Spread = boost::container::small_vector<EntitySlot, kSpreadSizes[0]>;

  // Where in kSpreadSizes the room for so many places is.
  static std::size_t spreadSize(std::size_t places) {
    return places <= kSpreadSizes[0] ? 0 : places <= kSpreadSizes[1] ? 1 : 2;
  }
  bool isSpread(std::uint32_t slot) const {
    return (places_[slot] & kSpread) != 0 && places_[slot] != kNone;
  }

  std::vector<EntitySlot> places_;  // by slot
  std::vector<Spread> spreads_;
  // By their room: those that are not in use, with room for all; and how many there are.
  std::array<std::vector<std::uint32_t>, kSpreadSizes.size()> spare_spreads_;
  std::array<std::size_t, kSpreadSizes.size()> spreads_made_{};
};

}  // namespace fractalray::internal
