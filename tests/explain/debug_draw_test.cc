// SPDX-License-Identifier: Apache-2.0
// Debug drawing: the calls that an engine gets, and when it gets none.
#include "../../query/explain/debug_draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "../../query/ray_query_service.h"
#include "../oracle/random_scene.h"

namespace fractalray {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr DebugColor kHitColor{230, 48, 36};

// A call: of a line or a box both ends, of a sphere its centre and its radius thrice.
struct Call {
  char kind = 'l';
  Vec3d a{};
  Vec3d b{};
  DebugColor color{};
  std::string text{};

  friend bool operator==(const Call&, const Call&) = default;
};

// Notes the calls of a drawing.
class Recorder {
 public:
  DebugDraw draw() {
    DebugDraw draw = linesOnly();
    draw.box = [this](const Vec3d& min, const Vec3d& max, DebugColor color) {
      calls.push_back({'b', min, max, color});
    };
    draw.sphere = [this](const Vec3d& center, double radius, DebugColor color) {
      calls.push_back({'s', center, {radius, radius, radius}, color});
    };
    draw.label = [this](const Vec3d& at, std::string_view text, DebugColor color) {
      calls.push_back({'t', at, at, color, std::string(text)});
    };
    return draw;
  }
  DebugDraw linesOnly() {
    DebugDraw draw;
    draw.line = [this](const Vec3d& from, const Vec3d& to, DebugColor color) {
      calls.push_back({'l', from, to, color});
    };
    return draw;
  }

  std::vector<Call> of(char kind) const {
    std::vector<Call> some;
    for (const Call& call : calls) {
      if (call.kind == kind) some.push_back(call);
    }
    return some;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Call& call : of('t'))
      texts.push_back(call.text);
    return texts;
  }

  std::vector<Call> calls;
};

// Glass at x = 2 and stone at x = 4 of a chunk at `at`, a sphere next to the line and a box on it.
class DebugDrawTest : public testing::Test {
 protected:
  explicit DebugDrawTest(std::int64_t at = 0) : at_(at) {
    BlockTypeTable& types = world_.blockTypes();
    const BlockTypeId glass = *types.add({.name = "glass", .kind = BlockKind::kPermeable});
    const BlockTypeId stone = *types.add({.name = "stone"});
    EXPECT_TRUE(world_.loadChunk(0, {at / kChunkSize, 0, 0}, Chunk()).ok());
    EXPECT_TRUE(world_.setBlock(0, {at + 2, 1, 1}, glass).ok());
    EXPECT_TRUE(world_.setBlock(0, {at + 4, 1, 1}, stone).ok());
    EXPECT_TRUE(world_.setBlock(0, {at + 1, 2, 1}, stone).ok());
    const auto x = static_cast<double>(at);
    EXPECT_TRUE(
        entities_.add({.id = 7, .shape = Sphere{0.25}, .position = {x + 3.5, 2.5, 1.5}}).ok());
    EXPECT_TRUE(
        entities_.add({.id = 8, .shape = Box{{0.1, 1, 1}}, .position = {x + 3.5, 1.5, 1.5}}).ok());
  }

  Segment line() const {
    const auto x = static_cast<double>(at_);
    return {.from = {x + 0.5, 1.5, 1.5}, .to = {x + 8.5, 1.5, 1.5}};
  }
  absl::Status shoot(const DebugDraw& draw, const DebugDrawOptions& options = {},
                     const QueryOptions& shot = {}) const {
    return debugDrawShot(world_, entities_, line(), LevelMask::all(), shot, draw, options);
  }

  absl::Status shootAt(const DebugDraw& draw, const Vec3d& origin) const {
    return shoot(draw, {.origin = origin, .surroundings = 1});
  }

  std::int64_t at_;
  World world_;
  EntityIndex entities_{world_.frame()};
};

