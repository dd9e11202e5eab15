// SPDX-License-Identifier: Apache-2.0
// Drives everything of an endless world together, with threads: a window, a streamer with a store
// of changes in a file and a source whose own threads answer, and visibility. Compares what is
// loaded, what is seen and the file with a plain model: positions below the root in big integers,
// what the source has for a path, and a map of the changes.
#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "../../executor/thread_executor.h"
#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../../streaming/visibility_stream.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../query/window_model.h"
#include "../streaming/threaded_source.h"
#include "change_store_fixture.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;
constexpr double kLoad = 0.6;
using Ids = std::array<BlockTypeId, kBlocksPerChunk>;

// Returns what the source has for a path: always the same, with few blocks.
Ids suppliedFor(const std::string& path) {
  Rng rng(path);
  Ids ids{};
  for (int count = rng.below(12); count > 0; --count)
    ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = oracle::kStone;
  for (int x = 0; x < 16; ++x)
    ids[static_cast<std::size_t>(indexInChunk({x, 7, 7}))] = oracle::kWater;
  return ids;
}
bool exists(const std::string& path) {
  return !Rng(path + "?").oneIn(6);
}

class StreamedWorldModelTest : public testing::TestWithParam<int> {
 protected:
  struct Change {
    BlockTypeId type;
    std::optional<std::int64_t> reverts_at;
  };

  StreamedWorldModelTest()
      : rng_("StreamedWorldModelTest" + std::to_string(GetParam())),
        source_(2, [this](const std::string& path) { return answerFor(path); }) {
    for (int step = 0; step < 40; ++step)
      EXPECT_EQ(model_.descend({7, 7, 7}).has_value(), moveTo(window_.descend({7, 7, 7})));
    open();
  }

  // Fails the first request for some paths. Called on the threads of the source.
  absl::StatusOr<Chunk> answerFor(const std::string& path) {
    if (!exists(path)) return absl::NotFoundError(path);
    if (Rng(path + "!").oneIn(6)) {
      const std::scoped_lock lock(mutex_);
      if (failed_.emplace(path, true).second) return absl::UnavailableError(path);
    }
    return Chunk::copied(suppliedFor(path), world_.blockTypes());
  }
  void open() {
    auto store = ChangeStore::open(folder_.file("world.changes"), world_.blockTypes());
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    StreamOptions options;
    for (int level = 0; level < kLevels; ++level)
      options.radii.emplace_back(StreamRadii{kLoad, 2 * kLoad});
    options.retry_ticks = 1;
    options.max_retry_ticks = 2;
    streamer_.emplace(ChunkStreamer::create(window_, source_, options, store_.get()).value());
    sight_.emplace(VisibilityStream::create(window_, {.rays = 300, .distance = 2000}).value());
  }
  // Loses everything that is not in the file.
  void reopen() {
    streamer_.reset();
    store_.reset();
    for (int level = 0; level < kLevels; ++level) {
      std::vector<ChunkCoord> loaded;
      world_.forEachLoaded(level,
                           [&](const ChunkCoord& at, const Chunk&) { loaded.push_back(at); });
      for (const ChunkCoord& at : loaded)
        ASSERT_TRUE(world_.unloadChunk(level, at).ok());
    }
    open();
  }

  bool moveTo(const absl::StatusOr<WindowMove>& move) {
    if (move.ok()) viewer_ = move->frame_move.pointAfter(viewer_).value_or(Vec3i{});
    return move.ok();
  }
  // More often down than up, so that it gets deep, and up to the root in between.
  void moveWindow() {
    const int kind = rng_.below(4);
    if (kind == 0) {
      for (int climbs = rng_.pick({1, 1, 1, 100}); climbs > 0; --climbs)
        EXPECT_EQ(model_.climb().has_value(), moveTo(window_.climb()));
    } else if (kind == 1) {
      const ChunkCoord near{rng_.in(-9, 9), rng_.in(-9, 9), rng_.in(-9, 9)};
      EXPECT_EQ(model_.recenter(near).has_value(), moveTo(window_.recenter(near)));
    } else {
      for (int descents = rng_.pick({1, 1, 2, 9}); descents > 0; --descents) {
        const ChunkCoord into = world_.frame().chunkAt(viewer_, 1);
        EXPECT_EQ(model_.descend(into).has_value(), moveTo(window_.descend(into)));
      }
    }
    EXPECT_EQ(window_.anchor().text(), model_.path(0, {0, 0, 0}));
    // Into the root, if a climb has left it.
    if (!model_.path(0, world_.frame().chunkAt(viewer_, 0)).has_value()) viewer_ = {100, 100, 100};
  }
  void moveViewer() {
    const std::int64_t step = world_.frame().chunkWidth(rng_.below(kLevels)) / 2;
    const std::int64_t limit = 2 * world_.frame().chunkWidth(0);
    for (int axis = 0; axis < 3; ++axis)
      viewer_[axis] = std::clamp(viewer_[axis] + rng_.in(-step, step), -limit, limit);
  }

