// SPDX-License-Identifier: Apache-2.0
// Drives a streamer with a store of changes in a file: random edits, reverts, loads, unloads and
// moves of the window, and the store closed and opened again; and compares every loaded block with
// a plain map on top of what the source supplies.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../streaming/fake_source.h"
#include "change_store_fixture.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;
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

class ChangeModelTest : public testing::TestWithParam<int> {
 protected:
  struct Change {
    BlockTypeId type;
    std::optional<std::int64_t> reverts_at;
  };

  ChangeModelTest()
      : rng_("ChangeModelTest" + std::to_string(GetParam())),
        source_([this](const std::string& path) -> std::optional<absl::StatusOr<Chunk>> {
          if (Rng(path + "?").oneIn(4)) return std::nullopt;
          return Chunk::copied(suppliedFor(path), world_.blockTypes());
        }) {
    for (int level = 0; level < kLevels; ++level)
      options_.radii.emplace_back(StreamRadii{0.6, 1.2});
    open();
  }

  void open() {
    auto store = ChangeStore::open(folder_.file("world.changes"), world_.blockTypes());
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    streamer_.emplace(ChunkStreamer::create(window_, source_, options_, store_.get()).value());
  }
  // Loses everything that is not in the file.
  void reopen() {
    streamer_.reset();
    store_.reset();
    source_.kept().clear();
    for (int level = 0; level < kLevels; ++level) {
      std::vector<ChunkCoord> loaded;
      world_.forEachLoaded(level,
                           [&](const ChunkCoord& at, const Chunk&) { loaded.push_back(at); });
      for (const ChunkCoord& at : loaded)
        ASSERT_TRUE(world_.unloadChunk(level, at).ok());
    }
    open();
  }

  // Returns a block near the viewer, of a chunk that may be loaded or not, or of one far deeper.
  BlockChange randomChange() {
    const int level = rng_.below(kLevels);
    BlockCoord block = world_.frame().blockAt(viewer_, level);
    for (int axis = 0; axis < 3; ++axis)
      block[axis] += rng_.in(-20, 20);
    // Outside the root there is none: then the first block of the root.
    BlockChange change = streamer_->changeOf(level, block, std::nullopt).value_or(BlockChange());
    if (rng_.oneIn(8)) change.chunk = *change.chunk.inFrame({1, 2, 3}, 1 + rng_.below(30));
    if (!rng_.oneIn(5)) change.type = rng_.pick({kAir, oracle::kStone, oracle::kGlass});
    if (change.type.has_value() && rng_.oneIn(3)) change.reverts_at = now_ + rng_.below(10);
    return change;
  }
  void setBlocks() {
    std::vector<BlockChange> changes;
    for (int count = rng_.pick({1, 1, 5, 50}); count > 0; --count)
      changes.push_back(randomChange());
    if (rng_.oneIn(5)) {
      changes.push_back(changes.front());
      changes.back().block = kBlocksPerChunk;
      EXPECT_FALSE(streamer_->setBlocks(changes).ok());
      return;
    }
    const absl::Status status = streamer_->setBlocks(changes);
    ASSERT_TRUE(status.ok()) << status;
    for (const BlockChange& change : changes) {
      const std::pair key(change.chunk.text(), change.block);
      if (change.type.has_value()) {
        model_[key] = {*change.type, change.reverts_at};
      } else {
        model_.erase(key);
      }
    }
  }
  void revert() {
    now_ += rng_.below(5);
    const std::size_t reverted = std::erase_if(model_, [this](const auto& entry) {
      return entry.second.reverts_at.has_value() && *entry.second.reverts_at <= now_;
    });
    std::size_t found = 0;
    for (std::size_t more = 1; more > 0; found += more) {
      const auto result = streamer_->revertChanges(now_, 7);
      ASSERT_TRUE(result.ok()) << result.status();
      more = *result;
    }
    EXPECT_EQ(found, reverted);
  }
  void moveWindow() {
    const ChunkCoord near{rng_.in(-1, 1), rng_.in(-1, 1), rng_.in(-1, 1)};
    const int kind = rng_.below(3);
    const auto move = kind == 0   ? window_.climb()
                      : kind == 1 ? window_.recenter(near)
                                  : window_.descend(world_.frame().chunkAt(viewer_, 1));
    if (move.ok()) viewer_ = move->frame_move.pointAfter(viewer_).value_or(Vec3i{});
  }
  void moveViewer() {
    const std::int64_t step = world_.frame().chunkWidth(rng_.below(kLevels)) / 2;
    const std::int64_t limit = 3 * world_.frame().chunkWidth(0);
    for (int axis = 0; axis < 3; ++axis)
      viewer_[axis] = std::clamp(viewer_[axis] + rng_.in(-step, step), -limit, limit);
  }
  // Answers some of the requests that wait, as from another thread: perhaps long after.
  void answerSome() {
    auto& kept = source_.kept();
    std::erase_if(kept, [this](auto& entry) {
      if (rng_.oneIn(2)) return false;
      entry.second.answer(Chunk::copied(suppliedFor(entry.first), world_.blockTypes()))
          .IgnoreError();
      return true;
    });
  }