TEST_F(DebugDrawTest, DrawsTheAnswerOfAShot) {
  const RayQueryService service(world_, entities_);
  const absl::StatusOr<ShotResult> shot = service.shootSegment(line());
  ASSERT_TRUE(shot.ok());
  Recorder recorder;
  ASSERT_TRUE(debugDrawResult(world_, *shot, recorder.draw()).ok());
  EXPECT_THAT(recorder.texts(), ElementsAre("1 glass", "2 entity 8", "3 stone"));
  // The line to its end and what follows, and a normal for each hit.
  const std::vector<Call> lines = recorder.of('l');
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].a, (Vec3d{0.5, 1.5, 1.5}));
  EXPECT_EQ(lines[0].b, (Vec3d{4, 1.5, 1.5}));
  EXPECT_EQ(lines[1].a, lines[0].b);
  EXPECT_EQ(lines[1].b, (Vec3d{8.5, 1.5, 1.5}));
  EXPECT_EQ(lines[4].a, (Vec3d{4, 1.5, 1.5}));
  EXPECT_EQ(lines[4].b, (Vec3d{3.5, 1.5, 1.5}));
  // Boxes of the hits, and a dot on each.
  const std::vector<Call> boxes = recorder.of('b');
  ASSERT_EQ(boxes.size(), 6U);
  EXPECT_EQ(boxes[0], (Call{'b', {2, 1, 1}, {3, 2, 2}, kHitColor}));
  EXPECT_EQ(boxes[4], (Call{'b', {4, 1, 1}, {5, 2, 2}, kHitColor}));
  for (std::size_t dot = 1; dot < 6; dot += 2)
    EXPECT_EQ((boxes[dot].a + boxes[dot].b) / 2, shot->hits[dot / 2].point);
  EXPECT_THAT(recorder.of('s'), IsEmpty()) << "the sphere was not hit";
}

TEST_F(DebugDrawTest, DrawsWhyAShotDidWhatItDid) {
  Recorder recorder;
  ASSERT_TRUE(shoot(recorder.draw()).ok());
  EXPECT_THAT(recorder.texts(),
              ElementsAre("entity 7: missed", "entity 8: hit", "1 glass", "2 entity 8", "3 stone"));
  // The cells 0 to 4 in order, then what the answer has.
  const std::vector<Call> boxes = recorder.of('b');
  for (std::size_t i = 0; i < 5; ++i) {
    const auto x = static_cast<double>(i);
    EXPECT_EQ(boxes[i].a, (Vec3d{x, 1, 1}));
    EXPECT_EQ(boxes[i].b, (Vec3d{x + 1, 2, 2}));
  }
  EXPECT_EQ(boxes[0].color, boxes[1].color) << "empty";
  EXPECT_EQ(
      (std::set<int>{boxes[0].color.alpha, boxes[2].color.alpha, boxes[4].color.alpha}.size()), 3U)
      << "empty, permeable and solid look different";
  ASSERT_EQ(recorder.of('s').size(), 1U);
  EXPECT_EQ(recorder.of('s')[0].a, (Vec3d{3.5, 2.5, 1.5}));
  EXPECT_EQ(recorder.of('s')[0].b[0], 0.25);
}

TEST_F(DebugDrawTest, OptionsLeaveThingsOut) {
  Recorder all;
  ASSERT_TRUE(shoot(all.draw()).ok());
  Recorder few;
  ASSERT_TRUE(shoot(few.draw(), {.max_cells = 2}).ok());
  EXPECT_EQ(few.of('b').size(), all.of('b').size() - 3);
  Recorder no_entities;
  ASSERT_TRUE(shoot(no_entities.draw(), {.entities = false}).ok());
  EXPECT_THAT(no_entities.texts(), ElementsAre("1 glass", "2 entity 8", "3 stone"));
  Recorder around;
  ASSERT_TRUE(shoot(around.draw(), {.surroundings = 1}).ok());
  const std::vector<Call> boxes = around.of('b');
  EXPECT_EQ(boxes.size(), all.of('b').size() + 1);
  EXPECT_EQ(boxes[5].a, (Vec3d{1, 2, 1})) << "the stone above the line";
}

