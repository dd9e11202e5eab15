// SPDX-License-Identifier: Apache-2.0
// visibleBoxes(): named cases.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/internal/sight/table_run.h"
#include "../../query/ray_query_service.h"
#include "../../query/sight_history.h"
#include "../../query/sight_table.h"
#include "../oracle/allocations.h"
#include "../oracle/random_scene.h"
#include "table_scene.h"

namespace fractalray::sight_test {
namespace {

constexpr std::int64_t kBlock = kUnitsPerBlock;

// A world of one chunk of air, with a wall at x = 8 that fills it; eyes before it, and boxes on
// both sides.
class VisibleBoxesTest : public testing::Test {
 protected:
  VisibleBoxesTest() {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
    EXPECT_TRUE(world_.fillBox(0, {8, 0, 0}, {8, 15, 15}, oracle::kStone).ok());
    scene_.eyes = {{eyeAt(2, 2, 2)}, {eyeAt(2, 9, 9), eyeAt(12, 9, 9)}, {}};
    scene_.boxes = {boxAt(5, 5, 5), boxAt(13, 5, 5), boxAt(20, 5, 5)};
  }

  static Vec3i eyeAt(std::int64_t x, std::int64_t y, std::int64_t z) {
    return Vec3i{x, y, z} * kBlock + Vec3i{kBlock / 2, kBlock / 2, kBlock / 2};
  }
  static FixedBox boxAt(std::int64_t x, std::int64_t y, std::int64_t z) {
    const Vec3i min = Vec3i{x, y, z} * kBlock;
    return {.min = min, .max = min + Vec3i{kBlock, kBlock, kBlock}};
  }
  absl::Status fill() {
    return service_.visibleBoxes(scene_.viewers(), scene_.boxes, levels_, options_, table_);
  }
  std::vector<Sight> ask() {
    const absl::Status status = fill();
    EXPECT_TRUE(status.ok()) << status;
    return table_.answers;
  }

