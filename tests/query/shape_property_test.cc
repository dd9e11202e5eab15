// SPDX-License-Identifier: Apache-2.0
// Checks that shots at worlds of random shapes equal the oracle's, which divides the blocks: both
// passes, every hit and its spans. 10^6 lines if FRACTALRAY_LONG_TESTS is set.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "../../query/hit_spans.h"
#include "../../query/ray_query_service.h"
#include "../oracle/long_run.h"
#include "../oracle/shape_walk_oracle.h"
#include "../oracle/shot_compare.h"
#include "../oracle/shot_oracle.h"
#include "shape_scene.h"

namespace fractalray::oracle::shape_property_test {
namespace {

constexpr int kLinesOfAScene = 50;

// Counts the cases that the lines have covered; each must have occurred.
struct Seen {
  int shaped = 0;   // hits of shapes
  int gaps = 0;     // of several spans
  int touched = 0;  // at a single point, after the start
  int late = 0;     // after their cells are entered
  int ties = 0;     // with the hit before
  int ended = 0;    // shots that a solid block ends
};

class Checker {
 public:
  explicit Checker(const ShapeScene& scene)
      : world_(scene.world()), entities_(scene.entities()), service_(world_, entities_) {}

  // Returns what differs from the oracle, with all that is needed to repeat it; or "".
  std::string check(const FixedSegment& line, LevelMask levels, QueryOptions options, Seen& seen) {
    const OracleShot expected = shoot(world_, entities_, line, levels, options, {});
    std::string text;
    for (const SearchPass pass : {SearchPass::kPlain, SearchPass::kFast}) {
      options.pass = pass;
      const absl::Status status = service_.shootSegment(line, levels, options, shot_);
      if (!status.ok()) return status.ToString();
      text += difference(shot_, expected, line, options);
      text += differenceOfFirst(line, levels, options, expected);
    }
    for (std::size_t i = 0; i < shot_.hits.size() && text.empty(); ++i) {
      text += checkSpans(shot_.hits[i], options, seen);
      seen.ties += i > 0 && shot_.hits[i - 1].t == shot_.hits[i].t ? 1 : 0;
    }
    seen.ended += shot_.terminated ? 1 : 0;
    if (text.empty()) return text;
    return text + describe(line) + ", levels " + formatLevelMask(levels) + ", " +
           describe(options) + "\n" + describe(world_, entities_, line);
  }

 private:
  // Checks the closest hit, which the direct search finds.
  std::string differenceOfFirst(const FixedSegment& line, LevelMask levels,
                                const QueryOptions& options, const OracleShot& expected) const {
    const absl::StatusOr<ClosestHit> closest = service_.closestHit(line, levels, options);
    if (!closest.ok()) return closest.status().ToString();
    if (closest->hit.has_value() != !expected.hits.empty()) return "the closest hit\n";
    if (!closest->hit.has_value() || isSame(*closest->hit, expected.hits.front())) return "";
    return "closest " + describe(*closest->hit) + "\n";
  }

  // Checks the parts of the line inside a hit.
  std::string checkSpans(const Hit& hit, const QueryOptions& options, Seen& seen) {
    const absl::Status status = hitSpans(world_, shot_.segment, hit, options, spans_);
    if (!status.ok()) return status.ToString();
    if (!hit.isBlock()) return "";
    const BlockTypeTable& types = world_.blockTypes();
    const ShapeId shape = types.shape(hit.type, options.filter.channel);
    if (shape == kWholeCube) return "";
    const std::int64_t width = world_.frame().blockWidth(hit.level);
    const Vec3i corner{hit.block[0] * width, hit.block[1] * width, hit.block[2] * width};
    const std::optional<ShapeVisit> visit =
        visitShape(shot_.segment, options.corner, types.boxes(shape), corner, width);
    if (!visit.has_value() || visit->spans.size() != spans_.size()) return "the number of spans\n";
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const bool is_near = std::abs(spans_[i].t0 - toDouble(visit->spans[i].first)) < 1e-12 &&
                           std::abs(spans_[i].t1 - toDouble(visit->spans[i].second)) < 1e-12;
      if (!is_near) return "span " + std::to_string(i) + "\n";
    }
    ++seen.shaped;
    seen.gaps += spans_.size() > 1 ? 1 : 0;
    seen.touched += hit.t > 0 && hit.t_exit == hit.t ? 1 : 0;
    seen.late += hit.step == 0 && !hit.start_inside ? 1 : 0;
    return "";
  }

  const World& world_;
  const EntityIndex& entities_;
  RayQueryService service_;
  ShotResult shot_;
  std::vector<HitSpan> spans_;
};

class ShapePropertyTest : public testing::TestWithParam<int> {};

TEST_P(ShapePropertyTest, RandomShapesEqualTheOracle) {
  const int lines = isLongRun() ? 250'000 : 2'000;
  Rng rng("ShapePropertyTest." + std::to_string(GetParam()));
  Seen seen;
  for (int number = 0; number < lines / kLinesOfAScene; ++number) {
    const std::uint64_t seed = rng.seed();
    const ShapeScene scene(rng, GetParam());
    Checker checker(scene);
    for (int i = 0; i < kLinesOfAScene; ++i) {
      const FixedSegment line = scene.segment(rng);
      const LevelMask levels = scene.levels(rng);
      const std::string text = checker.check(line, levels, shapeOptions(rng), seen);
      ASSERT_EQ(text, "") << "scene " << number << " from seed " << seed << ", line " << i;
    }
  }
  EXPECT_GT(seen.shaped, lines / 2);
  EXPECT_GT(seen.gaps, lines / 100);
  EXPECT_GT(seen.touched, lines / 50);
  EXPECT_GT(seen.late, lines / 10);
  EXPECT_GT(seen.ties, lines / 100);  // some 2 %, and other scenes with each compiler
  EXPECT_GT(seen.ended, lines / 10);
}
INSTANTIATE_TEST_SUITE_P(Levels, ShapePropertyTest, testing::Values(1, 2, 3, 8));

}  // namespace
}  // namespace fractalray::oracle::shape_property_test