TEST_F(DebugDrawTest, DrawsTheShapeOfABlockInTheChannelOfTheShot) {
  BlockTypeTable& types = world_.blockTypes();
  const ChannelId low = *types.addChannel("low");
  const std::array<ShapeBox, 1> boxes = {{{.min = {32768, 0, 0}, .max = {65536, 65536, 65536}}}};
  const ShapeId half = *types.addShape(boxes);
  BlockTypeSpec step{.name = "step"};
  step.channel_shapes = {{low, half}};
  ASSERT_TRUE(world_.setBlock(0, {1, 1, 1}, *types.add(step)).ok());
  QueryOptions shot;
  shot.filter.channel = low;
  const absl::StatusOr<ShotResult> result =
      RayQueryService(world_, entities_).shootSegment(line(), LevelMask::all(), shot);
  ASSERT_TRUE(result.ok());
  const Call expected{'b', {1.5, 1, 1}, {2, 2, 2}, kHitColor, ""};
  Recorder of_shot;
  ASSERT_TRUE(shoot(of_shot.draw(), {}, shot).ok());
  EXPECT_THAT(of_shot.of('b'), ::testing::Contains(expected));
  Recorder of_result;
  ASSERT_TRUE(debugDrawResult(world_, *result, of_result.draw(), {.channel = low}).ok());
  EXPECT_THAT(of_result.of('b'), ::testing::Contains(expected));
}

// Callbacks that end shots are not called again.
TEST_F(DebugDrawTest, CallsNoEffects) {
  int calls = 0;
  QueryOptions shot;
  shot.on_hit = [&](const Hit&) {
    ++calls;
    return HitResponse::kStop;
  };
  Recorder recorder;
  ASSERT_TRUE(shoot(recorder.draw(), {}, shot).ok());
  EXPECT_EQ(calls, 0);
  EXPECT_THAT(recorder.texts(), ::testing::Contains("3 stone"));
}

TEST_F(DebugDrawTest, ShowsWhereTheUnknownBegins) {
  QueryOptions options;
  options.report_unknown = true;
  const RayQueryService service(world_, entities_);
  const absl::StatusOr<ShotResult> shot = service.shootSegment(
      Segment{.from = {8.5, 8.5, 8.5}, .to = {24.5, 8.5, 8.5}}, LevelMask::all(), options);
  ASSERT_TRUE(shot.ok());
  Recorder recorder;
  ASSERT_TRUE(debugDrawResult(world_, *shot, recorder.draw()).ok());
  ASSERT_THAT(recorder.texts(), ElementsAre("unknown from here on"));
  EXPECT_EQ(recorder.of('t')[0].a, (Vec3d{16, 8.5, 8.5}));
}

// A bounce is drawn from where it begins, not from the image of the start.
TEST_F(DebugDrawTest, AReflectedLineBeginsAtItsPlane) {
  const RayQueryService service(world_, entities_);
  const FixedSegment there = *toFixedSegment(line());
  const absl::StatusOr<ShotResult> shot = service.shootSegment(there);
  ASSERT_TRUE(shot.ok() && shot->terminated);
  const absl::StatusOr<FixedSegment> back = service.reflect(there, shot->hits.back());
  ASSERT_TRUE(back.ok()) << back.status();
  Recorder recorder;
  ASSERT_TRUE(debugDrawShot(world_, entities_, *back, LevelMask::all(), {}, recorder.draw()).ok());
  const std::vector<Call> lines = recorder.of('l');
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].a, (Vec3d{4, 1.5, 1.5}));
  // The path is 8 blocks long: 3.5 to the wall, and 4.5 back.
  EXPECT_EQ(lines[0].b, (Vec3d{-0.5, 1.5, 1.5}));
  const std::vector<Call> boxes = recorder.of('b');
  EXPECT_EQ(boxes[0].a, (Vec3d{3, 1, 1})) << "the first cell is the one before the wall";
}