  World world_{{.block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  TableScene scene_;
  LevelMask levels_ = LevelMask::all();
  SightTableOptions options_;
  SightTable table_;
};

constexpr Sight kHidden = Sight::kHidden;
constexpr Sight kUnknown = Sight::kUnknown;
constexpr Sight kVisible = Sight::kVisible;
constexpr Sight kSkipped = Sight::kSkipped;

TEST_F(VisibleBoxesTest, AViewerSeesWhatOneOfItsEyesSees) {
  EXPECT_EQ(ask(), (std::vector<Sight>{kVisible, kHidden, kHidden,    //
                                       kVisible, kVisible, kUnknown,  //
                                       kSkipped, kSkipped, kSkipped}));
  EXPECT_EQ(table_.at(1, 1), kVisible);
  EXPECT_EQ(table_.at(1, 2), kUnknown);
  EXPECT_EQ(table_.stats.pairs, 6U);
  EXPECT_EQ(table_.stats.searched, 6U);
  EXPECT_EQ(table_.stats.undecided, 0U);
  const absl::StatusOr<SightTable> returned = service_.visibleBoxes(scene_.viewers(), scene_.boxes);
  ASSERT_TRUE(returned.ok());
  EXPECT_EQ(returned->answers, table_.answers);
}

TEST_F(VisibleBoxesTest, WithoutViewersOrBoxesItIsEmpty) {
  EXPECT_TRUE(service_.visibleBoxes({}, scene_.boxes)->answers.empty());
  EXPECT_TRUE(service_.visibleBoxes(scene_.viewers(), {})->answers.empty());
  EXPECT_EQ(service_.visibleBoxes({}, scene_.boxes)->boxes(), 3U);
}

TEST_F(VisibleBoxesTest, TheDistanceIsThatToTheNearestPointOfTheBoxExactly) {
  // 3, 4 and 12 units from the corner of the box: 13.
  const FixedBox box{.min = {3, 4, 12}, .max = {30, 40, 50}};
  EXPECT_FALSE(internal::isFarther({0, 0, 0}, box, 13));
  EXPECT_TRUE(internal::isFarther({0, 0, 0}, box, 12));
  EXPECT_FALSE(internal::isFarther({5, 5, 20}, box, 0)) << "the eye is in it";
  EXPECT_FALSE(internal::isFarther({5, 43, 20}, box, 3));
  EXPECT_TRUE(internal::isFarther({5, 43, 20}, box, 2));
  constexpr std::int64_t kEnd = kMaxCoordinate;
  const FixedBox far{.min = {kEnd - 1, kEnd - 1, kEnd - 1}, .max = {kEnd, kEnd, kEnd}};
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(internal::isFarther({-kEnd, -kEnd, -kEnd}, far, kMost));
  EXPECT_FALSE(internal::isFarther({-kEnd, -kEnd, -kEnd}, far, kMost - 1));
  EXPECT_TRUE(internal::isFarther({-kEnd, -kEnd, -kEnd}, far, 2 * kEnd - 1));

  scene_.eyes = {{eyeAt(2, 5, 5)}};
  scene_.boxes = {boxAt(5, 5, 5)};
  options_.max_distance = 5 * kBlock / 2;
  EXPECT_EQ(ask(), std::vector<Sight>{kVisible});
  --options_.max_distance;
  EXPECT_EQ(ask(), std::vector<Sight>{kSkipped});
  EXPECT_EQ(table_.stats.pairs, 0U);
}

TEST_F(VisibleBoxesTest, PairsThatAreLeftOutAreSkipped) {
  options_.leaves_out = [](std::size_t viewer, std::size_t box) { return viewer == box; };
  EXPECT_EQ(ask(), (std::vector<Sight>{kSkipped, kHidden, kHidden,    //
                                       kVisible, kSkipped, kUnknown,  //
                                       kSkipped, kSkipped, kSkipped}));
}

TEST_F(VisibleBoxesTest, PairsOutOfStepsAreUndecidedAndStopNoOther) {
  options_.each.max_steps = 0;
  scene_.eyes = {{eyeAt(2, 2, 2)}};
  scene_.boxes = {boxAt(13, 5, 5), boxAt(2, 2, 2)};
  EXPECT_EQ(ask(), (std::vector<Sight>{Sight::kUndecided, kVisible}));
  EXPECT_EQ(table_.stats.undecided, 1U);
  options_.if_undecided = kVisible;
  EXPECT_EQ(ask(), (std::vector<Sight>{kVisible, kVisible}));
  EXPECT_EQ(table_.stats.undecided, 1U);
  options_.if_undecided = kHidden;
  EXPECT_EQ(ask(), (std::vector<Sight>{kHidden, kVisible}));
  // An eye that sees decides for a viewer whose other eye is undecided.
  scene_.eyes = {{eyeAt(2, 2, 2), eyeAt(13, 5, 5)}};
  EXPECT_EQ(ask(), (std::vector<Sight>{kVisible, kVisible}));
}

TEST_F(VisibleBoxesTest, ErrorsNameViewerEyeOrBoxAndEmptyTheTable) {
  SightHistory history;
  options_.history = &history;
  const TableScene right = scene_;
  const auto error = [&] {
    const absl::Status status = fill();
    EXPECT_TRUE(table_.answers.empty() && table_.viewers() == 0 && table_.boxes() == 0);
    scene_ = right;
    const absl::Status again =
        service_.visibleBoxes(scene_.viewers(), scene_.boxes, {0}, {.history = &history}, table_);
    EXPECT_TRUE(again.ok()) << again;
    EXPECT_GE(table_.stats.unchanged, 1U) << "the history is as it was";
    return status;
  };
  const auto says = [](const absl::Status& status, const char* text) {
    return std::string(status.message()).find(text) != std::string::npos;
  };
  ask();
  scene_.eyes[1][1][2] = kMaxCoordinate + 1;
  absl::Status status = error();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(says(status, "viewers[1]: eyes[1]: the eye.z is 2305843009213693953")) << status;
  scene_.boxes[2].min = scene_.boxes[2].max;
  status = error();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(says(status, "boxes[2]: the box has no width along the axes xyz")) << status;
  std::swap(scene_.boxes[0].min, scene_.boxes[0].max);
  scene_.eyes[0][0][0] = std::numeric_limits<std::int64_t>::min();
  status = error();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << "wins";
  EXPECT_TRUE(says(status, "boxes[0]: the box's min.x")) << status;
  scene_.boxes[1].max[0] = std::numeric_limits<std::int64_t>::max();
  status = error();
  EXPECT_EQ(status.code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(says(status, "boxes[1]")) << status;
  levels_ = LevelMask{5};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  levels_ = LevelMask::all();
  options_.each.filter.channel = ChannelId{9};
  EXPECT_EQ(error().code(), absl::StatusCode::kInvalidArgument);
  options_.each.filter.channel = kDefaultChannel;
  const std::vector<FixedBox> wrong = {{.min = {5, 0, 0}, .max = {4, 1, 1}}};
  options_.each.occluders = wrong;
  EXPECT_TRUE(says(error(), "occluders[0]"));
  options_.each.occluders = {};
  options_.max_distance = -1;
  EXPECT_TRUE(says(error(), "max_distance is -1"));
  options_.max_distance = 0;
  for (const Sight sight : {kUnknown, kSkipped, Sight{77}}) {
    options_.if_undecided = sight;
    EXPECT_TRUE(says(error(), "if_undecided is"));
  }
}

TEST_F(VisibleBoxesTest, AnExceptionOfAFunctionEmptiesTheTableAndKeepsTheHistory) {
  const ThreadExecutor threads(3);
  SightHistory history;
  options_.history = &history;
  const std::vector<Sight> expected = ask();
  options_.leaves_out = [](std::size_t viewer, std::size_t box) -> bool {
    if (viewer == 1 && box == 1) throw std::runtime_error("unfit");
    return false;
  };
  for (const bool parallel : {false, true}) {
    const auto fill_any = [&] {
      return parallel ? service_.visibleBoxes(scene_.viewers(), scene_.boxes, levels_, options_,
                                              table_, threads)
                      : fill();
    };
    EXPECT_THROW((void)fill_any(), std::runtime_error);
    EXPECT_TRUE(table_.answers.empty());
  }
  options_.leaves_out = {};
  EXPECT_EQ(ask(), expected);
  EXPECT_EQ(table_.stats.unchanged, 6U);
}

TEST_F(VisibleBoxesTest, ANestedCallNeedsATableAndAHistoryOfItsOwn) {
  SightHistory history;
  options_.history = &history;
  SightTable other;
  int asked = 0;
  options_.leaves_out = [&](std::size_t /*viewer*/, std::size_t /*box*/) {
    EXPECT_EQ(service_.visibleBoxes({}, {}, levels_, {}, table_).code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(service_.visibleBoxes({}, {}, levels_, {.history = &history}, other).code(),
              absl::StatusCode::kFailedPrecondition);
    SightHistory own;
    EXPECT_TRUE(
        service_.visibleBoxes(scene_.viewers(), scene_.boxes, levels_, {.history = &own}, other)
            .ok());
    EXPECT_EQ(other.at(0, 0), kVisible);
    ++asked;
    return false;
  };
  EXPECT_EQ(ask().size(), 9U);
  EXPECT_EQ(asked, 6);
  options_.leaves_out = {};
  EXPECT_EQ(ask().size(), 9U);
}

TEST_F(VisibleBoxesTest, LongRowsAreSplitAndShortOnesJoined) {
  const ThreadExecutor threads(3);
  // More boxes than a run has, and more viewers than a task has.
  for (const auto& [viewers, boxes] : {std::pair{2, 1200}, {300, 3}, {1, 512}, {1, 513}}) {
    scene_.eyes.clear();
    scene_.boxes.clear();
    for (int i = 0; i < viewers; ++i)
      scene_.eyes.push_back({eyeAt(i % 7, i / 7 % 15, 3)});
    for (int i = 0; i < boxes; ++i)
      scene_.boxes.push_back(boxAt(i % 15, i / 15 % 15, 9));
    const std::vector<Sight> expected = answersOneByOne(service_, scene_, levels_, options_);
    SightHistory history;
    SightTableOptions options{.history = &history};
    for (int call = 0; call < 2; ++call) {
      ASSERT_TRUE(
          service_.visibleBoxes(scene_.viewers(), scene_.boxes, levels_, options, table_, threads)
              .ok());
      EXPECT_EQ(table_.answers, expected);
      EXPECT_EQ(table_.stats.unchanged > 0, call > 0);
    }
    EXPECT_EQ(ask(), expected);
  }
}

TEST_F(VisibleBoxesTest, AWarmCallDoesNotAllocate) {
  SightHistory history;
  for (SightHistory* const kept : {static_cast<SightHistory*>(nullptr), &history}) {
    options_.history = kept;
    // One call for each of the two halves of the memory of a history, and for each way to answer.
    for (int i = 0; i < 4; ++i) {
      scene_.eyes[0][0][1] += 5;
      ask();
    }
    const std::vector<SightViewer> viewers = scene_.viewers();
    const std::size_t before = oracle::allocationCount();
    for (int i = 0; i < 4; ++i) {
      scene_.eyes[0][0][1] += 5;
      ASSERT_TRUE(service_.visibleBoxes(viewers, scene_.boxes, levels_, options_, table_).ok());
    }
    EXPECT_EQ(oracle::allocationCount(), before);
  }
}

TEST_F(VisibleBoxesTest, ExhaustedMemoryEmptiesTheTableAndKeepsTheHistory) {
  if (!oracle::AllocationFailure::isSupported()) GTEST_SKIP();
  const std::vector<Sight> expected = ask();
  std::size_t failures = 0;
  // The memory of a new thread is yet to be allocated.
  std::thread([&] {
    SightHistory history;
    SightTable table;
    SightTableOptions options;
    options.history = &history;
    const std::vector<SightViewer> viewers = scene_.viewers();
    failures = oracle::failEachAllocation(
        [&] {
          EXPECT_TRUE(service_.visibleBoxes(viewers, scene_.boxes, levels_, options, table).ok());
        },
        [&](std::size_t /*n*/) {
          EXPECT_TRUE(table.answers.empty());
          EXPECT_EQ(history.size(), 0U);
        });
    EXPECT_EQ(table.answers, expected);
    EXPECT_GT(history.size(), 0U);
  }).join();
  EXPECT_GT(failures, 3U);
}

}  // namespace
}  // namespace fractalray::sight_test
