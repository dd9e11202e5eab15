// SPDX-License-Identifier: Apache-2.0
// Checks that broken preconditions ("Requires" in the headers) end builds that keep asserts, with a
// message that has the file, the condition and the values, and no path of the machine that compiled
// it. Other builds check nothing, so there is nothing to test.
#ifndef NDEBUG
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../../core/arithmetic/fixed_point.h"
#include "../../core/frame_move.h"
#include "../../core/grid_walk.h"
#include "../../core/internal/access.h"
#include "../../core/internal/containers/cell_table.h"
#include "../../core/internal/containers/dense_grid.h"
#include "../../core/internal/containers/paged_vector.h"
#include "../../core/internal/edit_log.h"
#include "../../core/internal/geometry/cell_crossing.h"
#include "../../core/internal/geometry/hit_time.h"
#include "../../core/internal/geometry/line.h"
#include "../../core/internal/tree64/area_map.h"
#include "../../core/internal/tree64/sparse_cell_set.h"
#include "../../core/level_mask.h"
#include "../../core/tile_range.h"
#include "../../entities/entity_index.h"
#include "../../entities/internal/entity_chunks.h"
#include "../../entities/internal/entity_page.h"
#include "../../entities/internal/entity_record.h"
#include "../../entities/internal/entity_store.h"
#include "../../entities/internal/free_slots.h"
#include "../../entities/internal/id_table.h"
#include "../../entities/internal/index_inspection.h"
#include "../../entities/internal/page_pool.h"
#include "../../entities/internal/page_range_filter.h"
#include "../../entities/internal/shape_distance.h"
#include "../../entities/internal/shape_geometry.h"
#include "../../levels/chunk_path.h"
#include "../../levels/internal/chunk_bounds.h"
#include "../../levels/world.h"
#include "../../query/internal/search/candidate_list.h"
#include "../../query/internal/search/number_set.h"
#include "../../query/internal/search/segment_box_filter.h"
#include "../../query/internal/shot/spending.h"
#include "../../query/ray_query_service.h"
#include "../../streaming/chunk_streamer.h"

