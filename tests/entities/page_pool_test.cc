// SPDX-License-Identifier: Apache-2.0
// Checks that pages grow and shrink with the entities in them, are filled without gaps, and are
// reused; and that boxes hold what is in the pages, however these have changed since.
#include "../../entities/internal/page_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "../oracle/rng.h"

namespace fractalray::internal {
namespace {

using oracle::Rng;

// Returns a sphere that identifies its slot.
PageSphere sphereOf(std::uint32_t slot) {
  const auto number = [&](std::uint32_t factor) {
    return static_cast<std::int16_t>(slot * factor % 8192);
  };
  return {{number(1), number(3), number(7)}, number(5)};
}

// A pool with some lists, and their expected content.
class PagePoolTest : public testing::Test {
 protected:
  explicit PagePoolTest(std::size_t lists = 3) : lists_(lists), entries_(lists) {}

  void add(std::size_t list, std::uint32_t slot) {
    entries_[list][slot] = pool_.add(lists_[list], slot, sphereOf(slot));
  }
  void remove(std::size_t list, std::uint32_t slot) {
    const EntitySlot entry = entries_[list].at(slot);
    entries_[list].erase(slot);
    const std::optional<PagePool::Moved> moved = pool_.remove(lists_[list], entry);
    if (!moved.has_value()) return;
    ASSERT_EQ(moved->to, entry);
    ASSERT_EQ(entries_[list].at(moved->slot), moved->from) << "another one moved";
    entries_[list].at(moved->slot) = moved->to;
  }
  // Puts a list in order, if it is crowded; returns true if entities have other entries now.
  bool order(std::size_t list) {
    if (!lists_[list].isCrowded()) return false;
    pool_.prepareOrder(lists_[list]);
    std::vector<OrderItem> items(lists_[list].count);
    std::vector<std::uint64_t> order(items.size());
    const bool is_sorted = pool_.order(lists_[list], items, order);
    EXPECT_FALSE(pool_.needsOrder(lists_[list]));
    for (std::uint32_t i = 0; is_sorted && i < order.size(); ++i)
      entries_[list].at(items[order[i]].slot) = pool_.entryOf(lists_[list], i);
    return is_sorted;
  }
  std::uint32_t slotOf(std::size_t list, int number) const {
    return std::next(entries_[list].begin(), number)->first;
  }

  // Checks that all lists have their expected content, in pages of their own that are full but for
  // the last.
  void expectEqual() const {
    std::set<std::uint32_t> pages;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      const PageList& list = lists_[i];
      ASSERT_EQ(list.count, entries_[i].size());
      ASSERT_EQ(list.pages(), (list.count + 7) / 8);
      for (std::uint32_t number = 0; number < list.pages(); ++number) {
        const std::uint32_t page = pool_.pageOf(list, number);
        ASSERT_TRUE(pages.insert(page).second) << "page " << page << " has two owners";
        for (std::uint32_t lane = 0; lane < EntityPage::kLanes; ++lane) {
          const bool is_taken = number * EntityPage::kLanes + lane < list.count;
          ASSERT_EQ(pool_.page(page).get(lane).radius == EntityPage::kFree, !is_taken);
        }
      }
      ASSERT_NO_FATAL_FAILURE(expectBoxesHold(list));
      std::set<EntitySlot> taken;
      for (std::uint32_t number = 0; number < list.count; ++number)
        taken.insert(pool_.entryOf(list, number));
      for (const auto& [slot, entry] : entries_[i]) {
        ASSERT_EQ(taken.count(entry), 1U);
        ASSERT_EQ(pool_.slot(entry), slot);
        const PageSphere sphere =
            pool_.page(entry / EntityPage::kLanes).get(entry % EntityPage::kLanes);
        ASSERT_EQ(sphere.center, sphereOf(slot).center);
        ASSERT_EQ(sphere.radius, sphereOf(slot).radius);
      }
    }
  }
  void expectBoxesHold(const PageList& list) const {
    const std::uint32_t first = pool_.boxesOf(list);
    if (first == PagePool::kNoBoxes) return;
    const std::uint32_t lanes = 8 * pool_.boxes(first).groups;
    for (std::uint32_t number = 0; number < std::min(list.pages(), lanes); ++number) {
      const PageBoxes& boxes = pool_.boxes(first + number / 8);
      PageBoxes needed;
      const std::uint32_t lane = number % 8;
      needed.set(lane, pool_.page(pool_.pageOf(list, number)),
                 std::min(list.count - 8 * number, 8U));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        ASSERT_LE(boxes.min[axis][lane], needed.min[axis][lane]) << "page " << number;
        ASSERT_GE(boxes.max[axis][lane], needed.max[axis][lane]) << "page " << number;
      }
    }
  }
  // Returns the highest number of a page in use, and of an entry of the table that names pages.
  std::uint32_t highest() const {
    std::uint32_t most = 0;
    for (const PageList& list : lists_) {
      most = std::max(most, list.others);
      for (std::uint32_t number = 0; number < list.pages(); ++number)
        most = std::max(most, pool_.pageOf(list, number));
    }
    return most;
  }

