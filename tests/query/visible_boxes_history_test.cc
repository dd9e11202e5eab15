// SPDX-License-Identifier: Apache-2.0
// visibleBoxes() with a history: named cases of each way to answer.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/sight_history.h"
#include "../../query/sight_table.h"
#include "../oracle/random_scene.h"

namespace fractalray::sight_test {
namespace {

// One viewer, one box, and a wall between them that fills a chunk.
class SightHistoryWallTest : public testing::Test {
 protected:
  static constexpr std::int64_t kWidth = kUnitsPerBlock;

  SightHistoryWallTest() {
    EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
    EXPECT_TRUE(world_.fillBox(0, {8, 0, 0}, {8, 15, 15}, oracle::kStone).ok());
    options_.history = &history_;
  }
  void set(const BlockCoord& at, BlockTypeId type) {
    EXPECT_TRUE(world_.setBlock(0, at, type).ok());
  }
  Sight ask() { return ask(service_); }
  Sight ask(const RayQueryService& service) {
    const std::array<SightViewer, 1> viewers = {SightViewer{eyes_}};
    const absl::Status status =
        service.visibleBoxes(viewers, {&box_, 1}, LevelMask::all(), options_, table_);
    EXPECT_TRUE(status.ok()) << status;
    return status.ok() ? table_.at(0, 0) : Sight::kUndecided;
  }
  const SightTableStats& stats() const { return table_.stats; }

  World world_{{.block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  std::vector<Vec3i> eyes_ = {{kWidth * 5 / 2, kWidth * 5 / 2, kWidth * 5 / 2}};
  FixedBox box_{.min = {12 * kWidth, 2 * kWidth, 2 * kWidth},
                .max = {13 * kWidth, 3 * kWidth, 3 * kWidth}};
  SightTableOptions options_;
  SightHistory history_;
  SightTable table_;
};

TEST_F(SightHistoryWallTest, AHiddenBoxStaysHiddenByItsProofAsLongAsThatIsSolid) {
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().searched, 1U);
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().unchanged, 1U);
  EXPECT_EQ(stats().sight.steps(), 0U);
  // Another block changes, the eye moves, or both.
  set({14, 14, 14}, oracle::kStone);
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().by_proof, 1U);
  EXPECT_EQ(stats().sight.rays, 0U);
  eyes_[0][1] += 100;
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().by_proof, 1U);
  // The wall gets a hole in the way.
  set({8, 2, 2}, kAir);
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(stats().searched, 1U);
}

TEST_F(SightHistoryWallTest, AVisibleBoxStaysVisibleByItsRayAsLongAsThatIsClear) {
  set({8, 2, 2}, kAir);
  EXPECT_EQ(ask(), Sight::kVisible);
  box_ = {.min = box_.min + Vec3i{10, 20, 30}, .max = box_.max + Vec3i{10, 20, 30}};
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(stats().by_ray, 1U);
  EXPECT_EQ(stats().sight.rays, 1U);
  set({14, 14, 14}, oracle::kStone);
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(stats().by_ray, 1U);
  set({8, 2, 2}, oracle::kStone);
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().searched, 1U);
  EXPECT_EQ(stats().sight.rays, 1U) << "what stops the old ray hides the box";
}

TEST_F(SightHistoryWallTest, ASolidBoxStaysVisibleByThePointOfItsFarSide) {
  EXPECT_TRUE(world_.fillBox(0, {8, 0, 0}, {8, 15, 15}, kAir).ok());
  set({12, 2, 2}, oracle::kStone);
  EXPECT_EQ(ask(), Sight::kVisible);
  eyes_[0][0] = 31 * kWidth / 2;  // the point is now farther than the box's near face
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(stats().by_ray, 1U);
  EXPECT_EQ(stats().sight.rays, 1U);
}

TEST_F(SightHistoryWallTest, TheEyeThatSawIsAskedFirst) {
  eyes_.push_back({14 * kWidth, 5 * kWidth / 2, 5 * kWidth / 2});
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(stats().unchanged, 1U);
  EXPECT_EQ(history_.size(), 1U) << "the other eye is forgotten";
  eyes_.pop_back();
  EXPECT_EQ(ask(), Sight::kHidden);
}

