// SPDX-License-Identifier: Apache-2.0
// One thread edits and publishes snapshots while others query them: a thread sanitizer shows if
// they race.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../oracle/long_run.h"
#include "../oracle/shot_compare.h"
#include "batch_fixture.h"
#include "snapshot_scene.h"

namespace fractalray {
namespace {

using oracle::differenceOnSnapshots;
using oracle::PublishedScene;
using oracle::Rng;
using oracle::SnapshotScene;
using ScenePtr = std::shared_ptr<const PublishedScene>;

// The newest scene, by one for many.
class Board {
 public:
  void put(ScenePtr scene) {
    const std::lock_guard lock(mutex_);
    scene_ = std::move(scene);
  }
  ScenePtr get() const {
    const std::lock_guard lock(mutex_);
    return scene_;
  }

 private:
  mutable std::mutex mutex_;
  ScenePtr scene_;
};

// Queries the same by batches, with effects of the reader's own.
std::string differenceOfBatches(const PublishedScene& scene, ThreadExecutor& executor) {
  RayQueryService service(*scene.world, *scene.entities);
  std::size_t called = 0;
  std::ignore = service.onBlockHit(oracle::kWater, [&](const BlockHit&) {
    ++called;
    return HitResponse::kContinue;
  });
  ShotBatch shots;
  ClosestBatch closest;
  OcclusionBatch sights;
  const QueryOptions options{.report_unknown = true};
  if (!service.shootSegment(scene.queries, options, shots, executor).ok() ||
      !service.closestHit(scene.queries, {}, closest, executor).ok() ||
      !service
           .occluded(scene.queries, {.filter = {.categories = 1}, .entities_block = true}, sights,
                     executor)
           .ok()) {
    return "a batch fails\n";
  }
  std::string differences;
  std::size_t water = 0;
  for (std::size_t i = 0; i < scene.queries.size(); ++i) {
    differences += oracle::difference(resultOf(shots, i), scene.shots[i]);
    for (const Hit& hit : scene.shots[i].hits)
      water += hit.isBlock() && hit.type == oracle::kWater ? 1U : 0U;
    if (shots.shots[i].version != scene.shots[i].version ||
        closest.version != scene.closest[i].version ||
        (closest.answers[i].kind != Hit::Kind::kNone) != scene.closest[i].hit.has_value()) {
      differences += "another version or closest hit\n";
    }
  }
  if (sights.answers != scene.sights) differences += "another occlusion\n";
  if (called != water) differences += "other calls\n";
  return differences;
}

// Asks by one call what each line's start sees of the boxes around all ends: first with the history
// of whatever scene was asked before, then with that of this one. A start is that of several
// viewers, enough for more than one task of the executor.
std::string differenceOfTables(const PublishedScene& scene, SightHistory& history,
                               ThreadExecutor& executor) {
  constexpr std::size_t kViewersAtAStart = 4;
  const RayQueryService service(*scene.world, *scene.entities);
  std::vector<SightViewer> viewers;
  std::vector<Vec3i> eyes;
  std::vector<FixedBox> boxes;
  for (const BatchQuery& query : scene.queries) {
    const SightQuery sight = oracle::sightOf(std::get<FixedSegment>(query.line));
    eyes.push_back(sight.eye);
    boxes.push_back(sight.box);
  }
  for (std::size_t i = 0; i < kViewersAtAStart * eyes.size(); ++i)
    viewers.push_back({.eyes = {&eyes[i % eyes.size()], 1}});
  SightTable table;
  const SightTableOptions options{.each = {.boxes_block = true}, .history = &history};
  std::string differences;
  for (int call = 0; call < 2; ++call) {
    const absl::Status status =
        service.visibleBoxes(viewers, boxes, scene.world->allLevels(), options, table, executor);
    if (!status.ok()) return "a table of sight fails\n";
    for (std::size_t i = 0; i < viewers.size(); ++i) {
      const std::size_t line = i % boxes.size();
      if (table.at(i, line) != scene.visible[line]) differences += "another sight in a table\n";
    }
  }
  if (table.stats.unchanged == 0) differences += "a table that remembers nothing\n";
  return differences;
}

class SnapshotStressTest : public testing::Test {
 protected:
  // Keeps some scenes for a while, and queries the newest and the others alternately.
  void read(int reader) {
    Rng rng(static_cast<std::uint64_t>(reader));
    ThreadExecutor executor(reader == 0 ? 2 : 1);
    SightHistory history;
    std::vector<ScenePtr> kept;
    while (!is_over_) {
      kept.push_back(board_.get());
      if (kept.size() > 4) kept.erase(kept.begin() + rng.below(4));
      const auto one = static_cast<std::size_t>(rng.below(static_cast<int>(kept.size())));
      const PublishedScene& scene = *kept[one];
      const std::string differences = rng.oneIn(2)   ? differenceOnSnapshots(scene)
                                      : rng.oneIn(2) ? differenceOfBatches(scene, executor)
                                                     : differenceOfTables(scene, history, executor);
      ++reads_;
      if (differences.empty()) continue;
      ADD_FAILURE() << "reader " << reader << ": " << differences;
      is_over_ = true;
    }
  }

  // Runs for a minute in all if FRACTALRAY_LONG_TESTS is set.
  void run(std::string_view name, int levels) {
    const bool is_long = oracle::isLongRun();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(is_long ? 30 : 2);
    Rng rng(name);
    SnapshotScene scene(rng, levels);
    board_.put(std::make_shared<PublishedScene>(scene.publish(8)));
    std::size_t published = 0;
    {
      std::vector<std::jthread> readers;
      for (int reader = 0; reader < 3; ++reader)
        readers.emplace_back([this, reader] { read(reader); });
      // Longer on a machine that is too busy for the readers.
      while (!is_over_ &&
             (std::chrono::steady_clock::now() < end || published < 11 || reads_ < 11)) {
        for (int changes = rng.below(20); changes > 0; --changes)
          scene.change();
        board_.put(std::make_shared<PublishedScene>(scene.publish(8)));
        ++published;
      }
      is_over_ = true;
    }
    EXPECT_GT(published, 10U);
    EXPECT_GT(reads_, 10U);
  }

  Board board_;
  std::atomic<bool> is_over_ = false;
  std::atomic<std::size_t> reads_ = 0;
};

TEST_F(SnapshotStressTest, ReadersAreUnaffectedByAWriterOnOneLevel) {
  run("SnapshotStressTest.One", 1);
}
TEST_F(SnapshotStressTest, ReadersAreUnaffectedByAWriterOnThreeLevels) {
  run("SnapshotStressTest.Three", 3);
}

}  // namespace
}  // namespace fractalray
