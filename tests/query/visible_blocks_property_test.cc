// SPDX-License-Identifier: Apache-2.0
// Visible blocks in random worlds against the sight of each block of the sphere, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

#include "../../core/units.h"
#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "sight_scene.h"

namespace fractalray::visible_blocks_test {
namespace {

using oracle::kGlass;
using oracle::kGrate;
using oracle::kMist;
using oracle::kSlab;
using oracle::kStairs;
using oracle::kStone;
using oracle::kWater;
using oracle::Rng;
using sight_test::SceneKind;
using sight_test::SightCase;

constexpr std::int64_t kWidth = kUnitsPerBlock;

int rounds(int few, int many) {
  return oracle::isLongRun() ? many : few;
}

// A query for visible blocks in a world of its own.
struct BlocksCase {
  const World* world = nullptr;
  const EntityIndex* entities = nullptr;
  Vec3d eye{};
  double radius = 0;
  LevelMask levels{};
  VisibleBlocksOptions options{};
  std::vector<FixedBox> occluders{};
  std::vector<BlockTypeId> types{};

  VisibleBlocksOptions allOptions() const {
    VisibleBlocksOptions all = options;
    all.types = types;
    all.sight.occluders = occluders;
    return all;
  }
  std::string text() const {
    return absl::StrCat("eye ", eye[0], " ", eye[1], " ", eye[2], " radius ", radius, " levels ",
                        formatLevelMask(levels), " through ", options.sight.through,
                        " skip_start_inside ", options.sight.filter.skip_start_inside, " unloaded ",
                        static_cast<int>(options.sight.unloaded));
  }
};

// Returns what each block of the sphere answers to visible().
VisibleBlocks oneByOne(const BlocksCase& made) {
  const RayQueryService service(*made.world, *made.entities);
  const VisibleBlocksOptions options = made.allOptions();
  QueryFilter targets = options.targets;
  targets.block_filter = [&](const BlockHit& hit) {
    const bool is_type = options.types.empty() ||
                         std::count(options.types.begin(), options.types.end(), hit.type) > 0;
    return is_type && (!options.targets.block_filter || options.targets.block_filter(hit));
  };
  VisibleBlocks expected;
  const auto blocks = blocksInSphere(*made.world, made.eye, made.radius, made.levels, targets);
  EXPECT_TRUE(blocks.ok()) << blocks.status();
  for (const FoundBlock& one : *blocks) {
    const std::int64_t width = made.world->frame().blockWidth(one.level);
    const Vec3i min = Vec3i{one.block[0], one.block[1], one.block[2]} * width;
    const SightQuery query{.eye = *toUnits(made.eye),
                           .box = {.min = min, .max = min + Vec3i{width, width, width}}};
    const auto answer = service.visible(query, made.levels, options.sight);
    EXPECT_TRUE(answer.ok()) << answer.status();
    if (answer->sight == Sight::kVisible) expected.visible.push_back(one);
    if (answer->sight == Sight::kUnknown) expected.unknown.push_back(one);
    ++expected.stats.asked;
  }
  return expected;
}

// Counts what has happened in many cases.
struct Seen {
  std::uint64_t covered = 0;
  std::uint64_t visible = 0;
  std::uint64_t unknown = 0;
  std::uint64_t hidden = 0;  // though not covered
};

void compare(const BlocksCase& made, Seen& seen) {
  const RayQueryService service(*made.world, *made.entities);
  const VisibleBlocks expected = oneByOne(made);
  const auto found = service.visibleBlocks(made.eye, made.radius, made.levels, made.allOptions());
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->visible, expected.visible) << made.text();
  ASSERT_EQ(found->unknown, expected.unknown) << made.text();
  ASSERT_TRUE(found->undecided.empty());
  ASSERT_EQ(found->stats.covered + found->stats.asked, expected.stats.asked);
  seen.covered += found->stats.covered;
  seen.visible += found->visible.size();
  seen.unknown += found->unknown.size();
  seen.hidden += found->stats.asked - found->visible.size() - found->unknown.size();
}

std::int64_t nearPlane(Rng& rng, std::int64_t low, std::int64_t high, std::int64_t width) {
  const std::int64_t plane = rng.in(low / width, high / width) * width;
  return rng.oneIn(3) ? plane + width / 2 : plane + (rng.oneIn(2) ? 0 : rng.in(-2, 2));
}

// Chooses the options at random.
void chooseOptions(Rng& rng, BlocksCase& made) {
  SightOptions& sight = made.options.sight;
  sight.through = rng.oneIn(6) ? static_cast<std::uint32_t>(rng.in(1, 2)) : 0;
  sight.filter.skip_start_inside = rng.oneIn(3);
  sight.filter.blocks = !rng.oneIn(12);
  sight.boxes_block = rng.oneIn(3);
  sight.report_certificate = rng.oneIn(4);
  sight.unloaded = rng.pick({UnloadedSpace::kReport, UnloadedSpace::kReport,
                             UnloadedSpace::kTransparent, UnloadedSpace::kOpaque});
  if (rng.oneIn(3)) sight.filter.channel = oracle::kVisible;
  if (rng.oneIn(4))
    sight.filter.block_filter = [](const BlockHit& hit) { return hit.block[1] % 3 != 0; };
  QueryFilter& targets = made.options.targets;
  if (rng.oneIn(3)) targets.channel = oracle::kVisible;
  targets.solid_only = rng.oneIn(4);
  if (rng.oneIn(4))
    targets.block_filter = [](const BlockHit& hit) { return hit.block[0] % 2 == 0; };
  made.radius =
      rng.pick({0.0, 1.5, static_cast<double>(rng.in(2, 20)), static_cast<double>(rng.in(2, 60)),
                std::numeric_limits<double>::infinity()});
}

Vec3d blocksOf(const Vec3i& units) {
  Vec3d blocks;
  for (int axis = 0; axis < 3; ++axis)
    blocks[axis] = static_cast<double>(units[axis]) / static_cast<double>(kWidth);
  return blocks;
}

class VisibleBlocksPropertyTest : public testing::TestWithParam<int> {};

TEST_P(VisibleBlocksPropertyTest, AreThoseThatSayVisible) {
  Rng rng = oracle::rngOf("VisibleBlocks" + std::to_string(GetParam()));
  Seen seen;
  for (int i = 0; i < rounds(300, 8000); ++i) {
    const std::uint64_t seed = rng.seed();
    const SightCase scene = randomCase(rng, static_cast<SceneKind>(GetParam()));
    BlocksCase made{.world = scene.world.get(),
                    .entities = scene.entities.get(),
                    .eye = blocksOf(scene.query.eye),
                    .levels = scene.levels};
    chooseOptions(rng, made);
    if (rng.oneIn(3)) made.occluders.push_back(scene.query.box);
    compare(made, seen);
    if (HasFatalFailure()) FAIL() << oracle::repeatBy(seed);
  }
  EXPECT_GT(seen.visible, 0U);
  EXPECT_GT(seen.hidden, 0U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, VisibleBlocksPropertyTest,
                         testing::Values(static_cast<int>(SceneKind::kGrid),
                                         static_cast<int>(SceneKind::kChequer),
                                         static_cast<int>(SceneKind::kUnloaded),
                                         static_cast<int>(SceneKind::kLevels),
                                         static_cast<int>(SceneKind::kShapes)));

// Dense rock on several levels: most blocks are covered by neighbours, of their own level or a
// coarser one, or lie at unloaded chunks.
class RockTest : public testing::Test {
 protected:
  BlocksCase rock(Rng& rng) {
    const int levels = rng.pick({1, 2, 2, 3});
    world_ = std::make_unique<World>(
        WorldOptions{.levels = levels, .block_types = oracle::sceneTypes()});
    entities_ = std::make_unique<EntityIndex>(world_->frame());
    low_ = high_ = Vec3i{};
    fillChunk(rng, 0, {0, 0, 0}, 6);
    ChunkCoord at{rng.in(1, 3), rng.in(1, 3), rng.in(1, 3)};
    for (int level = 1; level < levels; ++level) {
      for (int i = 0; i < 3; ++i)
        fillChunk(rng, level, {at[0] + rng.in(0, 1), at[1] + rng.in(0, 1), at[2]}, 6);
      for (int axis = 0; axis < 3; ++axis)
        at[axis] = at[axis] * kChunkSize + rng.in(0, 4);
    }
    BlocksCase made{.world = world_.get(), .entities = entities_.get()};
    const std::int64_t width = world_->frame().blockWidth(rng.below(levels));
    Vec3i eye;
    for (int axis = 0; axis < 3; ++axis)
      eye[axis] = nearPlane(rng, low_[axis] - width, high_[axis] + width, width);
    made.eye = blocksOf(eye);
    made.levels = rng.pick({LevelMask::all(), LevelMask::all(), LevelMask{0}, LevelMask{0, 2}});
    chooseOptions(rng, made);
    if (rng.oneIn(2)) made.types = {kGlass, kMist, kSlab};
    for (int i = rng.below(3); i > 0; --i) {
      const Box box{{2, static_cast<double>(rng.in(1, 7)), 2}};
      const Vec3d near{made.eye[0] + static_cast<double>(rng.in(-9, 9)), made.eye[1],
                       made.eye[2] + static_cast<double>(rng.in(-9, 9))};
      EXPECT_TRUE(
          entities_->add({.id = static_cast<EntityId>(i), .shape = box, .position = near}).ok());
    }
    return made;
  }

 private:
  // Fills a corner of a chunk, `size` blocks wide.
  void fillChunk(Rng& rng, int level, const ChunkCoord& at, std::int64_t size) {
    if (world_->chunk(level, at) == nullptr && !world_->loadChunk(level, at, Chunk()).ok()) return;
    const std::int64_t width = world_->frame().blockWidth(level);
    const BlockCoord first = blockOf(at, 0);
    low_ = Vec3i{first[0], first[1], first[2]} * width;
    high_ = low_ + Vec3i{size, size, size} * width;
    const int air = rng.pick({0, 3, 10, 30});
    for (std::int64_t i = 0; i < size * size * size; ++i) {
      if (rng.below(100) < air) continue;
      const BlockCoord block{first[0] + i % size, first[1] + i / size % size,
                             first[2] + i / (size * size)};
      const BlockTypeId type = rng.pick({kStone, kStone, kStone, kStone, kStone, kStone, kGlass,
                                         kWater, kMist, kSlab, kStairs, kGrate});
      EXPECT_TRUE(world_->setBlock(level, block, type).ok());
    }
  }

  std::unique_ptr<World> world_;
  std::unique_ptr<EntityIndex> entities_;
  Vec3i low_;  // of the part that was filled last
  Vec3i high_;
};

TEST_F(RockTest, VisibleBlocksAreThoseThatSayVisible) {
  Rng rng = oracle::rngOf("Rock");
  Seen seen;
  for (int i = 0; i < rounds(300, 8000); ++i) {
    const std::uint64_t seed = rng.seed();
    const BlocksCase made = rock(rng);
    compare(made, seen);
    if (HasFatalFailure()) FAIL() << oracle::repeatBy(seed);
  }
  EXPECT_GT(seen.covered, 1000U);
  EXPECT_GT(seen.visible, 1000U);
  EXPECT_GT(seen.unknown, 100U);
  EXPECT_GT(seen.hidden, 100U);
}

// A limit leaves blocks out of both lists only into the list of undecided ones.
TEST_F(RockTest, LimitsOfStepsNeverChangeAnAnswer) {
  Rng rng = oracle::rngOf("RockSteps");
  int cut_off = 0;
  for (int i = 0; i < rounds(40, 1000); ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    const BlocksCase made = rock(rng);
    const RayQueryService service(*made.world, *made.entities);
    VisibleBlocksOptions options = made.allOptions();
    const auto whole = service.visibleBlocks(made.eye, made.radius, made.levels, options);
    ASSERT_TRUE(whole.ok()) << whole.status();
    const std::uint64_t steps = whole->stats.sight.steps();
    for (const std::uint64_t limit : {std::uint64_t{0}, steps / 4, steps / 2, 4 * steps + 1000}) {
      options.sight.max_steps = limit;
      VisibleBlocks part;
      ASSERT_TRUE(service.visibleBlocks(made.eye, made.radius, made.levels, options, part).ok());
      ASSERT_LE(part.visible.size(), whole->visible.size());
      ASSERT_LE(part.unknown.size(), whole->unknown.size());
      EXPECT_TRUE(std::equal(part.visible.begin(), part.visible.end(), whole->visible.begin()));
      EXPECT_TRUE(std::equal(part.unknown.begin(), part.unknown.end(), whole->unknown.begin()));
      const auto is_undecided = [&](const FoundBlock& one) {
        return std::count(part.undecided.begin(), part.undecided.end(), one) == 1;
      };
      EXPECT_TRUE(
          std::all_of(whole->visible.begin() + static_cast<std::ptrdiff_t>(part.visible.size()),
                      whole->visible.end(), is_undecided));
      EXPECT_TRUE(
          std::all_of(whole->unknown.begin() + static_cast<std::ptrdiff_t>(part.unknown.size()),
                      whole->unknown.end(), is_undecided));
      EXPECT_EQ(part.stats.covered, whole->stats.covered);
      if (part.undecided.empty()) {
        EXPECT_LE(part.stats.sight.steps(), limit);
      } else {
        EXPECT_LE(limit, steps) << "refused with more than enough steps";
        EXPECT_EQ(part.stats.asked - 1 + part.undecided.size(), whole->stats.asked);
        ++cut_off;
      }
    }
  }
  EXPECT_GT(cut_off, 10);
}

// Far from the origin, and nested chunks of all kinds.
TEST(VisibleBlocksScenesTest, AreThoseThatSayVisible) {
  Rng rng = oracle::rngOf("VisibleBlocksScenes");
  Seen seen;
  for (int i = 0; i < rounds(30, 3000); ++i) {
    const std::uint64_t seed = rng.seed();
    const auto scene = oracle::randomScene(rng, static_cast<int>(rng.in(1, 3)), 4, 30);
    BlocksCase made{.world = &scene->world, .entities = &scene->entities};
    const std::int64_t width = scene->world.frame().blockWidth(0);
    Vec3i eye;
    // Multiples of 2^10 units, which doubles have also far out.
    for (int axis = 0; axis < 3; ++axis)
      eye[axis] = scene->center[axis] + rng.in(-20, 20) * (rng.oneIn(2) ? width : width / 64);
    made.eye = blocksOf(eye);
    made.levels = rng.pick({LevelMask::all(), LevelMask::all(), LevelMask{0}});
    chooseOptions(rng, made);
    compare(made, seen);
    if (HasFatalFailure()) FAIL() << oracle::repeatBy(seed);
  }
  EXPECT_GT(seen.visible, 0U);
  EXPECT_GT(seen.unknown, 0U);
}

}  // namespace
}  // namespace fractalray::visible_blocks_test
