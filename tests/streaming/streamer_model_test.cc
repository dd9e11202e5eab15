// SPDX-License-Identifier: Apache-2.0
// Drives window, streamer and visibility with random moves, edits and answers, and compares the
// world with a plain model: chunks by their paths, as text, and the rules of the streamer said once
// more, without any of its tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../../streaming/visibility_stream.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "changed_blocks.h"
#include "fake_source.h"

namespace fractalray::streamer_model_test {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;

// Returns the chunk that the source has for a path.
Chunk contentOf(const std::string& path, const BlockTypeTable& types) {
  return Chunk::copied(suppliedFor(path), types).value();
}

enum class Fate { kNow, kLater, kNever, kFails };

Fate fateOf(const std::string& path) {
  Rng rng("fate of " + path);
  const int fate = rng.below(10);
  if (fate < 5) return Fate::kNow;
  if (fate < 8) return Fate::kLater;
  return fate == 8 ? Fate::kNever : Fate::kFails;
}

class StreamerModelTest : public testing::TestWithParam<int> {
 protected:
  StreamerModelTest()
      : rng_("StreamerModelTest" + std::to_string(GetParam())),
        source_([this](const std::string& path) -> std::optional<absl::StatusOr<Chunk>> {
          switch (fateOf(path)) {
            case Fate::kNow:
              return contentOf(path, world_.blockTypes());
            case Fate::kNever:
              return absl::NotFoundError(path);
            case Fate::kFails:
              throw std::runtime_error(path);
            default:
              return std::nullopt;
          }
        }) {
    for (int level = 0; level < kLevels; ++level)
      options_.radii.emplace_back(StreamRadii{0.7, 1.4});
    options_.chunks_per_tick = 20;
    options_.retry_ticks = 1;
    options_.max_retry_ticks = 3;
    streamer_.emplace(ChunkStreamer::create(window_, source_, options_).value());
    sight_.emplace(VisibilityStream::create(window_, {.rays = 60, .distance = 2000}).value());
  }

  // The distance of a chunk to the viewer in widths of its level, in doubles.
  double distance(int level, const ChunkCoord& chunk) const {
    const auto width = static_cast<double>(world_.frame().chunkWidth(level));
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double at = static_cast<double>(viewer_[axis]) / width;
      const auto min = static_cast<double>(chunk[axis]);
      const double gap = std::max({0.0, min - at, at - min - 1});
      sum += gap * gap;
    }
    return std::sqrt(sum);
  }
  static bool isNear(double a, double b) { return std::abs(a - b) < 1e-3; }

  // Returns true if the chunk may be loaded, by the rules.
  bool isLoadable(int level, const ChunkCoord& chunk) const {
    if (!window_.path(level, chunk).ok() || !world_.frame().contains(level, chunk)) return false;
    if (level == 0) return true;
    const BlockCoord block = parentBlock(chunk);
    const auto type = world_.block(level - 1, block);
    return type.ok() && *type != kAir;
  }

  // Answers some of the requests that wait, in any order.
  void answerSome() {
    auto& kept = source_.kept();
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (rng_.oneIn(2)) continue;
      const auto& [path, request] = kept[i];
      const bool was_wanted = kept[i].second.isWanted();
      const absl::Status status = kept[i].second.answer(contentOf(path, world_.blockTypes()));
      EXPECT_EQ(status.ok(), was_wanted) << status;
      EXPECT_EQ(kept[i].second.answer(Chunk()).code(), absl::StatusCode::kFailedPrecondition);
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }

  void moveWindow() {
    const auto near = [&] { return ChunkCoord{rng_.in(-1, 1), rng_.in(-1, 1), rng_.in(-1, 1)}; };
    const int kind = rng_.below(3);
    const auto move = kind == 0   ? window_.climb()
                      : kind == 1 ? window_.recenter(near())
                                  : window_.descend(world_.frame().chunkAt(viewer_, 1));
    if (!move.ok()) return;
    viewer_ = move->frame_move.pointAfter(viewer_).value_or(Vec3i{});
  }
  void moveViewer() {
    const std::int64_t step = world_.frame().chunkWidth(rng_.below(kLevels)) / 2;
    for (int axis = 0; axis < 3; ++axis) {
      viewer_[axis] += rng_.in(-step, step);
      viewer_[axis] = std::clamp<std::int64_t>(viewer_[axis], -3 * world_.frame().chunkWidth(0),
                                               3 * world_.frame().chunkWidth(0));
    }
  }
  void editWorld() {
    const int level = rng_.below(kLevels);
    const BlockCoord block = world_.frame().blockAt(viewer_, level);
    if (rng_.oneIn(2)) {
      world_.setBlock(level, block, rng_.pick({kAir, oracle::kStone})).IgnoreError();
      edited_.insert(window_.path(level, chunkOf(block)).value_or(ChunkPath()).text());
    } else {
      world_.unloadChunk(level, chunkOf(block)).IgnoreError();
    }
  }