TEST_F(SightHistoryWallTest, ABlockThatTheEyeEntersHidesNoLongerIfItIsLeftOut) {
  options_.each.filter.skip_start_inside = true;
  EXPECT_EQ(ask(), Sight::kHidden);
  eyes_[0][0] = 17 * kWidth / 2;
  EXPECT_EQ(ask(), Sight::kVisible);
  options_.each.filter.skip_start_inside = false;
  EXPECT_EQ(ask(), Sight::kHidden);
}

TEST_F(SightHistoryWallTest, AnotherWorldOfEqualVersionIsAnotherWorld) {
  EXPECT_EQ(ask(), Sight::kHidden);
  World other({.block_types = oracle::sceneTypes()});
  EXPECT_TRUE(other.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  EXPECT_TRUE(other.fillBox(0, {9, 0, 0}, {9, 1, 1}, oracle::kStone).ok());
  EXPECT_EQ(other.version(), world_.version());
  const RayQueryService service(other, entities_);
  EXPECT_EQ(ask(service), Sight::kVisible);
  EXPECT_EQ(stats().searched, 1U);
  World deep({.levels = 3, .block_types = oracle::sceneTypes()});
  const EntityIndex none(deep.frame());
  EXPECT_EQ(ask(RayQueryService(deep, none)), Sight::kUnknown);
  EXPECT_EQ(ask(), Sight::kHidden);
}

TEST_F(SightHistoryWallTest, UnloadedSpaceIsNoProof) {
  box_ = {.min = {20 * kWidth, 2 * kWidth, 2 * kWidth},
          .max = {21 * kWidth, 3 * kWidth, 3 * kWidth}};
  set({8, 2, 2}, kAir);
  options_.each.unloaded = UnloadedSpace::kOpaque;
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_TRUE(world_.loadChunk(0, {1, 0, 0}, Chunk()).ok());
  EXPECT_EQ(ask(), Sight::kVisible);
  // A box that was visible through air that is unloaded since.
  options_.each.unloaded = UnloadedSpace::kReport;
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(stats().by_ray, 1U);
  EXPECT_TRUE(world_.unloadChunk(0, {1, 0, 0}).ok());
  EXPECT_EQ(ask(), Sight::kUnknown);
  EXPECT_TRUE(world_.fillBox(0, {8, 0, 0}, {8, 15, 15}, oracle::kStone).ok());
  EXPECT_EQ(ask(), Sight::kHidden);
  set({1, 14, 14}, oracle::kStone);
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().by_proof, 1U) << "what is unloaded does not matter to it";
}

TEST_F(SightHistoryWallTest, EntitiesThatBlockAreNoProofAndListedOccludersAre) {
  EXPECT_TRUE(world_.fillBox(0, {8, 0, 0}, {8, 15, 15}, kAir).ok());
  const EntityHandle door =
      *entities_.add({.id = 1, .shape = Box{{0.5, 8, 8}}, .position = {8.5, 8, 8}});
  options_.each.boxes_block = true;
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().unchanged, 1U);
  EXPECT_TRUE(entities_.move(door, {8.5, 30, 8}).ok());
  EXPECT_EQ(ask(), Sight::kVisible);
  const std::vector<FixedBox> shut = {
      {.min = {0, 0, 0}, .max = {1, 1, 1}},
      {.min = {8 * kWidth, 0, 0}, .max = {8 * kWidth + 1, 16 * kWidth, 16 * kWidth}}};
  options_.each.occluders = shut;
  EXPECT_EQ(ask(), Sight::kHidden);
  box_.max[1] -= 100;
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().by_proof, 1U);
  options_.each.occluders = {shut.data(), 1};
  EXPECT_EQ(ask(), Sight::kVisible);
}

TEST_F(SightHistoryWallTest, PairsNotAskedAreForgottenAndClearForgetsAll) {
  EXPECT_EQ(history_.size(), 0U);
  ask();
  EXPECT_EQ(history_.size(), 1U);
  SightHistory moved = std::move(history_);
  EXPECT_EQ(moved.size(), 1U);
  options_.history = &moved;
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().unchanged, 1U);
  options_.max_distance = 0;
  EXPECT_EQ(ask(), Sight::kSkipped);
  EXPECT_EQ(moved.size(), 0U);
  options_.max_distance = SightTableOptions().max_distance;
  ask();
  EXPECT_EQ(stats().searched, 1U);
  moved.clear();
  EXPECT_EQ(moved.size(), 0U);
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().searched, 1U);
  // A history that was moved from is a new one.
  options_.history = &history_;  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(history_.size(), 1U);
}

