// SPDX-License-Identifier: Apache-2.0
// Checks that putting crowds in order costs what has changed, whatever the threads do, and that it
// saves queries what it promises.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../entities/entity_index.h"
#include "../../levels/world.h"
#include "../../query/ray_query_service.h"
#include "../oracle/allocations.h"
#include "index_content.h"

namespace fractalray {
namespace {

// Chunks in a row with as many entities each.
class OptimizeCostTest : public testing::Test {
 protected:
  static Vec3d positionOf(int chunk, int number) {
    const int x = number % 10;
    const int y = number / 10 % 10;
    const int z = number / 100;
    return {16.0 * chunk + 1.5 + 1.4 * x, 1.5 + 1.4 * y, 1.5 + 1.4 * z};
  }
  void addChunks(int chunks, int each) {
    for (int chunk = 0; chunk < chunks; ++chunk) {
      for (int number = 0; number < each; ++number) {
        // In an order in which neighbours are on different pages.
        const Vec3d position = positionOf(chunk, number * 377 % 1000);
        handles_.push_back(
            index_.add({.id = handles_.size(), .shape = Sphere{0.25}, .position = position})
                .value());
      }
    }
    each_ = each;
  }
  void touch(int chunk, int number = 0) {
    const EntityHandle handle = handles_[static_cast<std::size_t>(chunk * each_ + number)];
    const Vec3d position = toBlocks(index_.find(handle)->position);
    ASSERT_TRUE(index_.move(handle, position + Vec3d{0.125, 0, 0}).ok());
  }
  std::uint64_t stepsOf(const Segment& segment) const {
    const RayQueryService service(world_, index_);
    return service.shootSegment(segment).value().stats.steps();
  }