// The hit after which a shot resumes ends neither the drawing of its cells nor that of its line.
TEST_F(DebugDrawTest, AShotThatResumesIsDrawnFromThere) {
  const BlockTypeId stone = *world_.blockTypes().find("stone");
  ASSERT_TRUE(world_.setBlock(0, {at_ + 6, 1, 1}, stone).ok());
  const RayQueryService service(world_, entities_);
  const absl::StatusOr<ShotResult> first = service.shootSegment(line());
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(first->hits.size(), 3U);
  Recorder after_glass;
  ASSERT_TRUE(shoot(after_glass.draw(), {}, {.after = std::span(first->hits).first(1)}).ok());
  EXPECT_THAT(after_glass.texts(),
              ElementsAre("entity 7: missed", "entity 8: hit", "1 entity 8", "2 stone"));
  EXPECT_EQ(after_glass.of('b')[0].a, (Vec3d{3, 1, 1}));
  EXPECT_EQ(after_glass.of('b')[1].a, (Vec3d{4, 1, 1}));
  Recorder after_wall;
  ASSERT_TRUE(shoot(after_wall.draw(), {}, {.after = first->hits}).ok());
  EXPECT_THAT(after_wall.texts(), ElementsAre("entity 7: missed", "entity 8: ignored", "1 stone"));
  EXPECT_EQ(after_wall.of('b')[0].a, (Vec3d{5, 1, 1}));
  EXPECT_EQ(after_wall.of('b')[1].a, (Vec3d{6, 1, 1}));
}

TEST_F(DebugDrawTest, ABudgetEndsTheLineWhereItIsUsedUp) {
  TerminalRules rules;
  const BudgetId depth = rules.addBudget(0.25).value();
  const BlockTypeId glass = *world_.blockTypes().find("glass");
  ASSERT_TRUE(rules.setBlock(glass, TerminalRule::costPerBlock(depth, 1)).ok());
  Recorder recorder;
  ASSERT_TRUE(shoot(recorder.draw(), {}, {.rules = &rules}).ok());
  const std::vector<Call> lines = recorder.of('l');
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[0].b, (Vec3d{2.25, 1.5, 1.5}));
  EXPECT_EQ(lines[1].a, lines[0].b);
}

TEST_F(DebugDrawTest, NeedsNoMoreStepsThanTheShot) {
  for (std::int64_t x = 1; x < 9; ++x)
    ASSERT_TRUE(world_.loadChunk(0, {x, 0, 0}, Chunk()).ok());
  const Segment through_air{.from = {0.5, 8.5, 8.5}, .to = {160.5, 8.5, 8.5}};
  const RayQueryService service(world_, entities_);
  QueryOptions shot;
  shot.max_steps = service.shootSegment(through_air).value().stats.steps();
  EXPECT_TRUE(
      debugDrawShot(world_, entities_, through_air, LevelMask::all(), shot, Recorder().draw())
          .ok());
}

// Without them boxes are 12 edges, and spheres are polygons around them.
TEST_F(DebugDrawTest, BoxesAndSpheresCanBeLines) {
  Recorder shapes;
  ASSERT_TRUE(shoot(shapes.draw()).ok());
  Recorder lines;
  ASSERT_TRUE(shoot(lines.linesOnly()).ok());
  EXPECT_EQ(lines.calls.size(),
            shapes.of('l').size() + 12 * shapes.of('b').size() + 48 * shapes.of('s').size());
  // The first box.
  std::set<std::pair<Vec3d, Vec3d>> edges;
  for (std::size_t i = 0; i < 12; ++i) {
    const Call& edge = lines.calls[i];
    EXPECT_EQ(length(edge.b - edge.a), 1);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_TRUE(edge.a[axis] == shapes.of('b')[0].a[axis] ||
                  edge.a[axis] == shapes.of('b')[0].b[axis]);
    edges.emplace(edge.a, edge.b);
  }
  EXPECT_EQ(edges.size(), 12U);
  std::size_t on_sphere = 0;
  for (const Call& line : lines.calls) {
    const Vec3d center{3.5, 2.5, 1.5};
    const double gap = std::max(std::abs(length(line.a - center) - 0.25),
                                std::abs(length(line.b - center) - 0.25));
    on_sphere += gap < 1e-9 ? 1 : 0;
  }
  EXPECT_EQ(on_sphere, 48U);
}

TEST_F(DebugDrawTest, NothingToDrawWithIsFine) {
  EXPECT_TRUE(shoot({}, {.max_cells = 0, .surroundings = -1, .max_surroundings = 0}).ok());
  EXPECT_TRUE(shoot({}).ok());
  EXPECT_TRUE(debugDrawResult(world_, {}, {}).ok());
}

