// SPDX-License-Identifier: Apache-2.0
// Whole shots through the door, hit by hit, each call resuming after the hit before: they are those
// of tests/golden, and those of this process at many more random worlds, on all levels and with
// entities.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../c/golden_hash.h"
#include "../c/golden_scene.h"
#include "../c/sized.h"
#include "../oracle/long_run.h"
#include "door.h"

namespace fractalray::testing {
namespace {

using golden::Hash;
using golden::Scene;
using oracle::Rng;

// A shot, and its hits through the door.
struct DoorShot {
  frLine line{};
  std::int32_t corner = 0;
  bool report_unknown = false;
  std::vector<frHit> hits{};

  frQueryOptions options() const {
    frQueryOptions options = sized<frQueryOptions>();
    options.corner = corner;
    options.report_unknown = report_unknown ? 1 : 0;
    return options;
  }
  bool isDone() const { return !hits.empty() && hits.back().terminal != 0; }
};

// Draws as tests/golden does.
std::vector<DoorShot> drawShots(const Scene& scene, Rng& rng, int count) {
  constexpr std::array<std::int32_t, 3> kCorners = {FR_CORNER_NEITHER, FR_CORNER_BOTH,
                                                    FR_CORNER_STAIRCASE};
  std::vector<DoorShot> shots;
  for (int i = 0; i < count; ++i) {
    DoorShot shot;
    shot.corner = kCorners[static_cast<std::size_t>(rng.below(3))];
    shot.report_unknown = rng.oneIn(2);
    shot.line = scene.segment(rng);
    shots.push_back(std::move(shot));
  }
  return shots;
}

// Asks for the next hits of shots with the same options; returns those that may have more.
std::vector<DoorShot*> askForNext(frRemote* remote, const std::vector<DoorShot*>& shots) {
  std::vector<frLine> lines;
  std::vector<frHit> after;
  std::vector<std::uint64_t> ends;
  for (const DoorShot* const shot : shots) {
    lines.push_back(shot->line);
    if (!shot->hits.empty()) after.push_back(shot->hits.back());
    ends.push_back(after.size());
  }
  frLines asked = sized<frLines>();
  asked.count = lines.size();
  asked.lines = lines.data();
  if (!after.empty()) {
    asked.after = after.data();
    asked.after_ends = ends.data();
  }
  const frQueryOptions options = shots.front()->options();
  std::vector<frHit> found(lines.size());
  std::vector<frResult> results(lines.size());
  EXPECT_EQ(frRemote_ClosestHits(remote, &asked, FR_ALL_LEVELS, &options, found.data(), nullptr,
                                 results.data(), nullptr),
            FR_OK)
      << frGetLastError();
  std::vector<DoorShot*> more;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    EXPECT_EQ(results[i], FR_OK);
    if (found[i].kind == FR_HIT_NONE) continue;
    shots[i]->hits.push_back(found[i]);
    if (!shots[i]->isDone()) more.push_back(shots[i]);
  }
  return more;
}

void shootThroughDoor(frRemote* remote, std::vector<DoorShot>& shots) {
  std::map<std::pair<std::int32_t, bool>, std::vector<DoorShot*>> groups;
  for (DoorShot& shot : shots)
    groups[{shot.corner, shot.report_unknown}].push_back(&shot);
  constexpr int kMostHits = 10'000;  // of a shot
  for (auto& [options, group] : groups) {
    for (int round = 0; !group.empty() && round < kMostHits && !::testing::Test::HasFailure();
         ++round) {
      group = askForNext(remote, group);
    }
  }
}

// Returns the hits of a shot of this process.
std::vector<frHit> shootHere(const Scene& scene, const DoorShot& shot, frQueryResult& result) {
  const frQueryOptions options = shot.options();
  std::vector<frHit> hits(10'000);
  result = sized<frQueryResult>();
  golden::require(frWorld_Shoot(scene.world(), &shot.line, FR_ALL_LEVELS, &options, hits.data(),
                                hits.size(), &result));
  hits.resize(result.hit_count);
  return hits;
}

// Adds shots as they are here and through the door, which does not report what they cross.
std::size_t addShots(const Scene& scene, const std::vector<DoorShot>& shots, Hash& here,
                     Hash& through_door) {
  std::size_t hits = 0;
  for (const DoorShot& shot : shots) {
    frQueryResult result{};
    const std::vector<frHit> found = shootHere(scene, shot, result);
    golden::addShot(here, {scene.world(), &shot.line, &result, found});
    result.terminated = shot.isDone() ? 1 : 0;
    golden::addShot(through_door, {scene.world(), &shot.line, &result, shot.hits});
    hits += found.size();
  }
  return hits;
}

TEST(WholeShotsTest, HitsThroughTheDoorAreThoseOfTestsGolden) {
  std::ifstream file(FRACTALRAY_SOURCE_DIR "/tests/golden/golden.txt");
  std::map<std::string, std::string> recorded;
  for (std::string name, hash; file >> name >> hash;)
    recorded[name] = hash;
  Hash here;
  Hash through_door;
  Rng rng("golden shots");
  for (int number = 0; number < 40; ++number) {
    const Scene scene(rng);
    TestSource source(scene.world());
    const Door door(source);
    const Client client(door.address());
    ASSERT_EQ(client.connected(), FR_OK) << frGetLastError();
    std::vector<DoorShot> shots = drawShots(scene, rng, 100);
    shootThroughDoor(client.get(), shots);
    addShots(scene, shots, here, through_door);
  }
  ASSERT_EQ(recorded.count("shots"), 1U);
  EXPECT_EQ(here.value(), std::stoull(recorded["shots"], nullptr, 16));
  EXPECT_EQ(through_door.value(), here.value());
}

// 10^4 shots, 10^6 in a long run.
TEST(WholeShotsTest, HitsAtRandomWorldsAreThoseOfThisProcess) {
  Rng rng = oracle::rngOf("whole shots through the door");
  const int scenes = oracle::isLongRun() ? 1000 : 100;
  std::size_t hits = 0;
  for (int number = 0; number < scenes; ++number) {
    const std::uint64_t seed = rng.seed();
    const Scene scene(rng);
    TestSource source(scene.world());
    const Door door(source);
    const Client client(door.tcpAddress());
    ASSERT_EQ(client.connected(), FR_OK) << frGetLastError();
    std::vector<DoorShot> shots = drawShots(scene, rng, oracle::isLongRun() ? 1000 : 100);
    shootThroughDoor(client.get(), shots);
    Hash here;
    Hash through_door;
    hits += addShots(scene, shots, here, through_door);
    ASSERT_EQ(through_door.value(), here.value()) << oracle::repeatBy(seed);
  }
  EXPECT_GT(hits, 20U * static_cast<std::size_t>(scenes));
}

}  // namespace
}  // namespace fractalray::testing
