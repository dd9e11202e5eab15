// SPDX-License-Identifier: Apache-2.0
// visibleBoxes() in random worlds of all kinds: pair by pair the answers of visible(), with and
// without threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "../../core/thread_executor.h"
#include "../../query/ray_query_service.h"
#include "../../query/sight_table.h"
#include "../oracle/long_run.h"
#include "../oracle/rng.h"
#include "sight_scene.h"
#include "table_scene.h"

namespace fractalray::sight_test {
namespace {

using oracle::Rng;

int tableRounds() {
  return oracle::isLongRun() ? 5000 : 150;
}

TableScene randomTable(Rng& rng, SceneKind kind) {
  TableScene scene;
  scene.eyes.resize(static_cast<std::size_t>(rng.in(0, 5)));
  for (std::vector<Vec3i>& eyes : scene.eyes) {
    for (int i = rng.pick({0, 1, 1, 1, 2, 3}); i > 0; --i)
      eyes.push_back(randomCase(rng, kind).query.eye);
  }
  for (int i = rng.below(8); i > 0; --i)
    scene.boxes.push_back(randomCase(rng, kind).query.box);
  return scene;
}

// Returns a distance that decides exactly: that of a pair, if it is a whole number of units, or the
// unit below or above.
std::int64_t randomDistance(Rng& rng, const TableScene& scene) {
  if (scene.boxes.empty() || scene.eyes.empty() || scene.eyes[0].empty())
    return rng.pick({std::int64_t{0}, std::numeric_limits<std::int64_t>::max()});
  const oracle::Integer square = squareOfDistance(scene.eyes[0][0], scene.boxes[0]);
  const oracle::Integer root = sqrt(square);
  const auto most = static_cast<std::int64_t>(root) + rng.in(-1, 1);
  return std::max<std::int64_t>(0, most);
}

auto tied(const SightTableStats& stats) {
  return std::tuple(stats.pairs, stats.unchanged, stats.by_ray, stats.by_proof, stats.searched,
                    stats.undecided, stats.sight.rays, stats.sight.cuts, stats.sight.steps());
}

class VisibleBoxesPropertyTest : public testing::TestWithParam<int> {};

TEST_P(VisibleBoxesPropertyTest, AnswersAreThoseOfVisible) {
  const auto kind = static_cast<SceneKind>(GetParam());
  Rng rng = oracle::rngOf("VisibleBoxes" + std::to_string(GetParam()));
  const ThreadExecutor threads(3);
  SightTable table;
  SightTable parallel;
  std::array<int, 5> count{};
  for (int i = 0; i < tableRounds(); ++i) {
    SCOPED_TRACE(oracle::repeatBy(rng.seed()));
    const SightCase made = randomCase(rng, kind);
    const RayQueryService service = made.service();
    const TableScene scene = randomTable(rng, kind);
    SightTableOptions options{.each = made.allOptions()};
    if (rng.oneIn(4)) options.max_distance = randomDistance(rng, scene);
    if (rng.oneIn(4)) {
      const std::size_t out = static_cast<std::size_t>(rng.below(4));
      options.leaves_out = [out](std::size_t viewer, std::size_t box) {
        return (viewer + box) % 4 == out;
      };
    }
    if (rng.oneIn(4)) options.each.max_steps = rng.pick<std::uint64_t>({0, 0, 1, 3, 12});
    options.if_undecided = rng.pick({Sight::kUndecided, Sight::kHidden, Sight::kVisible});
    const std::vector<Sight> expected = answersOneByOne(service, scene, made.levels, options);
    const absl::Status status =
        service.visibleBoxes(scene.viewers(), scene.boxes, made.levels, options, table);
    ASSERT_TRUE(status.ok()) << status;
    ASSERT_EQ(table.answers, expected) << made.text();
    ASSERT_EQ(table.version, service.version());
    ASSERT_EQ(table.viewers(), scene.eyes.size());
    ASSERT_EQ(table.boxes(), scene.boxes.size());
    const auto skipped = std::count(expected.begin(), expected.end(), Sight::kSkipped);
    ASSERT_EQ(table.stats.pairs, expected.size() - static_cast<std::size_t>(skipped));
    ASSERT_EQ(table.stats.searched, table.stats.pairs);
    ASSERT_TRUE(
        service.visibleBoxes(scene.viewers(), scene.boxes, made.levels, options, parallel, threads)
            .ok());
    ASSERT_EQ(parallel.answers, expected);
    ASSERT_EQ(tied(parallel.stats), tied(table.stats));
    for (const Sight sight : expected)
      ++count[static_cast<std::size_t>(sight)];
  }
  EXPECT_GT(count[0], 0) << "nothing is hidden";
  EXPECT_GT(count[2], 0) << "nothing is visible";
  if (kind != SceneKind::kBoxes) {  // most of which take no step
    EXPECT_GT(count[3], 0) << "nothing is undecided";
  }
  EXPECT_GT(count[4], 0) << "nothing is skipped";
}

INSTANTIATE_TEST_SUITE_P(Kinds, VisibleBoxesPropertyTest, testing::Range(0, kSceneKinds));

}  // namespace
}  // namespace fractalray::sight_test
