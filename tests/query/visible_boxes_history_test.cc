// SPDX-License-Identifier: Apache-2.0
// visibleBoxes() with a history: over many ticks the answers of a call without one, whatever moves
// and changes, and each way to answer is taken.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../../query/ray_query_service.h"
#include "../../query/sight_history.h"
#include "../../query/sight_table.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "sight_scene.h"
#include "table_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

constexpr std::int64_t kWidth = kUnitsPerBlock;

int ticks() {
  return oracle::isLongRun() ? 40000 : 2000;
}

// Viewers and boxes that move through a world of two levels in which everything changes.
class MovingWorld {
 public:
  explicit MovingWorld(std::uint64_t seed) : rng_(seed) {
    for (std::int64_t x = 0; x < 2; ++x)
      load(1, {x, 0, 0});
    for (int i = 0; i < 400; ++i)
      setAny();
    for (int i = 0; i < 3; ++i)
      wall();
    for (int i = 0; i < 4; ++i)
      addEyes();
    for (int i = 0; i < 6; ++i)
      scene_.boxes.push_back(boxAt(anywhere()));
    for (EntityId id = 1; id <= 3; ++id) {
      const absl::StatusOr<EntityHandle> added = entities_.add(
          {.id = id, .shape = Box{{0.5, 2, 2}}, .position = {static_cast<double>(6 * id), 4, 4}});
      EXPECT_TRUE(added.ok()) << added.status();
      if (added.ok()) handles_.push_back(*added);
    }
  }

  // Changes something, or nothing.
  void step() {
    if (rng_.oneIn(6)) return;
    for (int i = rng_.below(3); i > 0; --i)
      change();
  }

  std::uint64_t seed() const { return rng_.seed(); }
  const TableScene& scene() const { return scene_; }
  LevelMask levels() const { return levels_; }
  const RayQueryService& service() const { return service_; }
  SightTableOptions& options() {
    options_.each.occluders = occluders_;
    return options_;
  }
  Rng& rng() { return rng_; }

 private:
  void load(int level, const ChunkCoord& at) {
    EXPECT_TRUE(world_.loadChunk(level, at, Chunk()).ok());
  }
  Vec3i anywhere() {
    return {rng_.in(kWidth, 31 * kWidth), rng_.in(kWidth, 10 * kWidth),
            rng_.in(kWidth, 10 * kWidth)};
  }
  // Returns the box of a player.
  FixedBox boxAt(const Vec3i& at) {
    return {.min = at, .max = at + Vec3i{kWidth * 3 / 5, kWidth * 9 / 5, kWidth * 3 / 5}};
  }
  void addEyes() {
    std::vector<Vec3i>& eyes = scene_.eyes.emplace_back();
    for (int i = rng_.pick({1, 1, 2}); i > 0; --i)
      eyes.push_back(anywhere());
  }
  Vec3i moved() {
    const std::int64_t most = rng_.pick({std::int64_t{2}, kWidth / 5, kWidth / 5, 3 * kWidth});
    return {rng_.in(-most, most), rng_.in(-most, most), rng_.in(-most, most)};
  }
  void setAny() {
    const BlockCoord at{rng_.in(0, 31), rng_.in(0, 11), rng_.in(0, 11)};
    const BlockTypeId type = rng_.pick(
        {kAir, oracle::kStone, oracle::kStone, oracle::kGlass, oracle::kGrate, oracle::kStairs});
    (void)world_.setBlock(1, at, type);  // unless its chunk is not loaded
  }
  void wall() {
    const std::int64_t x = rng_.in(1, 30);
    const BlockTypeId type = rng_.pick({kAir, oracle::kStone});
    (void)world_.fillBox(1, {x, 0, 0}, {x, rng_.in(2, 12), rng_.in(2, 12)}, type);
  }
  std::vector<Vec3i>& anyEyes() {
    return scene_.eyes[static_cast<std::size_t>(rng_.below(static_cast<int>(scene_.eyes.size())))];
  }
  FixedBox& anyBox() {
    return scene_
        .boxes[static_cast<std::size_t>(rng_.below(static_cast<int>(scene_.boxes.size())))];
  }

