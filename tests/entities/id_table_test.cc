// SPDX-License-Identifier: Apache-2.0
#include "../../entities/internal/id_table.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "../oracle/allocations.h"
#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::allocatedBytes;
using oracle::Rng;

// A table, and a map with the same content.
class IdTableTest : public testing::Test {
 protected:
  void insert(EntityId id) {
    const auto slot = static_cast<std::uint32_t>(ids_.size());
    ids_.push_back(id);
    table_.reserve(table_.size() + 1);
    table_.insert(id, slot);
    expected_[id] = slot;
  }
  void erase(EntityId id) {
    table_.erase(id, expected_.at(id));
    expected_.erase(id);
  }
  std::optional<std::uint32_t> find(EntityId id) const {
    return table_.find(id, [this](std::uint32_t slot) { return ids_[slot]; });
  }
  void expectEqual(EntityId ids) const {
    ASSERT_EQ(table_.size(), expected_.size());
    for (EntityId id = 0; id < ids; ++id) {
      const auto entry = expected_.find(id);
      const bool exists = entry != expected_.end();
      ASSERT_EQ(find(id), exists ? std::optional(entry->second) : std::nullopt) << id;
    }
  }

  IdTable table_;
  std::vector<EntityId> ids_;  // by slot
  std::map<EntityId, std::uint32_t> expected_;
};

// Fills it as far as it goes before it grows, since then most searches wrap around or collide.
TEST_F(IdTableTest, FindsWhatAMapFinds) {
  Rng rng("IdTableTest");
  for (const int ids : {3, 8, 20, 100, 1000}) {
    for (int step = 0; step < 2000; ++step) {
      const auto id = static_cast<EntityId>(rng.below(ids));
      if (!expected_.contains(id)) {
        insert(id);
      } else if (rng.oneIn(3)) {
        erase(id);
      }
      if (step % 100 == 0) {
        ASSERT_NO_FATAL_FAILURE(expectEqual(static_cast<EntityId>(ids)));
      }
    }
    ASSERT_NO_FATAL_FAILURE(expectEqual(static_cast<EntityId>(ids)));
  }
}

TEST_F(IdTableTest, KeepsAtMostTwoFifthsFreeAsItGrows) {
  constexpr EntityId kMany = 100'000;
  std::size_t last_growth = 0;
  for (EntityId id = 0; id < kMany; ++id) {
    const std::size_t before = allocatedBytes();
    table_.reserve(table_.size() + 1);
    const std::size_t growth = allocatedBytes() - before;
    if (growth > 0) last_growth = growth;
    table_.insert(id, static_cast<std::uint32_t>(id));
    // Each entry has 8 bytes.
    if (id >= 100) {
      ASSERT_LE(last_growth, 8 * (id + 1) * 10 / 6 + 16) << id;
    }
  }
}

}  // namespace
}  // namespace fractalray::internal
