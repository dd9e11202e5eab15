// SPDX-License-Identifier: Apache-2.0
// Moves of the frame in query logs: a replay follows them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../query/window.h"
#include "../oracle/random_scene.h"
#include "recording_fixture.h"

namespace fractalray {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Three levels: a line along x hits water of each level, and an entity.
struct Scene {
  Scene() {
    for (int level = 0; level < 3; ++level) {
      for (std::int64_t x = 0; x < 3; ++x) {
        const Chunk air = Chunk::uniform(kAir, world.blockTypes());
        EXPECT_TRUE(world.loadChunk(level, {x, 0, 0}, air).ok());
        EXPECT_TRUE(world.setBlock(level, {16 * x + 5, 0, 0}, kWater).ok());
      }
    }
    EXPECT_TRUE(entities.add({.id = 7, .level = 2, .position = {20, 0.5, 0.5}}).ok());
  }

  World world{{.levels = 3, .block_types = oracle::sceneTypes()}};
  EntityIndex entities{world.frame()};
};

class MoveReplayTest : public testing::Test {
 protected:
  MoveReplayTest() {
    window_.addObserver(*recorder_);
    service_.setObserver(recorder_.get());
  }
  ~MoveReplayTest() override { removeLog(); }

  std::size_t shoot() {
    const auto shot = service_.shootSegment(Segment{{0.5, 0.5, 0.5}, {7000, 0.5, 0.5}});
    EXPECT_TRUE(shot.ok()) << shot.status();
    return shot.ok() ? shot->hits.size() : 0;
  }
  // Replays the log on a scene like that of its beginning.
  std::vector<Outcome> replay(bool ask_all = false) {
    EXPECT_TRUE(recorder_->close().ok());
    Scene again;
    EXPECT_TRUE(checkRecordedWorld(readLog(logPath()).header, again.world, again.entities).ok());
    return replayAll(again.world, again.entities, ask_all);
  }

  Scene scene_;
  std::unique_ptr<QueryRecorder> recorder_ =
      QueryRecorder::open(logPath(), scene_.world, scene_.entities).value();
  RayQueryService service_{scene_.world, scene_.entities};
  Window window_{scene_.world, scene_.entities, ChunkPath::parse("000_000").value()};
};

TEST_F(MoveReplayTest, EachQueryBetweenMovesIsReplayed) {
  std::vector<std::size_t> hits = {shoot()};
  ASSERT_TRUE(window_.descend({1, 0, 0}).ok());
  hits.push_back(shoot());
  hits.push_back(shoot());
  ASSERT_TRUE(window_.climb().ok());
  ASSERT_TRUE(window_.climb().ok());
  hits.push_back(shoot());
  ASSERT_TRUE(window_.recenter({0, 0, 1}).ok());
  hits.push_back(shoot());
  ASSERT_TRUE(window_.recenter({0, 0, -1}).ok());
  hits.push_back(shoot());
  EXPECT_THAT(hits, ElementsAre(9, 2, 2, 3, 0, 3)) << "the frames differ";
  EXPECT_THAT(replay(), AllOf(testing::SizeIs(6), Each(Outcome::kEqual)));
}

TEST_F(MoveReplayTest, MovesAreBeforeTheQueryThatFollows) {
  shoot();
  ASSERT_TRUE(window_.descend({1, 2, 3}).ok());
  ASSERT_TRUE(window_.climb().ok());
  EXPECT_FALSE(window_.recenter({-5000, 0, 0}).ok());
  shoot();
  ASSERT_TRUE(window_.recenter({0, 4, 0}).ok());
  ASSERT_TRUE(recorder_->close().ok());
  const ReadLog log = readLog(logPath());
  ASSERT_TRUE(log.end.ok()) << log.end;
  ASSERT_EQ(log.queries.size(), 2U) << "as the last record says, which counts no moves";
  EXPECT_THAT(log.queries[0].moves, IsEmpty());
  const SceneVersion first = log.header.versions;
  EXPECT_THAT(
      log.queries[1].moves,
      ElementsAre(
          LoggedMove{
              .levels = -1, .chunk = {1, 2, 3}, .after = {first.world + 1, first.entities + 1}},
          LoggedMove{
              .levels = 1, .chunk = {1, 2, 3}, .after = {first.world + 2, first.entities + 2}}))
      << "the step of the climb; the move that was refused is not there";
}

TEST_F(MoveReplayTest, AfterAnEditQueriesRunOnlyWithAskAll) {
  shoot();
  ASSERT_TRUE(window_.descend({1, 0, 0}).ok());
  shoot();
  ASSERT_TRUE(scene_.world.setBlock(0, {1, 0, 0}, kStone).ok());
  shoot();
  ASSERT_TRUE(window_.climb().ok());
  shoot();
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual, Outcome::kEqual, Outcome::kWorldHadChanged,
                                    Outcome::kWorldHadChanged));
  EXPECT_THAT(replay(true), ElementsAre(Outcome::kEqual, Outcome::kEqual, Outcome::kDifferent,
                                        Outcome::kDifferent));
}