  void change() {
    switch (rng_.below(16)) {
      case 0:
      case 1:
      case 2:
        for (Vec3i& eye : anyEyes())
          eye += moved();
        break;
      case 3:
      case 4: {
        FixedBox& box = anyBox();
        const Vec3i by = moved();
        box = {.min = box.min + by, .max = box.max + by};
        break;
      }
      case 5:
      case 6:
        for (int i = 0; i < 10; ++i)
          setAny();
        break;
      case 7:
        wall();
        break;
      case 8:
        changeChunks();
        break;
      case 9: {
        const auto i = static_cast<std::size_t>(rng_.below(static_cast<int>(handles_.size())));
        const Vec3d to{static_cast<double>(rng_.in(1, 30)), 4, static_cast<double>(rng_.in(1, 9))};
        EXPECT_TRUE(entities_.move(handles_[i], to).ok());
        break;
      }
      case 10:
        if (rng_.oneIn(3)) changeOptions();
        break;
      case 11:
        if (rng_.oneIn(3)) reorder();
        break;
      case 12:
        occluders_.clear();
        for (int i = rng_.below(3); i > 0; --i) {
          const Vec3i at = anywhere();
          occluders_.push_back({at, at + Vec3i{kWidth, 5 * kWidth, 5 * kWidth}});
        }
        break;
      case 13:
        changeBox(anyBox());
        break;
      case 14:
        for (Vec3i& eye : anyEyes())
          eye = anywhere();
        break;
      default:
        options_.each.unloaded = UnloadedSpace::kReport;
    }
  }
  // Lets a box grow, or exchanges it for another one.
  void changeBox(FixedBox& box) {
    if (rng_.oneIn(2)) {
      box = boxAt(anywhere());
    } else {
      box.max = box.min + Vec3i{kWidth, rng_.in(1, 2 * kWidth), kWidth};
    }
  }
  void changeChunks() {
    const ChunkCoord at{rng_.in(0, 1), 0, 0};
    if (world_.chunk(1, at) != nullptr && rng_.oneIn(3)) {
      EXPECT_TRUE(world_.unloadChunk(1, at).ok());
    } else if (world_.chunk(1, at) == nullptr) {
      load(1, at);
      for (int i = 0; i < 100; ++i)
        setAny();
    }
    if (!rng_.oneIn(4)) return;
    // The coarse chunk, with blocks where no fine one is loaded.
    if (world_.chunk(0, {0, 0, 0}) != nullptr) {
      EXPECT_TRUE(world_.unloadChunk(0, {0, 0, 0}).ok());
    } else {
      load(0, {0, 0, 0});
      (void)world_.setBlock(0, {rng_.in(0, 1), 0, 0}, oracle::kStone);
    }
  }
  void changeOptions() {
    SightOptions& each = options_.each;
    switch (rng_.below(8)) {
      case 0:
        each.unloaded = rng_.pick(
            {UnloadedSpace::kReport, UnloadedSpace::kOpaque, UnloadedSpace::kTransparent});
        break;
      case 1:
        each.through = rng_.oneIn(3) ? 1 : 0;
        break;
      case 2:
        each.filter.skip_start_inside = rng_.oneIn(2);
        break;
      case 3:
        each.boxes_block = !each.boxes_block;
        break;
      case 4:
        each.filter.channel = rng_.oneIn(3) ? oracle::kVisible : kDefaultChannel;
        break;
      case 5:
        levels_ = rng_.pick({LevelMask::all(), LevelMask::all(), LevelMask{1}, LevelMask{0}});
        break;
      case 6:
        options_.max_distance = rng_.oneIn(2) ? 12 * kWidth : 64 * kWidth;
        break;
      default:
        each.filter.block_filter = {};
        if (rng_.oneIn(3)) {
          const std::int64_t out = rng_.in(0, 31);
          each.filter.block_filter = [out](const BlockHit& hit) { return hit.block[0] != out; };
        }
    }
  }
  void reorder() {
    std::swap(anyBox(), anyBox());
    std::swap(anyEyes(), anyEyes());
    if (rng_.oneIn(2)) scene_.boxes.push_back(boxAt(anywhere()));
    if (scene_.boxes.size() > 7) scene_.boxes.erase(scene_.boxes.begin());
    if (rng_.oneIn(2)) addEyes();
    if (scene_.eyes.size() > 5) scene_.eyes.pop_back();
  }

  Rng rng_;
  World world_{{.levels = 2, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  RayQueryService service_{world_, entities_};
  std::vector<EntityHandle> handles_;
  TableScene scene_;
  LevelMask levels_ = LevelMask::all();
  SightTableOptions options_;
  std::vector<FixedBox> occluders_;
};

TEST(SightHistoryTest, AnswersAreThoseOfACallWithoutAHistoryWhateverChanges) {
  SightTableStats sum;
  for (int run = 0; run < 4; ++run) {
    MovingWorld moving(Rng("SightHistory" + std::to_string(run)).seed());
    SightHistory history;
    SightTable table;
    for (int tick = 0; tick < ticks() / 4; ++tick) {
      const std::uint64_t seed = moving.seed();
      moving.step();
      SightTableOptions& options = moving.options();
      options.history = nullptr;
      const absl::StatusOr<SightTable> fresh = moving.service().visibleBoxes(
          moving.scene().viewers(), moving.scene().boxes, moving.levels(), options);
      ASSERT_TRUE(fresh.ok()) << fresh.status();
      options.history = &history;
      ASSERT_TRUE(moving.service()
                      .visibleBoxes(moving.scene().viewers(), moving.scene().boxes, moving.levels(),
                                    options, table)
                      .ok());
      ASSERT_EQ(table.answers, fresh->answers)
          << "run " << run << ", tick " << tick << ", seed " << seed;
      const SightTableStats& stats = table.stats;
      ASSERT_EQ(stats.unchanged + stats.by_ray + stats.by_proof + stats.searched, stats.pairs);
      ASSERT_EQ(stats.pairs, fresh->stats.pairs);
      sum += stats;
      if (moving.rng().oneIn(200)) history.clear();
    }
  }
  // Each way is taken often.
  EXPECT_GT(sum.unchanged, sum.pairs / 10);
  EXPECT_GT(sum.by_ray, sum.pairs / 20);
  EXPECT_GT(sum.by_proof, sum.pairs / 20);
  EXPECT_GT(sum.searched, sum.pairs / 20);
}

// One viewer, one box, and a wall between them that fills a chunk.
class SightHistoryWallTest : public testing::Test {
 protected:
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

}  // namespace
}  // namespace fractalray::sight_test
