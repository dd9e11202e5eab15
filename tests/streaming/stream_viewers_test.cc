// SPDX-License-Identifier: Apache-2.0
// Compares a streamer, tick by tick, with a plain model that decides from scratch which chunks are
// requested, loaded and unloaded, and in which order: through random walks and jumps of viewers who
// come and go, and changes of the radii.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../oracle/random_scene.h"
#include "../oracle/rng.h"
#include "fake_source.h"

namespace fractalray::stream_viewers_test {
namespace {

using oracle::Rng;

constexpr int kLevels = 3;

// The order of need of a chunk that nobody has named.
using Needed = std::tuple<std::int64_t, ChunkOfLevel>;

class StreamViewersTest : public testing::TestWithParam<int> {
 protected:
  StreamViewersTest() : rng_("StreamViewersTest" + std::to_string(GetParam())) {
    changeOptions();
    streamer_.emplace(ChunkStreamer::create(window_, source_, options_).value());
  }

  void changeOptions() {
    options_.radii.clear();
    for (int level = 0; level < kLevels; ++level) {
      const double load = rng_.below(18) * 0.1;
      options_.radii.emplace_back(StreamRadii{load, load + rng_.below(5) * 0.2});
      if (rng_.oneIn(20)) options_.radii.back() = std::nullopt;
    }
    options_.chunks_per_tick = static_cast<std::size_t>(rng_.pick({3, 30, 100'000}));
    options_.max_pending = 100'000;
  }

  absl::StatusOr<Chunk> contentOf(const std::string& path) const {
    Rng rng(path);
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    for (int count = rng.below(1500); count > 0; --count)
      ids[static_cast<std::size_t>(rng.below(kBlocksPerChunk))] = oracle::kStone;
    return Chunk::copied(ids, world_.blockTypes());
  }

  // Returns the square of the distance to the nearest viewer, in 2^-16 chunk widths, each axis
  // rounded down, as the order of need has it.
  std::int64_t distance(const ChunkOfLevel& chunk) const {
    const std::int64_t width = world_.frame().chunkWidth(chunk.level);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Vec3i& viewer : viewers_) {
      std::int64_t sum = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t min = chunk.chunk[axis] * width;
        const std::int64_t gap =
            std::max({std::int64_t{0}, min - viewer[axis], viewer[axis] - min - width});
        const std::int64_t scaled = gap / (width / 65536);
        sum += scaled * scaled;
      }
      least = std::min(least, sum);
    }
    return least;
  }
  static bool isWithin(std::int64_t distance, double radius) {
    const auto fractions = static_cast<std::int64_t>(std::llround(radius * 65536));
    return distance <= fractions * fractions;
  }
  bool isToLoad(const ChunkOfLevel& chunk) const {
    const auto& radii = options_.radii[static_cast<std::size_t>(chunk.level)];
    return radii.has_value() && isWithin(distance(chunk), radii->load);
  }
  bool isKept(const ChunkOfLevel& chunk) const {
    const auto& radii = options_.radii[static_cast<std::size_t>(chunk.level)];
    return radii.has_value() && isWithin(distance(chunk), radii->keep);
  }
  // Returns true if the block of a chunk is loaded and of stone.
  bool hasBlock(const ChunkOfLevel& chunk) const {
    if (chunk.level == 0) return true;
    const BlockCoord block = parentBlock(chunk.chunk);
    const ChunkOfLevel parent{chunk.level - 1, chunkOf(block)};
    if (!loaded_.contains(parent)) return false;
    const Chunk content = *contentOf(pathOf(parent));
    return content.isOccupied(indexInChunk(block));
  }
  std::string pathOf(const ChunkOfLevel& chunk) const {
    return window_.path(chunk.level, chunk.chunk)->text();
  }

  // The two halves of a tick of the model. Return the chunks in their order.
  std::vector<ChunkOfLevel> unload() {
    std::vector<Needed> leaving;
    for (const ChunkOfLevel& chunk : loaded_) {
      if (!isKept(chunk)) leaving.emplace_back(distance(chunk), chunk);
    }
    std::sort(leaving.rbegin(), leaving.rend());
    return firstOf(leaving, [this](const ChunkOfLevel& chunk) { loaded_.erase(chunk); });
  }
  std::vector<ChunkOfLevel> load() {
    std::set<Needed> missing;
    for (int level = 0; level < kLevels; ++level) {
      for (const Vec3i& viewer : viewers_) {
        const ChunkCoord centre = world_.frame().chunkAt(viewer, level);
        for (int i = 0; i < 343; ++i) {
          const ChunkOfLevel chunk{level,
                                   centre + ChunkCoord{i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3}};
          if (loaded_.contains(chunk) || !isToLoad(chunk) || !hasBlock(chunk)) continue;
          missing.emplace(distance(chunk), chunk);
        }
      }
    }
    return firstOf({missing.begin(), missing.end()},
                   [this](const ChunkOfLevel& chunk) { loaded_.insert(chunk); });
  }
  template <class Visit>
  std::vector<ChunkOfLevel> firstOf(const std::vector<Needed>& needed, const Visit& visit) {
    std::vector<ChunkOfLevel> chunks;
    for (const auto& [distance, chunk] : needed) {
      if (chunks.size() < options_.chunks_per_tick) chunks.push_back(chunk);
    }
    for (const ChunkOfLevel& chunk : chunks)
      visit(chunk);
    return chunks;
  }

  void step() {
    switch (rng_.below(10)) {
      case 0:
        viewers_.insert(anyViewer(), pointNear({}, 0, 4));
        break;
      case 1:
        if (!viewers_.empty()) viewers_.erase(pick());
        break;
      case 2:  // jumps, or joins another
        if (!viewers_.empty()) *pick() = rng_.oneIn(2) ? viewers_.front() : pointNear({}, 0, 4);
        break;
      case 3:
        if (!rng_.oneIn(4)) break;
        changeOptions();
        ASSERT_TRUE(streamer_->setOptions(options_).ok());
        break;
      case 4:
        break;
      default:
        walk();
    }
  }
  void walk() {
    const int level = rng_.below(kLevels);
    const int part = rng_.pick({1, 3, 40, 4000});
    for (Vec3i& viewer : viewers_) {
      if (!rng_.oneIn(3)) viewer = pointNear(viewer, level, 1, part);
    }
  }
  Vec3i pointNear(const Vec3i& point, int level, int chunks, int part = 1) {
    const std::int64_t step = chunks * world_.frame().chunkWidth(level) / part;
    Vec3i moved = point;
    for (int axis = 0; axis < 3; ++axis)
      moved[axis] += rng_.in(-step, step);
    return moved;
  }
  std::vector<Vec3i>::iterator anyViewer() {
    return viewers_.begin() + rng_.below(static_cast<int>(viewers_.size()) + 1);
  }
  std::vector<Vec3i>::iterator pick() {
    return viewers_.begin() + rng_.below(static_cast<int>(viewers_.size()));
  }

  Rng rng_;
  World world_{{.levels = kLevels, .block_types = oracle::sceneTypes()}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_, ChunkPath::parse("777_777_777_777").value()};
  FakeSource source_{[this](const std::string& path) { return contentOf(path); }};
  StreamOptions options_;
  std::optional<ChunkStreamer> streamer_;
  std::vector<Vec3i> viewers_{{100, 100, 100}};
  std::set<ChunkOfLevel> loaded_;
};

std::vector<ChunkOfLevel> listOf(std::span<const ChunkOfLevel> chunks) {
  return {chunks.begin(), chunks.end()};
}

TEST_P(StreamViewersTest, RequestsAndUnloadsWhatTheModelDoesInItsOrder) {
  std::size_t requests = 0;
  for (int i = 0; i < 60; ++i) {
    step();
    ASSERT_TRUE(streamer_->tick(viewers_).ok());
    EXPECT_EQ(listOf(streamer_->unloaded()), unload());
    const std::vector<ChunkOfLevel> loaded = load();
    EXPECT_EQ(listOf(streamer_->loaded()), loaded);
    std::vector<std::string> paths;
    for (const ChunkOfLevel& chunk : loaded)
      paths.push_back(pathOf(chunk));
    EXPECT_EQ(source_.takeInOrder(), paths);
    EXPECT_EQ(streamer_->stats().chunks, loaded_.size());
    requests += loaded.size();
    if (HasFailure()) FAIL() << "in step " << i;
  }
  EXPECT_GT(requests, 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamViewersTest, testing::Range(0, 30));

}  // namespace
}  // namespace fractalray::stream_viewers_test