  // Returns a change to a block near the viewer, with the path that the model has for it.
  std::optional<BlockChange> randomChange() {
    const int level = rng_.below(kLevels);
    BlockCoord block = world_.frame().blockAt(viewer_, level);
    for (int axis = 0; axis < 3; ++axis)
      block[axis] += rng_.in(-12, 12);
    std::optional<BlockTypeId> type;
    if (!rng_.oneIn(5)) type = rng_.pick({kAir, oracle::kStone, oracle::kGlass});
    std::optional<std::int64_t> reverts_at;
    if (type.has_value() && rng_.oneIn(3)) reverts_at = now_ + rng_.below(10);
    const auto change = streamer_->changeOf(level, block, type, reverts_at);
    const std::optional<std::string> path = model_.path(level, chunkOf(block));
    EXPECT_EQ(change.ok(), path.has_value());
    if (!change.ok()) return std::nullopt;
    EXPECT_EQ(change->chunk.text(), *path);
    return *change;
  }
  void setBlocks() {
    std::vector<BlockChange> changes;
    for (int count = rng_.pick({1, 1, 5, 50}); count > 0; --count) {
      const std::optional<BlockChange> change = randomChange();
      if (change.has_value()) changes.push_back(*change);
    }
    ASSERT_TRUE(streamer_->setBlocks(changes).ok());
    for (const BlockChange& change : changes) {
      const std::pair key(change.chunk.text(), change.block);
      if (change.type.has_value()) {
        changes_[key] = {*change.type, change.reverts_at};
      } else {
        changes_.erase(key);
      }
    }
  }
  void revert() {
    now_ += rng_.below(5);
    std::erase_if(changes_, [this](const auto& entry) {
      return entry.second.reverts_at.has_value() && *entry.second.reverts_at <= now_;
    });
    while (streamer_->revertChanges(now_, 7).value() > 0) {
    }
  }
  void tick() {
    const Vec3i viewer = viewer_;
    const bool on_threads = rng_.oneIn(2);
    const absl::Status status =
        on_threads ? streamer_->tick({&viewer, 1}, threads_) : streamer_->tick({&viewer, 1});
    ASSERT_TRUE(status.ok()) << status;
  }

