// SPDX-License-Identifier: Apache-2.0
// A streamer searches a level only where something may have changed: compares it, tick by tick,
// with one that searches all levels in every tick, through the same random moves, edits and
// answers.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "fake_changes.h"
#include "fake_source.h"

namespace fractalray::streamer_search_test {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;

// A world with its streamer. Two of them with the same generator and the same calls do the same.
class Streamed {
 public:
  explicit Streamed(const std::string& seed) : rng_(seed) {
    Rng rng("options " + seed);
    for (int level = 0; level < kLevels; ++level) {
      const double load = rng.below(12) * 0.1;
      options_.radii.emplace_back(StreamRadii{load, load + rng.below(4) * 0.2});
    }
    options_.chunks_per_tick = static_cast<std::size_t>(rng.pick({2, 10, 1000}));
    options_.max_bytes = static_cast<std::size_t>(rng.pick({40'000, 200'000, 1'000'000'000}));
    options_.max_pending = static_cast<std::size_t>(rng.pick({5, 1000}));
    options_.answer_ticks = 8;
    options_.retry_ticks = 2;
    options_.max_retry_ticks = 5;
    options_.want_ticks = static_cast<std::uint64_t>(rng.pick({1, 4, 30}));
    streamer_.emplace(ChunkStreamer::create(window_, source_, options_, &changes_).value());
  }

  const ChunkStreamer& streamer() const { return *streamer_; }
  // Checks that the last tick has kept to the options.
  void expectWithinLimits() const {
    const StreamStats stats = streamer_->stats();
    EXPECT_LE(streamer_->loaded().size(), options_.chunks_per_tick);
    EXPECT_LE(stats.pending, options_.max_pending);
    // A coarser chunk that is loaded after its finer chunks takes more than was known.
    EXPECT_LE(stats.bytes, options_.max_bytes + 600);
  }
  void searchAgain() { ASSERT_TRUE(streamer_->setOptions(options_).ok()); }

  // Does something, or nothing, and ticks.
  void step() {
    switch (rng_.below(16)) {
      case 0:
        moveWindow();
        break;
      case 1:
        viewers_.assign(static_cast<std::size_t>(rng_.below(3)), viewer());
        break;
      case 2:
        viewers_.push_back(pointNear(0));
        if (viewers_.size() > 3) viewers_.erase(viewers_.begin());
        break;
      case 3:
        want();
        break;
      case 4:
        editWorld();
        break;
      case 5:
        setBlocks();
        break;
      case 6:
      case 7:
        answerSome();
        break;
      case 8:
      case 9:
        break;
      default:
        walk();
    }
    const absl::Status status = streamer_->tick(viewers_);
    ASSERT_TRUE(status.ok()) << status;
  }

 private:
  std::optional<absl::StatusOr<Chunk>> answerTo(const std::string& path) const {
    Rng rng(path);
    switch (rng.below(8)) {
      case 0:
        return absl::NotFoundError(path);
      case 1:
        return absl::UnavailableError(path);
      case 2:
      case 3:
        return std::nullopt;
      default:
        return contentOf(path);
    }
  }
  absl::StatusOr<Chunk> contentOf(const std::string& path) const {
    Rng rng("content of " + path);
    if (rng.oneIn(3)) return Chunk::uniform(oracle::kStone, world_.blockTypes());
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    for (int count = rng.below(300); count > 0; --count)
      ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = oracle::kStone;
    return Chunk::copied(ids, world_.blockTypes());
  }

  Vec3i viewer() const { return viewers_.empty() ? Vec3i{100, 100, 100} : viewers_.back(); }
  // Returns a point up to a chunk width of a level away from a viewer.
  Vec3i pointNear(int level) {
    Vec3i point = viewer();
    const std::int64_t width = world_.frame().chunkWidth(level);
    for (int axis = 0; axis < 3; ++axis)
      point[axis] += rng_.in(-width, width);
    return point;
  }
  void walk() {
    for (Vec3i& viewer : viewers_) {
      const std::int64_t step = world_.frame().chunkWidth(rng_.below(kLevels)) / rng_.pick({3, 20});
      for (int axis = 0; axis < 3; ++axis)
        viewer[axis] += rng_.in(-step, step);
    }
  }
  void moveWindow() {
    const auto to = [&] { return ChunkCoord{rng_.in(-1, 1), rng_.in(-1, 1), rng_.in(-1, 1)}; };
    const auto move = rng_.oneIn(3)   ? window_.climb()
                      : rng_.oneIn(2) ? window_.recenter(to())
                                      : window_.descend(world_.frame().chunkAt(viewer(), 1));
    if (!move.ok()) return;
    for (Vec3i& viewer : viewers_)
      viewer = move->frame_move.pointAfter(viewer).value_or(Vec3i{});
  }
  void want() {
    const int level = rng_.below(kLevels);
    const ChunkOfLevel chunk{level, world_.frame().chunkAt(pointNear(0), level)};
    if (rng_.oneIn(2)) {
      ASSERT_TRUE(streamer_->want({&chunk, 1}).ok());
    } else {
      const Segment line{toBlocks(viewer()), toBlocks(pointNear(0))};
      ASSERT_TRUE(streamer_->want(line, LevelMask::all(), 5).ok());
    }
  }
  void editWorld() {
    const int level = rng_.below(kLevels);
    const BlockCoord block = world_.frame().blockAt(pointNear(level), level);
    const ChunkCoord chunk = chunkOf(block);
    switch (rng_.below(3)) {
      case 0:
        world_.setBlock(level, block, rng_.pick({kAir, oracle::kStone})).IgnoreError();
        break;
      case 1:
        world_.unloadChunk(level, chunk).IgnoreError();
        break;
      default:
        if (world_.chunk(level, chunk) == nullptr) {
          ASSERT_TRUE(world_.loadChunk(level, chunk, contentOf("engine").value()).ok());
        }
    }
  }
  void setBlocks() {
    const int level = rng_.below(kLevels);
    const BlockCoord block = world_.frame().blockAt(pointNear(level), level);
    const auto reverts_at = rng_.oneIn(2) ? std::optional(now_ + 5) : std::nullopt;
    // A chunk of the engine refuses it.
    streamer_->setBlock(level, block, rng_.pick({kAir, oracle::kGlass}), reverts_at).IgnoreError();
    ASSERT_TRUE(streamer_->revertChanges(++now_).ok());
  }
  void answerSome() {
    auto& kept = source_.kept();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (rng_.oneIn(2)) continue;
      kept[i].second.answer(contentOf(kept[i].first)).IgnoreError();
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }

  Rng rng_;
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("777_777_777_777").value()};
  FakeSource source_{[this](const std::string& path) { return answerTo(path); }};
  FakeChanges changes_;
  StreamOptions options_;
  std::optional<ChunkStreamer> streamer_;
  std::vector<Vec3i> viewers_{{100, 100, 100}};
  std::int64_t now_ = 0;
};

std::vector<ChunkOfLevel> listOf(std::span<const ChunkOfLevel> chunks) {
  return {chunks.begin(), chunks.end()};
}

class StreamerSearchTest : public testing::TestWithParam<int> {};

TEST_P(StreamerSearchTest, SearchingAllLevelsInEveryTickFindsNothingElse) {
  const std::string seed = "StreamerSearchTest" + std::to_string(GetParam());
  Streamed streamed(seed);
  Streamed thorough(seed);
  for (int step = 0; step < 300; ++step) {
    streamed.step();
    thorough.searchAgain();
    thorough.step();
    EXPECT_EQ(listOf(streamed.streamer().loaded()), listOf(thorough.streamer().loaded()));
    EXPECT_EQ(listOf(streamed.streamer().unloaded()), listOf(thorough.streamer().unloaded()));
    EXPECT_EQ(streamed.streamer().stats(), thorough.streamer().stats());
    streamed.expectWithinLimits();
    if (HasFailure()) FAIL() << "in step " << step;
  }
  EXPECT_GT(streamed.streamer().stats().loaded, 0U);
}

// More if FRACTALRAY_LONG_TESTS is set.
INSTANTIATE_TEST_SUITE_P(Seeds, StreamerSearchTest,
                         testing::Range(0, oracle::isLongRun() ? 2000 : 40));

}  // namespace
}  // namespace fractalray::streamer_search_test
