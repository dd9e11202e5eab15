// SPDX-License-Identifier: Apache-2.0
// A world of two levels, far from the root's faces, a streamer that fills it, and a source.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "../../levels/world.h"
#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../oracle/random_scene.h"
#include "fake_source.h"

namespace fractalray {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// The middle of the level-0 chunk (0, 0, 0), in its widths.
inline constexpr Vec3d kMiddle{0.5, 0.5, 0.5};

// A world of two levels, without entities.
struct WindowedWorld {
  explicit WindowedWorld(const std::string& anchor = "888_888")
      : window(world, entities, ChunkPath::parse(anchor).value()) {}

  World world{{.levels = 2, .block_types = oracle::sceneTypes()}};
  EntityIndex entities{world.frame()};
  Window window;
};

// The steps of the anchor: a path with so many more steps is that of a chunk of that level.
inline constexpr std::size_t kAnchorSteps = 2;

// Returns the level of the chunk with that path, in a window with kAnchorSteps.
inline int levelOfPath(const std::string& path) {
  return static_cast<int>((path.size() + 1) / 4 - kAnchorSteps);
}

class StreamerTest : public testing::Test {
 protected:
  static constexpr std::int64_t kCoarse = std::int64_t{1} << 24;  // C(0), in units
  static constexpr std::int64_t kFine = std::int64_t{1} << 20;    // C(1)

  StreamerTest() : source_([this](const std::string& path) { return contentOf(path); }) {}

  // Returns the chunk that the source has: coarse chunks are air with two blocks of stone and one
  // of mist, fine ones all stone.
  absl::StatusOr<Chunk> contentOf(const std::string& path) const {
    if (levelOfPath(path) > 0) return Chunk::uniform(oracle::kStone, world_.blockTypes());
    std::array<BlockTypeId, kBlocksPerChunk> ids{};
    ids[indexInChunk({8, 8, 8})] = oracle::kStone;
    ids[indexInChunk({0, 0, 0})] = oracle::kStone;
    ids[indexInChunk({4, 4, 4})] = oracle::kMist;
    return Chunk::copied(ids, world_.blockTypes());
  }

  static StreamOptions reach(double coarse, double fine) {
    return {.radii = {StreamRadii{coarse, coarse + 0.5}, StreamRadii{fine, fine + 0.5}}};
  }
  // The same for the coarse level alone, with short delays.
  static StreamOptions coarse(double radius) {
    StreamOptions options = reach(radius, 0);
    options.radii[1] = std::nullopt;
    options.retry_ticks = 2;
    options.max_retry_ticks = 6;
    options.answer_ticks = 10;
    return options;
  }
  void stream(const StreamOptions& options, ChunkChanges* changes = nullptr) {
    streamer_.emplace(ChunkStreamer::create(window_, source_, options, changes).value());
  }
  // Makes the source keep all requests.
  void keepRequests() {
    source_.setAnswer([](const std::string&) { return std::nullopt; });
  }
  // Ticks with one viewer, at a position in coarse chunk widths.
  void tick(const Vec3d& viewer) {
    const Vec3i at = unitsOf(viewer);
    const absl::Status status = streamer_->tick({&at, 1});
    ASSERT_TRUE(status.ok()) << status;
  }
  void ticks(int count, const Vec3d& viewer) {
    for (int i = 0; i < count; ++i)
      tick(viewer);
  }
  static Vec3i unitsOf(const Vec3d& viewer) {
    Vec3i at;
    for (int axis = 0; axis < 3; ++axis)
      at[axis] = static_cast<std::int64_t>(viewer[axis] * static_cast<double>(kCoarse));
    return at;
  }
  bool isLoaded(int level, const ChunkCoord& at) const {
    return world_.chunk(level, at) != nullptr;
  }
  ChunkState state(int level, const ChunkCoord& at) const { return world_.chunkState(level, at); }

  WindowedWorld windowed_;
  World& world_ = windowed_.world;
  Window& window_ = windowed_.window;
  FakeSource source_;
  std::optional<ChunkStreamer> streamer_;
};

}  // namespace fractalray
