// SPDX-License-Identifier: Apache-2.0
// Visible blocks: errors, functions of the options that throw or ask other queries, and memory.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/visible_blocks.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "visible_blocks_fixture.h"

namespace fractalray::visible_blocks_test {
namespace {

TEST_F(VisibleBlocksTest, ErrorsNameTheValueAndFindNothing) {
  set({8, 8, 8}, oracle::kGlass);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const VisibleBlocksOptions right = options_;
  eye_[1] = nan;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(error().message().find("the eye.y"), std::string::npos) << error();
  eye_[1] = 0x1p46;
  EXPECT_EQ(error().code(), absl::StatusCode::kOutOfRange);
  radius_ = -1;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument) << "wins over OUT_OF_RANGE";
  EXPECT_NE(error().message().find("the radius"), std::string::npos) << error();
  eye_[1] = 8;
  radius_ = nan;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  radius_ = 20;
  levels_ = LevelMask{7};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  levels_ = LevelMask{1};
  options_.targets.channel = ChannelId{9};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  options_ = right;
  options_.sight.filter.channel = ChannelId{9};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  options_ = right;
  const std::vector<BlockTypeId> types = {oracle::kGlass, BlockTypeId{777}};
  options_.types = types;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(error().message().find("types[1] is 777"), std::string::npos) << error();
  options_ = right;
  const std::vector<FixedBox> wrong = {{.min = {5, 0, 0}, .max = {4, 1, 1}}};
  options_.sight.occluders = wrong;
  EXPECT_NE(error().message().find("occluders[0]"), std::string::npos) << error();
  options_ = right;
  VisibleBlocks found = find();
  EXPECT_EQ(found.visible.size(), 1U);
  radius_ = -1;
  EXPECT_FALSE(service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok());
  EXPECT_TRUE(found.visible.empty());
  EXPECT_EQ(found.stats.asked, 0U);
}

TEST_F(VisibleBlocksTest, AnExceptionOfAFilterLeavesNothing) {
  fill({8, 0, 0}, {12, 15, 15});
  for (const std::int64_t y : {3, 5, 8})
    set({8, y, 8}, oracle::kGlass);
  set({10, 8, 8}, oracle::kGlass);
  VisibleBlocks found;
  int calls_left = 0;
  const auto throw_once = [&](const BlockHit&) -> bool {
    if (calls_left-- == 0) throw std::runtime_error("a filter");
    return true;
  };
  options_.targets.block_filter = throw_once;
  options_.sight.filter.block_filter = throw_once;
  int thrown = 0;
  for (bool is_done = false; !is_done; ++thrown) {
    calls_left = thrown;
    try {
      is_done = service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok();
      EXPECT_EQ(found.visible.size(), 3U) << "the depth of queries is as before";
    } catch (const std::runtime_error&) {
      EXPECT_TRUE(found.visible.empty() && found.unknown.empty() && found.undecided.empty());
      EXPECT_EQ(found.stats.covered + found.stats.asked, 0U);
    }
  }
  EXPECT_GT(thrown, 4);
}

TEST_F(VisibleBlocksTest, FiltersMayAskOtherQueries) {
  fill({8, 0, 0}, {12, 15, 15});
  set({8, 8, 8}, oracle::kGlass);
  set({10, 8, 8}, oracle::kGlass);
  int asked = 0;
  const VisibleBlocksOptions plain = options_;
  const auto ask_same = [&](const BlockHit& hit) {
    ++asked;
    EXPECT_EQ(service_.visibleBlocks(eye_, radius_, levels_, plain)->visible.size(), 1U);
    return hit.block[1] < 99;
  };
  options_.sight.filter.block_filter = ask_same;
  options_.targets.block_filter = ask_same;
  EXPECT_EQ(find().visible.size(), 1U);
  EXPECT_EQ(find().stats.covered, 1U);
  EXPECT_GT(asked, 3);
}

TEST_F(VisibleBlocksTest, WarmQueriesDoNotAllocate) {
  fill({8, 0, 0}, {12, 15, 15});
  for (const std::int64_t y : {3, 5, 8})
    set({8, y, 8}, oracle::kGlass);
  set({10, 8, 8}, oracle::kGlass);
  // Larger than what std::function keeps without memory of its own.
  const std::array<std::int64_t, 9> large{0, 15, 15};
  const auto filter = [large](const BlockHit& hit) { return hit.block[0] <= large[1]; };
  options_.sight.filter.block_filter = filter;
  options_.targets.block_filter = filter;
  options_.sight.report_certificate = true;
  VisibleBlocks found;
  const auto ask = [&] {
    return service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok();
  };
  ASSERT_TRUE(ask());
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(ask());
  EXPECT_EQ(oracle::allocationCount(), before);
  EXPECT_EQ(found.visible.size(), 3U);
  EXPECT_EQ(found.stats.covered, 1U);
}

TEST_F(VisibleBlocksTest, ExhaustedMemoryLeavesNothing) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  fill({8, 0, 0}, {12, 15, 15});
  for (const std::int64_t y : {3, 5, 8})
    set({8, y, 8}, oracle::kGlass);
  std::size_t failures = 0;
  // The memory of a new thread is yet to be allocated.
  std::thread([&] {
    VisibleBlocks found;
    failures = oracle::failEachAllocation(
        [&] { EXPECT_TRUE(service_.visibleBlocks(eye_, radius_, levels_, options_, found).ok()); },
        [&](std::size_t /*n*/) {
          EXPECT_TRUE(found.visible.empty() && found.unknown.empty() && found.undecided.empty());
        },
        oracle::AllocationFailure::Extent::kOne);
    EXPECT_EQ(found.visible.size(), 3U);
  }).join();
  EXPECT_GT(failures, 0U);
}

}  // namespace
}  // namespace fractalray::visible_blocks_test
