// SPDX-License-Identifier: Apache-2.0
// Drives a streamer with a store of changes in a file: random edits, reverts, loads, unloads and
// moves of the window, and the store closed and opened again; and compares every loaded block with
// a plain map on top of what the source supplies.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "../streaming/changed_blocks.h"
#include "../streaming/fake_source.h"
#include "change_store_fixture.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;

class ChangeModelTest : public testing::TestWithParam<int> {
 protected:
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
    unloadAll(world_);
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
    model_.record(changes);
  }
  void revert() {
    now_ += rng_.below(5);
    const std::size_t reverted = model_.revert(now_);
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
        model_.expectEqual(window_.path(level, at)->text(), chunk);
        ++compared_;
      });
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
  ChangedBlocks model_;
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
  model_.expectStored(*store_);
  EXPECT_GT(compared_, 200);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ChangeModelTest, testing::Range(0, 10));

}  // namespace
}  // namespace fractalray