  void expectEqual() {
    for (int level = 0; level < kLevels; ++level) {
      world_.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
        const std::string path = window_.path(level, at)->text();
        Ids expected = suppliedFor(path);
        for (auto it = model_.lower_bound({path, 0}); it != model_.end() && it->first.first == path;
             ++it) {
          expected[static_cast<std::size_t>(it->first.second)] = it->second.type;
        }
        Ids found;
        for (int i = 0; i < kBlocksPerChunk; ++i)
          found[static_cast<std::size_t>(i)] = chunk.block(i);
        const auto difference = std::mismatch(found.begin(), found.end(), expected.begin()).first;
        EXPECT_EQ(difference, found.end()) << path << ", block " << difference - found.begin();
        ++compared_;
      });
    }
  }
  // Compares what the file has of each chunk with the model.
  void expectFileEqual() {
    std::map<std::string, std::size_t> counts;
    for (const auto& [key, change] : model_)
      ++counts[key.first];
    for (const auto& [path, count] : counts) {
      const auto changes = store_->changesOf(ChunkPath::parse(path).value());
      ASSERT_TRUE(changes.ok()) << changes.status();
      EXPECT_EQ(changes->size(), count) << path;
      for (const ChangedBlock& change : *changes) {
        const auto found = model_.find({path, change.block});
        ASSERT_NE(found, model_.end()) << path;
        EXPECT_EQ(change.type, found->second.type);
        EXPECT_EQ(change.reverts_at, found->second.reverts_at);
      }
    }
  }

  Rng rng_;
  luanti_fixture::TempDirectory folder_;
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("777_777_777_777").value()};
  FakeSource source_;
  StreamOptions options_;
  std::unique_ptr<ChangeStore> store_;
  std::optional<ChunkStreamer> streamer_;
  Vec3i viewer_{100, 100, 100};
  std::int64_t now_ = 0;
  std::map<std::pair<std::string, int>, Change> model_;  // by path and index
  int compared_ = 0;
};

TEST_P(ChangeModelTest, TheWorldIsTheSourcesWithTheChangesOfTheModel) {
  for (int step = 0; step < 120; ++step) {
    switch (rng_.below(12)) {
      case 0:
        moveWindow();
        break;
      case 1:
        revert();
        break;
      case 2:
        if (rng_.oneIn(4)) reopen();
        break;
      case 3:
        answerSome();
        break;
      case 4:
      case 5:
        moveViewer();
        break;
      default:
        setBlocks();
    }
    expectEqual();
    const Vec3i viewer = viewer_;
    ASSERT_TRUE(streamer_->tick({&viewer, 1}).ok());
    expectEqual();
    if (HasFailure()) FAIL() << "in step " << step;
  }
  reopen();
  expectFileEqual();
  EXPECT_GT(compared_, 200);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ChangeModelTest, testing::Range(0, 10));

}  // namespace
}  // namespace fractalray