  World world_{{.levels = 1}};
  EntityIndex index_{Frame(1)};
  std::vector<EntityHandle> handles_;
  int each_ = 0;
};

TEST_F(OptimizeCostTest, ItCountsTheChunksThatHaveChanged) {
  addChunks(50, 100);
  EXPECT_EQ(index_.optimize(), 50U);
  EXPECT_EQ(index_.optimize(), 0U);
  for (const int chunk : {3, 7, 7, 31})
    touch(chunk);
  EXPECT_EQ(index_.optimize(), 3U);
  EXPECT_EQ(index_.optimize(), 0U);
  ASSERT_TRUE(index_.update(handles_[5], {.categories = 2}).ok());
  EXPECT_EQ(index_.optimize(), 0U) << "none has moved";
  ASSERT_TRUE(index_.move(handles_[0], positionOf(9, 124)).ok());
  EXPECT_EQ(index_.optimize(), 2U) << "the chunk that it left, and the other";
}

TEST_F(OptimizeCostTest, UncrowdedChunksAreLeftAlone) {
  addChunks(50, 16);
  const std::uint64_t steps = stepsOf({{0, 8, 8}, {800, 8, 8}});
  EXPECT_EQ(index_.optimize(), 0U);
  EXPECT_EQ(stepsOf({{0, 8, 8}, {800, 8, 8}}), steps);
  ASSERT_TRUE(index_.add({.id = 9999, .shape = Sphere{0.25}, .position = {8, 8, 8}}).ok());
  EXPECT_EQ(index_.optimize(), 1U) << "now one is crowded";
}

TEST_F(OptimizeCostTest, TwiceInARowIsFree) {
  addChunks(50, 100);
  index_.optimize();
  const std::size_t before = oracle::allocationCount();
  const auto never = [](std::size_t, absl::FunctionRef<void(std::size_t)>) { FAIL(); };
  EXPECT_EQ(index_.optimize(never), 0U);
  EXPECT_EQ(oracle::allocationCount(), before);
}

// Memory stands for work here: what is read of a chunk is copied first.
TEST_F(OptimizeCostTest, ItTakesMemoryForWhatHasChangedOnly) {
  const auto bytes_of_two = [](int chunks) {
    EntityIndex index{Frame(1)};
    std::vector<EntityHandle> handles;
    for (int i = 0; i < 100 * chunks; ++i) {
      handles.push_back(index
                            .add({.id = handles.size(),
                                  .shape = Sphere{0.25},
                                  .position = positionOf(i / 100, i % 100)})
                            .value());
    }
    index.optimize();
    for (const std::size_t number : {0U, 150U}) {
      const Vec3d position = toBlocks(index.find(handles[number])->position);
      EXPECT_TRUE(index.move(handles[number], position + Vec3d{0.5, 0, 0}).ok());
    }
    const std::size_t before = oracle::allocatedBytes();
    EXPECT_EQ(index.optimize(), 2U);
    return oracle::allocatedBytes() - before;
  };
  const std::size_t few = bytes_of_two(10);
  EXPECT_GT(few, 0U);
  EXPECT_EQ(bytes_of_two(400), few);
}

TEST_F(OptimizeCostTest, ALineReadsOnlyThePagesNearIt) {
  addChunks(3, 1000);
  const Segment segment{{0, 4.3, 4.3}, {48, 4.3, 4.3}};
  const std::uint64_t before = stepsOf(segment);
  index_.optimize();
  const std::uint64_t after = stepsOf(segment);
  EXPECT_LT(2 * after, before);
  for (int chunk = 0; chunk < 3; ++chunk) {
    for (int number = 0; number < each_; ++number)
      touch(chunk, number);
  }
  EXPECT_EQ(stepsOf(segment), before) << "as without it, once all have moved";
  index_.optimize();
  EXPECT_LT(2 * stepsOf(segment), before);
}

TEST_F(OptimizeCostTest, MovesAfterItDoNotAllocate) {
  addChunks(20, 100);
  index_.optimize();
  const std::size_t before = oracle::allocationCount();
  for (int chunk = 0; chunk < 20; ++chunk) {
    for (int number = 0; number < 100; ++number)
      touch(chunk, number);
  }
  EXPECT_EQ(oracle::allocationCount(), before);
}

TEST_F(OptimizeCostTest, TheOrderOfTasksMakesNoDifference) {
  const Segment diagonal{{0, 1, 2}, {800, 13, 11}};
  addChunks(50, 100);
  index_.optimize();
  const std::uint64_t steps = stepsOf(diagonal);
  const auto backwards = [](std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) {
    for (std::size_t i = tasks; i > 0; --i)
      task(i - 1);
  };
  const std::function<void(EntityIndex&)> ways[] = {
      [](EntityIndex& index) { index.optimize(); },
      [&](EntityIndex& index) { index.optimize(backwards); }};
  for (const auto& optimize : ways) {
    EntityIndex other{Frame(1)};
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      const Entity& entity = *index_.find(handles_[i]);
      ASSERT_TRUE(other
                      .add({.id = entity.id,
                            .shape = toBlocks(entity.shape),
                            .position = toBlocks(entity.position)})
                      .ok());
    }
    optimize(other);
    const RayQueryService service(world_, other);
    EXPECT_EQ(service.shootSegment(diagonal).value().stats.steps(), steps);
    EXPECT_EQ(contentOf(other, true), contentOf(index_, true));
  }
}

TEST_F(OptimizeCostTest, AnExceptionOfTheThreadsLeavesAllInOrder) {
  addChunks(50, 100);
  const std::string content = contentOf(index_, true);
  const auto half = [](std::size_t tasks, absl::FunctionRef<void(std::size_t)> task) {
    for (std::size_t i = 0; i < tasks / 2; ++i)
      task(i);
    throw std::runtime_error("no threads");
  };
  EXPECT_THROW(index_.optimize(half), std::runtime_error);
  EXPECT_EQ(contentOf(index_, true), content);
  EXPECT_EQ(index_.optimize(), 0U);
  for (std::size_t i = 0; i < handles_.size(); ++i)
    ASSERT_TRUE(index_.remove(handles_[i]).ok()) << "its entries are right";
  EXPECT_EQ(index_.size(), 0U);
}

}  // namespace
}  // namespace fractalray
