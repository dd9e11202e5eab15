// SPDX-License-Identifier: Apache-2.0
// Drives everything of an endless world together, with threads: a window, entities, a streamer for
// two viewers with a store of changes in a file, which fails at times, a source whose own threads
// answer, visibility, and shots. Compares what is loaded, hit and seen, the entities and the file
// with a plain model. Ten times as long if FRACTALRAY_LONG_TESTS is set.
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "streamed_world.h"

namespace fractalray {
namespace {

class StreamedWorldModelTest : public testing::TestWithParam<int>, protected StreamedWorld {
 protected:
  StreamedWorldModelTest() : StreamedWorld("StreamedWorldModelTest" + std::to_string(GetParam())) {}

  void expectLoadedIsRight() {
    for (int level = 0; level < kLevels; ++level) {
      world_.forEachLoaded(level, [&](const ChunkCoord& at, const Chunk& chunk) {
        const std::optional<std::string> path = model_.path(level, at);
        ASSERT_TRUE(path.has_value());
        EXPECT_TRUE(exists(*path)) << *path;
        changes_.expectEqual(*path, chunk);
        ++compared_;
      });
    }
  }
  // Compares shots of both passes with those of the oracle, which visits every chunk that is
  // loaded.
  void shoot() {
    for (int shot = 0; shot < 8; ++shot) {
      const FixedSegment line{.from = pointNear(), .to = target()};
      QueryOptions options{.corner = static_cast<CornerPolicy>(rng_.below(3)),
                           .report_unknown = rng_.oneIn(2)};
      const LevelMask levels = rng_.oneIn(3) ? LevelMask{rng_.below(kLevels)} : world_.allLevels();
      const oracle::OracleShot expected =
          oracle::shoot(world_, entities_, line, levels, options, {});
      for (const SearchPass pass : {SearchPass::kFast, SearchPass::kPlain}) {
        options.pass = pass;
        const absl::StatusOr<ShotResult> answer = service_.shootSegment(line, levels, options);
        ASSERT_TRUE(answer.ok()) << answer.status();
        EXPECT_EQ(oracle::difference(*answer, expected, line, options), "");
        hit_ += answer->hits.size();
      }
    }
  }
  void look() {
    for (std::size_t i = 0; i < viewers_.size(); ++i)
      ASSERT_NO_FATAL_FAILURE(lookFrom(viewers_[i], sights_[i]));
  }
  void lookFrom(const Vec3i& viewer, VisibilityStream& sight) {
    ASSERT_TRUE(sight.tick(service_, {.from = viewer}, threads_).ok());
    for (const SeenBlock& seen : sight.changes().blocks_in) {
      const std::optional<std::string> path = model_.path(seen.level, chunkOf(seen.block));
      ASSERT_TRUE(path.has_value());
      const auto index = static_cast<std::size_t>(indexInChunk(seen.block));
      EXPECT_EQ(seen.type, changes_.blocksOf(*path)[index]) << *path << ", block " << index;
      ++seen_;
    }
    for (const ChunkOfLevel& unknown : sight.unknown())
      EXPECT_EQ(world_.chunk(unknown.level, unknown.chunk), nullptr);
    ASSERT_TRUE(streamer_->want(sight.unknown()).ok());
  }
  // Checks that nothing around the viewers is missing, once the store works and the streamer has
  // come to rest: for more ticks than a failed chunk waits for its next request.
  void expectComplete() {
    constexpr int kRest = 4;
    changes_of_file_->fault = absl::OkStatus();
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
    for (const Vec3i& viewer : viewers_)
      expectCompleteAround(viewer);
  }
  void expectCompleteAround(const Vec3i& viewer) {
    for (int level = 0; level < kLevels; ++level) {
      const ChunkCoord at = world_.frame().chunkAt(viewer, level);
      const std::optional<std::string> path = model_.path(level, at);
      if (!path.has_value()) continue;
      const bool is_expanded =
          level == 0 || world_.block(level - 1, parentBlock(at)).value_or(kAir) != kAir;
      if (!is_expanded) continue;
      EXPECT_EQ(world_.chunk(level, at) != nullptr, exists(*path)) << *path;
    }
  }
  // Returns whether the run has compared so much that its silence means something.
  [[nodiscard]] bool comparedEnough() const {
    return compared_ > 200 && hit_ > 200 && seen_ > 50 && faults_ > 2;
  }
  std::size_t compared_ = 0;
  std::size_t hit_ = 0;
  std::size_t seen_ = 0;
};

TEST_P(StreamedWorldModelTest, WhatIsLoadedSeenAndStoredIsThatOfTheModel) {
  const int steps = oracle::isLongRun() ? 800 : 80;
  // How many chunks are there in a step depends on how fast the source's threads answer: on a slow
  // machine, it takes more steps to compare as much.
  for (int step = 0; step < steps || (!comparedEnough() && step < 20 * steps); ++step) {
    failOrRecover();
    editEntities();
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
        ASSERT_TRUE(changes_of_file_->store->maintain().ok());
        break;
      case 5:
      case 6:
        moveViewers();
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
    model_.expectEntities(entities_);
    shoot();
    look();
    if (HasFailure()) FAIL() << "in step " << step;
  }
  expectComplete();
  reopen();
  changes_.expectStored(*changes_of_file_);
  EXPECT_TRUE(comparedEnough()) << compared_ << " chunks, " << hit_ << " hits, " << seen_
                                << " blocks seen, " << faults_ << " faults";
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamedWorldModelTest, testing::Range(0, 6));

}  // namespace
}  // namespace fractalray