// The boxes of the proof reach into another chunk, which loses a block of them.
TEST_F(SightHistoryWallTest, AnEditOfTheNeighbourChunkOpensAProofThatReachesIntoIt) {
  EXPECT_TRUE(world_.loadChunk(0, {0, 1, 0}, Chunk()).ok());
  EXPECT_TRUE(world_.fillBox(0, {8, 16, 0}, {8, 31, 15}, oracle::kStone).ok());
  eyes_ = {{kWidth * 5 / 2, kWidth * 31 / 2, kWidth * 5 / 2}};
  box_ = {.min = {12 * kWidth, 13 * kWidth, 2 * kWidth},
          .max = {13 * kWidth, 19 * kWidth, 3 * kWidth}};
  EXPECT_EQ(ask(), Sight::kHidden);
  set({14, 14, 14}, oracle::kStone);
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().by_proof, 1U);
  for (const std::int64_t y : {16, 17, 15, 14}) {
    set({8, y, 2}, kAir);
    EXPECT_EQ(ask(), Sight::kVisible) << y;
    set({8, y, 2}, oracle::kStone);
    EXPECT_EQ(ask(), Sight::kHidden) << y;
  }
}

//    E .            The box is seen at P; then it ends below P, and a ceiling hides it.
//        .          The line to P is still clear, and would enter the box farther on.
//          P
//    ##########
//       |  box  |
TEST_F(SightHistoryWallTest, APointThatTheBoxNoLongerHasIsNoHint) {
  EXPECT_TRUE(world_.loadChunk(0, {0, 0, 0}, Chunk()).ok());
  EXPECT_TRUE(world_.loadChunk(0, {1, 0, 0}, Chunk()).ok());
  eyes_ = {{kWidth * 3 / 2, kWidth * 29 / 2, kWidth * 5 / 2}};
  box_ = {.min = {4 * kWidth, kWidth, 2 * kWidth}, .max = {30 * kWidth, 8 * kWidth, 3 * kWidth}};
  EXPECT_EQ(ask(), Sight::kVisible);
  const absl::StatusOr<SightAnswer> answer = service_.visible({.eye = eyes_[0], .box = box_});
  ASSERT_TRUE(answer.ok() && answer->witness->unit);
  const std::int64_t seen = eyes_[0][1] + static_cast<std::int64_t>(answer->witness->delta[1]);
  ASSERT_GT(seen, 7 * kWidth) << "above the ceiling";
  box_.max[1] = 6 * kWidth;
  EXPECT_TRUE(world_.fillBox(0, {0, 6, 0}, {31, 6, 15}, oracle::kStone).ok());
  EXPECT_EQ(ask(), Sight::kHidden);
  EXPECT_EQ(stats().searched, 1U);
}

// The proof costs a cut for each of its two boxes that are left, a new search none.
TEST_F(SightHistoryWallTest, StepsThatRunOutWithAProofAreEnoughWithoutIt) {
  options_.each.unloaded = UnloadedSpace::kTransparent;
  options_.each.filter.blocks = false;
  eyes_ = {{0, 0, 0}};
  box_ = {.min = {1000, -300, -10}, .max = {1100, 300, 10}};
  const std::vector<FixedBox> boxes = {{.min = {500, -200, -50}, .max = {510, -120, 50}},
                                       {.min = {500, 120, -50}, .max = {510, 200, 50}},
                                       {.min = {500, -120, -50}, .max = {510, 120, 50}}};
  options_.each.occluders = boxes;
  EXPECT_EQ(ask(), Sight::kHidden);
  options_.each.occluders = std::span(boxes).first(2);
  const SightQuery query{.eye = eyes_[0], .box = box_};
  const absl::StatusOr<SightAnswer> fresh =
      service_.visible(query, LevelMask::all(), options_.each);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  ASSERT_EQ(fresh->sight, Sight::kVisible);
  options_.each.max_steps = fresh->stats.steps() + 1;
  EXPECT_EQ(ask(), Sight::kVisible);
  EXPECT_EQ(stats().undecided, 0U);
  EXPECT_GE(stats().sight.cuts, 2U) << "the proof was tried first";
}

}  // namespace
}  // namespace fractalray::sight_test