  PagePool pool_;
  std::vector<PageList> lists_;
  std::vector<std::map<std::uint32_t, EntitySlot>> entries_;  // by list and slot
};

TEST_F(PagePoolTest, OneChunkHoldsAnyNumberOfEntities) {
  for (const std::uint32_t count : {1U, 2U, 3U, 8U, 9U, 16U, 17U, 33U, 48U, 49U, 80U, 81U, 100U}) {
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      add(0, slot);
      ASSERT_NO_FATAL_FAILURE(expectEqual()) << slot << " of " << count;
    }
    for (std::uint32_t slot = 0; slot < count; ++slot) {  // the first one first
      ASSERT_NO_FATAL_FAILURE(remove(0, slot));
      ASSERT_NO_FATAL_FAILURE(expectEqual()) << slot << " of " << count;
    }
  }
}

TEST_F(PagePoolTest, RemovingTheLastEntityMovesNoOther) {
  for (std::uint32_t slot = 0; slot < 40; ++slot)
    add(0, slot);
  for (std::uint32_t slot = 40; slot-- > 0;) {
    EXPECT_FALSE(pool_.remove(lists_[0], entries_[0].at(slot)).has_value());
    entries_[0].erase(slot);
    ASSERT_NO_FATAL_FAILURE(expectEqual());
  }
}

TEST_F(PagePoolTest, ListsThatGrowTogetherShareNoPages) {
  for (std::uint32_t slot = 0; slot < 300; ++slot) {
    add(slot % 3, slot);
    ASSERT_NO_FATAL_FAILURE(expectEqual()) << slot;
  }
}

TEST_F(PagePoolTest, ReleasedPagesAreReused) {
  std::uint32_t highest_first = 0;
  for (int round = 0; round < 20; ++round) {
    std::uint32_t most = 0;
    for (std::uint32_t slot = 0; slot < 300; ++slot) {
      add(slot < 200 ? 0 : 1, slot);
      most = std::max(most, highest());
    }
    ASSERT_NO_FATAL_FAILURE(expectEqual());
    for (std::uint32_t slot = 0; slot < 300; ++slot)
      ASSERT_NO_FATAL_FAILURE(remove(slot < 200 ? 0 : 1, slot));
    if (round == 0) highest_first = most;
    EXPECT_LE(most, highest_first);
  }
  EXPECT_LT(highest_first, 130U) << "300 entities are 38 pages, and runs of up to 32 of them";
}

TEST_F(PagePoolTest, AddingAndRemovingAtTheEndOfARunKeepsTheRun) {
  // 40 entities have 3 pages that are not named, as many as the shortest run names; 72 the next.
  for (const std::uint32_t at : {16U, 40U, 72U, 136U}) {
    for (std::uint32_t slot = static_cast<std::uint32_t>(entries_[0].size()); slot < at; ++slot)
      add(0, slot);
    std::uint32_t most = 0;
    for (int round = 0; round < 10; ++round) {
      add(0, 1000);
      add(0, 1001);
      ASSERT_NO_FATAL_FAILURE(expectEqual());
      if (round == 1) most = highest();
      if (round > 1) {
        EXPECT_LE(highest(), most);
      }
      ASSERT_NO_FATAL_FAILURE(remove(0, 1000));
      ASSERT_NO_FATAL_FAILURE(remove(0, 1001));
      ASSERT_NO_FATAL_FAILURE(expectEqual());
    }
  }
}

TEST_F(PagePoolTest, ACentreMovesInPlace) {
  for (std::uint32_t slot = 0; slot < 20; ++slot)
    add(0, slot);
  const EntitySlot entry = entries_[0].at(11);
  pool_.moveCenter(entry, {-5, 6, -7});
  const PageSphere sphere = pool_.page(entry / 8).get(entry % 8);
  EXPECT_EQ(sphere.center, (std::array<std::int16_t, 3>{-5, 6, -7}));
  EXPECT_EQ(sphere.radius, sphereOf(11).radius);
  pool_.moveCenter(entry, sphereOf(11).center);
  ASSERT_NO_FATAL_FAILURE(expectEqual());
}

