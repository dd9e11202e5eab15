// SPDX-License-Identifier: Apache-2.0
// Checks the preconditions of streaming/, generator/ and windows, as requires_test.cc does those of
// the other modules.
#ifndef NDEBUG
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "../../query/window.h"
#include "../../streaming/internal/chunk_reach.h"
#include "../../streaming/internal/direction_sequence.h"
#include "../../streaming/internal/missing_chunks.h"
#include "../../streaming/internal/pending_chunk.h"
#include "../../streaming/internal/stream_records.h"
#include "../../streaming/visibility_stream.h"
#include "../../tools/generator/fractal_chunk.h"

namespace fractalray {
namespace {

using internal::ChunkReach;
using internal::MissingChunks;
using internal::PendingChunk;
using internal::StreamRecord;
using internal::StreamRecords;

class WindowDeathTest : public testing::Test {
 protected:
  World world_{{.levels = 2}};
  EntityIndex entities_{world_.frame()};
  Window window_{world_, entities_};
};

TEST_F(WindowDeathTest, ObserversAreAddedOnceAndNotWhileItMoves) {
  struct Observer : WindowObserver {
    explicit Observer(Window& observed) : window(observed) {}
    void beforeMove(const FrameMove& /*move*/) override { window.removeObserver(*this); }
    Window& window;
  } observer(window_);
  EXPECT_DEATH(window_.removeObserver(observer), "isObservedBy.*observers_.size.. = 0\n");
  window_.addObserver(observer);
  EXPECT_DEATH(window_.addObserver(observer), "^window.cc:.*isObservedBy.*= 1\n");
  EXPECT_DEATH(window_.recenter({0, 0, 0}).IgnoreError(), "!is_moving_; moves_ = 0\n");
  window_.removeObserver(observer);
}

TEST_F(WindowDeathTest, SightIsOfTheFrameOfTheWindow) {
  VisibilityStream stream = VisibilityStream::create(window_, {.rays = 4}).value();
  const std::shared_ptr<const World> before = world_.snapshot();
  const RayQueryService service(*before, entities_);
  const ViewCone view{.from = {1, 1, 1}, .direction = {1, 0, 0}};
  EXPECT_TRUE(stream.tick(service, view).ok());
  ASSERT_TRUE(window_.recenter({0, 0, 0}).ok());
  EXPECT_DEATH(stream.tick(service, view).IgnoreError(), "isOfThisFrame.*world = 0\n");
}

TEST(GeneratorDeathTest, TypesAndBlocksAreChecked) {
  BlockTypeTable types;
  const FractalTypes fractal(types);
  EXPECT_DEATH(FractalTypes again(types), "^fractal_chunk.cc:.*space");
  const FractalChunk root(1);
  EXPECT_DEATH(static_cast<void>(root.block({0, 16, 0}, fractal)), "axis, at.axis. = 1, 16\n");
  EXPECT_DEATH(static_cast<void>(root.child({-1, 0, 0}, fractal)), "axis, at.axis. = 0, -1\n");
  EXPECT_DEATH(static_cast<void>(root.content(fractal, BlockTypeTable())), "the table ends at");
}

class ReachDeathTest : public WindowDeathTest {
 protected:
  StreamOptions options_{.radii = {StreamRadii{1, 2}, std::nullopt}};
  ChunkReach reach_{world_.frame(), options_};
};

TEST_F(ReachDeathTest, OptionsAndViewersAreOfTheFrame) {
  options_.radii.clear();
  EXPECT_DEATH(ChunkReach(world_.frame(), options_), "^chunk_reach.cc:.*INVALID_ARGUMENT: .*radii");
  const Vec3i outside{0, kMaxCoordinate + 1, 0};
  EXPECT_DEATH(reach_.setViewers({&outside, 1}), "i, axis, .* = 0, 1, 2305843009213693953\n");
  EXPECT_DEATH(static_cast<void>(reach_.loadBall(1, {0, 0, 0})), "^chunk_reach.h:.*level = 1\n");
}

TEST_F(ReachDeathTest, MissingChunksAreOfAnActiveStreamedLevel) {
  const internal::AnchorFollower anchor(window_);
  const MissingChunks missing(world_, anchor, reach_, options_.is_fertile);
  const auto ignore = [](const ChunkCoord&) {};
  EXPECT_DEATH(missing.aroundViewers(1, ignore), "^missing_chunks.cc:.*level = 1\n");
  EXPECT_DEATH(missing.aroundViewers(-1, ignore), "level = -1\n");
  EXPECT_DEATH(static_cast<void>(missing.isInBarrenBlock({2, {}})), "chunk.level = 2\n");
  EXPECT_DEATH(static_cast<void>(missing.coarsest({2, {}})), "chunk.level = 2\n");
}

TEST(StreamPartsDeathTest, ConesAreFiniteAndDirectionsInTheDisc) {
  using internal::DirectionCone;
  EXPECT_DEATH(DirectionCone({}, 0), "^direction_sequence.h:.*scale = 0\n");
  EXPECT_DEATH(DirectionCone({1, INFINITY, 0}, 0), "i, axis.i. = 1, inf\n");
  EXPECT_DEATH(DirectionCone({1, 0, 0}, 1.5), "cos_half_angle = 1.5\n");
  EXPECT_DEATH(static_cast<void>(DirectionCone({1, 0, 0}, 0).direction(0.75, -0.75)),
               "x, y = 0.75, -0.75\n");
}

TEST(StreamPartsDeathTest, AnswersComeOnceAndBeforeTheyAreTaken) {
  PendingChunk pending(std::make_shared<ChunkPath>(), 1, {2, 3, 4});
  EXPECT_DEATH(static_cast<void>(pending.content()), "isAnswered.*= 1, 2, 3, 4\n");
  EXPECT_TRUE(pending.answer(Chunk()));
  EXPECT_DEATH(pending.answer(Chunk()), "^pending_chunk.h:.*!isAnswered.*= 1, 2, 3, 4\n");
  const PendingChunk outside(std::make_shared<ChunkPath>(), 0, {-1, 0, 0});
  EXPECT_DEATH(static_cast<void>(outside.path()), "path is ok; status = OUT_OF_RANGE");
}

TEST(StreamPartsDeathTest, RecordsAreInsertedOnceWhereThereIsSpace) {
  StreamRecords records;
  EXPECT_DEATH(records.insert(0, {1, 2, 3}, std::make_unique<StreamRecord>()), "size");
  records.reserve(0, 2);
  records.insert(0, {1, 2, 3}, std::make_unique<StreamRecord>());
  EXPECT_DEATH(records.insert(0, {1, 2, 3}, std::make_unique<StreamRecord>()), "!entry.second");
  StreamRecord other;
  EXPECT_DEATH(records.erase(other), "^stream_records.h:.*home != nullptr.*= 0, 0, 0\n");
  internal::RecordList<internal::StreamList::kOpen> list;
  EXPECT_DEATH(list.add(other), "records_.capacity.*records_.size.. = 0\n");
}

}  // namespace
}  // namespace fractalray
#endif  // NDEBUG
