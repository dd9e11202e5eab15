// SPDX-License-Identifier: Apache-2.0
// Sight of boxes: errors, rounded arguments, snapshots, and memory.
#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/sight.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "sight_fixture.h"

namespace fractalray::sight_test {
namespace {

TEST_F(SightTest, ErrorsNameTheValueAndChangeNothing) {
  const SightQuery right = query_;
  query_.box.max = query_.box.min;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  query_ = right;
  query_.box.max[2] = query_.box.min[2];
  EXPECT_TRUE(error().ok());
  query_.box.max[1] = query_.box.min[1];
  EXPECT_NE(error().message().find("yz"), std::string::npos) << error();
  query_ = right;
  std::swap(query_.box.min[0], query_.box.max[0]);
  EXPECT_NE(error().message().find("min.x"), std::string::npos) << error();
  query_.eye[2] = kMaxCoordinate + 1;
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument) << "wins over OUT_OF_RANGE";
  query_ = right;
  query_.eye[2] = kMaxCoordinate + 1;
  EXPECT_EQ(error().code(), absl::StatusCode::kOutOfRange);
  EXPECT_NE(error().message().find("the eye.z"), std::string::npos) << error();
  query_.eye[2] = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(error().code(), absl::StatusCode::kOutOfRange);
  query_ = right;
  levels_ = LevelMask{7};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  levels_ = LevelMask::all();
  options_.filter.channel = ChannelId{9};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  options_.filter.channel = kDefaultChannel;
  const std::vector<FixedBox> wrong = {right.box, {.min = {5, 0, 0}, .max = {4, 1, 1}}};
  options_.occluders = wrong;
  EXPECT_NE(error().message().find("occluders[1]"), std::string::npos) << error();
  SightAnswer answer;
  answer.certificate.resize(3);
  EXPECT_FALSE(service_.visible(query_, levels_, options_, answer).ok());
  EXPECT_EQ(answer.sight, Sight::kUndecided);
  EXPECT_TRUE(answer.certificate.empty());
}

TEST_F(SightTest, DoublesAreRoundedAndCheckedAtTheDoor) {
  const absl::StatusOr<SightQuery> query =
      toSightQuery({1.5, 1.5, 1.5}, {.min = {8, 1, 1}, .max = {9, 2, 2}});
  ASSERT_TRUE(query.ok());
  EXPECT_EQ(query->eye, query_.eye);
  EXPECT_EQ(query->box, query_.box);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(toSightQuery({1, 1, 1}, {.min = {nan, 1, 1}, .max = {9, 2, 2}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(toSightQuery({0x1p46, 1, 1}, {.min = {1, 1, 1}, .max = {9, 2, 2}}).status().code(),
            absl::StatusCode::kOutOfRange);
}

TEST_F(SightTest, ASnapshotAnswersAsTheWorldDidThen) {
  wall(4);
  const std::shared_ptr<const World> before = world_.snapshot();
  wall(4, 1, 1);
  EXPECT_EQ(sight(), Sight::kVisible);
  const RayQueryService service(*before, entities_);
  EXPECT_EQ(service.visible(query_)->sight, Sight::kHidden);
}

// A box that is hidden, and one of which a part is seen.
TEST_F(SightTest, WarmQueriesDoNotAllocate) {
  wall(4, 1, 1);
  set({5, 1, 1});
  options_.report_certificate = true;
  set({2, 2, 1});
  const SightQuery part{.eye = query_.eye, .box = blockBox(3, 2, 1)};
  SightAnswer answer;
  ExposureAnswer share;
  const auto ask_all = [&] {
    bool is_right = true;
    for (const SightQuery& query : {query_, part}) {
      is_right = is_right && service_.visible(query, levels_, options_, answer).ok() &&
                 service_.exposure(query, levels_, options_, share).ok();
    }
    return is_right;
  };
  ASSERT_TRUE(ask_all());
  EXPECT_GT(share.from, 0);
  EXPECT_LT(share.to, 1);
  const std::size_t before = oracle::allocationCount();
  ASSERT_TRUE(ask_all());
  EXPECT_EQ(oracle::allocationCount(), before);
}

TEST_F(SightTest, ExhaustedMemoryLeavesLaterAnswersRight) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  wall(4, 1, 1);
  set({5, 1, 1});
  set({2, 2, 1});
  options_.report_certificate = true;
  const SightAnswer expected = ask();
  const SightQuery part{.eye = query_.eye, .box = blockBox(3, 2, 1)};
  std::size_t failures = 0;
  // The memory of a new thread is yet to be allocated.
  std::thread([&] {
    failures = oracle::failEachAllocation(
        [&] {
          SightAnswer answer;
          ExposureAnswer share;
          EXPECT_TRUE(service_.visible(query_, levels_, options_, answer).ok());
          EXPECT_EQ(answer.sight, expected.sight);
          EXPECT_TRUE(service_.exposure(part, levels_, options_, share).ok());
          EXPECT_GT(share.from, 0);
          EXPECT_LT(share.to, 1);
        },
        [&](std::size_t /*n*/) { EXPECT_EQ(ask().sight, expected.sight); },
        oracle::AllocationFailure::Extent::kOne);
  }).join();
  EXPECT_GT(failures, 0U);
}

}  // namespace
}  // namespace fractalray::sight_test
