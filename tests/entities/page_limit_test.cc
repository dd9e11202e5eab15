// SPDX-License-Identifier: Apache-2.0
// Checks that a store whose pages are used up refuses what may need more, and changes nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "../../entities/internal/entity_store.h"

namespace fractalray::internal {
namespace {

constexpr std::uint32_t kMostPages = 40;
constexpr EntityId kFitting = 14;  // an entity is accepted while 27 pages are left
constexpr double kChunk = 256;     // C(0) of two levels

// The middle of a chunk of its own.
Vec3d chunkCenter(EntityId number) {
  return {(static_cast<double>(number) + 0.5) * kChunk, kChunk / 2, kChunk / 2};
}
EntitySpec spec(EntityId id) {
  return {.id = id, .shape = Sphere{20}, .position = chunkCenter(id)};
}

class PageLimitTest : public testing::Test {
 protected:
  PageLimitTest() {
    for (EntityId id = 0; id < kFitting; ++id)
      handles_.push_back(store_.add(spec(id)).value());
    version_ = store_.version();
  }

  // Expects that an edit was refused and has changed nothing.
  void expectRefused(const absl::Status& status) const {
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
    EXPECT_NE(status.message().find("remove entities first"), std::string::npos) << status;
    EXPECT_EQ(store_.version(), version_);
    EXPECT_EQ(store_.size(), kFitting);
    for (EntityId id = 0; id < kFitting; ++id) {
      const Entity* const entity = store_.find(handles_[id]);
      ASSERT_NE(entity, nullptr);
      EXPECT_EQ(entity->position, toUnits(chunkCenter(id), "it").value());
      EXPECT_EQ(entity->categories, EntitySpec().categories);
      const PageList* const pages = store_.grid(0).chunk({static_cast<std::int64_t>(id), 0, 0});
      ASSERT_NE(pages, nullptr);
      EXPECT_EQ(pages->count, 1U);
    }
  }

  EntityStore store_{Frame(2), kMaxEntityGeneration, kMostPages};
  std::vector<EntityHandle> handles_;
  std::uint64_t version_ = 0;
};

TEST_F(PageLimitTest, WhatMayNeedPagesIsRefused) {
  const Vec3d far = chunkCenter(100);
  const Vec3d within{chunkCenter(0)[0] + 1, kChunk / 2, kChunk / 2};
  expectRefused(store_.add(spec(kFitting)).status());
  expectRefused(store_.move(handles_[1], far));
  expectRefused(store_.update(handles_[1], {.position = far}));
  expectRefused(store_.update(handles_[1], {.shape = Sphere{21}}));
  const EntityMove moves[] = {{handles_[0], within}, {handles_[1], far}};
  expectRefused(store_.moveAll(moves));
  const EntityChange changes[] = {{handles_[0], {.position = within, .categories = 6}},
                                  {handles_[1], {.position = far}}};
  expectRefused(store_.updateAll(changes));
}

TEST_F(PageLimitTest, AddingManyIsRefusedAsAWhole) {
  ASSERT_TRUE(store_.remove(handles_.back()).ok());
  handles_.back() = store_.add(spec(kFitting - 1)).value();
  version_ = store_.version();
  const EntitySpec specs[] = {spec(100), spec(101)};
  expectRefused(store_.addAll(specs).status());
}

TEST_F(PageLimitTest, WhatNeedsNoPageIsDone) {
  const Vec3d within{chunkCenter(0)[0] + 1, kChunk / 2, kChunk / 2};
  EXPECT_TRUE(store_.move(handles_[0], within).ok());
  EXPECT_TRUE(store_.update(handles_[0], {.position = chunkCenter(0)}).ok());
  EXPECT_TRUE(store_.update(handles_[0], {.categories = 6}).ok());
}

TEST_F(PageLimitTest, AfterARemovalEntitiesAreAccepted) {
  ASSERT_TRUE(store_.remove(handles_[3]).ok());
  EXPECT_TRUE(store_.move(handles_[1], chunkCenter(100)).ok());
  EXPECT_TRUE(store_.add(spec(kFitting)).ok());
  EXPECT_EQ(store_.add(spec(kFitting + 1)).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(PagePoolLimitTest, AddThrowsPastTheLimitAndChangesNothing) {
  PagePool pool;
  pool.limitPages(1);
  PageList list;
  const PageSphere sphere{{1, 2, 3}, 4};
  for (std::uint32_t slot = 0; slot < EntityPage::kLanes; ++slot)
    pool.add(list, slot, sphere);
  EXPECT_FALSE(pool.canAddPages(1));
  EXPECT_THROW(pool.add(list, 8, sphere), std::bad_alloc);
  EXPECT_EQ(list.count, EntityPage::kLanes);
  PageList other;
  EXPECT_THROW(pool.add(other, 8, sphere), std::bad_alloc);
  EXPECT_EQ(other.count, 0U);
}

}  // namespace
}  // namespace fractalray::internal