TEST_F(DebugDrawTest, ErrorsDrawNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Recorder recorder;
  const DebugDraw draw = recorder.draw();
  const auto code = [](const absl::Status& status) { return status.code(); };
  using enum absl::StatusCode;
  EXPECT_EQ(code(shoot(draw, {.origin = {nan, 0, 0}})), kInvalidArgument);
  EXPECT_EQ(code(shoot(draw, {.origin = {0, 1e300, 0}})), kOutOfRange);
  EXPECT_EQ(code(debugDrawResult(world_, {}, draw, {.origin = {0, 1e300, 0}})), kOutOfRange);
  const auto shootLine = [&](const Segment& segment, LevelMask levels, const QueryOptions& shot) {
    return code(debugDrawShot(world_, entities_, segment, levels, shot, draw));
  };
  EXPECT_EQ(shootLine({.from = {nan, 0, 0}, .to = {1, 1, 1}}, LevelMask::all(), {}),
            kInvalidArgument);
  EXPECT_EQ(shootLine({.from = {0, 0, 0}, .to = {1e300, 1, 1}}, LevelMask::all(), {}), kOutOfRange);
  EXPECT_EQ(shootLine(line(), LevelMask(), {}), kInvalidArgument);
  QueryOptions shot;
  shot.filter.channel = static_cast<ChannelId>(3);
  EXPECT_EQ(shootLine(line(), LevelMask::all(), shot), kInvalidArgument);
  QueryOptions few;
  few.max_steps = 1;
  EXPECT_EQ(shootLine(line(), LevelMask::all(), few), kResourceExhausted);
  EXPECT_THAT(recorder.calls, IsEmpty());
}

class FarDebugDrawTest : public DebugDrawTest {
 protected:
  FarDebugDrawTest() : DebugDrawTest(std::int64_t{1} << 40) {}
};

// Relative to an origin nearby a drawing is the same wherever it is.
TEST_F(FarDebugDrawTest, IsTheSameRelativeToItsOrigin) {
  struct Near : DebugDrawTest {
    void TestBody() override {}
    using DebugDrawTest::shootAt;
  };
  Recorder near;
  const Near here;
  ASSERT_TRUE(here.shootAt(near.draw(), {0, 0, 0}).ok());
  Recorder far;
  ASSERT_TRUE(shootAt(far.draw(), {static_cast<double>(at_), 0, 0}).ok());
  EXPECT_EQ(far.calls, near.calls);
  EXPECT_GT(near.calls.size(), 20U);
}

// Rays and segments, levels and entities, near the origin and far away: a label for each hit, where
// it is.
TEST(DebugDrawPropertyTest, HasALabelForEachHit) {
  oracle::Rng rng("DebugDrawPropertyTest");
  std::size_t hits = 0;
  for (int round = 0; round < 1000; ++round) {
    SCOPED_TRACE(round);
    const auto scene = oracle::randomScene(rng, 1 + rng.below(4), 12, 60);
    const FixedSegment segment = oracle::randomSegment(rng, *scene);
    const RayQueryService service(scene->world, scene->entities);
    const absl::StatusOr<ShotResult> shot = service.shootSegment(segment);
    ASSERT_TRUE(shot.ok());
    Recorder recorder;
    const DebugDrawOptions options{.origin = toBlocks(scene->center), .max_cells = 50};
    ASSERT_TRUE(debugDrawShot(scene->world, scene->entities, segment, LevelMask::all(), {},
                              recorder.draw(), options)
                    .ok());
    std::vector<Call> labels;
    for (const Call& label : recorder.of('t')) {
      if (label.color == kHitColor) labels.push_back(label);
    }
    ASSERT_EQ(labels.size(), shot->hits.size());
    const Vec3i origin = *toUnits(options.origin, "origin");
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Hit& hit = shot->hits[i];
      EXPECT_EQ(labels[i].text,
                absl::StrCat(i + 1, " ",
                             hit.isBlock() ? scene->world.blockTypes().name(hit.type)
                                           : absl::StrCat("entity ", hit.id)));
      const Vec3d expected = toBlocks(segment.from - origin) + toBlocks(segment.delta()) * hit.t;
      EXPECT_LT(length(labels[i].a - expected), 1e-6);
    }
    hits += labels.size();
  }
  EXPECT_GT(hits, 200U);
}

}  // namespace
}  // namespace fractalray
