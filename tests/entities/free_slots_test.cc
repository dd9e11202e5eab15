// SPDX-License-Identifier: Apache-2.0
// Checks that a slot is used again with the next generation, and never after the last one.
#include "../../entities/internal/free_slots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <utility>

#include "absl/status/status.h"

#include "../../core/frame.h"
#include "../../core/frame_move.h"
#include "../../entities/internal/entity_store.h"

namespace fractalray::internal {
namespace {

TEST(FreeSlotsTest, ASlotIsOccupiedOncePerGeneration) {
  FreeSlots slots(3);
  slots.prepareSlot();
  slots.addSlot();
  for (const std::uint32_t generation : {1U, 2U, 3U}) {
    ASSERT_FALSE(slots.empty());
    ASSERT_EQ(slots.next(), 0U);
    ASSERT_EQ(slots.occupy(), generation);
    ASSERT_TRUE(slots.empty());
    slots.vacate(0);
  }
  EXPECT_TRUE(slots.empty()) << "the last generation is used up";
  slots.prepareSlot();
  slots.addSlot();
  EXPECT_EQ(slots.next(), 1U);
  EXPECT_EQ(slots.occupy(), 1U);
}

TEST(FreeSlotsTest, AnUndoneOccupationTakesNoGeneration) {
  FreeSlots slots(2);
  slots.prepareSlot();
  slots.addSlot();
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(slots.occupy(), 1U);
    slots.undoOccupy(0);
  }
  EXPECT_EQ(slots.next(), 0U);
}

// The handles of all entities that a store with few generations ever held.
class LastGenerationTest : public testing::Test {
 protected:
  EntityHandle add() {
    const EntityHandle handle = store_.add({.id = next_id_++, .position = {3, 4, 5}}).value();
    EXPECT_TRUE(handles_.emplace(handle.slot, handle.generation).second) << "a handle came back";
    EXPECT_LE(handle.generation, 3U);
    return handle;
  }
  void expectAllStaleBut(EntityHandle living) const {
    for (const auto& [slot, generation] : handles_) {
      const EntityHandle handle{slot, generation};
      ASSERT_EQ(store_.find(handle) != nullptr, handle == living) << slot << '/' << generation;
    }
  }

  EntityStore store_{Frame(2), 3};
  EntityId next_id_ = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> handles_;
};

TEST_F(LastGenerationTest, ARemovedEntityRetiresItsSlotAfterTheLast) {
  for (int i = 0; i < 12; ++i) {
    const EntityHandle handle = add();
    ASSERT_EQ(handle.slot, static_cast<std::uint32_t>(i / 3));
    ASSERT_NO_FATAL_FAILURE(expectAllStaleBut(handle));
    ASSERT_TRUE(store_.remove(handle).ok());
  }
  EXPECT_EQ(store_.slots(), 4U);
  ASSERT_NO_FATAL_FAILURE(expectAllStaleBut({}));
}

TEST_F(LastGenerationTest, AnEvictedEntityRetiresItsSlotAfterTheLast) {
  for (int i = 0; i < 12; ++i) {
    const EntityHandle handle = add();
    ASSERT_EQ(handle.slot, static_cast<std::uint32_t>(i / 3));
    const FrameMove move = FrameMove::recenter(store_.frame(), {std::int64_t{1} << 60, 0, 0});
    ASSERT_TRUE(store_.moveFrame(move, [] { return absl::OkStatus(); }).ok());
    ASSERT_EQ(store_.size(), 0U);
  }
  ASSERT_NO_FATAL_FAILURE(expectAllStaleBut({}));
}

}  // namespace
}  // namespace fractalray::internal