TEST_F(MoveReplayTest, WithoutTheRecordsOfMovesQueriesAreSkipped) {
  window_.removeObserver(*recorder_);
  shoot();
  ASSERT_TRUE(window_.descend({1, 0, 0}).ok());
  shoot();
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual, Outcome::kWorldHadChanged));
}

// The shot that the move ends is not replayed; those after it are, in the frame as it is then.
TEST_F(MoveReplayTest, AMoveByAnEffectIsBeforeItsQuery) {
  std::ignore = service_.onBlockHit(kWater, [&](const BlockHit&) {
    EXPECT_TRUE(window_.descend({1, 0, 0}).ok());
    return HitResponse::kContinue;
  });
  EXPECT_EQ(service_.shootSegment(Segment{{0.5, 0.5, 0.5}, {7000, 0.5, 0.5}}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  service_.removeBlockCallback(kWater);
  EXPECT_EQ(shoot(), 2U);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kWorldHadChanged, Outcome::kEqual));
}

// A log may be replayed on a world with another number of levels, if the engine insists.
TEST_F(MoveReplayTest, AnotherFrameIsMovedInItsOwnUnits) {
  shoot();
  ASSERT_TRUE(window_.descend({1, 0, 0}).ok());
  shoot();
  ASSERT_TRUE(recorder_->close().ok());
  World other({.levels = 1, .block_types = oracle::sceneTypes()});
  EntityIndex nobody(other.frame());
  EXPECT_THAT(replayAll(other, nobody), Each(Outcome::kDifferent));
}

TEST_F(MoveReplayTest, AMoveOfAnySizeIsReplayed) {
  constexpr std::int64_t kFar = std::int64_t{1} << 62;
  Window deep(
      scene_.world, scene_.entities,
      ChunkPath::parse("888_888_888_888_888_888_888_888_888_888_888_888_888_888_888_888_888")
          .value());
  deep.addObserver(*recorder_);
  shoot();
  ASSERT_TRUE(deep.recenter({kFar, -kFar, 0}).ok());
  EXPECT_EQ(shoot(), 0U);
  EXPECT_THAT(replay(), ElementsAre(Outcome::kEqual, Outcome::kEqual));
}

