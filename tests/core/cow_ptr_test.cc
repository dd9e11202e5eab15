// SPDX-License-Identifier: Apache-2.0
#include "../../core/cow_ptr.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace fractalray::internal {
namespace {

struct Part : RefCounted {
  explicit Part(int the_value = 0) : value(the_value) { ++living; }
  Part(const Part& other) : RefCounted(other), value(other.value) { ++living; }
  Part& operator=(const Part&) = default;
  ~Part() { --living; }

  int value;

  static std::atomic<int> living;
};
std::atomic<int> Part::living = 0;

using Holder = CowPtr<Part>;

TEST(CowPtr, BeginsNull) {
  const Holder none;
  EXPECT_EQ(none.get(), nullptr);
  EXPECT_FALSE(none);
}

TEST(CowPtr, IsChangedInPlaceByItsOnlyHolder) {
  Holder holder = Holder::make(1);
  const Part* const before = holder.get();
  EXPECT_FALSE(holder->isShared());
  holder.edit().value = 2;
  EXPECT_EQ(holder.get(), before);
  EXPECT_EQ(holder->value, 2);
}

TEST(CowPtr, IsCopiedOnceBeforeAChangeWhileShared) {
  Holder holder = Holder::make(1);
  const Holder other = holder;
  EXPECT_TRUE(holder->isShared());
  EXPECT_EQ(holder.get(), other.get());

  holder.edit().value = 2;
  EXPECT_EQ(other->value, 1);
  const Part* const copy = holder.get();
  EXPECT_NE(copy, other.get());
  EXPECT_FALSE(holder->isShared());
  EXPECT_FALSE(other->isShared());

  holder.edit().value = 3;
  EXPECT_EQ(holder.get(), copy);
  EXPECT_EQ(other->value, 1);
}

TEST(CowPtr, IsChangedInPlaceAgainOnceTheOtherHolderIsGone) {
  Holder holder = Holder::make(1);
  const Part* const before = holder.get();
  { const Holder other = holder; }
  holder.edit().value = 2;
  EXPECT_EQ(holder.get(), before);
}

TEST(CowPtr, LivesAsLongAsAnyHolder) {
  {
    Holder holder = Holder::make(1);
    Holder other = holder;
    holder = Holder::make(5);
    EXPECT_EQ(Part::living, 2);
    EXPECT_EQ(other->value, 1);
    const Holder moved = std::move(other);
    EXPECT_EQ(moved->value, 1);
    const Holder& same = holder;
    holder = same;
    EXPECT_EQ(holder->value, 5);
    EXPECT_EQ(Part::living, 2);
  }
  EXPECT_EQ(Part::living, 0);
}

// Under a thread sanitizer this shows if a change can race with a reader that has just finished.
TEST(CowPtr, ReadersNeverSeeAChange) {
  Holder holder = Holder::make(0);
  for (int version = 1; version <= 200; ++version) {
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; ++i) {
      readers.emplace_back([held = holder, version] { EXPECT_EQ(held->value, version - 1); });
    }
    holder.edit().value = version;
    for (std::thread& reader : readers)
      reader.join();
  }
  EXPECT_EQ(holder->value, 200);
}

}  // namespace
}  // namespace fractalray::internal
