// SPDX-License-Identifier: Apache-2.0
// How the cost of a tick grows: with the viewers, however they stand, and not with what is loaded,
// pending or missing beyond their reach. CPU time, the least of several runs, with a wide margin: a
// quadratic cost would grow eight times as much as a linear one here.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../core/units.h"
#include "../../query/window.h"
#include "../../streaming/chunk_streamer.h"
#include "../oracle/cost_growth.h"
#include "../oracle/random_scene.h"
#include "fake_source.h"

namespace fractalray {
namespace {

constexpr std::int64_t kHalfBlock = kUnitsPerBlock / 2;
constexpr std::size_t kNoLimit = 1'000'000'000;

enum class Shape { kSpread, kRow, kCrowd };

std::vector<Vec3i> placed(Shape shape, int count) {
  std::vector<Vec3i> viewers;
  for (int i = 0; i < count; ++i) {
    const Vec3i blocks = shape == Shape::kSpread ? Vec3i{8 + 1003 * i, 8, 8}
                         : shape == Shape::kRow  ? Vec3i{8 + 17 * i, 8, 8}
                                                 : Vec3i{8 + i % 4, 8 + i / 4 % 4, 8 + i / 16};
    viewers.push_back(
        {blocks[0] * kUnitsPerBlock, blocks[1] * kUnitsPerBlock, blocks[2] * kUnitsPerBlock});
  }
  return viewers;
}

// A world in which all chunks around some viewers are loaded.
class Settled {
 public:
  Settled(int levels, double radius, std::vector<Vec3i> viewers) : viewers_(std::move(viewers)) {
    world_.emplace(WorldOptions{.levels = levels, .block_types = oracle::sceneTypes()});
    entities_.emplace(world_->frame());
    window_.emplace(*world_, *entities_, ChunkPath::parse("777_777_777_777_777").value());
    StreamOptions options;
    options.radii.assign(static_cast<std::size_t>(levels), StreamRadii{radius, radius + 1});
    options.chunks_per_tick = options.max_pending = options.max_bytes = kNoLimit;
    options.bytes_per_tick = kNoLimit;
    options.answer_ticks = kNoLimit;
    streamer_.emplace(ChunkStreamer::create(*window_, source_, options).value());
    do {
      tick();
    } while (!streamer_->loaded().empty());
    tick();
  }

  ChunkStreamer& streamer() { return *streamer_; }
  FakeSource& source() { return source_; }
  void tick() { ASSERT_TRUE(streamer_->tick(viewers_).ok()); }
  // Return the least CPU time of a tick in which nobody moves; in which all walk half a block.
  double standing() {
    return oracle::leastMicroseconds(40, [this] { tick(); });
  }
  double walking() {
    // Each takes 32 ticks to cross a chunk.
    return oracle::leastMicroseconds(4, [this] {
      for (int i = 0; i < 32; ++i) {
        for (Vec3i& viewer : viewers_)
          viewer[0] += kHalfBlock;
        tick();
      }
    });
  }

 private:
  std::vector<Vec3i> viewers_;
  std::optional<World> world_;
  std::optional<EntityIndex> entities_;
  std::optional<Window> window_;
  FakeSource source_{[this](const std::string& /*path*/) {
    return Chunk::uniform(oracle::kStone, world_->blockTypes());
  }};
  std::optional<ChunkStreamer> streamer_;
};

// Makes a request that is never answered.
void waitForAnAnswer(Settled& settled) {
  settled.source().setAnswer([](const std::string&) { return std::nullopt; });
  const ChunkOfLevel far{0, {-90, 0, 0}};
  EXPECT_TRUE(settled.streamer().want({&far, 1}).ok());
  settled.tick();
}

// Checks that a tick costs each of 64 viewers at most three times as much as each of eight.
template <class Cost>
void expectSameForEach(Shape shape, int levels, const Cost& cost) {
  Settled few(levels, 3, placed(shape, 8));
  Settled many(levels, 3, placed(shape, 64));
  oracle::expectAtMost(
      3 * 8, [&] { return cost(many); }, [&] { return cost(few); });
}

class StreamCostTest : public testing::TestWithParam<std::tuple<Shape, int>> {};

TEST_P(StreamCostTest, AWalkCostsEachViewerTheSame) {
  const auto [shape, levels] = GetParam();
  expectSameForEach(shape, levels, [](Settled& settled) { return settled.walking(); });
}

TEST_P(StreamCostTest, StandingCostsEachViewerTheSameWhileAnAnswerIsOpen) {
  const auto [shape, levels] = GetParam();
  const auto cost = [](Settled& settled) {
    waitForAnAnswer(settled);
    return settled.standing();
  };
  expectSameForEach(shape, levels, cost);
}

INSTANTIATE_TEST_SUITE_P(Shapes, StreamCostTest,
                         testing::Combine(testing::Values(Shape::kSpread, Shape::kRow,
                                                          Shape::kCrowd),
                                          testing::Values(1, 2)));

TEST(StreamLoadedCostTest, ATickDoesNotLookAtWhatIsLoaded) {
  Settled few(1, 2, placed(Shape::kCrowd, 1));
  Settled many(1, 12, placed(Shape::kCrowd, 1));  // 80 times as many chunks
  for (Settled* const settled : {&few, &many}) {
    waitForAnAnswer(*settled);
    EXPECT_EQ(settled->streamer().stats().pending, 1U);
  }
  oracle::expectAtMost(
      4, [&] { return many.standing(); }, [&] { return few.standing(); });
}

}  // namespace
}  // namespace fractalray