TEST_F(PagePoolTest, BoxesAreTightUntilAPageChanges) {
  for (std::uint32_t slot = 0; slot < 100; ++slot)
    add(0, slot);
  EXPECT_TRUE(pool_.needsOrder(lists_[0]));
  EXPECT_TRUE(order(0));
  EXPECT_FALSE(pool_.needsOrder(lists_[0]));
  EXPECT_FALSE(order(0)) << "nothing has moved";
  ASSERT_NO_FATAL_FAILURE(expectEqual());
  const EntitySlot entry = entries_[0].at(11);
  EXPECT_TRUE(pool_.isTight(entry));
  const std::uint64_t disorders = pool_.disorders();
  pool_.loosen(entry);
  EXPECT_FALSE(pool_.isTight(entry));
  EXPECT_EQ(pool_.disorders(), disorders + 1);
  EXPECT_TRUE(pool_.needsOrder(lists_[0]));
  pool_.loosen(entry);
  EXPECT_EQ(pool_.disorders(), disorders + 1) << "it is known";
  EXPECT_FALSE(order(0)) << "it has moved by nothing";
  EXPECT_TRUE(pool_.isTight(entry));
}

TEST_F(PagePoolTest, BoxesOfAnUncrowdedListAreReused) {
  std::size_t boxes = 0;
  for (int round = 0; round < 10; ++round) {
    for (std::uint32_t slot = 0; slot < 70; ++slot)
      add(0, slot);
    EXPECT_TRUE(order(0));
    if (round == 0) boxes = pool_.boxCount();
    EXPECT_EQ(pool_.boxCount(), boxes);
    for (std::uint32_t slot = 0; slot < 70; ++slot)
      ASSERT_NO_FATAL_FAILURE(remove(0, slot));
    EXPECT_EQ(pool_.boxesOf(lists_[0]), PagePool::kNoBoxes);
  }
}

TEST_F(PagePoolTest, ASharedPoolKeepsItsBoxes) {
  for (std::uint32_t slot = 0; slot < 100; ++slot)
    add(0, slot);
  order(0);
  const PagePool shared = pool_.share();
  const PageList list = lists_[0];
  const PageBoxes before = shared.boxes(shared.boxesOf(list));
  for (std::uint32_t slot = 0; slot < 90; ++slot)
    ASSERT_NO_FATAL_FAILURE(remove(0, slot));
  for (std::uint32_t slot = 200; slot < 400; ++slot)
    add(0, slot);
  EXPECT_TRUE(order(0));
  ASSERT_NO_FATAL_FAILURE(expectEqual());
  const PageBoxes& after = shared.boxes(shared.boxesOf(list));
  EXPECT_EQ(after.min, before.min);
  EXPECT_EQ(after.max, before.max);
  EXPECT_EQ(after.groups, 2U);
}

TEST_F(PagePoolTest, PagesLieOnCacheLines) {
  for (std::uint32_t slot = 0; slot < 5000; ++slot) {
    add(0, slot);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&pool_.page(pool_.pageOf(lists_[0], slot / 8))) %
                  alignof(EntityPage),
              0U);
  }
}

class PagePoolModelTest : public PagePoolTest {
 protected:
  PagePoolModelTest() : PagePoolTest(12) {}
};

TEST_F(PagePoolModelTest, AnySequenceOfChangesEqualsTheModel) {
  Rng rng("PagePoolModelTest");
  std::uint32_t next_slot = 0;
  std::size_t most = 0;
  int sorted = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto list = static_cast<std::size_t>(rng.below(static_cast<int>(lists_.size())));
    const bool is_growing = (i / 2000 + static_cast<int>(list)) % 2 == 0;
    const int size = static_cast<int>(entries_[list].size());
    if (rng.below(10) < (is_growing ? 7 : 3)) {
      add(list, next_slot++);
    } else if (size > 0) {
      ASSERT_NO_FATAL_FAILURE(remove(list, slotOf(list, rng.below(size)))) << i;
    }
    most = std::max(most, entries_[list].size());
    if (rng.oneIn(40)) sorted += order(list) ? 1 : 0;
    if (i % 10 == 0) {
      ASSERT_NO_FATAL_FAILURE(expectEqual()) << i;
    }
  }
  EXPECT_GT(most, 48U);
  EXPECT_GT(sorted, 100);
  for (std::size_t list = 0; list < lists_.size(); ++list) {
    while (!entries_[list].empty())
      ASSERT_NO_FATAL_FAILURE(remove(list, slotOf(list, 0)));
  }
  ASSERT_NO_FATAL_FAILURE(expectEqual());
}

}  // namespace
}  // namespace fractalray::internal