TEST_F(MoveReplayTest, ABrokenMoveIsDamage) {
  ASSERT_TRUE(window_.climb().ok());
  shoot();
  ASSERT_TRUE(recorder_->close().ok());
  const std::string bytes = readBytes(logPath());
  // After the ten bytes of the log's head and the record of the world.
  constexpr std::size_t kBegin = 10 + 8 + 35;
  constexpr std::size_t kBodyBytes = 42;
  const std::string body = bytes.substr(kBegin + 8, kBodyBytes);
  const auto end_of = [&](const std::string& changed) {
    writeBytes(logPath(),
               bytes.substr(0, kBegin) + recordOf(changed) + bytes.substr(kBegin + 8 + kBodyBytes));
    const ReadLog log = readLog(logPath());
    if (log.end.ok()) return std::string("whole");
    EXPECT_EQ(log.end.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(log.queries, IsEmpty());
    return std::string(log.end.message());
  };
  const auto changed_at = [&](std::size_t at, int value) {
    std::string changed = body;
    changed[at] = static_cast<char>(value);
    return end_of(changed);
  };
  ASSERT_EQ(end_of(body), "whole");
  ASSERT_EQ(body[1], 2) << "a climb";
  EXPECT_THAT(changed_at(1, 3), AllOf(HasSubstr("a move of kind 3"), HasSubstr("record 2")));
  EXPECT_THAT(changed_at(1, 255), HasSubstr("a move of kind 255"));
  EXPECT_THAT(changed_at(2, 16), HasSubstr("a climb out of block 16"));
  EXPECT_THAT(changed_at(9, -1), HasSubstr("a climb out of block -"));
  EXPECT_EQ(changed_at(2, 15), "whole");
  EXPECT_THAT(end_of(body + "x"), HasSubstr("not as long as a move is"));
  for (std::size_t size = 1; size < body.size(); ++size)
    EXPECT_THAT(end_of(body.substr(0, size)), HasSubstr("not as long as a move is")) << size;
  // A single changed byte, without a new checksum.
  for (std::size_t at = kBegin; at < kBegin + 8 + kBodyBytes; ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    writeBytes(logPath(), changed);
    EXPECT_EQ(readLog(logPath()).end.code(), absl::StatusCode::kDataLoss) << at;
  }
}

// Random scenes, moves and queries.
TEST(MoveReplayPropertyTest, RandomMovesAreReplayed) {
  constexpr int kRounds = 40;
  std::size_t hits = 0;
  int moves = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int levels = 1 + round % 5;
    const auto scene_of_round = [&] {
      oracle::Rng rng("RandomMovesAreReplayed" + std::to_string(round));
      return oracle::randomScene(rng, levels, 20, 300);
    };
    const auto scene = scene_of_round();
    oracle::Rng rng("RandomMovesAreReplayed.Queries" + std::to_string(round));
    RayQueryService service(scene->world, scene->entities);
    const auto recording = recordQueries(service, scene->world, scene->entities);
    std::string anchor = "888";
    for (int step = 0; step < 40; ++step)
      anchor += "_888";
    Window window(scene->world, scene->entities, ChunkPath::parse(anchor).value());
    window.addObserver(*recording);
    for (int i = 0; i < 60; ++i) {
      if (rng.oneIn(8)) {
        const Frame& frame = scene->world.frame();
        const ChunkCoord near = frame.chunkAt(scene->center, rng.below(levels));
        const auto move = rng.oneIn(2)   ? window.recenter(near)
                          : rng.oneIn(2) ? window.descend(near)
                                         : window.climb();
        ASSERT_TRUE(move.ok()) << move.status();
        scene->center = move->frame_move.pointAfter(scene->center).value_or(Vec3i{});
        ++moves;
      }
      const FixedSegment line = oracle::randomSegment(rng, *scene);
      const auto shot = service.shootSegment(line);
      if (shot.ok()) hits += shot->hits.size();
      static_cast<void>(service.occluded(line));
    }
    ASSERT_TRUE(recording->close().ok());
    const auto again = scene_of_round();
    ASSERT_THAT(replayAll(again->world, again->entities),
                AllOf(testing::SizeIs(120), Each(Outcome::kEqual)))
        << round;
  }
  removeLog();
  EXPECT_GT(moves, 200);
  EXPECT_GT(hits, 300U);
}

}  // namespace
}  // namespace fractalray