  // Returns the blocks of a chunk, by the model.
  Ids expectedFor(const std::string& path) const {
    Ids expected = suppliedFor(path);
    for (auto it = changes_.lower_bound({path, 0}); it != changes_.end() && it->first.first == path;
         ++it) {
      expected[static_cast<std::size_t>(it->first.second)] = it->second.type;
    }
    return expected;
  }
  void expectLoadedIsRight() {
    for (int level = 0; level < kLevels; ++level) {
      world_.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
        const std::optional<std::string> path = model_.path(level, at);
        ASSERT_TRUE(path.has_value());
        EXPECT_TRUE(exists(*path)) << *path;
        const Ids expected = expectedFor(*path);
        int block = 0;
        while (block < kBlocksPerChunk &&
               chunk.block(block) == expected[static_cast<std::size_t>(block)]) {
          ++block;
        }
        EXPECT_EQ(block, kBlocksPerChunk) << *path;
        ++compared_;
      });
    }
  }
  void look() {
    ASSERT_TRUE(sight_->tick(service_, {.from = viewer_}, threads_).ok());
    for (const SeenBlock& seen : sight_->changes().blocks_in) {
      const std::optional<std::string> path = model_.path(seen.level, chunkOf(seen.block));
      ASSERT_TRUE(path.has_value());
      const auto index = static_cast<std::size_t>(indexInChunk(seen.block));
      EXPECT_EQ(seen.type, expectedFor(*path)[index]) << *path << ", block " << index;
      ++seen_;
    }
    for (const ChunkOfLevel& unknown : sight_->unknown())
      EXPECT_EQ(world_.chunk(unknown.level, unknown.chunk), nullptr);
    ASSERT_TRUE(streamer_->want(sight_->unknown()).ok());
  }
  // Checks that nothing around the viewer is missing, once the streamer has come to rest: for more
  // ticks than a failed chunk waits for its next request.
  void expectComplete() {
    constexpr int kRest = 4;
    int rested = 0;
    for (int i = 0; i < 3000 && rested < kRest; ++i) {
      tick();
      const StreamStats stats = streamer_->stats();
      const bool rests =
          stats.pending == 0 && streamer_->loaded().empty() && streamer_->unloaded().empty();
      rested = rests ? rested + 1 : 0;
      if (!rests) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(rested, kRest);
    for (int level = 0; level < kLevels; ++level) {
      const ChunkCoord at = world_.frame().chunkAt(viewer_, level);
      const std::optional<std::string> path = model_.path(level, at);
      if (!path.has_value()) continue;
      const bool is_expanded =
          level == 0 || world_.block(level - 1, parentBlock(at)).value_or(kAir) != kAir;
      if (!is_expanded) continue;
      EXPECT_EQ(world_.chunk(level, at) != nullptr, exists(*path)) << *path;
    }
  }
  // Compares what the file has of each chunk with the model.
  void expectFileIsRight() {
    std::map<std::string, std::size_t> counts;
    for (const auto& [key, change] : changes_)
      ++counts[key.first];
    for (const auto& [path, count] : counts) {
      const auto stored = store_->changesOf(ChunkPath::parse(path).value());
      ASSERT_TRUE(stored.ok()) << stored.status();
      EXPECT_EQ(stored->size(), count) << path;
      for (const ChangedBlock& change : *stored) {
        const auto found = changes_.find({path, change.block});
        ASSERT_NE(found, changes_.end()) << path;
        EXPECT_EQ(change.type, found->second.type);
        EXPECT_EQ(change.reverts_at, found->second.reverts_at);
      }
    }
  }

  Rng rng_;
  luanti_fixture::TempDirectory folder_;
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_};
  WindowModel model_{.frame = world_.frame()};
  RayQueryService service_{world_, entities_};
  ThreadExecutor threads_{2};
  Vec3i viewer_{100, 100, 100};
  std::mutex mutex_;
  std::map<std::string, bool> failed_;  // paths whose first request has failed
  ThreadedSource source_;
  std::unique_ptr<ChangeStore> store_;
  std::optional<ChunkStreamer> streamer_;
  std::optional<VisibilityStream> sight_;
  std::int64_t now_ = 0;
  std::map<std::pair<std::string, int>, Change> changes_;  // by path and index
  std::size_t compared_ = 0;
  std::size_t seen_ = 0;
};

TEST_P(StreamedWorldModelTest, WhatIsLoadedSeenAndStoredIsThatOfTheModel) {
  for (int step = 0; step < 80; ++step) {
    switch (rng_.below(12)) {
      case 0:
      case 1:
        moveWindow();
        break;
      case 2:
        revert();
        break;
      case 3:
        if (rng_.oneIn(4)) reopen();
        break;
      case 4:
        ASSERT_TRUE(store_->maintain().ok());
        break;
      case 5:
      case 6:
        moveViewer();
        break;
      case 7:
        expectComplete();
        break;
      default:
        setBlocks();
    }
    tick();
    // However slowly the source's threads answer, there is something to compare now and then.
    if (step % 8 == 7) expectComplete();
    expectLoadedIsRight();
    look();
    if (HasFailure()) FAIL() << "in step " << step;
  }
  expectComplete();
  reopen();
  expectFileIsRight();
  EXPECT_GT(compared_, 200U);
  EXPECT_GT(seen_, 50U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamedWorldModelTest, testing::Range(0, 6));

}  // namespace
}  // namespace fractalray
