// SPDX-License-Identifier: Apache-2.0
#include "../../bindings/c/internal/handles.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "../../bindings/c/fractalray_c.h"

namespace fractalray::capi {
namespace {

constexpr auto kWorld = ObjectKind::kWorld;
constexpr auto kRules = ObjectKind::kRules;

std::unique_ptr<HandleTable> makeTable() {
  return std::make_unique<HandleTable>();
}

TEST(HandleTableTest, FindsWhatIsAliveAndOfThatKind) {
  const auto table = makeTable();
  int first = 0;
  int second = 0;
  const std::uintptr_t a = table->add(kWorld, &first);
  const std::uintptr_t b = table->add(kRules, &second);
  EXPECT_EQ(table->find(kWorld, a), &first);
  EXPECT_EQ(table->find(kRules, b), &second);
  EXPECT_EQ(table->find(kRules, a), nullptr);
  EXPECT_EQ(table->find(kWorld, b), nullptr);
  table->remove(a);
  EXPECT_EQ(table->find(kWorld, a), nullptr);
  EXPECT_EQ(table->find(kRules, b), &second);
}

TEST(HandleTableTest, NoHandleIsGivenTwice) {
  const auto table = makeTable();
  int object = 0;
  std::set<std::uintptr_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::uintptr_t handle = table->add(kWorld, &object);
    EXPECT_NE(handle, 0U);
    EXPECT_TRUE(seen.insert(handle).second) << handle;
    for (const std::uintptr_t earlier : seen)
      EXPECT_EQ(table->find(kWorld, earlier) != nullptr, earlier == handle);
    table->remove(handle);
  }
}

TEST(HandleTableTest, OtherNumbersAreNoHandles) {
  const auto table = makeTable();
  int object = 0;
  const std::uintptr_t handle = table->add(kWorld, &object);
  for (int bit = 0; bit < static_cast<int>(8 * sizeof(handle)); ++bit)
    EXPECT_EQ(table->find(kWorld, handle ^ (std::uintptr_t{1} << bit)), nullptr) << bit;
  EXPECT_EQ(table->find(kWorld, 0), nullptr);
  EXPECT_EQ(table->find(kWorld, ~std::uintptr_t{0}), nullptr);
  EXPECT_EQ(table->find(kWorld, reinterpret_cast<std::uintptr_t>(&object)), nullptr);
}

TEST(HandleTableTest, ASlotEndsWithItsLastGeneration) {
  const auto table = makeTable();
  int object = 0;
  const std::uintptr_t first = table->add(kWorld, &object);
  table->remove(first);
  for (std::uintptr_t i = 1; i < HandleTable::kGenerations; ++i) {
    const std::uintptr_t handle = table->add(kWorld, &object);
    ASSERT_EQ(handle % HandleTable::kSlots, first % HandleTable::kSlots) << i;
    table->remove(handle);
  }
  const std::uintptr_t next = table->add(kWorld, &object);
  EXPECT_NE(next % HandleTable::kSlots, first % HandleTable::kSlots);
  EXPECT_EQ(table->find(kWorld, first), nullptr);
}

// Gives an object to each slot of a table that has none; returns the handles.
std::vector<std::uintptr_t> fill(HandleTable& table, int& object) {
  std::vector<std::uintptr_t> handles;
  for (std::size_t i = 0; i < HandleTable::kSlots; ++i)
    handles.push_back(table.add(kWorld, &object));
  return handles;
}

TEST(HandleTableTest, IsFullUntilAHandleIsRemoved) {
  const auto table = makeTable();
  int object = 0;
  const std::vector<std::uintptr_t> handles = fill(*table, object);
  EXPECT_EQ(table->find(kWorld, handles.back()), &object);
  EXPECT_EQ(table->add(kWorld, &object), 0U);
  table->remove(handles.front());
  EXPECT_NE(table->add(kWorld, &object), 0U);
}

// Gives an object to the slot of a handle for each generation that is left, while no other slot is
// free.
void wearOut(HandleTable& table, std::uintptr_t handle) {
  int object = 0;
  table.remove(handle);
  for (std::uintptr_t i = 1; i < HandleTable::kGenerations; ++i)
    table.remove(table.add(kWorld, &object));
}

TEST(HandleTableTest, SlotsBeginAgainOnceAllHaveHadTheirLastGeneration) {
  const auto table = makeTable();
  int object = 0;
  const std::vector<std::uintptr_t> handles = fill(*table, object);
  wearOut(*table, handles[7]);
  wearOut(*table, handles[5]);
  EXPECT_EQ(table->find(kWorld, handles[7]), nullptr);
  // The slot that had its last generation first begins first.
  EXPECT_EQ(table->add(kWorld, &object), handles[7]);
  EXPECT_EQ(table->find(kWorld, handles[7]), &object);
  EXPECT_EQ(table->add(kWorld, &object), handles[5]);
  EXPECT_EQ(table->add(kWorld, &object), 0U);
  table->remove(handles[7]);
  EXPECT_NE(table->add(kWorld, &object), handles[7]);
}

TEST(HandleTableTest, AFullTableIsAnErrorWithItsSize) {
  int object = 0;
  std::vector<std::uintptr_t> handles;
  for (std::size_t i = 0; i < HandleTable::kSlots; ++i)
    handles.push_back(addHandle(kRules, &object));
  EXPECT_THROW(addHandle(kRules, &object), NoHandlesLeft);
  frRules* rules = nullptr;
  EXPECT_EQ(frCreateRules(&rules), FR_RESOURCE_EXHAUSTED);
  EXPECT_EQ(frGetLastError(), "frCreateRules: there are no handles left: at most " +
                                  std::to_string(HandleTable::kSlots) +
                                  " objects exist at once; free objects that you no longer use");
  for (const std::uintptr_t handle : handles)
    handleTable().remove(handle);
  EXPECT_EQ(frCreateRules(&rules), FR_OK);
  EXPECT_EQ(frDestroyRules(rules), FR_OK);
}

TEST(HandleTableTest, ThreadsMayCreateFindAndDestroyAtOnce) {
  const auto table = makeTable();
  int kept = 0;
  const std::uintptr_t handle = table->add(kRules, &kept);
  std::atomic<int> missed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      int own = 0;
      for (int i = 0; i < 5000; ++i) {
        const std::uintptr_t mine = table->add(kWorld, &own);
        if (table->find(kWorld, mine) != &own) ++missed;
        if (table->find(kRules, handle) != &kept) ++missed;
        table->remove(mine);
        if (table->find(kWorld, mine) != nullptr) ++missed;
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(missed, 0);
}

}  // namespace
}  // namespace fractalray::capi