namespace fractalray {
namespace {

constexpr FixedSegment kSegment{.from = {0, 0, 0}, .to = {1000, 0, 0}};

TEST(CoreDeathTest, VectorsCheckTheComponentsIndex) {
  Vec3i v;
  int axis = 3;
  EXPECT_DEATH(v[axis] = 1, "^vec.h:[0-9]+: check failed: .*; axis = 3\n");
  axis = -1;
  EXPECT_DEATH(static_cast<void>(std::as_const(v)[axis]), "axis = -1");
}

TEST(CoreDeathTest, LevelMasksCheckTheirLevels) {
  EXPECT_DEATH(LevelMask::from(kMaxLevels - 1, 2), "^level_mask.h:.*level, count = 9, 2");
  EXPECT_DEATH(LevelMask::from(-1, 2), "level, count = -1, 2");
  EXPECT_DEATH(LevelMask::from(3, -1), "level, count = 3, -1");
}

TEST(CoreDeathTest, ArithmeticAndTimesCheckTheirOperands) {
  EXPECT_DEATH(roundedUnits(0x1p46), "^fixed_point.h:[0-9]+: .*blocks = 70368744177664\n");
  EXPECT_DEATH(roundedUnits(std::numeric_limits<double>::quiet_NaN()), "check failed");
  EXPECT_DEATH(HitTime::sphereEntry(1, 1, 1), "^hit_time.cc:.*a, b, c = 1, 1, 1\n");
  EXPECT_DEATH(HitTime::sphereEntry(4, -1, 4), "discriminantIsNonNegative");
}

TEST(CoreDeathTest, LinesCheckTheirRange) {
  const std::int64_t beyond = kMaxCoordinate + 1;
  EXPECT_DEATH(Line({.from = {0, beyond, 0}, .to = {}}),
               "^line.h:.*axis, .* = 1, 2305843009213693953");
  EXPECT_DEATH(Line(kSegment).leaveTime({0, 5, 0}, 16), "touchesCell");
  EXPECT_DEATH(Line(kSegment).enterTime({0, 5, 0}, 16), "touchesCell");
}

TEST(CoreDeathTest, WalksCheckTheirRangeAndEnd) {
  using Walk = GridWalk<3>;
  const Vec3i width{65536, 65536, 65536};
  EXPECT_DEATH(Walk({}, {kMaxCoordinate + 1, 0, 0}, width), "^grid_stepper.h:.*to.i. = 0, 23058");
  EXPECT_DEATH(Walk({}, {1, 0, 0}, {65536, 0, 65536}), "widths.i. = 0");
  Walk walk({}, {1000000, 0, 0}, width);
  ASSERT_TRUE(walk.next());
  EXPECT_DEATH(walk.skipBefore(Fraction::zero()), "t >= cell");
  EXPECT_DEATH(walk.skipInside({5, 0, 0}, {6, 0, 0}), "check failed: cell");
  Walk corner({}, {1000000, 1000000, 0}, width, CornerPolicy::kBoth);
  ASSERT_TRUE(corner.next());
  ASSERT_TRUE(corner.atCorner());
  EXPECT_DEATH(corner.skipBefore(Fraction::one()), "atCorner");
  EXPECT_DEATH(static_cast<void>(*TileRange<>::Iterator()), "is_at_end");
}

TEST(CoreDeathTest, MovesOfTheFrameCheckWhatIsMoved) {
  const FrameMove move = FrameMove::recenter(Frame(2), {1, 0, 0});
  const std::int64_t far = std::int64_t{1} << 60;
  EXPECT_DEATH(move.chunkAfter(0, {0, far, 0}), "^frame_move.cc:.* = 0, 0, 1152921504606846976, 0");
  EXPECT_DEATH(move.blockAfter(1, {0, 0, far}), "frame_.contains");
  EXPECT_DEATH(move.chunkAfter(2, {}), "level = 2\n");
  EXPECT_DEATH(move.pointAfter({0, kMaxCoordinate + 1, 0}), "= 1, 2305843009213693953\n");
  EXPECT_DEATH(move.sizeAfter(-1), "size = -1\n");
  EXPECT_DEATH(move.sizeAfter(std::int64_t{1} << 24), "size = 16777216\n");
  EXPECT_DEATH(FrameMove::climb(Frame(2), {0, 16, 0}), "axis, step.axis. = 1, 16\n");
}

TEST(CoreDeathTest, ReflectedLinesCrossTheirPlane) {
  FixedSegment line = kSegment;
  line.begin = {.plane = 2000, .axes = 1};
  EXPECT_DEATH(static_cast<void>(line.beginsAt()), "^segment.cc:.*begin.plane = 2000\n");
  line.begin = {.plane = 0, .axes = 2};
  EXPECT_DEATH(static_cast<void>(line.beginsAt()), "^line.cc:.*axis = 1\n");
}

TEST(CoreDeathTest, ContainersCheckIndicesAndState) {
  CellTable<int> cells;
  EXPECT_DEATH(cells.insert({1, 2, 3}, 4), "^cell_table.h:.*size");
  cells.reserve();
  cells.insert({1, 2, 3}, 4);
  cells.reserve();
  EXPECT_DEATH(cells.insert({1, 2, 3}, 4), "!entry.second");
  EXPECT_DEATH(cells.erase({3, 2, 1}), "= 3, 2, 1\n");
  PagedVector<int, 4> numbers;
  EXPECT_DEATH(numbers.edit(0) = 1, "^paged_vector.h:.*number, size_ = 0, 0");
  SparseCellSet set;
  EXPECT_DEATH(static_cast<void>(set.children(21, {})), "height = 21");
  DenseGrid<int*> grid;
  std::vector<std::pair<Vec3i, int*>> wide = {{{0, 0, 0}, nullptr}, {{9999, 0, 0}, nullptr}};
  grid.rebuild(wide, [](int* value) { return value; });
  EXPECT_DEATH(grid.find({}), "isComplete");
}

TEST(CoreDeathTest, EditLogsCheckTheirCounts) {
  internal::EditLog log;
  EXPECT_DEATH(log.note({}), "^edit_log.h:.*isWatched");
}

TEST(LevelsDeathTest, ChunksAndTypesCheckTheirIndices) {
  const BlockTypeTable types;
  const Chunk chunk;
  int index = 4096;
  EXPECT_DEATH(static_cast<void>(chunk.block(index)), "^chunk.h:[0-9]+: .*index = 4096\n");
  index = -1;
  EXPECT_DEATH(static_cast<void>(chunk.isOccupied(index)), "index = -1");
  EXPECT_DEATH(static_cast<void>(chunk.hasLoadedChild(index)), "index = -1");
  EXPECT_DEATH(static_cast<void>(chunk.occupiedBlock(0)), "isOccupied");
  EXPECT_DEATH(Chunk::uniform(static_cast<BlockTypeId>(7), types), "type, .* = 7, 1\n");
  EXPECT_DEATH(static_cast<void>(types.channelName(static_cast<ChannelId>(9))), "= 9, ");
  EXPECT_DEATH(ChunkPath::to({}, -1), "levels = -1");
  EXPECT_DEATH(static_cast<void>(IdLayout().offset({0, 0, 1 << 21})),
               "^id_layout.h:.*axis, block.axis. = 2, 2097152\n");
}

TEST(LevelsDeathTest, WorldsCheckLevelsAndBounds) {
  EXPECT_DEATH(World({.levels = 11}), "^frame.h:.*levels = 11\n");
  const World world;
  EXPECT_DEATH(static_cast<void>(world.loadedChunks(1)), "^world_content.h:.*= 1, 1\n");
  World changing;
  const auto unload = [&changing](const BlockCoord&) {
    EXPECT_TRUE(changing.loadChunk(0, {5, 0, 0}, Chunk()).ok());
    return kAir;
  };
  EXPECT_DEATH(changing.loadBox(0, {0, 0, 0}, {0, 0, 0}, unload).IgnoreError(),
               "^world_load.cc:.*version.. == before");
  internal::ChunkBounds bounds;
  EXPECT_DEATH(static_cast<void>(bounds.min()), "!empty");
  EXPECT_DEATH(bounds.erase({1, 2, 3}), "axis, cell.axis. = 0, 1\n");
}

TEST(EntitiesDeathTest, SlotsAndPagesCheckTheirIndices) {
  EntityIndex index(Frame(2));
  EXPECT_DEATH(static_cast<void>(internal::Access::store(index).handle(0)), "slot");
  EXPECT_DEATH(static_cast<void>(internal::Access::store(index).grid(2)), "level, .* = 2, 2\n");
  EXPECT_DEATH(static_cast<void>(internal::emptyCubeLog2(index, 5, {})), "= 5, 2\n");
  EXPECT_DEATH(internal::Access::store(index).prefetch(3), "slot, slots.. = 3, 0\n");
  const auto commit = [] { return absl::OkStatus(); };
  EXPECT_DEATH(internal::Access::editStore(index)
                   .moveFrame(FrameMove::recenter(Frame(3), {}), commit)
                   .status()
                   .IgnoreError(),
               "^entity_frame_move.cc:.* = 3, 2\n");
  internal::FreeSlots slots;
  EXPECT_DEATH(static_cast<void>(slots.next()), "^free_slots.h:.*generations_.size.. = 0\n");
  EXPECT_DEATH(slots.addSlot(), "generations_.capacity");
  internal::IdTable ids;
  EXPECT_DEATH(ids.insert(1, 2), "size_");
  ids.reserve(1);
  EXPECT_DEATH(ids.erase(1, 2), "id, slot = 1, 2\n");
  const internal::PagePool pool;
  const internal::PageList list;
  EXPECT_DEATH(static_cast<void>(pool.entryOf(list, 1)), "number, list.count = 1, 0\n");
}

TEST(EntitiesDeathTest, ShapesCheckTheirSize) {
  const FixedShape wide{.kind = FixedShape::Kind::kSphere, .half_extents = {70000, 70000, 70000}};
  EXPECT_DEATH(internal::overlappedChunks(wide, {}, 16), "radius.*= 70000, 16\n");
  const FixedShape box{.kind = FixedShape::Kind::kBox, .half_extents = {1, 1, 1}};
  EXPECT_DEATH(internal::hitGeometry(Line(kSegment), box, {0, 99, 0}, HitTime()), "span");
}

TEST(EntitiesDeathTest, ShapesAreInTheFrame) {
  const FixedShape box{.kind = FixedShape::Kind::kBox, .half_extents = {1, 1, 1}};
  const Vec3i edge{0, kMaxCoordinate, 0};
  EXPECT_DEATH(internal::overlappedChunks(box, edge, 16), "^entity_chunks.cc:.* = 1, 23058.*, 1\n");
  EXPECT_DEATH(internal::intersect(Line(kSegment), box, edge),
               "^shape_geometry.cc:.* = 1, 2305843009213693952, 1\n");
  EXPECT_DEATH(internal::checkReach({0, 0, 3 * kMaxCoordinate + 1}, box).IgnoreError(),
               "^entity_record.cc:.*axis, position.axis. = 2, 6917529027641081857\n");
  EXPECT_DEATH(internal::pageCenter({1 << 30, 0, 0}, {}, 20),
               "^entity_page.h:.*axis, .* = 0, 1073741824, 0\n");
  const std::int64_t far = (std::int64_t{1} << 62) + 1;
  EXPECT_DEATH(internal::pageBall({}, {0, 0, far}, 1, {}, 20),
               "^page_range_filter.h:.*axis, .* = 2, 0, 4611686018427387905\n");
  EXPECT_DEATH(internal::squaredGap({-far, 0, 0}, {-far, 0, 0}, {far, 0, 0}, {far, 0, 0}),
               "^shape_distance.h:.*axis, .* = 0, -46116860184273879");
}

TEST(QueryDeathTest, ListsAndFiltersCheckTheirArguments) {
  internal::CandidateList list;
  list.add().time = HitTime(Fraction{1, 4});
  list.makeNewestLast();
  list.add().time = HitTime(Fraction{1, 2});
  EXPECT_DEATH(list.makeNewestLast(), "comesBefore");
  EXPECT_DEATH(list.dropLater(HitTime()), "last_");
  internal::NumberSet numbers;
  EXPECT_DEATH(numbers.insert(1), "slots_");
  EXPECT_DEATH(internal::SegmentBoxFilter(kSegment, 1.5), "reach = 1.5\n");
}

TEST(QueryDeathTest, ServicesAndAnswersCheckTheirUse) {
  const World world({.levels = 2});
  const EntityIndex entities{Frame(1)};
  EXPECT_DEATH(RayQueryService(world, entities), "^service_state.cc:.* = 2, 1\n");
  const ShotBatch batch;
  EXPECT_DEATH(static_cast<void>(batch.hitsOf(0)), "i, shots.size.. = 0, 0\n");
  EXPECT_DEATH(static_cast<void>(batch.levelSpansOf(3)), "= 3, 0\n");
  EXPECT_DEATH(internal::spendingOf(ShotResult()), "budgets.has_value");
  EXPECT_DEATH(static_cast<void>(ShotResult().left(BudgetId{0})), "^answer.h:.*has_value");
  ShotSummary summary;
  summary.budgets = Budgets{};
  EXPECT_DEATH(static_cast<void>(summary.left(BudgetId{8})), "number = 8\n");
  internal::Spending spending;
  EXPECT_DEATH(internal::spend(TerminalRule::stopShot(), HitGeometry(), 1, spending),
               "rule.kind = 1\n");
}

TEST(StreamingDeathTest, RequestsHaveAPathUntilTheyAreAnswered) {
  struct Source : ChunkSource {
    void request(ChunkRequest request) override {
      EXPECT_TRUE(request.answer(Chunk()).ok());
      EXPECT_DEATH(static_cast<void>(request.path()), "^chunk_source.cc:.*pending_");
    }
  } source;
  World world;
  EntityIndex entities(world.frame());
  Window window(world, entities);
  ChunkStreamer streamer =
      ChunkStreamer::create(window, source, {.radii = {StreamRadii{0, 0}}}).value();
  const Vec3i viewer{1, 1, 1};
  EXPECT_TRUE(streamer.tick({&viewer, 1}).ok());
  EXPECT_EQ(streamer.stats().loaded, 1U);
}

}  // namespace
}  // namespace fractalray
#endif  // NDEBUG
