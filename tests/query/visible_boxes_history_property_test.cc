// SPDX-License-Identifier: Apache-2.0
// visibleBoxes() with a history: over many ticks the answers of a call without one, whatever moves
// and changes.
#include <gtest/gtest.h>

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

// Viewers and boxes that move through a world of two levels in which everything changes.
class MovingWorld {
 public:
  static constexpr std::int64_t kWidth = kUnitsPerBlock;

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

// A world changes over so many ticks; then another one begins, so that a failure is near the
// beginning of its run.
constexpr int kTicksOfRun = 500;
int runs() {
  return oracle::isLongRun() ? 200 : 4;
}

// Returns the seed of a run: of the first one that of a failure, to repeat it.
std::uint64_t seedOf(int run) {
  const std::string name = "SightHistory" + std::to_string(run);
  return run == 0 ? oracle::rngOf(name).seed() : Rng(name).seed();
}

// Compares the answers with and without the history; adds to the work of those with it.
void compare(MovingWorld& moving, SightHistory& history, SightTable& table, SightTableStats& sum) {
  SightTableOptions& options = moving.options();
  const std::vector<SightViewer> viewers = moving.scene().viewers();
  const std::vector<FixedBox>& boxes = moving.scene().boxes;
  options.history = nullptr;
  const absl::StatusOr<SightTable> fresh =
      moving.service().visibleBoxes(viewers, boxes, moving.levels(), options);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  options.history = &history;
  const absl::Status status =
      moving.service().visibleBoxes(viewers, boxes, moving.levels(), options, table);
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_EQ(table.answers, fresh->answers);
  const SightTableStats& stats = table.stats;
  ASSERT_EQ(stats.unchanged + stats.by_ray + stats.by_proof + stats.searched, stats.pairs);
  ASSERT_EQ(stats.pairs, fresh->stats.pairs);
  sum += stats;
}

// Over 100,000 ticks in a long run.
TEST(SightHistoryTest, AnswersAreThoseOfACallWithoutAHistoryWhateverChanges) {
  SightTableStats sum;
  for (int run = 0; run < runs(); ++run) {
    const std::uint64_t seed = seedOf(run);
    MovingWorld moving(seed);
    SightHistory history;
    SightTable table;
    for (int tick = 0; tick < kTicksOfRun; ++tick) {
      moving.step();
      compare(moving, history, table, sum);
      if (HasFatalFailure())
        FAIL() << oracle::repeatBy(seed) << ", run " << run << ", tick " << tick;
      if (moving.rng().oneIn(200)) history.clear();
    }
  }
  // Each way is taken often.
  EXPECT_GT(sum.unchanged, sum.pairs / 10);
  EXPECT_GT(sum.by_ray, sum.pairs / 20);
  EXPECT_GT(sum.by_proof, sum.pairs / 20);
  EXPECT_GT(sum.searched, sum.pairs / 20);
}

}  // namespace
}  // namespace fractalray::sight_test
