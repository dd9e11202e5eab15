// SPDX-License-Identifier: Apache-2.0
#include "../../../core/internal/containers/cell_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>

#include "../../oracle/allocations.h"
#include "../../oracle/rng.h"

namespace fractalray {
namespace {

using oracle::Rng;
using Table = CellTable<std::uint64_t>;
using Model = std::map<Vec3i, std::uint64_t>;

void expectEqual(const Table& table, const Model& model) {
  ASSERT_EQ(table.size(), model.size());
  ASSERT_EQ(table.empty(), model.empty());
  Model visited;
  for (const auto& [cell, value] : table)
    ASSERT_TRUE(visited.emplace(cell, value).second);
  ASSERT_EQ(visited, model);
  for (const auto& [cell, value] : model) {
    const std::uint64_t* const found = table.find(cell);
    ASSERT_TRUE(found != nullptr && *found == value);
  }
}

TEST(CellTableTest, AnEmptyTableHoldsNothing) {
  const Table table;
  EXPECT_EQ(table.find({0, 0, 0}), nullptr);
  EXPECT_TRUE(table.begin() == table.end());
}

// With few cells, which collide and are added and removed all the time, and with many.
TEST(CellTableTest, EqualsAMapAfterRandomChanges) {
  Rng rng("CellTableTest");
  for (const std::int64_t reach : {1, 2, 5, 1000}) {
    Table table;
    Model model;
    for (int i = 0; i < 6000; ++i) {
      const Vec3i cell{rng.in(-reach, reach), rng.in(-reach, reach), rng.in(-reach, reach)};
      ASSERT_EQ(table.find(cell) != nullptr, model.contains(cell));
      if (model.contains(cell)) {
        table.erase(cell);
        model.erase(cell);
      } else if (!model.empty() && rng.oneIn(3)) {
        const Vec3i other = model.begin()->first;
        table.erase(other);
        model.erase(other);
      } else {
        const auto value = static_cast<std::uint64_t>(i) + 1;
        table.reserve();
        ASSERT_EQ(table.insert(cell, value), value);
        model[cell] = value;
      }
      if (i % 100 == 0) {
        ASSERT_NO_FATAL_FAILURE(expectEqual(table, model));
      }
    }
    const Table copy = table;
    ASSERT_NO_FATAL_FAILURE(expectEqual(copy, model));
    while (!model.empty()) {
      table.erase(model.begin()->first);
      model.erase(model.begin());
    }
    ASSERT_NO_FATAL_FAILURE(expectEqual(table, model));
  }
}

std::size_t allocationsOf(Table& table) {
  const std::size_t before = oracle::allocationCount();
  table.shrink();
  return oracle::allocationCount() - before;
}

TEST(CellTableTest, GivesThePeakBackByAndBy) {
  Table table;
  Model model;
  for (std::int64_t i = 1; i <= 20'000; ++i) {
    table.reserve();
    table.insert({i, 0, -i}, static_cast<std::uint64_t>(i));
    model[{i, 0, -i}] = static_cast<std::uint64_t>(i);
    ASSERT_EQ(allocationsOf(table), 0U) << "no more than it needs at " << i;
  }
  std::size_t allocations = 0;
  while (model.size() > 10) {
    table.erase(model.begin()->first);
    model.erase(model.begin());
    allocations += allocationsOf(table);
  }
  EXPECT_EQ(allocations, 4U);  // 32,768 entries, 8,192, 2,048, 512, 128
  ASSERT_NO_FATAL_FAILURE(expectEqual(table, model));
}

TEST(CellTableTest, IsUnchangedIfMemoryRunsOut) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  Rng rng("CellTableTest.Memory");
  Table table;
  Model model;
  std::size_t failures = 0;
  for (std::uint64_t i = 1; i < 300; ++i) {
    const Vec3i cell{rng.in(-50, 50), rng.in(-50, 50), static_cast<std::int64_t>(i)};
    failures += oracle::failEachAllocation(
        [&] { table.reserve(); },
        [&](std::size_t) { ASSERT_NO_FATAL_FAILURE(expectEqual(table, model)); });
    const std::size_t allocations = oracle::allocationCount();
    table.insert(cell, i);
    ASSERT_EQ(oracle::allocationCount(), allocations);
    model[cell] = i;
  }
  EXPECT_GT(failures, 5U);
  ASSERT_NO_FATAL_FAILURE(expectEqual(table, model));
}

}  // namespace
}  // namespace fractalray