  // Checks what holds after every tick: each loaded chunk is that of its path and within the keep
  // radius; each one that has to be loaded, is; placeholders are requested chunks.
  void expectConsistent() {
    std::size_t loaded = 0;
    std::size_t bytes = 0;
    std::size_t protos = 0;
    for (int level = 0; level < kLevels; ++level) {
      protos += world_.protoChunks(level);
      world_.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
        ++loaded;
        bytes += chunk.bytes();
        const std::string path = window_.path(level, at)->text();
        EXPECT_LE(distance(level, at), 1.4 + 1e-3) << path;
        if (edited_.contains(path)) return;
        EXPECT_EQ(chunk.occupied(), contentOf(path, world_.blockTypes()).occupied()) << path;
      });
    }
    EXPECT_EQ(streamer_->stats().chunks, loaded);
    EXPECT_GE(streamer_->stats().bytes + 600 * loaded, bytes);  // children change between ticks
    EXPECT_EQ(protos, streamer_->stats().pending + streamer_->stats().failing);
  }

  // Checks that nothing is missing, once the streamer has come to rest.
  void expectComplete() {
    for (int level = 0; level < kLevels; ++level) {
      const ChunkCoord centre = world_.frame().chunkAt(viewer_, level);
      for (int i = 0; i < 125; ++i) {
        const ChunkCoord at = centre + ChunkCoord{i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
        const double away = distance(level, at);
        if (away > 0.7 - 1e-3 || !isLoadable(level, at)) continue;
        const std::string path = window_.path(level, at)->text();
        const ChunkState state = world_.chunkState(level, at);
        switch (fateOf(path)) {
          case Fate::kNever:
            EXPECT_EQ(state, ChunkState::kAbsent) << path;
            EXPECT_EQ(streamer_->error(level, at).code(), absl::StatusCode::kNotFound);
            break;
          case Fate::kFails:
            EXPECT_EQ(state, ChunkState::kProto) << path;
            EXPECT_EQ(streamer_->error(level, at).code(), absl::StatusCode::kUnknown);
            break;
          default:
            EXPECT_EQ(state, ChunkState::kLoaded) << path << " of level " << level;
        }
      }
    }
  }

  void tick() {
    const Vec3i viewer = viewer_;
    if (rng_.oneIn(2)) {
      ASSERT_TRUE(streamer_->tick({&viewer, 1}).ok());
    } else {
      ASSERT_TRUE(streamer_->tick({&viewer, 1}, threads_).ok());
    }
  }

  // Shoots the rays of a tick, and checks what they saw.
  void look() {
    ASSERT_TRUE(sight_->tick(service_, {.from = viewer_}).ok());
    for (const SeenBlock& seen : sight_->changes().blocks_in) {
      EXPECT_EQ(world_.block(seen.level, seen.block).value(), seen.type);
      in_sight_.insert(blockName(seen));
    }
    for (const SeenBlock& seen : sight_->changes().blocks_out)
      EXPECT_EQ(in_sight_.erase(blockName(seen)), 1U) << blockName(seen);
    for (const ChunkOfLevel& unknown : sight_->unknown())
      EXPECT_EQ(world_.chunk(unknown.level, unknown.chunk), nullptr);
    std::set<std::string> in_sight;
    sight_->forEachBlock([&](const SeenBlock& seen) { in_sight.insert(blockName(seen)); });
    EXPECT_EQ(in_sight, in_sight_);
  }
  // After a move: forgets the blocks that have left the frame.
  void followSight() {
    std::set<std::string> in_sight;
    sight_->forEachBlock([&](const SeenBlock& seen) { in_sight.insert(blockName(seen)); });
    EXPECT_TRUE(
        std::includes(in_sight_.begin(), in_sight_.end(), in_sight.begin(), in_sight.end()));
    in_sight_ = in_sight;
  }
  // Returns the name of a block that no move changes: the path of the chunk that it would expand
  // into.
  std::string blockName(const SeenBlock& seen) const {
    const auto path = window_.anchor().inFrame(childChunk(seen.block), seen.level + 1);
    return path.ok() ? path->text() : "outside";
  }

  Rng rng_;
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("777_777_777_777").value()};
  RayQueryService service_{world_, entities_};
  ThreadExecutor threads_{2};
  FakeSource source_;
  StreamOptions options_;
  std::optional<ChunkStreamer> streamer_;
  std::optional<VisibilityStream> sight_;
  Vec3i viewer_{100, 100, 100};
  std::set<std::string> edited_;  // paths of chunks with edits
  std::set<std::string> in_sight_;
};

TEST_P(StreamerModelTest, TheWorldIsThatOfTheModel) {
  for (int step = 0; step < 60; ++step) {
    switch (rng_.below(8)) {
      case 0:
        moveWindow();
        if (rng_.oneIn(2)) moveWindow();
        followSight();
        break;
      case 1:
        editWorld();
        break;
      case 2:
        answerSome();
        break;
      default:
        moveViewer();
    }
    tick();
    // A tick unloads a limited number of chunks.
    for (int i = 0; i < 50 && !streamer_->unloaded().empty(); ++i)
      tick();
    expectConsistent();
    look();
    if (HasFailure()) FAIL() << "in step " << step;
  }
  for (int i = 0; i < 200; ++i) {
    tick();
    answerSome();
  }
  expectConsistent();
  expectComplete();
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamerModelTest, testing::Range(0, 20));

}  // namespace
}  // namespace fractalray::streamer_model_test
