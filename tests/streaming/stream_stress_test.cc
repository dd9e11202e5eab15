// SPDX-License-Identifier: Apache-2.0
// One thread streams, edits, looks and moves the window, with an executor and with a source that
// has threads of its own, while others query snapshots: a thread sanitizer shows if they race.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../core/units.h"
#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../../streaming/visibility_stream.h"
#include "../oracle/long_run.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "fake_changes.h"
#include "threaded_source.h"

namespace fractalray {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;
constexpr std::size_t kLines = 8;

// Snapshots, and what the thread that edits has found on them.
struct Published {
  std::shared_ptr<const World> world;
  std::shared_ptr<const EntityIndex> entities;
  std::array<Segment, kLines> lines;
  std::array<std::optional<Hit>, kLines> hits;
};

std::optional<Hit> hitOn(const World& world, const EntityIndex& entities, const Segment& line) {
  const RayQueryService service(world, entities);
  const auto closest = service.closestHit(line);
  EXPECT_TRUE(closest.ok()) << closest.status();
  return closest.ok() ? closest->hit : std::nullopt;
}

bool isSame(const std::optional<Hit>& a, const std::optional<Hit>& b) {
  if (!a.has_value() || !b.has_value()) return a.has_value() == b.has_value();
  return a->level == b->level && a->block == b->block && a->type == b->type && a->t == b->t;
}

class StreamStressTest : public testing::Test {
 protected:
  StreamStressTest()
      : source_(2, [this](const std::string& path) { return contentOf(path); }),
        streamer_(ChunkStreamer::create(window_, source_, options(), &changes_).value()),
        sight_(VisibilityStream::create(window_, {.rays = 200, .distance = 1000}).value()) {}

  static StreamOptions options() {
    StreamOptions options;
    for (int level = 0; level < kLevels; ++level)
      options.radii.emplace_back(StreamRadii{0.7, 1.2});
    options.retry_ticks = 1;
    options.max_retry_ticks = 3;
    // Less than what is in reach, so that chunks are evicted too.
    options.max_bytes = 200'000;
    return options;
  }
  // Returns air with some stone, or an error. Called on the threads of the source.
  absl::StatusOr<Chunk> contentOf(const std::string& path) const {
    Rng rng(path);
    if (rng.oneIn(20)) return absl::UnavailableError("not this time");
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    for (int count = 300; count > 0; --count)
      ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = oracle::kStone;
    return Chunk::copied(ids, world_.blockTypes());
  }

  void publish() {
    auto scene = std::make_shared<Published>();
    const Vec3d from = toBlocks(viewer_);
    for (std::size_t i = 0; i < kLines; ++i) {
      scene->lines[i] = {.from = from, .to = from};
      for (int axis = 0; axis < 3; ++axis)
        scene->lines[i].to[axis] += static_cast<double>(rng_.in(-400, 400));
      scene->hits[i] = hitOn(world_, entities_, scene->lines[i]);
    }
    scene->world = world_.snapshot();
    scene->entities = entities_.snapshot();
    const std::scoped_lock lock(mutex_);
    published_ = std::move(scene);
  }
  std::shared_ptr<const Published> newest() const {
    const std::scoped_lock lock(mutex_);
    return published_;
  }
  // Keeps some scenes for a while, and queries the newest and the others.
  void read(int reader) {
    Rng rng(static_cast<std::uint64_t>(reader));
    std::vector<std::shared_ptr<const Published>> kept;
    while (!is_over_) {
      kept.push_back(newest());
      if (kept.size() > 4) kept.erase(kept.begin() + rng.below(4));
      const Published& scene =
          *kept[static_cast<std::size_t>(rng.below(static_cast<int>(kept.size())))];
      for (std::size_t i = 0; i < kLines; ++i) {
        if (isSame(hitOn(*scene.world, *scene.entities, scene.lines[i]), scene.hits[i])) continue;
        ADD_FAILURE() << "reader " << reader << " finds another hit";
        is_over_ = true;
      }
      ++reads_;
    }
  }

  void moveWindow() {
    const auto step = [this] { return rng_.in(-1, 1); };
    const auto move = rng_.oneIn(3)   ? window_.climb()
                      : rng_.oneIn(2) ? window_.recenter({step(), step(), step()})
                                      : window_.descend(world_.frame().chunkAt(viewer_, 1));
    if (move.ok()) viewer_ = move->frame_move.pointAfter(viewer_).value_or(Vec3i{});
  }
  void moveViewer() {
    const std::int64_t step = world_.frame().chunkWidth(rng_.below(kLevels)) / 4;
    for (int axis = 0; axis < 3; ++axis)
      viewer_[axis] = (viewer_[axis] + rng_.in(-step, step)) % world_.frame().chunkWidth(0);
  }
  void editWorld() {
    std::vector<BlockChange> changes;
    for (int count = rng_.below(4); count >= 0; --count) {
      const int level = rng_.below(kLevels);
      BlockCoord block = world_.frame().blockAt(viewer_, level);
      for (int axis = 0; axis < 3; ++axis)
        block[axis] += rng_.in(-9, 9);
      const auto change =
          streamer_.changeOf(level, block, rng_.pick({kAir, oracle::kGlass}), rng_.in(0, 50));
      if (change.ok()) changes.push_back(*change);
    }
    EXPECT_TRUE(streamer_.setBlocks(changes).ok());
    EXPECT_TRUE(streamer_.revertChanges(now_++).ok());
  }
  void tick() {
    if (rng_.oneIn(8)) moveWindow();
    moveViewer();
    const Vec3i viewer = viewer_;
    EXPECT_TRUE(streamer_.want(sight_.unknown()).ok());
    EXPECT_TRUE(streamer_.want(sight_.entered()).ok());
    EXPECT_TRUE(streamer_.tick({&viewer, 1}, threads_).ok());
    EXPECT_TRUE(sight_.tick(service_, {.from = viewer}, threads_).ok());
    editWorld();
  }

  [[nodiscard]] bool hasSeenEnough() const {
    const StreamStats stats = streamer_.stats();
    return reads_ > 10 && stats.ticks > 10 && stats.loaded > 50 && stats.failed > 0;
  }

  Rng rng_{"StreamStressTest"};
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("777_777_777_777").value()};
  RayQueryService service_{world_, entities_};
  ThreadExecutor threads_{2};
  FakeChanges changes_;
  ThreadedSource source_;
  ChunkStreamer streamer_;
  VisibilityStream sight_;
  Vec3i viewer_{100, 100, 100};
  std::int64_t now_ = 0;

  mutable std::mutex mutex_;
  std::shared_ptr<const Published> published_;
  std::atomic<bool> is_over_ = false;
  std::atomic<std::size_t> reads_ = 0;
};

// Runs for half a minute if FRACTALRAY_LONG_TESTS is set.
TEST_F(StreamStressTest, ReadersOfSnapshotsAreUnaffectedByStreaming) {
  const bool is_long = oracle::isLongRun();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(is_long ? 30 : 2);
  publish();
  {
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < 3; ++reader)
      readers.emplace_back([this, reader] { read(reader); });
    // Longer on a machine that is too busy for the readers.
    while (!is_over_ && (std::chrono::steady_clock::now() < end || !hasSeenEnough())) {
      tick();
      publish();
    }
    is_over_ = true;
  }
  EXPECT_TRUE(hasSeenEnough());
}

}  // namespace
}  // namespace fractalray
